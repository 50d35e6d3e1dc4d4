//! What runs after a fault of the streaming engine gives the same answers as that engine, or none.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::Value;

use super::{Attempt, NULL_TABLES, fault_in};
use crate::sql::PassSet;

/// What Polars' other engine may refuse: it groups and joins by nothing of 128 bits, and has no scalar of 39 digits.
const MOST_GIVEN_UP: usize = 10;

/// Runs the cases in one way alone; no more than `most_given_up` of them may end as an internal error.
fn check(way: Attempt, cases: &[Value], most_given_up: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |case: &Value| fault_in(&[way], case, &PassSet::default(), folder.path());
    let (mut faults, mut given_up) = (Vec::new(), Vec::new());
    for case in cases {
        match catch_unwind(AssertUnwindSafe(|| run(case))) {
            Ok(Some(fault)) if !fault.contains("GENERIC_INTERNAL_ERROR") => faults.push(fault),
            Ok(None) => {}
            Ok(Some(_)) | Err(_) => given_up.push(case["sql"].as_str().expect("a statement")),
        }
    }
    assert!(faults.is_empty(), "{way:?}: {} wrong:\n{}", faults.len(), faults.join("\n"));
    let count = given_up.len();
    assert!(count <= most_given_up, "{way:?}: {count} given up:\n{}", given_up.join("\n"));
}

/// Statements with their answers, and errors, over tables full of NULLs.
fn cases() -> Vec<Value> {
    let answers = fs::read_to_string(format!("{NULL_TABLES}/answers.jsonl")).expect("the answers");
    answers.lines().map(|line| serde_json::from_str(line).expect("a case")).collect()
}

/// Random ones; their timestamps are written as those of the server are.
fn random_cases() -> Vec<Value> {
    let answers = fs::read_to_string(format!("{NULL_TABLES}/../random/answers.json")).expect("the answers");
    let mut cases: Vec<Value> = serde_json::from_str(&answers).expect("cases");
    for case in &mut cases {
        case["isOrdered"] = case["ordered"].take();
        for value in case["rows"].as_array_mut().expect("rows").iter_mut().flat_map(|row| row.as_array_mut())
        {
            value.iter_mut().for_each(normalize_timestamp);
        }
    }
    cases
}

fn normalize_timestamp(value: &mut Value) {
    if let Some(text) = value.as_str()
        && let Some((date, time)) = text.split_once('T')
        && let Some((seconds, _)) = time.split_once('.')
        && (date.len(), seconds.len()) == (10, 8)
    {
        let text = format!("{date} {time}");
        *value = text.trim_end_matches('0').trim_end_matches('.').into();
    }
}

#[test]
fn answers_of_plans_as_given_are_duckdbs() {
    check(Attempt::AsGiven, &cases(), 0);
}

#[test]
fn answers_in_memory_are_duckdbs() {
    check(Attempt::InMemory, &cases(), MOST_GIVEN_UP);
}

#[test]
fn random_statements_in_memory_are_answered_as_duckdb_does() {
    check(Attempt::InMemory, &random_cases(), MOST_GIVEN_UP);
}
