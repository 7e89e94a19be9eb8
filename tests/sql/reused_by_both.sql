-- Exchanges, broadcasts and subqueries that the core makes and Spark reads, and the other way round: Spark puts one in
-- place of an equal other after Reprise has chosen what runs natively.
-- each spark.sql.adaptive.enabled=true|false
-- each spark.sql.codegen.wholeStage=true|false
CREATE TABLE reprise_rows USING orc LOCATION '${out}/rows' AS SELECT n, i32, g, array(n, g) AS two FROM small;

-- A join of Spark's before one of the core's, and after it.
WITH d AS (SELECT n, g + 1 AS z FROM reprise_rows WHERE i32 > 2) SELECT /*+ BROADCAST(d) */ c.n FROM reprise_rows c JOIN d ON c.n = d.n AND array_contains(c.two, d.n) UNION ALL SELECT /*+ BROADCAST(d) */ s.i32 FROM small s JOIN d ON s.n = d.n;
WITH d AS (SELECT n, g + 1 AS z FROM reprise_rows WHERE i32 > 2) SELECT /*+ BROADCAST(d) */ s.i32 FROM small s JOIN d ON s.n = d.n UNION ALL SELECT /*+ BROADCAST(d) */ c.n FROM reprise_rows c JOIN d ON c.n = d.n AND array_contains(c.two, d.z);
WITH d AS (SELECT n, i32 FROM small WHERE n < 9) SELECT /*+ BROADCAST(d) */ c.n FROM reprise_rows c LEFT JOIN d ON c.n < d.n AND array_contains(c.two, d.n) WHERE c.n < 20 UNION ALL SELECT /*+ BROADCAST(d) */ s.i32 FROM small s LEFT JOIN d ON s.n < d.n AND d.n > 5 WHERE s.n < 20;
WITH t AS (SELECT /*+ REPARTITION(3, g) */ g, n + 1 AS z FROM reprise_rows WHERE n > 2) SELECT g, size(transform(array(z), x -> x + 1)) FROM t UNION ALL SELECT g, max(z) FROM t GROUP BY g;
WITH t AS (SELECT /*+ REPARTITION(3, g) */ g, n + 1 AS z FROM reprise_rows WHERE n > 2) SELECT g, max(z) FROM t GROUP BY g UNION ALL SELECT g, size(transform(array(z), x -> x + 1)) FROM t;
-- Scans that are pruned by the broadcast of a join, of Spark's or of the core's.
SELECT p.item, transform(array(p.amount), x -> x + 1) FROM partitioned p JOIN small s ON p.year = s.n + 1998 AND element_at(array(s.g), 1) < 9 WHERE s.n < 3;
SELECT p.item, s.n FROM partitioned p JOIN small s ON p.year = s.n + 1998 WHERE s.n < (SELECT min(n) + 2 FROM small WHERE i32 < (SELECT max(i32) FROM small));
-- Numbers of operators are not needed for that.
-- conf spark.reprise.lore.tag.enabled=false
SELECT p.item, p.amount, p.year FROM partitioned p JOIN small s ON p.year = s.n + 1998 WHERE s.n = 1;
SELECT p.year, p.amount FROM partitioned p WHERE p.year IN (SELECT n + 1998 FROM small WHERE n < 2);
WITH d AS (SELECT n + 1998 AS y FROM small WHERE n IN (1, 2)) SELECT p.year, count(*) AS c FROM partitioned p JOIN d ON p.year = d.y GROUP BY p.year UNION ALL SELECT p.year, sum(p.amount) FROM partitioned p JOIN d ON p.year = d.y WHERE p.amount > 3 GROUP BY p.year;
SELECT p.item, q.amount FROM partitioned p JOIN partitioned q ON p.year = q.year AND p.item = q.item JOIN small s ON q.year = s.n + 1998 WHERE s.n < (SELECT min(n) + 2 FROM small) AND p.amount > (SELECT avg(amount) FROM partitioned WHERE year = (SELECT max(n) + 1699 FROM small));
DROP TABLE reprise_rows;
