-- Bloom filters that Spark makes of a join's smaller side and asks about the rows of the other one.
-- each spark.sql.adaptive.enabled=true|false
-- conf spark.sql.autoBroadcastJoinThreshold=-1
-- conf spark.sql.optimizer.runtime.bloomFilter.enabled=true
-- conf spark.sql.optimizer.runtime.bloomFilter.applicationSideScanSizeThreshold=0

-- expect native: bloomfiltermightcontain, RepriseSortMergeJoin, RepriseObjectHashAggregate
-- expect all native
-- expect no guest
SELECT count(*), sum(a.v), min(a.s) FROM many_keys a JOIN small b ON a.k = b.n WHERE b.i32 > 20;
-- expect native: bloomfiltermightcontain(getstructfield
-- expect all native
SELECT a.v, b.k FROM many_keys a JOIN small b ON a.s = concat('key ', b.n) AND a.k = b.n WHERE b.i32 = 5;
-- A filter of nothing is null.
SELECT count(*) FROM many_keys a JOIN small b ON a.k = b.n WHERE b.i32 = 1000;
