"""Statements of `char(n)`: literals, casts, padding, comparison and order, functions."""

ZONES = ["UTC"]

TEXTS = ["", "a", "a ", "ab", " a", "abcdef", "é", "日本語", "a\tb", "  "]
LENGTHS = [0, 1, 2, 3, 5, 65536, 65537]
OTHERS = [
    "boolean", "tinyint", "bigint", "real", "double", "decimal(5,2)", "varchar", "varchar(2)", "varchar(10)", "char(1)",
    "char(4)", "varbinary", "date", "time", "timestamp", "timestamp with time zone", "interval day to second", "json", "uuid",
    "ipaddress", "array(varchar)", "row(a varchar)",
]  # fmt: skip
VALUES = {
    "boolean": "true", "tinyint": "TINYINT '1'", "bigint": "BIGINT '1'", "double": "1e0", "decimal": "1.5",
    "date": "DATE '2020-01-01'", "time": "TIME '10:00'", "timestamp": "TIMESTAMP '2020-01-01 10:00'", "varbinary": "X'61'",
    "json": "JSON '1'", "uuid": "UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'", "null": "NULL",
}  # fmt: skip
FUNCTIONS = [
    "length", "lower", "upper", "reverse", "trim", "ltrim", "rtrim", "to_utf8", "codepoint", "soundex", "normalize", "split",
    "regexp_like", "json_parse", "from_hex", "md5", "abs", "typeof", "word_stem", "starts_with",
]  # fmt: skip


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def statements():
    for text in TEXTS:
        yield f"SELECT CHAR {quoted(text)}, typeof(CHAR {quoted(text)}), length(CHAR {quoted(text)})"
        for length in LENGTHS:
            if length < 100:
                yield f"SELECT CAST({quoted(text)} AS char({length}))"
                yield f"SELECT CAST(x AS char({length})) FROM (VALUES {quoted(text)}, NULL) t(x)"
                yield f"SELECT CAST(CAST({quoted(text)} AS char({length})) AS varchar) || '|'"
                yield f"SELECT CAST(CAST(x AS char({length})) AS varchar(2)) || '|' FROM (VALUES {quoted(text)}, 'zz') t(x)"
                yield f"SELECT CAST(CAST(x AS char({length})) AS char(4)) FROM (VALUES {quoted(text)}, 'zz') t(x)"
            else:
                yield f"SELECT length(CAST({quoted(text)} AS char({length})))"
        for other in TEXTS:
            for operator in ["=", "<", "<>", ">=", "IS DISTINCT FROM"]:
                yield f"SELECT CHAR {quoted(text)} {operator} CHAR {quoted(other)}"
            yield f"SELECT CHAR {quoted(text)} = {quoted(other)}, {quoted(text)} < CHAR {quoted(other)}"
            yield f"SELECT x = y, x < y FROM (VALUES (CAST({quoted(text)} AS char(4)), CAST({quoted(other)} AS varchar(6)))) t(x, y)"
            yield f"SELECT CHAR {quoted(text)} || CHAR {quoted(other)}, CHAR {quoted(text)} || {quoted(other)}, {quoted(text)} || CHAR {quoted(other)}"
            yield f"SELECT CHAR {quoted(text)} LIKE {quoted(other)}"
            yield f"SELECT rtrim(CHAR {quoted(text)}, {quoted(other)}), ltrim(CHAR {quoted(text)}, {quoted(other)}), trim(CHAR {quoted(text)}, {quoted(other)})"
        for function in FUNCTIONS:
            yield f"SELECT {function}(CHAR {quoted(text)})"
            yield f"SELECT {function}(CAST(x AS char(4))) FROM (VALUES {quoted(text)}, NULL) t(x)"
        for start in [-2, 0, 1, 2, 9]:
            yield f"SELECT substr(CHAR {quoted(text)}, {start}) || '|', substring(CAST({quoted(text)} AS char(5)), {start}, 2) || '|'"
    rows = ", ".join(f"CAST({quoted(text)} AS char(4))" for text in TEXTS)
    yield f"SELECT x FROM (VALUES {rows}, NULL) t(x) ORDER BY x"
    yield f"SELECT x FROM (VALUES {rows}, NULL) t(x) ORDER BY x DESC NULLS LAST"
    yield f"SELECT min(x), max(x), count(x), count(DISTINCT x), approx_distinct(x) FROM (VALUES {rows}, NULL) t(x)"
    yield f"SELECT x, count(*) FROM (VALUES {rows}) t(x) GROUP BY x ORDER BY x"
    yield f"SELECT DISTINCT x FROM (VALUES {rows}) t(x) ORDER BY x"
    yield f"SELECT count(*) FROM (VALUES {rows}) a(x) JOIN (VALUES 'a', 'ab', 'zz') b(x) ON a.x = b.x"
    yield f"SELECT count(*) FROM (VALUES {rows}) a(x) JOIN (VALUES VARCHAR 'a', VARCHAR 'ab', VARCHAR 'zz') b(x) ON a.x = b.x"
    yield f"SELECT x FROM (VALUES {rows}) t(x) WHERE x IN ('a', 'ab', 'zzz', 'b', 'c') ORDER BY x"
    yield f"SELECT x FROM (VALUES {rows}) t(x) WHERE x = 'a' ORDER BY x"
    yield f"SELECT x FROM (VALUES {rows}) t(x) WHERE x BETWEEN 'a' AND 'b' ORDER BY x"
    yield f"SELECT array_agg(x ORDER BY x), array_join(array_agg(x ORDER BY x), ',') FROM (VALUES {rows}) t(x)"
    yield f"SELECT array_max(ARRAY[{rows}]), array_min(ARRAY[{rows}]), array_distinct(ARRAY[{rows}])"
    yield f"SELECT max_by(x, x), min_by(x, x), arbitrary(1) FROM (VALUES {rows}) t(x)"
    yield f"SELECT x, lag(x) OVER (ORDER BY x), rank() OVER (ORDER BY x) FROM (VALUES {rows}) t(x) ORDER BY x"
    yield "SELECT x FROM (VALUES CHAR 'a' UNION ALL VALUES 'abc') t(x) ORDER BY 1"
    yield "SELECT typeof(x) FROM (SELECT CHAR 'a' UNION ALL SELECT CAST('b' AS char(3))) t(x)"
    yield "SELECT typeof(coalesce(CHAR 'ab', VARCHAR 'abc')), typeof(coalesce(CHAR 'ab', 'abc')), coalesce(CHAR 'ab', 'abc')"
    yield "SELECT CASE WHEN true THEN CHAR 'a' ELSE 'abc' END, if(false, 'abcd', CHAR 'a')"
    yield "SELECT nullif(CHAR 'a', 'a  '), nullif('a  ', CHAR 'a'), greatest(CHAR 'a', 'b'), least(CHAR 'a', 'bc')"
    yield "SELECT CASE CHAR 'x  ' WHEN 'x' THEN 1 END, CHAR 'a' IN (SELECT 'a ')"
    yield "SELECT CAST('a' AS char), CAST('a' AS character(3))"
    yield "SELECT CAST('abc' AS char)"
    yield "SELECT CAST('a' AS char(-1))"
    yield "SELECT ARRAY[CHAR 'a', 'bc'], ROW(CHAR 'a', 1), CAST(ARRAY['a', 'bcd'] AS array(char(2)))"
    yield "SELECT CAST(ROW('a') AS row(x char(3))), CAST(ARRAY[CHAR 'a '] AS array(varchar)), CAST(ARRAY[CHAR 'a '] AS array(varchar(1)))"
    yield "SELECT format('%s|', CHAR 'a  '), json_object('a' : CHAR 'x  ')"
    yield "SELECT CHAR 'a' || VARCHAR 'b'"
    yield "SELECT concat(CHAR 'a', 'b', CHAR 'c')"
    yield "SELECT CHAR 'ab' LIKE 'a%', CHAR 'ab' LIKE '_b', CAST('ab' AS char(4)) LIKE 'ab', CAST('ab' AS char(4)) LIKE 'ab__'"
    yield "SELECT 'ab' LIKE CHAR 'ab'"
    yield "SELECT date(CHAR '2020-01-01')"
    yield "SELECT CHAR '2020-01-01' = DATE '2020-01-01'"
    yield "SELECT CHAR '1' + 1"
    yield "SELECT -CHAR '1'"
    yield "SELECT sum(CHAR '1')"
    yield "SELECT TRY_CAST('abc' AS char(2)), TRY(CAST('abc' AS char(2)))"
    yield "SELECT count(*) FROM tpch.tiny.nation WHERE CAST(name AS char(30)) = 'FRANCE'"
    yield "SELECT CAST(name AS char(10)), length(CAST(name AS char(10))) FROM tpch.tiny.nation ORDER BY 1 LIMIT 5"
    yield "SELECT CAST(mktsegment AS char(12)) s, count(*) FROM tpch.tiny.customer GROUP BY 1 ORDER BY 1"
    for other in OTHERS:
        yield f"SELECT CAST(CHAR 'a1' AS {other})"
        yield f"SELECT CAST(CAST(NULL AS char(2)) AS {other})"
    for value in VALUES.values():
        yield f"SELECT CAST({value} AS char(3))"
        yield f"SELECT TRY_CAST({value} AS char(3))"
        yield f"SELECT CHAR 'a' = {value}"


STATEMENTS = list(dict.fromkeys(statements()))
