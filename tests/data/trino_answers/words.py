"""Words, amounts with units, and `format`."""

import pathlib

from suite import Suite, quoted

# A language and words of it on a line.
STEMS = [line.split() for line in (pathlib.Path(__file__).parent / "stems.txt").read_text().splitlines()]


def words(suite):
    for language, *listed in STEMS:
        suite.calls("word_stem({0}, '%s')" % language, [quoted(word) for word in listed])
    suite.calls("word_stem({0})", [quoted(word) for word in ["", "a", "is", "running", "RUNNING", "don't", "it's", "'tis", "two words", "naïve", "x9s", "yes", "sayings"]])
    suite.values("word_stem('a', 'xx')", "word_stem('a', 'EN')", "word_stem('a', 'eng')", "word_stem('a', '')", "word_stem(NULL)", "word_stem('running', NULL)", "word_stem(1)")
    suite.calls("soundex({0})", [quoted(text) for text in ["", "a", "A", "Robert", "Rupert", "Rubin", "Ashcraft", "Ashcroft", "Tymczak", "Pfister", "Honeyman", "jumped", "Lloyd", "O'Hara", "van der Berg", "  x y ", "Wheaton", "hw", "Hwh", "b-b", "bob", "BbFf", "123", "r2d2", "Jackson", "Gutierrez", "VanDeusen", "aaaa", "bcdfghj"]])
    suite.values("soundex('é')", "soundex('Straße')", "soundex('aé')", "soundex('abcdefghié')", "soundex('ж')", "soundex(NULL)", "soundex(1)")
    suite.calls("luhn_check({0})", [quoted(text) for text in ["", "0", "1", "00", "18", "26", "4242424242424242", "4242424242424241", "79927398713", "79927398710", "378282246310005", "12345678903555"]])
    suite.values("luhn_check('12a')", "luhn_check(' 18')", "luhn_check('-18')", "luhn_check('1.8')", "luhn_check(NULL)", "luhn_check(18)")


def amounts(suite):
    suite.calls("human_readable_seconds({0})", ["0e0", "0.4e0", "0.5e0", "1.5e0", "2.5e0", "59.4e0", "59.5e0", "60e0", "61e0", "3600e0", "3661.5e0", "86400e0", "90061e0", "604800e0", "604801e0", "1209661e0", "-1e0", "-0.2e0", "-61.2e0", "1e9", "1e15", "1e19", "96e0", "56363463e0"])
    suite.values("human_readable_seconds(nan())", "human_readable_seconds(infinity())", "human_readable_seconds(-infinity())", "human_readable_seconds(90)", "human_readable_seconds(DECIMAL '1.5')", "human_readable_seconds('1')", "human_readable_seconds(NULL)")
    suite.calls("format_number({0})", ["0", "7", "999", "1000", "1005", "1125", "1135", "12345", "12350", "12450", "99949", "99950", "99999", "123499", "123500", "999499", "999999", "1234567", "1994999", "-1", "-999", "-1999", "-12345", "-123456", "1000000000", "1500000000000", "9223372036854775807", "BIGINT '-9223372036854775808'"])
    suite.calls("format_number({0})", ["0e0", "1.9e0", "-1.9e0", "999.99e0", "1000.5e0", "1e300", "-1e300", "1e15", "1.5e16"])
    suite.values("format_number(nan())", "format_number(infinity())", "format_number(REAL '1500')", "format_number(DECIMAL '1500.7')", "format_number(NULL)", "format_number('1')")
    suite.calls("parse_duration({0})", [quoted(text) for text in ["1ns", "1.5ns", "499999ns", "500000ns", "1000000ns", "1.5us", "1500us", "499us", "1ms", "1.4ms", "1.5ms", "2s", "0.0005s", "0.0004999s", "3m", "4h", "5d", "1.5d", "3.81d", " 1 s ", "1\ts", "1 s", "0s", "00.50s", "106751991167d"]])
    suite.calls("parse_duration({0})", [quoted(text) for text in ["", " ", "1", "s", "1S", "1w", "-1s", "+1s", "1e3s", ".5s", "5.s", "1..5s", "1s1", "1 s x", "1,5s", "99999999999999d", "١s"]])
    suite.values("parse_duration(NULL)", "parse_duration(1)")
    suite.calls("parse_data_size({0})", [quoted(text) for text in ["1B", "0B", "1kB", "1MB", "1GB", "1TB", "1PB", "1EB", "1ZB", "1YB", "2.3MB", ".5MB", "2.B", "0.9999kB", "0.5B", "6917529027641.081856MB", "82718061255302YB", "0.00000000000000000000000000000000000001YB", "007kB"]])
    suite.calls("parse_data_size({0})", [quoted(text) for text in ["", "B", "1", "1KB", "1b", "1mb", " 1B", "1B ", "1 B", "-1B", "+1B", "1e3B", ".B", "1.2.3B", "1kiB", "82718061255303YB"]])
    suite.values("parse_presto_data_size('1.5kB')", "parse_presto_data_size('x')", "parse_data_size(NULL)", "parse_data_size(1)")
    suite.calls("to_milliseconds({0})", ["INTERVAL '1' DAY", "INTERVAL '-1' SECOND", "INTERVAL '1 02:03:04.567' DAY TO SECOND", "INTERVAL '0' HOUR"])
    suite.values("to_milliseconds(INTERVAL '1' MONTH)", "to_milliseconds(NULL)")


INTEGERS = ["0", "1", "-1", "255", "1234567", "-1234567", "9223372036854775807", "BIGINT '-9223372036854775808'"]
DOUBLES = ["0e0", "-0e0", "1e0", "-1.5e0", "1234567.891e0", "1.005e0", "0.5e0", "2.5e0", "9.9996e0", "0.00012345e0", "0.000099999e0", "1e21", "1.5e-10", "123456789012e0", "nan()", "infinity()", "-infinity()", "1.7976931348623157e308", "4.9e-324"]
DECIMALS = ["DECIMAL '0.000'", "DECIMAL '1.505'", "DECIMAL '-1.505'", "DECIMAL '1234567.895'", "DECIMAL '0.0000000001'", "DECIMAL '12345678901234567890123456789012345678'", "DECIMAL '9.9995'"]


def forms(suite):
    def each(pattern, values):
        suite.calls(f"format('{pattern}', {{0}})", values)

    for pattern in ["%d", "%5d|", "%-5d|", "%05d", "%+d", "% d", "%,d", "%(d", "%,015d", "%+,d", "%(,d", "%(010d", "%x", "%X", "%#x", "%o", "%#o", "%08x", "%#010x", "%12X|", "%-12o|"]:
        each(pattern, INTEGERS)
    for pattern in ["%f", "%.0f", "%.2f", "%10.1f|", "%-10.1f|", "%010.2f", "%+.1f", "% .1f", "%,.2f", "%(.2f", "%#.0f", "%e", "%.0e", "%.3e", "%E", "%12.2e|", "%012.2e", "%g", "%.3g", "%.10g", "%G", "%,g", "%s", "%10s|", "%S"]:
        each(pattern, DOUBLES)
    for pattern in ["%f", "%.0f", "%.2f", "%,.1f", "%(.2f", "%015.3f", "%s", "%e", "%.2e", "%g", "%.2g"]:
        each(pattern, DECIMALS)
    for pattern in ["%s", "%f", "%.2e"]:
        each(pattern, ["REAL '1.1'", "REAL '16777216'", "REAL '-0'", "REAL '1.5'"])
    for pattern in ["%s", "%10s|", "%-10s|", "%.2s|", "%5.1s|", "%S", "%b", "%B", "%h", "%H", "%.3b", "%10b|"]:
        each(pattern, ["'abc'", "''", "'äß€😀'", "'%d'", "NULL"])
    for pattern in ["%s", "%b", "%S", "%h", "%6b|", "%.1b"]:
        each(pattern, ["true", "false"])
    for pattern in ["%b", "%h", "%H", "%s", "%20s|"]:
        each(pattern, INTEGERS)
    each("%h", DOUBLES[:8])
    dates = ["DATE '2006-07-04'", "DATE '0001-01-01'"]
    for pattern in ["%s", "%1$tA, %1$tB %1$te, %1$tY", "%ta %<tb %<th", "%tC|%<ty|%<tj|%<tm|%<td", "%tD %<tF", "%Tb", "%12tB|", "%-12tB|", "%b"]:
        each(pattern, dates)
    times = ["TIMESTAMP '2006-07-04 13:05:09.123456'", "TIMESTAMP '2006-07-04 00:00:00'", "TIMESTAMP '1969-12-31 23:59:59.999'", "TIMESTAMP '2006-01-04 12:00:01'"]
    for pattern in ["%s", "%tH:%<tM:%<tS", "%tI %<tl %<tk %<tp %<Tp", "%tL %<tN", "%tR %<tT %<tr", "%tF %<tD"]:
        each(pattern, times)
    zoned = ["TIMESTAMP '2006-07-04 13:05:09.123 UTC'"]
    for pattern in ["%s", "%tc", "%tZ %<tz", "%ts %<tQ"]:
        each(pattern, zoned)
        each(pattern, ["TIMESTAMP '2006-07-04 13:05:09.123 +05:30'"])
    each("%s|%<tz|%<ts|%<tQ|%<tF", ["TIMESTAMP '2006-07-04 13:05:09.123 Europe/Berlin'"])
    each("%s", ["TIME '13:05:09.123'", "TIME '13:05:00'", "TIME '00:00:00.000001'", "INTERVAL '1' DAY", "INTERVAL '13' MONTH"])
    each("%tT", ["TIME '13:05:09.123'"])
    each("%tF %<tQ", ["0", "-1", "1152018309123"])
    suite.values(
        "format('%s %s', 'a', 1)", "format('%2$s %1$s', 'a', 1)", "format('%2$s %s %<s %s', 'a', 'b', 'c')", "format('%s%%%n|', 1)", "format('%5%|', 1)", "format('%-5%|', 1)", "format('none', 1)", "format('', 1)", "format('%s', 1, 2)", "format('%<s', 1)", "format('%0$s', 1)", "format('%3$s', 1)",
        "format('%s %s', 1)", "format('%q', 1)", "format('%', 1)", "format('%5', 1)", "format('%.s', 1)", "format('%-s', 1)", "format('%0d', 1)", "format('%-05d', 1)", "format('%+ d', 1)", "format('%#d', 1)", "format('%,x', 1)", "format('%+x', 1)", "format('%.2d', 1)", "format('%#s', 'a')", "format('%+s', 'a')", "format('%--5s', 'a')", "format('%D', 1)", "format('%F', 1e0)", "format('%I', 1)", "format('%t', 1)", "format('%tq', 1)", "format('%tH', DATE '2020-01-01')", "format('%tY', TIME '01:00:00')", "format('%tQ', TIMESTAMP '2020-01-01 00:00:00')", "format('%.1tY', DATE '2020-01-01')", "format('%tY', 'a')", "format('%c', 'a')", "format('%c', 65)", "format('%c', NULL)", "format('%d', 1.5e0)", "format('%d', 'a')", "format('%d', DECIMAL '1')", "format('%f', 1)", "format('%f', 'a')", "format('%x', 1e0)", "format('%e', 1)", "format('%,e', 1e0)", "format('%#g', 1e0)", "format('%5n', 1)", "format('%-n', 1)",
        "format('%d %f %e %x %tY %b %s %h', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)", "format('%5d|%-8f|%3s', NULL, NULL, NULL)", "format(NULL, 1)", "format('a')", "format()", "format('%s', ARRAY[1])", "format('%s', X'61')", "format('%s', ROW(1))", "format(1, 1)", "format(CAST(NULL AS varchar), 1)", "format('%1$s', 'a', ARRAY[1])",
    )
    suite.ask("SELECT format(a, b, c) FROM (VALUES ('%s-%s', 1, 'x'), ('%2$s %1$d', 2, NULL), (NULL, 3, 'z'), ('%s', NULL, 'y')) AS t(a, b, c)")


def statements(suite: Suite):
    words(suite)
    amounts(suite)
    forms(suite)
