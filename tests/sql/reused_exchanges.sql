-- One exchange, or one subquery, that is read in several places; and dynamic partition pruning.
-- each spark.sql.adaptive.enabled=true|false
-- each spark.sql.autoBroadcastJoinThreshold=-1|10MB

-- expect plan: Reused
WITH t AS (SELECT k, sum(n) AS total FROM small GROUP BY k) SELECT a.k, a.total, b.k FROM t a JOIN t b ON a.total = b.total;
-- expect plan: Reused
WITH t AS (SELECT k, max(v) AS top FROM many_keys GROUP BY k) SELECT count(*), sum(a.top), max(b.top) FROM t a JOIN t b ON a.k = b.k;
-- expect plan: Reused
SELECT a.k, b.k, c.k FROM small a JOIN small b ON a.n = b.n JOIN small c ON a.n = c.n;
SELECT k, n FROM small WHERE n > (SELECT avg(v) FROM many_keys) AND i32 < (SELECT avg(v) FROM many_keys) + 20;
WITH t AS (SELECT g, count(*) AS c FROM small GROUP BY g) SELECT g, c FROM t UNION ALL SELECT g, c FROM t WHERE c > 1;
WITH t AS (SELECT /*+ REPARTITION(3, g) */ g, n FROM small) SELECT l.n, r.n FROM t l JOIN t r ON l.g = r.g WHERE l.n < 20 AND r.n < 20;
-- Partitions that a join's other side chooses at run time.
SELECT p.item, p.amount, p.year FROM partitioned p JOIN small s ON p.year = s.n + 1998 WHERE s.n = 1;
SELECT p.region, count(*), sum(p.amount) FROM partitioned p JOIN (SELECT DISTINCT n + 1998 AS y FROM small WHERE n IN (1, 2)) s ON p.year = s.y GROUP BY p.region;
SELECT p.item, s.n FROM partitioned p JOIN small s ON p.year = s.n + 1998 AND p.item = s.n WHERE s.i32 > 1000;
SELECT p.year, q.region, count(*) FROM partitioned p JOIN partitioned q ON p.year = q.year AND p.item = q.item WHERE q.amount > 7 GROUP BY p.year, q.region;
SELECT p.year, p.amount FROM partitioned p WHERE p.year IN (SELECT n + 1998 FROM small WHERE n < 2);
SELECT p.year, p.amount FROM partitioned p LEFT SEMI JOIN (SELECT n + 1998 AS y FROM small WHERE n = 2) s ON p.year = s.y;
-- Two scans that are pruned by one broadcast.
WITH d AS (SELECT n + 1998 AS y FROM small WHERE n IN (1, 2)) SELECT p.year, count(*) AS c FROM partitioned p JOIN d ON p.year = d.y GROUP BY p.year UNION ALL SELECT p.year, sum(p.amount) FROM partitioned p JOIN d ON p.year = d.y WHERE p.amount > 3 GROUP BY p.year;
