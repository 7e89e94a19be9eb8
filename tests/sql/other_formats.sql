-- Other file formats keep working beside the native scan.
CREATE TABLE reprise_orc USING orc LOCATION '${out}/orc' AS SELECT n, k, d15_2, f64, dt FROM small;
SELECT k, count(*), sum(d15_2), max(f64) FROM reprise_orc WHERE n > 10 GROUP BY k;
DROP TABLE reprise_orc;
CREATE TABLE reprise_csv USING csv LOCATION '${out}/csv' AS SELECT n, i32, f64 FROM small;
SELECT count(*), sum(i32) FROM reprise_csv WHERE n > 100;
DROP TABLE reprise_csv;
CREATE TABLE reprise_nested USING parquet LOCATION '${out}/nested' AS SELECT n, struct(k, g) AS pair, array(i32, i16) AS two, map(coalesce(k, ''), n) AS lookup FROM small;
SELECT n, pair.k, two[0], lookup FROM reprise_nested WHERE n < 30;
SELECT pair, count(*) FROM reprise_nested GROUP BY pair;
SELECT sum(n) FROM reprise_nested WHERE pair.g = 2;
DROP TABLE reprise_nested;
