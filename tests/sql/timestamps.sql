-- Columns of instants and of local date-times: read from every form that Parquet has, compared, kept as keys.
-- each spark.sql.adaptive.enabled=true|false

-- expect native: RepriseParquetScan, RepriseFilter
SELECT id, ts, tsn FROM every_type WHERE ts >= TIMESTAMP '2000-01-01 00:00:00';
-- expect native: RepriseParquetScan, RepriseProject
SELECT id, ts <=> TIMESTAMP '1970-01-01 00:00:00', tsn <=> NULL, ts IS NULL, tsn IS NOT NULL FROM every_type;
SELECT id FROM every_type WHERE ts IN (TIMESTAMP '1970-01-01 00:00:00', TIMESTAMP '2024-03-31 02:30:00', NULL);
SELECT id FROM every_type WHERE tsn NOT IN (TIMESTAMP_NTZ '1970-01-01 00:00:00', TIMESTAMP_NTZ '2024-03-31 02:30:00');
SELECT id FROM every_type WHERE ts BETWEEN TIMESTAMP '1900-01-01 00:00:00' AND TIMESTAMP '2000-01-01 00:00:00';
SELECT id FROM every_type WHERE ts = TIMESTAMP '0001-01-03 00:00:00' OR tsn < TIMESTAMP_NTZ '1582-10-15 00:00:00';
SELECT id, coalesce(ts, TIMESTAMP '2011-01-01 00:00:00'), CASE WHEN id % 2 = 0 THEN tsn ELSE TIMESTAMP_NTZ '1999-12-31 23:59:59.999999' END, if(b, ts, NULL) FROM every_type;
SELECT id, nullif(tsn, TIMESTAMP_NTZ '1970-01-01 00:00:00') FROM every_type;
-- expect native: RepriseHashAggregate
SELECT ts, count(*), min(id) FROM every_type GROUP BY ts;
SELECT ts, tsn, count(*) FROM every_type GROUP BY ts, tsn;
SELECT min(ts), max(ts), min(tsn), max(tsn), count(ts), count(DISTINCT tsn) FROM every_type;
SELECT b, min(ts), max(tsn) FROM every_type GROUP BY b;
SELECT min(ts), max(tsn), count(ts) FROM no_rows;
-- expect native: RepriseSort
-- ordered
SELECT ts, id FROM every_type ORDER BY ts, id;
-- ordered
SELECT tsn, ts, id FROM every_type ORDER BY tsn DESC NULLS LAST, ts DESC NULLS FIRST, id;
-- ordered
SELECT ts, id FROM every_type ORDER BY ts DESC, id LIMIT 20;
SELECT l.id, r.id FROM every_type l JOIN every_type r ON l.tsn = r.tsn AND l.i16 = r.i16 WHERE l.id < 200 AND r.id < 200;
SELECT l.id, r.id FROM every_type l LEFT JOIN every_type r ON l.ts <=> r.ts AND r.id < 20 WHERE l.id < 40;
SELECT l.id FROM every_type l LEFT ANTI JOIN every_type r ON l.ts > r.ts;
SELECT id, hash(ts), hash(tsn), hash(id, ts, tsn) FROM every_type;
SELECT /*+ REPARTITION(5, ts) */ id, ts FROM every_type;
SELECT /*+ REPARTITION_BY_RANGE(5, tsn) */ id, tsn FROM every_type;
SELECT id FROM every_type WHERE ts = (SELECT max(ts) FROM every_type);
SELECT id FROM every_type WHERE tsn IN (SELECT tsn FROM every_type WHERE id < 5);

-- Written by Spark as INT96, as microseconds and as milliseconds, and read back.
CREATE TABLE reprise_int96 USING parquet LOCATION '${out}/int96' AS SELECT id, ts, tsn FROM every_type;
-- expect native: RepriseParquetScan
SELECT * FROM reprise_int96;
SELECT id FROM reprise_int96 WHERE ts < TIMESTAMP '1900-01-01 00:00:00';
SELECT ts, count(*) FROM reprise_int96 WHERE ts > TIMESTAMP '2000-01-01 00:00:00' GROUP BY ts;
-- conf spark.sql.parquet.outputTimestampType=TIMESTAMP_MICROS
CREATE TABLE reprise_micros USING parquet LOCATION '${out}/micros' AS SELECT id, ts, tsn FROM every_type;
-- expect native: RepriseParquetScan
SELECT * FROM reprise_micros WHERE ts > TIMESTAMP '1883-11-18 16:59:30';
SELECT count(*) FROM reprise_micros WHERE ts = TIMESTAMP '9999-12-31 23:59:59';
-- conf spark.sql.parquet.outputTimestampType=TIMESTAMP_MILLIS
CREATE TABLE reprise_millis USING parquet LOCATION '${out}/millis' AS SELECT id, ts, tsn FROM every_type;
-- expect native: RepriseParquetScan
SELECT * FROM reprise_millis WHERE ts < TIMESTAMP '1996-10-27 00:59:59.500001';
SELECT count(*) FROM reprise_millis WHERE ts = TIMESTAMP '2022-03-13 06:59:59.999';

-- Columns of one kind read as the other, and days as local date-times.
CREATE TEMPORARY VIEW reprise_other (id BIGINT, ts TIMESTAMP_NTZ, tsn TIMESTAMP) USING parquet OPTIONS (path '${out}/micros');
-- error _LEGACY_ERROR_TEMP_2064 before 4.0
SELECT * FROM reprise_other;
CREATE TEMPORARY VIEW reprise_other96 (id BIGINT, ts TIMESTAMP_NTZ) USING parquet OPTIONS (path '${out}/int96');
-- error _LEGACY_ERROR_TEMP_2064 before 4.0
SELECT * FROM reprise_other96;
CREATE TEMPORARY VIEW reprise_days (id BIGINT, dt TIMESTAMP_NTZ) USING parquet OPTIONS (path '${tables}/every_type');
-- error _LEGACY_ERROR_TEMP_2063 before 4.0
SELECT * FROM reprise_days WHERE dt < TIMESTAMP_NTZ '2000-02-29 00:00:01';
CREATE TEMPORARY VIEW reprise_wrong (id BIGINT, dt TIMESTAMP) USING parquet OPTIONS (path '${tables}/every_type');
-- error FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH
-- error _LEGACY_ERROR_TEMP_2063 before 4.0
SELECT count(dt) FROM reprise_wrong;
DROP VIEW reprise_other;
DROP VIEW reprise_other96;
DROP VIEW reprise_days;
DROP VIEW reprise_wrong;

-- Files of the legacy calendar.
-- conf spark.sql.parquet.int96RebaseModeInRead=LEGACY
-- expect native: RepriseParquetScan
SELECT ts FROM every_type;
-- conf spark.sql.parquet.int96RebaseModeInRead=CORRECTED
DROP TABLE reprise_int96;
DROP TABLE reprise_micros;
DROP TABLE reprise_millis;

-- Partition columns.
CREATE TABLE reprise_by_time (id BIGINT, at TIMESTAMP) USING parquet PARTITIONED BY (at) LOCATION '${out}/by_time';
INSERT INTO reprise_by_time SELECT id, ts FROM every_type WHERE id < 30 AND ts > TIMESTAMP '1901-01-01 00:00:00';
SELECT * FROM reprise_by_time;
SELECT at, count(*) FROM reprise_by_time WHERE at > TIMESTAMP '1970-01-01 00:00:00' GROUP BY at;
DROP TABLE reprise_by_time;
