//! Aggregates, doubles, arrays and rows compared with a real Trino. `tests/data/trino_aggregates/make.py` describes how
//! the answers were recorded.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::recorded::{Case, executed};
use super::*;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/trino_aggregates");
/// Maximum difference of two doubles relative to the larger one, and the magnitude up to which both count as zero.
const TOLERANCE: f64 = 1e-9;
const NOTHING: f64 = 1e-12;

#[test]
fn aggregates() {
    check("aggregates");
}

#[test]
fn doubles() {
    check("doubles");
}

#[test]
fn nested() {
    check("nested");
}

fn check(name: &str) {
    let read = |file: &str| fs::read_to_string(format!("{FOLDER}/{file}")).expect("a file of answers");
    let cases: Vec<Case> = serde_json::from_str(&read(&format!("{name}.json"))).expect("cases");
    let table =
        read(&format!("{name}.sql")).lines().find_map(|line| Some(line.strip_prefix("-- v = ")?.to_owned()));
    let known = read("known.txt");
    let folder = tempfile::tempdir().expect("a folder");
    let mut faults = Vec::new();
    for case in &cases {
        let is_known = known.lines().any(|line| line == case.sql);
        match (fault(case, table.as_deref(), folder.path()), is_known) {
            (None, false) | (Some(_), true) => {}
            (None, true) => {
                faults.push(format!("{}\n    is as Trino has it: take it from known.txt", case.sql));
            }
            (Some(fault), false) => faults.push(format!("{}\n    {fault}", case.sql)),
        }
    }
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), cases.len(), faults.join("\n"));
}

fn fault(case: &Case, table: Option<&str>, folder: &Path) -> Option<String> {
    let sql = match table {
        Some(table) => case.sql.replace(" FROM v", &format!(" FROM {table}")),
        None => case.sql.clone(),
    };
    let (statement, execution) = match (executed(&sql, folder), &case.error) {
        (Err(error), Some(expected)) if error.error_name == *expected => return None,
        (Err(error), _) => return Some(format!("{}: {}", error.error_name, error.message)),
        (Ok(_), Some(expected)) => return Some(format!("is not {expected}")),
        (Ok(executed), None) => executed,
    };
    // Lengths of texts are compared in other tests.
    let types: Vec<String> =
        execution.columns.iter().map(|column| without_lengths(&column.type_name)).collect();
    let expected: Vec<String> =
        case.columns.iter().map(|(_, data_type)| without_lengths(data_type)).collect();
    if types != expected {
        return Some(format!("{types:?}, not {expected:?}"));
    }
    let mut found = stored_rows(&statement.output, &execution.columns);
    let mut expected = case.rows.clone();
    if !case.sql.rsplit(')').next().is_some_and(|end| end.contains("ORDER BY")) {
        // Numbers are printed with so few digits that rounding errors do not change the order.
        let key = |row: &Vec<Value>| {
            row.iter()
                .map(|value| match value.as_f64() {
                    Some(number) => format!("{number:.6e}"),
                    None => value.to_string(),
                })
                .collect::<String>()
        };
        found.sort_by_cached_key(key);
        expected.sort_by_cached_key(key);
    }
    let is_same = found.len() == expected.len()
        && found.iter().zip(&expected).all(|(found, expected)| are_near_all(found, expected));
    (!is_same).then(|| format!("{}\n    is not\n    {}", json!(found), json!(expected)))
}

fn without_lengths(data_type: &str) -> String {
    let mut text = data_type.replace(", ", ",");
    while let Some(at) = text.find("varchar(") {
        let end = text[at..].find(')').map_or(text.len(), |end| at + end + 1);
        text.replace_range(at + "varchar".len()..end, "");
    }
    text
}

fn are_near_all(found: &[Value], expected: &[Value]) -> bool {
    found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, expected)| are_near(found, expected))
}

fn are_near(found: &Value, expected: &Value) -> bool {
    match (found, expected) {
        (Value::Number(a), Value::Number(b)) => {
            let (Some(a), Some(b)) = (a.as_f64(), b.as_f64()) else { return false };
            (a - b).abs() <= (TOLERANCE * a.abs().max(b.abs())).max(NOTHING)
        }
        (Value::Array(found), Value::Array(expected)) => are_near_all(found, expected),
        (found, expected) => found == expected,
    }
}

fn stored_rows(path: &Path, columns: &[Column]) -> Vec<Vec<Value>> {
    let file = File::open(path).expect("the result");
    let frame = IpcReader::new(file).finish().expect("an Arrow file");
    let mut rows = vec![Vec::new(); frame.height()];
    for (column, declared) in frame.columns().iter().zip(columns) {
        let data_type = parse_type(&declared.type_name).expect("a type");
        let reader = Reader::new(column.as_materialized_series(), &data_type).expect("the type's storage");
        for (place, row) in rows.iter_mut().enumerate() {
            row.push(as_in_protocol(&reader.get(place), &data_type));
        }
    }
    rows
}

/// A value in the form of Trino's protocol.
fn as_in_protocol(datum: &Datum<'_>, data_type: &Type) -> Value {
    match (datum, data_type) {
        (Datum::Null, _) => Value::Null,
        (Datum::Boolean(value), _) => json!(value),
        // A real is read as a double here, and printed as a real by Trino.
        #[expect(clippy::cast_possible_truncation, reason = "a real")]
        (Datum::Double(value), Type::Real) if value.is_finite() => {
            (*value as f32).to_string().parse().expect("a number")
        }
        (Datum::Double(value), _) if value.is_finite() => json!(value),
        (Datum::Double(value), _) if value.is_nan() => json!("NaN"),
        (Datum::Double(value), _) => json!(if *value > 0.0 { "Infinity" } else { "-Infinity" }),
        (Datum::Binary(bytes), _) => json!(STANDARD.encode(bytes)),
        (Datum::Integer(value), integer) if integer.is_integer() => json!(value),
        (Datum::Array(elements), Type::Array(element)) => {
            elements.iter().map(|value| as_in_protocol(value, element)).collect()
        }
        (Datum::Row(values), Type::Row(fields)) => {
            values.iter().zip(fields).map(|(value, field)| as_in_protocol(value, &field.data_type)).collect()
        }
        (value, data_type) => json!(conversion::to_text(value, data_type)),
    }
}
