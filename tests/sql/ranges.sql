-- Numbers that are made where they are needed.
-- each spark.sql.adaptive.enabled=true|false

-- expect native: RepriseRange
-- ordered
SELECT * FROM range(10);
-- expect native: RepriseRange
-- ordered
SELECT * FROM range(3, 20, 4, 3);
-- ordered
SELECT id FROM range(20, -7, -5, 4);
SELECT * FROM range(5, 5);
SELECT * FROM range(5, 0);
SELECT count(*), sum(id) FROM range(5, 0);
SELECT id FROM range(0, 3, 1, 200);
-- ordered
SELECT id FROM range(9223372036854775800, 9223372036854775807, 3, 2);
-- expect native: RepriseRange
SELECT count(*), min(id), max(id), sum(id % 1000) FROM range(-9223372036854775807 - 1, 9223372036854775807, 9223372036854775, 3);
SELECT count(*), min(id), max(id), sum(id % 1000) FROM range(9223372036854775807, -9223372036854775807 - 1, -9223372036854775, 200);
-- Steps of which Spark's generated code and its iterators make different numbers.
SELECT id FROM range(-9223372036854775807 - 1, 9223372036854775807, 4611686018427387904, 3);
SELECT id FROM range(9223372036854775807, -9223372036854775807 - 1, -9223372036854775807, 5);
SELECT id FROM range(9223372036854775806, -9223372036854775807 - 1, -9223372036854775807 - 1, 1);
SELECT id FROM range(-9223372036854775807 - 1, -9223372036854775807, 7, 2);
-- expect native: RepriseRange, RepriseProject, RepriseFilter
SELECT id * 2 AS twice, id % 3 FROM range(100) WHERE id > 90;
-- expect native: RepriseRange, RepriseHashAggregate
SELECT id % 10 AS k, count(*), sum(id), min(id), max(id) FROM range(0, 100000, 1, 7) GROUP BY id % 10;
SELECT sum(id) FROM range(1000000);
-- expect native: RepriseRange
-- ordered
SELECT id FROM range(0, 100, 1, 5) ORDER BY id DESC LIMIT 7;
-- ordered
SELECT id FROM range(0, 100, 1, 5) LIMIT 7;
SELECT r.id, e.s FROM range(50) r JOIN every_type e ON r.id = e.id;
SELECT l.id, r.id FROM range(4) l CROSS JOIN range(10, 13) r;
SELECT count(*) FROM range(0, 1000, 1, 3) l JOIN range(0, 2000, 2, 5) r ON l.id = r.id;
SELECT id FROM range(5) UNION ALL SELECT id FROM range(7, 9);
SELECT /*+ COALESCE(2) */ id FROM range(0, 30, 1, 6);
SELECT /*+ REPARTITION(3) */ id FROM range(0, 30, 1, 6) WHERE id % 2 = 0;
-- More numbers than a long counts.
-- expect no native
SELECT id FROM range(-9223372036854775807 - 1, 9223372036854775807, 1, 1) LIMIT 0;
