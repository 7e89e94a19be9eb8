-- What is known of the file that a row is of (_metadata), and of which row of it this is.
-- each spark.sql.files.maxPartitionBytes=134217728|8000
-- expect native: RepriseParquetScan
SELECT id, i32, _metadata.file_name, _metadata.file_size, _metadata.file_block_start, _metadata.file_block_length, _metadata.row_index, _metadata.file_path, _metadata.file_modification_time FROM parquet.`${tables}/every_type`;
-- expect native: RepriseParquetScan
SELECT id, _metadata FROM parquet.`${tables}/every_type` WHERE id > 390 AND _metadata.row_index > 100;
-- expect native: RepriseParquetScan
SELECT _metadata.file_name, count(*), min(_metadata.row_index), max(_metadata.row_index), count(DISTINCT _metadata.row_index) FROM parquet.`${tables}/every_type` GROUP BY _metadata.file_name;
-- expect native: RepriseParquetScan
SELECT _metadata.row_index FROM parquet.`${tables}/many_keys` WHERE _metadata.row_index IS NOT NULL AND _metadata.row_index % 1000 = 7;
SELECT count(*) FROM parquet.`${tables}/every_type` WHERE _metadata.row_index IS NULL;
SELECT count(*) FROM parquet.`${tables}/every_type` WHERE _metadata.row_index < 5;
SELECT count(*), sum(id) FROM parquet.`${tables}/every_type` WHERE _metadata.file_name = 'b.parquet';
SELECT count(*) FROM parquet.`${tables}/every_type` WHERE _metadata.file_size > 1000000000;
-- With columns that the folders give, and nested ones.
-- expect native: RepriseParquetScan
SELECT year, region, item, _metadata.file_size, _metadata.row_index FROM parquet.`${tables}/partitioned` WHERE year > 1900 OR region IS NULL;
SELECT region, count(DISTINCT _metadata.file_path) FROM parquet.`${tables}/partitioned` GROUP BY region;
-- expect native: RepriseParquetScan
SELECT st.i32, l_i32, _metadata.row_index, _metadata.file_name FROM parquet.`${tables}/nested_types` WHERE st IS NOT NULL;
