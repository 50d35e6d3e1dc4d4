//! Statements in sessions of several time zones, and statements of uuids, addresses, `char(n)` and times with a zone,
//! with Trino's answers: `tests/data/trino_zones` describes how they were recorded. Differences are listed in
//! `differences.txt` there, with the reason.

use serde::Deserialize;

use super::on_the_wire::rows_on_the_wire;
use super::*;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/trino_zones");

/// A statement and Trino's answer.
#[derive(Debug, Deserialize)]
struct Case {
    zone: String,
    sql: String,
    types: Option<Vec<String>>,
    rows: Option<Vec<Vec<Value>>>,
    error: Option<String>,
}

fn difference(case: &Case, folder: &Path) -> Option<String> {
    let mut statement = statement(&case.sql, folder);
    statement.session.time_zone = (case.zone != "UTC").then(|| case.zone.clone());
    let options = ExecutionOptions {
        passes: &PassSet::default(),
        attempts: &Attempt::ALL,
        spill: None,
        samples: Samples::Create,
        uses_plan_cache: false,
    };
    match (execute_in(&options, &statement, &mut |_| {}), &case.error) {
        (Ok(execution), None) => {
            let types: Vec<String> =
                execution.columns.iter().map(|column| column.type_name.clone()).collect();
            let rows = rows_on_the_wire(&statement.output, &execution.columns);
            let (expected_types, expected) = (case.types.as_ref()?, case.rows.as_ref()?);
            let plain = |name: &String| name.replace(' ', "").to_lowercase();
            let is_right = types.iter().map(plain).eq(expected_types.iter().map(plain)) && rows == *expected;
            (!is_right).then(|| format!("found {types:?} {rows:?}, expected {expected_types:?} {expected:?}"))
        }
        (Ok(_), Some(expected)) => Some(format!("found a value, expected {expected}")),
        (Err(error), Some(expected)) if error.error_name == *expected => None,
        (Err(error), expected) => {
            Some(format!("found {} ({}), expected {expected:?}", error.error_name, error.message))
        }
    }
}

/// Statements with known differences: a reason on a line that begins with `#`, followed by its statements.
fn known() -> std::collections::HashSet<String> {
    let text = fs::read_to_string(format!("{FOLDER}/differences.txt")).expect("the known differences");
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

fn check(name: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let answers = fs::read_to_string(format!("{FOLDER}/{name}.jsonl")).expect("the answers");
    let known = known();
    let (mut faults, mut tried) = (Vec::new(), 0);
    let mut differing = std::collections::HashSet::new();
    for line in answers.lines() {
        let case: Case = serde_json::from_str(line).expect("a case");
        tried += 1;
        if let Some(fault) = difference(&case, folder.path()) {
            differing.insert(case.sql.clone());
            if !known.contains(&case.sql) {
                faults.push(format!("{} in {}\n    {fault}", case.sql, case.zone));
            }
        }
    }
    let known: std::collections::HashSet<String> =
        known.into_iter().filter(|sql| answers.contains(&json!(sql).to_string())).collect();
    faults.extend(known.difference(&differing).map(|sql| format!("{sql}\n    is no longer different")));
    assert!(faults.is_empty(), "{} of {tried}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn zones_match_trino() {
    check("zones");
}

#[test]
fn identifiers_match_trino() {
    check("identifiers");
}

#[test]
fn chars_match_trino() {
    check("chars");
}

#[test]
fn times_with_zones_match_trino() {
    check("times");
}
