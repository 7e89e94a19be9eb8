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

-- Bytes that are not UTF-8: trimmed as bytes, matched as what Java reads in them. Results are read behind an exchange.
CREATE TABLE reprise_bytes USING parquet LOCATION '${out}/bytes' AS SELECT id, CAST(b AS STRING) AS s FROM VALUES
  (1, X'C320'), (2, X'2020E2'), (3, X'20E28220'), (4, X'FF'), (5, X'61C37A'), (6, X'E082'), (7, X'EDA080'), (8, X'F09F98'),
  (9, X'F09F9880'), (10, X'C3A9'), (11, X'2061622020'), (12, X''), (13, X'F4908080'), (14, X'E2C3A9'), (15, X'7878C378'),
  (16, NULL), (17, X'78'), (18, X'20'), (19, X'EFBFBD'), (20, X'C378') AS t(id, b);
-- expect native: RepriseProject, RepriseShuffleExchange
SELECT id, hex(t), hex(l), hex(r), hex(both), hex(lead), hex(trail) FROM (SELECT /*+ REPARTITION(1) */ id, trim(s) AS t, ltrim(s) AS l, rtrim(s) AS r, btrim(s, 'x') AS both, ltrim('x ', s) AS lead, rtrim('x ', s) AS trail FROM reprise_bytes);
-- expect native: RepriseProject
SELECT id, s LIKE '_', s LIKE '__', s LIKE 'a_z', s LIKE '%_\_' OR s LIKE '_%_', s LIKE '%�%', s LIKE 'a%z', s LIKE 'x_%x' FROM reprise_bytes;
-- expect native: RepriseFilter
SELECT id FROM reprise_bytes WHERE s LIKE CAST(X'5FC3' AS STRING) OR s = CAST(X'FF' AS STRING) OR s IN ('x', CAST(X'E082' AS STRING), CAST(X'C3A9' AS STRING)) OR s > CAST(X'F0' AS STRING);
SELECT id, length(s), octet_length(s), instr(s, 'x'), locate('x', s, 2), startswith(s, CAST(X'C3' AS STRING)), endswith(s, 'x'), contains(s, CAST(X'C3' AS STRING)) FROM reprise_bytes;
SELECT id, ascii(s), ascii(substring(s, 2)) FROM reprise_bytes;
SELECT id, hex(b), hex(c) FROM (SELECT /*+ REPARTITION(1) */ id, replace(s, 'x', CAST(X'E2' AS STRING)) AS b, concat_ws(CAST(X'C3' AS STRING), s, s) AS c FROM reprise_bytes);
-- Spark 3.5 reverses a character that is cut off beyond the ends of its arrays.
SELECT id, hex(a), ascii(a) FROM (SELECT /*+ REPARTITION(1) */ id, reverse(s) AS a FROM reprise_bytes WHERE version() NOT LIKE '3.%' OR id NOT IN (2, 4, 6, 8));
-- Not of strings that end within a character, behind which Spark reads on (docs/internals/differences.md).
SELECT id, hex(a), hex(b), hex(c) FROM (SELECT /*+ REPARTITION(1) */ id, substring(s, 2, 2) AS a, lpad(s, 4, 'y') AS b, rpad(s, 2, 'yz') AS c FROM reprise_bytes WHERE id NOT IN (2, 6, 8));

-- Values that are known when the query runs, and bounds of ranges.
-- expect native: RepriseFilter
SELECT id FROM reprise_bytes WHERE s < (SELECT max(s) FROM reprise_bytes);
SELECT id, hex(v) FROM (SELECT /*+ REPARTITION(1) */ id, coalesce(s, (SELECT min(s) FROM reprise_bytes WHERE id IN (4, 13))) AS v FROM reprise_bytes);
-- ordered
SELECT hex(s), id FROM reprise_bytes ORDER BY s, id;
DROP TABLE reprise_bytes;
