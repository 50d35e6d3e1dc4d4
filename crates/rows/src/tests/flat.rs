//! The hot loop and the general encoder are selected by the value and by the remaining room: these tables have values
//! and chunks on both sides of each boundary, and are read back by serde_json.

use arrow_schema::TimeUnit;
use serde_json::Map;

use super::*;

/// Texts around the widths that are copied at once; in one batch of three some need escapes.
fn texts() -> impl Strategy<Value = Vec<Option<String>>> {
    let plain = || "[ -!#-\\[\\]-~é😀\u{7f}]{0,20}";
    let text = prop_oneof![
        8 => plain().prop_map(Some),
        4 => (plain(), 0_usize..12).prop_map(|(piece, times)| Some(piece.repeat(times))),
        1 => prop::sample::select(vec![15, 16, 17, 63, 64, 65, 66, 128, 129, 16_384, 16_385, 17_000])
            .prop_map(|length| Some("x".repeat(length))),
        1 => Just(None),
    ];
    let escaped = prop_oneof![
        3 => text.clone(),
        1 => "[\\x00-\\x7f]{0,70}".prop_map(Some),
        1 => "(x{0,80}[\"\\\\\n\u{1}]x{0,80}){1,3}".prop_map(Some),
    ];
    prop_oneof![2 => prop::collection::vec(text, 0..120), 1 => prop::collection::vec(escaped, 0..120)]
}

fn rows_as_values(texts: &[Option<String>], name: &str, seed: u64) -> (RecordBatch, Vec<Value>) {
    let types = [
        DataType::Timestamp(TimeUnit::Millisecond, None),
        DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into())),
        DataType::Int64,
        DataType::Decimal128(15, 2),
        DataType::Date32,
        DataType::Int32,
        DataType::Boolean,
    ];
    let table = random_table(seed, &types, texts.len());
    let mut columns: Vec<(String, ArrayRef)> = table
        .columns()
        .iter()
        .enumerate()
        .map(|(place, array)| (format!("c{place}"), Arc::clone(array)))
        .collect();
    // Texts first, in between and last, with both widths of offsets.
    let large: ArrayRef = Arc::new(LargeStringArray::from(texts.to_vec()));
    let small: ArrayRef = Arc::new(arrow_array::StringArray::from(texts.to_vec()));
    columns.insert(0, ("t".to_owned(), Arc::clone(&large)));
    columns.insert(3, (name.to_owned(), small));
    columns.push(("last".to_owned(), large));
    let table = RecordBatch::try_from_iter_with_nullable(
        columns.into_iter().map(|(name, array)| (name, array, true)),
    );
    let table = table.expect("arrays of one length");
    let value = |array: &ArrayRef, row: usize| -> Value {
        use arrow_array::cast::AsArray as _;
        match array.data_type() {
            _ if array.is_null(row) => Value::Null,
            DataType::LargeUtf8 => array.as_string::<i64>().value(row).into(),
            DataType::Utf8 => array.as_string::<i32>().value(row).into(),
            DataType::Int64 => array.as_primitive::<arrow_array::types::Int64Type>().value(row).into(),
            DataType::Int32 => array.as_primitive::<arrow_array::types::Int32Type>().value(row).into(),
            DataType::Boolean => array.as_boolean().value(row).into(),
            // Compared as serde_json parses the naive output.
            _ => serde_json::from_str(&naive::json(array, row)).expect("JSON"),
        }
    };
    let rows = (0..table.num_rows()).map(|row| {
        let fields = table.schema_ref().fields().iter().zip(table.columns());
        let object: Map<String, Value> =
            fields.map(|(field, array)| (field.name().clone(), value(array, row))).collect();
        Value::Object(object)
    });
    let rows = rows.collect();
    (table, rows)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn objects_and_lines_round_trip(
        texts in texts(), name in "k[a-z\"é]{0,70}", seed: u64, rows_per_batch in 1_usize..80, repeats in 1_usize..5,
    ) {
        let texts: Vec<_> = texts.iter().cycle().take(texts.len() * repeats).cloned().collect();
        let (table, expected) = rows_as_values(&texts, &name, seed);
        let folder = tempfile::tempdir().expect("a folder");
        let file = stored(folder.path(), &table, rows_per_batch);
        let json = encoded(&file, RowSelection::ALL, RowShape::Objects, RowFormat::Json);
        let read: Vec<Value> = serde_json::from_str(&json).expect("JSON");
        prop_assert!(read == expected);
        let picked: Vec<u32> = (0..texts.len() as u32).filter(|row| row % 3 != 1).collect();
        let expected: Vec<Value> = picked.iter().map(|row| expected[*row as usize].clone()).collect();
        let lines = encoded(&file, RowSelection::Rows(picked.into()), RowShape::Objects, RowFormat::Ndjson);
        let read: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        prop_assert!(read == expected);
    }

    #[test]
    fn numbers_are_written_with_all_their_digits(
        bits: i128, shift in 0_u32..128, scale in 0_u8..=38,
    ) {
        let value = (bits >> shift) % 10_i128.pow(38);
        let decimals = arrow_array::Decimal128Array::from(vec![value]);
        let decimals = decimals.with_precision_and_scale(38, scale as i8).expect("a decimal");
        let file = file_of(vec![
            ("d", Arc::new(decimals)),
            ("i", Arc::new(Int64Array::from(vec![value as i64]))),
            ("j", Arc::new(arrow_array::Int32Array::from(vec![value as i32]))),
        ]);
        let digits = format!("{:01$}", value.unsigned_abs(), usize::from(scale) + 1);
        let (whole, fraction) = digits.split_at(digits.len() - usize::from(scale));
        let sign = if value < 0 { "-" } else { "" };
        let point = if scale > 0 { "." } else { "" };
        let expected = format!("[[{sign}{whole}{point}{fraction},{},{}]]", value as i64, value as i32);
        prop_assert_eq!(json_arrays(&file, RowSelection::ALL), expected);
    }
}
