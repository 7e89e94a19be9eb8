-- Cartesian products: every partition of one side with every partition of the other.
-- each spark.sql.adaptive.enabled=true|false
-- each spark.sql.shuffle.partitions=1|12
-- conf spark.sql.autoBroadcastJoinThreshold=-1

CREATE OR REPLACE TEMP VIEW l AS SELECT id, i32 AS k, i8 AS v, s FROM every_type WHERE id % 9 = 0;
CREATE OR REPLACE TEMP VIEW r AS SELECT id, i32 AS k, i16 AS v, s FROM every_type WHERE id % 11 = 0;
-- expect native: RepriseCartesianProduct
-- expect plan: Cartesian
SELECT l.id, l.s, r.id, r.s FROM l JOIN r ON l.v < r.v;
-- expect native: RepriseCartesianProduct
SELECT l.id, r.id FROM l CROSS JOIN r;
-- expect native: RepriseCartesianProduct
SELECT l.id, r.id FROM l JOIN r ON l.v < r.v AND l.k > r.k OR l.s = r.s;
SELECT /*+ SHUFFLE_REPLICATE_NL(r) */ l.id, r.id FROM l JOIN r ON l.k = r.k AND l.v < r.v;
-- Several partitions on both sides, by scans and by exchanges.
SELECT count(*), sum(m.v + s.n), min(m.k), max(s.n) FROM many_keys m CROSS JOIN small s WHERE m.k < 1500;
-- expect native: RepriseCartesianProduct
SELECT count(*), sum(a.c * b.c) FROM (SELECT k, count(*) AS c FROM many_keys GROUP BY k HAVING k < 300) a CROSS JOIN (SELECT g, count(*) AS c FROM small GROUP BY g) b;
SELECT a.n, b.n FROM (SELECT /*+ REPARTITION(3) */ n FROM small WHERE n < 30) a JOIN (SELECT /*+ REPARTITION(4, n) */ n FROM small) b ON a.n * 10 = b.n;
SELECT a.k, b.k, c.g FROM (SELECT DISTINCT k FROM small) a CROSS JOIN (SELECT DISTINCT k FROM small) b CROSS JOIN (SELECT DISTINCT g FROM small) c;
-- What stands above: groups, joins, orders, limits.
SELECT l.k, count(*) FROM l CROSS JOIN r GROUP BY l.k;
-- ordered
SELECT l.id, r.id FROM l CROSS JOIN r ORDER BY l.id DESC, r.id LIMIT 20;
SELECT x.id, y.id FROM (SELECT l.id, r.v FROM l JOIN r ON l.v < r.v) x JOIN r y ON x.v = y.v;
SELECT count(*) FROM (SELECT l.id FROM l CROSS JOIN r LIMIT 17);
-- No row on one side, no partition on one side.
SELECT l.id, r.id FROM l CROSS JOIN (SELECT * FROM r WHERE rand() < 0) r;
SELECT n.id, r.id FROM no_rows n CROSS JOIN r;
SELECT l.id, p.item FROM l CROSS JOIN (SELECT item FROM partitioned WHERE year = 1500) p;
SELECT count(*) FROM (SELECT item FROM partitioned WHERE year = 1500) p CROSS JOIN l;
-- A condition that fails for some pair; one with a subquery; columns of no side.
-- error DIVIDE_BY_ZERO
SELECT l.id, r.id FROM l JOIN r ON 1 / (l.id - r.id) > 0;
SELECT l.id, r.id FROM l JOIN r ON l.v < r.v AND r.id > (SELECT avg(id) FROM r);
SELECT count(*) FROM l CROSS JOIN r;
SELECT 1 FROM l CROSS JOIN r WHERE l.id < 20 AND r.id < 20;
-- Row-based sides.
-- expect native: RepriseCartesianProduct
SELECT l.id, t.x FROM l CROSS JOIN (VALUES (1), (2), (NULL)) t(x) WHERE l.v < t.x OR t.x IS NULL;
SELECT a.n, b.w FROM small a JOIN (SELECT n, row_number() OVER (ORDER BY n) AS w FROM small) b ON a.n < 4 AND b.w < 3;
