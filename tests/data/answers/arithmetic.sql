-- duckdb: SELECT 7 // 2, -7 // 2 + 1, 7 % 2, -7 % 2, 7 % -2
SELECT 7 / 2, -7 / 2 + 1, 7 % 2, -7 % 2, 7 % -2
;
SELECT 7 / 2.0e0, 1e0 / 3, 2 * 3 + 4, 2 + 3 * 4, (2 + 3) * 4, -(-3)
;
SELECT 0.1 + 0.2, 0.1 + 0.2 = 0.3, 1.10 * 2, 1.5 - 2, 0.1e0 + 0.2e0 = 0.3e0
;
SELECT abs(-5), abs(2.5), sign(-3), ceil(1.2e0), floor(-1.2e0), mod(10, 3)
;
SELECT round(2.5e0), round(-2.5e0), round(1.2345e0, 2), round(3.5e0), round(1.005, 2), round(15, -1)
;
SELECT sqrt(16e0), power(2e0, 10e0), exp(0e0), ln(1e0), log10(1000e0), cbrt(27e0)
;
SELECT CAST(1.6 AS integer), CAST(-1.6 AS integer), CAST(2.5e0 AS double), CAST(7 AS double)
;
SELECT 9007199254740993 + 0, CAST(1 AS bigint) * 4611686018427387904
;
SELECT 1 < 2, 1 <> 1, 2 >= 2, NOT true, true AND NOT false, 1 = 1.0
;
SELECT n_nationkey, CASE WHEN n_nationkey < 5 THEN 'few' WHEN n_nationkey < 10 THEN 'some' ELSE 'many' END FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, CASE n_regionkey WHEN 0 THEN 'a' WHEN 1 THEN 'b' END FROM tpch.tiny.nation ORDER BY 1
;
-- duckdb: SELECT CASE WHEN 1 < 2 THEN 'a' ELSE 'b' END, CASE WHEN NULL THEN 1 END
SELECT if(1 < 2, 'a', 'b'), if(NULL, 1)
;
SELECT try_cast('x' AS integer), try_cast('12' AS integer)
;
SELECT greatest(1, 5, 3), least(2, 1), greatest('a', 'b'), greatest(1.5, 2)
;
SELECT sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) FROM tpch.tiny.lineitem
;
SELECT sum(l_extendedprice * l_discount) FROM tpch.tiny.lineitem WHERE l_shipdate >= DATE '1994-01-01' AND l_shipdate < DATE '1995-01-01' AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24
;
SELECT 100.00 * sum(CASE WHEN p_type LIKE 'PROMO%' THEN l_extendedprice * (1 - l_discount) ELSE 0 END) / sum(l_extendedprice * (1 - l_discount)) > 16 FROM tpch.tiny.lineitem, tpch.tiny.part WHERE l_partkey = p_partkey AND l_shipdate >= DATE '1995-09-01' AND l_shipdate < DATE '1995-10-01'
;
SELECT count(*) FROM tpch.tiny.lineitem WHERE l_discount = 0.07 AND l_tax IN (0.01, 0.02) AND l_quantity <> 30
;
SELECT l_orderkey, l_linenumber, l_extendedprice / l_quantity > 1000 FROM tpch.tiny.lineitem WHERE l_orderkey < 5 ORDER BY 1, 2
;
SELECT bitwise_and(12, 10), bitwise_or(12, 10), bitwise_xor(12, 10)
-- duckdb: SELECT 12 & 10, 12 | 10, xor(12, 10)
;
SELECT ARRAY[1, 2, 3][2], cardinality(ARRAY[1, 2, 3]), contains(ARRAY[1, 2], 2), ARRAY[1] || ARRAY[2]
-- duckdb: SELECT 2, 3, true, [1, 2]
;
SELECT x.a, x.b FROM (SELECT CAST(ROW(1, 'z') AS row(a integer, b varchar)) AS x) t
-- duckdb: SELECT 1, 'z'
;
SELECT * FROM tpch.tiny.region ORDER BY r_regionkey
;
SELECT r.*, r_regionkey + 1 AS next FROM tpch.tiny.region r ORDER BY next DESC
;
SELECT 1 WHERE false
;
VALUES (1, 'a'), (2, 'b')
;
SELECT 1 AS a, 'x' AS b, NULL AS c, true AS d
;
TABLE tpch.tiny.region
-- duckdb: SELECT * FROM tpch.tiny.region
