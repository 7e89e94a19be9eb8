-- Which of the rows with equal keys `ORDER BY … LIMIT` keeps, and in what order it gives them. Where memory is denied only
-- the keys are compared: of rows that were spilled others are kept.
-- each spark.sql.adaptive.enabled=true|false
CREATE TABLE reprise_ties USING parquet LOCATION '${out}/ties' AS SELECT CAST(id * 7919 % 5 AS INT) AS k, 'a text longer than what fits ' || CAST(id * 31 % 3 AS STRING) AS s, IF(id % 7 = 0, NULL, CAST(id * id % 4 AS INT)) AS m, CAST(id AS DOUBLE) AS n FROM range(0, 1000, 1, 1);
-- Each file smaller than the one before: Spark reads the larger first, and of equal ones whichever the folder lists first.
CREATE TABLE reprise_ties_apart USING parquet LOCATION '${out}/apart' AS SELECT CAST(id * 7919 % 5 AS INT) AS k, 'a text longer than what fits ' || CAST(id * 31 % 3 AS STRING) AS s, IF(id % 7 = 0, NULL, CAST(id * id % 4 AS INT)) AS m, CAST(id AS DOUBLE) AS n FROM range(0, 1000, 1, 4) WHERE id % 4 >= id DIV 250;

-- Of one partition.
-- expect native: RepriseTakeOrdered
-- first by k
SELECT * FROM reprise_ties ORDER BY k LIMIT 1;
-- first by k
SELECT * FROM reprise_ties ORDER BY k LIMIT 7;
-- first by k
SELECT * FROM reprise_ties ORDER BY k DESC LIMIT 250;
-- first by s
SELECT * FROM reprise_ties ORDER BY s LIMIT 20;
-- first by s, m
SELECT * FROM reprise_ties ORDER BY s DESC, m NULLS LAST LIMIT 33 OFFSET 5;
-- first by next
SELECT n, m + 1 AS next FROM reprise_ties ORDER BY m LIMIT 90;
-- first by k
SELECT * FROM reprise_ties ORDER BY k LIMIT 999;
-- first by k
SELECT * FROM reprise_ties ORDER BY k LIMIT 1000;
-- first by k
SELECT * FROM reprise_ties ORDER BY k LIMIT 2000;
-- first by k, s
SELECT * FROM reprise_ties WHERE n > 300 ORDER BY -k, s LIMIT 40;

-- Of several partitions, by a second step over what is left of each.
-- expect native: RepriseTakeOrdered
-- first by k
SELECT collect_list(k) AS k, collect_list(n) AS n FROM (SELECT k, n FROM reprise_ties_apart ORDER BY k LIMIT 7);
-- first by k
SELECT collect_list(struct(s, m)) AS k, collect_list(n) AS n FROM (SELECT s, m, n FROM reprise_ties_apart ORDER BY s DESC, m LIMIT 60 OFFSET 3);
-- first by m
SELECT collect_list(array(m)) AS m, collect_list(n) AS n FROM (SELECT m, n FROM reprise_ties_apart ORDER BY m LIMIT 600);
-- first by x, y
SELECT first(k) AS x, last(k) AS y, first(n) AS n, last(n) AS o FROM (SELECT k, n FROM reprise_ties_apart ORDER BY k DESC LIMIT 1500);
-- Collected, which of equal rows of several partitions come first depends on which of Spark's tasks ends first.
SELECT k FROM reprise_ties_apart ORDER BY k LIMIT 300;

-- A join hands its rows on in the order of its keys.
-- conf spark.sql.shuffle.partitions=1
-- expect native: RepriseTakeOrdered, RepriseSortMergeJoin
-- first by k
SELECT /*+ MERGE(b) */ a.k, a.n, b.m FROM reprise_ties a JOIN reprise_ties_apart b ON a.n = b.n ORDER BY a.k DESC LIMIT 12;
-- first by m, k
SELECT /*+ MERGE(b) */ a.n, a.m, b.k FROM reprise_ties a JOIN reprise_ties_apart b ON a.n = b.n ORDER BY a.m NULLS LAST, b.k LIMIT 77;
-- first by k
SELECT /*+ MERGE(b) */ a.k, a.n, b.n AS o FROM reprise_ties a JOIN reprise_ties_apart b ON a.k = b.k AND a.n < b.n - 990 ORDER BY a.k LIMIT 9;
DROP TABLE reprise_ties_apart;
DROP TABLE reprise_ties;
