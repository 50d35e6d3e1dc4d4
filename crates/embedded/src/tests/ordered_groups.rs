//! Groups of rows that are in the order of their key, or only seem to be: the same groups as with a hash table.

use polars::prelude::{Column, DataType, Int128Chunked, IntoColumn, IntoSeries, NewChunkedArray};

use super::one_table::OneTable;
use super::*;

/// More rows than the smallest table whose groups are computed in order; not a multiple of three.
const ROWS: i64 = (1 << 20) + 100;
const ROWS_PER_GROUP: i64 = 130_000;

/// A table with this key, and values of several types, some of which are NULL.
fn table(key: impl Fn(i64) -> i64) -> OneTable {
    let rows = || 0..ROWS;
    let unless = |row: i64, every: i64, value: i64| (row % every != 1).then_some(value);
    let price = rows().map(|row| unless(row, 5, row % 1000).map(i128::from));
    let price = Int128Chunked::from_iter_options("price".into(), price).into_series().into_column();
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let share = rows().map(|row| unless(row, 7, row % 64).map(|value| value as f64 / 4.0));
    let columns = vec![
        Column::new("k".into(), rows().map(&key).collect::<Vec<_>>()),
        Column::new("n".into(), rows().map(|row| unless(row, 3, row % 100)).collect::<Vec<_>>()),
        price.cast(&DataType::Decimal(12, 2)).expect("decimals"),
        Column::new("share".into(), share.collect::<Vec<_>>()),
    ];
    OneTable::new(columns, usize::try_from(ROWS_PER_GROUP).expect("a number of rows"))
}

/// Whether the groups are computed in order: ahead, with their key and not with a word that it is computed from, and
/// only those of several batches are grouped again.
fn is_in_order(table: &OneTable, groups: &str) -> bool {
    let plan = table.optimized_plan(&groups.replace("BY key", "BY k").replace("key AS k", "k"));
    let has_key = plan.contains("DF [\"#0\"");
    !plan.contains("Parquet") && has_key && (plan.contains("UNION") || !plan.contains("AGGREGATE"))
}

/// Checks the groups of statements, in which the key is `key`.
fn check(table: &OneTable, expects_order: bool) {
    for (filter, is_filtered_in_order) in
        [("", true), ("WHERE n IS NULL OR n < 90", true), ("WHERE n = 5", false)]
    {
        let groups = format!(
            "SELECT key AS k, count(*) AS a, count(n) AS b, sum(n) AS c, avg(n) AS d, sum(price) AS e, avg(price) AS f,
                    sum(share) AS g, count(share) AS h, sum(price * 2 + 1) AS i FROM t {filter} GROUP BY key"
        );
        assert_eq!(is_in_order(table, &groups), expects_order && is_filtered_in_order, "{filter}");
        let summed = |key: &str| {
            table.rows(&format!(
                "SELECT count(*), sum(k), sum(k * a), sum(k * b), sum(k * c), count(c), CAST(round(sum(d) * 6) AS bigint), count(d), sum(k * e),
                        sum(f), count(e), count(f), sum(k * g), count(g), sum(k * h), sum(k * i), max(a), min(c)
                 FROM ({}) x",
                groups.replace("key", key)
            ))
        };
        let found = summed("k");
        assert_ne!(found[0][0], json!(0), "{filter}");
        // A computed key has no order.
        assert_eq!(found, summed("coalesce(nullif(k, -1), 0)"), "{filter}");
    }
}

#[test]
fn groups_in_order_are_the_same() {
    check(&table(|row| row / 3), true);
    // With gaps.
    check(&table(|row| row / 5 * 1009), true);
}

#[test]
fn groups_that_only_seem_to_be_in_order_are_the_same() {
    let in_group = |row: i64| (row / ROWS_PER_GROUP, row % ROWS_PER_GROUP);
    // Each row group has its own keys: in descending order, each key in two places, and scattered.
    let descending = |row: i64| {
        let (group, row) = in_group(row);
        (group + 1) * ROWS_PER_GROUP - row / 3
    };
    let returning = |row: i64| {
        let (group, row) = in_group(row);
        group * ROWS_PER_GROUP + row / 2 % (ROWS_PER_GROUP / 4)
    };
    let scattered = |row: i64| {
        let (group, row) = in_group(row);
        group * ROWS_PER_GROUP + row * 7919 % (ROWS_PER_GROUP / 3)
    };
    for key in [&descending as &dyn Fn(i64) -> i64, &returning, &scattered] {
        check(&table(key), false);
    }
}
