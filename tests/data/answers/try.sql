SELECT n_nationkey, TRY(CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer)) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) + 1) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(-CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer)) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(coalesce(CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer), 5)) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(coalesce(nullif(n_regionkey, 2), CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer), 5)) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(CASE WHEN CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) > 0 THEN 1 ELSE 2 END) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(CASE WHEN n_regionkey = 2 THEN CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) WHEN n_regionkey = 3 THEN 7 ELSE n_nationkey END) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(CASE n_regionkey WHEN 1 THEN 0 WHEN CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) THEN 1 END) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) IS NULL) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(nullif(n_regionkey, CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer))) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(nullif(CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer), 12)) FROM tpch.tiny.nation ORDER BY 1
-- duckdb: SELECT n_nationkey, nullif(TRY_CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer), 12) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) IS DISTINCT FROM 12) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(n_regionkey = 2 AND CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) = 12) FROM tpch.tiny.nation ORDER BY 1
-- duckdb: SELECT n_nationkey, CASE WHEN n_regionkey = 2 THEN TRY_CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) = 12 ELSE false END FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(n_regionkey = 2 OR CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) = -3) FROM tpch.tiny.nation ORDER BY 1
-- duckdb: SELECT n_nationkey, CASE WHEN n_regionkey = 2 THEN true ELSE TRY_CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) = -3 END FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(NOT (CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) > 0)) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) = 12) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(coalesce(TRY(CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer)), 5)) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(TRY(CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) * 2) + coalesce(CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer), 1)) FROM tpch.tiny.nation ORDER BY 1
-- duckdb: SELECT n_nationkey, TRY_CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) * 3 FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(CAST(n_nationkey * 100 AS tinyint)) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(CAST(n_nationkey + 120 AS tinyint) + CAST(1 AS tinyint)) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(length(CAST(CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) + 7 AS varchar))) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(substr(n_name, CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) + 4, 2)) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(greatest(CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer), n_nationkey, 3)) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(concat(CAST(CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) AS varchar), n_name)) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(coalesce(CASE WHEN CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) > 0 THEN NULL ELSE n_nationkey END, -1)) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, CAST(TRY(date_parse(replace(n_name, 'CHINA', '2024-02-29'), '%Y-%m-%d')) AS date) FROM tpch.tiny.nation ORDER BY 1
-- duckdb: SELECT n_nationkey, CAST(try_strptime(replace(n_name, 'CHINA', '2024-02-29'), '%Y-%m-%d') AS date) FROM tpch.tiny.nation ORDER BY 1
;
SELECT n_nationkey, TRY(abs(CAST(n_nationkey - 128 AS tinyint))) FROM tpch.tiny.nation ORDER BY 1
;
SELECT count(TRY(CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer))), sum(TRY(CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) + n_regionkey)) FROM tpch.tiny.nation WHERE TRY(CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer)) IS NULL OR TRY(CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer)) > 0
-- duckdb: SELECT count(TRY_CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer)), sum(TRY_CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) + n_regionkey) FROM tpch.tiny.nation WHERE TRY_CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) IS NULL OR TRY_CAST(replace(replace(n_name, 'CHINA', '12'), 'PERU', '-3') AS integer) > 0
