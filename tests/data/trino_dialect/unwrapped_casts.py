"""Comparisons of conversions, `year` and `date_trunc` of a column with constants. The columns come from UNNEST: Trino
evaluates VALUES while it plans."""

# The type of the column, its values, a function of it, and constants.
CASES = [
    ("integer", "-2147483648 -11 -10 0 10 11 2147483647", "x",
     ["10.5", "10.0", "-10.5e0", "3000000000", "REAL '10.5'", "nan()", "infinity()", "2147483647.5"]),
    ("bigint", "-9223372036854775808 -9007199254740993 0 10 11 9007199254740991 9007199254740993 9223372036854775807", "x",
     ["10.5", "9007199254740992e0", "9007199254740991e0", "9223372036854775808e0", "9223372036854775807.5", "REAL '1.6777216E7'"]),
    ("decimal(38,0)", "-99999999999999999999999999999999999999 0 5 99999999999999999999999999999999999999", "x",
     ["0.5", "5.0", "-0.5", "5.25"]),
    ("decimal(5,2)", "-999.99 -0.01 0 10.50 999.99", "x", ["10.505", "10.500", "999.991", "-1000.000", "12345678.9"]),
    ("date", "0001-01-01 1969-12-31 1999-12-31 2000-01-01 2000-02-29 2000-04-03 2000-12-31 9999-12-31", "x",
     ["TIMESTAMP '2000-01-01 00:00:00'", "TIMESTAMP '2000-01-01 00:00:00.001'", "TIMESTAMP '1969-12-31 23:59:59.999999'"]),
    ("date", "0001-01-01 1969-12-31 1999-12-31 2000-01-01 2000-02-29 2000-04-03 2000-12-31 9999-12-31", "year(x)",
     ["2000", "1", "0", "9999", "10000", "2000.5", "2e3", "-5"]),
    ("date", "1969-12-31 1999-12-31 2000-01-01 2000-02-29 2000-03-31 2000-04-03 2000-12-31", "date_trunc('week', x)",
     ["DATE '2000-04-03'", "DATE '2000-04-04'", "DATE '1999-12-27'"]),
    ("date", "1969-12-31 1999-12-31 2000-01-01 2000-02-29 2000-03-31 2000-04-03 2000-12-31", "date_trunc('quarter', x)",
     ["DATE '2000-04-01'", "DATE '2000-04-02'", "TIMESTAMP '2000-01-01 00:00:00'"]),
    ("date", "1969-12-31 1999-12-31 2000-01-01 2000-02-29 2000-03-31 2000-04-03 2000-12-31", "date_trunc('MONTH', x)",
     ["DATE '2000-02-01'", "DATE '1970-01-01'"]),
    ("timestamp(3)", "1969-12-31T23:59:59.999 1999-12-31T23:59:59.999 2000-01-01T00:00:00 2000-02-29T13:00:00.001 2000-12-31T23:59:59.999", "CAST(x AS date)",
     ["DATE '2000-01-01'", "DATE '1969-12-31'", "DATE '1970-01-01'", "TIMESTAMP '2000-02-29 13:00:00.001'"]),
    ("timestamp(3)", "1969-12-31T23:59:59.999 1999-12-31T23:59:59.999 2000-01-01T00:00:00 2000-02-29T13:00:00.001 2000-12-31T23:59:59.999", "x",
     ["DATE '2000-01-01'", "TIMESTAMP '2000-02-29 13:00:00.0010001'", "TIMESTAMP '2000-02-29 13:00:00.001000'"]),
    ("timestamp(6)", "1969-12-31T23:59:59.999999 1999-12-31T23:59:59.999 2000-01-01T00:00:00.000001 2000-02-29T13:00:00", "year(x)",
     ["1969", "1999", "2000", "20000"]),
    ("timestamp(6)", "1969-12-31T23:59:59.999999 1999-12-31T23:59:59.999 2000-01-01T00:00:00.000001 2000-02-29T13:00:00", "date_trunc('hour', x)",
     ["TIMESTAMP '2000-02-29 13:00:00'", "TIMESTAMP '2000-02-29 13:00:00.000001'", "TIMESTAMP '1969-12-31 23:00:00'"]),
    ("timestamp(0)", "1969-12-31T23:59:59 1999-12-31T23:59:59 2000-01-01T00:00:00 2000-02-29T13:00:00", "date_trunc('minute', x)",
     ["TIMESTAMP '2000-02-29 13:00:00.5'", "TIMESTAMP '1999-12-31 23:59:00'"]),
]
OPERATORS = ["=", "<>", "<", "<=", ">", ">="]


def statements():
    for number, (kind, values, function, constants) in enumerate(CASES):
        texts = ", ".join("'%s'" % value.replace("T", " ") for value in values.split())
        table = f"(SELECT CAST(y AS {kind}) AS x FROM UNNEST(ARRAY[{texts}, NULL]) AS u(y)) AS t"
        for constant in constants:
            compared = ", ".join(f"{function} {operator} {constant}" for operator in OPERATORS)
            distinct = f"{function} IS DISTINCT FROM {constant}"
            yield f"SELECT x, {compared}, {distinct} FROM {table}"
            yield f"SELECT x FROM {table} WHERE {function} = {constant} OR {constant} < {function}"
            yield f"SELECT x FROM {table} WHERE NOT ({function} = {constant} OR {constant} < {function})"
            if not (kind == "decimal(38,0)" or "nan" in constant):
                yield f"SELECT x FROM {table} WHERE {function} IN ({constant}, {constants[0]})"
                yield f"SELECT x FROM {table} WHERE {function} NOT BETWEEN {constant} AND {constants[0]}"
