//! The planner's rewriting passes, and the lowering of windows and of grouping keys, for NULLs, duplicates, extremes
//! and errors: the results must be the same as without them.

use std::fs::File;

use polars::prelude::{
    Column, DataFrame, DataType, Int128Chunked, IntoColumn, IntoSeries, NamedFrom, NewChunkedArray,
    ParquetWriter, Series,
};
use rowhouse_sql::Pass;

use super::*;

mod products;
mod pushed;
mod unwrapped;

const ROWS: usize = 600;

/// A table `h` of difficult values: each column has a few values in its own order.
struct Hard {
    folder: tempfile::TempDir,
}

impl Hard {
    fn new() -> Self {
        let hard = Self { folder: tempfile::tempdir().expect("a folder") };
        let mut frame = DataFrame::new(ROWS, columns()).expect("a frame");
        let file = File::create(hard.folder.path().join("h.parquet")).expect("a file");
        ParquetWriter::new(file).with_row_group_size(Some(ROWS / 4)).finish(&mut frame).expect("rows");
        hard
    }

    fn statement(&self, sql: &str) -> Statement {
        let mut submitted = statement(sql, self.folder.path());
        let location = self.folder.path().join("h.parquet").display().to_string();
        let source = TableSource::Files { location, format: TableFormat::Parquet };
        submitted.catalog.tables[0] =
            TableEntry { name: "h".to_owned(), source, ..submitted.catalog.tables[0].clone() };
        submitted
    }

    /// The rows in a canonical order, or the error's name.
    fn outcome(&self, sql: &str, passes: &PassSet) -> Result<Vec<String>, String> {
        let options = ExecutionOptions {
            passes,
            attempts: &[Attempt::Streaming],
            spill: None,
            samples: Samples::Create,
            uses_plan_cache: false,
        };
        let rows = rows_of(&options, &self.statement(sql)).map_err(|error| error.error_name)?;
        let mut rows: Vec<String> = rows.iter().map(|row| sort_key(&json!(row))).collect();
        rows.sort_unstable();
        Ok(rows)
    }

    fn plan(&self, sql: &str, passes: &PassSet) -> String {
        let statement = self.statement(sql);
        let analyzed =
            plan(&statement, passes, &mut Tables::of(&statement, Samples::Create)).expect("a plan");
        let shared: Vec<String> = analyzed.shared.iter().map(ToString::to_string).collect();
        format!("{}\n{}", shared.join("\n"), analyzed.plan)
    }

    /// Checks that the pass rewrites each statement and changes no answer.
    fn same(&self, pass: Pass, all: &PassSet, statements: &[&str]) {
        for sql in statements {
            let without = all.clone().without(pass);
            assert_ne!(self.plan(sql, all), self.plan(sql, &without), "{pass:?} does nothing: {sql}");
            let expected = self.outcome(sql, &PassSet::none());
            assert!(expected.is_ok(), "{sql}: {expected:?}");
            assert_eq!(self.outcome(sql, all), expected, "with {pass:?}: {sql}");
            assert_eq!(self.outcome(sql, &without), expected, "without {pass:?}: {sql}");
        }
    }

    /// Checks that the pass changes none of the statements, whose outcomes are the same with all passes and with none.
    fn left(&self, pass: Pass, all: &PassSet, statements: &[&str]) {
        for sql in statements {
            let without = all.clone().without(pass);
            assert_eq!(self.plan(sql, all), self.plan(sql, &without), "{pass:?}: {sql}");
            assert_eq!(self.outcome(sql, all), self.outcome(sql, &PassSet::none()), "{pass:?}: {sql}");
        }
    }

    /// Checks that two statements have the same rows.
    fn equal(&self, one: &str, other: &str) {
        let found = self.outcome(one, &PassSet::default());
        assert!(found.is_ok(), "{one}: {found:?}");
        assert_eq!(found, self.outcome(other, &PassSet::default()), "{one}\n{other}");
    }
}

/// A pseudo-random index below `count`, which depends only on the row and the column.
fn pseudo_random_index(row: usize, column: usize, count: usize) -> usize {
    let mut bits = (row as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (column as u64).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 29)).wrapping_mul(0x94D0_49BB_1331_11EB);
    usize::try_from((bits >> 33) % count as u64).expect("a small number")
}

fn column<T: Clone>(number: usize, values: &[T]) -> Vec<T> {
    (0..ROWS).map(|row| values[pseudo_random_index(row, number, values.len())].clone()).collect()
}

fn decimals(name: &str, number: usize, digits: usize, values: &[Option<i128>]) -> Column {
    let drawn = column(number, values).into_iter();
    let values = Int128Chunked::from_iter_options(name.into(), drawn);
    values.into_decimal_unchecked(digits, 2).into_series().into_column()
}

fn columns() -> Vec<Column> {
    let big = 10_i128.pow(37) * 9;
    let days =
        Series::new("d".into(), column(5, &[None, Some(-719_162), Some(-1), Some(0), Some(2_932_896)]));
    vec![
        Series::new("id".into(), (0..ROWS as i32).collect::<Vec<i32>>()).into(),
        Series::new("n".into(), column(0, &[0_i32, 1, 2, 3])).into(),
        Series::new(
            "a".into(),
            column(1, &[None, Some(i32::MIN), Some(-1), Some(0), Some(1), Some(i32::MAX)]),
        )
        .into(),
        Series::new(
            "b".into(),
            column(2, &[None, Some(i64::MIN), Some(-1), Some(0), Some(1 << 32), Some(i64::MAX)]),
        )
        .into(),
        Series::new("s".into(), column(3, &[None, Some(i16::MIN), Some(0), Some(7), Some(i16::MAX)])).into(),
        Series::new("y".into(), column(4, &[None, Some(i8::MIN), Some(0), Some(i8::MAX)])).into(),
        days.cast(&DataType::Date).expect("dates").into(),
        decimals("m", 6, 7, &[None, Some(-9_999_999), Some(0), Some(1), Some(9_999_999)]),
        decimals("w", 7, 38, &[None, Some(-big), Some(1), Some(big)]),
        Series::new(
            "f".into(),
            column(8, &[None, Some(f64::NAN), Some(-0.0), Some(0.0), Some(1.5), Some(0.25)]),
        )
        .into(),
        Series::new("t".into(), column(9, &[None, Some(""), Some("a"), Some("b")])).into(),
    ]
}

#[test]
fn simplified_sums_give_the_same_rows() {
    let hard = Hard::new();
    let all = PassSet::default();
    hard.same(
        Pass::SimplifySums,
        &all,
        &[
            "SELECT n, sum(s + 1), sum(s - 7), sum(5 + s), sum(s), count(*) FROM h GROUP BY n",
            "SELECT sum(s + 1) FILTER (WHERE a > 0), sum(s + 2) FILTER (WHERE a > 0), sum(s + 2) FROM h",
            "SELECT sum(y + 1), sum(y + 2), sum(y) FROM h WHERE id < 0",
            "SELECT sum(y + 1), sum(y + 2) FROM h WHERE y IS NULL",
            "SELECT count(DISTINCT s), sum(DISTINCT CAST(s AS bigint)), count(DISTINCT n), sum(s + 1), sum(s + 2) FROM h",
        ],
    );
    hard.left(
        Pass::SimplifySums,
        &all,
        &[
            "SELECT sum(a + 1), sum(a + 2) FROM h",
            "SELECT sum(b + 1), sum(b + 2) FROM h",
            "SELECT sum(DISTINCT s + 1), sum(DISTINCT s + 2) FROM h",
            "SELECT sum(s + 1) FILTER (WHERE a > 0), sum(s + 2) FROM h",
        ],
    );
}

#[test]
fn fused_subqueries_give_the_same_rows() {
    let hard = Hard::new();
    let all = PassSet::default();
    hard.same(
        Pass::FuseSubqueries,
        &all,
        &[
            "SELECT (SELECT count(*) FROM h WHERE a = 1), (SELECT avg(m) FROM h WHERE a = 0),
                (SELECT sum(m) FROM h WHERE t IS NULL), (SELECT max(t) FROM h WHERE a > 0 AND m < 1),
                (SELECT count(m) FROM h WHERE a = 77), (SELECT sum(s) FROM h WHERE a = 77)",
            "SELECT (SELECT count(*) FROM h WHERE NOT (a = 1)), (SELECT count(*) FROM h WHERE a = 1 OR t = 'a'),
                (SELECT count(*) FROM h)",
            "SELECT (SELECT sum(m) FILTER (WHERE t = 'a') FROM h WHERE a = 1), (SELECT sum(m) FROM h WHERE a = 1)",
            "SELECT (SELECT count(*) FROM h x, h z WHERE x.n = z.id AND x.a = 1),
                (SELECT count(z.t) FROM h x, h z WHERE x.n = z.id AND x.a = 0 AND z.t = 'a')",
            "SELECT p, q FROM (SELECT max(t) q FROM h WHERE a = 1), (VALUES 7) v (x), (SELECT count(*) p FROM h WHERE a = 0)
                UNION ALL SELECT 5, 'x'",
            "SELECT * FROM (SELECT count(*) q FROM h WHERE a = 1), (VALUES 7) v (x), (SELECT max(t) p FROM h WHERE a = 0)
                UNION ALL SELECT 5, 6, 'x'",
            "SELECT (SELECT 1e0 / count(*) FROM h WHERE a = 1) + (SELECT count(*) + 1 FROM h WHERE a = 0)",
        ],
    );
    hard.left(
        Pass::FuseSubqueries,
        &all,
        &[
            "SELECT (SELECT sum(10 / n) FROM h WHERE n <> 0), (SELECT count(*) FROM h WHERE n = 0)",
            "SELECT (SELECT count(*) FROM h WHERE n <> 0 AND 10 / n > 3), (SELECT count(*) FROM h WHERE n < 2)",
            "SELECT (SELECT sum(x) FROM (SELECT 10 / n AS x FROM h WHERE n <> 0)),
                (SELECT sum(x) FROM (SELECT n AS x FROM h WHERE n < 2))",
            "SELECT (SELECT count(*) FROM h x, h z WHERE x.n = z.id), (SELECT count(*) FROM h x, h z WHERE x.id = z.n)",
            "SELECT (SELECT count(DISTINCT a) FROM h WHERE n = 1), (SELECT count(*) FROM h WHERE n = 2)",
        ],
    );
}

/// Each subquery has its own random rows.
#[test]
fn random_samples_are_not_fused() {
    let hard = Hard::new();
    let sql = "SELECT (SELECT sum(id) FROM h WHERE random() < 0.5 AND a = 1), (SELECT sum(id) FROM h WHERE random() < 0.5)";
    let without = PassSet::default().without(Pass::FuseSubqueries);
    assert_eq!(hard.plan(sql, &PassSet::default()), hard.plan(sql, &without));
}

#[test]
fn distinct_aggregates_as_groups_give_the_same_rows() {
    let hard = Hard::new();
    let all = PassSet::default();
    hard.same(
        Pass::SingleDistinctToGroupBy,
        &all,
        &[
            "SELECT n, count(*), sum(s), avg(f), min(t), max(m), avg(m), count(DISTINCT a) FROM h GROUP BY n",
            "SELECT a, count(*), sum(m) FILTER (WHERE t = 'a'), count(DISTINCT m), sum(DISTINCT m), avg(DISTINCT m)
                FROM h GROUP BY a",
            "SELECT count(*), count(a), count(DISTINCT t), max(t), count_if(a > 0), bool_and(a > 0) FROM h",
            "SELECT count(*), sum(m), count(DISTINCT t), max(DISTINCT t) FROM h WHERE id < 0",
            "SELECT n, count(a), count(DISTINCT d) FROM h WHERE d IS NULL GROUP BY n",
            "SELECT n, count(*), count(DISTINCT s / 7) FROM h GROUP BY n",
        ],
    );
    hard.left(
        Pass::SingleDistinctToGroupBy,
        &all,
        &[
            "SELECT sum(x), count(DISTINCT z) FROM (VALUES (9223372036854775807, 1), (1, 1), (-5, 2)) v (x, z)",
            "SELECT sum(w), count(DISTINCT n) FROM h",
            "SELECT count(*), count(DISTINCT f) FROM h",
            "SELECT s FROM (SELECT n, sum(s) AS s, count(DISTINCT 10 / n) FROM h GROUP BY n)",
        ],
    );
}

#[test]
fn pre_aggregated_cases_give_the_same_rows() {
    let hard = Hard::new();
    let all = PassSet::default().for_large_tables();
    hard.same(
        Pass::PreAggregateCase,
        &all,
        &["SELECT z.a, sum(CASE WHEN z.t = 'a' THEN x.m END), sum(CASE WHEN z.t = 'b' THEN x.m ELSE 0 END), count(*),
                count(x.t), min(CASE WHEN z.t IS NULL THEN x.s END), sum(CASE WHEN z.t = '' THEN 1 ELSE 0 END),
                sum(CASE WHEN z.t > '' THEN x.s WHEN z.t = '' THEN 0 END)
            FROM h x, h z WHERE x.n = z.id GROUP BY z.a"],
    );
    hard.left(
        Pass::PreAggregateCase,
        &all,
        &[
            "SELECT z.a, sum(CASE WHEN 1 / z.f > 0 THEN x.m END), sum(CASE WHEN 1 / z.f < 0 THEN x.m END)
                FROM h x, h z WHERE x.n = z.id GROUP BY z.a",
            "SELECT z.a, sum(CASE WHEN z.t = 'c' THEN x.w END), sum(CASE WHEN z.t = 'd' THEN x.w ELSE 0 END)
                FROM h x, h z WHERE x.n = z.id GROUP BY z.a",
            "SELECT z.a, sum(CASE WHEN z.t = 'c' THEN x.b END), sum(CASE WHEN z.t = 'd' THEN x.b ELSE 0 END)
                FROM h x, h z WHERE x.n = z.id GROUP BY z.a",
            "SELECT z.a, sum(CASE WHEN z.t = 'c' THEN 10 / x.n END), sum(CASE WHEN z.t = 'd' THEN 10 / x.n END)
                FROM h x, h z WHERE x.n = z.id GROUP BY z.a",
        ],
    );
}

#[test]
fn common_subexpressions_do_not_introduce_errors() {
    let hard = Hard::new();
    let all = PassSet::default();
    hard.same(
        Pass::CommonSubexpressions,
        &all,
        &[
            "SELECT CASE WHEN s - n > 0 THEN 1 END, CASE WHEN s - n > 6 THEN 2 ELSE s - n END FROM h",
            "SELECT sum(CASE WHEN id - n > 30 THEN 1 END), sum(CASE WHEN id - n > 60 THEN 1 END), max(id - n) FROM h",
            "SELECT upper(t) || 'x', upper(t) || 'y', upper(t) FROM h",
            "SELECT 10 / (n + 1), TRY(10 / (n + 1)), 10 / (n + 1) + 1 FROM h",
            "SELECT atan2(f, 0e0) + 1, atan2(f, 0e0) + 2, atan2(f, -0e0) + 1 FROM h",
        ],
    );
    hard.left(
        Pass::CommonSubexpressions,
        &all,
        &[
            "SELECT CASE WHEN n <> 0 THEN 10 / n END, CASE WHEN n > 1 THEN 10 / n END FROM h",
            "SELECT n <> 0 AND 10 / n > 1, n > 0 AND 10 / n > 2 FROM h",
            "SELECT n = 0 OR 10 / n > 1, n < 1 OR 10 / n > 2 FROM h",
            "SELECT TRY(10 / n), TRY(10 / n) + 1 FROM h",
            "SELECT coalesce(n + 1, 10 / n), coalesce(n + 2, 10 / n) FROM h",
            "SELECT y FROM (SELECT 10 / n AS x, CASE WHEN n <> 0 THEN 10 / n END AS y FROM h)",
            "SELECT sum(10 / n) FILTER (WHERE n <> 0), max(10 / n) FILTER (WHERE n > 1) FROM h",
            "SELECT transform(ARRAY[1, 2], e -> 10 / n + e), transform(ARRAY[1], e -> 10 / n + e) FROM h WHERE n > 0",
            "SELECT random(7) + n, random(7) + n FROM h WHERE id < 0",
        ],
    );
}

#[test]
fn grouping_sets_computed_from_finer_sets_give_the_same_rows() {
    let hard = Hard::new();
    let all = PassSet::default();
    for sql in [
        "SELECT l_orderkey % 7, l_linenumber, n, c, s, a, least FROM (SELECT l_orderkey, l_linenumber, l_suppkey,
            count(*) AS n, count(l_comment) AS c, sum(l_quantity) AS s, avg(l_discount) AS a, min(l_shipdate) AS least
            FROM tpch.tiny.lineitem GROUP BY ROLLUP (l_orderkey, l_linenumber, l_suppkey)) WHERE l_orderkey IS NULL
            OR l_orderkey < 90",
        "SELECT a, t, s, count(*), sum(m), avg(m), min(d), max(t), count(y) FROM h GROUP BY CUBE (a, t, s)",
        "SELECT a, t, count(*), sum(m) FROM h WHERE id < 0 GROUP BY GROUPING SETS ((a, t), (a), (), ())",
    ] {
        let expected = hard.outcome(sql, &PassSet::none());
        assert!(expected.as_ref().is_ok_and(|rows| !rows.is_empty()), "{sql}: {expected:?}");
        assert_eq!(hard.outcome(sql, &all), expected, "{sql}");
    }
    let kept = "SELECT l_orderkey, l_linenumber, l_suppkey, count(*) FROM tpch.tiny.lineitem
        GROUP BY ROLLUP (l_orderkey, l_linenumber, l_suppkey)";
    let plan = hard.plan(kept, &all);
    assert_eq!(plan.matches("Scan table").count(), 1, "{plan}");
    assert!(plan.matches("Shared 1").count() > 1, "{plan}");
}

#[test]
fn dynamic_filters_below_unions_and_windows_drop_what_no_row_matches() {
    let hard = Hard::new();
    let all = PassSet::default().for_large_tables();
    hard.same(
        Pass::ReduceBySemiJoin,
        &all,
        &[
            "SELECT count(*), count(u.k), sum(u.v), sum(z.m) FROM (SELECT id AS k, m AS v FROM h UNION ALL
                SELECT n, s FROM h UNION ALL SELECT NULL, 7 FROM h) u JOIN h z ON u.k = z.id WHERE z.id < 3",
            "SELECT w.id, w.r, w.c, z.id FROM (SELECT id, n, rank() OVER (PARTITION BY id ORDER BY n) AS r,
                count(*) OVER (PARTITION BY id, n) AS c FROM h) w JOIN h z ON w.id = z.id WHERE z.id < 9",
        ],
    );
}

#[test]
fn packed_keys_are_distinct() {
    let hard = Hard::new();
    let calls = "count(*), count(t), sum(m), min(s), max(b), avg(f)";
    for (keys, texts) in [
        ("a, d", "CAST(a AS varchar), CAST(d AS varchar)"),
        ("a, b", "CAST(a AS varchar), CAST(b AS varchar)"),
        ("n, s, y", "CAST(n AS varchar), CAST(s AS varchar), CAST(y AS varchar)"),
        ("b, y, s, n", "CAST(b AS varchar), CAST(y AS varchar), CAST(s AS varchar), CAST(n AS varchar)"),
    ] {
        let by_text = |calls: &str| format!("SELECT {texts}, {calls} FROM h GROUP BY {texts}");
        hard.equal(&format!("SELECT {texts}, {calls} FROM h GROUP BY {keys}"), &by_text(calls));
        // Other implementations of grouping: values in a list, and distinct values.
        for call in [
            "cardinality(array_agg(t))",
            "count(DISTINCT b)",
            "count(DISTINCT d)",
            "count(DISTINCT b), sum(m)",
        ] {
            hard.equal(&format!("SELECT {texts}, {call} FROM h GROUP BY {keys}"), &by_text(call));
        }
    }
    hard.equal(
        "SELECT count(*) FROM h x JOIN h z ON x.a = z.a AND x.d = z.d",
        "SELECT count(*) FROM h x JOIN h z ON CAST(x.a AS varchar) || ' ' || CAST(x.d AS varchar)
            = CAST(z.a AS varchar) || ' ' || CAST(z.d AS varchar)",
    );
    hard.equal(
        "SELECT count(*) FROM h x LEFT JOIN (SELECT DISTINCT n, s FROM h WHERE n > 1) z ON x.n = z.n AND x.s = z.s WHERE z.n IS NULL",
        "SELECT count(*) FROM h WHERE n <= 1 OR s IS NULL",
    );
}

/// Windows with a FILTER are evaluated row by row, even if it retains all rows.
#[test]
fn running_windows_match_windows_evaluated_row_by_row() {
    let hard = Hard::new();
    let windows = [
        "PARTITION BY n ORDER BY a",
        "PARTITION BY a ORDER BY id ROWS UNBOUNDED PRECEDING",
        "PARTITION BY t ORDER BY d DESC NULLS FIRST RANGE UNBOUNDED PRECEDING",
        "PARTITION BY d, y ORDER BY m GROUPS UNBOUNDED PRECEDING",
        "PARTITION BY m",
        "ORDER BY s, t",
        "",
        "PARTITION BY f ORDER BY f",
        "ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING",
    ];
    let calls = [
        "count(*)",
        "count(a)",
        "count(t)",
        "sum(s)",
        "sum(a)",
        "sum(m)",
        "avg(m)",
        "min(a)",
        "max(b)",
        "min(d)",
        "max(m)",
        "max(w)",
        "min(y)",
        "count(ARRAY[a])",
    ];
    let all = |filter: &str| {
        let columns = windows
            .iter()
            .flat_map(|window| calls.iter().map(move |call| format!("{call} {filter} OVER ({window})")));
        format!("SELECT id, {} FROM h", columns.collect::<Vec<_>>().join(", "))
    };
    hard.equal(&all(""), &all("FILTER (WHERE id >= 0)"));
    // Doubles are summed in row order; after NaN all sums are NaN.
    let doubles = |filter: &str| {
        format!(
            "SELECT id, sum(f) {filter} OVER (ORDER BY id DESC), avg(f) {filter} OVER (PARTITION BY t ORDER BY id),
                CAST(sum(f) {filter} OVER (PARTITION BY t ORDER BY id) AS varchar) FROM h WHERE f IS NULL OR f < 9"
        )
    };
    hard.equal(&doubles(""), &doubles("FILTER (WHERE id >= 0)"));
    for (sum, error) in [("sum(b)", "NUMERIC_VALUE_OUT_OF_RANGE"), ("sum(w)", "NUMERIC_VALUE_OUT_OF_RANGE")] {
        for filter in ["", "FILTER (WHERE id >= 0)"] {
            let sql = format!("SELECT {sum} {filter} OVER (ORDER BY w, b, id) FROM h");
            assert_eq!(hard.outcome(&sql, &PassSet::default()), Err(error.to_owned()), "{sql}");
        }
    }
}

#[test]
fn ranking_functions_are_consistent() {
    let hard = Hard::new();
    for window in
        ["PARTITION BY n ORDER BY a", "PARTITION BY t, n ORDER BY f DESC", "ORDER BY d, y", "PARTITION BY d"]
    {
        let partition =
            window.split(" ORDER").next().filter(|part| part.starts_with("PARTITION")).unwrap_or("");
        hard.equal(
            &format!("SELECT id, rank() OVER ({window}) FROM h"),
            &format!(
                "SELECT id, CAST(round(percent_rank() OVER ({window}) * (count(*) FILTER (WHERE id >= 0) OVER ({partition}) - 1)) AS bigint)
                    + 1 FROM h"
            ),
        );
    }
    hard.equal(
        "SELECT id, dense_rank() OVER (PARTITION BY n ORDER BY s) FROM h",
        "SELECT id, count(DISTINCT coalesce(CAST(s AS varchar), 'NULL')) OVER (PARTITION BY n ORDER BY s) FROM h",
    );
    hard.equal(
        "SELECT id, row_number() OVER (PARTITION BY n ORDER BY id), row_number() OVER (ORDER BY id DESC) FROM h",
        "SELECT id, count(*) FILTER (WHERE id >= 0) OVER (PARTITION BY n ORDER BY id), 600 - id FROM h",
    );
}
