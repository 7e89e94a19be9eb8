-- A sort keeps the order of the rows that it finds equal, so that what stands above it sees that of the join below.
-- each spark.sql.adaptive.enabled=true|false
-- conf spark.sql.shuffle.partitions=1
-- conf spark.sql.autoBroadcastJoinThreshold=-1
CREATE OR REPLACE TEMP VIEW ta AS SELECT id * 7 % 50 AS k, id AS v, id % 3 AS c FROM range(0, 400, 1, 2);
CREATE OR REPLACE TEMP VIEW tb AS SELECT id * 13 % 60 AS k, id AS w, id % 4 AS d FROM range(0, 300, 1, 2);

SELECT ta.k, v, w FROM ta JOIN tb ON ta.k = tb.k SORT BY c LIMIT 7;
SELECT ta.k, v, w FROM ta JOIN tb ON ta.k = tb.k SORT BY c DESC, d LIMIT 30;
SELECT ta.k, v, w FROM ta LEFT JOIN tb ON ta.k = tb.k AND w > v SORT BY c LIMIT 30;
SELECT tb.k, v, w FROM ta RIGHT JOIN tb ON ta.k = tb.k AND w > v SORT BY d LIMIT 30;
SELECT k, v FROM ta LEFT SEMI JOIN tb ON ta.k = tb.k SORT BY c LIMIT 30;
SELECT k, v FROM ta LEFT ANTI JOIN tb ON ta.k = tb.k + 20 SORT BY c LIMIT 30;
SELECT ta.k, v, tb.k, w FROM ta FULL JOIN tb ON ta.k = tb.k + 20 SORT BY c LIMIT 600;
SELECT collect_list(v * 1000 + w) FROM (SELECT v, w FROM ta JOIN tb ON ta.k = tb.k SORT BY c);
SELECT c, first(v), last(w) FROM (SELECT v, w, c FROM ta JOIN tb ON ta.k = tb.k SORT BY c) GROUP BY c;
SELECT v, w, row_number() OVER (ORDER BY c) AS n FROM ta JOIN tb ON ta.k = tb.k WHERE ta.k < 20;
SELECT v, w, row_number() OVER (PARTITION BY ta.k ORDER BY c) AS n FROM ta JOIN tb ON ta.k = tb.k WHERE ta.k < 20;
-- Of one key the rows come as the join has them, sorted below or not.
SELECT ta.k, v, w FROM ta JOIN tb ON ta.k = tb.k SORT BY c, ta.k LIMIT 30;
SELECT ta.k, v, w FROM ta JOIN tb ON ta.k = tb.k SORT BY tb.k DESC LIMIT 30;
SELECT ta.k, v, w FROM ta LEFT JOIN tb ON ta.k = tb.k + 20 SORT BY tb.k LIMIT 200;
SELECT k, c, m, row_number() OVER (ORDER BY c) AS n FROM (SELECT ta.k, c, max(concat('w', w)) AS m FROM ta JOIN tb ON ta.k = tb.k GROUP BY ta.k, c);
