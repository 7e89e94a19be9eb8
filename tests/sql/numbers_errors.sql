-- Remainders of a division by zero; whole numbers that are no bigint.

-- conf spark.sql.ansi.enabled=true
-- error REMAINDER_BY_ZERO
SELECT pmod(i32, i8) FROM every_type;
-- error ARITHMETIC_OVERFLOW since 4.3
SELECT id, ceil(f64) FROM every_type;
-- error ARITHMETIC_OVERFLOW since 4.3
SELECT id, floor(f32) FROM every_type;
-- conf spark.sql.ansi.enabled=false
-- expect native: RepriseProject
SELECT id, pmod(i32, i8), pmod(f64, f32) FROM every_type;
