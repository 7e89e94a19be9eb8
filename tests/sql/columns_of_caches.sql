-- Cached tables: the columns that Spark's cache keeps enter the core, of tables of numbers and of others.
-- each spark.sql.inMemoryColumnarStorage.compressed=true|false
-- conf spark.sql.inMemoryColumnarStorage.batchSize=1000

CACHE TABLE reprise_kept_numbers AS
  SELECT id, id % 3 = 0 AS flag, if(id % 5 = 0, NULL, CAST(id % 100 AS TINYINT)) AS i8, CAST(id % 1000 AS SMALLINT) AS i16,
    if(id % 11 < 4, NULL, CAST(id / 100 AS INT)) AS i32, CAST(id AS FLOAT) / 3 AS f32, if(id % 13 = 0, DOUBLE('NaN'), -id / 7D) AS f64,
    if(id < 1500, NULL, id) AS late, CAST(NULL AS INT) AS never, 5 AS five, if(id % 2 = 0, NULL, id % 4 = 1) AS maybe
  FROM range(0, 5500, 1, 2);
SELECT * FROM reprise_kept_numbers;
SELECT i16 % 7, count(*), count(i8), sum(i32), max(f32), min(f64), count(late), count(never), sum(five), bool_or(maybe) FROM reprise_kept_numbers GROUP BY i16 % 7;
SELECT flag, maybe, count(*) FROM reprise_kept_numbers WHERE id > 2500 GROUP BY flag, maybe;
SELECT count(*) FROM reprise_kept_numbers;
SELECT a.id, b.i8 FROM reprise_kept_numbers a JOIN reprise_kept_numbers b ON a.id = b.late WHERE a.i16 < 20;
SELECT count(*) FROM (SELECT id + 1 FROM reprise_kept_numbers WHERE flag LIMIT 5);

CACHE TABLE reprise_kept_types AS SELECT * FROM every_type;
SELECT * FROM reprise_kept_types;
SELECT b, count(*), sum(d18_4), max(s) FROM reprise_kept_types WHERE id > 10 GROUP BY b;
CACHE TABLE reprise_kept_others AS
  SELECT id, concat('k', id % 3) AS few, if(id % 7 = 0, NULL, concat('text ', id)) AS many, encode(CAST(id AS STRING), 'UTF-8') AS bytes,
    CAST(if(id % 5 = 0, NULL, id) AS DECIMAL(9, 2)) AS d9, CAST(-id AS DECIMAL(18, 3)) AS d18, CAST(id * -1000000007 AS DECIMAL(38, 10)) AS d38,
    date_add(DATE '2020-01-01', CAST(id % 50 AS INT)) AS day, timestamp_micros(id * 1000003) AS instant,
    struct(id AS a, concat('s', id) AS b) AS pair, if(id % 5 = 0, NULL, array(id, NULL)) AS several, map('k', id) AS lookup,
    make_interval(0, CAST(id % 9 AS INT)) AS long_ago, make_dt_interval(CAST(id AS INT)) AS span, repeat('x', CAST(id % 40 AS INT)) AS wide
  FROM range(0, 4500, 1, 2);
SELECT id, few, many, bytes, d9, d18, d38, day, instant, pair, several, lookup, span, wide, CAST(long_ago AS STRING) FROM reprise_kept_others WHERE id % 9 = 1;
SELECT few, count(*), count(many), max(many), sum(d9), sum(d18), sum(d38), min(day), max(instant), max(span), sum(length(wide)) FROM reprise_kept_others GROUP BY few;
-- error GROUP_EXPRESSION_TYPE_IS_NOT_ORDERABLE before 4.0
SELECT few, several, lookup, count(*) FROM reprise_kept_others WHERE id % 100 = 3 GROUP BY few, several, lookup;
SELECT a.many, b.pair, CAST(b.long_ago AS STRING), b.bytes FROM reprise_kept_others a JOIN reprise_kept_others b ON a.id = b.id + 1 WHERE a.day = '2020-01-05';
UNCACHE TABLE reprise_kept_numbers;
UNCACHE TABLE reprise_kept_types;
UNCACHE TABLE reprise_kept_others;
DROP VIEW reprise_kept_numbers;
DROP VIEW reprise_kept_types;
DROP VIEW reprise_kept_others;
