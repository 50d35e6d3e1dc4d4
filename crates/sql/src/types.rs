//! The SQL types in Trino's terms: their spelling (D15), the implicit coercions between them, and the supported casts.
//! The executor defines the representation of each type.

use std::fmt;

use rowhouse_model::{Column, FieldName, NamedType, TypeArgument, TypeSignature};

mod binary_text;
mod coercion;
mod parse;
mod shape;
mod time_zone;

pub use binary_text::{VALUE_BYTES, ip_address_text, mapped, parse_ip_address, parse_uuid, uuid_text};
pub use coercion::{can_cast, can_coerce, cast_never_fails, common_super_type, most_characters};
pub use parse::parse_type;
pub use shape::MAX_STORED_LEVELS;
pub use time_zone::{
    Offset, UTC, Zone, Zones, canonical_zone, known_second, local_day, nearest_zone, offset_at,
    offset_minutes, offset_zone,
};

/// The largest precision of a decimal.
pub const MAX_DECIMAL_PRECISION: u8 = 38;

/// The largest `n` of `varchar(n)`; the next larger number stands for `varchar` without a length.
pub const MAX_VARCHAR_LENGTH: u32 = 2_147_483_646;

/// The largest `n` of `char(n)`.
pub const MAX_CHAR_LENGTH: u32 = 65_536;

/// The largest supported precision of times and timestamps, in digits of a second; Trino's is 12.
pub const MAX_TIME_PRECISION: u8 = 9;

/// The precision of a `time` or `timestamp` without a declared one, in digits of a second.
pub const DEFAULT_TIME_PRECISION: u8 = 3;

/// A type of a column or an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// The type of a NULL literal; a result column of this type is stored as varchar.
    Unknown,
    /// `boolean`.
    Boolean,
    /// `tinyint`, 8 bits.
    TinyInt,
    /// `smallint`, 16 bits.
    SmallInt,
    /// `integer`, 32 bits.
    Integer,
    /// `bigint`, 64 bits.
    BigInt,
    /// `real`, 32 bits.
    Real,
    /// `double`, 64 bits.
    Double,
    /// `decimal(p,s)`.
    Decimal {
        /// The number of digits, 1 to 38.
        precision: u8,
        /// The number of digits after the point, at most `precision`.
        scale: u8,
    },
    /// `varchar(n)`, or `varchar` of any length.
    Varchar {
        /// The maximum number of characters, at most [`MAX_VARCHAR_LENGTH`]; `None`: unbounded.
        length: Option<u32>,
    },
    /// `char(n)`: texts of exactly `n` characters; shorter ones are padded with spaces.
    Char {
        /// The number of characters, 0 to [`MAX_CHAR_LENGTH`].
        length: u32,
    },
    /// `varbinary`.
    Varbinary,
    /// `json`, stored as text.
    Json,
    /// `uuid`, 16 bytes, ordered bytewise.
    Uuid,
    /// `ipaddress`, 16 bytes; an IPv4 address is stored as the IPv6 address that it maps to.
    IpAddress,
    /// `HyperLogLog`: a sketch of the number of distinct values, in Trino's binary format.
    HyperLogLog,
    /// `tdigest`: a sketch of quantiles of doubles, in Trino's binary format.
    TDigest,
    /// `qdigest(T)`: a sketch of quantiles of `bigint`, `real` or `double`, in Trino's binary format.
    QDigest(Box<Type>),
    /// `date`.
    Date,
    /// `time(p)`.
    Time {
        /// The maximum number of digits of a second, 0 to 9.
        precision: u8,
    },
    /// `time(p) with time zone`; all values of a column are taken for ones of the same offset.
    TimeWithTimeZone {
        /// The maximum number of digits of a second, 0 to 9.
        precision: u8,
        /// The offset.
        offset: Offset,
    },
    /// `timestamp(p)`, without a zone.
    Timestamp {
        /// The maximum number of digits of a second, 0 to 9.
        precision: u8,
    },
    /// `timestamp(p) with time zone`; all values of a column are taken for ones of the same zone.
    TimestampWithTimeZone {
        /// The maximum number of digits of a second, 0 to 9.
        precision: u8,
        /// The zone.
        zone: Zone,
    },
    /// `interval day to second`, in milliseconds as in Trino.
    IntervalDayToSecond,
    /// `interval year to month`, in months.
    IntervalYearToMonth,
    /// `array(T)`.
    Array(Box<Type>),
    /// `map(K, V)`.
    Map(Box<Type>, Box<Type>),
    /// `row(x T, …)`.
    Row(Vec<RowField>),
}

/// A field of a row type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RowField {
    /// The name; `None` for fields of `ROW(1, 2)`.
    pub name: Option<String>,
    /// The type.
    pub data_type: Type,
}

impl Type {
    /// `varchar` without a length.
    pub const VARCHAR: Self = Self::Varchar { length: None };

    /// `varchar(n)`; without a length if `n` is too large.
    pub fn varchar(length: u64) -> Self {
        Self::Varchar { length: u32::try_from(length).ok().filter(|length| *length <= MAX_VARCHAR_LENGTH) }
    }

    /// The type of a text literal: `varchar(n)` with its number of characters.
    pub fn of_text(text: &str) -> Self {
        Self::varchar(text.chars().count() as u64)
    }

    /// A decimal type.
    pub const fn decimal(precision: u8, scale: u8) -> Self {
        Self::Decimal { precision, scale }
    }

    /// `char(n)`; `None` if `n` is too large.
    pub fn char(length: u64) -> Option<Self> {
        let length = u32::try_from(length).ok().filter(|length| *length <= MAX_CHAR_LENGTH)?;
        Some(Self::Char { length })
    }

    /// An array type.
    pub fn array(element: Self) -> Self {
        Self::Array(Box::new(element))
    }

    /// A map type.
    pub fn map(key: Self, value: Self) -> Self {
        Self::Map(Box::new(key), Box::new(value))
    }

    /// The row type of a map's entries, as returned by `map_entries`.
    pub fn entry(key: &Self, value: &Self) -> Self {
        let field = |data_type: &Self| RowField { name: None, data_type: data_type.clone() };
        Self::Row(vec![field(key), field(value)])
    }

    /// Whether it is one of the four integer types.
    pub const fn is_integer(&self) -> bool {
        matches!(self, Self::TinyInt | Self::SmallInt | Self::Integer | Self::BigInt)
    }

    /// Whether equal values are the same value, so that nothing tells them apart. Not so for `0e0 = -0e0`, padded
    /// texts, one time in two zones, and what contains these.
    pub const fn has_one_form(&self) -> bool {
        self.is_integer()
            || matches!(
                self,
                Self::Boolean
                    | Self::Date
                    | Self::Varchar { .. }
                    | Self::Decimal { .. }
                    | Self::Time { .. }
                    | Self::Timestamp { .. }
                    | Self::Uuid
            )
    }

    /// Whether it is an integer type, decimal, real or double.
    pub const fn is_numeric(&self) -> bool {
        self.is_integer() || matches!(self, Self::Decimal { .. } | Self::Real | Self::Double)
    }

    /// Whether it is `varchar` of any length.
    pub const fn is_varchar(&self) -> bool {
        matches!(self, Self::Varchar { .. })
    }

    /// Whether it is `varchar` or `char`.
    pub const fn is_text(&self) -> bool {
        matches!(self, Self::Varchar { .. } | Self::Char { .. })
    }

    /// Whether it is a sketch: bytes that cannot be compared.
    pub const fn is_sketch(&self) -> bool {
        matches!(self, Self::HyperLogLog | Self::TDigest | Self::QDigest(_))
    }

    /// Whether it is one of the two interval types.
    pub const fn is_interval(&self) -> bool {
        matches!(self, Self::IntervalDayToSecond | Self::IntervalYearToMonth)
    }

    /// Whether the type supports `=`, GROUP BY and DISTINCT.
    pub fn is_comparable(&self) -> bool {
        match self {
            Self::Array(element) => element.is_comparable(),
            Self::Map(key, value) => key.is_comparable() && value.is_comparable(),
            Self::Row(fields) => fields.iter().all(|field| field.data_type.is_comparable()),
            other => !other.is_sketch(),
        }
    }

    /// Whether the type supports `<` and ORDER BY.
    pub fn is_orderable(&self) -> bool {
        match self {
            Self::Array(element) => element.is_orderable(),
            Self::Row(fields) => fields.iter().all(|field| field.data_type.is_orderable()),
            Self::Json | Self::Map(..) => false,
            other => !other.is_sketch(),
        }
    }

    /// Precision and scale of the decimal type that holds every value of an integer or decimal type.
    pub const fn as_decimal(&self) -> Option<(u8, u8)> {
        match self {
            Self::TinyInt => Some((3, 0)),
            Self::SmallInt => Some((5, 0)),
            Self::Integer => Some((10, 0)),
            Self::BigInt => Some((19, 0)),
            Self::Decimal { precision, scale } => Some((*precision, *scale)),
            _ => None,
        }
    }

    /// A column of this type in the wire format (D15). The type of NULL literals is `unknown`, whose values are stored
    /// as texts.
    pub fn to_column(&self, name: impl Into<String>) -> Column {
        Column { name: name.into(), type_name: self.to_string(), type_signature: self.signature() }
    }

    /// The type of a result file's column: this type, with `Unknown` replaced by `varchar`.
    pub fn storable(&self) -> Self {
        match self {
            Self::Unknown => Self::VARCHAR,
            Self::Array(element) => Self::array(element.storable()),
            Self::Map(key, value) => Self::map(key.storable(), value.storable()),
            Self::Row(fields) => Self::Row(
                fields
                    .iter()
                    .map(|field| RowField { name: field.name.clone(), data_type: field.data_type.storable() })
                    .collect(),
            ),
            other => other.clone(),
        }
    }

    /// The representation in a result file: `uuid`, `ipaddress` and time with time zone are stored as texts.
    pub fn in_files(&self) -> Self {
        match self {
            Self::Uuid | Self::IpAddress | Self::TimeWithTimeZone { .. } => Self::VARCHAR,
            Self::Array(element) => Self::array(element.in_files()),
            Self::Map(key, value) => Self::map(key.in_files(), value.in_files()),
            Self::Row(fields) => Self::Row(
                fields
                    .iter()
                    .map(|field| RowField { name: field.name.clone(), data_type: field.data_type.in_files() })
                    .collect(),
            ),
            other => other.clone(),
        }
    }

    /// The size of a value in bytes if all values have the same size, as in Trino's DESCRIBE OUTPUT; otherwise 0.
    pub const fn fixed_bytes(&self) -> u8 {
        match self {
            Self::Boolean | Self::TinyInt | Self::Unknown => 1,
            Self::SmallInt => 2,
            Self::Integer | Self::Real | Self::Date | Self::IntervalYearToMonth => 4,
            Self::BigInt
            | Self::Double
            | Self::Time { .. }
            | Self::TimeWithTimeZone { .. }
            | Self::IntervalDayToSecond => 8,
            Self::Decimal { precision, .. } => {
                if *precision <= 18 {
                    8
                } else {
                    16
                }
            }
            Self::Timestamp { precision } => {
                if *precision <= 6 {
                    8
                } else {
                    12
                }
            }
            Self::TimestampWithTimeZone { precision, .. } => {
                if *precision <= 3 {
                    8
                } else {
                    12
                }
            }
            Self::Uuid | Self::IpAddress => 16,
            Self::Varchar { .. }
            | Self::Char { .. }
            | Self::Varbinary
            | Self::Json
            | Self::HyperLogLog
            | Self::TDigest
            | Self::QDigest(_)
            | Self::Array(_)
            | Self::Map(..)
            | Self::Row(_) => 0,
        }
    }

    /// The type's structured form (D15).
    pub fn signature(&self) -> TypeSignature {
        let (raw_type, arguments) = match self {
            Self::Decimal { precision, scale } => (
                "decimal",
                vec![TypeArgument::Long(i64::from(*precision)), TypeArgument::Long(i64::from(*scale))],
            ),
            Self::Varchar { length } => {
                ("varchar", vec![TypeArgument::Long(length.map_or(i64::from(i32::MAX), i64::from))])
            }
            Self::Char { length } => ("char", vec![TypeArgument::Long(i64::from(*length))]),
            Self::TimeWithTimeZone { precision, offset: _ } => {
                ("time with time zone", vec![TypeArgument::Long(i64::from(*precision))])
            }
            Self::Time { precision } => ("time", vec![TypeArgument::Long(i64::from(*precision))]),
            Self::Timestamp { precision } => ("timestamp", vec![TypeArgument::Long(i64::from(*precision))]),
            Self::TimestampWithTimeZone { precision, zone: _ } => {
                ("timestamp with time zone", vec![TypeArgument::Long(i64::from(*precision))])
            }
            Self::Array(element) => ("array", vec![TypeArgument::Type(element.signature())]),
            Self::Map(key, value) => {
                ("map", vec![TypeArgument::Type(key.signature()), TypeArgument::Type(value.signature())])
            }
            Self::QDigest(element) => ("qdigest", vec![TypeArgument::Type(element.signature())]),
            Self::HyperLogLog => ("HyperLogLog", Vec::new()),
            Self::TDigest => ("tdigest", Vec::new()),
            Self::Row(fields) => ("row", fields.iter().map(RowField::argument).collect()),
            Self::Unknown => ("unknown", Vec::new()),
            Self::Boolean => ("boolean", Vec::new()),
            Self::TinyInt => ("tinyint", Vec::new()),
            Self::SmallInt => ("smallint", Vec::new()),
            Self::Integer => ("integer", Vec::new()),
            Self::BigInt => ("bigint", Vec::new()),
            Self::Real => ("real", Vec::new()),
            Self::Double => ("double", Vec::new()),
            Self::Varbinary => ("varbinary", Vec::new()),
            Self::Json => ("json", Vec::new()),
            Self::Uuid => ("uuid", Vec::new()),
            Self::IpAddress => ("ipaddress", Vec::new()),
            Self::Date => ("date", Vec::new()),
            Self::IntervalDayToSecond => ("interval day to second", Vec::new()),
            Self::IntervalYearToMonth => ("interval year to month", Vec::new()),
        };
        TypeSignature {
            raw_type: raw_type.to_owned(),
            arguments,
            type_arguments: Vec::new(),
            literal_arguments: Vec::new(),
        }
    }
}

impl RowField {
    fn argument(&self) -> TypeArgument {
        TypeArgument::NamedType(NamedType {
            field_name: self.name.clone().map(|name| FieldName { name }),
            type_signature: self.data_type.signature(),
        })
    }
}

impl fmt::Display for Type {
    /// Trino's spelling; the zone of a zoned time or timestamp is not part of it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decimal { precision, scale } => write!(f, "decimal({precision},{scale})"),
            Self::Varchar { length: Some(length) } => write!(f, "varchar({length})"),
            Self::Char { length } => write!(f, "char({length})"),
            Self::TimeWithTimeZone { precision, offset: _ } => write!(f, "time({precision}) with time zone"),
            Self::Time { precision } => write!(f, "time({precision})"),
            Self::Timestamp { precision } => write!(f, "timestamp({precision})"),
            Self::TimestampWithTimeZone { precision, zone: _ } => {
                write!(f, "timestamp({precision}) with time zone")
            }
            Self::Array(element) => write!(f, "array({element})"),
            Self::QDigest(element) => write!(f, "qdigest({element})"),
            Self::Map(key, value) => write!(f, "map({key}, {value})"),
            Self::Row(fields) => {
                f.write_str("row(")?;
                for (index, field) in fields.iter().enumerate() {
                    if index > 0 {
                        f.write_str(", ")?;
                    }
                    if let Some(name) = &field.name {
                        if is_plain_name(name) {
                            write!(f, "{name} ")?;
                        } else {
                            write!(f, "\"{}\" ", name.replace('"', "\"\""))?;
                        }
                    }
                    write!(f, "{}", field.data_type)?;
                }
                f.write_str(")")
            }
            other => f.write_str(&other.signature().raw_type),
        }
    }
}

/// Converts a text to a value of `char(n)`: truncates it, or pads it with spaces.
pub fn padded(text: &str, length: u32) -> String {
    let length = length as usize;
    let mut padded: String = text.chars().take(length).collect();
    let missing = length - padded.chars().count();
    padded.extend(std::iter::repeat_n(' ', missing));
    padded
}

fn is_plain_name(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_lowercase() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

#[cfg(test)]
mod tests;
