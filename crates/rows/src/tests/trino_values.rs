//! Values in the form of Trino's client protocol, and pages with a byte limit.

use arrow_array::{
    BooleanArray, Date32Array, Decimal128Array, Int32Array, LargeListArray, StructArray,
    Time64MicrosecondArray, TimestampMicrosecondArray, TimestampMillisecondArray, TimestampNanosecondArray,
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
fn values_are_spelled_as_trino_spells_them() {
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
    let moment = 1_577_934_245_678_901;
    let micros = |value: i64| -> ArrayRef { Arc::new(TimestampMicrosecondArray::from(vec![value])) };
    check("timestamp(6)", micros(moment), r#"[["2020-01-02 03:04:05.678901"]]"#);
    check("timestamp(4)", micros(moment), r#"[["2020-01-02 03:04:05.6789"]]"#);
    check("timestamp(0)", micros(moment), r#"[["2020-01-02 03:04:05"]]"#);
    check("timestamp", micros(moment), r#"[["2020-01-02 03:04:05.678"]]"#);
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
fn rows_are_arrays_and_what_is_within_has_its_own_form() {
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// Including long values, which are written in pieces.
    #[test]
    fn texts_are_those_of_the_interface(
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
    fn pages_of_bytes_add_up(seed: u64, rows in 1_usize..200, rows_per_batch in 1_usize..50, bytes in 0_usize..4000) {
        let folder = tempfile::tempdir().expect("a folder");
        let table = random_table(seed, &[DataType::Int64, DataType::LargeUtf8], rows);
        let file = stored(folder.path(), &table, rows_per_batch);
        let columns = all_columns(&file);
        let mut offset = 0;
        while offset < rows as u64 {
            let count = rows_within(&file, &columns, offset, bytes, &mut Budget::unlimited()).expect("told");
            prop_assert!(count > 0);
            let page = json_arrays(&file, RowSelection::Range { offset, limit: count });
            prop_assert!(count == 1 || page.len() <= 6 * bytes + 64, "{} of {bytes}", page.len());
            offset += count;
        }
        prop_assert_eq!(offset, rows as u64);
        prop_assert_eq!(rows_within(&file, &columns, offset, bytes, &mut Budget::unlimited()).expect("told"), 0);
    }
}
