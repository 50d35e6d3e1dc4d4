-- Literals, operators, casts, and functions that the list in docs/sql.md says too little of.
SELECT 'abc'
SELECT ''
SELECT 'äöü😀'
SELECT U&'\00e4b'
SELECT lower('abc')
SELECT upper('abc')
SELECT upper(CAST('abc' AS varchar))
SELECT trim('abc')
SELECT ltrim('abc')
SELECT rtrim('abc')
SELECT trim('abc','a')
SELECT ltrim('abc','a')
SELECT rtrim('abc','a')
SELECT trim(BOTH 'a' FROM 'abc')
SELECT substr('abc',1)
SELECT substr('abc',1,2)
SELECT substring('abc' FROM 2)
SELECT substring('abc' FROM 2 FOR 1)
SELECT replace('abc','b')
SELECT replace('abc','b','xyz')
SELECT replace('abc','','xyz')
SELECT replace(CAST('abc' AS varchar),'b','xyz')
SELECT reverse('abc')
SELECT 'ab'||'cde'
SELECT concat('ab','cde')
SELECT concat('ab','cde','f')
SELECT concat(CAST('a' AS varchar), 'b')
SELECT concat_ws(',','ab','cd')
SELECT concat_ws(',',ARRAY['ab','cd'])
SELECT lpad('ab',5,'x')
SELECT rpad('ab',5,'x')
SELECT split('a,b',',')
SELECT split('a,b',',',2)
SELECT split_part('a,b',',',1)
SELECT chr(65)
SELECT translate('abc','a','b')
SELECT repeat('ab',3)
SELECT normalize('abc')
SELECT normalize('abc',NFD)
SELECT regexp_extract('abc','b')
SELECT regexp_extract('abc','(b)',1)
SELECT regexp_extract_all('abc','b')
SELECT regexp_extract_all('abc','(b)',1)
SELECT regexp_replace('abc','b')
SELECT regexp_replace('abc','b','x')
SELECT regexp_split('abc','b')
SELECT coalesce('a','bcd')
SELECT coalesce('a',CAST('bcd' AS varchar))
SELECT coalesce(NULL,'bcd')
SELECT nullif('abc','b')
SELECT nullif(1,1.5)
SELECT nullif(1,2)
SELECT nullif(TINYINT '1',BIGINT '2')
SELECT nullif('abc',NULL)
SELECT nullif(NULL,'a')
SELECT nullif(NULL,NULL)
SELECT if(true,'a','bcd')
SELECT if(true,'a')
SELECT CASE WHEN true THEN 'a' ELSE 'bcd' END
SELECT CASE WHEN true THEN 'a' WHEN false THEN 'bcd' END
SELECT greatest('a','bcd')
SELECT least('a','bcd')
SELECT try('abc')
SELECT CAST('abc' AS varchar(2))
SELECT CAST('abc' AS varchar(5))
SELECT CAST('abc' AS varchar)
SELECT CAST(1 AS varchar)
SELECT CAST(1 AS varchar(5))
SELECT CAST(NULL AS varchar(5))
SELECT CAST(true AS varchar(5))
SELECT ARRAY['a','bcd']
SELECT ARRAY['a',CAST('b' AS varchar)]
SELECT ROW('a','bcd')
SELECT CAST(ROW('a') AS row(x varchar(3)))
SELECT CAST(ARRAY['abcd'] AS array(varchar(3)))
SELECT ARRAY['a','bcd'][1]
SELECT element_at(ARRAY['a','bcd'],1)
SELECT array_distinct(ARRAY['a','bcd'])
SELECT array_sort(ARRAY['a','bcd'])
SELECT array_max(ARRAY['a','bcd'])
SELECT array_min(ARRAY['a','bcd'])
SELECT array_remove(ARRAY['a','bcd'],'b')
SELECT array_remove(ARRAY['a'],'bcd')
SELECT array_join(ARRAY['a','bcd'],',')
SELECT array_join(ARRAY[1],',')
SELECT array_union(ARRAY['a'],ARRAY['bcd'])
SELECT array_intersect(ARRAY['a'],ARRAY['bcd'])
SELECT array_except(ARRAY['a'],ARRAY['bcd'])
SELECT concat(ARRAY['a'],ARRAY['bcd'])
SELECT ARRAY['a'] || 'bcd'
SELECT ARRAY['a'] || ARRAY['bcd']
SELECT slice(ARRAY['a','bcd'],1,1)
SELECT flatten(ARRAY[ARRAY['a'],ARRAY['bcd']])
SELECT reverse(ARRAY['a'])
SELECT from_utf8(X'61')
SELECT to_hex(X'61')
SELECT to_base64(X'61')
SELECT date_format(TIMESTAMP '2020-01-01 00:00:00','%Y')
SELECT to_iso8601(DATE '2020-01-01')
SELECT to_iso8601(TIMESTAMP '2020-01-01 00:00:00')
SELECT to_iso8601(TIMESTAMP '2020-01-01 00:00:00.1')
SELECT to_iso8601(TIMESTAMP '2020-01-01 00:00:00.123456789')
SELECT to_iso8601(TIMESTAMP '2020-01-01 00:00:00 UTC')
SELECT to_iso8601(TIMESTAMP '2020-01-01 00:00:00.123 UTC')
SELECT to_iso8601(TIMESTAMP '2020-01-01 00:00:00.123456789 UTC')
SELECT json_extract_scalar('{}','$.a')
SELECT current_user
SELECT current_catalog
SELECT current_schema
SELECT current_timezone()
SELECT version()
SELECT typeof(1)
SELECT min('abc')
SELECT max('abc')
SELECT min_by('abc',1)
SELECT max_by(1,'abc')
SELECT any_value('abc')
SELECT arbitrary('abc')
SELECT array_agg('abc')
SELECT listagg('abc',',') WITHIN GROUP (ORDER BY 1)
SELECT histogram('abc')
SELECT map_agg('abc','de')
SELECT approx_distinct('abc')
SELECT approx_most_frequent(3,'abc',10)
SELECT checksum('abc')
SELECT lag('abc') OVER ()
SELECT lag('abc',1,'defgh') OVER ()
SELECT first_value('abc') OVER ()
SELECT nth_value('abc',1) OVER ()
SELECT format('%s',1)
SELECT human_readable_seconds(1)
SELECT format_number(1)
SELECT soundex('abc')
SELECT word_stem('abc')
SELECT url_extract_host('http://a')
SELECT url_encode('a')
SELECT url_decode('a')
SELECT to_char(TIMESTAMP '2020-01-01 00:00:00','yyyy')
SELECT format_datetime(TIMESTAMP '2020-01-01 00:00:00','yyyy')
SELECT bitwise_left_shift(1,2)
SELECT bitwise_left_shift(TINYINT '1',2)
SELECT bitwise_left_shift(SMALLINT '1',TINYINT '2')
SELECT bitwise_left_shift(BIGINT '1',2)
SELECT bitwise_right_shift(1,2)
SELECT bitwise_right_shift(TINYINT '-1',2)
SELECT bitwise_right_shift(SMALLINT '-1',2)
SELECT bitwise_right_shift(-1,2)
SELECT bitwise_right_shift(BIGINT '-1',2)
SELECT bitwise_right_shift_arithmetic(-1,2)
SELECT bitwise_left_shift(TINYINT '1',7)
SELECT bitwise_left_shift(TINYINT '1',8)
SELECT bitwise_left_shift(TINYINT '127',1)
SELECT bitwise_left_shift(SMALLINT '1',15)
SELECT bitwise_left_shift(SMALLINT '1',16)
SELECT bitwise_left_shift(1,31)
SELECT bitwise_left_shift(1,32)
SELECT bitwise_left_shift(BIGINT '1',63)
SELECT bitwise_left_shift(BIGINT '1',64)
SELECT bitwise_left_shift(1,-1)
SELECT bitwise_left_shift(BIGINT '1',-1)
SELECT bitwise_left_shift(TINYINT '1',-1)
SELECT bitwise_right_shift(-1,-1)
SELECT bitwise_right_shift(BIGINT '-1',-1)
SELECT bitwise_right_shift(TINYINT '-1',-1)
SELECT bitwise_right_shift(TINYINT '-1',8)
SELECT bitwise_right_shift(TINYINT '-1',7)
SELECT bitwise_right_shift(-1,31)
SELECT bitwise_right_shift(-1,32)
SELECT bitwise_left_shift(1,4294967297)
SELECT bitwise_right_shift(-1,4294967297)
SELECT bitwise_right_shift(BIGINT '-1',4294967297)
SELECT bitwise_and(1,2)
SELECT bitwise_and(TINYINT '1',TINYINT '2')
SELECT bitwise_not(TINYINT '1')
SELECT bit_count(7,64)
SELECT random(TINYINT '3')
SELECT random(SMALLINT '3')
SELECT random(3)
SELECT random(3,5)
SELECT random(BIGINT '3')
SELECT mod(TINYINT '3',TINYINT '2')
SELECT mod(TINYINT '3',2)
SELECT width_bucket(1,2,3,4)
SELECT length('abc')
SELECT strpos('abc','b')
SELECT codepoint('a')
SELECT cardinality(ARRAY[1])
SELECT levenshtein_distance('a','b')
SELECT regexp_count('a','b')
SELECT regexp_position('a','b')
SELECT sign(TINYINT '3')
SELECT sign(1.5)
SELECT sign(1e0)
SELECT abs(SMALLINT '-1')
SELECT round(TINYINT '3')
SELECT truncate(1.55)
SELECT truncate(1.55,1)
SELECT truncate(REAL '1.5')
SELECT ceil(REAL '1.5')
SELECT round(REAL '1.5',1)
SELECT sum(1)
SELECT sum(TINYINT '1')
SELECT sum(REAL '1.5')
SELECT sum(1.5)
SELECT avg(1)
SELECT avg(REAL '1')
SELECT avg(1.5)
SELECT count(*)
SELECT approx_percentile(1,0.5)
SELECT approx_percentile(REAL '1',0.5)
SELECT approx_percentile(1e0,0.5)
SELECT approx_percentile(1.5,0.5)
SELECT geometric_mean(REAL '1')
SELECT corr(1,2)
SELECT corr(REAL '1',REAL '2')
SELECT covar_pop(REAL '1',REAL '2')
SELECT stddev(REAL '1')
SELECT bitwise_and_agg(TINYINT '1')
SELECT sqrt(REAL '4')
SELECT power(2,3)
SELECT sequence(1,3)
SELECT sequence(INTEGER '1',INTEGER '3')
SELECT sequence(TINYINT '1',TINYINT '3')
SELECT sequence(DATE '2020-01-01',DATE '2020-01-02')
SELECT ARRAY[1,2.5]
SELECT ARRAY[1,BIGINT '2']
SELECT ARRAY[]
SELECT 1+BIGINT '1'
SELECT TINYINT '1'+SMALLINT '1'
SELECT TINYINT '1'+TINYINT '1'
SELECT 1.5+1
SELECT REAL '1'+1.5
SELECT 1e0+1.5
SELECT 1/2
SELECT 1.5/2
SELECT 5%2
SELECT -TINYINT '1'
SELECT 1.5*1.5
SELECT INTERVAL '1' DAY*2
SELECT INTERVAL '1' YEAR/2
SELECT NULL||NULL
SELECT NULL
SELECT ARRAY[NULL]
SELECT ROW(NULL,1)
SELECT element_at(ARRAY[1],1)
SELECT 1 IN (1,2)
SELECT 1=1
SELECT EXISTS (SELECT 1)
SELECT (SELECT 'abc')
SELECT date_diff('day',DATE '2020-01-01',DATE '2020-01-02')
SELECT year(DATE '2020-01-01')
SELECT extract(year FROM DATE '2020-01-01')
SELECT last_day_of_month(DATE '2020-01-01')
SELECT date('2020-01-01')
SELECT row_number() OVER ()
SELECT rank() OVER (ORDER BY 1)
SELECT percent_rank() OVER (ORDER BY 1)
SELECT ntile(2) OVER (ORDER BY 1)
SELECT grouping(1)
SELECT json_extract('{}','$.a')
SELECT json_array_length('[]')
SELECT json_size('{}','$.a')
SELECT pi()
SELECT nan()
SELECT 1.
SELECT .5
SELECT 00.50
SELECT 1e5
SELECT 12345678901
SELECT DECIMAL '1.50'
SELECT DECIMAL '12'
SELECT X'61'
SELECT 'abc' LIKE 'a%'
SELECT substr(CAST('abc' AS varchar),1)
SELECT fail('x')
SELECT hamming_distance('a','b')
SELECT starts_with('a','b')
SELECT split('a,b',',')[1]
SELECT listagg('abc') WITHIN GROUP (ORDER BY 1)
SELECT CAST('a' AS varchar(0))
SELECT CAST('a' AS varchar(2147483647))
SELECT CAST('a' AS varchar(2147483646))
SELECT CAST('a' AS varchar(2147483648))
SELECT CAST(1 AS foo)
-- Times and timestamps.
SELECT CAST(TIMESTAMP '2020-01-01 00:00:00.499999999' AS timestamp(0)), CAST(TIMESTAMP '2020-01-01 00:00:00.5' AS timestamp(0)), CAST(TIMESTAMP '1960-01-01 00:00:00.5' AS timestamp(0)), CAST(TIMESTAMP '1960-01-01 00:00:00.25' AS timestamp(1)), CAST(TIMESTAMP '1960-01-01 00:00:00.499999999' AS timestamp(3))
SELECT CAST(TIME '23:59:59.9' AS time(0)), CAST(TIME '23:59:59.999999999' AS time(3)), CAST('23:59:59.9999' AS time(0)), CAST(TIMESTAMP '2020-01-01 23:59:59.9' AS time(0))
SELECT typeof(TIMESTAMP '2020-01-01'), typeof(TIMESTAMP '2020-01-01 00:00'), typeof(TIMESTAMP '2020-01-01 00:00:00.12'), typeof(TIMESTAMP '2020-01-01 00:00:00.1234567 Europe/Berlin'), typeof(TIME '12:00'), typeof(TIME '12:00:00.1234')
SELECT typeof(CAST('2020-01-01' AS timestamp)), typeof(CAST('12:00' AS time)), typeof(CAST(DATE '2020-01-01' AS timestamp(0)))
SELECT CAST('2020-01-01 00:00:00.55' AS timestamp(1)), CAST('2020-01-01 00:00:00.12345' AS timestamp(0)), CAST('2020-01-01 00:00:00.4999999' AS timestamp(0)), CAST('1960-01-01 00:00:00.55' AS timestamp(1))
SELECT typeof(date_trunc('hour', TIMESTAMP '2020-01-01 00:00:00.12')), typeof(date_add('hour', 1, TIMESTAMP '2020-01-01 00:00:00')), typeof(date_add('millisecond', 1, TIMESTAMP '2020-01-01 00:00:00')), date_add('millisecond', 600, TIMESTAMP '2020-01-01 00:00:00'), date_add('millisecond', 1, TIMESTAMP '2020-01-01 00:00:00.1')
SELECT TIMESTAMP '2020-01-01 00:00:00' + INTERVAL '1' HOUR, typeof(TIMESTAMP '2020-01-01 00:00:00' + INTERVAL '1.5' SECOND), TIMESTAMP '2020-01-01 00:00:00' + INTERVAL '1.5' SECOND, typeof(TIMESTAMP '2020-01-01 00:00:00.1234' + INTERVAL '1.5' SECOND), typeof(TIMESTAMP '2020-01-01 00:00:00.1' + INTERVAL '1' MONTH)
SELECT TIME '12:00:00' + INTERVAL '1.5' SECOND, typeof(TIME '12:00:00' + INTERVAL '1.5' SECOND), typeof(TIME '12:00:00.1234' - INTERVAL '1.5' SECOND)
SELECT date_add('millisecond', 1, TIME '12:00:00'), typeof(date_add('millisecond', 1, TIME '12:00:00')), date_add('millisecond', 1, TIME '12:00:00.1')
SELECT typeof(now()), typeof(current_timestamp(0)), typeof(current_timestamp(6)), typeof(localtimestamp), typeof(localtimestamp(0)), typeof(localtime), typeof(localtime(2)), typeof(current_time), typeof(current_time(9)), typeof(localtimestamp(9))
SELECT typeof(coalesce(TIMESTAMP '2020-01-01 00:00:00.1', TIMESTAMP '2020-01-01 00:00:00.1234')), TIMESTAMP '2020-01-01 00:00:00.10' = TIMESTAMP '2020-01-01 00:00:00.1', typeof(coalesce(DATE '2020-01-01', TIMESTAMP '2020-01-01 00:00:00')), typeof(coalesce(DATE '2020-01-01', TIMESTAMP '2020-01-01 00:00:00 UTC'))
SELECT typeof(coalesce(TIMESTAMP '2020-01-01 00:00:00.1', TIMESTAMP '2020-01-01 00:00:00.1234 UTC')), typeof(coalesce(TIME '12:00', TIME '12:00:00.1'))
SELECT typeof(from_unixtime(1)), typeof(from_unixtime(1, 'Europe/Berlin')), typeof(from_unixtime_nanos(1)), typeof(date_parse('2020','%Y')), typeof(from_iso8601_timestamp('2020-01-01')), typeof(from_iso8601_timestamp_nanos('2020-01-01')), typeof(parse_datetime('2020','yyyy'))
SELECT typeof(at_timezone(TIMESTAMP '2020-01-01 00:00:00 UTC', 'Europe/Berlin')), typeof(with_timezone(TIMESTAMP '2020-01-01 00:00:00.12', 'Europe/Berlin')), typeof(TIMESTAMP '2020-01-01 00:00:00.12' AT TIME ZONE 'Europe/Berlin')
SELECT typeof(TIMESTAMP '2020-01-01 00:00:00.1234' - TIMESTAMP '2020-01-01 00:00:00.1'), TIMESTAMP '2020-01-01 00:00:00.1239' - TIMESTAMP '2020-01-01 00:00:00.1', TIMESTAMP '2020-01-01 00:00:00.1' - TIMESTAMP '2020-01-01 00:00:00.1239'
SELECT TIME '12:00:00.1239' - TIME '12:00:00.1', TIME '12:00:00.1' - TIME '12:00:00.1239'
SELECT max(x), min(x), typeof(max(x)), typeof(array_agg(x)) FROM (VALUES TIMESTAMP '2020-01-01 00:00:00.1', TIMESTAMP '2020-01-01 00:00:00.12') t(x)
SELECT typeof(ARRAY[TIMESTAMP '2020-01-01 00:00:00.1', TIMESTAMP '2020-01-01 00:00:00.12']), typeof(ROW(TIMESTAMP '2020-01-01 00:00:00.1', 'a'))
SELECT CAST(ARRAY[TIMESTAMP '2020-01-01 00:00:00.16'] AS array(timestamp(1)))
SELECT TIMESTAMP '2020-01-01 00:00:00.1234567890'
SELECT CAST('2020-01-01' AS timestamp(12)), typeof(CAST('2020-01-01' AS timestamp(12)))
SELECT CAST('2020-01-01' AS timestamp(13))
SELECT CAST('12:00' AS time(13))
SELECT CAST('2020-01-01' AS timestamp(13) with time zone)
SELECT CAST(TIMESTAMP '2020-01-01 00:00:00.123456' AS varchar), CAST(TIMESTAMP '2020-01-01 00:00:00' AS varchar), CAST(TIME '12:00' AS varchar), CAST(TIMESTAMP '2020-01-01 00:00:00 UTC' AS varchar)
SELECT CAST('2020-01-01 00:00:00.55 UTC' AS timestamp(1) with time zone), CAST(TIMESTAMP '2020-01-01 00:00:00.55 UTC' AS timestamp(0)), CAST(TIMESTAMP '2020-01-01 00:00:00.55 UTC' AS timestamp(1) with time zone), CAST(TIMESTAMP '2020-01-01 00:00:00.55 UTC' AS time(0))
SELECT CAST(TIMESTAMP '2020-01-01 23:59:59.9' AS date), CAST(TIMESTAMP '2020-01-01 23:59:59.9 UTC' AS date), CAST(TIME '12:00' AS timestamp)
SELECT typeof(date_diff('second', TIMESTAMP '2020-01-01 00:00:00.1234', TIMESTAMP '2020-01-01 00:00:00')), typeof(to_unixtime(TIMESTAMP '2020-01-01 00:00:00.1234')), to_unixtime(TIMESTAMP '2020-01-01 00:00:00.123456789')
SELECT typeof(sequence(TIMESTAMP '2020-01-01 00:00:00.1234', TIMESTAMP '2020-01-01 00:00:00.1', INTERVAL '1' DAY)), typeof(nullif(TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP '2020-01-01 00:00:00.1234')), typeof(greatest(TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP '2020-01-01 00:00:00.1234'))
SELECT typeof(last_day_of_month(TIMESTAMP '2020-01-01 00:00:00')), to_iso8601(TIMESTAMP '2020-01-01 00:00:00'), to_iso8601(TIMESTAMP '2020-01-01 00:00:00.12'), to_iso8601(TIMESTAMP '2020-01-01 00:00:00.1234'), to_iso8601(TIMESTAMP '2020-01-01 00:00:00 UTC'), to_iso8601(TIMESTAMP '2020-01-01 00:00:00.1234567 +01:00')
SELECT x FROM (VALUES 1) t(y) CROSS JOIN (SELECT TIMESTAMP '2020-01-01 00:00:00' x UNION ALL SELECT TIMESTAMP '2020-01-01 00:00:00.1234')
SELECT TIMESTAMP '2020-01-01 00:00:00.1' IN (TIMESTAMP '2020-01-01 00:00:00.10', TIMESTAMP '2020-01-01 00:00:00.1234')
SELECT typeof(date_trunc('second', TIME '12:00:00.12')), date_trunc('second', TIME '12:00:00.12')
SELECT typeof(DATE '2020-01-01' + INTERVAL '1' DAY), typeof(approx_percentile(1,0.5)), millisecond(TIMESTAMP '2020-01-01 00:00:00.123999'), second(TIMESTAMP '2020-01-01 00:00:00.9')
SELECT typeof(avg(INTERVAL '1' DAY)), typeof(INTERVAL '1' DAY * 2), typeof(TIMESTAMP '2020-01-01' - INTERVAL '1' DAY)
SELECT TIMESTAMP '2020-01-01 00:00:00.1' - TIMESTAMP '2020-01-01 00:00:00.1005', TIMESTAMP '2020-01-01 00:00:00.1005' - TIMESTAMP '2020-01-01 00:00:00.1', TIMESTAMP '2020-01-01 00:00:00.1' - TIMESTAMP '2020-01-01 00:00:00.100500000', TIMESTAMP '2020-01-01 00:00:00.1' - TIMESTAMP '2020-01-01 00:00:00.100499999'
SELECT TIMESTAMP '2020-01-01 00:00:00.100500000' - TIMESTAMP '2020-01-01 00:00:00.100000001', TIMESTAMP '2020-01-01 00:00:00.100500001' - TIMESTAMP '2020-01-01 00:00:00.100000001', TIMESTAMP '2020-01-01 00:00:00.100000001' - TIMESTAMP '2020-01-01 00:00:00.100500001'
SELECT TIME '12:00:00.1' - TIME '12:00:00.1005', TIME '12:00:00.1005' - TIME '12:00:00.1', TIME '12:00:00.1' - TIME '12:00:00.100500001'
SELECT TIMESTAMP '2020-01-01 00:00:00.1 UTC' - TIMESTAMP '2020-01-01 00:00:00.1005 UTC', TIMESTAMP '2020-01-01 00:00:00.1005 UTC' - TIMESTAMP '2020-01-01 00:00:00.1 UTC'
SELECT TIMESTAMP '2020-01-01 00:00:00 UTC' + INTERVAL '1' HOUR, TIMESTAMP '2020-01-01 00:00:00 UTC' + INTERVAL '1' MONTH, INTERVAL '1' HOUR + TIMESTAMP '2020-01-01 00:00:00', INTERVAL '1' MONTH + TIMESTAMP '2020-01-01 00:00:00', TIME '12:00' - INTERVAL '1' HOUR, INTERVAL '1' HOUR + TIME '12:00'
SELECT TIMESTAMP '2020-01-01 00:00:00.1234567' + INTERVAL '1' HOUR, TIMESTAMP '2020-01-01 00:00:00' - DATE '2019-01-01', DATE '2020-01-01' - DATE '2019-01-01'
SELECT TIMESTAMP '2020-01-01 00:00:00 UTC' - TIMESTAMP '2020-01-01 00:00:00', DATE '2020-01-01' - TIMESTAMP '2020-01-01 00:00:00.5'
SELECT date_add('millisecond', 500, TIMESTAMP '1960-01-01 00:00:00'), date_add('millisecond', -500, TIMESTAMP '1960-01-01 00:00:00'), date_add('millisecond', 499, TIMESTAMP '1960-01-01 00:00:00'), date_add('millisecond', 55, TIMESTAMP '2020-01-01 00:00:00.1 UTC'), date_add('millisecond', -550, TIME '00:00:00.1')
SELECT CAST(TIMESTAMP '2020-01-01 00:00:00.123456789 UTC' AS timestamp(3)), CAST(TIMESTAMP '2020-01-01 00:00:00.5' AS timestamp(0) with time zone), CAST(TIMESTAMP '2020-01-01 00:00:00.999999999' AS timestamp(6) with time zone), CAST(TIMESTAMP '2020-01-01 00:00:00.4999999 UTC' AS timestamp(0)), CAST(TIMESTAMP '2020-01-01 00:00:00.4999999 UTC' AS timestamp(0) with time zone)
SELECT CAST('00:00:00.4999999999' AS time(9)), CAST('00:00:00.4999999999' AS time(0)), CAST('2020-01-01 00:00:00.4999999999' AS timestamp(9)), CAST('2020-01-01 00:00:00.4999999999' AS timestamp(0)), CAST('2020-01-01 00:00:00.4999999999 UTC' AS timestamp(9) with time zone), CAST('2020-01-01 00:00:00.4999999999 UTC' AS timestamp(0) with time zone)
SELECT CAST(TIME '00:00:00.4999999' AS time(0)), CAST(TIMESTAMP '2020-01-01 00:00:00.4999999' AS time(0)),CAST(TIMESTAMP '2020-01-01 00:00:00.4999999' AS time(3)), CAST(TIME '12:00:00.6' AS timestamp(0)) - CAST(current_date AS timestamp(0))
SELECT CAST(12 AS varchar(1))
SELECT CAST(1.5 AS varchar(2))
SELECT CAST(1e0 AS varchar(2))
SELECT CAST(REAL '1' AS varchar(2))
SELECT CAST(true AS varchar(2))
SELECT CAST(DATE '2020-01-01' AS varchar(4))
SELECT CAST(TIMESTAMP '2020-01-01 00:00:00' AS varchar(4))
SELECT CAST(TIME '12:00:00' AS varchar(4))
SELECT CAST(TIMESTAMP '2020-01-01 00:00:00 UTC' AS varchar(4))
SELECT CAST(INTERVAL '1' DAY AS varchar(4))
SELECT CAST(INTERVAL '1' YEAR AS varchar(2))
SELECT TRY_CAST(12 AS varchar(1)), CAST(BIGINT '12' AS varchar(2)), CAST(TINYINT '12' AS varchar(2))
SELECT CAST(BIGINT '12' AS varchar(1))
SELECT CAST(TINYINT '12' AS varchar(1))
SELECT CAST(DECIMAL '12345678901234567890.5' AS varchar(2))
SELECT CAST(X'61' AS varchar(2))
SELECT TIME '12:00:00.1234567891'
SELECT CAST(ARRAY[12] AS array(varchar(1)))
SELECT corr(1e0,2), covar_samp(1,2), regr_slope(1,2), regr_intercept(1,2), covar_pop(1,BIGINT '2'), corr(1.5,2), corr(1, REAL '1')
SELECT covar_pop(x,y), covar_samp(x,y) FROM (VALUES (1.1,2.2),(1.3,4.4)) t(x,y)
SELECT geometric_mean(1), geometric_mean(1.5), geometric_mean(1e0), stddev(1), variance(REAL '1'), skewness(REAL '1'), kurtosis(1)
SELECT approx_percentile(x, 0.5) FROM (VALUES 1.1, 2.3) t(x)
SELECT 'abc' = CAST('abc' AS varchar(5)), U&'abc', count(*) FROM (VALUES 'a','bcd') t(x) WHERE x IN ('a','bcdef')
SELECT x FROM (VALUES 'a','bcd') t(x) UNION SELECT 'defgh'
SELECT * FROM UNNEST(ARRAY['a','bcd']) t(x)
SELECT * FROM UNNEST(ARRAY[ROW('a',1)]) t(x,y)
SELECT x FROM (SELECT 'ab' AS x INTERSECT SELECT 'abc') t
SELECT coalesce(x, y) FROM (SELECT 'ab' x) t FULL JOIN (SELECT 'abc' y) u ON x = y
SELECT x FROM (SELECT 'ab' x) t FULL JOIN (SELECT 'abc' x) u USING (x)
SELECT x FROM (SELECT 'ab' x) t JOIN (SELECT 'abc' x) u USING (x)
SELECT x FROM (SELECT 'ab' x) t LEFT JOIN (SELECT 'abc' x) u USING (x)
SELECT * FROM (SELECT 'ab' x, 1 y) t NATURAL JOIN (SELECT 'abc' x) u
WITH RECURSIVE t(n, s) AS (SELECT 1, 'a' UNION ALL SELECT n+1, s || 'a' FROM t WHERE n < 3) SELECT * FROM t
WITH RECURSIVE t(n, s) AS (SELECT 1, 'a' UNION ALL SELECT n+1, 'bc' FROM t WHERE n < 3) SELECT * FROM t
WITH RECURSIVE t(n, s) AS (SELECT 1, 'abc' UNION ALL SELECT n+1, 'bc' FROM t WHERE n < 3) SELECT * FROM t
SELECT 'a' = 1
SELECT lag('abc',1,'defgh') OVER (ORDER BY 1), lag('abc') OVER (ORDER BY 1), lead(1,1,BIGINT '2') OVER (ORDER BY 1)
SELECT lag(1,1,BIGINT '2') OVER (ORDER BY x) FROM (VALUES 1) t(x)
SELECT (SELECT 'abc') || 'x', 'abc' IN ('a', 'bcdef'), (VALUES 'ab')
SELECT contains(ARRAY['a'], 'abc'), array_position(ARRAY['a'],'abc'), ARRAY['a'] = ARRAY['abc'], ROW('a') = ROW('abc')
SELECT if(true, NULL, 'abc'), coalesce('a', NULL), CASE 1 WHEN 1 THEN 'a' ELSE NULL END
-- Clauses.
VALUES ('a', 1), ('bcd', BIGINT '2'), (NULL, NULL)
SELECT * FROM (VALUES ('a', 1.5), ('bcd', 20)) t(x, y)
SELECT x, count(*) FROM (VALUES 'a', 'bcd') t(x) GROUP BY x
SELECT x FROM (VALUES 'a', 'bcd') t(x) GROUP BY ROLLUP (x)
SELECT DISTINCT x FROM (VALUES 'a', 'bcd') t(x)
SELECT 'a' UNION ALL SELECT 'bcd' UNION ALL SELECT CAST('x' AS varchar(9))
SELECT 'a' UNION ALL SELECT CAST('x' AS varchar)
SELECT 'abc' EXCEPT SELECT 'a'
SELECT 1 UNION ALL SELECT 1.5
SELECT 1 UNION ALL SELECT REAL '1.5'
SELECT NULL UNION ALL SELECT 'abc'
SELECT NULL UNION ALL SELECT NULL
SELECT TIMESTAMP '2020-01-01 00:00:00' UNION ALL SELECT DATE '2020-01-01'
SELECT TIME '01:02' UNION SELECT TIME '01:02:03.4567'
SELECT TIMESTAMP '2020-01-01 00:00:00.1' UNION SELECT TIMESTAMP '2020-01-01 00:00:00 UTC'
SELECT ARRAY['a'] UNION ALL SELECT ARRAY['bcd']
SELECT ROW('a', 1) UNION ALL SELECT ROW('bcd', BIGINT '1')
SELECT CAST(ROW('a', 1) AS row(x varchar(3), y integer)) UNION ALL SELECT ROW('bcdef', 1)
SELECT CAST(ROW('a', 1) AS row(x varchar(3), y integer)).x
SELECT r.x FROM (SELECT CAST(ROW('a', 1) AS row(x varchar(3), y integer)) AS r) t
WITH w AS (SELECT 'abc' AS x) SELECT x, upper(x) FROM w
WITH w(x) AS (SELECT 'abc') SELECT a.x, b.x FROM w a, w b
SELECT (SELECT max(x) FROM (VALUES 'a', 'bcd') t(x))
SELECT CASE x WHEN 1 THEN 'a' WHEN 2 THEN 'bcd' END FROM (VALUES 1) t(x)
SELECT CASE WHEN x = 1 THEN TIMESTAMP '2020-01-01 00:00:00' ELSE TIMESTAMP '2020-01-01 00:00:00.1234' END FROM (VALUES 1) t(x)
SELECT CASE WHEN x = 1 THEN DATE '2020-01-01' ELSE TIMESTAMP '2020-01-01 00:00:00.1234' END FROM (VALUES 1) t(x)
SELECT CASE WHEN x = 1 THEN 1 ELSE 1.5 END FROM (VALUES 1) t(x)
SELECT o_orderkey, o_orderstatus, o_clerk, o_comment FROM tpch.tiny.orders WHERE o_orderkey = 1
SELECT c_name, c_address, c_phone, c_mktsegment, c_comment FROM tpch.tiny.customer WHERE c_custkey = 1
SELECT l_returnflag, l_linestatus, l_shipinstruct, l_shipmode, l_comment FROM tpch.tiny.lineitem WHERE l_orderkey = 1
SELECT n_name, n_comment, r_name, r_comment FROM tpch.tiny.nation JOIN tpch.tiny.region ON n_regionkey = r_regionkey
SELECT p_name, p_mfgr, p_brand, p_type, p_container, p_comment FROM tpch.tiny.part WHERE p_partkey = 1
SELECT ps_comment FROM tpch.tiny.partsupp WHERE ps_partkey = 1
SELECT s_name, s_address, s_phone, s_comment FROM tpch.tiny.supplier WHERE s_suppkey = 1
SELECT n_name || '!', upper(n_name), substr(n_name, 1, 3), max(n_name) FROM tpch.tiny.nation GROUP BY n_name
SELECT coalesce(n_name, r_comment) FROM tpch.tiny.nation, tpch.tiny.region
SELECT x FROM UNNEST(ARRAY[TIMESTAMP '2020-01-01 00:00:00.1', TIMESTAMP '2020-01-01 00:00:00.1234']) t(x)
SELECT * FROM UNNEST(ARRAY['a', 'bcd'], ARRAY[1]) WITH ORDINALITY
SELECT min(x) OVER (), max(x) OVER (), lag(x) OVER (ORDER BY x), first_value(x) OVER () FROM (VALUES 'a', 'bcd') t(x)
SELECT array_agg(x), min_by(x, 1), approx_distinct(x) FROM (VALUES 'a', 'bcd') t(x)
SELECT 'a' AS b, 1 c, 'x' "D e", 2 + 2
SELECT t.* FROM (VALUES ('a', 1)) t
SELECT t.* FROM (VALUES ('a', 1)) t("X y", z)
SELECT current_date, current_timestamp, localtime, current_user
SELECT * FROM UNNEST(ARRAY[ROW('a', 1)], ARRAY[2]) WITH ORDINALITY
