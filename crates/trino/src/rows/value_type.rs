//! How values of Trino's types are stored (`docs/trino.md` has the table): numbers, dates, times and intervals as
//! Arrow's own types, everything without an exact Arrow type as the text that Trino sends.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields, IntervalUnit, TimeUnit};
use rowhouse_model::{NamedType, TypeArgument, TypeSignature};

use rowhouse_rows::arrow_file::column::{OFFSET_FIELD, TIMESTAMP_FIELD};

/// Types nested deeper are stored as JSON text.
const MAX_DEPTH: usize = 32;

/// A Trino type, as far as its values are concerned.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ValueType {
    /// Nothing but NULL: `unknown`.
    Null,
    Boolean,
    TinyInt,
    SmallInt,
    Integer,
    BigInt,
    Real,
    Double,
    Decimal {
        precision: u8,
        scale: u8,
    },
    /// `varchar`, `char`, and types without an Arrow type: `uuid`, `ipaddress`, `json`, times with a zone, times finer
    /// than a microsecond.
    Text,
    /// Timestamps finer than a nanosecond: text in D18's form.
    FineTimestamp {
        has_zone: bool,
    },
    Varbinary,
    Date,
    /// `time(0)` to `time(6)`, microseconds.
    Time,
    Timestamp(TimeUnit),
    /// The instant, and each value's own offset.
    TimestampWithTimeZone(TimeUnit),
    /// Milliseconds.
    IntervalDayToSecond,
    /// Months.
    IntervalYearToMonth,
    Array(Box<ValueType>),
    Map(Box<ValueType>, Box<ValueType>),
    Row(Vec<(String, ValueType)>),
    /// A plug-in's type: text if Trino sends text, else the JSON that it sends.
    Other,
}

impl ValueType {
    pub(crate) fn of(signature: &TypeSignature) -> Self {
        Self::nested(signature, 0)
    }

    fn nested(signature: &TypeSignature, depth: usize) -> Self {
        if depth > MAX_DEPTH {
            return Self::Other;
        }
        let arguments = signature.arguments.as_slice();
        let number = |index: usize| match arguments.get(index) {
            Some(TypeArgument::Long(number)) => u8::try_from(*number).ok(),
            _ => None,
        };
        match signature.raw_type.as_str() {
            "unknown" => Self::Null,
            "boolean" => Self::Boolean,
            "tinyint" => Self::TinyInt,
            "smallint" => Self::SmallInt,
            "integer" => Self::Integer,
            "bigint" => Self::BigInt,
            "real" => Self::Real,
            "double" => Self::Double,
            "decimal" => match (number(0), number(1)) {
                (Some(precision @ 1..=38), Some(scale)) if scale <= precision => {
                    Self::Decimal { precision, scale }
                }
                _ => Self::Other,
            },
            "varchar" | "char" | "uuid" | "ipaddress" | "json" | "time with time zone" => Self::Text,
            "varbinary" => Self::Varbinary,
            "date" => Self::Date,
            "time" => match number(0) {
                Some(0..=6) => Self::Time,
                _ => Self::Text,
            },
            "timestamp" => {
                let fine = Self::FineTimestamp { has_zone: false };
                number(0).and_then(time_unit).map_or(fine, Self::Timestamp)
            }
            "timestamp with time zone" => {
                let fine = Self::FineTimestamp { has_zone: true };
                number(0).and_then(time_unit).map_or(fine, Self::TimestampWithTimeZone)
            }
            "interval day to second" => Self::IntervalDayToSecond,
            "interval year to month" => Self::IntervalYearToMonth,
            "array" => match arguments {
                [TypeArgument::Type(element)] => Self::Array(Box::new(Self::nested(element, depth + 1))),
                _ => Self::Other,
            },
            "map" => match arguments {
                [TypeArgument::Type(key), TypeArgument::Type(value)] => {
                    let key = Self::nested(key, depth + 1).into_key();
                    Self::Map(Box::new(key), Box::new(Self::nested(value, depth + 1)))
                }
                _ => Self::Other,
            },
            "row" => Self::row(arguments, depth),
            _ => Self::Other,
        }
    }

    /// Unnamed fields are `field0`, `field1`, …; a repeated name gets `_1`, `_2`, as columns do (D18).
    fn row(arguments: &[TypeArgument], depth: usize) -> Self {
        let mut taken = HashSet::new();
        let mut fields = Vec::with_capacity(arguments.len());
        for (index, argument) in arguments.iter().enumerate() {
            let TypeArgument::NamedType(NamedType { field_name, type_signature }) = argument else {
                return Self::Other;
            };
            let given = field_name.as_ref().map_or_else(|| format!("field{index}"), |name| name.name.clone());
            let mut name = given.clone();
            let mut suffix = 0;
            while !taken.insert(name.clone()) {
                suffix += 1;
                name = format!("{given}_{suffix}");
            }
            fields.push((name, Self::nested(type_signature, depth + 1)));
        }
        Self::Row(fields)
    }

    /// Keys of a map are names in JSON: those that are not scalars stay the text that Trino sends.
    fn into_key(self) -> Self {
        match self {
            Self::Array(_) | Self::Map(..) | Self::Row(_) | Self::Other => Self::Text,
            scalar => scalar,
        }
    }

    /// A field of this type.
    pub(crate) fn field(&self, name: &str, is_nullable: bool) -> Field {
        let field = Field::new(name, self.data_type(), is_nullable);
        match self {
            Self::TimestampWithTimeZone(_) => {
                let extension = ("ARROW:extension:name".to_owned(), "arrow.timestamp_with_offset".to_owned());
                field.with_metadata(HashMap::from([extension]))
            }
            _ => field,
        }
    }

    /// The Arrow type of the values.
    pub(crate) fn data_type(&self) -> DataType {
        match self {
            Self::Null => DataType::Null,
            Self::Boolean => DataType::Boolean,
            Self::TinyInt => DataType::Int8,
            Self::SmallInt => DataType::Int16,
            Self::Integer => DataType::Int32,
            Self::BigInt => DataType::Int64,
            Self::Real => DataType::Float32,
            Self::Double => DataType::Float64,
            Self::Decimal { precision, scale } => DataType::Decimal128(*precision, *scale as i8),
            Self::Text | Self::FineTimestamp { .. } | Self::Other => DataType::LargeUtf8,
            Self::Varbinary => DataType::LargeBinary,
            Self::Date => DataType::Date32,
            Self::Time => DataType::Time64(TimeUnit::Microsecond),
            Self::Timestamp(unit) => DataType::Timestamp(*unit, None),
            Self::TimestampWithTimeZone(unit) => DataType::Struct(zoned_fields(*unit)),
            Self::IntervalDayToSecond => DataType::Duration(TimeUnit::Millisecond),
            Self::IntervalYearToMonth => DataType::Interval(IntervalUnit::YearMonth),
            Self::Array(element) => DataType::LargeList(Arc::new(element.field("item", true))),
            Self::Map(key, value) => DataType::Map(Arc::new(entries_field(key, value)), false),
            Self::Row(fields) => DataType::Struct(row_fields(fields)),
        }
    }
}

/// The fields of Arrow's canonical type `timestamp_with_offset`. That neither can be NULL distinguishes it from a row
/// of two such fields.
pub(super) fn zoned_fields(unit: TimeUnit) -> Fields {
    Fields::from(vec![
        Field::new(TIMESTAMP_FIELD, DataType::Timestamp(unit, Some("UTC".into())), false),
        Field::new(OFFSET_FIELD, DataType::Int16, false),
    ])
}

pub(super) fn row_fields(fields: &[(String, ValueType)]) -> Fields {
    fields.iter().map(|(name, value_type)| value_type.field(name, true)).collect()
}

pub(super) fn entries_field(key: &ValueType, value: &ValueType) -> Field {
    Field::new("entries", DataType::Struct(entry_fields(key, value)), false)
}

pub(super) fn entry_fields(key: &ValueType, value: &ValueType) -> Fields {
    Fields::from(vec![key.field("key", false), value.field("value", true)])
}

/// The unit that holds a fraction of that many digits.
const fn time_unit(precision: u8) -> Option<TimeUnit> {
    match precision {
        0 => Some(TimeUnit::Second),
        1..=3 => Some(TimeUnit::Millisecond),
        4..=6 => Some(TimeUnit::Microsecond),
        7..=9 => Some(TimeUnit::Nanosecond),
        _ => None,
    }
}
