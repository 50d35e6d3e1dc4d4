//! Reads columns as values. Each column is converted once to one of a few physical forms.

use std::borrow::Cow;

use polars::prelude::{BinaryChunked, BooleanChunked, DataType, PolarsResult, Series};
use polars_arrow::array::{Array as _, PrimitiveArray, Utf8ViewArray};

use super::Datum;
use crate::data_type::entry_type;
use crate::numeric::single;
use rowhouse_sql::types::Type;

/// A column, prepared for access by row. A column of length one has its value in every row.
pub(crate) struct Reader {
    values: Values,
    length: usize,
}

enum Values {
    Null,
    Boolean(BooleanChunked),
    Integer(PrimitiveArray<i64>),
    Decimal(PrimitiveArray<i128>),
    Double(PrimitiveArray<f64>),
    Text(Utf8ViewArray),
    Binary(BinaryChunked),
    Array { offsets: Vec<i64>, is_valid: Vec<bool>, elements: Box<Reader> },
    Row { is_valid: Vec<bool>, fields: Vec<Reader> },
}

/// The only value of a series of length one.
pub(crate) fn read_one(series: &Series, data_type: &Type) -> PolarsResult<Datum<'static>> {
    Ok(Reader::new(series, data_type)?.get(0).into_owned())
}

impl Reader {
    /// Prepares a column that has the storage of this type.
    pub(crate) fn new(series: &Series, data_type: &Type) -> PolarsResult<Self> {
        let series = series.rechunk();
        let length = series.len();
        let values = match data_type {
            _ if *series.dtype() == DataType::Null => Values::Null,
            Type::Unknown => Values::Null,
            Type::Boolean => Values::Boolean(series.bool()?.clone()),
            Type::TinyInt
            | Type::SmallInt
            | Type::Integer
            | Type::BigInt
            | Type::Date
            | Type::Time { .. }
            | Type::TimeWithTimeZone { .. }
            | Type::Timestamp { .. }
            | Type::TimestampWithTimeZone { .. }
            | Type::IntervalDayToSecond
            | Type::IntervalYearToMonth => {
                Values::Integer(single(series.to_physical_repr().cast(&DataType::Int64)?.i64()?))
            }
            Type::Decimal { .. } => Values::Decimal(single(series.to_physical_repr().i128()?)),
            Type::Real | Type::Double => Values::Double(single(series.cast(&DataType::Float64)?.f64()?)),
            Type::Varchar { .. } | Type::Char { .. } | Type::Json => {
                Values::Text(series.str()?.downcast_as_array().clone())
            }
            Type::Varbinary | Type::Uuid | Type::IpAddress => Values::Binary(series.binary()?.clone()),
            Type::HyperLogLog | Type::TDigest | Type::QDigest(_) => Values::Binary(series.binary()?.clone()),
            Type::Array(element) => {
                let lists = series.list()?;
                let array = lists.downcast_as_array();
                let offsets = array.offsets().as_slice().to_vec();
                let is_valid = (0..array.len()).map(|row| !array.is_null(row)).collect();
                let elements = lists.get_inner();
                Values::Array { offsets, is_valid, elements: Box::new(Self::new(&elements, element)?) }
            }
            Type::Map(key, value) => return Self::new(&series, &Type::array(entry_type(key, value))),
            Type::Row(types) => {
                let rows = series.struct_()?;
                let validity = rows.rechunk_validity();
                let is_valid = (0..length)
                    .map(|row| validity.as_ref().is_none_or(|validity| validity.get_bit(row)))
                    .collect();
                let fields = rows
                    .fields_as_series()
                    .iter()
                    .zip(types)
                    .map(|(field, wanted)| Self::new(field, &wanted.data_type))
                    .collect::<PolarsResult<_>>()?;
                Values::Row { is_valid, fields }
            }
        };
        Ok(Self { values, length })
    }

    /// The value of a row.
    pub(crate) fn get(&self, row: usize) -> Datum<'_> {
        let row = if self.length == 1 { 0 } else { row };
        match &self.values {
            Values::Null => Datum::Null,
            Values::Boolean(values) => values.get(row).map_or(Datum::Null, Datum::Boolean),
            Values::Integer(values) if values.is_valid(row) => Datum::Integer(values.value(row)),
            Values::Decimal(values) if values.is_valid(row) => Datum::Decimal(values.value(row)),
            Values::Double(values) if values.is_valid(row) => Datum::Double(values.value(row)),
            Values::Text(values) if values.is_valid(row) => Datum::Text(Cow::Borrowed(values.value(row))),
            Values::Integer(_) | Values::Decimal(_) | Values::Double(_) | Values::Text(_) => Datum::Null,
            Values::Binary(values) => {
                values.get(row).map_or(Datum::Null, |bytes| Datum::Binary(Cow::Borrowed(bytes)))
            }
            Values::Array { offsets, is_valid, elements } => {
                if !is_valid[row] {
                    return Datum::Null;
                }
                let index = |offset: i64| usize::try_from(offset).unwrap_or(0);
                let range = index(offsets[row])..index(offsets[row + 1]);
                Datum::Array(range.map(|element| elements.get_at(element)).collect())
            }
            Values::Row { is_valid, fields } => {
                if !is_valid[row] {
                    return Datum::Null;
                }
                Datum::Row(fields.iter().map(|field| field.get_at(row)).collect())
            }
        }
    }

    /// The value at an index, without repeating the value of a column of length one.
    fn get_at(&self, place: usize) -> Datum<'_> {
        if self.length == 1 && place > 0 { Datum::Null } else { self.get(place) }
    }
}
