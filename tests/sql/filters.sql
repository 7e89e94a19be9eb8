-- Conditions over every type, and the logic of nulls in them.
-- each spark.sql.adaptive.enabled=true|false

-- expect native: RepriseParquetScan, RepriseFilter
SELECT id, i32 FROM every_type WHERE i32 > 1;
SELECT id FROM every_type WHERE i8 >= 0 AND i16 < 100;
SELECT id FROM every_type WHERE i64 = 9223372036854775807 OR i64 = -9223372036854775808;
SELECT id, b FROM every_type WHERE b;
SELECT id, b FROM every_type WHERE NOT b;
SELECT id FROM every_type WHERE b = true AND NOT (i32 < 0);
SELECT id FROM every_type WHERE b IS NULL;
SELECT id FROM every_type WHERE b < true;
SELECT id, nothing FROM every_type WHERE nothing IS NULL AND id < 10;
SELECT id FROM every_type WHERE nothing > 0;
SELECT id FROM every_type WHERE nothing <=> NULL AND i32 <=> 1;

-- Strings and bytes compare as unsigned bytes.
SELECT id, s FROM every_type WHERE s = 'abc';
SELECT id, s FROM every_type WHERE s >= 'a' AND s < 'b';
SELECT id, s FROM every_type WHERE s > 'z';
SELECT id, s FROM every_type WHERE s = '';
SELECT id FROM every_type WHERE s <=> NULL;
SELECT id, s FROM every_type WHERE s > '日';
SELECT id, bin FROM every_type WHERE bin >= X'7A' OR bin = X'';
SELECT id FROM every_type WHERE s IN ('abc', '', '🦉 owl', 'no such');

SELECT id, dt FROM every_type WHERE dt < DATE '1970-01-01';
SELECT id, dt FROM every_type WHERE dt BETWEEN DATE '0001-01-01' AND DATE '1582-10-15';
SELECT id, ts FROM every_type WHERE ts >= TIMESTAMP '2000-01-01 00:00:00';
SELECT id, tsn FROM every_type WHERE tsn < TIMESTAMP_NTZ '2000-01-01 00:00:00';

SELECT id, d5_2 FROM every_type WHERE d5_2 > 1.00;
SELECT id, d5_2, d18_4 FROM every_type WHERE d5_2 = d18_4;
SELECT id, d18_4 FROM every_type WHERE d18_4 <= 0;
SELECT id, d38_18 FROM every_type WHERE d38_18 >= 0.5;
SELECT id, d38_0 FROM every_type WHERE d38_0 = 99999999999999999999999999999999999999BD;
SELECT id, d20_6, d38_18 FROM every_type WHERE d20_6 < d38_18;
SELECT id FROM every_type WHERE d9_9 <=> d9_9 AND d9_0 IN (1, -1, 5);
SELECT id FROM every_type WHERE d18_4 IN (0.0001, 0.0005, NULL);

-- IN and the three values of logic.
SELECT id, i32 FROM every_type WHERE i32 IN (1, 2, 3);
SELECT id, i32 FROM every_type WHERE i32 NOT IN (1, 2, 3);
SELECT id, i32 FROM every_type WHERE i32 IN (1, NULL);
SELECT id, i32 FROM every_type WHERE i32 NOT IN (1, NULL);
SELECT id FROM every_type WHERE i64 IN (0, 1, 2, 3, 7, 10, 100, 5, 6, 8, 9, 11, 12, 13, 14);
SELECT id FROM every_type WHERE f64 IN (double('NaN'), 0.0D, 1.5D);
SELECT id FROM every_type WHERE dt IN (DATE '1970-01-01', DATE '9999-12-31');
SELECT id FROM every_type WHERE (i32 > 0) = b;
SELECT id FROM every_type WHERE (i32 > 0) <=> b;
SELECT id FROM every_type WHERE (i32 > 0 OR b) IS NULL;
SELECT id FROM every_type WHERE (i32 > 0 AND b) IS NOT NULL;
SELECT id FROM every_type WHERE NOT (i32 > 0 OR i64 > 0);
SELECT id FROM every_type WHERE i32 IS NOT NULL AND (i32 > 0 OR (b AND f64 > 0) OR s = 'a');

-- All, none, and one row.
SELECT count(*), count(id) FROM every_type WHERE id >= 0;
SELECT id FROM every_type WHERE id < 0;
SELECT * FROM every_type WHERE id = 77;
SELECT * FROM no_rows WHERE i32 > 0;
SELECT id FROM every_type WHERE true;
SELECT id FROM every_type WHERE false;
SELECT id FROM every_type WHERE CAST(NULL AS BOOLEAN);

-- What does not run natively stays right.
SELECT id, s FROM every_type WHERE s LIKE 'a%' AND i32 > 0;
SELECT id, s FROM every_type WHERE length(s) > 3 AND i32 IS NOT NULL;
SELECT id FROM every_type WHERE i32 > 0 AND rand(3) < 2.0;
SELECT id FROM every_type WHERE i32 > (SELECT min(i32) FROM small) AND i64 IS NOT NULL;
