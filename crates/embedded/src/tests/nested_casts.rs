//! A cast of a value of a column, or inside an array or a row, equals the cast of the value alone, which `trino_answers`
//! compares with Trino's: for each pair of types, including identical ones, and for values that fail.

use super::*;

const VALUES: [&str; 26] = [
    "true",
    "TINYINT '7'",
    "300",
    "BIGINT '3000000000'",
    "REAL '1.5'",
    "2.5e0",
    "1e300",
    "12.34",
    "12345678901234567890.5",
    // As REAL, another number if they are rounded to doubles first, or if the shorter decimal is rounded once.
    "1152921573326323713",
    "DECIMAL '1152921573326323713'",
    "DECIMAL '-8544855684.28262459'",
    "'1'",
    "'2020-01-01'",
    "X'00ff'",
    "DATE '2020-01-01'",
    "DATE '-290000-01-01'",
    "TIME '01:02:03'",
    "TIME '23:59:59.999999999'",
    "TIMESTAMP '2020-01-01 23:59:59'",
    "TIMESTAMP '1969-12-31 23:30:00.123456789'",
    "TIMESTAMP '2020-01-01 00:30:00.5 UTC'",
    "TIMESTAMP '2020-07-01 00:30:00.123456 Europe/Berlin'",
    "INTERVAL '1 02:03:04' DAY TO SECOND",
    "INTERVAL '1-2' YEAR TO MONTH",
    "NULL",
];

const TYPES: [&str; 19] = [
    "boolean",
    "tinyint",
    "smallint",
    "integer",
    "bigint",
    "real",
    "double",
    "decimal(10,1)",
    "decimal(38,9)",
    "varchar(10)",
    "varchar",
    "varbinary",
    "date",
    "time(0)",
    "time(9)",
    "timestamp(0)",
    "timestamp(3)",
    "timestamp(9)",
    "timestamp(3) with time zone",
];

/// The result of a statement with one column and one row, or the name of its error.
fn outcome(sql: &str, folder: &Path) -> Result<Value, String> {
    let found = rows(sql, &PassSet::default(), folder).map_err(|error| error.error_name.clone())?;
    Ok(found[0][0].clone())
}

#[test]
fn nested_casts_match_casts_of_single_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut faults, mut casts) = (Vec::new(), 0);
    for (value, data_type) in VALUES.iter().flat_map(|value| TYPES.map(|data_type| (value, data_type))) {
        if value.starts_with("TIME '") && data_type.starts_with("timestamp") {
            // The analyzer rewrites this cast with the text of the current date; in an array or a row it is refused.
            continue;
        }
        let alone = outcome(&format!("SELECT CAST({value} AS {data_type})"), folder.path());
        if alone == Err("TYPE_MISMATCH".to_owned()) {
            continue;
        }
        casts += 1;
        let mut check = |cast: String, expected: Result<Value, String>| {
            let found = outcome(&format!("SELECT {cast}"), folder.path());
            if found != expected {
                faults.push(format!("{cast}\n    found {found:?}, expected {expected:?}"));
            }
        };
        // A column of two rows, so that the value is not constant.
        let of_column = format!("FROM (VALUES ({value}, 1), (NULL, 2)) AS t(x, n) WHERE n = 1");
        let made = |made: fn(&Value) -> Value| alone.as_ref().map(made).map_err(Clone::clone);
        check(format!("CAST(x AS {data_type}) {of_column}"), alone.clone());
        check(
            format!("CAST(ROW(ARRAY[{value}, NULL]) AS ROW(b array({data_type})))"),
            made(|value| json!([[value, null]])),
        );
        check(
            format!("CAST(ROW(ARRAY[x, NULL], n) AS ROW(b array({data_type}), c varchar)) {of_column}"),
            made(|value| json!([[value, null], "1"])),
        );
        check(
            format!("CAST(ARRAY[ROW({value}, 1), NULL] AS array(ROW(b {data_type}, c varchar)))"),
            made(|value| json!([[value, "1"], null])),
        );
        check(
            format!("CAST(ARRAY[ARRAY[x], NULL] AS array(array({data_type}))) {of_column}"),
            made(|value| json!([[value], null])),
        );
        check(
            format!("TRY_CAST(ROW(ARRAY[x]) AS ROW(b array({data_type}))) {of_column}"),
            Ok(alone.as_ref().map_or(Value::Null, |value| json!([[value]]))),
        );
    }
    assert!(casts > 180, "{casts} casts");
    assert!(faults.is_empty(), "{} of {casts} casts:\n{}", faults.len(), faults.join("\n"));
}
