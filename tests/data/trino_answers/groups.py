"""Arrays of parts of arrays, and arrays put together."""

from suite import Suite

ARRAYS = ["ARRAY[1, 2, 3, 4]", "ARRAY[1]", "CAST(ARRAY[] AS array(integer))", "ARRAY[1, NULL, 3]", "ARRAY[2, 2, 2]"]


def parts(suite):
    for function in ["combinations", "ngrams"]:
        suite.calls(f"{function}({{0}}, {{1}})", [(a, n) for a in ARRAYS for n in ["1", "2", "3", "5"]])
        suite.values(f"{function}(ARRAY['a', 'b', 'c'], 2)", f"{function}(ARRAY[1, 2], 0)", f"{function}(ARRAY[1, 2], -1)", f"{function}(ARRAY[1, 2], 6)", f"{function}(NULL, 1)", f"{function}(ARRAY[1], NULL)", f"{function}(ARRAY[], 2)", f"{function}(ARRAY[], 0)", f"{function}(ARRAY[ARRAY[1], ARRAY[2]], 2)", f"{function}(ARRAY[1], 1.5)", f"{function}(1, 1)", f"{function}(ARRAY[1], BIGINT '1')")
    suite.values("cardinality(combinations(sequence(1, 59), 3))", "cardinality(combinations(sequence(1, 60), 3))", "cardinality(combinations(sequence(1, 84), 3))", "cardinality(combinations(sequence(1, 1000), 1))", "cardinality(combinations(sequence(1, 317), 2))", "cardinality(combinations(sequence(1, 316), 2))", "cardinality(combinations(sequence(1, 10000), 5))", "cardinality(combinations(sequence(1, 25), 5))", "cardinality(combinations(sequence(1, 21), 5))", "cardinality(ngrams(sequence(1, 1000), 100))")
    suite.calls("trim_array({0}, {1})", [(a, n) for a in ARRAYS for n in ["0", "1", "2", "3", "4", "5", "-1"]])
    suite.values("trim_array(NULL, 1)", "trim_array(ARRAY[1], NULL)", "trim_array(ARRAY['a', 'b'], 1)", "trim_array(ARRAY[], 0)", "trim_array(ARRAY[1], 9223372036854775807)")
    wanted = ARRAYS + ["ARRAY[2, 3]", "ARRAY[3, 2]", "ARRAY[NULL, 3]", "ARRAY[4]", "ARRAY[2, 2]"]
    suite.calls("contains_sequence({0}, {1})", [(a, b) for a in ARRAYS for b in wanted])
    suite.values("contains_sequence(ARRAY[1], NULL)", "contains_sequence(NULL, ARRAY[1])", "contains_sequence(ARRAY['a', 'b'], ARRAY['b'])", "contains_sequence(ARRAY[1, 2], ARRAY[BIGINT '2'])", "contains_sequence(ARRAY[nan()], ARRAY[nan()])", "contains_sequence(ARRAY[ARRAY[1], ARRAY[NULL]], ARRAY[ARRAY[NULL]])", "contains_sequence(ARRAY[1], ARRAY['a'])")


def together(suite):
    suite.calls("zip({0}, {1})", [(a, b) for a in ARRAYS for b in ARRAYS])
    suite.values("zip(ARRAY[1, 2], ARRAY['a'])", "zip(ARRAY[1], ARRAY['a', 'b'], ARRAY[true])", "zip(ARRAY[1], ARRAY['a'], ARRAY[true], ARRAY[1.5])", "zip(ARRAY[1], ARRAY['a'], ARRAY[true], ARRAY[1.5], ARRAY[DATE '2020-01-01'])", "zip(ARRAY[1])", "zip(ARRAY[1], ARRAY[1], ARRAY[1], ARRAY[1], ARRAY[1], ARRAY[1])", "zip(ARRAY[1], NULL)", "zip(ARRAY[1], CAST(NULL AS array(integer)))", "zip(ARRAY[], ARRAY[1])", "zip(ARRAY[1], 1)", "zip(ARRAY[ROW(1, 2)], ARRAY[ARRAY[1]])", "zip()")
    suite.calls("concat({0}, 5)", ARRAYS)
    suite.calls("concat(5, {0})", ARRAYS)
    suite.calls("{0} || 5", ARRAYS)
    suite.calls("5 || {0}", ARRAYS)
    suite.values("ARRAY[1] || BIGINT '2'", "ARRAY[BIGINT '1'] || 2", "'a' || ARRAY['b']", "ARRAY['a'] || 'bc'", "ARRAY[ARRAY[1]] || ARRAY[2]", "ARRAY[2] || ARRAY[ARRAY[1]]", "concat(ARRAY[1], 2, 3)", "concat(1, 2)", "ARRAY[1] || 1.5", "ARRAY[1] || CAST(NULL AS integer)", "CAST(NULL AS integer) || ARRAY[1]", "CAST(NULL AS array(integer)) || 1", "ARRAY[ROW(1, 'a')] || ROW(2, 'b')", "ARRAY[] || 1", "ARRAY[DATE '2020-01-01'] || DATE '2020-01-02'")
    suite.values("cardinality(shuffle(ARRAY[1, 2, 3]))", "shuffle(ARRAY[1])", "shuffle(ARRAY[2, 2, 2])", "shuffle(ARRAY[])", "array_sort(shuffle(ARRAY[3, 1, 2]))", "shuffle(1)", "shuffle(CAST(NULL AS array(integer)))")


def sequences(suite):
    times = ["TIMESTAMP '2020-01-31 00:00:00'", "TIMESTAMP '2020-02-02 12:00:00'", "TIMESTAMP '2020-06-30 00:00:00.123'", "TIMESTAMP '2020-01-31 00:00:00.123456'", "TIMESTAMP '2020-02-02 12:00:00.123456789'"]
    days = ["INTERVAL '1' DAY", "INTERVAL '12' HOUR", "INTERVAL '-1' DAY", "INTERVAL '0' DAY", "INTERVAL '30' DAY"]
    months = ["INTERVAL '1' MONTH", "INTERVAL '-1' MONTH", "INTERVAL '0' MONTH", "INTERVAL '1' YEAR"]
    for start, stop in [(times[0], times[1]), (times[1], times[0]), (times[0], times[2]), (times[2], times[0]), (times[0], times[0]), (times[3], times[2]), (times[3], times[4]), (times[4], times[0])]:
        for step in days + months:
            suite.values(f"sequence({start}, {stop}, {step})")
    for start, stop in [("DATE '2020-01-31'", "DATE '2020-06-30'"), ("DATE '2020-06-30'", "DATE '2020-01-31'"), ("DATE '2020-01-31'", "DATE '2020-01-31'")]:
        for step in days + months:
            suite.values(f"sequence({start}, {stop}, {step})")
        suite.values(f"sequence({start}, {stop})")
    suite.values("sequence(TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP '2020-01-03 00:00:00')", "sequence(DATE '2020-01-01', TIMESTAMP '2020-01-03 00:00:00', INTERVAL '12' HOUR)", "sequence(TIMESTAMP '2020-01-01 00:00:00 UTC', TIMESTAMP '2020-01-03 00:00:00 UTC', INTERVAL '12' HOUR)", "cardinality(sequence(1, 10000))", "cardinality(sequence(1, 10001))", "cardinality(sequence(TIMESTAMP '2020-01-01 00:00:00', TIMESTAMP '2021-01-01 00:00:00', INTERVAL '1' MINUTE))", "sequence(1, 5, 2)", "sequence(5, 1)", "sequence(5, 1, -2)", "sequence(1, 5, 0)", "sequence(1, 5, -1)", "sequence(5, 1, 1)", "sequence(9223372036854775806, 9223372036854775807)", "sequence(9223372036854775800, 9223372036854775807, 5)", "sequence(NULL, 1)", "sequence(1, 1)", "sequence(1, 1, 0)", "sequence(1.5, 2)", "repeat(1, 3)", "repeat('a', 0)", "repeat(1, -1)", "repeat(NULL, 2)", "cardinality(repeat(1, 10000))", "cardinality(repeat(1, 10001))", "flatten(ARRAY[ARRAY[1, 2], NULL, ARRAY[], ARRAY[3, NULL]])", "flatten(ARRAY[1])", "flatten(NULL)", "array_join(ARRAY[1, NULL, 3], '-', 'x')", "array_join(ARRAY[1, NULL, 3], '-')", "array_join(ARRAY['a', NULL], NULL)", "array_join(ARRAY[1.5e0, 2e0], ',')", "array_join(ARRAY[true, NULL], ',', 'n')", "array_join(ARRAY[DATE '2020-01-01'], ',')", "array_join(ARRAY[ARRAY[1]], ',')", "array_join(ARRAY[], ',')", "array_join(ARRAY[1], ',', NULL)")


def statements(suite: Suite):
    parts(suite)
    together(suite)
    sequences(suite)
