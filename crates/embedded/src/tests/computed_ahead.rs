//! Shared plans that are computed ahead for dynamic filters: the answers must be the same as without them.

use serde_json::json;

use super::{
    Attempt, ExecutionOptions, PassSet, Samples, Tables, cases, computed_ahead, fault_in, plan, random_cases,
    rows, statement,
};

/// Runs the cases as if their tables were large; at least `least_ahead` of them must compute a plan ahead.
fn check(cases: &[serde_json::Value], least_ahead: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let passes = PassSet::default().for_large_tables();
    let options = ExecutionOptions {
        passes: &passes,
        attempts: &[Attempt::Streaming],
        spill: None,
        samples: Samples::Create,
        uses_plan_cache: false,
    };
    let faults: Vec<String> =
        cases.iter().filter_map(|case| fault_in(&options, case, folder.path())).collect();
    assert!(faults.is_empty(), "{} wrong:\n{}", faults.len(), faults.join("\n"));
    let ahead = cases.iter().filter(|case| {
        let statement = statement(case["sql"].as_str().expect("a statement"), folder.path());
        let analyzed = plan(&statement, &passes, &mut Tables::of(&statement, Samples::Create));
        analyzed.is_ok_and(|analyzed| !computed_ahead(&analyzed).is_empty())
    });
    let ahead = ahead.count();
    assert!(ahead >= least_ahead, "{ahead} of {} computed something ahead", cases.len());
}

#[test]
fn answers_over_nulls_and_duplicates_match_duckdb() {
    check(&cases(), 10);
}

#[test]
fn random_statements_match_duckdb() {
    // Most of them join whole tables: few have a condition on one side that makes a dynamic filter worthwhile.
    check(&random_cases(), 5);
}

#[test]
fn dynamic_filters_preserve_unmatched_rows() {
    let folder = tempfile::tempdir().expect("a folder");
    let check = |sql: &str, expected: serde_json::Value| {
        for passes in [PassSet::default().for_large_tables(), PassSet::none()] {
            assert_eq!(json!(rows(sql, &passes, folder.path()).expect("rows")), expected, "{sql}");
        }
    };
    let few = "(SELECT * FROM tpch.tiny.orders WHERE o_orderkey = 7) few";
    check(
        &format!(
            "SELECT count(*), count(l_orderkey) FROM {few} JOIN tpch.tiny.lineitem ON l_orderkey = o_orderkey"
        ),
        json!([[7, 7]]),
    );
    check(
        &format!(
            "SELECT count(*), count(o_orderkey) FROM {few} RIGHT JOIN tpch.tiny.lineitem ON l_orderkey = o_orderkey"
        ),
        json!([[60175, 7]]),
    );
    check(
        &format!(
            "SELECT count(*), count(l_orderkey) FROM {few} LEFT JOIN tpch.tiny.lineitem ON l_orderkey = o_orderkey
             AND l_quantity > 100"
        ),
        json!([[1, 0]]),
    );
    check(
        &format!(
            "SELECT count(*) FROM tpch.tiny.lineitem WHERE l_orderkey NOT IN (SELECT o_orderkey FROM {few})"
        ),
        json!([[60168]]),
    );
    check(
        &format!(
            "SELECT count(*), min(l_orderkey) FROM tpch.tiny.lineitem
             WHERE l_orderkey IN (SELECT o_orderkey FROM {few}) OR l_orderkey IS NULL"
        ),
        json!([[7, 7]]),
    );
    check(
        &format!(
            "SELECT (SELECT sum(l_linenumber) FROM tpch.tiny.lineitem WHERE l_orderkey = o_orderkey),
             EXISTS (SELECT 1 FROM tpch.tiny.lineitem WHERE l_orderkey = o_orderkey AND l_linenumber > 7)
             FROM {few}"
        ),
        json!([[28, false]]),
    );
}
