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

-- One row after the other, in the order of their hashes: which of a partition's rows is first can be seen too.
-- expect native: RepriseShuffleExchange
-- ordered
SELECT spark_partition_id(), * FROM (SELECT /*+ REPARTITION(7) */ * FROM every_type);
-- ordered
SELECT spark_partition_id(), * FROM (SELECT /*+ REPARTITION(8) */ * FROM small WHERE n > 5);
-- ordered
SELECT spark_partition_id(), i8, b FROM (SELECT /*+ REPARTITION(5) */ i8, b FROM every_type WHERE id < 300);
SELECT spark_partition_id(), k, t FROM (SELECT /*+ REPARTITION(3) */ k, sum(v) AS t FROM many_keys GROUP BY k);
SELECT spark_partition_id(), count(*) FROM (SELECT /*+ REPARTITION(4) */ 1 FROM small) GROUP BY spark_partition_id();

-- The hash itself.
SELECT hash(i8, i16, i32, i64, b), hash(f32, f64), hash(d5_2, d18_4, d19_0, d38_0, d38_18), hash(s, bin, dt) FROM every_type WHERE id >= 0;

-- One after the other as they come.
-- conf spark.sql.execution.sortBeforeRepartition=false
-- ordered
SELECT spark_partition_id(), id FROM (SELECT /*+ REPARTITION(7) */ id FROM every_type WHERE id >= 0);
