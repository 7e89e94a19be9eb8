-- Functions of arrays and maps that call lambdas, computed natively.
-- each spark.sql.ansi.enabled=true|false
-- expect native: RepriseProject
-- expect no guest
SELECT n, transform(array(n, i32, NULL), x -> x % 7), transform(array(n, i32), (x, i) -> x % 5 + i), transform(array(k, 'b'), x -> concat(x, k, '-')) FROM small DISTRIBUTE BY n SORT BY n;
-- expect no guest
SELECT n, filter(array(n, i32, NULL), x -> x > 3), filter(array(k, 'b', NULL), (x, i) -> i < 2 OR x IS NULL), filter(array(n), x -> NULL) FROM small DISTRIBUTE BY n SORT BY n;
-- expect no guest
SELECT n, exists(array(n, i32), x -> x > 3), exists(array(n, NULL), x -> x > 3), forall(array(n, i32), x -> x > 3), forall(array(n, NULL), x -> x > 3), exists(filter(array(n), x -> x > 2), x -> true), forall(filter(array(n), x -> x > 2), x -> x < 0) FROM small DISTRIBUTE BY n SORT BY n;
-- expect no guest
SELECT n, aggregate(array(n, i32 % 100, 3), 0, (a, x) -> a + x), aggregate(array(k, 'b'), '', (a, x) -> concat(a, x), a -> concat(a, '!') > 'ab!'), reduce(filter(array(n, 2, n + 1), x -> x % 2 = 0), CAST(0 AS DOUBLE), (a, x) -> a + x / 2, a -> a * 2) FROM small DISTRIBUTE BY n SORT BY n;
-- expect no guest
SELECT n, transform(transform(array(k, NULL, 'b'), x -> concat(x, k)), (y, i) -> concat(y, CAST(i AS STRING))), exists(array(array(n), NULL, array(i32)), a -> a[0] = 3), aggregate(transform(array(n, i32), x -> aggregate(transform(array(x, n, 1), y -> y % 7), 0, (a, b) -> a + b)), 0, (a, b) -> a + b), transform(array(named_struct('x', n), NULL), s -> s.x), forall(transform(IF(n > 3, array(n, 1), NULL), x -> x > 2), b -> b) FROM small DISTRIBUTE BY n SORT BY n;
-- expect no guest
SELECT id, aggregate(transform(array(d38_18, NULL, d38_18), x -> x), CAST(0 AS DECIMAL(38,18)), (a, x) -> coalesce(x, a)), exists(array(bin, NULL), x -> x IS NULL), transform(array(f32, f64), x -> isnan(x)), exists(array(b, NOT b), x -> x), transform(array(dt, NULL), x -> x), transform(array(ts), x -> x) FROM every_type DISTRIBUTE BY id SORT BY id;
-- Arrays of several lengths, null ones and empty ones.
-- expect no guest
SELECT id, transform(l_i32, x -> x % 3), filter(l_s, x -> length(x) > 2), aggregate(l_i64, CAST(0 AS BIGINT), (a, x) -> (a + coalesce(x % 7, 0)) % 1000), exists(l_f64, x -> x > 0), size(filter(l_d38_18, x -> x IS NULL)), zip_with(l_i32, l_s, (x, y) -> concat(x, y, id)) FROM nested_types DISTRIBUTE BY id SORT BY id;
-- Spark 4.3's generated code looks up null elements in a Parquet file's dictionary and fails: it gets rows here.
-- conf spark.sql.codegen.wholeStage=false
-- expect no guest
SELECT id, transform(l_b, x -> NOT x), transform(l_i8, x -> x), transform(l_i16, x -> CAST(x AS INT)), transform(l_f32, x -> -x), transform(l_bin, x -> length(x)), transform(l_dt, x -> CAST(date_add(x, 1) AS STRING)), transform(l_ts, x -> year(x)), transform(l_d38_0, x -> x), transform(l_s, x -> named_struct('v', x, 'id', id)) FROM nested_types DISTRIBUTE BY id SORT BY id;
-- conf spark.sql.codegen.wholeStage=true
-- What the lambda reads of the row around, and lambdas in lambdas.
-- expect no guest
SELECT id, transform(ll, xs -> aggregate(xs, id, (a, x) -> (a + coalesce(x, 1)) % 77)), transform(ll, (xs, i) -> transform(xs, (x, j) -> coalesce(x, 0) % 5 + i * 10 + j + id)), filter(ll, xs -> exists(xs, x -> x > id)) FROM nested_types DISTRIBUTE BY id SORT BY id;
SELECT id, transform_values(mi, (k, v) -> concat(k, '=', v)), map_filter(mi, (k, v) -> v > 0), transform_values(m, (k, v) -> v.x), map_filter(m, (k, v) -> size(v.t) > 1 OR k = 'k1') FROM nested_types DISTRIBUTE BY id SORT BY id;
-- expect no guest
SELECT g, sum(aggregate(transform(array(n, i32), x -> x % 10), 0, (a, x) -> a + x)) FROM small WHERE exists(array(n, i32), x -> x % 2 = 0) GROUP BY g;
-- expect native: RepriseSort, RepriseFilter
SELECT n, k FROM small WHERE forall(array(g, n), x -> x >= 0) ORDER BY size(filter(array(n, g, i32), x -> x > 2)), n, k;
-- Conditions in lambdas, and over them.
-- expect no guest
SELECT n, transform(array(n, i32), x -> CASE WHEN x > 5 THEN 'big' WHEN x IS NULL THEN k ELSE 'small' END), IF(n > 3, transform(array(n), x -> 10 div x), NULL), transform(array(n, NULL), x -> coalesce(x, length(k))) FROM small WHERE n > 0 DISTRIBUTE BY n SORT BY n;
-- Elements behind the one that decides are not looked at.
SELECT n, exists(array(1, n, 0), x -> 10 div x > 0 OR x = 1) FROM small WHERE n > 0 DISTRIBUTE BY n SORT BY n;
-- Values that Spark computes in them, for the few elements where it must.
SELECT id, transform(l_s, x -> upper(x)), filter(l_s, x -> x RLIKE '[aeiou]'), exists(l_s, x -> upper(x) = 'A') FROM nested_types DISTRIBUTE BY id SORT BY id;
SELECT n, transform(array(n), x -> x + rand(3)) IS NULL, transform(array(k), x -> soundex(reverse(x))) FROM small DISTRIBUTE BY n SORT BY n;
-- conf spark.sql.ansi.enabled=true
-- error DIVIDE_BY_ZERO
SELECT n, transform(array(n, n - n), x -> 10 div x) FROM small DISTRIBUTE BY n SORT BY n;
-- Of two elements that fail the first one's error.
-- error ARITHMETIC_OVERFLOW
SELECT transform(array(2147483647, 0), x -> (x + 1) + 10 div x) FROM small;
-- error DIVIDE_BY_ZERO
SELECT transform(array(0, 2147483647), x -> (x + 1) + 10 div x) FROM small;
-- error ARITHMETIC_OVERFLOW
SELECT sum(aggregate(array(n, 2147483647), 0, (a, x) -> a + x)) FROM small;
-- error DIVIDE_BY_ZERO
SELECT n FROM small WHERE exists(array(0, n), x -> 10 div x > 0);
-- conf spark.sql.legacy.followThreeValuedLogicInArrayExists=false
-- expect no guest
SELECT n, exists(array(n, NULL), x -> x > 3) FROM small DISTRIBUTE BY n SORT BY n;
