//! Many groups by integers, which are computed in partitions: the same groups as those of texts, which Polars computes.

use polars::prelude::{Column, DataType, Int128Chunked, IntoColumn, IntoSeries, NewChunkedArray};

use super::one_table::OneTable;
use super::*;

/// More rows than the smallest table whose groups are computed in partitions, in several row groups.
const ROWS: i64 = (1 << 17) + 1000;

/// A table of integers with many values, scattered over the rows, and of values to add up.
fn table() -> OneTable {
    let rows = || 0..ROWS;
    let unless = |row: i64, every: i64, value: i64| (row % every != 1).then_some(value);
    let scattered = |row: i64| row * 7919 % 30_011;
    let price = rows().map(|row| unless(row, 5, row % 1000).map(i128::from));
    let price = Int128Chunked::from_iter_options("price".into(), price).into_series().into_column();
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let share = rows().map(|row| unless(row, 7, row % 64).map(|value| value as f64 / 4.0));
    let small = |row: i64| i32::try_from(row % 1201 - 600).expect("a small number");
    let day = Column::new(
        "day".into(),
        rows().map(|row| unless(row, 11, 0).map(|_| small(row))).collect::<Vec<_>>(),
    );
    let columns = vec![
        // Of values that are close to each other, with and without NULLs; and far apart, beyond what a double says.
        Column::new("near".into(), rows().map(scattered).collect::<Vec<_>>()),
        Column::new("some".into(), rows().map(|row| unless(row, 13, scattered(row) - 9)).collect::<Vec<_>>()),
        Column::new("far".into(), rows().map(|row| scattered(row) << 47).collect::<Vec<_>>()),
        Column::new("short".into(), rows().map(small).collect::<Vec<_>>()),
        day.cast(&DataType::Date).expect("dates"),
        Column::new("n".into(), rows().map(|row| unless(row, 3, row % 100)).collect::<Vec<_>>()),
        price.cast(&DataType::Decimal(12, 2)).expect("decimals"),
        Column::new("share".into(), share.collect::<Vec<_>>()),
    ];
    OneTable::new(columns, 30_000)
}

const KEYS: [&[&str]; 9] = [
    &["near"],
    &["some"],
    &["far"],
    &["near", "short"],
    &["some", "short"],
    &["far", "day"],
    &["far", "near", "some"],
    &["near", "day"],
    &["near + 1", "short"],
];

fn texts(values: impl Iterator<Item = String>) -> String {
    values.map(|value| format!("CAST({value} AS varchar)")).collect::<Vec<_>>().join(", ")
}

/// Checks that a statement by numbers and one by their texts have the same rows, and that Polars groups only the latter.
fn check(table: &OneTable, by_numbers: &str, by_texts: &str) {
    assert!(!table.optimized_plan(by_numbers).contains("Parquet"), "{by_numbers} is computed ahead");
    assert!(table.optimized_plan(by_texts).contains("Parquet"), "{by_texts} is computed by Polars");
    let (mut found, mut expected) = (table.rows(by_numbers), table.rows(by_texts));
    let text = |row: &Vec<Value>| serde_json::to_string(row).expect("a row");
    found.sort_by_cached_key(text);
    expected.sort_by_cached_key(text);
    assert!(found.len() > 1000, "{by_numbers}: {}", found.len());
    assert!(found == expected, "{by_numbers}: {} and {} rows", found.len(), expected.len());
}

#[test]
fn groups_in_partitions_are_the_same() {
    let table = table();
    for keys in KEYS {
        let shown = texts(keys.iter().map(|key| (*key).to_owned()));
        for filter in ["", "WHERE n IS NULL OR n < 50"] {
            let groups = |by: &str| {
                format!(
                    "SELECT {shown}, count(*), count(n), sum(n), avg(n), sum(price), avg(price), sum(share),
                            count(share), sum(price * 2 + 1) FROM t {filter} GROUP BY {by}"
                )
            };
            check(&table, &groups(&keys.join(", ")), &groups(&shown));
        }
    }
}

#[test]
fn distinct_values_in_partitions_are_the_same() {
    let table = table();
    for keys in KEYS {
        let named = |place: usize| format!("c{place}");
        let columns: Vec<String> =
            keys.iter().enumerate().map(|(place, key)| format!("{key} AS {}", named(place))).collect();
        let by_numbers = format!(
            "SELECT {} FROM (SELECT DISTINCT {} FROM t) x",
            texts((0..keys.len()).map(named)),
            columns.join(", ")
        );
        let by_texts = format!("SELECT DISTINCT {} FROM t", texts(keys.iter().map(|key| (*key).to_owned())));
        check(&table, &by_numbers, &by_texts);
    }
}

#[test]
fn distinct_arguments_in_partitions_are_the_same() {
    let table = table();
    for (key, argument) in [("short", "near"), ("short", "some"), ("day", "far"), ("near", "short")] {
        let groups =
            |argument: &str| format!("SELECT {key}, count(DISTINCT {argument}) FROM t GROUP BY {key}");
        check(&table, &groups(argument), &groups(&format!("CAST({argument} AS varchar)")));
    }
    for argument in ["near", "some", "far"] {
        let count = |argument: &str| table.rows(&format!("SELECT count(DISTINCT {argument}) FROM t"));
        assert_eq!(count(argument), count(&format!("CAST({argument} AS varchar)")), "{argument}");
    }
}
