-- Digests and checksums of texts and bytes.
-- each spark.sql.ansi.enabled=true|false
-- expect no guest
SELECT id, md5(s), md5(bin), sha1(s), sha(bin), crc32(s), crc32(bin), sha2(s, 256), CAST(s AS BINARY) FROM every_type DISTRIBUTE BY id SORT BY id;
-- expect no guest
SELECT id, sha2(s, 0), sha2(s, 224), sha2(bin, 384), sha2(s, 512), sha2(s, 128), sha2(s, -1), sha2(s, CAST(NULL AS INT)), sha2(s, CASE id % 7 WHEN 0 THEN 0 WHEN 1 THEN 224 WHEN 2 THEN 256 WHEN 3 THEN 384 WHEN 4 THEN 512 WHEN 5 THEN 1 END) FROM every_type DISTRIBUTE BY id SORT BY id;
-- expect no guest
-- expect native: RepriseHashAggregate
SELECT substring(md5(l_comment), 1, 2) AS h, count(*), max(crc32(l_comment)), min(sha2(l_shipmode, 256)), max(sha1(l_shipinstruct)) FROM lineitem GROUP BY h ORDER BY h;
-- expect no guest
SELECT count(*) FROM lineitem JOIN orders ON md5(o_clerk) = md5(concat('Clerk#00000000', l_linenumber)) AND o_orderkey = l_orderkey WHERE md5('') <> 'x' AND crc32('') = 0;
