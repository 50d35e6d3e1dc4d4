SELECT n_name FROM tpch.tiny.nation WHERE n_regionkey = (SELECT r_regionkey FROM tpch.tiny.region WHERE r_name = 'EUROPE') ORDER BY 1
;
SELECT n_name FROM tpch.tiny.nation WHERE n_regionkey IN (SELECT r_regionkey FROM tpch.tiny.region WHERE r_name LIKE 'A%') ORDER BY 1
;
SELECT n_name FROM tpch.tiny.nation WHERE n_regionkey NOT IN (SELECT r_regionkey FROM tpch.tiny.region WHERE r_name LIKE 'A%') ORDER BY 1
;
SELECT count(*) FROM tpch.tiny.customer c WHERE EXISTS (SELECT 1 FROM tpch.tiny.orders o WHERE o.o_custkey = c.c_custkey)
;
SELECT count(*) FROM tpch.tiny.customer c WHERE NOT EXISTS (SELECT 1 FROM tpch.tiny.orders o WHERE o.o_custkey = c.c_custkey AND o.o_orderstatus = 'F')
;
SELECT c_custkey, (SELECT count(*) FROM tpch.tiny.orders o WHERE o.o_custkey = c.c_custkey) FROM tpch.tiny.customer c WHERE c_custkey < 10 ORDER BY 1
;
SELECT c_custkey, (SELECT max(o_totalprice) FROM tpch.tiny.orders o WHERE o.o_custkey = c.c_custkey) FROM tpch.tiny.customer c WHERE c_custkey < 10 ORDER BY 1
;
SELECT count(*) FROM tpch.tiny.lineitem l WHERE l_quantity < (SELECT 0.2 * avg(CAST(l_quantity AS double)) FROM tpch.tiny.lineitem i WHERE i.l_partkey = l.l_partkey)
;
SELECT s_suppkey FROM tpch.tiny.supplier s WHERE s_acctbal > (SELECT avg(CAST(s_acctbal AS double)) FROM tpch.tiny.supplier i WHERE i.s_nationkey = s.s_nationkey) AND s_suppkey < 30 ORDER BY 1
;
SELECT (SELECT 1), (SELECT max(n_nationkey) FROM tpch.tiny.nation), (SELECT n_name FROM tpch.tiny.nation WHERE n_nationkey = 99)
;
SELECT n_name FROM tpch.tiny.nation WHERE n_nationkey > ALL (SELECT r_regionkey * 5 FROM tpch.tiny.region) ORDER BY 1
;
SELECT n_name FROM tpch.tiny.nation WHERE n_nationkey = ANY (SELECT r_regionkey FROM tpch.tiny.region) ORDER BY 1
;
SELECT x, y FROM (SELECT n_regionkey AS x, count(*) AS y FROM tpch.tiny.nation GROUP BY n_regionkey) t WHERE y = 5 ORDER BY x
;
WITH a AS (SELECT n_regionkey AS k, count(*) AS n FROM tpch.tiny.nation GROUP BY n_regionkey), b AS (SELECT k, n * 2 AS m FROM a) SELECT a.k, n, m FROM a JOIN b ON a.k = b.k ORDER BY 1
;
WITH big AS (SELECT o_custkey, sum(o_totalprice) AS s FROM tpch.tiny.orders GROUP BY o_custkey) SELECT o_custkey, s FROM big WHERE s = (SELECT max(s) FROM big)
;
WITH t (a, b) AS (VALUES (1, 'x'), (2, 'y')) SELECT b, a FROM t ORDER BY a DESC
;
WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT sum(n), count(*) FROM t
;
SELECT o_orderpriority, count(*) FROM tpch.tiny.orders WHERE o_orderdate >= DATE '1993-07-01' AND o_orderdate < DATE '1993-10-01' AND EXISTS (SELECT * FROM tpch.tiny.lineitem WHERE l_orderkey = o_orderkey AND l_commitdate < l_receiptdate) GROUP BY o_orderpriority ORDER BY 1
;
SELECT count(*) FROM tpch.tiny.part WHERE p_partkey IN (SELECT ps_partkey FROM tpch.tiny.partsupp WHERE ps_availqty > 9900) AND p_size > 40
;
SELECT count(*) FROM tpch.tiny.orders WHERE (o_custkey, o_orderstatus) IN (SELECT c_custkey, 'F' FROM tpch.tiny.customer WHERE c_mktsegment = 'BUILDING')
;
SELECT n_name, EXISTS (SELECT 1 FROM tpch.tiny.supplier WHERE s_nationkey = n_nationkey AND s_acctbal > 9500) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_name, n_nationkey IN (SELECT s_nationkey FROM tpch.tiny.supplier WHERE s_suppkey < 20) FROM tpch.tiny.nation ORDER BY 1
;
SELECT o_orderkey FROM tpch.tiny.orders o WHERE o_totalprice = (SELECT max(o_totalprice) FROM tpch.tiny.orders i WHERE i.o_orderstatus = o.o_orderstatus) ORDER BY 1
;
SELECT count(*) FROM tpch.tiny.supplier s WHERE NOT EXISTS (SELECT 1 FROM tpch.tiny.lineitem l WHERE l.l_suppkey = s.s_suppkey AND l.l_quantity > 49 AND l.l_shipmode <> 'AIR')
;
SELECT a.k, (SELECT count(*) FROM (VALUES (1), (2), (2)) b (k) WHERE b.k = a.k) FROM (VALUES (1), (2), (3), (NULL)) a (k)
;
SELECT count(*) FROM (SELECT * FROM (SELECT * FROM (SELECT n_nationkey FROM tpch.tiny.nation) a WHERE n_nationkey > 3) b WHERE n_nationkey < 20) c
