-- Functions of dates, strings and numbers that are less common than others.
-- each spark.sql.ansi.enabled=true|false

-- expect native: RepriseProject
SELECT id, locate('a', s), locate('', s, 3), locate('a', s, 2), position('e' IN s), locate('ö', s, 0), locate('x', s, -1), locate('b', s, 100), instr(s, 'l') FROM every_type;
SELECT id, locate(substring(s, 2, 1), s), locate(s, s, 1), locate(CAST(NULL AS STRING), s) FROM every_type;
SELECT id, locate('a', s, i8) FROM every_type WHERE id < 60;
-- expect native: RepriseProject
SELECT id, isnan(f64), isnan(f32), isnan(f64 - f64), NOT isnan(f64) FROM every_type;
SELECT count(*) FROM every_type WHERE isnan(f64) OR f32 IS NULL;
-- expect native: RepriseProject
SELECT id, CAST(next_day(dt, 'MON') AS STRING), CAST(next_day(dt, 'tu') AS STRING), CAST(next_day(dt, 'Wednesday') AS STRING), CAST(next_day(dt, 'THU') AS STRING), CAST(next_day(dt, 'fr') AS STRING), CAST(next_day(dt, 'SATURDAY') AS STRING), CAST(next_day(dt, 'sun') AS STRING) FROM every_type;
SELECT id, CAST(next_day(CAST(ts AS DATE), 'MO') AS STRING) FROM every_type WHERE ts > TIMESTAMP '1000-01-01';
SELECT CAST(next_day(dt, CASE WHEN n % 2 = 0 THEN 'MON' ELSE 'TUE' END) AS STRING) FROM small;
-- expect native: RepriseProject
SELECT id, months_between(ts, TIMESTAMP '2020-02-29 12:30:00'), months_between(TIMESTAMP '2020-01-31', ts, false) FROM every_type WHERE ts > TIMESTAMP '0001-01-02' AND ts < TIMESTAMP '9999-01-01';
SELECT id, months_between(dt, DATE '2000-01-31'), months_between(dt, last_day(dt)), months_between(DATE '1999-12-31', dt, false) FROM every_type WHERE dt > DATE '0001-01-02' AND dt < DATE '9999-01-01';
SELECT a.n, b.n, months_between(a.dt, b.dt) FROM small a JOIN small b ON a.g = b.g AND a.n < 40 AND b.n < 80 AND a.dt BETWEEN DATE '1500-01-01' AND DATE '3000-01-01' AND b.dt BETWEEN DATE '1500-01-01' AND DATE '3000-01-01';
-- conf spark.sql.session.timeZone=America/New_York
SELECT id, months_between(ts, TIMESTAMP '2021-03-14 03:30:00'), months_between(ts, TIMESTAMP '2021-11-07 01:30:00', false) FROM every_type WHERE ts > TIMESTAMP '0001-01-02' AND ts < TIMESTAMP '9999-01-01';
-- conf spark.sql.session.timeZone=America/Sao_Paulo
SELECT id, months_between(ts, TIMESTAMP '2018-11-04 01:00:00') FROM every_type WHERE ts > TIMESTAMP '0001-01-02' AND ts < TIMESTAMP '9999-01-01';
