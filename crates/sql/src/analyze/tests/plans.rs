//! Statements and their plans.

use super::{PassSet, catalog, check, run};

#[test]
fn projections_keep_column_ids_and_define_ids_for_expressions() {
    check(
        "SELECT a, b + 1, c AS name FROM t WHERE a > 1 ORDER BY name DESC LIMIT 5",
        "
Limit 5 offset 0
  Sort c2 DESC
    Project [c0, c7=(c1 + 1), c2]
      Filter (c0 > 1)
        Scan table 0 [c0=a, c1=b, c2=c, c3=d, c4=e, c5=f, c6=g]
[a=c0 integer, _col1=c7 bigint, name=c2 varchar]",
    );
}

/// Checks the plan after all passes.
fn check_passes(sql: &str, expected: &str) {
    assert_eq!(passed(sql).trim(), expected.trim(), "{sql}");
}

/// The plan after all passes.
fn passed(sql: &str) -> String {
    let analyzed = run(sql, &catalog(), &PassSet::default());
    analyzed.unwrap_or_else(|failure| panic!("{sql}: {}", failure.message)).plan.to_string()
}

#[test]
fn values_need_no_parentheses() {
    for (short, long) in [
        ("VALUES 40, 2", "VALUES (40), (2)"),
        ("VALUES 1 + 2, (3) * 4, (5)", "VALUES (1 + 2), ((3) * 4), (5)"),
        ("VALUES ROW(1, 2), (3, 4)", "VALUES (1, 2), (3, 4)"),
        ("VALUES ARRAY[1, 2], ARRAY[]", "VALUES (ARRAY[1, 2]), (ARRAY[])"),
        ("VALUES CASE WHEN true THEN 1 END LIMIT 1", "VALUES (CASE WHEN true THEN 1 END) LIMIT 1"),
        ("SELECT * FROM (VALUES 'a', 'b') v (x)", "SELECT * FROM (VALUES ('a'), ('b')) v (x)"),
        ("VALUES 1 UNION ALL VALUES 2, 3 ORDER BY 1", "VALUES (1) UNION ALL VALUES (2), (3) ORDER BY 1"),
        (
            "WITH v AS (VALUES 1, 2) SELECT * FROM v, (VALUES 3) w",
            "WITH v AS (VALUES (1), (2)) SELECT * FROM v, (VALUES (3)) w",
        ),
    ] {
        let plan = |sql: &str| {
            let analyzed = run(sql, &catalog(), &PassSet::default());
            let analyzed = analyzed.unwrap_or_else(|failure| panic!("{sql}: {}", failure.message));
            (analyzed.plan.to_string(), analyzed.output)
        };
        assert_eq!(plan(short), plan(long), "{short}");
    }
}

#[test]
fn explain_shows_the_plan_after_the_passes() {
    for sql in [
        "SELECT count(*) FROM g, t, u WHERE t.a = u.a AND u.a = g.k AND g.v > 1 AND u.x < 5",
        "WITH x AS (SELECT a, count(*) AS n FROM t GROUP BY a) SELECT x1.a FROM x x1 JOIN x x2 ON x1.n = x2.n",
    ] {
        let analyzed = run(sql, &catalog(), &PassSet::default()).expect("a plan");
        let explained = run(&format!("EXPLAIN {sql}"), &catalog(), &PassSet::default()).expect("a plan");
        let crate::plan::Plan::Values { rows, .. } = &explained.plan else { panic!("{}", explained.plan) };
        let lines: Vec<&str> = rows
            .iter()
            .map(|row| match row[0].as_literal() {
                Some(crate::expr::Value::Varchar(line)) => line.as_str(),
                other => panic!("{other:?} is no line"),
            })
            .collect();
        let lines = lines.iter().flat_map(|line| line.lines());
        let lines: Vec<&str> =
            lines.map(|line| line.split_once(" {rows: ").map_or(line, |(node, _)| node)).collect();
        let shown = lines.join("\n");
        for plan in analyzed.shared.iter().chain([&analyzed.plan]) {
            assert!(shown.contains(plan.to_string().trim_end()), "{shown}\nlacks\n{plan}");
        }
        let before = run(sql, &catalog(), &PassSet::none()).expect("a plan").plan.to_string();
        assert!(!shown.contains(before.trim_end()), "{shown}");
        assert_eq!(explained.output[0].name, "Query Plan");
    }
}

/// Regression: the equalities `t.b = x.k` and `t.b = x.s` form one equivalence class of three columns, for which a join
/// has one key. The implied equality of `x.k` and `x.s` was lost, and the result had wrong rows.
#[test]
fn two_columns_of_one_relation_in_a_class_become_a_filter_on_it() {
    check_passes(
        "SELECT t.a FROM t, (SELECT x AS k, max(a) AS m, sum(a) AS s FROM u GROUP BY x) x WHERE t.b = x.k AND t.b = x.s",
        "
Project [c0]
  InnerJoin on c1 = c12
    Scan table 0 [c0=a, c1=b]
    Filter (c12 = c8)
      Project [c8, c12]
        Aggregate [c8] c12=sum(CAST(c7 AS bigint))
          Scan table 1 [c7=a, c8=x]",
    );
}

#[test]
fn comma_joins_get_keys_and_are_reordered() {
    check_passes(
        "SELECT count(*) FROM g, t, u WHERE t.a = u.a AND u.a = g.k AND g.v > 1 AND u.x < 5",
        "
Project [c18]
  Aggregate [] c18=count()
    InnerJoin on c7 = c14
      Scan table 1 [c7=a]
      InnerJoin on c0 = c14
        Filter (c1 > 1)
          Scan table 0 [c0=k, c1=v]
        Filter (c15 < 5)
          Scan table 2 [c14=a, c15=x]",
    );
}

#[test]
fn exists_and_in_become_semi_joins() {
    check_passes(
        "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a = t.a AND u.x > 5) AND NOT EXISTS (SELECT 1 FROM g WHERE g.k = t.a) AND a IN (SELECT k FROM empty)",
        "
Project [c0]
  SemiJoin on c0 = c22
    AntiJoin on c0 = c13
      Shared 0 [c0=c26]
      SemiJoin on c13 = c29
        Scan table 2 [c13=k]
        Shared 0 [c29=c26]
    Project [c22]
      Scan table 3 [c22=k]",
    );
    check_passes(
        "SELECT a FROM t WHERE a NOT IN (SELECT a FROM u)",
        "
Project [c0]
  Filter (NOT c11)
    MarkJoin c11 IN c0 = c7
      Scan table 0 [c0=a]
      Project [c7]
        Scan table 1 [c7=a]",
    );
}

#[test]
fn outer_joins_become_inner_joins_if_their_nulls_are_dropped() {
    check_passes(
        "SELECT t.a, u.x FROM t LEFT JOIN u ON t.a = u.a WHERE u.x > 5",
        "
Project [c0, c8]
  InnerJoin on c0 = c7
    Scan table 0 [c0=a]
    Filter (c8 > 5)
      Scan table 1 [c7=a, c8=x]",
    );
    check_passes(
        "SELECT t.a, u.x FROM t LEFT JOIN u ON t.a = u.a AND u.x > 5 WHERE t.b = 1 AND coalesce(u.x, 0) = 0",
        "
Project [c0, c8]
  Filter (coalesce(c8, 0) = 0)
    LeftJoin on c0 = c7
      Filter (c1 = 1)
        Scan table 0 [c0=a, c1=b]
      Filter (c8 > 5)
        Scan table 1 [c7=a, c8=x]",
    );
}

#[test]
fn conditions_above_eliminate_outer_joins() {
    let kinds = |sql: &str| -> Vec<String> {
        let plan = passed(sql);
        let joins = plan.lines().filter_map(|line| line.trim_start().split_once("Join"));
        let mut kinds: Vec<String> = joins.map(|(kind, _)| kind.to_owned()).collect();
        kinds.sort_unstable();
        kinds
    };
    let check = |sql: &str, expected: &[&str]| assert_eq!(kinds(sql), expected, "{sql}");
    // The key of another join, in FROM and in WHERE.
    check("SELECT 1 FROM t LEFT JOIN u ON t.a = u.a JOIN t v ON u.x = v.b", &["Inner", "Inner"]);
    check("SELECT 1 FROM t LEFT JOIN u ON t.a = u.a, t v WHERE u.x = v.b", &["Inner", "Inner"]);
    check("SELECT 1 FROM t LEFT JOIN u ON t.a = u.a JOIN t v ON u.x + 1 > v.b", &["Inner", "Inner"]);
    check("SELECT 1 FROM u RIGHT JOIN t ON t.a = u.a JOIN t v ON u.x = v.b", &["Inner", "Inner"]);
    // Through a projection, a group's key, DISTINCT and a union.
    check(
        "SELECT 1 FROM (SELECT u.x + 1 AS y FROM t LEFT JOIN u ON t.a = u.a) s JOIN t v ON s.y = v.b",
        &["Inner", "Inner"],
    );
    check(
        "SELECT n FROM (SELECT u.x, count(*) AS n FROM t LEFT JOIN u ON t.a = u.a GROUP BY u.x) s \
         JOIN t v ON s.x = v.b",
        &["Inner", "Inner"],
    );
    check(
        "SELECT 1 FROM (SELECT DISTINCT u.x FROM t LEFT JOIN u ON t.a = u.a UNION ALL SELECT b FROM t) s \
         JOIN t v ON s.x = v.b",
        &["Inner", "Inner"],
    );
    // The keys of an outer, semi or mark join reject NULLs of its right side.
    check(
        "SELECT 1 FROM t v LEFT JOIN (SELECT u.x FROM t LEFT JOIN u ON t.a = u.a) s ON v.b = s.x",
        &["Inner", "Left"],
    );
    check(
        "SELECT 1 FROM t v WHERE EXISTS (SELECT 1 FROM t LEFT JOIN u ON t.a = u.a WHERE u.x = v.b)",
        &["Inner", "Semi"],
    );
    check(
        "SELECT v.b, EXISTS (SELECT 1 FROM t LEFT JOIN u ON t.a = u.a WHERE u.x = v.b) FROM t v",
        &["Inner", "Mark"],
    );
    // Nothing rejects NULL.
    check("SELECT v.b, v.b IN (SELECT u.x FROM t LEFT JOIN u ON t.a = u.a) FROM t v", &["Left", "Mark"]);
    check("SELECT 1 FROM t LEFT JOIN u ON t.a = u.a JOIN t v ON t.b = v.b", &["Inner", "Left"]);
    check(
        "SELECT 1 FROM t LEFT JOIN u ON t.a = u.a JOIN t v ON u.x IS NOT DISTINCT FROM v.b",
        &["Inner", "Left"],
    );
    check("SELECT 1 FROM t LEFT JOIN u ON t.a = u.a JOIN t v ON coalesce(u.x, 1) = v.b", &["Inner", "Left"]);
    check(
        "SELECT 1 FROM (SELECT u.x FROM t LEFT JOIN u ON t.a = u.a LIMIT 3) s JOIN t v ON s.x = v.b",
        &["Inner", "Left"],
    );
    check(
        "SELECT 1 FROM (SELECT u.x FROM t LEFT JOIN u ON t.a = u.a) s LEFT JOIN t v ON s.x = v.b",
        &["Left", "Left"],
    );
    check(
        "SELECT 1 FROM (SELECT max(u.x) AS x FROM t LEFT JOIN u ON t.a = u.a) s JOIN t v ON s.x = v.b",
        &["Inner", "Left"],
    );
}

#[test]
fn correlated_subqueries_are_joined() {
    check_passes(
        "SELECT a, (SELECT count(*) FROM u WHERE u.a = t.a) FROM t",
        "
Project [c0, c12]
  Project [c0, c12=coalesce(c11, 0)]
    LeftJoin on c0 = c13
      Scan table 0 [c0=a]
      Aggregate [c13] c11=count()
        Project [c13=c7]
          Scan table 1 [c7=a]",
    );
    check_passes(
        "SELECT a, (SELECT max(x) FROM u WHERE u.a < t.a) FROM t",
        "
Project [c0, c12]
  Project [c0, c12=c11]
    Aggregate [c0, c13] c11=max(c8) FILTER c14
      LeftJoin if (c7 < c0)
        Window c13=row_number() OVER (PARTITION BY [] ORDER BY [] ROWS FIRST TO LAST)
          Scan table 0 [c0=a]
        Project [c7, c8, c14=true]
          Scan table 1 [c7=a, c8=x]",
    );
    check_passes(
        "SELECT a, (SELECT x FROM u WHERE u.a = t.a ORDER BY y LIMIT 1) FROM t",
        "
Project [c0, c11]
  Project [c0, c11=c8]
    SingleJoin on c0 = c7
      Scan table 0 [c0=a]
      Project [c8, c7]
        Filter ((c12 > 0) AND (c12 <= 1))
          Window c12=row_number() OVER (PARTITION BY [c7] ORDER BY [c9] ROWS FIRST TO LAST)
            Project [c8, c9, c7]
              Scan table 1 [c7=a, c8=x, c9=y]",
    );
}

#[test]
fn common_table_expressions_are_shared_if_they_are_expensive() {
    check_passes(
        "WITH x AS (SELECT a, b FROM t WHERE c = 'z') SELECT x1.a FROM x x1 JOIN x x2 ON x1.b = x2.b",
        "
Project [c7]
  InnerJoin on c8 = c10
    Project [c7=c11, c8=c12]
      Project [c11, c12]
        Filter (c13 = 'z')
          Scan table 0 [c11=a, c12=b, c13=c]
    Project [c10=c19]
      Project [c19]
        Filter (c20 = 'z')
          Scan table 0 [c19=b, c20=c]",
    );
    check_passes(
        "WITH x AS (SELECT a, count(*) AS n, max(b) AS m FROM t GROUP BY a) SELECT x1.a FROM x x1 JOIN x x2 ON x1.n = x2.n",
        "
Project [c9]
  InnerJoin on c10 = c13
    Shared 0 [c9=c0, c10=c7]
    Shared 0 [c13=c7]",
    );
}

#[test]
fn groups_without_a_match_are_not_computed() {
    check_all(
        "SELECT t.b, s.n FROM t JOIN (SELECT k, count(*) AS n FROM g GROUP BY k) s ON s.k = t.a WHERE t.c = 'x'",
        "
Filter (c17 = 'x')
  Scan table 0 [c15=a, c16=b, c17=c]
--
Project [c1, c14]
  InnerJoin on c7 = c0
    Project [c7, c14]
      Aggregate [c7] c14=count()
        SemiJoin on c7 = c18
          Scan table 1 [c7=k]
          Shared 0 [c18=c15]
    Shared 0 [c0=c15, c1=c16]",
    );
    check_all(
        "SELECT b FROM t WHERE c = 'x' AND NOT EXISTS (SELECT 1 FROM g WHERE g.k = t.a AND g.v <> t.b)",
        "
Filter (c18 = 'x')
  Scan table 0 [c16=a, c17=b, c18=c]
--
Project [c1]
  AntiJoin on c0 = c7 if (c8 <> c1)
    Shared 0 [c0=c16, c1=c17]
    SemiJoin on c7 = c19
      Scan table 1 [c7=k, c8=v]
      Shared 0 [c19=c16]",
    );
    // The semi join would remove few rows, so it is not added.
    check_all(
        "SELECT t.b, s.n FROM t JOIN (SELECT k, count(*) AS n FROM g GROUP BY k) s ON s.k = t.a",
        "
Scan table 0 [c15=a, c16=b]
--
Project [c1, c14]
  InnerJoin on c7 = c0
    Project [c7, c14]
      Aggregate [c7] c14=count()
        SemiJoin on c7 = c17
          Scan table 1 [c7=k]
          Shared 0 [c17=c15]
    Shared 0 [c0=c15, c1=c16]",
    );
}

/// Checks the plan after all passes and its shared plans.
fn check_all(sql: &str, expected: &str) {
    let analyzed = run(sql, &catalog(), &PassSet::default())
        .unwrap_or_else(|failure| panic!("{sql}: {}", failure.message));
    let mut plans: Vec<String> =
        analyzed.shared.iter().map(|plan| plan.to_string().trim().to_owned()).collect();
    plans.push(analyzed.plan.to_string().trim().to_owned());
    assert_eq!(plans.join("\n--\n"), expected.trim(), "{sql}");
}

/// Checks shared plans and the plan after all passes, with the passes for large tables.
fn check_shared(sql: &str, expected: &str) {
    let analyzed = run(sql, &catalog(), &PassSet::default().for_large_tables())
        .unwrap_or_else(|failure| panic!("{sql}: {}", failure.message));
    let plans = analyzed.shared.iter().chain([&analyzed.plan]).map(ToString::to_string);
    assert_eq!(plans.collect::<String>().trim(), expected.trim(), "{sql}");
}

#[test]
fn a_comparison_of_a_key_holds_on_both_sides_of_a_join_and_unmatched_rows_are_an_anti_join() {
    check_all(
        "SELECT t.a, x FROM t LEFT JOIN u ON t.a = u.a WHERE t.a = 5",
        "
Project [c0, c8]
  LeftJoin on c0 = c7
    Filter (c0 = 5)
      Scan table 0 [c0=a]
    Filter (c7 = 5)
      Scan table 1 [c7=a, c8=x]",
    );
    check_all(
        "SELECT b, y FROM t LEFT JOIN u ON t.a = u.a WHERE u.a IS NULL AND b > 1",
        "
Project [c1, c9]
  Project [c1, c9=NULL]
    AntiJoin on c0 = c7
      Filter (c1 > 1)
        Scan table 0 [c0=a, c1=b]
      Scan table 1 [c7=a]",
    );
}

#[test]
fn a_correlation_common_to_all_branches_of_an_or_is_pulled_up() {
    check_shared(
        "SELECT a FROM t WHERE (SELECT count(*) FROM u WHERE (u.a = t.a AND x < 5) OR (t.a = u.a AND y = 'y')) > 0",
        "
Project [c0]
  Project [c0]
    Filter (coalesce(c11, 0) > 0)
      LeftJoin on c0 = c13
        Scan table 0 [c0=a]
        Aggregate [c13] c11=count()
          Project [c13=c7]
            Filter ((c8 < 5) OR (c9 = 'y'))
              Scan table 1 [c7=a, c8=x, c9=y]",
    );
}

#[test]
fn a_shared_plan_retains_rows_that_one_of_its_uses_needs() {
    check_shared(
        "WITH x AS (SELECT k, flag, sum(v) AS s FROM g GROUP BY k, flag
                UNION ALL SELECT a, g, sum(b) FROM t GROUP BY a, g)
            SELECT one.s, two.s FROM x one, x two
            WHERE one.k = two.k AND one.k BETWEEN 1 AND 2 AND one.s > 0 AND two.flag AND two.s < 7",
        "
UnionAll [c16, c17, c18]
  Project [c0, c3, c7]
    Filter (((c0 >= 1) AND (c0 <= 2) AND (c7 > 0)) OR ((c0 >= 1) AND (c0 <= 2) AND c3 AND (c7 < 7)))
      Aggregate [c0, c3] c7=sum(c1)
        Filter (((c0 >= 1) AND (c0 <= 2)) OR ((c0 >= 1) AND (c0 <= 2) AND c3))
          Scan table 0 [c0=k, c1=v, c3=flag]
  Project [c8, c14, c15]
    Filter (((c8 >= 1) AND (c8 <= 2) AND (c15 > 0)) OR ((c8 >= 1) AND (c8 <= 2) AND c14 AND (c15 < 7)))
      Aggregate [c8, c14] c15=sum(c9)
        Filter (((c8 >= 1) AND (c8 <= 2)) OR ((c8 >= 1) AND (c8 <= 2) AND c14))
          Scan table 1 [c8=a, c9=b, c14=g]
Project [c21, c24]
  InnerJoin on c19 = c22
    Filter ((c19 >= 1) AND (c19 <= 2) AND (c21 > 0))
      Shared 0 [c19=c16, c21=c18]
    Filter ((c22 >= 1) AND (c22 <= 2) AND c23 AND (c24 < 7))
      Shared 0 [c22=c16, c23=c17, c24=c18]",
    );
}

#[test]
fn grouping_sets_are_computed_from_the_finest_set() {
    check_shared(
        "SELECT k, s, sum(v), avg(m), count(*) FROM g WHERE flag GROUP BY ROLLUP (k, s)",
        "
Aggregate [c0, c4] c36=sum(c1), c37=sum(c5), c38=count(c5), c39=count()
  Project [c0, c1, c4, c5]
    Filter c3
      Scan table 0 [c0=k, c1=v, c3=flag, c4=s, c5=m]
Project [c10, c11, c7, c8, c9]
  UnionAll [c10, c11, c7, c8, c9]
    Project [c15=c0, c16=c4, c17=c36, c18=CASE WHEN (c38 > 0) THEN CAST((c37 / CAST(c38 AS decimal(19,0))) AS decimal(12,3)) END, c19=c39]
      Shared 0 [c0=c0, c4=c4, c36=c36, c37=c37, c38=c38, c39=c39]
    Project [c23=c0, c24=NULL, c25=c40, c26=CASE WHEN (c42 > 0) THEN CAST((c41 / CAST(c42 AS decimal(19,0))) AS decimal(12,3)) END, c27=c43]
      Aggregate [c0] c40=sum(c36), c41=sum(c37), c42=sum(c38), c43=sum(c39)
        Shared 0 [c0=c0, c36=c36, c37=c37, c38=c38, c39=c39]
    Project [c31=NULL, c32=NULL, c33=c44, c34=CASE WHEN (c46 > 0) THEN CAST((c45 / CAST(c46 AS decimal(19,0))) AS decimal(12,3)) END, c35=coalesce(c47, 0)]
      Aggregate [] c44=sum(c36), c45=sum(c37), c46=sum(c38), c47=sum(c39)
        Shared 0 [c36=c36, c37=c37, c38=c38, c39=c39]",
    );
}

#[test]
fn left_joins_are_moved_above_inner_joins() {
    check_passes(
        "SELECT t.b, u.x, g.v FROM t LEFT JOIN u ON t.a = u.a, g WHERE t.b = g.k AND g.flag",
        "
Project [c1, c8, c12]
  LeftJoin on c0 = c7
    InnerJoin on CAST(c11 AS bigint) = c1
      Filter c14
        Scan table 2 [c11=k, c12=v, c14=flag]
      Scan table 0 [c0=a, c1=b]
    Scan table 1 [c7=a, c8=x]",
    );
}

/// A condition on an optional parameter gives the same plan as a condition that was written for the call.
#[test]
fn optional_parameters_fold_away() {
    let check = |condition: &str, parameters: &str, expected: &str| {
        let sql = format!("SELECT a FROM t WHERE {condition}");
        let parameters = serde_json::from_str(parameters).expect("parameters");
        let analyzed = super::run_with(&sql, &catalog(), &PassSet::default(), &parameters)
            .unwrap_or_else(|failure| panic!("{sql}: {}", failure.message));
        let plain = format!("SELECT a FROM t{expected}");
        let expected = run(&plain, &catalog(), &PassSet::default()).expect("a plan");
        assert_eq!(analyzed.plan.to_string(), expected.plan.to_string(), "{sql}");
    };
    let null = r#"{"p": {"type": "varchar", "value": null}}"#;
    let given = r#"{"p": {"type": "varchar", "value": "EU"}}"#;
    let optional = ":p IS NULL OR c = :p";
    check(optional, null, "");
    check(optional, given, " WHERE c = 'EU'");
    check("(:p IS NULL OR c = :p) AND b > 1", null, " WHERE b > 1");
    check("(c = :p OR :p IS NULL) AND b > 1", given, " WHERE c = 'EU' AND b > 1");
    check("NOT (:p IS NOT NULL AND c <> :p)", null, "");
    check("(:p = 'all' OR c = :p)", r#"{"p": "all"}"#, "");
    check("(:p = 'all' OR c = :p)", given, " WHERE c = 'EU'");
    check("c = coalesce(:p, 'US')", null, " WHERE c = 'US'");
    check("c = coalesce(:p, 'US')", given, " WHERE c = 'EU'");
    check("c = :p AND b > 1", null, " WHERE false");
    let day = r#"{"p": {"type": "date", "value": "2026-01-02"}}"#;
    check(":p IS NULL OR d >= :p", day, " WHERE d >= DATE '2026-01-02'");
    let keys = r#"{"p": {"type": "array(bigint)", "value": [1, 2]}}"#;
    check(":p IS NULL OR contains(:p, b)", keys, " WHERE contains(ARRAY[BIGINT '1', BIGINT '2'], b)");
    check(":p IS NULL OR contains(:p, b)", r#"{"p": {"type": "array(bigint)", "value": null}}"#, "");
}
