-- Expressions that Spark evaluates inside native pipelines.
-- conf spark.sql.ansi.enabled=true
-- conf spark.sql.legacy.timeParserPolicy=CORRECTED

-- expect native: RepriseGuestProject, RepriseProject, RepriseHashAggregate
SELECT w, count(*), sum(n) FROM (SELECT regexp_extract(k, '([a-z])', 1) AS w, n FROM small) GROUP BY w;
-- expect native: RepriseGuestProject, RepriseHashAggregate
SELECT sum(length(reverse(s))), max(initcap(s)), min(split(s, ' ')[0]), count(format_number(id, 2)) FROM every_type;
-- expect native: RepriseGuestProject, RepriseHashAggregate
SELECT k, count(DISTINCT soundex(k)), sum(n) FILTER (WHERE bit_count(xxhash64(k)) % 2 = 0) FROM small GROUP BY k;
-- expect native: RepriseGuestProject, RepriseFilter, RepriseHashAggregate
SELECT count(*), sum(n) FROM small WHERE bit_count(n) % 2 = 0;
SELECT count(*) FROM small WHERE k RLIKE 'e+';
SELECT k, sum(n) FROM small WHERE n > 3 AND bit_count(n) > 1 AND i32 IS NOT NULL GROUP BY k;
SELECT k, sum(n) FROM small WHERE n > 3 AND bit_count(n) > 1 AND bit_count(i32) > 1 AND i64 > 0 GROUP BY k;
SELECT k, sum(n) FROM small WHERE n > 3 OR bit_count(n) > 1 GROUP BY k;
-- expect native: RepriseGuestProject
SELECT a.k, count(*) FROM (SELECT k, n, conv(n, 10, 2) AS c FROM small) a JOIN (SELECT n FROM many_keys JOIN small ON many_keys.k = small.n) b ON a.n = b.n WHERE length(a.c) > 2 GROUP BY a.k;

-- What ORDER BY … LIMIT computes of the rows that are left: of those alone.
-- expect native: RepriseTakeOrdered, RepriseGuestProject, RepriseProject
-- ordered
SELECT id, format_number(id, 2), initcap(s) FROM (SELECT * FROM every_type ORDER BY i32, id LIMIT 7);
-- Spark 4.0 sorts all rows where rows are left out first.
-- expect native: RepriseTakeOrdered, RepriseGuestProject, RepriseProject since 4.1
-- ordered
SELECT overlay(s, '.', 1, 0) AS x, bit_count(i64) + 1 AS y, id FROM (SELECT * FROM every_type ORDER BY bit_count(i32), id DESC LIMIT 9 OFFSET 4);
-- expect native: RepriseTakeOrdered, RepriseProject
-- ordered
SELECT k, soundex(k), overlay(k, k, 2) FROM (SELECT k, n, bit_count(n) AS c FROM small ORDER BY n DESC NULLS LAST, k, i32, i64 LIMIT 20) WHERE c > 1 ORDER BY k, n LIMIT 100;
-- expect native: RepriseTakeOrdered, RepriseHashAggregate
SELECT x, count(*), sum(id) FROM (SELECT id, bit_count(i64) % 3 AS x FROM every_type ORDER BY id LIMIT 12) GROUP BY x;
-- ordered
SELECT bit_count(n), (SELECT max(overlay(k, '.', 1)) FROM small) AS m FROM (SELECT n FROM small ORDER BY n, k, i32, i64 LIMIT 3);
-- ordered
SELECT a.id, overlay(b.s, a.s, 1) FROM (SELECT id, s FROM every_type ORDER BY id LIMIT 5) a JOIN every_type b ON a.id + 1 = b.id ORDER BY a.id LIMIT 3;
-- A number of each row that is left.
-- ordered
SELECT id, rand(3) AS r, bit_count(id) AS c, monotonically_increasing_id() AS m FROM (SELECT id FROM every_type ORDER BY id LIMIT 6);
-- No rows.
SELECT overlay(s, '.', 1) FROM (SELECT * FROM every_type WHERE id < 0 ORDER BY id LIMIT 3);

-- Of pairs of rows Spark is asked where the core is in doubt: with keys, without, and of a product.
CREATE OR REPLACE TEMPORARY VIEW some_texts AS SELECT id, s, b FROM every_type WHERE id < 60;
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(b) */ count(*), sum(a.id * b.id) FROM every_type a JOIN some_texts b ON a.b = b.b AND upper(a.s) < upper(b.s) AND a.id < b.id + 50;
-- expect native: RepriseBroadcastNestedLoopJoin
SELECT /*+ BROADCAST(b) */ count(*), sum(a.id * b.id) FROM every_type a JOIN some_texts b ON upper(a.s) < lower(b.s) OR a.id = b.id;
SELECT /*+ BROADCAST(b) */ a.id, b.id FROM some_texts a LEFT JOIN some_texts b ON a.id > b.id AND initcap(a.s) = initcap(concat(b.s, ''));
SELECT /*+ BROADCAST(b) */ a.id FROM some_texts a LEFT SEMI JOIN some_texts b ON a.s RLIKE '[aeio]' AND a.id + 1 > b.id AND translate(a.s, 'ab', 'ba') <= b.s;
SELECT /*+ BROADCAST(b) */ a.id FROM some_texts a LEFT ANTI JOIN some_texts b ON upper(a.s) = b.s OR a.s RLIKE 'x$';
SELECT a.id, EXISTS (SELECT 1 FROM some_texts b WHERE upper(a.s) < lower(b.s)) AND a.id > 1 FROM some_texts a;
-- expect native: RepriseCartesianProduct
SELECT /*+ SHUFFLE_REPLICATE_NL(a, b) */ count(*), sum(a.id * b.id) FROM some_texts a JOIN every_type b ON upper(a.s) < lower(b.s) AND a.id < b.id;
-- Rows of the broadcast of which all tasks are asked: Spark's.
SELECT /*+ BROADCAST(a) */ count(*), sum(a.id * b.id) FROM some_texts a LEFT JOIN some_texts b ON upper(a.s) < lower(b.s);
SELECT count(*), sum(a.id * b.id) FROM some_texts a FULL JOIN some_texts b ON upper(a.s) < lower(b.s);

-- conf spark.sql.adaptive.enabled=false
-- Every type of a guest's columns and results.
-- expect native: RepriseGuestProject
SELECT g, max(nvl2(bit_count(i8), i8, NULL)), max(nullif(i16, bit_count(i32))), max(abs(bit_count(i64)) + f32), min(hypot(f64, bit_count(n))), max(b OR bit_count(n) > 1), max(date_from_unix_date(bit_count(n))) FROM small GROUP BY g;
SELECT count(hex(s)), max(unhex(hex(s))), max(make_date(2000 + bit_count(id), 1, 1)), max(timestamp_seconds(bit_count(id))), max(CAST(bit_count(id) AS DECIMAL(30, 10)) * 2) FROM every_type;
-- Results that are null, and values that are.
SELECT g, count(get_json_object(k, '$.a')), count(get_json_object(concat('{"a":"', k, '"}'), '$.a')) FROM small GROUP BY g;
SELECT n, from_json(concat('{"m":{"a":', n, ',"b":null},"d":', n, '.5,"f":1e', n % 20, ',"day":"2024-01-0', n % 10, '","at":"2024-03-31 02:30:0', n % 10, '"}'), 'm MAP<STRING, INT>, d DECIMAL(22,3), f FLOAT, day DATE, at TIMESTAMP') AS j FROM small ORDER BY n;
SELECT n, from_json(concat('{"\\u00e9":{"n":[{"x":', n, '}]}}'), '`é` STRUCT<n: ARRAY<STRUCT<x: BIGINT>>>').`é`.n[0].x AS x FROM small WHERE n < 9 ORDER BY n;
-- Values of types without a native form stay inside a guest.
SELECT g, max(size(split(k, 'e'))), max(element_at(map('a', n), 'a')), max(struct(n, k).n), max(array_max(array(n, i32))) FROM small GROUP BY g;
SELECT g, sum(aggregate(array(n, i32), 0, (a, x) -> a + coalesce(x, 0))) FROM small WHERE exists(array(n, i32), x -> x > 3) GROUP BY g;
-- No columns at all, and the number of a partition.
SELECT p, count(*) FROM (SELECT spark_partition_id() AS p, id FROM range(0, 100, 1, 3)) GROUP BY p;
SELECT sum(m), max(m) FROM (SELECT monotonically_increasing_id() AS m, id FROM range(0, 100, 1, 3)) WHERE id % 3 = 0;
SELECT sum(r) FROM (SELECT rand(7) AS r, id FROM range(0, 100, 1, 3));
SELECT count(*) FROM range(0, 1000, 1, 3) WHERE rand(7) < 0.5 AND id > 10;
SELECT count(*) FROM range(0, 1000, 1, 3) WHERE id > 10 AND rand(7) < 0.5;
-- Results of subqueries.
SELECT g, sum(bit_count(n + (SELECT max(n) FROM small))) FROM small GROUP BY g;
SELECT count(*) FROM small WHERE bit_count(n) > (SELECT min(bit_count(n)) FROM small);
-- Partitions without rows, and rows of nothing.
SELECT g, max(initcap(k)) FROM small WHERE n < 0 GROUP BY g;

-- conf spark.sql.adaptive.enabled=true
-- Rows before an error leave first; what nobody asks for fails nothing.
CREATE TABLE reprise_steps USING parquet LOCATION '${out}/steps' AS SELECT CAST(5 - id AS INT) AS x, if(id = 7, 'seven', CAST(id AS STRING)) AS s FROM range(0, 10, 1, 1);
SELECT x, y + 1 FROM (SELECT x, bit_count(1 div x) AS y FROM reprise_steps LIMIT 5);
SELECT sum(y) FROM (SELECT bit_count(1 div x) AS y FROM reprise_steps LIMIT 5);
SELECT x, bit_count(10 div x) AS y FROM (SELECT x FROM reprise_steps ORDER BY x DESC LIMIT 5);
-- error DIVIDE_BY_ZERO
SELECT x, bit_count(10 div x) AS y FROM (SELECT x FROM reprise_steps ORDER BY x DESC LIMIT 6);
-- error DIVIDE_BY_ZERO
SELECT sum(y) FROM (SELECT bit_count(1 div x) AS y FROM reprise_steps LIMIT 6);
-- error DIVIDE_BY_ZERO
SELECT sum(bit_count(1 div x)) FROM reprise_steps;
-- error CAST_INVALID_INPUT
SELECT sum(bit_count(CAST(s AS INT))) FROM reprise_steps;
-- error DIVIDE_BY_ZERO
SELECT count(*) FROM reprise_steps WHERE bit_count(10 div x) > 0 AND bit_count(CAST(s AS INT)) >= 0;
-- error INVALID_ARRAY_INDEX
SELECT sum(array(1, 2)[x]) FROM reprise_steps;
SELECT count(*) FROM reprise_steps WHERE x <> 0 AND bit_count(10 div x) > 0;
SELECT sum(if(x <> 0, bit_count(10 div x), 0)), sum(CASE WHEN x = 0 THEN 1 ELSE bit_count(10 div x) END), sum(coalesce(x, bit_count(10 div x))) FROM reprise_steps;
SELECT sum(nullif(x, 0) + bit_count(10 div nullif(x, 0))) FROM reprise_steps;
SELECT sum(if(x = 0, NULL, x) * bit_count(if(x = 0, NULL, 10 div x))) FROM reprise_steps;
SELECT sum(bit_count(10 div x) div nullif(x, 0)) FROM reprise_steps;
SELECT sum(bit_count(10 div x) % nullif(x, 0)) FROM reprise_steps;
-- What is common is evaluated first.
-- error DIVIDE_BY_ZERO
SELECT sum(bit_count(10 div x) div nullif(x, 0)), sum(bit_count(10 div x) % nullif(x, 0)) FROM reprise_steps;
SELECT x FROM (SELECT x, bit_count(10 div x) AS y FROM reprise_steps) WHERE x > 2 GROUP BY x;

-- Wide results.
SELECT count(*), sum(length(r)) FROM (SELECT reverse(repeat(k, 2000)) AS r, n FROM small) WHERE n > 0;
SELECT sum(length(overlay(l PLACING 'x' FROM 3))) FROM (SELECT repeat('abc', CAST(id % 7 * 4000 AS INT)) AS l FROM range(0, 200, 1, 2));
DROP TABLE reprise_steps;

-- Above an aggregate, of its results.
-- expect native: RepriseHashAggregate, RepriseGuestProject, RepriseProject
SELECT k, reverse(k) AS r, bit_count(max(n)) AS b, max(n) + 1 AS m, count(*) AS c FROM small GROUP BY k ORDER BY k, c;
-- expect native: RepriseGuestProject, RepriseSort
SELECT initcap(k), sum(n), array_max(array(max(n), count(*))) FROM small GROUP BY k ORDER BY 2, 1;
SELECT bit_count(max(n)), soundex(min(k)) FROM small;
SELECT bit_count(sum(n)), hex(min(k)), count(*) FROM small WHERE n < -1000;
SELECT soundex(k) AS s FROM small GROUP BY k HAVING bit_count(max(n)) > 1;
SELECT k, bit_count(max(n) + (SELECT min(n) FROM small)) FROM small GROUP BY k;
SELECT k, if(count(*) > 5, bit_count(10 div (count(*) - count(*))), 0) FROM small WHERE n < 0 GROUP BY k;
-- error DIVIDE_BY_ZERO
SELECT k, bit_count(10 div (count(*) - count(*))) FROM small GROUP BY k;
SELECT a.r, count(*) FROM (SELECT k, reverse(k) AS r, max(n) AS m FROM small GROUP BY k) a JOIN small b ON a.k = b.k AND a.m >= b.n GROUP BY a.r;
SELECT g, sort_array(collect_set(k)) AS s, concat_ws('-', sort_array(collect_list(k))) AS l FROM small GROUP BY g;
SELECT k, reverse(k), rand(5) < 2 FROM small GROUP BY k;
-- conf spark.sql.execution.useHashAggregateExec=false
SELECT k, reverse(k) AS r, bit_count(max(n)) AS b FROM small GROUP BY k ORDER BY k;
-- conf spark.sql.execution.useHashAggregateExec=true
