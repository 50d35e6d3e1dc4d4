//! Random values: a call has one value for each row, wherever its expression is repeated, moved or shared. Regression:
//! BETWEEN, CASE, nullif and IN compared another value each time, DISTINCT and UNION dropped rows after they were sampled,
//! and a random function of constants was the same in every row.

use serde_json::Value;

use super::rows;
use rowhouse_sql::PassSet;

/// Ten thousand rows.
const ROWS: &str = "UNNEST(sequence(1, 10000)) t(x)";

/// Runs a statement with one value, a count.
fn count(sql: &str) -> i64 {
    let folder = tempfile::tempdir().expect("a folder");
    let found = rows(sql, &PassSet::default(), folder.path()).expect(sql);
    found[0][0].as_i64().expect("a count")
}

/// Counts the rows of [`ROWS`] for which a condition holds, both as a value and as a filter.
#[track_caller]
fn check(condition: &str, share: f64) {
    // Six standard deviations of a binomial distribution: one run in a billion is beyond them.
    let deviation = 6.0 * (10_000.0 * share * (1.0 - share)).sqrt();
    for sql in [
        format!("SELECT count_if({condition}) FROM {ROWS}"),
        format!("SELECT count(*) FROM {ROWS} WHERE {condition}"),
        format!("SELECT count(*) FROM (SELECT {condition} AS c FROM {ROWS}) WHERE c"),
    ] {
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let found = count(&sql) as f64;
        assert!((found - 10_000.0 * share).abs() <= deviation, "{found} instead of {share}: {sql}");
    }
}

#[test]
fn a_repeated_operand_has_one_value() {
    check("random() BETWEEN 0.2 AND 0.4", 0.2);
    check("random() NOT BETWEEN 0.2 AND 0.4", 0.8);
    check("x > 0 AND random(10) BETWEEN 2 AND 4", 0.3);
    check("random(3) IN (0, 1)", 2.0 / 3.0);
    check("random(9) IN (0, 1, 2, 3, 4, 5)", 2.0 / 3.0);
    check("(random(2), random(2)) IN ((0, 0), (1, 1))", 0.5);
    check("nullif(random(2), 0) = 0", 0.0);
    check("CASE random(3) WHEN 0 THEN 1 WHEN 1 THEN 1 WHEN 2 THEN 1 END IS NULL", 0.0);
    check(
        "CASE CAST(floor(random() * 3) AS integer) WHEN 0 THEN 1 WHEN 1 THEN 1 WHEN 2 THEN 1 END IS NULL",
        0.0,
    );
    check("cardinality(filter(ARRAY[x], e -> random(4) BETWEEN 1 AND 2)) = 1", 0.5);
}

#[test]
fn calls_at_different_places_have_different_values() {
    check("random() = random()", 0.0);
    check("random() < 0.5 OR random() < 0.5", 0.75);
    check("(random() < 0.5 AND x > 0) OR (random() < 0.5 AND x < 20000)", 0.75);
    check("random(2) = random(2)", 0.5);
}

#[test]
fn a_value_before_in_and_a_query_is_drawn_once() {
    let members = "(SELECT k FROM UNNEST(ARRAY[1]) u(k))";
    check(&format!("IF(random() < 0.5, 1) NOT IN {members}"), 0.0);
    check(&format!("IF(random() < 0.5, 1) IN {members}"), 0.5);
    check(&format!("(IF(random() < 0.5, 1) IN {members}) IS NULL"), 0.5);
    let folder = tempfile::tempdir().expect("a folder");
    let sql = format!("SELECT (random(2), x) IN (SELECT y, y FROM UNNEST(ARRAY[0]) u(y)) FROM {ROWS}");
    let error = rows(&sql, &PassSet::default(), folder.path()).expect_err("a refusal");
    assert_eq!(error.message, "line 1:9: a random field of a row before IN is not supported");
}

#[test]
fn a_random_function_of_constants_differs_by_row() {
    for call in [
        "shuffle(ARRAY[1, 2, 3, 4, 5, 6, 7, 8, 9])",
        "transform(sequence(1, 3), e -> random())",
        "filter(sequence(1, 40), e -> random() < 0.5)",
        "reduce(sequence(1, 3), 0e0, (s, e) -> s + random(), s -> s)",
        "zip_with(ARRAY[1, 2], ARRAY[3, 4], (a, b) -> random())",
        "regexp_replace('abc', '[abc]', m -> CAST(random() AS varchar))",
        "uuid()",
    ] {
        let found = count(&format!("SELECT count(DISTINCT {call}) FROM UNNEST(sequence(1, 100)) t(x)"));
        assert!((99..=100).contains(&found), "{found}: {call}");
    }
}

#[test]
fn rows_are_sampled_after_their_duplicates_are_gone() {
    // 2,000 distinct rows, of which a tenth is 200; six standard deviations are 81.
    for distinct in [
        "SELECT DISTINCT x % 2000 AS y FROM UNNEST(sequence(1, 10000)) t(x)",
        "SELECT x % 2000 AS y FROM UNNEST(sequence(1, 10000)) t(x)
         UNION SELECT x % 1000 FROM UNNEST(sequence(1, 10000)) t(x)",
    ] {
        for sampled in ["TABLESAMPLE BERNOULLI (10)", "WHERE random() < 0.1"] {
            let found = count(&format!("SELECT count(*) FROM ({distinct}) {sampled}"));
            assert!((119..=281).contains(&found), "{found}: {distinct} {sampled}");
        }
    }
}

#[test]
fn every_use_of_a_shared_sample_has_its_rows() {
    let sample = "(SELECT x % 2 AS a, x % 3 AS b FROM UNNEST(sequence(1, 10000)) t(x) WHERE random() < 0.5)";
    let totals = format!(
        "SELECT count(DISTINCT t) FROM (SELECT sum(c) AS t FROM (SELECT count(*) AS c, grouping(a) AS g, count(DISTINCT a)
         FROM {sample} GROUP BY GROUPING SETS ((a), (b))) GROUP BY g)"
    );
    assert_eq!(count(&totals), 1);
    // A row that is not in the sample is not in it for either of the two tests of NOT IN.
    let both = format!(
        "SELECT count(*) FROM {ROWS} WHERE (x, 1) NOT IN (SELECT x, 1 FROM {ROWS} WHERE random() < 0.5)"
    );
    let found = count(&both);
    assert!((4_700..=5_300).contains(&found), "{found}");
}

#[test]
fn a_random_column_is_the_same_wherever_it_is_used() {
    let folder = tempfile::tempdir().expect("a folder");
    let sql = format!(
        "SELECT count_if(a <> b), count_if(a <> c) FROM (SELECT r AS a, r AS b, r + 0 AS c
         FROM (SELECT random() AS r FROM {ROWS}))"
    );
    let found = rows(&sql, &PassSet::default(), folder.path()).expect("rows");
    assert_eq!(found, [[Value::from(0), Value::from(0)]]);
}

/// Regression: the sample was taken of the joined rows.
#[test]
fn a_sample_of_a_table_is_none_of_its_joins() {
    let folder = tempfile::tempdir().expect("a folder");
    let few = "(SELECT * FROM tpch.tiny.orders WHERE random() < 0.1)";
    for from in [
        "tpch.tiny.orders TABLESAMPLE BERNOULLI (10) JOIN tpch.tiny.lineitem ON o_orderkey = l_orderkey"
            .to_owned(),
        format!(
            "tpch.tiny.lineitem JOIN {few} o ON o_orderkey = l_orderkey JOIN tpch.tiny.customer ON o_custkey = c_custkey"
        ),
        format!("{few} o, tpch.tiny.lineitem WHERE o_orderkey = l_orderkey"),
    ] {
        // Of 15,000 orders; six standard deviations are 221. An order has four lines.
        let sql = format!("SELECT count(DISTINCT o_orderkey), count(*) FROM {from}");
        let found = rows(&sql, &PassSet::default(), folder.path()).expect("rows");
        let counts: Vec<i64> = found[0].iter().map(|count| count.as_i64().expect("a count")).collect();
        assert!((1_279..=1_721).contains(&counts[0]), "{counts:?}: {sql}");
        assert!(counts[1] > 3 * counts[0], "{counts:?}: {sql}");
    }
}

#[test]
fn a_random_condition_is_one_of_joined_rows() {
    let joined = "tpch.tiny.orders JOIN tpch.tiny.lineitem ON o_orderkey = l_orderkey";
    for condition in [
        "random() < 0.1",
        "random(10) >= o_orderkey * 0 + 9",
        "random(10) > ALL (SELECT y FROM UNNEST(ARRAY[7, 8]) u(y))",
        "random(10) = (SELECT max(y) FROM UNNEST(ARRAY[7, 8]) u(y))",
    ] {
        // Of 60,175 lines, which are those of 15,000 orders; six standard deviations are 442.
        let sql = format!("SELECT count(*) FROM {joined} WHERE {condition}");
        let found = count(&sql);
        assert!((5_576..=6_459).contains(&found), "{found}: {sql}");
        let orders = count(&format!("SELECT count(DISTINCT o_orderkey) FROM {joined} WHERE {condition}"));
        assert!(orders > 4_000, "{orders}: {condition}");
    }
    // A key of ON has one value for each row of its side, as in Trino.
    let by_random_key = "SELECT count(*) FROM tpch.tiny.nation a JOIN tpch.tiny.nation b ON a.n_nationkey + random(1, 2) = b.n_nationkey";
    assert_eq!(count(by_random_key), 24);
}

#[test]
fn aggregates_of_random_values_are_different_ones() {
    let sql = "SELECT count_if(a <> b) FROM (SELECT max(random()) AS a, max(random()) AS b
        FROM UNNEST(sequence(1, 1000)) t(x) GROUP BY x)";
    assert_eq!(count(sql), 1_000);
}

/// Regression: Polars took the rows below a row index for rows without columns, and lost a single one of constants.
#[test]
fn a_random_condition_above_one_row_has_one_row() {
    let one = "(SELECT max(c) FROM (SELECT n_regionkey, count(*) c FROM tpch.tiny.nation GROUP BY 1))";
    let statements = [
        (format!("SELECT count(*) FROM {one} WHERE random() < 2"), 1),
        (format!("SELECT count(*) FROM {one} TABLESAMPLE BERNOULLI (99.9999999999)"), 1),
        (format!("SELECT count(*) FROM {one} WHERE cardinality(shuffle(ARRAY[1, 2])) = 2"), 1),
        (format!("SELECT count(*) FROM {one} WHERE uuid() IS NOT NULL"), 1),
        (format!("SELECT count(*) FROM (VALUES 1, 2) t(x) JOIN (SELECT * FROM {one} WHERE random() < 2) ON true"), 2),
        (format!("SELECT count(*) FROM (SELECT 1 FROM {one} WHERE random() < 2 UNION ALL SELECT 1 FROM {one})"), 2),
        (
            "SELECT count(*) FROM (SELECT 1 FROM (SELECT max(o_totalprice) FROM tpch.tiny.orders WHERE o_orderkey < 10)
             WHERE random() < 2)"
                .to_owned(),
            1,
        ),
        (
            "SELECT count(*) FROM (SELECT n_regionkey FROM tpch.tiny.nation GROUP BY ROLLUP (n_regionkey)
             HAVING random() < 2)"
                .to_owned(),
            6,
        ),
        ("SELECT count(*) FROM (SELECT 1 FROM (SELECT max(n_name) FROM tpch.tiny.nation JOIN tpch.tiny.region
             ON n_regionkey = r_regionkey) WHERE random() < 2)".to_owned(), 1),
        ("SELECT count(*) FROM (SELECT count(*) FROM tpch.tiny.nation WHERE n_nationkey < 0) WHERE random() < 2".to_owned(), 1),
        ("SELECT count(*) FROM (SELECT (SELECT max(r_name) FROM tpch.tiny.region)) WHERE random() < 2".to_owned(), 1),
        ("SELECT count(*) FROM (SELECT 1 FROM tpch.tiny.nation LIMIT 3) WHERE random() < 2".to_owned(), 3),
    ];
    for (sql, expected) in statements {
        assert_eq!(count(&sql), expected, "{sql}");
    }
}
