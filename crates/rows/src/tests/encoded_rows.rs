//! Rows that are copied because they were encoded before: the same bytes as those that are encoded.

use super::*;
use crate::EncodedRowsBudget;
use crate::matching::{BatchFilter, ScanPlace};

/// Matches rows by their place in a batch: the bit of the place, modulo 64, is set.
#[derive(Debug)]
struct ByPlace(u64);

impl BatchFilter for ByPlace {
    fn may_match(&self, _: usize) -> bool {
        self.0 != 0
    }

    fn look_steps(&self) -> u64 {
        1
    }

    fn matching(&self, batch: &Batch, place: &mut ScanPlace, budget: &mut Budget, rows: &mut Vec<u32>) {
        while place.row < batch.num_rows() {
            if self.0 >> (place.row % 64) & 1 == 1 {
                rows.push(place.row as u32);
            }
            place.row += 1;
            budget.spend(1);
            if budget.is_spent() {
                break;
            }
        }
    }
}

/// A table of these types whose rows are short.
fn short_table(seed: u64, rows: usize) -> RecordBatch {
    random_table(seed, &[DataType::Int64, DataType::Float64, DataType::Date32, DataType::Boolean], rows)
}

fn objects(file: &Arc<ArrowFile>, columns: &Projection, selection: &RowSelection) -> String {
    let source = encode(Arc::clone(file), columns, selection.clone(), RowShape::Objects, RowFormat::Json);
    String::from_utf8(drained(source.expect("begun"))).expect("UTF-8")
}

/// Reads every row of the file in pages, and encodes what that has paid for; returns the number of sections.
fn earn(
    file: &Arc<ArrowFile>,
    columns: &Projection,
    budget: &Arc<EncodedRowsBudget>,
    folder: &Path,
) -> usize {
    let mut sections = 0;
    for row in 0..file.num_rows() {
        objects(file, columns, &RowSelection::Range { offset: row, limit: 1 });
        if let Some(due) = columns.take_due_section(budget) {
            columns.encode_section(&due, folder).expect("encoded");
            sections += 1;
        }
    }
    sections
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn copied_rows_are_the_encoded_ones(
        seed: u64, rows in 1_usize..120, rows_per_batch in 1_usize..12,
        offset in 0_u64..120, limit in 0_u64..60, chosen in proptest::collection::vec(0_u32..130, 0..40),
        matching: u64,
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        for table in [short_table(seed, rows), random_table(seed, &every_type(), rows)] {
            let file = stored(folder.path(), &table, rows_per_batch);
            let plain = Projection::new(all_columns(&file));
            let copied = Projection::with_encoded_rows(all_columns(&file), &file);
            let budget = EncodedRowsBudget::new(1 << 30);
            earn(&file, &copied, &budget, folder.path());
            let mut ascending = chosen.clone();
            ascending.sort_unstable();
            ascending.dedup();
            for selection in [
                RowSelection::Range { offset, limit },
                RowSelection::ALL,
                RowSelection::Rows(ascending.into()),
                RowSelection::Ordered(chosen.clone().into()),
                RowSelection::Matching { filter: Arc::new(ByPlace(matching)), offset: offset / 4, limit },
            ] {
                prop_assert_eq!(objects(&file, &copied, &selection), objects(&file, &plain, &selection));
            }
            let arrays = |columns: &Projection| {
                let all = RowSelection::ALL;
                drained(encode(Arc::clone(&file), columns, all, RowShape::Arrays, RowFormat::Json).expect("begun"))
            };
            prop_assert_eq!(arrays(&copied), arrays(&plain));
        }
    }
}

#[test]
fn pages_of_several_chunks_are_the_encoded_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = short_table(5, 40_000);
    let file = stored(folder.path(), &table, 8192);
    let plain = Projection::new(all_columns(&file));
    let copied = Projection::with_encoded_rows(all_columns(&file), &file);
    let budget = EncodedRowsBudget::new(1 << 30);
    let page = |columns: &Projection, offset: u64| {
        objects(&file, columns, &RowSelection::Range { offset, limit: 20_000 })
    };
    assert_eq!(page(&copied, 0), page(&plain, 0));
    assert!(columns_are_not_due(&copied, &budget), "half of the rows were read");
    assert_eq!(page(&copied, 20_000), page(&plain, 20_000));
    let due = copied.take_due_section(&budget).expect("all rows were read");
    copied.encode_section(&due, folder.path()).expect("encoded");
    assert!(budget.used_bytes() > 1_000_000, "{} bytes", budget.used_bytes());
    for offset in [0, 1, 8191, 8192, 19_999, 30_000] {
        assert!(page(&copied, offset) == page(&plain, offset), "from row {offset} on");
    }
    let every_third: Arc<[u32]> = (0..12_000).step_by(3).chain(12_000..12_090).collect();
    for rows in [RowSelection::Rows(Arc::clone(&every_third)), RowSelection::Ordered(every_third)] {
        assert!(objects(&file, &copied, &rows) == objects(&file, &plain, &rows), "{rows:?}");
    }
}

fn columns_are_not_due(columns: &Projection, budget: &Arc<EncodedRowsBudget>) -> bool {
    columns.take_due_section(budget).is_none()
}

#[test]
fn a_section_is_encoded_once_as_many_rows_have_been_as_it_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = stored(folder.path(), &short_table(6, 100), 10);
    let columns = Projection::with_encoded_rows(all_columns(&file), &file);
    let budget = EncodedRowsBudget::new(1 << 30);
    let read = |offset: u64| objects(&file, &columns, &RowSelection::Range { offset, limit: 1 });
    for _ in 0..79 {
        read(3);
        assert!(columns_are_not_due(&columns, &budget));
    }
    // Of the other section, which has twenty rows.
    for _ in 0..19 {
        read(99);
    }
    assert!(columns_are_not_due(&columns, &budget));
    read(7);
    let due = columns.take_due_section(&budget).expect("eighty rows were read");
    assert!(columns_are_not_due(&columns, &budget), "returned once");
    // The other one becomes due meanwhile, and is encoded after this one.
    read(99);
    assert!(columns_are_not_due(&columns, &budget), "one at a time");
    columns.encode_section(&due, folder.path()).expect("encoded");
    drop(due);
    let first_bytes = budget.used_bytes();
    assert!(first_bytes > 0);
    let due = columns.take_due_section(&budget).expect("twenty rows were read");
    columns.encode_section(&due, folder.path()).expect("encoded");
    drop(due);
    assert!(budget.used_bytes() > first_bytes);
    assert_eq!(earn(&file, &columns, &budget, folder.path()), 0, "all are encoded");
    drop(columns);
    assert_eq!(budget.used_bytes(), 0, "the space is given back with the rows");
}

#[test]
fn nothing_is_encoded_without_room_nor_for_streams_nor_of_long_rows() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = stored(folder.path(), &short_table(7, 100), 10);
    for max_bytes in [0, 64] {
        let columns = Projection::with_encoded_rows(all_columns(&file), &file);
        let budget = EncodedRowsBudget::new(max_bytes);
        assert_eq!(earn(&file, &columns, &budget, folder.path()), 0, "{max_bytes}");
        assert_eq!(budget.used_bytes(), 0);
    }
    let columns = Projection::with_encoded_rows(all_columns(&file), &file);
    let budget = EncodedRowsBudget::new(1 << 30);
    for _ in 0..3 {
        objects(&file, &columns, &RowSelection::ALL);
    }
    assert!(columns_are_not_due(&columns, &budget), "a stream of ten batches");
    // Another file with the same columns is not served from these rows.
    earn(&file, &columns, &budget, folder.path());
    let other = stored(folder.path(), &short_table(8, 100), 10);
    let first = RowSelection::Range { offset: 0, limit: 30 };
    assert_eq!(
        objects(&other, &columns, &first),
        objects(&other, &Projection::new(all_columns(&other)), &first)
    );

    let long = LargeStringArray::from_iter_values((0..50).map(|row| "x".repeat(row * 200)));
    let file = file_of(vec![("text", Arc::new(long))]);
    let columns = Projection::with_encoded_rows(all_columns(&file), &file);
    let used_bytes = budget.used_bytes();
    assert_eq!(earn(&file, &columns, &budget, folder.path()), 1, "it was tried once");
    assert_eq!(earn(&file, &columns, &budget, folder.path()), 0);
    assert_eq!(budget.used_bytes(), used_bytes);
}
