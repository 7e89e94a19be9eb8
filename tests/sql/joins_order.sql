-- Joins of larger tables, and what stands above them.
-- each spark.sql.adaptive.enabled=true|false
-- conf spark.sql.shuffle.partitions=7
-- conf spark.sql.autoBroadcastJoinThreshold=-1

-- The order that a sort-merge join promises is relied upon, or not.
SELECT /*+ MERGE(a, b, c) */ count(*), sum(a.v), sum(c.v) FROM many_keys a JOIN many_keys b ON a.k = b.k JOIN many_keys c ON b.k = c.k WHERE a.v > 900 AND b.v < -900;
SELECT /*+ MERGE(b) */ a.k, count(*), sum(b.v) FROM many_keys a JOIN many_keys b ON a.k = b.k GROUP BY a.k;
SELECT /*+ MERGE(b) */ a.k, a.v, row_number() OVER (PARTITION BY a.k ORDER BY a.v, b.v, a.m, b.m) AS n, b.v FROM many_keys a JOIN many_keys b ON a.k = b.k WHERE a.k < 300;
SELECT /*+ MERGE(b) */ a.k, max(b.s) FROM many_keys a LEFT JOIN many_keys b ON a.k = b.k AND b.v > 0 GROUP BY a.k;
-- ordered
SELECT /*+ MERGE(b) */ a.k, a.v, b.v FROM many_keys a JOIN many_keys b ON a.k = b.k WHERE a.k < 300 ORDER BY a.k, a.v, b.v, a.m, b.m;
-- ordered
SELECT /*+ MERGE(b) */ a.k, a.v, b.v FROM many_keys a JOIN many_keys b ON a.k = b.k ORDER BY a.v, b.v, a.k, a.m, b.m LIMIT 40;
SELECT /*+ MERGE(b), MERGE(c) */ a.k, a.v, c.v FROM many_keys a RIGHT JOIN many_keys b ON a.k = b.k LEFT JOIN many_keys c ON b.k = c.k WHERE b.v > 950;
SELECT /*+ MERGE(b), MERGE(c) */ count(*), count(a.k), count(b.k), count(c.k) FROM many_keys a FULL JOIN many_keys b ON a.k = b.k AND a.v < b.v FULL JOIN many_keys c ON b.k = c.k;
CREATE OR REPLACE TEMP VIEW joined AS SELECT /*+ MERGE(b) */ a.k AS k, b.v AS v FROM many_keys a JOIN many_keys b ON a.k = b.k WHERE a.k < 2000;
CACHE TABLE joined;
SELECT /*+ MERGE(c) */ count(*), sum(joined.v), sum(c.v) FROM joined JOIN many_keys c ON joined.k = c.k;

-- Skewed: a few keys have very many rows.
SELECT /*+ SHUFFLE_HASH(b) */ a.x, count(*), sum(b.v) FROM (SELECT v % 3 AS x, v FROM many_keys) a JOIN (SELECT v % 3 AS x, v FROM many_keys WHERE v > 700) b ON a.x = b.x GROUP BY a.x;
SELECT /*+ MERGE(b) */ count(*) FROM (SELECT v % 3 AS x, v FROM many_keys) a LEFT JOIN (SELECT v % 3 AS x, v FROM many_keys WHERE v > 900) b ON a.x = b.x AND a.v < b.v - 1800;

-- Strings as keys, and one side broadcast to many tasks.
SELECT /*+ BROADCAST(b) */ a.s, count(*), sum(b.m) FROM many_keys a JOIN (SELECT s, m FROM many_keys WHERE v > 800) b ON a.s = b.s GROUP BY a.s;
SELECT /*+ SHUFFLE_HASH(b) */ a.s, count(*), min(b.m) FROM many_keys a JOIN many_keys b ON a.s = b.s AND a.k = b.k GROUP BY a.s;
