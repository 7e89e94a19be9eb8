-- Columns, literals, conditional expressions.

-- expect native: RepriseParquetScan, RepriseProject
SELECT n + 1, i32, i32 + i16 FROM small WHERE i32 IS NOT NULL;
SELECT * FROM every_type;
SELECT s, id, s AS again, id AS twice FROM every_type;
SELECT id, 1, 2L, 3S, 4Y, 1.5D, 1.5F, 12.34, 'text', X'00FF', true, NULL, DATE '2024-02-29' FROM every_type WHERE id < 5;
SELECT 'only', 7 FROM every_type WHERE id < 5;
SELECT id, i32 > 0, i32 = i16, b OR i32 > 0, b AND i32 > 0, NOT b FROM every_type;
SELECT id, i32 IS NULL, s IS NOT NULL, s <=> 'a', f64 <=> f32, dt < DATE '2000-01-01' FROM every_type;
SELECT id, f64 < f32, f64 = 0.0D, f32 > float('NaN'), f64 >= double('NaN') FROM every_type;
-- error NUMERIC_VALUE_OUT_OF_RANGE before 4.0
SELECT id, d5_2 < d18_4, d38_18 = d38_0, d9_9 > 0 FROM every_type;

-- expect native: RepriseProject
-- expect no guest
SELECT id, if(i32 > 0, 'positive', 'not') FROM every_type;
-- expect native: RepriseProject
-- expect no guest
SELECT id, if(b, i8, i16), if(b, i32, NULL), if(NULL, 1, 2) FROM every_type;
-- Natively however many branches there are, with what is left over too.
-- conf spark.reprise.sql.guests.enabled=false
-- expect native: RepriseProject
-- expect no guest
SELECT id, CASE WHEN i32 > 100 THEN 'big' WHEN i32 > 0 THEN 'some' WHEN i32 = 0 THEN '' END FROM every_type;
-- expect native: RepriseProject
-- expect no guest
SELECT id, CASE WHEN b THEN f64 WHEN i32 IS NULL THEN -0.0D ELSE double('NaN') END FROM every_type;
-- expect native: RepriseProject
-- expect no guest
SELECT id, CASE i32 WHEN 1 THEN 'one' WHEN 2 THEN 'two' WHEN 3 THEN 'three' WHEN 10 THEN 'ten' ELSE s END FROM every_type;
-- conf spark.reprise.sql.guests.enabled=true
-- expect native: RepriseProject
-- expect no guest
SELECT id, CASE WHEN b THEN d5_2 ELSE d18_4 END FROM every_type;
-- expect native: RepriseProject
-- expect no guest
SELECT id, CASE WHEN b THEN dt WHEN NOT b THEN DATE '2000-01-01' END FROM every_type;
-- expect native: RepriseProject
-- expect no guest
SELECT id, coalesce(nothing, i32, 7), coalesce(s, 'none'), coalesce(b, false) FROM every_type;
-- expect native: RepriseProject
-- expect no guest
SELECT id, coalesce(d5_2, d18_4), coalesce(f32, f64), coalesce(dt, DATE '1999-09-09') FROM every_type;
-- expect native: RepriseProject
-- expect no guest
SELECT id, nvl(i32, -1), nvl2(i32, 'there', 'null'), nullif(i32, 1), ifnull(s, '?') FROM every_type;
SELECT id, i32 IN (1, 2, NULL), s IN ('abc', 'a'), i64 NOT IN (0, 1) FROM every_type;

-- A branch that is not taken raises no error.
-- expect native: RepriseProject
-- expect no guest
SELECT n, if(i32 = 0, 0, n / i32), CASE WHEN i32 <> 0 THEN n % i32 ELSE -1 END FROM small;
-- expect native: RepriseProject
-- expect no guest
SELECT n, coalesce(i64, 1 / (n - n)) FROM small WHERE i64 IS NOT NULL;
SELECT n FROM small WHERE i32 <> 0 AND n / i32 > 3;

-- Nested and repeated expressions; alias chains; columns dropped below.
SELECT x + x, x * 2, y FROM (SELECT n + 1 AS x, g + n AS y, k FROM small WHERE g > 1) WHERE x > 5;
SELECT k FROM (SELECT *, n * 2 AS m FROM small) WHERE m > 10 AND i32 IS NOT NULL;
SELECT n, upper(k), n + 1 FROM small;
SELECT n, struct(n, k), array(n, i32), map('k', k) FROM small WHERE n < 9;
