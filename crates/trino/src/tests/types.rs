//! Every type of Trino's, as Trino 435 sends it, in the forms of D15 and D18.

use serde_json::{Value, json};

use super::fake::{FakeTrino, encoded, recorded};
use rowhouse_rows::RowFormat;

#[tokio::test(flavor = "multi_thread")]
async fn every_type_is_stored_and_encoded() {
    let outcome = FakeTrino::replay(&recorded("types")).await.run().await;
    let columns = outcome.result.as_ref().unwrap().columns.clone();
    let rows = outcome.rows();
    let row = rows.iter().find(|row| !row[0].is_null()).unwrap();
    let nulls = rows.iter().find(|row| row[0].is_null()).unwrap();
    assert!(nulls.as_array().unwrap().iter().all(Value::is_null), "{nulls}");
    let mut checked = 0;
    let mut check = |name: &str, type_name: &str, expected: Value| {
        let index = columns.iter().position(|column| column.name == name).unwrap();
        assert_eq!(columns[index].type_name, type_name, "{name}");
        assert_eq!(row[index], expected, "{name}: {type_name}");
        checked += 1;
    };
    check("d", "decimal(5,2)", json!(1.5));
    check("t9", "time(9)", json!("01:02:03.123456789"));
    check("t0", "time(0)", json!("01:02:03.000000"));
    check("t6", "time(6)", json!("01:02:03.123456"));
    check("tz", "time(3) with time zone", json!("01:02:03.123+05:30"));
    check("ts0", "timestamp(0)", json!("2020-01-02T03:04:05"));
    check("ts6", "timestamp(6)", json!("2020-01-02T03:04:05.123456"));
    check("ts9", "timestamp(9)", json!("2020-01-02T03:04:05.123456789"));
    check("ts12", "timestamp(12)", json!("2020-01-02T03:04:05.123456789012"));
    check("tsz", "timestamp(3) with time zone", json!("2020-01-02T03:04:05.123+01:00"));
    check("tsneg", "timestamp(3) with time zone", json!("-2020-01-02T03:04:05.123Z"));
    check("tszo", "timestamp(6) with time zone", json!("2020-01-02T03:04:05.123456+05:30"));
    check("i", "interval day to second", json!("3 00:00:00.000"));
    check("ineg", "interval day to second", json!("-0 00:00:01.000"));
    check("im", "interval year to month", json!("1-2"));
    check("imneg", "interval year to month", json!("-1-2"));
    check("a", "array(integer)", json!([1, null]));
    check("m", "map(varchar(1), double)", json!({ "a": 1.5, "b": "NaN" }));
    check("md", "map(date, array(boolean))", json!({ "2020-01-01": [true] }));
    check("r", "row(a integer, b varchar)", json!({ "a": 1, "b": "x" }));
    check("r2", "row(integer, integer)", json!({ "field0": 1, "field1": 2 }));
    check("j", "json", json!("{\"a\":1}"));
    check("u", "uuid", json!("12151fd2-7586-11e9-8f9e-2a86e4085a59"));
    check("ip", "ipaddress", json!("10.0.0.1"));
    check("ip6", "ipaddress", json!("2001:db8::1"));
    check("b", "varbinary", json!("AP8="));
    check("c", "char(5)", json!("ab   "));
    check("ti", "tinyint", json!(-1));
    check("si", "smallint", json!(2));
    check("it", "integer", json!(3));
    check("bi", "bigint", json!(i64::MAX));
    check("re", "real", json!(1.1));
    check("inf", "double", json!("Infinity"));
    check("n", "double", json!("NaN"));
    check("bo", "boolean", json!(true));
    check("dt", "date", json!("2020-01-01"));
    check("dneg", "date", json!("-0044-03-15"));
    check("dfar", "date", json!("+12020-01-01"));
    check("v3", "varchar(3)", json!("x"));
    check("v", "varchar(3)", json!("é\"\\"));
    check("un", "unknown", Value::Null);
    check("big", "double", json!(1e300));
    check("nz", "double", json!(-0.0));
    check("ats", "array(timestamp(0) with time zone)", json!(["2020-01-01T00:00:00Z", null]));
    check("deep", "array(row(x array(map(integer, decimal(3,1)))))", json!([{ "x": [{ "1": 1.5 }] }]));
    check("rn", "row(a integer)", Value::Null);
    check("mn", "map(varchar, integer)", Value::Null);
    assert_eq!(checked, columns.len() - 1, "every column but d38, whose digits no JSON number of Rust's has");

    // All digits of a decimal are on the wire.
    let json = String::from_utf8(encoded(&outcome.output, &columns, RowFormat::Json)).unwrap();
    assert!(json.contains(",-123456789012345678901234567890.12,"), "{json}");
    // CSV has the same texts, and JSON for nested values.
    let csv = String::from_utf8(encoded(&outcome.output, &columns, RowFormat::Csv)).unwrap();
    for part in ["2020-01-02T03:04:05.123+01:00", ",1-2,-1-2,", "\"{\"\"a\"\":1.5,\"\"b\"\":\"\"NaN\"\"}\""] {
        assert!(csv.contains(part), "{part}: {csv}");
    }
    // Other formats support every type, too.
    assert!(encoded(&outcome.output, &columns, RowFormat::ArrowStream).len() > 1000);
    assert!(encoded(&outcome.output, &columns, RowFormat::Parquet).starts_with(b"PAR1"));
}
