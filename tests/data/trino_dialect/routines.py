"""Functions of a statement and their bodies, frames with expressions, table arguments, casts between maps and JSON."""

from clauses import T

ROUTINES = r"""
WITH q AS (SELECT 1 AS a, 2 AS b) SELECT * FROM TABLE(exclude_columns(TABLE(q), DESCRIPTOR(a)))
WITH FUNCTION abs(x integer) RETURNS integer RETURN 7 SELECT abs(-1), abs(-1e0)
WITH FUNCTION f(a integer) RETURNS integer RETURN a * 2, FUNCTION g(a integer) RETURNS integer RETURN f(a) + 1 SELECT g(3)
WITH FUNCTION g(a integer) RETURNS integer RETURN f(a) + 1, FUNCTION f(a integer) RETURNS integer RETURN a * 2 SELECT g(3)
WITH FUNCTION f(a integer) RETURNS integer RETURN 1, FUNCTION f(a varchar) RETURNS integer RETURN 2 SELECT f(3), f('x'), f(NULL)
WITH FUNCTION f(a integer) RETURNS integer RETURN 1, FUNCTION f(b integer) RETURNS integer RETURN 2 SELECT f(3)
WITH FUNCTION f(a bigint) RETURNS bigint RETURN a SELECT f(TINYINT '3')
WITH FUNCTION f(a integer, a integer) RETURNS integer RETURN a SELECT f(1, 2)
WITH FUNCTION f(a integer) RETURNS bigint RETURN a SELECT f(1)
WITH FUNCTION f(a integer) RETURNS integer RETURN sum(a) SELECT f(1)
WITH FUNCTION f(a integer) RETURNS array(integer) RETURN transform(ARRAY[1,2], x -> x + a) SELECT f(1)
WITH FUNCTION f(a integer) RETURNS integer BEGIN END SELECT f(1)
WITH FUNCTION f(a integer) RETURNS integer BEGIN SET a = 1; END SELECT f(1)
WITH FUNCTION f(a integer) RETURNS integer BEGIN SET a = a + 1; RETURN a; END SELECT f(1)
WITH FUNCTION f(a integer) RETURNS integer BEGIN IF a > 1 THEN RETURN 1; END IF; END SELECT f(1)
WITH FUNCTION f(a integer) RETURNS integer BEGIN IF a > 1 THEN RETURN 1; ELSE RETURN 2; END IF; END SELECT f(1)
WITH FUNCTION f(a integer) RETURNS varchar BEGIN IF a > 1 THEN RETURN 'big'; ELSEIF a = 1 THEN RETURN 'one'; ELSE RETURN 'small'; END IF; RETURN 'x'; END SELECT f(1), f(2), f(0), f(NULL)
WITH FUNCTION f(a integer) RETURNS varchar BEGIN CASE a WHEN 1 THEN RETURN 'one'; WHEN 2 THEN RETURN 'two'; ELSE RETURN 'many'; END CASE; RETURN 'x'; END SELECT f(1), f(2), f(3), f(NULL)
WITH FUNCTION f(a integer) RETURNS varchar BEGIN CASE WHEN a = 1 THEN RETURN 'one'; WHEN a > 5 THEN RETURN 'many'; END CASE; RETURN 'none'; END SELECT f(1), f(7), f(3), f(NULL)
WITH FUNCTION f(n bigint) RETURNS bigint BEGIN DECLARE a, b bigint DEFAULT 1; DECLARE c bigint; IF n <= 2 THEN RETURN 1; END IF; WHILE n > 2 DO SET n = n - 1; SET c = a + b; SET a = b; SET b = c; END WHILE; RETURN c; END SELECT f(1), f(2), f(3), f(8), f(40)
WITH FUNCTION f(n bigint) RETURNS bigint BEGIN DECLARE t bigint DEFAULT 0; top: LOOP IF n <= 0 THEN LEAVE top; END IF; SET t = t + n; SET n = n - 1; END LOOP; RETURN t; END SELECT f(0), f(3), f(10)
WITH FUNCTION f(n bigint) RETURNS bigint BEGIN DECLARE r bigint DEFAULT 0; top: WHILE n > 0 DO SET n = n - 1; IF n % 2 = 0 THEN ITERATE top; END IF; SET r = r + n; END WHILE; RETURN r; END SELECT f(10)
WITH FUNCTION f(n bigint) RETURNS bigint BEGIN DECLARE r bigint DEFAULT 0; top: REPEAT SET r = r + 1; IF r = 3 THEN LEAVE top; END IF; UNTIL r >= n END REPEAT; RETURN r; END SELECT f(0), f(2), f(10)
WITH FUNCTION f() RETURNS bigint BEGIN DECLARE x bigint DEFAULT 1; BEGIN DECLARE x bigint DEFAULT 2; SET x = 3; END; RETURN x; END SELECT f()
WITH FUNCTION f() RETURNS bigint BEGIN DECLARE x bigint DEFAULT 1; DECLARE x bigint; RETURN x; END SELECT f()
WITH FUNCTION f(x bigint) RETURNS bigint BEGIN DECLARE x bigint DEFAULT 1; RETURN x; END SELECT f(3)
WITH FUNCTION f() RETURNS bigint BEGIN DECLARE x bigint DEFAULT 'a'; RETURN x; END SELECT f()
WITH FUNCTION f() RETURNS bigint BEGIN DECLARE x bigint DEFAULT 1.5; RETURN x; END SELECT f()
WITH FUNCTION f() RETURNS bigint BEGIN DECLARE x bigint; SET x = 'a'; RETURN x; END SELECT f()
WITH FUNCTION f() RETURNS bigint BEGIN SET y = 1; RETURN 1; END SELECT f()
WITH FUNCTION f() RETURNS bigint BEGIN IF 1 THEN RETURN 2; END IF; RETURN 1; END SELECT f()
WITH FUNCTION f() RETURNS bigint BEGIN WHILE 1 DO RETURN 2; END WHILE; RETURN 1; END SELECT f()
WITH FUNCTION f() RETURNS bigint BEGIN REPEAT SET x = 1; UNTIL 1 END REPEAT; RETURN 1; END SELECT f()
WITH FUNCTION f() RETURNS bigint BEGIN REPEAT BEGIN END; UNTIL 1 END REPEAT; RETURN 1; END SELECT f()
WITH FUNCTION f() RETURNS bigint BEGIN LEAVE nowhere; RETURN 1; END SELECT f()
WITH FUNCTION f() RETURNS bigint BEGIN ITERATE nowhere; RETURN 1; END SELECT f()
WITH FUNCTION f() RETURNS bigint BEGIN a: LOOP a: LOOP LEAVE a; END LOOP; LEAVE a; END LOOP; RETURN 1; END SELECT f()
WITH FUNCTION f(a integer) RETURNS varchar BEGIN CASE a WHEN 'x' THEN RETURN 'one'; END CASE; RETURN 'none'; END SELECT f(1)
WITH FUNCTION f(a integer) RETURNS varchar BEGIN CASE WHEN a THEN RETURN 'one'; END CASE; RETURN 'none'; END SELECT f(1)
WITH FUNCTION f(a integer) RETURNS integer LANGUAGE SQL LANGUAGE SQL RETURN a SELECT f(1)
WITH FUNCTION f(a integer) RETURNS integer LANGUAGE PYTHON RETURN a SELECT f(1)
WITH FUNCTION f(a integer) RETURNS integer SECURITY INVOKER RETURN a SELECT f(1)
WITH FUNCTION f(a integer) RETURNS integer SECURITY DEFINER RETURN a SELECT f(1)
WITH FUNCTION f(a integer) RETURNS integer NOT DETERMINISTIC RETURN a SELECT f(1)
WITH FUNCTION f() RETURNS double DETERMINISTIC RETURN random() SELECT f() < 2
WITH FUNCTION f(a integer) RETURNS integer WITH (foo = 1) RETURN a SELECT f(1)
WITH FUNCTION f(a varchar(3)) RETURNS varchar(2) RETURN a SELECT f('abc')
WITH FUNCTION f(a varchar) RETURNS varchar(2) RETURN CAST(a AS varchar(2)) SELECT f('abc')
WITH FUNCTION f(a varchar(2)) RETURNS varchar(2) RETURN a SELECT f('abc')
WITH FUNCTION f(a row(x integer, y varchar)) RETURNS integer RETURN a.x SELECT f(ROW(1, 'a'))
WITH FUNCTION f(a decimal(10,2)) RETURNS decimal(12,2) RETURN a + 1 SELECT f(1.5)
WITH FUNCTION f(a timestamp(3) with time zone) RETURNS date RETURN CAST(a AS date) SELECT f(TIMESTAMP '2020-01-01 00:00:00 UTC')
WITH FUNCTION f(a integer) RETURNS integer RETURN 10 / a SELECT f(0)
WITH FUNCTION f(a integer) RETURNS integer RETURN 10 / a SELECT try(f(0)), try(f(2))
WITH FUNCTION f(a integer) RETURNS integer BEGIN IF a = 0 THEN RETURN NULL; END IF; RETURN 10 / a; END SELECT f(x) FROM (VALUES 0, 2, NULL) t(x)
WITH FUNCTION f(a integer) RETURNS integer RETURN a SELECT f()
WITH FUNCTION f(a integer) RETURNS integer RETURN a SELECT f(1, 2)
WITH FUNCTION f(a integer) RETURNS integer RETURN a SELECT f(DISTINCT 1)
WITH FUNCTION f(a integer) RETURNS integer RETURN a SELECT f(1) OVER ()
WITH FUNCTION f(a integer) RETURNS integer RETURN a SELECT g(1)
WITH FUNCTION f(a integer) RETURNS integer RETURN a SELECT f(x -> x)
WITH FUNCTION f(a integer) RETURNS integer RETURN a SELECT x, f(x), sum(f(x)) OVER (ORDER BY f(x)) FROM (VALUES 3, 1, 2) t(x) WHERE f(x) > 1 ORDER BY f(x) DESC
WITH FUNCTION f(a integer) RETURNS integer RETURN a SELECT f(x), count(*) FROM (VALUES 3, 1, 3) t(x) GROUP BY f(x) HAVING f(x) > 1
WITH FUNCTION f(a unknown_type) RETURNS integer RETURN a SELECT 1
WITH FUNCTION f(a integer) RETURNS integer RETURN a SELECT 1
WITH FUNCTION f(a integer) RETURNS integer RETURN a
WITH FUNCTION f(a integer) RETURNS integer SELECT 1
WITH FUNCTION f(a integer) RETURN a SELECT 1
WITH FUNCTION f(a integer) RETURNS integer RETURN current_user SELECT f(1)
WITH FUNCTION f(a varchar) RETURNS varchar RETURN current_user SELECT f('x') = current_user
WITH FUNCTION m.f(a integer) RETURNS integer RETURN a SELECT m.f(1)
WITH function AS (SELECT 1 AS a) SELECT * FROM function
WITH session AS (SELECT 1 AS a) SELECT * FROM session
WITH FUNCTION f(a integer) RETURNS integer BEGIN DECLARE b integer DEFAULT a + 1; DECLARE c integer DEFAULT b * 2; RETURN c; END SELECT f(4)
WITH FUNCTION f(a integer) RETURNS integer BEGIN DECLARE b, c integer; SET b = a, c = 2; RETURN b; END SELECT f(4)
WITH FUNCTION f(a integer) RETURNS integer BEGIN RETURN a; SET a = 1; END SELECT f(4)
WITH FUNCTION f(a integer) RETURNS integer BEGIN DECLARE x array(integer) DEFAULT ARRAY[]; WHILE a > 0 DO SET x = x || a; SET a = a - 1; END WHILE; RETURN cardinality(x); END SELECT f(4), f(0)
WITH FUNCTION f(a varchar) RETURNS varchar BEGIN DECLARE r varchar DEFAULT ''; WHILE length(a) > 0 DO SET r = substr(a, 1, 1) || r; SET a = substr(a, 2); END WHILE; RETURN r; END SELECT f('hello'), f('')
WITH FUNCTION f(a integer) RETURNS integer COMMENT 'x' COMMENT 'y' RETURN a SELECT f(1)
WITH FUNCTION f(a integer) RETURNS integer DETERMINISTIC NOT DETERMINISTIC RETURN a SELECT f(1)
WITH FUNCTION f(a integer) RETURNS integer RETURNS NULL ON NULL INPUT RETURN a + coalesce(a, 1) SELECT f(x) FROM (VALUES 1, NULL) t(x)
WITH FUNCTION f(a integer, b integer) RETURNS integer RETURNS NULL ON NULL INPUT BEGIN RETURN 5; END SELECT f(x, 1) FROM (VALUES 1, NULL) t(x)
SELECT * FROM (WITH FUNCTION f() RETURNS integer RETURN 42 SELECT f())
WITH FUNCTION f(a integer) RETURNS integer RETURN (SELECT 1) SELECT f(1)
WITH FUNCTION f(a integer) RETURNS boolean RETURN a IN (SELECT 1) SELECT f(1)
WITH FUNCTION f(a integer) RETURNS boolean RETURN EXISTS (SELECT 1) SELECT f(1)
WITH FUNCTION f() RETURNS bigint BEGIN DECLARE r, s bigint DEFAULT 0; top: REPEAT SET r = r + 1; IF r < 3 THEN ITERATE top; END IF; SET s = s + 1; UNTIL r >= 2 END REPEAT; RETURN r * 10 + s; END SELECT f()
WITH FUNCTION f() RETURNS bigint BEGIN BEGIN RETURN 1; END; END SELECT f()
WITH FUNCTION f() RETURNS bigint BEGIN BEGIN DECLARE x bigint DEFAULT 1; END; BEGIN DECLARE x bigint DEFAULT 2; END; RETURN 7; END SELECT f()
WITH FUNCTION f() RETURNS bigint RETURN 1 > 2 SELECT f()
WITH FUNCTION f(a integer) RETURNS integer IF a > 1 THEN RETURN 1; END IF SELECT f(1)
WITH FUNCTION f(a integer) RETURNS integer RETURN a SELECT f((SELECT 1))
WITH FUNCTION f(a integer) RETURNS integer RETURN a SELECT "f"(1), F(2)
WITH FUNCTION "F"(a integer) RETURNS integer RETURN a SELECT f(1)
WITH FUNCTION f(a integer) RETURNS integer RETURN A + "a" SELECT f(1)
WITH FUNCTION f(a bigint) RETURNS bigint BEGIN DECLARE i bigint DEFAULT 0; WHILE i < a DO SET i = i + 1; END WHILE; RETURN i; END SELECT sum(f(n_nationkey)) FROM tpch.tiny.nation
WITH FUNCTION f(a varchar, b double) RETURNS map(varchar, array(double)) RETURN MAP(ARRAY[a], ARRAY[ARRAY[b, b * 2]]) SELECT f('k', 2e0)
WITH FUNCTION f(a char(3)) RETURNS char(3) RETURN a SELECT f('ab')
WITH FUNCTION f(a json) RETURNS json RETURN json_extract(a, '$.x') SELECT f(JSON '{"x": [1]}')
WITH FUNCTION f(a interval day to second) RETURNS timestamp(3) RETURN TIMESTAMP '2020-01-01 00:00:00.000' + a SELECT f(INTERVAL '1' DAY)
WITH FUNCTION f(n integer) RETURNS integer CALLED ON NULL INPUT BEGIN IF n IS NULL THEN RETURN -1; END IF; RETURN n; END SELECT f(NULL), f(3)
WITH FUNCTION f(n bigint) RETURNS bigint BEGIN DECLARE r bigint DEFAULT 0; WHILE n > 0 DO SET r = r + CASE WHEN n % 2 = 0 THEN n ELSE -n END; SET n = n - 1; END WHILE; RETURN r; END SELECT n_nationkey, f(n_nationkey), f(n_regionkey) FROM tpch.tiny.nation ORDER BY 1
WITH FUNCTION f(n bigint) RETURNS varchar BEGIN DECLARE r varchar DEFAULT ''; outer_loop: WHILE n > 0 DO SET n = n - 1; IF n % 3 = 0 THEN ITERATE outer_loop; END IF; IF n = 1 THEN LEAVE outer_loop; END IF; SET r = concat(r, CAST(n AS varchar)); END WHILE; RETURN r; END SELECT n_nationkey, f(n_nationkey) FROM tpch.tiny.nation ORDER BY 1
WITH FUNCTION f(n bigint) RETURNS bigint BEGIN IF n > 20 THEN RETURN 1 / (n - n); END IF; RETURN n; END SELECT CASE WHEN n_nationkey < 20 THEN f(n_nationkey) END FROM tpch.tiny.nation ORDER BY 1
WITH FUNCTION f(n bigint) RETURNS bigint BEGIN IF n > 20 THEN RETURN 1 / (n - n); END IF; RETURN n; END SELECT try(f(n_nationkey)) FROM tpch.tiny.nation ORDER BY 1
WITH FUNCTION f(n bigint) RETURNS array(bigint) BEGIN DECLARE i bigint DEFAULT 0; DECLARE r array(bigint) DEFAULT ARRAY[]; WHILE i < n DO SET r = r || i; SET i = i + 1; END WHILE; RETURN filter(r, x -> x % 2 = n % 2); END SELECT f(n_regionkey), f(n_nationkey) FROM tpch.tiny.nation WHERE n_nationkey < 6 ORDER BY n_nationkey
WITH SESSION query_max_run_time = '1h', query_priority = 1 SELECT 2
WITH SESSION tpch.foo = 1 SELECT 1
WITH session AS (SELECT 1 AS a) SELECT * FROM session
"""

FRAMES = r"""
SELECT x, count(*) OVER (ORDER BY x, y ROWS BETWEEN UNBOUNDED PRECEDING AND coalesce(x, 0) PRECEDING) FROM {T} ORDER BY x, y
SELECT x, count(*) OVER (ORDER BY x, y ROWS BETWEEN coalesce(x, 5) PRECEDING AND 1 PRECEDING) FROM {T} ORDER BY x, y
SELECT x, count(*) OVER (ORDER BY x, y ROWS BETWEEN 1.0 PRECEDING AND CURRENT ROW) FROM {T}
SELECT x, count(*) OVER (ORDER BY x, y ROWS BETWEEN DECIMAL '2' PRECEDING AND CURRENT ROW) FROM {T} ORDER BY x, y
SELECT x, count(*) OVER (ORDER BY x, y ROWS BETWEEN DECIMAL '123456789012345678901234567890' PRECEDING AND CURRENT ROW) FROM {T} ORDER BY x, y
SELECT x, count(*) OVER (ORDER BY x, y ROWS BETWEEN NULL PRECEDING AND CURRENT ROW) FROM {T} ORDER BY x, y
SELECT x, count(*) OVER (ORDER BY x, y GROUPS BETWEEN CURRENT ROW AND 1e0 FOLLOWING) FROM {T} ORDER BY x, y
SELECT x, array_agg(x) OVER (ORDER BY x RANGE BETWEEN 0.5 PRECEDING AND CURRENT ROW) FROM {T} ORDER BY x, y
SELECT x, array_agg(x) OVER (ORDER BY x RANGE BETWEEN 1e0 PRECEDING AND CURRENT ROW) FROM {T} ORDER BY x, y
SELECT x, array_agg(x) OVER (ORDER BY x RANGE BETWEEN BIGINT '1' PRECEDING AND CURRENT ROW) FROM {T} ORDER BY x, y
SELECT x, array_agg(x) OVER (ORDER BY x RANGE BETWEEN NULL PRECEDING AND CURRENT ROW) FROM {T} ORDER BY x, y
SELECT x, array_agg(z) OVER (ORDER BY z RANGE BETWEEN coalesce(x, 0) PRECEDING AND 10.123 FOLLOWING) FROM {T} ORDER BY x, y
SELECT x, array_agg(x) OVER (ORDER BY x DESC RANGE BETWEEN coalesce(x, 1) PRECEDING AND coalesce(x, 0) FOLLOWING) FROM {T} ORDER BY x, y
SELECT x, array_agg(x) OVER (PARTITION BY y ORDER BY x, z GROUPS BETWEEN coalesce(x, 1) PRECEDING AND coalesce(x, 0) FOLLOWING) FROM {T} ORDER BY x, y
SELECT x, first_value(y) OVER (ORDER BY x, y ROWS BETWEEN coalesce(x, 0) - 1 PRECEDING AND CURRENT ROW) FROM {T} ORDER BY x, y
SELECT x, last_value(y) OVER (ORDER BY x, y ROWS BETWEEN CURRENT ROW AND abs(x - 2) FOLLOWING) FROM {T} WHERE x IS NOT NULL ORDER BY x, y
SELECT x, array_agg(x) OVER (ORDER BY x RANGE BETWEEN INTERVAL '1' DAY PRECEDING AND CURRENT ROW) FROM {T}
SELECT d, count(*) OVER (ORDER BY d RANGE BETWEEN i PRECEDING AND CURRENT ROW) FROM (VALUES (DATE '2020-01-01', INTERVAL '1' DAY), (DATE '2020-01-02', INTERVAL '2' DAY), (DATE '2020-01-03', INTERVAL '0' DAY)) t(d, i) ORDER BY d
SELECT d, count(*) OVER (ORDER BY d RANGE BETWEEN i PRECEDING AND CURRENT ROW) FROM (VALUES (DATE '2020-01-01', INTERVAL '-1' DAY)) t(d, i) ORDER BY d
SELECT x, count(*) OVER (ORDER BY x ROWS count(*) PRECEDING) FROM {T} GROUP BY x ORDER BY 1
SELECT count(*) OVER (ORDER BY x ROWS (SELECT 1) PRECEDING) FROM {T}
SELECT count(*) OVER (ORDER BY x ROWS 9223372036854775807 PRECEDING) FROM {T}
SELECT count(*) OVER (ORDER BY b RANGE BIGINT '9223372036854775807' PRECEDING) FROM (VALUES BIGINT '-5', 7) t(b)
SELECT count(*) OVER (ORDER BY b RANGE 200 PRECEDING) FROM (VALUES TINYINT '-5', TINYINT '7') t(b)
SELECT row_number() OVER (ORDER BY x ROWS 1 PRECEDING) FROM {T}
SELECT lag(x) OVER (ORDER BY x ROWS 1 PRECEDING) FROM {T}
SELECT * FROM TABLE(exclude_columns(input => TABLE(tpch.tiny.region) AS r, columns => DESCRIPTOR(r_comment, r_name))) t(a) WHERE t.a = 1
SELECT * FROM TABLE(exclude_columns(TABLE(tpch.tiny.region), DESCRIPTOR(R_COMMENT, "R_Name"))) t ORDER BY 1 LIMIT 1
SELECT * FROM TABLE(exclude_columns(TABLE(tpch.tiny.region)))
SELECT * FROM TABLE(exclude_columns(DESCRIPTOR(a), TABLE(tpch.tiny.region)))
SELECT * FROM TABLE(exclude_columns(TABLE(tpch.tiny.region), 1))
SELECT * FROM TABLE(exclude_columns(1, DESCRIPTOR(a)))
SELECT * FROM TABLE(exclude_columns(TABLE(tpch.tiny.region), CAST(NULL AS DESCRIPTOR)))
SELECT * FROM TABLE(exclude_columns(TABLE(tpch.tiny.region), DESCRIPTOR()))
SELECT * FROM TABLE(exclude_columns(TABLE(tpch.tiny.region), DESCRIPTOR(r_name), 1))
SELECT * FROM TABLE(exclude_columns(TABLE(tpch.tiny.region), COLUMNS => DESCRIPTOR(r_name)))
SELECT * FROM TABLE(exclude_columns(TABLE(tpch.tiny.regio), DESCRIPTOR(r_name)))
SELECT * FROM TABLE(exclude_columns(TABLE(SELECT 1, 2 AS b), DESCRIPTOR(b)))
SELECT * FROM TABLE(exclude_columns(TABLE(VALUES (1, 2)) AS t(a, b), DESCRIPTOR(b)))
SELECT abs(TABLE(tpch.tiny.region))
SELECT * FROM TABLE(exclude_columns(foo => TABLE(tpch.tiny.region), columns => DESCRIPTOR(r_name)))
SELECT * FROM TABLE(exclude_columns())
SELECT * FROM TABLE(system.builtin.exclude_columns(TABLE(tpch.tiny.region), DESCRIPTOR(r_comment, r_name))) WHERE r_regionkey = 1
SELECT * FROM TABLE(sequence(TABLE(tpch.tiny.region), 3))
SELECT region.r_name FROM TABLE(exclude_columns(TABLE(tpch.tiny.region), DESCRIPTOR(r_comment))) LIMIT 1
SHOW FUNCTIONS LIKE 'max'
SELECT cosine_similarity(MAP(ARRAY['a', 'b'], ARRAY[1e0, 2e0]), MAP(ARRAY['a', 'c'], ARRAY[1e0, 2e0]))
SELECT cosine_similarity(MAP(ARRAY['a', 'b'], ARRAY[1e0, NULL]), MAP(ARRAY['a', 'c'], ARRAY[1e0, 2e0]))
SELECT cosine_similarity(MAP(), MAP(ARRAY['a', 'c'], ARRAY[1e0, 2e0]))
SELECT cosine_similarity(MAP(ARRAY['a'], ARRAY[3]), MAP(ARRAY['a', 'c'], ARRAY[1e0, 2e0]))
SELECT cosine_similarity(ARRAY[1, 2], ARRAY[1, 2])
"""

MAPS = r"""
SELECT CAST(MAP(ARRAY[1,2], ARRAY['x', NULL]) AS json)
SELECT CAST(MAP(ARRAY[true,false], ARRAY[1.5, 2]) AS json)
SELECT CAST(MAP(ARRAY[1.50,2e0], ARRAY[1.5, 2]) AS json)
SELECT CAST(MAP(ARRAY[1.50], ARRAY[1.5]) AS json)
SELECT CAST(MAP(ARRAY[REAL '1.5'], ARRAY[ARRAY[1,2]]) AS json)
SELECT CAST(MAP(ARRAY[DATE '2020-01-01'], ARRAY[1]) AS json)
SELECT CAST(MAP(ARRAY[ARRAY[1]], ARRAY[1]) AS json)
SELECT CAST(MAP(ARRAY['b', 'a', 'c'], ARRAY[MAP(ARRAY['z','y'],ARRAY[1,2]), MAP(), NULL]) AS json)
SELECT CAST(MAP() AS json)
SELECT CAST(CAST(NULL AS map(varchar, integer)) AS json)
SELECT CAST(MAP(ARRAY[10, 9], ARRAY[1, 2]) AS json)
SELECT CAST(ARRAY[MAP(ARRAY['k'], ARRAY[DATE '2020-01-01'])] AS json)
SELECT CAST(ROW(MAP(ARRAY['k'], ARRAY[DATE '2020-01-01'])) AS json)
SELECT CAST(JSON '{"b": 1, "a": 2}' AS map(varchar, integer))
SELECT CAST(JSON '{"b": 1, "a": null}' AS map(varchar, integer))
SELECT CAST(JSON '{"b": "x"}' AS map(varchar, integer))
SELECT CAST(JSON '{"b": "12"}' AS map(varchar, integer))
SELECT CAST(JSON '{"1": true, "2": false}' AS map(bigint, boolean))
SELECT CAST(JSON '{"x": true, "2": false}' AS map(bigint, boolean))
SELECT TRY_CAST(JSON '{"x": true, "2": false}' AS map(bigint, boolean))
SELECT CAST(JSON '{"1": true, "01": false}' AS map(bigint, boolean))
SELECT CAST(JSON '{"true": 1, "0": 2}' AS map(boolean, integer))
SELECT CAST(JSON '{"1.5": 1, "0": 2}' AS map(double, integer))
SELECT CAST(JSON '{"1.5": 1, "0": 2}' AS map(decimal(3,1), integer))
SELECT CAST(JSON '{"1.5": 1, "0": 2}' AS map(real, integer))
SELECT CAST(JSON '{"1.5": 1, "0": 2}' AS map(integer, integer))
SELECT CAST(JSON '{"2020-01-01": 1}' AS map(date, integer))
SELECT CAST(JSON '{"a": [1, 2], "b": null}' AS map(varchar, array(integer)))
SELECT CAST(JSON '{"a": {"x": 1}, "b": {}}' AS map(varchar, map(varchar, integer)))
SELECT CAST(JSON '{"a": {"x": 1}, "b": 7}' AS map(varchar, json))
SELECT CAST(JSON 'null' AS map(varchar, json))
SELECT CAST(JSON '[1]' AS map(varchar, json))
SELECT CAST(JSON '"a"' AS map(varchar, json))
SELECT CAST(JSON '{}' AS map(varchar, json))
SELECT CAST(JSON '[{"a": 1}]' AS array(map(varchar, integer)))
SELECT CAST(JSON '{"a": {"b": 2}}' AS row(a map(varchar, integer)))
SELECT CAST(JSON '{"a": 1}' AS map(varchar, varchar))
SELECT CAST(JSON '{"a": 1}' AS map(varchar, timestamp))
SELECT CAST(MAP(ARRAY['a'], ARRAY[nan()]) AS json)
SELECT CAST(MAP(ARRAY[1e0, 12345678.9e0], ARRAY[1,2]) AS json)
SELECT json_format(CAST(MAP(ARRAY['a"', 'é'], ARRAY['x"', '\']) AS json))
"""


def statements():
    for text in (ROUTINES, FRAMES, MAPS):
        for line in text.splitlines():
            if line:
                yield line.replace("{T}", T)
