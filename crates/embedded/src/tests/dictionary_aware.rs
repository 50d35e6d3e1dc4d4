//! Expressions that are evaluated once for each distinct value of a batch, beside the same ones evaluated row by row.

use rowhouse_model::ErrorCode;
use serde_json::json;

use super::rows;
use rowhouse_sql::PassSet;

/// A column of few or of many values, and an expression over it, where `@` is the column.
const EXPRESSIONS: &[(&str, &str)] = &[
    ("l_shipinstruct", "lower(@)"),
    ("l_shipinstruct", "length(@) * 2 + 1"),
    ("l_shipinstruct", "regexp_replace(@, '([A-Z]+) .*', '$1')"),
    ("l_shipinstruct", "split(@, ' ')"),
    ("l_shipinstruct", "coalesce(nullif(@, 'NONE'), 'nothing') || '!'"),
    ("l_shipinstruct", "to_hex(md5(CAST(@ AS varbinary)))"),
    ("nullif(l_shipmode, 'AIR')", "upper(substr(@, 2)) LIKE '%I_'"),
    ("nullif(l_shipmode, 'AIR')", "coalesce(reverse(@), 'none')"),
    ("nullif(l_shipmode, 'AIR')", "CASE WHEN @ IS NULL THEN 'none' WHEN @ LIKE 'R%' THEN lower(@) END"),
    ("l_comment", "strpos(@, 'e') + length(trim(@))"),
    ("l_shipdate", "date_diff('month', @, DATE '1999-12-31')"),
    ("l_shipdate", "CAST(@ AS varchar)"),
    ("l_shipdate", "date_format(@, '%d.%m.%y')"),
    ("l_linenumber", "CAST(@ AS varchar)"),
    ("l_orderkey", "lpad(CAST(@ AS varchar), 9, '0')"),
    ("CAST(l_linenumber AS tinyint)", "try_cast(CAST(@ AS varchar) AS bigint)"),
    ("l_returnflag", "TRY(CAST(replace(@, 'A', '7') AS bigint))"),
];

#[test]
fn each_value_is_that_of_its_row() {
    let folder = tempfile::tempdir().expect("a folder");
    for (column, expression) in EXPRESSIONS {
        let (by_value, by_row) =
            (expression.replace('@', "x"), expression.replace('@', "if(l_orderkey > l_suppkey - 100000, x)"));
        let sql = format!(
            "SELECT count(*), count_if({by_value} IS NOT DISTINCT FROM {by_row}), count({by_value}), count({by_row})
            FROM (SELECT {column} AS x, l_orderkey, l_suppkey FROM tpch.tiny.lineitem)"
        );
        let found = rows(&sql, &PassSet::default(), folder.path()).expect("rows");
        let [all, equal, by_value, by_row] = found[0].as_slice() else { panic!("{found:?}") };
        assert_eq!((all, equal), (&json!(60_175), &json!(60_175)), "{expression} of {column}");
        assert_eq!(by_value, by_row, "{expression} of {column}");
    }
}

#[test]
fn rows_that_a_condition_excludes_do_not_fail() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |sql: &str| rows(sql, &PassSet::default(), folder.path());
    let cast = "CAST(replace(l_returnflag, 'A', '7') AS bigint)";
    let guarded = format!(
        "SELECT sum(CASE WHEN l_quantity > 25 AND l_returnflag = 'A' THEN {cast} END),
            7 * count_if(l_quantity > 25 AND l_returnflag = 'A'),
            sum(CASE WHEN l_returnflag = 'A' THEN {cast} END), 7 * count_if(l_returnflag = 'A')
        FROM tpch.tiny.lineitem"
    );
    let found = run(&guarded).expect("rows");
    assert_eq!(found[0][0], found[0][1]);
    assert_eq!(found[0][2], found[0][3]);
    let failed = run(&format!("SELECT sum({cast}) FROM tpch.tiny.lineitem"));
    assert_eq!(failed.expect_err("R is no number").code(), Some(ErrorCode::InvalidCastArgument));
    let none = format!("SELECT sum({cast}) FROM tpch.tiny.lineitem WHERE l_orderkey < 0");
    assert_eq!(run(&none).expect("no row"), [[json!(null)]]);
    // A part that fails without a column, for rows of which a batch has none, or of which it has some.
    let constant =
        "SELECT count(x) FROM (SELECT CASE WHEN l_orderkey < @ THEN substr(l_shipmode, 1 / 0) END AS x
        FROM tpch.tiny.lineitem)";
    assert_eq!(run(&constant.replace('@', "0")).expect("no row"), [[json!(0)]]);
    let failed = run(&constant.replace('@', "100"));
    assert_eq!(failed.expect_err("1 / 0").code(), Some(ErrorCode::DivisionByZero));
}
