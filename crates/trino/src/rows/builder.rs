//! A column under construction: values by kind, and which of them are NULL.

use std::sync::Arc;

use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Decimal128Type, DurationMillisecondType, Float32Type, Float64Type,
    Int8Type, Int16Type, Int32Type, Int64Type, IntervalYearMonthType, Time64MicrosecondType,
    TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{
    ArrayRef, BooleanArray, LargeBinaryArray, LargeListArray, LargeStringArray, MapArray, NullArray,
    PrimitiveArray, StructArray,
};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer, NullBufferBuilder, OffsetBuffer, ScalarBuffer};
use arrow_schema::{ArrowError, TimeUnit};

use super::value_text::Zones;
use super::value_type::{ValueType, entries_field, entry_fields, row_fields, zoned_fields};

/// Maximum room that is reserved for texts in advance.
const MAX_ROOM_BYTES: usize = 1 << 20;

/// One column of the batch under construction, or of a nested value.
#[derive(Debug)]
pub(super) struct Builder {
    pub(super) value_type: ValueType,
    pub(super) store: Store,
    nulls: NullBufferBuilder,
}

/// The values; a NULL has a placeholder.
#[derive(Debug)]
pub(super) enum Store {
    Null(usize),
    Boolean(BooleanBufferBuilder),
    Int8(Vec<i8>),
    Int16(Vec<i16>),
    Int32(Vec<i32>),
    Int64(Vec<i64>),
    Float32(Vec<f32>),
    Float64(Vec<f64>),
    Int128(Vec<i128>),
    /// Text or binary: where each value ends, and the bytes.
    Bytes {
        offsets: Vec<i64>,
        bytes: Vec<u8>,
    },
    Zoned {
        moments: Vec<i64>,
        offsets: Vec<i16>,
        zones: Zones,
    },
    List {
        offsets: Vec<i64>,
        elements: Box<Builder>,
    },
    Map {
        offsets: Vec<i32>,
        keys: Box<Builder>,
        values: Box<Builder>,
    },
    Row {
        length: usize,
        fields: Vec<Builder>,
    },
}

impl Builder {
    pub(super) fn new(value_type: ValueType) -> Self {
        let store = Store::new(&value_type);
        Self { value_type, store, nulls: NullBufferBuilder::new(0) }
    }

    /// Number of values.
    pub(super) fn len(&self) -> usize {
        self.nulls.len()
    }

    /// Records that a value was put into the store.
    #[inline]
    pub(super) fn filled(&mut self) {
        self.nulls.append_non_null();
    }

    pub(super) fn append_null(&mut self) {
        self.nulls.append_null();
        match &mut self.store {
            Store::Null(length) => *length += 1,
            Store::Boolean(values) => values.append(false),
            Store::Int8(values) => values.push(0),
            Store::Int16(values) => values.push(0),
            Store::Int32(values) => values.push(0),
            Store::Int64(values) => values.push(0),
            Store::Float32(values) => values.push(0.0),
            Store::Float64(values) => values.push(0.0),
            Store::Int128(values) => values.push(0),
            Store::Bytes { offsets, bytes } => offsets.push(bytes.len() as i64),
            Store::Zoned { moments, offsets, .. } => {
                moments.push(0);
                offsets.push(0);
            }
            Store::List { offsets, elements } => offsets.push(elements.len() as i64),
            Store::Map { offsets, .. } => offsets.push(offsets.last().copied().unwrap_or_default()),
            Store::Row { length, fields } => {
                *length += 1;
                fields.iter_mut().for_each(Self::append_null);
            }
        }
    }

    /// The values so far; the builder is empty afterwards, with room for as many.
    pub(super) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let next = self.store.empty_with_room(self.len()).unwrap_or_else(|| Store::new(&self.value_type));
        let store = std::mem::replace(&mut self.store, next);
        let nulls = std::mem::replace(&mut self.nulls, NullBufferBuilder::new(0)).finish();
        self.value_type.array(store, nulls)
    }
}

impl Store {
    fn new(value_type: &ValueType) -> Self {
        match value_type {
            ValueType::Null => Self::Null(0),
            ValueType::Boolean => Self::Boolean(BooleanBufferBuilder::new(0)),
            ValueType::TinyInt => Self::Int8(Vec::new()),
            ValueType::SmallInt => Self::Int16(Vec::new()),
            ValueType::Integer | ValueType::Date | ValueType::IntervalYearToMonth => Self::Int32(Vec::new()),
            ValueType::BigInt
            | ValueType::Time
            | ValueType::Timestamp(_)
            | ValueType::IntervalDayToSecond => Self::Int64(Vec::new()),
            ValueType::Real => Self::Float32(Vec::new()),
            ValueType::Double => Self::Float64(Vec::new()),
            ValueType::Decimal { .. } => Self::Int128(Vec::new()),
            ValueType::Text | ValueType::FineTimestamp { .. } | ValueType::Other | ValueType::Varbinary => {
                Self::Bytes { offsets: vec![0], bytes: Vec::new() }
            }
            ValueType::TimestampWithTimeZone(_) => {
                Self::Zoned { moments: Vec::new(), offsets: Vec::new(), zones: Zones::default() }
            }
            ValueType::Array(element) => {
                Self::List { offsets: vec![0], elements: Box::new(Builder::new(ValueType::clone(element))) }
            }
            ValueType::Map(key, value) => Self::Map {
                offsets: vec![0],
                keys: Box::new(Builder::new(ValueType::clone(key))),
                values: Box::new(Builder::new(ValueType::clone(value))),
            },
            ValueType::Row(fields) => Self::Row {
                length: 0,
                fields: fields.iter().map(|(_, value_type)| Builder::new(value_type.clone())).collect(),
            },
        }
    }

    /// An empty store of the same kind with room for as many values, so that it need not grow; none for nested values,
    /// whose parts have their own.
    fn empty_with_room(&self, length: usize) -> Option<Self> {
        Some(match self {
            Self::Int32(_) => Self::Int32(Vec::with_capacity(length)),
            Self::Int64(_) => Self::Int64(Vec::with_capacity(length)),
            Self::Float64(_) => Self::Float64(Vec::with_capacity(length)),
            Self::Int128(_) => Self::Int128(Vec::with_capacity(length)),
            Self::Bytes { bytes, .. } => {
                let mut offsets = Vec::with_capacity(length + 1);
                offsets.push(0);
                // An eighth more, because the next values do not have exactly this length.
                let room = (bytes.len() + bytes.len() / 8).min(MAX_ROOM_BYTES);
                Self::Bytes { offsets, bytes: Vec::with_capacity(room) }
            }
            Self::Null(_)
            | Self::Boolean(_)
            | Self::Int8(_)
            | Self::Int16(_)
            | Self::Float32(_)
            | Self::Zoned { .. }
            | Self::List { .. }
            | Self::Map { .. }
            | Self::Row { .. } => return None,
        })
    }
}

impl ValueType {
    fn array(&self, store: Store, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
        Ok(match (store, self) {
            (Store::Null(length), _) => Arc::new(NullArray::new(length)),
            (Store::Boolean(mut values), _) => Arc::new(BooleanArray::new(values.finish(), nulls)),
            (Store::Int8(values), _) => primitive::<Int8Type>(values, nulls),
            (Store::Int16(values), _) => primitive::<Int16Type>(values, nulls),
            (Store::Int32(values), Self::Date) => primitive::<Date32Type>(values, nulls),
            (Store::Int32(values), Self::IntervalYearToMonth) => {
                primitive::<IntervalYearMonthType>(values, nulls)
            }
            (Store::Int32(values), _) => primitive::<Int32Type>(values, nulls),
            (Store::Int64(values), Self::Time) => primitive::<Time64MicrosecondType>(values, nulls),
            (Store::Int64(values), Self::IntervalDayToSecond) => {
                primitive::<DurationMillisecondType>(values, nulls)
            }
            (Store::Int64(values), Self::Timestamp(unit)) => timestamps(values, *unit, None, nulls),
            (Store::Int64(values), _) => primitive::<Int64Type>(values, nulls),
            (Store::Float32(values), _) => primitive::<Float32Type>(values, nulls),
            (Store::Float64(values), _) => primitive::<Float64Type>(values, nulls),
            (Store::Int128(values), _) => {
                let values = PrimitiveArray::<Decimal128Type>::new(ScalarBuffer::from(values), nulls);
                Arc::new(values.with_data_type(self.data_type()))
            }
            (Store::Bytes { offsets, bytes }, Self::Varbinary) => {
                Arc::new(LargeBinaryArray::try_new(ends(offsets), Buffer::from_vec(bytes), nulls)?)
            }
            (Store::Bytes { offsets, bytes }, _) => {
                Arc::new(LargeStringArray::try_new(ends(offsets), Buffer::from_vec(bytes), nulls)?)
            }
            (Store::Zoned { moments, offsets, zones: _ }, Self::TimestampWithTimeZone(unit)) => {
                let moments = timestamps(moments, *unit, Some("UTC"), None);
                let offsets = primitive::<Int16Type>(offsets, None);
                Arc::new(StructArray::try_new(zoned_fields(*unit), vec![moments, offsets], nulls)?)
            }
            (Store::List { offsets, mut elements }, Self::Array(element)) => {
                Arc::new(LargeListArray::try_new(
                    Arc::new(element.field("item", true)),
                    ends(offsets),
                    elements.finish()?,
                    nulls,
                )?)
            }
            (Store::Map { offsets, mut keys, mut values }, Self::Map(key, value)) => {
                let arrays = vec![keys.finish()?, values.finish()?];
                let entries = StructArray::try_new(entry_fields(key, value), arrays, None)?;
                let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
                Arc::new(MapArray::try_new(
                    Arc::new(entries_field(key, value)),
                    offsets,
                    entries,
                    nulls,
                    false,
                )?)
            }
            (Store::Row { length, fields: mut builders }, Self::Row(fields)) => {
                let arrays = builders.iter_mut().map(Builder::finish).collect::<Result<Vec<_>, _>>()?;
                if arrays.is_empty() {
                    return Ok(Arc::new(StructArray::new_empty_fields(length, nulls)));
                }
                Arc::new(StructArray::try_new(row_fields(fields), arrays, nulls)?)
            }
            (Store::Zoned { .. } | Store::List { .. } | Store::Map { .. } | Store::Row { .. }, _) => {
                return Err(ArrowError::SchemaError("a store of another type".to_owned()));
            }
        })
    }
}

fn primitive<T: ArrowPrimitiveType>(values: Vec<T::Native>, nulls: Option<NullBuffer>) -> ArrayRef {
    Arc::new(PrimitiveArray::<T>::new(ScalarBuffer::from(values), nulls))
}

fn timestamps(values: Vec<i64>, unit: TimeUnit, zone: Option<&str>, nulls: Option<NullBuffer>) -> ArrayRef {
    macro_rules! array {
        ($type:ty) => {{
            let array = PrimitiveArray::<$type>::new(ScalarBuffer::from(values), nulls);
            Arc::new(array.with_timezone_opt(zone))
        }};
    }
    match unit {
        TimeUnit::Second => array!(TimestampSecondType),
        TimeUnit::Millisecond => array!(TimestampMillisecondType),
        TimeUnit::Microsecond => array!(TimestampMicrosecondType),
        TimeUnit::Nanosecond => array!(TimestampNanosecondType),
    }
}

fn ends(offsets: Vec<i64>) -> OffsetBuffer<i64> {
    OffsetBuffer::new(ScalarBuffer::from(offsets))
}
