-- Text of bytes and bytes of text, and calls of static methods, which the method's class names.
-- conf spark.sql.ansi.enabled=true
-- each spark.sql.chunkBase64String.enabled=false|true

-- expect native: RepriseProject since 4.0
SELECT id, base64(s), base64(CAST(s AS BINARY)), base64(CAST(CAST(id AS STRING) AS BINARY)), base64(encode(s, 'UTF-8')) FROM every_type;
SELECT id, base64(repeat(s, 20)), length(base64(repeat('x', CAST(id AS INT)))) FROM every_type WHERE id < 300;
SELECT base64(CAST(NULL AS BINARY)), base64(X''), base64(X'FF'), base64(X'FFFE'), base64(X'00FFFE') FROM range(3);
-- expect native: RepriseProject since 4.0
SELECT id, encode(s, 'utf-8'), decode(encode(s, 'UTF-8'), 'Utf-8'), encode(s, 'UTF-16BE'), decode(encode(s, 'UTF-16'), 'UTF-16') FROM every_type;
SELECT count(encode(concat(s, 'ü€😀'), 'UTF-8')), count(decode(CAST(concat(s, 'ü€😀') AS BINARY), 'UTF-8')), count(encode(NULL, s)) FROM every_type;
-- error MALFORMED_CHARACTER_CODING since 4.0
SELECT id, decode(if(id > 5, X'C3', CAST(s AS BINARY)), 'UTF-8') FROM every_type;
SELECT id, encode('a', if(id % 2 = 0, 'UTF-8', 'UTF-16LE')) FROM every_type;

-- conf spark.sql.legacy.codingErrorAction=true
SELECT id, decode(if(id < 0, X'C328', CAST(s AS BINARY)), 'UTF-8') FROM every_type;

SELECT id, json_array_length(concat('[', id, ',{"a":[1,2]},"x]",', i32, ']')) FROM every_type;
SELECT j, json_array_length(j) FROM VALUES ('[]'), ('[ ]'), (' [1, 2 ,3]x'), ('[1,]'), ('[1'), ('['), (''), ('  '), ('1'), ('"[1]"'), ('{"a":[1]}'), ('x'), ('nul'), (NULL), ('[[1,2],[3]]'), ("['a']"), ('[NaN]'), ('[1 2]'), ('["ü", "\\u00e9"]'), ('ü'), ('[null, true, 1.5e3, -0]'), ('[01]'), ('\t[1]'), ('[1]]') AS t(j);
SELECT id, json_array_length(s), json_object_keys(concat('{"a":', id, '}')) FROM every_type;
