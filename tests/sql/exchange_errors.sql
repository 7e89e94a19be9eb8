-- ANSI errors raised below and above exchanges carry their own condition and SQL state to the user.
-- each spark.sql.adaptive.enabled=true|false

-- error DIVIDE_BY_ZERO
SELECT q, count(*) FROM (SELECT 100 / (n - 5) AS q FROM small) GROUP BY q;
-- error REMAINDER_BY_ZERO
SELECT /*+ REPARTITION(3, k) */ k, n % (n - 5) FROM small;
-- error DIVIDE_BY_ZERO
SELECT k, 1 / (count(*) - count(*)) FROM small GROUP BY k;
-- error CAST_INVALID_INPUT
SELECT c, count(*) FROM (SELECT CAST(s AS INT) AS c FROM every_type WHERE s = 'zebra') GROUP BY c;
-- error CAST_OVERFLOW
SELECT /*+ REPARTITION(3) */ CAST(i64 AS INT) FROM every_type;
-- error ARITHMETIC_OVERFLOW
SELECT g, sum(x) FROM (SELECT id % 5 AS g, i64 * 2 AS x FROM every_type) GROUP BY g;
-- error ARITHMETIC_OVERFLOW
SELECT sum(i64) FROM (SELECT /*+ REPARTITION(4) */ i64 FROM every_type WHERE i64 > 9000000000000000000);
-- error ARITHMETIC_OVERFLOW
SELECT sum(d38_0) FROM every_type WHERE d38_0 > 1000;
-- error ARITHMETIC_OVERFLOW
SELECT l.n, l.i32 + 2147483647 FROM small l JOIN small r ON l.n = r.n WHERE l.i32 > 0;
-- error DIVIDE_BY_ZERO
SELECT l.n FROM small l JOIN small r ON l.g = r.g AND l.n / (r.n - r.n) > 1;
-- error DIVIDE_BY_ZERO
SELECT /*+ BROADCAST(r) */ l.n, r.q FROM small l JOIN (SELECT n, n / (n - n) AS q FROM small) r ON l.n = r.n;
-- error DIVIDE_BY_ZERO
SELECT n FROM small ORDER BY n / (n - 7);
-- error DIVIDE_BY_ZERO
SELECT n FROM small WHERE n > (SELECT max(n / (n - 7)) FROM small);
-- error SCALAR_SUBQUERY_TOO_MANY_ROWS
SELECT k, count(*) FROM small WHERE n = (SELECT n FROM small WHERE g = 1) GROUP BY k;
-- What no row reaches is no error.
SELECT g, count(*) FROM (SELECT g, 100 / (n - 5) AS q FROM small WHERE n > 5) WHERE q > 0 GROUP BY g;
SELECT k, n / (n - 5) FROM small WHERE n <> 5 AND n < 9;
-- After a failure the next query runs as ever.
SELECT k, count(*) FROM small GROUP BY k;
