use super::*;

fn code(text: &str, is_read_only: bool) -> String {
    prepare(text, &StatementParameters::default(), is_read_only)
        .map_or_else(|error| error.error_name, |_| "ok".to_owned())
}

#[test]
fn a_read_only_workspace_runs_only_reading_statements() {
    let check = |text: &str, read_only: &str, writing: &str| {
        assert_eq!((code(text, true).as_str(), code(text, false).as_str()), (read_only, writing), "{text}");
    };
    for text in [
        "SELECT 1",
        " -- INSERT\n select 1",
        "/* DROP */ WITH t AS (SELECT 1) TABLE t",
        "((VALUES 1))",
        "(SELECT 1) UNION (SELECT 2);",
        "SHOW CATALOGS",
        "desc orders",
        "DESCRIBE tpch.tiny.orders ; -- end",
        "EXPLAIN INSERT INTO t SELECT 1",
        "EXPLAIN (TYPE IO) SELECT 1",
        "EXPLAIN ANALYZE VERBOSE SELECT 1",
        // Trino reports the errors of these.
        "'a'",
        "+ 1",
    ] {
        check(text, "ok", "ok");
    }
    for text in [
        "INSERT INTO t SELECT 1",
        "DELETE FROM t",
        "CREATE TABLE t AS SELECT 1",
        "drop table t",
        "CALL system.runtime.kill_query('x')",
        "EXPLAIN ANALYZE INSERT INTO t SELECT 1",
        "explain /* */ analyze verbose DELETE FROM t",
        "GRANT SELECT ON t TO u",
        "MERGE INTO t USING u ON true WHEN MATCHED THEN DELETE",
        "ANALYZE t",
        "REFRESH MATERIALIZED VIEW v",
        "FROM t",
    ] {
        check(text, "PERMISSION_DENIED", "ok");
    }
    for text in ["SET SESSION a = 1", "USE tpch.tiny", "PREPARE p FROM SELECT 1", "START TRANSACTION"] {
        check(text, "NOT_SUPPORTED", "NOT_SUPPORTED");
    }
    for text in ["", ";", " -- only\n", "SELECT 'a", "SELECT /* a", "SELECT 1; DROP TABLE t", "SELECT \"a"] {
        check(text, "SYNTAX_ERROR", "SYNTAX_ERROR");
    }
}

/// The statement of EXECUTE IMMEDIATE is checked like a separate one.
#[test]
fn execute_immediate_cannot_write_in_a_read_only_workspace() {
    let check = |text: &str, read_only: &str, writing: &str| {
        assert_eq!((code(text, true).as_str(), code(text, false).as_str()), (read_only, writing), "{text}");
    };
    check("EXECUTE IMMEDIATE 'SELECT ''a'', ?' USING 1", "ok", "ok");
    check("explain analyze execute immediate 'SELECT 1'", "ok", "ok");
    for text in [
        "EXECUTE IMMEDIATE 'DROP TABLE t'",
        "EXECUTE IMMEDIATE 'INSERT INTO t VALUES (?, ''a'')' USING 1",
        "execute /* */ immediate -- x\n'DELETE FROM t'",
        "EXPLAIN ANALYZE EXECUTE IMMEDIATE 'DELETE FROM t'",
        "EXPLAIN ANALYZE VERBOSE (EXECUTE IMMEDIATE 'DELETE FROM t'",
        "EXECUTE IMMEDIATE 'EXPLAIN ANALYZE DELETE FROM t'",
    ] {
        check(text, "PERMISSION_DENIED", "ok");
    }
    for text in [
        "EXECUTE IMMEDIATE 'USE a.b'",
        "EXECUTE IMMEDIATE 'EXECUTE IMMEDIATE ''DROP TABLE t'''",
        "EXECUTE IMMEDIATE U&'DROP TABLE t'",
        "EXECUTE p USING 1",
        "EXECUTE IMMEDIATE",
    ] {
        check(text, "NOT_SUPPORTED", "NOT_SUPPORTED");
    }
    for text in ["EXECUTE IMMEDIATE ''", "EXECUTE IMMEDIATE 'SELECT 1; DROP TABLE t'"] {
        check(text, "SYNTAX_ERROR", "SYNTAX_ERROR");
    }
}

/// Regression: each EXPLAIN ANALYZE took a stack frame, and a megabyte of them crashed the server.
#[test]
fn repeated_explain_analyze_is_parsed() {
    let text = format!("{}DROP TABLE t", "EXPLAIN ANALYZE ".repeat(65_000));
    assert_eq!((code(&text, true).as_str(), code(&text, false).as_str()), ("PERMISSION_DENIED", "ok"));
}

#[test]
fn refusals_have_a_location() {
    let error = prepare("-- é\n  INSERT INTO t VALUES 1", &StatementParameters::default(), true)
        .expect_err("refused");
    assert_eq!(error.error_location, Some(ErrorLocation { line_number: 2, column_number: 3 }));
    assert!(error.message.starts_with("line 2:3: INSERT may not run here"), "{}", error.message);
    let error =
        prepare("SELECT 'é', 1; SELECT 2", &StatementParameters::default(), true).expect_err("refused");
    assert_eq!(error.error_location, Some(ErrorLocation { line_number: 1, column_number: 16 }));
}

#[test]
fn the_fingerprint_depends_only_on_the_tokens() {
    let of = |text: &str| prepare(text, &StatementParameters::default(), true).expect(text).fingerprint;
    let same = |a: &str, b: &str| assert_eq!(of(a), of(b), "{a} | {b}");
    let other = |a: &str, b: &str| assert_ne!(of(a), of(b), "{a} | {b}");
    same("SELECT a FROM t", "select  a -- x\n from/* y */t ;");
    same("SELECT a,b FROM((t))", "SELECT a , b FROM ( ( t ) )");
    same("SELECT t.a, f(1)", "SELECT t . a,f ( 1 )");
    same("SELECT DATE'2020-01-01'", "SELECT DATE '2020-01-01'");
    other("SELECT a FROM t", "SELECT A FROM t");
    other("SELECT 'a'", "SELECT 'A'");
    other("SELECT 'a -- b'", "SELECT 'a '");
    other("SELECT 'a''b'", "SELECT 'a' 'b'");
    other("SELECT X'00'", "SELECT X '00'");
    other("SELECT \"a\"", "SELECT a");
    other("SELECT ab", "SELECT a b");
    other("SELECT 1.5", "SELECT 1 .5");
    other("SELECT a <= b", "SELECT a < = b");
    // Comments do not nest in Trino: these are different statements.
    other("SELECT 1 /* /* */ + 1 -- */", "SELECT 1 /* /* */ -- */");
}

#[test]
fn the_sent_text_ends_with_the_last_token() {
    let check = |text: &str, expected: &str| assert_eq!(body(text), expected);
    check("SELECT 1", "SELECT 1");
    check("SELECT 1 ; ", "SELECT 1");
    check("-- a\nSELECT ';' ;; -- b", "-- a\nSELECT ';'");
}

#[test]
fn statements_that_can_be_a_relation_are_recognized() {
    let check = |text: &str, expected| assert_eq!(is_query(text), expected, "{text}");
    check("WITH a AS (SELECT 1) SELECT * FROM a", true);
    check("(SELECT 1)", true);
    check("SHOW TABLES", false);
    check("EXPLAIN SELECT 1", false);
}
