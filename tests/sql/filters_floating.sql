-- Conditions on floating-point columns.
-- Without push-down: Spark prunes row groups by statistics that leave NaN out and order -0.0 before 0.0, and so loses
-- rows of these very conditions, depending on who wrote the file. Reprise keeps them.
-- conf spark.sql.parquet.filterPushdown=false

-- NaN equals NaN and is the greatest; -0.0 equals 0.0.
SELECT id, f64 FROM every_type WHERE f64 = double('NaN');
SELECT id, f64 FROM every_type WHERE f64 > double('Infinity');
SELECT id, f64 FROM every_type WHERE f64 = 0.0D;
SELECT id, f64 FROM every_type WHERE f64 < 0.0D;
SELECT id, f64 FROM every_type WHERE f64 <=> -0.0D;
SELECT id, f32 FROM every_type WHERE f32 >= float('NaN');
SELECT id, f32 FROM every_type WHERE f32 <= float('-Infinity') OR f32 = float('-0.0');
SELECT id FROM every_type WHERE f64 != f32;
SELECT id FROM every_type WHERE NOT (f64 < 1.0D);
