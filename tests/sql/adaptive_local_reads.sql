-- A shuffle that was written for a sort-merge join and is read where it was written, because the join is a broadcast now.
-- conf spark.sql.autoBroadcastJoinThreshold=-1
-- conf spark.sql.adaptive.autoBroadcastJoinThreshold=1MB
-- conf spark.sql.shuffle.partitions=5

-- expect plan: AQEShuffleRead local
SELECT l.k, l.v, r.n FROM many_keys l JOIN small r ON l.k = r.n WHERE r.n < 20;
-- expect plan: AQEShuffleRead local
SELECT l.s, count(*), sum(r.n) FROM many_keys l JOIN small r ON l.k = r.n GROUP BY l.s;
-- expect plan: AQEShuffleRead local
SELECT l.k, l.s, l.m, r.d30_10 FROM many_keys l LEFT JOIN small r ON l.k = r.n WHERE l.v > 950;
-- expect plan: AQEShuffleRead coalesced
SELECT k, count(*) FROM small GROUP BY k;
