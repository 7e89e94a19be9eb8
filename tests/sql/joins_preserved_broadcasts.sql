-- Joins without keys that keep rows of their broadcast side: those without a match, or with one.
-- each spark.sql.adaptive.enabled=true|false
-- each spark.sql.shuffle.partitions=1|200

CREATE OR REPLACE TEMP VIEW l AS SELECT id, i32 AS k, i8 AS v, s, d9_0 AS d FROM every_type WHERE id % 9 = 0;
CREATE OR REPLACE TEMP VIEW r AS SELECT id, i32 AS k, i16 AS v, s, d9_0 AS d FROM every_type WHERE id % 11 = 0;
-- expect native: RepriseBroadcastNestedLoopJoin
-- expect plan: LeftOuter
SELECT /*+ BROADCAST(l) */ l.id, l.v, l.s, r.id, r.v, r.s FROM l LEFT JOIN r ON l.v < r.v AND l.k > r.k;
-- expect native: RepriseBroadcastNestedLoopJoin
-- expect plan: RightOuter
SELECT /*+ BROADCAST(r) */ l.id, l.v, l.s, r.id, r.v, r.s FROM l RIGHT JOIN r ON l.v < r.v AND l.k > r.k;
-- expect native: RepriseBroadcastNestedLoopJoin
-- expect plan: FullOuter
SELECT /*+ BROADCAST(r) */ l.id, l.v, l.s, r.id, r.v, r.s FROM l FULL JOIN r ON l.v < r.v AND l.k > r.k;
-- expect native: RepriseBroadcastNestedLoopJoin
-- expect plan: FullOuter
SELECT /*+ BROADCAST(l) */ l.id, l.v, l.s, r.id, r.v, r.s FROM l FULL JOIN r ON l.v < r.v AND l.k > r.k;
-- expect native: RepriseBroadcastNestedLoopJoin
-- expect plan: LeftSemi
SELECT /*+ BROADCAST(l) */ l.* FROM l LEFT SEMI JOIN r ON l.v < r.v AND l.k > r.k;
-- expect native: RepriseBroadcastNestedLoopJoin
-- expect plan: LeftAnti
SELECT /*+ BROADCAST(l) */ l.* FROM l LEFT ANTI JOIN r ON l.v < r.v AND l.k > r.k;
-- Without a condition.
SELECT /*+ BROADCAST(l) */ l.id, r.id FROM l LEFT JOIN r ON true WHERE r.id < 50 OR r.id IS NULL;
SELECT /*+ BROADCAST(l) */ l.id, r.id FROM (SELECT * FROM l WHERE id < 60) l FULL JOIN (SELECT * FROM r WHERE id < 60) r ON true;
SELECT /*+ BROADCAST(l) */ l.id FROM l LEFT SEMI JOIN r;
SELECT /*+ BROADCAST(l) */ l.id FROM l LEFT ANTI JOIN r;
-- No row on one side, or on both.
SELECT /*+ BROADCAST(l) */ l.id, r.id FROM l LEFT JOIN (SELECT * FROM r WHERE rand() < 0) r ON l.v < r.v;
SELECT /*+ BROADCAST(l) */ l.id, r.id FROM l FULL JOIN (SELECT * FROM no_rows) r ON l.v < r.i32;
SELECT /*+ BROADCAST(r) */ l.id, r.id FROM (SELECT * FROM no_rows) l FULL JOIN r ON l.i32 < r.v;
SELECT /*+ BROADCAST(r) */ l.id, r.id FROM no_rows l FULL JOIN no_rows r ON l.i32 < r.i8;
SELECT /*+ BROADCAST(l) */ l.id FROM l LEFT SEMI JOIN (SELECT * FROM no_rows) r ON l.v < r.i32;
SELECT /*+ BROADCAST(l) */ l.id FROM l LEFT ANTI JOIN (SELECT * FROM no_rows) r ON l.v < r.i32;
SELECT /*+ BROADCAST(r) */ p.item, r.id FROM (SELECT item FROM partitioned WHERE year = 1500) p FULL JOIN r ON p.item < r.v;
SELECT /*+ BROADCAST(l) */ l.id FROM l LEFT ANTI JOIN (SELECT item FROM partitioned WHERE year = 1500) p ON p.item < l.v;
-- A condition of one side alone, and one that is never or always true.
SELECT /*+ BROADCAST(l) */ l.id, r.id FROM l LEFT JOIN r ON l.v > 100;
SELECT /*+ BROADCAST(l) */ l.id, r.id FROM l FULL JOIN r ON l.v > 120 AND r.v < 0;
SELECT /*+ BROADCAST(r) */ l.id, r.id FROM l RIGHT JOIN r ON l.s = concat(r.s, 'x') OR l.s = r.s;
-- A condition that fails for some pair.
-- error DIVIDE_BY_ZERO
SELECT /*+ BROADCAST(l) */ l.id, r.id FROM l LEFT JOIN r ON 1 / (l.id - r.id) > 0;
-- error DIVIDE_BY_ZERO
SELECT /*+ BROADCAST(l) */ l.id FROM l LEFT SEMI JOIN r ON 1 / (l.id - r.id) > -100;
-- error DIVIDE_BY_ZERO
SELECT /*+ BROADCAST(l) */ l.id FROM l LEFT ANTI JOIN r ON 1 / (l.id - r.id) > -100;
-- Many rows on the other side, exchanges below, aggregates and joins above, subqueries in the condition.
SELECT count(*), sum(m.v), count(s.n) FROM (SELECT /*+ REPARTITION(3) */ * FROM many_keys WHERE k < 3000) m RIGHT JOIN (SELECT /*+ BROADCAST */ * FROM small WHERE n < 40) s ON m.k * 2 < s.n;
SELECT /*+ BROADCAST(s) */ s.n, count(m.k), sum(m.v) FROM small s LEFT JOIN (SELECT k, sum(v) AS v FROM many_keys GROUP BY k HAVING k < 90) m ON m.k < s.n AND m.v > s.i32 GROUP BY s.n;
SELECT /*+ BROADCAST(a) */ a.n, b.n, c.n FROM small a FULL JOIN small b ON a.n + b.n < 12 JOIN small c ON c.n = coalesce(a.n, b.n) WHERE c.n < 30;
SELECT /*+ BROADCAST(a) */ a.n, b.n FROM small a LEFT JOIN small b ON a.n < b.n AND b.n > (SELECT max(n) - 3 FROM small);
SELECT /*+ BROADCAST(a) */ a.n, b.n FROM small a LEFT JOIN (SELECT /*+ BROADCAST(x) */ x.n FROM small x LEFT ANTI JOIN small y ON y.n < x.n) b ON a.n < b.n;
SELECT a.n, b.n FROM (SELECT /*+ BROADCAST(a) */ a.n FROM small a LEFT SEMI JOIN small b ON b.n > a.n + 290) a JOIN small b ON a.n = b.n;
-- Only the left side is small enough for a broadcast.
-- conf spark.sql.autoBroadcastJoinThreshold=60KB
-- expect native: RepriseBroadcastNestedLoopJoin
-- expect plan: ExistenceJoin
SELECT o.n, o.k FROM small o WHERE EXISTS (SELECT 1 FROM many_keys m WHERE m.k < o.n AND m.v > 900) OR o.n % 7 = 0;
SELECT o.n, EXISTS (SELECT 1 FROM many_keys m WHERE m.k < o.n - 100 AND m.v > 800) AS e FROM small o;
