//! Statements of one value, most of them at the limits of a function or a type, with Trino's answers:
//! `tests/data/trino_answers` describes how they were recorded. Differences are listed in `differences.txt` there, each
//! with the reason.

use serde::Deserialize;

use super::on_the_wire::rows_on_the_wire;
use super::recorded::executed;
use super::*;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/trino_answers");

/// Maximum difference of two doubles in units of the last place: functions of Java and Rust round differently.
const MAX_ULPS: u64 = 4;

/// A statement and Trino's answer.
#[derive(Debug, Deserialize)]
struct Case {
    sql: String,
    #[serde(rename = "type")]
    data_type: Option<String>,
    rows: Option<Vec<Value>>,
    error: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
}

/// The result of a statement with one column: the type's name and the values as in Trino's protocol.
fn outcome(sql: &str, folder: &Path) -> Result<(String, Vec<Value>), QueryError> {
    let (statement, execution) = executed(sql, folder)?;
    let rows = rows_on_the_wire(&statement.output, &execution.columns);
    let values = rows.into_iter().map(|row| row.into_iter().next().expect("one column")).collect();
    Ok((execution.columns[0].type_name.clone(), values))
}

/// The type without precisions of times and lengths of texts, which are not compared here.
fn kind(data_type: &str) -> String {
    let mut kind = data_type.to_lowercase().replace(", ", ",").replace("unknown", "varchar");
    for name in ["varchar(", "timestamp(", "time("] {
        while let Some(at) = kind.find(name) {
            let end = kind[at..].find(')').map_or(kind.len(), |end| at + end + 1);
            kind.replace_range(at + name.len() - 1..end, "");
        }
    }
    kind
}

/// The absolute difference that is tolerated for functions that Trino approximates.
pub(super) fn tolerance(sql: &str) -> f64 {
    let is_of = |names: &[&str]| names.iter().any(|name| sql.contains(name));
    if is_of(&["inverse_beta_cdf("]) {
        // The accuracy at which Trino's search ends.
        2e-6
    } else if is_of(&["_cdf(", "t_pdf(", "wilson_interval_"]) {
        1e-12
    } else {
        0.0
    }
}

pub(super) fn is_same(found: &Value, expected: &Value, data_type: &str, tolerance: f64) -> bool {
    match (found, expected) {
        (Value::Number(found), Value::Number(expected)) if !found.is_f64() && !expected.is_f64() => {
            found == expected
        }
        (Value::Number(found), Value::Number(expected)) => {
            let [found, expected] = [found, expected].map(|number| number.as_f64().unwrap_or(f64::NAN));
            #[expect(clippy::cast_possible_truncation, reason = "a real's digits are those of 32 bits")]
            if data_type == "real" {
                return found as f32 == expected as f32;
            }
            if tolerance > 0.0 && (found - expected).abs() <= tolerance * expected.abs().max(1e-3) {
                return true;
            }
            let apart = found.abs().to_bits().abs_diff(expected.abs().to_bits());
            found.is_sign_negative() == expected.is_sign_negative() && apart <= MAX_ULPS
        }
        (Value::Array(found), Value::Array(expected)) => {
            let element = data_type.strip_prefix("array(").unwrap_or(data_type);
            found.len() == expected.len()
                && found
                    .iter()
                    .zip(expected)
                    .all(|(found, expected)| is_same(found, expected, element, tolerance))
        }
        (Value::String(found), Value::String(expected)) if data_type.contains("time") => {
            without_zeros(found) == without_zeros(expected)
        }
        (found, expected) => found == expected,
    }
}

/// A time without trailing zeros of its fraction.
fn without_zeros(text: &str) -> String {
    let (clock, zone) = match text.rsplit_once(' ') {
        Some((clock, zone)) if zone.starts_with(|first: char| first.is_ascii_alphabetic()) => (clock, zone),
        _ => (text, ""),
    };
    match clock.split_once('.') {
        Some((_, fraction)) if fraction.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{} {zone}", clock.trim_end_matches('0').trim_end_matches('.'))
        }
        _ => format!("{clock} {zone}"),
    }
}

/// Errors of values, for which Trino's `TRY` returns NULL. D72: where Trino has an internal error, one of these is
/// returned.
const OF_A_VALUE: [&str; 4] =
    ["INVALID_FUNCTION_ARGUMENT", "INVALID_CAST_ARGUMENT", "NUMERIC_VALUE_OUT_OF_RANGE", "DIVISION_BY_ZERO"];

/// The difference from the expected outcome, if any.
fn difference(case: &Case, folder: &Path) -> Option<String> {
    let is_internal = case.error.as_deref() == Some("GENERIC_INTERNAL_ERROR");
    match (outcome(&case.sql, folder), &case.error, &case.rows) {
        (Ok((_, found)), Some(_), _) if is_internal && case.sql.starts_with("SELECT TRY") => {
            (found != [Value::Null]).then(|| format!("found {found:?}, expected NULL"))
        }
        (Err(error), Some(_), _) if is_internal && OF_A_VALUE.contains(&error.error_name.as_str()) => None,
        (Err(error), Some(expected), _) => {
            let found = error.error_location.map(|place| (place.line_number, place.column_number));
            let place = case.line.zip(case.column);
            // The parser does not store the location of an operator, nor of the words before a literal or a value.
            let is_near = expected == "FUNCTION_NOT_FOUND" && found == place
                || expected != "FUNCTION_NOT_FOUND" && found.is_some() == place.is_some();
            let is_right = error.error_name == *expected && is_near;
            (!is_right).then(|| {
                format!(
                    "found {} at {found:?} ({}), expected {expected} at {place:?}",
                    error.error_name, error.message
                )
            })
        }
        (Err(error), None, _) => Some(format!("found {} ({})", error.error_name, error.message)),
        (Ok((_, found)), Some(expected), _) => Some(format!("found {found:?}, expected {expected}")),
        (Ok((found_type, found)), None, expected) => {
            let expected = expected.as_deref().unwrap_or_default();
            let data_type = case.data_type.as_deref().unwrap_or_default();
            if kind(&found_type) != kind(data_type) {
                return Some(format!("found the type {found_type}, expected {data_type}"));
            }
            let tolerance = tolerance(&case.sql);
            let is_right = found.len() == expected.len()
                && found
                    .iter()
                    .zip(expected)
                    .all(|(found, expected)| is_same(found, expected, data_type, tolerance));
            (!is_right).then(|| {
                let apart = found
                    .iter()
                    .zip(expected)
                    .enumerate()
                    .filter(|(_, (found, expected))| !is_same(found, expected, data_type, tolerance))
                    .map(|(row, (found, expected))| format!("row {row}: found {found}, expected {expected}"));
                apart.collect::<Vec<_>>().join("; ")
            })
        }
    }
}

/// Statements with known differences: a reason on a line that begins with `#`, followed by its statements as JSON
/// strings.
fn known() -> std::collections::HashSet<String> {
    let text = fs::read_to_string(format!("{FOLDER}/differences.txt")).expect("the known differences");
    let statements = text.lines().filter(|line| !line.starts_with('#'));
    statements.map(|line| serde_json::from_str(line).expect("a statement")).collect()
}

#[track_caller]
fn check(name: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let answers = fs::read_to_string(format!("{FOLDER}/{name}.jsonl")).expect("the answers");
    let known = known();
    let (mut faults, mut tried) = (Vec::new(), 0);
    for line in answers.lines() {
        let case: Case = serde_json::from_str(line).expect("a case");
        tried += 1;
        match (difference(&case, folder.path()), known.contains(&case.sql)) {
            (Some(fault), false) => faults.push(format!("{}\n    {fault}", case.sql)),
            (None, true) => faults.push(format!("{}\n    is no longer different", case.sql)),
            _ => {}
        }
    }
    assert!(faults.is_empty(), "{} of {tried}:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn dates_and_times_match_trino() {
    check("date_times");
}

#[test]
fn regular_expressions_match_trino() {
    check("regular_expressions");
}

#[test]
fn hashes_and_encodings_match_trino() {
    check("binary");
}

#[test]
fn addresses_match_trino() {
    check("urls");
}

#[test]
fn words_amounts_and_formats_match_trino() {
    check("words");
}

#[test]
fn patterns_of_dates_and_times_match_trino() {
    check("patterns");
}

#[test]
fn distributions_vectors_and_bits_match_trino() {
    check("distributions");
}

#[test]
fn subarrays_match_trino() {
    check("groups");
}

#[test]
fn text_functions_match_trino() {
    check("text");
}

#[test]
fn json_matches_trino() {
    check("json_type");
}

#[test]
fn sql_json_matches_trino() {
    check("sql_json");
}

#[test]
fn limits_match_trino() {
    check("limits");
}

#[test]
fn lambda_expressions_match_trino() {
    check("lambdas");
}

#[test]
fn maps_match_trino() {
    check("maps");
}

#[test]
fn aggregates_over_arrays_match_trino() {
    check("group_arrays");
}

#[test]
fn sketches_match_trino() {
    check("sketches");
}
