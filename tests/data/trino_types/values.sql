-- Precisions of times and timestamps.
SELECT CAST(TIMESTAMP '2020-01-01 00:00:00.499999999' AS timestamp(0)), CAST(TIMESTAMP '2020-01-01 00:00:00.5' AS timestamp(0)), CAST(TIMESTAMP '1960-01-01 00:00:00.5' AS timestamp(0)), CAST(TIMESTAMP '1960-01-01 00:00:00.25' AS timestamp(1)), CAST(TIMESTAMP '1960-01-01 00:00:00.499999999' AS timestamp(3))
SELECT CAST(x AS timestamp(0)), CAST(x AS timestamp(1)), CAST(x AS timestamp(2)), CAST(x AS timestamp(3)), CAST(x AS timestamp(4)), CAST(x AS timestamp(5)), CAST(x AS timestamp(6)), CAST(x AS timestamp(7)), CAST(x AS timestamp(8)), CAST(x AS timestamp(9)) FROM (VALUES TIMESTAMP '2020-01-01 00:00:00.555555555', TIMESTAMP '1969-12-31 23:59:59.555555555', TIMESTAMP '1969-12-31 23:59:59.444444444', TIMESTAMP '2020-12-31 23:59:59.999999999') t(x)
SELECT CAST(x AS time(0)), CAST(x AS time(1)), CAST(x AS time(2)), CAST(x AS time(3)), CAST(x AS time(4)), CAST(x AS time(5)), CAST(x AS time(6)), CAST(x AS time(7)), CAST(x AS time(8)), CAST(x AS time(9)) FROM (VALUES TIME '00:00:00.555555555', TIME '23:59:59.444444444', TIME '23:59:59.999999999') t(x)
SELECT CAST(x AS timestamp(0)), CAST(x AS timestamp(1)), CAST(x AS timestamp(3)), CAST(x AS timestamp(5)), CAST(x AS timestamp(9)), CAST(x AS timestamp) FROM (VALUES '2020-01-01 00:00:00.555555555', '1969-12-31 23:59:59.5', '1969-12-31 23:59:59.4999999999', '2020-12-31 23:59:59.999999999999', '2020-12-31') t(x)
SELECT CAST(x AS time(0)), CAST(x AS time(1)), CAST(x AS time(3)), CAST(x AS time(9)), CAST(x AS time) FROM (VALUES '00:00:00.555555555', '23:59:59.5', '23:59:59.4999999999', '12:34') t(x)
SELECT CAST(x AS timestamp(0) with time zone), CAST(x AS timestamp(2) with time zone), CAST(x AS timestamp(9) with time zone) FROM (VALUES '2020-01-01 00:00:00.555555555 UTC', '1969-12-31 23:59:59.5 UTC', '1969-12-31 23:59:59.4999999999 UTC') t(x)
SELECT CAST(x AS time(0)), CAST(x AS time(4)), CAST(x AS time(9)), CAST(x AS date) FROM (VALUES TIMESTAMP '2020-01-01 23:59:59.99995', TIMESTAMP '1970-01-01 00:00:00.49995') t(x)
SELECT CAST(x AS timestamp(0)), CAST(x AS timestamp(4)), CAST(x AS time(0)), CAST(x AS time(4)), CAST(x AS date), CAST(x AS timestamp(0) with time zone), CAST(x AS timestamp(4) with time zone) FROM (VALUES TIMESTAMP '2020-01-01 23:59:59.99995 UTC', TIMESTAMP '1969-12-31 00:00:00.49995 UTC') t(x)
SELECT CAST(TIMESTAMP '2020-01-01 00:00:00.4567' AS timestamp(0) with time zone), CAST(TIMESTAMP '2020-01-01 00:00:00.5' AS timestamp(9) with time zone), CAST(DATE '2020-01-01' AS timestamp(0)), CAST(DATE '2020-01-01' AS timestamp(9)), CAST(DATE '2020-01-01' AS timestamp(0) with time zone)
SELECT CAST(TIMESTAMP '2020-01-01 00:00:00.123456' AS varchar), CAST(TIMESTAMP '2020-01-01 00:00:00' AS varchar), CAST(TIME '12:00' AS varchar), CAST(TIME '12:00:01.1234567' AS varchar), CAST(TIMESTAMP '2020-01-01 00:00:00 UTC' AS varchar), CAST(CAST('2020-01-01' AS timestamp(5)) AS varchar)
SELECT CAST(ARRAY[TIMESTAMP '2020-01-01 00:00:00.16', NULL] AS array(timestamp(1))), CAST(ROW(TIME '00:00:00.16', 1) AS row(a time(1), b integer)), ARRAY[TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP '2020-01-01 00:00:00.123']
SELECT CAST(ARRAY[TIMESTAMP '2020-01-01 00:00:00.6'] AS array(timestamp(0))), ROW(TIMESTAMP '2020-01-01 00:00:00', TIME '01:02:03', TIME '01:02:03.1234567'), ARRAY[TIME '01:02:03']
SELECT TIMESTAMP '2020-01-01 00:00:00.1' = TIMESTAMP '2020-01-01 00:00:00.10', TIMESTAMP '2020-01-01 00:00:00.1' < TIMESTAMP '2020-01-01 00:00:00.1001', TIME '01:02:03' = TIME '01:02:03.000000000', TIMESTAMP '2020-01-01 00:00:00.1' IN (TIMESTAMP '2020-01-01 00:00:00.10', TIMESTAMP '2020-01-01 00:00:00.1234'), DATE '2020-01-01' = TIMESTAMP '2020-01-01 00:00:00'
SELECT x, count(*) FROM (SELECT TIMESTAMP '2020-01-01 00:00:00' x UNION ALL SELECT TIMESTAMP '2020-01-01 00:00:00.000' UNION ALL SELECT TIMESTAMP '2020-01-01 00:00:00.1234') t GROUP BY x ORDER BY x
SELECT x, y FROM (VALUES TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP '2020-01-01 00:00:00.1') t(x) JOIN (VALUES TIMESTAMP '2020-01-01 00:00:00.100', TIMESTAMP '2020-01-01 00:00:00.1001') u(y) ON x = y
SELECT * FROM (VALUES TIME '01:02:03', TIME '01:02:04') t(x) JOIN (VALUES TIME '01:02:03.000') u(x) USING (x)
SELECT x FROM (VALUES TIMESTAMP '2020-01-01 00:00:00.12', TIMESTAMP '2020-01-01 00:00:00') t(x) INTERSECT SELECT TIMESTAMP '2020-01-01 00:00:00.000'
SELECT max(x), min(x), max_by(x, y), array_agg(x ORDER BY y), lag(max(x), 1, TIMESTAMP '2020-01-01 00:00:00.123') OVER (ORDER BY max(y)) FROM (VALUES (TIMESTAMP '2020-01-01 00:00:00.1', 1), (TIMESTAMP '2020-01-01 00:00:00.12', 2)) t(x, y)
SELECT TIMESTAMP '2020-01-01 00:00:00' + INTERVAL '1' HOUR, TIMESTAMP '2020-01-01 00:00:00' + INTERVAL '1.5' SECOND, TIMESTAMP '2020-01-01 00:00:00.1234' - INTERVAL '1.5' SECOND, TIMESTAMP '2020-01-31 00:00:00.1' + INTERVAL '1' MONTH, INTERVAL '1' HOUR + TIMESTAMP '2020-01-01 00:00:00.1234567', INTERVAL '1' MONTH + TIMESTAMP '2020-01-01 00:00:00'
SELECT TIME '12:00:00' + INTERVAL '1.5' SECOND, TIME '00:00:00.1234' - INTERVAL '1.5' SECOND, INTERVAL '1' HOUR + TIME '23:30', TIMESTAMP '2020-01-01 00:00:00 UTC' + INTERVAL '1' HOUR, TIMESTAMP '2020-01-01 00:00:00 UTC' + INTERVAL '1' MONTH
SELECT TIMESTAMP '2020-01-01 00:00:00.1' - TIMESTAMP '2020-01-01 00:00:00.1005', TIMESTAMP '2020-01-01 00:00:00.1005' - TIMESTAMP '2020-01-01 00:00:00.1', TIMESTAMP '2020-01-01 00:00:00.1' - TIMESTAMP '2020-01-01 00:00:00.100500001', TIMESTAMP '2020-01-01 00:00:00.100499999' - TIMESTAMP '2020-01-01 00:00:00.1', TIMESTAMP '2020-01-01 00:00:00' - DATE '2019-01-01', DATE '2020-01-01' - TIMESTAMP '2020-01-01 00:00:00.5'
SELECT TIME '12:00:00.1' - TIME '12:00:00.1005', TIME '12:00:00.1005' - TIME '12:00:00.1', TIME '12:00:00.1' - TIME '12:00:00.100500001', TIMESTAMP '2020-01-01 00:00:00.1 UTC' - TIMESTAMP '2020-01-01 00:00:00.1005 UTC', TIMESTAMP '2020-01-01 00:00:00.1005 UTC' - TIMESTAMP '2020-01-01 00:00:00.1 UTC', TIMESTAMP '2020-01-01 00:00:00.1 UTC' - TIMESTAMP '2020-01-01 00:00:00.1004 UTC'
SELECT date_add('millisecond', 500, TIMESTAMP '1960-01-01 00:00:00'), date_add('millisecond', -500, TIMESTAMP '1960-01-01 00:00:00'), date_add('millisecond', 499, TIMESTAMP '1960-01-01 00:00:00'), date_add('millisecond', 55, TIMESTAMP '2020-01-01 00:00:00.1 UTC'), date_add('millisecond', -550, TIME '00:00:00.1'), date_add('hour', 2, TIME '23:00'), date_add('month', 1, TIMESTAMP '2020-01-31 00:00:00.12')
SELECT date_trunc('hour', TIMESTAMP '2020-01-01 01:02:03.12'), date_trunc('second', TIMESTAMP '2020-01-01 01:02:03.123456'), date_trunc('millisecond', TIMESTAMP '2020-01-01 01:02:03.123456'), date_trunc('day', TIMESTAMP '2020-01-01 01:02:03'), date_trunc('month', TIMESTAMP '2020-05-05 01:02:03.4 UTC')
SELECT to_iso8601(TIMESTAMP '2020-01-01 00:00:00'), to_iso8601(TIMESTAMP '2020-01-01 00:00:00.12'), to_iso8601(TIMESTAMP '2020-01-01 00:00:00.1234 UTC'), to_unixtime(TIMESTAMP '2020-01-01 00:00:00.12'), second(TIMESTAMP '2020-01-01 00:00:59.9'), millisecond(TIMESTAMP '2020-01-01 00:00:00.1'), millisecond(TIMESTAMP '2020-01-01 00:00:00')
SELECT coalesce(NULL, TIMESTAMP '2020-01-01 00:00:00.1', TIMESTAMP '2020-01-01 00:00:00.1234'), greatest(TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP '2020-01-01 00:00:00.1'), if(false, TIME '01:02', TIME '01:02:03.1234567'), CASE WHEN true THEN DATE '2020-01-01' ELSE TIMESTAMP '2020-01-01 00:00:00.12' END, nullif(TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP '2020-01-01 00:00:00.1')
SELECT count(*) OVER (ORDER BY x RANGE BETWEEN INTERVAL '1.5' SECOND PRECEDING AND CURRENT ROW) FROM (VALUES TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP '2020-01-01 00:00:01', TIMESTAMP '2020-01-01 00:00:02') t(x)
SELECT from_unixtime(1.5), date_parse('2020-01-02', '%Y-%m-%d'), from_iso8601_timestamp('2020-01-01T00:00:00Z')
SELECT TIMESTAMP '2020-01-01 00:00:00', TIME '01:02:03', TIMESTAMP '2020-01-01 00:00:00 UTC' UNION ALL SELECT NULL, NULL, NULL
-- Lengths of varchar.
SELECT CAST('abc' AS varchar(2)), CAST('abc' AS varchar(5)), CAST('äöü€' AS varchar(3)), CAST('' AS varchar(0)), CAST('abc' AS varchar(0)), CAST('abc' AS varchar)
SELECT CAST(x AS varchar(2)), CAST(x AS varchar(5)), CAST(x AS varchar), TRY_CAST(x AS varchar(1)) FROM (VALUES 'abc', 'ä€öü', '', NULL) t(x)
SELECT CAST(CAST(x AS varchar) AS varchar(2)), CAST(CAST(x AS varchar(1)) AS varchar(9)) FROM (VALUES 'abc', 'ä€öü') t(x)
SELECT CAST(x AS varchar(4)), TRY_CAST(x AS varchar(1)), CAST(x AS varchar) FROM (VALUES 12, 7, -123, NULL) t(x)
SELECT TRY_CAST(BIGINT '-9223372036854775808' AS varchar(19)), CAST(BIGINT '-9223372036854775808' AS varchar(20)), CAST(TINYINT '-128' AS varchar(4)), TRY_CAST(SMALLINT '-128' AS varchar(3)), TRY_CAST(1.50 AS varchar(3)), CAST(1.50 AS varchar(4)), TRY_CAST(DATE '2020-01-01' AS varchar(9)), CAST(DATE '2020-01-01' AS varchar(10))
SELECT CAST(ARRAY['abc', 'de'] AS array(varchar(1))), CAST(ROW('abc', 1) AS row(x varchar(2), y bigint)), CAST(ARRAY[ARRAY['abc']] AS array(array(varchar(2))))
SELECT coalesce(x, 'defgh'), CASE WHEN x = 'a' THEN 'bc' ELSE x END, if(x = 'abc', 'lmnop'), nullif(x, 'abcd'), greatest(x, 'b'), x || 'y', concat(x, 'z') FROM (VALUES 'a', 'abc', NULL) t(x)
SELECT x, count(*) FROM (VALUES 'a', CAST('a' AS varchar(5)), CAST('a' AS varchar)) t(x) GROUP BY x
SELECT x, y FROM (VALUES 'a', 'abc') t(x) JOIN (VALUES CAST('a' AS varchar(9)), CAST('abc' AS varchar(10))) u(y) ON x = y
SELECT * FROM (VALUES 'a', 'abc') t(x) JOIN (VALUES CAST('a' AS varchar(9))) u(x) USING (x)
SELECT * FROM (VALUES 'a', 'abc') t(x) LEFT JOIN (VALUES CAST('a' AS varchar(9))) u(x) USING (x)
SELECT * FROM (VALUES 'a') t(x) RIGHT JOIN (VALUES CAST('a' AS varchar(9)), 'b') u(x) USING (x)
SELECT * FROM (VALUES 'a') t(x) FULL JOIN (VALUES CAST('a' AS varchar(9)), 'b') u(x) USING (x)
SELECT x FROM (VALUES 'a', 'abc') t(x) WHERE x IN (SELECT y FROM (VALUES CAST('abc' AS varchar(8)), 'q') u(y))
SELECT x FROM (VALUES 'a', 'abc') t(x) WHERE NOT EXISTS (SELECT 1 FROM (VALUES CAST('abc' AS varchar)) u(y) WHERE x = y)
SELECT x FROM (VALUES 'a', 'abc') t(x) UNION SELECT 'abcd' UNION ALL SELECT CAST('a' AS varchar(2))
SELECT x FROM (VALUES 'a', 'abc') t(x) INTERSECT SELECT CAST('abc' AS varchar(7))
SELECT x FROM (VALUES 'a', 'abc') t(x) EXCEPT SELECT CAST('abc' AS varchar)
SELECT x IN ('abcdef', 'a'), x BETWEEN 'a' AND 'abcd', x = 'abcdef', x LIKE 'a%', x < CAST('b' AS varchar(30)) FROM (VALUES 'a', 'abc', NULL) t(x)
SELECT max(x), min(x), array_agg(x ORDER BY x), max_by(x, length(x)), count(DISTINCT x) FROM (VALUES 'a', CAST('abc' AS varchar(7)), 'ab') t(x)
SELECT x, lag(x, 1, 'default') OVER (ORDER BY x), first_value(x) OVER (PARTITION BY substr(x, 1, 1) ORDER BY x) FROM (VALUES 'a', 'abc', 'b') t(x)
SELECT upper(x), lower(x), trim(x), ltrim(x), rtrim(x), substr(x, 2), substr(x, 1, 2), reverse(x), replace(x, 'b'), replace(x, 'b', 'xyz'), split(x, 'b'), split_part(x, 'b', 1), regexp_extract(x, 'b'), regexp_replace(x, 'b', 'zz'), lpad(x, 5, '.'), translate(x, 'a', 'b') FROM (VALUES ' abc ', 'b') t(x)
SELECT to_iso8601(DATE '2020-01-01'), to_iso8601(TIMESTAMP '2020-01-01 00:00:00.12'), chr(65), typeof('abc'), typeof(CAST('abc' AS varchar(5))), typeof(x), typeof(ARRAY[x]), typeof(ROW(x, 1)) FROM (VALUES 'a', 'abc') t(x)
SELECT n_name, upper(n_name), substr(n_name, 1, 2), typeof(n_name), typeof(n_comment) FROM tpch.tiny.nation WHERE n_name IN ('FRANCE', 'UNITED KINGDOM', 'NOWHERE AT ALL, WITH A LONG NAME')
SELECT r_name, count(*) FROM tpch.tiny.nation JOIN tpch.tiny.region ON n_regionkey = r_regionkey WHERE n_name < 'M' GROUP BY r_name
SELECT n_name, s_name FROM tpch.tiny.nation LEFT JOIN tpch.tiny.supplier ON n_name = s_name WHERE n_nationkey < 3
SELECT count(*) FROM tpch.tiny.part JOIN tpch.tiny.nation ON p_brand = n_name OR p_name = n_name
WITH RECURSIVE t(n, s) AS (SELECT 1, CAST('abc' AS varchar(9)) UNION ALL SELECT n + 1, 'bc' FROM t WHERE n < 3) SELECT * FROM t
-- Widths of integers, and the type that nullif keeps.
SELECT bitwise_left_shift(x, y), bitwise_right_shift(x, y) FROM (VALUES (TINYINT '1', 7), (TINYINT '1', 8), (TINYINT '127', 1), (TINYINT '-1', 2), (TINYINT '-1', 7), (TINYINT '-1', 8), (TINYINT '7', -62), (TINYINT '-1', -1), (TINYINT '5', 64), (NULL, 1), (TINYINT '1', NULL)) t(x, y)
SELECT bitwise_left_shift(x, y), bitwise_right_shift(x, y) FROM (VALUES (SMALLINT '1', 15), (SMALLINT '1', 16), (SMALLINT '-1', 2), (SMALLINT '-1', 15), (SMALLINT '7', -62), (SMALLINT '1', 80)) t(x, y)
SELECT bitwise_left_shift(x, y), bitwise_right_shift(x, y) FROM (VALUES (1, 31), (1, 32), (1, 33), (1, 64), (-1, 2), (-1, 31), (-1, 32), (-1, -33), (7, -62), (7, -64), (5, 64)) t(x, y)
SELECT bitwise_left_shift(x, y), bitwise_right_shift(x, y) FROM (VALUES (BIGINT '1', 63), (BIGINT '1', 64), (BIGINT '-1', 2), (BIGINT '-1', 63), (BIGINT '-1', 64), (BIGINT '1', -1), (BIGINT '-1', -63), (BIGINT '-1', 0), (BIGINT '1', SMALLINT '3')) t(x, y)
SELECT nullif(x, y), nullif(y, x) FROM (VALUES (1, 1.0), (1, 1.5), (2, NULL), (NULL, 2.0)) t(x, y)
SELECT nullif(1, 1e0), nullif(TINYINT '1', BIGINT '2'), nullif(TINYINT '1', BIGINT '1'), nullif(1, BIGINT '9223372036854775807'), nullif(REAL '1.1', 1.1e0), nullif(1.50, 1.5), nullif(1.5, 2), nullif(NULL, 1), nullif(1, NULL), nullif(NULL, NULL)
SELECT nullif(DATE '2020-01-01', TIMESTAMP '2020-01-01 00:00:00'), nullif(DATE '2020-01-01', TIMESTAMP '2020-01-01 00:00:01'), nullif(TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP '2020-01-01 00:00:00.1'), nullif(TIMESTAMP '2020-01-01 00:00:00.0', TIMESTAMP '2020-01-01 00:00:00.000000'), nullif(ARRAY[1], ARRAY[1.5]), nullif(ARRAY[1], ARRAY[1.0])
SELECT nullif('abc', 'b'), nullif('b', 'abc'), nullif('abc', 'abc'), nullif(x, 'abcdef') FROM (VALUES 'a', 'abcdef') t(x)
SELECT try(nullif(1 / x, 2)), nullif(x, 0) FROM (VALUES 0, 1) t(x)
SELECT covar_pop(x, y), covar_samp(x, y), geometric_mean(x) FROM (VALUES (1.1, 2.2), (1.3, 4.4)) t(x, y)
SELECT geometric_mean(x), covar_pop(x, y), covar_pop(CAST(x AS double), y) FROM (VALUES (1, 2), (4, 5)) t(x, y)
SELECT typeof(random(TINYINT '3')), typeof(random(3)), typeof(random(3, BIGINT '5')), random(5, 6), random(SMALLINT '1')
