-- Parquet files that lack columns which were added with a default value.
-- each spark.sql.parquet.enableVectorizedReader=true|false

CREATE TABLE reprise_added (k BIGINT, p STRING) USING parquet PARTITIONED BY (p) LOCATION '${out}/added';
INSERT INTO reprise_added SELECT id, concat('p', id % 2) FROM range(2000);
ALTER TABLE reprise_added ADD COLUMNS (n INT DEFAULT 40 + 2, s STRING DEFAULT 'as before', d DECIMAL(12,3) DEFAULT 1.5);
INSERT INTO reprise_added (k, n, s, d, p) SELECT id, id % 5, concat('s', id % 3), id / 7, 'p1' FROM range(2000, 3000);
INSERT INTO reprise_added (k, p) VALUES (-1, 'p2');
INSERT INTO reprise_added (k, n, s, d, p) VALUES (-2, NULL, NULL, NULL, 'p2');
ALTER TABLE reprise_added ADD COLUMNS (t TIMESTAMP DEFAULT TIMESTAMP '2024-02-29 12:30:15', b BOOLEAN DEFAULT true, x DOUBLE DEFAULT double('-0.0'));
INSERT INTO reprise_added VALUES (-3, 1, 'new', 2.25, TIMESTAMP '1999-12-31', false, double('NaN'), 'p0');
SELECT p, n, s, d, t, b, x, count(*), sum(k) FROM reprise_added GROUP BY p, n, s, d, t, b, x;
SELECT * FROM reprise_added WHERE k < 3 OR k > 2997;
SELECT count(*) FROM reprise_added WHERE n = 42;
SELECT count(*) FROM reprise_added WHERE n IS NULL OR s IS NULL;
SELECT count(*), max(k) FROM reprise_added WHERE n IS NOT NULL AND d > 1.5 AND s <> 'as before';
SELECT k, t FROM reprise_added WHERE NOT b OR t < TIMESTAMP '2000-01-01';
SELECT count(*) FROM reprise_added a JOIN reprise_added b ON a.n = b.n AND a.k = b.k AND a.x = b.x;
DROP TABLE reprise_added;
