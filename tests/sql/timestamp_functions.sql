-- Fields of timestamps, beginnings of units, intervals and casts, in time zones of every kind.
-- each spark.sql.session.timeZone=UTC|America/New_York|Europe/Berlin|Asia/Kolkata|-03:30|Australia/Lord_Howe
-- each spark.sql.ansi.enabled=true|false

-- expect native: RepriseProject
SELECT id, hour(ts), minute(ts), second(ts), extract(SECOND FROM ts), hour(tsn), minute(tsn), second(tsn), extract(SECOND FROM tsn) FROM every_type;
-- expect native: RepriseProject
SELECT id, year(ts), quarter(ts), month(ts), day(ts), dayofyear(ts), dayofweek(ts), weekday(ts), weekofyear(ts), year(tsn), extract(WEEK FROM tsn) FROM every_type;
-- expect native: RepriseProject
SELECT id, unix_micros(date_trunc('year', ts)), unix_micros(date_trunc('QUARTER', ts)), unix_micros(date_trunc('mon', ts)), unix_micros(date_trunc('week', ts)), unix_micros(date_trunc('dd', ts)) FROM every_type;
SELECT id, unix_micros(date_trunc('hour', ts)), unix_micros(date_trunc('minute', ts)), unix_micros(date_trunc('second', ts)), unix_micros(date_trunc('millisecond', ts)), unix_micros(date_trunc('microsecond', ts)) FROM every_type;
SELECT id, CAST(date_trunc('day', tsn) AS STRING), date_trunc('nonsense', ts), unix_micros(date_trunc('hour', dt)) FROM every_type;
-- expect native: RepriseProject
SELECT id, trunc(dt, 'year'), trunc(dt, 'quarter'), trunc(dt, 'MM'), CAST(trunc(dt, 'week') AS STRING), CAST(trunc(ts, 'month') AS STRING) FROM every_type;
SELECT id, trunc(dt, 'Q'), trunc(dt, 'day') FROM every_type;
-- expect native: RepriseProject
SELECT id, CAST(CAST(ts AS DATE) AS STRING), CAST(tsn AS DATE), CAST(dt AS TIMESTAMP_NTZ), CAST(CAST(ts AS TIMESTAMP_NTZ) AS STRING) FROM every_type;
-- expect native: RepriseProject
SELECT id, unix_micros(CAST(tsn AS TIMESTAMP)), unix_micros(CAST(dt AS TIMESTAMP)) FROM every_type;
-- expect native: RepriseProject
SELECT id, CAST(ts AS STRING), CAST(tsn AS STRING), CAST(date_trunc('day', ts) AS STRING) FROM every_type;
-- expect native: RepriseProject
SELECT id, CAST(ts AS BIGINT), CAST(ts AS DOUBLE), CAST(ts AS FLOAT), unix_seconds(ts), unix_millis(ts), unix_micros(ts) FROM every_type;
SELECT id, CAST(i8 AS TIMESTAMP), CAST(i16 AS TIMESTAMP), CAST(i32 AS TIMESTAMP) FROM every_type;
SELECT id, unix_micros(CAST(i64 AS TIMESTAMP)) FROM every_type;
SELECT id, CAST(ts AS INT) FROM every_type WHERE ts BETWEEN TIMESTAMP '1902-01-01 00:00:00' AND TIMESTAMP '2037-01-01 00:00:00';
-- expect native: RepriseProject
SELECT id, ts + INTERVAL '1' DAY, ts - INTERVAL '1' DAY, ts + INTERVAL '1 02:03:04.005' DAY TO SECOND, ts - INTERVAL '36' HOUR FROM every_type WHERE ts < TIMESTAMP '9000-01-01 00:00:00' AND ts > TIMESTAMP '0002-01-01 00:00:00';
-- expect native: RepriseProject
SELECT id, ts + INTERVAL '1' MONTH, ts - INTERVAL '1-3' YEAR TO MONTH, tsn + INTERVAL '13' MONTH, tsn - INTERVAL '90' MINUTE FROM every_type WHERE ts < TIMESTAMP '9000-01-01 00:00:00' AND ts > TIMESTAMP '0002-01-01 00:00:00' AND tsn < TIMESTAMP_NTZ '9000-01-01 00:00:00' AND tsn > TIMESTAMP_NTZ '0002-01-01 00:00:00';
SELECT id, ts + INTERVAL 2 HOURS > TIMESTAMP '2022-03-13 03:00:00' FROM every_type;
-- expect native: RepriseProject
SELECT id, CAST(dt + INTERVAL '1' MONTH AS STRING), CAST(dt - INTERVAL '2' YEAR AS STRING), CAST(dt + INTERVAL '40' DAY AS STRING) FROM every_type;
-- expect native: RepriseProject
SELECT id, CAST(date_add(dt, i8) AS STRING), CAST(date_sub(dt, i16) AS STRING), datediff(dt, DATE '2000-02-29'), CAST(last_day(dt) AS STRING), CAST(add_months(dt, i8) AS STRING), dt - 3 < DATE '1993-07-01' FROM every_type;
SELECT unix_micros(date_trunc('month', ts)) AS month, count(*), min(tsn) FROM every_type GROUP BY 1;
SELECT CAST(CAST(ts AS DATE) AS STRING) AS day, hour(ts), count(*) FROM every_type GROUP BY 1, 2;
SELECT id FROM every_type WHERE ts > tsn;
SELECT id FROM every_type WHERE ts = dt OR tsn >= dt;
SELECT id FROM every_type WHERE CAST(ts AS DATE) = DATE '2021-11-07' OR year(ts) = 1996;
