//! Statements of a short text that would produce far more rows, values or copies than their input has: each is refused
//! with a message that names the limit, or answered at the cost of its input.

use rowhouse_model::ErrorCode;

use super::recorded::executed;
use super::*;

#[track_caller]
fn check_refused(sql: &str, code: ErrorCode, message: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let error = executed(sql, folder.path()).expect_err("a refusal");
    let beginning: String = sql.chars().take(200).collect();
    assert_eq!((error.code(), error.message.as_str()), (Some(code), message), "{beginning}");
}

#[track_caller]
fn check_rows(sql: &str, expected: &Value) {
    let folder = tempfile::tempdir().expect("a folder");
    let found = rows(sql, &PassSet::default(), folder.path()).expect("an answer");
    let beginning: String = sql.chars().take(200).collect();
    assert_eq!(json!(found), *expected, "{beginning}");
}

/// The subscript of the first element, repeated.
fn repeated_subscript(times: usize) -> String {
    vec!["0"; times].join(",")
}

const TOO_MANY_VALUES: &str = "JSON_TABLE makes more than 5000000 values of one document";

/// Regression: NULLs for a nested path without items count as values; 20,000 rows had 20,000,000 of them.
#[test]
fn nulls_of_outer_rows_count_as_values() {
    let columns: Vec<String> = (0..1_000).map(|column| format!("c{column} bigint PATH 'lax $.c'")).collect();
    let sql = format!(
        "SELECT count(*) FROM JSON_TABLE('[]', 'lax 1[{}]' COLUMNS (a bigint PATH 'lax $', NESTED PATH 'lax $.none[*]' COLUMNS ({})))",
        repeated_subscript(20_000),
        columns.join(", "),
    );
    check_refused(&sql, ErrorCode::InvalidFunctionArgument, TOO_MANY_VALUES);
}

/// Items without rows have no values, so the items are counted.
#[test]
fn items_without_rows_are_counted() {
    let subscripts = repeated_subscript(3_000);
    let sql = format!(
        "SELECT count(*) FROM JSON_TABLE('1', 'lax $[{subscripts}]' AS p COLUMNS (NESTED PATH 'lax $[{subscripts}]' AS q COLUMNS (NESTED PATH 'lax $.none' AS r COLUMNS (a bigint PATH 'lax $')))
            PLAN DEFAULT (INNER))"
    );
    let message = "JSON_TABLE goes through more than 5000000 items of one document";
    check_refused(&sql, ErrorCode::InvalidFunctionArgument, message);
}

/// Regression: copies of a text of a megabyte from `keyvalue()`; 10 GB of them counted 50,000 steps.
#[test]
fn copies_of_texts_count_as_steps() {
    let document = format!(r#"{{"a":"{}"}}"#, "x".repeat(1 << 20));
    let (copied, text) = (repeated_subscript(10_000), "x".repeat(20_000));
    for path in [format!("lax $.keyvalue()[{copied}]"), format!(r#"lax "{text}"[{copied}][{copied}]"#)] {
        let sql = format!("SELECT json_exists('{document}', '{path}')");
        check_refused(
            &sql,
            ErrorCode::InvalidFunctionArgument,
            "the JSON path takes more than 5000000 steps",
        );
    }
    // Values of the document itself are not copied.
    check_rows(&format!("SELECT json_exists('{document}', 'lax $.a[{copied}]')"), &json!([[true]]));
}

/// If each row begins a match, a row is in all matches from the rows before it: the number of result rows is half the
/// square of the number of rows.
#[test]
fn rows_of_overlapping_matches_are_counted() {
    let matches = |rows: u32, per_match: &str| {
        format!(
            "SELECT count(*) FROM UNNEST(sequence(1, {rows})) AS t (x) MATCH_RECOGNIZE (ORDER BY x MEASURES MATCH_NUMBER() AS n
                {per_match} AFTER MATCH SKIP TO NEXT ROW PATTERN (a+) DEFINE a AS true)"
        )
    };
    let message = "MATCH_RECOGNIZE makes more than 100000 rows beyond those of its input: use AFTER MATCH SKIP PAST LAST ROW or ONE ROW PER MATCH";
    check_refused(&matches(1_000, "ALL ROWS PER MATCH"), ErrorCode::ExceededFunctionMemoryLimit, message);
    check_rows(&matches(400, "ALL ROWS PER MATCH"), &json!([[400 * 401 / 2]]));
    check_rows(&matches(1_000, "ONE ROW PER MATCH"), &json!([[1_000]]));
}

/// Regression: describing a statement evaluated the constants of its filters, outside of a statement's limits.
#[test]
fn describing_a_statement_evaluates_no_constant() {
    let constant = "cardinality(regexp_extract_all(rpad('a', 1000000, 'a'), 'a*?b|a'))";
    let sql = format!("SELECT n_name FROM tpch.tiny.nation WHERE n_nationkey = {constant}");
    let (sender, described) = std::sync::mpsc::channel();
    // Evaluated, the constant takes many minutes.
    std::thread::spawn(move || {
        let folder = tempfile::tempdir().expect("a folder");
        let columns = analyze(&statement(&sql, folder.path())).map(|columns| columns.len());
        // OK to ignore: nobody waits any more if the test has failed.
        let _ = sender.send(columns.ok());
    });
    let columns =
        described.recv_timeout(std::time::Duration::from_secs(60)).expect("a description in a minute");
    assert_eq!(columns, Some(1));
}
