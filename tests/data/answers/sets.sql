SELECT 1 UNION SELECT 1 UNION SELECT 2
;
SELECT 1 UNION ALL SELECT 1 UNION ALL SELECT 2
;
SELECT n_regionkey FROM tpch.tiny.nation INTERSECT SELECT r_regionkey FROM tpch.tiny.region WHERE r_regionkey < 3
;
SELECT n_nationkey FROM tpch.tiny.nation EXCEPT SELECT r_regionkey FROM tpch.tiny.region
;
SELECT n_regionkey FROM tpch.tiny.nation EXCEPT SELECT 1
;
SELECT x FROM (VALUES (1), (1), (2)) t (x) EXCEPT ALL SELECT x FROM (VALUES (1)) t (x)
;
SELECT x FROM (VALUES (1), (1), (2)) t (x) INTERSECT ALL SELECT x FROM (VALUES (1), (1), (3)) t (x)
;
SELECT x FROM (VALUES (1), (NULL)) t (x) INTERSECT SELECT x FROM (VALUES (NULL), (2)) t (x)
;
SELECT n_name AS name FROM tpch.tiny.nation WHERE n_nationkey < 3 UNION SELECT r_name FROM tpch.tiny.region ORDER BY name
;
(SELECT n_name FROM tpch.tiny.nation ORDER BY n_name LIMIT 2) UNION ALL (SELECT r_name FROM tpch.tiny.region ORDER BY r_name DESC LIMIT 1)
;
SELECT 1 AS x UNION ALL SELECT 2.5
;
SELECT count(*) FROM (SELECT o_custkey FROM tpch.tiny.orders UNION SELECT c_custkey FROM tpch.tiny.customer) t
;
SELECT 1 UNION (SELECT 2 INTERSECT SELECT 3)
;
SELECT 1 UNION SELECT 2 INTERSECT SELECT 2
;
SELECT x FROM (SELECT 1 AS x UNION ALL SELECT 3 UNION ALL SELECT 2) t ORDER BY x DESC LIMIT 2
;
SELECT n_nationkey FROM tpch.tiny.nation ORDER BY n_nationkey OFFSET 20 LIMIT 3
-- duckdb: SELECT n_nationkey FROM tpch.tiny.nation ORDER BY n_nationkey LIMIT 3 OFFSET 20
;
SELECT n_nationkey FROM tpch.tiny.nation ORDER BY n_nationkey FETCH FIRST 3 ROWS ONLY
-- duckdb: SELECT n_nationkey FROM tpch.tiny.nation ORDER BY n_nationkey LIMIT 3
;
SELECT n_nationkey FROM tpch.tiny.nation ORDER BY n_regionkey DESC, n_nationkey ASC LIMIT 6
;
SELECT n_name FROM tpch.tiny.nation ORDER BY length(n_name), n_name LIMIT 5
;
SELECT n_name AS a FROM tpch.tiny.nation ORDER BY n_regionkey, a LIMIT 4
;
SELECT n_nationkey FROM tpch.tiny.nation ORDER BY n_nationkey DESC, n_nationkey ASC LIMIT 3
;
SELECT n_name AS a FROM tpch.tiny.nation ORDER BY n_name, a LIMIT 2
;
SELECT n_name FROM tpch.tiny.nation WHERE n_nationkey = 3 ORDER BY NULL
-- duckdb: SELECT n_name FROM tpch.tiny.nation WHERE n_nationkey = 3
;
SELECT n_name FROM tpch.tiny.nation ORDER BY 'x', n_name DESC, DATE '2024-02-29' LIMIT 2
-- duckdb: SELECT n_name FROM tpch.tiny.nation ORDER BY n_name DESC LIMIT 2
