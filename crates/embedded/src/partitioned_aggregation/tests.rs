use std::collections::HashMap;

use polars::prelude::{Column, Engine, Int64Chunked, Int128Chunked, IntoColumn, IntoLazy, IntoSeries};
use proptest::prelude::*;

use super::*;
use crate::numeric::{Number, decimal_column};
use crate::partial_aggregation::PartialKind;

/// A row: its word; a decimal, an integer, a double.
type Row = (u64, Option<i128>, Option<i64>, Option<f64>);

/// The counts, the sums of numbers and the sum of doubles of each group.
type Expected = HashMap<i128, ([i64; 2], [i128; 2], f64)>;

fn frame(rows: &[Row], is_wide: bool) -> DataFrame {
    // In a wide word, the upper half differs, too.
    let words = match is_wide {
        false => Column::new("word".into(), rows.iter().map(|row| row.0.cast_signed()).collect::<Vec<_>>()),
        true => {
            let words = rows.iter().map(|row| wide(row.0)).collect();
            Int128Chunked::from_vec("word".into(), words).into_series().into_column()
        }
    };
    let decimals: Int128Chunked = rows.iter().map(|row| row.1).collect();
    let whole: Int64Chunked = rows.iter().map(|row| row.2).collect();
    let columns = vec![
        words,
        decimal_column(decimals.with_name("x".into()), 38, 2),
        whole.with_name("y".into()).into_series().into_column(),
        Column::new("z".into(), rows.iter().map(|row| row.3).collect::<Vec<_>>()),
    ];
    DataFrame::new(rows.len(), columns).expect("a frame")
}

fn wide(word: u64) -> i128 {
    (i128::from(word % 3) << 64) | i128::from(word)
}

fn partials() -> Vec<Partial> {
    let sum = |name: &str, scale| PartialKind::Sum { number: Number::Column(name.into()), scale };
    let kinds = [
        PartialKind::Rows,
        PartialKind::Count(vec!["x".into(), "y".into()]),
        sum("x", Some(2)),
        sum("y", None),
        PartialKind::DoubleSum("z".into()),
    ];
    let named = |(place, kind): (usize, PartialKind)| Partial { output: format!("o{place}").into(), kind };
    kinds.into_iter().enumerate().map(named).collect()
}

fn expected(rows: &[Row], is_wide: bool) -> Expected {
    let mut groups = Expected::new();
    for (word, x, y, z) in rows {
        let word = if is_wide { wide(*word) } else { i128::from(*word) };
        let (counts, sums, double) = groups.entry(word).or_default();
        counts[0] += 1;
        counts[1] += i64::from(x.is_some() && y.is_some());
        sums[0] += x.unwrap_or(0);
        sums[1] += i128::from(y.unwrap_or(0));
        *double += z.unwrap_or(0.0);
    }
    groups
}

fn found(groups: &DataFrame, is_wide: bool) -> Expected {
    let series = |name: &str| groups.column(name).expect("a column").as_materialized_series().clone();
    let longs = |name: &str| series(name).i64().expect("integers").iter().flatten().collect::<Vec<i64>>();
    let numbers = |name: &str| {
        let numbers = series(name).to_physical_repr().into_owned();
        numbers.i128().expect("numbers").iter().flatten().collect::<Vec<i128>>()
    };
    let words: Vec<i128> = match is_wide {
        false => longs("word").into_iter().map(|word| i128::from(word.cast_unsigned())).collect(),
        true => numbers("word"),
    };
    let (o0, o1, o2, o3) = (longs("o0"), longs("o1"), numbers("o2"), numbers("o3"));
    let o4: Vec<f64> = series("o4").f64().expect("doubles").iter().flatten().collect();
    let groups = words.iter().enumerate();
    let groups: Expected =
        groups.map(|(at, word)| (*word, ([o0[at], o1[at]], [o2[at], o3[at]], o4[at]))).collect();
    assert_eq!(groups.len(), words.len(), "a group appears once");
    groups
}

/// Checks the groups of rows that arrive in these batches.
fn check(batches: &[Vec<Row>], layout: Layout, is_wide: bool) {
    let aggregation = PartitionedAggregation::new(layout, is_wide, partials());
    for rows in batches {
        let frame = frame(rows, is_wide).lazy();
        let empty = aggregation.adding(frame, "word".into(), "own".into());
        let empty = empty.collect_with_engine(Engine::Streaming).expect("a frame").unwrap_single();
        assert_eq!(empty.height(), 0);
    }
    let groups = aggregation.finish(&"word".into()).expect("groups");
    assert_eq!(found(&groups, is_wide), expected(&batches.concat(), is_wide));
}

/// Doubles whose sums are exact, so that their order does not matter.
fn rows(words: u64) -> impl Strategy<Value = Vec<Row>> {
    let x = prop_oneof![
        4 => (-1000_i128..1000).prop_map(Some),
        1 => (-1_i128 << 90..1 << 90).prop_map(Some),
        1 => Just(None)
    ];
    let y = prop_oneof![
        4 => (-1000_i64..1000).prop_map(Some),
        1 => any::<i64>().prop_map(Some),
        1 => Just(None)
    ];
    let z = prop_oneof![4 => (-64_i32..64).prop_map(|z| Some(f64::from(z) / 8.0)), 1 => Just(None)];
    proptest::collection::vec((0..words, x, y, z), 0..300)
}

proptest! {
    #[test]
    fn direct_groups_are_those_of_all_batches(
        words in 1_u64..5000,
        batches in proptest::collection::vec(rows(5000), 0..4),
        is_wide in Just(false),
    ) {
        let batches: Vec<Vec<Row>> =
            batches.into_iter().map(|rows| rows.into_iter().map(|row| (row.0 % words, row.1, row.2, row.3)).collect()).collect();
        check(&batches, Layout::direct(words), is_wide);
    }

    #[test]
    fn hashed_groups_are_those_of_all_batches(
        factor in prop_oneof![Just(1_u64), Just(1 << 32), any::<u64>()],
        groups in prop_oneof![Just(1_u64), Just(1 << 22), Just(u64::MAX)],
        batches in proptest::collection::vec(rows(5000), 0..4),
        is_wide: bool,
    ) {
        let batches: Vec<Vec<Row>> = batches
            .into_iter()
            .map(|rows| rows.into_iter().map(|row| (row.0.wrapping_mul(factor), row.1, row.2, row.3)).collect())
            .collect();
        check(&batches, Layout::hashed(groups), is_wide);
    }
}

#[test]
fn many_groups_of_concurrent_batches_are_complete() {
    let rows = |words: u64| {
        (0..400_000_u64).map(move |row| (row * 7919 % words, Some(i128::from(row)), None, Some(0.5)))
    };
    for words in [1, 16, 17, 100_000, 399_989] {
        let rows: Vec<Row> = rows(words).collect();
        let batches = [rows];
        check(&batches, Layout::direct(words), false);
        for is_wide in [false, true] {
            check(&batches, Layout::hashed(words), is_wide);
        }
    }
}

#[test]
fn sums_of_large_numbers_are_exact() {
    let row = |x: i128, y: i64| (1, Some(x), Some(y), None);
    let batch = vec![row(1 << 61, i64::MAX); 5];
    check(&[batch.clone(), batch, vec![row(-(1 << 90), i64::MIN); 3]], Layout::direct(2), false);
}

#[test]
fn each_word_of_a_direct_layout_has_a_place() {
    for words in [1, 2, 15, 16, 17, 1000, (1 << 18) - 1, 1 << 18, (1 << 18) + 1, 5_000_000] {
        let layout = Layout::direct(words);
        let partitions = layout.partitions();
        assert!(partitions <= 1 << MAX_PARTITION_BITS, "{words}: {layout:?}");
        assert!(
            words < 1 << MIN_PARTITION_BITS || partitions > 1 << (MIN_PARTITION_BITS - 1),
            "{words}: {layout:?}"
        );
        let rows = vec![(words - 1, Some(1), Some(1), Some(1.0)), (0, None, None, None)];
        check(&[rows], layout, false);
    }
}
