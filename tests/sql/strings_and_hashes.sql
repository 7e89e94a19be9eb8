-- Functions of strings, and hashes of every type.
-- each spark.sql.ansi.enabled=true|false

-- expect native: RepriseProject
SELECT id, trim(s), ltrim(s), rtrim(s), trim(BOTH 'a' FROM s), trim(LEADING 'aÄä日' FROM s), trim(TRAILING 'c w本' FROM s), btrim(s, s) FROM every_type;
-- expect native: RepriseProject
SELECT id, reverse(s), repeat(s, 2), repeat(s, -1), replace(s, 'a', 'bc'), replace(s, 'ab'), replace(s, '', 'x'), replace(s, s, 'all') FROM every_type;
SELECT id, repeat(s, i8) FROM every_type WHERE i8 BETWEEN -3 AND 10;
-- expect native: RepriseProject
SELECT id, lpad(s, 5, '*'), rpad(s, 5, 'äö'), lpad(s, 2), rpad(s, 7), lpad(s, 4, ''), rpad(s, -3, 'x') FROM every_type;
SELECT id, lpad(s, i16, '-') FROM every_type WHERE i16 BETWEEN -100 AND 100;
-- expect native: RepriseProject
SELECT id, concat(s, '-', s), s || CAST(id AS STRING), concat_ws('/', s, CAST(i32 AS STRING), CAST(NULL AS STRING), 'x'), concat_ws(s, 'a', 'b'), concat(s), concat_ws('-') FROM every_type;
-- expect native: RepriseProject
SELECT id, length(s), char_length(s), octet_length(s), bit_length(s), length(bin), octet_length(bin), bit_length(bin) FROM every_type;
SELECT id, ascii(s), ascii(substring(s, 2)), ascii(''), ascii('größe'), ascii('ö'), ascii('€'), ascii('😀'), ascii(CAST(NULL AS STRING)) FROM every_type;
-- expect native: RepriseProject
SELECT id, instr(s, 'b'), instr(s, ''), instr('abcabc', s), instr(s, '本') FROM every_type;
SELECT length(trim(s)) AS n, count(*) FROM every_type GROUP BY length(trim(s));
SELECT id FROM every_type WHERE length(s) > 5 AND trim(s) <> s;
SELECT id, CASE WHEN i32 > 0 THEN repeat(s, 2) ELSE concat(s, s, s) END FROM every_type WHERE length(s) < 50;
-- expect native: RepriseProject
SELECT id, xxhash64(b), xxhash64(i8), xxhash64(i16), xxhash64(i32), xxhash64(i64), xxhash64(f32), xxhash64(f64), xxhash64(s), xxhash64(bin), xxhash64(dt), xxhash64(ts), xxhash64(tsn) FROM every_type;
-- expect native: RepriseProject
SELECT id, xxhash64(d5_2), xxhash64(d9_0), xxhash64(d9_9), xxhash64(d18_4), xxhash64(d19_0), xxhash64(d20_6), xxhash64(d38_0), xxhash64(d38_18) FROM every_type;
SELECT id, xxhash64(id, s, bin, f64, CAST(NULL AS INT), d38_0, ts), xxhash64('Spark', s), hash(s, bin, d38_18), xxhash64(repeat(s, 5)) FROM every_type;
