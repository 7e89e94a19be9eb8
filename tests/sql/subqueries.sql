-- Subqueries whose values enter native operators at run time.
-- each spark.sql.adaptive.enabled=true|false

SELECT n FROM small WHERE n > (SELECT avg(n) FROM small);
SELECT n, (SELECT max(i32) FROM small) FROM small WHERE n < 5;
SELECT n + (SELECT min(g) FROM small WHERE g > 1) FROM small WHERE i32 > 0;
SELECT k, sum(n) > (SELECT count(*) FROM many_keys) FROM small GROUP BY k;
SELECT n FROM small o WHERE EXISTS (SELECT 1 FROM many_keys i WHERE i.k = o.n AND i.v > 990);
SELECT n FROM small WHERE i32 NOT IN (SELECT i16 FROM small WHERE i16 IS NOT NULL AND n < 100);
SELECT n FROM small WHERE i32 NOT IN (SELECT i16 FROM small);
SELECT n FROM small s WHERE n = (SELECT max(n) FROM small t WHERE t.k = s.k);
SELECT n FROM small WHERE n > (SELECT max(n) FROM small WHERE n < 0);
SELECT count(*) FROM small WHERE d15_2 > (SELECT avg(d15_2) FROM small) AND i32 > 0;
-- error SCALAR_SUBQUERY_TOO_MANY_ROWS
SELECT n FROM small WHERE n > (SELECT n FROM small);
-- Dynamic partition pruning.
SELECT sum(p.amount) FROM partitioned p JOIN small s ON p.year = s.n + 1998 WHERE s.n = 1;
WITH t AS (SELECT k, sum(n) AS total FROM small GROUP BY k) SELECT a.k, a.total FROM t a JOIN t b ON a.total = b.total;
-- In the order of rows, by which ranges are chosen and the first rows found.
-- ordered
SELECT n, i32 FROM small ORDER BY n * (SELECT min(g) - 1 FROM small WHERE g > 1), n DESC;
-- ordered
SELECT n, i32 FROM small ORDER BY n * (SELECT min(g) - 5 FROM small WHERE g > 1), n DESC LIMIT 7;

-- Spark merges subqueries over the same rows into one, of a struct.
-- expect native: RepriseProject
-- expect plan: mergedValue
SELECT n, (SELECT max(n) FROM small) - n, (SELECT min(k) FROM small), (SELECT avg(d5_2) FROM small) FROM small;
-- expect native: RepriseFilter
SELECT n FROM small WHERE n > (SELECT avg(n) FROM small) AND k <> (SELECT max(k) FROM small);
-- expect plan: mergedValue
SELECT n, (SELECT array(max(n)) FROM small), (SELECT named_struct('a', min(n), 'b', max(k)) FROM small), (SELECT map(1, count(*)) FROM small) FROM small WHERE n < 3;
SELECT n, (SELECT max(n) FROM small WHERE n < 0), (SELECT min(k) FROM small WHERE n < 0) FROM small WHERE n < 3;
SELECT n FROM small WHERE (SELECT array(max(n), min(n)) FROM small)[1] = n;
