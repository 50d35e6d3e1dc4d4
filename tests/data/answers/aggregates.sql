SELECT count(*) FROM tpch.tiny.lineitem
;
SELECT count(*), count(o_comment), count(DISTINCT o_orderstatus), count(DISTINCT o_custkey) FROM tpch.tiny.orders
;
SELECT o_orderstatus, count(*) FROM tpch.tiny.orders GROUP BY o_orderstatus
;
SELECT o_orderstatus, count(*) AS n FROM tpch.tiny.orders GROUP BY 1 ORDER BY n DESC
;
SELECT sum(l_quantity), min(l_quantity), max(l_quantity) FROM tpch.tiny.lineitem
;
SELECT l_returnflag, l_linestatus, sum(l_extendedprice * (1 - l_discount)) FROM tpch.tiny.lineitem GROUP BY l_returnflag, l_linestatus ORDER BY 1, 2
;
SELECT avg(CAST(l_extendedprice AS double)) FROM tpch.tiny.lineitem
;
SELECT avg(l_linenumber) FROM tpch.tiny.lineitem
;
SELECT l_shipmode, avg(CAST(l_discount AS double)), count(*) FROM tpch.tiny.lineitem GROUP BY l_shipmode HAVING count(*) > 8600 ORDER BY l_shipmode
;
SELECT min(o_orderdate), max(o_orderdate), min(o_comment), max(o_clerk) FROM tpch.tiny.orders
;
SELECT stddev(l_linenumber), stddev_pop(l_linenumber), variance(l_linenumber), var_pop(l_linenumber) FROM tpch.tiny.lineitem
;
SELECT sum(l_linenumber) FILTER (WHERE l_linestatus = 'O'), count(*) FILTER (WHERE l_tax > 0.05) FROM tpch.tiny.lineitem
;
SELECT count_if(l_quantity > 40) FROM tpch.tiny.lineitem
;
SELECT bool_and(n_nationkey >= 0), bool_or(n_nationkey > 24), every(n_regionkey < 5) FROM tpch.tiny.nation
-- duckdb: SELECT bool_and(n_nationkey >= 0), bool_or(n_nationkey > 24), bool_and(n_regionkey < 5) FROM tpch.tiny.nation
;
SELECT n_regionkey, array_agg(n_name ORDER BY n_name) FROM tpch.tiny.nation GROUP BY n_regionkey ORDER BY 1
;
-- duckdb: SELECT n_regionkey, string_agg(n_name, '; ' ORDER BY n_name DESC) FROM tpch.tiny.nation GROUP BY n_regionkey ORDER BY 1
SELECT n_regionkey, listagg(n_name, '; ') WITHIN GROUP (ORDER BY n_name DESC) FROM tpch.tiny.nation GROUP BY n_regionkey ORDER BY 1
;
SELECT max_by(n_name, n_nationkey), min_by(n_name, n_nationkey) FROM tpch.tiny.nation
;
SELECT sum(n_nationkey), count(*), max(n_name) FROM tpch.tiny.nation WHERE n_nationkey > 100
;
SELECT n_regionkey, count(*) FROM tpch.tiny.nation WHERE n_nationkey > 100 GROUP BY n_regionkey
;
SELECT count(*) FROM (SELECT 1 FROM tpch.tiny.orders GROUP BY o_custkey HAVING count(*) > 20) t
;
SELECT DISTINCT o_orderpriority FROM tpch.tiny.orders ORDER BY o_orderpriority
;
SELECT DISTINCT n_regionkey, substr(n_name, 1, 1) FROM tpch.tiny.nation
;
SELECT count(DISTINCT l_suppkey), sum(DISTINCT l_linenumber) FROM tpch.tiny.lineitem
;
SELECT l_linenumber % 2, count(DISTINCT l_shipmode), count(*) FROM tpch.tiny.lineitem GROUP BY l_linenumber % 2
;
SELECT year(o_orderdate) AS y, sum(o_totalprice) FROM tpch.tiny.orders GROUP BY year(o_orderdate) ORDER BY y
;
SELECT r_name, n_name, count(*) FROM tpch.tiny.nation JOIN tpch.tiny.region ON n_regionkey = r_regionkey GROUP BY ROLLUP (r_name, n_name)
;
SELECT o_orderstatus, o_orderpriority, count(*) FROM tpch.tiny.orders GROUP BY CUBE (o_orderstatus, o_orderpriority)
;
SELECT o_orderstatus, o_shippriority, count(*), grouping(o_orderstatus) FROM tpch.tiny.orders GROUP BY GROUPING SETS ((o_orderstatus), (o_shippriority), ())
;
SELECT count(*), 1 + max(n_nationkey) * 2 FROM tpch.tiny.nation HAVING max(n_nationkey) = 24
;
SELECT count(*) FROM tpch.tiny.nation HAVING count(*) > 100
;
SELECT sum(x), avg(x), count(x), count(*) FROM (VALUES (1), (NULL), (3)) t (x)
;
SELECT k, sum(x), min(x) FROM (VALUES ('a', 1), ('a', NULL), ('b', NULL), (NULL, 4), (NULL, 5)) t (k, x) GROUP BY k
;
SELECT corr(CAST(l_quantity AS double), CAST(l_extendedprice AS double)) FROM tpch.tiny.lineitem
;
SELECT approx_distinct(n_regionkey) FROM tpch.tiny.nation
-- duckdb: SELECT count(DISTINCT n_regionkey) FROM tpch.tiny.nation
