"""Aggregates that are computed of the array of a group's values."""

ROWS = "(VALUES (1, 'a', 1.5e0, 1), (2, 'b', 2.5e0, 1), (3, NULL, 2.5e0, 2), (NULL, 'd', NULL, 2), (5, 'e', 9e0, 2), (4, 'b', -1e0, 1)) AS t(k, v, d, g)"
CALLS = [
    "max(k, 2)", "min(k, 2)", "max(v, 2)", "min(d, 3)", "max(d, 1)", "max(k, 100)", "max_by(v, k, 2)", "min_by(v, k, 2)", "max_by(k, d, 1)", "min_by(k, v, 3)",
    "max(DISTINCT k, 2)", "max_by(DISTINCT v, k, 2)", "max(k, 2) FILTER (WHERE k < 4)", "max(k, 0)", "min(k, -1)", "max(k, 10001)", "max_by(v, k, 0)", "min_by(v, k, 10001)", "max(k, NULL)", "max(k, 1.5)", "max(MAP(), 1)",
    "max(k, 2, 3)", "max_by(v, k, 'a')", "max(ARRAY[k], 2)", "min(ROW(k, v), 1)",
    "approx_percentile(k, 1, 0.5)", "approx_percentile(k, k, 0.5)", "approx_percentile(d, k, 0.5)", "approx_percentile(k, k, 0.3)", "approx_percentile(k, k, 0.9)", "approx_percentile(d, k, 0.1)", "approx_percentile(CAST(d AS real), k, 0.7)",
    "approx_percentile(k, ARRAY[0.1, 0.5, 0.9])", "approx_percentile(d, ARRAY[0.5])", "approx_percentile(k, k, ARRAY[0, 0.5, 1])", "approx_percentile(k, 2, 0.5, 0.01)", "approx_percentile(k, 0.5, 0.5)", "approx_percentile(k, nan(), 0.5)",
    "approx_percentile(k, 1, 2)", "approx_percentile(k, ARRAY[0.5, 2])", "approx_percentile(k, ARRAY[])", "approx_percentile(k, ARRAY[0.5, NULL])", "approx_percentile(k, 1, 0.5, 3)", "approx_percentile(v, 1, 0.5)", "approx_percentile(v, ARRAY[0.5])",
    "numeric_histogram(2, d)", "numeric_histogram(3, k)", "numeric_histogram(10, d)", "numeric_histogram(2, d, k)", "numeric_histogram(2, CAST(k AS decimal(10, 2)))", "numeric_histogram(1, d)", "numeric_histogram(2, v)", "numeric_histogram(2)",
    "approx_most_frequent(2, v, 10)", "approx_most_frequent(5, k, 10)", "approx_most_frequent(1, v, 10)", "approx_most_frequent(2, d, 10)", "approx_most_frequent(2, v)",
    "checksum(k)", "checksum(v)", "checksum(d)", "checksum(CAST(d AS real))", "checksum(k > 2)", "checksum(CAST(d AS decimal(10, 3)))", "checksum(date_add('day', k, DATE '2020-01-01'))", "checksum(CAST(date_add('day', k, DATE '1960-01-01') AS timestamp(3)))", "checksum(CAST(date_add('day', k, DATE '1960-01-01') AS timestamp(6)))", "checksum(CAST(v AS varbinary))", "checksum(NULL)", "checksum(CAST(k AS tinyint))", "checksum(DISTINCT g)", "checksum(-d * 0)", "checksum()", "checksum(k, v)",
    "reduce_agg(k, 0, (a, b) -> a + b, (a, b) -> a + b)", "reduce_agg(v, '', (a, b) -> a || b, (a, b) -> a || b)", "reduce_agg(k, 1, (a, b) -> a * b, (a, b) -> a * b) FILTER (WHERE k > 2)", "reduce_agg(k, 0, (a, b) -> a + b, (a, b) -> 'x')", "reduce_agg(k, 0, (a, b) -> a + b)", "reduce_agg(DISTINCT k, 0, (a, b) -> a + b, (a, b) -> a + b)",
    "listagg(v, ',' ON OVERFLOW TRUNCATE WITH COUNT) WITHIN GROUP (ORDER BY k)", "listagg(v, ',' ON OVERFLOW TRUNCATE '~' WITHOUT COUNT) WITHIN GROUP (ORDER BY v DESC)", "listagg(k, ',' ON OVERFLOW TRUNCATE WITH COUNT) WITHIN GROUP (ORDER BY k)",
]


def statements(suite):
    suite.ask(*(f"SELECT {call} FROM {ROWS}" for call in CALLS))
    suite.ask(*(f"SELECT {call} FROM {ROWS} WHERE k > 9" for call in CALLS[:12]))
    suite.ask(*(f"SELECT {call} FROM {ROWS} GROUP BY g ORDER BY g" for call in CALLS if "DISTINCT g" not in call))
    over = ["max(k, 2)", "min_by(v, k, 2)", "approx_percentile(k, k, 0.5)", "approx_percentile(k, ARRAY[0.5, 0.9])", "numeric_histogram(2, d)", "approx_most_frequent(2, v, 10)", "checksum(k)", "reduce_agg(k, 0, (a, b) -> a + b, (a, b) -> a + b)"]
    suite.ask(*(f"SELECT {call} OVER (ORDER BY k) FROM {ROWS} ORDER BY k" for call in over))
    suite.ask(*(f"SELECT {call} OVER (PARTITION BY g ORDER BY k ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM {ROWS} ORDER BY g, k" for call in over))
    many = "(SELECT (n * 7919) % 1009 AS k FROM UNNEST(sequence(1, 300)) AS u(n)) AS t"
    suite.ask(*(f"SELECT {call} FROM {many}" for call in ["max(k, 3)", "min(k, 3)", "checksum(k)", "numeric_histogram(4, CAST(k AS double))", "numeric_histogram(4, k, k)", "approx_most_frequent(2, k % 3, 10)", "reduce_agg(k, BIGINT '0', (a, b) -> a + b, (a, b) -> a + b)"]))
    suite.ask("SELECT max(x, 3) FROM (VALUES nan(), 1e0, 2e0, NULL) AS t(x)", "SELECT min(x, 3) FROM (VALUES nan(), 1e0, 2e0, NULL) AS t(x)", "SELECT max_by(x, x, 3) FROM (VALUES nan(), 1e0, 2e0) AS t(x)", "SELECT listagg(v, ',' ON OVERFLOW TRUNCATE WITHOUT COUNT) WITHIN GROUP (ORDER BY v) FROM (SELECT rpad('x', 1048577, 'y')) AS t(v)")
    suite.values("CAST('abc' AS varbinary)", "CAST('' AS varbinary)", "CAST('é' AS varbinary)", "TRY_CAST('a' AS varbinary)", "CAST(CAST(NULL AS varchar) AS varbinary)", "CAST(X'41' AS varchar)", "CAST(ARRAY['a', NULL] AS array(varbinary))")
    suite.values("7[1]", "'a'[1]", "ARRAY[1]['a']", "coalesce()", "coalesce(1)", "coalesce(1, 'a')", "coalesce(1, 2, 'a')", "nullif(1)", "nullif(1, 'a')", "nullif(1, 2, 3)", "mod('a', 1)", "mod(DATE '2020-01-01', 1)", "mod(5, 3)", "mod(NULL, 3)", "concat('a')", "concat(X'41')", "concat(ARRAY[1])")
