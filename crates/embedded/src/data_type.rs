//! Storage of SQL types in Polars, and the SQL types of file columns.

use polars::prelude::{DataType, Field, TimeUnit, TimeZone};

use rowhouse_sql::types::{MAX_DECIMAL_PRECISION, RowField, Type, Zone, canonical_zone, offset_minutes};

/// The storage of a SQL type: the Polars type of every expression of that SQL type.
pub(crate) fn storage(data_type: &Type) -> DataType {
    match data_type {
        Type::Unknown => DataType::Null,
        Type::Boolean => DataType::Boolean,
        Type::TinyInt => DataType::Int8,
        Type::SmallInt => DataType::Int16,
        // Months are counted in 32 bits, as in Trino.
        Type::Integer | Type::IntervalYearToMonth => DataType::Int32,
        Type::BigInt => DataType::Int64,
        Type::Real => DataType::Float32,
        Type::Double => DataType::Float64,
        Type::Decimal { precision, scale } => DataType::Decimal(usize::from(*precision), usize::from(*scale)),
        Type::Varchar { .. } | Type::Char { .. } | Type::Json => DataType::String,
        Type::Varbinary | Type::Uuid | Type::IpAddress => DataType::Binary,
        Type::HyperLogLog | Type::TDigest | Type::QDigest(_) => DataType::Binary,
        Type::Date => DataType::Date,
        // A time with a zone is stored as its time in UTC.
        Type::Time { .. } | Type::TimeWithTimeZone { .. } => DataType::Time,
        Type::Timestamp { precision } => DataType::Datetime(time_unit(*precision), None),
        Type::TimestampWithTimeZone { precision, zone } => {
            DataType::Datetime(time_unit(*precision), Some(time_zone(zone.name())))
        }
        Type::IntervalDayToSecond => DataType::Duration(TimeUnit::Milliseconds),
        Type::Array(element) => DataType::List(Box::new(storage(element))),
        Type::Map(key, value) => DataType::List(Box::new(storage(&entry_type(key, value)))),
        Type::Row(fields) => DataType::Struct(
            fields
                .iter()
                .enumerate()
                .map(|(index, field)| Field::new(field.stored_name(index).into(), storage(&field.data_type)))
                .collect(),
        ),
    }
}

/// The type of a map's entries. A map is stored as a list of such rows, ordered by key, so that equal maps have equal
/// storage.
pub(crate) fn entry_type(key: &Type, value: &Type) -> Type {
    let field =
        |name: &str, data_type: &Type| RowField { name: Some(name.to_owned()), data_type: data_type.clone() };
    Type::Row(vec![field("key", key), field("value", value)])
}

/// Polars' unit for this number of fractional digits.
pub(crate) const fn time_unit(precision: u8) -> TimeUnit {
    match precision {
        0..=3 => TimeUnit::Milliseconds,
        4..=6 => TimeUnit::Microseconds,
        _ => TimeUnit::Nanoseconds,
    }
}

/// A zone under the name that Polars accepts. Values with a fixed offset are stored in UTC, because Polars knows few
/// offsets.
pub(crate) fn time_zone(zone: &str) -> TimeZone {
    if offset_minutes(zone).is_some() {
        return TimeZone::UTC;
    }
    TimeZone::opt_try_new(Some(zone)).ok().flatten().unwrap_or(TimeZone::UTC)
}

/// The SQL type of a type found in a file; `None` if SQL has no such type. Unsigned integers become the next wider
/// signed type, `u64` a decimal, dictionaries varchar, and all durations milliseconds.
pub(crate) fn sql_type(found: &DataType) -> Option<Type> {
    Some(match found {
        DataType::Null => Type::VARCHAR,
        DataType::Boolean => Type::Boolean,
        DataType::Int8 => Type::TinyInt,
        DataType::Int16 | DataType::UInt8 => Type::SmallInt,
        DataType::Int32 | DataType::UInt16 => Type::Integer,
        DataType::Int64 | DataType::UInt32 => Type::BigInt,
        DataType::UInt64 => Type::decimal(20, 0),
        DataType::Int128 | DataType::UInt128 => Type::decimal(MAX_DECIMAL_PRECISION, 0),
        DataType::Float16 | DataType::Float32 => Type::Real,
        DataType::Float64 => Type::Double,
        DataType::Decimal(precision, scale) => {
            Type::decimal(u8::try_from(*precision).ok()?, u8::try_from(*scale).ok()?)
        }
        DataType::String | DataType::Categorical(..) | DataType::Enum(..) => Type::VARCHAR,
        DataType::Binary | DataType::BinaryOffset => Type::Varbinary,
        DataType::Date => Type::Date,
        DataType::Time => Type::Time { precision: 6 },
        DataType::Datetime(unit, None) => Type::Timestamp { precision: precision(*unit) },
        DataType::Datetime(unit, Some(zone)) => {
            let zone = canonical_zone(zone).unwrap_or_else(|| zone.to_string());
            Type::TimestampWithTimeZone { precision: precision(*unit), zone: Zone::new(zone) }
        }
        DataType::Duration(_) => Type::IntervalDayToSecond,
        DataType::List(element) | DataType::Array(element, _) => Type::array(sql_type(element)?),
        DataType::Struct(fields) => Type::Row(
            fields
                .iter()
                .map(|field| {
                    Some(RowField { name: Some(field.name.to_string()), data_type: sql_type(&field.dtype)? })
                })
                .collect::<Option<_>>()?,
        ),
        _ => return None,
    })
}

const fn precision(unit: TimeUnit) -> u8 {
    match unit {
        TimeUnit::Milliseconds => 3,
        TimeUnit::Microseconds => 6,
        TimeUnit::Nanoseconds => 9,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(found: &DataType, expected: &str) {
        let sql = sql_type(found).map(|found| found.to_string());
        assert_eq!(sql.as_deref(), Some(expected));
    }

    #[test]
    fn unsigned_integers_are_widened() {
        check(&DataType::UInt8, "smallint");
        check(&DataType::UInt16, "integer");
        check(&DataType::UInt32, "bigint");
        check(&DataType::UInt64, "decimal(20,0)");
        check(&DataType::List(Box::new(DataType::UInt8)), "array(smallint)");
    }

    #[test]
    fn storage_types_round_trip_through_sql_types() {
        let zoned = DataType::Datetime(TimeUnit::Microseconds, Some(time_zone("Europe/Berlin")));
        for stored in [
            DataType::Boolean,
            DataType::Int64,
            DataType::Decimal(15, 2),
            DataType::String,
            DataType::Date,
            DataType::Time,
            zoned,
            DataType::Duration(TimeUnit::Milliseconds),
            DataType::Struct(vec![Field::new("x".into(), DataType::List(Box::new(DataType::Float64)))]),
        ] {
            assert_eq!(sql_type(&stored).map(|sql| storage(&sql)), Some(stored));
        }
    }
}
