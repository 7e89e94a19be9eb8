-- Aggregate functions that Spark evaluates inside native aggregates.
-- each spark.sql.adaptive.enabled=true|false
-- conf spark.sql.ansi.enabled=true

-- Objects as buffers.
-- expect native: RepriseObjectHashAggregate, RepriseShuffleExchange
SELECT g, percentile(n, 0.5), percentile(f64, array(0.1, 0.9)), median(i64), approx_percentile(n, 0.3) FROM small GROUP BY g;
-- expect native: RepriseObjectHashAggregate
SELECT percentile(n, 0.5), mode(k), percentile_cont(0.25) WITHIN GROUP (ORDER BY n), percentile_disc(0.25) WITHIN GROUP (ORDER BY n DESC) FROM small;
-- expect native: RepriseObjectHashAggregate
SELECT g, hex(bitmap_construct_agg(bitmap_bit_position(n))), hll_sketch_estimate(hll_sketch_agg(k)), count(*), sum(n) FROM small GROUP BY g;
SELECT g, hex(count_min_sketch(k, 0.5d, 0.5d, 1)), histogram_numeric(n, 1000) FROM small GROUP BY g;
-- error WRONG_NUM_ARGS.WITHOUT_SUGGESTION before 4.0
SELECT k, mode(n), mode(i32, true), collect_list(n), sum(n) FROM (SELECT * FROM small ORDER BY n, i32, k LIMIT 100) GROUP BY k;
-- error PARSE_SYNTAX_ERROR before 4.0
SELECT listagg(k, ',') WITHIN GROUP (ORDER BY n, k), string_agg(DISTINCT k) WITHIN GROUP (ORDER BY k) FROM small;
-- Many groups, so that some have been written out and are merged where memory is denied.
-- expect native: RepriseObjectHashAggregate
SELECT count(*), sum(p), sum(c) FROM (SELECT k, percentile(v, 0.5) AS p, count(*) AS c FROM many_keys WHERE k < 500 GROUP BY k);

-- Buffers of words.
-- expect native: RepriseHashAggregate, RepriseShuffleExchange
SELECT g, approx_count_distinct(k), approx_count_distinct(n, 0.1), bit_and(n), bit_or(i32), bit_xor(i64) FROM small GROUP BY g;
-- expect native: RepriseHashAggregate
SELECT approx_count_distinct(k), corr(n, i32), covar_pop(n, i32), covar_samp(n, i32), regr_slope(n, i32), regr_r2(n, i32), skewness(f64), kurtosis(f64) FROM small;
SELECT g, max_by(k, n), min_by(n, struct(k, n)), any_value(n) IS NOT NULL, every(n > 0), some(n > 3), count_if(n > 2) FROM small GROUP BY g;
SELECT g, try_sum(n), try_avg(n), try_sum(CAST(n AS DECIMAL(38, 0)) * 100000000000000000000000000000000000) FROM small GROUP BY g;
SELECT g, max(struct(n, k)), min(array(n, i32)), max(named_struct('a', array(k))) FROM small GROUP BY g;
SELECT g, sum(make_dt_interval(0, n)), CAST(avg(make_ym_interval(n, 1)) AS STRING), max(make_dt_interval(0, n)) FROM small GROUP BY g;
-- error PARSE_SYNTAX_ERROR before 4.0
SELECT max(k COLLATE UTF8_LCASE), g FROM small GROUP BY g;
SELECT count(*), sum(c) FROM (SELECT k, approx_count_distinct(v) AS c FROM many_keys WHERE k < 500 GROUP BY k);
-- Pivots.
SELECT * FROM (SELECT g, k, n FROM small WHERE k IN ('one', 'three')) PIVOT (sum(n) AS s, max_by(n, n) AS m FOR k IN ('one', 'three'));

-- Filters, distinct values, results above, guests below, no rows.
-- expect native: RepriseObjectHashAggregate, RepriseGuestProject
SELECT g, percentile(n, 0.5) FILTER (WHERE n > 2), percentile(n, 0.5) FILTER (WHERE bit_count(n) > 1), count(DISTINCT k) FROM small GROUP BY g;
-- expect native: RepriseObjectHashAggregate, RepriseGuestProject
SELECT overlay(k, '.', 1, 0), percentile(DISTINCT n, 0.5) + 1, hex(unhex(hex(cast(median(n) AS STRING)))) FROM small GROUP BY overlay(k, '.', 1, 0);
SELECT percentile(n, 0.5), approx_count_distinct(n), max_by(n, k), count(*) FROM small WHERE n < -100000;
SELECT g, percentile(n, 0.5), approx_count_distinct(n), max_by(n, k) FROM small WHERE n < -100000 GROUP BY g;
SELECT percentile(n + (SELECT min(n) FROM small), 0.5) FROM small;

-- An error is that of a row; what is not evaluated fails nothing.
CREATE TABLE reprise_guest_steps USING parquet LOCATION '${out}/guest_steps' AS SELECT CAST(5 - id AS INT) AS x FROM range(0, 10, 1, 1);
-- error DIVIDE_BY_ZERO
SELECT percentile(1 div x, 0.5) FROM reprise_guest_steps;
SELECT max_by(if(x = 0, 0, 10 div x), x) FROM reprise_guest_steps;
SELECT percentile(10 div x, 0.5) FILTER (WHERE x <> 0) FROM reprise_guest_steps;
DROP TABLE reprise_guest_steps;

-- From here on in batches of some size and with memory.
-- conf spark.reprise.sql.batchRows=4096
-- conf spark.reprise.sql.batchBytes=4194304
-- conf spark.reprise.memory.denyEvery=0
-- What is approximate depends on the pieces that are merged, on Spark too.
SELECT g, approx_percentile(n, 0.3, 100), histogram_numeric(n, 3) FROM small GROUP BY g;
-- More groups than a task keeps, of objects (2^14) and of words (2^18): both sides let them leave, and merge.
-- conf spark.sql.shuffle.partitions=1
-- expect native: RepriseObjectHashAggregate
SELECT count(*), sum(p), sum(c) FROM (SELECT id % 20000 AS j, percentile(id, 0.5) AS p, count(*) AS c FROM range(0, 30000, 1, 1) GROUP BY id % 20000);
-- expect native: RepriseHashAggregate
SELECT count(*), sum(a), sum(c) FROM (SELECT id % 270000 AS j, bit_or(id) AS a, count(*) AS c FROM range(0, 300000, 1, 1) GROUP BY id % 270000);
