-- Window functions: all of them, over frames of rows and of ranges, by one partition and by many.
-- each spark.sql.adaptive.enabled=true|false

-- Ranks.
-- expect native: RepriseWindow
SELECT g, i32, n, row_number() OVER (PARTITION BY g ORDER BY i32, n) AS r, rank() OVER (PARTITION BY g ORDER BY i32) AS k, dense_rank() OVER (PARTITION BY g ORDER BY i32) AS d, percent_rank() OVER (PARTITION BY g ORDER BY i32) AS p, cume_dist() OVER (PARTITION BY g ORDER BY i32) AS c, ntile(7) OVER (PARTITION BY g ORDER BY i32, n) AS t, ntile(1000) OVER (PARTITION BY g ORDER BY i32, n) AS u FROM small;
-- expect native: RepriseWindow
SELECT n, rank() OVER (ORDER BY k DESC NULLS LAST, g), dense_rank() OVER (ORDER BY k DESC NULLS LAST, g), row_number() OVER (ORDER BY k DESC NULLS LAST, g, n), percent_rank() OVER (ORDER BY b), cume_dist() OVER (ORDER BY f64 DESC) FROM small;
SELECT n, row_number() OVER (PARTITION BY n ORDER BY k), percent_rank() OVER (PARTITION BY n ORDER BY k), cume_dist() OVER (PARTITION BY n ORDER BY k), ntile(3) OVER (PARTITION BY n ORDER BY k) FROM small;
-- A partition is what Spark takes for equal: null, NaN, zeros of both signs.
SELECT x, count(*) OVER (PARTITION BY x), dense_rank() OVER (ORDER BY x) FROM (SELECT explode(array(0.0D, -0.0D, CAST('NaN' AS DOUBLE), NULL, 1.0D, CAST('NaN' AS DOUBLE), NULL)) AS x);
SELECT id, count(*) OVER (PARTITION BY f32), count(*) OVER (PARTITION BY d38_18), count(*) OVER (PARTITION BY s), count(*) OVER (PARTITION BY bin), count(*) OVER (PARTITION BY dt), count(*) OVER (PARTITION BY ts), count(*) OVER (PARTITION BY b, i8), rank() OVER (ORDER BY f64), rank() OVER (ORDER BY d20_6 DESC), rank() OVER (ORDER BY s, bin DESC), dense_rank() OVER (PARTITION BY b ORDER BY tsn) FROM every_type;

-- Other rows.
-- expect native: RepriseWindow
SELECT g, n, i32, k, lead(i32) OVER w, lag(i32) OVER w, lead(i32, 3) OVER w, lag(k, 2, 'none') OVER w, lead(i32, 2, n) OVER w, lag(i32, -1) OVER w, lead(k, 0) OVER w, lag(dt, 200, dt) OVER w, lead(d30_10, 1, 0) OVER w FROM small WINDOW w AS (PARTITION BY g ORDER BY n);
-- expect native: RepriseWindow
SELECT g, n, i32, lead(i32) IGNORE NULLS OVER w, lag(i32) IGNORE NULLS OVER w, lead(k, 2) IGNORE NULLS OVER w, lag(k, 3, 'none') IGNORE NULLS OVER w, lead(f64, 1, -1.0D) IGNORE NULLS OVER w, lag(b, 0) IGNORE NULLS OVER w FROM small WINDOW w AS (PARTITION BY g ORDER BY n);
-- Further than the partition has rows: Spark 3.5 has the default of no row then, which no column has.
-- expect native: RepriseWindow
-- error java.lang.NullPointerException before 4.0
SELECT g, n, lead(i32, 200, n) IGNORE NULLS OVER w, lag(k, 200, k) IGNORE NULLS OVER w FROM small WINDOW w AS (PARTITION BY g ORDER BY n);
SELECT n, lead(nothing) OVER (ORDER BY id), lag(nothing, 1, 5) IGNORE NULLS OVER (ORDER BY id), lead(n, 10000) OVER (ORDER BY id), lag(n, 10000, n) OVER (ORDER BY id) FROM (SELECT id, CAST(id AS INT) AS n, nothing FROM every_type);
-- expect native: RepriseWindow
SELECT g, n, nth_value(k, 2) OVER w, nth_value(i32, 3) IGNORE NULLS OVER w, first_value(k) OVER w, last_value(i32) OVER w, first(i32, true) OVER w, last(k, true) OVER w, any_value(n) OVER w FROM small WINDOW w AS (PARTITION BY g ORDER BY n);
SELECT g, n, nth_value(k, 2) OVER w, nth_value(i32, 3) IGNORE NULLS OVER w, first_value(k) OVER w, last_value(i32) IGNORE NULLS OVER w FROM small WINDOW w AS (PARTITION BY g ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING);
SELECT g, n, nth_value(k, 2) OVER w, nth_value(i32, 2) IGNORE NULLS OVER w, first_value(k) OVER w, last_value(s) OVER w, first_value(i32) IGNORE NULLS OVER w, last_value(k) IGNORE NULLS OVER w FROM (SELECT *, concat(k, n) AS s FROM small) WINDOW w AS (PARTITION BY g ORDER BY n ROWS BETWEEN 3 PRECEDING AND 2 FOLLOWING);
SELECT g, n, nth_value(k, 2) OVER (PARTITION BY g ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW), nth_value(n, 4) OVER (PARTITION BY g ORDER BY n ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING), first_value(i32) IGNORE NULLS OVER (PARTITION BY g ORDER BY n ROWS BETWEEN 1 FOLLOWING AND 4 FOLLOWING) FROM small;

-- Aggregates of whole partitions.
-- expect native: RepriseWindow
SELECT g, n, sum(i32) OVER w, avg(i64) OVER w, min(k) OVER w, max(k) OVER w, count(*) OVER w, count(i32, k) OVER w, sum(f64) OVER w, stddev(f64) OVER w, var_pop(i8) OVER w, sum(d15_2) OVER w, avg(d30_10) OVER w, min(dt) OVER w, max(b) OVER w FROM small WINDOW w AS (PARTITION BY g);
SELECT n, sum(i32) OVER (), max(k) OVER (), count(DISTINCT g) FROM small GROUP BY n, i32, k;
SELECT g, sum(v) AS total, sum(sum(v)) OVER () AS all, rank() OVER (ORDER BY sum(v) DESC) AS r, round(sum(v) / sum(sum(v)) OVER (), 4) AS share FROM (SELECT g, i32 AS v FROM small) GROUP BY g;

-- Running totals, of rows and of ranges, in which peers have the same.
-- expect native: RepriseWindow
SELECT g, n, sum(i32) OVER w, avg(f64) OVER w, min(k) OVER w, max(d18_4) OVER w, count(i32) OVER w, sum(d30_10) OVER w, avg(d15_2) OVER w, stddev_pop(f64) OVER w, max(f32) OVER w, count(k, i32) OVER w, sum(f32) OVER w FROM small WINDOW w AS (PARTITION BY g ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW);
-- expect native: RepriseWindow
SELECT g, n, i32, sum(n) OVER w, min(k) OVER w, count(*) OVER w, avg(d15_2) OVER w, max(f64) OVER w FROM small WINDOW w AS (PARTITION BY g ORDER BY i32);
SELECT g, n, sum(i32) OVER (PARTITION BY g ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 2 FOLLOWING), sum(i32) OVER (PARTITION BY g ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 3 PRECEDING), max(k) OVER (PARTITION BY g ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), count(*) OVER (PARTITION BY g ORDER BY n ROWS BETWEEN UNBOUNDED PRECEDING AND 1000 PRECEDING) FROM small;
SELECT k, v, sum(v) OVER (PARTITION BY k % 10 ORDER BY k, v, m) AS s, row_number() OVER (PARTITION BY k % 10 ORDER BY k, v, m, s) AS r FROM many_keys;
-- One partition that is longer than a batch: rows leave before it has ended.
SELECT count(*), sum(r), sum(s), max(d), sum(hash(r, s, d, m)) FROM (SELECT row_number() OVER w AS r, sum(v) OVER w AS s, dense_rank() OVER w AS d, min(s) OVER w AS m FROM many_keys WINDOW w AS (ORDER BY k, v, m, s));
SELECT count(*), sum(c), sum(hash(c, q, a)) FROM (SELECT sum(v) OVER w AS c, max(s) OVER w AS q, last(m) OVER (ORDER BY k, v, m, s ROWS UNBOUNDED PRECEDING) AS a FROM many_keys WINDOW w AS (ORDER BY k));
SELECT count(*), sum(hash(l, p, n)) FROM (SELECT lag(v, 5) OVER w AS l, percent_rank() OVER w AS p, ntile(97) OVER w AS n FROM many_keys WINDOW w AS (ORDER BY k, v, m, s));

-- Moving frames.
-- expect native: RepriseWindow
SELECT g, n, sum(i32) OVER w, avg(f64) OVER w, min(k) OVER w, max(d18_4) OVER w, count(i32) OVER w, sum(d30_10) OVER w, avg(d15_2) OVER w, avg(i64) OVER w, stddev_samp(f64) OVER w, min(f32) OVER w, sum(f32) OVER w FROM small WINDOW w AS (PARTITION BY g ORDER BY n ROWS BETWEEN 4 PRECEDING AND 3 FOLLOWING);
SELECT g, n, sum(i32) OVER w, min(k) OVER w, count(*) OVER w, max(f64) OVER w, avg(i8) OVER w, sum(d5_2) OVER w, sum(f64) OVER w FROM small WINDOW w AS (PARTITION BY g ORDER BY n ROWS BETWEEN 40 PRECEDING AND 30 FOLLOWING);
SELECT g, n, sum(i32) OVER w, min(k) OVER w, count(*) OVER w, max(f64) OVER w, avg(i8) OVER w, sum(d5_2) OVER w, sum(f64) OVER w FROM small WINDOW w AS (PARTITION BY g ORDER BY n ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING);
SELECT g, n, sum(i32) OVER (PARTITION BY g ORDER BY n ROWS BETWEEN 5 FOLLOWING AND 7 FOLLOWING), count(k) OVER (PARTITION BY g ORDER BY n ROWS BETWEEN 9 PRECEDING AND 6 PRECEDING), max(k) OVER (PARTITION BY g ORDER BY n ROWS BETWEEN 2 FOLLOWING AND UNBOUNDED FOLLOWING), avg(f64) OVER (PARTITION BY g ORDER BY n ROWS BETWEEN 1000 PRECEDING AND 999 PRECEDING) FROM small;
SELECT count(*), sum(hash(a, b, c)) FROM (SELECT sum(v) OVER w AS a, max(m) OVER w AS b, min(s) OVER w AS c FROM many_keys WINDOW w AS (ORDER BY k, v, m, s ROWS BETWEEN 500 PRECEDING AND 100 FOLLOWING));

-- Ranges by values.
-- expect native: RepriseWindow
SELECT g, n, i32, sum(n) OVER w, count(*) OVER w, min(k) OVER w, first_value(i32) OVER w FROM small WINDOW w AS (PARTITION BY g ORDER BY i32 RANGE BETWEEN 5 PRECEDING AND 3 FOLLOWING);
-- expect native: RepriseWindow
SELECT g, n, i32, sum(n) OVER w, count(*) OVER w, last_value(i32) OVER w FROM small WINDOW w AS (PARTITION BY g ORDER BY i32 DESC RANGE BETWEEN 5 PRECEDING AND CURRENT ROW);
SELECT g, n, sum(n) OVER (PARTITION BY g ORDER BY i32 DESC NULLS FIRST RANGE BETWEEN 2 FOLLOWING AND 10 FOLLOWING), count(*) OVER (PARTITION BY g ORDER BY i32 ASC NULLS LAST RANGE BETWEEN UNBOUNDED PRECEDING AND 4 FOLLOWING), sum(n) OVER (PARTITION BY g ORDER BY i64 RANGE BETWEEN 7 PRECEDING AND UNBOUNDED FOLLOWING), count(*) OVER (PARTITION BY g ORDER BY i8 RANGE BETWEEN 3 PRECEDING AND 1 PRECEDING), count(*) OVER (PARTITION BY g ORDER BY f64 RANGE BETWEEN 1.5 PRECEDING AND 0.5 FOLLOWING), count(*) OVER (PARTITION BY g ORDER BY f32 DESC RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM small;
-- expect native: RepriseWindow
-- error DATATYPE_MISMATCH.RANGE_FRAME_INVALID_TYPE before 4.0
SELECT g, n, dt, count(*) OVER (PARTITION BY g ORDER BY dt RANGE BETWEEN 30 PRECEDING AND 5 FOLLOWING), count(*) OVER (PARTITION BY g ORDER BY dt DESC RANGE BETWEEN INTERVAL 400 DAYS PRECEDING AND CURRENT ROW), count(*) OVER (PARTITION BY g ORDER BY dt RANGE BETWEEN INTERVAL 14 MONTHS PRECEDING AND INTERVAL 24 MONTHS FOLLOWING) FROM small WHERE dt BETWEEN '1950-01-01' AND '2100-01-01' OR dt IS NULL;
SELECT id, count(*) OVER (ORDER BY t RANGE BETWEEN INTERVAL 900 SECONDS PRECEDING AND INTERVAL 10 SECONDS FOLLOWING), sum(id) OVER (ORDER BY u DESC RANGE BETWEEN INTERVAL 50 HOURS PRECEDING AND INTERVAL 3 HOURS FOLLOWING) FROM (SELECT id, TIMESTAMP '2024-03-30 00:00:00' + make_dt_interval(0, 0, id * id % 1000, 0) AS t, TIMESTAMP_NTZ '2024-03-30 00:00:00' + make_dt_interval(0, id * 7 % 300, 0, 0) AS u FROM range(0, 200, 1, 2));
SELECT x, count(*) OVER (ORDER BY x RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM (SELECT explode(array(0.0D, -0.0D, CAST('NaN' AS DOUBLE), NULL, 1.0D, CAST('Infinity' AS DOUBLE), -2.5D, CAST('-Infinity' AS DOUBLE))) AS x);

-- The first rows of each partition alone are needed.
-- expect native: RepriseWindow, RepriseWindowGroupLimit
SELECT * FROM (SELECT g, n, i32, row_number() OVER (PARTITION BY g ORDER BY i32, n) AS r FROM small) WHERE r <= 3;
-- expect native: RepriseWindowGroupLimit
SELECT * FROM (SELECT g, n, i32, rank() OVER (PARTITION BY g ORDER BY i32) AS r FROM small) WHERE r < 5;
-- expect native: RepriseWindowGroupLimit
SELECT * FROM (SELECT g, n, i32, dense_rank() OVER (PARTITION BY g ORDER BY i32 DESC) AS r FROM small) WHERE r <= 2;
SELECT * FROM (SELECT k, v, m, s, row_number() OVER (ORDER BY k, v, m, s) AS r FROM many_keys) WHERE r <= 10;

-- Orders that go on above, and others.
-- ordered
SELECT g, n, r, sum(r) OVER (PARTITION BY g ORDER BY n DESC) AS t FROM (SELECT g, n, row_number() OVER (PARTITION BY g ORDER BY n) AS r FROM small) ORDER BY g, n;
SELECT a.n, b.r FROM (SELECT n, row_number() OVER (PARTITION BY g ORDER BY n) AS r FROM small) a JOIN (SELECT n, row_number() OVER (PARTITION BY k ORDER BY n) AS r FROM small) b ON a.n = b.n AND a.r > b.r;
-- ordered
SELECT n, lag(n) OVER (ORDER BY n) FROM small ORDER BY n LIMIT 7;
SELECT id, count(*) OVER (PARTITION BY s), sum(id) OVER (PARTITION BY i32 ORDER BY id) FROM no_rows;
SELECT count(*) OVER (), row_number() OVER (ORDER BY id) FROM range(0);

-- Windows stay with Spark where a function or a frame has no native form.
-- expect plan: Window [collect_list
SELECT id, collect_list(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM (SELECT explode(sequence(1, 5)) AS id);

-- Errors come with their row, and not where nobody asks for it.
-- conf spark.sql.ansi.enabled=true
-- error ARITHMETIC_OVERFLOW
SELECT id, sum(x) OVER (ORDER BY id) FROM (SELECT id, 9223372036854775800 + id AS x FROM range(0, 5, 1, 1));
SELECT id, sum(x) OVER (ORDER BY id) FROM (SELECT id, 9223372036854775800 + id AS x FROM range(0, 5, 1, 1)) LIMIT 1;
-- error ARITHMETIC_OVERFLOW
SELECT id, sum(x) OVER (ORDER BY id ROWS BETWEEN 100 PRECEDING AND CURRENT ROW) FROM (SELECT id, if(id % 50 = 1, 9223372036854775807, -1) AS x FROM range(0, 120, 1, 1));
-- error ARITHMETIC_OVERFLOW
SELECT id, sum(x) OVER (PARTITION BY id % 2) FROM (SELECT id, 9223372036854775800 + id AS x FROM range(0, 5, 1, 1));
-- error NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION
SELECT id, sum(x) OVER (ORDER BY id) FROM (SELECT id, CAST('9e37' AS DECIMAL(38, 0)) AS x FROM range(0, 5, 1, 1));
-- A bound is not looked at where no row is left to compare with it.
SELECT id, count(*) OVER (ORDER BY id RANGE BETWEEN CURRENT ROW AND 9223372036854775807 FOLLOWING) FROM range(0, 5, 1, 1);
-- error ARITHMETIC_OVERFLOW
SELECT id, count(*) OVER (ORDER BY id RANGE BETWEEN 9223372036854775807 PRECEDING AND 1 FOLLOWING) FROM range(-5, 5, 1, 1);
SELECT id, count(*) OVER (ORDER BY id RANGE BETWEEN 9223372036854775806 FOLLOWING AND 9223372036854775807 FOLLOWING) FROM range(0, 5, 1, 1);
-- conf spark.sql.ansi.enabled=false
SELECT id, sum(x) OVER (ORDER BY id), sum(x) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM (SELECT id, 9223372036854775800 + id AS x FROM range(0, 5, 1, 1));
SELECT id, sum(x) OVER (ORDER BY id), avg(x) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM (SELECT id, CAST('9e37' AS DECIMAL(38, 0)) AS x FROM range(0, 5, 1, 1));
SELECT id, count(*) OVER (ORDER BY id RANGE BETWEEN CURRENT ROW AND 9223372036854775807 FOLLOWING) FROM range(0, 5, 1, 1);
