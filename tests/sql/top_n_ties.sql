-- Which of the rows with equal keys `ORDER BY … LIMIT` keeps, and in what order it gives them. Where memory is denied the
-- rows are only counted: of those that were spilled others are kept.
-- each spark.sql.adaptive.enabled=true|false
CREATE TABLE reprise_ties USING parquet LOCATION '${out}/ties' AS SELECT CAST(id * 7919 % 5 AS INT) AS k, 'a text longer than what fits ' || CAST(id * 31 % 3 AS STRING) AS s, IF(id % 7 = 0, NULL, CAST(id * id % 4 AS INT)) AS m, CAST(id AS DOUBLE) AS n FROM range(0, 1000, 1, 1);
-- Each file smaller than the one before: Spark reads the larger first, and of equal ones whichever the folder lists first.
CREATE TABLE reprise_ties_apart USING parquet LOCATION '${out}/apart' AS SELECT CAST(id * 7919 % 5 AS INT) AS k, 'a text longer than what fits ' || CAST(id * 31 % 3 AS STRING) AS s, IF(id % 7 = 0, NULL, CAST(id * id % 4 AS INT)) AS m, CAST(id AS DOUBLE) AS n FROM range(0, 1000, 1, 4) WHERE id % 4 >= id DIV 250;

-- Of one partition.
-- expect native: RepriseTakeOrdered
-- ordered
SELECT * FROM reprise_ties ORDER BY k LIMIT 1;
-- ordered
SELECT * FROM reprise_ties ORDER BY k LIMIT 7;
-- ordered
SELECT * FROM reprise_ties ORDER BY k DESC LIMIT 250;
-- ordered
SELECT * FROM reprise_ties ORDER BY s LIMIT 20;
-- ordered
SELECT * FROM reprise_ties ORDER BY s DESC, m NULLS LAST LIMIT 33 OFFSET 5;
-- ordered
SELECT n, m + 1 FROM reprise_ties ORDER BY m LIMIT 90;
-- ordered
SELECT * FROM reprise_ties ORDER BY k LIMIT 999;
-- ordered
SELECT * FROM reprise_ties ORDER BY k LIMIT 1000;
-- ordered
SELECT * FROM reprise_ties ORDER BY k LIMIT 2000;
-- ordered
SELECT * FROM reprise_ties WHERE n > 300 ORDER BY -k, s LIMIT 40;

-- Of several partitions, by a second step over what is left of each.
-- expect native: RepriseTakeOrdered
SELECT collect_list(n) FROM (SELECT n FROM reprise_ties_apart ORDER BY k LIMIT 7);
SELECT collect_list(n) FROM (SELECT n FROM reprise_ties_apart ORDER BY s DESC, m LIMIT 60 OFFSET 3);
SELECT collect_list(n) FROM (SELECT n FROM reprise_ties_apart ORDER BY m LIMIT 600);
SELECT first(n), last(n) FROM (SELECT n FROM reprise_ties_apart ORDER BY k DESC LIMIT 1500);
-- Collected, which of equal rows of several partitions come first depends on which of Spark's tasks ends first.
SELECT k FROM reprise_ties_apart ORDER BY k LIMIT 300;

-- A join hands its rows on in the order of its keys.
-- conf spark.sql.shuffle.partitions=1
-- expect native: RepriseTakeOrdered, RepriseSortMergeJoin
-- ordered
SELECT /*+ MERGE(b) */ a.n, b.m FROM reprise_ties a JOIN reprise_ties_apart b ON a.n = b.n ORDER BY a.k DESC LIMIT 12;
-- ordered
SELECT /*+ MERGE(b) */ a.n, b.m FROM reprise_ties a JOIN reprise_ties_apart b ON a.n = b.n ORDER BY a.m NULLS LAST, b.k LIMIT 77;
-- ordered
SELECT /*+ MERGE(b) */ a.k, a.n, b.n FROM reprise_ties a JOIN reprise_ties_apart b ON a.k = b.k AND a.n < b.n - 990 ORDER BY a.k LIMIT 9;
DROP TABLE reprise_ties_apart;
DROP TABLE reprise_ties;
