"""Moments after 2099, stars after USING, keys and elements with NULL inside, blank JSON, decimals that have no room in a common type, and
errors of several clauses."""

FAR_MOMENTS = r"""
SELECT x, year(x), quarter(x), month(x), week(x), day(x), day_of_week(x), day_of_year(x), year_of_week(x), hour(x), minute(x), second(x), millisecond(x), last_day_of_month(x), timezone_hour(x), timezone_minute(x), date(x), to_unixtime(x) FROM UNNEST(ARRAY[TIMESTAMP '2099-12-31 00:30:00 Europe/Berlin',TIMESTAMP '2100-01-01 00:30:00 Europe/Berlin',TIMESTAMP '2100-07-01 00:30:00 Europe/Berlin',TIMESTAMP '2500-03-31 00:30:00 Europe/Berlin',TIMESTAMP '2500-06-30 00:30:00 Europe/Berlin',TIMESTAMP '4000-10-10 00:30:00 Europe/Berlin',TIMESTAMP '9999-07-31 00:30:00 Europe/Berlin',TIMESTAMP '1800-07-01 00:30:00 Europe/Berlin',TIMESTAMP '1900-01-01 00:30:00 Europe/Berlin',TIMESTAMP '1850-12-31 00:30:00 Europe/Berlin']) t(x)
SELECT x, date_trunc('hour',x), date_add('hour',7,x), date_diff('hour',x,TIMESTAMP '2150-08-01 00:00:00 Europe/Berlin'), date_trunc('day',x), date_add('day',7,x), date_diff('day',x,TIMESTAMP '2150-08-01 00:00:00 Europe/Berlin'), date_trunc('week',x), date_add('week',7,x), date_diff('week',x,TIMESTAMP '2150-08-01 00:00:00 Europe/Berlin'), date_trunc('month',x), date_add('month',7,x), date_diff('month',x,TIMESTAMP '2150-08-01 00:00:00 Europe/Berlin'), date_trunc('quarter',x), date_add('quarter',7,x), date_diff('quarter',x,TIMESTAMP '2150-08-01 00:00:00 Europe/Berlin'), date_trunc('year',x), date_add('year',7,x), date_diff('year',x,TIMESTAMP '2150-08-01 00:00:00 Europe/Berlin'), date_trunc('minute',x), date_add('minute',7,x), date_diff('minute',x,TIMESTAMP '2150-08-01 00:00:00 Europe/Berlin') FROM UNNEST(ARRAY[TIMESTAMP '2099-12-31 00:30:00 Europe/Berlin',TIMESTAMP '2100-01-01 00:30:00 Europe/Berlin',TIMESTAMP '2100-07-01 00:30:00 Europe/Berlin',TIMESTAMP '2500-03-31 00:30:00 Europe/Berlin',TIMESTAMP '2500-06-30 00:30:00 Europe/Berlin',TIMESTAMP '4000-10-10 00:30:00 Europe/Berlin',TIMESTAMP '9999-07-31 00:30:00 Europe/Berlin',TIMESTAMP '1800-07-01 00:30:00 Europe/Berlin',TIMESTAMP '1900-01-01 00:30:00 Europe/Berlin',TIMESTAMP '1850-12-31 00:30:00 Europe/Berlin']) t(x)
SELECT x, CAST(x AS date), CAST(x AS timestamp(3)), CAST(x AS time(0)), CAST(x AS varchar), x AT TIME ZONE 'Europe/London', with_timezone(CAST(x AS timestamp(0)), 'Europe/Berlin'), with_timezone(CAST(x AS timestamp(0)), 'Europe/Berlin'), CAST(CAST(x AS timestamp) AS timestamp with time zone), x + INTERVAL '1' DAY, x - INTERVAL '1' MONTH, format_datetime(x, 'yyyy-MM-dd HH:mm ZZ'), date_format(x,'%Y-%m-%d %H:%i'), CAST(x AS timestamp) = x, x > DATE '2100-07-01', date(x), json_format(CAST(ARRAY[CAST(x AS timestamp)] AS json)) FROM UNNEST(ARRAY[TIMESTAMP '2099-12-31 00:30:00 Europe/Berlin',TIMESTAMP '2100-01-01 00:30:00 Europe/Berlin',TIMESTAMP '2100-07-01 00:30:00 Europe/Berlin',TIMESTAMP '2500-03-31 00:30:00 Europe/Berlin',TIMESTAMP '2500-06-30 00:30:00 Europe/Berlin',TIMESTAMP '4000-10-10 00:30:00 Europe/Berlin',TIMESTAMP '9999-07-31 00:30:00 Europe/Berlin',TIMESTAMP '1800-07-01 00:30:00 Europe/Berlin',TIMESTAMP '1900-01-01 00:30:00 Europe/Berlin',TIMESTAMP '1850-12-31 00:30:00 Europe/Berlin']) t(x)
SELECT x, CAST(x AS date), CAST(x AS timestamp(3)), CAST(x AS time(0)), CAST(x AS varchar), x AT TIME ZONE 'Europe/London', with_timezone(CAST(x AS timestamp(0)), 'America/New_York'), with_timezone(CAST(x AS timestamp(0)), 'Europe/Berlin'), CAST(CAST(x AS timestamp) AS timestamp with time zone), x + INTERVAL '1' DAY, x - INTERVAL '1' MONTH, format_datetime(x, 'yyyy-MM-dd HH:mm ZZ'), date_format(x,'%Y-%m-%d %H:%i'), CAST(x AS timestamp) = x, x > DATE '2100-07-01', date(x), json_format(CAST(ARRAY[CAST(x AS timestamp)] AS json)) FROM UNNEST(ARRAY[TIMESTAMP '2099-12-31 00:30:00 America/New_York',TIMESTAMP '2100-01-01 00:30:00 America/New_York',TIMESTAMP '2100-07-01 00:30:00 America/New_York',TIMESTAMP '2500-03-31 00:30:00 America/New_York',TIMESTAMP '2500-06-30 00:30:00 America/New_York',TIMESTAMP '4000-10-10 00:30:00 America/New_York',TIMESTAMP '9999-07-31 00:30:00 America/New_York',TIMESTAMP '1800-07-01 00:30:00 America/New_York',TIMESTAMP '1900-01-01 00:30:00 America/New_York',TIMESTAMP '1850-12-31 00:30:00 America/New_York']) t(x)
SELECT x, year(x), quarter(x), month(x), week(x), day(x), day_of_week(x), day_of_year(x), year_of_week(x), hour(x), minute(x), second(x), millisecond(x), last_day_of_month(x), timezone_hour(x), timezone_minute(x), date(x), to_unixtime(x) FROM UNNEST(ARRAY[TIMESTAMP '2099-12-31 00:30:00 Australia/Lord_Howe',TIMESTAMP '2100-01-01 00:30:00 Australia/Lord_Howe',TIMESTAMP '2100-07-01 00:30:00 Australia/Lord_Howe',TIMESTAMP '2500-03-31 00:30:00 Australia/Lord_Howe',TIMESTAMP '2500-06-30 00:30:00 Australia/Lord_Howe',TIMESTAMP '4000-10-10 00:30:00 Australia/Lord_Howe',TIMESTAMP '9999-07-31 00:30:00 Australia/Lord_Howe',TIMESTAMP '1800-07-01 00:30:00 Australia/Lord_Howe',TIMESTAMP '1900-01-01 00:30:00 Australia/Lord_Howe',TIMESTAMP '1850-12-31 00:30:00 Australia/Lord_Howe']) t(x)
SELECT x, date_trunc('hour',x), date_add('hour',7,x), date_diff('hour',x,TIMESTAMP '2150-08-01 00:00:00 Australia/Lord_Howe'), date_trunc('day',x), date_add('day',7,x), date_diff('day',x,TIMESTAMP '2150-08-01 00:00:00 Australia/Lord_Howe'), date_trunc('week',x), date_add('week',7,x), date_diff('week',x,TIMESTAMP '2150-08-01 00:00:00 Australia/Lord_Howe'), date_trunc('month',x), date_add('month',7,x), date_diff('month',x,TIMESTAMP '2150-08-01 00:00:00 Australia/Lord_Howe'), date_trunc('quarter',x), date_add('quarter',7,x), date_diff('quarter',x,TIMESTAMP '2150-08-01 00:00:00 Australia/Lord_Howe'), date_trunc('year',x), date_add('year',7,x), date_diff('year',x,TIMESTAMP '2150-08-01 00:00:00 Australia/Lord_Howe'), date_trunc('minute',x), date_add('minute',7,x), date_diff('minute',x,TIMESTAMP '2150-08-01 00:00:00 Australia/Lord_Howe') FROM UNNEST(ARRAY[TIMESTAMP '2099-12-31 00:30:00 Australia/Lord_Howe',TIMESTAMP '2100-01-01 00:30:00 Australia/Lord_Howe',TIMESTAMP '2100-07-01 00:30:00 Australia/Lord_Howe',TIMESTAMP '2500-03-31 00:30:00 Australia/Lord_Howe',TIMESTAMP '2500-06-30 00:30:00 Australia/Lord_Howe',TIMESTAMP '4000-10-10 00:30:00 Australia/Lord_Howe',TIMESTAMP '9999-07-31 00:30:00 Australia/Lord_Howe',TIMESTAMP '1800-07-01 00:30:00 Australia/Lord_Howe',TIMESTAMP '1900-01-01 00:30:00 Australia/Lord_Howe',TIMESTAMP '1850-12-31 00:30:00 Australia/Lord_Howe']) t(x)
SELECT x, CAST(x AS date), CAST(x AS timestamp(3)), CAST(x AS time(0)), CAST(x AS varchar), x AT TIME ZONE 'Europe/London', with_timezone(CAST(x AS timestamp(0)), 'Australia/Lord_Howe'), with_timezone(CAST(x AS timestamp(0)), 'Europe/Berlin'), CAST(CAST(x AS timestamp) AS timestamp with time zone), x + INTERVAL '1' DAY, x - INTERVAL '1' MONTH, format_datetime(x, 'yyyy-MM-dd HH:mm ZZ'), date_format(x,'%Y-%m-%d %H:%i'), CAST(x AS timestamp) = x, x > DATE '2100-07-01', date(x), json_format(CAST(ARRAY[CAST(x AS timestamp)] AS json)) FROM UNNEST(ARRAY[TIMESTAMP '2099-12-31 00:30:00 Australia/Lord_Howe',TIMESTAMP '2100-01-01 00:30:00 Australia/Lord_Howe',TIMESTAMP '2100-07-01 00:30:00 Australia/Lord_Howe',TIMESTAMP '2500-03-31 00:30:00 Australia/Lord_Howe',TIMESTAMP '2500-06-30 00:30:00 Australia/Lord_Howe',TIMESTAMP '4000-10-10 00:30:00 Australia/Lord_Howe',TIMESTAMP '9999-07-31 00:30:00 Australia/Lord_Howe',TIMESTAMP '1800-07-01 00:30:00 Australia/Lord_Howe',TIMESTAMP '1900-01-01 00:30:00 Australia/Lord_Howe',TIMESTAMP '1850-12-31 00:30:00 Australia/Lord_Howe']) t(x)
SELECT x, year(x), quarter(x), month(x), week(x), day(x), day_of_week(x), day_of_year(x), year_of_week(x), hour(x), minute(x), second(x), millisecond(x), last_day_of_month(x), timezone_hour(x), timezone_minute(x), date(x), to_unixtime(x) FROM UNNEST(ARRAY[TIMESTAMP '2099-12-31 00:30:00 Africa/Casablanca',TIMESTAMP '2100-01-01 00:30:00 Africa/Casablanca',TIMESTAMP '2100-07-01 00:30:00 Africa/Casablanca',TIMESTAMP '2500-03-31 00:30:00 Africa/Casablanca',TIMESTAMP '2500-06-30 00:30:00 Africa/Casablanca',TIMESTAMP '4000-10-10 00:30:00 Africa/Casablanca',TIMESTAMP '9999-07-31 00:30:00 Africa/Casablanca',TIMESTAMP '1800-07-01 00:30:00 Africa/Casablanca',TIMESTAMP '1900-01-01 00:30:00 Africa/Casablanca',TIMESTAMP '1850-12-31 00:30:00 Africa/Casablanca']) t(x)
SELECT x, date_trunc('hour',x), date_add('hour',7,x), date_diff('hour',x,TIMESTAMP '2150-08-01 00:00:00 Africa/Casablanca'), date_trunc('day',x), date_add('day',7,x), date_diff('day',x,TIMESTAMP '2150-08-01 00:00:00 Africa/Casablanca'), date_trunc('week',x), date_add('week',7,x), date_diff('week',x,TIMESTAMP '2150-08-01 00:00:00 Africa/Casablanca'), date_trunc('month',x), date_add('month',7,x), date_diff('month',x,TIMESTAMP '2150-08-01 00:00:00 Africa/Casablanca'), date_trunc('quarter',x), date_add('quarter',7,x), date_diff('quarter',x,TIMESTAMP '2150-08-01 00:00:00 Africa/Casablanca'), date_trunc('year',x), date_add('year',7,x), date_diff('year',x,TIMESTAMP '2150-08-01 00:00:00 Africa/Casablanca'), date_trunc('minute',x), date_add('minute',7,x), date_diff('minute',x,TIMESTAMP '2150-08-01 00:00:00 Africa/Casablanca') FROM UNNEST(ARRAY[TIMESTAMP '2099-12-31 00:30:00 Africa/Casablanca',TIMESTAMP '2100-01-01 00:30:00 Africa/Casablanca',TIMESTAMP '2100-07-01 00:30:00 Africa/Casablanca',TIMESTAMP '2500-03-31 00:30:00 Africa/Casablanca',TIMESTAMP '2500-06-30 00:30:00 Africa/Casablanca',TIMESTAMP '4000-10-10 00:30:00 Africa/Casablanca',TIMESTAMP '9999-07-31 00:30:00 Africa/Casablanca',TIMESTAMP '1800-07-01 00:30:00 Africa/Casablanca',TIMESTAMP '1900-01-01 00:30:00 Africa/Casablanca',TIMESTAMP '1850-12-31 00:30:00 Africa/Casablanca']) t(x)
SELECT x, CAST(x AS date), CAST(x AS timestamp(3)), CAST(x AS time(0)), CAST(x AS varchar), x AT TIME ZONE 'Europe/London', with_timezone(CAST(x AS timestamp(0)), 'Africa/Casablanca'), with_timezone(CAST(x AS timestamp(0)), 'Europe/Berlin'), CAST(CAST(x AS timestamp) AS timestamp with time zone), x + INTERVAL '1' DAY, x - INTERVAL '1' MONTH, format_datetime(x, 'yyyy-MM-dd HH:mm ZZ'), date_format(x,'%Y-%m-%d %H:%i'), CAST(x AS timestamp) = x, x > DATE '2100-07-01', date(x), json_format(CAST(ARRAY[CAST(x AS timestamp)] AS json)) FROM UNNEST(ARRAY[TIMESTAMP '2099-12-31 00:30:00 Africa/Casablanca',TIMESTAMP '2100-01-01 00:30:00 Africa/Casablanca',TIMESTAMP '2100-07-01 00:30:00 Africa/Casablanca',TIMESTAMP '2500-03-31 00:30:00 Africa/Casablanca',TIMESTAMP '2500-06-30 00:30:00 Africa/Casablanca',TIMESTAMP '4000-10-10 00:30:00 Africa/Casablanca',TIMESTAMP '9999-07-31 00:30:00 Africa/Casablanca',TIMESTAMP '1800-07-01 00:30:00 Africa/Casablanca',TIMESTAMP '1900-01-01 00:30:00 Africa/Casablanca',TIMESTAMP '1850-12-31 00:30:00 Africa/Casablanca']) t(x)
SELECT x, year(x), quarter(x), month(x), week(x), day(x), day_of_week(x), day_of_year(x), year_of_week(x), hour(x), minute(x), second(x), millisecond(x), last_day_of_month(x), timezone_hour(x), timezone_minute(x), date(x), to_unixtime(x) FROM UNNEST(ARRAY[TIMESTAMP '2099-12-31 00:30:00 America/Santiago',TIMESTAMP '2100-01-01 00:30:00 America/Santiago',TIMESTAMP '2100-07-01 00:30:00 America/Santiago',TIMESTAMP '2500-03-31 00:30:00 America/Santiago',TIMESTAMP '2500-06-30 00:30:00 America/Santiago',TIMESTAMP '4000-10-10 00:30:00 America/Santiago',TIMESTAMP '9999-07-31 00:30:00 America/Santiago',TIMESTAMP '1800-07-01 00:30:00 America/Santiago',TIMESTAMP '1900-01-01 00:30:00 America/Santiago',TIMESTAMP '1850-12-31 00:30:00 America/Santiago']) t(x)
SELECT x, date_trunc('hour',x), date_add('hour',7,x), date_diff('hour',x,TIMESTAMP '2150-08-01 00:00:00 America/Santiago'), date_trunc('day',x), date_add('day',7,x), date_diff('day',x,TIMESTAMP '2150-08-01 00:00:00 America/Santiago'), date_trunc('week',x), date_add('week',7,x), date_diff('week',x,TIMESTAMP '2150-08-01 00:00:00 America/Santiago'), date_trunc('month',x), date_add('month',7,x), date_diff('month',x,TIMESTAMP '2150-08-01 00:00:00 America/Santiago'), date_trunc('quarter',x), date_add('quarter',7,x), date_diff('quarter',x,TIMESTAMP '2150-08-01 00:00:00 America/Santiago'), date_trunc('year',x), date_add('year',7,x), date_diff('year',x,TIMESTAMP '2150-08-01 00:00:00 America/Santiago'), date_trunc('minute',x), date_add('minute',7,x), date_diff('minute',x,TIMESTAMP '2150-08-01 00:00:00 America/Santiago') FROM UNNEST(ARRAY[TIMESTAMP '2099-12-31 00:30:00 America/Santiago',TIMESTAMP '2100-01-01 00:30:00 America/Santiago',TIMESTAMP '2100-07-01 00:30:00 America/Santiago',TIMESTAMP '2500-03-31 00:30:00 America/Santiago',TIMESTAMP '2500-06-30 00:30:00 America/Santiago',TIMESTAMP '4000-10-10 00:30:00 America/Santiago',TIMESTAMP '9999-07-31 00:30:00 America/Santiago',TIMESTAMP '1800-07-01 00:30:00 America/Santiago',TIMESTAMP '1900-01-01 00:30:00 America/Santiago',TIMESTAMP '1850-12-31 00:30:00 America/Santiago']) t(x)
SELECT x, CAST(x AS date), CAST(x AS timestamp(3)), CAST(x AS time(0)), CAST(x AS varchar), x AT TIME ZONE 'Europe/London', with_timezone(CAST(x AS timestamp(0)), 'America/Santiago'), with_timezone(CAST(x AS timestamp(0)), 'Europe/Berlin'), CAST(CAST(x AS timestamp) AS timestamp with time zone), x + INTERVAL '1' DAY, x - INTERVAL '1' MONTH, format_datetime(x, 'yyyy-MM-dd HH:mm ZZ'), date_format(x,'%Y-%m-%d %H:%i'), CAST(x AS timestamp) = x, x > DATE '2100-07-01', date(x), json_format(CAST(ARRAY[CAST(x AS timestamp)] AS json)) FROM UNNEST(ARRAY[TIMESTAMP '2099-12-31 00:30:00 America/Santiago',TIMESTAMP '2100-01-01 00:30:00 America/Santiago',TIMESTAMP '2100-07-01 00:30:00 America/Santiago',TIMESTAMP '2500-03-31 00:30:00 America/Santiago',TIMESTAMP '2500-06-30 00:30:00 America/Santiago',TIMESTAMP '4000-10-10 00:30:00 America/Santiago',TIMESTAMP '9999-07-31 00:30:00 America/Santiago',TIMESTAMP '1800-07-01 00:30:00 America/Santiago',TIMESTAMP '1900-01-01 00:30:00 America/Santiago',TIMESTAMP '1850-12-31 00:30:00 America/Santiago']) t(x)
SELECT x, CAST(x AS date), CAST(x AS timestamp(3)), CAST(x AS time(0)), CAST(x AS varchar), x AT TIME ZONE 'Europe/London', with_timezone(CAST(x AS timestamp(0)), 'Asia/Jerusalem'), with_timezone(CAST(x AS timestamp(0)), 'Europe/Berlin'), CAST(CAST(x AS timestamp) AS timestamp with time zone), x + INTERVAL '1' DAY, x - INTERVAL '1' MONTH, format_datetime(x, 'yyyy-MM-dd HH:mm ZZ'), date_format(x,'%Y-%m-%d %H:%i'), CAST(x AS timestamp) = x, x > DATE '2100-07-01', date(x), json_format(CAST(ARRAY[CAST(x AS timestamp)] AS json)) FROM UNNEST(ARRAY[TIMESTAMP '2099-12-31 00:30:00 Asia/Jerusalem',TIMESTAMP '2100-01-01 00:30:00 Asia/Jerusalem',TIMESTAMP '2100-07-01 00:30:00 Asia/Jerusalem',TIMESTAMP '2500-03-31 00:30:00 Asia/Jerusalem',TIMESTAMP '2500-06-30 00:30:00 Asia/Jerusalem',TIMESTAMP '4000-10-10 00:30:00 Asia/Jerusalem',TIMESTAMP '9999-07-31 00:30:00 Asia/Jerusalem',TIMESTAMP '1800-07-01 00:30:00 Asia/Jerusalem',TIMESTAMP '1900-01-01 00:30:00 Asia/Jerusalem',TIMESTAMP '1850-12-31 00:30:00 Asia/Jerusalem']) t(x)
SELECT x, CAST(x AS date), CAST(x AS timestamp(3)), CAST(x AS time(0)), CAST(x AS varchar), x AT TIME ZONE 'Europe/London', with_timezone(CAST(x AS timestamp(0)), 'Asia/Gaza'), with_timezone(CAST(x AS timestamp(0)), 'Europe/Berlin'), CAST(CAST(x AS timestamp) AS timestamp with time zone), x + INTERVAL '1' DAY, x - INTERVAL '1' MONTH, format_datetime(x, 'yyyy-MM-dd HH:mm ZZ'), date_format(x,'%Y-%m-%d %H:%i'), CAST(x AS timestamp) = x, x > DATE '2100-07-01', date(x), json_format(CAST(ARRAY[CAST(x AS timestamp)] AS json)) FROM UNNEST(ARRAY[TIMESTAMP '2099-12-31 00:30:00 Asia/Gaza',TIMESTAMP '2100-01-01 00:30:00 Asia/Gaza',TIMESTAMP '2100-07-01 00:30:00 Asia/Gaza',TIMESTAMP '2500-03-31 00:30:00 Asia/Gaza',TIMESTAMP '2500-06-30 00:30:00 Asia/Gaza',TIMESTAMP '4000-10-10 00:30:00 Asia/Gaza',TIMESTAMP '9999-07-31 00:30:00 Asia/Gaza',TIMESTAMP '1800-07-01 00:30:00 Asia/Gaza',TIMESTAMP '1900-01-01 00:30:00 Asia/Gaza',TIMESTAMP '1850-12-31 00:30:00 Asia/Gaza']) t(x)
SELECT x, year(x), quarter(x), month(x), week(x), day(x), day_of_week(x), day_of_year(x), year_of_week(x), hour(x), minute(x), second(x), millisecond(x), last_day_of_month(x), timezone_hour(x), timezone_minute(x), date(x), to_unixtime(x) FROM UNNEST(ARRAY[TIMESTAMP '2099-12-31 00:30:00 Europe/Dublin',TIMESTAMP '2100-01-01 00:30:00 Europe/Dublin',TIMESTAMP '2100-07-01 00:30:00 Europe/Dublin',TIMESTAMP '2500-03-31 00:30:00 Europe/Dublin',TIMESTAMP '2500-06-30 00:30:00 Europe/Dublin',TIMESTAMP '4000-10-10 00:30:00 Europe/Dublin',TIMESTAMP '9999-07-31 00:30:00 Europe/Dublin',TIMESTAMP '1800-07-01 00:30:00 Europe/Dublin',TIMESTAMP '1900-01-01 00:30:00 Europe/Dublin',TIMESTAMP '1850-12-31 00:30:00 Europe/Dublin']) t(x)
SELECT x, date_trunc('hour',x), date_add('hour',7,x), date_diff('hour',x,TIMESTAMP '2150-08-01 00:00:00 Europe/Dublin'), date_trunc('day',x), date_add('day',7,x), date_diff('day',x,TIMESTAMP '2150-08-01 00:00:00 Europe/Dublin'), date_trunc('week',x), date_add('week',7,x), date_diff('week',x,TIMESTAMP '2150-08-01 00:00:00 Europe/Dublin'), date_trunc('month',x), date_add('month',7,x), date_diff('month',x,TIMESTAMP '2150-08-01 00:00:00 Europe/Dublin'), date_trunc('quarter',x), date_add('quarter',7,x), date_diff('quarter',x,TIMESTAMP '2150-08-01 00:00:00 Europe/Dublin'), date_trunc('year',x), date_add('year',7,x), date_diff('year',x,TIMESTAMP '2150-08-01 00:00:00 Europe/Dublin'), date_trunc('minute',x), date_add('minute',7,x), date_diff('minute',x,TIMESTAMP '2150-08-01 00:00:00 Europe/Dublin') FROM UNNEST(ARRAY[TIMESTAMP '2099-12-31 00:30:00 Europe/Dublin',TIMESTAMP '2100-01-01 00:30:00 Europe/Dublin',TIMESTAMP '2100-07-01 00:30:00 Europe/Dublin',TIMESTAMP '2500-03-31 00:30:00 Europe/Dublin',TIMESTAMP '2500-06-30 00:30:00 Europe/Dublin',TIMESTAMP '4000-10-10 00:30:00 Europe/Dublin',TIMESTAMP '9999-07-31 00:30:00 Europe/Dublin',TIMESTAMP '1800-07-01 00:30:00 Europe/Dublin',TIMESTAMP '1900-01-01 00:30:00 Europe/Dublin',TIMESTAMP '1850-12-31 00:30:00 Europe/Dublin']) t(x)
SELECT x, CAST(x AS date), CAST(x AS timestamp(3)), CAST(x AS time(0)), CAST(x AS varchar), x AT TIME ZONE 'Europe/London', with_timezone(CAST(x AS timestamp(0)), 'Europe/Dublin'), with_timezone(CAST(x AS timestamp(0)), 'Europe/Berlin'), CAST(CAST(x AS timestamp) AS timestamp with time zone), x + INTERVAL '1' DAY, x - INTERVAL '1' MONTH, format_datetime(x, 'yyyy-MM-dd HH:mm ZZ'), date_format(x,'%Y-%m-%d %H:%i'), CAST(x AS timestamp) = x, x > DATE '2100-07-01', date(x), json_format(CAST(ARRAY[CAST(x AS timestamp)] AS json)) FROM UNNEST(ARRAY[TIMESTAMP '2099-12-31 00:30:00 Europe/Dublin',TIMESTAMP '2100-01-01 00:30:00 Europe/Dublin',TIMESTAMP '2100-07-01 00:30:00 Europe/Dublin',TIMESTAMP '2500-03-31 00:30:00 Europe/Dublin',TIMESTAMP '2500-06-30 00:30:00 Europe/Dublin',TIMESTAMP '4000-10-10 00:30:00 Europe/Dublin',TIMESTAMP '9999-07-31 00:30:00 Europe/Dublin',TIMESTAMP '1800-07-01 00:30:00 Europe/Dublin',TIMESTAMP '1900-01-01 00:30:00 Europe/Dublin',TIMESTAMP '1850-12-31 00:30:00 Europe/Dublin']) t(x)
SELECT x, CAST(x AS date), CAST(x AS timestamp(3)), CAST(x AS time(0)), CAST(x AS varchar), x AT TIME ZONE 'Europe/London', with_timezone(CAST(x AS timestamp(0)), 'Pacific/Auckland'), with_timezone(CAST(x AS timestamp(0)), 'Europe/Berlin'), CAST(CAST(x AS timestamp) AS timestamp with time zone), x + INTERVAL '1' DAY, x - INTERVAL '1' MONTH, format_datetime(x, 'yyyy-MM-dd HH:mm ZZ'), date_format(x,'%Y-%m-%d %H:%i'), CAST(x AS timestamp) = x, x > DATE '2100-07-01', date(x), json_format(CAST(ARRAY[CAST(x AS timestamp)] AS json)) FROM UNNEST(ARRAY[TIMESTAMP '2099-12-31 00:30:00 Pacific/Auckland',TIMESTAMP '2100-01-01 00:30:00 Pacific/Auckland',TIMESTAMP '2100-07-01 00:30:00 Pacific/Auckland',TIMESTAMP '2500-03-31 00:30:00 Pacific/Auckland',TIMESTAMP '2500-06-30 00:30:00 Pacific/Auckland',TIMESTAMP '4000-10-10 00:30:00 Pacific/Auckland',TIMESTAMP '9999-07-31 00:30:00 Pacific/Auckland',TIMESTAMP '1800-07-01 00:30:00 Pacific/Auckland',TIMESTAMP '1900-01-01 00:30:00 Pacific/Auckland',TIMESTAMP '1850-12-31 00:30:00 Pacific/Auckland']) t(x)
SELECT x, CAST(x AS date), CAST(x AS timestamp(3)), CAST(x AS time(0)), CAST(x AS varchar), x AT TIME ZONE 'Europe/London', with_timezone(CAST(x AS timestamp(0)), 'Asia/Tehran'), with_timezone(CAST(x AS timestamp(0)), 'Europe/Berlin'), CAST(CAST(x AS timestamp) AS timestamp with time zone), x + INTERVAL '1' DAY, x - INTERVAL '1' MONTH, format_datetime(x, 'yyyy-MM-dd HH:mm ZZ'), date_format(x,'%Y-%m-%d %H:%i'), CAST(x AS timestamp) = x, x > DATE '2100-07-01', date(x), json_format(CAST(ARRAY[CAST(x AS timestamp)] AS json)) FROM UNNEST(ARRAY[TIMESTAMP '2099-12-31 00:30:00 Asia/Tehran',TIMESTAMP '2100-01-01 00:30:00 Asia/Tehran',TIMESTAMP '2100-07-01 00:30:00 Asia/Tehran',TIMESTAMP '2500-03-31 00:30:00 Asia/Tehran',TIMESTAMP '2500-06-30 00:30:00 Asia/Tehran',TIMESTAMP '4000-10-10 00:30:00 Asia/Tehran',TIMESTAMP '9999-07-31 00:30:00 Asia/Tehran',TIMESTAMP '1800-07-01 00:30:00 Asia/Tehran',TIMESTAMP '1900-01-01 00:30:00 Asia/Tehran',TIMESTAMP '1850-12-31 00:30:00 Asia/Tehran']) t(x)
SELECT x, CAST(x AS date), CAST(x AS timestamp(3)), CAST(x AS time(0)), CAST(x AS varchar), x AT TIME ZONE 'Europe/London', with_timezone(CAST(x AS timestamp(0)), 'America/Sao_Paulo'), with_timezone(CAST(x AS timestamp(0)), 'Europe/Berlin'), CAST(CAST(x AS timestamp) AS timestamp with time zone), x + INTERVAL '1' DAY, x - INTERVAL '1' MONTH, format_datetime(x, 'yyyy-MM-dd HH:mm ZZ'), date_format(x,'%Y-%m-%d %H:%i'), CAST(x AS timestamp) = x, x > DATE '2100-07-01', date(x), json_format(CAST(ARRAY[CAST(x AS timestamp)] AS json)) FROM UNNEST(ARRAY[TIMESTAMP '2099-12-31 00:30:00 America/Sao_Paulo',TIMESTAMP '2100-01-01 00:30:00 America/Sao_Paulo',TIMESTAMP '2100-07-01 00:30:00 America/Sao_Paulo',TIMESTAMP '2500-03-31 00:30:00 America/Sao_Paulo',TIMESTAMP '2500-06-30 00:30:00 America/Sao_Paulo',TIMESTAMP '4000-10-10 00:30:00 America/Sao_Paulo',TIMESTAMP '9999-07-31 00:30:00 America/Sao_Paulo',TIMESTAMP '1800-07-01 00:30:00 America/Sao_Paulo',TIMESTAMP '1900-01-01 00:30:00 America/Sao_Paulo',TIMESTAMP '1850-12-31 00:30:00 America/Sao_Paulo']) t(x)
"""

STARS = r"""
SELECT * FROM (VALUES 1) t(a) JOIN (VALUES 1) u(a) USING (A)
SELECT * FROM (VALUES 1) t(a) LEFT JOIN (VALUES 1) u(A) USING (A)
SELECT * FROM (VALUES 1) t(a) FULL JOIN (VALUES 1) u(A) USING (A)
SELECT a FROM (VALUES 1) t(a) JOIN (VALUES 1) u(a) USING (A)
SELECT t.* FROM (VALUES 1) t(a) JOIN (VALUES 1) u(a) USING (a)
SELECT t.*, u.* FROM (VALUES (1,2)) t(a,b) JOIN (VALUES 1) u(a) USING (a)
SELECT count(*) FROM (SELECT t.* FROM (VALUES (1,2)) t(a,b) JOIN (VALUES 1) u(a) USING (a)) x WHERE x.a = 1
SELECT v.* FROM (VALUES (1,2)) t(a,b) JOIN (VALUES (1,2)) u(a,b) USING (a, b) JOIN (VALUES (1,5)) v(a,c) USING (a)
SELECT t.* FROM (VALUES (1,2,3)) t(a,b,z) JOIN (VALUES (1,2)) u(a,b) USING (a) JOIN (VALUES (1,5)) v(z,c) ON v.z = a
SELECT * FROM TABLE(exclude_columns(TABLE(SELECT * FROM (VALUES (1,2,3)) t(a,b,z) JOIN (VALUES (1,2)) u(a,b) USING (a)), DESCRIPTOR(a)))
SELECT t.* AS ("p", Q) FROM (VALUES (1, 2)) t(a, b)
SELECT P, "q", "Q" FROM (SELECT t.* AS ("p", Q) FROM (VALUES (1, 2)) t(a, b))
SELECT * FROM (SELECT t.* AS (p, q) FROM (VALUES (1, 2)) t(a, b)) ORDER BY q
SELECT t.* AS (p, q) FROM (VALUES (1, 2)) t(a, b) ORDER BY p
SELECT * FROM TABLE(sequence(1, 3)) AS s("x")
SELECT X FROM TABLE(sequence(1, 3)) AS s(x)
SELECT * FROM TABLE(sequence(1, 3)) AS s(x) ORDER BY x
SELECT * FROM JSON_TABLE('[1]', 'lax $[*]' COLUMNS (a bigint PATH 'lax $')) AS t(x)
SELECT * FROM TABLE(exclude_columns(TABLE(SELECT 1 a, 2 b, 3 c), DESCRIPTOR(a))) AS t(x, y)
SELECT * FROM TABLE(exclude_columns(TABLE(SELECT 1 aB, 2 b, 3 c), DESCRIPTOR(b))) AS t
SELECT * FROM (VALUES 1) MATCH_RECOGNIZE (MEASURES 1 AS x PATTERN (A) DEFINE A AS true) AS m(y)
SELECT * FROM LATERAL (SELECT 1) t(xY)
SELECT * FROM (SELECT 1) t(xY)
WITH t(xY) AS (SELECT 1) SELECT * FROM t
SELECT * FROM (VALUES (1,2)) t(a,a)
SELECT t.b FROM (VALUES (1,2)) t(a,A)
SELECT * FROM (VALUES (1,2)) t(a)
WITH t(a,b) AS (VALUES (1,2)), u(b, B) AS (SELECT * FROM t) SELECT 1
SELECT x FROM UNNEST(ARRAY[1]) t(x) WHERE NOT EXISTS (SELECT 1 FROM UNNEST() u(y))
SELECT * FROM (VALUES 1) t(x), UNNEST(x)
SELECT * FROM (VALUES 1) t(x) LEFT JOIN UNNEST('a') ON true
SELECT *, t.* FROM (VALUES (1,2)) t(a,b) JOIN (VALUES (1,3)) u(a,c) USING (a)
SELECT u.*, t.* FROM (VALUES (1,2)) t(a,b) LEFT JOIN (VALUES (2,3)) u(a,c) USING (a)
SELECT u.*, t.* FROM (VALUES (1,2)) t(a,b) FULL JOIN (VALUES (2,3)) u(a,c) USING (a)
"""

KEYS = r"""
SELECT map_from_entries(ARRAY[(ROW(2,NULL),1)])
SELECT map_from_entries(ARRAY[(ROW(2,NULL),1),(ROW(2,NULL),3)])
SELECT map_from_entries(x) FROM UNNEST(ARRAY[ARRAY[(ROW(2,NULL),1),(ROW(2,NULL),3)]]) t(x)
SELECT map_from_entries(x) FROM UNNEST(ARRAY[ARRAY[(ROW(2,NULL),1),(ROW(3,NULL),3)]]) t(x)
SELECT map_from_entries(x) FROM UNNEST(ARRAY[ARRAY[(ARRAY[NULL],1),(ARRAY[1],3)]]) t(x)
SELECT multimap_from_entries(ARRAY[(ROW(2,NULL),1),(ROW(2,NULL),3)])
SELECT transform_keys(MAP(ARRAY[1],ARRAY[2]), (k,v)->ROW(k,NULL))
SELECT transform_keys(MAP(ARRAY[1,3],ARRAY[2,4]), (k,v)->ROW(1,NULL))
SELECT transform_keys(MAP(ARRAY[1,3],ARRAY[2,4]), (k,v)->1)
SELECT transform_keys(MAP(ARRAY[1,3],ARRAY[2,4]), (k,v)->NULL)
SELECT transform_keys(x, (k,v)->nan()) FROM UNNEST(ARRAY[MAP(ARRAY[1,3],ARRAY[2,4])]) t(x)
SELECT map_from_entries(ARRAY[(nan(),1),(nan(),3)])
SELECT map_agg(x,1) FROM UNNEST(ARRAY[nan(),nan(),0e0,-0e0]) t(x)
SELECT map_concat(map_from_entries(ARRAY[(ROW(2,NULL),1)]),map_from_entries(ARRAY[(ROW(2,NULL),5)]))
SELECT map_union(x) FROM UNNEST(ARRAY[map_from_entries(ARRAY[(ROW(2,NULL),1)]),map_from_entries(ARRAY[(ROW(2,NULL),5)])]) t(x)
SELECT map_filter(map_from_entries(ARRAY[(ROW(2,NULL),1)]), (k,v)->true)
SELECT transform_values(map_from_entries(ARRAY[(ROW(2,NULL),1)]), (k,v)->v+1)
SELECT map_keys(map_from_entries(ARRAY[(ROW(2,NULL),1)])), map_entries(map_from_entries(ARRAY[(ROW(2,NULL),1)])), element_at(map_from_entries(ARRAY[(ROW(2,NULL),1)]),ROW(2,NULL)), cardinality(map_from_entries(ARRAY[(ROW(2,NULL),1)]))
SELECT map_agg(ROW(x,NULL),1) FROM UNNEST(ARRAY[1,1,2]) t(x)
SELECT multimap_agg(ROW(x,NULL),1) FROM UNNEST(ARRAY[1,1,2]) t(x)
SELECT map_subset(MAP(ARRAY[1,2],ARRAY[3,4]),ARRAY[1,1,7])
SELECT map_from_entries(ARRAY[NULL,(1,2)])
SELECT map_from_entries(ARRAY[(NULL,2)])
SELECT map_from_entries(ARRAY[])
SELECT map_from_entries(ARRAY[(1,2,3)])
SELECT MAP(ARRAY[1,2],ARRAY[1])
SELECT MAP(), MAP(ARRAY[],ARRAY[])
SELECT MAP(ARRAY[1,1],ARRAY[1,2])
SELECT MAP(ARRAY[NULL],ARRAY[1])
SELECT MAP(ARRAY[1],ARRAY[2])[3]
SELECT MAP(ARRAY['a'],ARRAY[2])['b']
SELECT MAP(ARRAY[ROW(1,2)],ARRAY[2])[ROW(1,3)]
SELECT MAP(ARRAY[1],ARRAY[2])[NULL], element_at(MAP(ARRAY[1],ARRAY[2]),NULL)
SELECT map_concat(MAP(ARRAY[1],ARRAY[2]),MAP(ARRAY[1],ARRAY[3]),NULL)
SELECT map_concat(MAP(ARRAY[1],ARRAY[2]))
SELECT MAP(ARRAY[1],ARRAY[2]) = MAP(ARRAY[1],ARRAY[NULL]), MAP(ARRAY[1],ARRAY[2]) <> MAP(ARRAY[2],ARRAY[NULL]), MAP(ARRAY[1],ARRAY[NULL]) IS DISTINCT FROM MAP(ARRAY[1],ARRAY[NULL])
SELECT MAP(ARRAY[1],ARRAY[2]) < MAP(ARRAY[1],ARRAY[2])
SELECT ARRAY[1,2.5,3e0], typeof(ARRAY[1,2.5]), typeof(ARRAY[1,NULL]), typeof(ARRAY[]), typeof(ARRAY['a','bcd']), typeof(MAP(ARRAY['a'],ARRAY[1.5])), typeof(ROW(1,'a')), typeof(ARRAY[ROW(1),ROW(2.5)])
SELECT cardinality(NULL), cardinality(MAP()), cardinality(ARRAY[NULL])
"""

ELEMENTS = r"""
SELECT map(ARRAY[ROW(2,NULL)],ARRAY[1])
SELECT map(x,ARRAY[1]) FROM UNNEST(ARRAY[ARRAY[ROW(2,NULL)]]) t(x)
SELECT map(ARRAY[nan(),nan()],ARRAY[1,2])
SELECT map(ARRAY[0e0,-0e0],ARRAY[1,2])
SELECT histogram(ROW(x,NULL)) FROM UNNEST(ARRAY[1,1,2]) t(x)
SELECT ROW(1,NULL) = ROW(1,2), ROW(1,NULL) = ROW(2,2), ROW(1,NULL) <> ROW(2,2), ROW(1,2) = ROW(1,2.0), ROW(1,NULL) IS NULL, ROW(NULL,NULL) IS NULL, ROW(1,NULL) IS NOT NULL, ROW(1,2) IN (ROW(1,NULL),ROW(1,2)), ROW(1,2) IN (ROW(1,NULL)), ROW(1,2) NOT IN (ROW(3,NULL))
SELECT ROW(1,NULL) < ROW(2,2)
SELECT ROW(1,2) = ROW(1,2,3)
SELECT ROW(1,2) = ROW(1,'a')
SELECT ROW(1) < ROW('a')
SELECT ROW(1,2) BETWEEN ROW(1,1) AND ROW(1,3), ROW(1,2) > ROW(1,1)
SELECT ARRAY[1,NULL] = ARRAY[1,2], ARRAY[1,NULL] = ARRAY[2,NULL], ARRAY[1,NULL] = ARRAY[1], ARRAY[1,2] IN (ARRAY[1,NULL]), ARRAY[1,NULL] <> ARRAY[1,NULL]
SELECT contains(ARRAY[1,NULL],1), contains(ARRAY[1,NULL],2), contains(ARRAY[ROW(1,NULL)],ROW(1,2)), contains(NULL,1), contains(ARRAY[1],NULL)
SELECT contains(ARRAY[ROW(1,NULL)],ROW(1,NULL))
SELECT array_position(ARRAY[ROW(1,NULL)],ROW(1,NULL))
SELECT array_remove(ARRAY[ROW(1,NULL),ROW(1,2)],ROW(1,2))
SELECT array_intersect(ARRAY[ROW(1,NULL),NULL],ARRAY[ROW(1,NULL),NULL]), array_union(ARRAY[ROW(1,NULL)],ARRAY[ROW(1,NULL)]), array_except(ARRAY[ROW(1,NULL)],ARRAY[ROW(1,NULL)]), arrays_overlap(ARRAY[ROW(1,NULL)],ARRAY[ROW(1,NULL)]), array_distinct(ARRAY[ROW(1,NULL),ROW(1,NULL)])
SELECT arrays_overlap(ARRAY[1,NULL],ARRAY[2]), arrays_overlap(ARRAY[1,NULL],ARRAY[1]), arrays_overlap(ARRAY[],ARRAY[NULL]), arrays_overlap(ARRAY[NULL],ARRAY[NULL])
SELECT array_sort(ARRAY[3,1,2],(x,y)->IF(x<y,1,-1))
SELECT array_sort(ARRAY[3,1,2],(x,y)->NULL)
SELECT array_sort(ARRAY[3,1,2],(x,y)->5)
SELECT array_sort(ARRAY[3,1,2],(x,y)->IF(x<y,BIGINT '1',-1))
SELECT zip_with(ARRAY[1,2],ARRAY['a'],(x,y)->coalesce(y,'z')||CAST(x AS varchar)), zip_with(NULL,ARRAY[1],(x,y)->x), zip_with(ARRAY[],ARRAY[],(x,y)->x)
SELECT reduce(ARRAY[1,2],0,(s,x)->s+1.5,s->s)
SELECT reduce(ARRAY[2147483647],0,(s,x)->s+x+1,s->s)
SELECT reduce_agg(x,0,(a,b)->a+b,(a,b)->a+b) FROM UNNEST(ARRAY[1,2,NULL]) t(x)
SELECT reduce_agg(x,'',(a,b)->a||b,(a,b)->a||b) FROM UNNEST(ARRAY['a','b']) t(x)
SELECT ARRAY[1,2,3][0]
SELECT ARRAY[1,2,3][4]
SELECT ARRAY[1,2,3][-1]
SELECT x[i] FROM UNNEST(ARRAY[ARRAY[1,2]],ARRAY[BIGINT '3']) t(x,i)
SELECT ARRAY[1,2][1.5]
SELECT ARRAY[1,2]['a']
SELECT ARRAY[1,2][NULL]
SELECT element_at(ARRAY[1,2],0)
SELECT ROW(1,2)[3]
SELECT ROW(1,2)[0]
SELECT slice(ARRAY[1,2],0,1)
SELECT slice(ARRAY[1,2],1,-1)
SELECT trim_array(ARRAY[1,2],3)
SELECT trim_array(ARRAY[1,2],-1)
SELECT repeat(1,-1), repeat(NULL,2)
SELECT repeat(1,100000)
SELECT sequence(1,5,0)
SELECT sequence(5,1,1)
SELECT sequence(1,100000)
SELECT sequence(DATE '2020-01-31',DATE '2020-05-31',INTERVAL '1' MONTH), sequence(DATE '2020-01-03',DATE '2020-01-01'), sequence(TIMESTAMP '2020-01-01 00:00:00',TIMESTAMP '2020-01-01 02:00:00',INTERVAL '1' HOUR), sequence(3,1), sequence(1,10,4)
SELECT sequence(DATE '2020-01-31',DATE '2020-05-31',INTERVAL '1' HOUR)
SELECT combinations(ARRAY[1,2,3],4)
SELECT combinations(ARRAY[1,2,3],0), combinations(ARRAY[],1)
SELECT combinations(ARRAY[1,2,3],-1)
SELECT combinations(ARRAY[1,2,3],6)
SELECT ngrams(ARRAY['a','b'],5), ngrams(ARRAY[1,2,3],2)
SELECT ngrams(ARRAY['a','b'],0)
SELECT flatten(ARRAY[ARRAY[1],NULL,ARRAY[2]])
SELECT ARRAY[1] || 'a'
SELECT concat(ARRAY[1],2)
SELECT concat(ARRAY[1],ARRAY['a'])
SELECT ARRAY[1,'a']
SELECT array_max(ARRAY[1,NULL]), array_min(ARRAY[]), array_max(ARRAY[nan(),1e0]), array_min(ARRAY[nan(),1e0]), array_max(ARRAY['b','a'])
SELECT array_sum(ARRAY[1])
SELECT array_join(ARRAY[1,NULL,3],','), array_join(ARRAY[1.50,NULL],',','x'), array_join(ARRAY[true],','), array_join(ARRAY[DATE '2020-01-01'],','), array_join(ARRAY[1e0],',')
SELECT array_join(ARRAY[ARRAY[1]],',')
SELECT array_join(ARRAY[ROW(1)],',')
SELECT array_join(ARRAY[X'41'],',')
SELECT cardinality(1)
SELECT all_match(ARRAY[],x->false), any_match(ARRAY[],x->true), none_match(ARRAY[],x->true), all_match(ARRAY[NULL],x->x), any_match(ARRAY[NULL,true],x->x)
SELECT min_by(x,y,0) FROM (VALUES (1,1)) t(x,y)
SELECT max(x,-1) FROM (VALUES (1,1)) t(x,y)
SELECT map_union(x) FROM (VALUES MAP(ARRAY[1],ARRAY[2]),NULL,MAP(ARRAY[1,2],ARRAY[3,4])) t(x)
SELECT DISTINCT x FROM (VALUES ROW(1,NULL),ROW(1,NULL),ROW(NULL,NULL),NULL) t(x)
SELECT x, count(*) FROM UNNEST(ARRAY[MAP(ARRAY[1,2],ARRAY[3,NULL]),MAP(ARRAY[2,1],ARRAY[NULL,3])]) t(x) GROUP BY x
SELECT a.x FROM UNNEST(ARRAY[MAP(ARRAY[1,2],ARRAY[3,4])]) a(x) JOIN UNNEST(ARRAY[MAP(ARRAY[2,1],ARRAY[4,3])]) b(x) ON a.x=b.x
SELECT MAP(ARRAY[1],ARRAY[2]) IN (MAP(ARRAY[1],ARRAY[2])), count(DISTINCT x) FROM UNNEST(ARRAY[MAP(ARRAY[1],ARRAY[2])]) t(x) GROUP BY 1
SELECT x FROM UNNEST(ARRAY[MAP(ARRAY[1],ARRAY[2])]) t(x) ORDER BY x
SELECT max(x) FROM UNNEST(ARRAY[MAP(ARRAY[1],ARRAY[2])]) t(x)
"""

DECIMALS = r"""
SELECT x > 1.5 FROM UNNEST(ARRAY[DECIMAL '99999999999999999999999999999999999999', DECIMAL '1']) t(x)
SELECT x = 1.5 FROM UNNEST(ARRAY[DECIMAL '99999999999999999999999999999999999999', DECIMAL '1']) t(x)
SELECT x = 1.0, x < 1.0, x <> 1.0, x <> 1.5, x <= 1.5, x >= 0.5, x < -0.5, x BETWEEN 0.5 AND 1.5, x IN (1.0, 2.0), x IS DISTINCT FROM 1.5 FROM UNNEST(ARRAY[DECIMAL '1', NULL]) t(x)
SELECT x = 1.0 FROM UNNEST(ARRAY[DECIMAL '99999999999999999999999999999999999999', DECIMAL '1']) t(x)
SELECT 1.0 = x FROM UNNEST(ARRAY[DECIMAL '99999999999999999999999999999999999999', DECIMAL '1']) t(x)
SELECT x <> 1.5 FROM UNNEST(ARRAY[DECIMAL '99999999999999999999999999999999999999', DECIMAL '1', NULL]) t(x)
SELECT x IS DISTINCT FROM 1.5 FROM UNNEST(ARRAY[DECIMAL '99999999999999999999999999999999999999', DECIMAL '1', NULL]) t(x)
SELECT x IS DISTINCT FROM 1.0 FROM UNNEST(ARRAY[DECIMAL '99999999999999999999999999999999999999', DECIMAL '1', NULL]) t(x)
SELECT x IN (1.0, 2.0) FROM UNNEST(ARRAY[DECIMAL '99999999999999999999999999999999999999', DECIMAL '1']) t(x)
SELECT x BETWEEN 1.0 AND 2.0 FROM UNNEST(ARRAY[DECIMAL '99999999999999999999999999999999999999', DECIMAL '1']) t(x)
SELECT x < 0.5, x <= -0.5, x >= -1.5 FROM UNNEST(ARRAY[DECIMAL '99999999999999999999999999999999999999', DECIMAL '-99999999999999999999999999999999999999', DECIMAL '1']) t(x)
SELECT x = y FROM UNNEST(ARRAY[DECIMAL '99999999999999999999999999999999999999'], ARRAY[1.5]) t(x,y)
SELECT CAST(x AS decimal(38,1)) > 1.5 FROM UNNEST(ARRAY[DECIMAL '99999999999999999999999999999999999999', DECIMAL '1']) t(x)
SELECT x > 1234567890123456789012345678901234567.5 FROM UNNEST(ARRAY[DECIMAL '99999999999999999999999999999999999999', DECIMAL '1']) t(x)
SELECT nullif(x,1.5) FROM UNNEST(ARRAY[DECIMAL '99999999999999999999999999999999999999', DECIMAL '1']) t(x)
SELECT CASE x WHEN 1.5 THEN 'a' ELSE 'b' END FROM UNNEST(ARRAY[DECIMAL '99999999999999999999999999999999999999', DECIMAL '1']) t(x)
SELECT x*1 > 1.5 FROM UNNEST(ARRAY[DECIMAL '99999999999999999999999999999999999999', DECIMAL '1']) t(x)
"""

BLANK_JSON = r"""
SELECT x, json_exists(x, 'lax $'), json_exists(x, 'strict $.a' UNKNOWN ON ERROR), json_query(x, 'lax $' WITH WRAPPER), json_query(x, 'lax $.a'), json_exists(x, 'lax $ ? (@ == null)'), json_exists(x, 'lax $ ? (@ <> 1)'), json_exists(x, 'lax $ ? ((@ > 1) is unknown)'), json_exists(x, 'lax $ ? (exists(@.a))') FROM UNNEST(ARRAY['', '  ', 'null', '0', '{}', NULL]) t(x)
SELECT x, json_value(x, 'lax $' DEFAULT 'empty' ON EMPTY DEFAULT 'error' ON ERROR), json_value(x, 'lax $.a' DEFAULT 'empty' ON EMPTY DEFAULT 'error' ON ERROR), json_value(x, 'lax $[*]' RETURNING bigint DEFAULT -1 ON EMPTY DEFAULT -2 ON ERROR) FROM UNNEST(ARRAY['', '  ', 'null', '0', '{}', NULL]) t(x)
SELECT json_value(x, 'lax $' ERROR ON ERROR) FROM UNNEST(ARRAY['']) t(x)
SELECT json_query(x, 'lax $.size()'), json_query(x, 'lax $[0]'), json_query(x, 'strict $[0]') FROM UNNEST(ARRAY['']) t(x)
SELECT json_array('' FORMAT JSON), json_object('a' : ' ' FORMAT JSON)
SELECT * FROM JSON_TABLE('', 'lax $' COLUMNS (a bigint PATH 'lax $' DEFAULT -1 ON EMPTY DEFAULT -2 ON ERROR))
"""

OTHERS = r"""
SELECT format('%.2s|%.1s|%5s|%-5.3s|', s, s, s, s) FROM UNNEST(ARRAY['😀x', 'x😀', 'abc', '']) t(s)
SELECT from_utf8(X'41', -1)
SELECT from_utf8(X'FF41', 65)
SELECT from_utf8(X'41', 55296)
SELECT to_iso8601(TIMESTAMP '1800-01-01 00:00:00 Europe/Paris')
SELECT to_iso8601(TIMESTAMP '1800-01-01 00:00:00.123456 America/New_York')
SELECT to_iso8601(TIMESTAMP '1950-01-01 00:00:00 Europe/Paris'), to_iso8601(TIMESTAMP '2100-07-01 00:00:00 Europe/Paris')
SELECT ARRAY[1, 'a']
SELECT ARRAY[1, 2.5, NULL, 'a']
SELECT ARRAY[DATE '2020-01-01', 5]
SELECT ARRAY[1, 2][1.5]
SELECT ARRAY[1, 2]['a']
SELECT MAP(ARRAY['a'], ARRAY[1])[2]
SELECT x FROM (VALUES 1) t(x) WHERE rank() OVER (ORDER BY x) = 1
SELECT x FROM (VALUES 1) t(x) GROUP BY rank() OVER (ORDER BY x)
SELECT * FROM (VALUES 1) t(x) JOIN (VALUES 1) u(y) ON rank() OVER (ORDER BY x) = y
SELECT sum(rank() OVER (ORDER BY x)) FROM (VALUES 1) t(x)
SELECT x FROM (VALUES 1) t(x) GROUP BY x HAVING rank() OVER (ORDER BY x) = 1
SELECT * FROM UNNEST(1)
SELECT * FROM UNNEST(NULL)
SELECT * FROM UNNEST()
SELECT * FROM (VALUES 1) t(a) JOIN (VALUES 1) u(a) USING (a, a)
SELECT * FROM (VALUES 1) t(a) JOIN (VALUES 1) u(a) USING (a, A)
WITH t(a, a) AS (SELECT 1, 2) SELECT * FROM t
WITH t(a, b, A) AS (SELECT 1, 2, 3) SELECT 1
WITH RECURSIVE t(n, n) AS (SELECT 1, 2 UNION ALL SELECT n + 1, 3 FROM t WHERE n < 5) SELECT 1
"""


def statements():
    for part in (FAR_MOMENTS, STARS, KEYS, ELEMENTS, DECIMALS, BLANK_JSON, OTHERS):
        yield from part.strip().splitlines()
