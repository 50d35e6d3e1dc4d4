use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, LargeBinaryArray, LargeStringArray, RecordBatch};
use arrow_ipc::reader::StreamReader;
use arrow_schema::{DataType, Field, Schema};
use arrow_select::concat::concat_batches;
use proptest::prelude::*;
use serde_json::Value;

use super::*;
use crate::arrow_file::ArrowFileWriter;

mod csv_reader;
mod encoded_rows;
mod flat;
mod long;
mod lost_pages;
mod naive;
mod nested;
mod trino_values;

use rowhouse_random_tables::{every_type, random_table};

/// The table as a file with batches of this many rows.
pub(crate) fn stored(folder: &Path, table: &RecordBatch, rows_per_batch: usize) -> Arc<ArrowFile> {
    let path = folder.join("table.arrow");
    let writer = ArrowFileWriter::create(&path, table.schema()).expect("created");
    let mut writer = writer.with_rows_per_batch(rows_per_batch);
    writer.write(table).expect("written");
    assert_eq!(writer.finish().expect("finished"), table.num_rows() as u64);
    let file = ArrowFile::open(&path).expect("opened");
    assert_eq!(file.num_rows(), table.num_rows() as u64);
    file
}

pub(crate) fn all_columns(file: &ArrowFile) -> Vec<ProjectedColumn> {
    let fields = file.schema().fields().iter().enumerate();
    fields.map(|(index, field)| ProjectedColumn { name: field.name().clone(), index }).collect()
}

pub(crate) fn drained(mut source: Box<dyn ChunkSource>) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some(chunk) = source.next_chunk().expect("encoded") {
        assert!(!chunk.is_empty() || source.next_chunk_bytes() > CHUNK_MEMORY_BYTES);
        bytes.extend_from_slice(&chunk);
    }
    assert!(source.next_chunk().expect("ended").is_none());
    bytes
}

fn encoded(file: &Arc<ArrowFile>, selection: RowSelection, shape: RowShape, format: RowFormat) -> String {
    let source = encode(Arc::clone(file), all_columns(file), selection, shape, format).expect("begun");
    String::from_utf8(drained(source)).expect("UTF-8")
}

fn json_arrays(file: &Arc<ArrowFile>, selection: RowSelection) -> String {
    encoded(file, selection, RowShape::Arrays, RowFormat::Json)
}

/// A file of one batch in a folder that is removed once it is mapped.
fn file_of(columns: Vec<(&str, ArrayRef)>) -> Arc<ArrowFile> {
    let folder = tempfile::tempdir().expect("a folder");
    let fields: Vec<Field> =
        columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true)).collect();
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    let table = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).expect("a table");
    stored(folder.path(), &table, 8192)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn json_matches_the_naive_encoder(seed: u64, rows in 0_usize..60, rows_per_batch in 1_usize..25) {
        let folder = tempfile::tempdir().expect("a folder");
        let table = random_table(seed, &every_type(), rows);
        let file = stored(folder.path(), &table, rows_per_batch);
        let check = |format, shape, expected: &str| {
            let json = encoded(&file, RowSelection::ALL, shape, format);
            if json == expected {
                return;
            }
            let differ = json.bytes().zip(expected.bytes()).take_while(|(left, right)| left == right).count();
            let near = |text: &str| {
                let bytes = &text.as_bytes()[differ.saturating_sub(60)..(differ + 60).min(text.len())];
                String::from_utf8_lossy(bytes).into_owned()
            };
            panic!("{format:?} {shape:?}:\n {}\nexpected:\n {}", near(&json), near(expected));
        };
        let arrays: Vec<String> = (0..rows).map(|row| naive::array_row(&table, row)).collect();
        let objects: Vec<String> = (0..rows).map(|row| naive::object_row(&table, row)).collect();
        check(RowFormat::Json, RowShape::Arrays, &format!("[{}]", arrays.join(",")));
        check(RowFormat::Json, RowShape::Objects, &format!("[{}]", objects.join(",")));
        let lines: String = objects.iter().map(|row| format!("{row}\n")).collect();
        check(RowFormat::Ndjson, RowShape::Objects, &lines);
        for row in arrays.iter().chain(&objects) {
            serde_json::from_str::<Value>(row).expect(row);
        }
    }

    #[test]
    fn pages_of_any_size_give_the_same_rows(
        seed: u64, rows in 0_usize..40, rows_per_batch in 1_usize..12, page in 1_u64..17,
    ) {
        let folder = tempfile::tempdir().expect("a folder");
        let table = random_table(seed, &[DataType::Int64, DataType::LargeUtf8], rows);
        let file = stored(folder.path(), &table, rows_per_batch);
        let mut paged: Vec<Value> = Vec::new();
        for offset in (0..=rows as u64).step_by(page as usize) {
            let text = json_arrays(&file, RowSelection::Range { offset, limit: page });
            paged.extend(serde_json::from_str::<Vec<Value>>(&text).expect("JSON"));
        }
        let whole: Vec<Value> = serde_json::from_str(&json_arrays(&file, RowSelection::ALL)).expect("JSON");
        prop_assert_eq!(whole.len(), rows);
        prop_assert_eq!(paged, whole);
        let past = RowSelection::Range { offset: rows as u64 + 1, limit: u64::MAX };
        prop_assert_eq!(json_arrays(&file, past), "[]");
        let none = RowSelection::Range { offset: u64::MAX, limit: 0 };
        prop_assert_eq!(json_arrays(&file, none), "[]");
    }

    #[test]
    fn selected_row_numbers_give_those_rows(seed: u64, picked in prop::collection::btree_set(0_u32..45, 0..20)) {
        let folder = tempfile::tempdir().expect("a folder");
        let table = random_table(seed, &[DataType::Int64, DataType::LargeUtf8, DataType::Boolean], 40);
        let file = stored(folder.path(), &table, 7);
        let rows: Vec<u32> = picked.into_iter().collect();
        let inside = rows.iter().filter(|row| **row < 40);
        let expected: Vec<String> = inside.map(|row| naive::array_row(&table, *row as usize)).collect();
        let json = json_arrays(&file, RowSelection::Rows(rows.into()));
        prop_assert_eq!(json, format!("[{}]", expected.join(",")));
    }

    #[test]
    fn csv_round_trips(seed: u64, rows in 0_usize..30) {
        let folder = tempfile::tempdir().expect("a folder");
        let table = random_table(seed, &every_type(), rows);
        let file = stored(folder.path(), &table, 11);
        let csv = encoded(&file, RowSelection::ALL, RowShape::Arrays, RowFormat::Csv);
        let records = csv_reader::read(&csv);
        prop_assert_eq!(records.len(), rows + 1);
        let header: Vec<_> = all_columns(&file).into_iter().map(|column| Some(column.name)).collect();
        prop_assert_eq!(&records[0], &header);
        for (row, record) in records[1..].iter().enumerate() {
            for (field, column) in record.iter().zip(table.columns()) {
                let json = naive::json(column, row);
                let expected = match serde_json::from_str::<Value>(&json).expect("JSON") {
                    Value::Null => None,
                    Value::String(text) => Some(text),
                    _ => Some(json),
                };
                prop_assert_eq!(field, &expected);
            }
        }
    }

    #[test]
    fn an_arrow_stream_round_trips(seed: u64, rows in 0_usize..40, offset in 0_u64..10, limit in 0_u64..40) {
        let folder = tempfile::tempdir().expect("a folder");
        let table = random_table(seed, &every_type(), rows);
        let file = stored(folder.path(), &table, 9);
        let selection = RowSelection::Range { offset, limit };
        let columns = all_columns(&file);
        let source = encode(Arc::clone(&file), &columns, selection, RowShape::Arrays, RowFormat::ArrowStream);
        let bytes = drained(source.expect("begun"));
        let reader = StreamReader::try_new(&bytes[..], None).expect("a stream");
        let batches: Vec<RecordBatch> = reader.collect::<Result<_, _>>().expect("batches");
        let back = concat_batches(&table.schema(), &batches).expect("one table");
        let start = (offset as usize).min(rows);
        let expected = table.slice(start, (limit as usize).min(rows - start));
        prop_assert_eq!(back.num_rows(), expected.num_rows());
        for row in 0..back.num_rows() {
            prop_assert_eq!(naive::array_row(&back, row), naive::array_row(&expected, row));
        }
    }
}

#[test]
fn parquet_round_trips() {
    use ::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

    use super::parquet::milliseconds;

    let folder = tempfile::tempdir().expect("a folder");
    for rows in [0, 1, 5000] {
        let table = random_table(rows as u64, &every_type(), rows);
        let file = stored(folder.path(), &table, 1500);
        let columns = all_columns(&file);
        let source =
            encode(Arc::clone(&file), &columns, RowSelection::ALL, RowShape::Arrays, RowFormat::Parquet);
        let bytes = bytes::Bytes::from(drained(source.expect("begun")));
        let reader = ParquetRecordBatchReaderBuilder::try_new(bytes).expect("Parquet").build().expect("read");
        let batches: Vec<RecordBatch> = reader.collect::<Result<_, _>>().expect("batches");
        let schema = milliseconds::schema(&table.schema()).expect("a column of seconds");
        let expected = milliseconds::batch(&table, &schema).expect("the same rows");
        let back = concat_batches(&schema, &batches).expect("one table");
        assert_eq!(back.num_rows(), rows);
        for row in 0..rows {
            assert_eq!(naive::array_row(&back, row), naive::array_row(&expected, row));
        }
        std::fs::remove_file(file.path()).expect("a mapped file may be unlinked, not changed");
    }
}

/// Values longer than a chunk, with escapes at the boundaries of their pieces.
#[test]
fn long_values_come_in_bounded_chunks() {
    let text = "0123456789\"\n\u{1}é".repeat(100_000);
    let binary: Vec<u8> = (0..1_000_003_u32).map(|number| (number * 31) as u8).collect();
    let file = file_of(vec![
        ("id", Arc::new(Int64Array::from(vec![1, 2, 3]))),
        ("text", Arc::new(LargeStringArray::from(vec![Some(text.as_str()), None, Some(&text)]))),
        ("binary", Arc::new(LargeBinaryArray::from(vec![Some(&binary[..]), Some(&binary), Some(b"")]))),
    ]);
    for (format, shape) in [
        (RowFormat::Json, RowShape::Objects),
        (RowFormat::Json, RowShape::Arrays),
        (RowFormat::Ndjson, RowShape::Arrays),
        (RowFormat::Csv, RowShape::Arrays),
    ] {
        let mut source =
            encode(Arc::clone(&file), all_columns(&file), RowSelection::ALL, shape, format).expect("begun");
        let mut bytes = Vec::new();
        while let Some(chunk) = source.next_chunk().expect("encoded") {
            // A piece of twelve KiB is six times as long if every character is escaped.
            assert!(chunk.len() <= CHUNK_BYTES + (80 << 10), "a chunk of {} bytes", chunk.len());
            bytes.extend_from_slice(&chunk);
        }
        let encoded = String::from_utf8(bytes).expect("UTF-8");
        let texts: Vec<Option<String>> = match format {
            RowFormat::Csv => {
                csv_reader::read(&encoded)[1..].iter().map(|record| record[1].clone()).collect()
            }
            _ => {
                let expected: Vec<String> = (0..3).map(|row| naive_row(&file, shape, row)).collect();
                match format {
                    RowFormat::Json => assert!(encoded == format!("[{}]", expected.join(","))),
                    _ => assert!(encoded == format!("{}\n", expected.join("\n"))),
                }
                continue;
            }
        };
        assert!(texts == [Some(text.clone()), None, Some(text.clone())]);
    }
}

/// Parts are encoded independently, here the last one first, and their output equals that of encoding in order.
#[test]
fn split_parts_concatenate_to_the_whole() {
    let numbers = Int64Array::from_iter((0..40_000).map(|row| (row % 7 > 0).then_some(row * 1_000_003)));
    // Some are so long that the rows before them are a bad estimate of the rows per chunk.
    let long = |row: usize| if row % 9_000 == 8_999 { 90_000 } else { row % 40 };
    let texts = LargeStringArray::from_iter_values((0..40_000).map(|row| "\"x".repeat(long(row))));
    let columns: Vec<(&str, ArrayRef)> = vec![("n", Arc::new(numbers)), ("t", Arc::new(texts))];
    let schema = columns.iter().map(|(name, array)| Field::new(*name, array.data_type().clone(), true));
    let schema = Arc::new(Schema::new(schema.collect::<Vec<_>>()));
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let table = RecordBatch::try_new(schema, arrays).expect("a table");
    let file = stored(folder.path(), &table, 1000);
    for (offset, limit) in [(0, u64::MAX), (3, 31_000), (39_999, 5), (0, 0)] {
        for (shape, format) in [
            (RowShape::Objects, RowFormat::Json),
            (RowShape::Arrays, RowFormat::Json),
            (RowShape::Objects, RowFormat::Ndjson),
        ] {
            let source = || {
                let selection = RowSelection::Range { offset, limit };
                let envelope = Envelope { prefix: b"<".to_vec(), suffix: b">".to_vec() };
                encode_in(Arc::clone(&file), all_columns(&file), selection, shape, format, envelope)
                    .expect("begun")
            };
            let (mut whole, mut parts) = (source(), Vec::new());
            loop {
                if let Some(part) = whole.split() {
                    parts.push(Err(part));
                } else if let Some(chunk) = whole.next_chunk().expect("encoded") {
                    parts.push(Ok(chunk.to_vec()));
                } else {
                    break;
                }
            }
            let is_large = limit > 1000;
            assert_eq!(parts.iter().filter(|part| part.is_err()).count() > 10, is_large);
            let made: Vec<Vec<u8>> =
                parts.into_iter().rev().map(|part| part.unwrap_or_else(drained)).collect();
            let made: Vec<u8> = made.into_iter().rev().flatten().collect();
            assert!(made == drained(source()), "{offset} {limit} {shape:?} {format:?}");
        }
    }
}

fn naive_row(file: &ArrowFile, shape: RowShape, row: usize) -> String {
    let batch = file.batch(0).and_then(|batch| batch.record_batch()).expect("a batch");
    match shape {
        RowShape::Arrays => naive::array_row(&batch, row),
        RowShape::Objects => naive::object_row(&batch, row),
    }
}

#[test]
fn repeated_names_are_numbered_in_objects() {
    let ones = || -> ArrayRef { Arc::new(Int64Array::from(vec![1])) };
    let file = file_of(vec![("a", ones()), ("a", ones()), ("a_1", ones()), ("k\"\n", ones())]);
    let json = encoded(&file, RowSelection::ALL, RowShape::Objects, RowFormat::Json);
    assert_eq!(json, r#"[{"a":1,"a_2":1,"a_1":1,"k\"\n":1}]"#);
    let csv = encoded(&file, RowSelection::ALL, RowShape::Objects, RowFormat::Csv);
    assert_eq!(csv, "a,a,a_1,\"k\"\"\n\"\r\n1,1,1,1\r\n");
}

/// Only texts are escaped, including those of the header: no numbers, and no texts that begin otherwise.
#[test]
fn csv_formulas_are_escaped_on_request() {
    let long = format!("=\"{}\"", "x".repeat(2 * CHUNK_BYTES));
    let texts =
        ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "=a,\"b\"", "1=1", " =1", "'=1", "", "\"=", &long];
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values((0..texts.len() as i64).map(|n| -n)));
    let texts_array: ArrayRef = Arc::new(LargeStringArray::from_iter_values(texts));
    let file = file_of(vec![("=n", numbers), ("t", texts_array)]);
    let read = |format| {
        let csv = encoded(&file, RowSelection::ALL, RowShape::Arrays, format);
        let records = csv_reader::read(&csv).into_iter();
        records
            .map(|record| record.into_iter().map(Option::unwrap_or_default).collect())
            .collect::<Vec<Vec<_>>>()
    };
    let (kept, escaped) = (read(RowFormat::Csv), read(RowFormat::EscapedCsv));
    assert_eq!((kept[0][0].as_str(), escaped[0][0].as_str(), escaped[0][1].as_str()), ("=n", "'=n", "t"));
    for (place, text) in texts.iter().enumerate() {
        let number = (-(place as i64)).to_string();
        let is_formula = place < 7 || place == texts.len() - 1;
        let expected = if is_formula { format!("'{text}") } else { (*text).to_owned() };
        assert_eq!(kept[place + 1], [number.clone(), (*text).to_owned()]);
        assert!(escaped[place + 1] == [number, expected], "{:?}", &text[..text.len().min(20)]);
    }
}

#[test]
fn an_envelope_encloses_the_rows() {
    let file = file_of(vec![("a", Arc::new(Int64Array::from(vec![Some(1), None])))]);
    let check = |selection: RowSelection, expected: &str| {
        let envelope = Envelope { prefix: b"{\"result\":".to_vec(), suffix: b",\"rowCount\":2}".to_vec() };
        let columns = all_columns(&file);
        let source =
            encode_in(Arc::clone(&file), &columns, selection, RowShape::Arrays, RowFormat::Json, envelope);
        assert_eq!(String::from_utf8(drained(source.expect("begun"))).expect("UTF-8"), expected);
    };
    check(RowSelection::ALL, "{\"result\":[[1],[null]],\"rowCount\":2}");
    check(RowSelection::Range { offset: 5, limit: 1 }, "{\"result\":[],\"rowCount\":2}");
}

#[test]
fn columns_are_projected_renamed_and_refused() {
    let file = file_of(vec![
        ("a", Arc::new(Int64Array::from(vec![1]))),
        ("b", Arc::new(LargeStringArray::from(vec!["x"]))),
    ]);
    let column = |name: &str, index| ProjectedColumn { name: name.to_owned(), index };
    let columns = [column("B", 1), column("a", 0), column("again", 1)];
    let source = encode(Arc::clone(&file), &columns, RowSelection::ALL, RowShape::Objects, RowFormat::Ndjson);
    assert_eq!(drained(source.expect("begun")), b"{\"B\":\"x\",\"a\":1,\"again\":\"x\"}\n");
    let refused = encode(file, &[column("c", 2)], RowSelection::ALL, RowShape::Objects, RowFormat::Json);
    assert_eq!(refused.expect_err("no such column").kind(), crate::ErrorKind::Internal);
}

/// Each type once, as D18 specifies it.
#[test]
fn values_of_each_type() {
    use arrow_array::{
        BooleanArray, Date32Array, Decimal128Array, DurationMillisecondArray, Float32Array, Float64Array,
        Time64MicrosecondArray, TimestampMicrosecondArray, TimestampMillisecondArray,
        TimestampNanosecondArray,
    };
    let check = |array: ArrayRef, expected: &str| {
        let data_type = array.data_type().clone();
        assert_eq!(json_arrays(&file_of(vec![("c", array)]), RowSelection::ALL), expected, "{data_type}");
    };
    check(Arc::new(BooleanArray::from(vec![Some(true), Some(false), None])), "[[true],[false],[null]]");
    check(
        Arc::new(Int64Array::from(vec![0, -1, i64::MIN, i64::MAX])),
        "[[0],[-1],[-9223372036854775808],[9223372036854775807]]",
    );
    check(
        Arc::new(Float64Array::from(vec![1.0, -0.0, 1e16, 1e300, 1.5e-7, f64::NAN, f64::NEG_INFINITY])),
        r#"[[1.0],[-0.0],[1e16],[1e300],[1.5e-7],["NaN"],["-Infinity"]]"#,
    );
    check(
        Arc::new(Float32Array::from(vec![0.1, 16_777_216.0, f32::INFINITY])),
        r#"[[0.1],[16777216.0],["Infinity"]]"#,
    );
    // Of tiny reals Java prints the nearest two digits, others as they are.
    check(
        Arc::new(Float32Array::from(vec![1.4e-45, 2.8e-45, -4.2e-45, 1.234e-40, 1.175_494_4e-38])),
        "[[1.4e-45],[2.8e-45],[-4.2e-45],[1.234e-40],[1.1754944e-38]]",
    );
    let decimals = |values: Vec<i128>, precision, scale| {
        Arc::new(Decimal128Array::from(values).with_precision_and_scale(precision, scale).expect("a decimal"))
    };
    check(decimals(vec![150, -5, 0, 12_345], 15, 2), "[[1.50],[-0.05],[0.00],[123.45]]");
    check(decimals(vec![10_i128.pow(38) - 1], 38, 0), "[[99999999999999999999999999999999999999]]");
    check(
        Arc::new(Date32Array::from(vec![0, 11_016, 2_932_897, -719_529])),
        r#"[["1970-01-01"],["2000-02-29"],["+10000-01-01"],["-0001-12-31"]]"#,
    );
    check(
        Arc::new(Time64MicrosecondArray::from(vec![0, 86_399_999_999])),
        r#"[["00:00:00.000000"],["23:59:59.999999"]]"#,
    );
    check(Arc::new(TimestampMillisecondArray::from(vec![-1])), r#"[["1969-12-31T23:59:59.999"]]"#);
    check(
        Arc::new(TimestampMicrosecondArray::from(vec![1]).with_timezone("UTC")),
        r#"[["1970-01-01T00:00:00.000001Z"]]"#,
    );
    check(
        Arc::new(TimestampNanosecondArray::from(vec![1]).with_timezone("-02:30")),
        r#"[["1969-12-31T21:30:00.000000001-02:30"]]"#,
    );
    check(
        Arc::new(TimestampMillisecondArray::from(vec![1_750_000_000_000]).with_timezone("Europe/Berlin")),
        r#"[["2025-06-15T17:06:40.000+02:00"]]"#,
    );
    check(
        Arc::new(DurationMillisecondArray::from(vec![183_845_000, -1])),
        r#"[["2 03:04:05.000"],["-0 00:00:00.001"]]"#,
    );
    check(Arc::new(LargeBinaryArray::from(vec![&b"\x00\xff"[..], b""])), r#"[["AP8="],[""]]"#);
    check(Arc::new(LargeStringArray::from(vec!["", "a\"b", "é"])), r#"[[""],["a\"b"],["é"]]"#);
}

/// Pages of a mapped file are resident memory once they are read: an export that does not release them would take as
/// much memory as the file is long.
#[cfg(target_os = "linux")]
#[test]
fn a_stream_releases_the_memory_of_passed_batches() {
    use crate::arrow_file::{ArrowFileWriter, ROWS_PER_BATCH};

    /// Resident bytes of mapped files only: other tests of this process allocate concurrently.
    fn resident_bytes() -> usize {
        let status = std::fs::read_to_string("/proc/self/status").expect("read");
        let line = status.lines().find_map(|line| line.strip_prefix("RssFile:")).expect("a line");
        let kibibytes = line.trim().trim_end_matches(" kB").parse::<usize>();
        kibibytes.expect("a number") << 10
    }
    let folder = tempfile::tempdir().expect("a folder");
    let text = "a comment of ordinary length ".repeat(8);
    let texts = LargeStringArray::from_iter_values(std::iter::repeat_n(&text, ROWS_PER_BATCH));
    let numbers = Int64Array::from_iter_values(0..ROWS_PER_BATCH as i64);
    let table = RecordBatch::try_from_iter([
        ("n", Arc::new(numbers) as ArrayRef),
        ("text", Arc::new(texts) as ArrayRef),
    ]);
    let table = table.expect("a table");
    let path = folder.path().join("large.arrow");
    let mut writer = ArrowFileWriter::create(&path, table.schema()).expect("created");
    for _ in 0..150 {
        writer.write(&table).expect("written");
    }
    writer.finish().expect("finished");
    let file = ArrowFile::open(&path).expect("opened");
    assert!(file.size_bytes() > 280 << 20);
    let before = resident_bytes();
    let columns = all_columns(&file);
    for format in [RowFormat::ArrowStream, RowFormat::Json] {
        let source = encode(Arc::clone(&file), &columns, RowSelection::ALL, RowShape::Arrays, format);
        let mut source = source.expect("begun");
        let mut most = before;
        while source.next_chunk().expect("encoded").is_some() {
            most = most.max(resident_bytes());
        }
        assert!(most - before < 48 << 20, "{format:?} took {} MiB", (most - before) >> 20);
    }
}
