-- Rows put together to arrays: collect_list, collect_set, and what Spark makes of them.
-- each spark.sql.adaptive.enabled=true|false

-- expect native: RepriseObjectHashAggregate
SELECT g, collect_list(n), collect_list(k), collect_list(d15_2), collect_list(d30_10), count(*) FROM (SELECT * FROM small ORDER BY n, k LIMIT 10000) GROUP BY g;
-- expect native: RepriseObjectHashAggregate
SELECT g, sort_array(collect_list(n)), sum(n), min(k), avg(f64) FROM small GROUP BY g;
-- expect native: RepriseObjectHashAggregate
SELECT g, collect_set(n), collect_set(k), collect_set(i8), collect_set(i16), collect_set(i64), collect_set(b), collect_set(dt) FROM small GROUP BY g;
SELECT collect_set(n), collect_set(k), collect_set(f32), collect_set(f64), collect_set(i32) FROM (SELECT * FROM small ORDER BY n, k LIMIT 10000);
SELECT k, size(collect_set(i64)), collect_set(n % 40) FROM small GROUP BY k;
SELECT g % 2, collect_set(f64), collect_set(f32) FROM (SELECT g, CAST(n AS DOUBLE) / 4 AS f64, CAST(n AS FLOAT) / 3 AS f32 FROM small) GROUP BY g % 2;
SELECT collect_set(x), collect_list(x), count(*) FROM VALUES (0.0D), (-0.0D), (CAST('NaN' AS DOUBLE)), (NULL), (CAST('NaN' AS DOUBLE)), (1e300D), (-1e300D), (3e9D), (0.1D), (CAST('Infinity' AS DOUBLE)) AS t(x);
SELECT collect_set(CAST(x AS FLOAT)), collect_list(CAST(x AS FLOAT)) FROM VALUES (0.0D), (-0.0D), (CAST('NaN' AS DOUBLE)), (NULL), (3e9D), (0.1D), (1e20D), (CAST('-Infinity' AS DOUBLE)) AS t(x);
SELECT collect_set(x), count(DISTINCT x) FROM (SELECT id * 4294967311 - 5 AS x FROM range(100));
SELECT id % 3, collect_set(CAST(id * 37 % 101 AS STRING)), collect_set(id * 7919 % 65536) FROM range(3000) GROUP BY id % 3;
-- Every type of a list, nested ones too.
SELECT b, collect_list(i8), collect_list(i16), collect_list(i64), collect_list(f32), collect_list(f64), collect_list(dt), collect_list(ts), collect_list(tsn), collect_list(d38_18), collect_list(d20_6), collect_list(s), collect_list(bin), collect_list(b) FROM (SELECT * FROM every_type ORDER BY id LIMIT 10000) GROUP BY b;
SELECT b, collect_set(i8), collect_set(dt), collect_set(ts), collect_set(tsn), collect_set(s) FROM (SELECT * FROM every_type ORDER BY id LIMIT 10000) GROUP BY b;
SELECT g, collect_list(named_struct('n', n, 'k', k)), collect_list(array(k)), collect_list(map('n', n)) FROM (SELECT * FROM small ORDER BY n, k LIMIT 10000) GROUP BY g;
SELECT g, collect_list(make_dt_interval(n)) FROM (SELECT * FROM small ORDER BY n, k LIMIT 10000) GROUP BY g;
-- Nothing to collect.
SELECT collect_list(n), collect_set(k), count(n) FROM small WHERE n < -1000;
SELECT g, collect_list(n) FROM small WHERE n < -1000 GROUP BY g;
SELECT g, collect_list(if(n % 2 = 0, NULL, n)), collect_set(if(n > 1, NULL, k)) FROM (SELECT * FROM small ORDER BY n, k LIMIT 10000) GROUP BY g;
-- With filters, with distinct, of results, over guests.
SELECT g, sort_array(collect_list(DISTINCT k)), sort_array(collect_list(n) FILTER (WHERE n % 3 = 0)), sum(n) FROM small GROUP BY g;
SELECT g, concat_ws(',', sort_array(collect_list(k))), size(collect_list(n)), array_max(collect_set(n)) FROM small GROUP BY g HAVING size(collect_list(n)) > 2;
SELECT g, sort_array(collect_list(initcap(k))) FROM small GROUP BY g;
SELECT c, count(*) FROM (SELECT g, sort_array(collect_set(k)) AS c FROM small GROUP BY g) GROUP BY c;
SELECT g, x, count(*) FROM (SELECT g, explode(collect_set(k)) AS x FROM small GROUP BY g) GROUP BY g, x;
SELECT sum(size(l)), max(size(l)) FROM (SELECT k, collect_list(repeat(s, 20)) AS l FROM many_keys GROUP BY k);
-- As Spark has it without a hash aggregate.
-- conf spark.sql.execution.useObjectHashAggregateExec=false
SELECT g, sort_array(collect_list(n)), sum(n), min(k) FROM small GROUP BY g;
-- conf spark.sql.execution.useObjectHashAggregateExec=true
-- Those that stay Spark's.
SELECT g, sort_array(collect_set(d15_2)) FROM small GROUP BY g;
SELECT g, n, collect_list(n) OVER (PARTITION BY g ORDER BY n, k ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM small;
SELECT g, percentile_approx(n, 0.5), sort_array(collect_list(n)) FROM small GROUP BY g;
SELECT k, listagg(CAST(n AS STRING), ',') WITHIN GROUP (ORDER BY n) FROM small GROUP BY k;
