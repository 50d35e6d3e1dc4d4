"""Scalar functions over columns: each signature of `signatures.txt` with random arguments, limits among them, in rows of
VALUES. `functions.py` calls them with constants, which are evaluated once and by other code than columns. An argument is
sometimes the same for all rows. An error in a row is NULL. A seed always gives the same statements."""

import pathlib
import random
import re

import functions

ROWS = 8
STATEMENTS = 2

# Random, or different by intention in every row: zones of a column (one zone by column, else UTC), the order of a map's
# entries, what Trino finds to nine digits. Others have arguments that are an internal error of Trino's, or no column.
SKIPPED = functions.SKIPPED | {
    "at_timezone", "with_timezone", "parse_datetime", "from_iso8601_timestamp", "from_iso8601_timestamp_nanos",
    "map_keys", "map_values", "map_entries", "inverse_beta_cdf", "inverse_normal_cdf", "normal_cdf", "beta_cdf", "t_cdf",
    "t_pdf", "sequence", "codepoint", "concat", "width_bucket", "from_unixtime", "from_unixtime_nanos", "to_base", "reverse",
    "normalize", "word_stem", "array_min", "array_max", "hmac_md5", "hmac_sha1", "hmac_sha256", "hmac_sha512", "mod",
}
TEXTS = [
    "", "a", "b", "abc", "ABC", "Trino SQL", "é", "😀", "é😀x", "aaaa", "a-b-c", "a,b=2", "  x  ", "0", "12", "-7", "1.5",
    "true", "NaN", "ß", "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "a\nb", "a%b_c", "%", "\\", "héllo wörld", "日本語",
    "e\u0301", "2020-02-29", "2020-02-29 13:14:15", '{"a": [1, 2.50, null]}', '[1,"a",null,{"b":2}]',
    "http://u:p@h.com:80/p/q?a=1&b=%20x#f",
]
INTEGERS = [
    0, 1, -1, 2, 3, 5, 7, 10, 31, 32, 63, 64, 65, 100, 127, 128, -128, 255, 1000, 32767, 2**31 - 1, -(2**31), 2**31, 2**53,
    2**63 - 1, -(2**63), 10**18,
]
BITS = {"bigint": 64, "integer": 32, "smallint": 16, "tinyint": 8}
DOUBLES = [
    "0e0", "-0e0", "1e0", "-1e0", "0.5e0", "-0.5e0", "1.5e0", "2.5e0", "-2.5e0", "0.1e0", "1e-300", "1e300",
    "1.7976931348623157e308", "4.9e-324", "nan()", "infinity()", "-infinity()", "123456789.123e0", "9007199254740993e0",
    "1e15", "1e16", "1e-5", "99999.995e0", "3.141592653589793e0", "1.5e9",
]
DAYS = [
    "1970-01-01", "2020-02-29", "1969-12-31", "2000-01-31", "1900-03-01", "2021-12-31", "0001-01-01", "9999-12-31",
    "1582-10-10", "2019-12-30", "2016-01-03", "1999-02-28",
]
TIMES = ["00:00:00", "23:59:59", "12:00:00", "13:14:15", "01:02:03"]
INTERVALS = {
    "interval day to second": [
        "INTERVAL '1' DAY", "INTERVAL '-3 04:05:06.789' DAY TO SECOND", "INTERVAL '36' HOUR", "INTERVAL '0' SECOND",
        "INTERVAL '0.001' SECOND", "INTERVAL '-90' MINUTE",
    ],
    "interval year to month": [
        "INTERVAL '1' YEAR", "INTERVAL '-1-2' YEAR TO MONTH", "INTERVAL '13' MONTH", "INTERVAL '0' MONTH",
    ],
}
JSON = [
    '[1, "a", null]', '{"a": 1, "b": [2]}', "1", '"x"', "null", "true", "[]", "{}", "[[1,2],[3]]", '{"a":{"b":{"c":5}}}',
    "1.50", '"é"',
]
UNITS = ["millisecond", "second", "minute", "hour", "day", "week", "month", "quarter", "year", "Month", "decade"]
PATTERNS = [
    "a", "[a-c]+", "(b)(c)?", "^a", "a$", ".", r"\d+", r"\w+", "[^a]", "(?i)abc", "a|b", "x*", r"\s", "é", "(a)(b)", "a{2}",
    r"\.", "[-,=]", "",
]
PATHS = ["$", "$.a", "$[0]", "$.a[1]", "$.b", "$.a.b.c"]
FORMATS = ["%Y-%m-%d %H:%i:%s", "%W %M %e %Y", "%a %b %c %y", "%f", "%j %k %l %p", "%r %T", "%v %x", "%h:%I", "%%", "%s"]
DELIMITERS = ["-", ",", "a", "", " ", "é", "ab"]
SMALL = range(-3, 12)
# Arguments that mean something to a function, by their place: texts, or numbers of the parameter's type.
FITTING = {
    "date_trunc": {0: UNITS}, "date_add": {0: UNITS, 1: [0, 1, -1, 2, -5, 12, 13, 30, 100, -400]}, "date_diff": {0: UNITS},
    "date_parse": {
        0: ["2020-02-29", "2020-02-29 13:14:15", "29/02/20", "x", "Sat 29 Feb 2020 01:02:03 PM", "2020-060"],
        1: ["%Y-%m-%d", "%Y-%m-%d %H:%i:%s", "%d/%m/%y", "%a %d %b %Y %r", "%Y-%j", "%T", "%Y%m%d"],
    },
    "date_format": {1: FORMATS},
    "format_datetime": {1: ["yyyy-MM-dd HH:mm:ss.SSS", "EEE D", "e xxxx ww", "h a", "MMM MMMM", "'x' yy", "k K"]},
    "regexp_like": {1: PATTERNS}, "regexp_extract": {1: PATTERNS, 2: [0, 1, 2]}, "regexp_count": {1: PATTERNS},
    "regexp_extract_all": {1: PATTERNS, 2: [0, 1, 2]}, "regexp_split": {1: PATTERNS}, "regexp_position": {1: PATTERNS},
    "regexp_replace": {1: PATTERNS, 2: ["", "x", "$0", "$1-", "[$0]", r"\$"]},
    "json_extract": {1: PATHS}, "json_extract_scalar": {1: PATHS}, "json_size": {1: PATHS},
    "split": {1: DELIMITERS, 2: SMALL}, "split_part": {1: DELIMITERS, 2: range(1, 5)},
    "split_to_map": {1: [","], 2: ["="]}, "split_to_multimap": {1: [","], 2: ["="]},
    "replace": {1: ["a", "", "-", "ab", "é", "😀", "  "], 2: ["", "x", "aa", "é"]},
    "strpos": {1: ["a", "", "b", "c", "é", "x"], 2: [1, 2, 3, -1]}, "translate": {1: ["abc", "é", "", "aé"], 2: ["xyz", "", "x"]},
    "lpad": {1: range(12), 2: ["x", "xy", "é", "😀"]}, "rpad": {1: range(12), 2: ["x", "xy", "é", "😀"]},
    "substr": {1: SMALL, 2: range(6)}, "substring": {1: SMALL, 2: range(6)}, "repeat": {1: range(5)},
    "url_extract_parameter": {1: ["a", "b", "c"]}, "from_base": {1: [2, 8, 10, 16, 36]},
    "chr": {0: [0, 65, 97, 233, 255, 256, 8364, 128512, 1114111]}, "round": {1: SMALL}, "truncate": {1: SMALL},
    "slice": {1: SMALL, 2: range(5)}, "trim_array": {1: range(4)}, "element_at": {1: SMALL}, "ngrams": {1: range(1, 4)},
    "combinations": {1: range(4)}, "bit_count": {1: [8, 16, 32, 64]}, "from_utf8": {1: [63, 233, 8364]},
    "bitwise_left_shift": {1: range(70)}, "bitwise_right_shift": {1: range(70)}, "bitwise_right_shift_arithmetic": {1: range(70)},
    "from_iso8601_date": {0: ["2020-02-29", "2020-W10", "2020-W10-3", "2020-060", "x", "2020", "2020-02"]},
    "parse_duration": {0: ["3.5m", "x", "1d", "42.0ms", "7h"]}, "parse_data_size": {0: ["2.3MB", "x", "1kB"]},
    "from_hex": {0: ["6162", "6", "zz", "", "00ff", "AbCd"]}, "from_base64": {0: ["YWJj", "!", "", "YQ==", "YQ"]},
    "from_base64url": {0: ["YWJj", "-_8", "", "YQ"]}, "from_base32": {0: ["MFRGG===", "!", ""]},
    "luhn_check": {0: ["79927398713", "1", "x", "", "0"]}, "date": {0: ["2020-02-29", "x", "2020-02-30", "0001-01-01"]},
   
}
# What random rows found first, of these functions and of aggregates.
FOUND = """
SELECT avg(a), avg(b) FROM (VALUES (INTERVAL '-1' SECOND, INTERVAL '-1' MONTH), (INTERVAL '0.001' SECOND, INTERVAL '-2' MONTH)) t(a, b)
SELECT avg(a), avg(b) FROM (VALUES (INTERVAL '1' SECOND, INTERVAL '1' MONTH), (INTERVAL '0.001' SECOND, INTERVAL '2' MONTH)) t(a, b)
SELECT n, avg(a) OVER (ORDER BY n ROWS 1 PRECEDING), avg(b) OVER (ORDER BY n) FROM (VALUES (1, INTERVAL '-1' SECOND, INTERVAL '-1' MONTH), (2, INTERVAL '0.001' SECOND, INTERVAL '-2' MONTH), (3, INTERVAL '-0.002' SECOND, INTERVAL '0' MONTH)) t(n, a, b)
SELECT g, avg(DISTINCT a), avg(b) FILTER (WHERE b < INTERVAL '0' MONTH) FROM (VALUES (1, INTERVAL '-1' SECOND, INTERVAL '-1' MONTH), (1, INTERVAL '0.001' SECOND, INTERVAL '-2' MONTH), (2, INTERVAL '-0.002' SECOND, INTERVAL '0' MONTH)) t(g, a, b) GROUP BY g
SELECT lpad(CAST('ab' AS char(4)), 6, 'x'), lpad(CAST('ab' AS char(4)), 1, 'x')
SELECT split_to_map(',', ',', '=')
SELECT split_to_multimap(',', ',', '=')
SELECT split_to_map('a=1,', ',', '='), split_to_map('', ',', '=')
SELECT cosine_similarity(MAP(ARRAY[], ARRAY[]), MAP(ARRAY[], ARRAY[]))
SELECT array_except(ARRAY[1, NULL, 1], ARRAY[]), array_except(ARRAY[1, 1], ARRAY[2]), array_except(ARRAY[], ARRAY[1])
SELECT format_datetime(TIMESTAMP '2020-01-01 23:59:59.999600 Asia/Kolkata', 'yyyy-MM-dd HH:mm:ss.SSS')
SELECT date_format(TIMESTAMP '1920-01-01 23:59:59.999500 Asia/Kolkata', '%Y-%m-%d %H:%i:%s.%f')
SELECT format_datetime(TIMESTAMP '1920-01-01 23:59:59.9994999 UTC', 'yyyy-MM-dd HH:mm:ss.SSS')
SELECT t_cdf(0.5e0, 3e0), t_pdf(0.1e0, 50e0), t_pdf(3e0, 200.5e0), beta_cdf(30.5e0, 60.25e0, 0.3e0)
""".strip().splitlines()
# Zones that are another one in each row.
ZONED = """(VALUES (1, TIMESTAMP '2020-01-01 00:00:00.123 UTC', 'Asia/Kolkata'), (2, TIMESTAMP '2020-06-30 23:30:00.000 UTC',
'Europe/Berlin'), (3, TIMESTAMP '1969-12-31 23:59:59.999 UTC', '-08:00'), (4, NULL, 'UTC'), (5, TIMESTAMP
'2024-03-31 01:00:00.500 UTC', 'Europe/Berlin'), (6, TIMESTAMP '2020-01-01 00:00:00.000 UTC', NULL)) t(n, x, z)""".replace("\n", " ")
# Texts that name their zones, and one zone.
ISO_TEXTS = """(VALUES (1, '2020-01-01T01:02:03.456+05:30'), (2, '2019-12-31T23:59:59Z'), (3, '2024-03-31T02:30-08:00'),
(4, '2020-02-29'), (5, '1969-12-31T23:59:59.999-00:30'), (6, '2020-W53-7T10Z'), (7, NULL)) t(n, x)""".replace("\n", " ")
CAST_TEXTS = """(VALUES (1, '2020-01-01 01:02:03.456 +05:30'), (2, '2019-12-31 23:59:59 UTC'), (3, '2024-03-31 03:30 Europe/Berlin'),
(4, '2020-02-29'), (5, '1969-12-31 23:59:59.999 America/New_York'), (6, '2020-06-30 10:00 -14:00'), (7, NULL)) t(n, x)""".replace("\n", " ")
UTC_TEXTS = """(VALUES (1, '2020-01-01T01:02:03.456Z'), (2, '2019-12-31T23:59:59+00:00'), (3, '2024-03-31T02:30'), (4, NULL)) t(n, x)"""
PATTERN = "'yyyy-MM-dd HH:mm Z'"
PATTERN_TEXTS = "(VALUES (1, '2020-01-01 01:02 +0530'), (2, '2019-12-31 23:59 +0000'), (3, '2020-06-30 23:59 -0800')) t(n, x)"
TWO_ZONES = "(VALUES (1, TIMESTAMP '2020-01-01 01:30:00 UTC', true), (2, TIMESTAMP '2020-06-30 23:59:59 UTC', false), (3, NULL, NULL)) t(n, x, b)"
MIXED = "(VALUES (1, TIMESTAMP '2020-01-01 01:30:00 +05:00'), (2, TIMESTAMP '2019-12-31 20:30:00.000 UTC'), (3, TIMESTAMP '2020-01-01 01:30:00 Europe/Berlin')) t(n, x)"
MIXED_TIMES = "(VALUES (1, TIME '01:30:00 +05:00'), (2, TIME '20:30:00.000 +00:00'), (3, TIME '01:30:00 +01:00')) t(n, x)"
CHOSEN = "CASE WHEN b THEN x AT TIME ZONE 'Europe/Berlin' ELSE x AT TIME ZONE 'America/New_York' END"

# The zone of a value is that of its text, or one of several.
ZONES_OF_TEXTS = f"""
SELECT n, hour(from_iso8601_timestamp(x)), minute(from_iso8601_timestamp(x)), CAST(from_iso8601_timestamp(x) AS date) FROM {ISO_TEXTS}
SELECT n, CAST(from_iso8601_timestamp(x) AS timestamp(3)), CAST(from_iso8601_timestamp(x) AS time(3)), year(from_iso8601_timestamp(x)) FROM {ISO_TEXTS}
SELECT n, date_format(from_iso8601_timestamp(x), '%Y-%m-%d %H:%i:%s'), CAST(date_trunc('month', from_iso8601_timestamp(x)) AS date) FROM {ISO_TEXTS}
SELECT CAST(from_iso8601_timestamp(x) AS date), count(*) FROM {ISO_TEXTS} GROUP BY 1 ORDER BY 1
SELECT n, to_unixtime(from_iso8601_timestamp(x)), from_iso8601_timestamp(x) < TIMESTAMP '2020-01-01 00:00:00 UTC' FROM {ISO_TEXTS}
SELECT n, date_diff('hour', TIMESTAMP '2020-01-01 00:00:00 UTC', from_iso8601_timestamp(x)) FROM {ISO_TEXTS}
SELECT n, to_unixtime(date_add('hour', 5, from_iso8601_timestamp(x))), to_unixtime(date_trunc('second', from_iso8601_timestamp(x))) FROM {ISO_TEXTS}
SELECT n, from_iso8601_timestamp(x) AT TIME ZONE 'Asia/Kolkata', hour(from_iso8601_timestamp(x) AT TIME ZONE 'Asia/Kolkata') FROM {ISO_TEXTS}
SELECT n, hour(y AT TIME ZONE 'UTC') FROM (SELECT n, from_iso8601_timestamp(x) y FROM {ISO_TEXTS}) s
SELECT n, hour(y), date_trunc('day', y), CAST(y AS varchar), to_iso8601(y) FROM (SELECT n, from_iso8601_timestamp(x) y FROM {UTC_TEXTS}) s
SELECT n, y + INTERVAL '1' MONTH, date_add('day', 1, y), date_diff('day', y, TIMESTAMP '2020-01-31 00:00:00 UTC') FROM (SELECT n, from_iso8601_timestamp(x) y FROM {UTC_TEXTS}) s
SELECT n, transform(ARRAY[from_iso8601_timestamp(x)], e -> hour(e)), CAST(ROW(from_iso8601_timestamp(x)) AS json) FROM {UTC_TEXTS}
SELECT n, hour(from_iso8601_timestamp_nanos(x)), CAST(from_iso8601_timestamp_nanos(x) AS timestamp(9)) FROM (VALUES (1, '2020-01-01T01:02:03.456789012+05:30'), (2, '2020-01-01T01:02:03Z')) t(n, x)
SELECT n, hour(CAST(x AS timestamp with time zone)), CAST(CAST(x AS timestamp(0) with time zone) AS date) FROM {CAST_TEXTS}
SELECT n, hour(try_cast(x || 'x' AS timestamp with time zone)), hour(try_cast(x AS timestamp with time zone)) FROM {CAST_TEXTS}
SELECT n, CAST(CAST(x AS timestamp(9) with time zone) AS timestamp(9)), minute(CAST(x AS timestamp(6) with time zone)) FROM {CAST_TEXTS}
SELECT n, to_unixtime(CAST(x AS timestamp with time zone)), CAST(x AS timestamp with time zone) IS NULL FROM {CAST_TEXTS}
SELECT n, hour(parse_datetime(x, {PATTERN})), CAST(parse_datetime(x, {PATTERN}) AS date) FROM {PATTERN_TEXTS}
SELECT n, hour(parse_datetime(substr(x, 1, 16), 'yyyy-MM-dd HH:mm')), parse_datetime(substr(x, 1, 16), 'yyyy-MM-dd HH:mm') FROM {PATTERN_TEXTS}
SELECT n, hour({CHOSEN}), CAST({CHOSEN} AS date), date_format({CHOSEN}, '%H:%i') FROM {TWO_ZONES}
SELECT n, hour(if(b, x AT TIME ZONE '+05:00')), hour(coalesce(x, TIMESTAMP '2020-01-01 01:30:00 +05:00')) FROM {TWO_ZONES}
SELECT n, hour(coalesce(x, from_iso8601_timestamp('2020-01-01T10:00' || '-08:00'))), minute(coalesce(NULL, x)) FROM {TWO_ZONES}
SELECT n, {CHOSEN} = x, to_unixtime({CHOSEN}) FROM {TWO_ZONES}
SELECT n, x = TIMESTAMP '2020-01-01 00:30:00 UTC', to_unixtime(x + INTERVAL '1' DAY), hour(x AT TIME ZONE 'Asia/Tokyo') FROM {MIXED}
SELECT count(DISTINCT x), to_unixtime(max(x)), to_unixtime(min(x)) FROM {MIXED}
SELECT n, row_number() OVER (ORDER BY x, n) FROM {MIXED} ORDER BY n
SELECT n, x AT TIME ZONE '+02:00', x = TIME '20:30:00 +00:00', date_diff('minute', x, TIME '00:30:00 +00:00') FROM {MIXED_TIMES}
SELECT n, hour(CAST(x AS time with time zone)), CAST(CAST(x AS time with time zone) AS varchar) FROM (VALUES (1, '01:30:00+00:00'), (2, '20:30:00')) t(n, x)
""".strip().splitlines()

ZONES_OF_ROWS = f"""
SELECT n, hour(at_timezone(x, z)), minute(at_timezone(x, z)), second(at_timezone(x, z)), millisecond(at_timezone(x, z)) FROM {ZONED}
SELECT n, year(at_timezone(x, z)), quarter(at_timezone(x, z)), month(at_timezone(x, z)), day(at_timezone(x, z)) FROM {ZONED}
SELECT n, week(at_timezone(x, z)), day_of_week(at_timezone(x, z)), doy(at_timezone(x, z)), yow(at_timezone(x, z)) FROM {ZONED}
SELECT n, date_format(at_timezone(x, z), '%Y-%m-%d %H:%i:%s.%f'), format_datetime(at_timezone(x, z), 'yyyy-MM-dd HH:mm') FROM {ZONED}
SELECT n, CAST(at_timezone(x, z) AS date), CAST(at_timezone(x, z) AS timestamp(3)), CAST(at_timezone(x, z) AS time(3)) FROM {ZONED}
SELECT n, date(at_timezone(x, z)), last_day_of_month(at_timezone(x, z)), CAST(at_timezone(x, z) AS timestamp(0)) FROM {ZONED}
SELECT EXTRACT(HOUR FROM at_timezone(x, z)), count(*) FROM {ZONED} GROUP BY 1 ORDER BY 1
SELECT n, hour(from_unixtime(1.5e9, z)), CAST(from_unixtime(1593559800.25e0, z) AS timestamp(3)) FROM {ZONED}
SELECT n, hour(with_timezone(TIMESTAMP '2020-07-01 12:00:00', z)), hour(with_timezone(TIMESTAMP '2024-03-31 02:30:00', z)) FROM {ZONED}
SELECT n, CAST(date_trunc('day', at_timezone(x, z)) AS date), CAST(date_trunc('week', at_timezone(x, z)) AS timestamp(0)) FROM {ZONED}
SELECT n, to_unixtime(at_timezone(x, z)), at_timezone(x, z) < TIMESTAMP '2020-03-01 00:00:00 UTC', at_timezone(x, z) - x FROM {ZONED}
SELECT n, to_unixtime(with_timezone(TIMESTAMP '2024-03-31 02:30:00', z)), with_timezone(TIMESTAMP '2020-01-01 05:30:00', z) = x FROM {ZONED}
SELECT hour(date_trunc('hour', at_timezone(x, z))), CAST(date_trunc('minute', at_timezone(x, z)) AS timestamp(0)) FROM (VALUES (TIMESTAMP '2024-11-03 05:30:00 UTC', 'America/New_York'), (TIMESTAMP '2024-11-03 06:30:00 UTC', 'America/New_York')) t(x, z)
SELECT n, hour(date_trunc('hour', at_timezone(x, z))), day(date_trunc('month', at_timezone(x, z))) FROM {ZONED}
SELECT n FROM {ZONED} WHERE hour(at_timezone(x, z)) BETWEEN 4 AND 6 OR day(at_timezone(x, z)) = 1
SELECT n, TRY(hour(at_timezone(x, if(n = 1, 'nowhere', z)))) FROM {ZONED}
SELECT n, hour(at_timezone(x, if(n = 1, 'nowhere', z))) FROM {ZONED}
SELECT n, hour(at_timezone(x, concat('Asia/', 'Kolkata'))) FROM {ZONED}
""".strip().splitlines()
# Types that a type variable stands for, and precisions of a parameter.
ANY = [
    "bigint", "varchar", "double", "date", "decimal(5,2)", "boolean", "timestamp(3)", "array(bigint)", "integer",
]
KEYS = ["bigint", "varchar"]
PARAMETERS = {
    "decimal(p,s)": ["decimal(5,2)", "decimal(18,6)", "decimal(38,10)", "decimal(20,0)"], "decimal(p,0)": ["decimal(10,0)"],
    "timestamp(p)": ["timestamp(0)", "timestamp(3)", "timestamp(6)"], "time(p)": ["time(3)", "time(6)"],
    "timestamp(p) with time zone": ["timestamp(3) with time zone", "timestamp(6) with time zone"],
    "time(p) with time zone": ["time(3) with time zone"], "char(x)": ["char(3)", "char(8)"],
}
TEXT_PARAMETER = re.compile(r"varchar(\(\w\))?|joniregexp|jsonpath")
PLAIN = {"boolean", "double", "real", "date", "json", "varbinary", *BITS, *INTERVALS}


class Unknown(Exception):
    """A parameter that no column can be, such as a function."""


def concrete(chance, parameter, bound):
    """A type for a parameter; `bound` are those of its type variables."""
    if parameter in functions.TYPES_OF_LETTERS or parameter == "t":
        kinds = KEYS if parameter.startswith("k") else ANY
        return bound.setdefault(parameter, chance.choice(kinds))
    if found := re.fullmatch(r"array\((.*)\)", parameter):
        return f"array({concrete(chance, found[1], bound)})"
    if found := re.fullmatch(r"map\((\w+),(\w+)\)", parameter):
        return f"map({concrete(chance, found[1], bound)},{concrete(chance, found[2], bound)})"
    if TEXT_PARAMETER.fullmatch(parameter):
        return "varchar"
    if parameter in PARAMETERS:
        return chance.choice(PARAMETERS[parameter])
    if parameter in PLAIN:
        return parameter
    raise Unknown(parameter)


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def text(chance):
    if chance.random() < 0.75:
        return chance.choice(TEXTS)
    return "".join(chance.choice("ab c-,=AZé😀1") for _ in range(chance.randrange(12)))


def integer(chance, bits):
    limit = 2 ** (bits - 1)
    value = chance.choice(INTEGERS) if chance.random() < 0.7 else chance.randrange(-limit, limit)
    return value if -limit <= value < limit else chance.randrange(-20, 20)


def decimal(chance, precision, scale):
    limit = 10**precision - 1
    some = chance.choice([0, 1, -1, 5, -5, 15, 25, -25, limit, -limit])
    value = some if chance.random() < 0.5 else chance.randrange(-limit, limit + 1)
    digits = str(abs(value)).rjust(scale + 1, "0")
    whole, part = digits[: len(digits) - scale], digits[len(digits) - scale :]
    return f"{'-' if value < 0 else ''}{whole}{'.' + part if part else ''}"


def date(chance):
    random_day = f"{chance.randrange(1800, 2200):04}-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}"
    return chance.choice(DAYS) if chance.random() < 0.7 else random_day


def time(chance, digits):
    return chance.choice(TIMES) + ("." + "".join(chance.choice("059123") for _ in range(digits)) if digits else "")


def value(chance, kind):
    """A random value of a type, as SQL."""
    is_zoned = "time zone" in kind
    # A NULL has the zone of the session, and a column of two zones is one of UTC.
    if chance.random() < 0.08 and not is_zoned:
        return f"CAST(NULL AS {kind})"
    if kind in BITS:
        return f"{kind.upper()} '{integer(chance, BITS[kind])}'"
    if kind in INTERVALS:
        return chance.choice(INTERVALS[kind])
    if kind in ("double", "real"):
        number = chance.choice(DOUBLES) if chance.random() < 0.5 else f"{chance.uniform(-1000, 1000)!r}e0"
        return number if kind == "double" else f"CAST({number} AS real)"
    if kind == "boolean":
        return chance.choice(["true", "false"])
    if kind == "json":
        return f"JSON {quoted(chance.choice(JSON))}"
    if kind == "varbinary":
        return f"X'{text(chance).encode().hex()}'"
    if kind == "date":
        return f"DATE '{date(chance)}'"
    if kind == "varchar" or kind.startswith("char"):
        return f"CAST({quoted(text(chance))} AS {kind})"
    digits = [int(number) for number in re.findall(r"\d+", kind)]
    if kind.startswith("decimal"):
        return f"CAST(DECIMAL '{decimal(chance, *digits)}' AS {kind})"
    if kind.startswith("timestamp"):
        return f"TIMESTAMP '{date(chance)} {time(chance, digits[0])}{' Asia/Kolkata' if is_zoned else ''}'"
    if kind.startswith("time"):
        return f"TIME '{time(chance, digits[0])}{' -05:30' if is_zoned else ''}'"
    if found := re.fullmatch(r"array\((.*)\)", kind):
        values = [value(chance, found[1]) for _ in range(chance.choice([0, 1, 2, 3, 5]))]
        return f"CAST(ARRAY[{', '.join(values)}] AS {kind})"
    key, element = re.fullmatch(r"map\((\w+),(.*)\)", kind).groups()
    keys = {value(chance, key) for _ in range(chance.choice([0, 1, 2]))}
    keys = sorted(key for key in keys if "NULL" not in key)
    values = [value(chance, element) for _ in keys]
    return f"CAST(MAP(ARRAY[{', '.join(keys)}], ARRAY[{', '.join(values)}]) AS {kind})"


def argument(chance, name, place, kind):
    fitting = [one for one in FITTING.get(name, {}).get(place, []) if isinstance(one, str) == (kind == "varchar")]
    if not fitting or chance.random() < 0.05:
        return value(chance, kind)
    chosen = chance.choice(fitting)
    return f"CAST({quoted(chosen) if kind == 'varchar' else chosen} AS {kind})"


def statement(chance, name, kinds):
    arguments, columns = [], {}
    for place, kind in enumerate(kinds):
        # Patterns and formats are rarely columns.
        is_constant = chance.random() < (0.7 if place == 1 and name.startswith(("regexp", "json", "date_f", "date_p")) else 0.3)
        if is_constant:
            arguments.append(argument(chance, name, place, kind))
        else:
            column = f"a{place}"
            arguments.append(column)
            columns[column] = [argument(chance, name, place, kind) for _ in range(ROWS)]
    rows = (", ".join([str(row), *(values[row] for values in columns.values())]) for row in range(ROWS))
    table = f"(VALUES {', '.join(f'({row})' for row in rows)}) t({', '.join(['n', *columns])})"
    return f"SELECT n, TRY({name}({', '.join(arguments)})) FROM {table}"


def statements():
    signatures = (pathlib.Path(__file__).parent / "signatures.txt").read_text().splitlines()
    for number, line in enumerate(signatures):
        name, parameters, kind = line.rsplit("|", 2)
        if kind != "scalar" or name in SKIPPED or not parameters:
            continue
        for attempt in range(STATEMENTS):
            chance = random.Random(f"{number} {attempt}")
            bound = {}
            try:
                kinds = [concrete(chance, parameter.lower(), bound) for parameter in functions.split(parameters)]
            except Unknown:
                break
            yield statement(chance, name, kinds)
    yield from FOUND
    yield from ZONES_OF_ROWS
    yield from ZONES_OF_TEXTS
