SELECT n_name, row_number() OVER (ORDER BY n_name DESC) FROM tpch.tiny.nation
;
SELECT n_name, n_regionkey, rank() OVER (PARTITION BY n_regionkey ORDER BY n_name) FROM tpch.tiny.nation
;
SELECT x, rank() OVER (ORDER BY x), dense_rank() OVER (ORDER BY x), row_number() OVER (ORDER BY x) - rank() OVER (ORDER BY x) >= 0 FROM (VALUES (1), (1), (2), (NULL), (3), (3)) t (x)
;
SELECT n_regionkey, n_nationkey, sum(n_nationkey) OVER (PARTITION BY n_regionkey) FROM tpch.tiny.nation
;
SELECT n_nationkey, sum(n_nationkey) OVER (ORDER BY n_nationkey) FROM tpch.tiny.nation
;
SELECT n_regionkey, n_nationkey, sum(n_nationkey) OVER (PARTITION BY n_regionkey ORDER BY n_nationkey ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM tpch.tiny.nation
;
SELECT n_nationkey, avg(n_nationkey) OVER (ORDER BY n_nationkey ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM tpch.tiny.nation
;
SELECT n_nationkey, count(*) OVER (), max(n_name) OVER () FROM tpch.tiny.nation
;
SELECT n_nationkey, lag(n_nationkey) OVER (ORDER BY n_nationkey), lead(n_nationkey, 2) OVER (ORDER BY n_nationkey), lag(n_nationkey, 1, -1) OVER (ORDER BY n_nationkey) FROM tpch.tiny.nation
;
SELECT n_regionkey, n_name, first_value(n_name) OVER (PARTITION BY n_regionkey ORDER BY n_name), last_value(n_name) OVER (PARTITION BY n_regionkey ORDER BY n_name ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM tpch.tiny.nation
;
SELECT n_regionkey, n_name, last_value(n_name) OVER (PARTITION BY n_regionkey ORDER BY n_name) FROM tpch.tiny.nation
;
SELECT n_nationkey, ntile(4) OVER (ORDER BY n_nationkey) FROM tpch.tiny.nation
;
SELECT x, percent_rank() OVER (ORDER BY x), cume_dist() OVER (ORDER BY x) FROM (VALUES (1), (1), (2), (3)) t (x)
;
SELECT n_nationkey, nth_value(n_nationkey, 2) OVER (ORDER BY n_nationkey ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM tpch.tiny.nation
;
SELECT x, sum(x) OVER (ORDER BY x) FROM (VALUES (1), (1), (2), (3)) t (x)
;
SELECT x, sum(x) OVER (ORDER BY x ROWS UNBOUNDED PRECEDING) FROM (VALUES (1), (2), (4)) t (x)
;
SELECT o_custkey, o_orderkey, r FROM (SELECT o_custkey, o_orderkey, row_number() OVER (PARTITION BY o_custkey ORDER BY o_totalprice DESC, o_orderkey) AS r FROM tpch.tiny.orders WHERE o_custkey < 20) t WHERE r <= 2 ORDER BY 1, 3
;
SELECT n_regionkey, count(*), rank() OVER (ORDER BY count(*) DESC, n_regionkey) FROM tpch.tiny.nation WHERE n_nationkey > 2 GROUP BY n_regionkey
;
SELECT n_nationkey, sum(n_nationkey) OVER w, min(n_name) OVER w FROM tpch.tiny.nation WINDOW w AS (PARTITION BY n_regionkey)
;
SELECT n_nationkey, n_nationkey * 1e2 / sum(n_nationkey) OVER () FROM tpch.tiny.nation WHERE n_regionkey = 1
;
SELECT n_name FROM tpch.tiny.nation QUALIFY row_number() OVER (PARTITION BY n_regionkey ORDER BY n_name) = 1
;
SELECT x, sum(x) OVER (ORDER BY x RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM (VALUES (1), (2), (4), (5)) t (x)
