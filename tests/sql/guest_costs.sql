-- What guests cost in native pipelines, over TPC-H's tables. `make bench SUITE=guests` times it.

-- 1 and 2: one cheap guest and one that makes texts, nearly alone.
-- expect native: RepriseGuestProject
SELECT sum(bit_count(l_orderkey)) AS n FROM lineitem;
SELECT sum(length(overlay(l_comment, '#', 3, 2))) AS n FROM lineitem;
-- 3: one among twelve native expressions.
SELECT l_returnflag, sum(l_quantity * 2) AS a, sum(l_extendedprice * (1 - l_discount)) AS b, sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) AS c, avg(l_quantity) AS d, avg(l_discount) AS e, max(l_tax) AS f, min(l_shipdate) AS g, max(l_commitdate) AS h, sum(l_orderkey + l_partkey) AS i, max(substring(l_comment, 1, 3)) AS j, count(*) AS k, sum(bit_count(l_orderkey)) AS l FROM lineitem GROUP BY l_returnflag ORDER BY l_returnflag;
-- 4 to 6: in a filter behind a native part, under a condition, in a key.
SELECT count(*) AS c, sum(l_quantity) AS q FROM lineitem WHERE l_shipdate >= DATE '1996-01-01' AND bit_count(l_orderkey) % 2 = 0;
SELECT sum(CASE WHEN l_linenumber = 1 THEN length(overlay(l_comment, '#', 3)) ELSE 0 END) AS n FROM lineitem;
SELECT bit_count(l_orderkey) AS k, count(*) AS c, sum(l_extendedprice) AS p FROM lineitem GROUP BY k ORDER BY k;
-- 7: above ORDER BY … LIMIT.
SELECT o_orderkey, overlay(o_comment, '#', 1, 5) AS c FROM (SELECT * FROM orders ORDER BY o_totalprice DESC, o_orderkey LIMIT 100);
-- 8 to 10: conditions of joins that are tried, with keys and without, and one that is not.
SELECT count(*) AS c FROM customer JOIN supplier ON c_nationkey = s_nationkey AND upper(c_address) < upper(s_address) WHERE c_custkey < 20000;
SELECT count(*) AS c FROM customer JOIN supplier ON upper(c_address) < upper(s_address) WHERE c_custkey < 20000 AND s_suppkey < 100;
SELECT count(*) AS c FROM customer JOIN supplier ON c_nationkey = s_nationkey AND bit_count(c_custkey) = bit_count(s_suppkey) WHERE c_custkey < 20000;
-- 11 and 12: an aggregate function and what is made of its results.
SELECT l_shipmode, approx_count_distinct(l_partkey) AS n, max_by(l_comment, l_extendedprice) AS m FROM lineitem GROUP BY l_shipmode ORDER BY l_shipmode;
SELECT l_suppkey, overlay(max(l_comment), '#', 1) AS m, format_number(sum(l_extendedprice), 2) AS p FROM lineitem GROUP BY l_suppkey ORDER BY l_suppkey LIMIT 20;
