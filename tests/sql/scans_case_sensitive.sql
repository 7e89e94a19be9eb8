-- With case-sensitive names a column of another case is another column: null.
-- conf spark.sql.caseSensitive=true
CREATE OR REPLACE TEMPORARY VIEW names (Id BIGINT, username STRING, TOTAL DOUBLE) USING parquet OPTIONS (path '${tables}/mixed_case');
SELECT * FROM names;
SELECT Id, TOTAL FROM names WHERE Id > 1;
SELECT count(username), count(TOTAL) FROM names;
