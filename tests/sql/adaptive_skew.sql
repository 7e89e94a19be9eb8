-- Joins whose partitions adaptive execution splits, because one key has most of the rows.
-- conf spark.sql.autoBroadcastJoinThreshold=-1
-- conf spark.sql.adaptive.autoBroadcastJoinThreshold=-1
-- conf spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes=10KB
-- conf spark.sql.adaptive.skewJoin.skewedPartitionFactor=1.5
-- conf spark.sql.adaptive.advisoryPartitionSizeInBytes=10KB
-- conf spark.sql.adaptive.coalescePartitions.minPartitionSize=1KB
-- conf spark.sql.shuffle.partitions=5
-- conf spark.sql.adaptive.forceOptimizeSkewedJoin=true

-- expect plan: skew=true
SELECT l.v % 10, count(*), sum(l.v), min(r.n) FROM (SELECT CASE WHEN v > -800 THEN 7 ELSE v END AS key, v FROM many_keys) l JOIN small r ON l.key = r.n GROUP BY l.v % 10;
-- expect plan: skewed
SELECT l.key, count(*), sum(l.v), min(r.k) FROM (SELECT CASE WHEN v > -800 THEN 7 ELSE v END AS key, v FROM many_keys) l LEFT JOIN small r ON l.key = r.n GROUP BY l.key;
-- expect plan: skewed
SELECT count(*), sum(l.v), max(l.k) FROM (SELECT CASE WHEN v > -800 THEN 7 ELSE v END AS key, v, k FROM many_keys) l LEFT SEMI JOIN small r ON l.key = r.n;
-- expect plan: skewed
SELECT count(*), sum(l.v), max(l.k) FROM (SELECT CASE WHEN v > -800 THEN 7 ELSE v END AS key, v, k FROM many_keys) l LEFT ANTI JOIN small r ON l.key = r.n + 7;
SELECT count(*), sum(l.v) FROM (SELECT CASE WHEN v > -800 THEN 7 ELSE v END AS key, v FROM many_keys) l FULL JOIN small r ON l.key = r.n;
-- expect plan: skewed
SELECT count(*), sum(l.v), sum(r.v) FROM (SELECT CASE WHEN v > 0 THEN 7 ELSE v END AS key, v FROM many_keys WHERE k % 3 = 0) l JOIN (SELECT CASE WHEN v > 995 THEN 7 ELSE v END AS key, v FROM many_keys) r ON l.key = r.key;
-- expect plan: skewed
SELECT /*+ SHUFFLE_HASH(r) */ l.v % 7, count(*), sum(l.v) FROM (SELECT CASE WHEN v > -800 THEN 7 ELSE v END AS key, v FROM many_keys) l JOIN small r ON l.key = r.n GROUP BY l.v % 7;
-- Rebalancing splits large partitions too.
SELECT count(*), sum(v), min(k) FROM (SELECT /*+ REBALANCE(x) */ k, v, v > 0 AS x FROM many_keys);
