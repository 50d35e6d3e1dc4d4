"""Local times of columns whose values have several time zones (D159), through each kind of subquery, join and set operation."""

ZONES = ["UTC", "Europe/Berlin", "America/New_York"]

ISO = "(VALUES ('2020-01-01T01:30:00+05:00', 1), ('2020-06-30T23:15:00Z', 2), ('2021-03-28T02:30:00-08:00', 3), (NULL, 4), ('2020-02-29T12:00:00.123', 5)) t(c, i)"
NAMED = "(VALUES ('2020-01-01 01:30:00 Europe/Berlin', 1), ('2020-06-30 23:15:00 Asia/Kathmandu', 2), ('2021-10-31 02:30:00 America/New_York', 3), (NULL, 4), ('2020-02-29 12:00:00', 5)) t(c, i)"
READ = "(VALUES ('2020-01-01 01:30 +0500', 1), ('2020-06-30 23:15 -0300', 2)) t(c, i)"

SOURCES = [
    f"(SELECT from_iso8601_timestamp(c) x, i FROM {ISO}) s",
    f"(SELECT CAST(c AS timestamp(3) with time zone) x, i FROM {NAMED}) s",
    f"(SELECT TRY_CAST(c AS timestamp(0) with time zone) x, i FROM {NAMED}) s",
    f"(SELECT parse_datetime(c, 'yyyy-MM-dd HH:mm Z') x, i FROM {READ}) s",
    f"(SELECT coalesce(from_iso8601_timestamp(c), TIMESTAMP '2020-01-01 23:30:00 -03:00') x, i FROM {ISO}) s",
    f"(SELECT CASE WHEN i < 3 THEN from_iso8601_timestamp(c) ELSE TIMESTAMP '2020-06-30 23:30:00 Asia/Tokyo' END x, i FROM {ISO}) s",
    "(VALUES (TIMESTAMP '2020-01-01 01:30:00 +05:00', 1), (TIMESTAMP '2020-06-30 23:15:00 America/New_York', 2), (NULL, 3), (DATE '2020-02-29', 4)) s(x, i)",
    f"(SELECT from_iso8601_timestamp(c) x, i FROM {ISO} UNION ALL SELECT CAST(c AS timestamp(3) with time zone), i + 10 FROM {NAMED} UNION ALL SELECT TIMESTAMP '2020-01-01 00:00:00 Asia/Tokyo', 20) s",
]

USES = [
    "hour(x)",
    "CAST(x AS date)",
    "CAST(x AS timestamp(3))",
    "CAST(x AS time(0))",
    "date(x)",
    "EXTRACT(DAY FROM x)",
    "day_of_week(x)",
    "date_format(x, '%Y-%m-%d %H:%i')",
    "format_datetime(x, 'yyyy-MM-dd HH:mm')",
    "last_day_of_month(x)",
    "CAST(date_trunc('month', x) AS date)",
    "TRY(hour(x))",
    "transform(ARRAY[1], e -> hour(x) + e)",
]


def statements():
    for source in SOURCES:
        for use in USES:
            yield f"SELECT i, {use} FROM {source} ORDER BY i"
        yield f"SELECT i FROM {source} WHERE hour(x) > 2 ORDER BY i"
        yield f"SELECT i FROM {source} ORDER BY hour(x), minute(x), i"
        yield f"SELECT CAST(x AS date), count(*) FROM {source} GROUP BY CAST(x AS date) ORDER BY 1"
        yield f"SELECT max(hour(x)), count(DISTINCT day(x)), count(*) FILTER (WHERE hour(x) > 2) FROM {source}"
        yield f"SELECT i, count(*) OVER (PARTITION BY day(x)), rank() OVER (ORDER BY hour(x)) FROM {source} ORDER BY i"
        yield f"SELECT i, hour(y) FROM (SELECT x AS y, i FROM {source} WHERE i > 1 ORDER BY i LIMIT 2) r ORDER BY i"
        yield f"SELECT i, hour(x), hour(lag(x) OVER (ORDER BY i)) IS NULL FROM {source} ORDER BY i"
        yield f"SELECT k, hour(x) FROM {source} RIGHT JOIN (VALUES 1, 3, 9) u(k) ON i = k ORDER BY k"
        yield f"SELECT k, hour(x) FROM (VALUES 1, 3, 9) u(k) FULL JOIN {source} ON i = k AND hour(x) < 20 ORDER BY k, i"
        yield f"SELECT i, e, hour(x) FROM {source} CROSS JOIN UNNEST(ARRAY[i, i + 1]) u(e) ORDER BY i, e"
        yield f"WITH w AS (SELECT x, i FROM {source}) SELECT a.i, hour(a.x), day(b.x) FROM w a JOIN w b ON a.i = b.i ORDER BY 1"
        yield f"SELECT i, hour(x) FROM {source} WHERE i IN (SELECT k FROM (VALUES 1, 2) u(k)) ORDER BY i"
        yield f"SELECT k, (SELECT max(hour(x)) FROM {source} WHERE i = k) FROM (VALUES 1, 2, 9) u(k) ORDER BY k"
        yield f"SELECT count(*) FROM {source} WHERE EXISTS (SELECT 1 FROM (VALUES 1, 2) u(k) WHERE hour(x) > k)"
        yield f"SELECT i, hour(x) FROM (SELECT x, i FROM {source} UNION ALL SELECT x, i + 50 FROM {source}) r ORDER BY i"
        yield f"SELECT hour(x) FROM {source} UNION SELECT day(x) FROM {source} ORDER BY 1"
        yield f"SELECT i, hour(CAST(x AS timestamp(6) with time zone)) FROM {source} ORDER BY i"
        yield f"SELECT hour(x) FROM (SELECT DISTINCT x FROM {source}) d ORDER BY 1"
        yield f"SELECT hour(max(x)), min(i) FROM {source}"
        yield f"SELECT i, timezone_hour(x) FROM {source} ORDER BY i"
        yield f"SELECT i, date_trunc('day', x) FROM {source} ORDER BY i"

    # Where the clock changes between a moment and the truncated or rounded one.
    changes = "(VALUES TIMESTAMP '2021-03-28 05:00:00 Asia/Beirut', TIMESTAMP '2018-11-04 14:30:00 America/Sao_Paulo') t(x)"
    for unit in ["hour", "day", "week", "month"]:
        yield f"SELECT CAST(date_trunc('{unit}', x) AS date) FROM {changes} ORDER BY 1"
        yield f"SELECT hour(date_trunc('{unit}', x)) FROM {changes} ORDER BY 1"
    rounded = "(VALUES TIMESTAMP '2021-03-28 01:59:59.6 Europe/Berlin', TIMESTAMP '2020-01-01 00:00:00.0 UTC') t(x)"
    yield f"SELECT hour(CAST(x AS timestamp(0) with time zone)) FROM {rounded} ORDER BY 1"
    yield f"SELECT hour(CAST(x AS timestamp(0))), minute(x) FROM {rounded} ORDER BY 1"
    # The merged column of USING has the left side's values.
    sides = "(VALUES TIMESTAMP '2020-01-01 12:00:00 +05:00') a(x) {} JOIN (VALUES TIMESTAMP '2020-01-01 07:00:00 UTC', TIMESTAMP '2020-01-01 08:00:00 UTC') b(x) USING (x)"
    for kind in ["INNER", "LEFT", "RIGHT", "FULL"]:
        yield f"SELECT hour(x) FROM {sides.format(kind)} ORDER BY 1"
        yield f"SELECT 1e0 / x FROM (VALUES -0e0) a(x) {kind} JOIN (VALUES 0e0) b(x) USING (x)"


STATEMENTS = list(dict.fromkeys(statements()))
