"""Arithmetic of doubles and reals of columns with constants, as texts, so that the last digit and the sign of zero count;
logarithms; and the bits of NaN, which as a real are those of Trino's processor.
"""

DOUBLES = ["49e0", "3e0", "0.1e0", "-0e0", "0e0", "1e-300", "123456.789e0", "-2.5e17", "infinity()", "nan()",
           "1.7976931348623157e308", "536870912e0", "4.9e-324", "7e0", "NULL"]
REALS = ["REAL '409'", "REAL '932'", "REAL '0.1'", "REAL '-0.0'", "REAL '0.0'", "REAL '16777217'", "REAL '-7.25'",
         "REAL '3.4028235e38'", "CAST(nan() AS real)", "REAL '1e-45'", "NULL"]
CONSTANTS = ["10", "49", "3e0", "7", "0e0", "-0e0", "0", "1", "-1", "0.5", "1e-310", "100.25", "REAL '0.3'", "pi()",
             "CAST(49 AS double)", "1e0 - 1e0"]

# Rows that are grouped by several columns keep the sign of zero.
ZEROS = """
SELECT s, CAST(f AS varchar), 1 / r FROM {t} GROUP BY s, f, r ORDER BY s
SELECT s, 1 / f, count(*), sum(f) FROM {t} GROUP BY s, f ORDER BY s
SELECT s, 1 / f, count(DISTINCT r) FROM {t} GROUP BY s, f ORDER BY s
SELECT s, 1 / f FROM (SELECT DISTINCT s, f FROM {t}) ORDER BY s
SELECT s, 1 / f FROM (SELECT s, f FROM {t} UNION SELECT s, f FROM {t}) ORDER BY s
SELECT s, 1 / f FROM (SELECT s, f FROM {t} EXCEPT SELECT 'b', 1e0) ORDER BY s
SELECT s, 1 / f FROM (SELECT s, f FROM {t} INTERSECT SELECT s, f FROM {t}) ORDER BY s
SELECT s, 1 / f, count(*) FROM {t} GROUP BY ROLLUP (s, f) ORDER BY s, 2, 3
SELECT count(*) FROM (SELECT DISTINCT a, f FROM (VALUES (1, -0e0), (1, 0e0), (2, 0e0)) t(a, f))
SELECT a, count(*), max(b) FROM (VALUES (1, -0e0, 1), (1, 0e0, 2), (2, 0e0, 3)) t(a, f, b) GROUP BY a, f ORDER BY a
SELECT NULL + DECIMAL '0.10', NULL / DECIMAL '10', NULL * 1.5, 1.50 - NULL, NULL % 2.5
SELECT ltrim('aab', CHAR 'a'), rtrim('baa', CHAR 'a'), trim(BOTH CHAR 'ab' FROM 'abcba'), trim('a b a', CAST('a' AS char(2)))
"""


def statements():
    """The statements, each once."""
    found = []
    for values in (DOUBLES, REALS):
        table = "(VALUES " + ", ".join(f"({place}, {value})" for place, value in enumerate(values)) + ") t(i, x)"
        for constant in CONSTANTS:
            parts = ", ".join(
                f"CAST({expr} AS varchar)"
                for operator in "+-*/%"
                for expr in (f"x {operator} {constant}", f"{constant} {operator} x"))
            found.append(f"SELECT {parts} FROM {table} ORDER BY i")
        found.append(f"SELECT i FROM {table} WHERE x / 49e0 >= 1 OR x / 100 = REAL '4.09' ORDER BY i")
        found.append(f"SELECT CAST(floor(x / 49) AS varchar), CAST(-x AS varchar), CAST(1 / (x + 0e0) AS varchar) FROM {table} ORDER BY i")
        found.append(f"SELECT CAST(v AS varchar) FROM {table} CROSS JOIN UNNEST(transform(ARRAY[x, x], e -> e / 49e0)) u(v) ORDER BY i")
        found.append(f"SELECT CAST(sum(x / 7) AS varchar), CAST(avg(x) / 7 AS varchar) FROM {table} WHERE i < 3")
    positive = ", ".join(["3e0", "536870912e0", "10e0", "0.1e0", "1e300", "8e0", "1000e0"])
    table = f"(VALUES {positive}) t(x)"
    found.append(f"SELECT CAST(log2(x) AS varchar), CAST(log(2, x) AS varchar), CAST(ln(x) AS varchar) FROM {table} ORDER BY x")
    for nan in ("0e0 / 0e0", "nan()", "infinity() - infinity()", "sqrt(-1)", "ln(-1)", "mod(1, 0e0)", "-nan()"):
        found.append(f"SELECT checksum({nan}), to_ieee754_64({nan}), checksum(CAST({nan} AS real))")
        found.append(f"SELECT checksum(x), to_ieee754_64(max(x)) FROM (SELECT {nan} * i AS x FROM (VALUES 1, 2) t(i))")
    zeros = "(VALUES ('a', -0e0, REAL '-0.0'), ('b', 1e0, REAL '1'), ('c', 0e0, REAL '0.0'), ('d', nan(), NULL)) t(s, f, r)"
    for form in ZEROS.splitlines():
        if form:
            found.append(form.replace("{t}", zeros))
    return found
