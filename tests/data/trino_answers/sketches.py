"""Sketches: HyperLogLog, qdigest and tdigest."""

ROWS = "(VALUES (1, 'a', 1.5e0, 1), (2, 'b', 2.5e0, 1), (3, NULL, 2.5e0, 2), (NULL, 'd', NULL, 2), (5, 'e', -9e0, 2), (4, 'b', -0e0, 1)) AS t(k, v, d, g)"
CALLS = [
    "approx_set(k)", "approx_set(v)", "approx_set(d)", "approx_set(CAST(d AS real))", "approx_set(CAST(k AS tinyint))", "approx_set(1.5)", "approx_set(NULL)", "approx_set(k > 1)", "approx_set()", "approx_set(k, 0.1)", "approx_set(nan())", "approx_set(DISTINCT v) FILTER (WHERE k > 1)",
    "cardinality(approx_set(k))", "cardinality(approx_set(v))", "merge(approx_set(k))", "merge(k)", "to_hex(CAST(approx_set(v) AS varbinary))",
    "qdigest_agg(k)", "qdigest_agg(d)", "qdigest_agg(CAST(d AS real))", "qdigest_agg(v)", "qdigest_agg(CAST(k AS decimal(5, 2)))", "qdigest_agg(k, k)", "qdigest_agg(d, k)", "qdigest_agg(k, k, 0.5)", "qdigest_agg(k, 0)", "qdigest_agg(k, -1)", "qdigest_agg(k, 1, 0)", "qdigest_agg(k, 1, 1)", "qdigest_agg(k, 1, 0.1, 2)", "qdigest_agg(nan())",
    "tdigest_agg(k)", "tdigest_agg(d)", "tdigest_agg(d, k)", "tdigest_agg(v)", "tdigest_agg(d, 0)", "tdigest_agg(d, nan())", "tdigest_agg(d, 0.5)", "tdigest_agg(infinity())", "tdigest_agg(nan())", "tdigest_agg(DISTINCT g)",
    "value_at_quantile(qdigest_agg(k), 0.5)", "value_at_quantile(qdigest_agg(d), 0.5)", "value_at_quantile(qdigest_agg(CAST(d AS real)), 0)", "value_at_quantile(tdigest_agg(d), 0.3)", "value_at_quantile(tdigest_agg(d, k), 0.7)", "value_at_quantile(qdigest_agg(k), 1)", "value_at_quantile(qdigest_agg(k), 1.5)", "value_at_quantile(tdigest_agg(k), -1)", "value_at_quantile(tdigest_agg(k), nan())", "value_at_quantile(qdigest_agg(k), 'a')", "value_at_quantile(k, 0.5)",
    "values_at_quantiles(qdigest_agg(k), ARRAY[0, 0.5, 1])", "values_at_quantiles(qdigest_agg(k), ARRAY[0.9, 0.1])", "values_at_quantiles(tdigest_agg(d), ARRAY[0, 0.5, 1])", "values_at_quantiles(tdigest_agg(d), ARRAY[0.9, 0.1])", "values_at_quantiles(qdigest_agg(k), ARRAY[])", "values_at_quantiles(qdigest_agg(k), 0.5)",
    "quantile_at_value(qdigest_agg(k), 2)", "quantile_at_value(qdigest_agg(d), 2)", "quantile_at_value(qdigest_agg(k), 77)", "quantile_at_value(tdigest_agg(d), 2)", "quantile_at_value(qdigest_agg(k), NULL)", "quantile_at_value(qdigest_agg(k), 2.5)",
]


def statements(suite):
    suite.ask(*(f"SELECT {call} FROM {ROWS}" for call in CALLS))
    suite.ask(*(f"SELECT {call} FROM {ROWS} WHERE k > 9" for call in CALLS if "DISTINCT" not in call))
    suite.ask(*(f"SELECT {call} FROM {ROWS} GROUP BY g ORDER BY g" for call in CALLS))
    over = ["approx_set(k)", "approx_set(v)", "qdigest_agg(k)", "tdigest_agg(d)"]
    suite.ask(*(f"SELECT {call} OVER (ORDER BY k) FROM {ROWS} ORDER BY k" for call in over))
    parts = "(SELECT g, approx_set(k) AS h, qdigest_agg(k) AS q, qdigest_agg(d) AS r, tdigest_agg(d, k) AS t FROM " + ROWS + " GROUP BY g) AS p"
    suite.ask(*(f"SELECT {call} FROM {parts}" for call in ["merge(h)", "value_at_quantile(merge(q), 0.5)", "value_at_quantile(merge(r), 0.5)", "cardinality(merge(h))", "merge(h) FILTER (WHERE g > 9)", "count(h)", "count(DISTINCT h)", "max(h)", "min(q)", "merge(DISTINCT h)", "merge(NULL)"]))
    suite.ask(*(f"SELECT {call} FROM {parts} ORDER BY g" for call in ["typeof(h)", "typeof(q)", "typeof(r)", "typeof(t)", "ARRAY[q]", "ROW(t)", "h = h", "q < q", "t IS NULL", "coalesce(h, empty_approx_set())", "CAST(h AS varchar)", "CAST(q AS qdigest(double))", "CAST(CAST(q AS varbinary) AS qdigest(bigint))", "CAST(CAST(t AS varbinary) AS tdigest)", "CAST(h AS tdigest)", "CAST(h AS json)", "CAST(ARRAY[h] AS array(varbinary))"]))
    suite.ask(f"SELECT DISTINCT h FROM {parts}", f"SELECT g FROM {parts} ORDER BY h", f"SELECT count(*) FROM {parts} GROUP BY q", f"SELECT h FROM {parts} UNION SELECT h FROM {parts}")
    for count in (10, 511, 512, 700, 4000, 10000):
        many = f"(SELECT (n * 7919) % 10007 AS k FROM UNNEST(sequence(1, {count})) AS u(n)) AS t"
        suite.ask(*(f"SELECT {call} FROM {many}" for call in ["to_hex(md5(CAST(approx_set(k) AS varbinary)))", "cardinality(approx_set(k))", "cardinality(approx_set(CAST(k AS double)))", "cardinality(approx_set(CAST(k AS varchar)))", "values_at_quantiles(qdigest_agg(k), ARRAY[0, 0.01, 0.25, 0.5, 0.99, 1])", "to_hex(md5(CAST(qdigest_agg(k) AS varbinary)))", "value_at_quantile(qdigest_agg(CAST(k AS real)), 0.3)", "values_at_quantiles(qdigest_agg(CAST(k AS double), 1, 0.1), ARRAY[0.1, 0.9])", "quantile_at_value(qdigest_agg(k), 777)", "values_at_quantiles(tdigest_agg(k), ARRAY[0, 0.001, 0.1, 0.5, 0.9, 0.9999, 1])"]))
        suite.ask(*(f"SELECT {call} FROM (SELECT k % 2, approx_set(k) AS h, qdigest_agg(k) AS q, tdigest_agg(k) AS t FROM {many} GROUP BY k % 2)" for call in ["to_hex(md5(CAST(merge(h) AS varbinary)))", "cardinality(merge(h))", *(["values_at_quantiles(merge(q), ARRAY[0, 0.25, 0.5, 1])"] if count <= 700 else []), "values_at_quantiles(merge(t), ARRAY[0, 0.25, 0.5, 1])"]))
    suite.ask("SELECT cardinality(approx_set(a * 10000 + b)) FROM UNNEST(sequence(1, 10)) AS t(a), UNNEST(sequence(1, 10000)) AS u(b)")
    suite.values("empty_approx_set()", "cardinality(empty_approx_set())", "empty_approx_set(1)", "cardinality(CAST(NULL AS hyperloglog))", "cardinality(CAST(X'41' AS hyperloglog))", "cardinality(CAST(X'' AS hyperloglog))", "value_at_quantile(CAST(X'00' AS tdigest), 0.5)", "value_at_quantile(CAST(X'00' AS qdigest(bigint)), 0.5)", "CAST(NULL AS qdigest(double))", "CAST(NULL AS qdigest(varchar))", "CAST(NULL AS tdigest)", "CAST(NULL AS qdigest)", "CAST('a' AS hyperloglog)", "CAST(1 AS tdigest)", "value_at_quantile(NULL, 0.5)", "quantile_at_value(NULL, 1)")
