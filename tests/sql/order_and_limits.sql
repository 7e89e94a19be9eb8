-- Sorts, limits, unions and grouping sets.
-- each spark.sql.adaptive.enabled=true|false

-- expect native: RepriseSort
-- ordered
SELECT id, i32 FROM every_type ORDER BY i32, id;
-- ordered
SELECT id, i32 FROM every_type ORDER BY i32 DESC NULLS FIRST, id DESC;
-- ordered
SELECT id, s FROM every_type ORDER BY s NULLS LAST, id;
-- ordered
SELECT id, s FROM every_type ORDER BY s DESC, id;
-- ordered
SELECT id, f64 FROM every_type ORDER BY f64, id;
-- ordered
SELECT id, f32 FROM every_type ORDER BY f32 DESC, id;
-- ordered
SELECT id, b, dt FROM every_type ORDER BY b, dt DESC, id;
-- ordered
SELECT id, bin FROM every_type ORDER BY bin, id;
-- ordered
SELECT id FROM every_type ORDER BY CAST(i8 AS INT) + i16 DESC, substring(s, 1, 1), id;
SELECT id, i32 FROM every_type SORT BY i32;

-- expect native: RepriseTakeOrdered
-- ordered
SELECT id, i32 FROM every_type ORDER BY i32, id LIMIT 7;
-- ordered
SELECT id, s FROM every_type ORDER BY s DESC, id LIMIT 5 OFFSET 3;
-- ordered
SELECT id + 1 AS next FROM every_type ORDER BY i64 DESC, id LIMIT 1000;
-- ordered
SELECT id FROM every_type ORDER BY id LIMIT 0;
SELECT count(*) FROM (SELECT id FROM every_type LIMIT 9);
SELECT count(*) FROM (SELECT id FROM every_type LIMIT 9 OFFSET 4);
SELECT count(*) FROM (SELECT id FROM every_type OFFSET 4);

-- expect native: RepriseUnion
SELECT id, s FROM every_type WHERE i32 > 0 UNION ALL SELECT id, s FROM every_type WHERE i32 <= 0;
SELECT i32 FROM every_type UNION SELECT i32 FROM every_type;
SELECT i64, 'a' AS side FROM every_type UNION ALL SELECT i32, s FROM every_type UNION ALL SELECT id, NULL FROM every_type;
-- expect native: RepriseExpand
SELECT b, dt, count(*), sum(i32) FROM every_type GROUP BY ROLLUP (b, dt);
SELECT b, i8, grouping_id(), max(s) FROM every_type GROUP BY CUBE (b, i8);
SELECT count(DISTINCT i8), count(DISTINCT s), sum(i16) FROM every_type;

SELECT /*+ REPARTITION(3) */ id, s FROM every_type;
SELECT /*+ REPARTITION(5, i32) */ id, i32 FROM every_type;
SELECT /*+ REPARTITION_BY_RANGE(4, s) */ id, s FROM every_type;
SELECT /*+ COALESCE(1) */ id, s FROM every_type;
