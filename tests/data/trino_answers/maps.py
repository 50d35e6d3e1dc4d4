"""Maps: what makes them, what looks into them, what compares them."""

from suite import Suite

MAPS = ["MAP(ARRAY[1, 2, 3], ARRAY['x', 'y', NULL])", "MAP(ARRAY[7], ARRAY['z'])", "CAST(MAP() AS map(integer, varchar(1)))", "CAST(NULL AS map(integer, varchar(1)))", "MAP(ARRAY[2, 0], ARRAY['a', 'b'])"]


def made(suite):
    suite.values("MAP(ARRAY['a', 'b'], ARRAY[1, 2])", "MAP()", "typeof(MAP())", "MAP(ARRAY['a', 'a'], ARRAY[1, 2])", "MAP(ARRAY['a', NULL], ARRAY[1, 2])", "MAP(ARRAY['a'], ARRAY[1, 2])", "MAP(ARRAY['a'], NULL)", "MAP(NULL, ARRAY[1])", "MAP(1, 2)", "MAP(ARRAY[1])", "MAP(ARRAY[], ARRAY[])", "MAP(ARRAY[nan(), nan()], ARRAY[1, 2])", "MAP(ARRAY[0e0, -0e0], ARRAY[1, 2])", "MAP(ARRAY[ROW(1, NULL)], ARRAY[1])", "MAP(ARRAY[ARRAY[1, NULL]], ARRAY[1])", "MAP(ARRAY[1.5, 2.25], ARRAY[true, NULL])", "MAP(ARRAY[DATE '2020-01-01'], ARRAY[DATE '2021-01-01'])", "MAP(ARRAY[true, false], ARRAY[1, 2])", "MAP(ARRAY['a'], ARRAY[MAP(ARRAY[1], ARRAY[X'41'])])", "MAP(ARRAY['a'], ARRAY[ARRAY[1, NULL]])", "MAP(ARRAY['a'], ARRAY[ROW(1, 'b')])", "MAP(ARRAY[1, 2], ARRAY[TIMESTAMP '2020-01-01 00:00:00', NULL])", "ARRAY[MAP(ARRAY[1], ARRAY[2]), NULL]", "ROW(MAP(ARRAY[1], ARRAY[2]), 3)", "MAP(ARRAY[1, BIGINT '2'], ARRAY[1, 2.5])", "map(ARRAY['b', 'a'], ARRAY[1, 2])", "\"map\"(ARRAY[1], ARRAY[2])", "MAP(ARRAY[1], ARRAY[2], 3)")
    suite.calls("map_from_entries({0})", ["ARRAY[(1, 'x'), (2, 'y')]", "ARRAY[(3, 'x'), (2, NULL)]", "ARRAY[(1, 'x'), (1, 'y')]", "ARRAY[(CAST(NULL AS integer), 'x')]", "ARRAY[NULL, (1, 'x')]", "CAST(NULL AS array(row(integer, varchar(1))))"])
    suite.calls("multimap_from_entries({0})", ["ARRAY[(1, 'x'), (2, 'y'), (1, 'z')]", "ARRAY[(3, 'x'), (3, NULL)]", "ARRAY[(CAST(NULL AS integer), 'x')]", "ARRAY[NULL, (1, 'x')]", "CAST(NULL AS array(row(integer, varchar(1))))"])
    suite.values("map_from_entries(ARRAY[(1, 'x', 3)])", "map_from_entries(ARRAY[1])", "map_from_entries(ARRAY[])", "map_from_entries(NULL)", "multimap_from_entries(ARRAY[])", "multimap_from_entries(NULL)", "map_from_entries(map_entries(MAP(ARRAY[1, 2], ARRAY['a', 'b'])))")
    suite.calls("split_to_map({0}, ',', '=')", ["'a=1,b=2'", "''", "'a=1,a=2'", "'a=1,b'", "'a=1=2'", "NULL", "'a=1,'", "',a=1'", "'='", "'ü=ß,日=本'"])
    suite.calls("split_to_multimap({0}, ',', '=')", ["'a=1,a=2,b=3'", "''", "'a'", "NULL", "'a=1,'", "',a=1'", "'='"])
    suite.values("split_to_map('a=1', '=', '=')", "split_to_map('a=1', '', '=')", "split_to_map('a=1', ',', '')", "split_to_map('a=1')", "split_to_map(1, ',', '=')", "split_to_multimap('a=1', '=', '=')", "split_to_multimap('a=1', '', '=')", "split_to_multimap('a=1', ',', '')", "split_to_map('a:=1;;b:=2', ';;', ':=')")
    suite.calls("array_histogram({0})", ["ARRAY[1, 1, 2, NULL]", "CAST(ARRAY[] AS array(integer))", "CAST(NULL AS array(integer))", "ARRAY[NULL, 5]"])
    suite.values("array_histogram(ARRAY['a', 'b', 'a'])", "array_histogram(ARRAY[nan(), nan(), 1e0])", "array_histogram(ARRAY[])", "array_histogram(1)")


def read(suite):
    for call in ["{0}[{1}]", "element_at({0}, {1})"]:
        suite.calls(call, [(m, k) for m in MAPS for k in ["1", "2", "7", "0", "CAST(NULL AS integer)"]])
    suite.values("MAP(ARRAY['a'], ARRAY['x'])['c']", "MAP(ARRAY['a'], ARRAY['x'])['a']", "MAP(ARRAY[1e0], ARRAY['x'])[2e0]", "MAP(ARRAY[1e0], ARRAY['x'])[1]", "MAP(ARRAY[1], ARRAY['x'])['a']", "MAP(ARRAY[1], ARRAY['x'])[BIGINT '1']", "MAP(ARRAY[1], ARRAY['x'])[NULL]", "element_at(MAP(ARRAY[1], ARRAY['x']), 'a')", "element_at(MAP(ARRAY[nan()], ARRAY['x']), nan())", "MAP(ARRAY[0e0], ARRAY['x'])[-0e0]", "element_at(MAP(ARRAY[ROW(1, 'a')], ARRAY['x']), ROW(1, 'a'))", "element_at(MAP(ARRAY[MAP(ARRAY[1], ARRAY[2])], ARRAY['x']), MAP(ARRAY[1], ARRAY[2]))", "element_at(NULL, 1)", "MAP(ARRAY[DATE '2020-01-01'], ARRAY['x'])[DATE '2020-01-02']", "MAP(ARRAY[1], ARRAY[MAP(ARRAY[2], ARRAY['deep'])])[1][2]", "MAP()[1]")
    for function in ["cardinality", "map_keys", "map_values", "map_entries"]:
        suite.calls(f"{function}({{0}})", MAPS)
        suite.values(f"{function}(MAP())", f"{function}(1)", f"{function}(ARRAY[1], 2)")
    suite.values("map_keys(NULL)", "map_values(NULL)", "map_entries(NULL)", "map_keys(MAP(ARRAY['c', 'a', 'b'], ARRAY[1, 2, 3]))", "array_sort(map_keys(MAP(ARRAY['c', 'a', 'b'], ARRAY[1, 2, 3])))")
    suite.calls("map_concat({0}, {1})", [(a, b) for a in MAPS for b in MAPS])
    suite.values("map_concat(MAP(ARRAY[1], ARRAY['x']))", "map_concat()", "map_concat(MAP(ARRAY[1], ARRAY['x']), NULL)", "map_concat(MAP(ARRAY[1], ARRAY[1]), MAP(ARRAY[BIGINT '2'], ARRAY[2.5]))", "map_concat(MAP(ARRAY[1], ARRAY[1]), MAP(ARRAY['a'], ARRAY[2]))", "map_concat(MAP(ARRAY[1], ARRAY[1]), MAP(ARRAY[2], ARRAY[2]), MAP(ARRAY[1], ARRAY[3]))", "map_concat(MAP(), MAP(ARRAY[1], ARRAY[2]))", "map_concat(1, 2)")
    suite.ask("SELECT k FROM UNNEST(MAP(ARRAY[1, 2], ARRAY['a', 'b'])) AS t(k, v)", "SELECT v FROM UNNEST(MAP(ARRAY[1, 2], ARRAY['a', 'b'])) AS t(k, v)", "SELECT ROW(k, v, x, o) FROM UNNEST(MAP(ARRAY[1, 2], ARRAY['a', 'b']), ARRAY[7, 8, 9]) WITH ORDINALITY AS t(k, v, x, o)", "SELECT k FROM (VALUES MAP(ARRAY[1], ARRAY[2]), NULL) AS t(m) CROSS JOIN UNNEST(m) AS u(k, v)", "SELECT k FROM (VALUES MAP(ARRAY[1], ARRAY[2]), NULL) AS t(m) LEFT JOIN UNNEST(m) AS u(k, v) ON true ORDER BY k", "SELECT k FROM UNNEST(MAP()) AS t(k, v)", "SELECT k FROM UNNEST(MAP(ARRAY[1], ARRAY[2])) AS t(k)")


def applied(suite):
    for body in ["k > 1", "v = 'x'", "v IS NULL", "true", "10 / k > 4", "CAST(NULL AS boolean)"]:
        suite.calls(f"map_filter({{0}}, (k, v) -> {body})", MAPS)
    for body in ["k * 2", "k % 2", "10 / k", "CAST(NULL AS integer)", "CAST(k AS varchar)", "-k"]:
        suite.calls(f"transform_keys({{0}}, (k, v) -> {body})", MAPS)
    for body in ["v || CAST(k AS varchar)", "k", "10 / k", "NULL", "ARRAY[v]", "MAP(ARRAY[k], ARRAY[v])"]:
        suite.calls(f"transform_values({{0}}, (k, v) -> {body})", MAPS)
    for body in ["(k, a, b)", "coalesce(a, b)", "k", "10 / k"]:
        suite.calls(f"map_zip_with({{0}}, {{1}}, (k, a, b) -> {body})", [(a, b) for a in MAPS for b in MAPS[:3]])
    suite.values("map_filter(MAP(), (k, v) -> true)", "map_filter(MAP(ARRAY[1], ARRAY[2]), k -> true)", "map_filter(MAP(ARRAY[1], ARRAY[2]), (k, k) -> true)", "map_filter(MAP(ARRAY[1], ARRAY[2]), (k, v) -> 1)", "map_filter(ARRAY[1], (k, v) -> true)", "map_filter(NULL, (k, v) -> true)", "map_filter(MAP(ARRAY[1], ARRAY[2]))", "transform_keys(MAP(ARRAY[1], ARRAY[2]), (k, v) -> NULL)", "transform_values(MAP(), (k, v) -> 1)", "transform_values(MAP(ARRAY[1], ARRAY[2]), v -> 1)", "map_zip_with(MAP(ARRAY[1], ARRAY[2]), MAP(ARRAY[BIGINT '1'], ARRAY['a']), (k, a, b) -> k)", "map_zip_with(MAP(ARRAY[1], ARRAY[2]), MAP(ARRAY['a'], ARRAY['a']), (k, a, b) -> k)", "map_zip_with(MAP(ARRAY[1], ARRAY[2]), MAP(ARRAY[1], ARRAY[2]), (k, a) -> k)", "map_zip_with(NULL, MAP(ARRAY[1], ARRAY[2]), (k, a, b) -> 1)", "transform(ARRAY[MAP(ARRAY[1], ARRAY[2])], m -> m[1])", "transform_values(MAP(ARRAY[1], ARRAY[MAP(ARRAY[2], ARRAY[3])]), (k, m) -> transform_values(m, (l, v) -> k + l + v))", "reduce(map_values(MAP(ARRAY[1, 2], ARRAY[3, 4])), 0, (s, x) -> s + x, s -> s)", "TRY(transform_values(MAP(ARRAY[0], ARRAY[1]), (k, v) -> v / k))", "TRY(MAP(ARRAY[1, 1], ARRAY[1, 2]))", "TRY(MAP(ARRAY[1], ARRAY[1])[2])")


def compared(suite):
    pairs = ["MAP(ARRAY[1, 2], ARRAY[2, 3])", "MAP(ARRAY[2, 1], ARRAY[3, 2])", "MAP(ARRAY[1, 2], ARRAY[2, NULL])", "MAP(ARRAY[1, 2], ARRAY[5, NULL])", "MAP(ARRAY[1], ARRAY[2])", "MAP(ARRAY[3, 4], ARRAY[2, NULL])", "CAST(MAP() AS map(integer, integer))", "CAST(NULL AS map(integer, integer))"]
    for operator in ["=", "<>", "IS DISTINCT FROM", "IS NOT DISTINCT FROM"]:
        suite.calls(f"{{0}} {operator} {{1}}", [(a, b) for a in pairs for b in pairs])
    values = ", ".join(pairs)
    table = f"(VALUES {values}) AS t(m)"
    suite.ask(f"SELECT count(*) FROM {table} GROUP BY m ORDER BY 1", f"SELECT count(DISTINCT m) FROM {table}", f"SELECT count(*) FROM (SELECT DISTINCT m FROM {table})", f"SELECT count(*) FROM (SELECT m FROM {table} UNION SELECT m FROM {table})", f"SELECT count(*) FROM (SELECT m FROM {table} INTERSECT SELECT m FROM {table})", f"SELECT count(*) FROM {table} WHERE m IN (SELECT MAP(ARRAY[2, 1], ARRAY[3, 2]))", f"SELECT count(*) FROM {table} JOIN (VALUES MAP(ARRAY[2, 1], ARRAY[3, 2])) AS u(n) ON m = n", f"SELECT m FROM {table} ORDER BY m", f"SELECT max(m) FROM {table}", f"SELECT row_number() OVER (ORDER BY m) FROM {table}", f"SELECT count(*) OVER (PARTITION BY m) FROM {table} ORDER BY 1", f"SELECT approx_distinct(m) FROM {table}")
    suite.values("MAP(ARRAY[1], ARRAY[2]) < MAP(ARRAY[1], ARRAY[3])", "MAP(ARRAY[1], ARRAY[2]) = MAP(ARRAY['a'], ARRAY[2])", "MAP(ARRAY[1], ARRAY[2]) = MAP(ARRAY[BIGINT '1'], ARRAY[2.0])", "MAP(ARRAY[1], ARRAY[2]) IN (MAP(ARRAY[1], ARRAY[2]), MAP(ARRAY[2], ARRAY[2]))", "MAP(ARRAY[1], ARRAY[nan()]) = MAP(ARRAY[1], ARRAY[nan()])", "coalesce(MAP(ARRAY[1], ARRAY[2]), MAP(ARRAY[BIGINT '1'], ARRAY[2.5]))", "IF(true, MAP(ARRAY[1], ARRAY[2]), MAP())", "nullif(MAP(ARRAY[1], ARRAY[2]), MAP(ARRAY[1], ARRAY[2]))", "contains(ARRAY[MAP(ARRAY[1], ARRAY[2])], MAP(ARRAY[1], ARRAY[2]))", "array_distinct(ARRAY[MAP(ARRAY[1], ARRAY[2]), MAP(ARRAY[1], ARRAY[2])])", "array_sort(ARRAY[MAP(ARRAY[1], ARRAY[2])])", "array_max(ARRAY[MAP(ARRAY[1], ARRAY[2])])", "greatest(MAP(ARRAY[1], ARRAY[2]), MAP(ARRAY[1], ARRAY[2]))", "MAP(ARRAY[1], ARRAY[2]) BETWEEN MAP() AND MAP()", "MAP(ARRAY[1], ARRAY[2]) || MAP(ARRAY[1], ARRAY[2])")
    for kind in ["map(varchar, bigint)", "map(integer, integer)", "map(double, varchar)", "map(bigint, decimal(5, 2))", "map(tinyint, boolean)"]:
        suite.calls(f"CAST({{0}} AS {kind})", pairs)
    suite.values("CAST(MAP(ARRAY['1', '01'], ARRAY[2, 3]) AS map(integer, bigint))", "CAST(MAP(ARRAY['x'], ARRAY[2]) AS map(integer, bigint))", "TRY_CAST(MAP(ARRAY['x'], ARRAY[2]) AS map(integer, bigint))", "CAST(MAP(ARRAY[1], ARRAY['x']) AS map(integer, bigint))", "CAST(MAP(ARRAY[1], ARRAY[2]) AS varchar)", "CAST('a' AS map(integer, integer))", "CAST(ARRAY[1] AS map(integer, integer))", "CAST(NULL AS map(integer, varchar))", "CAST(MAP() AS map(integer, varchar))", "CAST(MAP(ARRAY['abc', 'abd'], ARRAY[1, 2]) AS map(varchar(2), integer))", "CAST(NULL AS map(integer))", "CAST(NULL AS map(integer, nosuch))", "CAST(NULL AS map(varchar, map(integer, array(row(x date)))))", "CAST(NULL AS array(map(integer, integer)))", "CAST(MAP(ARRAY[1000], ARRAY[1]) AS map(tinyint, integer))")


def aggregated(suite):
    table = "(VALUES (1, 'a', 1), (2, 'b', 1), (3, NULL, 2), (NULL, 'd', 2), (5, 'e', NULL)) AS t(k, v, g)"
    for call in ["map_agg(k, v)", "multimap_agg(k, v)", "histogram(g)", "histogram(v)", "map_agg(v, k)", "multimap_agg(g, k ORDER BY k)", "map_agg(g, k ORDER BY k DESC)", "map_agg(k, v) FILTER (WHERE k > 1)", "histogram(k) FILTER (WHERE false)", "map_union(MAP(ARRAY[k], ARRAY[v])) FILTER (WHERE k IS NOT NULL)", "map_agg(k, k * 2)", "map_agg(DISTINCT g, 1)", "map_agg(k, ARRAY[v])", "map_agg(ROW(k, 1), v)"]:
        suite.ask(f"SELECT {call} FROM {table}", f"SELECT {call} FROM {table} GROUP BY g ORDER BY g", f"SELECT {call} FROM {table} WHERE false")
    suite.ask(f"SELECT map_agg(k) FROM {table}", f"SELECT map_agg(k, v, g) FROM {table}", f"SELECT histogram() FROM {table}", f"SELECT map_union(k) FROM {table}", f"SELECT map_union(NULL) FROM {table}", f"SELECT map_agg(NULL, k) FROM {table}", f"SELECT multimap_agg(k) FROM {table}", f"SELECT map_agg(k, v) OVER (ORDER BY k ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM {table} ORDER BY k", f"SELECT histogram(g) OVER () FROM {table}", f"SELECT cardinality(map_agg(k, v)) FROM {table}", f"SELECT transform_values(map_agg(k, v), (k, v) -> coalesce(v, '?')) FROM {table}", f"SELECT k FROM {table} GROUP BY k HAVING cardinality(map_agg(k, v)) > 0 ORDER BY k", f"SELECT transform(ARRAY[1], x -> map_agg(k, v)) FROM {table}", "SELECT map_union(m) FROM (VALUES MAP(ARRAY[1], ARRAY['a']), MAP(ARRAY[1, 2], ARRAY['b', 'c']), NULL) AS t(m)", "SELECT map_union(m) FROM (VALUES CAST(NULL AS map(integer, integer))) AS t(m)", "SELECT histogram(x) FROM (VALUES nan(), nan(), 1e0) AS t(x)")


def statements(suite: Suite):
    made(suite)
    read(suite)
    applied(suite)
    compared(suite)
    aggregated(suite)
