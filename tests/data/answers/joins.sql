SELECT n_name, r_name FROM tpch.tiny.nation JOIN tpch.tiny.region ON n_regionkey = r_regionkey ORDER BY n_name
;
SELECT n.n_name, r.r_name FROM tpch.tiny.nation n, tpch.tiny.region r WHERE n.n_regionkey = r.r_regionkey AND r.r_name = 'ASIA'
;
SELECT count(*) FROM tpch.tiny.nation CROSS JOIN tpch.tiny.region
;
SELECT count(*) FROM tpch.tiny.nation a, tpch.tiny.nation b, tpch.tiny.nation c
;
SELECT c.c_custkey, count(o.o_orderkey) FROM tpch.tiny.customer c LEFT JOIN tpch.tiny.orders o ON c.c_custkey = o.o_custkey WHERE c.c_custkey <= 20 GROUP BY c.c_custkey ORDER BY 1
;
SELECT count(*), count(o_orderkey) FROM tpch.tiny.customer LEFT JOIN tpch.tiny.orders ON c_custkey = o_custkey AND o_totalprice > 300000
;
SELECT count(*), count(c_custkey) FROM tpch.tiny.orders RIGHT JOIN tpch.tiny.customer ON c_custkey = o_custkey
;
SELECT a.x, b.y FROM (VALUES (1), (2), (3)) a (x) FULL OUTER JOIN (VALUES (2), (3), (4)) b (y) ON a.x = b.y
;
SELECT a.x, b.y FROM (VALUES (1), (NULL), (3)) a (x) JOIN (VALUES (NULL), (3), (3)) b (y) ON a.x = b.y
;
SELECT a.x, b.y FROM (VALUES (1), (NULL), (3)) a (x) LEFT JOIN (VALUES (NULL), (3), (3)) b (y) ON a.x = b.y
;
SELECT a.x, b.y FROM (VALUES (1), (NULL)) a (x) JOIN (VALUES (NULL), (1)) b (y) ON a.x IS NOT DISTINCT FROM b.y
;
SELECT a.n_name, b.n_name FROM tpch.tiny.nation a JOIN tpch.tiny.nation b ON a.n_regionkey = b.n_regionkey AND a.n_nationkey < b.n_nationkey WHERE a.n_regionkey = 2
;
SELECT a.n_nationkey, b.n_nationkey FROM tpch.tiny.nation a JOIN tpch.tiny.nation b ON a.n_nationkey < b.n_nationkey WHERE b.n_nationkey < 5
;
SELECT a.n_nationkey, b.r_regionkey FROM tpch.tiny.nation a LEFT JOIN tpch.tiny.region b ON a.n_nationkey > b.r_regionkey * 6 AND a.n_name > b.r_name
;
SELECT n_nationkey, r_name FROM tpch.tiny.nation LEFT JOIN tpch.tiny.region ON n_regionkey = r_regionkey AND r_name LIKE 'A%' ORDER BY 1
;
SELECT n_nationkey, r_name FROM tpch.tiny.nation LEFT JOIN tpch.tiny.region ON n_regionkey = r_regionkey WHERE r_name LIKE 'A%' ORDER BY 1
;
SELECT id, a, b FROM (VALUES (1, 'x'), (2, 'y')) l (id, a) JOIN (VALUES (2, 'p'), (3, 'q')) r (id, b) USING (id)
;
SELECT id, a, b FROM (VALUES (1, 'x'), (2, 'y')) l (id, a) FULL JOIN (VALUES (2, 'p'), (3, 'q')) r (id, b) USING (id)
;
SELECT * FROM (VALUES (1, 'x'), (2, 'y')) l (id, a) LEFT JOIN (VALUES (2, 'p'), (3, 'q')) r (id, b) USING (id) ORDER BY id
;
SELECT s_name, n_name, r_name FROM tpch.tiny.supplier JOIN tpch.tiny.nation ON s_nationkey = n_nationkey JOIN tpch.tiny.region ON n_regionkey = r_regionkey WHERE s_suppkey <= 10 ORDER BY s_suppkey
;
SELECT count(*) FROM tpch.tiny.part JOIN tpch.tiny.partsupp ON p_partkey = ps_partkey JOIN tpch.tiny.supplier ON s_suppkey = ps_suppkey WHERE p_size = 15 AND s_acctbal > 0
;
SELECT n_name, sum(l_extendedprice * (1 - l_discount)) AS revenue FROM tpch.tiny.customer, tpch.tiny.orders, tpch.tiny.lineitem, tpch.tiny.nation WHERE c_custkey = o_custkey AND l_orderkey = o_orderkey AND c_nationkey = n_nationkey AND o_orderdate >= DATE '1994-01-01' AND o_orderdate < DATE '1995-01-01' GROUP BY n_name ORDER BY revenue DESC LIMIT 5
;
SELECT a.x, b.x FROM (VALUES (1), (2)) a (x) LEFT JOIN (VALUES (1), (2)) b (x) ON false
;
SELECT a.x, b.x FROM (VALUES (1), (2)) a (x) LEFT JOIN (VALUES (1), (2)) b (x) ON true
;
SELECT a.x, b.y FROM (VALUES (1), (2)) a (x) JOIN (VALUES (1.0), (2.5)) b (y) ON a.x = b.y
;
SELECT count(*) FROM tpch.tiny.lineitem JOIN tpch.tiny.orders ON l_orderkey = o_orderkey WHERE l_shipdate > o_orderdate + INTERVAL '100' DAY
;
SELECT count(*) FROM tpch.tiny.orders JOIN tpch.tiny.lineitem ON o_orderkey = l_orderkey OR o_custkey = l_suppkey WHERE o_orderkey < 40 AND l_orderkey < 40
;
SELECT t.x, u.y FROM (VALUES (1, ARRAY[10, 20]), (2, ARRAY[30])) t (x, ys) CROSS JOIN UNNEST(t.ys) u (y)
-- duckdb: SELECT x, unnest(ys) FROM (VALUES (1, [10, 20]), (2, [30])) t (x, ys)
;
SELECT x, o FROM UNNEST(ARRAY['a', 'b', 'c']) WITH ORDINALITY t (x, o)
-- duckdb: SELECT * FROM (VALUES ('a', 1), ('b', 2), ('c', 3)) t (x, o)
;
SELECT n.n_name, c.k FROM tpch.tiny.nation n JOIN (SELECT c_nationkey, count(*) AS k FROM tpch.tiny.customer GROUP BY c_nationkey) c ON c.c_nationkey = n.n_nationkey ORDER BY c.k DESC, n.n_name LIMIT 7
