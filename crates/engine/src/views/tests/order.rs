//! Rows in the order of a column and their count, by index, by a pass and by a naive implementation.

use super::*;
use crate::views::{MAX_ORDERED_ROWS, RowOrder};

/// Columns of the table that have an order.
const ORDERED: [usize; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10];

/// Compares two rows in the order of a column (D46), from the arrays only.
fn compare_rows(column: &dyn Array, left: usize, right: usize, is_descending: bool) -> Ordering {
    use arrow_array::types::*;
    if column.is_null(left) || column.is_null(right) {
        return column.is_null(left).cmp(&column.is_null(right)).then(left.cmp(&right));
    }
    macro_rules! values {
        ($type:ty) => {{
            let values = column.as_primitive::<$type>();
            values.value(left).cmp(&values.value(right))
        }};
    }
    let by_value = match column.data_type() {
        DataType::LargeUtf8 => {
            let texts = column.as_string::<i64>();
            texts.value(left).as_bytes().cmp(texts.value(right).as_bytes())
        }
        DataType::Float64 => {
            let values = column.as_primitive::<Float64Type>();
            let (left, right) = (values.value(left), values.value(right));
            // NaN is the greatest of all.
            left.partial_cmp(&right).unwrap_or_else(|| left.is_nan().cmp(&right.is_nan()))
        }
        DataType::Boolean => column.as_boolean().value(left).cmp(&column.as_boolean().value(right)),
        DataType::Int64 => values!(Int64Type),
        DataType::Int32 => values!(Int32Type),
        DataType::Date32 => values!(Date32Type),
        DataType::Decimal128(..) => values!(Decimal128Type),
        DataType::Timestamp(..) => values!(TimestampMillisecondType),
        other => unreachable!("{other}"),
    };
    if is_descending { by_value.reverse() } else { by_value }.then(left.cmp(&right))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn order_and_count_agree_with_a_naive_implementation(
        seed: u64, rows in 0_usize..900, rows_per_batch in 200_usize..400,
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let table = small_table(seed, rows);
        let scanned = generation(folder.path(), 1, &table, rows_per_batch, &[]);
        let indexed = generation(folder.path(), 2, &table, rows_per_batch, &(0..11).collect::<Vec<_>>());
        let mut dice = Dice(seed);
        for _ in 0..40 {
            let texts: Vec<String> = (0..dice.below(4)).map(|_| random_filter(&mut dice)).collect();
            let filters = parsed(&texts);
            let order = RowOrder { column: dice.pick(&ORDERED), is_descending: dice.below(2) == 1 };
            let column = table.column(order.column);
            let mut passing: Vec<usize> =
                (0..rows).filter(|row| filters.iter().all(|filter| passes(&table, *row, filter))).collect();
            for generation in [&scanned, &indexed] {
                prop_assert_eq!(generation.count(&filters).expect("counted"), passing.len() as u64, "{:?}", texts);
            }
            if let Some(count) = indexed.count_at_once(&filters).expect("counted") {
                prop_assert_eq!(count, passing.len() as u64, "{:?} at once", texts);
            }
            passing.sort_by(|left, right| compare_rows(column, *left, *right, order.is_descending));
            let offset = dice.pick(&[0, 0, 1, 50, 2000]);
            let limit = dice.pick(&[u64::MAX, 0, 1, 10, 200]);
            let expected = passing.iter().skip(offset as usize).take(limit.min(1000) as usize);
            let expected: Vec<u64> = expected.map(|row| *row as u64).collect();
            for generation in [&scanned, &indexed] {
                let selection = generation.select_ordered(&filters, order, offset, limit).expect("selected");
                prop_assert_eq!(&row_numbers(generation, selection), &expected, "{:?} {:?}", texts, order);
            }
            let at_once = indexed.select_ordered_at_once(&filters, order, offset, limit).expect("selected");
            if let Some(selection) = at_once {
                prop_assert_eq!(&row_numbers(&indexed, selection), &expected, "{:?} {:?} at once", texts, order);
            }
        }
    }
}

#[test]
fn ordering_by_an_unordered_type_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let generation = generation(folder.path(), 1, &small_table(1, 10), 10, &[]);
    let order = RowOrder { column: 9, is_descending: false };
    let error = generation.select_ordered(&[], order, 0, 10).expect_err("binary");
    assert_eq!(error.kind(), ErrorKind::InvalidArguments);
    assert_eq!(error.message(), "orderBy: values of column `c9` (varbinary) have no order");
}

#[test]
fn ordering_is_refused_only_beyond_the_maximum_of_rows() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = MAX_ORDERED_ROWS + 1;
    let numbers = arrow_array::Int64Array::from_iter_values((0..rows as i64).map(|number| number / 2));
    let schema = arrow_schema::Schema::new(vec![arrow_schema::Field::new("c0", DataType::Int64, true)]);
    let table = RecordBatch::try_new(Arc::new(schema), vec![Arc::new(numbers)]).expect("a table");
    let file = stored(folder.path(), &table, 8192);
    for indexed in [&[][..], &[0]] {
        let views = folder.path().join(format!("view{}", indexed.len()));
        let columns = [Column::new("c0", "bigint")];
        let generation =
            Generation::build(&views, 1, file.path(), columns.into(), indexed, Timestamp::from_millis(0))
                .expect("built");
        for is_descending in [false, true] {
            let order = RowOrder { column: 0, is_descending };
            let all = generation.select_ordered(&[], order, 0, u64::MAX).expect_err("too many");
            assert_eq!(all.kind(), ErrorKind::InvalidArguments);
            assert!(all.message().contains("1000000"), "{all}");
            assert!(generation.select_ordered(&[], order, 999_999, 2).is_err());
            let last = generation.select_ordered(&[], order, 999_999, 1).expect("as many as may be");
            let RowSelection::Ordered(last) = last else { panic!("ordered rows") };
            // Each number has two rows, of which the first counts; the greatest number has one row.
            assert_eq!(last[..], [if is_descending { 0 } else { 999_999 }]);
            let filters = [Filter::parse("c0:GT:0", &["c0"]).expect("a filter")];
            let fewer = generation.select_ordered(&filters, order, 0, u64::MAX).expect("few enough");
            assert!(matches!(fewer, RowSelection::Ordered(rows) if rows.len() == MAX_ORDERED_ROWS - 1));
        }
    }
}
