-- Joins, sorts, windows and unions above, below and between native parts.
-- each spark.sql.adaptive.enabled=true|false
-- conf spark.reprise.memory.debug=true

SELECT l.k, r.g, count(*), sum(l.n) FROM small l JOIN small r ON l.g = r.g WHERE l.i32 > 0 AND r.i32 < 0 GROUP BY l.k, r.g;
SELECT l.n, r.n FROM small l LEFT JOIN small r ON l.i32 = r.i64 AND r.n < 50 WHERE l.n < 40;
SELECT l.n FROM small l LEFT SEMI JOIN many_keys r ON l.n = r.k;
SELECT l.n FROM small l LEFT ANTI JOIN many_keys r ON l.n = r.k AND r.v > 0;
SELECT coalesce(l.g, -1), count(r.n) FROM small l FULL OUTER JOIN small r ON l.n = r.i32 GROUP BY 1;
SELECT /*+ MERGE(r) */ l.k, count(*) FROM many_keys l JOIN many_keys r ON l.k = r.k WHERE l.v > 900 AND r.v > 900 GROUP BY l.k;
SELECT /*+ SHUFFLE_HASH(r) */ count(*), sum(r.v) FROM small l JOIN many_keys r ON l.n = r.k;
SELECT /*+ BROADCAST(r) */ l.s, count(*) FROM many_keys l JOIN small r ON l.k = r.n AND r.i32 > 10 GROUP BY l.s;
SELECT count(*) FROM small l CROSS JOIN small r WHERE l.i32 < r.i16 AND l.n < 30;
-- ordered
SELECT n, k, i32 FROM small WHERE i32 IS NOT NULL ORDER BY i32 DESC, n;
-- ordered
SELECT id, f64 FROM every_type WHERE id < 200 ORDER BY f64, id;
-- ordered
SELECT k, count(*) AS c FROM small GROUP BY k ORDER BY c DESC, k NULLS LAST LIMIT 3;
SELECT n, k, sum(i32) OVER (PARTITION BY k ORDER BY n) FROM small WHERE i32 > 0;
SELECT k, total, rank() OVER (ORDER BY total DESC) FROM (SELECT k, sum(n) AS total FROM small GROUP BY k);
SELECT g, count(*) FROM (SELECT g, n FROM small WHERE i32 > 0 UNION ALL SELECT g, n FROM small WHERE i32 < 0) GROUP BY g;
SELECT i32 FROM small WHERE n < 50 UNION SELECT i16 FROM small WHERE n < 50;
SELECT g FROM small INTERSECT SELECT n FROM small;
SELECT n FROM small EXCEPT SELECT i32 FROM small;
SELECT g, x FROM small LATERAL VIEW explode(array(i32, i16)) t AS x WHERE n < 20;
SELECT id % 5, count(*), sum(id) FROM range(0, 10000, 1, 4) WHERE id > 17 GROUP BY id % 5;
SELECT a, count(*) FROM VALUES (1, 'x'), (2, 'y'), (1, NULL) AS t(a, b) WHERE a > 0 GROUP BY a;
SELECT * FROM small TABLESAMPLE (10 ROWS) WHERE n < 0;
SELECT s, count(*) FROM (SELECT /*+ REPARTITION(4, s) */ s, v FROM many_keys WHERE v > 0) GROUP BY s;
SELECT k, sum(n) FROM (SELECT /*+ COALESCE(1) */ * FROM small) WHERE b GROUP BY k;
SELECT sum(n) FROM (SELECT /*+ COALESCE(1) */ * FROM small);
SELECT transform(array(n, i32), x -> x + 1) FROM small WHERE n < 5 AND i32 IS NOT NULL;
SELECT k, n FROM small WHERE n IN (SELECT max(n) FROM small GROUP BY k);
SELECT * FROM (SELECT k, g, n FROM small) PIVOT (sum(n) FOR g IN (1, 2, 3));
