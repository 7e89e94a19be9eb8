-- The same aggregates where Spark would sort instead of hash, and where it would use object hashing.
-- conf spark.sql.execution.useHashAggregateExec=false
SELECT s, count(*), min(s), max(s) FROM every_type GROUP BY s;
SELECT k, sum(v), max(s), min(s) FROM many_keys GROUP BY k;
SELECT min(s), max(s), min(bin), max(bin) FROM every_type;
SELECT b, max(s), count(DISTINCT s) FROM every_type GROUP BY b;

-- Operators above rely on the order of the groups. Groups leave in several batches.
-- conf spark.reprise.sql.batchRows=100
CREATE OR REPLACE TEMP VIEW big AS SELECT id % 30 AS a, id * 7919 % 2003 AS b, concat('s', id % 1000, repeat('x', 20)) AS s, id / 7D AS d FROM range(3000);
-- expect native: RepriseHashAggregate
SELECT sum(r), sum(a * r), max(m) FROM (SELECT a, b, max(s) AS m, rank() OVER (PARTITION BY a ORDER BY b) AS r FROM (SELECT /*+ REPARTITION(3, a) */ * FROM big) GROUP BY a, b);
-- expect plan: SortAggregate
SELECT sum(a * n), sum(b * n), max(m) FROM (SELECT a, b, m, monotonically_increasing_id() % 1000000 AS n FROM (SELECT a, b, min(s) AS m FROM (SELECT /*+ REPARTITION(1) */ * FROM big) GROUP BY a, b));
-- expect plan: SortAggregate
SELECT sum(b), max(f), max(c) FROM (SELECT b, first(s) AS f, count(*) AS c FROM (SELECT /*+ REPARTITION(1) */ * FROM big) GROUP BY b LIMIT 10);
SELECT a, first(m), last(m), sum(d) FROM (SELECT a, b, max(s) AS m, sum(d) AS d FROM (SELECT /*+ REPARTITION(3, a) */ * FROM big) GROUP BY a, b) GROUP BY a;
SELECT /*+ MERGE(y) */ first(x.m), last(y.n), count(*) FROM (SELECT b, max(s) AS m FROM big GROUP BY b) x JOIN (SELECT b, min(s) AS n FROM big WHERE a < 7 GROUP BY b) y ON x.b = y.b;
SELECT b, max(m) FROM (SELECT a, b, max(s) AS m FROM big GROUP BY a, b) GROUP BY b;
