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
SELECT /*+ SHUFFLE_HASH(b) */ a.x, count(*), sum(b.v) FROM (SELECT v % 3 AS x, v FROM many_keys) a JOIN (SELECT v % 3 AS x, v FROM many_keys WHERE v > 980) b ON a.x = b.x GROUP BY a.x;
SELECT /*+ MERGE(b) */ count(*) FROM (SELECT v % 3 AS x, v FROM many_keys) a LEFT JOIN (SELECT v % 3 AS x, v FROM many_keys WHERE v > 980) b ON a.x = b.x AND a.v < b.v - 1800;

-- Strings as keys, and one side broadcast to many tasks.
SELECT /*+ BROADCAST(b) */ a.s, count(*), sum(b.m) FROM many_keys a JOIN (SELECT s, m FROM many_keys WHERE v > 800) b ON a.s = b.s GROUP BY a.s;
SELECT /*+ SHUFFLE_HASH(b) */ a.s, count(*), min(b.m) FROM many_keys a JOIN many_keys b ON a.s = b.s AND a.k = b.k GROUP BY a.s;

-- Sorts below a join go only where nothing above sees the order of its rows. The keys of these rows are different.
CREATE OR REPLACE TEMP VIEW a1 AS SELECT id * 7 % 100 AS k, id AS v FROM range(0, 100, 1, 2);
CREATE OR REPLACE TEMP VIEW b1 AS SELECT id * 13 % 100 AS k, id AS w FROM range(0, 100, 1, 2);
-- Spark takes the first rows as they come, because the join promises their order.
-- ordered
SELECT array(a1.k), v FROM a1 JOIN b1 ON a1.k = b1.k ORDER BY a1.k LIMIT 5;
-- ordered
SELECT a1.k, v FROM a1 JOIN b1 ON a1.k = b1.k ORDER BY a1.k DESC LIMIT 5;
-- conf spark.sql.shuffle.partitions=1
-- Rows that are equal by what is asked for come as the join has them, by its second key. Of several partitions any could be first.
-- expect native: RepriseTakeOrdered
-- ordered
SELECT a1.k, v FROM (SELECT k % 4 AS x, k, v FROM a1) a1 JOIN (SELECT k % 4 AS x, k FROM b1) b1 ON a1.x = b1.x AND a1.k = b1.k ORDER BY a1.x LIMIT 5;
SELECT sum(k), sum(v) FROM (SELECT a1.k, v FROM a1 JOIN b1 ON a1.k = b1.k SORT BY a1.k LIMIT 5);
SELECT sum(k), sum(v) FROM (SELECT a1.k, v FROM a1 LEFT JOIN b1 ON a1.k = b1.k AND w > 50 LIMIT 5);
SELECT sum(k), sum(v) FROM (SELECT a1.k, v FROM a1 LEFT SEMI JOIN b1 ON a1.k = b1.k LIMIT 5 OFFSET 3);
SELECT sum(k * n) FROM (SELECT a1.k, monotonically_increasing_id() AS n FROM a1 JOIN b1 ON a1.k = b1.k);
SELECT sum(k * n) FROM (SELECT a1.k, CAST(rand(7) * 1000 AS INT) AS n FROM a1 JOIN b1 ON a1.k = b1.k);
SELECT count(*), sum(k) FROM (SELECT a1.k FROM a1 JOIN b1 ON a1.k = b1.k) WHERE rand(3) < 0.5D;
-- expect native: RepriseHashAggregate
SELECT first(v), last(w) FROM a1 JOIN b1 ON a1.k = b1.k;
SELECT a1.k % 3, first(v), last(w) FROM a1 JOIN b1 ON a1.k = b1.k GROUP BY a1.k % 3;
SELECT a1.k % 3, first(v), last(w) FROM a1 JOIN b1 ON a1.k = b1.k GROUP BY ROLLUP (a1.k % 3);
SELECT first(v) FROM a1 RIGHT JOIN b1 ON a1.k = b1.k WHERE b1.k > 10;
SELECT a1.k % 3, collect_list(v) FROM a1 JOIN b1 ON a1.k = b1.k GROUP BY a1.k % 3;
SELECT sum(v / 7D), avg(w / 7D), stddev(v / 7D), avg(v * 90071992547409) FROM a1 JOIN b1 ON a1.k = b1.k;
SELECT first(a1.k + b1.w + c.k) FROM a1 JOIN b1 ON a1.k = b1.k JOIN (SELECT k + 50 AS k FROM a1) c ON b1.k = c.k;
-- expect native: RepriseCartesianProduct
SELECT collect_list(a1.k + c.n) FROM a1 JOIN b1 ON a1.k = b1.k CROSS JOIN (SELECT explode(array(0, 1000)) AS n) c;
SELECT sum(k), sum(w) FROM (SELECT coalesce(a1.k, b.k) AS k, w FROM a1 FULL JOIN (SELECT k - 50 AS k, w FROM b1) b ON a1.k = b.k LIMIT 70);
SELECT collect_list(v), collect_list(w) FROM a1 FULL JOIN (SELECT k + 50 AS k, w FROM b1) b ON a1.k = b.k;
-- A hash join keeps the order of the side that it reads row by row.
SELECT /*+ SHUFFLE_HASH(b1) */ sum(k), sum(v) FROM (SELECT j.k, j.v FROM (SELECT a1.k, v FROM a1 JOIN b1 ON a1.k = b1.k) j JOIN b1 ON j.k = b1.k LIMIT 5);
SELECT first(v), last(v) FROM (SELECT /*+ BROADCAST(b1) */ j.v FROM (SELECT a1.k, v FROM a1 JOIN b1 ON a1.k = b1.k) j JOIN b1 ON j.k = b1.k AND b1.w > 20);
-- What comes of a window below the join is sorted by more than the join's key.
SELECT a1.k, collect_list(c.v) FROM a1 JOIN (SELECT v % 20 AS k, v, row_number() OVER (PARTITION BY v % 20 ORDER BY v DESC) AS n FROM a1) c ON a1.k = c.k GROUP BY a1.k;

-- Very many rows a key: those of one key come in Spark's order.
CREATE OR REPLACE TEMP VIEW facts AS SELECT id AS v, id % 40 AS k, id % 3 AS g, CAST(id % 977 AS STRING) AS s FROM range(0, 9000, 1, 1);
CREATE OR REPLACE TEMP VIEW probes AS SELECT id AS p, id * 3 % 41 AS k, id % 3 AS g FROM range(0, 90, 1, 1);
-- ordered
SELECT /*+ BROADCAST(f) */ p, v, s FROM probes JOIN facts f ON probes.k = f.k;
-- ordered
SELECT /*+ SHUFFLE_HASH(f) */ p, v, s FROM probes JOIN facts f ON probes.k = f.k AND v % 7 < p % 7;
-- ordered
SELECT /*+ SHUFFLE_HASH(f) */ p, v FROM probes LEFT JOIN facts f ON probes.k = f.k AND probes.g = f.g AND s > '96';
-- ordered
SELECT /*+ MERGE(f) */ p, v, s FROM probes JOIN facts f ON probes.k = f.k ORDER BY probes.k LIMIT 2000;
-- ordered
SELECT /*+ SHUFFLE_HASH(f) */ p, v FROM probes JOIN (SELECT IF(v % 50 = 3, NULL, k) AS k, v FROM facts) f ON probes.k = f.k LIMIT 1500;
-- error DIVIDE_BY_ZERO
SELECT /*+ BROADCAST(f) */ p FROM probes LEFT SEMI JOIN facts f ON probes.k = f.k AND 10 DIV (v - 8000) >= 0;
SELECT /*+ SHUFFLE_HASH(f) */ p, count(v), sum(v) FROM probes RIGHT JOIN facts f ON probes.k = f.k GROUP BY p;
SELECT /*+ SHUFFLE_HASH(probes) */ p, count(v), sum(v) FROM probes RIGHT JOIN facts f ON probes.k = f.k GROUP BY p;
