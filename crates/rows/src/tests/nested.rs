//! Values of kilobytes and megabytes, nested in all ways, written in pieces, and never more of them in memory than a
//! chunk.

use arrow_array::{Array, LargeListArray, MapArray, StructArray};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use rowhouse_random_tables::Dice;

use super::*;

/// By how much a piece of a text may exceed a chunk: twelve KiB, six times as long if every character is escaped, and
/// twice that if JSON is a field of CSV.
const PIECE_BYTES: usize = 160 << 10;

/// Texts, some longer than a piece, some longer than a chunk.
fn text(dice: &mut Dice) -> String {
    let length = dice.pick(&[0, 1, 5, 5, 5, 40, 40, 900, 17_000, 150_000]);
    dice.pick(&["x", "\"", "é,", "\n\u{1}y"]).repeat(length / 2 + length % 2)
}

/// Values of a random type, with lists of a few elements and of thousands.
fn values(dice: &mut Dice, depth: usize, rows: usize) -> ArrayRef {
    let lengths = |dice: &mut Dice, rows: usize| -> Vec<usize> {
        let many = dice.below(rows.max(1));
        let short = (0..rows).map(|_| dice.pick(&[0, 1, 2, 4])).collect::<Vec<_>>();
        // Only one of them is long, or the test would take gigabytes.
        let longest = if depth == 3 { 6000 } else { 300 };
        short
            .into_iter()
            .enumerate()
            .map(|(row, length)| if row == many { longest } else { length })
            .collect()
    };
    let nulls = |dice: &mut Dice, rows: usize| -> Option<NullBuffer> {
        (dice.below(2) == 0).then(|| (0..rows).map(|_| dice.below(5) > 0).collect())
    };
    match if depth == 0 { dice.below(3) } else { 3 + dice.below(3) } {
        0 => Arc::new(Int64Array::from_iter((0..rows).map(|_| (dice.below(9) > 0).then(|| dice.integer())))),
        // If there are many texts, few of them are long.
        1 => Arc::new(LargeStringArray::from_iter_values(
            (0..rows).map(|row| if rows < 20 || row % 1000 == 7 { text(dice) } else { format!("\"{row}") }),
        )),
        2 => Arc::new(LargeBinaryArray::from_iter((0..rows).map(|row| {
            let length = if rows < 20 || row % 1000 == 7 { dice.pick(&[0, 1, 2, 30_000]) } else { row % 5 };
            (dice.below(9) > 0).then(|| vec![dice.bits() as u8; length])
        }))),
        3 => {
            let lengths = lengths(dice, rows);
            let elements = values(dice, depth - 1, lengths.iter().sum());
            let field = Arc::new(Field::new("item", elements.data_type().clone(), true));
            let offsets = OffsetBuffer::from_lengths(lengths);
            Arc::new(LargeListArray::new(field, offsets, elements, nulls(dice, rows)))
        }
        4 => {
            let fields = ["a", "a \"quoted\" name", ""].map(|name| {
                let depth = dice.below(depth);
                let values = values(dice, depth, rows);
                (Arc::new(Field::new(name, values.data_type().clone(), true)), values)
            });
            let (fields, columns): (Vec<_>, Vec<_>) = fields.into_iter().unzip();
            Arc::new(StructArray::new(fields.into(), columns, nulls(dice, rows)))
        }
        _ => {
            let lengths = lengths(dice, rows);
            let count = lengths.iter().sum();
            // Keys are not NULL, and those of one map differ.
            let long = if dice.below(2) == 0 { text(dice) } else { String::new() };
            let key = |place: usize| {
                if place % 1000 == 3 { format!("{place}{long}") } else { place.to_string() }
            };
            let texts = || Arc::new(LargeStringArray::from_iter_values((0..count).map(key)));
            let keys: ArrayRef = match dice.below(4) {
                0 | 1 => Arc::new(Int64Array::from_iter_values(0..count as i64)),
                2 => texts(),
                _ => {
                    let field = Arc::new(Field::new("item", DataType::LargeUtf8, true));
                    let offsets = OffsetBuffer::from_lengths(std::iter::repeat_n(1, count));
                    Arc::new(LargeListArray::new(field, offsets, texts(), None))
                }
            };
            let values = values(dice, depth - 1, count);
            let fields = vec![
                Field::new("key", keys.data_type().clone(), false),
                Field::new("value", values.data_type().clone(), true),
            ];
            let entries = StructArray::new(fields.into(), vec![keys, values], None);
            let field = Arc::new(Field::new("entries", entries.data_type().clone(), false));
            let offsets = OffsetBuffer::from_lengths(lengths);
            Arc::new(MapArray::new(field, offsets, entries, nulls(dice, rows), false))
        }
    }
}

fn table(seed: u64, rows: usize) -> RecordBatch {
    let mut dice = Dice(seed);
    let columns: Vec<(String, ArrayRef)> =
        (0..3).map(|place| (format!("c{place}"), values(&mut dice, place + 1, rows))).collect();
    RecordBatch::try_from_iter(columns).expect("columns of one length")
}

/// The bytes of a source, checking that each chunk is within its limit.
fn in_bounded_chunks(mut source: Box<dyn ChunkSource>) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let announced = source.next_chunk_bytes();
        let Some(chunk) = source.next_chunk().expect("encoded") else { return bytes };
        assert!(chunk.len() <= CHUNK_BYTES + PIECE_BYTES, "a chunk of {} bytes", chunk.len());
        assert!(
            chunk.len() <= announced + PIECE_BYTES,
            "a chunk of {} bytes, not of {announced}",
            chunk.len()
        );
        bytes.extend_from_slice(&chunk);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn pieces_of_nested_values_concatenate_to_the_whole(seed: u64, rows in 1_usize..5) {
        let folder = tempfile::tempdir().expect("a folder");
        let table = table(seed, rows);
        let file = stored(folder.path(), &table, 3);
        let encoded = |shape, format| {
            let source = encode(Arc::clone(&file), all_columns(&file), RowSelection::ALL, shape, format);
            in_bounded_chunks(source.expect("begun"))
        };
        let arrays: Vec<String> = (0..rows).map(|row| naive::array_row(&table, row)).collect();
        let objects: String = (0..rows).map(|row| naive::object_row(&table, row) + "\n").collect();
        let is_same = encoded(RowShape::Arrays, RowFormat::Json) == format!("[{}]", arrays.join(",")).into_bytes();
        prop_assert!(is_same, "JSON");
        prop_assert!(encoded(RowShape::Objects, RowFormat::Ndjson) == objects.into_bytes(), "NDJSON");
        let csv = String::from_utf8(encoded(RowShape::Arrays, RowFormat::Csv)).expect("UTF-8");
        let records = csv_reader::read(&csv);
        prop_assert_eq!(records.len(), rows + 1);
        for (row, record) in records[1..].iter().enumerate() {
            for (field, column) in record.iter().zip(table.columns()) {
                let json = naive::json(column, row);
                prop_assert!(*field == (json != "null").then_some(json), "row {}", row);
            }
        }
    }

    #[test]
    fn an_arrow_stream_of_nested_values_round_trips(seed: u64, rows in 1_usize..5, picked in 0_u32..5) {
        let folder = tempfile::tempdir().expect("a folder");
        let table = table(seed, rows);
        let file = stored(folder.path(), &table, 3);
        let ordered: Vec<u32> = (0..rows as u32).rev().chain([picked % rows as u32]).collect();
        for (selection, expected) in [
            (RowSelection::ALL, (0..rows as u32).collect()),
            (RowSelection::Ordered(ordered.clone().into()), ordered),
        ] {
            let format = RowFormat::ArrowStream;
            let source = encode(Arc::clone(&file), all_columns(&file), selection, RowShape::Arrays, format);
            let bytes = in_bounded_chunks(source.expect("begun"));
            let reader = StreamReader::try_new(&bytes[..], None).expect("a stream");
            let batches: Vec<RecordBatch> = reader.collect::<Result<_, _>>().expect("batches");
            let back = concat_batches(&table.schema(), &batches).expect("one table");
            prop_assert_eq!(back.num_rows(), expected.len());
            for (place, row) in expected.into_iter().enumerate() {
                prop_assert!(naive::array_row(&back, place) == naive::array_row(&table, row as usize));
            }
        }
    }
}

/// Regression: up to a thousand rows of a megabyte were one batch, and all of it was in memory.
#[test]
fn the_memory_of_an_arrow_stream_does_not_depend_on_row_size() {
    let text = "0123456789abcdef".repeat(1 << 14);
    let rows = 90;
    let file = file_of(vec![
        ("id", Arc::new(Int64Array::from_iter_values(0..rows))),
        ("text", Arc::new(LargeStringArray::from_iter_values((0..rows).map(|_| &text)))),
    ]);
    let scattered: Vec<u32> = (0..rows as u32).filter(|row| row % 3 > 0).rev().collect();
    for (selection, count) in [
        (RowSelection::ALL, rows as usize),
        (RowSelection::Range { offset: 7, limit: 40 }, 40),
        (RowSelection::Ordered(scattered.clone().into()), scattered.len()),
    ] {
        let format = RowFormat::ArrowStream;
        let source = encode(Arc::clone(&file), all_columns(&file), selection, RowShape::Arrays, format);
        let mut source = source.expect("begun");
        let mut bytes = Vec::new();
        loop {
            let (announced, held) = (source.next_chunk_bytes(), source.held_bytes());
            assert!(announced <= CHUNK_BYTES + (2 << 20) && held <= 2 << 20, "{announced} {held}");
            let Some(chunk) = source.next_chunk().expect("encoded") else { break };
            assert!(chunk.len() <= CHUNK_BYTES);
            bytes.extend_from_slice(&chunk);
        }
        let reader = StreamReader::try_new(&bytes[..], None).expect("a stream");
        let batches: Vec<usize> = reader.map(|batch| batch.expect("a batch").num_rows()).collect();
        assert_eq!(batches.iter().sum::<usize>(), count);
        assert!(batches.iter().all(|rows| *rows <= 4), "{batches:?}");
    }
}

/// The memory of a row group of Parquet is announced before it is built, and depends on its rows only.
#[test]
fn parquet_announces_the_memory_of_a_row_group() {
    let check = |rows: i64, text: &str, expected: std::ops::Range<usize>| {
        let texts = LargeStringArray::from_iter_values((0..rows).map(|row| format!("{row}{text}")));
        let file = file_of(vec![("text", Arc::new(texts))]);
        let format = RowFormat::Parquet;
        let source = encode(file.clone(), all_columns(&file), RowSelection::ALL, RowShape::Arrays, format);
        let mut source = source.expect("begun");
        loop {
            let announced = source.next_chunk_bytes();
            assert!(
                expected.contains(&announced) || announced == CHUNK_MEMORY_BYTES,
                "{announced} for {rows} rows"
            );
            let Some(chunk) = source.next_chunk().expect("encoded") else { break };
            assert!(chunk.len() <= announced, "{} of {announced}", chunk.len());
            assert!(source.held_bytes() <= announced);
        }
    };
    const KIB: usize = 1 << 10;
    check(3, "", 100 * KIB..400 * KIB);
    check(30_000, "a text that is not long", 1000 * KIB..8000 * KIB);
    check(50, &"x".repeat(400 * KIB), 32_000 * KIB..40_000 * KIB);
    check(2, &"x".repeat(10_000 * KIB), 32_000 * KIB..90_000 * KIB);
}
