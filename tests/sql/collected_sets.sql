-- Sets in the order of Scala's hash set, which its size and the pieces that it is put together of decide.
-- each spark.sql.adaptive.enabled=true|false

-- expect native: RepriseObjectHashAggregate
SELECT g, collect_set(n), collect_set(k), collect_set(i8), collect_set(i16), collect_set(i64), collect_set(b), collect_set(dt) FROM small GROUP BY g;
SELECT collect_set(n), collect_set(k), collect_set(f32), collect_set(f64), collect_set(i32) FROM (SELECT * FROM small ORDER BY n, k LIMIT 10000);
SELECT k, size(collect_set(i64)), collect_set(n % 40) FROM small GROUP BY k;
SELECT g % 2, collect_set(f64), collect_set(f32) FROM (SELECT g, CAST(n AS DOUBLE) / 4 AS f64, CAST(n AS FLOAT) / 3 AS f32 FROM small) GROUP BY g % 2;
SELECT collect_set(x), collect_list(x), count(*) FROM VALUES (0.0D), (-0.0D), (CAST('NaN' AS DOUBLE)), (NULL), (CAST('NaN' AS DOUBLE)), (1e300D), (-1e300D), (3e9D), (0.1D), (CAST('Infinity' AS DOUBLE)) AS t(x);
SELECT collect_set(CAST(x AS FLOAT)), collect_list(CAST(x AS FLOAT)) FROM VALUES (0.0D), (-0.0D), (CAST('NaN' AS DOUBLE)), (NULL), (3e9D), (0.1D), (1e20D), (CAST('-Infinity' AS DOUBLE)) AS t(x);
SELECT collect_set(x), count(DISTINCT x) FROM (SELECT id * 4294967311 - 5 AS x FROM range(100));
SELECT id % 3, collect_set(CAST(id * 37 % 101 AS STRING)), collect_set(id * 7919 % 65536) FROM range(3000) GROUP BY id % 3;
SELECT b, collect_set(i8), collect_set(dt), collect_set(ts), collect_set(tsn), collect_set(s) FROM (SELECT * FROM every_type ORDER BY id LIMIT 10000) GROUP BY b;
