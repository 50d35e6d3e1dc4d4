//! Groups, partitions, joins and set operations by one column, for every comparable type: all kinds of aggregates, some
//! of which Polars streams while it computes others in memory, have the same groups for each type of key.

use super::*;

/// Two values of each type; [`relation`] contains the first one twice.
const KEYS: &[[&str; 2]] = &[
    ["true", "false"],
    ["TINYINT '1'", "TINYINT '-128'"],
    ["SMALLINT '1'", "SMALLINT '-32768'"],
    ["1", "-2147483648"],
    ["BIGINT '1'", "BIGINT '-9223372036854775808'"],
    ["REAL '1.5'", "REAL '-0.0'"],
    ["1.5e0", "nan()"],
    ["DECIMAL '1.5'", "DECIMAL '-2.0'"],
    ["DECIMAL '12345678901234567890.5'", "DECIMAL '-12345678901234567890.5'"],
    ["DECIMAL '99999999999999999999999999999999999999'", "DECIMAL '-99999999999999999999999999999999999999'"],
    ["'a'", "''"],
    ["CAST('a' AS char(3))", "CAST('' AS char(3))"],
    ["X'00'", "X''"],
    ["DATE '2024-02-29'", "DATE '-0001-01-01'"],
    ["TIME '12:00:00'", "TIME '12:00:00.001'"],
    ["TIME '12:00:00.123456789'", "TIME '12:00:00.123456788'"],
    ["TIME '12:00:00+01:00'", "TIME '12:00:00+02:00'"],
    ["TIMESTAMP '2024-02-29 12:00:00'", "TIMESTAMP '1969-12-31 23:59:59'"],
    ["TIMESTAMP '2024-02-29 12:00:00.123456789'", "TIMESTAMP '1969-12-31 23:59:59.123456789'"],
    ["TIMESTAMP '2024-02-29 12:00:00 Europe/Berlin'", "TIMESTAMP '2024-02-29 12:00:00 UTC'"],
    ["INTERVAL '1' DAY", "INTERVAL '-1' SECOND"],
    ["INTERVAL '1' YEAR", "INTERVAL '-1' MONTH"],
    ["UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59'", "UUID '00000000-0000-0000-0000-000000000000'"],
    ["IPADDRESS '10.0.0.1'", "IPADDRESS '::1'"],
    ["JSON '1'", "JSON '\"a\"'"],
    ["ARRAY[1, 2]", "ARRAY[]"],
    ["ARRAY[DECIMAL '1.5']", "ARRAY[DECIMAL '2.5']"],
    ["ROW(1, 'a')", "ROW(2, 'a')"],
    ["ROW(DECIMAL '1.5')", "ROW(DECIMAL '2.5')"],
    ["MAP(ARRAY[1], ARRAY['a'])", "MAP(ARRAY[1], ARRAY['b'])"],
];

/// Each aggregate, with its results in the groups of the first key, of the second key and of NULL.
const AGGREGATES: &[(&str, [&str; 3])] = &[
    ("sum(v)", ["3", "3", "4"]),
    ("count(DISTINCT w)", ["1", "1", "1"]),
    ("count(DISTINCT v)", ["2", "1", "1"]),
    ("array_agg(v ORDER BY v)", ["[1,2]", "[3]", "[4]"]),
    ("array_agg(0 ORDER BY v)", ["[0,0]", "[0]", "[0]"]),
    ("array_agg(v ORDER BY v) FILTER (WHERE v > 1)", ["[2]", "[3]", "[4]"]),
    ("array_agg(DISTINCT w)", ["[7]", "[8]", "[9]"]),
    ("array_agg(k IS NULL)", ["[false,false]", "[false]", "[true]"]),
    ("listagg(CAST(v AS varchar), ',') WITHIN GROUP (ORDER BY v)", ["\"1,2\"", "\"3\"", "\"4\""]),
    ("approx_percentile(v, 1.0)", ["2", "3", "4"]),
    ("approx_distinct(v)", ["2", "1", "1"]),
    ("max_by(v, v)", ["2", "3", "4"]),
    ("min_by(v, v, 1)", ["[1]", "[3]", "[4]"]),
    ("max(v, 2)", ["[2,1]", "[3]", "[4]"]),
    ("any_value(w)", ["7", "8", "9"]),
    ("var_pop(v)", ["0.25", "0.0", "0.0"]),
    ("covar_pop(v, v)", ["0.25", "0.0", "0.0"]),
    ("bool_and(v > 1)", ["false", "true", "true"]),
    ("bitwise_or_agg(v)", ["3", "3", "4"]),
    ("histogram(w)[min(w)]", ["2", "1", "1"]),
    ("reduce_agg(v, 0, (a, b) -> a + b, (a, b) -> a + b)", ["3", "3", "4"]),
];

/// A relation with the columns `k`, `v` and `w`.
fn relation([first, second]: &[&str; 2]) -> String {
    format!("(VALUES ({first}, 1, 7), ({first}, 2, 7), ({second}, 3, 8), (NULL, 4, 9)) AS t (k, v, w)")
}

fn answer(sql: &str) -> Result<Vec<String>, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = rows(sql, &PassSet::default(), folder.path())
        .map_err(|error| format!("{sql}: {}: {}", error.error_name, error.message))?;
    Ok(rows.iter().map(|row| json!(row).to_string()).collect())
}

fn check_all(submitted: impl Iterator<Item = (String, Vec<String>)>) {
    let faults: Vec<String> = submitted
        .filter_map(|(sql, expected)| match answer(&sql) {
            Ok(found) if found == expected => None,
            Ok(found) => Some(format!("{sql}: {found:?} is not {expected:?}")),
            Err(fault) => Some(fault),
        })
        .collect();
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn groups_are_the_same_by_keys_of_every_type() {
    check_all(KEYS.iter().map(|key| {
        let calls: Vec<&str> = AGGREGATES.iter().map(|(call, _)| *call).collect();
        let groups = (0..3).map(|group| {
            let values: Vec<&str> = AGGREGATES.iter().map(|(_, values)| values[group]).collect();
            format!("[{},{}]", [1, 3, 4][group], values.join(","))
        });
        let sql = format!("SELECT min(v), {} FROM {} GROUP BY k ORDER BY 1", calls.join(", "), relation(key));
        (sql, groups.collect())
    }));
}

/// A single aggregate may be computed differently than several aggregates together.
#[test]
fn each_aggregate_has_its_groups_by_decimals() {
    let key = &["DECIMAL '1.5'", "DECIMAL '-2.0'"];
    check_all(AGGREGATES.iter().map(|(call, values)| {
        let expected = (0..3).map(|group| format!("[{},{}]", [1, 3, 4][group], values[group]));
        let sql = format!("SELECT min(v), {call} FROM {} GROUP BY k ORDER BY 1", relation(key));
        (sql, expected.collect())
    }));
}

/// Polars knows that a constant is sorted, and its groups of sorted keys are computed otherwise.
#[test]
fn groups_of_a_constant_below_a_filter_are_computed() {
    let folder = tempfile::tempdir().expect("a folder");
    let all =
        "SELECT sum(DISTINCT 905.0) AS c, count() AS x, max(DATE '1996-06-01') AS z FROM tpch.tiny.region
        UNION SELECT NULL, NULL, NULL";
    let sql = format!(
        "WITH w AS ({all}) SELECT 7 FROM (VALUES (CAST(NULL AS bigint), NULL)) t (a, b) WHERE NULL IS DISTINCT FROM
            (1 IN (SELECT NULL FROM w JOIN (VALUES (5, 0e0)) u (a, b) ON t.a = u.a AND nullif(NULL, NULL) = w.c))"
    );
    assert_eq!(rows(&sql, &PassSet::default(), folder.path()).expect("rows"), [[json!(7)]]);
}

#[test]
fn partitions_joins_and_sets_are_the_same_by_keys_of_every_type() {
    check_all(KEYS.iter().flat_map(|key| {
        let (of, whole) = (relation(key), |sql: &str| sql.replace("{t}", &relation(key)));
        // NaN does not equal NaN.
        let is_nan = key[1] == "nan()";
        let equal = if is_nan { 4 } else { 5 };
        let lines = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
        let mut submitted = vec![
            (
                format!(
                    "SELECT v, row_number() OVER (PARTITION BY k ORDER BY v), sum(v) OVER (PARTITION BY k), \
                     array_agg(v) OVER (PARTITION BY k ORDER BY v), lag(v) OVER (PARTITION BY k ORDER BY v) FROM {of} ORDER BY v"
                ),
                lines(&["[1,1,3,[1],null]", "[2,2,3,[1,2],1]", "[3,1,3,[3],null]", "[4,1,4,[4],null]"]),
            ),
            (
                whole("SELECT count(*) FROM (SELECT k FROM {t}) a JOIN (SELECT k FROM {t}) b ON a.k = b.k"),
                vec![format!("[{equal}]")],
            ),
            (
                whole(
                    "SELECT count(*) FROM (SELECT k, v FROM {t}) a LEFT JOIN (SELECT k, v FROM {t}) b ON a.k = b.k AND a.v < b.v",
                ),
                lines(&["[4]"]),
            ),
            (whole("SELECT count(*), count(k) FROM (SELECT DISTINCT k FROM {t})"), lines(&["[3,2]"])),
            (
                whole("SELECT count(*), count(k) FROM (SELECT k FROM {t} EXCEPT SELECT k FROM {t} WHERE v = 1)"),
                lines(&["[2,1]"]),
            ),
            (
                whole("SELECT a.v, (SELECT max(b.v) FROM {t2} WHERE b.k = a.k) FROM {t1} ORDER BY 1")
                    .replace("{t1}", &of.replace("AS t", "AS a"))
                    .replace("{t2}", &of.replace("AS t", "AS b")),
                vec![
                    "[1,2]".to_owned(),
                    "[2,2]".to_owned(),
                    format!("[3,{}]", if is_nan { "null" } else { "3" }),
                    "[4,null]".to_owned(),
                ],
            ),
        ];
        // A row is compared with the row of the subquery's columns, not with its only column.
        if !key[0].starts_with("ROW") {
            submitted.extend([
                (
                    whole("SELECT count(*) FROM {t} WHERE k IN (SELECT k FROM {t} WHERE v <= 2)"),
                    lines(&["[2]"]),
                ),
                (
                    whole("SELECT v, k IN (SELECT k FROM {t} WHERE v <> 3) FROM {t} ORDER BY v"),
                    lines(&["[1,true]", "[2,true]", "[3,null]", "[4,null]"]),
                ),
            ]);
        }
        submitted
    }));
}

/// Polars compares keys of several columns, and nested ones, by bytes in which zeros have no sign.
#[test]
fn zeros_keep_their_signs_in_groups_and_distinct_rows() {
    let statements = [
        ("SELECT CAST(1 / x AS varchar) FROM (SELECT DISTINCT -0e0 x, 1)", "[\"-Infinity\"]"),
        ("SELECT CAST(1 / r[1] AS varchar) FROM (SELECT DISTINCT ARRAY[-0e0] r)", "[\"-Infinity\"]"),
        ("SELECT CAST(1 / r[1] AS varchar) FROM (SELECT ROW(x) r, count(*) FROM (VALUES -0e0) t (x) GROUP BY 1)", "[\"-Infinity\"]"),
        ("SELECT CAST(1 / r[1] AS varchar) FROM (SELECT ROW(x) r FROM (VALUES -0e0) t (x) UNION SELECT ROW(-0e0))", "[\"-Infinity\"]"),
        ("SELECT CAST(1 / r[1] AS varchar) FROM (SELECT ROW(x) r FROM (VALUES -0e0) t (x) EXCEPT SELECT ROW(1e0))", "[\"-Infinity\"]"),
        ("SELECT CAST(1 / r[1] AS varchar) FROM (SELECT ROW(x) r FROM (VALUES -0e0) t (x) INTERSECT SELECT ROW(-0e0))", "[\"-Infinity\"]"),
        ("SELECT CAST(1 / r['a'] AS varchar) FROM (SELECT DISTINCT map(ARRAY['a'], ARRAY[x]) r FROM (VALUES -0e0) t (x))", "[\"-Infinity\"]"),
        (
            "SELECT DISTINCT CAST(1 / r[1] AS varchar) FROM (SELECT DISTINCT ROW(if(o_totalprice < 0, 1e0, -0e0)) r, o_orderkey > 5
             FROM tpch.tiny.orders)",
            "[\"-Infinity\"]",
        ),
        ("SELECT count(*) FROM (SELECT DISTINCT ROW(x) FROM (VALUES -0e0, 0e0, nan(), nan()) t (x))", "[2]"),
    ];
    check_all(statements.iter().map(|(sql, expected)| ((*sql).to_owned(), vec![(*expected).to_owned()])));
}
