SELECT extract(year FROM o_orderdate), extract(month FROM o_orderdate), extract(day FROM o_orderdate) FROM tpch.tiny.orders WHERE o_orderkey = 1
;
SELECT year(o_orderdate), month(o_orderdate), day(o_orderdate), quarter(o_orderdate) FROM tpch.tiny.orders WHERE o_orderkey < 6 ORDER BY o_orderkey
;
SELECT count(*) FROM tpch.tiny.orders WHERE o_orderdate >= DATE '1995-01-01' AND o_orderdate < DATE '1995-01-01' + INTERVAL '1' YEAR
;
SELECT count(*) FROM tpch.tiny.orders WHERE o_orderdate BETWEEN DATE '1996-02-01' AND DATE '1996-02-29'
;
SELECT CAST(DATE '2024-01-31' + INTERVAL '1' MONTH AS date), CAST(DATE '2024-02-29' + INTERVAL '1' YEAR AS date), CAST(DATE '2024-03-31' - INTERVAL '1' MONTH AS date), CAST(DATE '2024-03-01' - INTERVAL '1' DAY AS date)
;
SELECT CAST(date_trunc('month', DATE '2024-05-17') AS date), CAST(date_trunc('year', DATE '2024-05-17') AS date), CAST(date_trunc('week', DATE '2024-05-17') AS date), CAST(date_trunc('quarter', DATE '2024-05-17') AS date)
;
SELECT date_diff('day', DATE '2024-02-28', DATE '2024-03-01'), date_diff('day', DATE '2024-03-01', DATE '2024-02-28')
;
-- duckdb: SELECT DATE '2024-03-02', DATE '2024-01-31'
SELECT date_add('day', 2, DATE '2024-02-29'), date_add('month', -1, DATE '2024-02-29') + INTERVAL '2' DAY
;
SELECT l_shipdate, count(*) FROM tpch.tiny.lineitem WHERE l_shipdate > DATE '1998-11-25' GROUP BY l_shipdate ORDER BY l_shipdate
;
SELECT count(*) FROM tpch.tiny.lineitem WHERE l_commitdate < l_receiptdate AND l_shipdate < l_commitdate
;
SELECT CAST('2024-02-29' AS date) = DATE '2024-02-29', DATE '2024-02-29' < DATE '2024-03-01'
;
SELECT date_trunc('month', o_orderdate) AS m, count(*) FROM tpch.tiny.orders WHERE o_orderdate >= DATE '1998-01-01' GROUP BY 1 ORDER BY 1
-- duckdb: SELECT CAST(date_trunc('month', o_orderdate) AS date) AS m, count(*) FROM tpch.tiny.orders WHERE o_orderdate >= DATE '1998-01-01' GROUP BY 1 ORDER BY 1
;
-- duckdb: SELECT isodow(DATE '2024-05-17'), dayofyear(DATE '2024-05-17'), week(DATE '2024-12-30')
SELECT day_of_week(DATE '2024-05-17'), day_of_year(DATE '2024-05-17'), week(DATE '2024-12-30')
;
SELECT extract(hour FROM TIMESTAMP '2024-05-17 12:34:56'), minute(TIMESTAMP '2024-05-17 12:34:56'), second(TIMESTAMP '2024-05-17 12:34:56')
;
SELECT TIMESTAMP '2024-05-17 12:34:56' < TIMESTAMP '2024-05-17 12:34:57', CAST(TIMESTAMP '2024-05-17 12:34:56' AS date)
;
SELECT max(l_shipdate) - INTERVAL '3' DAY < max(l_shipdate), count(*) FROM tpch.tiny.lineitem
;
SELECT o_orderdate FROM tpch.tiny.orders WHERE o_orderdate = (SELECT min(o_orderdate) FROM tpch.tiny.orders) LIMIT 1
