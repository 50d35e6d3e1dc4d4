//! Rows of the schema `jdbc`: tables, columns and types with the numbers of `java.sql.Types` and
//! `java.sql.DatabaseMetaData`, as in Trino 476.

use super::rows::{ListedColumn, Row, text, type_label};
use crate::analyze::table_names::FullName;
use crate::expr::Value;
use crate::types::Type;

/// `DatabaseMetaData.columnNullable` and `typeNullable`.
const NULLABLE: i64 = 1;
/// `DatabaseMetaData.typeSearchable`: usable in WHERE, including LIKE.
const SEARCHABLE: i64 = 3;
/// `DatabaseMetaData.typePredNone`.
const NOT_SEARCHABLE: i64 = 0;
/// The length of a `varchar` without a declared length, in characters.
const UNBOUNDED: i64 = 2_147_483_647;
/// `java.sql.Types.JAVA_OBJECT`.
const JAVA_OBJECT: i64 = 2000;
/// `java.sql.Types.ARRAY`.
const ARRAY: i64 = 2003;

/// A row of `system.jdbc.tables`. A materialized view is a `TABLE` in Trino, too.
pub(super) fn table_row(FullName { catalog, schema, table }: FullName) -> Row {
    let mut row = vec![text(catalog), text(schema), text(table), text("TABLE")];
    row.resize(10, Value::Null);
    row
}

/// A row of `system.jdbc.columns`.
pub(super) fn column_row(ListedColumn { table, name, data_type, position }: ListedColumn) -> Row {
    let characters = match data_type {
        Type::Varchar { .. } | Type::Char { .. } | Type::Varbinary => column_size(&data_type),
        _ => None,
    };
    vec![
        text(table.catalog),
        text(table.schema),
        text(table.table),
        text(name),
        Value::Integer(type_code(&data_type)),
        text(type_label(&data_type)),
        number(column_size(&data_type)),
        Value::Integer(0),
        number(decimal_digits(&data_type)),
        number(radix(&data_type)),
        Value::Integer(NULLABLE),
        Value::Null,
        Value::Null,
        Value::Null,
        Value::Null,
        number(characters),
        Value::Integer(position),
        text("YES"),
        Value::Null,
        Value::Null,
        Value::Null,
        Value::Null,
        Value::Null,
        Value::Null,
    ]
}

#[cfg(test)]
pub(in crate::analyze) fn column_row_of(data_type: &Type) -> Row {
    let table = FullName { catalog: String::new(), schema: String::new(), table: String::new() };
    column_row(ListedColumn { table, name: String::new(), data_type: data_type.clone(), position: 1 })
}

/// The rows of `system.jdbc.types`: first the types without parameters, then those with parameters.
pub(super) fn type_rows() -> Vec<Row> {
    let simple = [
        Type::BigInt,
        Type::Boolean,
        Type::Date,
        Type::Double,
        Type::Integer,
        Type::IntervalDayToSecond,
        Type::IntervalYearToMonth,
        Type::IpAddress,
        Type::Json,
        Type::Real,
        Type::SmallInt,
        Type::TinyInt,
        Type::Unknown,
        Type::Uuid,
        Type::Varbinary,
    ];
    let simple = simple.map(|data_type| {
        type_row(
            &data_type.to_string(),
            type_code(&data_type),
            column_size(&data_type),
            radix(&data_type),
            SEARCHABLE,
        )
    });
    let with_parameters = [
        "array",
        "char",
        "decimal",
        "row",
        "time",
        "time with time zone",
        "timestamp",
        "timestamp with time zone",
        "varchar",
    ];
    let with_parameters = with_parameters.map(|name| {
        let code = if name == "array" { ARRAY } else { JAVA_OBJECT };
        type_row(name, code, None, None, NOT_SEARCHABLE)
    });
    simple.into_iter().chain(with_parameters).collect()
}

fn type_row(name: &str, code: i64, precision: Option<i64>, radix: Option<i64>, searchable: i64) -> Row {
    vec![
        text(name),
        Value::Integer(code),
        number(precision),
        Value::Null,
        Value::Null,
        Value::Null,
        Value::Integer(NULLABLE),
        Value::Boolean(false),
        Value::Integer(searchable),
        Value::Null,
        Value::Boolean(false),
        Value::Null,
        Value::Null,
        Value::Integer(0),
        Value::Integer(0),
        Value::Null,
        Value::Null,
        number(radix),
    ]
}

fn number(value: Option<i64>) -> Value {
    value.map_or(Value::Null, Value::Integer)
}

/// The type's constant in `java.sql.Types`.
const fn type_code(data_type: &Type) -> i64 {
    match data_type {
        Type::Boolean => 16,
        Type::TinyInt => -6,
        Type::SmallInt => 5,
        Type::Integer => 4,
        Type::BigInt => -5,
        Type::Real => 7,
        Type::Double => 8,
        Type::Decimal { .. } => 3,
        Type::Varchar { .. } => 12,
        Type::Char { .. } => 1,
        Type::Varbinary => -3,
        Type::Date => 91,
        Type::Time { .. } => 92,
        Type::TimeWithTimeZone { .. } => 2013,
        Type::Timestamp { .. } => 93,
        Type::TimestampWithTimeZone { .. } => 2014,
        Type::Array(_) => ARRAY,
        Type::Unknown
        | Type::Json
        | Type::Uuid
        | Type::IpAddress
        | Type::HyperLogLog
        | Type::TDigest
        | Type::QDigest(_)
        | Type::IntervalDayToSecond
        | Type::IntervalYearToMonth
        | Type::Map(..)
        | Type::Row(_) => JAVA_OBJECT,
    }
}

/// The column size of JDBC: digits of a number in its radix; characters of a text, a date or a time.
fn column_size(data_type: &Type) -> Option<i64> {
    let with_digits = |characters: i64, precision: u8| match precision {
        0 => characters,
        _ => characters + 1 + i64::from(precision),
    };
    match data_type {
        Type::TinyInt => Some(3),
        Type::SmallInt => Some(5),
        Type::Integer => Some(10),
        Type::BigInt => Some(19),
        Type::Real => Some(24),
        Type::Double => Some(53),
        Type::Decimal { precision, .. } => Some(i64::from(*precision)),
        Type::Varchar { length } => Some(length.map_or(UNBOUNDED, i64::from)),
        Type::Char { length } => Some(i64::from(*length)),
        Type::Varbinary => Some(UNBOUNDED),
        Type::Date => Some(14),
        Type::Time { precision } => Some(with_digits(8, *precision)),
        Type::TimeWithTimeZone { precision, .. } => Some(with_digits(14, *precision)),
        Type::Timestamp { precision } => Some(with_digits(21, *precision)),
        Type::TimestampWithTimeZone { precision, .. } => Some(with_digits(55, *precision)),
        Type::Unknown
        | Type::Boolean
        | Type::Json
        | Type::Uuid
        | Type::IpAddress
        | Type::HyperLogLog
        | Type::TDigest
        | Type::QDigest(_)
        | Type::IntervalDayToSecond
        | Type::IntervalYearToMonth
        | Type::Array(_)
        | Type::Map(..)
        | Type::Row(_) => None,
    }
}

/// The number of digits after the decimal point.
fn decimal_digits(data_type: &Type) -> Option<i64> {
    match data_type {
        Type::Decimal { scale: digits, .. }
        | Type::Time { precision: digits }
        | Type::TimeWithTimeZone { precision: digits, .. }
        | Type::Timestamp { precision: digits }
        | Type::TimestampWithTimeZone { precision: digits, .. } => Some(i64::from(*digits)),
        _ => None,
    }
}

const fn radix(data_type: &Type) -> Option<i64> {
    match data_type {
        Type::TinyInt | Type::SmallInt | Type::Integer | Type::BigInt | Type::Decimal { .. } => Some(10),
        Type::Real | Type::Double => Some(2),
        _ => None,
    }
}
