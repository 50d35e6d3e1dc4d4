//! Whether two engines returned the same rows, whatever the order that the statement's ORDER BY leaves open.

use serde_json::Value;

/// An average or a quotient of decimals is a decimal of two places here, as in Trino, and a double in DuckDB.
const WITHIN: f64 = 0.011;
/// Sums of doubles differ in their last digits.
const RELATIVE: f64 = 1e-9;

/// The difference, if any.
pub(super) fn difference(found: &[Vec<Value>], expected: &[Vec<Value>]) -> Option<String> {
    if found.len() != expected.len() {
        return Some(format!("{} rows, not {}", found.len(), expected.len()));
    }
    let (found, expected) = (sorted(found), sorted(expected));
    let different = found.iter().zip(&expected).find(|(found, expected)| !are_equal(found, expected));
    different.map(|(found, expected)| {
        format!("{} is not {}", Value::from(found.to_vec()), Value::from(expected.to_vec()))
    })
}

/// Sorted first by text and integers, which are identical on both sides.
fn sorted(rows: &[Vec<Value>]) -> Vec<&[Value]> {
    let key = |row: &[Value]| {
        let exact = |value: &&Value| value.is_string() || value.is_i64();
        let (exact, others): (Vec<&Value>, Vec<&Value>) = row.iter().partition(exact);
        let others = others.iter().map(|value| format!("{:.6e}", value.as_f64().unwrap_or_default()));
        let exact = exact.iter().map(|value| value.to_string());
        exact.chain(others).collect::<Vec<String>>()
    };
    let mut rows: Vec<&[Value]> = rows.iter().map(Vec::as_slice).collect();
    rows.sort_by_cached_key(|row| key(row));
    rows
}

pub(super) fn are_equal(found: &[Value], expected: &[Value]) -> bool {
    found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, expected)| match (found.as_f64(), expected.as_f64()) {
            (Some(found), Some(expected)) => {
                (found - expected).abs() <= WITHIN.max(RELATIVE * found.abs().max(expected.abs()))
            }
            _ => found == expected,
        })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(found: Value, expected: Value, is_same: bool) {
        let rows = |value: Value| -> Vec<Vec<Value>> { serde_json::from_value(value).expect("rows") };
        let difference = difference(&rows(found), &rows(expected));
        assert_eq!(difference.is_none(), is_same, "{difference:?}");
    }

    #[test]
    fn rows_are_compared_regardless_of_order_and_last_digits() {
        check(json!([["a", 1], ["b", 2]]), json!([["b", 2], ["a", 1]]), true);
        check(json!([["a", 1.25]]), json!([["a", 1.254]]), true);
        check(json!([["a", 1]]), json!([["a", 2]]), false);
        check(json!([["a", null]]), json!([["a", 0]]), false);
        check(json!([["a", 1]]), json!([["a", 1], ["a", 1]]), false);
    }
}
