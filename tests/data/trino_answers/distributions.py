"""Numbers: distributions, vectors, bits and bases."""

from suite import Suite, quoted


def distributions(suite):
    values = ["-5e0", "-1.96e0", "-0.5e0", "0e0", "0.1e0", "1e0", "2.5e0", "8e0"]
    suite.calls("normal_cdf({0}, {1}, {2})", [(m, s, v) for m in ["0e0", "1.5e0", "-3e0"] for s in ["1e0", "0.25e0", "12e0"] for v in values])
    suite.values("normal_cdf(0, 0, 1)", "normal_cdf(0, -1, 1)", "normal_cdf(nan(), 1, 1)", "normal_cdf(0, nan(), 1)", "normal_cdf(0, 1, infinity())", "normal_cdf(0, 1, -infinity())", "normal_cdf(NULL, 1, 1)")
    shares = ["0.001e0", "0.05e0", "0.25e0", "0.5e0", "0.6e0", "0.975e0", "0.9999e0"]
    suite.calls("inverse_normal_cdf({0}, {1}, {2})", [(m, s, p) for m in ["0e0", "1.5e0", "-3e0"] for s in ["1e0", "0.25e0", "12e0"] for p in shares])
    suite.values("inverse_normal_cdf(0, 1, 0)", "inverse_normal_cdf(0, 1, 1)", "inverse_normal_cdf(0, 1, -0.1)", "inverse_normal_cdf(0, 1, 1.1)", "inverse_normal_cdf(0, 0, 0.5)", "inverse_normal_cdf(0, -1, 0.5)", "inverse_normal_cdf(0, 1, nan())")
    pairs = [(a, b) for a in ["0.5e0", "1e0", "3e0", "17.5e0"] for b in ["0.5e0", "1e0", "3.6e0", "40e0"]]
    suite.calls("beta_cdf({0}, {1}, {2})", [(a, b, v) for a, b in pairs for v in ["0e0", "0.01e0", "0.3e0", "0.5e0", "0.9e0", "1e0"]])
    suite.calls("inverse_beta_cdf({0}, {1}, {2})", [(a, b, p) for a, b in pairs for p in ["0e0", "0.01e0", "0.1e0", "0.5e0", "0.9e0", "1e0"]])
    for function in ["beta_cdf", "inverse_beta_cdf"]:
        suite.values(f"{function}(0, 1, 0.5)", f"{function}(1, 0, 0.5)", f"{function}(1, 1, -0.1)", f"{function}(1, 1, 1.1)", f"{function}(-1, 1, 0.5)", f"{function}(1, 1, nan())", f"{function}(NULL, 1, 1)")
    for function in ["t_cdf", "t_pdf"]:
        suite.calls(f"{function}({{0}}, {{1}})", [(v, f) for v in values for f in ["1e0", "2e0", "4.5e0", "30e0", "1000e0"]])
        suite.values(f"{function}(1, 0)", f"{function}(1, -1)", f"{function}(nan(), 1)", f"{function}(1, nan())", f"{function}(infinity(), 3)", f"{function}(NULL, 1)")
    for side in ["lower", "upper"]:
        suite.calls(f"wilson_interval_{side}({{0}}, {{1}}, {{2}})", [(s, n, z) for s, n in [("0", "1"), ("1", "1"), ("1250", "1310"), ("5", "10"), ("0", "1000"), ("999999", "1000000")] for z in ["0e0", "1e0", "1.96e0", "3e0"]])
        suite.values(f"wilson_interval_{side}(-1, 1, 1)", f"wilson_interval_{side}(1, 0, 1)", f"wilson_interval_{side}(2, 1, 1)", f"wilson_interval_{side}(1, 1, -1)", f"wilson_interval_{side}(1, 1, nan())", f"wilson_interval_{side}(1, -1, 1)", f"wilson_interval_{side}(1.5, 2, 1)")


def vectors(suite):
    arrays = ["ARRAY[1e0, 2e0]", "ARRAY[0.5e0, -2e0]", "ARRAY[3e0, 4e0]", "ARRAY[1e-3, 1e3]"]
    for function in ["cosine_similarity", "cosine_distance", "dot_product", "euclidean_distance"]:
        suite.calls(f"{function}({{0}}, {{1}})", [(a, b) for a in arrays for b in arrays])
        suite.values(f"{function}(ARRAY[1e0], ARRAY[1e0, 2e0])", f"{function}(ARRAY[0e0], ARRAY[1e0])", f"{function}(ARRAY[1e0, NULL], ARRAY[1e0, 2e0])", f"{function}(ARRAY[1e0, 2e0], ARRAY[1e0, NULL])", f"{function}(ARRAY[], ARRAY[])", f"{function}(ARRAY[1, 2], ARRAY[2.5, 3])", f"{function}(NULL, ARRAY[1e0])", f"{function}(ARRAY[nan()], ARRAY[1e0])", f"{function}(ARRAY[infinity()], ARRAY[1e0])", f"{function}(ARRAY['a'], ARRAY['b'])")
    suite.calls("width_bucket({0}, {1})", [(v, "ARRAY[0e0, 1e0, 2.5e0, 10e0]") for v in ["-1e0", "0e0", "0.5e0", "1e0", "9.9e0", "10e0", "1e9", "infinity()", "-infinity()"]])
    suite.values("width_bucket(1, ARRAY[])", "width_bucket(nan(), ARRAY[1e0])", "width_bucket(1, ARRAY[2e0, 1e0])", "width_bucket(1, ARRAY[1e0, nan()])", "width_bucket(1, ARRAY[1e0, infinity()])", "width_bucket(5, ARRAY[1, 2, 3])", "width_bucket(1, NULL)", "width_bucket(1.5, ARRAY[1.0, 2.0])", "width_bucket(0.5e0, ARRAY[NULL, 1e0])")
    suite.calls("width_bucket({0}, {1}, {2}, {3})", [(v, low, high, "4") for v in ["-1e0", "0e0", "0.5e0", "1.99e0", "2e0", "3e0", "4e0", "infinity()"] for low, high in [("0e0", "4e0"), ("4e0", "0e0")]])
    suite.values("width_bucket(1, 0, 4, 0)", "width_bucket(1, 0, 4, -1)", "width_bucket(nan(), 0, 4, 1)", "width_bucket(1, infinity(), 4, 1)", "width_bucket(1, 0, nan(), 1)", "width_bucket(1, 4, 4, 1)", "width_bucket(5, 0, 4, 9223372036854775807)", "width_bucket(-1, 0, 4, 9223372036854775807)", "width_bucket(5, 4, 0, 9223372036854775807)")


def bits(suite):
    suite.calls("bit_count({0}, {1})", [(n, b) for n, b in [("0", "2"), ("1", "2"), ("-1", "2"), ("-2", "2"), ("9", "64"), ("9", "8"), ("-7", "8"), ("-7", "64"), ("127", "8"), ("-128", "8"), ("9223372036854775807", "64"), ("BIGINT '-9223372036854775808'", "64"), ("2147483647", "32")]])
    suite.values("bit_count(300, 8)", "bit_count(128, 8)", "bit_count(-129, 8)", "bit_count(2, 2)", "bit_count(1, 1)", "bit_count(1, 65)", "bit_count(1, 0)", "bit_count(1, -1)", "bit_count(NULL, 8)", "bit_count(1.5, 8)")
    for data_type in ["TINYINT", "SMALLINT", "INTEGER", "BIGINT"]:
        suite.calls("bitwise_right_shift_arithmetic({0}, {1})", [(f"{data_type} '{n}'", by) for n in [0, 1, -1, 100, -100] for by in ["0", "1", "6", "7", "8", "15", "16", "31", "32", "63", "64", "65", "100", "-1", "-7", "-64"]])
    suite.values("bitwise_right_shift_arithmetic(1, BIGINT '1')", "bitwise_right_shift_arithmetic(NULL, 1)", "bitwise_right_shift_arithmetic(1.5, 1)")
    numbers = ["0", "1", "-1", "255", "-255", "35", "9223372036854775807", "BIGINT '-9223372036854775808'"]
    suite.calls("to_base({0}, {1})", [(n, r) for n in numbers for r in ["2", "8", "10", "16", "36"]])
    suite.calls("from_base({0}, {1})", [(quoted(t), r) for t, r in [("0", "2"), ("1010", "2"), ("-11", "2"), ("+11", "2"), ("ff", "16"), ("FF", "16"), ("zz", "36"), ("Zz", "36"), ("9223372036854775807", "10"), ("-9223372036854775808", "10"), ("007", "8")]])
    suite.values("to_base(1, 1)", "to_base(1, 37)", "to_base(1, -2)", "to_base(NULL, 2)", "from_base('', 10)", "from_base('-', 10)", "from_base('+-1', 10)", "from_base('2', 2)", "from_base('g', 16)", "from_base(' 1', 10)", "from_base('1', 1)", "from_base('1', 37)", "from_base('9223372036854775808', 10)", "from_base(NULL, 10)", "from_base(1, 10)")
    suite.values("is_nan(REAL '1')", "is_nan(CAST(nan() AS real))", "is_nan(1)", "is_nan(NULL)", "e()", "pi()", "nan()", "infinity()", "version()", "current_groups()", "version(1)", "typeof(version())")


def statements(suite: Suite):
    distributions(suite)
    vectors(suite)
    bits(suite)
