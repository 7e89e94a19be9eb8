-- Keys that compare in their own ways, through exchanges and in hash tables: NaN, -0.0, infinities, nulls, edges.
-- each spark.sql.autoBroadcastJoinThreshold=-1|10MB
-- each spark.sql.adaptive.enabled=true|false

SELECT f64, count(*), min(id), max(id) FROM every_type GROUP BY f64;
SELECT f32, f64, count(*) FROM every_type GROUP BY f32, f64;
SELECT DISTINCT f64 FROM every_type;
SELECT f64, d, count(*) FROM (SELECT f64, -f64 AS d FROM every_type) GROUP BY f64, d;
SELECT l.id, r.id, l.f64, r.f64 FROM every_type l JOIN every_type r ON l.f64 = r.f64 WHERE l.id < 60 AND r.id < 60;
SELECT l.id, r.id FROM every_type l JOIN every_type r ON l.f32 = r.f32 AND l.b = r.b WHERE l.id < 90 AND r.id < 90;
SELECT l.id, r.id FROM every_type l JOIN every_type r ON l.f64 <=> r.f64 WHERE l.id < 40 AND r.id < 40;
SELECT l.id, r.id FROM every_type l LEFT JOIN every_type r ON l.f64 = -r.f64 WHERE l.id < 40;
SELECT l.id FROM every_type l LEFT ANTI JOIN every_type r ON l.f64 = r.f64 AND r.id > 300;
SELECT l.id, r.id FROM every_type l FULL JOIN every_type r ON l.f64 = r.f64 AND l.id < 20 AND r.id < 20 WHERE coalesce(l.id, 0) < 30 AND coalesce(r.id, 0) < 30;
SELECT l.id FROM every_type l LEFT SEMI JOIN every_type r ON l.s = r.s AND l.i8 = r.i8;
SELECT l.id, r.id FROM every_type l JOIN every_type r ON l.nothing = r.nothing;
SELECT l.id, r.id FROM every_type l JOIN every_type r ON l.nothing <=> r.nothing WHERE l.id < 12 AND r.id < 12;
SELECT l.id, r.n FROM every_type l JOIN small r ON l.i64 = r.n;
SELECT l.id, r.id FROM every_type l JOIN every_type r ON l.d38_18 = r.d38_18 WHERE l.id < 80 AND r.id < 80;
-- error NUMERIC_VALUE_OUT_OF_RANGE before 4.0
SELECT l.id, r.id FROM every_type l JOIN every_type r ON l.d38_0 = r.d20_6 WHERE l.id < 200 AND r.id < 200;
SELECT l.id, r.id FROM every_type l JOIN every_type r ON l.bin = r.bin AND l.dt = r.dt WHERE l.id < 200 AND r.id < 200;
SELECT l.id, r.id FROM every_type l JOIN every_type r ON l.ts = r.ts AND l.i16 = r.i16 WHERE l.id < 200 AND r.id < 200;
SELECT l.id, r.id FROM every_type l JOIN every_type r ON l.s = r.s WHERE l.id < 60 AND r.id < 60;
SELECT d38_0, count(*), min(d38_18), max(d38_18) FROM every_type GROUP BY d38_0;
SELECT d38_18, d9_9, count(*) FROM every_type GROUP BY d38_18, d9_9;
SELECT s, bin, count(*) FROM every_type GROUP BY s, bin;
SELECT b, i8, i16, i32, i64, dt, ts, tsn, count(*) FROM every_type GROUP BY b, i8, i16, i32, i64, dt, ts, tsn;
SELECT l.i32, r.i32 FROM no_rows l JOIN every_type r ON l.i32 = r.i32;
SELECT l.i32, r.id FROM no_rows l RIGHT JOIN every_type r ON l.f64 = r.f64 WHERE r.id < 10;
SELECT l.id, r.id FROM every_type l FULL JOIN no_rows r ON l.s = r.s WHERE l.id < 10;
SELECT l.id FROM every_type l LEFT ANTI JOIN no_rows r ON l.s = r.s WHERE l.id < 10;
