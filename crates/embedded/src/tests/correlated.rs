//! Subqueries that name columns around them in places that Trino refuses: grouping sets, and windows.

use super::*;

const OUTER: &str = "(VALUES 1, 2, 3, NULL) t(x)";
const INNER: &str = "(VALUES (1, 10), (1, NULL), (2, 30), (NULL, 40)) u(y, z)";
const GROUPS: &str = "SELECT y, 0, count(*), sum(z + t.x) FROM # WHERE y <= t.x GROUP BY y";
const ALL: &str = "SELECT NULL, 1, count(*), sum(z + t.x) FROM # WHERE y <= t.x";

/// Compares grouping sets with the union of groups that they stand for.
#[track_caller]
fn check(sets: &str, union: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    let rows_of = |lateral: &str| {
        let lateral = lateral.replace('#', INNER);
        let sql = format!(
            "SELECT * FROM {OUTER} CROSS JOIN LATERAL ({lateral}) s(y, g, n, s) ORDER BY 1, 2, 3, 4, 5"
        );
        rows(&sql, &PassSet::default(), folder.path()).expect("rows")
    };
    let found = rows_of(&format!(
        "SELECT y, grouping(y), count(*), sum(z + t.x) FROM # WHERE y <= t.x GROUP BY {sets}"
    ));
    let expected = rows_of(&union.join(" UNION ALL "));
    assert!(expected.len() >= 4, "{expected:?}");
    assert_eq!(found, expected, "{sets}");
}

#[test]
fn correlated_grouping_sets_are_unions_of_groups() {
    check("ROLLUP (y)", &[GROUPS, ALL]);
    check("GROUPING SETS ((y), (y), ())", &[GROUPS, GROUPS, ALL]);
    check("y, ROLLUP (y)", &[GROUPS, GROUPS]);
}

#[test]
fn nested_correlated_grouping_sets_are_bounded() {
    let nested = |levels: usize| {
        (0..levels).fold("x".to_owned(), |inner, level| {
            let table = format!("(VALUES 1) u{level}(z)");
            format!(
                "(SELECT z FROM {table} WHERE t.x > z AND {inner} IS NOT NULL GROUP BY ROLLUP (z) LIMIT 1)"
            )
        })
    };
    let folder = tempfile::tempdir().expect("a folder");
    let run = |levels| {
        let sql = format!("SELECT {} FROM (VALUES 1, 2) t(x)", nested(levels));
        rows(&sql, &PassSet::default(), folder.path())
    };
    assert_eq!(run(3).map(|rows| rows.len()).ok(), Some(2));
    let refusal = run(30).expect_err("a refusal");
    assert_eq!(refusal.error_name, "NOT_SUPPORTED", "{}", refusal.message);
}

#[test]
fn correlated_windows_are_computed_for_each_outer_row() {
    let folder = tempfile::tempdir().expect("a folder");
    let of_outer = |window: &str| {
        let lateral = format!("SELECT a, {window} AS w FROM (VALUES 1, 2, 4) i(a)");
        let sql = format!("SELECT b, w FROM (VALUES 2, 0) o(b) CROSS JOIN LATERAL ({lateral}) ORDER BY b, a");
        json!(rows(&sql, &PassSet::default(), folder.path()).expect("rows"))
    };
    assert_eq!(
        of_outer("rank() OVER (PARTITION BY b)"),
        json!([[0, 1], [0, 1], [0, 1], [2, 1], [2, 1], [2, 1]])
    );
    assert_eq!(of_outer("sum(a + b) OVER ()"), json!([[0, 7], [0, 7], [0, 7], [2, 13], [2, 13], [2, 13]]));
    assert_eq!(
        of_outer("rank() OVER (ORDER BY abs(a - b))"),
        json!([[0, 1], [0, 2], [0, 3], [2, 2], [2, 1], [2, 3]])
    );
    assert_eq!(
        of_outer("sum(a) OVER (ORDER BY a ROWS b PRECEDING)"),
        json!([[0, 1], [0, 2], [0, 4], [2, 1], [2, 3], [2, 7]])
    );
}
