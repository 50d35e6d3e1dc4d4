//! Reads in turns: whatever a turn's budget, they find the rows of a single call, no turn takes much more than its
//! budget, and each makes progress.

use arrow_array::{ArrayRef, Int64Array, LargeStringArray};

use super::*;
use crate::views::RowOrder;
use rowhouse_rows::{Budget, ChunkSource, Progress};

/// Works with small budgets; returns the number of turns.
fn in_turns<T, E: std::fmt::Debug>(
    steps: u64,
    mut advance: impl FnMut(&mut Budget) -> std::result::Result<Progress<T>, E>,
) -> (T, usize) {
    const MOST_TURNS: usize = 2_000_000;
    for turn in 1..=MOST_TURNS {
        let mut budget = Budget::new(steps);
        match advance(&mut budget).expect("no fault") {
            Progress::Done(done) => return (done, turn),
            Progress::Paused => assert!(budget.is_spent(), "a turn ended before its budget"),
        }
    }
    panic!("it never ends");
}

fn drained_in_turns(mut source: Box<dyn ChunkSource>, steps: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let (Some(chunk), _) = in_turns(steps, |budget| source.advance(budget)) {
        bytes.extend_from_slice(&chunk);
    }
    bytes
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn reads_with_any_budget_per_turn_find_the_same_rows(
        seed: u64, rows in 0_usize..3000, rows_per_batch in 200_usize..1400, steps in 1_u64..3000,
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let table = small_table(seed, rows);
        let scanned = Arc::new(generation(folder.path(), 1, &table, rows_per_batch, &[]));
        let indexed = Arc::new(generation(folder.path(), 2, &table, rows_per_batch, &(0..11).collect::<Vec<_>>()));
        let mut dice = Dice(seed);
        for _ in 0..12 {
            let texts: Vec<String> = (0..dice.below(4)).map(|_| random_filter(&mut dice)).collect();
            let filters = parsed(&texts);
            let column = dice.pick(&[0, 1, 2, 3, 4, 5, 6, 7, 8, 10]);
            let ordered = RowOrder { column, is_descending: dice.below(2) == 1 };
            let order = dice.pick(&[None, Some(ordered)]);
            let offset = dice.pick(&[0, 0, 1, 50, 2000]);
            let limit = dice.pick(&[u64::MAX, 0, 1, 10, 200, 1500]);
            for generation in [&scanned, &indexed] {
                let at_once = match order {
                    None => generation.select(&filters, offset, limit),
                    Some(order) => generation.select_ordered(&filters, order, offset, limit),
                };
                let expected = row_numbers(generation, at_once.expect("selected"));
                let mut search = generation.search(&filters, order, offset, limit).expect("begun");
                let (selection, _) = in_turns(steps, |budget| search.advance(budget));
                for format in [RowFormat::Json, RowFormat::Csv, RowFormat::ArrowStream, RowFormat::Parquet] {
                    let file = generation.file();
                    let source = || {
                        let column = &all_columns(file)[10..];
                        encode(Arc::clone(file), column, selection.clone(), RowShape::Arrays, format).expect("begun")
                    };
                    // Byte by byte, as an entity tag promises.
                    let bytes = drained_in_turns(source(), steps);
                    prop_assert!(bytes == drained(source()), "{:?} {:?} {:?}", texts, order, format);
                    if format == RowFormat::Json {
                        let rows: Vec<(u64,)> = serde_json::from_slice(&bytes).expect("JSON");
                        let rows: Vec<u64> = rows.into_iter().map(|(row,)| row).collect();
                        prop_assert_eq!(&rows, &expected, "{:?} {:?}", texts, order);
                    }
                }
                let mut count = generation.begin_count(&filters).expect("begun");
                let (count, _) = in_turns(steps, |budget| count.advance(budget));
                prop_assert_eq!(count, generation.count(&filters).expect("counted"), "{:?}", texts);
            }
        }
    }
}

/// A table of texts, in batches of any size, served without an index.
fn texts(folder: &Path, texts: impl IntoIterator<Item = String>, rows_per_batch: usize) -> Arc<Generation> {
    let texts = LargeStringArray::from_iter_values(texts);
    let numbers = Int64Array::from_iter_values(0..texts.len() as i64);
    let arrays: Vec<ArrayRef> = vec![Arc::new(texts), Arc::new(numbers)];
    let fields = ["body", "number"].into_iter().zip(&arrays);
    let fields = fields.map(|(name, array)| arrow_schema::Field::new(name, array.data_type().clone(), true));
    let schema = Arc::new(arrow_schema::Schema::new(fields.collect::<Vec<_>>()));
    let table = RecordBatch::try_new(schema, arrays).expect("a table");
    let file = stored(folder, &table, rows_per_batch);
    let columns = [Column::new("body", "varchar"), Column::new("number", "bigint")];
    let views = folder.join("view");
    let built = Generation::build(&views, 1, file.path(), columns.into(), &[], Timestamp::from_millis(0));
    Arc::new(built.expect("built"))
}

/// Regression: texts of 50 KB, and a pattern as long as a filter may be: a scan that finds nothing was one turn of
/// minutes, which could not be ended.
#[test]
fn a_scan_of_long_texts_that_finds_nothing_takes_many_short_turns() {
    const STEPS: u64 = 256 << 10;
    let folder = tempfile::tempdir().expect("a folder");
    let mut bodies = vec!["a".repeat(50_000); 40];
    // One text that takes more than a turn by itself.
    bodies.push("a".repeat(3_000_000));
    let generation = texts(folder.path(), bodies, 8192);
    for (pattern, least_turns) in
        [(format!("%{}Q%", "_".repeat(3900)), 15), (format!("%{}Q%", "a_".repeat(1900)), 150)]
    {
        let filters = [Filter::parse(&format!("body:LIKE:{pattern}"), &["body"]).expect("a filter")];
        let mut search = generation.search(&filters, None, 0, u64::MAX).expect("begun");
        let (selection, turns) = in_turns(STEPS, |budget| search.advance(budget));
        assert_eq!(turns, 1, "rows are looked for while they are encoded");
        let file = Arc::clone(generation.file());
        let columns = all_columns(&file);
        let mut source =
            encode(file, &columns[1..], selection, RowShape::Arrays, RowFormat::Json).expect("begun");
        let (chunk, turns) = in_turns(STEPS, |budget| source.advance(budget));
        assert_eq!(chunk.as_deref(), Some(&b"[]"[..]));
        assert!(turns >= least_turns, "{turns} turns for {pattern}");
        let mut count = generation.begin_count(&filters).expect("begun");
        let (count, turns) = in_turns(STEPS, |budget| count.advance(budget));
        assert_eq!(count, 0);
        assert!(turns >= least_turns, "{turns} turns for the count of {pattern}");
    }
}

/// As many filters as a read may have, over short texts: the turns count the cost of all of them.
#[test]
fn many_patterns_over_short_texts_take_many_short_turns() {
    let folder = tempfile::tempdir().expect("a folder");
    let generation = texts(folder.path(), (0..20_000).map(|number| format!("text number {number}")), 8192);
    let filters: Vec<Filter> = (0..64)
        .map(|number| {
            let pattern = "%_".repeat(number % 7 + 1);
            Filter::parse(&format!("body:LIKE:{pattern}%"), &["body"]).expect("a filter")
        })
        .collect();
    let mut count = generation.begin_count(&filters).expect("begun");
    let (count, turns) = in_turns(256 << 10, |budget| count.advance(budget));
    assert_eq!(count, 20_000);
    assert!(turns >= 20_000 * 64 * 16 / (256 << 10), "{turns}");
}

/// Regression: sorting a million texts took 11 seconds in one turn.
#[test]
fn ordering_texts_with_a_common_prefix_takes_many_short_turns() {
    let folder = tempfile::tempdir().expect("a folder");
    let rows = 20_000_u64;
    let body = |row: u64| format!("a beginning that all of them have in common {:05}", row * 7919 % rows);
    let generation = texts(folder.path(), (0..rows).map(body), 2048);
    for is_descending in [false, true] {
        let order = RowOrder { column: 0, is_descending };
        for wanted in [10, 5000, u64::MAX] {
            let mut search = generation.search(&[], Some(order), 0, wanted).expect("begun");
            // About 60 bytes per row, and a few blocks.
            let most = wanted.min(rows) as usize * 60 + (1 << 20);
            assert!(search.memory_bytes() <= most, "{} of {most}", search.memory_bytes());
            let (selection, turns) = in_turns(256 << 10, |budget| search.advance(budget));
            let RowSelection::Ordered(found) = selection else { panic!("ordered rows") };
            let mut expected: Vec<u32> = (0..rows as u32).collect();
            expected.sort_by_key(|row| body(u64::from(*row)));
            if is_descending {
                expected.reverse();
            }
            expected.truncate(usize::try_from(wanted).unwrap_or(usize::MAX));
            assert_eq!(found[..], expected);
            assert!(turns > 3, "{turns}");
        }
    }
}
