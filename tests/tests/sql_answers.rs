//! Statements over the small sample, compared with the answers of an independent engine. The statements are in
//! `tests/data/answers/*.sql`; `make.py` beside them says how the answers in `*.json` were made.

use std::path::Path;

use rowhouse_tests::{Server, SharedServer, id_of};
use serde::Deserialize;
use serde_json::Value;

static SERVER: SharedServer = SharedServer::new(&["--engine-concurrency", "2"]);

/// How far two floating-point answers may lie apart, relative to the larger one.
const TOLERANCE: f64 = 1e-9;

/// A statement and the other engine's answer.
#[derive(Deserialize)]
struct Case {
    sql: String,
    /// Whether the statement itself orders its rows.
    ordered: bool,
    rows: Vec<Vec<Value>>,
    /// Why it is known to be refused.
    refused: Option<String>,
}

#[tokio::test]
async fn aggregates() {
    check(include_str!("../data/answers/aggregates.json")).await;
}

#[tokio::test]
async fn arithmetic() {
    check(include_str!("../data/answers/arithmetic.json")).await;
}

#[tokio::test]
async fn dates() {
    check(include_str!("../data/answers/dates.json")).await;
}

#[tokio::test]
async fn joins() {
    check(include_str!("../data/answers/joins.json")).await;
}

#[tokio::test]
async fn nulls() {
    check(include_str!("../data/answers/nulls.json")).await;
}

#[tokio::test]
async fn sets() {
    check(include_str!("../data/answers/sets.json")).await;
}

#[tokio::test]
async fn strings() {
    check(include_str!("../data/answers/strings.json")).await;
}

#[tokio::test]
async fn subqueries() {
    check(include_str!("../data/answers/subqueries.json")).await;
}

#[tokio::test]
async fn windows() {
    check(include_str!("../data/answers/windows.json")).await;
}

#[tokio::test]
async fn tpch() {
    // Its queries name tables alone: a workspace whose tables are the sample's files.
    let server = SERVER.get();
    let (demo, workspace) = (server.demo().await, server.new_workspace("tpch_queries").await);
    for table in ["customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"] {
        server.rows(&demo, &format!("SELECT count(*) FROM tpch.tiny.{table}")).await;
        let file = rowhouse_tests::sample_dir().join(format!("tpch/tiny/{table}.parquet"));
        server.new_table(&workspace, table, &file).await;
    }
    // An average or a quotient of decimals is a decimal of two places here, as in Trino; there it is a double.
    check_in(&server, &workspace, include_str!("../data/answers/tpch.json"), 0.011).await;
}

#[test]
fn every_file_of_answers_is_checked() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/answers");
    let program = include_str!("sql_answers.rs");
    for entry in std::fs::read_dir(folder).expect("the folder").flatten() {
        let name = entry.file_name().into_string().expect("a name");
        if name.ends_with(".json") {
            assert!(program.contains(&format!("data/answers/{name}\"")), "{name} is not read by any test");
        }
    }
}

async fn check(cases: &str) {
    let server = SERVER.get();
    check_in(&server, &server.demo().await, cases, 0.0).await;
}

/// Compares; numbers with a fraction may lie apart by the relative tolerance or by `within`.
async fn check_in(server: &Server, workspace: &str, cases: &str, within: f64) {
    let cases: Vec<Case> = serde_json::from_str(cases).expect("cases");
    let (mut faults, mut refusals) = (Vec::new(), 0);
    for case in &cases {
        match (outcome(server, workspace, case, within).await, &case.refused) {
            (Outcome::Right, None) => {}
            (Outcome::Right, Some(_)) => eprintln!("NO LONGER REFUSED, take the mark away: {}", case.sql),
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
