-- Joins that change while they run: to a broadcast, to a hash join, to nothing at all.
-- conf spark.sql.autoBroadcastJoinThreshold=-1
-- conf spark.sql.shuffle.partitions=5
-- each spark.sql.adaptive.autoBroadcastJoinThreshold=1MB|-1
-- conf spark.sql.adaptive.maxShuffledHashJoinLocalMapThreshold=64MB

SELECT l.k, l.v, r.n FROM many_keys l JOIN small r ON l.k = r.n WHERE r.n < 20;
SELECT l.k, count(*) FROM many_keys l LEFT JOIN small r ON l.k = r.n AND r.i32 > 0 WHERE l.v > 900 GROUP BY l.k;
SELECT r.n, count(l.v) FROM many_keys l RIGHT JOIN small r ON l.k = r.n GROUP BY r.n;
SELECT l.k, l.v FROM many_keys l LEFT SEMI JOIN small r ON l.k = r.n WHERE l.v > 500;
SELECT l.n FROM small l LEFT ANTI JOIN many_keys r ON l.n = r.k;
SELECT count(*), sum(l.v) FROM many_keys l FULL JOIN small r ON l.k = r.n;
SELECT a.n, b.n, c.k FROM small a JOIN small b ON a.n = b.i32 JOIN small c ON b.n = c.i16 WHERE a.n < 40;
SELECT g, sum(v) FROM (SELECT s.g, m.v FROM many_keys m JOIN small s ON m.k = s.n) JOIN (SELECT g AS h, count(*) AS c FROM small GROUP BY g) t ON g = t.h GROUP BY g;
-- One side turns out to be empty.
SELECT l.k, r.n FROM many_keys l JOIN small r ON l.k = r.n WHERE r.n < -5;
SELECT l.k, r.n FROM many_keys l LEFT JOIN small r ON l.k = r.n AND r.n < -5 WHERE l.v > 990;
SELECT count(*) FROM many_keys l JOIN (SELECT n, count(*) AS c FROM small WHERE n < -5 GROUP BY n) r ON l.k = r.n;
SELECT l.n FROM small l LEFT ANTI JOIN (SELECT k FROM many_keys WHERE v > 5000) r ON l.n = r.k WHERE l.n < 30;
SELECT l.n FROM small l LEFT SEMI JOIN (SELECT k FROM many_keys WHERE v > 5000) r ON l.n = r.k;
SELECT l.n FROM small l WHERE l.n NOT IN (SELECT i32 FROM small WHERE n < -5) AND l.n < 30;
SELECT l.n FROM small l WHERE l.n NOT IN (SELECT i32 FROM small WHERE i32 IS NULL);
SELECT k, count(*) FROM (SELECT k FROM small WHERE n < -5 UNION ALL SELECT k FROM small WHERE g = 2) GROUP BY k;
SELECT count(*), sum(n), max(k) FROM (SELECT k, n FROM small WHERE n < -5 DISTRIBUTE BY k);
-- ordered
SELECT k, n FROM small WHERE n < -5 ORDER BY n LIMIT 3;
