-- An error has a row: what nobody asks for fails no query, and of several errors the first row's first is told.
-- conf spark.sql.ansi.enabled=true
CREATE TABLE reprise_nums USING parquet LOCATION '${out}/nums' AS SELECT CAST(5 - id AS INT) AS x FROM range(0, 10, 1, 1);

-- Rows before an error.
-- expect native: RepriseProject
SELECT 1 / x FROM reprise_nums LIMIT 1;
SELECT 1 / x FROM reprise_nums LIMIT 5;
-- error DIVIDE_BY_ZERO
SELECT 1 / x FROM reprise_nums LIMIT 6;
SELECT 1 / x FROM reprise_nums LIMIT 2 OFFSET 3;
SELECT x FROM reprise_nums WHERE 10 div x >= 2 LIMIT 1;
SELECT x FROM reprise_nums WHERE 10 div x >= 2 LIMIT 5;
-- error DIVIDE_BY_ZERO
SELECT x FROM reprise_nums WHERE 10 div x >= 3 LIMIT 5;
SELECT CAST(s AS INT) FROM (SELECT IF(x > 3, '1', 'z') AS s FROM reprise_nums) LIMIT 1;
SELECT sum(y), count(*) FROM (SELECT 12 div x AS y FROM reprise_nums LIMIT 5);
SELECT x FROM (SELECT x, assert_true(x > 2) AS a FROM reprise_nums) WHERE a IS NULL AND x * 2 > 0 LIMIT 3;
-- error DIVIDE_BY_ZERO
SELECT x, 1 / x FROM reprise_nums ORDER BY x LIMIT 7;
SELECT k, 12 div s FROM (SELECT x AS k, sum(x - 3) AS s FROM reprise_nums GROUP BY x) WHERE s <> 0;

-- The first row's error, not the first expression's.
-- error CAST_OVERFLOW
SELECT 1 / (x - 4), CAST(x * 50 AS TINYINT) FROM reprise_nums;
-- error DIVIDE_BY_ZERO
SELECT 1 / (x - 5), CAST(x * 50 AS TINYINT) FROM reprise_nums;
-- error CAST_OVERFLOW
SELECT x FROM reprise_nums WHERE 1 / (x - 4) > 0 AND CAST(x * 50 AS TINYINT) > 0;
-- error CAST_OVERFLOW
SELECT k, b, count(CAST(v AS TINYINT)), sum(10 div (x - 4)) FROM (SELECT x, x * 50 AS v, x % 2 AS k, x % 3 AS b FROM reprise_nums) GROUP BY ROLLUP (k, b);
-- error CAST_OVERFLOW
SELECT sum(1 / (x - 4)), sum(CAST(x * 50 AS TINYINT)) FROM reprise_nums;
-- error CAST_OVERFLOW
SELECT 10 div (x - 4), count(CAST(x * 50 AS TINYINT)) FROM reprise_nums GROUP BY 1;
-- error CAST_OVERFLOW
SELECT sum(10 div (x - 4)) FILTER (WHERE CAST(x * 50 AS TINYINT) > 0) FROM reprise_nums;
-- error REMAINDER_BY_ZERO
SELECT sum(x) FILTER (WHERE 10 % (x - 5) > 0), sum(10 div (x - 5)) FROM reprise_nums;
-- error ARITHMETIC_OVERFLOW
SELECT sum(9223372036854775807 - x), sum(1 / x) FROM reprise_nums WHERE x > -1;
-- error CAST_OVERFLOW
SELECT x FROM reprise_nums DISTRIBUTE BY 10 div (x - 4), CAST(x * 50 AS TINYINT);
-- error CAST_OVERFLOW
SELECT x FROM reprise_nums SORT BY CAST(x * 50 AS TINYINT), 10 div (x - 4);
-- error CAST_OVERFLOW
SELECT /*+ BROADCAST(b) */ a.x FROM reprise_nums a JOIN reprise_nums b ON 10 div (a.x - 4) = b.x AND CAST(a.x * 50 AS TINYINT) = b.x;
-- error CAST_OVERFLOW
SELECT /*+ BROADCAST(b) */ a.x FROM reprise_nums a JOIN reprise_nums b ON a.x = 10 div (b.x - 4) AND a.x = CAST(b.x * 50 AS TINYINT);
-- error CAST_OVERFLOW
SELECT /*+ BROADCAST(b) */ a.x FROM reprise_nums a JOIN reprise_nums b ON a.x = b.x AND 1 / (a.x - 4) + CAST(b.x * 50 AS TINYINT) > 0;

-- Within a row: the divisor comes first, and what is decided is not evaluated.
CREATE TABLE reprise_pairs USING parquet LOCATION '${out}/pairs' AS SELECT IF(id = 1, NULL, CAST(id AS INT)) AS a, CAST(id - 2 AS INT) AS b FROM range(0, 5, 1, 1);
-- error REMAINDER_BY_ZERO
SELECT CAST(b * 100 AS TINYINT) / (a % 0) FROM reprise_pairs WHERE b > 1;
-- error DIVIDE_BY_ZERO
SELECT CAST(id * 100 AS TINYINT) div (id - 2) FROM range(2, 5, 1, 1);
-- error DIVIDE_BY_ZERO
SELECT CAST(b * 100 - 200 AS TINYINT) div b FROM reprise_pairs WHERE b >= 0;
-- error CAST_OVERFLOW
SELECT CAST(b * 100 + 200 AS TINYINT) div b FROM reprise_pairs;
SELECT try_divide(CAST(b * 100 AS TINYINT), b) FROM reprise_pairs WHERE b BETWEEN -1 AND 1;
SELECT try_divide(CAST(200 AS DECIMAL(10, 2)) / b, b) FROM reprise_pairs;
-- error DIVIDE_BY_ZERO
SELECT a FROM reprise_pairs WHERE 1 / (b + 1) > -9 AND a > 0;
SELECT a FROM reprise_pairs WHERE a > 0 AND 1 / (b + 1) > -9;
-- error DIVIDE_BY_ZERO
SELECT /*+ BROADCAST(r) */ l.a FROM reprise_pairs l JOIN reprise_pairs r ON l.b = r.b AND l.a > r.b AND 1 / (l.b + r.b + 2) > 0;

-- Candidates of a join: the latest row of a key first.
CREATE TABLE reprise_one USING parquet LOCATION '${out}/one' AS SELECT 1 AS k, 2 AS u;
CREATE TABLE reprise_z2 USING parquet LOCATION '${out}/z2' AS SELECT 1 AS k, CAST(id * 5 AS INT) AS v FROM range(0, 2, 1, 1);
CREATE TABLE reprise_z3 USING parquet LOCATION '${out}/z3' AS SELECT 1 AS k, CAST(5 - id * 5 AS INT) AS v FROM range(0, 2, 1, 1);
SELECT /*+ BROADCAST(b) */ a.k FROM reprise_one a LEFT SEMI JOIN reprise_z2 b ON a.k = b.k AND 10 div b.v >= a.u;
SELECT /*+ BROADCAST(b) */ a.k FROM reprise_one a LEFT ANTI JOIN reprise_z2 b ON a.k = b.k AND 10 div b.v >= a.u;
SELECT a.k, EXISTS (SELECT /*+ BROADCAST(b) */ 1 FROM reprise_z2 b WHERE a.k = b.k AND 10 div b.v >= a.u) FROM reprise_one a;
-- error DIVIDE_BY_ZERO
SELECT /*+ BROADCAST(b) */ a.k FROM reprise_one a LEFT SEMI JOIN reprise_z3 b ON a.k = b.k AND 10 div b.v >= a.u;
SELECT /*+ SHUFFLE_HASH(b) */ a.k FROM reprise_one a LEFT SEMI JOIN reprise_z2 b ON a.k = b.k AND 10 div b.v >= a.u;
-- error DIVIDE_BY_ZERO
SELECT /*+ MERGE(b) */ a.k FROM reprise_one a LEFT SEMI JOIN reprise_z2 b ON a.k = b.k AND 10 div b.v >= a.u;
SELECT /*+ MERGE(b) */ a.k FROM reprise_one a LEFT SEMI JOIN reprise_z3 b ON a.k = b.k AND 10 div b.v >= a.u;
-- error DIVIDE_BY_ZERO
SELECT /*+ BROADCAST(b) */ b.v FROM reprise_one a JOIN reprise_z2 b ON a.k = b.k AND 10 div b.v >= a.u LIMIT 1;
-- ordered
SELECT /*+ BROADCAST(b) */ b.v FROM reprise_one a JOIN reprise_z2 b ON a.k = b.k LIMIT 1;
-- ordered
SELECT /*+ SHUFFLE_HASH(b) */ b.v FROM reprise_one a JOIN reprise_z2 b ON a.k = b.k LIMIT 1;
-- ordered
SELECT /*+ BROADCAST(b) */ a.k, collect_list(b.s) FROM (SELECT k, string(k) AS s FROM reprise_one) a JOIN (SELECT string(k) AS k, v AS s FROM reprise_z2) b ON a.s = b.k GROUP BY a.k;

-- Another side that decides the answer alone is all that is read.
SELECT y FROM (SELECT x, 10 div x AS y FROM reprise_nums) WHERE x NOT IN (SELECT IF(b = 0, NULL, b) FROM reprise_pairs);
SELECT x FROM reprise_nums WHERE 10 div x > 0 AND x NOT IN (SELECT IF(b = 0, NULL, b) FROM reprise_pairs);
SELECT x FROM reprise_nums JOIN (SELECT b FROM reprise_pairs WHERE b > 100) ON x = b WHERE 10 div x > 0;
SELECT x FROM reprise_nums LEFT SEMI JOIN (SELECT b FROM reprise_pairs WHERE b > 100) ON x = b WHERE 10 div x > 0;
-- A column is computed where it is used: not for rows that a join or a filter drops before that.
CREATE TABLE reprise_nonzero USING parquet LOCATION '${out}/nonzero' AS SELECT CAST(id AS INT) AS k, string(id) AS v FROM range(1, 4, 1, 1);
-- expect native: RepriseBroadcastHashJoin
SELECT /*+ BROADCAST(b) */ a.y, b.v FROM (SELECT x, 10 div x AS y FROM reprise_nums) a JOIN reprise_nonzero b ON a.x = b.k;
SELECT /*+ BROADCAST(b) */ a.y FROM (SELECT x, 10 div x AS y FROM reprise_nums) a LEFT SEMI JOIN reprise_nonzero b ON a.x = b.k;
SELECT /*+ BROADCAST(b) */ a.y FROM (SELECT x, 10 div (x - 2) AS y FROM reprise_nums) a LEFT ANTI JOIN reprise_nonzero b ON a.x = b.k;
SELECT y FROM (SELECT x, 10 div (x - 2) AS y FROM reprise_nums) WHERE x NOT IN (SELECT k FROM reprise_nonzero);
SELECT /*+ BROADCAST(b) */ a.y, b.v FROM (SELECT x, 10 div x AS y FROM reprise_nums) a LEFT JOIN reprise_nonzero b ON a.x = b.k WHERE coalesce(b.v, 'none') <> 'none';
SELECT /*+ BROADCAST(b) */ a.y, b.v FROM (SELECT x, 10 div x AS y FROM reprise_nums) a JOIN reprise_nonzero b ON a.x > b.k;
SELECT /*+ BROADCAST(b), BROADCAST(c) */ a.y, b.v, c.b FROM (SELECT x, 10 div x AS y FROM reprise_nums) a JOIN reprise_nonzero b ON a.x = b.k JOIN reprise_pairs c ON b.k = c.b;
SELECT /*+ BROADCAST(b) */ sum(a.y), count(*) FROM (SELECT x, 10 div x AS y FROM reprise_nums) a JOIN reprise_nonzero b ON a.x = b.k;
-- error DIVIDE_BY_ZERO
SELECT /*+ BROADCAST(b) */ a.y, b.v FROM (SELECT x, 10 div (x - 2) AS y FROM reprise_nums) a JOIN reprise_nonzero b ON a.x = b.k;
-- What keys and condition of the join read is computed for every row.
-- error DIVIDE_BY_ZERO
SELECT /*+ BROADCAST(b) */ a.y, b.v FROM (SELECT x, 10 div x AS y FROM reprise_nums) a JOIN reprise_nonzero b ON a.x = b.k AND coalesce(a.y, 0) > length(b.v) + 2;
-- error DIVIDE_BY_ZERO
SELECT /*+ BROADCAST(b) */ a.y FROM (SELECT x, 10 div x AS y FROM reprise_nums) a LEFT SEMI JOIN reprise_nonzero b ON a.x = b.k AND coalesce(a.y, 0) > length(b.v) + 2;
-- error DIVIDE_BY_ZERO
SELECT /*+ BROADCAST(b) */ a.y, b.v FROM (SELECT x, 10 div (x - 2) AS y FROM reprise_nums) a JOIN reprise_nonzero b ON a.x = b.k AND a.y > length(b.v);
-- Where what is decided does not read it, it is not; but a filter reads all columns of a conjunct.
SELECT /*+ BROADCAST(b) */ CASE WHEN b.v IS NULL THEN 0 ELSE a.y END FROM (SELECT x, 10 div x AS y FROM reprise_nums) a LEFT JOIN reprise_nonzero b ON a.x = b.k;
-- error DIVIDE_BY_ZERO
SELECT /*+ BROADCAST(b) */ a.x, a.y FROM (SELECT x, 10 div x AS y FROM reprise_nums) a LEFT JOIN reprise_nonzero b ON a.x = b.k WHERE if(b.v IS NULL, 0, a.y) > 3;
SELECT x, sum(10) div sum(x) FROM reprise_nums GROUP BY x HAVING sum(x) <> 0 AND sum(10) div sum(x) > 2;
-- error DIVIDE_BY_ZERO
SELECT /*+ SHUFFLE_HASH(b) */ a.y, b.v FROM (SELECT x, 10 div x AS y FROM reprise_nums) a JOIN reprise_nonzero b ON a.x = b.k;
-- error DIVIDE_BY_ZERO
SELECT /*+ MERGE(b) */ a.y, b.v FROM (SELECT x, 10 div x AS y FROM reprise_nums) a JOIN reprise_nonzero b ON a.x = b.k;
-- error DIVIDE_BY_ZERO
SELECT /*+ BROADCAST(b) */ a.y, b.v FROM (SELECT x, (10 div x) + 1 AS y, (10 div x) + 2 AS z FROM reprise_nums) a JOIN reprise_nonzero b ON a.x = b.k WHERE a.z > 0;
-- Results of groups too.
SELECT /*+ BROADCAST(b) */ a.y, b.v FROM (SELECT x, 10 div sum(x) AS y FROM reprise_nums GROUP BY x) a JOIN reprise_nonzero b ON a.x = b.k;
SELECT x, 10 div sum(x) FROM reprise_nums GROUP BY x HAVING count(*) > 1;
-- error DIVIDE_BY_ZERO
SELECT x, 10 div sum(x) FROM reprise_nums GROUP BY x HAVING count(*) > 0;
-- Without whole-stage code they are computed at once.
-- conf spark.sql.codegen.wholeStage=false
-- error DIVIDE_BY_ZERO
SELECT /*+ BROADCAST(b) */ a.y, b.v FROM (SELECT x, 10 div x AS y FROM reprise_nums) a JOIN reprise_nonzero b ON a.x = b.k;
-- conf spark.sql.codegen.wholeStage=true
-- conf spark.sql.codegen.maxFields=2
-- error DIVIDE_BY_ZERO
SELECT /*+ BROADCAST(b) */ a.y, a.z, b.v FROM (SELECT x, 10 div x AS y, x + 1 AS z FROM reprise_nums) a JOIN reprise_nonzero b ON a.x = b.k;
-- conf spark.sql.codegen.maxFields=100
DROP TABLE reprise_nonzero;

-- What stands in a list more than once Spark evaluates first, also where the left side of AND decides, or a filter.
-- error DIVIDE_BY_ZERO
SELECT x <> 0 AND 1 / x > 2, x <> 0 AND 1 / x < 5 FROM reprise_nums;
-- error DIVIDE_BY_ZERO
SELECT x <> 0 AND (1 / x > 2 OR 1 / x < -2) FROM reprise_nums;
SELECT x <> 0 AND 1 / x > 2, x <> 0 AND 2 / x < 5 FROM reprise_nums;
SELECT CASE WHEN x = 0 THEN 0 WHEN 10 div x > 1 THEN 10 div x ELSE -(10 div x) END FROM reprise_nums;
SELECT IF(x <> 0, 1 / x, 0) + IF(x <> 0, 1 / x, 1) FROM reprise_nums;
-- error CAST_OVERFLOW
SELECT 1 / (x - 4), CAST(x * 100 AS TINYINT) + 1, CAST(x * 100 AS TINYINT) + 2 FROM reprise_nums WHERE x = 4;
-- error DIVIDE_BY_ZERO
SELECT avg(10 div x) FILTER (WHERE x <> 0) FROM reprise_nums;
SELECT sum(10 div x) FILTER (WHERE x <> 0) FROM reprise_nums;
SELECT first(10 div x) FILTER (WHERE x <> 0) FROM reprise_nums;
-- error DIVIDE_BY_ZERO
SELECT sum(10 div x) FILTER (WHERE x <> 0), max(10 div x) FILTER (WHERE x <> 0) FROM reprise_nums;
-- error DIVIDE_BY_ZERO
SELECT x % 2, sum(IF(x > 0 AND 10 div x > 2, 1, 0)), sum(IF(x > 0 AND 10 div x > 3, 1, 0)) FROM reprise_nums GROUP BY 1;
-- conf spark.sql.subexpressionElimination.enabled=false
SELECT x <> 0 AND 1 / x > 2, x <> 0 AND 1 / x < 5 FROM reprise_nums;
-- The generated code of aggregates does not ask.
-- error DIVIDE_BY_ZERO
SELECT avg(10 div x) FILTER (WHERE x <> 0) FROM reprise_nums;
-- conf spark.sql.subexpressionElimination.enabled=true

-- Of a row that fails one function is updated after the other.
CREATE TABLE reprise_top USING parquet LOCATION '${out}/top' AS SELECT 9223372036854775807 AS v, CAST(1 - id AS INT) AS z FROM range(0, 2, 1, 1);
-- error ARITHMETIC_OVERFLOW
SELECT sum(v), sum(1 / z) FROM reprise_top;
-- error DIVIDE_BY_ZERO
SELECT sum(1 / z), sum(v) FROM reprise_top;
DROP TABLE reprise_top;

DROP TABLE reprise_nums;
DROP TABLE reprise_pairs;
DROP TABLE reprise_one;
DROP TABLE reprise_z2;
DROP TABLE reprise_z3;
