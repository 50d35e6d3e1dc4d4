SELECT NULL = NULL, NULL <> 1, NULL IS NULL, 1 IS NOT NULL
;
SELECT NULL AND true, NULL AND false, NULL OR true, NULL OR false, NOT CAST(NULL AS boolean)
;
SELECT x FROM (VALUES (1), (NULL), (3)) t (x) WHERE x <> 1
;
SELECT x FROM (VALUES (1), (NULL), (3)) t (x) WHERE NOT (x = 1)
;
SELECT x FROM (VALUES (1), (NULL), (3)) t (x) WHERE x IN (1, NULL)
;
SELECT x FROM (VALUES (1), (NULL), (3)) t (x) WHERE x NOT IN (1, NULL)
;
SELECT x FROM (VALUES (1), (NULL), (3)) t (x) WHERE x NOT IN (1, 2)
;
SELECT x FROM (VALUES (1), (NULL), (3)) t (x) WHERE x IS DISTINCT FROM 1
;
SELECT x FROM (VALUES (1), (NULL), (3)) t (x) ORDER BY x
;
SELECT x FROM (VALUES (1), (NULL), (3)) t (x) ORDER BY x DESC
;
SELECT x FROM (VALUES (1), (NULL), (3)) t (x) ORDER BY x NULLS FIRST
;
SELECT x FROM (VALUES (1), (NULL), (3)) t (x) ORDER BY x DESC NULLS FIRST
;
SELECT coalesce(NULL, NULL, 3), coalesce(1, 2), nullif(1, 1), nullif(1, 2), nullif(CAST(NULL AS integer), 1)
;
SELECT CASE WHEN NULL THEN 1 ELSE 2 END, CASE NULL WHEN NULL THEN 1 ELSE 2 END, CASE WHEN false THEN 1 END
;
SELECT 1 + NULL, 'a' || NULL, NULL LIKE 'a', 1 BETWEEN NULL AND 2, 3 BETWEEN NULL AND 2
;
SELECT DISTINCT x FROM (VALUES (1), (NULL), (1), (NULL)) t (x)
;
SELECT count(*) FROM tpch.tiny.nation WHERE n_nationkey NOT IN (SELECT x FROM (VALUES (1), (NULL)) t (x))
;
SELECT count(*) FROM tpch.tiny.nation WHERE n_nationkey IN (SELECT x FROM (VALUES (1), (NULL)) t (x))
;
SELECT x IN (1, 2), x NOT IN (1, 2), x = 1 OR x = 2 FROM (VALUES (1), (NULL), (3)) t (x)
;
SELECT sum(x), max(x), count(x), array_agg(x) FROM (VALUES (CAST(NULL AS integer)), (NULL)) t (x)
;
-- duckdb: SELECT NULL, NULL, 1, 2
SELECT greatest(1, NULL, 2), least(NULL, 2), least(1, 2), greatest(1, 2)
