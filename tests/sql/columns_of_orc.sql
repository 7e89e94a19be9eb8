-- ORC files: the columns of Spark's vectorised reader enter the core as they are.
-- each spark.sql.sources.useV1SourceList=avro,csv,json,kafka,orc,parquet,text|avro,csv,json,kafka,parquet,text
-- conf spark.sql.orc.enableNestedColumnVectorizedReader=true
-- conf spark.sql.legacy.allowNonEmptyLocationInCTAS=true

CREATE TABLE reprise_orc_types USING orc LOCATION '${out}/orc_types' AS SELECT * FROM every_type;
SELECT * FROM reprise_orc_types;
SELECT * FROM reprise_orc_types WHERE id % 3 = 1;
-- Of more rows than Spark's reader gives at once, and than a batch of the core has.
CREATE TABLE reprise_orc_wide USING orc LOCATION '${out}/orc_wide' OPTIONS (`orc.stripe.size` '65536', `orc.row.index.stride` '1000') AS
  SELECT /*+ COALESCE(1) */ r.id AS r, e.*, if(r.id % 7 = 0, NULL, concat('text ', r.id)) AS text,
    repeat('wide', CAST(r.id % 50 AS INT)) AS wide, CAST(if(r.id % 5 = 0, NULL, r.id) AS DECIMAL(38, 10)) AS d38,
    date_add(DATE '1500-01-01', CAST(r.id AS INT)) AS old, timestamp_millis(-r.id * 1000000003) AS instant, 7 AS seven
  FROM range(20000) r LEFT JOIN every_type e ON r.id % 1000 = e.id;
SELECT r % 10, count(*), count(text), min(text), max(wide), sum(d38), min(old), max(instant), sum(seven) FROM reprise_orc_wide GROUP BY r % 10;
SELECT * FROM reprise_orc_wide WHERE r % 97 = 5;
SELECT count(*) FROM reprise_orc_wide;
SELECT count(*) FROM reprise_orc_wide WHERE text LIKE '%99%';
SELECT count(text), sum(length(wide)) FROM reprise_orc_wide WHERE r >= 19990;
SELECT a.r, b.text FROM reprise_orc_wide a JOIN reprise_orc_wide b ON a.r = b.r + 1 WHERE a.r % 1000 = 3;
-- Spark reads no more than it has to.
SELECT count(*) FROM (SELECT r + 1 FROM reprise_orc_wide WHERE r >= 0 LIMIT 5);

CREATE TABLE reprise_orc_parts (n BIGINT, text STRING, day DATE, k STRING) USING orc PARTITIONED BY (day, k) LOCATION '${out}/orc_parts';
INSERT INTO reprise_orc_parts SELECT id, concat('t', id), if(id % 4 = 0, NULL, date_add(DATE '2024-01-01', CAST(id % 3 AS INT))), concat('k', id % 2) FROM range(5000);
SELECT day, k, count(*), sum(n), max(text) FROM reprise_orc_parts GROUP BY day, k;
SELECT * FROM reprise_orc_parts WHERE n % 500 = 1;
SELECT k, sum(n) FROM reprise_orc_parts WHERE day = '2024-01-02' GROUP BY k;
-- Files without a column, with one that was added, and what a reader knows of a file.
ALTER TABLE reprise_orc_parts ADD COLUMNS (added INT DEFAULT 42);
INSERT INTO reprise_orc_parts (n, text, day, k, added) VALUES (-1, 'new', NULL, 'k1', 7);
SELECT added, count(*), sum(n) FROM reprise_orc_parts GROUP BY added;
SELECT k, count(*), count(DISTINCT _metadata.file_name), min(_metadata.file_size) > 0 FROM reprise_orc_parts WHERE n % 2 = 0 GROUP BY k;

CREATE TABLE reprise_orc_nested USING orc LOCATION '${out}/orc_nested' AS
  SELECT id, if(id % 4 = 0, NULL, struct(id AS a, concat('s', id) AS b)) AS pair, if(id % 5 = 0, NULL, array(id, NULL, id + 1)) AS several,
    map(concat('k', id), id) AS lookup, array(struct(id AS x, array('a', NULL) AS y)) AS deep, id % 3 AS k FROM range(6000);
SELECT * FROM reprise_orc_nested WHERE id % 100 < 5;
SELECT k, count(*), count(pair), count(several) FROM reprise_orc_nested WHERE id > 10 GROUP BY k;
SELECT several, count(*) FROM reprise_orc_nested WHERE id < 50 GROUP BY several;
SELECT pair.b, several[2], size(lookup), deep[0].y FROM reprise_orc_nested WHERE id % 50 = 1;
DROP TABLE reprise_orc_types;
DROP TABLE reprise_orc_wide;
DROP TABLE reprise_orc_parts;
DROP TABLE reprise_orc_nested;
