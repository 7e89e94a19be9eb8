-- Without ANSI: integers wrap, a division by zero is null, decimals that don't fit are null.
-- conf spark.sql.ansi.enabled=false

-- expect native: RepriseProject
SELECT id, i32 + 1, i32 - 2, i32 * 2, -i32, abs(i32) FROM every_type;
SELECT id, i64 + 1, i64 - 2, i64 * 3, -i64, abs(i64) FROM every_type;
SELECT id, i16 + 1S, i16 * 2S, -i16, abs(i16), i8 + 1Y, i8 * 2Y, -i8, abs(i8) FROM every_type;
SELECT id, i32 + i64, i16 * i32, i8 - i64 FROM every_type;
SELECT id, i32 / 0, i32 % 0, i32 div 0, f64 / 0.0D, f64 % 0.0D FROM every_type;
SELECT id, i32 / i16, i32 % i16, i32 div i16, i64 div i64, i64 % i64 FROM every_type;
SELECT id, i64 div -1, i64 % -1, i32 % -1, i32 div -1 FROM every_type;
SELECT id, f64 / f64, f64 % f64, f32 / f32, f32 % f32 FROM every_type;
SELECT id, d38_0 + 1, d38_0 * 10, d38_0 - d38_18, d38_18 * d38_18 FROM every_type;
SELECT id, d18_4 * d18_4, d18_4 / d18_4, d18_4 % d5_2, d20_6 + d38_18 FROM every_type;
SELECT id, d5_2 / 0, d5_2 % 0, d38_18 / d9_9 FROM every_type;
SELECT sum(i64), sum(i32), sum(d38_0), avg(d38_0), sum(d38_18) FROM every_type;
