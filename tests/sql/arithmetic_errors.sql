-- With ANSI (Spark's default) each of these ends the query with Spark's error condition.
-- conf spark.sql.ansi.enabled=true

-- error ARITHMETIC_OVERFLOW
SELECT id, i32 + 1 FROM every_type;
-- error ARITHMETIC_OVERFLOW
SELECT id, i32 - 2 FROM every_type;
-- error ARITHMETIC_OVERFLOW
SELECT id, i64 * 2 FROM every_type;
-- error ARITHMETIC_OVERFLOW
SELECT id, -i32 FROM every_type;
-- error ARITHMETIC_OVERFLOW
SELECT id, abs(i64) FROM every_type;
-- error ARITHMETIC_OVERFLOW
-- error _LEGACY_ERROR_TEMP_2043 before 4.0
SELECT id, -i8 FROM every_type;
-- error ARITHMETIC_OVERFLOW
-- error _LEGACY_ERROR_TEMP_2043 before 4.0
SELECT id, abs(i16) FROM every_type;
-- error BINARY_ARITHMETIC_OVERFLOW
SELECT id, i8 + 1Y FROM every_type;
-- error BINARY_ARITHMETIC_OVERFLOW
SELECT id, i16 * 2S FROM every_type;
-- error DIVIDE_BY_ZERO
SELECT n, n / i32 FROM small;
-- error DIVIDE_BY_ZERO
SELECT n, f64 / 0.0D FROM small;
-- error DIVIDE_BY_ZERO
SELECT n, n div i32 FROM small;
-- error REMAINDER_BY_ZERO
SELECT n, n % i32 FROM small;
-- error DIVIDE_BY_ZERO
SELECT n, d5_2 / 0 FROM small;
-- error ARITHMETIC_OVERFLOW
SELECT id, i64 div -1 FROM every_type;
-- error NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION
SELECT CAST(id * 123456.0D AS DECIMAL(4, 2)) FROM range(1, 2);
-- error NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION
SELECT CAST(id * -12345678.25D AS DECIMAL(9, 2)) FROM range(1, 2);
-- error NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION
SELECT CAST(id * 1.5e12D AS DECIMAL(9, 2)) FROM range(1, 2);
-- error NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION
SELECT CAST(id * 99.995D AS DECIMAL(4, 2)) FROM range(1, 2);
-- error NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION
SELECT id, d38_0 * 10 FROM every_type;
-- error NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION
SELECT id, d38_0 + 1 FROM every_type;
-- error CAST_OVERFLOW
SELECT id, CAST(i32 AS TINYINT) FROM every_type;
-- error CAST_OVERFLOW
SELECT id, CAST(f64 AS INT) FROM every_type;
-- error CAST_INVALID_INPUT
SELECT id, CAST(s AS INT) FROM every_type;
-- error NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION
SELECT id, CAST(d18_4 AS DECIMAL(5, 2)) FROM every_type;
-- error ARITHMETIC_OVERFLOW
SELECT sum(i64) FROM every_type WHERE i64 > 0;
-- error ARITHMETIC_OVERFLOW
SELECT sum(d38_0) FROM every_type WHERE d38_0 > 1;
-- error DIVIDE_BY_ZERO
SELECT count(*) FROM small WHERE n / i32 > 1;
-- error DIVIDE_BY_ZERO
SELECT k, sum(n / i32) FROM small GROUP BY k;

-- try_ functions turn errors into nulls.
SELECT n, try_divide(n, i32), try_add(i8, 100Y), try_multiply(i64, 9223372036854775807) FROM small;
SELECT id, try_cast(s AS INT), try_cast(i32 AS TINYINT), try_cast(s AS DATE) FROM every_type;
SELECT try_sum(i64), try_avg(d38_0) FROM every_type;

-- What is thrown shows the place in the query, without whole-stage code too.
-- conf spark.sql.codegen.wholeStage=false
-- error ARITHMETIC_OVERFLOW
SELECT id, abs(id), i32 + 1 FROM every_type WHERE i32 = 2147483647;
-- error DIVIDE_BY_ZERO
SELECT n / (n - n) FROM small WHERE n = 1;
-- error CAST_INVALID_INPUT
SELECT CAST(concat(k, 'x') AS INT) FROM small WHERE n = 1;
-- error NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION
SELECT CAST(d18_4 AS DECIMAL(2, 1)) FROM every_type WHERE d18_4 = 99999999999999.9999;
-- error ARITHMETIC_OVERFLOW
SELECT k, sum(v) FROM (SELECT 1 AS k, CAST(9e37 AS DECIMAL(38, 0)) AS v FROM range(3)) GROUP BY k;
-- error ARITHMETIC_OVERFLOW
SELECT k, avg(v) FROM (SELECT 1 AS k, CAST(9e37 AS DECIMAL(38, 0)) AS v FROM range(3)) GROUP BY k;
-- Without generated code an aggregate without keys has its sums in an unsafe row too.
-- error ARITHMETIC_OVERFLOW
SELECT sum(d) FROM (SELECT /*+ COALESCE(1) */ d FROM VALUES (CAST(9e37 AS DECIMAL(38, 0))), (CAST(9e37 AS DECIMAL(38, 0))), (CAST(-9e37 AS DECIMAL(38, 0))) AS t(d));
-- Nor where there are more columns than code is generated for.
-- conf spark.sql.codegen.wholeStage=true
-- conf spark.sql.codegen.maxFields=1
-- error ARITHMETIC_OVERFLOW
SELECT sum(d), min(d) FROM (SELECT /*+ COALESCE(1) */ d FROM VALUES (CAST(9e37 AS DECIMAL(38, 0))), (CAST(9e37 AS DECIMAL(38, 0))), (CAST(-9e37 AS DECIMAL(38, 0))) AS t(d));
