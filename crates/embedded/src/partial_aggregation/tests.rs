use std::collections::{HashMap, HashSet};

use polars::prelude::{
    BooleanChunked, Engine, IdxCa, Int32Chunked, IntoLazy, NewChunkedArray, StringChunked,
};
use proptest::prelude::*;

use super::*;
use crate::numeric::DecimalTypes;
use rowhouse_sql::expr::ArithmeticOperator;

/// A row: its keys; a decimal with two fractional digits, an integer, a double.
type Row = ((Option<String>, Option<i32>, bool), (Option<i128>, Option<i64>, Option<f64>));

fn frame(rows: &[Row]) -> DataFrame {
    let texts: StringChunked = rows.iter().map(|(key, _)| key.0.as_deref()).collect();
    let numbers: Int32Chunked = rows.iter().map(|(key, _)| key.1).collect();
    let booleans = BooleanChunked::from_iter_values("b".into(), rows.iter().map(|(key, _)| key.2));
    let decimals: Int128Chunked = rows.iter().map(|(_, values)| values.0).collect();
    let whole: Int64Chunked = rows.iter().map(|(_, values)| values.1).collect();
    let doubles: Float64Chunked = rows.iter().map(|(_, values)| values.2).collect();
    let columns = vec![
        texts.with_name("t".into()).into_series().into_column(),
        numbers.with_name("n".into()).into_series().into_column(),
        booleans.into_series().into_column(),
        decimal_column(decimals.with_name("x".into()), 38, 2),
        whole.with_name("y".into()).into_series().into_column(),
        doubles.with_name("z".into()).into_series().into_column(),
    ];
    DataFrame::new(rows.len(), columns).expect("a frame")
}

/// The number `(1 - x) * y + 0.001`.
fn computed() -> Number {
    use ArithmeticOperator as O;
    let column = |name: &str| Number::Column(name.into());
    let types = |left, right, output| DecimalTypes { left, right, output };
    let difference =
        Number::arithmetic(O::Subtract, Number::Constant(1), column("x"), types((1, 0), (38, 2), (38, 2)));
    let product = difference.and_then(|difference| {
        Number::arithmetic(O::Multiply, difference, column("y"), types((38, 2), (19, 0), (38, 2)))
    });
    let sum = product.and_then(|product| {
        Number::arithmetic(O::Add, product, Number::Constant(1), types((38, 2), (4, 3), (38, 3)))
    });
    sum.expect("exact arithmetic")
}

fn partials() -> Vec<Partial> {
    let sum = |name: &str, scale| PartialKind::Sum { number: Number::Column(name.into()), scale };
    let kinds = [
        PartialKind::Rows,
        PartialKind::Count(vec!["x".into()]),
        PartialKind::Count(vec!["x".into(), "y".into()]),
        sum("x", Some(2)),
        sum("y", None),
        PartialKind::Sum { number: computed(), scale: Some(3) },
        PartialKind::DoubleSum("z".into()),
    ];
    let named = |(place, kind): (usize, PartialKind)| Partial { output: format!("o{place}").into(), kind };
    kinds.into_iter().enumerate().map(named).collect()
}

/// The counts, the sums of numbers, and the sum of doubles of each group.
type Groups = HashMap<Vec<Option<String>>, ([i64; 3], [i128; 3], f64)>;

fn expected(rows: &[Row], keys: usize) -> Groups {
    let mut groups = Groups::new();
    if keys == 0 {
        // All rows are one group, which may be empty.
        groups.insert(Vec::new(), ([0; 3], [0; 3], 0.0));
    }
    for ((text, number, boolean), (x, y, z)) in rows {
        let mut key = vec![text.clone(), number.map(|number| number.to_string()), Some(boolean.to_string())];
        key.truncate(keys);
        let (counts, sums, double) = groups.entry(key).or_default();
        let both = x.zip(*y);
        let numbers = [Some(1), x.map(|_| 1), both.map(|_| 1)];
        let values = [*x, y.map(i128::from), both.map(|(x, y)| (100 - x) * i128::from(y) * 10 + 1)];
        counts.iter_mut().zip(numbers).for_each(|(count, one)| *count += one.unwrap_or(0));
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value.unwrap_or(0));
        *double += z.unwrap_or(0.0);
    }
    groups
}

fn found(batches: &[DataFrame], keys: usize) -> PolarsResult<Groups> {
    let names: Vec<PlSmallStr> = ["t", "n", "b"].into_iter().take(keys).map(PlSmallStr::from_str).collect();
    let mut groups = Groups::new();
    for batch in batches {
        let partial = aggregate(batch, &names, &partials(), &Attempts::default())?;
        let series = |name: &str| partial.column(name).expect("a column").as_materialized_series().clone();
        let keys: Vec<_> =
            names.iter().map(|name| series(name).cast(&DataType::String).expect("texts")).collect();
        let counts = [0, 1, 2].map(|place| series(&format!("o{place}")).i64().expect("counts").clone());
        let sums = [3, 4, 5]
            .map(|place| series(&format!("o{place}")).to_physical_repr().i128().expect("sums").clone());
        let doubles = series("o6").f64().expect("doubles").clone();
        for row in 0..partial.height() {
            let key = keys.iter().map(|key| key.str().expect("texts").get(row).map(str::to_owned)).collect();
            let (all_counts, all_sums, double) = groups.entry(key).or_default();
            for (all, counts) in all_counts.iter_mut().zip(&counts) {
                *all += counts.get(row).expect("a count");
            }
            for (all, sums) in all_sums.iter_mut().zip(&sums) {
                *all += sums.get(row).unwrap_or(0);
            }
            *double += doubles.get(row).unwrap_or(0.0);
        }
    }
    Ok(groups)
}

/// Rows with keys from `keys` different ones, and decimals of at most `bits` bits.
fn rows(keys: u32, bits: u32) -> impl Strategy<Value = Vec<Row>> {
    let text = (0..keys).prop_map(|number| match number % 3 {
        0 => number.to_string(),
        1 => format!("a text that does not fit into its view {number}"),
        _ => "\u{0}".repeat(number as usize % 5),
    });
    let key = (
        proptest::option::weighted(0.9, text),
        proptest::option::weighted(0.9, -3..i32::try_from(keys).expect("few")),
        any::<bool>(),
    );
    let most = 1_i128 << bits;
    let values = (
        proptest::option::weighted(0.8, -most..=most),
        proptest::option::weighted(0.8, prop_oneof![-9_i64..9, -most_whole(bits)..=most_whole(bits)]),
        // Sums of integers are exact in doubles, in any order.
        proptest::option::weighted(0.8, (-1000_i32..1000).prop_map(f64::from)),
    );
    proptest::collection::vec((key, values), 0..3000)
}

/// The greatest integer whose products with decimals of `bits` bits can be summed.
fn most_whole(bits: u32) -> i64 {
    1 << 60_u32.min(80 - bits)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn partial_aggregates_sum_to_the_aggregates_of_all_rows(
        (rows, keys) in (prop_oneof![Just(3_u32), Just(40), Just(4000)], 0_u32..79)
            .prop_flat_map(|(values, bits)| (rows(values, bits), 0_usize..=3)),
        cut in 0_usize..3000,
    ) {
        let (first, second) = rows.split_at(cut.min(rows.len()));
        let found = found(&[frame(first), frame(second)], keys).expect("groups");
        prop_assert_eq!(found, expected(&rows, keys));
    }
}

#[test]
fn few_groups_are_aggregated_and_many_are_passed_on_as_rows() {
    let row = |number: i32| ((None, Some(number), true), (Some(1), Some(1), None));
    let height = |rows: &[Row]| {
        let keys = ["t".into(), "n".into()];
        aggregate(&frame(rows), &keys, &partials(), &Attempts::default()).expect("groups").height()
    };
    let rows = |rows: i32, groups: i32| (0..rows).map(|number| row(number % groups)).collect::<Vec<_>>();
    assert_eq!(height(&[]), 0);
    assert_eq!(height(&rows(5000, 1000)), 1000);
    assert_eq!(height(&rows(4000, 1024)), 1024);
    assert_eq!(height(&rows(4000, 1025)), 4000);
    assert_eq!(height(&rows(5000, 1250)), 1250);
    assert_eq!(height(&rows(5000, 1251)), 5000);
    assert_eq!(height(&rows(66_000, 16_384)), 16_384);
    assert_eq!(height(&rows(66_000, 16_385)), 66_000);
}

#[test]
fn batches_with_many_groups_end_the_attempts() {
    let attempts = Attempts::default();
    let names = ["t".into(), "n".into()];
    let height = |groups: i32| {
        let rows: Vec<Row> =
            (0..4000).map(|number| ((None, Some(number % groups), true), (None, None, None))).collect();
        aggregate(&frame(&rows), &names, &partials(), &attempts).expect("groups").height()
    };
    for _ in 0..MAX_FAILED {
        assert_eq!(height(10), 10);
        assert_eq!(height(4000), 4000);
    }
    assert_eq!(height(10), 4000);
}

/// Texts as a dictionary gives them: equal ones have equal views.
#[test]
fn a_partial_distinct_retains_each_combination() {
    const ROWS: i32 = 12_000;
    let frame = |texts: i32, numbers: i32| {
        let text =
            |number: i32| (number != 3).then(|| format!("a text that is too long for a view: {number}"));
        let dictionary: StringChunked = (0..texts).map(text).collect();
        let places: IdxCa = (0..ROWS).map(|row| u32::try_from(row % texts).ok()).collect();
        let texts =
            dictionary.into_series().into_column().take(&places).expect("texts").with_name("t".into());
        let numbers: Int32Chunked = (0..ROWS).map(|row| Some(row % numbers)).collect();
        let numbers = numbers.with_name("n".into()).into_series().into_column();
        DataFrame::new(texts.len(), vec![texts, numbers]).expect("a frame")
    };
    let distinct = |frame: &DataFrame| {
        let texts = frame.column("t").expect("texts").str().expect("texts");
        let numbers = frame.column("n").expect("numbers").i32().expect("numbers");
        texts.iter().zip(numbers.iter()).collect::<HashSet<_>>().len()
    };
    let columns = || vec!["t".into(), "n".into()];
    for (texts, numbers, kept) in [(7, 11, 77), (2_500, 1, 2_500), (4_000, 7, 12_000)] {
        let all = frame(texts, numbers);
        let found = partially_distinct(all.clone().lazy(), columns(), "own".into());
        let found = found.collect_with_engine(Engine::InMemory).expect("rows").unwrap_single();
        assert_eq!(found.height(), kept);
        assert_eq!(distinct(&found), distinct(&all));
    }
}

#[test]
fn large_values_are_summed_or_refused() {
    let sum = |values: &[(i128, i64)]| {
        let rows: Vec<Row> =
            values.iter().map(|(x, y)| ((None, None, true), (Some(*x), Some(*y), None))).collect();
        let names = ["t".into()];
        let kinds = ["x", "y"].map(|name| {
            let kind = PartialKind::Sum { number: Number::Column(name.into()), scale: None };
            Partial { output: format!("sum of {name}").into(), kind }
        });
        let groups = aggregate(&frame(&rows), &names, &kinds, &Attempts::default()).ok()?;
        let value = |name: &str| groups.column(name).expect("a sum").i128().expect("wide").get(0);
        value("sum of x").zip(value("sum of y"))
    };
    let most = 1_i128 << 62;
    assert_eq!(sum(&[(most, i64::MAX), (most, i64::MAX)]), Some((2 * most, 2 * i128::from(i64::MAX))));
    assert_eq!(sum(&[(-most, i64::MIN); 1025]), Some((-1025 * most, 1025 * i128::from(i64::MIN))));
    assert_eq!(sum(&[(most - 1, 0); 5000]), Some((5000 * (most - 1), 0)));
    assert_eq!(sum(&[((1 << 90) - 1, 0)]), Some(((1 << 90) - 1, 0)));
    assert_eq!(sum(&[(1 << 90, 0)]), None, "a sum of such values is looked at");
}

/// Values of NULLs are arbitrary.
#[test]
fn values_of_nulls_are_ignored() {
    use polars_arrow::array::PrimitiveArray;
    use polars_arrow::bitmap::Bitmap;

    let array = PrimitiveArray::from_vec(vec![7, 1 << 100]).with_validity(Some(Bitmap::from([true, false])));
    let decimals = Int128Chunked::with_chunk("x".into(), array);
    let kind = PartialKind::Sum { number: Number::Column("x".into()), scale: Some(2) };
    let partials = [Partial { output: "sum".into(), kind }];
    for keys in [vec![Some(1_i32), Some(1)], (0..2).map(Some).collect()] {
        let keys: Int32Chunked = keys.into_iter().collect();
        let columns = vec![
            keys.with_name("n".into()).into_series().into_column(),
            decimal_column(decimals.clone(), 15, 2),
        ];
        let batch = DataFrame::new(2, columns).expect("a frame");
        for found in [aggregate(&batch, &["n".into()], &partials, &Attempts::default()), {
            let keys: Vec<&Column> = batch.columns()[..1].iter().collect();
            each_row(&batch, &keys, &partials)
        }] {
            let sums = found.expect("groups").column("sum").expect("a sum").to_physical_repr();
            assert_eq!(sums.i128().expect("wide").iter().flatten().sum::<i128>(), 7);
        }
    }
}
