"""Dates, times, timestamps and intervals: every unit and part of every type, ends of months, changes of clocks."""

from suite import Suite, quoted

UNITS = ["millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year"]
NO_UNITS = ["microsecond", "decade", "century", "", "days", "HOUR", "Month", "timezone_hour", "day_of_week"]

DATES = [
    "2024-02-29", "2024-01-31", "2024-03-31", "2023-12-31", "2020-12-31", "2021-01-03", "2021-01-04", "1970-01-01",
    "1969-12-31", "1900-02-28", "1582-10-15", "1582-10-04", "0001-01-01", "9999-12-31",
]
TIMES = ["13:14:15.000", "00:00:00.000", "23:59:59.999", "13:14:15.678", "01:02:03.456789", "23:59:59.999999999"]
TIMESTAMPS = {
    "timestamp(3)": [
        "2024-02-29 12:34:56.789", "2024-01-31 23:59:59.999", "1969-12-31 23:59:59.999", "1970-01-01 00:00:00.000",
        "2023-12-31 00:00:00.001", "2020-12-31 06:07:08.090", "1900-02-28 01:02:03.004", "0001-01-01 00:00:00.000",
        "2024-06-15 10:20:30.000",
    ],
    "timestamp(6)": ["2024-02-29 12:34:56.123456", "1969-12-31 23:59:59.999999", "0001-01-01 00:00:00.000001"],
    "timestamp(9)": ["2024-02-29 12:34:56.123456789", "1969-12-31 23:59:59.999999999", "2024-02-29 12:34:56.123456999"],
}
# Clocks of Berlin change on 2024-03-31 and 2024-10-27, of New York on 2024-03-10 and 2024-11-03; Lord Howe moves by
# half an hour, St. John's, Kolkata and Kathmandu are not whole hours from UTC, Apia had no 2011-12-30.
ZONED = {
    "Europe/Berlin": [
        "2024-03-30 02:30:00.000", "2024-03-31 01:59:59.999", "2024-03-31 03:00:00.000", "2024-03-31 23:30:00.123",
        "2024-10-26 02:30:00.000", "2024-10-27 02:30:00.000", "2024-10-27 03:00:00.000", "2024-10-28 02:30:00.000",
        "2024-01-31 02:30:00.000", "2024-02-29 12:34:56.789", "1969-12-31 23:59:59.999",
    ],
    "America/New_York": ["2024-03-09 02:30:00.000", "2024-03-10 01:30:00.000", "2024-11-03 01:30:00.000", "2024-12-31 23:59:59.999"],
    "Australia/Lord_Howe": ["2024-04-07 01:45:00.000", "2024-04-07 02:15:00.000", "2024-10-06 01:59:00.000", "2024-10-06 02:31:00.000"],
    "America/St_Johns": ["2024-03-10 01:59:00.000", "2024-07-15 12:34:56.789"],
    "Asia/Kathmandu": ["2024-07-15 12:34:56.789", "1985-12-31 23:59:59.000"],
    "Pacific/Apia": ["2011-12-29 12:00:00.000", "2011-12-31 12:00:00.000"],
    "UTC": ["2024-02-29 12:34:56.789", "1969-12-31 23:59:59.999"],
}


def typed(kind, texts):
    return [f"{kind} '{text}'" for text in texts]


def zoned(zone):
    return [f"TIMESTAMP '{text} {zone}'" for text in ZONED[zone]]


def columns():
    """Values that stand in one column."""
    yield "date", typed("DATE", DATES)
    yield "time", typed("TIME", TIMES)
    for name, texts in TIMESTAMPS.items():
        yield name, typed("TIMESTAMP", texts)
    for zone in ZONED:
        yield zone, zoned(zone)


def truncations(suite):
    for name, values in columns():
        for unit in UNITS:
            suite.calls("date_trunc({0}, {1})", [(quoted(unit), value) for value in values])
    for unit in NO_UNITS:
        for value in ["DATE '2024-02-29'", "TIME '13:14:15'", "TIMESTAMP '2024-02-29 12:34:56.789'",
                      "TIMESTAMP '2024-03-31 23:30:00.123 Europe/Berlin'"]:
            suite.values(f"date_trunc({quoted(unit)}, {value})")
            suite.values(f"date_add({quoted(unit)}, 1, {value})")
            suite.values(f"date_diff({quoted(unit)}, {value}, {value})")
    # The second half past two of the night in which the clock goes back.
    for unit in UNITS:
        for zone, before in [("Europe/Berlin", "2024-10-27 01:30:00.000"), ("America/New_York", "2024-11-03 00:30:00.000"),
                             ("Australia/Lord_Howe", "2024-04-07 01:20:00.000")]:
            for minutes in [60, 90, 120, 150]:
                suite.ask(f"SELECT to_iso8601(date_trunc('{unit}', TIMESTAMP '{before} {zone}' + INTERVAL '{minutes}' MINUTE))")


def additions(suite):
    for name, values in columns():
        for unit in UNITS:
            amounts = [1, -1, 13] if unit in ("month", "quarter", "year", "day") else [1, -25]
            for amount in amounts:
                suite.calls("date_add({0}, {1}, {2})", [(quoted(unit), str(amount), value) for value in values])
    for value in ["DATE '2024-02-29'", "TIME '13:14:15.678'", "TIMESTAMP '2024-02-29 12:34:56.789'",
                  "TIMESTAMP '2024-02-29 12:34:56.789012'", "TIMESTAMP '2024-02-29 12:34:56.789 Europe/Berlin'"]:
        for unit in UNITS:
            for amount in ["0", "1000000", "2147483647", "2147483648", "-2147483649", "9223372036854775807",
                           "-9223372036854775808"]:
                suite.values(f"date_add('{unit}', {amount}, {value})")
    for value in ["DATE '2024-01-31'", "TIMESTAMP '2024-01-31 01:02:03.004'", "TIMESTAMP '2024-01-31 02:30:00.000 Europe/Berlin'"]:
        suite.calls("date_add('month', {0}, {1})", [(str(amount), value) for amount in range(-14, 15)])


def differences(suite):
    ends = ["2024-01-31", "2024-02-28", "2024-02-29", "2024-03-30", "2024-03-31", "2023-02-28", "2024-04-30", "2024-12-31"]
    for unit in ["month", "quarter", "year", "week", "day"]:
        pairs = [(f"DATE '{a}'", f"DATE '{b}'") for a in ends for b in ends]
        suite.calls("date_diff('%s', {0}, {1})" % unit, pairs)
    moments = ["2024-01-31 12:00:00.000", "2024-02-29 11:59:59.999", "2024-02-29 12:00:00.000", "2024-03-31 11:00:00.000",
               "2023-12-31 23:59:59.999", "1969-12-31 23:59:59.999"]
    for unit in UNITS:
        pairs = [(f"TIMESTAMP '{a}'", f"TIMESTAMP '{b}'") for a in moments for b in moments]
        suite.calls("date_diff('%s', {0}, {1})" % unit, pairs)
        for fine in [["2024-02-29 12:00:00.123456", "2024-02-29 12:00:00.123457", "2024-03-29 12:00:00.123455"],
                     ["2024-02-29 12:00:00.123456789", "2024-02-29 12:00:00.123999999", "2024-03-29 12:00:00.123456788"]]:
            pairs = [(f"TIMESTAMP '{a}'", f"TIMESTAMP '{b}'") for a in fine for b in fine]
            suite.calls("date_diff('%s', {0}, {1})" % unit, pairs)
        for zone in ZONED:
            values = zoned(zone)
            pairs = [(a, b) for a in values for b in values if a != b]
            suite.calls("date_diff('%s', {0}, {1})" % unit, pairs[:40])
        pairs = [(f"TIME '{a}'", f"TIME '{b}'") for a in TIMES for b in TIMES if a != b]
        suite.calls("date_diff('%s', {0}, {1})" % unit, pairs)
        suite.values(f"date_diff('{unit}', TIMESTAMP '2024-03-30 12:00:00 Europe/Berlin', TIMESTAMP '2024-03-31 12:00:00 America/New_York')")
        suite.values(f"date_diff('{unit}', TIMESTAMP '2024-03-30 12:00:00 UTC', TIMESTAMP '2024-03-31 13:00:00 Europe/Berlin')")
        suite.values(f"date_diff('{unit}', DATE '2024-03-30', TIMESTAMP '2024-03-31 13:00:00')")
        suite.values(f"date_diff('{unit}', DATE '2024-03-30', TIMESTAMP '2024-03-31 13:00:00 Europe/Berlin')")
        suite.values(f"date_diff('{unit}', DATE '0001-01-01', DATE '9999-12-31')")


PARTS = ["year", "quarter", "month", "week", "week_of_year", "day", "day_of_month", "day_of_week", "dow", "day_of_year",
         "doy", "year_of_week", "yow", "timezone_hour", "timezone_minute", "hour", "minute", "second", "millisecond"]
FIELDS = ["YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "DAY_OF_MONTH", "DAY_OF_WEEK", "DOW", "DAY_OF_YEAR", "DOY",
          "YEAR_OF_WEEK", "YOW", "HOUR", "MINUTE", "SECOND", "TIMEZONE_HOUR", "TIMEZONE_MINUTE", "MILLISECOND", "CENTURY"]
DAY_INTERVALS = ["INTERVAL '1' DAY", "INTERVAL '-1' DAY", "INTERVAL '25' HOUR", "INTERVAL '1 02:03:04.567' DAY TO SECOND",
                 "INTERVAL '-1 02:03:04.567' DAY TO SECOND", "INTERVAL '90' SECOND"]
MONTH_INTERVALS = ["INTERVAL '1' MONTH", "INTERVAL '-1' MONTH", "INTERVAL '13' MONTH", "INTERVAL '1-2' YEAR TO MONTH",
                   "INTERVAL '-1-2' YEAR TO MONTH", "INTERVAL '100' YEAR"]


def parts(suite):
    for part in PARTS:
        for name, values in columns():
            if name != "time" or not part.startswith("timezone"):
                suite.calls(part + "({0})", values)
        suite.calls(part + "({0})", DAY_INTERVALS)
        suite.calls(part + "({0})", MONTH_INTERVALS)
        suite.values(f"{part}(NULL)", f"{part}('2024-01-01')", f"{part}(1)")
    for field in FIELDS:
        for value in ["DATE '2024-02-29'", "TIME '13:14:15.678'", "TIMESTAMP '2020-12-31 12:34:56.789'",
                      "TIMESTAMP '2024-02-29 12:34:56.789 Europe/Berlin'", "TIMESTAMP '2024-02-29 12:34:56.789 America/St_Johns'",
                      *DAY_INTERVALS[3:5], *MONTH_INTERVALS[3:5], "'2024-01-01'", "1"]:
            suite.ask(f"SELECT extract({field} FROM {value})")
    for name, values in columns():
        suite.calls("last_day_of_month({0})", values)
        suite.calls("to_iso8601({0})", values)
        suite.calls("date({0})", values)
    for zone in ZONED:
        suite.calls("CAST({0} AS date)", zoned(zone))
        suite.calls("CAST({0} AS timestamp(3))", zoned(zone))
        suite.calls("to_unixtime({0})", zoned(zone))
    for texts in TIMESTAMPS.values():
        suite.calls("to_unixtime({0})", typed("TIMESTAMP", texts))


def intervals(suite):
    for name, values in columns():
        for interval in DAY_INTERVALS + MONTH_INTERVALS:
            for sign in "+-":
                suite.calls("{0} %s {1}" % sign, [(value, interval) for value in values])
        suite.calls("INTERVAL '1' DAY + {0}", values)
        suite.calls("INTERVAL '1' MONTH + {0}", values)
    for name, values in columns():
        pairs = [(a, b) for a in values[:4] for b in values[-4:]]
        suite.calls("{0} - {1}", pairs)
    for a in DAY_INTERVALS:
        suite.calls("{0} + {1}", [(a, b) for b in DAY_INTERVALS])
        suite.calls("{0} - {1}", [(a, b) for b in DAY_INTERVALS])
        suite.calls("{0} * {1}", [(a, b) for b in ["2", "-3"]])
        suite.calls("{0} * {1}", [(a, b) for b in ["2.5e0", "1e-1", "-0.5e0"]])
        suite.calls("{0} * {1}", [(a, b) for b in ["2.5", "0.1", "-0.5"]])
        suite.calls("{0} / {1}", [(a, b) for b in ["2", "-3", "0"]])
        suite.calls("{0} / {1}", [(a, b) for b in ["2.5e0", "1e-1", "0e0", "nan()"]])
        suite.values(f"-({a})", f"2 * {a}", f"2.5e0 * {a}", f"{a} % 2", f"{a} = {DAY_INTERVALS[0]}", f"{a} < {DAY_INTERVALS[2]}")
    for a in MONTH_INTERVALS:
        suite.calls("{0} + {1}", [(a, b) for b in MONTH_INTERVALS])
        suite.calls("{0} - {1}", [(a, b) for b in MONTH_INTERVALS])
        suite.calls("{0} * {1}", [(a, b) for b in ["2", "-3"]])
        suite.calls("{0} * {1}", [(a, b) for b in ["2.5e0", "1e-1", "-0.5e0"]])
        suite.calls("{0} / {1}", [(a, b) for b in ["2", "-3", "0"]])
        suite.calls("{0} / {1}", [(a, b) for b in ["2.5e0", "1e-1", "0e0", "nan()"]])
        suite.values(f"-({a})", f"2 * {a}", f"2.5e0 * {a}")
    suite.values(
        "INTERVAL '1' DAY + INTERVAL '1' MONTH", "INTERVAL '1' DAY - DATE '2024-01-01'", "DATE '2024-01-01' + 1",
        "DATE '2024-01-01' * 2", "TIME '10:00:00' + INTERVAL '1' MONTH", "TIME '10:00:00' - DATE '2024-01-01'",
        "DATE '2024-01-01' + DATE '2024-01-01'", "TIMESTAMP '2024-01-01 00:00:00' - DATE '2023-01-01'",
        "TIMESTAMP '2024-01-01 00:00:00' - TIMESTAMP '2023-01-01 00:00:00 UTC'", "DATE '2024-01-01' - '2023-01-01'",
    )


def clocks(suite):
    """Local times that a clock skips or shows twice."""
    gaps = [
        ("2024-03-31 02:30:00.000", "Europe/Berlin"), ("2024-03-31 02:00:00.000", "Europe/Berlin"),
        ("2024-03-31 02:59:59.999", "Europe/Berlin"), ("2024-10-27 02:30:00.000", "Europe/Berlin"),
        ("2024-10-27 02:00:00.000", "Europe/Berlin"), ("2024-10-27 03:00:00.000", "Europe/Berlin"),
        ("2024-03-10 02:30:00.000", "America/New_York"), ("2024-11-03 01:30:00.000", "America/New_York"),
        ("2024-10-06 02:15:00.000", "Australia/Lord_Howe"), ("2024-04-07 01:45:00.000", "Australia/Lord_Howe"),
        ("2024-03-31 01:30:00.000", "Europe/London"), ("2024-10-27 01:30:00.000", "Europe/London"),
        ("2024-03-31 00:30:00.000", "Atlantic/Azores"), ("2024-10-27 00:30:00.000", "Atlantic/Azores"),
        ("2011-12-30 12:00:00.000", "Pacific/Apia"), ("1999-12-31 23:59:59.000", "Nowhere/Land"),
        ("2024-01-01 00:00:00.000", "utc"), ("2024-01-01 00:00:00.000", "europe/berlin"),
        ("2024-01-01 00:00:00.000", "GMT"), ("2024-01-01 00:00:00.000", "EST5EDT"),
    ]
    for text, zone in gaps:
        suite.values(
            f"to_unixtime(TIMESTAMP '{text} {zone}')",
            f"to_unixtime(CAST('{text} {zone}' AS timestamp(3) with time zone))",
            f"to_unixtime(TRY_CAST('{text} {zone}' AS timestamp(3) with time zone))",
            f"to_iso8601(with_timezone(TIMESTAMP '{text}', '{zone}'))",
            f"to_iso8601(TIMESTAMP '{text}' AT TIME ZONE '{zone}')",
            f"to_iso8601(at_timezone(TIMESTAMP '{text} UTC', '{zone}'))",
            f"timezone_hour(with_timezone(TIMESTAMP '{text}', '{zone}'))",
            f"timezone_minute(with_timezone(TIMESTAMP '{text}', '{zone}'))",
        )
    for zone in ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia"]:
        for value in zoned(zone):
            for unit, amount in [("day", 1), ("day", -1), ("week", 1), ("month", 1), ("month", -6), ("hour", 1), ("hour", 24),
                                 ("minute", 30), ("second", -3600), ("millisecond", 1), ("year", 1), ("quarter", -2)]:
                suite.ask(f"SELECT to_iso8601(date_add('{unit}', {amount}, {value}))")


def statements(suite: Suite):
    truncations(suite)
    additions(suite)
    differences(suite)
    parts(suite)
    intervals(suite)
    clocks(suite)
