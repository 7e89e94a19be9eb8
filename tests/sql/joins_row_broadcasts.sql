-- Broadcast joins whose broadcast side Spark computes: they read Spark's broadcast.
-- each spark.sql.adaptive.enabled=true|false

CREATE OR REPLACE TEMP VIEW t AS SELECT * FROM VALUES (1, 'a', 1.5D), (2, 'b', NULL), (2, 'c', double('NaN')), (3, NULL, -0.0D), (NULL, 'z', 0.0D), (7, '', 2.0D) AS t(x, y, z);
CREATE OR REPLACE TEMP VIEW w AS SELECT n, g, k, row_number() OVER (PARTITION BY g ORDER BY n) AS nth FROM small;
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(t) */ s.n, s.g, t.x, t.y FROM small s JOIN t ON s.g = t.x;
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(t) */ s.n, s.g, t.x, t.y FROM small s LEFT JOIN t ON s.g = t.x;
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(t) */ s.n, s.g, t.x, t.y FROM t RIGHT JOIN small s ON s.g = t.x AND s.n > 40;
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(t) */ s.n, s.g FROM small s LEFT SEMI JOIN t ON s.g = t.x AND t.y < 'c';
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(t) */ s.n, s.g FROM small s LEFT ANTI JOIN t ON s.g = t.x;
SELECT s.n, EXISTS (SELECT 1 FROM t WHERE t.x = s.g) AS e FROM small s;
-- Keys of other types than a whole number; several keys; doubles that are equal in two ways.
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(t) */ s.n, t.x FROM small s JOIN t ON s.k = t.y;
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(t) */ s.n, t.x, t.y FROM small s JOIN t ON s.g = t.x AND substring(s.k, 1, 1) = t.y;
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(t) */ e.id, e.f64, t.z, t.y FROM every_type e JOIN t ON e.f64 = t.z;
SELECT /*+ BROADCAST(t) */ e.id, t.y FROM every_type e JOIN t ON e.s <=> t.y;
SELECT /*+ BROADCAST(w) */ m.k, m.v, w.nth FROM many_keys m JOIN w ON m.k = w.nth AND m.k < w.n;
-- NOT IN: a null in the list, none in it, no list.
SELECT n FROM small WHERE g NOT IN (SELECT x FROM t);
-- expect native: RepriseBroadcastHashJoin
SELECT n, g FROM small WHERE g NOT IN (SELECT x FROM t WHERE x IS NOT NULL AND y IS NOT NULL);
SELECT n, g FROM small WHERE g NOT IN (SELECT nth FROM w WHERE nth < 0);
SELECT n, k FROM small WHERE k NOT IN (SELECT y FROM t WHERE x = 3);
-- Without keys.
-- expect native: RepriseBroadcastNestedLoopJoin
SELECT /*+ BROADCAST(t) */ s.n, t.x, t.y FROM small s JOIN t ON s.g < t.x;
-- expect native: RepriseBroadcastNestedLoopJoin
SELECT /*+ BROADCAST(t) */ s.n, t.x, t.y FROM small s LEFT JOIN t ON s.g < t.x AND s.n < 90;
-- expect native: RepriseBroadcastNestedLoopJoin
SELECT /*+ BROADCAST(t) */ s.n, t.x, t.y FROM small s FULL JOIN t ON s.g < t.x AND s.n < 90;
-- expect native: RepriseBroadcastNestedLoopJoin
SELECT /*+ BROADCAST(t) */ t.* FROM t LEFT ANTI JOIN small s ON s.n + t.x < 3;
SELECT /*+ BROADCAST(t) */ t.* FROM t LEFT SEMI JOIN small s ON s.n + t.x < 5;
-- No row, rows without columns, the same broadcast for two joins, one native and one of Spark's.
SELECT /*+ BROADCAST(w) */ s.n, w.nth FROM small s LEFT JOIN (SELECT * FROM w WHERE nth < 0) w ON s.n = w.n;
SELECT s.n FROM small s CROSS JOIN (SELECT 1 FROM t) u WHERE s.n < 4;
SELECT /*+ BROADCAST(a), BROADCAST(b) */ s.n, a.y, b.y FROM small s JOIN t a ON s.g = a.x JOIN t b ON s.g = b.x;
SELECT /*+ BROADCAST(a), BROADCAST(b) */ s.n, a.nth, b.nth FROM small s JOIN w a ON s.n = a.n JOIN w b ON s.n = b.n;
SELECT /*+ BROADCAST(w) */ s.n, w.nth FROM small s JOIN w ON s.n = w.n UNION ALL SELECT /*+ BROADCAST(w) */ v.nth, w.nth FROM (SELECT n, g, rank() OVER (ORDER BY n DESC) AS nth FROM small) v JOIN w ON v.n = w.n;
-- Partitions that a row-based broadcast chooses.
SELECT /*+ BROADCAST(t) */ p.item, p.year, t.y FROM partitioned p JOIN (SELECT x + 1998 AS x, y FROM t WHERE y < 'c') t ON p.year = t.x;
SELECT /*+ BROADCAST(w) */ p.region, count(*), sum(w.nth) FROM partitioned p JOIN (SELECT n + 1998 AS y, nth FROM w WHERE k = 'red' AND n < 40) w ON p.year = w.y GROUP BY p.region;
-- Decimals and dates come out of Spark's rows.
SELECT /*+ BROADCAST(w) */ m.n, w.d30_10, w.dt, w.d5_2 FROM small m JOIN (SELECT g, d30_10, dt, d5_2, dense_rank() OVER (ORDER BY n) AS r FROM small) w ON m.n = w.r WHERE m.g = 2;
