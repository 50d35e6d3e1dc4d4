"""Every aggregate with and without DISTINCT, ORDER BY and FILTER, over all rows, over groups, over no rows and over windows:
prints `aggregates.sql`, a statement a line. The values of one group are all NULL, those of another all one value."""

# g: group; o: order within it, each once; b, i, d, t: values with NULLs and repetitions; x, y: pairs; p: a condition.
ROWS = """
(1, 1, true, 3, 1.5e0, 'b', 1e0, 2e0, true), (1, 2, true, 3, 1.5e0, 'b', 1e0, 2e0, false),
(1, 3, false, NULL, NULL, NULL, 4e0, NULL, true), (1, 4, NULL, 7, nan(), 'a', 2e0, 5e0, NULL),
(1, 5, true, 7, -0e0, 'c', 4e0, 4e0, true), (1, 6, false, -2, 0e0, 'a', NULL, 1e0, true),
(2, 1, NULL, NULL, NULL, NULL, NULL, NULL, true), (2, 2, NULL, NULL, NULL, NULL, NULL, 1e0, NULL),
(3, 1, false, 5, 2.5e0, 'z', 3e0, 3e0, true), (3, 2, false, 5, 2.5e0, 'z', 3e0, 3e0, true),
(3, 3, false, 5, 2.5e0, 'z', 3e0, 3e0, false), (3, 4, false, 5, 2.5e0, 'z', 3e0, 3e0, true),
(4, 1, true, 1, 1e0, 'd', 1e0, 1e0, false), (4, 2, true, 2, infinity(), 'e', 2e0, 4e0, false),
(5, 1, true, 1, 1e0, 'q', 1e0, 10e0, true), (5, 2, false, 2, 2e0, 'r', 2e0, 9e0, true),
(5, 3, true, 4, 4e0, 's', 4e0, 6e0, true), (5, 4, true, 9, 9e0, 'a', 9e0, 2e0, true),
(5, 5, NULL, 9, 9e0, 'a', 9e0, 2e0, true), (5, 6, true, NULL, NULL, NULL, 5e0, NULL, true)
""".replace("\n", " ").strip()
TABLE = f"(VALUES {ROWS}) v (g, o, b, i, d, t, x, y, p)"

# A name and its arguments; of what has several answers, one that is always the same.
PLAIN = [
    "count(i)", "count(t)", "count(d)", "count_if(b)", "sum(i)", "sum(x)", "sum(CAST(i AS decimal(10,2)))",
    "sum(CAST(x AS real))", "avg(i)", "avg(x)", "avg(CAST(i AS decimal(10,2)))", "avg(CAST(x AS real))", "min(i)", "max(i)",
    "min(d)", "max(d)", "min(t)", "max(t)", "min(b)", "max(b)", "min(ARRAY[o, g])", "max(ROW(g, o))", "min(ARRAY[coalesce(d, 2e0)])",
    "max(ARRAY[coalesce(d, 2e0)])",
    "bool_and(b)", "bool_or(b)", "every(b)", "approx_distinct(i)", "approx_distinct(t)", "approx_percentile(i, 0.5)",
    "approx_percentile(x, 0.25)", "approx_percentile(x, 1)", "stddev(x)", "stddev_pop(x)", "stddev_samp(i)", "variance(x)",
    "var_pop(x)", "var_samp(i)", "stddev(d)", "corr(y, x)", "covar_samp(y, x)", "covar_pop(y, x)", "regr_slope(y, x)",
    "regr_intercept(y, x)", "corr(i, o)", "geometric_mean(x)", "geometric_mean(i)", "skewness(x)", "kurtosis(x)",
    "skewness(i)", "bitwise_and_agg(i)", "bitwise_or_agg(i)", "bitwise_xor_agg(i)",
]
BY = ["min_by(t, o)", "max_by(t, o)", "max_by(i, x)", "max_by(o, coalesce(d, -1e0) + o)", "max_by(o, ARRAY[g, o])", "min_by(o, ROW(g, o))"]
LISTS = {"array_agg(i)": "i", "array_agg(t)": "t", "array_agg(d)": "d", "array_agg(ARRAY[g, o])": "ARRAY[g, o]"}
FILTER = " FILTER (WHERE p)"
NOTHING = " FILTER (WHERE o > 100)"


def distinct(call):
    return call.replace("(", "(DISTINCT ", 1)


def within(call, order):
    return f"{call[:-1]} ORDER BY {order})"


def statements(columns, suffix):
    """Some columns a statement."""
    for start in range(0, len(columns), 6):
        yield f"SELECT {', '.join(columns[start : start + 6])} FROM v{suffix}"


def grouped():
    forms = []
    for call in PLAIN:
        forms += [call, call + FILTER, call + NOTHING]
        forms += [distinct(call), distinct(call) + FILTER]
    for call in BY:
        forms += [call, call + FILTER, call + NOTHING, distinct(call), distinct(call) + FILTER]
    for call, value in LISTS.items():
        in_order = [within(call, "o, g"), within(call, "o DESC, g"), within(call, f"{value} NULLS FIRST, o, g")]
        own_order = [within(distinct(call), value), within(distinct(call), f"{value} DESC NULLS FIRST")]
        unordered = [f"cardinality({call})", f"cardinality({distinct(call)})"]
        forms += in_order + own_order + unordered
        forms += [form + FILTER for form in in_order + own_order]
        forms += [f"cardinality({call}{FILTER})", f"cardinality({distinct(call)}{FILTER})", call + NOTHING]
    for order in ("o, g", "o DESC, g", "t DESC, o, g"):
        forms.append(f"listagg(t, '-') WITHIN GROUP (ORDER BY {order})")
        forms.append(f"listagg(t) WITHIN GROUP (ORDER BY {order}){FILTER}")
    forms += [f"listagg(DISTINCT t, ',') WITHIN GROUP (ORDER BY t DESC){tail}" for tail in ("", FILTER, NOTHING)]
    forms += ["count(*)", "count(*)" + FILTER, "count(*)" + NOTHING, "any_value(g)", "arbitrary(g)" + FILTER]
    return forms


def windowed():
    forms = ["count(*)", *PLAIN, *[distinct(call) for call in PLAIN], *BY]
    for call, value in LISTS.items():
        forms += [within(call, "o DESC, g"), within(distinct(call), value)]
    forms += ["listagg(t, '-') WITHIN GROUP (ORDER BY o DESC, g)", "listagg(DISTINCT t, '-') WITHIN GROUP (ORDER BY t)"]
    return forms


WINDOWS = [
    "PARTITION BY g",
    "PARTITION BY g ORDER BY o",
    "PARTITION BY g ORDER BY o DESC ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING",
    "ORDER BY g RANGE BETWEEN 1 PRECEDING AND CURRENT ROW",
]


def main():
    one_of_each = "count(*), count(i), sum(i), array_agg(i ORDER BY o, g) FILTER (WHERE p), count(DISTINCT t) FILTER (WHERE p)"
    lines = [
        f"-- v = {TABLE}",
        *statements(grouped(), ""),
        *(line.replace("SELECT ", "SELECT g, ", 1) for line in statements(grouped(), " GROUP BY g")),
        *statements(grouped(), " WHERE o > 100"),
        f"SELECT g, {one_of_each} FROM v GROUP BY ROLLUP (g)",
        f"SELECT g, p, {one_of_each} FROM v GROUP BY GROUPING SETS ((g), (p), (g, p), ())",
        f"SELECT g, {one_of_each} FROM v WHERE o > 100 GROUP BY g",
    ]
    for window in WINDOWS:
        calls = [f"{form} OVER w" for form in windowed()]
        calls += [f"cardinality({distinct(call)} OVER w)" for call in LISTS]
        for line in statements(calls, f" WINDOW w AS ({window})"):
            lines.append(line.replace("SELECT ", "SELECT g, o, ", 1))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
