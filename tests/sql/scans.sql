-- Scans of Parquet through both of Spark's sources.
-- each spark.sql.sources.useV1SourceList=avro,csv,json,kafka,orc,parquet,text|avro,csv,json,kafka,orc,text

CREATE OR REPLACE TEMPORARY VIEW awkward USING parquet OPTIONS (path '${tables}/every_type');
CREATE OR REPLACE TEMPORARY VIEW folders USING parquet OPTIONS (path '${tables}/partitioned');
CREATE OR REPLACE TEMPORARY VIEW later (a BIGINT, b STRING, c DOUBLE, d DATE) USING parquet OPTIONS (path '${tables}/grown/b.parquet');
CREATE OR REPLACE TEMPORARY VIEW earlier (a BIGINT, b STRING, c DOUBLE, d DATE) USING parquet OPTIONS (path '${tables}/grown/a.parquet');
CREATE OR REPLACE TEMPORARY VIEW names USING parquet OPTIONS (path '${tables}/mixed_case');

SELECT * FROM awkward;
SELECT id, d18_4, s FROM awkward WHERE id BETWEEN 60 AND 70;
SELECT s FROM awkward WHERE i32 > 0;
SELECT count(*) FROM awkward;
SELECT count(*) FROM awkward WHERE i32 > 0;
SELECT 1 FROM awkward WHERE id < 10;
SELECT max(id) FROM awkward WHERE id >= 395;
SELECT id FROM awkward WHERE id > 100000;

-- Partition columns, nulls among them, alone and with columns of the files.
SELECT * FROM folders;
SELECT year, region, count(*), sum(amount) FROM folders GROUP BY year, region;
SELECT item FROM folders WHERE year = 1999 AND region = 'north' AND amount > 0;
SELECT year, item FROM folders WHERE region IS NULL AND item < 3;
SELECT DISTINCT region FROM folders;
SELECT count(*) FROM folders WHERE year IS NULL;
SELECT amount + year FROM folders WHERE region = 'South sea' AND item = 5;
SELECT count(*) FROM folders WHERE year = 1850;

-- Columns that a file lacks are null, whatever the order in the file.
SELECT * FROM later;
SELECT * FROM earlier;
SELECT d, c, a FROM earlier WHERE c IS NULL AND a > 0;
SELECT count(d), count(b) FROM later;

-- Names differ in case only from what the file says.
SELECT id, USERNAME, Total FROM names WHERE ID > 1;
SELECT sum(total), count(username) FROM names;

-- Limits end a scan before its end.
SELECT count(*) FROM (SELECT id FROM awkward LIMIT 10);
SELECT id FROM awkward ORDER BY id LIMIT 5;
SELECT count(*) FROM (SELECT id FROM awkward WHERE i32 > 0 LIMIT 7 OFFSET 3);

SELECT input_file_name() LIKE '%every_type%', count(*) FROM awkward GROUP BY 1;
-- The file of the row at hand, above operators that read ahead or gather rows.
CREATE OR REPLACE TEMPORARY VIEW parts USING parquet OPTIONS (path '${tables}/many_keys');
SELECT substring_index(input_file_name(), '/', -1) f, count(*), sum(v) FROM (SELECT /*+ COALESCE(1) */ * FROM parts) GROUP BY 1;
SELECT substring_index(input_file_name(), '/', -1) f, input_file_block_start(), input_file_block_length() > 0, count(*), sum(v) FROM (SELECT /*+ COALESCE(2) */ k + 1, v FROM parts WHERE v > 0) GROUP BY 1, 2, 3;
SELECT substring_index(input_file_name(), '/', -1) f, count(*), sum(k) FROM (SELECT k FROM parts WHERE v > 5 UNION ALL SELECT id FROM awkward WHERE id > 5) GROUP BY 1;
SELECT substring_index(input_file_name(), '/', -1) f, count(*), sum(id) FROM (SELECT /*+ BROADCAST(r) */ * FROM (SELECT k * 2 k2, v FROM parts WHERE v > 0) JOIN range(3000) r ON k2 = id WHERE v > id - 2000) GROUP BY 1;
SELECT v FROM (SELECT /*+ COALESCE(1) */ * FROM parts) WHERE input_file_name() LIKE '%part-2%' AND v > 970;
SELECT count(*) FROM (SELECT /*+ COALESCE(1) */ * FROM parts) WHERE input_file_name() = '';
-- Beyond an exchange there is none, and what is below runs natively.
-- expect native: RepriseParquetScan, RepriseShuffleExchange
SELECT input_file_name(), input_file_block_start(), count(*) FROM (SELECT /*+ REPARTITION(2, k) */ * FROM parts WHERE v > 0) GROUP BY 1, 2;
SELECT _metadata.file_name, count(*) FROM parquet.`${tables}/every_type` GROUP BY 1;
SELECT count(*) FROM parquet.`${tables}/many_keys/part-0.parquet` WHERE v > 0;
SELECT sum(v) FROM parquet.`${tables}/many_keys/*.parquet` WHERE k > 100;
