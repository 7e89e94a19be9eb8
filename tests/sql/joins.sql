-- Joins of every type by every strategy that has keys.
-- each spark.sql.adaptive.enabled=true|false

CREATE OR REPLACE TEMP VIEW l AS SELECT id, i32 AS k, s, i8 AS v FROM every_type WHERE id % 5 = 0;
CREATE OR REPLACE TEMP VIEW r AS SELECT id, i32 AS k, s, i16 AS v FROM every_type WHERE id % 7 = 0;

-- merge: every join type, without and with a condition beside the key.
-- expect native: RepriseSortMergeJoin
SELECT /*+ MERGE(r) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l JOIN r ON l.k = r.k;
-- expect native: RepriseSortMergeJoin
SELECT /*+ MERGE(r) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l JOIN r ON l.k = r.k AND l.v < r.v;
-- expect native: RepriseSortMergeJoin
SELECT /*+ MERGE(r) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l LEFT JOIN r ON l.k = r.k;
-- expect native: RepriseSortMergeJoin
SELECT /*+ MERGE(r) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l LEFT JOIN r ON l.k = r.k AND l.v < r.v;
-- expect native: RepriseSortMergeJoin
SELECT /*+ MERGE(r) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l RIGHT JOIN r ON l.k = r.k;
-- expect native: RepriseSortMergeJoin
SELECT /*+ MERGE(r) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l RIGHT JOIN r ON l.k = r.k AND l.v < r.v;
-- expect native: RepriseSortMergeJoin
SELECT /*+ MERGE(r) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l FULL JOIN r ON l.k = r.k;
-- expect native: RepriseSortMergeJoin
SELECT /*+ MERGE(r) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l FULL JOIN r ON l.k = r.k AND l.v < r.v;
-- expect native: RepriseSortMergeJoin
SELECT /*+ MERGE(r) */ l.id, l.k, l.v FROM l LEFT SEMI JOIN r ON l.k = r.k;
-- expect native: RepriseSortMergeJoin
SELECT /*+ MERGE(r) */ l.id, l.k, l.v FROM l LEFT SEMI JOIN r ON l.k = r.k AND l.v < r.v;
-- expect native: RepriseSortMergeJoin
SELECT /*+ MERGE(r) */ l.id, l.k, l.v FROM l LEFT ANTI JOIN r ON l.k = r.k;
-- expect native: RepriseSortMergeJoin
SELECT /*+ MERGE(r) */ l.id, l.k, l.v FROM l LEFT ANTI JOIN r ON l.k = r.k AND l.v < r.v;
-- expect native: RepriseSortMergeJoin
SELECT /*+ MERGE(r) */ l.id, l.s, r.s FROM l JOIN r ON l.k = r.k AND l.s = r.s;
SELECT /*+ MERGE(r) */ l.id, r.id FROM l JOIN r ON l.k <=> r.k AND l.v = r.v;

-- shuffle hash: every join type, without and with a condition beside the key.
-- expect native: RepriseShuffledHashJoin
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l JOIN r ON l.k = r.k;
-- expect native: RepriseShuffledHashJoin
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l JOIN r ON l.k = r.k AND l.v < r.v;
-- expect native: RepriseShuffledHashJoin
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l LEFT JOIN r ON l.k = r.k;
-- expect native: RepriseShuffledHashJoin
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l LEFT JOIN r ON l.k = r.k AND l.v < r.v;
-- expect native: RepriseShuffledHashJoin
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l RIGHT JOIN r ON l.k = r.k;
-- expect native: RepriseShuffledHashJoin
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l RIGHT JOIN r ON l.k = r.k AND l.v < r.v;
-- expect native: RepriseShuffledHashJoin
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l FULL JOIN r ON l.k = r.k;
-- expect native: RepriseShuffledHashJoin
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l FULL JOIN r ON l.k = r.k AND l.v < r.v;
-- expect native: RepriseShuffledHashJoin
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.k, l.v FROM l LEFT SEMI JOIN r ON l.k = r.k;
-- expect native: RepriseShuffledHashJoin
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.k, l.v FROM l LEFT SEMI JOIN r ON l.k = r.k AND l.v < r.v;
-- expect native: RepriseShuffledHashJoin
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.k, l.v FROM l LEFT ANTI JOIN r ON l.k = r.k;
-- expect native: RepriseShuffledHashJoin
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.k, l.v FROM l LEFT ANTI JOIN r ON l.k = r.k AND l.v < r.v;
-- expect native: RepriseShuffledHashJoin
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.s, r.s FROM l JOIN r ON l.k = r.k AND l.s = r.s;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, r.id FROM l JOIN r ON l.k <=> r.k AND l.v = r.v;

-- broadcast: every join type, without and with a condition beside the key.
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(r) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l JOIN r ON l.k = r.k;
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(r) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l JOIN r ON l.k = r.k AND l.v < r.v;
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(r) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l LEFT JOIN r ON l.k = r.k;
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(r) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l LEFT JOIN r ON l.k = r.k AND l.v < r.v;
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(l) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l RIGHT JOIN r ON l.k = r.k;
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(l) */ l.id, l.k, l.v, r.id, r.k, r.v FROM l RIGHT JOIN r ON l.k = r.k AND l.v < r.v;
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(r) */ l.id, l.k, l.v FROM l LEFT SEMI JOIN r ON l.k = r.k;
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(r) */ l.id, l.k, l.v FROM l LEFT SEMI JOIN r ON l.k = r.k AND l.v < r.v;
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(r) */ l.id, l.k, l.v FROM l LEFT ANTI JOIN r ON l.k = r.k;
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(r) */ l.id, l.k, l.v FROM l LEFT ANTI JOIN r ON l.k = r.k AND l.v < r.v;
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(r) */ l.id, l.s, r.s FROM l JOIN r ON l.k = r.k AND l.s = r.s;
SELECT /*+ BROADCAST(r) */ l.id, r.id FROM l JOIN r ON l.k <=> r.k AND l.v = r.v;

-- The build side on the left.
SELECT /*+ SHUFFLE_HASH(l) */ l.id, r.id FROM l JOIN r ON l.k = r.k;
SELECT /*+ SHUFFLE_HASH(l) */ l.id, r.id FROM l LEFT JOIN r ON l.k = r.k AND l.v < r.v;
SELECT /*+ SHUFFLE_HASH(l) */ l.id, r.id FROM l RIGHT JOIN r ON l.k = r.k;
SELECT /*+ SHUFFLE_HASH(l) */ l.id, r.id FROM l FULL JOIN r ON l.k = r.k AND l.v < r.v;
SELECT /*+ BROADCAST(l) */ l.id, r.id FROM l JOIN r ON l.k = r.k AND l.v < r.v;

-- IN, NOT IN (null-aware), EXISTS beside other conditions (existence joins).
-- expect native: RepriseBroadcastHashJoin
SELECT id, k FROM l WHERE k IN (SELECT k FROM r);
SELECT id, k FROM l WHERE k NOT IN (SELECT k FROM r);
SELECT id, k FROM l WHERE k NOT IN (SELECT k FROM r WHERE k IS NOT NULL);
SELECT id, k FROM l WHERE k NOT IN (SELECT k FROM r WHERE id < 0);
SELECT id, k FROM l WHERE k IN (SELECT k FROM r) OR id < 20;
SELECT id, k FROM l WHERE NOT EXISTS (SELECT 1 FROM r WHERE r.k = l.k AND r.v > l.v) OR id < 20;
SELECT id, EXISTS (SELECT 1 FROM r WHERE r.k = l.k) AS e FROM l;

-- Empty sides.
SELECT l.id, r.i32 FROM l LEFT JOIN no_rows r ON l.k = r.i32;
SELECT l.id, r.i32 FROM l JOIN no_rows r ON l.k = r.i32;
SELECT r.id, l.i32 FROM no_rows l RIGHT JOIN r ON l.i32 = r.k;
SELECT /*+ MERGE(r) */ l.id, r.i32 FROM l FULL JOIN no_rows r ON l.k = r.i32;
SELECT l.id FROM l LEFT ANTI JOIN no_rows r ON l.k = r.i32;

-- Columns of every type on the side that is held in memory and on the side without a match.
SELECT /*+ SHUFFLE_HASH(r) */ l.id, r.* FROM l LEFT JOIN every_type r ON l.id = r.id AND r.i8 > 0;
SELECT /*+ SHUFFLE_HASH(l) */ r.*, l.id FROM every_type r LEFT JOIN l ON l.id = r.id AND l.v > 0;
