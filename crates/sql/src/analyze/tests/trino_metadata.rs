//! The tables that are generated from the catalog, and statements of tools, compared with Trino 476's answers.
//! `tests/data/trino_metadata/make.py` describes how the answers were recorded.

use serde_json::{Map, Value as Json};

use super::*;
use crate::analyze::metadata::{TABLES, jdbc_column_row};
use crate::expr::Value;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/trino_metadata/");

fn stored(name: &str) -> Map<String, Json> {
    let text = std::fs::read_to_string(format!("{FOLDER}{name}")).expect("a stored answer");
    serde_json::from_str(&text).expect("JSON")
}

/// Plans a statement in the session in which Trino's answers were recorded.
fn ask(sql: &str) -> Result<Vec<(String, String)>> {
    let catalog = CatalogSnapshot {
        default_catalog: "tpch".to_owned(),
        default_schema: "tiny".to_owned(),
        ..catalog()
    };
    let analyzed = run(sql, &catalog, &PassSet::default())?;
    verify(&analyzed.plan, sql);
    // Lengths depend on the longest text in the answer, here and in Trino.
    let shown = |name: &str| if name.starts_with("varchar(") { "varchar" } else { name }.to_owned();
    Ok(analyzed.columns().into_iter().map(|column| (column.name, shown(&column.type_name))).collect())
}

fn columns(answer: &Json) -> Vec<(String, String)> {
    let text = |value: &Json| value.as_str().expect("a text").to_owned();
    let columns = answer.as_array().expect("columns").iter();
    columns.map(|column| (text(&column[0]), text(&column[1]))).collect()
}

#[test]
fn generated_tables_have_the_columns_of_trino() {
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

/// The numbers of `java.sql.Types` and the sizes of each type are those of Trino.
#[test]
fn jdbc_type_numbers_match_trino() {
    let answers = stored("types.json");
    assert!(answers.len() > 25);
    for (name, answer) in &answers {
        let data_type = parse_type(name).expect(name);
        let row = jdbc_column_row(&data_type);
        // data_type, type_name, column_size, buffer_length, decimal_digits, num_prec_radix, nullable,
        // char_octet_length, is_nullable
        let found = [4, 5, 6, 7, 8, 9, 10, 15, 17].map(|index| match &row[index] {
            Value::Integer(number) => Json::from(*number),
            Value::Varchar(text) => Json::from(text.as_str()),
            _ => Json::Null,
        });
        assert_eq!(Json::from(found.to_vec()), *answer, "{name}");
    }
}

#[test]
fn columns_of_tool_statements_match_trino() {
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
