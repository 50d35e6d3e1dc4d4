"""Lambda expressions, and the functions that apply them."""

from suite import Suite

ARRAYS = ["ARRAY[1, 2, 3, 4]", "ARRAY[0]", "CAST(ARRAY[] AS array(integer))", "ARRAY[1, NULL, 3]", "ARRAY[2, 0, 2]", "CAST(NULL AS array(integer))", "ARRAY[5, 4, 3, 2, 1, 0, -1, -2]"]

# Bodies over x that give an integer.
NUMBERS = ["x", "x + 1", "7", "10 / x", "x * 2147483647", "-x", "CAST(NULL AS integer)", "coalesce(x, 9)", "TRY(10 / x)", "IF(x = 0, 0, 10 / x)", "CASE WHEN x > 2 THEN x WHEN x IS NULL THEN 0 ELSE 10 / x END", "cardinality(sequence(0, x))", "length(repeat_me)", "x % 2", "abs(x)", "CAST(CAST(x AS varchar) AS integer)"]
CONDITIONS = ["x > 1", "x = 2", "x IS NULL", "true", "false", "CAST(NULL AS boolean)", "10 / x > 1", "x > 1 AND 10 / x > 1", "x = 0 OR 10 / x > 1", "x IN (1, 2)", "x BETWEEN 1 AND 3", "NOT (x = 1)", "x NOT IN (1, NULL)", "TRY(10 / x) > 1", "contains(ARRAY[1, NULL], x)"]


def elements(suite):
    for body in NUMBERS:
        suite.calls(f"transform({{0}}, x -> {body})", ARRAYS)
    for function in ["filter", "any_match", "all_match", "none_match"]:
        for body in CONDITIONS:
            suite.calls(f"{function}({{0}}, x -> {body})", ARRAYS)
        suite.values(f"{function}(NULL, x -> true)", f"{function}(ARRAY[], x -> true)", f"{function}(ARRAY[], x -> x)", f"{function}(ARRAY[true, false], x -> x)", f"{function}(ARRAY[1], x -> NULL)", f"{function}(ARRAY[1], x -> x)", f"{function}(ARRAY[1], x -> 'a')", f"{function}(ARRAY[1], true)", f"{function}(ARRAY[1])", f"{function}(1, x -> true)", f"{function}(ARRAY[1], (x, y) -> true)", f"{function}(ARRAY[1], x -> true, 1)", f"{function}(x -> true, ARRAY[1])", f"{function}(ARRAY['a', 'b'], x -> x = 'a')", f"{function}(ARRAY[ROW(1, 2)], x -> x[1] = 1)", f"{function}(ARRAY[ARRAY[1], ARRAY[]], x -> cardinality(x) = 0)", f"{function}(ARRAY[nan(), 1e0], x -> x > 0)")
    suite.values("transform(NULL, x -> x)", "transform(ARRAY[], x -> x)", "transform(ARRAY[], x -> 1)", "transform(ARRAY[1, 2], x -> NULL)", "transform(ARRAY[1], x -> 'a')", "transform(ARRAY[1, NULL], x -> ROW(x, 'a'))", "transform(ARRAY[1, NULL], x -> ARRAY[x, x])", "transform(ARRAY['ab', 'c'], x -> upper(x))", "transform(ARRAY['ab', NULL], x -> x || 'c')", "transform(ARRAY[1.5, 2.25], x -> x * x)", "transform(ARRAY[1.5e0, nan()], x -> x + 1)", "transform(ARRAY[DATE '2020-01-31'], x -> x + INTERVAL '1' MONTH)", "transform(ARRAY[TIMESTAMP '2020-01-31 12:00:00.123'], x -> date_trunc('day', x))", "transform(ARRAY[X'01'], x -> to_hex(x))", "transform(ARRAY[true, NULL], x -> NOT x)", "transform(ARRAY[BIGINT '9223372036854775807'], x -> x + 1)", "transform(ARRAY[9223372036854775807, 1], x -> x * 2)", "transform(ARRAY[ROW(1, 'a'), NULL], x -> x[2])", "transform(ARRAY[CAST(ROW(1, 'a') AS ROW(f integer, g varchar))], x -> x.g)", "transform(ARRAY[CAST(ROW(1) AS ROW(f integer))], x -> x.nope)", "transform(ARRAY[1], x -> x.f)", "transform(ARRAY[1], x -> y)", "transform(ARRAY[1], X -> x)", "transform(ARRAY[1], \"a b\" -> \"A B\" + 1)", "transform(ARRAY[1], (x) -> x)", "transform(ARRAY[1], (x, y) -> x)", "transform(ARRAY[1], () -> 1)", "transform(1, x -> x)", "transform(ARRAY[1], 1)", "transform(ARRAY[1])", "transform()", "transform(x -> x, ARRAY[1])", "transform(ARRAY[1], x -> x, x -> x)", "transform(ARRAY[1], x -> concat('a', x))", "transform(ARRAY[3, 4], x -> current_date = current_date)", "transform(ARRAY[1, 2], current_date -> current_date + 1)", "cardinality(transform(sequence(1, 10000), x -> x * x))", "transform(sequence(1, 3), x -> random() < 2)", "transform(ARRAY['a', 'b'], x -> length(x) + x)", "transform(ARRAY[1], x -> CAST(x AS double) / 0)", "transform(ARRAY[1, 2], x -> fail('no'))", "transform(CAST(ARRAY[] AS array(integer)), x -> fail('no'))", "transform(ARRAY[1, 2], x -> CAST('a' AS integer))", "transform(ARRAY[INTERVAL '1' DAY], x -> x * 2)", "transform(ARRAY[TIME '12:00:00'], x -> x + INTERVAL '1' HOUR)", "transform(ARRAY['a', 'b'], x -> x LIKE 'a%')")


def nested(suite):
    suite.values("transform(ARRAY[1, 2], x -> transform(ARRAY[10, 20], y -> x + y))", "transform(ARRAY[1, 2], x -> transform(ARRAY[10, 20], x -> x + 1))", "transform(ARRAY[1, 2], x -> transform(ARRAY[x, 20], x -> x + 1))", "transform(ARRAY[1, 2], x -> reduce(ARRAY[1, 2], x, (s, y) -> s + x * y, s -> s + x))", "transform(ARRAY[ARRAY[1, NULL], NULL, ARRAY[]], x -> transform(x, y -> y + cardinality(x)))", "filter(ARRAY[ARRAY[1], ARRAY[2]], x -> any_match(x, y -> y = 2))", "transform(ARRAY[1, 2], x -> filter(ARRAY[1, 2, 3], y -> y > x))", "transform(ARRAY[1], x -> transform(ARRAY[2], y -> transform(ARRAY[3], z -> x * 100 + y * 10 + z)))", "transform(ARRAY[1, 0], x -> transform(ARRAY[0, 1], y -> IF(x = 0, 0, y / x)))", "transform(ARRAY[1, 0], x -> transform(ARRAY[0, 1], y -> y / x))", "transform(ARRAY[1, 0], x -> TRY(transform(ARRAY[0, 1], y -> y / x)))", "transform(ARRAY[1, 0], x -> transform(ARRAY[0, 1], y -> TRY(y / x)))", "reduce(ARRAY[ARRAY[1, 2], ARRAY[3]], 0, (s, x) -> s + reduce(x, 0, (t, y) -> t + y, t -> t), s -> s)", "array_sort(ARRAY[ARRAY[2, 1], ARRAY[0]], (x, y) -> IF(any_match(x, z -> z = 0), -1, 1))", "transform(transform(ARRAY[1, 2], x -> x + 1), x -> x * 2)", "transform(ARRAY[1, 2], x -> coalesce(element_at(ARRAY[5], x), x))", "transform(ARRAY['a,b', 'c'], x -> transform(split(x, ','), y -> upper(y)))", "zip_with(ARRAY[1, 2], ARRAY[ARRAY[1], ARRAY[2, 3]], (x, y) -> transform(y, z -> z * x))", "TRY(transform(ARRAY[1, 0], x -> 10 / x))", "TRY(any_match(ARRAY[0, 1], x -> 10 / x = 1))", "TRY(filter(ARRAY[0, 1], x -> 10 / x = 1))", "coalesce(TRY(transform(ARRAY[1, 0], x -> 10 / x)), ARRAY[5])", "IF(false, transform(ARRAY[0], x -> 1 / x), ARRAY[5])", "CASE WHEN cardinality(ARRAY[1]) = 1 THEN ARRAY[0] ELSE transform(ARRAY[0], x -> 1 / x) END")


def rows(suite):
    table = "(VALUES (1, ARRAY[1, 2], 'a', 10), (2, NULL, 'b', 20), (3, ARRAY[], NULL, 0), (4, ARRAY[NULL, 3], 'd', NULL), (5, ARRAY[7, 8, 9], 'e', -1)) AS t(i, a, s, n)"
    for expression in ["transform(a, x -> x + n)", "transform(a, x -> s)", "transform(a, x -> CAST(x AS varchar) || s)", "transform(a, a -> a + n)", "transform(a, n -> n)", "transform(a, x -> t.n)", "transform(a, t -> t + 1)", "transform(a, x -> cardinality(a) + x)", "transform(a, x -> cardinality(t.a) + i)", "filter(a, x -> x > i)", "any_match(a, x -> x = n - 3)", "any_match(a, x -> x / n = 0)", "all_match(a, x -> x <> i)", "none_match(a, x -> x = i)", "reduce(a, n, (s, x) -> s + x, s -> s)", "reduce(a, s, (s, x) -> s || CAST(x AS varchar), s -> s || '!')", "reduce(a, i, (r, x) -> coalesce(r + x, n), r -> r * i)", "zip_with(a, sequence(1, i), (x, y) -> x * y + i)", "array_sort(a, (x, y) -> IF(x * i < y * i, 1, -1))", "TRY(transform(a, x -> x / n))", "transform(a, x -> x / n)", "IF(n = 0, NULL, transform(a, x -> 100 / n))", "CASE WHEN n <> 0 THEN transform(a, x -> x / n) END", "coalesce(transform(a, x -> x + n), ARRAY[0])", "transform(a, x -> transform(sequence(1, i), y -> x + y + n))", "transform(a, x -> transform(a, y -> x * y))"]:
        suite.ask(f"SELECT {expression} FROM {table} ORDER BY i")
    suite.ask(
        f"SELECT i FROM {table} WHERE any_match(a, x -> x = i)",
        f"SELECT i FROM {table} WHERE any_match(a, x -> x > 1) AND n > 0 ORDER BY i",
        f"SELECT i FROM {table} WHERE n <> 0 AND all_match(a, x -> x / n = 0) ORDER BY i",
        f"SELECT count(*) FROM {table} GROUP BY transform(a, x -> x + 1) ORDER BY 1",
        f"SELECT transform(a, x -> x + 1) FROM {table} GROUP BY transform(a, x -> x + 1) ORDER BY 1",
        f"SELECT transform(a, x -> x + i) FROM {table} GROUP BY a, i ORDER BY i",
        f"SELECT transform(a, x -> x + n) FROM {table} GROUP BY a, i",
        f"SELECT transform(array_agg(i ORDER BY i), x -> x * 2) FROM {table}",
        f"SELECT transform(array_agg(i ORDER BY i), x -> x * sum(i)) FROM {table}",
        f"SELECT array_agg(transform(a, x -> x + 1) ORDER BY i) FROM {table}",
        f"SELECT max(reduce(a, 0, (s, x) -> s + x, s -> s)) FROM {table}",
        f"SELECT i FROM {table} ORDER BY reduce(a, 0, (s, x) -> s + coalesce(x, 0), s -> -s), i",
        f"SELECT DISTINCT transform(a, x -> 1) FROM {table} ORDER BY 1",
        f"SELECT transform(a, x -> x) AS i FROM {table} ORDER BY t.i",
        f"SELECT y FROM {table} CROSS JOIN UNNEST(transform(a, x -> x * n)) AS u(y) ORDER BY i, y",
        f"SELECT (SELECT max(y) FROM UNNEST(transform(a, x -> x * n)) AS u(y)) FROM {table} ORDER BY i",
        f"SELECT i FROM {table} WHERE EXISTS (SELECT 1 FROM (VALUES 1, 2) AS u(k) WHERE any_match(t.a, x -> x = u.k)) ORDER BY i",
        f"SELECT i FROM {table} WHERE i IN (SELECT k FROM (VALUES 1, 2) AS u(k) WHERE any_match(ARRAY[k], x -> x = 1))",
        f"SELECT t.i FROM {table} JOIN (VALUES 1, 2, 3) AS u(k) ON any_match(t.a, x -> x = u.k) ORDER BY 1",
        f"SELECT t.i FROM {table} LEFT JOIN (VALUES 1, 2, 3) AS u(k) ON t.i = u.k AND any_match(t.a, x -> x = u.k) ORDER BY 1",
        f"WITH w AS (SELECT transform(a, x -> x + i) AS b FROM {table}) SELECT transform(b, x -> x * 2) FROM w ORDER BY 1",
        f"SELECT sum(i) OVER (ORDER BY reduce(a, 0, (s, x) -> s + coalesce(x, 0), s -> s), i) FROM {table} ORDER BY i",
        f"SELECT k FROM (SELECT i, transform(a, x -> x + 1) AS k FROM {table}) WHERE i = 1",
        f"SELECT count(*) FROM {table} WHERE any_match(ARRAY[1], x -> x = 2)",
        f"SELECT transform(ARRAY[1, 2], x -> x + i) FROM {table} ORDER BY i LIMIT 2",
        f"SELECT transform(ARRAY[1, 2], x -> sum(x)) FROM {table}",
        f"SELECT transform(ARRAY[1, 2], x -> x + sum(i)) FROM {table}",
        f"SELECT transform(ARRAY[1, 2], x -> row_number() OVER ()) FROM {table}",
        f"SELECT transform(ARRAY[1, 2], x -> grouping(i)) FROM {table} GROUP BY i",
        f"SELECT transform(ARRAY[1, 2], x -> (SELECT 1)) FROM {table}",
        f"SELECT transform(ARRAY[1, 2], x -> x IN (SELECT 1)) FROM {table}",
        f"SELECT transform(ARRAY[1, 2], x -> x = ALL (SELECT 1)) FROM {table}",
        f"SELECT sum(i) FROM {table} HAVING any_match(ARRAY[1], y -> y = sum(i))",
    )


def folds(suite):
    suite.calls("reduce({0}, 0, (s, x) -> s + x, s -> s)", ARRAYS)
    suite.calls("reduce({0}, 0, (s, x) -> s + coalesce(x, 0), s -> CAST(s AS varchar))", ARRAYS)
    suite.calls("reduce({0}, 1, (s, x) -> 10 / x, s -> s)", ARRAYS)
    suite.calls("reduce({0}, 1, (s, x) -> IF(x = 0, s, 10 / x), s -> 10 / s)", ARRAYS)
    suite.calls("reduce({0}, CAST(NULL AS integer), (s, x) -> coalesce(s, 0) + 1, s -> s)", ARRAYS)
    suite.calls("reduce({0}, ARRAY[0], (s, x) -> s || x, s -> s)", ARRAYS)
    suite.calls("reduce({0}, CAST(ROW(0.0, 0) AS ROW(sum double, count integer)), (s, x) -> CAST(ROW(x + s.sum, s.count + 1) AS ROW(sum double, count integer)), s -> IF(s.count = 0, NULL, s.sum / s.count))", ARRAYS)
    suite.values("reduce(NULL, 1, (s, x) -> s, s -> s)", "reduce(ARRAY[], 5, (s, x) -> s, s -> s + 1)", "reduce(ARRAY[BIGINT '1'], 0, (s, x) -> s + x, s -> s)", "reduce(ARRAY[1.5e0], 0, (s, x) -> s + x, s -> s)", "reduce(ARRAY[1.5, 2.25], 0, (s, x) -> s + x, s -> s)", "reduce(ARRAY[1.5, 2.25], DECIMAL '0.00', (s, x) -> CAST(s + x AS decimal(3, 2)), s -> s)", "reduce(ARRAY['a', 'b'], '', (s, x) -> s || x, s -> s)", "reduce(ARRAY[1], NULL, (s, x) -> x, s -> s)", "reduce(ARRAY[1, 2], NULL, (s, x) -> NULL, s -> s)", "reduce(ARRAY[1], 'a', (s, x) -> x, s -> s)", "reduce(ARRAY[1], 0, (s, x) -> s + x)", "reduce(ARRAY[1], 0, (s, x) -> s + x, 1)", "reduce(ARRAY[1], 0, s -> s, s -> s)", "reduce(ARRAY[1], 0, (s, x) -> s, (s, x) -> s)", "reduce(ARRAY[1], 0, (s, s) -> s, s -> s)", "reduce(1, 0, (s, x) -> s, s -> s)", "reduce(ARRAY[2147483647], 1, (s, x) -> s + x, s -> s)", "reduce(ARRAY[2147483647], 1, (s, x) -> s + x, s -> s + 0 * y)", "reduce(sequence(1, 10000), 0, (s, x) -> s + x, s -> s)", "reduce(sequence(1, 20), 1, (s, x) -> s * x, s -> s)", "reduce(sequence(1, 21), 1, (s, x) -> s * x, s -> s)", "reduce(sequence(1, 21), 1e0, (s, x) -> s * x, s -> s)", "reduce(ARRAY[1, 2, 3], '', (s, x) -> CAST(x AS varchar) || s, s -> length(s))", "reduce(ARRAY[DATE '2020-01-01', DATE '2021-01-01'], DATE '1970-01-01', (s, x) -> greatest(s, x), s -> s)", "reduce(ARRAY[true, false], true, (s, x) -> s AND x, s -> s)", "TRY(reduce(ARRAY[1, 0], 1, (s, x) -> s / x, s -> s))")
    suite.calls("zip_with({0}, {1}, (x, y) -> x * y)", [(a, b) for a in ARRAYS for b in ARRAYS[:4]])
    suite.values("zip_with(ARRAY[1, 2], ARRAY['a'], (x, y) -> (y, x))", "zip_with(ARRAY[], ARRAY[], (x, y) -> 1)", "zip_with(ARRAY[1], NULL, (x, y) -> 1)", "zip_with(ARRAY[1], ARRAY[], (x, y) -> y)", "zip_with(ARRAY[1], ARRAY[2], x -> x)", "zip_with(ARRAY[1], ARRAY[2], (x, x) -> x)", "zip_with(ARRAY[1], ARRAY[2], (x, X) -> x)", "zip_with(ARRAY[1], ARRAY[2])", "zip_with(ARRAY[1], 2, (x, y) -> x)", "zip_with(ARRAY[1, 0], ARRAY[0, 1], (x, y) -> x / y)", "zip_with(ARRAY['a', 'b'], ARRAY[1], (x, y) -> coalesce(x, '') || coalesce(CAST(y AS varchar), '?'))", "zip_with(ARRAY[1, 2], ARRAY[true, false], (x, y) -> IF(y, x))")


def sorts(suite):
    for comparator in ["IF(x < y, 1, IF(x = y, 0, -1))", "IF(x < y, -1, IF(x = y, 0, 1))", "CASE WHEN x IS NULL AND y IS NULL THEN 0 WHEN x IS NULL THEN -1 WHEN y IS NULL THEN 1 WHEN x < y THEN -1 WHEN x = y THEN 0 ELSE 1 END", "0", "sign(x % 3 - y % 3)", "x - y", "2", "CAST(NULL AS integer)", "sign(10 / x - 10 / y)"]:
        suite.calls(f"array_sort({{0}}, (x, y) -> {comparator})", ARRAYS)
    suite.values("array_sort(ARRAY[3], (x, y) -> 5)", "array_sort(ARRAY[3, 1], (x, y) -> BIGINT '1')", "array_sort(ARRAY[3, 1], (x, y) -> TINYINT '1')", "array_sort(ARRAY[3, 1], (x, y) -> 'a')", "array_sort(ARRAY[3, 1], (x, y) -> NULL)", "array_sort(ARRAY[3, 1], x -> 1)", "array_sort(ARRAY[3, 1, 2], (x, y) -> 1)", "array_sort(ARRAY[3, 1, 2], (x, y) -> -1)", "array_sort(1, (x, y) -> 1)", "array_sort(NULL, (x, y) -> 1)", "array_sort(ARRAY[], (x, y) -> 1)", "array_sort(ARRAY[1], 1)", "array_sort(ARRAY['bc', 'a', 'abc'], (x, y) -> IF(length(x) < length(y), -1, IF(length(x) = length(y), 0, 1)))", "array_sort(ARRAY[ROW('a', 1), ROW('b', 2)], (x, y) -> IF(x[2] > y[2], -1, 1))", "array_sort(ARRAY[ARRAY[2, 3, 1], ARRAY[4, 2, 1, 4], ARRAY[1, 2]], (x, y) -> IF(cardinality(x) < cardinality(y), -1, IF(cardinality(x) = cardinality(y), 0, 1)))", "array_sort(transform(sequence(1, 100), x -> x * 37 % 101), (x, y) -> IF(x < y, -1, IF(x = y, 0, 1)))", "array_sort(transform(sequence(1, 100), x -> x % 7), (x, y) -> IF(x > y, -1, IF(x = y, 0, 1)))", "array_sort(transform(sequence(1, 100), x -> x * 37 % 101), (x, y) -> IF(x % 7 < y % 7, -1, IF(x % 7 = y % 7, 0, 1)))")


def misplaced(suite):
    suite.ask("SELECT x -> x", "SELECT 1 + (x -> x)", "SELECT (x -> x)", "SELECT 1 WHERE x -> x", "SELECT * FROM (VALUES x -> x) AS t(a)", "SELECT 1 ORDER BY x -> x", "SELECT 1 GROUP BY x -> x", "SELECT (SELECT x -> x)", "SELECT a FROM UNNEST(x -> x) AS t(a)", "SELECT 1 LIMIT x -> x")
    suite.values("format('%s', x -> x)", "coalesce(x -> x, 1)", "ARRAY[x -> x]", "IF(true, x -> x)", "nullif(x -> x, 1)", "ROW(x -> x)", "TRY(x -> x)", "CAST(x -> x AS varchar)", "CASE WHEN true THEN x -> x END", "x -> x = 1", "nosuch(x -> x)", "abs(x -> x)", "length('a', x -> x)", "sum(x -> x)", "max_by(1, x -> x)", "count(x -> x)", "array_agg(x -> x)", "concat('a', x -> x)", "greatest(x -> x, 1)", "contains(ARRAY[1], x -> x)", "transform(ARRAY[1], x -> y -> 1)", "transform(ARRAY[1], x -> (y -> 1))", "rank(x -> x) OVER ()", "typeof(x -> x)", "cardinality(x -> x)", "date_trunc('day', x -> x)")


def statements(suite: Suite):
    elements(suite)
    nested(suite)
    rows(suite)
    folds(suite)
    sorts(suite)
    misplaced(suite)
