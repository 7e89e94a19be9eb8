-- Joins without keys: nested loops, cross products.
-- each spark.sql.adaptive.enabled=true|false

CREATE OR REPLACE TEMP VIEW l AS SELECT id, i32 AS k, i8 AS v FROM every_type WHERE id % 9 = 0;
CREATE OR REPLACE TEMP VIEW r AS SELECT id, i32 AS k, i16 AS v FROM every_type WHERE id % 11 = 0;
-- expect native: RepriseBroadcastNestedLoopJoin
SELECT /*+ BROADCAST(r) */ l.id, r.id FROM l JOIN r ON l.v < r.v;
SELECT /*+ BROADCAST(l) */ l.id, r.id FROM l JOIN r ON l.v < r.v;
-- expect native: RepriseBroadcastNestedLoopJoin
SELECT /*+ BROADCAST(r) */ l.id, r.id FROM l LEFT JOIN r ON l.v < r.v AND l.k > r.k;
-- expect native: RepriseBroadcastNestedLoopJoin
SELECT /*+ BROADCAST(l) */ l.id, r.id FROM l RIGHT JOIN r ON l.v < r.v AND l.k > r.k;
SELECT /*+ BROADCAST(r) */ l.id, r.id FROM l RIGHT JOIN r ON l.v < r.v AND l.k > r.k;
SELECT /*+ BROADCAST(r) */ l.id, r.id FROM l FULL JOIN r ON l.v < r.v AND l.k > r.k;
-- expect native: RepriseBroadcastNestedLoopJoin
SELECT /*+ BROADCAST(r) */ l.id FROM l LEFT SEMI JOIN r ON l.v < r.v;
-- expect native: RepriseBroadcastNestedLoopJoin
SELECT /*+ BROADCAST(r) */ l.id FROM l LEFT ANTI JOIN r ON l.v < r.v;
SELECT id, EXISTS (SELECT 1 FROM r WHERE r.v > l.v) AS e FROM l;
SELECT id FROM l WHERE v NOT IN (SELECT v FROM r WHERE r.k < l.k);
SELECT id FROM l WHERE (k, v) NOT IN (SELECT k, v FROM r);
SELECT /*+ BROADCAST(r) */ l.id, r.id FROM l CROSS JOIN r WHERE l.id < 50 AND r.id < 50;
SELECT l.id, r.id FROM l CROSS JOIN (SELECT id FROM r WHERE id < 0) r;
SELECT l.id, r.id FROM l LEFT JOIN (SELECT id FROM r WHERE id < 0) r ON true;
SELECT count(*), sum(l.id + r.id) FROM every_type l CROSS JOIN every_type r;

-- The cartesian product of two large sides.
-- conf spark.sql.autoBroadcastJoinThreshold=-1
SELECT l.id, r.id FROM l JOIN r ON l.v < r.v AND l.id < 100;
