-- Rows put together to arrays: collect_list, collect_set, and what Spark makes of them. The order of sets: collected_sets.sql.

-- expect native: RepriseObjectHashAggregate
SELECT g, collect_list(n), collect_list(k), collect_list(d15_2), collect_list(d30_10), count(*) FROM (SELECT * FROM small ORDER BY n, k LIMIT 10000) GROUP BY g;
-- expect native: RepriseObjectHashAggregate
SELECT g, sort_array(collect_list(n)), sum(n), min(k), avg(f64) FROM small GROUP BY g;
-- Every type of a list, nested ones too.
SELECT b, collect_list(i8), collect_list(i16), collect_list(i64), collect_list(f32), collect_list(f64), collect_list(dt), collect_list(ts), collect_list(tsn), collect_list(d38_18), collect_list(d20_6), collect_list(s), collect_list(bin), collect_list(b) FROM (SELECT * FROM every_type ORDER BY id LIMIT 10000) GROUP BY b;
SELECT g, collect_list(named_struct('n', n, 'k', k)), collect_list(array(k)), collect_list(map('n', n)) FROM (SELECT * FROM small ORDER BY n, k LIMIT 10000) GROUP BY g;
SELECT g, collect_list(make_dt_interval(n)) FROM (SELECT * FROM small ORDER BY n, k LIMIT 10000) GROUP BY g;
-- conf spark.sql.adaptive.enabled=false
-- Nothing to collect.
SELECT collect_list(n), collect_set(k), count(n) FROM small WHERE n < -1000;
SELECT g, collect_list(n) FROM small WHERE n < -1000 GROUP BY g;
SELECT g, collect_list(if(n % 2 = 0, NULL, n)), collect_set(if(n > 1, NULL, k)) FROM (SELECT * FROM small ORDER BY n, k LIMIT 10000) GROUP BY g;
-- conf spark.sql.adaptive.enabled=true
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
-- error PARSE_SYNTAX_ERROR before 4.0
SELECT k, listagg(CAST(n AS STRING), ',') WITHIN GROUP (ORDER BY n) FROM small GROUP BY k;
-- Their bytes are Spark's, so that they are equal as keys.
SELECT a, count(*) FROM (SELECT collect_list(cast(id % 7 - 3 AS decimal(38, 0))) AS a FROM range(50) GROUP BY id UNION ALL SELECT filter(array(cast(id % 7 - 3 AS decimal(38, 0))), x -> x IS NOT NULL) FROM range(50)) GROUP BY a;
