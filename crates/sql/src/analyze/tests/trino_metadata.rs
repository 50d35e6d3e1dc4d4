//! The tables that are made from the catalog, and the statements that tools send, beside what Trino 476 says of them.
//! `tests/data/trino_metadata/make.py` says how the answers were made.

use serde_json::{Map, Value as Json};

use super::*;
use crate::analyze::metadata::TABLES;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/trino_metadata/");

fn stored(name: &str) -> Map<String, Json> {
    let text = std::fs::read_to_string(format!("{FOLDER}{name}")).expect("a stored answer");
    serde_json::from_str(&text).expect("JSON")
}

/// In the session that Trino was asked in.
fn ask(sql: &str) -> Result<Vec<(String, String)>> {
    let catalog = CatalogSnapshot {
        default_catalog: "tpch".to_owned(),
        default_schema: "tiny".to_owned(),
        ..catalog()
    };
    let analyzed = run(sql, &catalog, &PassSet::default())?;
    verify(&analyzed.plan, sql);
    // Lengths are those of the longest text shown, there and here.
    let shown = |data_type: &Type| if data_type.is_varchar() { Type::VARCHAR } else { data_type.clone() };
    Ok(analyzed
        .output
        .iter()
        .map(|field| (field.name.clone(), shown(&field.data_type).to_string()))
        .collect())
}

fn columns(answer: &Json) -> Vec<(String, String)> {
    let text = |value: &Json| value.as_str().expect("a text").to_owned();
    let columns = answer.as_array().expect("columns").iter();
    columns.map(|column| (text(&column[0]), text(&column[1]))).collect()
}

#[test]
fn tables_have_the_columns_of_trinos() {
    let answers = stored("tables.json");
    for (name, answer) in &answers {
        let expected = columns(&answer["columns"]);
        assert_eq!(ask(&format!("SELECT * FROM system.{name}")).expect(name), expected, "{name}");
        let hidden = columns(&answer["hidden"]);
        if !hidden.is_empty() {
            let names: Vec<&str> = hidden.iter().map(|(name, _)| name.as_str()).collect();
            let sql = format!("SELECT {} FROM system.{name}", names.join(", "));
            assert_eq!(ask(&sql).expect(name), hidden, "{name}");
        }
    }
    let ours: Vec<String> = TABLES.iter().map(|table| format!("{}.{}", table.schema, table.name)).collect();
    let theirs: Vec<String> = answers.keys().cloned().collect();
    let mut sorted = ours.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, theirs);
    assert_eq!(ours, sorted, "the list is in order");
}

#[test]
fn statements_of_tools_have_the_columns_of_trinos() {
    let answers = stored("statements.json");
    assert!(answers.len() > 90);
    for (sql, answer) in &answers {
        match (ask(sql), answer) {
            (Ok(found), answer @ Json::Array(_)) => assert_eq!(found, columns(answer), "{sql}"),
            (Err(failure), Json::String(expected)) => assert_eq!(failure.error_name, *expected, "{sql}"),
            (found, answer) => panic!("{sql}: {found:?} and not {answer}"),
        }
    }
}
