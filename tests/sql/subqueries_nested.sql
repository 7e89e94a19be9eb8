-- Scalar, IN and EXISTS subqueries with exchanges of their own, nulls in them, none at all, and one within another.
-- each spark.sql.adaptive.enabled=true|false

SELECT k, (SELECT max(s.total) FROM (SELECT k, sum(n) AS total FROM small GROUP BY k) s WHERE s.k = o.k) FROM small o WHERE n < 12;
SELECT n FROM small WHERE d15_2 > (SELECT avg(d15_2) FROM small WHERE n > (SELECT min(n) + 10 FROM small));
SELECT k, sum(n) AS t FROM small GROUP BY k HAVING sum(n) > (SELECT avg(x) FROM (SELECT sum(n) AS x FROM small GROUP BY k));
SELECT n FROM small WHERE k IN (SELECT k FROM small GROUP BY k HAVING count(*) > 60);
SELECT n FROM small WHERE (k, g) IN (SELECT k, g FROM small WHERE n < 10);
SELECT n FROM small WHERE k NOT IN (SELECT k FROM small WHERE n < 3 AND k IS NOT NULL);
SELECT n FROM small WHERE i32 NOT IN (SELECT i32 FROM small WHERE n < 50);
SELECT n FROM small WHERE i32 NOT IN (SELECT i32 FROM no_rows);
SELECT n FROM small o WHERE NOT EXISTS (SELECT 1 FROM small i WHERE i.g = o.g AND i.n > o.n AND i.i32 > 40);
SELECT n FROM small o WHERE EXISTS (SELECT 1 FROM small i WHERE i.k = o.k AND i.n <> o.n AND i.i16 = o.i16);
SELECT n FROM small o WHERE n < 20 OR EXISTS (SELECT 1 FROM many_keys i WHERE i.k = o.n AND i.v > 990);
SELECT n, n IN (SELECT i32 FROM small) FROM small WHERE n < 60;
SELECT n, EXISTS (SELECT 1 FROM small i WHERE i.i32 = o.n) FROM small o WHERE n < 60;
SELECT n, (SELECT s FROM every_type WHERE id < 0), (SELECT max(f64) FROM every_type WHERE f64 < 10) FROM small WHERE n < 4;
SELECT n, (SELECT max(d38_18) FROM every_type), (SELECT max(ts) FROM every_type), (SELECT min(dt) FROM every_type) FROM small WHERE n < 4;
SELECT id FROM every_type WHERE s = (SELECT max(s) FROM every_type WHERE length(s) < 3);
SELECT id FROM every_type WHERE i64 IN (SELECT i64 FROM every_type WHERE id < 20) AND d38_0 < (SELECT max(d38_0) FROM every_type);
SELECT count(*) FROM small WHERE (SELECT count(*) FROM no_rows) = 0;
SELECT count(*) FROM small WHERE EXISTS (SELECT 1 FROM no_rows);
SELECT count(*) FROM small WHERE NOT EXISTS (SELECT 1 FROM no_rows);
-- NaN is the greatest; Spark's own push-down would lose it, see filters_floating.sql.
-- conf spark.sql.parquet.filterPushdown=false
SELECT id FROM every_type WHERE f64 = (SELECT max(f64) FROM every_type);
