SELECT upper(n_name), lower(n_name), length(n_name) FROM tpch.tiny.nation WHERE n_nationkey < 3 ORDER BY n_nationkey
;
SELECT substr('rowhouse', 4), substr('rowhouse', 1, 3), substring('rowhouse' FROM 4 FOR 2), substr('rowhouse', -5, 2), substr('rowhouse', 20)
;
SELECT trim('  a '), ltrim('  a '), rtrim('  a '), length('  a ')
;
SELECT 'a' || 'b' || CAST(1 AS varchar), concat('x', 'y', 'z')
;
SELECT replace('banana', 'an', 'AN'), reverse('abc'), strpos('banana', 'nan'), strpos('banana', 'x')
;
SELECT lpad('7', 3, '0'), rpad('7', 3, 'x'), lpad('12345', 3, '0')
;
SELECT split_part('a,b,c', ',', 2), starts_with('rowhouse', 'row')
;
SELECT n_name FROM tpch.tiny.nation WHERE n_name LIKE 'U%' ORDER BY 1
;
SELECT n_name FROM tpch.tiny.nation WHERE n_name LIKE '%_A_I%' ORDER BY 1
;
SELECT n_name FROM tpch.tiny.nation WHERE n_name NOT LIKE '%A%' ORDER BY 1
;
SELECT 'a%b' LIKE 'a\%b' ESCAPE '\', 'axb' LIKE 'a\%b' ESCAPE '\', 'a_b' LIKE 'a#_b' ESCAPE '#'
;
SELECT 'a.c' LIKE 'a.c', 'abc' LIKE 'a.c', '' LIKE '', '' LIKE '%', 'a' LIKE ''
;
SELECT 'ü' < 'z', 'Z' < 'a', 'a' < 'ab', 'ä' = 'a'
;
SELECT length('ünï🏠'), upper('ß') <> '', substr('ünï🏠', 4, 1), reverse('añ')
;
SELECT count(*) FROM tpch.tiny.part WHERE p_type LIKE '%BRASS' AND p_container IN ('SM BOX', 'LG CASE', 'MED BAG')
;
SELECT count(*) FROM tpch.tiny.orders WHERE o_comment NOT LIKE '%special%requests%'
;
-- duckdb: SELECT regexp_matches('rowhouse', '^r.w'), regexp_matches('rowhouse', 'x+'), regexp_replace('a1b22', '[0-9]+', '#', 'g')
SELECT regexp_like('rowhouse', '^r.w'), regexp_like('rowhouse', 'x+'), regexp_replace('a1b22', '[0-9]+', '#')
;
SELECT substr(c_phone, 1, 2) AS code, count(*) FROM tpch.tiny.customer WHERE substr(c_phone, 1, 2) IN ('13', '31', '23') GROUP BY 1 ORDER BY 1
;
SELECT CAST('12' AS integer) + 1, CAST(12.5 AS varchar), CAST(true AS varchar), CAST('1.25' AS decimal(5, 2)), CAST('  7' AS varchar)
;
SELECT position('na' IN 'banana'), chr(65), concat_ws('-', 'a', 'b')
;
SELECT n_name FROM tpch.tiny.nation WHERE n_name >= 'M' AND n_name < 'S' ORDER BY n_name
;
SELECT max(n_name), min(n_comment) FROM tpch.tiny.nation
;
SELECT "n_name" AS "Name of it" FROM tpch.tiny.nation AS "N" WHERE "N".n_nationkey = 3
;
SELECT 'it''s', '', 'a
b', '-- no comment', '/* none */'
