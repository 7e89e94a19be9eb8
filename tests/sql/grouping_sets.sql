-- Rollup, cube, grouping sets, and distinct aggregates: rows that are expanded below an exchange.
-- each spark.sql.adaptive.enabled=true|false

SELECT k, g, count(*), sum(n), max(i32) FROM small GROUP BY ROLLUP (k, g);
SELECT k, g, b, count(*), min(d30_10) FROM small GROUP BY CUBE (k, g, b);
SELECT k, g, grouping(k), grouping(g), grouping_id(), count(*) FROM small GROUP BY GROUPING SETS ((k, g), (k), ());
SELECT k, g, count(DISTINCT i32), sum(n) FROM small GROUP BY ROLLUP (k, g) HAVING grouping_id() < 3;
SELECT year, region, sum(amount) FROM partitioned GROUP BY CUBE (year, region);
SELECT i32, count(*) FROM no_rows GROUP BY ROLLUP (i32);
SELECT count(DISTINCT k) FROM small;
SELECT count(DISTINCT k, g), count(*) FROM small;
SELECT k, count(DISTINCT g), count(DISTINCT i32), sum(DISTINCT n), avg(DISTINCT d5_2), min(n) FROM small GROUP BY k;
SELECT g, count(DISTINCT i32) FILTER (WHERE i32 > 0), count(DISTINCT n) FILTER (WHERE n % 2 = 0), sum(n) FILTER (WHERE b) FROM small GROUP BY g;
SELECT count(DISTINCT f64), count(DISTINCT f32), count(DISTINCT s), count(DISTINCT d38_18) FROM every_type;
SELECT count(DISTINCT nothing), sum(DISTINCT i8) FROM every_type;
SELECT count(DISTINCT s), sum(DISTINCT i8), count(*) FROM no_rows;
SELECT k, count(DISTINCT v), count(DISTINCT m) FROM many_keys WHERE v > 700 GROUP BY k;
SELECT count(DISTINCT s), count(DISTINCT k) FROM many_keys;
SELECT DISTINCT k, g FROM small;
SELECT DISTINCT i32 FROM no_rows;
SELECT f64 FROM every_type WHERE id < 100 INTERSECT SELECT -f64 FROM every_type;
SELECT f64 FROM every_type EXCEPT SELECT f64 FROM every_type WHERE id < 100;
SELECT k FROM small EXCEPT ALL SELECT k FROM small WHERE n > 30;
SELECT k FROM small INTERSECT ALL SELECT k FROM small WHERE n > 200;
