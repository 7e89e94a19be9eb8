-- Arrays, maps and structs out of Parquet files.
-- each spark.sql.sources.useV1SourceList=parquet|
-- expect native: RepriseParquetScan
SELECT * FROM nested_types;
-- expect native: RepriseParquetScan
SELECT id, m, mi, ll FROM nested_types WHERE id % 3 = 0 ORDER BY id, size(ll), cast(mi AS string), cast(m AS string);
-- The bytes are those of Spark's rows: what Spark makes of the same values is equal as a key.
-- expect native: RepriseParquetScan, RepriseHashAggregate
SELECT st, l_s, ll, count(*) FROM nested_types GROUP BY st, l_s, ll;
-- expect native: RepriseParquetScan, RepriseHashAggregate
SELECT l_d38_0, l_d38_18, count(*) FROM (SELECT l_d38_0, l_d38_18 FROM nested_types UNION ALL SELECT transform(l_d38_0, x -> x), filter(l_d38_18, x -> x IS NULL OR x IS NOT NULL) FROM nested_types) GROUP BY l_d38_0, l_d38_18;
-- Spark 4.3's generated code looks up null elements in a Parquet file's dictionary and fails: it gets rows here.
-- conf spark.sql.codegen.wholeStage=false
-- expect native: RepriseParquetScan, RepriseHashAggregate
SELECT l_b, l_i8, l_i16, l_f32, l_bin, l_dt, l_ts, count(*) FROM (SELECT l_b, l_i8, l_i16, l_f32, l_bin, l_dt, l_ts FROM nested_types UNION ALL SELECT transform(l_b, x -> x), transform(l_i8, x -> x), transform(l_i16, x -> x), transform(l_f32, x -> x), transform(l_bin, x -> x), transform(l_dt, x -> x), transform(l_ts, x -> x) FROM nested_types) GROUP BY l_b, l_i8, l_i16, l_f32, l_bin, l_dt, l_ts;
-- conf spark.sql.codegen.wholeStage=true
SELECT deep, count(*) FROM (SELECT to_json(deep) AS deep FROM nested_types) GROUP BY deep;
-- Spark asks for the fields that are wanted alone.
-- expect native: RepriseParquetScan, RepriseProject
-- expect no guest
SELECT id, st.s, st.d38_18, st.nothing FROM nested_types;
-- expect native: RepriseParquetScan, RepriseFilter
SELECT id, st.i32 FROM nested_types WHERE st.i64 > 5 AND st.s IS NOT NULL;
-- expect native: RepriseParquetScan
SELECT id, deep.b.c.d, deep.a, m['k1'].x, map_keys(m) FROM nested_types;
SELECT count(*), count(st), count(st.b), count(l_s), count(m), sum(size(l_i64)), sum(l_i32[0]) FROM nested_types WHERE size(l_i32) > 0;
-- expect native: RepriseParquetScan, RepriseGenerate
SELECT id, e FROM nested_types LATERAL VIEW explode(l_i64) AS e;
SELECT id, k, v.x, t FROM nested_types LATERAL VIEW explode(m) AS k, v LATERAL VIEW OUTER explode(v.t) AS t;
SELECT id, e.b.c.e, size(e.a) FROM nested_types LATERAL VIEW posexplode(deep) AS p, e;

-- Fields that files lack, in another order and letter case.
CREATE OR REPLACE TEMPORARY VIEW merged USING parquet OPTIONS (path '${tables}/nested_grown', mergeSchema 'true');
-- expect native: RepriseParquetScan
SELECT * FROM merged;
SELECT id, s.a, s.c, s.n.p, s.z FROM merged;
SELECT id, s.b FROM merged WHERE s.b IS NOT NULL;
SELECT id, l.a, m['k1'].b, map_values(m).z FROM merged;
-- expect native: RepriseParquetScan
SELECT id, s.z, l.z FROM merged WHERE id < 100;
CREATE OR REPLACE TEMPORARY VIEW asked (id BIGINT, S STRUCT<B: STRING, gone: ARRAY<INT>, A: INT>, l ARRAY<STRUCT<gone: INT>>, m MAP<STRING, STRUCT<gone: STRING>>, q STRUCT<r: INT>, lost ARRAY<MAP<INT, INT>>) USING parquet OPTIONS (path '${tables}/nested_grown');
-- expect native: RepriseParquetScan
SELECT * FROM asked;
-- expect native: RepriseParquetScan
SELECT id, s.gone, l, m, q, lost FROM asked;
-- conf spark.sql.legacy.parquet.returnNullStructIfAllFieldsMissing=true
SELECT id, s.gone, s, l, m, q FROM asked;
SELECT id, s.gone, l, m, q, lost FROM asked;
-- conf spark.sql.legacy.parquet.returnNullStructIfAllFieldsMissing=false
-- conf spark.sql.caseSensitive=true
-- expect native: RepriseParquetScan
SELECT id, S, l, m FROM asked;
SELECT id, s.a, s.C FROM merged;
-- conf spark.sql.caseSensitive=false

-- Other types than the file's.
CREATE OR REPLACE TEMPORARY VIEW other_types (id BIGINT, st STRUCT<i32: BIGINT, i8: INT, d5_2: DECIMAL(9, 4)>, l_i32 ARRAY<DOUBLE>, mi MAP<BIGINT, DOUBLE>) USING parquet OPTIONS (path '${tables}/nested_types/a.parquet');
-- expect native: RepriseParquetScan
-- error _LEGACY_ERROR_TEMP_2063 before 4.0
SELECT * FROM other_types;
CREATE OR REPLACE TEMPORARY VIEW wrong_types (id BIGINT, st STRUCT<i32: STRING>, l_i32 ARRAY<DATE>, l_s STRUCT<a: INT>, m ARRAY<INT>) USING parquet OPTIONS (path '${tables}/nested_types/a.parquet');
-- error FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH
-- error _LEGACY_ERROR_TEMP_2063 before 4.0
SELECT st FROM wrong_types;
-- conf spark.sql.parquet.enableNestedColumnVectorizedReader=false
-- expect no native
SELECT id, l, m FROM merged;
-- conf spark.sql.parquet.enableNestedColumnVectorizedReader=true

-- What is kept as numbers and as strings of other kinds, flat and within.
CREATE TABLE reprise_kept USING parquet LOCATION '${out}/kept' AS SELECT id, if(id % 5 = 0, NULL, make_ym_interval(0, cast(id AS int))) AS y, make_dt_interval(0, 0, cast(id AS int)) AS d, named_struct('y', make_ym_interval(cast(id AS int), 1), 'd', array(make_dt_interval(0, cast(id AS int)), NULL)) AS s, map(cast(id AS int), make_ym_interval(cast(id AS int))) AS m FROM range(40);
-- expect native: RepriseParquetScan
SELECT id, cast(y AS string), cast(d AS string), cast(s AS string), cast(m AS string) FROM reprise_kept;
-- expect native: RepriseParquetScan
SELECT cast(y AS string), count(*), max(cast(d AS string)) FROM reprise_kept WHERE y > interval '3' month GROUP BY y;
SELECT cast(s.y AS string), cast(s.d[0] AS string), size(m) FROM reprise_kept WHERE d > interval '10' minute;
DROP TABLE reprise_kept;
CREATE TABLE reprise_lengths (id INT, c CHAR(5), v VARCHAR(7), s STRUCT<c: CHAR(3), v: ARRAY<VARCHAR(4)>>) USING parquet LOCATION '${out}/lengths';
INSERT INTO reprise_lengths SELECT id, 'ab', 'cd', named_struct('c', 'x', 'v', array('y', NULL)) FROM range(5);
-- expect native: RepriseParquetScan
SELECT * FROM reprise_lengths;
SELECT id, s.c, s.v[0] FROM reprise_lengths WHERE c = 'ab' AND s.c = 'x';
-- conf spark.sql.preserveCharVarcharTypeInfo=true
-- expect native: RepriseParquetScan
SELECT * FROM reprise_lengths;
-- conf spark.sql.preserveCharVarcharTypeInfo=false
DROP TABLE reprise_lengths;
