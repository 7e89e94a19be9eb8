-- Parts of strings, patterns, fields of dates, and the results of subqueries in conditions.
-- each spark.sql.ansi.enabled=true|false

-- expect native: RepriseParquetScan, RepriseFilter
SELECT id, s FROM every_type WHERE s LIKE 'a%';
SELECT id, s FROM every_type WHERE s LIKE '%c';
SELECT id, s FROM every_type WHERE s LIKE '%b%';
SELECT id, s FROM every_type WHERE s LIKE '_b_';
SELECT id, s FROM every_type WHERE s LIKE '%_w%';
SELECT id, s FROM every_type WHERE s LIKE '_ o%l';
SELECT id, s FROM every_type WHERE s LIKE '';
SELECT id, s FROM every_type WHERE s LIKE '%';
SELECT id, s FROM every_type WHERE s NOT LIKE '%a%b%';
SELECT id, s FROM every_type WHERE s LIKE '%\_%' OR s LIKE '%#%%' ESCAPE '#';
SELECT id FROM every_type WHERE startswith(s, substring(s, 1, 1)) AND endswith(s, s) AND contains(s, '');
-- expect native: RepriseProject
SELECT id, substring(s, 2, 3), substring(s, -2, 5), substring(s, 0, 2), substring(s, 3), left(s, 2), substring(s, 2, -1) FROM every_type;
SELECT id, substring(s, i32, 2) FROM every_type WHERE i32 BETWEEN -5 AND 5;
SELECT id, year(dt), quarter(dt), month(dt), day(dt), dayofyear(dt), dayofweek(dt), weekday(dt), weekofyear(dt) FROM every_type;
SELECT id, extract(YEAR FROM dt), extract(WEEK FROM dt), extract(DAYOFWEEK FROM dt) FROM every_type;

-- expect native: RepriseFilter
SELECT id FROM every_type WHERE i32 > (SELECT avg(i32) FROM every_type);
SELECT id FROM every_type WHERE i64 = (SELECT max(i64) FROM every_type);
SELECT id FROM every_type WHERE dt = (SELECT min(dt) FROM every_type);
SELECT id FROM every_type WHERE s = (SELECT max(s) FROM every_type);
SELECT id FROM every_type WHERE i32 > (SELECT i32 FROM every_type WHERE false);
SELECT id, i32 + (SELECT count(*) FROM every_type WHERE i32 IS NULL) AS sum FROM every_type WHERE i32 < 100;
