-- Arithmetic that no value of the table overflows, with ANSI on and off.
-- each spark.sql.ansi.enabled=true|false

-- expect native: RepriseProject
SELECT n, i32 + g, i32 - g, i32 * g, -i32, abs(i32), +i32 FROM small;
SELECT n, i8 + i8, i8 - 1Y, i8 * 2Y, -i8, abs(i8) FROM small WHERE i8 BETWEEN -40 AND 40;
SELECT n, i16 + i8, i16 * i32, i64 - i32, i64 * 3 FROM small;
SELECT n, i32 / 7, i32 / 3.0D, i64 / 2 FROM small;
SELECT n, i32 % 7, i64 % -3, i16 % 5S, i8 % 4Y, mod(i32, 9) FROM small;
SELECT n, i32 div 7, i64 div -3, i8 div 2Y FROM small;
SELECT n, pmod(i32, 7), pmod(i64, 5) FROM small;
SELECT n, f64 + f32, f64 - 0.1D, f64 * f64, -f64, abs(f64), f64 / 3.0D FROM small;
SELECT n, f32 + f32, f32 * 0.3F, -f32, abs(f32), f32 / 7 FROM small;
SELECT n, f64 % 0.7D, f32 % 2.0F FROM small;
SELECT id, f64 + 1.0D, f64 * 2.0D, -f64, abs(f64), f64 - f64, f64 / 2.0D FROM every_type;
SELECT id, f32 + 1.0F, f32 * 2.0F, -f32, abs(f32), f32 - f32 FROM every_type;
SELECT n, i32 + f64, i64 * f32, i8 + d5_2, i64 + d15_2, f64 + d5_2 FROM small;
SELECT n, NULL + i32, i32 * NULL FROM small WHERE n < 4;
SELECT n, bit_count(i32), i32 & 7, i32 | 1, i32 ^ i16, ~i32 FROM small;
SELECT n, greatest(i32, g), least(i32, g) FROM small;
SELECT n, sqrt(abs(f64)), round(f64, 1), floor(f64), ceil(f64) FROM small;
