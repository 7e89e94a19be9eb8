-- The first and the last rows of groups, whose order is known where all are in one partition, and rows without duplicates.
-- each spark.sql.adaptive.enabled=true|false

-- expect native: RepriseHashAggregate
SELECT k, first(id), last(id), first(f), last(f, true), first(f, true), any_value(m) FROM (SELECT id, id % 5 AS k, if(id % 3 = 0, NULL, id * 1.5D) AS f, CAST(id AS DECIMAL(25, 3)) AS m FROM range(0, 100, 1, 1)) GROUP BY k;
-- expect native: RepriseHashAggregate
SELECT k, first(s), last(s), first_value(s) IGNORE NULLS, last_value(s) IGNORE NULLS, first(d), last(t) FROM (SELECT id % 4 AS k, if(id % 5 < 2, NULL, concat('text ', id)) AS s, DATE '2000-01-01' + CAST(id AS INT) AS d, CAST(id AS TIMESTAMP) AS t FROM range(0, 60, 1, 1)) GROUP BY k;
SELECT first(id), last(id), first(id) FILTER (WHERE id > 40), last(b) FROM (SELECT id, id % 2 = 0 AS b FROM range(0, 50, 1, 1));
SELECT first(i32), last(s, true), first(d38_18), count(*) FROM no_rows;
SELECT b, first(i32, true), last(s, true) FROM (SELECT b, i32, s FROM every_type WHERE s = 'abc' AND i32 = 0) GROUP BY b;
