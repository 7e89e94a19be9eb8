-- Cached tables, and tables written from native plans and read back.
-- each spark.sql.adaptive.enabled=true|false
-- conf spark.sql.legacy.allowNonEmptyLocationInCTAS=true

CACHE TABLE kept AS SELECT n, k, i32, d15_2, f64 FROM small WHERE i32 > -20;
SELECT k, count(*), sum(d15_2), min(f64) FROM kept GROUP BY k;
SELECT n FROM kept WHERE i32 > 0 AND f64 < 2;
UNCACHE TABLE kept;
DROP VIEW kept;

CREATE TABLE reprise_copy USING parquet LOCATION '${out}/copy' AS SELECT * FROM every_type WHERE id < 300;
SELECT * FROM reprise_copy;
SELECT b, count(*), sum(d18_4) FROM reprise_copy GROUP BY b;
INSERT INTO reprise_copy SELECT * FROM every_type WHERE id >= 390;
SELECT count(*), max(id), sum(i16) FROM reprise_copy;
DROP TABLE reprise_copy;

CREATE TABLE reprise_split (n INT, total DECIMAL(20, 2), k STRING) USING parquet PARTITIONED BY (k) LOCATION '${out}/split';
INSERT INTO reprise_split SELECT max(n), CAST(sum(d15_2) AS DECIMAL(20, 2)), k FROM small WHERE k <> '' GROUP BY k;
SELECT * FROM reprise_split;
SELECT k, total FROM reprise_split WHERE k = 'red' OR n > 298;
DROP TABLE reprise_split;
