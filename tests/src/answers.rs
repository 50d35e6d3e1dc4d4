//! Compares statements with stored answers of an independent engine. `tests/data/answers/make.py` and its siblings
//! describe how the answers were computed.

use serde::Deserialize;
use serde_json::Value;

use crate::{Server, id_of};

/// Maximum difference of two floating-point answers, relative to the larger one.
const RELATIVE_TOLERANCE: f64 = 1e-9;

/// A statement and the other engine's answer.
#[derive(Debug, Deserialize)]
struct Case {
    sql: String,
    /// Whether the statement itself orders its rows.
    ordered: bool,
    rows: Vec<Vec<Value>>,
    /// The columns, from 0, that are doubles in the other engine, including averages and quotients of its decimals.
    #[serde(default)]
    doubles: Vec<usize>,
    /// Why it is expected to be refused.
    refused: Option<String>,
}

/// How the numbers of a column are compared.
#[derive(Clone, Copy, Debug)]
enum Precision {
    /// Integers and decimals.
    Exact,
    /// Doubles on both sides, and the elements of arrays, maps and rows.
    Relative,
    /// A decimal here and a double there: half a unit of the decimal's last place.
    Rounded { scale: i32 },
}

impl Precision {
    fn of(signature: &str, is_double_there: bool) -> Self {
        match signature.strip_prefix("decimal(") {
            Some(rest) if is_double_there => {
                let scale = rest.trim_end_matches(')').split(',').next_back().map(str::trim);
                Self::Rounded { scale: scale.and_then(|scale| scale.parse().ok()).expect("a scale") }
            }
            Some(_) => Self::Exact,
            None if ["tinyint", "smallint", "integer", "bigint"].contains(&signature) => Self::Exact,
            None => Self::Relative,
        }
    }

    fn allows(self, found: f64, expected: f64) -> bool {
        let difference = (found - expected).abs();
        match self {
            Self::Exact => difference == 0.0,
            Self::Relative => difference <= RELATIVE_TOLERANCE * found.abs().max(expected.abs()),
            Self::Rounded { scale } => difference <= 0.500_001 * 10_f64.powi(-scale),
        }
    }
}

/// Compares integers and decimals exactly, doubles by a relative tolerance, and a decimal with a double by rounding.
///
/// # Panics
///
/// If an answer differs, a statement fails, one is refused that is not marked so, or is marked and not refused.
pub async fn check_answers(server: &Server, workspace: &str, cases: &str) {
    let cases: Vec<Case> = serde_json::from_str(cases).expect("cases");
    let (mut faults, mut refusals) = (Vec::new(), 0);
    for case in &cases {
        match (outcome(server, workspace, case).await, &case.refused) {
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
    /// Not supported, and reported as such.
    Refused(String),
    Wrong(String),
}

async fn outcome(server: &Server, workspace: &str, case: &Case) -> Outcome {
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
    let columns = query["columns"].as_array().expect("columns").iter().enumerate();
    let precisions: Vec<Precision> = columns
        .map(|(index, column)| {
            let signature = column["type"].as_str().expect("a type");
            Precision::of(signature, case.doubles.contains(&index))
        })
        .collect();
    let difference =
        found.iter().zip(&expected).find(|(found, expected)| !rows_are_equal(found, expected, &precisions));
    match difference {
        None => Outcome::Right,
        Some((found, expected)) => Outcome::Wrong(format!(
            "{}\n    is not\n    {}",
            Value::from(found.clone()),
            Value::from(expected.clone())
        )),
    }
}

/// Sorts rows alike on both sides: numbers with few enough digits that rounding does not separate them.
fn sort_key(row: &[Value]) -> String {
    let key = |value: &Value| match value.as_f64() {
        Some(number) => format!("{number:.6e}"),
        None => normal_text(value).unwrap_or_else(|| value.to_string()),
    };
    row.iter().map(key).collect::<Vec<_>>().join("\u{1}")
}

fn rows_are_equal(found: &[Value], expected: &[Value], precisions: &[Precision]) -> bool {
    let cells = found.iter().zip(expected).zip(precisions);
    found.len() == expected.len()
        && found.len() == precisions.len()
        && cells
            .into_iter()
            .all(|((found, expected), precision)| values_are_equal(found, expected, *precision))
}

fn values_are_equal(found: &Value, expected: &Value, precision: Precision) -> bool {
    match (found, expected) {
        (Value::Number(a), Value::Number(b)) => {
            if let (Some(a), Some(b)) = (a.as_i64(), b.as_i64()) {
                return a == b;
            }
            precision.allows(a.as_f64().expect("a number"), b.as_f64().expect("a number"))
        }
        (Value::String(_), Value::String(_)) => normal_text(found) == normal_text(expected),
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| values_are_equal(a, b, precision))
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(signature: &str, is_double_there: bool, found: f64, expected: f64, is_equal: bool) {
        let precision = Precision::of(signature, is_double_there);
        assert_eq!(precision.allows(found, expected), is_equal, "{signature}: {found}, {expected}");
    }

    #[test]
    fn a_column_is_compared_by_its_type() {
        check("decimal(12,2)", false, 0.01, 0.01, true);
        check("decimal(12,2)", false, 0.01, 0.02, false);
        check("decimal(12,2)", true, 0.01, 0.014_9, true);
        check("decimal(12,2)", true, 0.01, 0.015_1, false);
        check("decimal(38,6)", true, 0.01, 0.010_001, false);
        check("double", true, 0.001, 0.001_000_000_000_1, true);
        check("double", true, 0.001, 0.001_000_1, false);
        check("bigint", true, 1.0, 1.000_000_000_000_1, false);
    }
}
