//! Sums over all rows, which are computed batch by batch in 64 bits where the values permit it: the same as with a double
//! as the key, by which Polars adds up each row.

use polars::prelude::{Column, DataType, Int128Chunked, IntoColumn, IntoSeries, NewChunkedArray};

use super::one_table::OneTable;
use super::*;

const ROWS: i64 = 25_000;
const SUMS: &str = "count(*), count(b), sum(i), sum(b), avg(i), sum(d), avg(d), sum(d * 2 + 1), sum(w), avg(w), sum(x), sum(b) + count(i)";

/// A table of several batches: small and large integers, decimals whose sums need 64 bits and more, doubles.
fn table() -> OneTable {
    let rows = || 0..ROWS;
    let unless = |row: i64, every: i64| (row % every != 1).then_some(row);
    let decimals = |name: &str, value: &dyn Fn(i64) -> Option<i128>, precision, scale| {
        let values = Int128Chunked::from_iter_options(name.into(), rows().map(value));
        values.into_decimal_unchecked(precision, scale).into_series().into_column()
    };
    let large = |row: i64| if row % 2 == 0 { (1 << 50) - row } else { row * 2 - (1 << 50) };
    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
    let doubles = rows().map(|row| unless(row, 7).map(|row| (row - 9000) as f64 / 4.0));
    let columns = vec![
        Column::new("r".into(), rows().collect::<Vec<_>>()),
        Column::new("i".into(), rows().map(|row| unless(row, 3)).collect::<Vec<_>>())
            .cast(&DataType::Int32)
            .expect("integers"),
        Column::new("b".into(), rows().map(|row| unless(row, 5).map(large)).collect::<Vec<_>>()),
        decimals("d", &|row| unless(row, 4).map(|row| i128::from(row * 7919 % 1_000_003 - 500_000)), 12, 2),
        decimals("w", &|row| unless(row, 6).map(|row| i128::from(row - 11_000) * 10_i128.pow(27)), 38, 3),
        Column::new("x".into(), doubles.collect::<Vec<_>>()),
        Column::new("one".into(), vec![1.0; usize::try_from(ROWS).expect("a number of rows")]),
    ];
    OneTable::new(columns, 4000)
}

#[test]
fn sums_of_all_rows_are_those_of_one_group() {
    let table = table();
    for filter in [
        "",
        "WHERE r < 10",
        "WHERE r % 7 < 2",
        "WHERE b IS NULL",
        "WHERE d < 0 OR x > 100",
        "WHERE r % 999 = 1",
    ] {
        let of_all = format!("SELECT {SUMS} FROM t {filter}");
        assert!(table.optimized_plan(&of_all).to_lowercase().contains("partial aggregation"), "{of_all}");
        let found = table.rows(&of_all);
        assert_eq!(found, table.rows(&format!("SELECT {SUMS} FROM t {filter} GROUP BY one")), "{filter}");
        assert!(found.len() == 1 && found[0][0] != json!(0), "{filter}: {found:?}");
    }
}

#[test]
fn sums_of_no_rows_are_null() {
    let found = table().rows(&format!("SELECT {SUMS} FROM t WHERE r < 0"));
    let zeros = [0, 1].map(|_| json!(0));
    assert_eq!(found, [zeros.into_iter().chain((2..12).map(|_| Value::Null)).collect::<Vec<_>>()]);
}

#[test]
fn a_sum_beyond_its_type_fails() {
    let table = table();
    let fails = |sql: &str, message: &str| {
        let error = table.error(sql);
        assert!(error.message.contains(message), "{sql}: {}", error.message);
    };
    fails("SELECT sum(b) FROM t WHERE r % 2 = 0", "bigint addition overflow");
    fails("SELECT sum(w * 100000000) FROM t", "ecimal");
}
