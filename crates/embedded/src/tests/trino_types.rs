//! Names and types of columns, and values that depend on types, compared with a real Trino.
//! `tests/data/trino_types/make.py` describes how the answers were recorded.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::*;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/trino_types");

/// A statement and Trino's answer.
#[derive(Deserialize)]
struct Case {
    sql: String,
    columns: Vec<(String, String)>,
    #[serde(default)]
    rows: Vec<Vec<Value>>,
}

fn cases(name: &str) -> Vec<Case> {
    let text = fs::read_to_string(format!("{FOLDER}/{name}.json")).expect("the answers");
    serde_json::from_str(&text).expect("cases")
}

/// Statements that are known to be refused or to have other types, each with the reason.
fn known() -> HashMap<String, String> {
    let text = fs::read_to_string(format!("{FOLDER}/known.txt")).expect("the list");
    let mut reason = "";
    let mut known = HashMap::new();
    for line in text.lines() {
        match line.strip_prefix("-- ") {
            Some(line) => reason = line,
            None => drop(known.insert(line.to_owned(), reason.to_owned())),
        }
    }
    known
}

fn columns_of(columns: &[Column]) -> Vec<(String, String)> {
    columns.iter().map(|column| (column.name.clone(), column.type_name.clone())).collect()
}

/// Compares the result of `found` for each case with Trino's answer.
fn check(cases: &[Case], found: impl Fn(&Case) -> Result<(), String>) {
    let known = known();
    let mut faults = Vec::new();
    for case in cases {
        match (found(case), known.get(&case.sql)) {
            (Ok(()), None) | (Err(_), Some(_)) => {}
            (Ok(()), Some(_)) => {
                faults.push(format!("{}\n    is as Trino has it: take it from known.txt", case.sql))
            }
            (Err(fault), None) => faults.push(format!("{}\n    {fault}", case.sql)),
        }
    }
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), cases.len(), faults.join("\n"));
}

fn same_columns(found: &[Column], case: &Case) -> Result<(), String> {
    let found = columns_of(found);
    let expected = &case.columns;
    if found == *expected { Ok(()) } else { Err(format!("{found:?}, not {expected:?}")) }
}

#[test]
fn column_names_and_types_match_trino() {
    let folder = tempfile::tempdir().expect("a folder");
    let cases = cases("types");
    assert!(cases.len() > 2000, "the broad list");
    check(&cases, |case| {
        let columns = analyze(&statement(&case.sql, folder.path())).map_err(|error| error.message)?;
        same_columns(&columns, case)
    });
}

#[test]
fn values_match_trino() {
    let folder = tempfile::tempdir().expect("a folder");
    check(&cases("values"), |case| {
        let statement = statement(&case.sql, folder.path());
        let options = ExecutionOptions {
            passes: &PassSet::default(),
            attempts: &Attempt::ALL,
            spill: None,
            samples: Samples::Create,
            uses_plan_cache: false,
        };
        let execution = execute_in(&options, &statement, &mut |_| {}).map_err(|error| error.message)?;
        same_columns(&execution.columns, case)?;
        let file = File::open(&statement.output).expect("the result");
        let frame = IpcReader::new(file).finish().expect("an Arrow file");
        let mut rows = vec![Vec::new(); frame.height()];
        for (column, declared) in frame.columns().iter().zip(&execution.columns) {
            let data_type = parse_type(&declared.type_name).expect("a type").storable();
            let reader =
                Reader::new(column.as_materialized_series(), &data_type).expect("the type's storage");
            for (at, row) in rows.iter_mut().enumerate() {
                row.push(shown(&reader.get(at), &data_type));
            }
        }
        // Without ORDER BY, rows may come in any order.
        let sorted = |rows: &[Vec<Value>]| {
            let mut rows: Vec<String> = rows.iter().map(|row| json!(row).to_string()).collect();
            rows.sort();
            rows
        };
        let (found, expected) = (sorted(&rows), sorted(&case.rows));
        if found == expected { Ok(()) } else { Err(format!("{found:?}, not {expected:?}")) }
    });
}

/// A value in the form of Trino's protocol.
fn shown(datum: &Datum<'_>, data_type: &Type) -> Value {
    match (datum, data_type) {
        (Datum::Null, _) => Value::Null,
        (Datum::Boolean(value), _) => json!(value),
        #[expect(clippy::cast_possible_truncation, reason = "a real has the digits of 32 bits")]
        (Datum::Double(value), Type::Real) if value.is_finite() => {
            json!((*value as f32).to_string().parse::<f64>().expect("a number"))
        }
        (Datum::Double(value), _) if value.is_finite() => json!(value),
        (Datum::Double(value), _) if value.is_nan() => json!("NaN"),
        (Datum::Double(value), _) => json!(if *value > 0.0 { "Infinity" } else { "-Infinity" }),
        (Datum::Binary(bytes), _) => json!(STANDARD.encode(bytes)),
        (Datum::Integer(value), integer) if integer.is_integer() => json!(value),
        (Datum::Array(elements), Type::Array(element)) => {
            elements.iter().map(|value| shown(value, element)).collect()
        }
        (Datum::Row(values), Type::Row(fields)) => {
            values.iter().zip(fields).map(|(value, field)| shown(value, &field.data_type)).collect()
        }
        (value, data_type) => json!(conversion::to_text(value, data_type)),
    }
}
