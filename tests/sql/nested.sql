-- Arrays, maps and structs made and taken apart natively.
-- conf spark.sql.ansi.enabled=true

-- expect native: RepriseProject, RepriseShuffleExchange
-- expect no guest
SELECT n, s.x, s.y, s.z[0], s.z, size(s.z), s FROM (SELECT n, named_struct('x', n, 'y', k, 'z', array(i32, n)) AS s FROM small) DISTRIBUTE BY n SORT BY n;
-- expect native: RepriseHashAggregate
-- expect no guest
SELECT s.g, s.k, sum(n) FROM (SELECT named_struct('g', g, 'k', k) AS s, n FROM small) GROUP BY s;
-- expect no guest
SELECT id, s.a, s.b, s.c, s.d, s.e, s.f, s.g, s.h, s.i, s.j, s.k, s.l, s.m FROM (SELECT id, named_struct('a', b, 'b', i8, 'c', i16, 'd', i64, 'e', f32, 'f', f64, 'g', dt, 'h', ts, 'i', tsn, 'j', d38_18, 'k', d20_6, 'l', s, 'm', bin) AS s FROM every_type) DISTRIBUTE BY id SORT BY id;
-- expect no guest
SELECT id, a[0], b[1], c[0], d[1], e[0], f[1], g[0], h[1], i[0], j[1], k[0], l[1], m[0] FROM (SELECT id, array(b, NOT b) AS a, array(i8, NULL) AS b, array(i16) AS c, array(i64, i64) AS d, array(f32) AS e, array(NULL, f64) AS f, array(dt) AS g, array(ts, ts) AS h, array(tsn) AS i, array(NULL, d38_18, d38_18) AS j, array(d20_6) AS k, array(s, concat(s, 'x')) AS l, array(bin, bin) AS m FROM every_type) DISTRIBUTE BY id SORT BY id;
-- expect no guest
SELECT id, a, j, l, m, b FROM (SELECT id, array(b, NOT b, NULL) AS a, array(NULL, d38_18, d38_18) AS j, array(s, NULL, concat(s, 'x')) AS l, array(bin, bin) AS m, array(i8, NULL, i8) AS b FROM every_type) DISTRIBUTE BY id SORT BY id;
-- Nested in each other, and null.
-- expect no guest
SELECT n, s.i.j.k, s.i.l[1].m, s.i.l[0] FROM (SELECT n, named_struct('i', named_struct('j', named_struct('k', k), 'l', array(named_struct('m', n), if(n % 2 = 0, NULL, named_struct('m', i32))))) AS s FROM small) DISTRIBUTE BY n SORT BY n;
-- expect no guest
SELECT n, s.x, s.y.z, a[0], size(a) FROM (SELECT n, if(n % 2 = 0, NULL, named_struct('x', n, 'y', named_struct('z', k))) AS s, if(n % 3 = 0, NULL, array(k)) AS a FROM small) DISTRIBUTE BY n SORT BY n;
SELECT n, size(m), size(if(n % 2 = 0, NULL, m)), cardinality(m), m FROM (SELECT n, map('a', n, 'b', i32) AS m FROM small) DISTRIBUTE BY n SORT BY n;
-- error java.lang.AssertionError before 4.0
SELECT n, array(), size(array()), struct(), array(NULL) FROM small DISTRIBUTE BY n SORT BY n;
SELECT n, element_at(array(k, 'x'), 1 + n % 2), array(i32, n)[n % 2] FROM small WHERE n >= 0 DISTRIBUTE BY n SORT BY n;
-- As many fields as more than one word of null bits has.
-- expect no guest
SELECT count(*), sum(s.c70), max(s.c1), count(s.c65) FROM (SELECT named_struct('c1', n, 'c2', 1, 'c3', 1, 'c4', 1, 'c5', 1, 'c6', 1, 'c7', 1, 'c8', 1, 'c9', 1, 'c10', 1, 'c11', 1, 'c12', 1, 'c13', 1, 'c14', 1, 'c15', 1, 'c16', 1, 'c17', 1, 'c18', 1, 'c19', 1, 'c20', 1, 'c21', 1, 'c22', 1, 'c23', 1, 'c24', 1, 'c25', 1, 'c26', 1, 'c27', 1, 'c28', 1, 'c29', 1, 'c30', 1, 'c31', 1, 'c32', 1, 'c33', 1, 'c34', 1, 'c35', 1, 'c36', 1, 'c37', 1, 'c38', 1, 'c39', 1, 'c40', 1, 'c41', 1, 'c42', 1, 'c43', 1, 'c44', 1, 'c45', 1, 'c46', 1, 'c47', 1, 'c48', 1, 'c49', 1, 'c50', 1, 'c51', 1, 'c52', 1, 'c53', 1, 'c54', 1, 'c55', 1, 'c56', 1, 'c57', 1, 'c58', 1, 'c59', 1, 'c60', 1, 'c61', 1, 'c62', 1, 'c63', 1, 'c64', 1, 'c65', i32, 'c66', 1, 'c67', 1, 'c68', 1, 'c69', 1, 'c70', n) AS s FROM small DISTRIBUTE BY n);
-- conf spark.sql.adaptive.enabled=false
-- Places outside of an array.
-- error INVALID_ARRAY_INDEX
SELECT sum(array(n, i32)[n]) FROM small;
SELECT array(5 - id, id)[if(id < 5, 0, 7)] AS x FROM range(0, 10, 1, 1) LIMIT 5;
-- error INVALID_ARRAY_INDEX
SELECT sum(x) FROM (SELECT array(5 - id, id)[if(id < 5, 0, 7)] AS x FROM range(0, 10, 1, 1));
-- Of an array that is taken apart at once Spark makes the element alone.
-- expect no guest
SELECT sum(array(id, 10 div (id - id))[0]) FROM range(0, 10, 1, 1);
-- error DIVIDE_BY_ZERO
SELECT sum(named_struct('a', id, 'b', 10 div (5 - id)).b) FROM range(0, 10, 1, 1);
-- expect no guest
SELECT a[if(n < 0, n, 0)] FROM (SELECT n, if(n < 0, NULL, array(n)) AS a FROM small) WHERE a IS NOT NULL DISTRIBUTE BY n SORT BY n;
-- conf spark.sql.ansi.enabled=false
-- expect no guest
SELECT n, array(n, i32)[n], array(n, i32)[-1], size(if(n % 2 = 0, NULL, array(n))) FROM small DISTRIBUTE BY n SORT BY n;
-- conf spark.sql.ansi.enabled=true
-- Fields of merged subqueries, and of one that is a struct.
SELECT n FROM small WHERE n > (SELECT min(n) FROM small) AND n < (SELECT max(n) FROM small);
-- expect no guest
SELECT n, (SELECT named_struct('a', min(n), 'b', max(k)) FROM small).b FROM small DISTRIBUTE BY n SORT BY n;
-- conf spark.sql.adaptive.enabled=true
-- As group keys and join keys, where Spark has made one side.
SELECT count(*), count(DISTINCT a.s) FROM (SELECT named_struct('k', k, 'd', d30_10) AS s FROM small) a JOIN (SELECT DISTINCT named_struct('k', initcap(lower(k)), 'd', d30_10) AS s FROM small) b ON a.s = b.s;
SELECT a, count(*) FROM (SELECT array(k, concat(k, 'x')) AS a FROM small UNION ALL SELECT split(concat(k, ',', k, 'x'), ',') FROM small) GROUP BY a;
-- error NUMERIC_VALUE_OUT_OF_RANGE before 4.0
-- expect native: RepriseHashAggregate
SELECT a, count(*) FROM (SELECT array(d38_0, d38_18) AS a FROM every_type UNION ALL SELECT transform(array(d38_0, d38_18), x -> x) FROM every_type) GROUP BY a;
-- Types that differ only in what they say of nulls and names.
-- expect native: RepriseHashAggregate
SELECT s, count(*), sum(n) FROM (SELECT if(n % 3 = 0, NULL, named_struct('a', coalesce(f64, -0.0D), 'b', array(coalesce(f32, float('NaN'))))) AS s, n FROM small) GROUP BY s;
-- expect native: RepriseUnion
SELECT named_struct('a', n, 'b', k) AS s FROM small UNION ALL SELECT named_struct('c', coalesce(n, 0), 'd', 'x') FROM small;
SELECT n, if(n > 3, array(n), array(1)), coalesce(if(n > 3, map('a', n), NULL), map('b', 1)), CASE WHEN n > 3 THEN named_struct('a', 1) ELSE named_struct('a', n) END FROM small DISTRIBUTE BY n SORT BY n;
-- expect native: RepriseWindow
SELECT n, lead(s, 1, named_struct('x', 0)) OVER (PARTITION BY g ORDER BY n, k), max(n) OVER (PARTITION BY s) FROM (SELECT n, g, k, named_struct('x', n) AS s FROM small);
