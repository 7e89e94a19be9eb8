-- Values without a native form pass through native operators as the bytes of Spark's rows.
-- conf spark.sql.legacy.allowHashOnMapType=true

-- Made by a guest, carried by exchanges, sorts, limits, unions, samples and joins.
-- expect native: RepriseProject, RepriseShuffleExchange, RepriseSort
SELECT * FROM (SELECT n, array(k, concat(k, g)) AS a, map(n, k) AS m, named_struct('x', n, 'y', k, 'z', array(i32, n)) AS s FROM small) DISTRIBUTE BY n SORT BY n;
-- expect native: RepriseTakeOrdered
-- ordered
SELECT n, k, g, array(k, concat(k, g)) AS a, named_struct('x', f64, 'y', ts) AS s FROM (SELECT n, k, g, f64, make_timestamp(2020, 1, 1, 0, 0, n % 60) AS ts FROM small) ORDER BY n, k, g, f64 LIMIT 20;
-- expect native: RepriseUnion
SELECT split(s, ' ') AS a FROM every_type UNION ALL SELECT array(k, NULL) FROM small UNION ALL SELECT array(k) FROM small;
-- expect native: RepriseShuffleExchange
SELECT /*+ REPARTITION(5) */ array(n) AS a, map('k', k) AS m FROM small;
SELECT count(*), sum(size(a)) FROM (SELECT array(n, i32) AS a FROM small LIMIT 100);
SELECT n, a FROM (SELECT n, array(k, 'n') AS a FROM small) TABLESAMPLE (30 PERCENT) REPEATABLE (3);
SELECT sum(size(a)), max(m['k']) FROM (SELECT /*+ COALESCE(1) */ array(n, i32) AS a, map('k', k) AS m FROM small);
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(b) */ a.n, a.a, b.s FROM (SELECT n, array(k, 'n') AS a FROM small) a JOIN (SELECT n, named_struct('k', k, 'g', g) AS s FROM small WHERE n % 3 = 0) b ON a.n = b.n;
-- expect native: RepriseSortMergeJoin
SELECT /*+ MERGE(b) */ a.n, a.a, b.s FROM (SELECT n, array(k, 'n') AS a FROM small) a LEFT JOIN (SELECT n, named_struct('k', k, 'g', g) AS s FROM small WHERE n % 3 = 0) b ON a.n = b.n;
SELECT /*+ SHUFFLE_HASH(b) */ a.n, a.a, b.s FROM (SELECT n, array(k, 'n') AS a FROM small) a FULL JOIN (SELECT n + 1 AS n, map(n, k) AS s FROM small WHERE n % 3 = 0) b ON a.n = b.n;
SELECT count(*), max(size(b.s)) FROM (SELECT n, array(k, 'n') AS a FROM small) a CROSS JOIN (SELECT map(n, k) AS s FROM small WHERE n < 3) b WHERE size(a.a) > 1;

-- First, last, count; other rows in windows.
-- expect native: RepriseHashAggregate
SELECT g, first(a), last(a, true), count(a), count(DISTINCT n), first(m), last(s) FROM (SELECT g, n, if(n % 3 = 0, NULL, array(k, 'n')) AS a, map(n, k) AS m, named_struct('x', n) AS s FROM small ORDER BY g, n, k LIMIT 1000) GROUP BY g;
-- expect native: RepriseHashAggregate
SELECT g, first(d), CAST(last(y) AS STRING), CAST(first(c) AS STRING) FROM (SELECT g, make_dt_interval(n) AS d, make_ym_interval(0, n) AS y, make_interval(0, n) AS c FROM small ORDER BY g, n, k LIMIT 1000) GROUP BY g;
-- expect native: RepriseWindow
SELECT g, n, lead(a) OVER w, lag(s, 2) OVER w, first(a) OVER w, nth_value(a, 2) IGNORE NULLS OVER w, max(n) OVER w FROM (SELECT g, n, k, if(n % 3 = 0, NULL, array(k, 'n')) AS a, named_struct('x', n) AS s FROM small) WINDOW w AS (PARTITION BY g ORDER BY n, k);
SELECT a, n, row_number() OVER (PARTITION BY a ORDER BY n), count(*) OVER (PARTITION BY a) FROM (SELECT n, array(g, n % 2) AS a FROM small);

-- Keys of groups, joins and exchanges.
-- expect native: RepriseHashAggregate, RepriseShuffleExchange
SELECT a, count(*), sum(n) FROM (SELECT array(k, concat(k, g)) AS a, n FROM small) GROUP BY a;
SELECT s, count(*), sum(n) FROM (SELECT named_struct('g', g, 'k', k, 'b', b, 'i', i8, 'd', d15_2, 'e', d30_10, 'f', f32, 't', dt, 'a', array(k, NULL), 'n', named_struct('k', k)) AS s, n FROM small) GROUP BY s;
SELECT s.g, s.k, sum(n), count(DISTINCT s) FROM (SELECT named_struct('g', g, 'k', k) AS s, n FROM small) GROUP BY s;
SELECT count(*), count(DISTINCT a), count(DISTINCT s), count(DISTINCT y), count(DISTINCT d) FROM (SELECT array(s, bin) AS a, named_struct('a', ts, 'b', tsn, 'c', d38_18, 'd', f64, 'e', b, 'f', i8, 'g', i16, 'h', bin) AS s, make_ym_interval(0, i8) AS y, make_dt_interval(0, 0, 0, i8) AS d FROM (SELECT CAST(s AS BINARY) AS s, bin, ts, tsn, d38_18, f64, b, i8, i16 FROM every_type));
SELECT a, count(*) FROM (SELECT array(x) AS a FROM (SELECT explode(array(0.0D, -0.0D, CAST('NaN' AS DOUBLE), NULL, 1.0D, CAST('NaN' AS DOUBLE), NULL)) AS x)) GROUP BY a;
SELECT CAST(y AS STRING), d, count(*) FROM (SELECT make_ym_interval(0, n % 5) AS y, make_dt_interval(n % 3) AS d FROM small) GROUP BY y, d;
-- expect native: RepriseHashAggregate
-- error GROUP_EXPRESSION_TYPE_IS_NOT_ORDERABLE before 4.0
SELECT m, count(*) FROM (SELECT if(n % 2 = 0, map(k, g, concat(k, 'x'), n % 3), map(concat(k, 'x'), n % 3, k, g)) AS m, n FROM small WHERE k IS NOT NULL) GROUP BY m;
SELECT DISTINCT a, k FROM (SELECT array(g, NULL) AS a, k FROM small);
SELECT g, count(DISTINCT named_struct('k', k, 'n', n % 3)), count(DISTINCT array(n % 7)) FROM small GROUP BY g;
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(b) */ count(*), sum(a.n), sum(b.n) FROM (SELECT array(k, concat(k, g)) AS a, n FROM small) a JOIN (SELECT array(k, concat(k, g)) AS a, n FROM small WHERE n % 4 = 1) b ON a.a = b.a;
SELECT /*+ MERGE(b) */ a.s, sum(a.n), sum(b.n) FROM (SELECT named_struct('g', g, 'k', k) AS s, n FROM small) a JOIN (SELECT named_struct('g', g, 'k', k) AS s, n FROM small WHERE n % 4 = 1) b ON a.s = b.s GROUP BY a.s;
SELECT /*+ SHUFFLE_HASH(b) */ count(*), sum(a.n) FROM (SELECT named_struct('g', g, 'k', k) AS s, n FROM small) a LEFT ANTI JOIN (SELECT named_struct('g', g, 'k', k) AS s, n FROM small WHERE n % 4 = 1) b ON a.s <=> b.s;
SELECT * FROM (SELECT n, named_struct('a', k, 'b', array(n, i32), 'c', map(n, f64)) AS s FROM small) DISTRIBUTE BY s;
-- expect native: RepriseGuestProject, RepriseHashAggregate
SELECT g, max(hash(array(n, i32), k)), min(hash(array(n, i32), k)), max(hash(named_struct('a', k, 'b', array(d30_10, NULL), 'c', map(n, f64), 'd', f32))), min(hash(named_struct('a', k, 'b', array(d30_10, NULL), 'c', map(n, f64), 'd', f32))), max(xxhash64(named_struct('a', k, 'b', array(d15_2, NULL), 'c', map(n, f64), 'd', f32))), min(xxhash64(named_struct('a', k, 'b', array(d15_2, NULL), 'c', map(n, f64), 'd', f32))), max(hash(make_interval(1, n, 3))), min(hash(make_interval(1, n, 3))), max(xxhash64(make_ym_interval(0, n))), min(xxhash64(make_ym_interval(0, n))), max(hash(make_dt_interval(n))), min(hash(make_dt_interval(n))) FROM small WHERE g IS NOT NULL GROUP BY g;
SELECT id, hash(named_struct('a', ts, 'b', tsn, 'c', d38_18, 'd', f64, 'e', b, 'f', i8, 'g', i16, 'h', bin, 'i', s, 'j', dt, 'k', i64)), xxhash64(array(ts), array(tsn), array(d38_18), array(f64), array(b), array(i8), array(i16), array(bin), array(s), array(dt), array(i64), array(f32), array(i32)) FROM every_type;

-- conf spark.sql.adaptive.enabled=false
-- Branches, nulls.
SELECT n, if(n % 2 = 0, a, NULL), CASE WHEN n % 3 = 0 THEN a WHEN n % 5 = 0 THEN array('x') END, coalesce(if(n % 2 = 0, a, NULL), array('none')), a IS NULL, if(n % 2 = 0, a, NULL) IS NOT NULL FROM (SELECT n, array(k, concat(k, g)) AS a FROM small);
SELECT n, a FROM (SELECT n, if(n % 4 = 0, NULL, array(k, concat(k, g))) AS a FROM small) WHERE a IS NOT NULL;
-- A column of nothing.
SELECT n, v FROM (SELECT n, NULL AS v FROM small UNION ALL SELECT n, NULL FROM small) DISTRIBUTE BY n SORT BY n;
SELECT g, first(v), count(v), max(n) FROM (SELECT g, n, NULL AS v FROM small) GROUP BY g;
SELECT g, n, v, lead(v) OVER (PARTITION BY g ORDER BY n) FROM (SELECT g, n, NULL AS v FROM small);
SELECT a.n, a.v, b.k FROM (SELECT n, NULL AS v FROM small) a JOIN small b ON a.n = b.n;
-- Intervals, variants, collated strings.
SELECT n, CAST(y AS STRING), d, CAST(c AS STRING) FROM (SELECT n, make_ym_interval(0, n) AS y, make_dt_interval(n) AS d, if(n % 2 = 0, NULL, make_interval(0, n)) AS c FROM small) DISTRIBUTE BY n SORT BY n;
-- error UNRESOLVED_ROUTINE before 4.0
SELECT /*+ REPARTITION(3) */ n, CAST(v AS STRING) FROM (SELECT n, parse_json(concat('{"a":', n, '}')) AS v FROM small);
-- error PARSE_SYNTAX_ERROR before 4.0
SELECT n, u, u = 'ABC' FROM (SELECT n, k COLLATE UTF8_LCASE AS u FROM small) DISTRIBUTE BY n SORT BY n;
-- error PARSE_SYNTAX_ERROR before 4.0
SELECT count(*), count(DISTINCT u) FROM (SELECT upper(k) COLLATE UTF8_LCASE AS u FROM small UNION ALL SELECT k COLLATE UTF8_LCASE FROM small);
-- error PARSE_SYNTAX_ERROR before 4.0
SELECT u, count(*) FROM (SELECT if(n % 2 = 0, upper(k), k) COLLATE UTF8_LCASE AS u FROM small) GROUP BY u;
-- error PARSE_SYNTAX_ERROR before 4.0
SELECT a, count(*) FROM (SELECT array(if(n % 2 = 0, upper(k), k) COLLATE UTF8_LCASE) AS a FROM small) GROUP BY a;
-- error PARSE_SYNTAX_ERROR before 4.0
SELECT count(*) FROM (SELECT array(if(n % 2 = 0, upper(k), k) COLLATE UTF8_LCASE) AS a FROM small) x JOIN (SELECT DISTINCT array(k COLLATE UTF8_LCASE) AS a FROM small) y ON x.a = y.a;

-- conf spark.sql.adaptive.enabled=true
-- Sorted by what has no native order; merged subqueries; caches; results wider than a batch.
SELECT n, s FROM (SELECT n, named_struct('k', k, 'g', g, 'n', n) AS s FROM small) ORDER BY s, n LIMIT 30;
SELECT n, k FROM small WHERE n > (SELECT named_struct('a', min(n), 'b', max(k)) FROM small).a;
CACHE TABLE reprise_nested_rows AS SELECT n, array(k, concat(k, g)) AS a, named_struct('x', n, 'm', map(coalesce(k, ''), n)) AS s FROM small;
SELECT n, a, s, s.x FROM reprise_nested_rows;
SELECT a, count(*), sum(s.x), max(s.m['a']) FROM reprise_nested_rows GROUP BY a;
DROP VIEW reprise_nested_rows;
SELECT count(*), sum(length(to_json(a))) FROM (SELECT /*+ REPARTITION(3) */ named_struct('x', repeat(k, 2000), 'y', array(repeat('y', n))) AS a FROM small);
