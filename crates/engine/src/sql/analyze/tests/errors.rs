//! Statements that are refused, each with its error's name, place and words.

use super::check_error;

#[test]
fn names_that_mean_nothing() {
    check_error(
        "SELECT aa FROM t",
        "COLUMN_NOT_FOUND line 1:8: Column 'aa' cannot be resolved. Did you mean 'a'?",
    );
    check_error(
        "SELECT a\nFROM t\nWHERE zzzz > 1",
        "COLUMN_NOT_FOUND line 3:7: Column 'zzzz' cannot be resolved",
    );
    check_error(
        "SELECT * FROM tt",
        "TABLE_NOT_FOUND line 1:15: Table 'rowhouse.demo.tt' does not exist. Did you mean 't'?",
    );
    check_error("SELECT * FROM tpch.tyni.nation", "SCHEMA_NOT_FOUND line 1:15: Schema 'tyni' does not exist");
    check_error("SELECT * FROM hive.a.b", "CATALOG_NOT_FOUND line 1:15: Catalog 'hive' does not exist");
    check_error(
        "SELECT lenght(c) FROM t",
        "FUNCTION_NOT_FOUND line 1:8: Function 'lenght' not registered. Did you mean 'length'?",
    );
    check_error("SELECT a FROM t, u", "AMBIGUOUS_NAME line 1:8: Column 'a' is ambiguous");
    check_error(
        "SELECT v.a FROM t",
        "COLUMN_NOT_FOUND line 1:8: Column 'v.a' cannot be resolved. Did you mean 'a'?",
    );
    check_error("SELECT v.* FROM t", "TABLE_NOT_FOUND line 1:8: Unable to resolve reference v");
    check_error(
        "WITH x AS (SELECT 1), x AS (SELECT 2) SELECT 1",
        "DUPLICATE_NAMED_QUERY line 1:23: WITH query name 'x' specified more than once",
    );
}

#[test]
fn types_that_do_not_fit() {
    check_error("SELECT a + c FROM t", "TYPE_MISMATCH line 1:8: Cannot apply operator: integer + varchar");
    check_error("SELECT a = c FROM t", "TYPE_MISMATCH line 1:8: Cannot apply operator: integer = varchar");
    check_error(
        "SELECT 1 FROM t WHERE a",
        "TYPE_MISMATCH line 1:23: WHERE clause must evaluate to a boolean: actual type integer",
    );
    check_error("SELECT CAST(d AS integer) FROM t", "TYPE_MISMATCH line 1:13: Cannot cast date to integer");
    check_error(
        "SELECT length(a) FROM t",
        "FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (integer) for function length. Expected: length(varchar) bigint, length(varbinary) bigint",
    );
    check_error(
        "SELECT CASE WHEN true THEN 1 ELSE 'x' END",
        "TYPE_MISMATCH line 1:35: All CASE results must be the same type: integer, varchar",
    );
    check_error(
        "SELECT a FROM t UNION SELECT y FROM u",
        "TYPE_MISMATCH column 1 in UNION query has incompatible types: integer, varchar",
    );
    check_error(
        "SELECT a FROM t UNION SELECT a, x FROM u",
        "TYPE_MISMATCH UNION query has different number of fields: 1, 2",
    );
    check_error(
        "SELECT 99999999999999999999",
        "INVALID_LITERAL line 1:8: Invalid numeric literal: 99999999999999999999",
    );
    check_error(
        "SELECT DATE '2020-02-30'",
        "INVALID_LITERAL line 1:13: '2020-02-30' is not a valid date literal",
    );
}

#[test]
fn aggregates_where_they_cannot_be() {
    check_error(
        "SELECT a, count(*) FROM t",
        "EXPRESSION_NOT_AGGREGATE line 1:8: 'a' must be an aggregate expression or appear in GROUP BY clause",
    );
    check_error(
        "SELECT a + 1 FROM t GROUP BY b",
        "EXPRESSION_NOT_AGGREGATE line 1:8: 'a' must be an aggregate expression or appear in GROUP BY clause",
    );
    check_error(
        "SELECT a FROM t WHERE count(*) > 1",
        "EXPRESSION_NOT_SCALAR line 1:23: WHERE clause cannot contain aggregations, window functions or grouping operations: count",
    );
    check_error(
        "SELECT sum(max(a)) FROM t",
        "NESTED_AGGREGATION line 1:12: Cannot nest aggregations inside aggregation 'max'",
    );
    check_error(
        "SELECT rank() FROM t",
        "MISSING_OVER line 1:8: Window function rank requires an OVER clause",
    );
    check_error(
        "SELECT a FROM t GROUP BY 2",
        "INVALID_COLUMN_REFERENCE line 1:26: GROUP BY position 2 is not in select list",
    );
    check_error(
        "SELECT a FROM t ORDER BY 2",
        "INVALID_COLUMN_REFERENCE line 1:26: ORDER BY position 2 is not in select list",
    );
    check_error(
        "SELECT DISTINCT a FROM t ORDER BY b",
        "EXPRESSION_NOT_IN_DISTINCT line 1:35: For SELECT DISTINCT, ORDER BY expressions must appear in select list",
    );
}

#[test]
fn what_is_not_done_is_refused_with_its_place() {
    for (sql, expected) in [
        ("CREATE TABLE x (a int)", "line 1:1: CREATE is not supported: statements here only read"),
        ("DELETE FROM t", "line 1:1: DELETE is not supported: statements here only read"),
        ("INSERT INTO t SELECT * FROM u", "line 1:1: INSERT is not supported: statements here only read"),
        ("SET x = 1", "line 1:1: SET is not supported: statements here only read"),
        ("SELECT * FROM read_csv('/etc/passwd')", "line 1:15: the table function read_csv is not supported"),
        ("SELECT a FROM t TABLESAMPLE BERNOULLI (10)", "line 1:15: TABLESAMPLE is not supported"),
        ("SELECT a FROM t FOR UPDATE", "line 1:1: FOR UPDATE and FOR SHARE is not supported"),
        ("WITH RECURSIVE x AS (SELECT 1) SELECT * FROM x", "line 1:1: WITH RECURSIVE is not supported"),
        ("SELECT a -> 'x' FROM t", "line 1:8: a lambda expression is not supported"),
        ("SELECT ?", "line 1:8: the parameter ? (a parameter is spelled :name) is not supported"),
        ("SELECT a & 1 FROM t", "line 1:8: the operator & is not supported"),
        (
            "SELECT CAST(a AS json) FROM t",
            "line 1:13: the type json (JSON is kept as varchar) is not supported",
        ),
        ("SELECT TOP 5 a FROM t", "line 1:1: TOP is not supported"),
    ] {
        check_error(sql, &format!("NOT_SUPPORTED {expected}"));
    }
    // A file is no table, however it is written.
    check_error(
        "SELECT * FROM '/etc/passwd'",
        "TABLE_NOT_FOUND Table 'rowhouse.demo./etc/passwd' does not exist",
    );
    check_error(
        "SELECT * FROM \"/t.parquet\"",
        "TABLE_NOT_FOUND line 1:15: Table 'rowhouse.demo./t.parquet' does not exist",
    );
}

/// Forms that stand for copies of a part, nested: each level would double the expression.
#[test]
fn expressions_do_not_grow_without_end() {
    let depth = 60;
    let between = format!("SELECT {}g{} FROM t", "(".repeat(depth), " BETWEEN g AND g)".repeat(depth));
    let case = format!(
        "SELECT {}a{} FROM t",
        "CASE ".repeat(depth),
        " WHEN 1 THEN 1 WHEN 2 THEN 2 END".repeat(depth)
    );
    for sql in [between, case] {
        let outcome = super::run(&sql, &super::catalog(), &super::PassSet::default());
        let message = outcome.err().map(|failure| failure.message).unwrap_or_default();
        assert!(message.ends_with("an expression of more than 500000 parts is not supported"), "{message}");
    }
    let tower =
        format!("SELECT b FROM {}t{} WHERE b > 1", "(SELECT b + b AS b FROM ".repeat(60), ") x".repeat(60));
    assert!(super::run(&tower, &super::catalog(), &super::PassSet::default()).is_ok());
}
