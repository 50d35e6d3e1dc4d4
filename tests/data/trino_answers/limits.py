"""Every function, operator and cast at the limits of its types."""

from suite import Suite, quoted

INTEGERS = {
    "tinyint": ["-128", "-127", "-1", "0", "1", "7", "64", "126", "127"],
    "smallint": ["-32768", "-32767", "-129", "-1", "0", "1", "181", "182", "32766", "32767"],
    "integer": ["-2147483648", "-2147483647", "-32769", "-1", "0", "1", "46341", "2147483646", "2147483647"],
    "bigint": ["-9223372036854775808", "-9223372036854775807", "-2147483649", "-1", "0", "1", "3037000500", "9223372036854775806", "9223372036854775807"],
}
DOUBLES = ["0e0", "-0e0", "1e0", "-1e0", "0.5e0", "-0.5e0", "1.5e0", "-1.5e0", "2.5e0", "0.1e0", "1e15", "9007199254740993e0", "9.223372036854775807e18", "1e19", "-1e19", "1e38", "1e308", "-1e308", "4.9e-324", "1.7976931348623157e308",
           "nan()", "infinity()", "-infinity()"]
REALS = ["REAL '0'", "REAL '-0'", "REAL '1'", "REAL '-1.5'", "REAL '2.5'", "REAL '0.1'", "REAL '16777217'", "REAL '2147483648'", "REAL '3.4028235E38'", "REAL '1.4E-45'", "REAL 'NaN'", "REAL 'Infinity'", "REAL '-Infinity'"]
DECIMALS = {
    "decimal(3,1)": ["0.0", "0.1", "-0.1", "0.5", "-0.5", "2.5", "-2.5", "99.9", "-99.9"],
    "decimal(18,4)": ["0.0001", "-0.0001", "99999999999999.9999", "-99999999999999.9999", "0.5000"],
    "decimal(38,0)": ["0", "1", "-1", "99999999999999999999999999999999999999", "-99999999999999999999999999999999999999", "50000000000000000000000000000000000000", "9223372036854775808"],
    "decimal(38,10)": ["0.0000000001", "-0.5", "9999999999999999999999999999.9999999999", "-9999999999999999999999999999.9999999999"],
    "decimal(38,38)": ["0.00000000000000000000000000000000000001", "0.99999999999999999999999999999999999999", "-0.5"],
    "decimal(20,2)": ["999999999999999999.99", "-999999999999999999.99", "0.01", "12.34"],
}


def integers(kind):
    # The least value of a type has no literal of its own.
    return [f"CAST('{value}' AS {kind})" for value in INTEGERS[kind]]


def decimals(kind):
    return [f"CAST('{value}' AS {kind})" for value in DECIMALS[kind]]


def columns():
    for kind in INTEGERS:
        yield kind, integers(kind)
    for kind in DECIMALS:
        yield kind, decimals(kind)
    yield "double", DOUBLES
    yield "real", REALS


def operators(suite):
    for kind, values in columns():
        for operator in "+-*/%":
            suite.calls("{0} %s {1}" % operator, [(a, b) for a in values for b in values])
        suite.calls("-({0})", values)
        for operator in ["=", "<", "<=", "IS DISTINCT FROM"]:
            suite.calls("{0} %s {1}" % operator, [(a, b) for a in values[:6] + values[-3:] for b in values[:3] + values[-3:]])
    for a in DECIMALS:
        for b in DECIMALS:
            if a != b:
                for operator in "+-*/%":
                    suite.calls("{0} %s {1}" % operator, [(x, y) for x in decimals(a)[:4] for y in decimals(b)[:4]])
    for kind in INTEGERS:
        for other in ["decimal(38,0)", "decimal(3,1)", "decimal(38,38)"]:
            for operator in "+-*/%":
                suite.calls("{0} %s {1}" % operator, [(x, y) for x in integers(kind)[:2] + integers(kind)[-2:] for y in decimals(other)[:5]])
    suite.values("9223372036854775807 + 1", "-9223372036854775808 - 1", "- (-9223372036854775808)", "2147483647 + 1", "2147483647 * 2", "-2147483648 / -1", "9223372036854775808", "-9223372036854775809",
                 "99999999999999999999999999999999999999.", "100000000000000000000000000000000000000.", "1 / 0", "1.0 / 0", "1 % 0", "1e0 / 0", "0e0 / 0", "5e0 % 0", "mod(5, 0)", "mod(5.5, 0)", "mod(-7, 3)", "mod(7, -3)", "mod(-7.5, 2)", "mod(5e0, nan())", "1e309", "1e-400", "0.1e0 + 0.2e0")


UNARY = ["abs", "ceil", "ceiling", "floor", "round", "truncate", "sign"]
OF_DOUBLE = ["sqrt", "cbrt", "exp", "ln", "log2", "log10", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "degrees", "radians", "is_nan", "is_finite", "is_infinite"]


def mathematics(suite):
    for kind, values in columns():
        for function in UNARY:
            suite.calls(function + "({0})", values)
        for digits in ["0", "1", "2", "-1", "-2", "-3", "-10", "-19", "-20", "18", "19", "38", "-38", "-39", "400", "-400", "2147483647", "-2147483648", "2147483648"]:
            suite.calls("round({0}, %s)" % digits, values)
            suite.calls("truncate({0}, %s)" % digits, values)
        suite.calls("greatest({0}, {1})", [(a, b) for a in values[:2] + values[-3:] for b in values[-3:]])
        suite.calls("least({0}, {1})", [(a, b) for a in values[:2] + values[-3:] for b in values[-3:]])
    for function in OF_DOUBLE:
        suite.calls(function + "({0})", DOUBLES)
        suite.values(f"{function}(NULL)", f"{function}(1)", f"{function}(1.5)", f"{function}('1')")
    for function in ["power({0}, {1})", "log({0}, {1})", "atan2({0}, {1})", "mod({0}, {1})"]:
        suite.calls(function, [(a, b) for a in DOUBLES for b in ["0e0", "1e0", "-1e0", "0.5e0", "2e0", "1e308", "nan()", "infinity()", "-infinity()", "-0e0"]])
    suite.values("power(2, 63)", "power(2, 1024)", "power(-8, 1e0/3)", "power(0, -1)", "e()", "pi()", "nan()", "-nan()", "infinity()")
    for function in ["bitwise_and", "bitwise_or", "bitwise_xor"]:
        suite.calls(function + "({0}, {1})", [(a, b) for a in integers("bigint") for b in integers("bigint")])
    suite.calls("bitwise_not({0})", integers("bigint"))
    shifts = ["0", "1", "7", "8", "31", "32", "63", "64", "65", "-1", "2147483648", "9223372036854775807", "-9223372036854775808"]
    for function in ["bitwise_left_shift", "bitwise_right_shift"]:
        suite.calls(function + "({0}, {1})", [(a, b) for a in integers("bigint") for b in shifts])
    for bounds in ["0e0, 10e0, 5", "10e0, 0e0, 5", "0e0, 10e0, 0", "0e0, 10e0, -1", "5e0, 5e0, 5", "nan(), 10e0, 5", "0e0, infinity(), 5", "0e0, 10e0, 9223372036854775807", "-1e308, 1e308, 10", "10e0, 0e0, 9223372036854775807"]:
        suite.calls("width_bucket({0}, %s)" % bounds, DOUBLES + ["10e0", "5e0", "9.99e0"])
    suite.values("width_bucket(5, ARRAY[1e0, 2e0])", "rand(0)", "rand(-1)", "random(5, 5)", "random(5, 1)", "random(NULL)", "is_nan(1)")


NUMBER_TEXTS = ["0", "-0", "+1", "1", " 1", "1 ", "\t1", "01", "1.0", "1.5", "-1.5", ".5", "5.", "1e2", "1E2", "1e", "e1", "1e-2", "--1", "1_000", "1,000", "0x10", "", " ", "a", "NaN", "nan", "Infinity", "-Infinity", "inf", "+Infinity", "1d", "1f", "1D", "0x1p3", "١",
                "127", "128", "-128", "-129", "32767", "32768", "2147483647", "2147483648", "-2147483649", "9223372036854775807", "9223372036854775808", "99999999999999999999999999999999999999", "100000000000000000000000000000000000000", "1e38", "1e308", "1e309", "4.9e-324", "1e-400", "3.5e38",
                "0.00000000000000000000000000000000000001", "1.23456789012345678901234567890", "1.25", "1.35", "2.675", "true", "TRUE", "t", "T", "f", "false", "yes", "1.0E0"]
DATE_TEXTS = ["2024-02-29", "2023-02-29", "2024-2-9", "2024-02-29 ", " 2024-02-29", "2024-02-29 12:34", "2024-02-29T12:34:56", "2024-02-29 12:34:56.789", "2024-02-29 12:34:56.1234567890123", "2024-02-29 24:00:00", "2024-02-29 12:60", "2024-02-29 12:34:60", "24-02-29", "0024-02-29", "-0001-01-01",
              "+2024-01-01", "10000-01-01", "99999-12-31", "294247-01-10", "5881580-07-11", "5881580-07-12", "-5877641-06-23", "9999999999-01-01", "2024-13-01", "2024-00-01", "2024-01-00", "2024-01-32", "2024/01/01", "20240101", "2024-01", "2024", "", "x", "12:34:56", "1:2:3", "12:34", "24:00:00",
              "12:34:56.789", "12:34:56.999999999999", "23:59:59.9999999999999", "2024-02-29 12:34:56 UTC", "2024-02-29 12:34:56+01:00", "2024-02-29 12:34:56 +01:00", "2024-02-29 12:34:56 Europe/Berlin", "2024-02-29 12:34:56Z", "2024-02-29 12:34:56 +15:00", "2024-02-29 12:34:56 +14:01", "2024-02-29 12:34:56 -14:00", "2024-02-29 12:34:56 +1", "2024-02-29 12:34:56 +0130", "2024-02-29 1:2:3", "2024-02-29 12:34:56 X/Y",
              "73326-09-11 20:14:45.247 UTC", "73326-09-11 20:14:45.248 UTC", "-69387-04-22 03:45:14.752 UTC", "-69387-04-22 03:45:14.751 UTC", "1677-09-21 00:12:43.145224192", "2262-04-11 23:47:16.854775807", "2262-04-11 23:47:16.854775808", "1500-01-01 00:00:00.123456789"]
TARGETS = ["tinyint", "smallint", "integer", "bigint", "real", "double", "decimal(3,1)", "decimal(18,4)", "decimal(38,0)", "decimal(38,10)", "decimal(38,38)", "decimal(1,0)", "boolean", "varchar"]
TEMPORAL = ["date", "time(3)", "timestamp(3)", "timestamp(6)", "timestamp(9)", "timestamp(3) with time zone"]


def casts(suite):
    for target in TARGETS:
        for kind, values in columns():
            suite.calls("CAST({0} AS %s)" % target, values)
        suite.calls("CAST({0} AS %s)" % target, ["true", "false"])
        suite.calls("CAST({0} AS %s)" % target, [quoted(text) for text in NUMBER_TEXTS])
        for value in ["DATE '2024-01-01'", "TIME '12:34:56'", "X'61'", "INTERVAL '1' DAY", "ARRAY[1]", "ROW(1)", "NULL"]:
            suite.values(f"CAST({value} AS {target})")
    for target in TEMPORAL:
        suite.calls("CAST({0} AS %s)" % target, [quoted(text) for text in DATE_TEXTS])
        for value in ["1", "1.5", "1e0", "true", "X'61'", "DATE '2024-02-29'", "TIME '12:34:56.789'", "TIMESTAMP '2024-02-29 12:34:56.789'", "TIMESTAMP '1969-12-31 23:59:59.999'", "TIMESTAMP '2024-02-29 23:34:56.789 Europe/Berlin'",
                      "DATE '9999-12-31'", "DATE '-5000-01-01'", "TIMESTAMP '9999-12-31 23:59:59.999999'", "TIMESTAMP '2024-02-29 12:34:56.999999999'"]:
            suite.values(f"CAST({value} AS {target})")
    for text in DATE_TEXTS:
        suite.ask(f"SELECT DATE {quoted(text)}", f"SELECT TIMESTAMP {quoted(text)}", f"SELECT TIME {quoted(text)}")
    for text in NUMBER_TEXTS:
        suite.ask(f"SELECT DECIMAL {quoted(text)}", f"SELECT DOUBLE {quoted(text)}", f"SELECT REAL {quoted(text)}", f"SELECT BIGINT {quoted(text)}", f"SELECT TINYINT {quoted(text)}", f"SELECT BOOLEAN {quoted(text)}")
    # Texts too long for their type.
    for length in [0, 1, 2, 3, 5, 10, 100]:
        for value in ["123", "-1", "BIGINT '9223372036854775807'", "TINYINT '-128'", "SMALLINT '7'", "1.50", "-0.05", "CAST(1.5 AS decimal(38,10))", "1e0", "12345.678e0", "nan()", "infinity()", "-infinity()", "0e0", "REAL '1.5'", "REAL 'NaN'", "true", "false", "'abc'", "'éß😀'", "''",
                      "DATE '2024-01-01'", "TIME '12:34:56'", "TIMESTAMP '2024-01-01 00:00:00.000'", "TIMESTAMP '2024-01-01 00:00:00.000 UTC'", "INTERVAL '1' DAY", "INTERVAL '1' MONTH", "NULL", "ARRAY[1]", "X'61'"]:
            suite.ask(f"SELECT CAST({value} AS varchar({length}))", f"SELECT TRY_CAST({value} AS varchar({length}))")
    suite.ask("SELECT CAST(x AS varchar(2)) FROM (VALUES 1, 12) AS t(x)", "SELECT CAST(x AS varchar(2)) FROM (VALUES 1, 123) AS t(x)", "SELECT TRY_CAST(x AS varchar(2)) FROM (VALUES 1, 123) AS t(x)", "SELECT CAST('a' AS varchar(2147483646))", "SELECT CAST('a' AS varchar(2147483647))", "SELECT CAST('a' AS varchar(2147483648))", "SELECT CAST('a' AS varchar(-1))")
    suite.ask("SELECT CAST(ARRAY[1, 300] AS array(tinyint))", "SELECT TRY_CAST(ARRAY[1, 300] AS array(tinyint))", "SELECT CAST(ARRAY['1', 'x'] AS array(integer))", "SELECT TRY_CAST(ARRAY['1', 'x'] AS array(integer))", "SELECT CAST(ROW(1, 'x') AS row(a tinyint, b integer))", "SELECT TRY_CAST(ROW(1, 'x') AS row(a tinyint, b integer))",
              "SELECT CAST(ARRAY[123] AS array(varchar(2)))", "SELECT CAST(1 AS decimal(39,0))", "SELECT CAST(1 AS decimal(2,3))", "SELECT CAST(1 AS decimal(0,0))", "SELECT CAST(1 AS timestamp(13))", "SELECT CAST(1 AS nothing)")


def sums(suite):
    for kind, values in columns():
        column = ", ".join(values)
        for size in [values[:1], values[:3], values[-2:], values]:
            column = ", ".join(size)
            for function in ["sum", "avg", "min", "max", "count", "stddev", "var_pop"]:
                suite.ask(f"SELECT {function}(x) FROM (VALUES {column}) AS t(x)")
            suite.ask(f"SELECT max(s) FROM (SELECT sum(x) OVER () AS s FROM (VALUES {column}) AS t(x))", f"SELECT max(s) FROM (SELECT avg(x) OVER () AS s FROM (VALUES {column}) AS t(x))")
    # The sum passes the limit and comes back.
    suite.ask("SELECT sum(x) FROM (VALUES 9223372036854775807, 1, -1) AS t(x)", "SELECT sum(x) FROM (VALUES 9223372036854775807, -1, 1) AS t(x)",
              "SELECT sum(x) FROM (VALUES INTERVAL '1' DAY, INTERVAL '2' DAY) AS t(x)", "SELECT avg(x) FROM (VALUES INTERVAL '1' MONTH, INTERVAL '2' MONTH) AS t(x)", "SELECT avg(x) FROM (VALUES INTERVAL '1' DAY, INTERVAL '2' DAY) AS t(x)",
              "SELECT sum(x) FROM (VALUES INTERVAL '2147483647' MONTH, INTERVAL '1' MONTH) AS t(x)", "SELECT sum(x) FROM (VALUES DATE '2024-01-01') AS t(x)", "SELECT sum(x) FROM (VALUES 'a') AS t(x)",
              "SELECT count_if(x) FROM (VALUES true, NULL) AS t(x)", "SELECT geometric_mean(x) FROM (VALUES 1e308, 1e308) AS t(x)", "SELECT approx_percentile(x, 2e0) FROM (VALUES 1, 2) AS t(x)", "SELECT approx_percentile(x, -1e0) FROM (VALUES 1, 2) AS t(x)",
              "SELECT approx_distinct(x, 0.001e0) FROM (VALUES 1, 2) AS t(x)", "SELECT approx_distinct(x, 0.3e0) FROM (VALUES 1, 2) AS t(x)", "SELECT bitwise_and_agg(x) FROM (VALUES 1.5) AS t(x)")


def moments(suite):
    for value in ["DATE '9999-12-31'", "DATE '0001-01-01'", "DATE '5881580-07-11'", "DATE '-5877641-06-23'", "TIMESTAMP '9999-12-31 23:59:59.999'", "TIMESTAMP '0001-01-01 00:00:00.000'", "TIMESTAMP '2262-04-11 23:47:16.854775807'",
                  "TIMESTAMP '294247-01-10 04:00:54.775'", "TIMESTAMP '9999-12-31 23:59:59.999 UTC'", "TIMESTAMP '73326-09-11 20:14:45.247 UTC'"]:
        for interval in ["INTERVAL '1' DAY", "INTERVAL '1' MONTH", "INTERVAL '1' SECOND", "INTERVAL '100000000' DAY", "INTERVAL '-100000000' DAY", "INTERVAL '2147483647' MONTH", "INTERVAL '-2147483648' MONTH", "INTERVAL '106751991167' DAY", "INTERVAL '9223372036854775' SECOND"]:
            suite.values(f"{value} + {interval}", f"{value} - {interval}")
        for unit in ["day", "year", "millisecond"]:
            for amount in ["1", "-1", "10000000", "2147483647"]:
                suite.values(f"date_add('{unit}', {amount}, {value})")
        suite.values(f"CAST({value} AS varchar)", f"CAST({value} AS timestamp(9))", f"CAST({value} AS timestamp(3) with time zone)", f"to_iso8601({value})", f"year({value})", f"date_trunc('year', {value})", f"last_day_of_month({value})")
    for interval in ["INTERVAL '2147483647' MONTH", "INTERVAL '-2147483648' MONTH", "INTERVAL '178956970' YEAR", "INTERVAL '178956971' YEAR", "INTERVAL '106751991167' DAY", "INTERVAL '106751991168' DAY", "INTERVAL '9223372036854775807' SECOND", "INTERVAL '9223372036854775' SECOND", "INTERVAL '-9223372036854775' SECOND",
                     "INTERVAL '2147483648' MONTH", "INTERVAL 'x' DAY", "INTERVAL '' DAY", "INTERVAL '1.5' DAY", "INTERVAL '1.5' SECOND", "INTERVAL '1.5678' SECOND", "INTERVAL ' 1' DAY", "INTERVAL '1 25' DAY TO HOUR", "INTERVAL '1:60' HOUR TO MINUTE", "INTERVAL '1-13' YEAR TO MONTH", "INTERVAL '1' YEAR TO MONTH",
                     "INTERVAL -'1' DAY", "INTERVAL +'1' DAY", "INTERVAL - '-1' DAY", "INTERVAL '1' WEEK", "INTERVAL '1' QUARTER", "INTERVAL '1' MILLISECOND", "INTERVAL '1' DAY TO MONTH"]:
        suite.values(interval, f"-{interval}", f"{interval} + {interval}", f"{interval} - {interval}", f"{interval} * 2", f"{interval} * 1e10", f"{interval} / 2", f"{interval} / 0", f"{interval} / 0e0", f"{interval} * nan()", f"{interval} * infinity()")
    seconds = DOUBLES + ["1.5e0", "1e10", "253402300800e0", "-62135596801e0", "2251799813685.247e0", "2251799813685.248e0", "-2251799813685.248e0", "-2251799813685.249e0", "1e12", "1e13", "9.2e15", "9.3e15", "0.0005e0", "0.0015e0", "-0.0005e0", "1.0004999e0"]
    suite.calls("from_unixtime({0})", seconds)
    suite.values("from_unixtime(1)", "from_unixtime(1.5)", "from_unixtime(NULL)", "from_unixtime('1')", "from_unixtime(1, 'Europe/Berlin')", "from_unixtime(1, 'X/Y')", "from_unixtime(1, 1, 30)", "to_unixtime(DATE '2024-01-01')", "to_unixtime(TIME '10:00:00')")
    iso = ["2024-02-29", "2024-02-29T12:34:56", "2024-02-29T12:34:56.789", "2024-02-29T12:34:56.789Z", "2024-02-29T12:34:56+01:00", "2024-02-29T12:34:56+0100", "2024-02-29T12:34:56+01", "2024-02-29T12", "2024-02-29T12:34", "2024-02-29T24:00:00", "2024-060", "2024-W09-4", "2024-W09", "2024-02", "2024", "2024-02-29 12:34:56", "20240229", "20240229T123456", "2024-02-30", "", "x",
           "2024-02-29T12:34:56.123456789", "2024-02-29T12:34:56,789", "+2024-01-01", "-0001-01-01", "12024-01-01", "2024-2-9", "2024-02-29T", "T12:34:56", "2024-02-29T12:34:56 Europe/Berlin", " 2024-02-29", "2024-02-29T12:34:56.789z", "292278994-08-17", "2024-366", "2023-366", "2024-W53", "2020-W53-7", "2024-02-29T12.5", "2024-02-29T12:34.5"]
    suite.calls("from_iso8601_date({0})", [quoted(text) for text in iso])
    suite.calls("from_iso8601_timestamp({0})", [quoted(text) for text in iso])
    for letter in "aBbcCdDeEfFgGhHiIjJkKlLmMnNoOpPqQrRsStTuUvVwWxXyYzZ%1 ":
        for value in ["TIMESTAMP '2024-02-29 13:04:05.678'", "TIMESTAMP '2021-01-03 00:00:00.000'", "TIMESTAMP '2024-02-09 12:30:00.123456'", "TIMESTAMP '2024-03-31 01:30:00 Europe/Berlin'", "TIMESTAMP '12345-01-01 00:00:00'", "DATE '0001-12-31'"]:
            suite.ask(f"SELECT date_format({value}, '%{letter}')")
        for text in ["2024", "12", "1", "Feb", "February", "AM", "pm", "Mon", "Monday", "123456", "01:02:03 PM", "13:04:05", "%", "060", "x", "", "-5", "99"]:
            suite.ask(f"SELECT date_parse({quoted(text)}, '%{letter}')")
    formats = [("2024-02-29 13:05:09", "%Y-%m-%d %H:%i:%s"), ("2024-02-29", "%Y-%m-%d"), ("2024-2-9", "%Y-%m-%d"), ("2023-02-29", "%Y-%m-%d"), ("29/Feb/24 01:05:09 PM", "%d/%b/%y %r"), ("29/FEB/24", "%d/%b/%y"), ("2024-02-29 13:05", "%Y-%m-%d %h:%i"), ("2024-02-29 01:05 PM", "%Y-%m-%d %h:%i %p"), ("2024-02-29 12:05 AM", "%Y-%m-%d %I:%i %p"),
               ("2024-02-29x", "%Y-%m-%d"), ("2024-02-29", "%Y-%m-%dx"), ("2024060", "%Y%j"), ("2024-W09-4", "%x-W%v-%a"), ("2024-02-29 24:00:00", "%Y-%m-%d %T"), ("20240229", "%Y%m%d"), ("1709210096", "%s"), ("2024-02-29 12:34:56.789123", "%Y-%m-%d %T.%f"), ("2024-02-29 12:34:56.7", "%Y-%m-%d %T.%f"), ("", ""), ("a", "a"), ("2024", "%"), ("2024 ", "%Y "), ("69", "%y"), ("70", "%y"), ("12024-01-01", "%Y-%m-%d"), ("-001-01-01", "%Y-%m-%d"), ("2024-02-29 13:00", "%Y-%m-%d %I:%i"), ("Thursday 2024-02-29", "%W %Y-%m-%d"), ("Friday 2024-02-29", "%W %Y-%m-%d"), ("février", "%M"), ("May", "%b"), ("May", "%M")]
    suite.calls("date_parse({0}, {1})", [(quoted(text), quoted(form)) for text, form in formats])
    suite.calls("date_format({0}, {1})", [("TIMESTAMP '2024-02-29 13:05:09.123'", quoted(form)) for _, form in formats] + [("TIMESTAMP '2024-02-29 13:05:09.123'", quoted(form)) for form in ["", "%", "%%", "a%", "%é", "é%Y😀", "''%Y''", "T%H", "%Y%Y%Y"]])


def arrays(suite):
    indexes = ["-9223372036854775808", "-4", "-3", "-1", "0", "1", "3", "4", "2147483648", "9223372036854775807"]
    for array in ["ARRAY[10, 20, 30]", "ARRAY[]", "ARRAY[NULL, 1]"]:
        for index in indexes:
            suite.values(f"{array}[{index}]", f"element_at({array}, {index})", f"slice({array}, {index}, 2)", f"slice({array}, 1, {index})", f"slice({array}, -2, {index})", f"repeat({array}, {index})" if len(index) < 4 else f"cardinality(repeat(1, {index}))")
        suite.values(f"cardinality({array})", f"array_max({array})", f"array_min({array})", f"array_sort({array})", f"array_distinct({array})", f"array_join({array}, ',')", f"array_join({array}, ',', 'x')", f"reverse({array})", f"contains({array}, 10)", f"contains({array}, NULL)", f"array_position({array}, 10)", f"array_position({array}, NULL)", f"array_remove({array}, 10)", f"array_remove({array}, NULL)",
                     f"array_union({array}, ARRAY[10, NULL])", f"array_intersect({array}, ARRAY[10, NULL])", f"array_except({array}, ARRAY[10])", f"arrays_overlap({array}, ARRAY[10, NULL])", f"{array} || 5", f"5 || {array}", f"{array} || {array}", f"flatten(ARRAY[{array}, NULL])")
    for call in ["repeat(1, 10000)", "repeat(1, 10001)", "repeat('a', -1)", "repeat(NULL, 2)", "repeat(1, NULL)", "sequence(1, 10000)", "sequence(1, 10001)", "sequence(1, 0)", "sequence(1, 5, 0)", "sequence(1, 5, -1)", "sequence(5, 1, -2)", "sequence(5, 1, 2)", "sequence(9223372036854775806, 9223372036854775807)", "sequence(-9223372036854775808, -9223372036854775807)", "sequence(-9223372036854775808, 9223372036854775807)",
                 "sequence(-9223372036854775808, 9223372036854775807, 9223372036854775807)", "sequence(9223372036854775807, -9223372036854775808, -9223372036854775808)", "sequence(1, 20000, 2)", "sequence(1, 20001, 2)"]:
        suite.values(f"cardinality({call})" if "000" in call else call)
    for call in ["sequence(DATE '2024-01-30', DATE '2024-02-02')", "sequence(DATE '2024-02-02', DATE '2024-01-30')", "sequence(DATE '2024-01-31', DATE '2024-05-31', INTERVAL '1' MONTH)", "sequence(DATE '2024-01-01', DATE '2024-01-10', INTERVAL '3' DAY)", "sequence(DATE '2024-01-01', DATE '2024-01-10', INTERVAL '12' HOUR)", "sequence(DATE '2024-01-01', DATE '2024-01-10', INTERVAL '36' HOUR)", "sequence(DATE '2024-01-01', DATE '2024-01-10', INTERVAL '0' DAY)",
                 "sequence(DATE '2024-01-01', DATE '2024-01-10', INTERVAL '-1' DAY)", "sequence(DATE '2024-05-31', DATE '2024-01-31', INTERVAL '-1' MONTH)", "sequence(DATE '2024-01-01', DATE '2024-12-01', INTERVAL '0' MONTH)"]:
        suite.values(call)
    suite.values("cardinality(sequence(DATE '1990-01-01', DATE '2017-05-18'))", "cardinality(sequence(DATE '1990-01-01', DATE '2017-05-19'))")


def conditions(suite):
    suite.values("coalesce(1, 1/0)", "coalesce(NULL, 1/0)", "nullif(1/0, 1)", "nullif(1, 1/0)", "if(true, 1, 1/0)", "if(false, 1/0)", "CASE WHEN 1/0 = 1 THEN 1 END", "CASE 1 WHEN 1 THEN 2 WHEN 1/0 THEN 3 END", "true OR 1/0 = 1", "1/0 = 1 OR true", "false AND 1/0 = 1", "1/0 = 1 AND false", "fail('x')", "fail('x', 'y')", "fail(NULL)", "fail(1)", "greatest(1, NULL)", "least(NULL)", "greatest()", "coalesce()", "coalesce(1)", "nullif(1)", "try(1/0)", "try(fail('x'))", "coalesce(try(1/0), 5)", "1 IN (1, 1/0)", "2 IN (1, 1/0)", "1 BETWEEN 0 AND 1/0", "5 BETWEEN 6 AND 1/0")


def statements(suite: Suite):
    operators(suite)
    mathematics(suite)
    casts(suite)
    sums(suite)
    moments(suite)
    arrays(suite)
    conditions(suite)
