//! Many groups by integers and texts, which are computed in partitions: the same groups as with a double among the keys,
//! which Polars computes.

use polars::prelude::{Column, DataType, Int128Chunked, IntoColumn, IntoSeries, NewChunkedArray, TimeUnit};

use super::one_table::OneTable;
use super::*;

/// More rows than the smallest table whose groups are computed in partitions, in several row groups.
const ROWS: i64 = (1 << 17) + 1000;

/// A table of integers and texts with many values, scattered over the rows, and of values to add up.
fn table() -> OneTable {
    let rows = || 0..ROWS;
    let unless = |row: i64, every: i64, value: i64| (row % every != 1).then_some(value);
    let scattered = |row: i64| row * 7919 % 30_011;
    let price = rows().map(|row| unless(row, 5, row % 1000).map(i128::from));
    let price = Int128Chunked::from_iter_options("price".into(), price).into_series().into_column();
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let share = rows().map(|row| unless(row, 7, row % 64).map(|value| value as f64 / 4.0));
    let small = |row: i64| i32::try_from(row % 1201 - 600).expect("a small number");
    let day = rows().map(|row| unless(row, 11, 0).map(|_| small(row)));
    let day = Column::new("day".into(), day.collect::<Vec<_>>());
    let instant =
        Column::new("instant".into(), rows().map(|row| (row - 70_000) * 61_000_003).collect::<Vec<_>>());
    // Texts that a view contains and texts that it does not, of which some have long common beginnings.
    let name = rows().map(|row| match scattered(row) % 20_021 {
        0 => None,
        1 => Some(String::new()),
        word if word % 3 == 0 => Some(format!("{word}")),
        word if word % 3 == 1 => Some(format!("a word with the number {word}")),
        word => Some(format!("größer\0{word}")),
    });
    let short =
        rows().map(|row| ["", "A", "B", "longer than a view"][usize::try_from(row % 4).expect("small")]);
    let columns = vec![
        // Of values that are close to each other, with and without NULLs; and far apart, beyond what a double says.
        Column::new("near".into(), rows().map(scattered).collect::<Vec<_>>()),
        // Of 10 rows, 9 have the same one.
        Column::new(
            "hot".into(),
            rows().map(|row| if row % 10 < 9 { 7 } else { scattered(row) << 20 }).collect::<Vec<_>>(),
        ),
        Column::new("some".into(), rows().map(|row| unless(row, 13, scattered(row) - 9)).collect::<Vec<_>>()),
        Column::new("far".into(), rows().map(|row| scattered(row) << 47).collect::<Vec<_>>()),
        Column::new("small".into(), rows().map(small).collect::<Vec<_>>()),
        day.cast(&DataType::Date).expect("dates"),
        instant.cast(&DataType::Datetime(TimeUnit::Microseconds, None)).expect("timestamps"),
        Column::new("name".into(), name.collect::<Vec<_>>()),
        Column::new("short".into(), short.collect::<Vec<_>>()),
        Column::new("one".into(), vec![1.0; usize::try_from(ROWS).expect("a number of rows")]),
        Column::new("n".into(), rows().map(|row| unless(row, 3, row % 100)).collect::<Vec<_>>()),
        price.cast(&DataType::Decimal(12, 2)).expect("decimals"),
        Column::new("share".into(), share.collect::<Vec<_>>()),
    ];
    OneTable::new(columns, 30_000)
}

const KEYS: [&[&str]; 16] = [
    &["near"],
    &["some"],
    &["far"],
    &["near", "small"],
    &["some", "small"],
    &["far", "day"],
    &["far", "near", "some"],
    &["near", "day"],
    &["near + 1", "small"],
    &["name"],
    &["name", "near"],
    &["hot"],
    &["hot", "short"],
    &["small", "short", "name"],
    &["far", "minute(instant)", "name"],
    &["hour(instant)", "second(instant)", "day_of_week(instant)", "month(day)"],
];

fn sorted_rows(table: &OneTable, sql: &str) -> Vec<Vec<Value>> {
    let mut rows = table.rows(sql);
    rows.sort_by_cached_key(|row| serde_json::to_string(row).expect("a row"));
    rows
}

/// Checks that two statements have the same rows, and that Polars computes only the second one.
fn check(table: &OneTable, partitioned: &str, by_polars: &str) {
    assert!(!table.optimized_plan(partitioned).contains("Parquet"), "{partitioned} is computed ahead");
    assert!(table.optimized_plan(by_polars).contains("Parquet"), "{by_polars} is computed by Polars");
    let (found, expected) = (sorted_rows(table, partitioned), sorted_rows(table, by_polars));
    assert!(found.len() > 1000, "{partitioned}: {}", found.len());
    assert!(found == expected, "{partitioned}: {} and {} rows", found.len(), expected.len());
}

#[test]
fn groups_in_partitions_are_the_same() {
    let table = table();
    for keys in KEYS {
        let keys = keys.join(", ");
        for filter in ["", "WHERE n IS NULL OR n < 50"] {
            let groups = |by: &str| {
                format!(
                    "SELECT {keys}, count(*), count(n), sum(n), avg(n), sum(price), avg(price), sum(share),
                            count(share), sum(price * 2 + 1) FROM t {filter} GROUP BY {by}"
                )
            };
            check(&table, &groups(&keys), &groups(&format!("{keys}, one")));
        }
    }
}

#[test]
fn distinct_values_in_partitions_are_the_same() {
    let table = table();
    for keys in KEYS {
        let named = keys.iter().enumerate().map(|(place, key)| format!("{key} AS c{place}"));
        let named = named.collect::<Vec<_>>().join(", ");
        let names = (0..keys.len()).map(|place| format!("c{place}")).collect::<Vec<_>>().join(", ");
        let distinct = |columns: &str| format!("SELECT {names} FROM (SELECT DISTINCT {columns} FROM t) x");
        check(
            &table,
            &distinct(&named),
            &format!("SELECT {names} FROM (SELECT DISTINCT {named}, one AS o FROM t) x WHERE o > 0"),
        );
    }
}

#[test]
fn distinct_arguments_in_partitions_are_the_same() {
    let table = table();
    for (key, argument) in
        [("small", "near"), ("small", "some"), ("day", "far"), ("near", "small"), ("near", "name")]
    {
        let partitioned = format!("SELECT {key}, count(DISTINCT {argument}) FROM t GROUP BY {key}");
        let by_polars = format!(
            "SELECT {key}, count({argument}) FROM (SELECT DISTINCT {key}, {argument}, one FROM t) x GROUP BY {key}, one"
        );
        check(&table, &partitioned, &by_polars);
    }
    for argument in ["near", "some", "far", "name"] {
        let found = table.rows(&format!("SELECT count(DISTINCT {argument}) FROM t"));
        let expected = table.rows(&format!(
            "SELECT count({argument}) FROM (SELECT DISTINCT {argument}, one FROM t) x WHERE one > 0"
        ));
        assert_eq!(found, expected, "{argument}");
    }
}

#[test]
fn aggregates_of_distinct_arguments_in_partitions_are_the_same() {
    let table = table();
    for (key, argument) in [("near", "n"), ("name", "price"), ("hot, short", "n"), ("some, small", "far")] {
        let calls = |distinct: &str| {
            ["count", "avg", "min", "max"].map(|call| format!("{call}({distinct} {argument})")).join(", ")
        };
        let sum = if argument == "far" { "" } else { argument };
        let sum =
            |distinct: &str| if sum.is_empty() { String::new() } else { format!(", sum({distinct} {sum})") };
        let of_rows = format!("SELECT {key}, {}{} FROM t GROUP BY {key}", calls("DISTINCT"), sum("DISTINCT"));
        let by_polars = format!(
            "SELECT {key}, {}{} FROM (SELECT DISTINCT {key}, {argument}, one FROM t) x GROUP BY {key}, one",
            calls(""),
            sum("")
        );
        let found = sorted_rows(&table, &of_rows);
        assert!(found.len() > 1000 && found == sorted_rows(&table, &by_polars), "{of_rows}");
    }
}

#[test]
fn keys_that_an_outer_join_makes_null_are_the_same() {
    let table = table();
    let joined =
        "FROM t a LEFT JOIN (SELECT near AS k, small, name, n FROM t WHERE n < 10) b ON a.some = b.k";
    for keys in ["b.k", "b.k, b.name", "b.small, b.k", "a.small, b.k"] {
        let groups = |by: &str| {
            format!("SELECT {keys}, count(*), count(b.n), sum(b.n), sum(a.price) {joined} GROUP BY {by}")
        };
        let found = sorted_rows(&table, &groups(keys));
        assert!(
            found.len() > 1000 && found == sorted_rows(&table, &groups(&format!("{keys}, a.one"))),
            "{keys}"
        );
    }
}

#[test]
fn few_groups_by_ranges_are_the_same() {
    let table = table();
    for keys in ["month(day)", "hour(instant), day_of_week(instant)", "quarter(day), short"] {
        let groups = |by: &str| {
            format!(
                "SELECT {keys}, count(*), count(n), sum(n), sum(share), count(DISTINCT month(instant)) FROM t GROUP BY {by}"
            )
        };
        let found = sorted_rows(&table, &groups(keys));
        assert!(found.len() > 3 && found == sorted_rows(&table, &groups(&format!("{keys}, one"))), "{keys}");
    }
}
