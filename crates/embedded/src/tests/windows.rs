//! Windows of which fewer rows are sorted, or whose functions are computed from arrays, beside the same windows with
//! conditions and offsets that are not constants, which are evaluated row by row.

use super::rows;
use rowhouse_sql::PassSet;

/// Lines with NULLs, doubles and a column that is always two.
const LINES: &str = "(SELECT *, if(l_linenumber % 3 = 0, NULL, l_partkey % 50) AS p, if(l_linenumber > 5, NULL, l_suppkey) AS s,
        CAST(l_quantity AS double) / if(l_tax = 0, 0, 3) AS d, l_linenumber - l_linenumber + 2 AS two
    FROM tpch.tiny.lineitem WHERE l_orderkey < 8000)";

#[test]
fn rows_of_the_first_ranks_are_found_among_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |sql: &str| rows(sql, &PassSet::default(), folder.path()).expect("rows");
    for (ranks, partition, order, condition) in [
        ("row_number()", "l_suppkey", "l_extendedprice DESC, l_orderkey, l_linenumber", "{n} = 1"),
        ("row_number()", "l_suppkey", "l_shipdate, l_orderkey, l_linenumber", "{n} <= 3"),
        ("row_number()", "p", "s, l_orderkey, l_linenumber", "{n} < 3"),
        ("row_number()", "p, l_returnflag", "s NULLS FIRST, l_orderkey, l_linenumber", "2 >= {n}"),
        ("row_number()", "l_orderkey", "d DESC, l_linenumber", "{n} = 2 AND l_tax > 0"),
        ("row_number()", "l_orderkey, l_linenumber", "d", "{n} = 1"),
        ("row_number()", "l_comment", "l_orderkey, l_linenumber", "{n} = 1"),
        ("row_number()", "l_shipdate", "l_comment, l_orderkey, l_linenumber", "{n} = 1"),
        ("row_number()", "l_returnflag", "l_shipmode DESC, l_orderkey, l_linenumber", "{n} <= 32"),
        ("row_number()", "", "d, l_orderkey, l_linenumber", "{n} <= 5"),
        ("rank()", "l_returnflag, l_linestatus", "l_quantity", "{n} = 1"),
        ("rank()", "l_linenumber", "d DESC NULLS LAST", "3 > {n}"),
        ("rank()", "l_linenumber", "d", "{n} <= 2"),
        ("rank()", "", "s DESC NULLS FIRST", "{n} = 1 AND p > 3"),
        ("rank()", "l_suppkey", "p DESC NULLS LAST", "{n} BETWEEN 2 AND 4"),
        ("dense_rank()", "l_suppkey", "l_linenumber", "{n} <= 2"),
        ("count(*)", "l_suppkey", "l_linenumber", "{n} <= 40"),
    ] {
        let by = if partition.is_empty() { String::new() } else { format!("PARTITION BY {partition}") };
        let of = |rank: &str| {
            let condition = condition.replace("{n}", rank);
            run(&format!(
                "SELECT l_orderkey, l_linenumber, n, m FROM (SELECT *, {ranks} OVER ({by} ORDER BY {order}) AS n,
                    rank() OVER ({by} ORDER BY {order}) AS m FROM {LINES}) WHERE {condition} ORDER BY 1, 2"
            ))
        };
        let expected = of("(n + 0)");
        assert!(!expected.is_empty(), "{condition}");
        assert_eq!(of("n"), expected, "{ranks} by {partition} in the order {order}: {condition}");
    }
}

#[test]
fn frames_of_constant_widths_have_the_values_of_computed_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |sql: &str| rows(sql, &PassSet::default(), folder.path()).expect("rows");
    let calls = [
        "count(*)",
        "count(s)",
        "sum(s)",
        "sum(l_extendedprice)",
        "avg(l_extendedprice)",
        "avg(l_suppkey)",
        "min(s)",
        "max(l_shipdate)",
        "min(l_discount)",
        "first_value(s)",
        "last_value(l_comment)",
        "nth_value(s, 2)",
    ];
    let in_rows = |frame: &str| {
        let columns = calls
            .iter()
            .map(|call| format!("{call} OVER (PARTITION BY p ORDER BY l_orderkey, l_linenumber {frame})"));
        run(&format!(
            "SELECT l_orderkey, l_linenumber, {} FROM {LINES} ORDER BY 1, 2",
            columns.collect::<Vec<_>>().join(", ")
        ))
    };
    for (constant, computed) in [
        ("ROWS BETWEEN 2 PRECEDING AND CURRENT ROW", "ROWS BETWEEN two PRECEDING AND two - 2 FOLLOWING"),
        ("ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING", "ROWS BETWEEN two - 1 PRECEDING AND two - 1 FOLLOWING"),
        ("ROWS BETWEEN 4 PRECEDING AND 2 PRECEDING", "ROWS BETWEEN two + 2 PRECEDING AND two PRECEDING"),
        (
            "ROWS BETWEEN 2 FOLLOWING AND 1000000 FOLLOWING",
            "ROWS BETWEEN two FOLLOWING AND two + 999998 FOLLOWING",
        ),
        ("ROWS BETWEEN 2 PRECEDING AND 4 PRECEDING", "ROWS BETWEEN two PRECEDING AND two + 2 PRECEDING"),
        (
            "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
            "ROWS BETWEEN two - 2 PRECEDING AND UNBOUNDED FOLLOWING",
        ),
        (
            "ROWS BETWEEN UNBOUNDED PRECEDING AND 2 PRECEDING",
            "ROWS BETWEEN UNBOUNDED PRECEDING AND two PRECEDING",
        ),
    ] {
        assert_eq!(in_rows(constant), in_rows(computed), "{constant}");
    }
}

#[test]
fn peers_and_partitions_have_the_values_of_computed_frames() {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |sql: &str| rows(sql, &PassSet::default(), folder.path()).expect("rows");
    // Values that are the same for all peers; IGNORE NULLS is evaluated row by row, and none is NULL.
    let of = |frame: &str, nulls: &str| {
        let columns = ["first_value(l_quantity)", "last_value(l_shipmode)", "nth_value(l_linenumber, 1)"]
            .map(|call| format!("{call} {nulls} OVER (PARTITION BY s, l_linenumber ORDER BY l_quantity, l_shipmode {frame})"));
        let all = columns.join(", ");
        run(&format!("SELECT l_orderkey, l_linenumber, {all} FROM {LINES} ORDER BY 1, 2"))
    };
    for frame in [
        "",
        "RANGE BETWEEN CURRENT ROW AND CURRENT ROW",
        "GROUPS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING",
        "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
    ] {
        assert_eq!(of(frame, ""), of(frame, "IGNORE NULLS"), "{frame}");
    }
    let shifted = |one: &str| {
        let calls = [
            "lag(s, {1}, {1})",
            "lag(l_shipdate, 2 * {1})",
            "lead(s, 3 * {1}, l_partkey)",
            "lag(s, {1} - 1)",
            "lead(l_comment, {1}, 'none')",
            "lead(l_comment, {1})",
            "lag(d, 100000 * {1}, d)",
        ];
        let over = |window: &str| {
            calls.map(|call| format!("{} OVER ({window})", call.replace("{1}", one))).join(", ")
        };
        run(&format!(
            "SELECT l_orderkey, l_linenumber, {}, {} FROM {LINES} ORDER BY 1, 2",
            over("ORDER BY l_orderkey, l_linenumber"),
            over("PARTITION BY p, l_returnflag ORDER BY l_shipdate, l_orderkey, l_linenumber")
        ))
    };
    assert_eq!(shifted("1"), shifted("(two - 1)"));
    // Doubles are added in the order of the rows: those of two rows are the same in either order.
    let doubles = |frame: &str| {
        run(&format!(
            "SELECT l_orderkey, l_linenumber, sum(d) OVER (ORDER BY l_orderkey, l_linenumber {frame}),
                avg(d) OVER (PARTITION BY p ORDER BY l_orderkey, l_linenumber {frame}) FROM {LINES} ORDER BY 1, 2"
        ))
    };
    let constant = doubles("ROWS BETWEEN 1 PRECEDING AND CURRENT ROW");
    assert_eq!(constant, doubles("ROWS BETWEEN two - 1 PRECEDING AND CURRENT ROW"));
}
