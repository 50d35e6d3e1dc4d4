//! Refused statements, each with its error's name, location and text.

use super::{PassSet, catalog, check_error, run};

#[test]
fn internal_functions_have_no_names() {
    check_error(
        "SELECT fails(1)",
        "FUNCTION_NOT_FOUND line 1:8: Function 'fails' not registered. Did you mean 'fail'?",
    );
}

#[test]
fn unknown_names_are_refused() {
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
fn incompatible_types_are_refused() {
    check_error("SELECT a + c FROM t", "TYPE_MISMATCH line 1:10: Cannot apply operator: integer + varchar");
    check_error("SELECT a = c FROM t", "TYPE_MISMATCH line 1:10: Cannot apply operator: integer = varchar");
    check_error(
        "SELECT 1 FROM t WHERE a",
        "TYPE_MISMATCH line 1:23: WHERE clause must evaluate to a boolean: actual type integer",
    );
    check_error("SELECT CAST(d AS integer) FROM t", "TYPE_MISMATCH line 1:8: Cannot cast date to integer");
    check_error(
        "SELECT d AT TIME ZONE 'UTC' FROM t",
        "TYPE_MISMATCH line 1:8: Type of value must be a time or timestamp with or without time zone (actual date)",
    );
    check_error(
        "SELECT length(a) FROM t",
        "FUNCTION_NOT_FOUND line 1:8: Unexpected parameters (integer) for function length. Expected: length(varchar) bigint, length(varbinary) bigint",
    );
    check_error(
        "SELECT CASE WHEN true THEN 1 ELSE 'x' END",
        "TYPE_MISMATCH line 1:35: All CASE results must be the same type: integer, varchar(1)",
    );
    check_error(
        "SELECT a FROM t UNION SELECT y FROM u",
        "TYPE_MISMATCH line 1:17: column 1 in UNION query has incompatible types: integer, varchar",
    );
    check_error(
        "SELECT a FROM t UNION SELECT a, x FROM u",
        "TYPE_MISMATCH line 1:17: UNION query has different number of fields: 1, 2",
    );
    check_error(
        "WITH RECURSIVE x (n) AS (SELECT 1 UNION ALL SELECT 2 FROM x LIMIT 3) SELECT * FROM x",
        "INVALID_LIMIT_CLAUSE line 1:61: immediate FETCH FIRST / LIMIT clause in recursive query",
    );
    check_error(
        "WITH RECURSIVE x (n) AS (SELECT 1 UNION ALL SELECT n + 0.5 FROM x WHERE n < 3) SELECT n FROM x",
        "TYPE_MISMATCH line 1:45: recursion step relation output type (decimal(12,1)) is not coercible to recursion base relation output type (integer) at column 1",
    );
    check_error(
        "SELECT 99999999999999999999",
        "SYNTAX_ERROR line 1:8: Invalid numeric literal: 99999999999999999999",
    );
    check_error(
        "SELECT DATE '2020-02-30'",
        "INVALID_LITERAL line 1:8: '2020-02-30' is not a valid DATE literal",
    );
}

#[test]
fn misplaced_aggregates_are_refused() {
    check_error(
        "SELECT a, count(*) FROM t",
        "EXPRESSION_NOT_AGGREGATE line 1:8: 'a' must be an aggregate expression or appear in GROUP BY clause",
    );
    check_error(
        "SELECT a + 1 FROM t GROUP BY b",
        "EXPRESSION_NOT_AGGREGATE line 1:8: 'a' must be an aggregate expression or appear in GROUP BY clause",
    );
    check_error(
        "SELECT 1 FROM t HAVING a NOT IN (SELECT a FROM u)",
        "EXPRESSION_NOT_AGGREGATE line 1:24: 'a' must be an aggregate expression or appear in GROUP BY clause",
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
fn a_missing_by_is_reported_at_its_location() {
    check_error("SELECT a FROM t GROUP a", "SYNTAX_ERROR line 1:23: expected: BY, found: a");
    check_error("SELECT a FROM t ORDER  1", "SYNTAX_ERROR line 1:24: expected: BY, found: 1");
    check_error(
        "SELECT count(*) OVER (PARTITION a) FROM t",
        "SYNTAX_ERROR line 1:33: expected: BY, found: a",
    );
}

#[test]
fn arguments_of_table_functions_are_checked() {
    for (call, expected) in [
        ("sequence(5, 1)", "INVALID_FUNCTION_ARGUMENT line 1:1: Step must be negative for sequence [5, 1]"),
        ("sequence(1, NULL)", "INVALID_FUNCTION_ARGUMENT line 1:1: Stop is null"),
        ("sequence(1)", "MISSING_ARGUMENT line 1:30: Missing argument: STOP"),
        ("sequence(1, 'a')", "TYPE_MISMATCH line 1:33: Cannot cast type varchar(1) to bigint"),
        (
            "sequence(start => 1, 5)",
            "INVALID_ARGUMENTS line 1:30: All arguments must be passed by name or all must be passed positionally",
        ),
        ("sequence(begin => 1)", "INVALID_FUNCTION_ARGUMENT line 1:30: Unexpected argument name: BEGIN"),
        (
            "sequence(stop => 1, stop => 2)",
            "INVALID_FUNCTION_ARGUMENT line 1:41: Duplicate argument name: STOP",
        ),
        (
            "sequence(1, 9000000000)",
            "NOT_SUPPORTED line 1:21: a sequence of 9000000000 numbers, more than 100000000, is not supported",
        ),
        (
            "sequence(1, length('a'))",
            "NOT_SUPPORTED line 1:33: an argument of a table function that is not a number is not supported",
        ),
        ("nosuch(1)", "FUNCTION_NOT_FOUND line 1:21: Table function 'nosuch' not registered"),
    ] {
        check_error(&format!("SELECT * FROM TABLE({call})"), expected);
    }
}

#[test]
fn types_that_cannot_be_stored_are_refused_with_their_location() {
    for (open, close) in [("ARRAY[", "]"), ("ROW(", ")"), ("MAP(ARRAY[1], ARRAY[", "])")] {
        for levels in [21, 41, 100] {
            let sql = format!("SELECT {}a{} FROM t", open.repeat(levels), close.repeat(levels));
            check_error(
                &sql,
                "NOT_SUPPORTED line 1:1: a column of a type nested more than 20 levels deep is not supported",
            );
        }
        let sql = format!("SELECT {}a{} FROM t", open.repeat(20), close.repeat(20));
        run(&sql, &catalog(), &PassSet::default()).unwrap_or_else(|error| panic!("{sql}: {}", error.message));
    }
    for (data_type, name) in [("a integer, a integer", "a"), ("field1 integer, integer", "field1")] {
        check_error(
            &format!("SELECT CAST(ROW(1, 2) AS ROW({data_type}))"),
            &format!("NOT_SUPPORTED line 1:13: a row with two fields named '{name}' is not supported"),
        );
    }
}

/// A name of 124,000 parts took some hundred megabytes, and its error repeated it.
#[test]
fn long_names_are_refused_while_they_are_read_and_shortened_in_errors() {
    let named = |parts: usize| format!("SELECT {}", vec!["a"; parts].join("."));
    check_error(&named(505), "NOT_SUPPORTED line 1:1015: a name of more than 504 parts is not supported");
    let shown = format!("{}…", "a.".repeat(40));
    check_error(&named(504), &format!("COLUMN_NOT_FOUND line 1:8: Column '{shown}' cannot be resolved"));
}

#[test]
fn unsupported_statements_are_refused_with_their_location() {
    for (sql, expected) in [
        ("CREATE TABLE x (a int)", "line 1:1: CREATE is not supported: statements here only read"),
        ("DELETE FROM t", "line 1:1: DELETE is not supported: statements here only read"),
        ("INSERT INTO t SELECT * FROM u", "line 1:1: INSERT is not supported: statements here only read"),
        ("SET x = 1", "line 1:1: SET is not supported: statements here only read"),
        ("SELECT * FROM read_csv('/etc/passwd')", "line 1:15: the table function read_csv is not supported"),
        (
            "SELECT a FROM t TABLESAMPLE BERNOULLI (random())",
            "line 1:40: a percentage of TABLESAMPLE that is not written as a number is not supported",
        ),
        (
            "WITH RECURSIVE x (n) AS (SELECT 1 UNION ALL SELECT 2 FROM x ORDER BY 1) SELECT * FROM x",
            "line 1:61: immediate ORDER BY clause in recursive query",
        ),
        (
            "SELECT t.a FROM t FULL JOIN LATERAL (SELECT x FROM u) ON t.a = 1",
            "line 1:62: FULL JOIN involving LATERAL relation is only supported with condition ON TRUE",
        ),
        (
            "SELECT transform(ARRAY[1], x -> (SELECT 1)) FROM t",
            "line 1:34: a subquery in a lambda expression is not supported",
        ),
    ] {
        check_error(sql, &format!("NOT_SUPPORTED {expected}"));
    }
    // A file is not a table, in whatever notation.
    check_error(
        "SELECT * FROM '/etc/passwd'",
        "SYNTAX_ERROR line 1:15: expected: identifier, found: '/etc/passwd'",
    );
    check_error(
        "SELECT * FROM \"/t.parquet\"",
        "TABLE_NOT_FOUND line 1:15: Table 'rowhouse.demo./t.parquet' does not exist",
    );
}

/// Syntax of other dialects is refused as in Trino; some of it is valid SQL with another meaning.
#[test]
fn syntax_of_other_dialects_is_refused() {
    for (sql, expected) in [
        ("SELECT a FROM t FOR UPDATE", "line 1:21: expected: one of UPDATE or SHARE, found: UPDATE"),
        ("SELECT a & 1 FROM t", "line 1:10: expected: the end of the statement, found: &"),
        ("SELECT TOP 5 a FROM t", "line 1:12: expected: the end of the statement, found: 5"),
        (
            "SELECT a FROM t MINUS SELECT a FROM u",
            "line 1:23: expected: the end of the statement, found: SELECT",
        ),
        ("SELECT a FROM t PIVOT (sum(a) FOR c IN ('x'))", "line 1:27: expected: ), found: ("),
        ("SELECT a INTO x FROM t", "line 1:10: expected: the end of the statement, found: INTO"),
        ("SELECT a AS select FROM t", "line 1:13: expected: an identifier after AS, found: select"),
        ("SELECT 1 == 1", "line 1:11: expected: an expression, found: ="),
        ("SELECT a :: integer : b FROM t", "line 1:21: expected: the end of the statement, found: :"),
    ] {
        check_error(sql, &format!("SYNTAX_ERROR {expected}"));
    }
    // `semi` is an alias.
    assert!(
        super::run(
            "SELECT semi.a, x FROM t SEMI JOIN u ON semi.a = u.a",
            &super::catalog(),
            &super::PassSet::none()
        )
        .is_ok()
    );
}

/// Every refusal has a place, even for texts without FROM or without tokens.
#[test]
fn every_refusal_has_a_location() {
    for sql in [
        "",
        ";",
        "(",
        "SELECT a FROM t CROSS JOIN u ON true",
        "SELECT a FROM t SEMI JOIN u ON t.a = u.a",
        "SELECT * FROM t CROSS APPLY u",
        "SELECT a FROM t ASOF JOIN u MATCH_CONDITION (t.a > u.a) ON t.a = u.a",
        "SELECT * FROM t JOIN LATERAL (SELECT u.x FROM u WHERE u.a = t.a) x USING (a)",
        "SELECT * FROM t NATURAL LEFT JOIN empty",
        "SELECT * FROM t JOIN u USING (demo.a)",
        "SELECT * FROM t JOIN UNNEST(ARRAY[1]) x (y) ON y = 1",
        "SELECT * FROM t FULL JOIN UNNEST(ARRAY[a]) x (y) ON true",
        "SELECT * FROM t PIVOT (sum(a) FOR c IN ('x'))",
        "SELECT * FROM t UNPIVOT (v FOR n IN (a, b))",
        "SELECT a FROM t MINUS SELECT a FROM u",
        "SELECT a FROM t UNION BY NAME SELECT a FROM u",
        "SELECT a FROM t GROUP BY ALL",
        "SELECT a FROM t GROUP BY a WITH ROLLUP",
        "SELECT a, sum(b) OVER (ORDER BY a ROWS BETWEEN 1 FOLLOWING AND 1 PRECEDING) FROM t",
        "SHOW TERSE TABLES",
        "SHOW TABLES STARTS WITH 'x'",
        "SHOW TABLES LIMIT 3",
        "SHOW EXTENDED COLUMNS FROM t",
        "DESCRIBE EXTENDED t",
        "TABLE",
        "WITH RECURSIVE x (a) AS (SELECT 1 UNION ALL SELECT a, a FROM x) SELECT * FROM x",
        "SELECT * FROM (VALUES (1, 2), (3)) v",
        "VALUES (1), (2, 3)",
        "VALUES 1, 'x'",
    ] {
        match super::run(sql, &super::catalog(), &super::PassSet::default()) {
            Ok(analyzed) => panic!("{sql} is planned:\n{}", analyzed.plan),
            Err(failure) => assert!(failure.error_location.is_some(), "{sql}: {}", failure.message),
        }
    }
}

/// Nested forms that copy a part: each level would double the expression.
#[test]
fn exponential_growth_of_expressions_is_refused() {
    let depth = 60;
    let between = format!("SELECT {}g{} FROM t", "(".repeat(depth), " BETWEEN g AND g)".repeat(depth));
    let case = format!(
        "SELECT {}a{} FROM t",
        "CASE ".repeat(depth),
        " WHEN 1 THEN 1 WHEN 2 THEN 2 END".repeat(depth)
    );
    for sql in [between, case] {
        let outcome = run(&sql, &catalog(), &PassSet::default());
        let message = outcome.err().map(|failure| failure.message).unwrap_or_default();
        let is_refused = message.ends_with("an expression of more than 500000 parts is not supported")
            || message.ends_with("a statement that takes so much planning is not supported");
        assert!(is_refused, "{message}");
    }
    let tower =
        format!("SELECT b FROM {}t{} WHERE b > 1", "(SELECT b + b AS b FROM ".repeat(60), ") x".repeat(60));
    let nested = |call: &dyn Fn(String) -> String| {
        let text = (0..depth).fold("c".to_owned(), |inner, _| format!("CAST({} AS varchar)", call(inner)));
        format!("SELECT {text} FROM t")
    };
    // The local times of rows do not copy what gives the zone, of texts only the innermost.
    let texts = nested(&|text| format!("date(from_iso8601_timestamp({text}))"));
    let zones = nested(&|zone| format!("date(date_trunc('day', at_timezone(now(), {zone})))"));
    for sql in [tower, texts, zones] {
        assert!(run(&sql, &catalog(), &PassSet::default()).is_ok(), "{sql}");
    }
    // A column is passed on beside each definition once, however often it is asked for.
    let chain =
        (1..18).fold("w0 AS (SELECT from_iso8601_timestamp(c) x FROM t)".to_owned(), |chain, level| {
            let before = level - 1;
            format!("{chain}, w{level} AS (SELECT x FROM w{before} UNION ALL SELECT x FROM w{before})")
        });
    run(&format!("WITH {chain} SELECT count(hour(x)) FROM w17"), &catalog(), &PassSet::default())
        .expect("a chain");
    let mixed = "(SELECT from_iso8601_timestamp(c) x FROM t UNION ALL SELECT now()) u";
    let names: Vec<_> = (0..1000).map(|number| format!("a{number}")).collect();
    let columns: Vec<_> = names.iter().map(|name| format!("x AS {name}")).collect();
    let columns = columns.join(", ");
    let wide = format!("SELECT {columns} FROM {mixed} UNION ALL SELECT {columns} FROM {mixed}");
    let hours: Vec<_> = names.iter().map(|name| format!("hour({name})")).collect();
    run(&format!("SELECT {} FROM ({wide}) w", hours.join(", ")), &catalog(), &PassSet::default())
        .expect("many columns");
}

#[test]
fn zones_of_rows_are_refused_except_in_functions_of_the_local_time() {
    let moment = "current_timestamp";
    let refused = |sql: &str, column: usize| {
        let message = "a time zone that is not a constant, except in functions of the local time, such as hour(…), \
                       date_format(…) and CAST(… AS timestamp), and in comparisons is not supported";
        check_error(sql, &format!("NOT_SUPPORTED line 1:{column}: {message}"));
    };
    refused(&format!("SELECT at_timezone({moment}, c) FROM t"), 39);
    refused("SELECT from_unixtime(a, c) FROM t", 25);
    refused("SELECT with_timezone(localtimestamp, c) FROM t", 38);
    refused("SELECT from_unixtime(a, a, 0) FROM t", 25);
    refused("SELECT date_trunc('day', at_timezone(now(), c)) FROM t", 45);
    refused("SELECT hour(date_trunc('day', at_timezone(now(), IF(random() < 0.5e0, c, 'UTC')))) FROM t", 50);
    refused("SELECT hour(with_timezone(localtimestamp, IF(random() < 0.5e0, c, 'UTC'))) FROM t", 43);
    refused("SELECT at_timezone(now(), 'Asia/' || 'Tokyo') FROM t", 27);
    // The zone is evaluated twice, with all that it contains: three times at most.
    let nested = |levels: usize| {
        let zone = (0..levels).fold("c".to_owned(), |zone, _| {
            format!("CAST(hour(with_timezone(localtimestamp, {zone})) AS varchar)")
        });
        format!("SELECT hour(from_unixtime(a, {zone})) FROM t")
    };
    run(&nested(2), &catalog(), &PassSet::default()).expect("few levels");
    refused(&nested(3), 35);
    refused(&format!("SELECT hour(z) FROM (SELECT at_timezone({moment}, c) AS z FROM t)"), 60);
    refused(&format!("SELECT CAST(at_timezone({moment}, c) AS varchar(40)) FROM t"), 44);
    refused(&format!("SELECT format_datetime(at_timezone({moment}, c), 'HH ZZ') FROM t"), 55);
    // Trino has no such syntax.
    check_error(
        "SELECT now() AT TIME ZONE c FROM t",
        "NOT_SUPPORTED line 1:27: a time zone that is not a constant is not supported",
    );
    for sql in [
        "SELECT hour(at_timezone(now(), c)), EXTRACT(DAY FROM at_timezone(now(), c)) FROM t",
        "SELECT CAST(from_unixtime(a, c) AS date), date(at_timezone(now(), c)) FROM t",
        "SELECT CAST(date_trunc('day', at_timezone(now(), c)) AS date), hour(with_timezone(localtimestamp, c)) FROM t",
        "SELECT a FROM t WHERE at_timezone(now(), c) < now() AND with_timezone(localtimestamp, c) IS NOT NULL",
        "SELECT to_unixtime(date_trunc('day', at_timezone(now(), c))), CAST(at_timezone(now(), c) AS varchar) FROM t",
        "WITH FUNCTION f(z varchar) RETURNS timestamp(3) with time zone RETURN at_timezone(now(), z) SELECT CAST(f('Asia/Tokyo') AS varchar)",
        "SELECT CAST(date_add('day', 1, with_timezone(localtimestamp, c)) AS date) FROM t",
        "SELECT date_diff('day', at_timezone(now(), c), now()), timezone_hour(at_timezone(now(), c)) FROM t",
        "SELECT to_unixtime(with_timezone(localtimestamp, c)), at_timezone(now(), c) - now() FROM t",
        "SELECT at_timezone(at_timezone(now(), c), 'UTC'), hour(at_timezone(now(), NULL)) FROM t",
        "SELECT a FROM t WHERE hour(at_timezone(now(), c)) = 1 GROUP BY a, hour(at_timezone(now(), c))",
        "SELECT at_timezone(now(), 'UTC'), from_unixtime(a, 'UTC') FROM t",
        "SELECT hour(at_timezone(now(), IF(random() < 0.5e0, c, 'UTC'))) FROM t",
    ] {
        run(sql, &catalog(), &PassSet::default()).expect(sql);
    }
}

#[test]
fn local_times_of_several_zones_are_refused() {
    let refused = |sql: &str, column: usize| {
        let message =
            "the local time of values of several time zones (AT TIME ZONE gives them one) is not supported";
        check_error(sql, &format!("NOT_SUPPORTED line 1:{column}: {message}"));
    };
    let mixed = "(VALUES TIMESTAMP '2020-01-01 01:30:00 +05:00', TIMESTAMP '2020-01-01 01:30:00 UTC') t(x)";
    refused(&format!("SELECT CAST(x AS varchar) FROM {mixed}"), 13);
    refused(&format!("SELECT date_trunc('day', max(x)) FROM {mixed}"), 8);
    refused(&format!("SELECT x + INTERVAL '1' MONTH FROM {mixed}"), 8);
    refused(&format!("SELECT format('%s', x) FROM {mixed}"), 8);
    refused(&format!("SELECT transform(ARRAY[x], e -> day(e)) FROM {mixed}"), 33);
    refused("SELECT hour(x) FROM (SELECT TIMESTAMP '2020-01-01 01:30:00 +05:00' x UNION SELECT now()) t", 8);
    refused("SELECT hour(x) FROM (VALUES TIME '01:30:00 +05:00', TIME '01:30:00') t(x)", 13);
    refused("SELECT hour(greatest(TIMESTAMP '2020-01-01 01:30:00 +05:00', localtimestamp))", 8);
    refused("SELECT hour(JSON_VALUE(c, 'lax $' RETURNING timestamp(3) with time zone)) FROM t", 8);
    check_error(
        &format!("SELECT count(*) OVER (ORDER BY x RANGE INTERVAL '1' MONTH PRECEDING) FROM {mixed}"),
        "NOT_SUPPORTED line 1:40: a RANGE bound in months of values of several time zones (AT TIME ZONE gives them one) is not supported",
    );
    let times = "(VALUES TIME '01:30:00 +05:00', TIME '20:30:00 +00:00') t(x)";
    refused(&format!("SELECT CAST(x AS time) FROM {times}"), 13);
    refused(&format!("SELECT hour(x) FROM {times}"), 13);
    refused(
        "SELECT minute(CAST(x AS time with time zone)) FROM (SELECT now() AT TIME ZONE 'Asia/Tokyo' x) t",
        20,
    );
    check_error(
        &format!("SELECT timezone_hour(x) FROM {times}"),
        "NOT_SUPPORTED line 1:8: the offset of times of several offsets (AT TIME ZONE gives them one) is not supported",
    );
    // Where the clock changes, a rounded or truncated moment has another local time than the rounded or truncated local time.
    refused(&format!("SELECT hour(date_trunc('day', x)) FROM {mixed}"), 8);
    refused(&format!("SELECT date_format(date_trunc('hour', x), '%H:%i') FROM {mixed}"), 8);
    refused(
        "SELECT hour(CAST(x AS timestamp(0) with time zone)) FROM (VALUES TIMESTAMP '2020-01-01 01:30:00.6 +05:00', now()) t(x)",
        8,
    );
    // Equal moments are one group, whatever their local times.
    refused(&format!("SELECT hour(x) FROM {mixed} GROUP BY x"), 8);
    refused(&format!("SELECT hour(x) FROM (SELECT DISTINCT x FROM {mixed}) t"), 8);
    refused(&format!("SELECT hour(x) FROM (SELECT max(x) x FROM {mixed}) t"), 8);
    refused(&format!("SELECT hour(x) FROM (SELECT x FROM {mixed} INTERSECT ALL SELECT x FROM {mixed}) t"), 8);
    check_error(
        "SELECT timezone_hour(x) FROM (SELECT parse_datetime(c, c) x FROM t) s",
        "NOT_SUPPORTED line 1:38: the local time of texts that are read by a pattern that is no constant is not supported",
    );
    for sql in [
        format!(
            "SELECT x, x = now(), x + INTERVAL '1' DAY, x - now(), to_unixtime(max(x) OVER ()) FROM {mixed}"
        ),
        format!("SELECT hour(x AT TIME ZONE 'Asia/Tokyo'), date_diff('hour', x, now()) FROM {mixed}"),
        format!("SELECT hour(x), date_diff('day', DATE '2020-01-01', CAST(x AS date)) FROM {mixed}"),
        format!("WITH w AS (SELECT x FROM {mixed}) SELECT count(*) FROM w JOIN w v USING (x) WHERE year(w.x) > 1"),
        format!("SELECT hour(x) FROM (SELECT now() x UNION ALL SELECT x FROM {mixed}) t ORDER BY day(x) LIMIT 2"),
        "SELECT hour(x) FROM (VALUES TIMESTAMP '2020-01-01 01:30:00 +05:00', DATE '2020-01-01') t(x)".to_owned(),
        "SELECT hour(x) FROM (SELECT parse_datetime(c, c) x FROM t) s".to_owned(),
        format!(
            "SELECT date_add('minute', 1, x), date_trunc('second', x), date_diff('day', now(), x) FROM {mixed}"
        ),
        format!(
            "SELECT hour(CASE WHEN x > now() THEN now() AT TIME ZONE '+01:00' END), hour(COALESCE(now(), TIMESTAMP '2020-01-01 01:30:00 +05:00')) FROM {mixed}"
        ),
        format!(
            "SELECT x AT TIME ZONE '+01:00', date_diff('minute', x, TIME '01:00:00 +00:00') FROM {times}"
        ),
        "SELECT hour(x), CAST(x AS varchar) FROM (SELECT from_iso8601_timestamp(c) x FROM t) s".to_owned(),
        "SELECT hour(x) FROM (VALUES TIMESTAMP '2020-01-01 01:30:00 UTC', DATE '2020-01-01', now()) t(x)".to_owned(),
        "SELECT hour(x) FROM (VALUES TIMESTAMP '2020-01-01 01:30:00 +05:00', CAST(NULL AS timestamp with time zone)) t(x)".to_owned(),
        "SELECT hour(CAST(x AS time with time zone)) FROM (SELECT now() x UNION ALL SELECT from_iso8601_timestamp(c) FROM t) s".to_owned(),
        format!("SELECT contains(ARRAY[now()], x), hour(reduce(ARRAY[now()], CAST(NULL AS timestamp with time zone), (s, e) -> e, s -> s)) FROM {mixed}"),
        "SELECT day(CAST(c AS timestamp with time zone)), hour(parse_datetime(c, 'HH Z')) FROM t".to_owned(),
    ] {
        run(&sql, &catalog(), &PassSet::default()).expect(&sql);
    }
}
