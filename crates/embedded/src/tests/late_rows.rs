//! The first rows of a table, of which only the key is read before its last row is known, beside numbered rows.

use super::rows;
use rowhouse_sql::PassSet;

#[test]
fn the_first_rows_of_a_table_are_those_of_the_lowest_numbers() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |sql: &str| rows(sql, &PassSet::default(), folder.path()).expect("rows");
    let table = "(SELECT *, nullif(l_quantity, 50) AS q, if(l_linenumber > 6, NULL, l_orderkey) AS k, DATE '9999-12-31' AS last
        FROM tpch.tiny.lineitem)";
    let plain = "tpch.tiny.lineitem";
    for (table, order, condition, offset, limit) in [
        (plain, "l_orderkey DESC, l_linenumber", "true", 0, 7),
        (plain, "l_shipdate, l_orderkey, l_linenumber", "true", 3, 20),
        (plain, "l_extendedprice DESC, l_orderkey, l_linenumber", "l_returnflag = 'R'", 0, 1),
        (plain, "l_discount, l_orderkey DESC, l_linenumber", "l_comment LIKE '%a%'", 100, 1000),
        (plain, "l_partkey DESC, l_orderkey, l_linenumber", "l_orderkey < 8", 0, 1000),
        (plain, "l_partkey, l_orderkey, l_linenumber", "l_orderkey < 0", 0, 5),
        (table, "q DESC NULLS FIRST, l_orderkey, l_linenumber", "true", 0, 50),
        (table, "q NULLS FIRST, l_orderkey, l_linenumber", "true", 1100, 500),
        (table, "q DESC NULLS LAST, l_orderkey, l_linenumber", "true", 0, 9000),
        (table, "k DESC NULLS LAST, l_linenumber", "l_linenumber > 5", 5000, 4000),
        (table, "last, k NULLS FIRST, l_orderkey, l_linenumber", "true", 0, 9),
    ] {
        let found = run(&format!(
            "SELECT l_orderkey, l_linenumber, l_partkey, l_comment, l_shipdate, l_tax FROM {table} WHERE {condition}
                ORDER BY {order} OFFSET {offset} LIMIT {limit}"
        ));
        let expected = run(&format!(
            "SELECT l_orderkey, l_linenumber, l_partkey, l_comment, l_shipdate, l_tax FROM
                (SELECT *, row_number() OVER (ORDER BY {order}) AS place FROM {table} WHERE {condition})
                WHERE place > {offset} AND place <= {offset} + {limit} ORDER BY place"
        ));
        assert_eq!(found, expected, "{order} where {condition}");
    }
}

/// A batch of one row is a constant to Polars, whose decimal it compared with others of another unit.
#[test]
fn values_of_batches_of_one_row_are_among_the_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = |sql: &str| super::rows(sql, &super::PassSet::default(), folder.path()).expect("rows");
    for value in [
        "CAST({} AS decimal(38,4))",
        "CAST({} AS decimal(9,2))",
        "CAST({} AS bigint)",
        "CAST({} AS double)",
        "date_add('minute', CAST({} AS bigint), TIMESTAMP '2020-01-01 00:00:00')",
        "date_add('day', CAST({} AS bigint), DATE '2020-01-01')",
        "date_add('millisecond', CAST({} AS bigint), TIME '01:00:00.000')",
        "CAST({} * INTERVAL '1' SECOND AS varchar)",
        "{} * INTERVAL '1' SECOND",
        "'a' || CAST({} AS varchar)",
    ] {
        let of = |number: &str| value.replace("{}", number);
        let one = |rest: u32| {
            let value = of(&format!("(max(o_totalprice) + {rest})"));
            format!(" UNION ALL SELECT {value} FROM tpch.tiny.orders WHERE o_orderkey % 7 = {rest}")
        };
        let ones: String = (0..7).map(one).collect();
        let all = format!(
            "SELECT x FROM (SELECT {} x FROM tpch.tiny.orders{ones}) t ORDER BY x",
            of("o_totalprice")
        );
        for order in ["", " DESC"] {
            let mut expected = rows(&format!("{all}{order}"));
            expected.truncate(12);
            for _ in 0..3 {
                assert_eq!(rows(&format!("{all}{order} LIMIT 12")), expected, "{value}{order}");
            }
        }
    }
}
