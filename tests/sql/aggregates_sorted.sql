-- The same aggregates where Spark would sort instead of hash, and where it would use object hashing.
-- conf spark.sql.execution.useHashAggregateExec=false
SELECT s, count(*), min(s), max(s) FROM every_type GROUP BY s;
SELECT k, sum(v), max(s), min(s) FROM many_keys GROUP BY k;
SELECT min(s), max(s), min(bin), max(bin) FROM every_type;
SELECT b, max(s), count(DISTINCT s) FROM every_type GROUP BY b;
