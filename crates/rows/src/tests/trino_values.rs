//! Values in the form of Trino's client protocol, and pages with a byte limit.

use arrow_array::{
    Array as _, BooleanArray, Date32Array, Decimal128Array, Float32Array, Float64Array, Int32Array,
    Int64Array, LargeListArray, LargeStringArray, MapArray, StructArray, Time64MicrosecondArray,
    TimestampMicrosecondArray, TimestampMillisecondArray, TimestampNanosecondArray,
};
use arrow_buffer::OffsetBuffer;
use rowhouse_model::Column;

use super::*;

/// The rows of one column of a type, in the protocol's form.
fn check(type_name: &str, array: ArrayRef, expected: &str) {
    let file = file_of(vec![("c", array)]);
    let forms = [TrinoValue::of(&Column::new("c", type_name).type_signature)];
    let (columns, envelope) = (all_columns(&file), Envelope::default());
    let source = encode_for_trino(file, columns, forms.into(), RowSelection::ALL, envelope).expect("begun");
    assert_eq!(String::from_utf8(drained(source)).expect("UTF-8"), expected, "{type_name}");
}

#[test]
fn values_are_formatted_like_trino() {
    let decimals = Decimal128Array::from(vec![Some(-150), None, Some(5)]).with_precision_and_scale(5, 2);
    check("decimal(5,2)", Arc::new(decimals.expect("a precision")), r#"[["-1.50"],[null],["0.05"]]"#);
    let wide = Decimal128Array::from(vec![i128::MAX / 10]).with_precision_and_scale(38, 0);
    check(
        "decimal(38,0)",
        Arc::new(wide.expect("a precision")),
        r#"[["17014118346046923173168730371588410572"]]"#,
    );
    check("boolean", Arc::new(BooleanArray::from(vec![true])), "[[true]]");
    check("date", Arc::new(Date32Array::from(vec![0])), r#"[["1970-01-01"]]"#);
    check("interval year to month", Arc::new(Int32Array::from(vec![-14])), r#"[["-1-2"]]"#);
    check("integer", Arc::new(Int32Array::from(vec![-14])), "[[-14]]");
    // A client without precisions gets the nearest millisecond, as from Trino.
    let moment = 1_577_934_245_678_901;
    let micros = |value: i64| -> ArrayRef { Arc::new(TimestampMicrosecondArray::from(vec![value])) };
    check("timestamp(6)", micros(moment), r#"[["2020-01-02 03:04:05.678901"]]"#);
    check("timestamp(4)", micros(moment), r#"[["2020-01-02 03:04:05.6789"]]"#);
    check("timestamp(0)", micros(moment), r#"[["2020-01-02 03:04:06"]]"#);
    check("timestamp", micros(moment), r#"[["2020-01-02 03:04:05.679"]]"#);
    check(
        "timestamp(9)",
        Arc::new(TimestampNanosecondArray::from(vec![-1])),
        r#"[["1969-12-31 23:59:59.999999999"]]"#,
    );
    let zoned = TimestampMillisecondArray::from(vec![1_593_658_800_500]);
    let berlin = zoned.clone().with_timezone("Europe/Berlin");
    check("timestamp(3) with time zone", Arc::new(berlin), r#"[["2020-07-02 05:00:00.500 Europe/Berlin"]]"#);
    check(
        "timestamp(3) with time zone",
        Arc::new(zoned.with_timezone("UTC")),
        r#"[["2020-07-02 03:00:00.500 UTC"]]"#,
    );
    let times: ArrayRef = Arc::new(Time64MicrosecondArray::from(vec![3_723_400_000]));
    check("time(0)", Arc::clone(&times), r#"[["01:02:03"]]"#);
    check("time(3)", times, r#"[["01:02:03.400"]]"#);
}

#[test]
fn rows_are_arrays_and_nested_values_have_their_own_format() {
    let decimals: ArrayRef =
        Arc::new(Decimal128Array::from(vec![15, 25]).with_precision_and_scale(2, 1).expect("a precision"));
    let item = Arc::new(Field::new("item", decimals.data_type().clone(), true));
    let list: ArrayRef = Arc::new(LargeListArray::new(item, OffsetBuffer::from_lengths([2]), decimals, None));
    check("array(decimal(2,1))", Arc::clone(&list), r#"[[["1.5","2.5"]]]"#);
    let moments: ArrayRef = Arc::new(TimestampMillisecondArray::from(vec![100]));
    let row = StructArray::from(vec![
        (Arc::new(Field::new("a", list.data_type().clone(), true)), list),
        (Arc::new(Field::new("b", moments.data_type().clone(), true)), moments),
    ]);
    let type_name = "row(a array(decimal(2,1)), b timestamp(1))";
    check(type_name, Arc::new(row), r#"[[[["1.5","2.5"],"1970-01-01 00:00:00.1"]]]"#);
}

/// One map from each key to its index.
fn map_of(keys: ArrayRef) -> ArrayRef {
    let places: ArrayRef =
        Arc::new(Int32Array::from_iter_values(0..i32::try_from(keys.len()).expect("few keys")));
    let offsets = OffsetBuffer::from_lengths([keys.len()]);
    let fields = vec![
        Field::new("key", keys.data_type().clone(), false),
        Field::new("value", places.data_type().clone(), true),
    ];
    let entries = StructArray::new(fields.into(), vec![keys, places], None);
    let field = Arc::new(Field::new("entries", entries.data_type().clone(), false));
    Arc::new(MapArray::new(field, offsets, entries, None, false))
}

/// The expected keys are Trino 476's, which uses Java's `toString`. Regression: keys that are arrays, rows or maps were
/// encoded as the empty text.
#[test]
fn map_keys_are_formatted_like_java() {
    let doubles = [1.5, 1e7, 9_999_999.0, 0.001, 0.000_999, -1e38, 0.0, -0.0, f64::NAN, f64::INFINITY];
    let expected = r#"[[{"1.5":0,"1.0E7":1,"9999999.0":2,"0.001":3,"9.99E-4":4,"-1.0E38":5,"0.0":6,"-0.0":7,"NaN":8,"Infinity":9}]]"#;
    check("map(double,integer)", map_of(Arc::new(Float64Array::from(doubles.to_vec()))), expected);
    let reals = Float32Array::from(vec![-2_147_483_600.0, 0.1]);
    check("map(real,integer)", map_of(Arc::new(reals)), r#"[[{"-2.1474836E9":0,"0.1":1}]]"#);
    check("map(bigint,integer)", map_of(Arc::new(Int64Array::from(vec![-7]))), r#"[[{"-7":0}]]"#);

    let decimals: ArrayRef = Arc::new(
        Decimal128Array::from(vec![Some(15), None]).with_precision_and_scale(2, 1).expect("a precision"),
    );
    let item = Arc::new(Field::new("item", decimals.data_type().clone(), true));
    let lists: ArrayRef =
        Arc::new(LargeListArray::new(item, OffsetBuffer::from_lengths([2, 0]), decimals, None));
    check("map(array(decimal(2,1)),integer)", map_of(Arc::clone(&lists)), r#"[[{"[1.5, null]":0,"[]":1}]]"#);
    let texts: ArrayRef = Arc::new(LargeStringArray::from(vec!["a\"b", ""]));
    let rows = StructArray::from(vec![
        (Arc::new(Field::new("a", lists.data_type().clone(), true)), lists),
        (Arc::new(Field::new("b", texts.data_type().clone(), true)), texts),
    ]);
    let type_name = "map(row(a array(decimal(2,1)),b varchar),integer)";
    check(type_name, map_of(Arc::new(rows)), r#"[[{"[[1.5, null], a\"b]":0,"[[], ]":1}]]"#);
    let maps = map_of(Arc::new(Float64Array::from(vec![1e10, 1.0])));
    check("map(map(double,integer),integer)", map_of(maps), r#"[[{"{1.0E10=0, 1.0=1}":0}]]"#);

    // Long keys are written in pieces.
    let long = "x\"".repeat(50_000);
    let texts: ArrayRef = Arc::new(LargeStringArray::from(vec![long.as_str(), "y"]));
    let maps = map_of(texts);
    let item = Arc::new(Field::new("item", maps.data_type().clone(), true));
    let lists = LargeListArray::new(item, OffsetBuffer::from_lengths([1, 0]), maps, None);
    let escaped = "x\\\"".repeat(50_000);
    let expected = format!(r#"[[{{"[{{{escaped}=0, y=1}}]":0,"[]":1}}]]"#);
    check("map(array(map(varchar,integer)),integer)", map_of(Arc::new(lists)), &expected);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Including long values, which are written in pieces.
    #[test]
    fn texts_are_encoded_as_in_the_rest_interface(
        texts in proptest::collection::vec("[a-zé\"\\\\]{0,30}", 1..20), long in 0_usize..60_000,
    ) {
        let mut texts = texts;
        texts.push("x\"".repeat(long / 2));
        let file = file_of(vec![("c", Arc::new(LargeStringArray::from(texts)) as ArrayRef)]);
        let forms = [TrinoValue::of(&Column::new("c", "varchar").type_signature)];
        let source = encode_for_trino(
            Arc::clone(&file), all_columns(&file), forms.into(), RowSelection::ALL, Envelope::default(),
        );
        let found = String::from_utf8(drained(source.expect("begun"))).expect("UTF-8");
        prop_assert_eq!(found, json_arrays(&file, RowSelection::ALL));
    }

    /// Pages contain all rows once, none is empty, and one of several rows is not larger than requested except for
    /// escapes.
    #[test]
    fn pages_limited_by_bytes_contain_all_rows(seed: u64, rows in 1_usize..200, rows_per_batch in 1_usize..50, bytes in 0_usize..4000) {
        let folder = tempfile::tempdir().expect("a folder");
        let table = random_table(seed, &[DataType::Int64, DataType::LargeUtf8], rows);
        let file = stored(folder.path(), &table, rows_per_batch);
        let columns = all_columns(&file);
        let mut offset = 0;
        while offset < rows as u64 {
            let count = rows_within(&file, &columns, offset, bytes, &mut Budget::unlimited()).expect("a count");
            prop_assert!(count > 0);
            let page = json_arrays(&file, RowSelection::Range { offset, limit: count });
            prop_assert!(count == 1 || page.len() <= 6 * bytes + 64, "{} of {bytes}", page.len());
            offset += count;
        }
        prop_assert_eq!(offset, rows as u64);
        prop_assert_eq!(rows_within(&file, &columns, offset, bytes, &mut Budget::unlimited()).expect("a count"), 0);
    }
}
