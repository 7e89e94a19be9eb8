-- Rows with equal keys in the order in which Spark's sort gives them. Where memory is denied their order may be another one:
-- Spark's is, too, where a sort spills.
CREATE TABLE reprise_equal USING parquet LOCATION '${out}/equal' AS SELECT IF(id % 3 = 2, NULL, CAST(id % 4 AS INT)) AS k, CAST(id AS DOUBLE) AS n FROM range(0, 40, 1, 1);

-- Of one short key, nulls move other rows.
-- expect native: RepriseSort
-- ordered by k
SELECT * FROM reprise_equal SORT BY k;
-- ordered by k
SELECT * FROM reprise_equal SORT BY k DESC;
-- ordered by k
SELECT * FROM reprise_equal SORT BY k DESC NULLS FIRST;
-- ordered by b
SELECT *, CAST(k AS BOOLEAN) AS b FROM reprise_equal SORT BY CAST(k AS BOOLEAN) NULLS LAST;
-- ordered by k
SELECT * FROM reprise_equal SORT BY CAST(k AS DECIMAL(12, 2));
-- ordered by k
SELECT * FROM reprise_equal SORT BY k / 2.0D;

-- Of others they do not.
-- ordered by k
SELECT * FROM reprise_equal SORT BY CAST(k AS DECIMAL(20, 2));
-- ordered by k
SELECT * FROM reprise_equal SORT BY CAST(k AS STRING);
-- ordered by k
SELECT * FROM reprise_equal SORT BY k, k * 2;
DROP TABLE reprise_equal;
