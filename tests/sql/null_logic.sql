-- Every pair of the three truth values, under every connective.
SELECT a, b, a AND b, a OR b, NOT a, a = b, a <=> b, a < b, a != b, a IS NULL, b IS NOT NULL
FROM (SELECT x.b AS a, y.b AS b FROM (SELECT DISTINCT b FROM every_type) x CROSS JOIN (SELECT DISTINCT b FROM every_type) y);

SELECT id FROM every_type WHERE (b AND nothing > 1) IS NULL;
SELECT id FROM every_type WHERE b AND nothing > 1;
SELECT id FROM every_type WHERE b OR nothing > 1;
SELECT id FROM every_type WHERE NOT (b OR nothing > 1);
SELECT id, (i32 > 0 AND i64 > 0) OR (b AND NULL), (i32 > 0 OR NULL) AND b FROM every_type;
SELECT id, i32 = NULL, i32 <=> NULL, NULL = NULL, NULL <=> NULL FROM every_type WHERE id < 9;
SELECT id, isnull(i32 + i64), isnan(f64), i32 BETWEEN NULL AND 5 FROM every_type WHERE i64 BETWEEN -1000 AND 1000 AND i32 BETWEEN -1000 AND 1000;
SELECT count(*), count(b), count(nothing), count(i32 + nothing) FROM every_type WHERE i32 < 100;
SELECT b, count(*) FROM every_type WHERE b IS NOT TRUE GROUP BY b;
SELECT count(*) FROM every_type WHERE b IS UNKNOWN OR b IS FALSE;
