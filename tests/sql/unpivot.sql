-- UNPIVOT gives the values of one row together, in the order of its columns; who takes the first rows sees it.
-- each spark.sql.adaptive.enabled=true|false
CREATE TABLE reprise_wide USING parquet LOCATION '${out}/wide' AS SELECT id, CAST(id % 5 AS DOUBLE) AS g, CAST(id * 7 % 10 AS INT) AS a, CAST(IF(id % 3 = 0, NULL, id * 3) AS INT) AS b, CAST(100 - id AS INT) AS c, 'text ' || CAST(id % 4 AS STRING) AS s, IF(id % 7 = 0, NULL, 'another') AS t FROM range(0, 60, 1, 1);

-- expect native: RepriseExpand
-- ordered
SELECT id, name, value FROM reprise_wide UNPIVOT (value FOR name IN (a, b, c));
-- expect native: RepriseExpand
-- ordered
SELECT id, name, value FROM reprise_wide UNPIVOT (value FOR name IN (a, b, c)) LIMIT 5;
-- ordered
SELECT id, name, value FROM reprise_wide UNPIVOT INCLUDE NULLS (value FOR name IN (s, t)) LIMIT 50 OFFSET 7;
-- ordered
SELECT id, name, x, y FROM reprise_wide UNPIVOT ((x, y) FOR name IN ((a, b) AS ab, (b, c) AS bc)) LIMIT 31;
SELECT collect_list(value), first(value), last(value) FROM (SELECT a, b, c FROM reprise_wide) UNPIVOT (value FOR name IN (a, b, c));
SELECT g, collect_list(value), sum(value / 7D) FROM reprise_wide UNPIVOT (value FOR name IN (a, b, c)) GROUP BY g;
-- ordered
SELECT name, value, monotonically_increasing_id() FROM reprise_wide UNPIVOT (value FOR name IN (a, b));
-- ordered
SELECT * FROM (SELECT id, a, c FROM reprise_wide ORDER BY id DESC) UNPIVOT (value FOR name IN (a, c)) LIMIT 7;
SELECT sum(value), count(*) FROM (SELECT value FROM reprise_wide UNPIVOT (value FOR name IN (a, b, c)) LIMIT 100);

-- What fails does so at its turn: no earlier value is lost, and none that nobody asks for fails.
-- ordered
SELECT * FROM (SELECT id, 10 DIV (id + 1) AS x, 10 DIV (id - 2) AS y FROM reprise_wide) UNPIVOT (value FOR name IN (x, y)) LIMIT 4;
-- error DIVIDE_BY_ZERO
SELECT * FROM (SELECT id, 10 DIV (id + 1) AS x, 10 DIV (id - 2) AS y FROM reprise_wide) UNPIVOT (value FOR name IN (x, y)) LIMIT 5;

-- Grouping sets: the rows of a group are those of one projection.
-- ordered
SELECT a, g, collect_list(id), first(id), sum(id / 7D) FROM reprise_wide GROUP BY GROUPING SETS ((a, g), (a), (a), ()) ORDER BY a, g, size(collect_list(id));
DROP TABLE reprise_wide;
