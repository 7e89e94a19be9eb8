-- Aggregate functions over every type, with and without keys.
-- each spark.sql.adaptive.enabled=true|false

-- expect native: RepriseParquetScan, RepriseHashAggregate
SELECT count(*) FROM every_type;
SELECT count(*), count(1), count(id), count(nothing), count(s), count(b), count(d38_18) FROM every_type;
SELECT min(i8), max(i8), min(i16), max(i16), min(i32), max(i32), min(i64), max(i64) FROM every_type;
SELECT min(f32), max(f32), min(f64), max(f64) FROM every_type;
SELECT min(f64), max(f64) FROM every_type WHERE f64 = 0.0D;
SELECT min(b), max(b), min(s), max(s), min(dt), max(dt), min(ts), max(ts), min(bin), max(bin) FROM every_type;
SELECT min(d5_2), max(d5_2), min(d9_9), max(d18_4), min(d19_0), max(d38_0), min(d38_18), max(d20_6) FROM every_type;
SELECT sum(i8), sum(i16), sum(i32), avg(i8), avg(i16), avg(i32), avg(i64) FROM every_type;
SELECT sum(f64), avg(f64), sum(f32), avg(f32) FROM every_type;
SELECT sum(f64), avg(f64), sum(f32), avg(f32), sum(i64), avg(i64) FROM small;
SELECT sum(d5_2), avg(d5_2), sum(d15_2), avg(d15_2), sum(d18_4), avg(d18_4), sum(d30_10), avg(d30_10) FROM small;
SELECT sum(nothing), avg(nothing), min(nothing), max(nothing), count(nothing) FROM every_type;

-- No rows: one row without keys, none with keys.
SELECT count(*), sum(i32), avg(i32), min(s), max(f64), sum(d18_4), avg(d18_4) FROM no_rows;
SELECT i32, count(*), sum(i64) FROM no_rows GROUP BY i32;
SELECT count(*), sum(i32), avg(d5_2), max(dt) FROM every_type WHERE id < 0;
SELECT s, count(*) FROM every_type WHERE id < 0 GROUP BY s;

-- Keys of every type; nulls make one group, NaNs one, -0.0 and 0.0 one.
SELECT i8, count(*) FROM every_type GROUP BY i8;
SELECT i16, count(*), sum(i32) FROM every_type GROUP BY i16;
SELECT i32, count(*), min(id), max(id) FROM every_type GROUP BY i32;
SELECT i64, count(*), sum(i8) FROM every_type GROUP BY i64;
SELECT f64, count(*) FROM every_type GROUP BY f64;
SELECT f32, count(*), avg(i16) FROM every_type GROUP BY f32;
SELECT b, count(*), avg(i32), sum(d5_2) FROM every_type GROUP BY b;
SELECT s, count(*), min(f64), max(f64) FROM every_type GROUP BY s;
SELECT bin, count(*) FROM every_type GROUP BY bin;
SELECT dt, count(*), min(s), max(s) FROM every_type GROUP BY dt;
SELECT ts, count(*) FROM every_type GROUP BY ts;
SELECT tsn, count(*) FROM every_type GROUP BY tsn;
SELECT d5_2, count(*), sum(d18_4) FROM every_type GROUP BY d5_2;
SELECT d38_18, count(*), max(d38_0) FROM every_type GROUP BY d38_18;
SELECT d18_4, d20_6, count(*) FROM every_type GROUP BY d18_4, d20_6;
SELECT nothing, count(*), sum(i8) FROM every_type GROUP BY nothing;
SELECT b, i8, s, count(*) FROM every_type GROUP BY b, i8, s;
SELECT i32 % 3, f64 > 0, count(*) FROM every_type GROUP BY i32 % 3, f64 > 0;
SELECT 1, count(*) FROM every_type GROUP BY 1;
SELECT b, b, count(*) + 1, sum(i32) / count(i32) FROM every_type GROUP BY b;

-- expect native: RepriseHashAggregate
SELECT k, count(*), sum(v), min(v), max(v), avg(v), sum(m) FROM many_keys GROUP BY k;
SELECT s, k % 7, count(*), avg(m) FROM many_keys GROUP BY s, k % 7;
SELECT s FROM many_keys GROUP BY s;
SELECT DISTINCT k % 100, s FROM many_keys;

-- Distinct, filters, HAVING, aggregates of aggregates.
SELECT count(DISTINCT i32), count(DISTINCT s), count(*) FROM every_type;
SELECT b, count(DISTINCT i8), sum(DISTINCT i16), count(*) FROM every_type GROUP BY b;
SELECT k, count(DISTINCT v % 10), sum(v) FROM many_keys WHERE k < 500 GROUP BY k;
SELECT count(*) FILTER (WHERE i32 > 0), sum(i16) FILTER (WHERE b), avg(f64) FILTER (WHERE false) FROM every_type;
SELECT b, count(s) FILTER (WHERE s > 'a'), max(dt) FILTER (WHERE i32 IS NULL) FROM every_type GROUP BY b;
SELECT b, count(DISTINCT s) FILTER (WHERE i32 > 0) FROM every_type GROUP BY b;
SELECT i8, count(*) AS c FROM every_type GROUP BY i8 HAVING count(*) > 20 AND i8 IS NOT NULL;
SELECT c, count(*) FROM (SELECT k, count(*) AS c FROM many_keys GROUP BY k) GROUP BY c;
SELECT max(total), min(total) FROM (SELECT s, sum(v) AS total FROM many_keys GROUP BY s);
SELECT g, k, grouping_id(), count(*), sum(n) FROM small GROUP BY CUBE (g, k);
SELECT g, k, sum(d15_2) FROM small GROUP BY GROUPING SETS ((g), (k), ());

-- What does not run natively stays right.
SELECT b, collect_set(i8 % 2), first(id, true) IS NULL, stddev(i16) > 0 FROM every_type GROUP BY b;
SELECT k, max_by(n, i32), count_if(i32 > 0), bool_and(b), bool_or(b), any_value(g) IS NULL FROM small WHERE n = 1 GROUP BY k;
SELECT g, approx_count_distinct(k), percentile(n, 0.5) FROM small GROUP BY g;
