//! Texts for each kind of token, with Trino 476's answer: types of the columns, or the error's name and location.
//! `here` is set if this server answers differently: the location of its refusal, or null if it accepts the text.

use rowhouse_model::ErrorLocation;
use serde_json::{Value as Json, json};

use super::{PassSet, catalog, run};

#[test]
fn tokens_match_trino() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/sql/trino_tokens.jsonl");
    let text = std::fs::read_to_string(path).expect("the recorded answers");
    let mut catalog = catalog();
    catalog.default_catalog = "tpch".to_owned();
    catalog.default_schema = "sf1".to_owned();
    let mut others = Vec::new();
    for line in text.lines() {
        let recorded: Json = serde_json::from_str(line).expect("an answer");
        let sql = recorded["sql"].as_str().expect("a text");
        let outcome = run(sql, &catalog, &PassSet::none());
        let found = match &outcome {
            Ok(_) => (Json::Null, Json::Null),
            Err(failure) => (json!(failure.error_name), json!(failure.error_location.map(place))),
        };
        let is_expected = match recorded.get("here") {
            Some(here) => found.1 == *here,
            None => found == (recorded["error"].clone(), recorded["place"].clone()),
        };
        if !is_expected {
            others.push(format!("{line}\n    {found:?}"));
        }
    }
    assert!(others.is_empty(), "{} of the texts:\n{}", others.len(), others.join("\n"));
}

fn place(location: ErrorLocation) -> [u32; 2] {
    [location.line_number, location.column_number]
}

/// Regression: a sign was parsed as a digit, so that `X'+1'` was `X'01'`.
#[test]
fn a_sign_is_not_a_hexadecimal_digit() {
    for sql in ["SELECT X'+1'", "SELECT X'-1'", "SELECT X'1+'", "SELECT X'4\u{a0}1'"] {
        super::check_error(sql, "SYNTAX_ERROR line 1:8: Binary literal can only contain hexadecimal digits");
    }
}
