//! Forms of clauses that the parser does not know, and what is planned for them.

use super::{PassSet, catalog, check_error, run};
use crate::plan::Plan;

/// The plan, before or after the passes, and the names of its columns.
fn planned(sql: &str, passes: &PassSet) -> (Plan, Vec<String>) {
    let analyzed =
        run(sql, &catalog(), passes).unwrap_or_else(|failure| panic!("{sql}: {}", failure.message));
    (analyzed.plan, analyzed.output.into_iter().map(|field| field.name).collect())
}

/// Checks that statements have the same plan.
fn check_same(left: &str, right: &str) {
    let shown = |sql: &str| planned(sql, &PassSet::none()).0.to_string();
    assert_eq!(shown(left), shown(right), "{left}");
}

/// The number of nodes for which a condition holds.
fn count(plan: &Plan, is_one: impl Fn(&Plan) -> bool) -> usize {
    let mut count = 0;
    plan.visit(&mut |node| count += usize::from(is_one(node)));
    count
}

#[test]
fn joins_within_joins_need_no_parentheses() {
    let joined = |joins: &str| format!("SELECT * FROM t JOIN {joins}");
    for (short, long) in [
        ("u JOIN g ON u.a = g.k ON t.a = u.a", "(u JOIN g ON u.a = g.k) ON t.a = u.a"),
        ("u CROSS JOIN g ON t.a = u.a", "(u CROSS JOIN g) ON t.a = u.a"),
        (
            "u LEFT JOIN g FULL OUTER JOIN empty e ON g.k = e.k ON u.a = g.k ON t.a = u.a",
            "(u LEFT JOIN (g FULL OUTER JOIN empty e ON g.k = e.k) ON u.a = g.k) ON t.a = u.a",
        ),
        (
            "u ON t.a = u.a JOIN g JOIN empty USING (k) ON g.k = t.a",
            "u ON t.a = u.a JOIN (g JOIN empty USING (k)) ON g.k = t.a",
        ),
        (
            "TABLE(sequence(1, 2)) AS n(k) TABLESAMPLE SYSTEM (100) JOIN g USING (k) ON t.a = k",
            "(TABLE(sequence(1, 2)) AS n(k) TABLESAMPLE SYSTEM (100) JOIN g USING (k)) ON t.a = k",
        ),
    ] {
        check_same(&joined(short), &joined(long));
    }
}

#[test]
fn stars_have_aliases() {
    let names = |sql: &str| planned(sql, &PassSet::none()).1;
    assert_eq!(names("SELECT u.* AS (a, B, \"c d\", e), a FROM u ORDER BY B"), ["A", "B", "c d", "E", "a"]);
    assert_eq!(names("SELECT ROW(1, 2).* AS (p, q), x FROM u"), ["P", "Q", "x"]);
    check_error(
        "SELECT u.* AS (a, b) FROM u",
        "MISMATCHED_COLUMN_ALIASES line 1:16: Column alias list has 2 entries but relation has 4 columns",
    );
    check_error(
        "SELECT u.* EXCLUDE (a) FROM u",
        "SYNTAX_ERROR line 1:12: expected: the end of the statement, found: EXCLUDE",
    );
}

#[test]
fn equal_window_calls_are_computed_once() {
    let sql = "SELECT DISTINCT a, sum(b) OVER (PARTITION BY d ORDER BY f) AS s FROM t
        ORDER BY sum(b) OVER (PARTITION BY d ORDER BY f)";
    let calls = |plan: &Plan| {
        let mut calls = 0;
        plan.visit(&mut |node| {
            if let Plan::Window { functions, .. } = node {
                calls += functions.len();
            }
        });
        calls
    };
    assert_eq!(calls(&planned(sql, &PassSet::none()).0), 1);
    let random = "SELECT rank() OVER (ORDER BY random()), rank() OVER (ORDER BY random()) FROM t";
    assert_eq!(calls(&planned(random, &PassSet::none()).0), 2);
}

#[test]
fn windows_of_results_of_subqueries_follow_them() {
    let sql = "SELECT a + 1 AS k FROM t ORDER BY rank() OVER (ORDER BY (SELECT max(x) FROM u WHERE u.a < k)) IN (SELECT 1)";
    let (plan, _) = planned(sql, &PassSet::none());
    let mut nodes = Vec::new();
    plan.visit(&mut |node| match node {
        Plan::MarkJoin(_) => nodes.push("IN"),
        Plan::Window { .. } => nodes.push("window"),
        Plan::Join(_) => nodes.push("join"),
        _ => {}
    });
    assert_eq!(nodes[..3], ["IN", "window", "join"], "{plan}");
}

#[test]
fn an_unused_scalar_subquery_is_not_computed() {
    for (sql, expected) in [
        ("SELECT b FROM (SELECT b, (SELECT x FROM u) AS s FROM t)", 0),
        ("SELECT b, s FROM (SELECT b, (SELECT x FROM u) AS s FROM t)", 1),
        ("SELECT b FROM t WHERE true OR (SELECT x FROM u) = 1", 0),
        ("SELECT count(*) FROM (SELECT (SELECT x FROM u))", 0),
    ] {
        let (plan, _) = planned(sql, &PassSet::default());
        let found = count(&plan, |node| matches!(node, Plan::EnforceSingleRow { .. }));
        assert_eq!(found, expected, "{sql}\n{plan}");
    }
}

#[test]
fn what_is_only_counted_is_not_computed() {
    for sql in [
        "SELECT count(*) FROM (SELECT b / 0 FROM t)",
        "SELECT count(*) FROM (VALUES 1 / 0, 2) v (x)",
        "SELECT count(*) FROM (VALUES (1 / 0, 2), (3, 4)) v (x, y)",
        "SELECT count(*) FROM (SELECT b / 0 FROM t UNION ALL SELECT x / 0 FROM u)",
        "SELECT EXISTS (SELECT x FROM (VALUES 1 / 0) v (x))",
        "SELECT count(*) FROM (SELECT max(b / 0) FROM t)",
        "SELECT y FROM (SELECT x / 0 AS x, y FROM (VALUES (1, 2)) v (x, y))",
    ] {
        let (plan, _) = planned(sql, &PassSet::default());
        assert!(!plan.to_string().contains(" / "), "{sql}\n{plan}");
    }
}

#[test]
fn windows_that_are_not_used_name_columns_of_the_groups() {
    let (_, names) =
        planned("SELECT a FROM t GROUP BY a WINDOW w AS (PARTITION BY a ORDER BY sum(b))", &PassSet::none());
    assert_eq!(names, ["a"]);
    check_error(
        "SELECT a FROM t GROUP BY a WINDOW w AS (ORDER BY b)",
        "EXPRESSION_NOT_AGGREGATE line 1:50: 'b' must be an aggregate expression or appear in GROUP BY clause",
    );
}

#[test]
fn grouping_sets_are_limited() {
    let cube = |columns: usize| {
        let names: Vec<String> = (0..columns).map(|column| format!("c{column}")).collect();
        let names = names.join(", ");
        let values = vec!["1"; columns].join(", ");
        format!("SELECT 1 FROM (VALUES ({values})) v({names}) GROUP BY CUBE({names})")
    };
    assert_eq!(planned(&cube(9), &PassSet::none()).1, ["_col0"]);
    for (columns, sets) in [(12, "4096"), (40, "more than 2147483647")] {
        let failure = run(&cube(columns), &catalog(), &PassSet::none()).expect_err("too many sets");
        assert_eq!(failure.error_name, "TOO_MANY_GROUPING_SETS");
        let expected = format!("GROUP BY has {sets} grouping sets but can contain at most 2048");
        assert!(failure.message.ends_with(&expected), "{}", failure.message);
    }
}

#[test]
fn parentheses_around_the_number_of_a_column_change_nothing() {
    check_same(
        "SELECT a, count(*) FROM t GROUP BY (1) ORDER BY ((2))",
        "SELECT a, count(*) FROM t GROUP BY 1 ORDER BY 2",
    );
    check_error(
        "SELECT a FROM t GROUP BY ROLLUP (1)",
        "INVALID_COLUMN_REFERENCE line 1:34: GROUP BY expression must be a column reference: 1",
    );
}

#[test]
fn samples_keep_the_names_of_their_item() {
    check_same(
        "SELECT n.k, u.x FROM (TABLE(sequence(1, 2)) AS n(k) CROSS JOIN u) TABLESAMPLE BERNOULLI (100)",
        "SELECT n.k, u.x FROM (TABLE(sequence(1, 2)) AS n(k) CROSS JOIN u)",
    );
    check_error(
        "SELECT * FROM t, UNNEST(ARRAY[t.a]) TABLESAMPLE SYSTEM (1)",
        "COLUMN_NOT_FOUND line 1:31: Column 't.a' cannot be resolved",
    );
}

#[test]
fn lateral_in_outer_joins_names_nothing_of_the_left_side() {
    check_error(
        "SELECT t.a FROM t FULL JOIN LATERAL (SELECT x FROM u WHERE u.a = t.a) ON true",
        "INVALID_COLUMN_REFERENCE line 1:66: LATERAL reference not allowed in FULL JOIN",
    );
    check_same(
        "SELECT 1 FROM t RIGHT JOIN LATERAL (SELECT x FROM u) v ON TRUE",
        "SELECT 1 FROM t CROSS JOIN LATERAL (SELECT x FROM u) v",
    );
}

/// Regression: both sides were padded to 65,536 characters, so that 30,000 texts took more than 4 GiB.
#[test]
fn a_text_is_not_padded_to_be_equal_to_a_char() {
    for condition in [
        "c = CAST('x' AS char(3))",
        "c IN ('y', CAST('x' AS char(3)))",
        "c IN (SELECT CAST(c AS char(3)) FROM t)",
        "CASE CAST(c AS char(3)) WHEN c THEN true END",
    ] {
        let sql = format!("SELECT a FROM t WHERE {condition}");
        let analyzed = run(&sql, &catalog(), &PassSet::none()).expect("a plan");
        let plan = analyzed.plan.to_string();
        assert!(plan.contains("rtrim(") && !plan.contains("char(65536)"), "{plan}");
    }
}
