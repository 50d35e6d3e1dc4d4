"""Statements of `time(p) with time zone`: literals, casts, comparison and order, arithmetic, functions."""

ZONES = ["UTC", "+02:00", "Asia/Kolkata"]

TIMES = ["10:00 +02:00", "08:00:00+00:00", "23:59:59.999 -03:30", "00:00:00.123456 +14:00", "12:34:56.123456789 -14:00"]
NONE = [
    "10:00 UTC", "10:00 Europe/Berlin", "10:00+2:00", "10:00 +02", "10:00 +0200", "10:00Z", "24:00 +00:00", "10:00 +14:01",
    "10:00 -15:00", " 10:00 +02:00", "10:00 +02:00 ", "10 +02:00", "10:00:60 +02:00", "",
]  # fmt: skip
OTHERS = [
    "boolean", "bigint", "double", "varchar", "char(20)", "varbinary", "date", "json", "uuid", "interval day to second",
    "time", "time(0)", "time(9)", "time(0) with time zone", "time(3) with time zone", "time(6) with time zone",
    "time(9) with time zone",
]  # fmt: skip
UNITS = ["millisecond", "second", "minute", "hour", "day", "month"]


def statements():
    for text in TIMES:
        time = f"TIME '{text}'"
        yield f"SELECT {time}, typeof({time})"
        yield f"SELECT CAST('{text}' AS time with time zone), TRY_CAST('{text}' AS time(6) with time zone)"
        yield f"SELECT CAST(' {text} ' AS time(0) with time zone)"
        yield f"SELECT hour({time}), minute({time}), second({time}), millisecond({time})"
        yield f"SELECT timezone_hour({time}), timezone_minute({time}), timezone({time})"
        yield f"SELECT extract(hour FROM {time}), extract(timezone_hour FROM {time})"
        yield f"SELECT {time} + INTERVAL '90' MINUTE, {time} - INTERVAL '13' HOUR, INTERVAL '1.5' SECOND + {time}"
        yield f"SELECT {time} + INTERVAL '1' MONTH"
        yield f"SELECT {time} AT TIME ZONE '-03:00', {time} AT TIME ZONE 'Asia/Tokyo', {time} AT TIME ZONE INTERVAL '5' HOUR"
        yield f"SELECT CAST({time} AS varchar), CAST({time} AS varchar(30)), format('%s', {time})"
        yield f"SELECT x, x AT TIME ZONE '+01:00', CAST(x AS time) FROM (VALUES {time}, NULL) t(x)"
        yield f"SELECT CAST(ARRAY[{time}] AS array(time)), ARRAY[{time}], ROW({time}, 1)"
        yield f"SELECT {time} = TIME '10:00', {time} < TIME '10:00'"
        yield f"SELECT coalesce({time}, TIME '10:00'), coalesce(NULL, {time}), nullif({time}, {time})"
        for unit in UNITS:
            yield f"SELECT date_trunc('{unit}', {time})"
            yield f"SELECT date_add('{unit}', 5, {time})"
            yield f"SELECT date_diff('{unit}', {time}, TIME '09:00 +01:00')"
        for other in TIMES:
            for operator in ["=", "<", ">=", "IS DISTINCT FROM", "-"]:
                yield f"SELECT {time} {operator} TIME '{other}'"
        for other in OTHERS:
            yield f"SELECT CAST({time} AS {other})"
            yield f"SELECT TRY_CAST({time} AS {other})"
            yield f"SELECT CAST(CAST(NULL AS time with time zone) AS {other})"
    for text in NONE:
        yield f"SELECT TIME '{text}'"
        yield f"SELECT CAST('{text}' AS time with time zone)"
        yield f"SELECT TRY_CAST(x AS time with time zone) IS NULL FROM (VALUES '{text}') t(x)"
    for text in ["10:00", "23:59:59.9999", "00:00"]:
        yield f"SELECT CAST(TIME '{text}' AS time with time zone), CAST(TIME '{text}' AS time(0) with time zone)"
        yield f"SELECT CAST('{text}' AS time with time zone), CAST('{text}' AS time(6) with time zone)"
        yield f"SELECT CAST(x AS time with time zone) FROM (VALUES '{text}', NULL) t(x)"
        yield f"SELECT CAST(x AS time with time zone) FROM (VALUES TIME '{text}', NULL) t(x)"
        yield f"SELECT CAST(TIMESTAMP '2020-07-01 {text}' AS time with time zone)"
        yield f"SELECT TIME '{text}' AT TIME ZONE '-03:00', TIME '{text}' AT TIME ZONE INTERVAL '3' HOUR"
        yield f"SELECT TIME '{text}' = TIME '{text} +02:00', TIME '{text}' - TIME '{text} +02:00'"
        yield f"SELECT date_diff('minute', TIME '{text}', TIME '{text} +02:00')"
    rows = ", ".join(f"TIME '{text}'" for text in ["10:00 +02:00", "23:00 +02:00", "01:00 +02:00", "00:30 +02:00"])
    yield f"SELECT x FROM (VALUES {rows}, NULL) t(x) ORDER BY x"
    yield f"SELECT x FROM (VALUES {rows}, NULL) t(x) ORDER BY x DESC NULLS FIRST"
    yield f"SELECT min(x), max(x), count(DISTINCT x), count(x) FROM (VALUES {rows}, NULL) t(x)"
    yield f"SELECT x, count(*) FROM (VALUES {rows}, {rows}) t(x) GROUP BY x ORDER BY x"
    yield f"SELECT DISTINCT x FROM (VALUES {rows}, {rows}) t(x) ORDER BY x"
    yield f"SELECT count(*) FROM (VALUES {rows}) a(x) JOIN (VALUES {rows}) b(x) ON a.x = b.x"
    yield f"SELECT x FROM (VALUES {rows}) t(x) WHERE x IN (TIME '08:00 +00:00', TIME '21:00 +00:00') ORDER BY x"
    yield f"SELECT x FROM (VALUES {rows}) t(x) WHERE x > TIME '08:30 +00:00' ORDER BY x"
    yield f"SELECT array_max(ARRAY[{rows}]), array_sort(ARRAY[{rows}]), greatest({rows}), least({rows})"
    yield "SELECT CAST(TIMESTAMP '2020-07-01 10:00 +03:00' AS time with time zone), CAST(TIMESTAMP '2020-07-01 10:00:00.999999 UTC' AS time(3) with time zone)"
    yield "SELECT CAST(TIMESTAMP '2020-07-01 10:00 Europe/Berlin' AS time with time zone) = TIME '08:00 +00:00'"
    yield "SELECT CAST(DATE '2020-07-01' AS time with time zone)"
    yield "SELECT typeof(current_time), typeof(current_time(0)), typeof(current_time(6)), current_time = current_time"
    yield "SELECT CAST(current_time AS time) = localtime, timezone(current_time) = timezone(CAST(TIME '10:00' AS time with time zone))"
    yield "SELECT current_time(13)"
    yield "SELECT TIME '10:00 +02:00' || 'a'"
    yield "SELECT at_timezone(TIME '10:00 +02:00', '+01:00')"
    yield "SELECT to_iso8601(TIME '10:00 +02:00')"
    yield "SELECT date_format(TIME '10:00 +02:00', '%H')"
    yield "SELECT extract(day FROM TIME '10:00 +02:00')"
    yield "SELECT TIME '10:00 +02:00' AT TIME ZONE 'nope'"
    yield "SELECT TIME '10:00 +02:00' = TIMESTAMP '2020-01-01 10:00 +02:00'"
    yield "SELECT TIME '10:00 +02:00' = '10:00 +02:00'"
    yield "SELECT CAST('10:00' AS time(13) with time zone)"
    yield "SELECT sum(TIME '10:00 +02:00')"


STATEMENTS = list(dict.fromkeys(statements()))
