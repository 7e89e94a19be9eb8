-- Keys of joins, sorts and exchanges that Spark evaluates: columns below, which go no further.

CREATE OR REPLACE TEMP VIEW l AS SELECT k, n, i32, f64, concat(k, '-', n % 40) AS w FROM small WHERE n % 3 > 0;
CREATE OR REPLACE TEMP VIEW r AS SELECT k, n, i16, f64, concat('-', n % 50) AS x, dt FROM small WHERE n % 5 > 1;

-- Of joins that Spark sorts for: a guest on either side or on both. Each of the three joins has some of the join types.
-- expect native: RepriseSortMergeJoin, RepriseGuestProject
-- expect all native
SELECT /*+ MERGE(r) */ l.n, l.w, r.n, r.x FROM l LEFT JOIN r ON overlay(l.w, '.', 1, 0) = overlay(r.k, '.', 1, 0) AND l.n % 9 = bit_count(r.n) AND l.i32 < r.i16;
-- expect all native
SELECT /*+ MERGE(r) */ l.n, r.n FROM l FULL JOIN r ON overlay(l.w, '.', 1, 0) = concat('G', r.n) AND l.i32 < r.i16;
-- expect all native
SELECT /*+ MERGE(r) */ l.n, l.w FROM l LEFT ANTI JOIN r ON bit_count(l.n) + l.n = bit_count(r.n) + r.n + 2 AND l.i32 < r.i16;
-- expect all native
SELECT l.n, l.w FROM l WHERE l.i32 > 20 OR EXISTS (SELECT 1 FROM r WHERE bit_count(r.n) + r.n = bit_count(l.n) + l.n + 2);

-- Of rows of Spark's: what sorts them is there only for a join that is Spark's.
-- expect native: RepriseSortMergeJoin
SELECT /*+ MERGE(y) */ x.*, y.* FROM VALUES (5, 'e'), (1, 'a'), (9, 'i'), (3, 'c'), (7, 'g') AS x(a, b) LEFT JOIN (SELECT * FROM VALUES (9, 'p'), (1, 'q'), (5, 'r'), (3, 's'), (2, 't'), (7, 'u') AS v(c, d)) y ON bit_count(x.a) + x.a = bit_count(y.c) + y.c AND overlay(x.b, '.', 1, 0) IS NOT NULL;

-- Hash joins.
-- expect native: RepriseShuffledHashJoin, RepriseGuestProject
-- expect all native
SELECT /*+ SHUFFLE_HASH(r) */ l.n, l.w, r.n, r.k FROM l JOIN r ON overlay(l.k, '.', 1, 0) = overlay(r.k, '.', 1, 0) AND l.n = r.n + 1;
-- expect all native
SELECT /*+ SHUFFLE_HASH(l) */ l.n, r.n, r.dt FROM l RIGHT JOIN r ON bit_count(l.n) + l.n = bit_count(r.n) + r.n;
-- expect all native
SELECT /*+ SHUFFLE_HASH(r) */ l.n, l.w FROM l LEFT SEMI JOIN r ON initcap(l.k) = initcap(r.k) AND l.n < r.n;

-- Broadcasts: what is built of one is shared by all tasks that have the same guests, and by no others.
-- expect native: RepriseBroadcastHashJoin, RepriseGuestProject
-- expect all native
SELECT /*+ BROADCAST(r) */ l.n, l.w, r.n, r.k FROM l LEFT JOIN r ON l.n % 9 = bit_count(r.n) AND l.i32 < r.i16;
-- expect all native
SELECT /*+ BROADCAST(r) */ l.n, l.w FROM l LEFT ANTI JOIN r ON bit_count(l.n) + l.n = bit_count(r.n) + r.n + 1;
-- expect native: RepriseGuestProject
SELECT l.n, l.w FROM l WHERE bit_count(l.n) NOT IN (SELECT bit_count(r.n) FROM r WHERE r.i16 IS NOT NULL AND r.n < 30);
SELECT /*+ BROADCAST(r) */ a.n, a.x, b.x FROM (SELECT l.n, r.x FROM l JOIN r ON l.n = bit_count(r.n)) a JOIN (SELECT l.n, r.x FROM l JOIN r ON l.n = length(overlay(r.x, '.', 1, 0))) b ON a.n = b.n;
SELECT /*+ BROADCAST(r1), BROADCAST(r2) */ l.n, r1.n, r2.n FROM l JOIN r r1 ON l.n = bit_count(r1.n) JOIN r r2 ON l.n = bit_count(r2.n + 1) AND r2.n < 99;
-- Of Spark's own rows.
SELECT /*+ BROADCAST(v) */ l.n, v.a FROM l JOIN (SELECT * FROM VALUES ('red', 1), ('GREEN', 2), (NULL, 3) AS t(a, b)) v ON overlay(l.k, '.', 1, 0) = overlay(v.a, '.', 1, 0);

-- conf spark.sql.adaptive.enabled=false
-- Keys of many types, and what is null.
SELECT /*+ SHUFFLE_HASH(r) */ l.n, r.n FROM l LEFT JOIN r
ON split(l.k, 'e') = split(r.k, 'e') AND hypot(l.f64, 1) = hypot(r.f64, 1) AND unhex(hex(l.k)) = encode(r.k, 'utf-8') AND make_date(2000, 1, l.n % 28 + 1) = make_date(2000, 1, r.n % 28 + 1);
SELECT /*+ SHUFFLE_HASH(r) */ l.n, r.n FROM l JOIN r ON get_json_object(l.w, '$.a') <=> get_json_object(r.k, '$.a') AND l.n = r.n;

-- A key is evaluated for every row, also where no row matches; what fails is Spark's.
-- error DIVIDE_BY_ZERO
SELECT /*+ MERGE(r) */ l.n, r.n FROM l JOIN r ON bit_count(1 div (l.n - 100)) = r.n;
-- error DIVIDE_BY_ZERO
SELECT /*+ BROADCAST(r) */ count(*) FROM l JOIN r ON l.n = bit_count(1 div (r.n - 12));
SELECT /*+ SHUFFLE_HASH(r) */ l.n, r.n FROM l JOIN r ON if(l.n = 100, 0, bit_count(10 div (l.n - 100))) = r.n;

-- A condition that has no native form is evaluated for the pairs that it is asked of.
SELECT /*+ SHUFFLE_HASH(r) */ l.n, r.n FROM l LEFT JOIN r ON l.n = r.n AND bit_count(l.n) > 3;

-- Sorts and the first rows of an order.
-- expect native: RepriseSort, RepriseGuestProject, RepriseShuffleExchange
-- expect all native
-- ordered
SELECT n, w FROM l ORDER BY overlay(w, '.', 1, 0) DESC, bit_count(n), n;
-- expect all native
-- ordered
SELECT k, sum(n) AS t FROM l GROUP BY k ORDER BY overlay(k, '.', 1, 0), t;
-- expect native: RepriseTakeOrdered, RepriseGuestProject
-- expect all native
-- ordered
SELECT n FROM l ORDER BY bit_count(xxhash64(w)) DESC NULLS LAST, n LIMIT 7 OFFSET 3;
-- error DIVIDE_BY_ZERO
SELECT n FROM l ORDER BY bit_count(1 div (n - 100));
-- error DIVIDE_BY_ZERO
SELECT n FROM l ORDER BY bit_count(1 div (n - 100)) LIMIT 3;

-- Exchanges.
-- expect native: RepriseShuffleExchange, RepriseGuestProject
-- expect all native
SELECT p, count(*), sum(n), min(w) FROM (SELECT n, w, spark_partition_id() AS p FROM (SELECT n, w FROM l DISTRIBUTE BY overlay(w, '.', 1, 0), bit_count(n))) GROUP BY p;
-- error DIVIDE_BY_ZERO
SELECT n FROM l DISTRIBUTE BY bit_count(1 div (n - 100));

-- conf spark.sql.adaptive.enabled=true
-- Bucketed, sorted, with a skewed key, and in many files.
CREATE TABLE reprise_key_buckets USING parquet CLUSTERED BY (k) SORTED BY (k) INTO 4 BUCKETS LOCATION '${out}/key_buckets' AS SELECT * FROM small;
CREATE TABLE reprise_key_files USING parquet PARTITIONED BY (g) LOCATION '${out}/key_files' AS SELECT /*+ REPARTITION(2) */ if(n % 2 = 0, 'red', k) AS k, n, i32, g FROM small;
SELECT /*+ MERGE(b) */ a.n, b.n FROM reprise_key_buckets a JOIN reprise_key_files b ON a.k = b.k AND bit_count(a.n) = bit_count(b.i32) AND a.n > b.n + 200;
SELECT a.g, count(*), sum(b.n) FROM reprise_key_files a JOIN reprise_key_buckets b ON initcap(a.k) = initcap(b.k) AND a.n = b.n GROUP BY a.g;
DROP TABLE reprise_key_buckets;
DROP TABLE reprise_key_files;
