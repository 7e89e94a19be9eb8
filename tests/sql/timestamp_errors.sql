-- What does not fit raises Spark's errors.
-- each spark.sql.session.timeZone=UTC|Asia/Tokyo

-- conf spark.sql.ansi.enabled=true
-- error CAST_OVERFLOW
SELECT CAST(ts AS TINYINT) FROM every_type WHERE id < 300;
-- error CAST_OVERFLOW
SELECT CAST(ts AS INT) FROM every_type;
-- error ARITHMETIC_OVERFLOW
SELECT add_months(date_add(DATE '1970-01-01', i32), 2147483647) FROM every_type;
-- error ARITHMETIC_OVERFLOW
SELECT trunc(date_add(DATE '1970-01-01', i32), 'quarter') FROM every_type WHERE i32 < -2147483600;
-- expect native: RepriseProject
SELECT id, trunc(d, 'month') <= d, trunc(d, 'year') <= d, trunc(d, 'week') <= d FROM (SELECT id, date_add(DATE '1970-01-01', i32) AS d FROM every_type);
-- What Java raises and Spark lets pass.
-- error java.lang.ArithmeticException
SELECT CAST(date_add(DATE '1970-01-01', i32) AS TIMESTAMP) FROM every_type;
-- conf spark.sql.ansi.enabled=false
-- error java.lang.ArithmeticException
SELECT CAST(date_add(DATE '1970-01-01', i32) AS TIMESTAMP_NTZ) FROM every_type;
-- Spark 3.5 wraps them, natively nothing does.
-- expect native: RepriseProject since 4.0
SELECT id, CAST(ts AS TINYINT), CAST(ts AS SMALLINT), CAST(ts AS INT) FROM every_type;
