//! Types as written in a statement, in CAST and typed literals.

use rowhouse_model::{ErrorCode, ErrorLocation, QueryError};
use sqlparser::ast::{
    ArrayElemTypeDef, BinaryLength, CharacterLength, DataType, ExactNumberInfo, Ident, IntervalFields,
    ObjectName, StructBracketKind, StructField, TimezoneInfo,
};

use super::context::{Analyzer, refuse_if, user_error};
use crate::error::{Result, not_supported, type_mismatch};
use crate::types::{
    DEFAULT_TIME_PRECISION, MAX_DECIMAL_PRECISION, MAX_TIME_PRECISION, MAX_VARCHAR_LENGTH, Offset, RowField,
    Type, Zone, parse_type,
};

impl Analyzer<'_> {
    /// A type as it is written. As in Trino, UNKNOWN is only the type of elements and fields.
    pub(super) fn data_type(&self, data_type: &DataType, place: Option<ErrorLocation>) -> Result<Type> {
        match self.data_type_within(data_type, place)? {
            Type::Unknown => Err(type_mismatch(place, "UNKNOWN is not a valid type")),
            known => Ok(known),
        }
    }

    /// A type, or a part of one.
    fn data_type_within(&self, data_type: &DataType, place: Option<ErrorLocation>) -> Result<Type> {
        let refused = || user_error(ErrorCode::TypeNotFound, place, format!("Unknown type: {data_type}"));
        let read = match data_type {
            DataType::Boolean | DataType::Bool => Type::Boolean,
            DataType::TinyInt(None) => Type::TinyInt,
            DataType::SmallInt(None) | DataType::Int2(None) => Type::SmallInt,
            DataType::Int(None) | DataType::Integer(None) | DataType::Int4(None) => Type::Integer,
            DataType::BigInt(None) | DataType::Int8(None) => Type::BigInt,
            DataType::Real | DataType::Float4 | DataType::Float(ExactNumberInfo::None) => Type::Real,
            DataType::Double(ExactNumberInfo::None) | DataType::DoublePrecision | DataType::Float8 => {
                Type::Double
            }
            DataType::Decimal(info) | DataType::Numeric(info) | DataType::Dec(info) => decimal(*info, place)?,
            DataType::Varchar(length)
            | DataType::CharacterVarying(length)
            | DataType::CharVarying(length) => match length {
                None | Some(CharacterLength::Max) => Type::VARCHAR,
                Some(CharacterLength::IntegerLength { length, unit: None })
                    if *length <= u64::from(MAX_VARCHAR_LENGTH) + 1 =>
                {
                    Type::varchar(*length)
                }
                Some(CharacterLength::IntegerLength { .. }) => return Err(refused()),
            },
            DataType::Text | DataType::String(None) => Type::VARCHAR,
            DataType::Varbinary(None | Some(BinaryLength::Max)) => Type::Varbinary,
            DataType::Date => Type::Date,
            DataType::Time(precision, TimezoneInfo::None | TimezoneInfo::WithoutTimeZone) => {
                Type::Time { precision: time_precision(*precision, refused, place)? }
            }
            DataType::Time(precision, TimezoneInfo::WithTimeZone) => Type::TimeWithTimeZone {
                precision: time_precision(*precision, refused, place)?,
                offset: Offset::new(0),
            },
            DataType::Timestamp(precision, TimezoneInfo::None | TimezoneInfo::WithoutTimeZone) => {
                Type::Timestamp { precision: time_precision(*precision, refused, place)? }
            }
            DataType::Timestamp(precision, TimezoneInfo::WithTimeZone) => Type::TimestampWithTimeZone {
                precision: time_precision(*precision, refused, place)?,
                zone: Zone::utc(),
            },
            DataType::Interval { fields: Some(IntervalFields::DayToSecond), precision: None } => {
                Type::IntervalDayToSecond
            }
            DataType::Interval { fields: Some(IntervalFields::YearToMonth), precision: None } => {
                Type::IntervalYearToMonth
            }
            DataType::Array(
                ArrayElemTypeDef::AngleBracket(element) | ArrayElemTypeDef::Parenthesis(element),
            ) => Type::array(self.data_type_within(element, place)?),
            DataType::JSON => Type::Json,
            DataType::Char(None) => Type::Char { length: 1 },
            DataType::Char(Some(CharacterLength::IntegerLength { length, unit: None })) => {
                Type::char(*length).ok_or_else(refused)?
            }
            DataType::Uuid => Type::Uuid,
            DataType::Custom(name, arguments) if sketch(name, arguments).is_some() => {
                sketch(name, arguments).ok_or_else(refused)?
            }
            DataType::Custom(name, arguments)
                if arguments.is_empty() && name.to_string().eq_ignore_ascii_case("ipaddress") =>
            {
                Type::IpAddress
            }
            DataType::Custom(name, arguments)
                if arguments.is_empty() && name.to_string().eq_ignore_ascii_case("unknown") =>
            {
                Type::Unknown
            }
            DataType::Map(key, value, _) => {
                Type::map(self.data_type_within(key, place)?, self.data_type_within(value, place)?)
            }
            DataType::Struct(fields, StructBracketKind::AngleBrackets) => Type::Row(
                fields
                    .iter()
                    .map(|field| {
                        let StructField { field_name, field_type, options } = field;
                        refuse_if(options.is_some(), place, "an option of a row's field")?;
                        Ok(RowField {
                            name: field_name.as_ref().map(field_name_of),
                            data_type: self.data_type_within(field_type, place)?,
                        })
                    })
                    .collect::<Result<_>>()?,
            ),
            _ => return Err(refused()),
        };
        Ok(read)
    }
}

/// The name of a row's field: in lower case unless it is delimited.
fn field_name_of(name: &Ident) -> String {
    match name.quote_style {
        Some(_) => name.value.clone(),
        None => name.value.to_lowercase(),
    }
}

/// The type of a sketch, which the parser does not know by name.
fn sketch(name: &ObjectName, arguments: &[String]) -> Option<Type> {
    let name = name.to_string();
    let name = match arguments {
        [] => name,
        all => format!("{name}({})", all.join(",")),
    };
    parse_type(&name).filter(Type::is_sketch)
}

fn decimal(info: ExactNumberInfo, place: Option<ErrorLocation>) -> Result<Type> {
    let (precision, scale) = match info {
        ExactNumberInfo::None => (u64::from(MAX_DECIMAL_PRECISION), 0),
        ExactNumberInfo::Precision(precision) => (precision, 0),
        ExactNumberInfo::PrecisionAndScale(precision, scale) => (precision, scale),
    };
    let fits = (1..=u64::from(MAX_DECIMAL_PRECISION)).contains(&precision);
    match (u8::try_from(precision), u8::try_from(scale)) {
        (Ok(precision), Ok(scale)) if fits && scale <= precision => Ok(Type::decimal(precision, scale)),
        _ => {
            let message = format!(
                "Invalid decimal type ({precision},{scale}): the precision is 1 to {MAX_DECIMAL_PRECISION}, the scale 0 to the precision"
            );
            Err(user_error(ErrorCode::InvalidFunctionArgument, place, message))
        }
    }
}

/// The precision of a time or timestamp, in digits of a second. Trino supports up to twelve.
fn time_precision(
    precision: Option<u64>,
    unknown: impl Fn() -> QueryError,
    place: Option<ErrorLocation>,
) -> Result<u8> {
    match u8::try_from(precision.unwrap_or(DEFAULT_TIME_PRECISION.into())) {
        Ok(precision @ 0..=MAX_TIME_PRECISION) => Ok(precision),
        Ok(10..=12) => Err(not_supported(place, TOO_PRECISE)),
        _ => Err(unknown()),
    }
}

/// The name, in errors, of times and timestamps with ten to twelve digits of a second.
pub(super) const TOO_PRECISE: &str = "a time or timestamp with more than nine digits of a second";
