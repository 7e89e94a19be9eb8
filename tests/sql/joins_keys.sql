-- Joins on keys of every type: nulls match nothing, NaN is NaN, -0.0 is 0.0.
-- conf spark.sql.autoBroadcastJoinThreshold=-1

CREATE OR REPLACE TEMP VIEW l AS SELECT * FROM every_type WHERE id % 9 = 0;
CREATE OR REPLACE TEMP VIEW r AS SELECT * FROM every_type WHERE id % 11 = 0;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.i8, r.id, r.i8 FROM l FULL JOIN r ON l.i8 = r.i8;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.i16, r.id, r.i16 FROM l FULL JOIN r ON l.i16 = r.i16;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.i32, r.id, r.i32 FROM l FULL JOIN r ON l.i32 = r.i32;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.i64, r.id, r.i64 FROM l FULL JOIN r ON l.i64 = r.i64;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.f32, r.id, r.f32 FROM l FULL JOIN r ON l.f32 = r.f32;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.f64, r.id, r.f64 FROM l FULL JOIN r ON l.f64 = r.f64;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.b, r.id, r.b FROM l FULL JOIN r ON l.b = r.b;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.d5_2, r.id, r.d5_2 FROM l FULL JOIN r ON l.d5_2 = r.d5_2;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.d18_4, r.id, r.d18_4 FROM l FULL JOIN r ON l.d18_4 = r.d18_4;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.d19_0, r.id, r.d19_0 FROM l FULL JOIN r ON l.d19_0 = r.d19_0;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.d38_0, r.id, r.d38_0 FROM l FULL JOIN r ON l.d38_0 = r.d38_0;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.d38_18, r.id, r.d38_18 FROM l FULL JOIN r ON l.d38_18 = r.d38_18;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.s, r.id, r.s FROM l FULL JOIN r ON l.s = r.s;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.bin, r.id, r.bin FROM l FULL JOIN r ON l.bin = r.bin;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.dt, r.id, r.dt FROM l FULL JOIN r ON l.dt = r.dt;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.ts, r.id, r.ts FROM l FULL JOIN r ON l.ts = r.ts;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, l.tsn, r.id, r.tsn FROM l FULL JOIN r ON l.tsn = r.tsn;

-- Several keys: one word, two words, runs of bytes.
SELECT /*+ SHUFFLE_HASH(r) */ l.id, r.id FROM l LEFT JOIN r ON l.i8 = r.i8 AND l.i16 = r.i16;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, r.id FROM l LEFT JOIN r ON l.i32 = r.i32 AND l.i64 = r.i64;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, r.id FROM l LEFT JOIN r ON l.i64 = r.i64 AND l.dt = r.dt;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, r.id FROM l LEFT JOIN r ON l.d18_4 = r.d18_4 AND l.b = r.b AND l.i8 = r.i8;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, r.id FROM l LEFT JOIN r ON l.d38_0 = r.d38_0 AND l.i32 = r.i32;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, r.id FROM l LEFT JOIN r ON l.s = r.s AND l.i32 = r.i32;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, r.id FROM l LEFT JOIN r ON l.s = r.s AND l.bin = r.bin;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, r.id FROM l LEFT JOIN r ON l.f64 = r.f64 AND l.f32 = r.f32;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, r.id FROM l LEFT JOIN r ON l.b = r.b AND l.s = r.s AND l.d38_18 = r.d38_18 AND l.dt = r.dt;

-- Keys that are expressions, and of types that differ.
SELECT /*+ MERGE(r) */ l.id, r.id FROM l JOIN r ON l.i8 + 1 = r.i16;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, r.id FROM l JOIN r ON l.i32 = r.f64;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, r.id FROM l JOIN r ON l.d5_2 = r.d18_4;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, r.id FROM l JOIN r ON upper(l.s) = r.s;

-- Nulls that equal nulls, by every type of key.
SELECT /*+ SHUFFLE_HASH(r) */ l.id, r.id FROM l JOIN r ON l.i32 <=> r.i32;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, r.id FROM l JOIN r ON l.f64 <=> r.f64;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, r.id FROM l JOIN r ON l.s <=> r.s;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, r.id FROM l JOIN r ON l.d38_0 <=> r.d38_0;
SELECT /*+ SHUFFLE_HASH(r) */ l.id, r.id FROM l JOIN r ON l.b <=> r.b;

-- Collated strings stay with Spark.
-- error UNRESOLVED_ROUTINE before 4.0
SELECT /*+ SHUFFLE_HASH(r) */ l.id, r.id FROM l JOIN r ON collate(l.s, 'UTF8_LCASE') = collate(r.s, 'UTF8_LCASE');
