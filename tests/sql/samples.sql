-- Samples: the same rows as Spark's random numbers choose.
-- each spark.sql.adaptive.enabled=true|false

-- expect native: RepriseSample
SELECT * FROM every_type TABLESAMPLE (20 PERCENT) REPEATABLE (42);
-- expect native: RepriseSample
SELECT n, k FROM small TABLESAMPLE (50 PERCENT) REPEATABLE (0) WHERE i32 > 0;
SELECT count(*), sum(id) FROM (SELECT id FROM range(0, 100000, 1, 7)) TABLESAMPLE (10 PERCENT) REPEATABLE (9223372036854775807);
SELECT id FROM (SELECT id FROM range(0, 1000, 1, 3)) TABLESAMPLE (BUCKET 2 OUT OF 7) REPEATABLE (5);
SELECT id FROM (SELECT id FROM range(0, 100, 1, 3)) TABLESAMPLE (0 PERCENT) REPEATABLE (1);
SELECT id FROM (SELECT id FROM range(0, 100, 1, 3)) TABLESAMPLE (100 PERCENT) REPEATABLE (1);
-- A partition's number is that of the sample's own input.
SELECT id FROM (SELECT id FROM range(0, 100, 1, 3) UNION ALL SELECT id + 1000 FROM (SELECT id FROM range(0, 100, 1, 3)) TABLESAMPLE (30 PERCENT) REPEATABLE (3));
SELECT id FROM (SELECT /*+ COALESCE(2) */ * FROM (SELECT id FROM (SELECT id FROM range(0, 200, 1, 5)) TABLESAMPLE (30 PERCENT) REPEATABLE (3)));
SELECT id FROM (SELECT /*+ COALESCE(2) */ id FROM range(0, 200, 1, 5)) TABLESAMPLE (30 PERCENT) REPEATABLE (3);
SELECT a.id, b.id FROM (SELECT id FROM (SELECT id FROM range(0, 20, 1, 3)) TABLESAMPLE (30 PERCENT) REPEATABLE (3)) a CROSS JOIN (SELECT id FROM (SELECT id FROM range(0, 20, 1, 2)) TABLESAMPLE (30 PERCENT) REPEATABLE (4)) b;
-- Rows of an exchange come in an order that holds: a sort's.
SELECT id FROM (SELECT id FROM range(0, 500, 1, 4) ORDER BY id % 7, id) TABLESAMPLE (25 PERCENT) REPEATABLE (8);
SELECT n, count(*) FROM (SELECT * FROM small TABLESAMPLE (60 PERCENT) REPEATABLE (2)) TABLESAMPLE (50 PERCENT) REPEATABLE (3) GROUP BY n;
-- Rows that are not drawn are not computed.
-- conf spark.sql.ansi.enabled=true
SELECT id FROM (SELECT id FROM range(0, 10, 1, 1)) TABLESAMPLE (50 PERCENT) REPEATABLE (42);
SELECT x FROM (SELECT id, 10 div (id - 2) AS x FROM range(0, 10, 1, 1)) TABLESAMPLE (50 PERCENT) REPEATABLE (42);
