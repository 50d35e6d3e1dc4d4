"""Statements whose answers depend on the session's time zone, or on the zones of values."""

ZONES = ["America/New_York", "Asia/Kolkata", "UTC", "+02:00", "Europe/London"]

# Around the changes of the clocks of New York and London, and before zones had rules.
LOCAL = [
    "2020-03-08 01:59:59.999",
    "2020-03-08 02:30:00",
    "2020-03-08 03:00:00.5",
    "2020-11-01 01:30:00",
    "2024-03-31 01:30:00.123456",
    "2024-10-27 01:30:00",
    "2024-07-01 00:00:00",
    "1883-11-18 12:02:00",
    "1969-12-31 23:59:59.9999",
    "0001-01-01 00:00:00",
    "9999-12-31 23:59:59.999",
]
ZONED = [
    "2020-03-08 07:30:00 UTC",
    "2020-03-08 06:59:59.999 UTC",
    "2024-10-27 00:30:00.123456 UTC",
    "2024-07-01 12:00:00 America/New_York",
    "2024-07-01 12:00 +05:30",
    "2024-07-01 12:00 -03:00",
    "1969-12-31 23:59:59.999999999 Europe/Berlin",
    "2024-07-01 12:00 Etc/GMT+5",
    "2024-07-01 12:00 GMT+3",
]
# Local times that their zones skip.
SKIPPED = [
    "2020-03-29 02:30:00 Europe/Berlin",
    "2020-03-08 02:30:00 America/New_York",
    "2011-12-30 10:00:00 Pacific/Apia",
    "2020-10-04 02:15:00 Australia/Lord_Howe",
]
UNITS = ["millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year"]


def statements():
    yield from [
        "SELECT current_timezone()",
        "SELECT typeof(current_timestamp), typeof(now()), typeof(localtimestamp), typeof(localtime), typeof(current_date)",
        "SELECT CAST(current_timestamp AS timestamp) = localtimestamp, CAST(current_timestamp AS date) = current_date",
        "SELECT CAST(current_timestamp AS time) = localtime, timezone(current_timestamp), timezone(now())",
        "SELECT date_diff('second', localtimestamp, current_timestamp)",
        "SELECT localtimestamp = current_timestamp",
        "SELECT CAST(current_date AS timestamp with time zone) <= current_timestamp",
    ]
    for text in LOCAL:
        stamp = f"TIMESTAMP '{text}'"
        yield f"SELECT CAST({stamp} AS timestamp with time zone)"
        yield f"SELECT CAST({stamp} AS timestamp(0) with time zone)"
        yield f"SELECT CAST({stamp} AS timestamp(6) with time zone)"
        yield f"SELECT CAST('{text}' AS timestamp with time zone)"
        yield f"SELECT TRY_CAST('{text}' AS timestamp(6) with time zone)"
        yield f"SELECT CAST(CAST({stamp} AS date) AS timestamp with time zone)"
        yield f"SELECT to_unixtime({stamp})"
        yield f"SELECT {stamp} AT TIME ZONE 'Asia/Tokyo'"
        yield f"SELECT at_timezone({stamp}, 'America/Los_Angeles')"
        yield f"SELECT with_timezone({stamp}, 'America/New_York')"
        yield f"SELECT with_timezone({stamp}, '+03:00')"
        yield f"SELECT {stamp} = TIMESTAMP '2020-03-08 07:30:00 UTC'"
        yield f"SELECT {stamp} < TIMESTAMP '2024-03-31 00:30:00 UTC'"
        yield f"SELECT date_add('hour', 1, {stamp}), date_trunc('day', {stamp}), {stamp} + INTERVAL '1' DAY"
        yield f"SELECT date_diff('hour', {stamp}, TIMESTAMP '2024-07-01 12:00:00 UTC')"
        yield f"SELECT date_diff('day', TIMESTAMP '2024-07-01 12:00:00 UTC', {stamp})"
        yield f"SELECT timezone_hour({stamp}), timezone_minute({stamp})"
        yield f"SELECT x, CAST(x AS timestamp with time zone) FROM (VALUES {stamp}, NULL) t(x)"
        yield f"SELECT CAST(x AS timestamp with time zone) FROM (VALUES '{text}', NULL) t(x)"
        yield f"SELECT TIMESTAMP '{text} America/New_York'"
        yield f"SELECT CAST(ARRAY[{stamp}] AS array(timestamp with time zone))"
        yield f"SELECT CAST(ROW({stamp}, 1) AS row(a timestamp with time zone, b bigint))"
        iso = text.replace(" ", "T")
        yield f"SELECT from_iso8601_timestamp('{iso}')"
        yield f"SELECT from_iso8601_timestamp('{iso}Z')"
        yield f"SELECT from_iso8601_timestamp('{iso}+05:30')"
        yield f"SELECT from_iso8601_timestamp_nanos('{iso}')"
        yield f"SELECT from_iso8601_timestamp_nanos('{iso}-03:00')"
        yield f"SELECT parse_datetime('{text[:19]}', 'yyyy-MM-dd HH:mm:ss')"
        yield f"SELECT parse_datetime('{text[:19]} +0100', 'yyyy-MM-dd HH:mm:ss Z')"
    for text in ZONED:
        stamp = f"TIMESTAMP '{text}'"
        yield f"SELECT {stamp}"
        yield f"SELECT CAST({stamp} AS varchar), CAST({stamp} AS date), CAST({stamp} AS timestamp), CAST({stamp} AS time)"
        yield f"SELECT CAST({stamp} AS timestamp(0) with time zone), CAST({stamp} AS timestamp(9))"
        yield f"SELECT CAST('{text}' AS timestamp with time zone), CAST('{text}' AS timestamp)"
        yield f"SELECT timezone({stamp}), timezone_hour({stamp}), timezone_minute({stamp}), to_unixtime({stamp})"
        yield f"SELECT {stamp} AT TIME ZONE 'Asia/Tokyo', {stamp} AT TIME ZONE '-02:30', {stamp} AT TIME ZONE INTERVAL '3' HOUR"
        yield f"SELECT year({stamp}), month({stamp}), day({stamp}), hour({stamp}), minute({stamp}), second({stamp})"
        yield f"SELECT week({stamp}), day_of_week({stamp}), day_of_year({stamp}), last_day_of_month({stamp}), date({stamp})"
        yield f"SELECT to_iso8601({stamp}), date_format({stamp}, '%Y-%m-%d %H:%i:%s')"
        yield f"SELECT format_datetime({stamp}, 'yyyy-MM-dd HH:mm:ss ZZ')"
        yield f"SELECT format('%s', {stamp})"
        yield f"SELECT {stamp} + INTERVAL '1' DAY, {stamp} - INTERVAL '1' MONTH, {stamp} + INTERVAL '90' MINUTE"
        yield f"SELECT coalesce({stamp}, TIMESTAMP '2020-01-01 00:00:00')"
        yield f"SELECT {stamp} - TIMESTAMP '2020-01-01 00:00:00 UTC'"
        for unit in UNITS:
            yield f"SELECT date_trunc('{unit}', {stamp})"
            yield f"SELECT date_add('{unit}', 3, {stamp})"
            yield f"SELECT date_diff('{unit}', {stamp}, TIMESTAMP '2024-12-24 18:00:00 Europe/Vienna')"
    for seconds in ["0", "1583652600", "1583652600.5", "-1e9", "1.7e9"]:
        yield f"SELECT from_unixtime({seconds})"
        yield f"SELECT from_unixtime({seconds}, 'Asia/Tokyo'), from_unixtime({seconds}, 5, 30), from_unixtime({seconds}, -3, 0)"
        yield f"SELECT CAST(from_unixtime({seconds}) AS date), CAST(from_unixtime({seconds}) AS varchar)"
        yield f"SELECT date_trunc('hour', from_unixtime({seconds})), hour(from_unixtime({seconds}))"
    yield "SELECT from_unixtime_nanos(1583652600123456789), from_unixtime_nanos(DECIMAL '1583652600123456789.5')"
    for text in SKIPPED:
        stamp = f"CAST('{text}' AS timestamp(3) with time zone)"
        yield f"SELECT {stamp}, hour({stamp}), day({stamp}), timezone_hour({stamp}), date_trunc('day', {stamp})"
        yield f"SELECT CAST({stamp} AS timestamp), CAST({stamp} AS date), CAST({stamp} AS varchar)"
        yield f"SELECT hour(x), date_format(x, '%H:%i') FROM (VALUES {stamp}) t(x)"
        yield f"SELECT day(TRY_CAST('{text}' AS timestamp with time zone)), TIMESTAMP '{text}'"
    yield "SELECT at_timezone(TIMESTAMP '2020-01-01 00:00 UTC', 'nope')"
    yield "SELECT TIMESTAMP '2020-01-01 00:00 UTC' AT TIME ZONE 'america/new_york'"
    yield "SELECT TIMESTAMP '2020-01-01 00:00 UTC' AT TIME ZONE INTERVAL '15' HOUR"
    yield "SELECT TIMESTAMP '2020-01-01 00:00 +15:00'"
    yield "SELECT count(*) FROM tpch.tiny.orders WHERE CAST(orderdate AS timestamp with time zone) < TIMESTAMP '1995-01-01 03:00 UTC'"
    yield "SELECT min(CAST(orderdate AS timestamp with time zone)) FROM tpch.tiny.orders"
    yield "SELECT date_trunc('year', CAST(orderdate AS timestamp with time zone)) y, count(*) FROM tpch.tiny.orders GROUP BY 1 ORDER BY 1"
    yield "SELECT count(*) FROM tpch.tiny.orders a JOIN (VALUES TIMESTAMP '1995-01-01 00:00 UTC') b(t) ON a.orderdate = b.t"


STATEMENTS = list(dict.fromkeys(statements()))
