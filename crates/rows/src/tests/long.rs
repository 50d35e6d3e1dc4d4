//! Values longer than a piece, and than a chunk: wherever chunks and turns end, their concatenation is the answer.

use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use arrow_array::builder::{LargeListBuilder, LargeStringBuilder};
use bytes::Bytes;
use rowhouse_random_tables::Dice;

use super::*;

/// Lengths around those at which a value is written in pieces and at which a chunk is full.
fn length() -> impl Strategy<Value = usize> {
    prop_oneof![
        4 => 0_usize..40,
        2 => prop::sample::select(vec![12_287, 12_288, 12_289, 16_383, 16_384, 16_385, 24_576, 24_577]),
        2 => 16_000_usize..60_000,
        1 => CHUNK_BYTES - 200..CHUNK_BYTES + 200,
        1 => 0_usize..2 * CHUNK_BYTES,
    ]
}

/// A text of about that length, with or without characters that JSON or CSV escapes.
fn text(dice: &mut Dice, length: usize) -> String {
    let piece = dice.pick(&["x", "0123456789", "\"", "é,", "\\\n\u{1}", "a \"b\", "]);
    piece.repeat(length.div_ceil(piece.len()))
}

/// Short values between long ones, so that a row has a beginning, a middle and an end.
fn table(seed: u64, lengths: &[usize]) -> RecordBatch {
    let mut dice = Dice(seed);
    let count = lengths.len();
    let texts = lengths.iter().map(|length| (dice.below(8) > 0).then(|| text(&mut dice, *length)));
    let texts: Vec<Option<String>> = texts.collect();
    // In another order, so that long values have other neighbours.
    let bytes =
        lengths.iter().rev().map(|length| (dice.below(8) > 0).then(|| vec![dice.bits() as u8; *length]));
    let bytes: Vec<Option<Vec<u8>>> = bytes.collect();
    let mut lists = LargeListBuilder::new(LargeStringBuilder::new());
    for place in 0..count {
        for _ in 0..dice.below(4) {
            let length = lengths[(place * 7 + 3) % count];
            lists.values().append_value(text(&mut dice, length));
        }
        lists.append(dice.below(8) > 0);
    }
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("id", Arc::new(Int64Array::from_iter_values(0..count as i64))),
        ("text", Arc::new(LargeStringArray::from(texts))),
        (
            "between",
            Arc::new(Int64Array::from_iter((0..count).map(|_| (dice.below(4) > 0).then(|| dice.integer())))),
        ),
        ("bytes", Arc::new(LargeBinaryArray::from_iter(bytes))),
        ("list", Arc::new(lists.finish())),
        ("last", Arc::new(LargeStringArray::from_iter_values(lengths.iter().map(ToString::to_string)))),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)))
        .expect("columns of one length")
}

/// A table as CSV by a naive implementation.
fn naive_csv(table: &RecordBatch) -> String {
    let field = |text: String| match text.is_empty() || text.contains(['"', ',', '\r', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    };
    let value = |array: &ArrayRef, row: usize| {
        let json = naive::json(array, row);
        match serde_json::from_str::<Value>(&json).expect("JSON") {
            Value::Null => String::new(),
            Value::String(text) => field(text),
            _ => field(json),
        }
    };
    let mut csv =
        table.schema().fields().iter().map(|field| field.name().as_str()).collect::<Vec<_>>().join(",");
    csv += "\r\n";
    for row in 0..table.num_rows() {
        csv += &table.columns().iter().map(|column| value(column, row)).collect::<Vec<_>>().join(",");
        csv += "\r\n";
    }
    csv
}

/// More bytes than any answer here has: an endless answer must fail, not exhaust the machine.
const MOST_BYTES: usize = 64 << 20;

/// The bytes of a source in one call.
fn in_one_go(mut source: Box<dyn ChunkSource>) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some(chunk) = source.next_chunk().expect("encoded") {
        bytes.extend_from_slice(&chunk);
        assert!(bytes.len() < MOST_BYTES, "the answer does not end");
    }
    bytes
}

/// The bytes of a source with small budgets, and of the parts that are split off it.
fn in_turns(mut source: Box<dyn ChunkSource>, dice: &mut Dice) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        assert!(bytes.len() < MOST_BYTES, "the answer does not end");
        if dice.below(3) == 0
            && let Some(part) = source.split()
        {
            bytes.extend(in_turns(part, dice));
            continue;
        }
        let mut budget = Budget::new(dice.pick(&[0, 1, 1000, 100_000, u64::MAX]));
        match source.advance(&mut budget).expect("encoded") {
            Progress::Done(Some(chunk)) => bytes.extend_from_slice(&chunk),
            Progress::Done(None) => return bytes,
            Progress::Paused => {}
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// The text before the rows moves the ends of chunks to every position of every value.
    #[test]
    fn chunks_concatenate_to_the_whole_answer(
        seed: u64, lengths in prop::collection::vec(length(), 1..12), before in 0_usize..2 * CHUNK_BYTES,
        rows_per_batch in 1_usize..9,
    ) {
        let table = table(seed, &lengths);
        let folder = tempfile::tempdir().expect("a folder");
        let file = stored(folder.path(), &table, rows_per_batch);
        let rows = 0..table.num_rows();
        let arrays: Vec<String> = rows.clone().map(|row| naive::array_row(&table, row)).collect();
        let lines: String = rows.map(|row| naive::object_row(&table, row) + "\n").collect();
        for (format, shape, expected) in [
            (RowFormat::Json, RowShape::Arrays, Some(format!("[{}]", arrays.join(",")))),
            (RowFormat::Ndjson, RowShape::Objects, Some(lines)),
            (RowFormat::Csv, RowShape::Arrays, Some(naive_csv(&table))),
            (RowFormat::ArrowStream, RowShape::Arrays, None),
            (RowFormat::Parquet, RowShape::Arrays, None),
        ] {
            let begun = |prefix: Vec<u8>, suffix: Vec<u8>| {
                let envelope = Envelope { prefix, suffix };
                encode_in(Arc::clone(&file), all_columns(&file), RowSelection::ALL, shape, format, envelope)
            };
            let whole = in_one_go(begun(Vec::new(), Vec::new()).expect("begun"));
            let (prefix, suffix) = (vec![b' '; before], b"end".to_vec());
            let moved = in_turns(begun(prefix, suffix).expect("begun"), &mut Dice(seed));
            prop_assert!(moved.len() == before + whole.len() + 3, "{format:?}: {} bytes of {}", moved.len(), whole.len());
            prop_assert!(moved[before..before + whole.len()] == whole, "{format:?}");
            if let Some(expected) = expected {
                prop_assert!(whole == expected.into_bytes(), "{format:?}");
                continue;
            }
            let batches: Vec<RecordBatch> = if format == RowFormat::Parquet {
                let reader = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(whole)).expect("Parquet");
                reader.build().expect("read").collect::<Result<_, _>>().expect("batches")
            } else {
                let reader = StreamReader::try_new(&whole[..], None).expect("a stream");
                reader.collect::<Result<_, _>>().expect("batches")
            };
            let back: Vec<String> = batches
                .iter()
                .flat_map(|batch| (0..batch.num_rows()).map(|row| naive::array_row(batch, row)))
                .collect();
            prop_assert!(back == arrays, "{format:?}");
        }
    }
}

/// Regression: the last piece of a long text crossed the end of a chunk, and its row was begun again, half of it before
/// the other, each time it met the end of a chunk: some answers never ended.
#[test]
fn a_long_text_that_fills_a_chunk_of_csv_does_not_repeat_its_row() {
    for length in (CHUNK_BYTES - 2000..CHUNK_BYTES + 14_000).step_by(1000) {
        let text = "x".repeat(length);
        let file = file_of(vec![
            ("id", Arc::new(Int64Array::from(vec![1, 2]))),
            ("text", Arc::new(LargeStringArray::from(vec![Some(text.as_str()), None]))),
            ("after", Arc::new(Int64Array::from(vec![3, 4]))),
        ]);
        let columns = all_columns(&file);
        let source =
            encode(file, columns, RowSelection::ALL, RowShape::Arrays, RowFormat::Csv).expect("begun");
        let expected = format!("id,text,after\r\n1,{text},3\r\n2,,4\r\n");
        assert!(in_one_go(source) == expected.into_bytes(), "{length}");
    }
}
