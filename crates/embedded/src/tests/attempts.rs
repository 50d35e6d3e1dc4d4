//! Attempts after a fault of the streaming engine give the same answers as that engine, or none.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use super::{Attempt, ExecutionOptions, Samples, cases, fault_in, random_cases};
use rowhouse_sql::PassSet;

/// Number of cases that Polars' in-memory engine may fail: it does not group or join by 128-bit values, and has no
/// scalar of 39 digits.
const MOST_GIVEN_UP: usize = 10;

/// Runs the cases with a single attempt; at most `most_given_up` of them may end with an internal error.
fn check(attempt: Attempt, cases: &[Value], most_given_up: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let options = ExecutionOptions {
        passes: &PassSet::default(),
        attempts: &[attempt],
        spill: None,
        samples: Samples::Create,
        uses_plan_cache: false,
    };
    let run = |case: &Value| fault_in(&options, case, folder.path());
    let (mut faults, mut given_up) = (Vec::new(), Vec::new());
    for case in cases {
        match catch_unwind(AssertUnwindSafe(|| run(case))) {
            Ok(Some(fault)) if !fault.contains("GENERIC_INTERNAL_ERROR") => faults.push(fault),
            Ok(None) => {}
            Ok(Some(_)) | Err(_) => given_up.push(case["sql"].as_str().expect("a statement")),
        }
    }
    assert!(faults.is_empty(), "{attempt:?}: {} wrong:\n{}", faults.len(), faults.join("\n"));
    let count = given_up.len();
    assert!(count <= most_given_up, "{attempt:?}: {count} given up:\n{}", given_up.join("\n"));
}

#[test]
fn answers_without_the_polars_optimizer_match_duckdb() {
    check(Attempt::AsGiven, &cases(), 0);
}

#[test]
fn answers_of_the_in_memory_engine_match_duckdb() {
    check(Attempt::InMemory, &cases(), MOST_GIVEN_UP);
}

#[test]
fn random_statements_on_the_in_memory_engine_match_duckdb() {
    check(Attempt::InMemory, &random_cases(), MOST_GIVEN_UP);
}
