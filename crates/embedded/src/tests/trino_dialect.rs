//! The whole dialect compared with a real Trino: functions, casts, literals, operators, clauses, errors and statements
//! of tools, in rows, names, types, and in name, code and location of errors. `tests/data/trino_dialect/make.py`
//! describes how the answers were recorded. Differing rows or types, answers where Trino has an error and internal
//! errors are in `differences.txt` with a reason; refused statements are in `refused.txt`, which this test writes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::on_the_wire::rows_on_the_wire;
use super::recorded::{Case, executed};
use super::trino_answers::{is_same, tolerance};
use super::*;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/trino_dialect");

/// The outcome of a statement compared with Trino's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Verdict {
    SameAnswer,
    OtherRows,
    OtherColumns,
    Refused,
    AnsweredHereOnly,
    SameError,
    OtherPlace,
    OtherError,
    InternalError,
}

impl Verdict {
    const ALL: [(Self, &'static str); 9] = [
        (Self::SameAnswer, "the same answer"),
        (Self::OtherRows, "other rows"),
        (Self::OtherColumns, "other names or types of columns"),
        (Self::Refused, "refused here, answered by Trino"),
        (Self::AnsweredHereOnly, "answered here, an error in Trino"),
        (Self::SameError, "the same error, code and place"),
        (Self::OtherPlace, "the same error at another place"),
        (Self::OtherError, "another error"),
        (Self::InternalError, "internal errors"),
    ];

    /// Whether the statement must be in `differences.txt`.
    fn needs_a_reason(self) -> bool {
        matches!(self, Self::OtherRows | Self::OtherColumns | Self::AnsweredHereOnly | Self::InternalError)
    }
}

type Answer = (Vec<(String, String)>, Vec<Vec<Value>>);

fn outcome(sql: &str, folder: &Path) -> Result<Answer, QueryError> {
    let (statement, execution) = executed(sql, folder)?;
    let rows = rows_on_the_wire(&statement.output, &execution.columns);
    let columns =
        execution.columns.iter().map(|column| (column.name.clone(), column.type_name.clone())).collect();
    Ok((columns, rows))
}

fn are_same_rows(found: &[Vec<Value>], case: &Case) -> bool {
    let tolerance = tolerance(&case.sql);
    let same_row = |found: &Vec<Value>, expected: &Vec<Value>| {
        found
            .iter()
            .zip(expected)
            .zip(&case.columns)
            .all(|((found, expected), (_, data_type))| is_same(found, expected, data_type, tolerance))
    };
    if found.len() != case.rows.len() {
        return false;
    }
    if found.iter().zip(&case.rows).all(|(found, expected)| same_row(found, expected)) {
        return true;
    }
    // Without ORDER BY, rows may come in any order.
    let mut left: Vec<&Vec<Value>> = found.iter().collect();
    !is_ordered(&case.sql)
        && case.rows.iter().all(|expected| match left.iter().position(|found| same_row(found, expected)) {
            Some(at) => {
                left.swap_remove(at);
                true
            }
            None => false,
        })
}

/// Whether there is an ORDER BY outside all parentheses.
fn is_ordered(sql: &str) -> bool {
    sql.match_indices("ORDER BY").any(|(at, _)| {
        let count = |letter| sql[..at].matches(letter).count();
        count('(') == count(')')
    })
}

/// The verdict, and the outcome as text.
fn judge(case: &Case, folder: &Path) -> (Verdict, String) {
    let found = outcome(&case.sql, folder);
    match (&found, &case.error) {
        (Err(error), expected) => {
            let at = error.error_location.map(|place| (place.line_number, place.column_number));
            let shown = format!("{} at {at:?}: {}", error.error_name, error.message);
            let verdict = match expected {
                _ if error.error_name == "GENERIC_INTERNAL_ERROR" => Verdict::InternalError,
                None => Verdict::Refused,
                Some(name) if *name != error.error_name || case.code != Some(error.error_code) => {
                    Verdict::OtherError
                }
                Some(_) if at != case.at => Verdict::OtherPlace,
                Some(_) => Verdict::SameError,
            };
            (verdict, format!("{shown}\n    expected {expected:?} at {:?}", case.at))
        }
        (Ok((columns, rows)), Some(error)) => (
            Verdict::AnsweredHereOnly,
            format!("{columns:?} {rows:?}\n    expected {error} at {:?}", case.at),
        ),
        (Ok((columns, _)), None) if *columns != case.columns => {
            (Verdict::OtherColumns, format!("{columns:?}\n    expected {:?}", case.columns))
        }
        (Ok((_, rows)), None) if !are_same_rows(rows, case) => {
            (Verdict::OtherRows, format!("{}\n    expected {}", json!(rows), json!(case.rows)))
        }
        _ => (Verdict::SameAnswer, String::new()),
    }
}

/// Statements with known differences: a reason on a line that begins with `#`, followed by its statements as JSON
/// strings.
fn known() -> BTreeSet<String> {
    let text = fs::read_to_string(format!("{FOLDER}/differences.txt")).expect("the known differences");
    let statements = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    statements.map(|line| serde_json::from_str(line).expect("a statement")).collect()
}

/// The cause of a refusal: its error without details of the statement.
fn cause(shown: &str) -> String {
    let shown = shown.lines().next().unwrap_or_default();
    let (name, message) = shown.split_once(" at ").unwrap_or((shown, ""));
    let message = message.split_once(": ").map_or(message, |(_, message)| message);
    let message = message
        .strip_prefix("line ")
        .and_then(|rest| rest.split_once(": "))
        .map_or(message, |(_, rest)| rest);
    let plain: String =
        message.chars().map(|letter| if letter.is_ascii_digit() { '9' } else { letter }).collect();
    let words: Vec<&str> = plain.split_whitespace().take(7).collect();
    format!("{name}: {}", words.join(" "))
}

/// Refused statements by cause, the most frequent cause first, each with its share and its first statements.
fn format_refused(summary: &str, refused: &BTreeMap<String, Vec<String>>) -> String {
    const SHOWN: usize = 3;
    let total: usize = refused.values().map(Vec::len).sum();
    let mut causes: Vec<_> = refused.iter().collect();
    causes.sort_by_key(|(_, statements)| std::cmp::Reverse(statements.len()));
    let mut list = format!("{summary}\nRefused here, answered by Trino, by cause:\n");
    for (cause, statements) in causes {
        let tenths = statements.len() * 1000 / total.max(1);
        let _ = writeln!(list, "{:4} {}.{} % {cause}", statements.len(), tenths / 10, tenths % 10);
        for sql in statements.iter().take(SHOWN) {
            let start: String = json!(sql).to_string().chars().take(150).collect();
            let _ = writeln!(list, "         {start}");
        }
    }
    list
}

/// The number of refused statements, and of equal errors, when the figures of docs/sql.md were determined: they must
/// not get worse.
const MAX_REFUSED: usize = 24;
const MIN_SAME_ERRORS: usize = 3450;

/// The answers of all files.
fn answers() -> String {
    let files = fs::read_dir(FOLDER).expect("the folder").map(|file| file.expect("a file").path());
    let mut files: Vec<_> = files.filter(|path| path.extension().is_some_and(|end| end == "jsonl")).collect();
    files.sort();
    files.iter().map(|path| fs::read_to_string(path).expect("the answers")).collect()
}

#[test]
fn the_dialect_matches_trino() {
    on_deep_stack(compare);
}

fn compare() {
    let folder = tempfile::tempdir().expect("a folder");
    let answers = answers();
    let known = known();
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    let mut refused: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let (mut faults, mut report, mut tried) = (String::new(), String::new(), 0);
    for line in answers.lines() {
        let case: Case = serde_json::from_str(line).expect("a case");
        let (verdict, shown) = judge(&case, folder.path());
        tried += 1;
        *counts.entry(verdict).or_default() += 1;
        let _ = writeln!(report, "{verdict:?}\t{}\n    {shown}", json!(case.sql));
        if verdict == Verdict::Refused {
            refused.entry(cause(&shown)).or_default().push(case.sql.clone());
        }
        if verdict.needs_a_reason() && !known.contains(&case.sql) {
            let _ = writeln!(faults, "{verdict:?}\t{}\n    {shown}", json!(case.sql));
        }
    }
    let mut summary = format!("{tried} statements\n");
    for (verdict, words) in Verdict::ALL {
        let _ = writeln!(summary, "{:6} {words}", counts.get(&verdict).copied().unwrap_or(0));
    }
    println!("{summary}");
    let count = |verdict| counts.get(&verdict).copied().unwrap_or(0);
    // With `DIALECT_REPORT=file`, every verdict is written to that file, and `refused.txt` is rewritten.
    if let Ok(path) = std::env::var("DIALECT_REPORT") {
        fs::write(path, report).expect("the report");
        let list = format_refused(&summary, &refused);
        fs::write(format!("{FOLDER}/refused.txt"), list).expect("the list");
    }
    assert!(count(Verdict::Refused) <= MAX_REFUSED, "more statements are refused than before:\n{summary}");
    assert!(
        count(Verdict::SameError) >= MIN_SAME_ERRORS,
        "fewer errors are as in Trino than before:\n{summary}"
    );
    assert!(tried >= 3000, "the broad list");
    assert!(faults.is_empty(), "without a reason in differences.txt:\n{faults}");
}
