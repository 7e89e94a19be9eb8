-- Rounding, bits, extremes and the like, over the edges of every type.
-- each spark.sql.ansi.enabled=true|false

-- expect native: RepriseProject
SELECT id, ceil(i64), floor(i32), ceiling(d5_2), floor(d9_9) FROM every_type;
SELECT id, ceil(f64), floor(f64), ceil(f32), floor(f32) FROM every_type WHERE abs(f64) < 9e18 AND abs(f32) < 9e18;
-- expect native: RepriseProject
SELECT id, ceil(d18_4), floor(d18_4), ceil(d19_0), ceil(d20_6), floor(d20_6), ceil(d38_18), floor(d38_18), floor(d38_0) FROM every_type;
-- expect native: RepriseProject
SELECT id, round(d5_2), round(d5_2, 1), round(d5_2, 5), bround(d5_2), bround(d5_2, 1), round(d5_2, -1), round(d5_2, -2), bround(d5_2, -7) FROM every_type;
-- expect native: RepriseProject
SELECT id, round(d18_4, 2), bround(d18_4, 3), round(d20_6, 3), bround(d20_6, -4), round(d38_18, 10), round(d38_18, 2), bround(d38_18), round(d9_9, 4) FROM every_type;
-- expect native: RepriseProject
SELECT id, ceil(d18_4, 2), floor(d18_4, 2), ceil(d20_6, -3), floor(d20_6, -3) FROM every_type;
SELECT id, round(f64, 2), round(i32, -1), round(i32, 2) FROM every_type WHERE i32 BETWEEN -1000 AND 1000;
-- expect native: RepriseProject
SELECT id, i8 & 3Y, i16 | 5S, i32 ^ 7, ~i64, ~i8, i64 & 255L, shiftleft(i32, 3), shiftright(i32, 2), shiftrightunsigned(i32, 28), shiftleft(i64, 70), shiftrightunsigned(i64, i32) FROM every_type;
-- expect native: RepriseProject
SELECT id, pmod(i8, 7Y), pmod(i16, -7S), pmod(i32, 1000), pmod(i64, -3L), pmod(f64, 2.5D), pmod(f32, CAST(-3 AS FLOAT)), pmod(-7, 3) FROM every_type;
-- expect native: RepriseProject
SELECT id, greatest(i8, i16, i32), least(i32, i64, 5), greatest(f32, f64), least(f64, 0.0D, -0.0D), greatest(s, 'm'), least(s, 'm', NULL), greatest(b, false), least(b, true) FROM every_type;
-- expect native: RepriseProject
SELECT id, greatest(d5_2, d18_4), least(d38_0, d19_0), greatest(dt, DATE '1993-07-01'), least(ts, TIMESTAMP '2000-01-01 00:00:00'), greatest(tsn, TIMESTAMP_NTZ '2000-01-01 00:00:00'), least(bin, X'61') FROM every_type;
-- expect native: RepriseProject
SELECT id, sqrt(f64), sqrt(f32), sqrt(abs(CAST(i32 AS DOUBLE))), sign(f64), signum(f32), sign(CAST(i32 AS DOUBLE)) FROM every_type;
-- expect native: RepriseHashAggregate
SELECT var_pop(n), var_samp(n), stddev_pop(n), stddev_samp(n), stddev(n), variance(n) FROM small WHERE n <= 1;
-- expect native: RepriseHashAggregate
SELECT g, var_pop(id), var_samp(id), stddev_pop(id * 0.37D), stddev(id), count(*) FROM (SELECT id, id % 7 AS g FROM range(0, 1000, 1, 1)) GROUP BY g;
SELECT variance(id), stddev_pop(CAST(id AS DOUBLE) / 3) FROM range(0, 5000, 1, 1);
SELECT g, stddev(f64), var_pop(f64) FILTER (WHERE i32 > 0) FROM (SELECT /*+ COALESCE(1) */ * FROM small) GROUP BY g;
SELECT variance(f64), stddev_pop(f64) FROM no_rows;
SELECT b, stddev(CAST(nothing AS DOUBLE)), var_pop(CAST(nothing AS DOUBLE)) FROM every_type GROUP BY b;
-- Beyond the range of bigint, which since Spark 4.3 is an error with it.
-- conf spark.sql.ansi.enabled=false
-- expect native: RepriseProject
SELECT id, ceil(f64), floor(f64), ceil(f32), floor(f32) FROM every_type;
