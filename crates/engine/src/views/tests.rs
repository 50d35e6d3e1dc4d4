//! Reads by filter: through an index, by a scan and by a naive implementation, which must all agree.

use std::cmp::Ordering;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use proptest::prelude::*;
use rowhouse_filters::{Filter, IsValue, Operand, Operator};
use rowhouse_model::{Column, Timestamp};

use super::cast::{Point, cast};
use super::demand;
use super::generation::Generation;
use crate::{ErrorKind, Result};
use rowhouse_random_tables::{Dice, random_table};
use rowhouse_rows::{
    ArrowFile, ArrowFileWriter, ChunkSource, ProjectedColumn, RowFormat, RowSelection, RowShape, encode,
};

mod order;
mod turns;

/// The table as a file with batches of this many rows.
fn stored(folder: &Path, table: &RecordBatch, rows_per_batch: usize) -> Arc<ArrowFile> {
    let path = folder.join("table.arrow");
    let writer = ArrowFileWriter::create(&path, table.schema()).expect("created");
    let mut writer = writer.with_rows_per_batch(rows_per_batch);
    writer.write(table).expect("written");
    writer.finish().expect("finished");
    ArrowFile::open(&path).expect("opened")
}

fn all_columns(file: &ArrowFile) -> Vec<ProjectedColumn> {
    let fields = file.schema().fields().iter().enumerate();
    fields.map(|(index, field)| ProjectedColumn { name: field.name().clone(), index }).collect()
}

fn drained(mut source: Box<dyn ChunkSource>) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some(chunk) = source.next_chunk().expect("encoded") {
        bytes.extend_from_slice(&chunk);
    }
    bytes
}

/// Columns with few distinct values, so that filters match some of them; the last one is the row number.
fn small_table(seed: u64, rows: usize) -> RecordBatch {
    use arrow_array::*;
    let mut dice = Dice(seed);
    let mut column = |values: usize| -> Vec<Option<usize>> {
        (0..rows).map(|_| Some(dice.below(values + 1)).filter(|place| *place < values)).collect()
    };
    let texts = [
        "",
        "a",
        "ab",
        "a\u{0}",
        "abc%",
        "EUROPE",
        "a text that is longer than a key is",
        "a text that is longer than a key too",
        "é",
    ];
    let common = ["https://host/x/1", "https://host/x/2", "https://host/x/22", "https://host/x/"];
    let doubles = [0.0, -0.0, 1.5, -1.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    let arrays: Vec<ArrayRef> = vec![
        Arc::new(Int64Array::from_iter(column(7).into_iter().map(|v| v.map(|v| v as i64 - 3)))),
        Arc::new(Int32Array::from_iter(column(300).into_iter().map(|v| v.map(|v| v as i32 * 1000)))),
        Arc::new(LargeStringArray::from_iter(column(texts.len()).into_iter().map(|v| v.map(|v| texts[v])))),
        Arc::new(LargeStringArray::from_iter(column(common.len()).into_iter().map(|v| v.map(|v| common[v])))),
        Arc::new(Float64Array::from_iter(column(doubles.len()).into_iter().map(|v| v.map(|v| doubles[v])))),
        Arc::new(BooleanArray::from_iter(column(2).into_iter().map(|v| v.map(|v| v == 1)))),
        Arc::new(
            Decimal128Array::from_iter(column(5).into_iter().map(|v| v.map(|v| v as i128 * 50 - 100)))
                .with_precision_and_scale(15, 2)
                .expect("a decimal"),
        ),
        Arc::new(Date32Array::from_iter(column(5).into_iter().map(|v| v.map(|v| v as i32 - 2)))),
        Arc::new(TimestampMillisecondArray::from_iter(
            column(4).into_iter().map(|v| v.map(|v| v as i64 - 2)),
        )),
        Arc::new(LargeBinaryArray::from_iter(column(1).into_iter().map(|v| v.map(|_| b"x")))),
        Arc::new(Int64Array::from_iter_values(0..rows as i64)),
    ];
    let fields = arrays.iter().enumerate();
    let fields = fields
        .map(|(place, array)| arrow_schema::Field::new(format!("c{place}"), array.data_type().clone(), true));
    RecordBatch::try_new(Arc::new(arrow_schema::Schema::new(fields.collect::<Vec<_>>())), arrays)
        .expect("a table")
}

const TYPE_NAMES: [&str; 11] = [
    "bigint",
    "integer",
    "varchar",
    "varchar",
    "double",
    "boolean",
    "decimal(15,2)",
    "date",
    "timestamp(3)",
    "varbinary",
    "bigint",
];

/// A filter that the column of the table supports.
fn random_filter(dice: &mut Dice) -> String {
    let column = dice.below(10);
    let value = |dice: &mut Dice| -> &'static str {
        match column {
            0 => dice.pick(&["-3", "0", "3", "4", "-9223372036854775808", "9223372036854775807"]),
            1 => dice.pick(&["0", "1000", "150000", "299000", "-1", "5", "2147483647", "-2147483648"]),
            2 => dice.pick(&[
                "",
                "a",
                "ab",
                "a\u{0}",
                "b",
                "EUROPE",
                "a text that is longer than a key is",
                "a text that is longer than a key",
                "zz",
            ]),
            3 => {
                dice.pick(&["https://host/x/2", "https://host/x/", "https://", "a", "z", "https://host/x/3"])
            }
            4 => dice.pick(&["0", "-0", "1.5", "NaN", "Infinity", "-Infinity", "1e300"]),
            5 => dice.pick(&["true", "false"]),
            6 => dice.pick(&["0", "-1", "0.5", "0.505", "-0.505", "9999999999999.99"]),
            7 => dice.pick(&["1970-01-01", "1969-12-31", "1970-01-09", "-0001-01-01"]),
            8 => dice.pick(&[
                "1970-01-01T00:00:00",
                "1969-12-31 23:59:59.9985",
                "1970-01-01 00:00:00.001",
                "1970-01-02",
            ]),
            _ => "",
        }
    };
    let operators: &[&str] = match column {
        2 | 3 => &["EQ", "NEQ", "LT", "LTE", "GT", "GTE", "IN", "BETWEEN", "LIKE", "IS", "IS_NOT"],
        5 => &["EQ", "NEQ", "IS", "IS_NOT"],
        9 => &["IS", "IS_NOT"],
        _ => &["EQ", "NEQ", "LT", "LTE", "GT", "GTE", "IN", "BETWEEN", "IS", "IS_NOT"],
    };
    let operator = dice.pick(operators);
    let operand = match operator {
        "IN" => (0..=dice.below(4)).map(|_| value(dice)).collect::<Vec<_>>().join(","),
        "BETWEEN" => format!("{},{}", value(dice), value(dice)),
        "LIKE" => dice
            .pick(&["%", "a%", "%e%", "a_%", "abc\\%", "https://host/x/2%", "https:%", "EUROPE"])
            .to_owned(),
        "IS" | "IS_NOT" if column == 5 => dice.pick(&["null", "true", "false"]).to_owned(),
        "IS" | "IS_NOT" => "null".to_owned(),
        _ => value(dice).to_owned(),
    };
    format!("c{column}:{operator}:{operand}")
}

/// Whether a row passes, computed from the array and the text of D22 and D23 only.
fn passes(table: &RecordBatch, row: usize, filter: &Filter) -> bool {
    let column = table.column_by_name(filter.column()).expect("a column");
    let is_null = column.is_null(row);
    match filter.operand() {
        Operand::Is(IsValue::Null) => return is_null == (filter.operator() == Operator::Is),
        Operand::Is(truth) => {
            let is = !is_null && column.as_boolean().value(row) == (*truth == IsValue::True);
            return is == (filter.operator() == Operator::Is);
        }
        _ if is_null => return false,
        Operand::Pattern(pattern) => return pattern.matches(column.as_string::<i64>().value(row)),
        _ => {}
    }
    let order = |text: &str| compare(column, row, text);
    use Ordering::{Equal, Greater, Less};
    match filter.operand() {
        Operand::Text(text) => match filter.operator() {
            Operator::Eq => order(text) == Some(Equal),
            Operator::Neq => order(text) != Some(Equal),
            Operator::Lt => order(text) == Some(Less),
            Operator::Lte => matches!(order(text), Some(Less | Equal)),
            Operator::Gt => order(text) == Some(Greater),
            _ => matches!(order(text), Some(Greater | Equal)),
        },
        Operand::List(texts) => texts.iter().any(|text| order(text) == Some(Equal)),
        Operand::Range { low, high } => {
            matches!(order(low), Some(Greater | Equal)) && matches!(order(high), Some(Less | Equal))
        }
        Operand::Pattern(_) | Operand::Is(_) => unreachable!("answered above"),
    }
}

/// Compares the value of a row with a text cast to its type; none if one is NaN.
fn compare(column: &dyn Array, row: usize, text: &str) -> Option<Ordering> {
    use arrow_array::types::*;
    let value = match column.data_type() {
        DataType::LargeUtf8 => return Some(column.as_string::<i64>().value(row).cmp(text)),
        DataType::Float64 => {
            return column
                .as_primitive::<Float64Type>()
                .value(row)
                .partial_cmp(&text.parse().expect("a number"));
        }
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row).into(),
        DataType::Int32 => column.as_primitive::<Int32Type>().value(row).into(),
        DataType::Date32 => column.as_primitive::<Date32Type>().value(row).into(),
        DataType::Boolean => column.as_boolean().value(row).into(),
        DataType::Decimal128(..) => column.as_primitive::<Decimal128Type>().value(row),
        DataType::Timestamp(..) => column.as_primitive::<TimestampMillisecondType>().value(row).into(),
        other => unreachable!("{other}"),
    };
    Some(match cast(text, column.data_type()).expect("castable") {
        Point::At(key) => value.cmp(&key),
        Point::After(key) => value.cmp(&key).then(Ordering::Less),
        Point::Nan => unreachable!("floats are compared above"),
    })
}

fn generation(
    folder: &Path,
    number: u64,
    table: &RecordBatch,
    rows_per_batch: usize,
    indexed: &[usize],
) -> Generation {
    let file = stored(folder, table, rows_per_batch);
    let columns =
        TYPE_NAMES.iter().enumerate().map(|(place, type_name)| Column::new(format!("c{place}"), *type_name));
    let views = folder.join("view");
    Generation::build(&views, number, file.path(), columns.collect(), indexed, Timestamp::from_millis(0))
        .expect("built")
}

/// The row numbers of the last column.
fn row_numbers(generation: &Generation, selection: RowSelection) -> Vec<u64> {
    let file = generation.file();
    let column = &all_columns(file)[10..];
    let source =
        encode(Arc::clone(file), column, selection, RowShape::Arrays, RowFormat::Json).expect("begun");
    let rows: Vec<(u64,)> = serde_json::from_slice(&drained(source)).expect("JSON");
    rows.into_iter().map(|(row,)| row).collect()
}

fn parsed(texts: &[String]) -> Vec<Filter> {
    texts.iter().map(|text| Filter::parse(text, &["c0"]).expect(text)).collect()
}

fn select(generation: &Generation, text: &str) -> Result<RowSelection> {
    generation.select(&parsed(&[text.to_owned()]), 0, u64::MAX)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn index_scan_and_naive_filter_agree(seed: u64, rows in 0_usize..600, rows_per_batch in 200_usize..400) {
        let folder = tempfile::tempdir().expect("a folder");
        let table = small_table(seed, rows);
        let scanned = generation(folder.path(), 1, &table, rows_per_batch, &[]);
        let indexed = generation(folder.path(), 2, &table, rows_per_batch, &(0..11).collect::<Vec<_>>());
        let mut dice = Dice(seed);
        for _ in 0..40 {
            let texts: Vec<String> = (0..=dice.below(3)).map(|_| random_filter(&mut dice)).collect();
            let filters = parsed(&texts);
            let passing = (0..rows).filter(|row| filters.iter().all(|filter| passes(&table, *row, filter)));
            let passing: Vec<u64> = passing.map(|row| row as u64).collect();
            let offset = dice.pick(&[0, 0, 1, 50]);
            let limit = dice.pick(&[u64::MAX, 0, 1, 10, 200]);
            let expected: Vec<u64> =
                passing.iter().copied().skip(offset as usize).take(limit.min(1000) as usize).collect();
            for generation in [&scanned, &indexed] {
                let selection = generation.select(&filters, offset, limit).expect("selected");
                prop_assert_eq!(&row_numbers(generation, selection), &expected, "{:?}", texts);
            }
            // All batches are decoded by now; before, it may return nothing.
            if let Some(selection) = indexed.select_at_once(&filters, offset, limit).expect("selected") {
                prop_assert_eq!(&row_numbers(&indexed, selection), &expected, "{:?} at once", texts);
            }
            // The index alone, where the choice would have been a scan.
            let found = indexed.select_by_index(&filters).expect("looked up");
            if let Some(found) = found {
                prop_assert_eq!(&row_numbers(&indexed, found), &passing, "{:?} by index", texts);
            }
        }
    }
}

#[test]
fn unsupported_filters_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let generation = generation(folder.path(), 1, &small_table(1, 10), 10, &[]);
    let check = |text: &str, kind: ErrorKind, message: &str| {
        let error = select(&generation, text).expect_err(text);
        assert_eq!(error.kind(), kind, "{text}: {error}");
        assert!(error.message().contains(message), "{text}: {error}");
    };
    check("c0:EQ:x", ErrorKind::InvalidCastArgument, "column `c0` (EQ): cannot cast `x` to bigint");
    check("c1:EQ:2147483648", ErrorKind::InvalidCastArgument, "to integer");
    check("c1:IN:1,2147483648", ErrorKind::InvalidCastArgument, "cannot cast `2147483648`");
    check("c6:LT:10000000000000", ErrorKind::InvalidCastArgument, "to decimal(15,2)");
    check("c7:GT:1970-01-01T00:00:00", ErrorKind::InvalidCastArgument, "expected `YYYY-MM-DD`");
    check("c8:GT:1970-01-01T00:00:00Z", ErrorKind::InvalidCastArgument, "without a zone");
    check("c5:LT:true", ErrorKind::InvalidArguments, "LT");
    check("c9:EQ:x", ErrorKind::InvalidArguments, "EQ");
    check("nope:EQ:x", ErrorKind::ColumnNotFound, "nope");
    assert!(select(&generation, "C0:EQ:1").is_ok());
}

#[test]
fn small_reads_of_decoded_batches_are_answered_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let generation = generation(folder.path(), 1, &small_table(9, 600), 300, &[10]);
    let at_once = |text: &str, limit| {
        let selection = generation.select_at_once(&parsed(&[text.to_owned()]), 0, limit).expect("selected");
        selection.map(|selection| row_numbers(&generation, selection))
    };
    assert_eq!(at_once("c10:EQ:5", 10), None);
    generation.file().batch(0).expect("decoded");
    assert_eq!(at_once("c10:EQ:5", 10), Some(vec![5]));
    assert_eq!(at_once("c10:EQ:400", 10), None);
    assert_eq!(at_once("c10:EQ:601", 10), Some(vec![]));
    // So is a short scan that finds enough rows, but no comparison of texts.
    assert_eq!(at_once("c10:GT:3", 2), Some(vec![4, 5]));
    assert_eq!(at_once("c6:IS:null", 1).map(|rows| rows.len()), Some(1));
    assert_eq!(at_once("c2:EQ:a", 1), None);
    assert_eq!(at_once("c10:GT:3", 500), None);
    assert_eq!(at_once("c10:GT:298", 10), None);
    let page = |offset, limit| generation.select_at_once(&[], offset, limit).expect("selected").is_some();
    assert_eq!([page(0, 100), page(250, 100), page(0, 300), page(700, 10)], [true, false, false, true]);
}

#[test]
fn a_column_that_is_filtered_often_gets_an_index() {
    let folder = tempfile::tempdir().expect("a folder");
    let generation = generation(folder.path(), 1, &small_table(4, 900), 300, &[]);
    let read = || row_numbers(&generation, select(&generation, "c10:BETWEEN:500,510").expect("selected"));
    let path = folder.path().join("view/1.10.index");
    let scanned = read();
    assert_eq!(scanned, (500..=510).collect::<Vec<u64>>());
    let mut reads = 1;
    let earned = loop {
        if let Some(column) = generation.take_earned_index() {
            break column;
        }
        assert_eq!(read(), scanned);
        reads += 1;
        assert!(reads < 5000, "never earned");
    };
    assert_eq!(earned, 10);
    assert!(reads >= demand::SCANS_PER_INDEX, "{reads}");
    assert!(generation.used_indexes().is_empty() && !path.exists());
    generation.build_earned_index(earned);
    assert!(path.exists());
    assert_eq!(read(), scanned);
    assert_eq!(generation.used_indexes(), ["c10"]);
    // Reopened, it exists.
    let columns = Arc::clone(generation.columns());
    let opened = Generation::open(&folder.path().join("view"), 1, columns, Timestamp::from_millis(0));
    let opened = opened.expect("opened");
    assert_eq!(opened.count_at_once(&parsed(&["c10:LT:7".to_owned()])).expect("counted"), Some(7));
}

#[test]
fn a_generation_is_reopened_and_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = small_table(5, 500);
    let built = generation(folder.path(), 7, &table, 256, &[0, 2, 9]);
    let views = folder.path().join("view");
    let names = || -> Vec<String> {
        let entries = views.read_dir().expect("listed").flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    };
    // Binary has no order, so no index.
    assert_eq!(names(), ["7.0.index", "7.2.index", "7.arrow", "7.stats"]);
    let columns = Arc::clone(built.columns());
    let opened = Generation::open(&views, 7, columns, Timestamp::from_millis(0)).expect("opened");
    assert_eq!(opened.row_count(), 500);
    let (left, right) = (select(&built, "c0:EQ:1"), select(&opened, "c0:EQ:1"));
    assert_eq!(row_numbers(&built, left.expect("selected")), row_numbers(&opened, right.expect("selected")));
    assert_eq!((built.number(), built.refreshed_at()), (opened.number(), opened.refreshed_at()));
    Generation::remove(&views, 7);
    assert!(names().is_empty());
    // A reader in flight continues on it.
    assert_eq!(row_numbers(&opened, RowSelection::ALL).len(), 500);
}

#[test]
fn damaged_files_beside_a_generation_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let built = generation(folder.path(), 1, &small_table(6, 300), 256, &[0, 2]);
    let columns = Arc::clone(built.columns());
    let views = folder.path().join("view");
    for name in ["1.stats", "1.0.index", "1.2.index"] {
        let path = views.join(name);
        let whole = std::fs::read(&path).expect("read");
        for length in [0, 1, 63, 64, 65, whole.len() / 2, whole.len() - 1] {
            // A mapped file may not change: the damaged one is another file.
            std::fs::remove_file(&path).expect("removed");
            std::fs::write(&path, &whole[..length]).expect("written");
            let opened = Generation::open(&views, 1, Arc::clone(&columns), Timestamp::from_millis(0));
            assert_eq!(opened.expect_err(name).kind(), ErrorKind::Damaged);
        }
        std::fs::remove_file(&path).expect("removed");
        std::fs::write(&path, &whole).expect("written");
    }
    Generation::open(&views, 1, columns, Timestamp::from_millis(0)).expect("whole again");
}

#[test]
fn a_file_of_many_small_batches_is_rewritten() {
    let folder = tempfile::tempdir().expect("a folder");
    let table = small_table(8, 100);
    let built = generation(folder.path(), 1, &table, 3, &[0]);
    assert_eq!(built.file().num_batches(), 1);
    assert_eq!(row_numbers(&built, RowSelection::ALL), (0..100).collect::<Vec<_>>());
    // A table whose every value has some type is accepted as well.
    let every = random_table(3, &[DataType::Null, DataType::Int64], 4);
    let file = stored(&folder.path().join("view"), &every, 4);
    let columns = [Column::new("c0", "unknown"), Column::new("c1", "bigint")];
    Generation::build(
        &folder.path().join("other"),
        1,
        file.path(),
        columns.into(),
        &[0, 1],
        Timestamp::from_millis(0),
    )
    .expect("built");
}
