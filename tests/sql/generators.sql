-- Rows out of arrays, maps and arrays of structs.
-- each spark.sql.adaptive.enabled=true|false

-- expect native: RepriseGenerate, RepriseHashAggregate
SELECT word, count(*), sum(n) FROM (SELECT explode(split(concat(k, ' ', g), ' ')) AS word, n FROM small) GROUP BY word;
-- expect native: RepriseGenerate
SELECT n, k, c, length(c) FROM (SELECT n, k, explode(array(k, concat(k, g), NULL)) AS c FROM small) WHERE n % 3 = 1 DISTRIBUTE BY n SORT BY n;
SELECT n, pos, col FROM (SELECT n, posexplode(array(n, i32, NULL)) FROM small) DISTRIBUTE BY n SORT BY n, pos;
SELECT n, key, value FROM (SELECT n, explode(map('a', n, 'b', i32)) FROM small) DISTRIBUTE BY n SORT BY n, key;
SELECT n, pos, key, value FROM (SELECT n, posexplode(map(n, k, n + 1, 'x')) FROM small) DISTRIBUTE BY n SORT BY n, pos;
-- expect native: RepriseGenerate
SELECT n, a, b, c FROM (SELECT n, inline(array(named_struct('a', n, 'b', k, 'c', d30_10), named_struct('a', i32, 'b', NULL, 'c', CAST(1 AS DECIMAL(30, 10))), NULL)) FROM small) DISTRIBUTE BY n SORT BY n, a;
-- Nothing to give: null and empty collections, with and without the outer forms.
SELECT n, c FROM (SELECT n, explode(if(n % 3 = 0, NULL, if(n % 3 = 1, array(), array(n, NULL)))) AS c FROM small) DISTRIBUTE BY n SORT BY n;
SELECT n, c FROM (SELECT n, explode_outer(if(n % 3 = 0, NULL, if(n % 3 = 1, array(), array(n, NULL)))) AS c FROM small) DISTRIBUTE BY n SORT BY n;
SELECT n, pos, col FROM (SELECT n, posexplode_outer(if(n % 3 = 0, NULL, if(n % 3 = 1, array(), array(n, NULL)))) FROM small) DISTRIBUTE BY n SORT BY n;
SELECT n, pos, key, value FROM (SELECT n, posexplode_outer(if(n % 3 = 0, NULL, if(n % 3 = 1, map(), map(n, k)))) FROM small) DISTRIBUTE BY n SORT BY n;
SELECT n, a, b FROM (SELECT n, inline_outer(if(n % 3 = 0, NULL, if(n % 3 = 1, array(), array(named_struct('a', n, 'b', array(k)), NULL)))) FROM small) DISTRIBUTE BY n SORT BY n;
SELECT small.n, t.c FROM small LATERAL VIEW OUTER explode(if(n % 2 = 0, array(k, 'x'), NULL)) t AS c WHERE n > 2 DISTRIBUTE BY n SORT BY n, c;
SELECT n, x, y FROM small LATERAL VIEW explode(array(1, 2, 3)) AS x LATERAL VIEW explode(array(x, n)) AS y DISTRIBUTE BY n SORT BY n, x, y;
-- Elements of every type, nested ones too.
SELECT id, a, b, c, d, e, f FROM (SELECT id, inline(array(named_struct('a', array(i8, NULL), 'b', map(id, s), 'c', named_struct('x', bin, 'y', ts), 'd', make_dt_interval(id % 10), 'e', CAST(d38_18 AS DECIMAL(38, 18)), 'f', tsn))) FROM every_type) DISTRIBUTE BY id SORT BY id;
SELECT id, a, b, c, d, e, f, g, h, i, j, k, l, m FROM (SELECT id, inline(array(named_struct('a', b, 'b', i8, 'c', i16, 'd', i64, 'e', f32, 'f', f64, 'g', dt, 'h', ts, 'i', tsn, 'j', d38_18, 'k', d20_6, 'l', s, 'm', bin))) FROM every_type) DISTRIBUTE BY id SORT BY id;
SELECT id, c FROM (SELECT id, explode(array(b, NOT b)) AS c FROM every_type) DISTRIBUTE BY id SORT BY id, c;
SELECT id, c FROM (SELECT id, explode(array(i8)) AS c FROM every_type UNION ALL SELECT id, explode(array(i16, i16)) FROM every_type) DISTRIBUTE BY id SORT BY id, c;
SELECT id, c FROM (SELECT id, explode(array(dt, NULL)) AS c FROM every_type) DISTRIBUTE BY id SORT BY id, c;
SELECT id, c FROM (SELECT id, explode(array(f32)) AS c FROM every_type) DISTRIBUTE BY id SORT BY id, c;
SELECT id, c FROM (SELECT id, explode(array(array(s), array(NULL))) AS c FROM every_type) DISTRIBUTE BY id SORT BY id;
-- What an array of its own is made by comes from below, too.
SELECT n, x, count(*) FROM (SELECT n, explode(sequence(1, n % 5 + 1)) AS x FROM small) GROUP BY n, x;
SELECT x % 10 AS y, count(*), sum(x) FROM (SELECT explode(sequence(1, 50000)) AS x FROM range(3)) GROUP BY y;
SELECT count(*), sum(length(c)), min(n) FROM (SELECT n, explode(array(repeat(k, 3000), repeat('y', n), k)) AS c FROM small);
SELECT c, n FROM (SELECT n, explode(array(1, 2)) AS c FROM small) WHERE c = 2 LIMIT 5;
-- Errors come when their row is asked for.
SELECT c FROM (SELECT explode(array(10 div (5 - id), id)) AS c FROM range(0, 10, 1, 1)) LIMIT 10;
-- error DIVIDE_BY_ZERO
SELECT sum(c) FROM (SELECT explode(array(10 div (5 - id), id)) AS c FROM range(0, 10, 1, 1));
-- error INVALID_ARRAY_INDEX
SELECT sum(c) FROM (SELECT explode(array(array(1, 2)[id], id)) AS c FROM range(0, 10, 1, 1));
-- Those that Spark evaluates.
-- expect native: RepriseGenerate, RepriseGuestProject
SELECT a, b FROM (SELECT stack(2, n, k, i32, 'x') AS (a, b) FROM small);
SELECT n, x1, x2 FROM small LATERAL VIEW OUTER stack(3, n, k, NULL, 'x', n + i32) t AS x1, x2 DISTRIBUTE BY n SORT BY n, x1;
-- expect native: RepriseGenerate, RepriseGuestProject
SELECT c0, c1 FROM (SELECT json_tuple(concat('{"a":', n, ',"b":"', k, '"}'), 'a', 'b') FROM small);
SELECT a.c, b.k FROM (SELECT n, explode(array(k, 'x')) AS c FROM small) a JOIN small b ON a.n = b.n AND a.c = b.k;
SELECT g, c, sum(n) OVER (PARTITION BY g, c ORDER BY n) FROM (SELECT g, n, explode(array('p', 'q')) AS c FROM small);
