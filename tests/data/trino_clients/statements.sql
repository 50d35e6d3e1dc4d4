SELECT 1, TINYINT '1', SMALLINT '-2', BIGINT '9223372036854775807', true, 'a', '', U&'\00e9'
;
SELECT 1.50, DECIMAL '-0.01', DECIMAL '12345678901234567890123456789012345678', CAST(1 AS decimal(5, 2))
;
SELECT 1e0, -0e0, 1e300, nan(), infinity(), -infinity(), REAL '1.5', CAST(nan() AS real)
;
SELECT DATE '2020-01-02', DATE '0001-01-01', DATE '9999-12-31'
;
SELECT TIME '01:02:03', TIME '01:02:03.4', TIME '23:59:59.999999'
;
SELECT TIMESTAMP '2020-01-02 03:04:05', TIMESTAMP '2020-01-02 03:04:05.6', TIMESTAMP '2020-01-02 03:04:05.678901', TIMESTAMP '2020-01-02 03:04:05.123456789'
;
SELECT TIMESTAMP '2020-01-02 03:04:05 UTC', TIMESTAMP '2020-07-02 03:04:05.678 Europe/Berlin'
;
SELECT INTERVAL '1' DAY, INTERVAL '-3 04:05:06.789' DAY TO SECOND, INTERVAL '1' MONTH, INTERVAL '-1-2' YEAR TO MONTH
;
SELECT X'00ff', X'', to_utf8('ä')
;
SELECT ARRAY[1, NULL, 3], ARRAY[1.5, 2.25], ARRAY['a', 'b'], ARRAY[ARRAY[1], ARRAY[]], ARRAY[TIMESTAMP '2020-01-01 00:00:00.12']
;
SELECT CAST(ROW(1, 'a') AS row(x integer, y varchar)), CAST(ROW(1.5, true) AS row(d decimal(2, 1), b boolean))
;
SELECT CAST(NULL AS bigint), CAST(NULL AS varchar), CAST(NULL AS array(integer)), CAST(NULL AS row(x integer))
;
SELECT CAST('abc' AS varchar(2)), CAST('abc' AS varchar), 'a' || 'b'
;
SELECT * FROM (VALUES (1, 'a'), (2, NULL), (NULL, 'c')) AS t (id, name) ORDER BY id NULLS FIRST
;
SELECT count(*), sum(l_quantity), avg(l_orderkey), min(l_shipdate) FROM tpch.tiny.lineitem
;
SELECT n_name FROM tpch.tiny.nation WHERE n_nationkey > 100
;
SELECT l_orderkey, l_comment, CAST(l_extendedprice AS decimal(20, 2)) AS price FROM tpch.tiny.lineitem ORDER BY l_orderkey, l_linenumber LIMIT 5000
;
SELECT nothing
;
SELECT 1 FROM nowhere.at.all
;
SELECT 1 FROM tpch.tiny.nothing
;
SELCT 1
;
SELECT 'a' + 1
;
SELECT nosuchfunction(1)
;
SELECT 1 / (SELECT min(n_nationkey) FROM tpch.tiny.nation)
;
SELECT CAST('x' AS integer)
;
USE tpch.tiny
;
SELECT count(*) FROM orders
;
USE tpch.nothing
;
USE nothing.nothing
;
PREPARE p FROM SELECT n_name FROM nation WHERE n_nationkey > ? AND n_name <> ? ORDER BY 1
;
EXECUTE p USING 20, 'CHINA'
;
EXECUTE p USING 20
;
EXECUTE p USING 20, n_name
;
DESCRIBE INPUT p
;
DESCRIBE OUTPUT p
;
DEALLOCATE PREPARE p
;
EXECUTE p USING 1, 'a'
;
PREPARE q FROM SELCT
;
PREPARE q FROM EXECUTE p
;
EXECUTE IMMEDIATE 'SELECT ? + 1, ?' USING 5, DATE '2020-01-01'
;
EXECUTE IMMEDIATE 'SELECT nothing'
;
SET SESSION nothing = 1
;
SET SESSION query_max_run_time = '1h'
;
SET SESSION query_max_run_time = 1
;
RESET SESSION query_max_run_time
;
SET TIME ZONE 'Mars/Olympus'
;
START TRANSACTION
;
SELECT 2
;
COMMIT
;
SHOW SCHEMAS FROM tpch LIKE 't%'
;
SHOW TABLES FROM tpch.tiny
;
DESCRIBE tpch.tiny.nation
;
SHOW COLUMNS FROM tpch.tiny.region
;
SELECT table_name FROM tpch.information_schema.tables WHERE table_schema = 'tiny' ORDER BY 1
;
SELECT table_cat, table_schem, table_name, table_type FROM system.jdbc.tables WHERE table_cat = 'tpch' AND table_schem = 'tiny' ORDER BY 3
;
SELECT version()
