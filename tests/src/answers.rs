//! Statements compared with the stored answers of an independent engine. `tests/data/answers/make.py` and its like
//! say how the answers were made.

use serde::Deserialize;
use serde_json::Value;

use crate::{Server, id_of};

/// How far two floating-point answers may lie apart, relative to the larger one.
const TOLERANCE: f64 = 1e-9;

/// A statement and the other engine's answer.
#[derive(Debug, Deserialize)]
struct Case {
    sql: String,
    /// Whether the statement itself orders its rows.
    ordered: bool,
    rows: Vec<Vec<Value>>,
    /// Why it is known to be refused.
    refused: Option<String>,
}

/// Compares; numbers with a fraction may lie apart by the relative tolerance or by `within`.
///
/// # Panics
///
/// Where an answer differs, a statement fails, one is refused that is not marked so, or is marked and not refused.
pub async fn check_answers(server: &Server, workspace: &str, cases: &str, within: f64) {
    let cases: Vec<Case> = serde_json::from_str(cases).expect("cases");
    let (mut faults, mut refusals) = (Vec::new(), 0);
    for case in &cases {
        match (outcome(server, workspace, case, within).await, &case.refused) {
            (Outcome::Right, None) => {}
            (Outcome::Right, Some(_)) => {
                faults.push(format!("{}\n    is no longer refused: take the mark away", case.sql))
            }
            (Outcome::Refused(message), Some(reason)) => {
                refusals += 1;
                eprintln!("refused ({reason}): {}\n    {message}", case.sql);
            }
            (Outcome::Refused(message), None) => faults.push(format!("{}\n    REFUSED {message}", case.sql)),
            (Outcome::Wrong(message), _) => faults.push(format!("{}\n    {message}", case.sql)),
        }
    }
    eprintln!("{} statements, {refusals} refused as known", cases.len());
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), cases.len(), faults.join("\n"));
}

enum Outcome {
    Right,
    /// Not supported, and said so.
    Refused(String),
    Wrong(String),
}

async fn outcome(server: &Server, workspace: &str, case: &Case, within: f64) -> Outcome {
    let query = server.run(workspace, &case.sql).await;
    if query["status"] != "FINISHED" {
        let error = &query["error"];
        let message = format!("{}: {}", error["errorName"], error["message"]);
        let refusals = ["NOT_SUPPORTED", "FUNCTION_NOT_FOUND", "TYPE_NOT_FOUND", "SYNTAX_ERROR"];
        let is_refusal = refusals.iter().any(|name| error["errorName"] == *name);
        return if is_refusal { Outcome::Refused(message) } else { Outcome::Wrong(message) };
    }
    let result = server.result(workspace, &id_of(&query)).await;
    let mut found: Vec<Vec<Value>> =
        serde_json::from_value(result["result"].clone()).expect("rows are arrays");
    let mut expected = case.rows.clone();
    if !case.ordered {
        found.sort_by_key(|row| sort_key(row));
        expected.sort_by_key(|row| sort_key(row));
    }
    if found.len() != expected.len() {
        return Outcome::Wrong(format!("{} rows, not {}", found.len(), expected.len()));
    }
    let difference =
        found.iter().zip(&expected).find(|(found, expected)| !rows_are_equal(found, expected, within));
    match difference {
        None => Outcome::Right,
        Some((found, expected)) => Outcome::Wrong(format!(
            "{}\n    is not\n    {}",
            Value::from(found.clone()),
            Value::from(expected.clone())
        )),
    }
}

/// Orders rows alike on both sides: numbers by few enough digits that a rounding does not part them.
fn sort_key(row: &[Value]) -> String {
    let key = |value: &Value| match value.as_f64() {
        Some(number) => format!("{number:.6e}"),
        None => normal_text(value).unwrap_or_else(|| value.to_string()),
    };
    row.iter().map(key).collect::<Vec<_>>().join("\u{1}")
}

fn rows_are_equal(found: &[Value], expected: &[Value], within: f64) -> bool {
    found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| values_are_equal(a, b, within))
}

fn values_are_equal(found: &Value, expected: &Value, within: f64) -> bool {
    match (found, expected) {
        (Value::Number(a), Value::Number(b)) => {
            if let (Some(a), Some(b)) = (a.as_i64(), b.as_i64()) {
                return a == b;
            }
            let (a, b) = (a.as_f64().expect("a number"), b.as_f64().expect("a number"));
            (a - b).abs() <= within.max(TOLERANCE * a.abs().max(b.abs()))
        }
        (Value::String(_), Value::String(_)) => normal_text(found) == normal_text(expected),
        (Value::Array(a), Value::Array(b)) => rows_are_equal(a, b, within),
        (found, expected) => found == expected,
    }
}

/// A timestamp's fraction has as many digits as its type says; the other engine's has six.
fn normal_text(value: &Value) -> Option<String> {
    let text = value.as_str()?;
    let is_timestamp = text.len() > 19 && text.as_bytes()[10] == b'T' && text.as_bytes()[19] == b'.';
    Some(if is_timestamp {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text.to_owned()
    })
}
