-- Unions whose children are divided alike: Spark counts on it that the union is divided like them
-- (spark.sql.unionOutputPartitioning), so that no exchange comes before what groups or joins it.
-- each spark.sql.adaptive.enabled=true|false
-- each spark.sql.unionOutputPartitioning=true|false
-- conf spark.sql.shuffle.partitions=7
-- conf spark.sql.autoBroadcastJoinThreshold=-1
-- conf spark.reprise.memory.debug=true

-- expect native: RepriseUnion
SELECT k, sum(c), count(*) FROM (SELECT k, count(*) AS c FROM small GROUP BY k UNION ALL SELECT k, max(n) FROM small GROUP BY k) GROUP BY k;
SELECT g, sum(c), count(*) FROM (SELECT g, count(*) AS c FROM small GROUP BY g UNION ALL SELECT i32, max(n) FROM small WHERE n < 90 GROUP BY i32) GROUP BY g;
-- expect native: RepriseUnion
SELECT count(*), sum(t.c), max(u.k) FROM (SELECT k, count(*) AS c FROM many_keys GROUP BY k UNION ALL SELECT i64, n FROM (SELECT /*+ REPARTITION(7, i64) */ i64, n FROM small)) t JOIN (SELECT k, max(v) AS top FROM many_keys GROUP BY k) u ON t.k = u.k;
-- Three children, one of which has no row.
SELECT g, count(*) FROM (SELECT g FROM small GROUP BY g UNION ALL SELECT i32 FROM small WHERE n < -5 GROUP BY i32 UNION ALL SELECT i16 FROM small GROUP BY i16) GROUP BY g;
-- One partition each.
SELECT count(*), sum(c) FROM (SELECT count(*) AS c FROM small UNION ALL SELECT count(*) FROM many_keys UNION ALL SELECT max(n) FROM small);
SELECT c, row_number() OVER (ORDER BY c) AS r FROM (SELECT count(*) AS c FROM small UNION ALL SELECT count(*) FROM many_keys);
SELECT c FROM (SELECT count(*) AS c FROM small UNION ALL SELECT max(n) FROM small) ORDER BY c LIMIT 1;
-- Exchanges of the user's own, with the same number of partitions and with others.
SELECT g, count(*), sum(n) FROM (SELECT /*+ REPARTITION(5, g) */ g, n FROM small UNION ALL SELECT /*+ REPARTITION(5, g) */ g, n FROM small) GROUP BY g;
SELECT g, count(*), sum(n) FROM (SELECT /*+ REPARTITION(5, g) */ g, n FROM small UNION ALL SELECT /*+ REPARTITION(6, g) */ g, n FROM small) GROUP BY g;
-- A row-based child.
SELECT k, count(*) FROM (SELECT k, count(*) AS c FROM small GROUP BY k UNION ALL SELECT k, row_number() OVER (PARTITION BY k ORDER BY n) FROM small) GROUP BY k;
-- A union of unions, and one that is joined with itself.
WITH t AS (SELECT k, count(*) AS c FROM small GROUP BY k UNION ALL SELECT k, max(n) FROM small GROUP BY k) SELECT a.k, a.c, b.c FROM t a JOIN t b ON a.k = b.k;
WITH t AS (SELECT k, count(*) AS c FROM small GROUP BY k UNION ALL SELECT k, max(n) FROM small GROUP BY k) SELECT k, sum(c) FROM (SELECT * FROM t UNION ALL SELECT * FROM t) GROUP BY k;
SELECT DISTINCT k FROM (SELECT k FROM small GROUP BY k UNION ALL SELECT k FROM small GROUP BY k);
-- A coalesce to one partition of a scan that has none.
SELECT count(*), max(item) FROM (SELECT /*+ COALESCE(1) */ item FROM partitioned WHERE year = 1500);
SELECT /*+ COALESCE(3) */ item FROM partitioned WHERE year = 1500;
SELECT g, count(*) FROM (SELECT /*+ COALESCE(1) */ item AS g FROM partitioned WHERE year = 1500 UNION ALL SELECT /*+ COALESCE(1) */ g FROM small) GROUP BY g;
