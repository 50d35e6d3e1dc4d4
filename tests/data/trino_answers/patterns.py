"""Dates and times by patterns, zones, and seconds since the epoch."""

from suite import Suite, quoted

TIMES = ["TIMESTAMP '2006-07-04 13:05:09.123456'", "TIMESTAMP '2006-01-01 00:00:00.9996'", "TIMESTAMP '2020-02-29 12:59:59'", "TIMESTAMP '1969-12-31 23:59:59.999'", "TIMESTAMP '0001-01-01 00:30:00'", "TIMESTAMP '0000-07-01 01:02:03'", "TIMESTAMP '2009-12-31 11:00:00'", "TIMESTAMP '2010-01-03 10:09:08.07'"]
ZONED = ["TIMESTAMP '2006-07-04 13:05:09.123 UTC'"]
LETTERS = ["G", "C", "CCC", "Y", "YY", "YYYY", "YYYYYY", "y", "yy", "yyy", "yyyy", "yyyyyy", "x", "xx", "xxxx", "w", "ww", "e", "ee", "E", "EEE", "EEEE", "D", "DDD", "M", "MM", "MMM", "MMMM", "d", "dd", "a", "aaa", "K", "KK", "h", "hh", "H", "HH", "k", "kk", "m", "mm", "s", "ss", "S", "SS", "SSS", "SSSS", "SSSSSS", "SSSSSSSSS"]


def prints(suite):
    for start in range(0, len(LETTERS), 6):
        pattern = "|".join(LETTERS[start : start + 6])
        suite.calls(f"format_datetime({{0}}, {quoted(pattern)})", TIMES)
    for pattern in ["yyyy-MM-dd''T''HH:mm:ss", "''''", "yyyy''''", "''a''''b''", "''unclosed", "d ''de'' MMMM", "[]#%&?é", "yyyyMMdd", "''''''''"]:
        suite.calls(f"format_datetime({{0}}, '{pattern}')", TIMES[:2])
    for pattern in ["z", "zzzz", "Z", "ZZ", "ZZZ", "ZZZZ", "HH:mm z"]:
        suite.calls(f"format_datetime({{0}}, '{pattern}')", ZONED)
        suite.calls(f"format_datetime({{0}}, '{pattern}')", ["TIMESTAMP '2006-07-04 13:05:09.123 +05:30'"])
    for pattern in ["Z", "ZZ", "ZZZ", "yyyy-MM-dd HH:mm"]:
        suite.calls(f"format_datetime({{0}}, '{pattern}')", ["TIMESTAMP '2006-07-04 13:05:09.123 Europe/Berlin'", "TIMESTAMP '2006-01-04 13:05:09.1239996 Europe/Berlin'"])
    suite.values("format_datetime(TIMESTAMP '2020-01-01 00:00:00', '')", "format_datetime(TIMESTAMP '2020-01-01 00:00:00', 'b')", "format_datetime(TIMESTAMP '2020-01-01 00:00:00', 'yyyy Z')", "format_datetime(TIMESTAMP '2020-01-01 00:00:00', '''Z''')", "format_datetime(TIMESTAMP '2020-01-01 00:00:00', 'z')", "format_datetime(DATE '2020-01-01', 'yyyy HH')", "format_datetime(DATE '2020-01-01', 'ZZZ')", "format_datetime(NULL, 'yyyy')", "format_datetime(TIMESTAMP '2020-01-01 00:00:00', NULL)", "format_datetime('2020', 'yyyy')", "format_datetime(TIME '01:00:00', 'HH')")
    for pattern in ["%a %b %c %d %e", "%f", "%H %h %I %i", "%j %k %l", "%M %m %p", "%r", "%S %s %T", "%v %W %x", "%Y %y %%", "%q%é%%%", "plain", "%Y-%m-%dT%H:%i:%s.%f"]:
        suite.calls(f"date_format({{0}}, '{pattern}')", TIMES)
    for letter in "DUuVwX":
        suite.values(f"date_format(TIMESTAMP '2020-01-01 00:00:00', '%{letter}')", f"date_parse('1', '%{letter}')")
    suite.values("date_format(TIMESTAMP '2020-01-01 00:00:00', '')", "date_format(TIMESTAMP '2020-01-01 00:00:00', '%')", "date_format(TIMESTAMP '2020-01-01 10:00:00.5 Europe/Berlin', '%Y-%m-%d %H:%i:%s.%f')", "date_format(DATE '2020-01-01', '%Y %T')", "date_format(NULL, '%Y')")


READS = [
    ("yyyy-MM-dd", ["2020-02-29", "2021-02-29", "2020-2-9", "2020-13-01", "2020-00-01", "20200-01-01", "-0005-01-01", "+2020-01-01", " 2020-01-01", "2020-01-01 ", "2020-01", "", "2020-01-32", "123456789-01-01", "2020-001-01", "1-1-1", "0-1-1", "2020/01/01"]),
    ("yyyyMMdd", ["20200229", "2020022", "202002290"]),
    ("yyyy-MM-dd HH:mm:ss.SSS", ["2020-01-02 03:04:05.678", "2020-01-02 24:00:00.000", "2020-01-02 03:60:05.678", "2020-01-02 03:04:60.000", "2020-01-02 3:4:5.6", "2020-01-02 03:04:05.6789", "2020-01-02 03:04:05."]),
    ("SSSSSS", ["123456", "1", "999999", "1234567"]),
    ("MM-dd", ["02-29", "12-31", "2-30"]),
    ("dd", ["29", "31", "32", "0"]),
    ("HH:mm", ["23:59", "9:5", "24:00", "-1:00"]),
    ("hh:mm a", ["12:00 AM", "12:00 PM", "01:30 pm", "1:30 am", "00:30 AM", "13:00 PM", "12:00 xm", "11:59 Pm"]),
    ("KK a", ["0 AM", "11 PM", "12 AM"]),
    ("kk", ["24", "1", "0", "25"]),
    ("a", ["AM", "pm"]),
    ("MMM d yyyy", ["Jan 1 2020", "january 1 2020", "MAY 31 2021", "Sept 1 2020", "Jun 31 2020", "jAn 1 2020"]),
    ("MMMM yyyy", ["February 2020", "Feb 2020", "Febr 2020"]),
    ("EEE dd MMM yyyy", ["Wed 01 Jan 2020", "Mon 01 Jan 2020", "Wednesday 01 Jan 2020", "xxx 01 Jan 2020"]),
    ("EEEE", ["Monday", "sunday", "Fri"]),
    ("e", ["1", "7", "8", "0"]),
    ("yyyy-DDD", ["2020-366", "2021-366", "2021-001", "2021-60"]),
    ("D", ["1", "366", "60"]),
    ("xxxx-'W'ww-e", ["2020-W53-7", "2021-W53-1", "2009-W01-1", "2020-W1-1", "2020-W00-1"]),
    ("xxxx", ["2020", "2009"]),
    ("ww", ["1", "53", "10"]),
    ("YYYY G", ["2020 AD", "44 BC", "0 AD", "44 bc", "44 XX"]),
    ("C", ["20", "1"]),
    ("CC yy", ["20 2021"]),
    ("y", ["2020", "1", "-44", "1234567890"]),
    ("yy", ["2020", "1", "123", "-5"]),
    ("yyMM", ["0101"]),
    ("'at' yyyy", ["at 2020", "AT 2020", "to 2020"]),
    ("yyyy'''", ["2020'"]),
    ("yyyy-MM-dd HH:mm:ss Z", ["2020-01-02 03:04:05 +0000", "2020-01-02 03:04:05 Z", "2020-01-02 03:04:05 UTC"]),
    ("yyyy-MM-dd ZZ", ["2020-01-02 +00:00", "2020-01-02 Z"]),
    ("yyyy-MM-dd ZZZ", ["2020-01-02 UTC"]),
    ("yyyy-MM-dd z", ["2020-01-02 UTC", "2020-01-02 GMT", "2020-01-02 XYZ"]),
]


def reads(suite):
    for pattern, texts in READS:
        suite.calls(f"parse_datetime({{0}}, {quoted(pattern)})", [quoted(text) for text in texts])
    # The moment of a text with a zone, in UTC.
    for pattern, texts in [("yyyy-MM-dd HH:mm Z", ["2020-01-02 03:04 +0530", "2020-01-02 03:04 -08", "2020-01-02 03:04 +05:30", "2020-01-02 03:04 +053", "2020-01-02 03:04 0530", "2020-01-02 03:04 +2500", "2020-01-02 03:04 +05:30:15", "2020-01-02 03:04 +053015"]), ("yyyy-MM-dd HH:mm ZZZ", ["2020-01-02 03:04 Europe/Berlin", "2020-03-29 02:30 Europe/Berlin", "2020-07-02 03:04 America/New_York", "2020-07-02 03:04 Nowhere/Land", "2020-07-02 03:04 +02:00"]), ("yyyy-MM-dd HH:mm z", ["2020-01-02 03:04 EST", "2020-07-02 03:04 PDT", "2020-07-02 03:04 PST", "2020-07-02 03:04 CET"])]:
        suite.calls(f"to_unixtime(parse_datetime({{0}}, {quoted(pattern)}))", [quoted(text) for text in texts])
    suite.values("parse_datetime('2020', '')", "parse_datetime('2020', 'b')", "parse_datetime(NULL, 'yyyy')", "parse_datetime('2020', NULL)", "parse_datetime(2020, 'yyyy')")
    for pattern, texts in [
        ("%Y-%m-%d %H:%i:%s", ["2020-02-29 13:05:09", "2021-02-29 00:00:00", "2020-2-9 1:2:3", "20200-01-01 00:00:00", "2020-01-01 24:00:00", "2020-01-01", "2020-01-01 00:00:00 "]),
        ("%d/%b/%y %r", ["29/Feb/24 01:05:09 PM", "01/jan/70 12:00:00 am", "01/JAN/69 12:00:00 AM", "1/January/00 12:00:00 AM"]),
        ("%T.%f", ["13:05:09.123456789", "13:05:09.1", "13:05:09.1234567891", "13:05:09."]),
        ("%h:%i %p", ["12:30 AM", "13:30 AM", "0:30 AM"]),
        ("%Y %j", ["2020 366", "2021 366", "2021 1"]),
        ("%x %v", ["2020 53", "2021 53", "2009 1"]),
        ("%W %M %e %Y", ["Wednesday January 1 2020", "Wed Jan 1 2020"]),
        ("%a", ["Mon", "Sunday"]), ("%k:%l", ["23:12", "1:1"]), ("%c-%e", ["2-29", "12-31"]), ("%%%Y", ["%2020", "2020"]), ("x%Y", ["x2020", "X2020", "y2020"]), ("%y", ["69", "70", "1", "100"]), ("%Y", ["2020", "-0001", "+2020", "0000", "20"]), ("%f", ["5"]), ("%q%Y", ["q2020"]),
    ]:
        suite.calls(f"date_parse({{0}}, '{pattern}')", [quoted(text) for text in texts])
    suite.values("date_parse('2020', '')", "date_parse('', '%Y')", "date_parse(NULL, '%Y')", "date_parse('2020', NULL)")


def moments(suite):
    seconds = ["0e0", "1.5e0", "-1.5e0", "1e9", "1.0005e0", "0.00049e0", "-0.0005e0", "253402300799e0"]
    suite.calls("from_unixtime({0})", seconds)
    suite.calls("from_unixtime({0}, 'Europe/Berlin')", seconds)
    suite.calls("from_unixtime({0}, '+05:30')", seconds)
    suite.calls("to_unixtime(from_unixtime({0}, 5, 30))", seconds)
    suite.values("from_unixtime(1e0, 5, 30)", "from_unixtime(1e0, 5, -30)", "from_unixtime(1e0, -5, -30)", "from_unixtime(1e0, -5, 30)", "from_unixtime(1e0, 0, 0)", "from_unixtime(1e0, 14, 0)", "from_unixtime(1e0, 15, 0)", "from_unixtime(1e0, 1000000000000, 0)", "from_unixtime(1e0, 'x')", "from_unixtime(nan())", "from_unixtime(1e300)", "from_unixtime(NULL, 'UTC')", "from_unixtime(1e0, NULL)", "from_unixtime(1)", "from_unixtime(DECIMAL '1.5')")
    suite.calls("from_unixtime_nanos({0})", ["0", "1", "-1", "1234567890123456789", "-1234567890123456789", "9223372036854775807"])
    suite.calls("from_unixtime_nanos({0})", ["DECIMAL '0.4'", "DECIMAL '0.5'", "DECIMAL '1.5'", "DECIMAL '-0.5'", "DECIMAL '-1.5'", "DECIMAL '1234567890123456789.5'", "DECIMAL '-1234.49'"])
    suite.calls("from_unixtime_nanos({0})", ["DECIMAL '1234567890123456789'", "DECIMAL '-5'"])
    suite.values("from_unixtime_nanos(1e0)", "from_unixtime_nanos(NULL)", "from_unixtime_nanos('1')")
    suite.calls("from_iso8601_timestamp_nanos({0})", [quoted(text) for text in ["2020-05-11T11:15:05Z", "2020-05-11T11:15:05.123456789Z", "2020-05-11T11:15:05.1Z", "2020-05-11T11:15:05", "2020-05-11T11:15Z", "1969-12-31T23:59:59.999999999Z"]])
    suite.calls("from_iso8601_timestamp_nanos({0})", [quoted(text) for text in ["", "x", "2020-05-11", "2020-05-11 11:15:05", "2020-05-11T11:15:05.1234567891Z", "2020-05-11T25:15:05Z", "2020-02-30T11:15:05Z", "2020-05-11T11:15:05ZZ", "2020-5-11T11:15:05Z", "2020-05-11T11"]])
    suite.calls("to_unixtime(from_iso8601_timestamp_nanos({0}))", [quoted(text) for text in ["2020-05-11T11:15:05+02:00", "2020-05-11T11:15:05.5-08:00", "2020-05-11T11:15:05Z"]])
    suite.values("timezone(TIMESTAMP '2020-01-01 00:00:00 UTC')", "timezone(TIMESTAMP '2020-01-01 00:00:00 +05:30')", "timezone(TIMESTAMP '2020-01-01 00:00:00 Europe/Berlin')", "timezone(TIMESTAMP '2020-01-01 00:00:00')", "timezone(DATE '2020-01-01')", "timezone(NULL)", "timezone('a')")


def statements(suite: Suite):
    prints(suite)
    reads(suite)
    moments(suite)
