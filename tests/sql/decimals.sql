-- Decimal arithmetic: result types, rounding, short and long representations.
-- each spark.sql.ansi.enabled=true|false

-- expect native: RepriseProject
SELECT n, d5_2 + d5_2, d5_2 - d15_2, d5_2 * d15_2, -d5_2, abs(d5_2) FROM small;
SELECT n, d15_2 * d15_2, d15_2 * (1 - d5_2), d15_2 * (1 - d5_2) * (1 + d5_2) FROM small;
SELECT n, d18_4 + d18_4, d18_4 * d18_4, d18_4 - d30_10 FROM small;
SELECT n, d30_10 + d5_2, d30_10 * d5_2, d30_10 * d18_4, d30_10 * 3 FROM small;
SELECT n, d5_2 / 3, d15_2 / 7.00, d18_4 / 9, d30_10 / 11.5 FROM small;
SELECT n, d15_2 / d18_4 FROM small WHERE d18_4 <> 0;
SELECT n, d5_2 % 0.07, d15_2 % 3, d30_10 % 0.3 FROM small;
SELECT n, d5_2 + 1, d5_2 * 2L, d5_2 + i8, d15_2 * n, 1 - d5_2 FROM small;
SELECT n, d15_2 + f64, d5_2 * 1.5D FROM small;
SELECT n, d5_2 div 2, d15_2 div 3 FROM small;
SELECT n, CAST(d18_4 AS DECIMAL(18, 1)), CAST(d18_4 AS DECIMAL(30, 12)), CAST(d5_2 AS DECIMAL(4, 1)) FROM small WHERE abs(d5_2) < 100;
SELECT n, CAST(d30_10 AS DECIMAL(20, 0)), CAST(d30_10 AS DECIMAL(38, 18)), CAST(n AS DECIMAL(10, 2)) FROM small;
SELECT n, CAST(d5_2 AS INT), CAST(d15_2 AS BIGINT), CAST(d18_4 AS DOUBLE), CAST(d5_2 AS STRING), CAST(d30_10 AS FLOAT) FROM small;
SELECT n, CAST(f64 AS DECIMAL(10, 1)), CAST(f32 AS DECIMAL(8, 3)) FROM small;
SELECT n, d5_2 = d15_2, d18_4 < d30_10, d5_2 > 1, d15_2 <= n FROM small;
SELECT d5_2, count(*), sum(d15_2), avg(d15_2), min(d18_4), max(d30_10) FROM small GROUP BY d5_2;
SELECT sum(d5_2 * d15_2), sum(d18_4), avg(d18_4), sum(d30_10), avg(d30_10), avg(d5_2) FROM small;
SELECT id, d9_0, d9_9, d18_4, d19_0, d20_6, d38_0, d38_18 FROM every_type WHERE d9_0 > 0 OR d9_9 < 0;
SELECT sum(d5_2), sum(d9_9), sum(d18_4), avg(d5_2), avg(d9_9), avg(d18_4), sum(d20_6), avg(d20_6) FROM every_type;

-- conf spark.sql.decimalOperations.allowPrecisionLoss=false
SELECT n, d15_2 * d15_2, d30_10 * d5_2, d15_2 / 7.00 FROM small;
SELECT sum(d15_2 * (1 - d5_2)), avg(d30_10) FROM small;

-- A sum that outgrows its type is lost at once only in Spark's unsafe rows. Buffers with strings are in other rows,
-- and generated code keeps those of an aggregate without keys in variables.
-- conf spark.sql.decimalOperations.allowPrecisionLoss=true
CREATE OR REPLACE TEMPORARY VIEW huge AS SELECT /*+ COALESCE(1) */ k, d, s FROM VALUES
  (1, CAST(9e37 AS DECIMAL(38, 0)), 'a'), (1, CAST(9e37 AS DECIMAL(38, 0)), 'b'), (1, CAST(-9e37 AS DECIMAL(38, 0)), 'c'),
  (1, CAST(-9e37 AS DECIMAL(38, 0)), 'd'), (1, CAST(5 AS DECIMAL(38, 0)), 'e') AS t(k, d, s);
-- expect native: RepriseHashAggregate
SELECT sum(d), min(s) FROM huge;
-- expect native: RepriseHashAggregate
SELECT k, sum(d), max(s) FROM huge GROUP BY k;
SELECT k, avg(d), first(s) FROM huge GROUP BY k;
SELECT avg(d), max(s) FROM huge;
SELECT sum(d), avg(d) FROM huge;
-- conf spark.sql.codegen.wholeStage=false
SELECT sum(d), min(s) FROM huge;
SELECT k, sum(d), max(s) FROM huge GROUP BY k;
