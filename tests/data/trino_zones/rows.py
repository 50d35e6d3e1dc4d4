"""Statements of values whose zone is another one in each row, around the changes of clocks: skipped and repeated hours, days that
begin at 1:00, changes of half an hour, and a day that a zone skipped."""

ZONES = ["America/New_York"]

MOMENTS = [
    # Sao Paulo: midnight is skipped, and repeated.
    ("2018-11-04 03:30:00", "America/Sao_Paulo"),
    ("2018-11-04 15:59:59.999", "America/Sao_Paulo"),
    ("2018-02-18 01:30:00", "America/Sao_Paulo"),
    ("2018-02-18 02:30:00", "America/Sao_Paulo"),
    ("2018-02-18 13:00:00", "America/Sao_Paulo"),
    # Lord Howe: half an hour.
    ("2023-10-01 15:10:00", "Australia/Lord_Howe"),
    ("2023-09-30 15:40:00", "Australia/Lord_Howe"),
    ("2024-04-06 14:45:00", "Australia/Lord_Howe"),
    ("2024-04-06 15:20:00", "Australia/Lord_Howe"),
    ("2024-03-31 00:59:59", "Europe/Berlin"),
    ("2024-03-31 01:10:00", "Europe/Berlin"),
    ("2024-10-27 00:30:00", "Europe/Berlin"),
    ("2024-10-27 01:30:00", "Europe/Berlin"),
    ("2024-10-27 02:30:00", "Europe/Berlin"),
    # Samoa skipped 30 December 2011.
    ("2011-12-30 09:59:00", "Pacific/Apia"),
    ("2011-12-30 10:01:00", "Pacific/Apia"),
    ("2012-01-01 12:00:00", "Pacific/Apia"),
    ("2024-02-29 20:15:30.123", "+05:45"),
    ("2024-02-29 20:15:30.123", "-00:30"),
    ("2024-12-31 23:59:59.999", "Z"),
    ("1969-12-31 23:59:59.500", "Asia/Kathmandu"),
]

ROWS = ", ".join(f"({number}, TIMESTAMP '{moment} UTC', '{zone}')" for number, (moment, zone) in enumerate(MOMENTS))
FROM = f"FROM (VALUES {ROWS}) AS t(n, x, z) ORDER BY n"

VALUES = ["at_timezone(x, z)", "with_timezone(CAST(x AS timestamp(3)), z)", "from_unixtime(to_unixtime(x), z)"]
UNITS = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"]

USES = [
    "CAST({} AS timestamp(3))",
    "CAST({} AS varchar)",
    "hour({})",
    "minute({})",
    "day({})",
    "date_format({}, '%Y-%m-%d %H:%i:%s')",
    "to_unixtime({})",
    "timezone_hour({})",
    "timezone_minute({})",
    "CAST({} AS time(3))",
    "{} < x",
]


def statements():
    for value in VALUES:
        for use in USES:
            yield use.format(value)
        yield f"CAST({value} AS varchar(100))"
        for unit in UNITS:
            truncated = f"date_trunc('{unit}', {value})"
            for use in USES[:3] + USES[6:8]:
                yield use.format(truncated)
            for amount in (1, -3):
                added = f"date_add('{unit}', {amount}, {value})"
                for use in (USES[0], USES[6]):
                    yield use.format(added)
            yield f"date_diff('{unit}', {value}, TIMESTAMP '2018-02-18 12:00:00 Asia/Tokyo')"
            yield f"date_diff('{unit}', TIMESTAMP '2011-12-31 12:00:00 America/Sao_Paulo', {value})"
            yield f"date_diff('{unit}', at_timezone(TIMESTAMP '2012-01-31 23:59:59 UTC', z), {value})"
    for first in ("day", "month", "hour"):
        for second in ("hour", "day", "year"):
            yield f"CAST(date_trunc('{first}', date_trunc('{second}', at_timezone(x, z))) AS varchar)"
            yield f"CAST(date_add('{first}', 1, date_trunc('{second}', at_timezone(x, z))) AS varchar)"
            yield f"CAST(date_trunc('{first}', date_add('{second}', 1, at_timezone(x, z))) AS varchar)"
    yield "date_trunc('day', at_timezone(x, z)) = at_timezone(date_trunc('day', x), z)"
    yield "CAST(date_add('day', n, at_timezone(x, z)) AS varchar)"
    yield "CAST(date_trunc(IF(n % 2 = 0, 'day', 'hour'), at_timezone(x, z)) AS varchar)"
    yield "CAST(at_timezone(x, NULLIF(z, 'Europe/Berlin')) AS varchar)"
    # Found by a review: NULL as the zone of the second, more digits, units of other types.
    null = "at_timezone(x, NULLIF(z, 'Europe/Berlin'))"
    for unit in ("hour", "day"):
        yield f"date_diff('{unit}', x, {null})"
        yield f"date_diff('{unit}', {null}, {null})"
        yield f"TRY(date_diff('{unit}', x, at_timezone(x, z || '?')))"
    digits = "at_timezone(CAST(x AS timestamp(6) with time zone) + INTERVAL '0.9996' SECOND, z)"
    for unit in UNITS:
        yield f"date_diff('{unit}', {digits}, TIMESTAMP '2018-02-18 12:00:00.000001 Asia/Tokyo')"
        yield f"CAST(date_trunc('{unit}', {digits}) AS varchar)"
        yield f"CAST(date_add('{unit}', 5, {digits}) AS varchar)"
    yield f"date_format({digits}, '%Y-%m-%d %H:%i:%s.%f')"
    yield f"format_datetime({digits}, 'yyyy-MM-dd HH:mm:ss.SSS')"
    yield f"CAST({digits} AS varchar)"


STATEMENTS = [f"SELECT {expression} {FROM}" for expression in statements()] + [
    "SELECT date_trunc(CAST('month' AS char(5)), at_timezone(x, z)) = x " + FROM,
    "SELECT date_diff(CAST('month' AS char(5)), x, at_timezone(x, z)) " + FROM,
    "SELECT date_diff('day', x, at_timezone(x, z || '?')) " + FROM,
    "SELECT date_diff('day', from_iso8601_timestamp('2024-03-01T23:30:00+12:00'), at_timezone(x, z)) " + FROM,
    "SELECT date_diff('day', from_iso8601_timestamp(y), at_timezone(x, z)) FROM (SELECT *, '2024-03-01T23:30:00+12:00' AS y " + FROM + ") s",
    "SELECT date_diff('day', IF(n % 2 = 0, x, TIMESTAMP '2024-03-01 12:30:00 Europe/Berlin'), at_timezone(x, z)) " + FROM,
    "SELECT date_trunc('days', at_timezone(x, z)) IS NULL " + FROM,
    "SELECT CAST(at_timezone(x, z || '?') AS varchar) " + FROM,
    "SELECT date_add('day', 3000000000, at_timezone(x, z)) IS NULL " + FROM,
]
