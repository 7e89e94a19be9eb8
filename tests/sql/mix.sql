-- A mixed workload over TPC-H's tables: what reports and pipelines do beside joins and sums. `make bench SUITE=mix` times it.

-- 1 to 8: text and regular expressions.
SELECT regexp_extract(l_comment, '([a-z]+)', 1) AS word, count(*) AS c, sum(l_quantity) AS q FROM lineitem GROUP BY word ORDER BY c DESC, word LIMIT 20;
SELECT l_shipmode, count(*) AS c, sum(l_extendedprice) AS p FROM lineitem WHERE l_shipdate >= DATE '1995-01-01' AND l_comment RLIKE 'fin.*ly' GROUP BY l_shipmode ORDER BY l_shipmode;
SELECT upper(substring(p_name, 1, 1)) AS initial, count(DISTINCT split(p_name, ' ')[1]) AS seconds, max(length(regexp_replace(p_name, '[aeiou]', ''))) AS consonants FROM part GROUP BY initial ORDER BY initial;
SELECT o_orderpriority, sum(length(reverse(o_comment))) AS n, max(initcap(o_clerk)) AS clerk, min(lpad(CAST(o_custkey AS STRING), 10, '0')) AS padded FROM orders WHERE o_orderdate < DATE '1996-01-01' GROUP BY o_orderpriority ORDER BY o_orderpriority;
SELECT soundex(c_mktsegment) AS sound, count(*) AS c, max(translate(c_phone, '-', '.')) AS phone FROM customer GROUP BY sound ORDER BY sound;
SELECT l_returnflag, sum(l_quantity * 2) AS a, sum(l_extendedprice * (1 - l_discount)) AS b, sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) AS c, avg(l_quantity) AS d, avg(l_discount) AS e, max(l_tax) AS f, min(l_shipdate) AS g, max(l_commitdate) AS h, sum(l_orderkey + l_partkey) AS i, max(substring(l_comment, 1, 3)) AS j, count(*) AS k, sum(crc32(l_comment)) AS l FROM lineitem GROUP BY l_returnflag ORDER BY l_returnflag;
SELECT s_nationkey, count(*) AS c FROM supplier WHERE s_comment LIKE '%Customer%' OR levenshtein(substring(s_name, 10), '000000001') < 3 GROUP BY s_nationkey ORDER BY s_nationkey;
SELECT concat_ws('-', o_orderstatus, substring_index(o_orderpriority, '-', 1)) AS k, count(*) AS c, sum(o_totalprice) AS p FROM orders GROUP BY k ORDER BY k;

-- 9 to 14: JSON, URLs and bytes.
SELECT get_json_object(j, '$.mode') AS mode, sum(CAST(get_json_object(j, '$.q') AS INT)) AS q FROM (SELECT concat('{"mode":"', l_shipmode, '","q":', CAST(l_quantity AS INT), '}') AS j FROM lineitem WHERE l_orderkey % 7 = 0) GROUP BY mode ORDER BY mode;
SELECT p.brand, count(*) AS c, sum(p.size) AS s FROM (SELECT from_json(to_json(named_struct('brand', p_brand, 'size', p_size)), 'brand STRING, size INT') AS p FROM part) GROUP BY p.brand ORDER BY p.brand;
SELECT parse_url(concat('http://', c_mktsegment, '.example/', c_custkey, '?n=', c_nationkey), 'HOST') AS host, count(*) AS c FROM customer GROUP BY host ORDER BY host;
SELECT substring(md5(o_clerk), 1, 1) AS h, count(*) AS c, sum(o_totalprice) AS p FROM orders GROUP BY h ORDER BY h;
SELECT sum(length(base64(encode(l_shipinstruct, 'UTF-8')))) AS a, max(hex(l_shipmode)) AS b, min(sha2(l_returnflag, 256)) AS c FROM lineitem WHERE l_linenumber = 1;
SELECT c_mktsegment, sum(json_array_length(concat('[', c_nationkey, ',', c_custkey, ']'))) AS n FROM customer GROUP BY c_mktsegment ORDER BY c_mktsegment;

-- 15 to 22: arrays, maps, structs and lambdas.
SELECT l_shipmode, count(*) AS c FROM lineitem WHERE exists(array(l_discount, l_tax), x -> x > 0.07) GROUP BY l_shipmode ORDER BY l_shipmode;
SELECT o_orderpriority, sum(aggregate(transform(split(o_comment, ' '), w -> length(w)), 0, (a, n) -> a + n)) AS letters FROM orders WHERE o_orderdate >= DATE '1997-01-01' GROUP BY o_orderpriority ORDER BY o_orderpriority;
SELECT word, count(*) AS c FROM (SELECT explode(split(p_name, ' ')) AS word FROM part) GROUP BY word ORDER BY c DESC, word LIMIT 20;
SELECT o_custkey, sort_array(collect_set(o_orderpriority)) AS p, count(*) AS c FROM orders WHERE o_custkey % 100 = 1 GROUP BY o_custkey ORDER BY o_custkey LIMIT 50;
SELECT k.flag, k.status, sum(l_quantity) AS q FROM (SELECT named_struct('flag', l_returnflag, 'status', l_linestatus) AS k, l_quantity FROM lineitem) GROUP BY k ORDER BY k.flag, k.status;
SELECT m['a'] AS a, count(*) AS c, max(m['b']) AS b FROM (SELECT map('a', o_orderstatus, 'b', o_orderpriority) AS m FROM orders) GROUP BY m['a'] ORDER BY a;
SELECT element_at(array(l_shipmode, l_shipinstruct), 1 + l_linenumber % 2) AS e, sum(l_extendedprice) AS p FROM lineitem GROUP BY e ORDER BY e;
SELECT p_brand, array_max(array(max(p_size), count(*))) AS m FROM part GROUP BY p_brand ORDER BY p_brand;

-- 23 to 30: windows, pivots, rollups.
SELECT o_custkey, o_orderkey, r FROM (SELECT o_custkey, o_orderkey, rank() OVER (PARTITION BY o_custkey ORDER BY o_totalprice DESC, o_orderkey) AS r FROM orders) WHERE r <= 2 AND o_custkey < 500 ORDER BY o_custkey, r;
SELECT l_suppkey, l_shipdate, sum(l_quantity) OVER (PARTITION BY l_suppkey ORDER BY l_shipdate, l_orderkey, l_linenumber ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS q FROM lineitem WHERE l_suppkey < 20 ORDER BY l_suppkey, l_shipdate, l_orderkey, l_linenumber LIMIT 1000;
SELECT c_nationkey, c_custkey, c_acctbal - lag(c_acctbal) OVER (PARTITION BY c_nationkey ORDER BY c_custkey) AS step FROM customer WHERE c_custkey % 50 = 0 ORDER BY c_nationkey, c_custkey;
SELECT * FROM (SELECT l_shipmode, l_returnflag, l_quantity FROM lineitem) PIVOT (sum(l_quantity) FOR l_returnflag IN ('A', 'N', 'R')) ORDER BY l_shipmode;
SELECT l_returnflag, l_linestatus, count(*) AS c, sum(l_quantity) AS q FROM lineitem GROUP BY ROLLUP (l_returnflag, l_linestatus) ORDER BY l_returnflag, l_linestatus, c;
SELECT year(o_orderdate) AS y, ntile(4) OVER (PARTITION BY year(o_orderdate) ORDER BY sum(o_totalprice), o_orderpriority) AS n, o_orderpriority FROM orders GROUP BY y, o_orderpriority ORDER BY y, n, o_orderpriority;
SELECT n_name, percent FROM (SELECT n_name, count(*) * 100 div sum(count(*)) OVER () AS percent FROM customer JOIN nation ON c_nationkey = n_nationkey GROUP BY n_name) ORDER BY n_name;
SELECT p_type, first(p_name) AS f, last(p_name) AS l FROM (SELECT p_type, p_name FROM part WHERE p_size = 10 ORDER BY p_type, p_name) GROUP BY p_type ORDER BY p_type LIMIT 40;

-- 31 to 40: times, numbers, joins with functions in them, semi-structured keys, samples, unions.
SELECT date_format(l_shipdate, 'yyyy-MM') AS month, sum(l_extendedprice) AS p FROM lineitem WHERE l_discount > 0.05 GROUP BY month ORDER BY month;
SELECT date_trunc('QUARTER', o_orderdate) AS q, count(*) AS c, max(last_day(o_orderdate)) AS l FROM orders GROUP BY q ORDER BY q;
SELECT bit_count(l_orderkey) AS b, count(*) AS c, sum(l_quantity) AS q FROM lineitem GROUP BY b ORDER BY b;
SELECT width_bucket(CAST(o_totalprice AS DOUBLE), 0, 500000, 10) AS bucket, count(*) AS c FROM orders GROUP BY bucket ORDER BY bucket;
SELECT n_name, sum(o_totalprice) AS p FROM orders JOIN customer ON o_custkey = c_custkey JOIN nation ON c_nationkey = n_nationkey WHERE reverse(n_name) < 'M' GROUP BY n_name ORDER BY n_name;
SELECT a.p_brand, count(*) AS c FROM part a JOIN part b ON a.p_partkey = b.p_partkey AND initcap(a.p_mfgr) = initcap(b.p_mfgr) WHERE a.p_size < 10 GROUP BY a.p_brand ORDER BY a.p_brand;
SELECT l_shipmode, count(*) AS c FROM lineitem TABLESAMPLE (10 PERCENT) REPEATABLE (7) WHERE hex(l_shipmode) <> '' GROUP BY l_shipmode ORDER BY l_shipmode;
SELECT kind, count(*) AS c, sum(n) AS n FROM (SELECT 'order' AS kind, ascii(o_clerk) AS n FROM orders UNION ALL SELECT 'customer', char_length(overlay(c_name PLACING 'x' FROM 2)) FROM customer) GROUP BY kind ORDER BY kind;
SELECT o_orderkey FROM orders WHERE conv(CAST(o_custkey AS STRING), 10, 2) RLIKE '^1(01)+$' ORDER BY o_totalprice DESC, o_orderkey LIMIT 100;
SELECT months_between(max(l_receiptdate), min(l_shipdate)) AS m, sum(CASE WHEN instr(l_comment, 'quick') > 0 THEN bit_length(l_comment) ELSE 0 END) AS b, approx_count_distinct(l_partkey) AS d FROM lineitem WHERE l_quantity BETWEEN 10 AND 20;
