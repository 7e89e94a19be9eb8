-- What is found in arrays and maps by its place, key or value, and numbers of texts.
-- each spark.sql.ansi.enabled=true|false
-- expect no guest
SELECT id, m['k1'].x, m['none'], element_at(m, 'k1').t, element_at(mi, CAST(id AS INT)), mi[id] FROM nested_types DISTRIBUTE BY id SORT BY id;
-- expect no guest
SELECT n, m, m['a'], m['b'], size(m), map(1, k, 2, NULL)[2], map(DATE '2024-02-29', array(n)) FROM (SELECT n, k, map('a', n, 'b', i32, '', NULL) AS m FROM small) DISTRIBUTE BY n SORT BY n;
-- expect native: RepriseHashAggregate
SELECT m['a'] AS a, count(*), max(m['b']) FROM (SELECT map('a', k, 'b', CAST(n AS STRING)) AS m FROM small) GROUP BY m['a'];
SELECT n, map(n, k), map(n, n, n + 1, i32) FROM small DISTRIBUTE BY n SORT BY n;
-- expect no guest
SELECT id, array_contains(l_s, 'a'), array_contains(l_i32, 3), array_contains(l_i64, id), array_contains(l_i64, CAST(NULL AS BIGINT)), array_contains(l_f64, CAST('NaN' AS DOUBLE)), array_contains(l_f32, CAST(0 AS FLOAT)), array_contains(l_dt, DATE '2024-02-29'), array_contains(l_bin, X'00') FROM nested_types DISTRIBUTE BY id SORT BY id;
SELECT id, array_contains(l_d38_0, CAST(1 AS DECIMAL(38,0))), array_contains(l_b, true) FROM nested_types DISTRIBUTE BY id SORT BY id;
-- expect no guest
SELECT n, element_at(array(k, 'x'), 1 + n % 2), element_at(array(n, i32), -1), element_at(array(n, i32), -2) FROM small WHERE n >= 0 DISTRIBUTE BY n SORT BY n;
-- expect no guest
SELECT id, array(s, NULL, concat(s, 'x'))[if(id % 5 = 4, NULL, CAST(id % 3 AS INT))], array(array(id), NULL)[CAST(id % 2 AS INT)], array(b, NOT b)[1], element_at(array(d38_18, NULL, d38_18), CAST(1 + id % 3 AS INT)), element_at(array(bin), if(id % 2 = 0, -1, NULL)), element_at(array(s, 'y'), CAST(NULL AS INT)), element_at(array(named_struct('x', id), NULL), CAST(1 + id % 2 AS INT)).x FROM every_type DISTRIBUTE BY id SORT BY id;
SELECT e, count(*) FROM (SELECT element_at(array(k, concat(k, 'y')), CAST(1 + n % 2 AS INT)) AS e FROM small WHERE n >= 0) GROUP BY e;
-- expect no guest
SELECT id, substring_index(s, 'a', 1), substring_index(s, 'a', -1), substring_index(s, '', 1), substring_index(concat('aaaa', s), 'aa', 2), substring_index(concat(s, 'aaaa'), 'aa', -2), substring_index(s, s, id), hex(s), hex(bin), hex(i64), hex(i32) FROM every_type DISTRIBUTE BY id SORT BY id;
-- expect no guest
SELECT id, width_bucket(f64, 0, 100, 10), width_bucket(f64, 100, -100, 7), width_bucket(i32, 1, 1, 2), width_bucket(i32, -5, 5, 0), width_bucket(f64, f64, 10, 3), width_bucket(f32, -1e300, 1e300, 9223372036854775806) FROM every_type DISTRIBUTE BY id SORT BY id;
SELECT id, conv(s, 10, 16), conv(CAST(i64 AS STRING), 10, 2), conv(CAST(i32 AS STRING), 10, -16), conv(hex(i64), 16, -10), conv(' -7z', 10, 8), conv('', 10, 2), conv(s, 37, 2), levenshtein(s, 'größe'), levenshtein(s, concat('x', s)), levenshtein(s, 'abc', 2) FROM every_type DISTRIBUTE BY id SORT BY id;
-- conf spark.sql.ansi.enabled=false
SELECT n, element_at(array(k), n), element_at(array(n), -2) FROM small WHERE n <> 0 DISTRIBUTE BY n SORT BY n;
-- error DUPLICATED_MAP_KEY
SELECT map('a', n, 'a', i32) FROM small;
-- error NULL_MAP_KEY
SELECT map(CAST(NULL AS STRING), n) FROM small;
-- conf spark.sql.ansi.enabled=true
-- error INVALID_ARRAY_INDEX_IN_ELEMENT_AT
SELECT n, element_at(array(k), n) FROM small WHERE n <> 0 DISTRIBUTE BY n SORT BY n;
-- error INVALID_INDEX_OF_ZERO
SELECT n, element_at(array(k), n - n) FROM small DISTRIBUTE BY n SORT BY n;
SELECT n, conv(repeat('9', n), 10, 16) FROM small WHERE n < 18 DISTRIBUTE BY n SORT BY n;
-- error ARITHMETIC_OVERFLOW
SELECT n, conv(repeat('9', 20 + n), 10, 16) FROM small WHERE n >= 0 DISTRIBUTE BY n SORT BY n;
