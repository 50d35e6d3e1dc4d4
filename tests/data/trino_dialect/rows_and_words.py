"""Properties of one statement, subqueries of rows, the words of GROUP BY and of set operations, and words that are names."""

SESSION = r"""
WITH SESSION query_max_run_time = '1h' SELECT 1
WITH SESSION nosuch = 1 SELECT 1
WITH SESSION x.y = 1 SELECT 1
WITH SESSION tpch.splits_per_node = 2 SELECT 1
WITH SESSION tpch.nosuch = 2 SELECT 1
WITH SESSION memory.nosuch = 2 SELECT 1
WITH SESSION a.b.c = 2 SELECT 1
WITH SESSION query_max_run_time = 1 SELECT 1
WITH SESSION query_max_run_time = 'x' SELECT 1
WITH SESSION query_max_run_time = NULL SELECT 1
WITH SESSION query_max_run_time = (SELECT '1h') SELECT 1
WITH SESSION query_max_run_time = x SELECT 1
WITH SESSION query_max_run_time = '1h', query_max_run_time = '2h' SELECT 1
WITH SESSION query_priority = 1, query_max_run_time = '2h' SELECT 1
WITH SESSION query_priority = 1, SESSION query_max_run_time = '2h' SELECT 1
WITH SESSION query_priority = 'a' SELECT 1
WITH SESSION query_priority = 0 SELECT 1
WITH SESSION query_priority SELECT 1
WITH SESSION = 1 SELECT 1
WITH SESSION AS (SELECT 1) SELECT * FROM session
WITH SESSION (a) AS (SELECT 1) SELECT * FROM session
WITH SESSION query_priority = 1 WITH q AS (SELECT 1 AS a) SELECT * FROM q
WITH SESSION query_priority = 1 VALUES 1
WITH SESSION query_priority = 1 TABLE tpch.tiny.region
WITH SESSION query_priority = 1 (SELECT 1)
WITH SESSION query_priority = 1
WITH SESSION query_priority = 1 SHOW CATALOGS
WITH SESSION query_priority = 1 WITH FUNCTION f(a integer) RETURNS integer RETURN a SELECT f(1)
WITH FUNCTION f(a integer) RETURNS integer RETURN a WITH SESSION query_priority = 1 SELECT f(1)
WITH FUNCTION f(a integer) RETURNS integer RETURN a, SESSION query_priority = 1 SELECT f(1)
WITH FUNCTION f(a integer) RETURNS integer RETURN a SESSION query_priority = 1 SELECT f(1)
WITH SESSION query_priority = 1 FUNCTION f(a integer) RETURNS integer RETURN a SELECT f(1)
EXPLAIN (TYPE VALIDATE) WITH SESSION query_priority = 1 SELECT 1
EXPLAIN (TYPE VALIDATE) WITH SESSION nosuch = 1 SELECT 1
SELECT * FROM (WITH SESSION query_priority = 1 SELECT 1)
EXECUTE IMMEDIATE 'WITH SESSION query_priority = 1 SELECT ?' USING 5
EXECUTE IMMEDIATE 'WITH SESSION query_priority = ? SELECT 1' USING 5
WITH SESSION time_zone_id = 'Asia/Tokyo' SELECT current_timezone()
WITH SESSION "query_priority" = 1 SELECT 1
WITH SESSION QUERY_PRIORITY = 1 SELECT 1
WITH session query_priority = CAST('1' AS integer) SELECT 1
WITH SESSION query_priority = 1 SELECT nosuch
WITH SESSION query_max_run_time = '1h' SELEC 1
WITH SESSION query_max_run_time '1h' SELECT 1
WITH SESSION query_max_run_time = SELECT 1
WITH SESSION query_priority = 1 INSERT INTO x VALUES 1
"""

OTHERS = r"""
SELECT (SELECT 1, 2)
SELECT (SELECT 1 AS a, 'x' AS b)
SELECT (SELECT 1 AS a, 'x' AS b).a
SELECT (SELECT 1, 2 WHERE false)
SELECT typeof((SELECT 1 AS a, 'x'))
SELECT (SELECT n_nationkey, n_name FROM tpch.tiny.nation)
SELECT (SELECT n_nationkey, n_name FROM tpch.tiny.nation WHERE n_nationkey = 3)
SELECT r_name, (SELECT min(n_name), count(*) FROM tpch.tiny.nation WHERE n_regionkey = r_regionkey) FROM tpch.tiny.region ORDER BY 1
SELECT (SELECT 1, 2) = (1, 2)
SELECT (1, 2) = (SELECT 1, 2)
SELECT (1, 2) IN (SELECT 1, 2)
SELECT 1 WHERE (1, 2) = (SELECT 1, 2)
SELECT (SELECT 1, NULL)
SELECT (SELECT 1, 2) IS NULL
SELECT (SELECT 1, 2 WHERE false) IS NULL
SELECT (SELECT ROW(1, 2))
SELECT (SELECT ROW(1, 2), 3)
SELECT (VALUES (1, 2))
SELECT (TABLE tpch.tiny.region)
SELECT * FROM (VALUES 1) t(x) WHERE (SELECT 1, 2) = ROW(x, 2)
SELECT (1, 2) > ANY (VALUES (1, 1))
SELECT (1, 2) > ANY (VALUES (1, 1), (3, 3))
SELECT (1, 2) > ALL (VALUES (1, 1), (3, 3))
SELECT (1, 2) < ALL (VALUES (1, 3), (3, 3))
SELECT (1, 2) = ANY (VALUES (1, 1), (1, 2))
SELECT (1, 2) <> ALL (VALUES (1, 1), (1, 2))
SELECT (1, 2) <> ANY (VALUES (1, 1), (1, 2))
SELECT (1, 2) = ALL (VALUES (1, 2), (1, 2))
SELECT (1, NULL) = ANY (VALUES (1, 2))
SELECT (1, NULL) > ANY (VALUES (0, 2))
SELECT (1, 2) >= ANY (SELECT 1, 2 WHERE false)
SELECT (1, 2) > ANY (VALUES ROW(ROW(1, 1)))
SELECT (1, 2) IN (VALUES (1, 2))
SELECT (1, 2) IN (VALUES ROW(ROW(1, 2)))
SELECT ROW(1, 2) IN (SELECT ROW(1, 2))
SELECT (1, 2) IN ((1, 2), (3, 4))
SELECT (1, 2) IN ((1, NULL), (3, 4))
SELECT (1, 2) NOT IN ((1, 3), (3, 4))
SELECT (1, 2, 3) IN (VALUES (1, 2))
SELECT (1, 'a') IN (VALUES (1, 2))
SELECT 1 IN (VALUES (1, 2))
SELECT 1 > ANY (VALUES (1, 2))
SELECT (1, 2) > ANY (VALUES 1)
SELECT x, count(*) FROM (VALUES 1, 1, 2) t(x) GROUP BY AUTO
SELECT x + 1, y, count(*) FROM (VALUES (1, 2), (1, 3)) t(x, y) GROUP BY AUTO ORDER BY 1, 2
SELECT count(*) FROM (VALUES 1, 1, 2) t(x) GROUP BY AUTO
SELECT x FROM (VALUES 1, 1, 2) t(x) GROUP BY AUTO
SELECT x + count(*) FROM (VALUES 1, 1, 2) t(x) GROUP BY AUTO
SELECT * FROM (VALUES (1, 2), (1, 3)) t(x, y) GROUP BY AUTO
SELECT x, sum(y) OVER () FROM (VALUES (1, 2), (1, 3)) t(x, y) GROUP BY AUTO
SELECT x, count(*) FROM (VALUES 1, 1, 2) t(x) GROUP BY AUTO HAVING count(*) > 1
SELECT auto, count(*) FROM (VALUES 1, 1, 2) t(auto) GROUP BY auto ORDER BY 1
SELECT x, count(*) FROM (VALUES (1, 5), (1, 6), (2, 5)) t(x, auto) GROUP BY auto
SELECT x, count(*) FROM (VALUES 1, 1, 2) t(x) GROUP BY "auto"
SELECT x, count(*) FROM (VALUES 1, 1, 2) t(x) GROUP BY AUTO, x
SELECT x, count(*) FROM (VALUES 1, 1, 2) t(x) GROUP BY (AUTO)
SELECT DISTINCT x, count(*) FROM (VALUES 1, 1, 2) t(x) GROUP BY AUTO ORDER BY 1
SELECT 1, x, count(*) FROM (VALUES 1, 1, 2) t(x) GROUP BY AUTO ORDER BY 2
SELECT x, count(*) FROM (VALUES 1, 2) t(x) GROUP BY ALL
SELECT x, count(*) FROM (VALUES 1, 2) t(x) GROUP BY DISTINCT
SELECT x, count(*) FROM (VALUES 1, 2, 2) t(x) GROUP BY ALL x ORDER BY 1
SELECT x, count(*) FROM (VALUES 1, 2, 2) t(x) GROUP BY DISTINCT x ORDER BY 1
SELECT x, count(*) FROM (VALUES 1, 2, 2) t(x) GROUP BY DISTINCT x, x ORDER BY 1
SELECT x, y, count(*) FROM (VALUES (1, 2), (1, 3)) t(x, y) GROUP BY DISTINCT ROLLUP (x, y), CUBE (y, x) ORDER BY 1, 2
SELECT x, y, count(*) FROM (VALUES (1, 2), (1, 3)) t(x, y) GROUP BY ALL ROLLUP (x, y), CUBE (y, x) ORDER BY 1, 2
SELECT x, y, grouping(x, y), count(*) FROM (VALUES (1, 2), (1, 3)) t(x, y) GROUP BY DISTINCT GROUPING SETS ((x, y), (y, x), (x), ()), ROLLUP (x) ORDER BY 1, 2, 3
SELECT x, y, count(*) FROM (VALUES (1, 2), (1, 3)) t(x, y) GROUP BY DISTINCT GROUPING SETS ((x), (1), (x, x)), GROUPING SETS ((y), (2)) ORDER BY 1, 2
SELECT count(*) FROM (VALUES 1, 2) t(x) GROUP BY DISTINCT GROUPING SETS ((), ())
SELECT count(*) FROM (VALUES 1, 2) t(x) GROUP BY GROUPING SETS ((), ())
SELECT 1 AS a, 2 AS b UNION CORRESPONDING SELECT 3 AS b, 4 AS a
SELECT 1 AS a, 2 AS b UNION ALL CORRESPONDING SELECT 3 AS b, 4 AS a
SELECT 1 AS a, 2 AS b UNION DISTINCT CORRESPONDING SELECT 3 AS b, 4 AS a
SELECT 1 AS a, 2 AS b UNION ALL CORRESPONDING BY (b) SELECT 3 AS b, 4 AS a
SELECT 1 AS a, 2 AS b UNION ALL CORRESPONDING BY (b, a) SELECT 3 AS b, 4 AS a
SELECT 1 AS a, 2 AS b INTERSECT CORRESPONDING SELECT 2 AS b, 1 AS a
SELECT 1 AS a, 2 AS b EXCEPT CORRESPONDING SELECT 2 AS b, 1 AS a
SELECT 1 AS a, 2 AS b, 3 AS c UNION ALL CORRESPONDING SELECT 3 AS c, 4 AS a, 5 AS d
SELECT 1 AS a UNION ALL CORRESPONDING SELECT 3 AS b
SELECT 1 AS a, 2 AS a UNION ALL CORRESPONDING SELECT 3 AS a
SELECT 1 AS a UNION ALL CORRESPONDING SELECT 3 AS a, 4 AS a
SELECT 1 AS a UNION ALL CORRESPONDING SELECT 3 AS "A"
SELECT 1 AS a, 2 UNION ALL CORRESPONDING SELECT 3 AS a, 4
SELECT 1 AS a, 2 AS b UNION ALL CORRESPONDING BY (c) SELECT 3 AS b, 4 AS a
SELECT 1 AS a, 2 AS b UNION ALL CORRESPONDING BY (a, a) SELECT 3 AS b, 4 AS a
SELECT 1 AS a, 'x' AS b UNION ALL CORRESPONDING SELECT 'y' AS b, 2.5 AS a
SELECT 1 AS a UNION ALL CORRESPONDING SELECT 'x' AS a
SELECT 1 AS a, 2 AS b UNION ALL CORRESPONDING SELECT 3 AS b, 4 AS a UNION ALL CORRESPONDING SELECT 5 AS a, 6 AS b
SELECT 1 AS a, 2 AS b UNION ALL CORRESPONDING (SELECT 3 AS b, 4 AS a UNION ALL SELECT 5 AS a, 6 AS b)
SELECT 1 AS a, 2 AS b UNION ALL CORRESPONDING SELECT 3 AS b, 4 AS a ORDER BY a LIMIT 1
SELECT 1 AS a, 2 AS b UNION ALL CORRESPONDING VALUES (1, 2)
VALUES (1, 2) UNION ALL CORRESPONDING SELECT 3 AS b, 4 AS a
TABLE tpch.tiny.region UNION ALL CORRESPONDING BY (r_name) TABLE tpch.tiny.region
SELECT r_name, r_regionkey FROM tpch.tiny.region EXCEPT ALL CORRESPONDING SELECT r_regionkey, r_name, r_comment FROM tpch.tiny.region
SELECT 1 AS corresponding UNION SELECT 2
SELECT corresponding FROM (VALUES 1) corresponding(corresponding)
SELECT 1 AS a UNION ALL CORRESPONDING BY () SELECT 3 AS a
SELECT 1 AS a UNION ALL CORRESPONDING BY a SELECT 3 AS a
SELECT current_path
SELECT current_path()
SELECT map_concat(NULL)
SELECT map_concat(NULL, NULL)
SELECT map_concat(MAP(ARRAY[1], ARRAY[2]))
SELECT map_concat()
SELECT map_concat(MAP(), NULL)
SELECT date_diff('month', TIME '13:14:15', NULL)
SELECT date_diff('month', NULL, TIME '13:14:15')
SELECT date_diff('hour', TIME '13:14:15', NULL)
SELECT date_diff('month', TIME '13:14:15 +02:00', NULL)
SELECT date_diff('x', TIME '13:14:15', NULL)
SELECT date_diff('month', TIME '13:14:15', TIME '13:14:15')
SELECT date_diff('month', NULL, NULL)
SELECT array_sort(ARRAY['b', NULL, 'a'], (a, b) -> IF(a < b, 1, IF(a = b, 0, -1)))
SELECT array_sort(ARRAY['b', NULL, 'a'], (a, b) -> IF(a < b, -1, IF(a = b, 0, 1)))
SELECT array_sort(ARRAY['b', 'a', NULL], (a, b) -> IF(a < b, 1, IF(a = b, 0, -1)))
SELECT array_sort(ARRAY[NULL, 'b', 'a'], (a, b) -> IF(a < b, 1, IF(a = b, 0, -1)))
SELECT array_sort(ARRAY[3, NULL, 1, NULL, 2], (a, b) -> IF(a < b, 1, IF(a = b, 0, -1)))
SELECT array_sort(ARRAY[1, 2, 3], (a, b) -> 1)
SELECT array_sort(ARRAY[1, 2, 3], (a, b) -> -1)
SELECT array_sort(ARRAY[3, 2, 1, 5, 4], (a, b) -> 1)
SELECT array_sort(ARRAY[3, 2, 1, 5, 4], (a, b) -> -1)
SELECT array_sort(ARRAY[3, 2, 1, 5, 4], (a, b) -> 0)
SELECT array_sort(ARRAY[3, 2, 1, 5, 4], (a, b) -> NULL)
SELECT array_sort(ARRAY[3, 2, 1, 5, 4], (a, b) -> 7)
SELECT from_unixtime_nanos(DECIMAL '12345678901234567890.125')
SELECT from_unixtime_nanos(DECIMAL '1234567890123456789.125')
SELECT from_unixtime_nanos(DECIMAL '1234567890.5')
SELECT from_unixtime_nanos(DECIMAL '-1.5')
SELECT from_unixtime_nanos(DECIMAL '0.5')
SELECT from_unixtime_nanos(DECIMAL '99999999999999999999999999999999999999')
SELECT from_unixtime_nanos(9223372036854775807)
SELECT INTERVAL '1' DAY TO
SELECT INTERVAL '1' DAY TO FROM (VALUES 1)
SELECT INTERVAL '1' YEAR TO, 2
SELECT 1 LIMIT
SELECT 1 OFFSET
SELECT 1 LIMIT FROM (VALUES 1)
SELECT 1 LIMIT, 2 OFFSET
SELECT x LIMIT FROM (VALUES 1) t(x) LIMIT 1
SELECT 1 FETCH
SELECT 1 FETCH, 2
SELECT 1 UNION SELECT 2 LIMIT
SELECT * FROM (VALUES 1) LIMIT
SELECT * FROM (VALUES 1) OFFSET
SELECT * FROM (VALUES 1) TABLESAMPLE
SELECT * FROM (VALUES 1) FETCH
SELECT limit.x FROM (VALUES 1) limit(x)
SELECT limit.x FROM (VALUES 1) limit (x) LIMIT 1
SELECT * FROM (VALUES 1) LIMIT LIMIT 1
SELECT 1 WINDOW
SELECT * FROM (VALUES 1) WINDOW
SELECT 1 QUALIFY
SELECT * FROM (VALUES 1) t(x) ORDER BY x LIMIT ALL
SELECT 1 LIMIT 1 OFFSET 1
SELECT 1 OFFSET 0 ROWS LIMIT ALL
"""

# `regexp_replace` with a lambda expression, which gets the groups of each match.
REPLACED = r"""
SELECT regexp_replace('new york', '(\w)(\w*)', x -> upper(x[1]) || lower(x[2]))
SELECT regexp_replace('new york', '(\w)(\w*)', x -> CAST(cardinality(x) AS varchar))
SELECT regexp_replace('new york', '\w', x -> CAST(cardinality(x) AS varchar))
SELECT regexp_replace('abc', '(a)|(b)', x -> coalesce(x[1], '-') || coalesce(x[2], '+'))
SELECT regexp_replace('abc', '(a)|(b)', x -> x[1])
SELECT regexp_replace('abc', '(a)|(b)', x -> NULL)
SELECT regexp_replace('abc', 'x', x -> NULL)
SELECT regexp_replace('abc', 'x', x -> x[5])
SELECT regexp_replace('abc', 'a', x -> x[1])
SELECT regexp_replace('abc', '', x -> '-')
SELECT regexp_replace('äöü', '', x -> '-')
SELECT regexp_replace('', '', x -> '-')
SELECT regexp_replace('aab', 'a*', x -> '<>')
SELECT regexp_replace('abc', '(a', x -> 'b')
SELECT regexp_replace(NULL, 'a', x -> 'b')
SELECT regexp_replace('abc', NULL, x -> 'b')
SELECT regexp_replace('abc', 'a', x -> 1)
SELECT regexp_replace('abc', 'a', x -> CAST('z' AS char(3)))
SELECT regexp_replace('abc', 'a', (x, y) -> 'b')
SELECT regexp_replace('abc', 'a', () -> 'b')
SELECT regexp_replace('abc', x -> 'b', 'a')
SELECT regexp_replace('abc', x -> 'b')
SELECT regexp_replace(1, 'a', x -> 'b')
SELECT regexp_replace('abc', 1, x -> 'b')
SELECT regexp_replace('abc', 'a', x -> 'b', 'c')
SELECT typeof(regexp_replace('abc', 'a', x -> 'b'))
SELECT typeof(regexp_replace(CAST('abc' AS varchar(3)), 'a', x -> CAST('b' AS varchar(1))))
SELECT regexp_replace(CAST('abc' AS char(5)), 'c', x -> 'd')
SELECT regexp_replace('abcabc', '(b)(?<n>c)', x -> x[2] || x[1] || '$1\2')
SELECT regexp_replace(s, p, x -> x[1] || t) FROM (VALUES ('aXbX', '(X)', '1'), ('', '(a)', '2'), (NULL, '(a)', '3'), ('b', NULL, '4'), ('zzz', '(z)', NULL), ('zzz', '(z)', '5')) v(s, p, t)
SELECT transform(ARRAY['a1', 'b22', NULL], e -> regexp_replace(e, '(\d)', x -> '<' || x[1] || e || '>'))
SELECT regexp_replace('a1b2', '(\d)', x -> regexp_replace('v' || x[1], '(v)', y -> y[1] || x[1]))
SELECT try(regexp_replace(s, '(x?)b', x -> CAST(1 / length(x[1]) AS varchar))) FROM (VALUES 'xb', 'b', 'a', NULL) v(s)
SELECT regexp_replace(s, '(x?)b', x -> CAST(1 / length(x[1]) AS varchar)) FROM (VALUES 'xb', 'b') v(s)
SELECT count(*) FROM (SELECT regexp_replace(CAST(n AS varchar), '(\d)(\d)', x -> x[2] || x[1]) AS r FROM UNNEST(sequence(1, 1000)) u(n)) WHERE r = '01'
SELECT sum(CAST(regexp_replace(CAST(n AS varchar), '(\d)(\d)', x -> x[2] || x[1]) AS bigint)) FROM UNNEST(sequence(1, 1000)) u(n)
SELECT regexp_replace('foobar', '(?=(o))', x -> x[1])
SELECT regexp_replace('foobar', '(?<!o)(o)', x -> x[1] || x[1])
SELECT regexp_replace('abab', '(a)(b)\1', x -> array_join(x, ','))
SELECT regexp_replace(n_name, '([AEIOU])', x -> lower(x[1])) FROM tpch.tiny.nation ORDER BY n_nationkey
SELECT sum(regexp_replace('abc', 'a', x -> 'b')) FROM (VALUES 1)
SELECT regexp_replace('abc', 'a', x -> max(x[1])) FROM (VALUES 1)
SELECT regexp_replace('abc', 'a', x -> (SELECT 'b'))
"""

# `.*` of an expression of type row.
STARS = r"""
SELECT (ROW(1, 'x')).*
SELECT CAST(ROW(1, 'x') AS ROW(a integer, b varchar)).*
SELECT r.* FROM (VALUES ROW(ROW(1, 'x'))) t(r)
SELECT t.r.* FROM (VALUES ROW(CAST(ROW(1, 'x') AS ROW(a integer, b varchar)))) t(r)
SELECT t.* FROM (VALUES ROW(CAST(ROW(1, 'x') AS ROW(a integer, b varchar)), 2)) t(r, t)
SELECT r.r.* FROM (VALUES ROW(CAST(ROW(1, 'x') AS ROW(a integer, b varchar)), 2)) r(r, t)
SELECT r.* FROM (VALUES ROW(CAST(ROW(1, 'x') AS ROW(a integer, b varchar)), 2)) r(r, t)
SELECT r.q.* FROM (VALUES ROW(CAST(ROW(1, ROW(2, 'x')) AS ROW(a integer, q ROW(c integer, d varchar))))) t(r)
SELECT t.r.q.* FROM (VALUES ROW(CAST(ROW(1, ROW(2, 'x')) AS ROW(a integer, q ROW(c integer, d varchar))))) t(r)
SELECT 5, ROW(1, 'x').*, 7
SELECT r.*, r.a + 1 FROM (VALUES ROW(CAST(ROW(1, 'x') AS ROW(a integer, b varchar))), ROW(NULL)) t(r)
SELECT x.* FROM (VALUES 1) t(x)
SELECT t.x.* FROM (VALUES 1) t(x)
SELECT (1 + 2).*
SELECT 'a'.*
SELECT ARRAY[1].*
SELECT ARRAY[ROW(1, 2)][1].*
SELECT nosuch.* FROM (VALUES 1) t(x)
SELECT t.nosuch.* FROM (VALUES 1) t(x)
SELECT a.b.c.d.e.* FROM (VALUES 1) t(x)
SELECT max(ROW(x, y)).* FROM (VALUES (1, 2), (3, 4)) t(x, y)
SELECT r.* FROM (VALUES ROW(ROW(1, 2)), ROW(ROW(1, 2))) t(r) GROUP BY r
SELECT r.* FROM (VALUES ROW(ROW(1, 2)), ROW(ROW(1, 2))) t(r) GROUP BY 1
SELECT DISTINCT r.* FROM (VALUES ROW(ROW(1, 2)), ROW(ROW(1, 2))) t(r)
SELECT r.* FROM (VALUES ROW(ROW(2, 1)), ROW(ROW(1, 2))) t(r) ORDER BY 1
SELECT r.* FROM (VALUES ROW(CAST(ROW(2, 1) AS ROW(a integer, b integer))), ROW(ROW(1, 2))) t(r) ORDER BY a
SELECT * FROM (SELECT CAST(ROW(1, 'x') AS ROW(a integer, b varchar)).*)
SELECT a + 1 FROM (SELECT CAST(ROW(1, 'x') AS ROW(a integer, b varchar)).*)
SELECT (SELECT ROW(1, 2).*)
SELECT ROW(1, 2).*.x
SELECT ROW(1, 2).* + 1
SELECT sum(ROW(1, 2).*)
SELECT 1.*
SELECT (SELECT ROW(1, 2)).*
SELECT json_object('a': 1).*
SELECT CAST(NULL AS ROW(a integer, b varchar)).*
SELECT NULL.*
SELECT u.* FROM (VALUES ROW(ARRAY[ROW(1, 'x'), ROW(2, 'y')])) t(a), UNNEST(a) u(n, s)
SELECT ROW(1, 'x').* FROM (VALUES 1, 2)
"""

# Without a row, a correlated subquery of several columns is NULL, another one is a row of NULLs.
WITHOUT_ROWS = r"""
SELECT r_regionkey FROM tpch.tiny.region WHERE (SELECT n_nationkey, n_name FROM tpch.tiny.nation WHERE n_nationkey = r_regionkey + 23) IS NULL ORDER BY 1
SELECT r_regionkey, coalesce((SELECT n_nationkey, n_name FROM tpch.tiny.nation WHERE n_nationkey = r_regionkey + 23), ROW(-1, 'x')) FROM tpch.tiny.region ORDER BY 1
SELECT k, (SELECT x, y FROM (VALUES (1, 'a'), (2, NULL)) t(x, y) WHERE x = k) FROM (VALUES 1, 2, 3, NULL) u(k) ORDER BY k
SELECT k, (SELECT x, y FROM (VALUES (1, 'a'), (2, NULL)) t(x, y) WHERE x = k) IS NULL FROM (VALUES 1, 2, 3, NULL) u(k) ORDER BY k
SELECT k, (SELECT x, y FROM (VALUES (1, CAST(NULL AS varchar)), (2, 'b')) t(x, y) WHERE x > k ORDER BY x LIMIT 1) FROM (VALUES 0, 1, 2) u(k) ORDER BY k
SELECT k, (SELECT count(*), sum(x) FROM (VALUES 1, 2, 3) t(x) WHERE x > k) FROM (VALUES 0, 2, 5) u(k) ORDER BY k
SELECT k, (SELECT x, count(*) FROM (VALUES 1, 2, 2) t(x) WHERE x = k GROUP BY x) FROM (VALUES 1, 2, 5) u(k) ORDER BY k
SELECT k, (SELECT k, x FROM (VALUES 1, 2) t(x) WHERE x = k) FROM (VALUES 1, 5) u(k) ORDER BY k
SELECT k, (SELECT k, 7) FROM (VALUES 1, 5) u(k) ORDER BY k
SELECT k, (SELECT k, 7 WHERE k > 1) FROM (VALUES 1, 5) u(k) ORDER BY k
SELECT k, (SELECT NULL, NULL WHERE k > 1) IS NULL FROM (VALUES 1, 5) u(k) ORDER BY k
SELECT k FROM (VALUES 1, 2, 3) u(k) WHERE (SELECT x, y FROM (VALUES (1, 2), (2, 3)) t(x, y) WHERE x = k) = ROW(2, 3)
SELECT k FROM (VALUES 1, 2, 3) u(k) WHERE (SELECT x, y FROM (VALUES (1, 2), (2, 3)) t(x, y) WHERE x = k) IS DISTINCT FROM ROW(2, 3) ORDER BY k
SELECT k, (SELECT x, y FROM (VALUES (1, 2), (1, 3)) t(x, y) WHERE x = k) FROM (VALUES 1, 5) u(k)
SELECT k, (SELECT x, y FROM (VALUES (1, 2), (1, 3)) t(x, y) WHERE x = k) FROM (VALUES 5) u(k)
SELECT (SELECT x, y FROM (VALUES (1, 2)) t(x, y) WHERE x > 5)
SELECT (SELECT x, y FROM (VALUES (1, 2)) t(x, y) WHERE x > 5) IS NULL
SELECT (SELECT x, y FROM (VALUES (1, 2)) t(x, y) WHERE x > 5) IS NULL FROM (VALUES 1, 2) u(k)
"""

# A parameter is no place in the select list.
BOUND_NUMBERS = r"""
EXECUTE IMMEDIATE 'SELECT count(*) FROM tpch.tiny.nation GROUP BY ?' USING 1
EXECUTE IMMEDIATE 'SELECT n_nationkey, -n_nationkey FROM tpch.tiny.nation ORDER BY ?, n_nationkey LIMIT 3' USING 2
EXECUTE IMMEDIATE 'SELECT n_regionkey FROM tpch.tiny.nation GROUP BY n_regionkey ORDER BY ?, n_regionkey' USING 5
EXECUTE IMMEDIATE 'SELECT n_regionkey FROM tpch.tiny.nation GROUP BY ?, n_regionkey ORDER BY n_regionkey' USING 3
EXECUTE IMMEDIATE 'SELECT n_regionkey FROM tpch.tiny.nation GROUP BY n_regionkey ORDER BY ?, n_regionkey' USING -1
EXECUTE IMMEDIATE 'SELECT x FROM (VALUES 2, 1) t(x) ORDER BY x + ? LIMIT ?' USING 1, 1
EXECUTE IMMEDIATE 'SELECT ?, typeof(?), ? + 1, -?' USING 1, 3000000000, 1.5, 2
EXECUTE IMMEDIATE 'SELECT x FROM (VALUES 2, 1, 3) t(x) ORDER BY x OFFSET ? ROWS FETCH FIRST ? ROWS ONLY' USING 1, 1
SELECT count(*) FROM tpch.tiny.nation GROUP BY 1
"""


def statements():
    for text in (SESSION, OTHERS, REPLACED, STARS, WITHOUT_ROWS, BOUND_NUMBERS):
        yield from filter(None, text.splitlines())
