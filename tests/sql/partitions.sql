-- Rows go to the partitions of an exchange that Spark sends them to.
-- each spark.sql.adaptive.enabled=true|false
-- each spark.sql.shuffle.partitions=1|7

-- Which partition each row is in.
-- expect native: RepriseShuffleExchange
SELECT spark_partition_id(), id FROM (SELECT /*+ REPARTITION(7, i8) */ id, i8 FROM every_type WHERE id >= 0);
SELECT spark_partition_id(), id FROM (SELECT /*+ REPARTITION(7, i64, b) */ id, i64, b FROM every_type WHERE id >= 0);
SELECT spark_partition_id(), id FROM (SELECT /*+ REPARTITION(7, f32, f64) */ id, f32, f64 FROM every_type WHERE id >= 0);
SELECT spark_partition_id(), id FROM (SELECT /*+ REPARTITION(7, d5_2, d18_4) */ id, d5_2, d18_4 FROM every_type WHERE id >= 0);
SELECT spark_partition_id(), id FROM (SELECT /*+ REPARTITION(7, d38_0) */ id, d38_0 FROM every_type WHERE id >= 0);
SELECT spark_partition_id(), id FROM (SELECT /*+ REPARTITION(7, s, bin, dt) */ id, s, bin, dt FROM every_type WHERE id >= 0);

-- The hash itself.
SELECT hash(i8, i16, i32, i64, b), hash(f32, f64), hash(d5_2, d18_4, d19_0, d38_0, d38_18), hash(s, bin, dt) FROM every_type WHERE id >= 0;
