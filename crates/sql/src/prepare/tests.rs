use std::time::{Duration, Instant};

use proptest::prelude::*;
use rowhouse_model::StatementParameters;

use super::*;

fn check_error(text: &str, expected: &str) {
    match prepare(text, &StatementParameters::default()) {
        Ok(_) => panic!("{text} is well formed"),
        Err(failure) => assert_eq!(format!("{} {}", failure.error_name, failure.message), expected),
    }
}

fn is_same(left: &str, right: &str) -> bool {
    let fingerprint =
        |text| prepare(text, &StatementParameters::default()).expect("a well-formed statement").fingerprint;
    fingerprint(left) == fingerprint(right)
}

#[test]
fn equal_tokens_have_equal_fingerprints() {
    assert!(is_same("SELECT 1", "select  /* one */ 1 -- the end\n ; "));
    assert!(is_same("SELECT a FROM t WHERE b", "SELECT a\nfrom t where b"));
    assert!(!is_same("SELECT a FROM t", "SELECT A FROM t"));
    assert!(!is_same("SELECT 'a b'", "SELECT 'a  b'"));
    assert!(!is_same("SELECT \"from\"", "SELECT \"FROM\""));
    assert!(!is_same("SELECT a b", "SELECT ab"));
    assert!(!is_same("SELECT x'41'", "SELECT '41'"));
    assert!(is_same("SELECT a::date", "SELECT a :: date"));
}

#[test]
fn parameters_are_a_part_of_the_fingerprint() {
    let fingerprint = |json: &str| {
        let parameters = serde_json::from_str(json).expect(json);
        prepare("SELECT :a /* and */ , :b", &parameters).expect("a well-formed statement").fingerprint
    };
    let one = fingerprint(r#"{"a": 1, "b": "x"}"#);
    assert_eq!(one, fingerprint(r#" {"b":"x", "a":1}"#));
    let others = [
        r#"{"a": 2, "b": "x"}"#,
        r#"{"a": "1", "b": "x"}"#,
        r#"{"a": {"type": "bigint", "value": 1}, "b": "x"}"#,
        r#"{"a": 1, "b": ["x"]}"#,
        r#"{"a": "x", "b": 1}"#,
    ];
    for other in others {
        assert_ne!(one, fingerprint(other), "{other}");
    }
}

#[test]
fn refusals_have_a_location() {
    check_error("", "SYNTAX_ERROR line 1:1: the statement is empty");
    check_error(" -- nothing\n;", "SYNTAX_ERROR line 1:1: the statement is empty");
    check_error(
        "SELECT 1; SELECT 2",
        "SYNTAX_ERROR line 1:9: one statement is expected; another one begins here",
    );
    check_error("SELECT 1 +\n FROM t", "SYNTAX_ERROR line 2:2: expected: an expression, found: FROM");
    check_error("SELECT 'abc", "SYNTAX_ERROR line 1:8: a text begins here and does not end");
    check_error("SELECT (1", "SYNTAX_ERROR line 1:10: expected: ), found: EOF");
    check_error(
        "SELECT 1 /* no end",
        "SYNTAX_ERROR line 1:11: a comment begins before this and does not end",
    );
    check_error("EXPLAIN SELEC 1", "SYNTAX_ERROR line 1:9: expected: an SQL statement, found: SELEC");
    check_error(
        "EXPLAIN ANALYZE SELEC 1",
        "SYNTAX_ERROR line 1:17: expected: an SQL statement, found: SELEC",
    );
    check_error(
        "EXPLAIN (TYPE X) SELECT 1",
        "SYNTAX_ERROR line 1:15: expected: DISTRIBUTED, IO, LOGICAL, VALIDATE, found: X",
    );
    check_error(
        "EXPLAIN (FORMAT JSON",
        "SYNTAX_ERROR line 1:21: expected: , or ), found: the end of the statement",
    );
    check_error(
        "SHOW TABELS",
        "SYNTAX_ERROR line 1:6: expected: CATALOGS, COLUMNS, CREATE, CURRENT, FUNCTIONS, GRANTS, ROLE, ROLES, SCHEMAS, SESSION, STATS or TABLES, found: TABELS",
    );
    check_error("SHOW TABLES LIKE t", "SYNTAX_ERROR line 1:18: expected: a text, found: t");
    check_error("SHOW STATS FOR (SELECT 1", "SYNTAX_ERROR line 1:25: expected: ), found: EOF");
}

/// Statements that would overflow the stack, or take exponential time, in parsers that try alternatives.
#[test]
fn deep_and_long_statements_are_parsed_or_refused_in_time() {
    let deep = 100_000;
    let statements = [
        format!("SELECT {}1{}", "(".repeat(deep), ")".repeat(deep)),
        format!("SELECT * FROM {}t{}", "(".repeat(deep), ")".repeat(deep)),
        format!("SELECT * FROM {}t{}", "(".repeat(60), ")".repeat(60)),
        format!("SELECT {}x{}", "(".repeat(60), ")".repeat(60)),
        format!("SELECT * FROM {}SELECT 1{}", "(".repeat(60), ")".repeat(60)),
        format!("SELECT * FROM {}t JOIN u{}", "(".repeat(60), ")".repeat(60)),
        format!("SELECT {} 1", "NOT ".repeat(deep)),
        format!("SELECT {} 1", "- ".repeat(deep)),
        format!("SELECT 1{}", " + 1".repeat(deep)),
        format!("SELECT 1{}", " + 1".repeat(9_000)),
        format!("SELECT 1 WHERE a = 1{}", " OR a = 1".repeat(4_000)),
        format!("SELECT 1{}", " UNION ALL SELECT 1".repeat(9_000)),
        format!("SELECT 1 IN (1{})", ", 1".repeat(deep)),
        format!("SELECT {}", "CASE WHEN ".repeat(deep)),
        format!("SELECT {}1{}", "CASE WHEN a THEN b ELSE ".repeat(60), " END".repeat(60)),
        format!("SELECT {}x", "case-".repeat(deep)),
        format!("SELECT a{}", "[1]".repeat(deep)),
        format!("SELECT a{}", "::int".repeat(deep)),
        format!("SELECT {}x", "f(".repeat(deep)),
        format!("SELECT {}x", "interval ".repeat(deep)),
        format!("SELECT CAST(1 AS {}int{})", "array(".repeat(60), ")".repeat(60)),
        format!("SELECT {}", "EXISTS (SELECT ".repeat(60)),
        format!("{}SELECT 1", "EXPLAIN ".repeat(deep)),
        format!("WITH a AS ({}", "WITH a AS (".repeat(deep)),
    ];
    for statement in statements {
        let started = Instant::now();
        let outcome = prepare(&statement, &StatementParameters::default()).map_err(|failure| failure.message);
        let shown: String = statement.chars().take(40).collect();
        assert!(started.elapsed() < Duration::from_secs(20), "{shown}… took {:?}", started.elapsed());
        if let Err(message) = outcome {
            assert!(message.starts_with("line "), "{shown}: {message}");
        }
    }
}

proptest! {
    #[test]
    fn no_text_panics(text in "\\PC{0,200}") {
        let _ = prepare(&text, &StatementParameters::default());
    }

    #[test]
    fn no_sequence_of_tokens_panics(words in proptest::collection::vec(
        prop_oneof![
            Just("SELECT"), Just("FROM"), Just("WHERE"), Just("("), Just(")"), Just("a"), Just("1"), Just(","),
            Just("'x'"), Just("*"), Just("JOIN"), Just("ON"), Just("CASE"), Just("WHEN"), Just("END"), Just("="),
            Just("AS"), Just("ARRAY"), Just("["), Just("]"), Just("INTERVAL"), Just("OVER"), Just("WITH"),
            Just("."), Just("\"q\""), Just("->"), Just("IN"), Just("NOT"), Just("VALUES"), Just("UNION"),
        ], 0..40)) {
        let _ = prepare(&words.join(" "), &StatementParameters::default());
    }
}
