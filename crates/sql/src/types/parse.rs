//! Parses type names in Trino's spelling, as in records and view definitions (D15).

use rowhouse_model::{NamedType, TypeArgument, TypeSignature};

use super::{DEFAULT_TIME_PRECISION, MAX_TIME_PRECISION, Offset, RowField, Type, Zone};

/// Parses a type name such as `decimal(15,2)` or `array(row(x bigint))`; `None` if it is invalid or not supported. The
/// zone of zoned times and timestamps is UTC, because the name does not contain it.
pub fn parse_type(name: &str) -> Option<Type> {
    from_signature(&TypeSignature::parse(name.trim()).ok()?)
}

fn from_signature(signature: &TypeSignature) -> Option<Type> {
    let arguments = signature.arguments.as_slice();
    Some(match signature.raw_type.to_ascii_lowercase().as_str() {
        "unknown" => Type::Unknown,
        "boolean" => Type::Boolean,
        "tinyint" => Type::TinyInt,
        "smallint" => Type::SmallInt,
        "integer" | "int" => Type::Integer,
        "bigint" => Type::BigInt,
        "real" => Type::Real,
        "double" => Type::Double,
        "varchar" => match arguments {
            [TypeArgument::Long(length)] => Type::varchar(u64::try_from(*length).ok()?),
            _ => return None,
        },
        "char" => match arguments {
            [] => Type::Char { length: 1 },
            [TypeArgument::Long(length)] => Type::char(u64::try_from(*length).ok()?)?,
            _ => return None,
        },
        "varbinary" => Type::Varbinary,
        "json" => Type::Json,
        "uuid" => Type::Uuid,
        "ipaddress" => Type::IpAddress,
        "hyperloglog" => Type::HyperLogLog,
        "tdigest" => Type::TDigest,
        "qdigest" => match arguments {
            [TypeArgument::Type(element)] => Type::QDigest(Box::new(from_signature(element)?)),
            _ => return None,
        },
        "date" => Type::Date,
        "decimal" => match arguments {
            [] => Type::decimal(38, 0),
            [precision] => Type::decimal(number(precision)?, 0),
            [precision, scale] => Type::decimal(number(precision)?, number(scale)?),
            _ => return None,
        },
        "time" => Type::Time { precision: precision(arguments)? },
        "time with time zone" => {
            Type::TimeWithTimeZone { precision: precision(arguments)?, offset: Offset::new(0) }
        }
        "timestamp" => Type::Timestamp { precision: precision(arguments)? },
        "timestamp with time zone" => {
            Type::TimestampWithTimeZone { precision: precision(arguments)?, zone: Zone::utc() }
        }
        "interval day to second" => Type::IntervalDayToSecond,
        "interval year to month" => Type::IntervalYearToMonth,
        "array" => match arguments {
            [TypeArgument::Type(element)] => Type::array(from_signature(element)?),
            _ => return None,
        },
        "map" => match arguments {
            [TypeArgument::Type(key), TypeArgument::Type(value)] => {
                Type::map(from_signature(key)?, from_signature(value)?)
            }
            _ => return None,
        },
        "row" => Type::Row(arguments.iter().map(row_field).collect::<Option<_>>()?),
        _ => return None,
    })
}

fn row_field(argument: &TypeArgument) -> Option<RowField> {
    let TypeArgument::NamedType(NamedType { field_name, type_signature }) = argument else { return None };
    let name = field_name.as_ref().map(|field_name| field_name.name.clone());
    Some(RowField { name, data_type: from_signature(type_signature)? })
}

/// The precision in digits of a second; `None` if it is not supported.
fn precision(arguments: &[TypeArgument]) -> Option<u8> {
    let precision = arguments.first().map_or(Some(DEFAULT_TIME_PRECISION), number)?;
    (precision <= MAX_TIME_PRECISION).then_some(precision)
}

/// A numeric argument, saturated to a u8.
fn number(argument: &TypeArgument) -> Option<u8> {
    let TypeArgument::Long(number) = argument else { return None };
    Some(u8::try_from(*number).unwrap_or(u8::MAX))
}
