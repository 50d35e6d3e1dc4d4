//! Filters of which a part is evaluated in the scan of a Parquet file and the rest above it: the same rows pass.

use polars::prelude::{Column, DataType, Int128Chunked, IntoColumn, IntoSeries, NewChunkedArray};

use super::one_table::OneTable;
use super::*;

/// More rows than the column cache takes.
const ROWS: i64 = 140_000;

/// A table `t` in four row groups: `place` increases, `price` and `weight` increase with it, the other columns are
/// scattered, and some values of `kind`, `other`, `cost`, `share` and `name` are NULL.
struct Scattered(OneTable);

const fn scattered(row: i64, seed: i64) -> i64 {
    let mixed = (row ^ (row >> 7)).wrapping_mul(0x9E37_79B9).wrapping_add(seed.wrapping_mul(0x85EB_CA6B));
    ((mixed ^ (mixed >> 15)).wrapping_mul(0x2C1B_3C6D) >> 12) & 0xFFFF
}

fn decimal(name: &str, value: impl Fn(i64) -> Option<i64>) -> Column {
    let cents =
        Int128Chunked::from_iter_options(name.into(), (0..ROWS).map(|row| value(row).map(i128::from)));
    cents.into_series().into_column().cast(&DataType::Decimal(10, 0)).expect("decimals")
}

fn columns() -> Vec<Column> {
    let rows = || 0..ROWS;
    let unless = |row: i64, every: i64, value: i64| (row % every != 3).then_some(value);
    let text = |row: i64| unless(row, 13, 0).map(|_| format!("name {}", scattered(row, 5) % 9));
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let double = |value: i64| value as f64 / 4.0;
    vec![
        Column::new("place".into(), rows().collect::<Vec<_>>()),
        Column::new(
            "kind".into(),
            rows().map(|row| unless(row, 7, scattered(row, 1) % 20)).collect::<Vec<_>>(),
        ),
        Column::new(
            "other".into(),
            rows().map(|row| unless(row, 9, scattered(row, 2) % 20)).collect::<Vec<_>>(),
        ),
        decimal("cost", |row| unless(row, 11, scattered(row, 3) % 1000)),
        decimal("price", Some),
        Column::new(
            "share".into(),
            rows().map(|row| unless(row, 17, scattered(row, 4)).map(double)).collect::<Vec<_>>(),
        ),
        Column::new("weight".into(), rows().map(double).collect::<Vec<_>>()),
        Column::new("name".into(), rows().map(text).collect::<Vec<_>>()),
        Column::new("a".into(), rows().map(|row| scattered(row, 6)).collect::<Vec<_>>()),
        Column::new("b".into(), rows().map(|row| scattered(row, 7)).collect::<Vec<_>>()),
        Column::new("c".into(), rows().map(|row| scattered(row, 8)).collect::<Vec<_>>()),
        Column::new("d".into(), rows().map(|row| scattered(row, 9)).collect::<Vec<_>>()),
    ]
}

impl Scattered {
    fn new() -> Self {
        Self(OneTable::new(columns(), usize::try_from(ROWS / 4).expect("a number of rows")))
    }

    /// Whether a part of a statement's filter is evaluated above the scan.
    fn is_divided(&self, sql: &str) -> bool {
        let plan = self.0.optimized_plan(sql);
        assert!(plan.contains("SELECTION"), "{plan}");
        plan.contains("FILTER")
    }

    /// Checks the rows of a filter.
    fn check(&self, condition: &str) {
        let sums = "sum(place), sum(a), sum(b), count(cost), sum(cost), count(share), count(name)";
        let found = self.0.rows(&format!("SELECT count(*), {sums} FROM t WHERE {condition}"));
        // The condition is no filter.
        let expected = self.0.rows(&format!(
            "SELECT coalesce(sum(n), 0), sum(place), sum(a), sum(b), count(cost), sum(cost), count(share), count(name)
             FROM (SELECT n, if(n = 1, place) place, if(n = 1, a) a, if(n = 1, b) b, if(n = 1, cost) cost,
                          if(n = 1, share) share, if(n = 1, name) name
                   FROM (SELECT *, if({condition}, 1, 0) n FROM t) x) y"
        ));
        assert_ne!(found[0][0], json!(0), "{condition}");
        assert_eq!(found, expected, "{condition}");
    }
}

#[test]
fn the_same_rows_pass_a_divided_filter() {
    let table = Scattered::new();
    for condition in [
        "kind = 3 AND cost < 200",
        "kind < 4 AND cost BETWEEN 100 AND 300 AND share > 8000",
        "kind < 4 AND kind > 1 AND kind <> other",
        "name = 'name 4' AND share BETWEEN 100.25 AND 4000 AND place > 20000",
        "name LIKE '%2' AND kind < other",
        "name IN ('name 1', 'name 7') AND (cost < 10 OR other = 5)",
        "(kind = 1 OR kind IS NULL) AND (cost IS NULL OR cost > 900)",
        "kind IS NULL AND NOT (cost > 500)",
        "kind = 5 AND share IS NOT NULL AND a < b",
        "kind = 5 AND coalesce(cost, 1) = 1",
    ] {
        assert!(table.is_divided(&format!("SELECT sum(a) FROM t WHERE {condition}")), "{condition}");
        table.check(condition);
    }
}

#[test]
fn a_filter_is_divided_only_where_that_costs_less() {
    let table = Scattered::new();
    for (columns, condition) in [
        // All over one column each; none.
        ("a", "kind = 3 AND other < 5"),
        ("a", "cost < 200 AND share > 10"),
        // Most rows pass the first part, few the second one, and many columns would be decoded.
        ("place, a, b, c, d, weight, name", "kind < 19 AND cost = 3"),
        // Row groups are skipped by the second part.
        ("a", "kind = 3 AND price < 1000"),
        ("a", "kind = 3 AND weight BETWEEN 10.5 AND 2000"),
        // A condition that can fail is evaluated last.
        ("a", "kind = 3 AND cost < 200 AND 10 / a = 0"),
    ] {
        assert!(!table.is_divided(&format!("SELECT {columns} FROM t WHERE {condition}")), "{condition}");
        if !condition.contains('/') {
            table.check(condition);
        }
    }
}
