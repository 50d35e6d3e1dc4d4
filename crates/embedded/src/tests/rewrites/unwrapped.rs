//! Comparisons of functions of a column with constants, against the functions' own values.

use super::*;

/// A function of `x`, values of `x`, and constants.
struct Unwrapped {
    function: &'static str,
    values: &'static [&'static str],
    constants: &'static [&'static str],
}

const INTEGERS: &[&str] = &["-2147483648", "-11", "-10", "-1", "0", "1", "10", "11", "2147483647"];
const BIGINTS: &[&str] = &[
    "CAST(-9223372036854775807 AS bigint) - 1",
    "-9007199254740993",
    "-9007199254740992",
    "-11",
    "-10",
    "0",
    "10",
    "11",
    "16777217",
    "9007199254740991",
    "9007199254740993",
    "9223372036854775807",
];
const DATES: &[&str] = &[
    "DATE '-0001-12-31'",
    "DATE '1677-09-21'",
    "DATE '1969-12-31'",
    "DATE '1970-01-01'",
    "DATE '1999-12-31'",
    "DATE '2000-01-01'",
    "DATE '2000-02-29'",
    "DATE '2000-03-31'",
    "DATE '2000-04-01'",
    "DATE '2000-04-03'",
    "DATE '2000-12-31'",
    "DATE '2001-01-01'",
    "DATE '9999-12-31'",
];
const TIMESTAMPS: &[&str] = &[
    "TIMESTAMP '1969-12-31 23:59:59.999'",
    "TIMESTAMP '1970-01-01 00:00:00.000'",
    "TIMESTAMP '1999-12-31 23:59:59.999'",
    "TIMESTAMP '2000-01-01 00:00:00.000'",
    "TIMESTAMP '2000-01-01 00:00:00.001'",
    "TIMESTAMP '2000-02-29 12:59:59.999'",
    "TIMESTAMP '2000-02-29 13:00:00.000'",
    "TIMESTAMP '2000-03-01 00:00:00.000'",
    "TIMESTAMP '2000-12-31 23:59:59.999'",
    "TIMESTAMP '2001-01-01 00:00:00.000'",
];
const DECIMALS: &[&str] =
    &["DECIMAL '-999.99'", "DECIMAL '-0.01'", "DECIMAL '000.00'", "DECIMAL '010.50'", "DECIMAL '999.99'"];

const CASES: &[Unwrapped] = &[
    Unwrapped {
        function: "x",
        values: INTEGERS,
        constants: &[
            "BIGINT '10'",
            "3000000000",
            "-3000000000",
            "10.5",
            "10.0",
            "-10.5",
            "1e1",
            "10.5e0",
            "-1e10",
            "1e300",
            "infinity()",
            "nan()",
            "REAL '10.5'",
            "REAL '1e10'",
            "2147483647.5",
            "-2147483648.5",
            "2147483647.0",
        ],
    },
    Unwrapped {
        function: "x",
        values: BIGINTS,
        constants: &[
            "10.5",
            "-10.5e0",
            "16777216.5e0",
            "REAL '1.6777216E7'",
            "9007199254740991e0",
            "9007199254740992e0",
            "9223372036854775807.0",
            "9223372036854775807.1",
            "-9223372036854775808.1",
            "9223372036854775808e0",
        ],
    },
    Unwrapped {
        function: "CAST(x AS decimal(20, 1))",
        values: INTEGERS,
        constants: &["10.5", "10.0", "10.55", "99999999999.0"],
    },
    Unwrapped {
        function: "x",
        values: DECIMALS,
        constants: &["10.500", "10.505", "-0.015", "999.991", "-999.991", "1000.000", "12345678.901"],
    },
    Unwrapped {
        function: "x",
        values: DATES,
        constants: &[
            "TIMESTAMP '2000-01-01 00:00:00'",
            "TIMESTAMP '2000-01-01 00:00:00.001'",
            "TIMESTAMP '1969-12-31 23:59:59.999999'",
        ],
    },
    Unwrapped {
        function: "x",
        values: TIMESTAMPS,
        constants: &[
            "TIMESTAMP '2000-01-01 00:00:00.000000'",
            "TIMESTAMP '2000-01-01 00:00:00.000001'",
            "TIMESTAMP '1969-12-31 23:59:59.999999999'",
            "DATE '2000-01-01'",
        ],
    },
    Unwrapped { function: "CAST(x AS date)", values: TIMESTAMPS, constants: DATES },
    Unwrapped { function: "date(CAST(x AS timestamp(9)))", values: TIMESTAMPS, constants: DATES },
    Unwrapped {
        function: "year(x)",
        values: DATES,
        constants: &[
            "1999",
            "2000",
            "2000.5",
            "0",
            "-1",
            "-2",
            "9999",
            "10000",
            "1e3",
            "9223372036854775807",
        ],
    },
    Unwrapped {
        function: "year(x)",
        values: TIMESTAMPS,
        constants: &["1969", "1999", "2000", "2001", "300000"],
    },
    Unwrapped {
        function: "year(CAST(x AS timestamp(9)))",
        values: TIMESTAMPS,
        constants: &["1600", "2000", "9000"],
    },
    Unwrapped { function: "date_trunc('day', x)", values: DATES, constants: DATES },
    Unwrapped { function: "date_trunc('WEEK', x)", values: DATES, constants: DATES },
    Unwrapped { function: "date_trunc('month', x)", values: DATES, constants: DATES },
    Unwrapped { function: "date_trunc('quarter', x)", values: DATES, constants: DATES },
    Unwrapped { function: "date_trunc('year', x)", values: DATES, constants: DATES },
    Unwrapped { function: "date_trunc('millisecond', x)", values: TIMESTAMPS, constants: TIMESTAMPS },
    Unwrapped { function: "date_trunc('second', x)", values: TIMESTAMPS, constants: TIMESTAMPS },
    Unwrapped { function: "date_trunc('minute', x)", values: TIMESTAMPS, constants: TIMESTAMPS },
    Unwrapped { function: "date_trunc('hour', x)", values: TIMESTAMPS, constants: TIMESTAMPS },
    Unwrapped {
        function: "date_trunc('day', CAST(x AS timestamp(0)))",
        values: DATES,
        constants: TIMESTAMPS,
    },
    Unwrapped { function: "date_trunc('week', x)", values: TIMESTAMPS, constants: TIMESTAMPS },
    Unwrapped { function: "date_trunc('month', CAST(x AS date))", values: TIMESTAMPS, constants: DATES },
    Unwrapped { function: "date_trunc('quarter', x)", values: TIMESTAMPS, constants: TIMESTAMPS },
    Unwrapped { function: "date_trunc('year', x)", values: TIMESTAMPS, constants: DATES },
];

/// A statement with the values of all comparisons, and one with the rows that each filter leaves.
fn statements(case: &Unwrapped, constant: &str, other: &str) -> [String; 2] {
    let Unwrapped { function, values, .. } = case;
    let conditions: Vec<String> = ["=", "<>", "<", "<=", ">", ">="]
        .iter()
        .flat_map(|operator| {
            [format!("{function} {operator} {constant}"), format!("{constant} {operator} {function}")]
        })
        .chain([
            format!("{function} IS DISTINCT FROM {constant}"),
            format!("{function} IS NOT DISTINCT FROM {constant}"),
            format!("NOT ({function} IS DISTINCT FROM {constant})"),
            format!("{function} IN ({constant}, {other})"),
            format!("{function} NOT IN ({constant}, {other})"),
            format!("{function} BETWEEN {other} AND {constant}"),
            format!("{function} = {constant} OR x IS NULL"),
            format!("NOT ({function} >= {constant} AND {function} <> {other})"),
        ])
        .collect();
    let rows: Vec<String> =
        values.iter().enumerate().map(|(row, value)| format!("({row}, {value})")).collect();
    let table = format!("(VALUES (-1, NULL), {}) AS t(i, x)", rows.join(", "));
    let filters: Vec<String> = conditions
        .iter()
        .enumerate()
        .map(|(number, condition)| format!("SELECT {number}, i FROM {table} WHERE {condition}"))
        .collect();
    [format!("SELECT i, {} FROM {table}", conditions.join(", ")), filters.join(" UNION ALL ")]
}

#[test]
fn comparisons_of_functions_are_those_of_their_values() {
    let hard = Hard::new();
    let all = PassSet::default();
    let without = all.clone().without(Pass::UnwrapCastInComparison);
    for case in CASES {
        let mut rewritten = 0;
        for (number, constant) in case.constants.iter().enumerate() {
            let other = case.constants[(number + 1) % case.constants.len()];
            for sql in statements(case, constant, other) {
                let expected = hard.outcome(&sql, &PassSet::none());
                assert!(expected.is_ok(), "{sql}: {expected:?}");
                assert_eq!(hard.outcome(&sql, &all), expected, "{sql}");
                rewritten += usize::from(hard.plan(&sql, &all) != hard.plan(&sql, &without));
            }
        }
        assert!(rewritten > 0, "{}", case.function);
    }
}

/// As in Trino, a value that the conversion has no place for is compared all the same.
#[test]
fn a_conversion_that_is_not_needed_cannot_fail() {
    let hard = Hard::new();
    let largest = "9".repeat(38);
    let table = format!("(VALUES DECIMAL '{largest}', DECIMAL '-{largest}') AS t(x)");
    let sql = format!("SELECT x > 0.5, x = 0.5, x <> 0.5 FROM {table} WHERE x NOT IN (1.5, 0.25)");
    let found = hard.outcome(&sql, &PassSet::default());
    assert_eq!(found, Ok(vec!["false|false|true".to_owned(), "true|false|true".to_owned()]));
    assert_eq!(hard.outcome(&sql, &PassSet::none()), Err("INVALID_CAST_ARGUMENT".to_owned()));
}

#[test]
fn what_is_not_a_column_below_functions_is_left() {
    Hard::new().left(
        Pass::UnwrapCastInComparison,
        &PassSet::default(),
        &[
            "SELECT id FROM h WHERE year(from_unixtime(id)) = 1970",
            "SELECT id FROM h WHERE TRY_CAST(t AS bigint) = 1",
            "SELECT id FROM h WHERE CAST(id AS varchar) = '1'",
            "SELECT id FROM h WHERE CAST(from_unixtime(id) AS date) = DATE '1970-01-01'",
        ],
    );
}
