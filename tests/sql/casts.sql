-- Casts that give a value for every row, ANSI or not.
-- each spark.sql.ansi.enabled=true|false

-- expect native: RepriseProject
-- expect no guest
SELECT id, CAST(i8 AS SMALLINT), CAST(i8 AS INT), CAST(i16 AS BIGINT), CAST(i32 AS BIGINT) FROM every_type;
-- expect native: RepriseProject
-- expect no guest
SELECT id, CAST(i8 AS DOUBLE), CAST(i32 AS FLOAT), CAST(i64 AS DOUBLE), CAST(i64 AS FLOAT) FROM every_type;
-- expect native: RepriseProject
-- expect no guest
SELECT id, CAST(b AS INT), CAST(b AS DOUBLE), CAST(b AS STRING), CAST(i32 AS BOOLEAN), CAST(f64 AS BOOLEAN) FROM every_type;
-- expect native: RepriseProject
-- expect no guest
SELECT id, CAST(i8 AS STRING), CAST(i32 AS STRING), CAST(i64 AS STRING), CAST(dt AS STRING) FROM every_type;
SELECT id, CAST(f64 AS STRING), CAST(f32 AS STRING), CAST(f32 AS DOUBLE), CAST(f64 AS FLOAT) FROM every_type;
-- expect native: RepriseProject
-- expect no guest
SELECT id, CAST(d5_2 AS STRING), CAST(d38_18 AS STRING), CAST(d9_9 AS STRING), CAST(d38_0 AS STRING) FROM every_type;
-- expect native: RepriseProject
-- expect no guest
SELECT id, CAST(i32 AS DECIMAL(12, 2)), CAST(i64 AS DECIMAL(38, 18)), CAST(b AS DECIMAL(3, 1)) FROM every_type;
-- expect native: RepriseProject
-- expect no guest
SELECT id, CAST(d5_2 AS DOUBLE), CAST(d38_18 AS DOUBLE), CAST(d18_4 AS FLOAT), CAST(d38_0 AS DOUBLE) FROM every_type;
-- expect native: RepriseProject
-- expect no guest
SELECT id, CAST(d9_0 AS INT), CAST(d5_2 AS TINYINT), CAST(d18_4 AS BIGINT), CAST(d5_2 AS BOOLEAN) FROM every_type WHERE d5_2 BETWEEN -100 AND 100;
-- expect native: RepriseProject
-- expect no guest
SELECT id, CAST(ts AS DATE), CAST(ts AS STRING), CAST(tsn AS DATE) FROM every_type;
SELECT id, CAST(s AS BINARY), CAST(bin AS STRING), CAST(NULL AS INT) FROM every_type WHERE id < 60;
-- expect native: RepriseProject
-- expect no guest
SELECT n, CAST(n AS STRING), CAST(CAST(n AS STRING) AS INT), CAST(CAST(n AS STRING) AS BIGINT) FROM small;
-- expect native: RepriseProject
-- expect no guest
SELECT id, CAST(CAST(dt AS STRING) AS DATE) FROM every_type;
-- expect native: RepriseProject
-- expect no guest
SELECT n, CAST(f64 AS INT), CAST(f64 AS TINYINT), CAST(f32 AS BIGINT), CAST(f64 AS SMALLINT) FROM small;
-- Half way is where the digits of the double say so, not its bits.
-- expect native: RepriseProject
-- expect no guest
SELECT n, CAST(f64 AS DECIMAL(5, 1)), CAST(f64 AS DECIMAL(3, 0)), CAST(f32 AS DECIMAL(10, 3)), CAST(f32 / 3 AS DECIMAL(14, 9)), CAST(f64 / 7 AS DECIMAL(14, 10)) FROM small;
-- expect native: RepriseProject
-- expect no guest
SELECT k, sum(h) FROM (SELECT id % 1000 AS k, hash(CAST(id / 2048.0D AS DECIMAL(14, 6)), CAST((id * 10 + 5) / 100000.0D AS DECIMAL(14, 4)), CAST(-(id * 10 + 5) / 1000000000.0D AS DECIMAL(9, 8)), CAST(id * 1.1D / 3 AS DECIMAL(14, 8))) AS h FROM range(0, 200000)) GROUP BY k;
-- expect native: RepriseProject
-- expect no guest
SELECT id, CAST(f64 AS DECIMAL(14, 2)), CAST(f32 AS DECIMAL(9, 9)) FROM every_type WHERE (f64 IS NULL OR isnan(f64) OR abs(f64) < 1000 OR abs(f64) > 1e308) AND (f32 IS NULL OR isnan(f32) OR abs(f32) < 0.9) AND f64 <> 1.7976931348623157e308 AND f64 <> -1.7976931348623157e308;
SELECT g, avg(d5_2), avg(CAST(d5_2 AS DECIMAL(7, 2))) FROM small GROUP BY g;

-- The rest of the pairs, where a value that does not fit is null or wraps.
-- conf spark.sql.ansi.enabled=false
-- expect native: RepriseProject
-- expect no guest
SELECT id, CAST(f64 AS DECIMAL(7, 3)), CAST(f64 AS DECIMAL(14, 0)), CAST(f32 AS DECIMAL(2, 2)), CAST(f32 AS DECIMAL(1, 0)) FROM every_type;
-- expect native: RepriseProject
-- expect no guest
SELECT id, CAST(i64 AS INT), CAST(i32 AS SMALLINT), CAST(i16 AS TINYINT), CAST(i64 AS TINYINT) FROM every_type;
-- expect native: RepriseProject
-- expect no guest
SELECT id, CAST(f64 AS INT), CAST(f64 AS BIGINT), CAST(f64 AS TINYINT), CAST(f32 AS SMALLINT), CAST(f32 AS BIGINT) FROM every_type;
SELECT id, CAST(s AS INT), CAST(s AS BIGINT), CAST(s AS DOUBLE), CAST(s AS BOOLEAN), CAST(s AS DATE) FROM every_type;
SELECT id, CAST(s AS TINYINT), CAST(s AS DECIMAL(5, 2)), CAST(s AS FLOAT), CAST(s AS TIMESTAMP) FROM every_type;
-- expect native: RepriseProject
-- expect no guest
SELECT id, CAST(d38_18 AS DECIMAL(5, 2)), CAST(d18_4 AS DECIMAL(5, 1)), CAST(d38_0 AS BIGINT), CAST(d38_0 AS INT) FROM every_type;
SELECT id, CAST(i64 AS DECIMAL(5, 2)), CAST(f64 AS DECIMAL(10, 2)), CAST(f32 AS DECIMAL(38, 10)) FROM every_type;

-- Spark truncates what it holds as a long, and takes the rest from a double: sums of short decimals are longs, unless
-- one of their parts was too long for that; products, literals, and columns of more than 18 digits never are.
-- conf spark.sql.ansi.enabled=true
INSERT OVERWRITE DIRECTORY '${out}/close_decimals' USING parquet SELECT id, CAST(a AS DECIMAL(18, 18)) AS a, CAST(b AS DECIMAL(18, 18)) AS b, CAST(e AS DECIMAL(18, 16)) AS e, CAST(l AS DECIMAL(38, 18)) AS l FROM VALUES
  (1, 0.5, 0.499999999999999999, 12.9999999999999999, 12.999999999999999999), (2, -0.5, -0.499999999999999999, -12.9999999999999999, -0.999999999999999999),
  (3, 0.999999999999999999, 0.000000000000000001, 0.9999999999999999, 126.999999999999999999), (4, 0.9, 0.099999999999999999, 63.9999999999999999, 7.5),
  (5, NULL, 0.1, NULL, NULL), (6, 0.9, 0.9, 49.9999999999999999, -128.5), (7, 0.9, -0.900000000000000001, -49.9999999999999999, 99.999999999999999999) AS t(id, a, b, e, l);
-- expect native: RepriseParquetScan, RepriseProject
-- expect no guest
SELECT id, CAST(a + b AS INT), CAST(e + e AS INT), CAST(a - b AS INT), CAST(-(e + e) AS INT), CAST(abs(e - 1) AS INT), CAST(a AS INT), CAST(e AS INT) FROM parquet.`${out}/close_decimals`;
-- expect native: RepriseProject
-- expect no guest
SELECT id, CAST(a + b AS SMALLINT), CAST(e + e AS TINYINT), CAST(a - b AS TINYINT), CAST(l AS TINYINT), CAST(l AS INT), CAST(a + b AS BIGINT), CAST(l AS BIGINT) FROM parquet.`${out}/close_decimals` WHERE id <> 4;
-- expect native: RepriseProject
-- expect no guest
SELECT id, CAST((a + b) - a AS INT), CAST(((e + e) + (e + e)) - e AS INT), CAST(a + b - b AS INT), CAST(a + 0.499999999999999999 AS INT), CAST(e + a AS INT) FROM parquet.`${out}/close_decimals`;
-- expect native: RepriseProject
-- expect no guest
SELECT id, CAST(CAST(e + e AS DECIMAL(25, 16)) AS INT), CAST(CAST(e AS DECIMAL(30, 18)) AS INT), CAST(e * 1.0 AS INT), CAST(e / 1 AS INT), CAST(e % 13 AS INT) FROM parquet.`${out}/close_decimals`;
SELECT id, CAST(if(id > 2, a + b, 0.5) AS INT), CAST(coalesce(a + b, l) AS INT), CAST(if(id > 2, e, 1.5) AS INT), CAST(greatest(e, 1.5) AS INT) FROM parquet.`${out}/close_decimals`;
-- expect native: RepriseProject
-- expect no guest
SELECT id, CAST(ceil(e) AS INT), CAST(floor(e) AS INT), CAST(round(e + e, 15) AS INT), CAST(bround(e, 14) AS INT) FROM parquet.`${out}/close_decimals`;
-- conf spark.sql.ansi.enabled=false
-- expect native: RepriseProject
-- expect no guest
SELECT id, CAST(a + b AS INT), CAST(e + e AS INT), CAST(l AS TINYINT), CAST(e * 1.0 AS SMALLINT) FROM parquet.`${out}/close_decimals`;

-- Under the legacy policy dates become text on the hybrid calendar.
-- conf spark.sql.legacy.timeParserPolicy=LEGACY
SELECT n, CAST(date_add(DATE'1582-10-01', n) AS STRING), concat('on ', date_sub(DATE'0001-01-05', n)) FROM small WHERE n < 20;
