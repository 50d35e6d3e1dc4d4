//! Statements in sessions of several time zones, and statements of uuids, addresses, `char(n)` and times with a zone,
//! with Trino's answers: `tests/data/trino_zones` describes how they were recorded. Differences are listed in
//! `differences.txt` there, with the reason.

use std::path::PathBuf;

use rowhouse_executor::Execution;
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

/// Runs a statement in a session of a time zone; the file of its result, and the outcome.
fn run(sql: &str, zone: &str, folder: &Path) -> (PathBuf, Result<Execution, QueryError>) {
    let mut statement = statement(sql, folder);
    statement.session.time_zone = (zone != "UTC").then(|| zone.to_owned());
    let options = ExecutionOptions {
        passes: &PassSet::default(),
        attempts: &Attempt::ALL,
        spill: None,
        samples: Samples::Create,
        uses_plan_cache: false,
    };
    let outcome = execute_in(&options, &statement, &mut |_| {});
    (statement.output, outcome)
}

fn difference(case: &Case, folder: &Path) -> Option<String> {
    let (output, outcome) = run(&case.sql, &case.zone, folder);
    match (outcome, &case.error) {
        (Ok(execution), None) => {
            let types: Vec<String> =
                execution.columns.iter().map(|column| column.type_name.clone()).collect();
            let rows = rows_on_the_wire(&output, &execution.columns);
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
fn local_times_of_columns_match_trino() {
    check("columns");
}

#[test]
fn values_with_the_zone_of_their_row_match_trino() {
    check("rows");
}

#[test]
fn functions_of_values_with_zones_match_trino() {
    check("functions");
}

#[test]
fn times_with_zones_match_trino() {
    check("times");
}

/// Where a local time is asked for of values that are not known by row, a text may name no other zone than that of the column
/// (D159).
#[test]
fn texts_of_other_zones_are_refused_where_their_local_time_is_asked_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |zone: &str, sql: &str| run(sql, zone, folder.path()).1;
    let is_refused = |zone: &str, sql: &str, found: &str, others: &str| {
        let error = run(zone, sql).expect_err(sql);
        let message = format!(
            "the local time of values of several time zones is not supported: a text has {found}, others have \
             {others}; AT TIME ZONE gives them one"
        );
        assert_eq!((error.error_name.as_str(), error.message), ("NOT_SUPPORTED", message), "{sql}");
    };
    let iso = "(SELECT from_iso8601_timestamp(x) y FROM (VALUES '2020-01-01T01:02+05:30', '2020-01-01T01:02Z') t(x)) s";
    is_refused("UTC", &format!("SELECT hour(y) FROM (SELECT DISTINCT y FROM {iso}) d"), "+05:30", "UTC");
    is_refused("UTC", &format!("SELECT try(hour(max(y))) FROM {iso}"), "+05:30", "UTC");
    is_refused("UTC", &format!("SELECT date_trunc('day', y) FROM {iso}"), "+05:30", "UTC");
    is_refused(
        "UTC",
        &format!("SELECT transform(ARRAY[y], e -> CAST(e AS varchar)) FROM {iso}"),
        "+05:30",
        "UTC",
    );
    let casts = "(SELECT try_cast(x AS timestamp with time zone) y FROM (VALUES '2020-01-01 01:02', '2020-01-01 01:02 UTC', 'x') t(x)) s";
    is_refused("Europe/Berlin", &format!("SELECT day(y) FROM {casts} GROUP BY y"), "UTC", "Europe/Berlin");
    is_refused(
        "UTC",
        "SELECT date_trunc('day', y) FROM (SELECT parse_datetime(x, 'yyyy Z') y FROM (VALUES '2020 -0100') t(x)) s",
        "-01:00",
        "UTC",
    );
    is_refused(
        "UTC",
        "SELECT hour(CAST(x AS time with time zone)) FROM (VALUES '01:30:00-08:00') t(x)",
        "-08:00",
        "UTC",
    );
    let error = run(
        "UTC",
        "SELECT hour(x) FROM (VALUES ARRAY['2020-01-01 01:30 +05:00']) v(c) CROSS JOIN UNNEST(CAST(c AS array(timestamp with time zone))) u(x)",
    );
    assert_eq!(
        error.expect_err("texts in an array").message,
        "line 1:91: the local time of texts in an array, a map or a row, which may name several time zones, is not supported"
    );
    for sql in [
        format!("SELECT y, y < now(), hour(y AT TIME ZONE 'UTC'), to_unixtime(y) FROM {iso}"),
        format!("SELECT hour(y) FROM {casts}"),
        format!("SELECT y = now() FROM {iso} WHERE y IN (now()) ORDER BY y"),
    ] {
        run("UTC", &sql).expect(&sql);
    }
}
