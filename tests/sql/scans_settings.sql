-- Settings and options of the reader, as Spark reads them, and files of the hybrid calendar.
-- What Spark 2.4 has written, and later Sparks in the legacy calendar of several zones.
-- expect native: RepriseParquetScan
SELECT id, unix_date(d), unix_micros(ts) FROM old_calendar;
SELECT count(*), min(unix_micros(ts)), max(id) FROM old_calendar WHERE ts < timestamp'1850-01-01 00:00:00';
SELECT id FROM old_calendar WHERE ts = timestamp'1900-01-01 00:00:00.789' OR d = date'1582-10-04';

-- An older name of a setting, another letter case.
SELECT unix_date(d), unix_micros(ts) FROM unknown_calendar;
-- conf spark.sql.legacy.parquet.datetimeRebaseModeInRead=LEGACY
-- expect native: RepriseParquetScan
SELECT id, unix_date(d), unix_micros(ts) FROM unknown_calendar;
-- conf spark.sql.parquet.datetimeRebaseModeInRead=corrected
-- expect native: RepriseParquetScan
SELECT id, unix_date(d), unix_micros(ts) FROM unknown_calendar;
-- conf spark.sql.parquet.int96RebaseModeInRead=Legacy
SELECT id, unix_date(d), unix_micros(ts) FROM unknown_calendar;
-- conf spark.sql.parquet.datetimeRebaseModeInRead=exception
-- error INCONSISTENT_BEHAVIOR_CROSS_VERSION.READ_ANCIENT_DATETIME
SELECT id, unix_date(d), unix_micros(ts) FROM unknown_calendar;

-- Options go before settings; their names have no case.
CREATE OR REPLACE TEMPORARY VIEW by_option USING parquet OPTIONS (path '${tables}/unknown_calendar', DateTimeREBASEmode 'LEGACY', INT96REBASEMODE 'CORRECTED', MergeSchema 'true');
-- expect native: RepriseParquetScan
SELECT id, unix_date(d), unix_micros(ts) FROM by_option;

-- Spark's row by row reader has other rules: these scans are its own.
CREATE OR REPLACE TEMPORARY VIEW other_types (i8 INT, i32 BIGINT, d18_4 DECIMAL(18, 2), d5_2 DECIMAL(4, 2), d9_0 DECIMAL(9, 1)) USING parquet OPTIONS (path '${tables}/every_type');
-- error FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH
-- error _LEGACY_ERROR_TEMP_2063 before 4.0
SELECT d18_4 FROM other_types;
-- conf spark.sql.parquet.enableVectorizedReader=FALSE
-- expect no native
-- error _LEGACY_ERROR_TEMP_2064 before 4.0
SELECT * FROM other_types;
-- error _LEGACY_ERROR_TEMP_2064 before 4.0
SELECT sum(d18_4) FROM other_types WHERE i32 > 0;
-- conf spark.sql.parquet.enableVectorizedReader=true
-- expect native: RepriseParquetScan
-- error _LEGACY_ERROR_TEMP_2063 before 4.0
SELECT i8, i32 FROM other_types;
