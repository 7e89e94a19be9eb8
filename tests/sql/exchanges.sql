-- Every kind of repartitioning, over every type, with nulls, with no row, with fewer rows than partitions.
-- each spark.sql.shuffle.partitions=1|7
-- each spark.sql.adaptive.enabled=true|false

SELECT /*+ REPARTITION(5, i32) */ * FROM every_type WHERE id >= 0;
SELECT /*+ REPARTITION(3) */ * FROM every_type WHERE id >= 0;
SELECT /*+ REPARTITION_BY_RANGE(4, s, i64) */ * FROM every_type WHERE id >= 0;
SELECT /*+ REPARTITION(1) */ * FROM every_type WHERE id < 40;
SELECT /*+ REBALANCE(dt) */ id, dt, ts FROM every_type WHERE id >= 0;
SELECT /*+ REPARTITION(4, s, bin) */ s, bin, id FROM every_type;
SELECT /*+ REPARTITION(4, f64, f32) */ f64, f32, id FROM every_type;
SELECT /*+ REPARTITION(4, d38_18, d38_0, d5_2) */ d38_18, d38_0, d5_2 FROM every_type;
SELECT /*+ REPARTITION(4, ts, tsn, dt, b, i8, i16) */ ts, tsn, dt, b, i8, i16 FROM every_type;
-- A column of nulls alone, as key and as what is carried.
SELECT /*+ REPARTITION(4, nothing) */ nothing, id FROM every_type WHERE id < 100;
SELECT nothing, count(*), count(nothing) FROM every_type GROUP BY nothing;
-- No row, no column, empty partitions.
SELECT /*+ REPARTITION(4, i32) */ * FROM no_rows;
SELECT /*+ REPARTITION_BY_RANGE(4, i32) */ * FROM no_rows;
SELECT i32, count(*), max(s) FROM no_rows GROUP BY i32;
SELECT count(*), max(s), sum(i64) FROM no_rows;
SELECT count(*) FROM (SELECT /*+ REPARTITION(4) */ 1 FROM small);
SELECT g, count(*) FROM small WHERE n = 17 GROUP BY g;
SELECT /*+ REPARTITION(50, n) */ n FROM small WHERE n < 4;
-- Long strings: longer than any batch aims at, and of every length below a hundred.
SELECT g, max(length(t)), count(*) FROM (SELECT /*+ REPARTITION(3, g) */ g, repeat('ab', n * 400) AS t FROM small WHERE n > 250) GROUP BY g;
SELECT t, count(*) FROM (SELECT repeat('é', n % 100) AS t FROM small) GROUP BY t;
SELECT max(t) FROM (SELECT concat(repeat('z', 70000), CAST(n AS STRING)) AS t FROM small) GROUP BY length(t);
-- Two exchanges in a row, and one below a union.
SELECT k, count(*) FROM (SELECT k, n, count(*) AS c FROM (SELECT /*+ REPARTITION(5) */ k, n FROM small) GROUP BY k, n) GROUP BY k;
SELECT k, sum(n) FROM (SELECT k, n FROM small UNION ALL SELECT s, v FROM many_keys WHERE v > 950 UNION ALL SELECT k, n FROM small WHERE n < 0) GROUP BY k;
SELECT /*+ REPARTITION(3, n) */ n FROM (SELECT n FROM small WHERE n < 9 UNION ALL SELECT i32 FROM small WHERE n < 9);
SELECT /*+ COALESCE(2) */ m.k, g FROM many_keys m JOIN small ON m.k = small.n WHERE v > 800;
-- Order across range partitions.
-- ordered
SELECT id, s, f64 FROM every_type ORDER BY s NULLS LAST, f64 DESC, id;
-- ordered
SELECT id, d38_18, ts FROM every_type ORDER BY d38_18 DESC NULLS FIRST, ts, id;
-- ordered
SELECT k, v FROM many_keys WHERE v > 900 ORDER BY k, v, m;
-- ordered
SELECT n FROM small WHERE n < 0 ORDER BY n;
