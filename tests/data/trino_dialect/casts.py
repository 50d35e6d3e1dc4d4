"""Every pair of casts, with good and bad values; literals; operators between types."""

GOOD = {
    "boolean": ["true"], "tinyint": ["TINYINT '1'"], "smallint": ["SMALLINT '300'"], "integer": ["100000"],
    "bigint": ["BIGINT '5000000000'"], "real": ["REAL '1.5'", "CAST(nan() AS real)"], "double": ["2.5e0", "1e300"],
    "decimal(4,1)": ["DECIMAL '123.5'"], "decimal(30,3)": ["DECIMAL '12345678901234567890.125'"],
    "varchar": ["'abc'", "'1'", "' 12 '", "'true'", "'2020-02-29'", "'2020-02-29 13:14:15.678'", "'13:14:15'", "'1.5'", "'[1]'", "''"],
    "char(5)": ["CHAR '12'"], "varbinary": ["X'616263'"], "date": ["DATE '2020-02-29'"],
    "time(3)": ["TIME '13:14:15.678'"], "time(0) with time zone": ["TIME '13:14:15 +02:00'"],
    "timestamp(3)": ["TIMESTAMP '2020-02-29 13:14:15.678'"], "timestamp(6) with time zone": ["TIMESTAMP '2020-02-29 13:14:15.678901 UTC'"],
    "interval day to second": ["INTERVAL '1' DAY"], "interval year to month": ["INTERVAL '14' MONTH"],
    "json": ["JSON '1'", "JSON '\"a\"'", "JSON '[1, 2]'"], "uuid": ["UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'"],
    "ipaddress": ["IPADDRESS '10.0.0.1'"], "array(integer)": ["ARRAY[1, 2]"], "array(varchar)": ["ARRAY['1', 'x']"],
    "map(varchar,integer)": ["MAP(ARRAY['a'], ARRAY[1])"], "row(a integer, b varchar)": ["ROW(1, 'x')"],
}
TARGETS = [*GOOD, "varchar(2)", "decimal(2,0)", "time(0)", "timestamp(0)", "time(9)", "timestamp(9)"]


def casts():
    for source, values in GOOD.items():
        for target in TARGETS:
            for place, value in enumerate(values):
                if place and target in ("array(varchar)", "map(varchar,integer)", "row(a integer, b varchar)", "char(5)"):
                    continue
                yield f"SELECT CAST({value} AS {target})"
            if len(values) > 2:
                yield f"SELECT TRY_CAST({values[0]} AS {target})"
        yield f"SELECT CAST(CAST(NULL AS {source}) AS varchar)"


LITERALS = [
    "0", "007", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "2147483647", "2147483648", "1_000", "1__0",
    "0x1F", "0X1f", "0b101", "0o17", "0xG", "1.5", ".5", "1.", "1_0.5_0", "00.10", "12345678901234567890123456789012345678",
    "123456789012345678901234567890123456789", "1e5", "1E-5", ".5e1", "1.e5", "1e400", "1e-400", "4.9E-324", "'abc'", "'it''s'", "''",
    "'a\nb'", "U&'\\0041'", "U&'!0041' UESCAPE '!'", "U&'\\+01F600'", "U&'\\D800'", "U&'\\00'", "U&'x' UESCAPE 'ab'", "X'41'", "X'4'", "X'41 42'", "x''", "X'4G'",
    "true", "FALSE", "NULL", "DATE '2020-02-29'", "DATE '2021-02-29'", "DATE '2020-2-9'", "DATE ' 2020-02-29 '", "DATE '-0001-01-01'", "DATE '10000-01-01'",
    "TIME '13:14:15'", "TIME '13:14'", "TIME '24:00:00'", "TIME '13:14:15.123456789'", "TIME '13:14:15.123456789012'", "TIME '13:14:15 +01:00'",
    "TIMESTAMP '2020-02-29 13:14:15'", "TIMESTAMP '2020-02-29'", "TIMESTAMP '2020-02-29 13:14:15.1'", "TIMESTAMP '2020-02-29 13:14:15 UTC'",
    "TIMESTAMP '2020-02-29 13:14:15.123456 Europe/Berlin'", "TIMESTAMP '2020-02-29 13:14:15 +05:30'", "TIMESTAMP '2020-02-29 25:14:15'", "TIMESTAMP '2020-02-29 13:14:15 Nowhere/X'",
    "TIMESTAMP WITH TIME ZONE '2020-02-29 13:14:15 UTC'", "INTERVAL '1' DAY", "INTERVAL -'1' DAY", "INTERVAL '-1' DAY", "INTERVAL '1-2' YEAR TO MONTH", "INTERVAL '1 02:03:04.567' DAY TO SECOND",
    "INTERVAL '02:03' HOUR TO MINUTE", "INTERVAL '1' WEEK", "INTERVAL '1.5' SECOND", "INTERVAL 'x' DAY", "INTERVAL '1' CENTURY", "INTERVAL '1' MONTH TO DAY", "interval '3' month",
    "DECIMAL '1.50'", "DECIMAL '1e5'", "DECIMAL 'x'", "REAL '1.5'", "DOUBLE '1.5'", "DOUBLE PRECISION '1.5'", "BIGINT '12'", "BIGINT 'x'", "INTEGER '2147483648'", "INT '5'", "SMALLINT '32768'", "TINYINT '-128'",
    "BOOLEAN 'true'", "BOOLEAN 'x'", "VARCHAR 'x'", "CHAR 'x'", "CHAR ''", "JSON '{\"a\": 1}'", "JSON '{'", "UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'", "UUID 'x'", "IPADDRESS '::1'", "IPADDRESS 'x'",
    "NOSUCH 'x'", "ARRAY[]", "ARRAY[1, 2.5]", "ARRAY[1, 'a']", "ARRAY[NULL]", "ARRAY[ARRAY[1], NULL]", "ROW(1)", "ROW(1, 'a', NULL)", "ROW()", "(1, 2)", "(1)", "MAP()", "MAP(ARRAY[1], ARRAY['a'])", "MAP {}",
    "\"x\"", "`x`", "'unfinished", "\"unfinished", "1a", "1e", "0x", "$1", "?", "@x", "a.b.c.d.e", "E'a'", "N'a'", "B'1'", "{d '2020-01-01'}", "1 /* comment */ + 1", "1 -- comment\n + 1", "1 /* open",
    "current_catalog", "current_schema", "current_user", "current_path", "typeof(current_date)", "typeof(current_time)", "typeof(current_time(9))", "typeof(current_timestamp)", "typeof(localtime(2))", "typeof(localtimestamp(9))", "typeof(now())", "typeof(current_timestamp(13))",
]

OPERANDS = {
    "boolean": "true", "integer": "7", "bigint": "BIGINT '3'", "double": "2.5e0", "real": "REAL '1.5'", "decimal": "1.50",
    "varchar": "'abc'", "char": "CHAR 'ab'", "varbinary": "X'61'", "date": "DATE '2020-02-29'", "time": "TIME '13:14:15'",
    "timestamp": "TIMESTAMP '2020-02-29 13:14:15'", "timestamptz": "TIMESTAMP '2020-02-29 13:14:15 UTC'",
    "interval day": "INTERVAL '1' DAY", "interval year": "INTERVAL '1' MONTH", "array": "ARRAY[1]", "row": "ROW(1, 'a')",
    "map": "MAP(ARRAY[1], ARRAY['a'])", "json": "JSON '1'", "null": "NULL",
}


def operators():
    names = list(OPERANDS)
    for left in names:
        for right in names:
            a, b = OPERANDS[left], OPERANDS[right]
            alike = left == right
            yield f"SELECT {a} + {b}"
            yield f"SELECT {a} = {b}" if not alike else f"SELECT {a} <= {b}"
            if alike or "interval" in left + right:
                for operator in ("-", "*", "/", "%", "||") if alike else ("-", "*"):
                    yield f"SELECT {a} {operator} {b}"
            if alike:
                for text in (f"{a} <> {b}", f"{a} IS DISTINCT FROM NULL", f"{a} BETWEEN {b} AND {b}", f"{a} IN ({b}, NULL)", f"NOT ({a} = {b})", f"-{a}", f"+{a}", f"{a} IS NULL",
                             f"nullif({a}, {b})", f"coalesce(NULL, {a})", f"if(true, {a})", f"CASE {a} WHEN {b} THEN 1 ELSE 2 END", f"greatest({a}, {b})", f"typeof({a})", f"{a} AND {b}", f"{a}[1]", f"{a} LIKE {b}"):
                    yield f"SELECT {text}"
    for text in ("1 + 2 * 3 - 4 / 2 % 3", "-2147483648", "- -1", "7 / 2", "-7 / 2", "-7 % 3", "7.0 / 2", "1 / 3.0", "1.00 * 2.000", "10 / 0", "10 % 0", "1.5 / 0", "1e0 / 0", "0e0 / 0", "2147483647 + 1", "9223372036854775807 + 1", "-(-9223372036854775808)", "99999999999999999999999999999999999999 + 1",
                 "true AND NULL", "false AND NULL", "true OR NULL", "NOT NULL", "NULL = NULL", "NULL IS NULL", "1 IN (1, NULL)", "2 IN (1, NULL)", "2 NOT IN (1, NULL)", "1 BETWEEN 2 AND 0", "2 NOT BETWEEN 1 AND 3", "1 BETWEEN SYMMETRIC 2 AND 0",
                 "'abc' LIKE 'a%'", "'abc' LIKE 'a_c'", "'a%c' LIKE 'a!%c' ESCAPE '!'", "'abc' NOT LIKE 'b%'", "'abc' LIKE NULL", "'a' LIKE 'a' ESCAPE 'ab'", "'a' LIKE 'a!' ESCAPE '!'", "'abc' || 'def'", "'a' || NULL", "'a' || 1", "ARRAY[1] || ARRAY[2]", "ARRAY[1] || 2",
                 "ARRAY[1, 2][1]", "ARRAY[1, 2][3]", "ARRAY[1, 2][0]", "ARRAY[1, 2][-1]", "ARRAY[1, 2][NULL]", "ROW(1, 'a')[1]", "ROW(1, 'a')[3]", "CAST(ROW(1, 'a') AS row(x integer, y varchar)).y", "CAST(ROW(1) AS row(x integer)).z", "MAP(ARRAY['a'], ARRAY[1])['a']", "MAP(ARRAY['a'], ARRAY[1])['b']",
                 "(1, 2) = (1, 2)", "(1, 2) < (1, 3)", "(1, NULL) = (1, 2)", "(1, NULL) = (2, NULL)", "(1, 2) IN ((1, 2), (3, 4))", "(1, 2) NOT IN ((1, 3), (3, NULL))", "(1, 2) = (1, 2, 3)", "1 = ANY (VALUES 1, 2)", "1 < ALL (VALUES 2, 3)", "1 = SOME (VALUES 2, NULL)", "1 <> ALL (VALUES 2, NULL)", "1 > ALL (SELECT 1 WHERE false)", "1 = ANY (SELECT 1 WHERE false)", "(1, 2) IN (VALUES (1, 2), (3, 4))", "(1, 2) IN (SELECT 1, 2)", "(1, 2) = ANY (VALUES (1, 2))", "1 IN (VALUES 1, NULL)", "3 NOT IN (VALUES 1, NULL)", "1 = (SELECT 1)", "1 = (VALUES 1, 2)", "EXISTS (SELECT 1)", "NOT EXISTS (SELECT 1 WHERE false)", "1 = ANY (ARRAY[1])", "(SELECT 1, 2)", "(1, 2) > ANY (VALUES (1, 1))",
                 "extract(year FROM DATE '2020-02-29')", "extract(week FROM DATE '2020-02-29')", "extract(timezone_hour FROM TIMESTAMP '2020-01-01 00:00:00 +05:30')", "extract(dow FROM DATE '2020-02-29')", "extract(century FROM DATE '2020-02-29')", "extract(hour FROM DATE '2020-02-29')", "extract(second FROM TIME '13:14:15.6')", "extract(year FROM INTERVAL '14' MONTH)", "extract(day FROM INTERVAL '3 04:00:00' DAY TO SECOND)",
                 "TIMESTAMP '2020-07-01 12:00:00 UTC' AT TIME ZONE 'America/New_York'", "TIMESTAMP '2020-07-01 12:00:00' AT TIME ZONE 'Asia/Tokyo'", "TIMESTAMP '2020-07-01 12:00:00 UTC' AT TIME ZONE '+02:00'", "TIMESTAMP '2020-07-01 12:00:00 UTC' AT TIME ZONE INTERVAL '2' HOUR", "TIMESTAMP '2020-07-01 12:00:00 UTC' AT TIME ZONE 'x'", "TIME '12:00:00' AT TIME ZONE '+02:00'",
                 "substring('abcdef' FROM 2 FOR 3)", "substring('abcdef' FROM 2)", "substring('abcdef', 2, 3)", "position('c' IN 'abc')", "trim(' a ')", "trim(BOTH FROM ' a ')", "trim(BOTH ' ' FROM ' a ')", "trim(LEADING 'x' FROM 'xxa')", "trim(TRAILING FROM 'a ')", "trim('x' FROM 'xax')", "trim('xax', 'x')", "trim(BOTH ' a ')", "normalize('é', NFD)", "normalize('é', NFKC)", "normalize('é', X)", "overlay('abc' PLACING 'x' FROM 1)",
                 "TRY(1 / 0)", "TRY(CAST('x' AS integer))", "TRY_CAST('x' AS integer)", "TRY(ARRAY[1][2])", "if(1 > 2, 'a', 'b')", "if(NULL, 1)", "if(1, 2, 3)", "CASE WHEN false THEN 1 END", "CASE 1 WHEN 1 THEN 'a' WHEN 'x' THEN 'b' END", "CASE WHEN true THEN 1 ELSE 'a' END", "CASE WHEN 1 THEN 2 END", "CASE END", "coalesce()", "coalesce(1)", "coalesce(NULL, NULL)", "coalesce(1, 'a')", "nullif(1, 1.0)", "nullif(1)", "grouping(1)", "typeof(NULL)", "typeof(ARRAY[NULL])", "typeof(CAST(ROW(1) AS row(a bigint)))", "1 IS DISTINCT FROM NULL", "NULL IS NOT DISTINCT FROM NULL", "1 IS TRUE", "true IS TRUE", "true IS NOT FALSE", "NULL IS UNKNOWN", "DATE '2020-01-31' + INTERVAL '1' MONTH", "DATE '2020-01-31' - DATE '2020-01-01'", "TIMESTAMP '2020-01-31 00:00:00' - TIMESTAMP '2020-01-01 12:00:00'", "DATE '2020-01-01' + INTERVAL '1' HOUR", "TIME '23:00:00' + INTERVAL '2' HOUR", "INTERVAL '1' DAY * 2.5e0", "2 * INTERVAL '1' MONTH", "INTERVAL '1' DAY / 2", "DATE '2020-01-01' = TIMESTAMP '2020-01-01 00:00:00'", "1 = 1.0", "1 = 1e0", "'1' = 1", "DATE '2020-01-01' > '2019-01-01'", "x'61' = 'a'", "format('%s %d %.2f', 'a', 1, 2.5e0)", "format('%d', 'a')", "count(1)", "concat('a', 'b', 'c')", "concat('a')", "concat(1, 2)"):
        yield f"SELECT {text}"


def statements():
    yield from casts()
    for literal in LITERALS:
        yield f"SELECT {literal}"
    yield from operators()
