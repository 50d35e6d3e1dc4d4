//! A decoded column by its kind of value, determined once per batch so that rows need no downcast. The buffers are
//! shared with the Arrow arrays.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Decimal128Type, DurationMicrosecondType, DurationMillisecondType,
    DurationNanosecondType, DurationSecondType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, IntervalYearMonthType, Time32MillisecondType, Time32SecondType, Time64MicrosecondType,
    Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Fields, IntervalUnit, TimeUnit};

use crate::arrow_file::plain_text::is_plain_json;
use crate::arrow_file::zone::Zone;
use crate::{Error, Result};

/// Field of a stored zoned timestamp with the instant; Arrow's canonical type `timestamp_with_offset`.
pub const TIMESTAMP_FIELD: &str = "timestamp";
/// Field of a stored zoned timestamp with the offset in minutes.
pub const OFFSET_FIELD: &str = "offset_minutes";
/// Key of a field's metadata with the SQL type of its values, if the Arrow type has no more than their storage.
pub const TYPE_KEY: &str = "rowhouse:type";
/// The SQL type of 32-bit integers that are months.
pub const MONTHS_TYPE: &str = "interval year to month";
/// Key of a field's metadata with the offset from UTC, such as `+05:30`, that all its zoned timestamps have.
pub const COLUMN_OFFSET_KEY: &str = "rowhouse:offset";

/// One column of a batch, or of a nested value.
#[derive(Clone, Debug)]
pub struct ColumnValues {
    /// None if no value is NULL.
    nulls: Option<NullBuffer>,
    /// The values; those at NULL positions are undefined.
    pub values: Values,
}

/// The values by kind.
#[derive(Clone, Debug)]
#[expect(missing_docs, reason = "variants are named for Arrow's types; others have a comment")]
pub enum Values {
    Null,
    Boolean(BooleanBuffer),
    Int8(ScalarBuffer<i8>),
    Int16(ScalarBuffer<i16>),
    Int32(ScalarBuffer<i32>),
    Int64(ScalarBuffer<i64>),
    UInt8(ScalarBuffer<u8>),
    UInt16(ScalarBuffer<u16>),
    UInt32(ScalarBuffer<u32>),
    UInt64(ScalarBuffer<u64>),
    Float32(ScalarBuffer<f32>),
    Float64(ScalarBuffer<f64>),
    Decimal {
        values: Decimals,
        scale: u8,
    },
    /// Days since 1970-01-01.
    Date(ScalarBuffer<i32>),
    /// Units since midnight, 32 bits wide.
    Time32 {
        values: ScalarBuffer<i32>,
        unit: TimeUnit,
    },
    /// Units since midnight.
    Time64 {
        values: ScalarBuffer<i64>,
        unit: TimeUnit,
    },
    /// Units since 1970-01-01T00:00:00.
    Timestamp {
        values: ScalarBuffer<i64>,
        unit: TimeUnit,
        zone: Option<Zone>,
    },
    /// Units since 1970-01-01T00:00:00Z, each with its own offset in minutes.
    ZonedTimestamp {
        values: ScalarBuffer<i64>,
        unit: TimeUnit,
        offsets: ScalarBuffer<i16>,
    },
    /// Units.
    Duration {
        values: ScalarBuffer<i64>,
        unit: TimeUnit,
    },
    /// Months of `interval year to month`.
    Months(ScalarBuffer<i32>),
    /// UTF-8, validated.
    Text(Bytes),
    Binary(Bytes),
    List {
        offsets: Offsets,
        elements: Box<ColumnValues>,
    },
    /// Keys are scalars and not NULL.
    Map {
        offsets: Offsets,
        keys: Box<ColumnValues>,
        values: Box<ColumnValues>,
    },
    Row {
        names: Arc<[String]>,
        fields: Vec<ColumnValues>,
    },
}

/// Unscaled decimals, 128 bits each, with any alignment.
#[derive(Clone, Debug)]
pub struct Decimals(Buffer);

/// Values of varying length.
#[derive(Clone, Debug)]
pub struct Bytes {
    /// The position of each value in `bytes`.
    pub offsets: Offsets,
    /// The values, concatenated.
    pub bytes: Buffer,
    /// Whether all are texts that need no escape in JSON: determined once when they are validated, instead of each time
    /// that one is written.
    pub is_plain: bool,
}

/// Boundaries of values of variable length.
#[derive(Clone, Debug)]
pub enum Offsets {
    /// Ends of values, as in Arrow, 32 bits wide.
    Small(OffsetBuffer<i32>),
    /// The same, 64 bits wide.
    Large(OffsetBuffer<i64>),
    /// All of the same length, the first at `start`.
    Fixed {
        /// Bytes before the first value.
        start: usize,
        /// Bytes of a value.
        width: usize,
    },
}

impl ColumnValues {
    /// Determines the kind of an array of a column's type; decimals may be stored as 16 bytes each.
    ///
    /// # Errors
    /// `Internal`: no result has values of the array's type.
    pub fn new(array: &ArrayRef, data_type: &DataType) -> Result<Self> {
        let values = match data_type {
            DataType::Null => Values::Null,
            DataType::Boolean => Values::Boolean(array.as_boolean().values().clone()),
            DataType::Int8 => Values::Int8(scalars::<Int8Type>(array)),
            DataType::Int16 => Values::Int16(scalars::<Int16Type>(array)),
            DataType::Int32 => Values::Int32(scalars::<Int32Type>(array)),
            DataType::Int64 => Values::Int64(scalars::<Int64Type>(array)),
            DataType::UInt8 => Values::UInt8(scalars::<UInt8Type>(array)),
            DataType::UInt16 => Values::UInt16(scalars::<UInt16Type>(array)),
            DataType::UInt32 => Values::UInt32(scalars::<UInt32Type>(array)),
            DataType::UInt64 => Values::UInt64(scalars::<UInt64Type>(array)),
            DataType::Float32 => Values::Float32(scalars::<Float32Type>(array)),
            DataType::Float64 => Values::Float64(scalars::<Float64Type>(array)),
            DataType::Decimal128(_, scale) => {
                let values = match array.as_fixed_size_binary_opt() {
                    Some(stored) => stored.values().clone(),
                    None => array.as_primitive::<Decimal128Type>().values().inner().clone(),
                };
                let scale = u8::try_from(*scale)
                    .ok()
                    .filter(|scale| *scale <= 38)
                    .ok_or_else(|| unknown(data_type))?;
                Values::Decimal { values: Decimals(values), scale }
            }
            DataType::Date32
            | DataType::Time32(_)
            | DataType::Time64(_)
            | DataType::Timestamp(..)
            | DataType::Duration(_)
            | DataType::Interval(IntervalUnit::YearMonth) => temporal(array, data_type)?,
            DataType::Utf8 => {
                let array = array.as_string::<i32>();
                Values::Text(Bytes::texts(Offsets::Small(array.offsets().clone()), array.values()))
            }
            DataType::LargeUtf8 => {
                let array = array.as_string::<i64>();
                Values::Text(Bytes::texts(Offsets::Large(array.offsets().clone()), array.values()))
            }
            DataType::Binary => {
                let array = array.as_binary::<i32>();
                Values::Binary(Bytes::binary(Offsets::Small(array.offsets().clone()), array.values()))
            }
            DataType::LargeBinary => {
                let array = array.as_binary::<i64>();
                Values::Binary(Bytes::binary(Offsets::Large(array.offsets().clone()), array.values()))
            }
            DataType::FixedSizeBinary(width) => {
                let offsets = Offsets::Fixed { start: 0, width: *width as usize };
                Values::Binary(Bytes::binary(offsets, array.as_fixed_size_binary().values()))
            }
            DataType::List(element) => {
                let array = array.as_list::<i32>();
                Values::List {
                    offsets: Offsets::Small(array.offsets().clone()),
                    elements: Box::new(nested(array.values(), element)?),
                }
            }
            DataType::LargeList(element) => {
                let array = array.as_list::<i64>();
                Values::List {
                    offsets: Offsets::Large(array.offsets().clone()),
                    elements: Box::new(nested(array.values(), element)?),
                }
            }
            DataType::FixedSizeList(element, width) => Values::List {
                offsets: Offsets::Fixed { start: 0, width: *width as usize },
                elements: Box::new(nested(array.as_fixed_size_list().values(), element)?),
            },
            DataType::Map(entries, _) => {
                let array = array.as_map();
                let DataType::Struct(fields) = entries.data_type() else { return Err(unknown(data_type)) };
                let [key, value] = &**fields else { return Err(unknown(data_type)) };
                Values::Map {
                    offsets: Offsets::Small(array.offsets().clone()),
                    keys: Box::new(nested(array.keys(), key)?),
                    values: Box::new(nested(array.values(), value)?),
                }
            }
            DataType::Struct(fields) if let Some(unit) = zoned_unit(fields) => {
                let array = array.as_struct();
                let moments = nested(array.column(0), &fields[0])?;
                let (Values::Timestamp { values, .. }, Values::Int16(offsets)) =
                    (moments.values, nested(array.column(1), &fields[1])?.values)
                else {
                    return Err(unknown(data_type));
                };
                Values::ZonedTimestamp { values, unit, offsets }
            }
            DataType::Struct(fields) => Values::Row {
                names: fields.iter().map(|field| field.name().clone()).collect(),
                fields: nested_fields(array, fields)?,
            },
            _ => return Err(unknown(data_type)),
        };
        let nulls = array.nulls().filter(|nulls| nulls.null_count() > 0).cloned();
        Ok(Self { nulls, values })
    }

    /// As [`new`](Self::new), of a column with this field, whose metadata may say more than its type ([`TYPE_KEY`]).
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn of_field(array: &ArrayRef, field: &Field) -> Result<Self> {
        Ok(Self::new(array, field.data_type())?.marked(field))
    }

    fn marked(self, field: &Field) -> Self {
        match self.values {
            Values::Int32(months) if are_months(field) => Self { values: Values::Months(months), ..self },
            values => Self { values, ..self },
        }
    }

    /// Which values are NULL; none if there are no NULLs.
    pub fn nulls(&self) -> Option<&NullBuffer> {
        self.nulls.as_ref()
    }

    /// Whether the value of a row is NULL.
    #[inline(always)]
    pub fn is_null(&self, row: usize) -> bool {
        match &self.nulls {
            None => matches!(self.values, Values::Null),
            Some(nulls) => nulls.is_null(row),
        }
    }
}

impl ColumnValues {
    /// The first byte of a row's value, NULL or not: reading it loads the value into the cache. Nested values are
    /// ignored.
    #[inline]
    pub fn first_byte(&self, row: usize) -> u8 {
        match &self.values {
            Values::Null | Values::List { .. } | Values::Map { .. } | Values::Row { .. } => 0,
            Values::Boolean(values) => values.value(row).into(),
            Values::Int8(values) => values[row] as u8,
            Values::UInt8(values) => values[row],
            Values::Int16(values) => values[row] as u8,
            Values::UInt16(values) => values[row] as u8,
            Values::Int32(values)
            | Values::Date(values)
            | Values::Months(values)
            | Values::Time32 { values, .. } => values[row] as u8,
            Values::UInt32(values) => values[row] as u8,
            Values::Int64(values)
            | Values::Time64 { values, .. }
            | Values::Timestamp { values, .. }
            | Values::ZonedTimestamp { values, .. }
            | Values::Duration { values, .. } => values[row] as u8,
            Values::UInt64(values) => values[row] as u8,
            Values::Float32(values) => values[row].to_bits() as u8,
            Values::Float64(values) => values[row].to_bits() as u8,
            Values::Decimal { values, .. } => values.get(row) as u8,
            Values::Text(bytes) | Values::Binary(bytes) => match bytes.value(row) {
                // A text of usual length spans at most two cache lines.
                [first, .., last] => first ^ last,
                short => short.len() as u8,
            },
        }
    }
}

impl Decimals {
    /// All values, each in little-endian order.
    #[inline(always)]
    pub fn values(&self) -> &[[u8; 16]] {
        let (values, _) = self.0.as_chunks();
        values
    }

    /// A value.
    #[inline(always)]
    pub fn get(&self, row: usize) -> i128 {
        i128::from_le_bytes(self.values()[row])
    }
}

impl Bytes {
    fn binary(offsets: Offsets, bytes: &Buffer) -> Self {
        Self { offsets, bytes: bytes.clone(), is_plain: false }
    }

    fn texts(offsets: Offsets, bytes: &Buffer) -> Self {
        // A slice of an array has all of its bytes.
        let own = offsets.spanned();
        let is_plain = bytes.get(own).is_some_and(is_plain_json);
        Self { offsets, bytes: bytes.clone(), is_plain }
    }

    /// Start and end of a value in `bytes`.
    #[inline(always)]
    pub fn place(&self, row: usize) -> (usize, usize) {
        self.offsets.place(row)
    }

    /// A value.
    #[inline(always)]
    pub fn value(&self, row: usize) -> &[u8] {
        let (start, end) = self.place(row);
        &self.bytes[start..end]
    }
}

impl Offsets {
    /// The range of all values, from the first one's start to the last one's end.
    fn spanned(&self) -> Range<usize> {
        match self {
            Self::Large(offsets) => ends(offsets, |offset| *offset as usize),
            Self::Small(offsets) => ends(offsets, |offset| *offset as usize),
            Self::Fixed { start, .. } => *start..*start,
        }
    }

    /// Start and end of a value.
    #[inline(always)]
    pub fn place(&self, row: usize) -> (usize, usize) {
        match self {
            Self::Large(offsets) => (offsets[row] as usize, offsets[row + 1] as usize),
            Self::Small(offsets) => (offsets[row] as usize, offsets[row + 1] as usize),
            Self::Fixed { start, width } => (start + row * width, start + (row + 1) * width),
        }
    }
}

fn ends<T>(offsets: &[T], place: impl Fn(&T) -> usize) -> Range<usize> {
    offsets.first().map_or(0, &place)..offsets.last().map_or(0, &place)
}

/// Whether the 32-bit integers of a field are months.
fn are_months(field: &Field) -> bool {
    field.metadata().get(TYPE_KEY).is_some_and(|name| name == MONTHS_TYPE)
}

/// The type of a column's values, which its field's metadata may say.
pub fn value_type(field: &Field) -> Cow<'_, DataType> {
    match field.data_type() {
        DataType::Int32 if are_months(field) => Cow::Owned(DataType::Interval(IntervalUnit::YearMonth)),
        data_type => Cow::Borrowed(data_type),
    }
}

/// The unit of a zoned timestamp, if the fields are those of one: a row's own fields can be NULL.
pub fn zoned_unit(fields: &Fields) -> Option<TimeUnit> {
    let [moment, offset] = &**fields else { return None };
    let DataType::Timestamp(unit, Some(zone)) = moment.data_type() else { return None };
    let is_zoned = moment.name() == TIMESTAMP_FIELD
        && offset.name() == OFFSET_FIELD
        && offset.data_type() == &DataType::Int16
        && zone.as_ref() == "UTC"
        && !moment.is_nullable()
        && !offset.is_nullable();
    is_zoned.then_some(*unit)
}

fn nested_fields(array: &ArrayRef, fields: &Fields) -> Result<Vec<ColumnValues>> {
    array.as_struct().columns().iter().zip(fields).map(|(column, field)| nested(column, field)).collect()
}

fn nested(array: &ArrayRef, field: &Field) -> Result<ColumnValues> {
    Ok(ColumnValues::new(array, array.data_type())?.marked(field))
}

fn scalars<T: ArrowPrimitiveType>(array: &ArrayRef) -> ScalarBuffer<T::Native> {
    array.as_primitive::<T>().values().clone()
}

/// Dates, times and durations.
fn temporal(array: &ArrayRef, data_type: &DataType) -> Result<Values> {
    Ok(match data_type {
        DataType::Date32 => Values::Date(scalars::<Date32Type>(array)),
        DataType::Time32(unit) => {
            let values = match unit {
                TimeUnit::Second => scalars::<Time32SecondType>(array),
                _ => scalars::<Time32MillisecondType>(array),
            };
            Values::Time32 { values, unit: *unit }
        }
        DataType::Time64(unit) => {
            let values = match unit {
                TimeUnit::Microsecond => scalars::<Time64MicrosecondType>(array),
                _ => scalars::<Time64NanosecondType>(array),
            };
            Values::Time64 { values, unit: *unit }
        }
        DataType::Timestamp(unit, zone) => {
            let values = match unit {
                TimeUnit::Second => scalars::<TimestampSecondType>(array),
                TimeUnit::Millisecond => scalars::<TimestampMillisecondType>(array),
                TimeUnit::Microsecond => scalars::<TimestampMicrosecondType>(array),
                TimeUnit::Nanosecond => scalars::<TimestampNanosecondType>(array),
            };
            let zone = zone.as_deref().map(Zone::named).transpose()?;
            Values::Timestamp { values, unit: *unit, zone }
        }
        DataType::Duration(unit) => {
            let values = match unit {
                TimeUnit::Second => scalars::<DurationSecondType>(array),
                TimeUnit::Millisecond => scalars::<DurationMillisecondType>(array),
                TimeUnit::Microsecond => scalars::<DurationMicrosecondType>(array),
                TimeUnit::Nanosecond => scalars::<DurationNanosecondType>(array),
            };
            Values::Duration { values, unit: *unit }
        }
        DataType::Interval(IntervalUnit::YearMonth) => {
            Values::Months(scalars::<IntervalYearMonthType>(array))
        }
        _ => return Err(unknown(data_type)),
    })
}

fn unknown(data_type: &DataType) -> Error {
    Error::internal("cannot read a column", format!("no result has values of the type {data_type}"))
}
