-- Rows with equal keys in the order in which Spark's sort gives them. They have a floating-point number, by which the
-- tests that deny memory know that the order may be another one: Spark's is, too, where a sort spills.
CREATE TABLE reprise_equal USING parquet LOCATION '${out}/equal' AS SELECT IF(id % 3 = 2, NULL, CAST(id % 4 AS INT)) AS k, CAST(id AS DOUBLE) AS n FROM range(0, 40, 1, 1);

-- Of one short key, nulls move other rows.
-- expect native: RepriseSort
-- ordered
SELECT * FROM reprise_equal SORT BY k;
-- ordered
SELECT * FROM reprise_equal SORT BY k DESC;
-- ordered
SELECT * FROM reprise_equal SORT BY k DESC NULLS FIRST;
-- ordered
SELECT * FROM reprise_equal SORT BY CAST(k AS BOOLEAN) NULLS LAST;
-- ordered
SELECT * FROM reprise_equal SORT BY CAST(k AS DECIMAL(12, 2));
-- ordered
SELECT * FROM reprise_equal SORT BY k / 2.0D;

-- Of others they do not.
-- ordered
SELECT * FROM reprise_equal SORT BY CAST(k AS DECIMAL(20, 2));
-- ordered
SELECT * FROM reprise_equal SORT BY CAST(k AS STRING);
-- ordered
SELECT * FROM reprise_equal SORT BY k, k * 2;
DROP TABLE reprise_equal;
