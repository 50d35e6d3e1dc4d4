//! Builds columns from values.

use polars::prelude::{
    BinaryChunkedBuilder, BooleanChunkedBuilder, ChunkedArray, ChunkedBuilder as _, CompatLevel, DataType,
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, Int128Type, IntoSeries, PlSmallStr,
    PolarsNumericType, PolarsResult, PrimitiveChunkedBuilder, Series, StringChunkedBuilder, StructChunked,
};
use polars_arrow::array::ListArray;
use polars_arrow::bitmap::Bitmap;
use polars_arrow::offset::OffsetsBuffer;

use super::{Datum, compare};
use crate::data_type::{entry_type, storage};
use crate::numeric::{out_of_range, power_of_ten};
use rowhouse_sql::types::Type;

/// Checks that a value is in the range of its type.
///
/// # Errors
///
/// NUMERIC_VALUE_OUT_OF_RANGE for a number, or a number in an array or a row, beyond the type's range.
pub(crate) fn check_range(datum: &Datum<'_>, data_type: &Type) -> PolarsResult<()> {
    match (datum, data_type) {
        (Datum::Decimal(value), Type::Decimal { precision, .. }) => decimal(*value, *precision).map(|_| ()),
        (Datum::Integer(value), data_type) => match storage(data_type) {
            DataType::Int8 => narrow::<i8>(*value, data_type).map(|_| ()),
            DataType::Int16 => narrow::<i16>(*value, data_type).map(|_| ()),
            DataType::Int32 | DataType::Date => narrow::<i32>(*value, data_type).map(|_| ()),
            _ => Ok(()),
        },
        (Datum::Array(elements), Type::Array(element)) => {
            elements.iter().try_for_each(|datum| check_range(datum, element))
        }
        (Datum::Array(entries), Type::Map(key, value)) => {
            let entry = entry_type(key, value);
            entries.iter().try_for_each(|datum| check_range(datum, &entry))
        }
        (Datum::Row(values), Type::Row(fields)) => {
            values.iter().zip(fields).try_for_each(|(datum, field)| check_range(datum, &field.data_type))
        }
        _ => Ok(()),
    }
}

/// Builds a series with the type's storage, or with a physical form that casts to it without loss.
///
/// # Errors
///
/// NUMERIC_VALUE_OUT_OF_RANGE for a number beyond the type's range.
pub(crate) fn build(name: PlSmallStr, data: Vec<Datum<'_>>, data_type: &Type) -> PolarsResult<Series> {
    build_each(name, data.into_iter().map(Ok), data_type)
}

/// Builds a series as [`build`] does, value by value: there is no list of all values, except of nested ones.
///
/// # Errors
///
/// As for [`build`], and the first error among the values.
pub(super) fn build_each<'a>(
    name: PlSmallStr,
    data: impl Iterator<Item = PolarsResult<Datum<'a>>>,
    data_type: &Type,
) -> PolarsResult<Series> {
    let stored = storage(data_type);
    Ok(match data_type {
        Type::Unknown => {
            let rows = data.map(|datum| datum.map(drop)).collect::<PolarsResult<Vec<()>>>()?;
            Series::full_null(name, rows.len(), &DataType::Null)
        }
        Type::Boolean => {
            let mut values = BooleanChunkedBuilder::new(name, data.size_hint().0);
            for datum in data {
                values.append_option(match datum? {
                    Datum::Boolean(value) => Some(value),
                    _ => None,
                });
            }
            values.finish().into_series()
        }
        Type::Decimal { precision, scale } => {
            let values = numbers::<Int128Type>(name, data, |datum| match datum {
                Datum::Decimal(value) => decimal(value, *precision).map(Some),
                _ => Ok(None),
            })?;
            values.into_decimal_unchecked(usize::from(*precision), usize::from(*scale)).into_series()
        }
        #[expect(clippy::cast_possible_truncation, reason = "a real has the digits of 32 bits")]
        Type::Real => {
            numbers::<Float32Type>(name, data, |datum| Ok(real_or_double(&datum).map(|value| value as f32)))?
                .into_series()
        }
        Type::Double => numbers::<Float64Type>(name, data, |datum| Ok(real_or_double(&datum)))?.into_series(),
        Type::Varchar { .. } | Type::Char { .. } | Type::Json => {
            let mut values = StringChunkedBuilder::new(name, data.size_hint().0);
            for datum in data {
                match datum? {
                    Datum::Text(text) => values.append_value(text),
                    _ => values.append_null(),
                }
            }
            values.finish().into_series()
        }
        Type::Varbinary
        | Type::Uuid
        | Type::IpAddress
        | Type::HyperLogLog
        | Type::TDigest
        | Type::QDigest(_) => {
            let mut values = BinaryChunkedBuilder::new(name, data.size_hint().0);
            for datum in data {
                match datum? {
                    Datum::Binary(bytes) => values.append_value(bytes),
                    _ => values.append_null(),
                }
            }
            values.finish().into_series()
        }
        Type::Array(element) => array(name, data.collect::<PolarsResult<_>>()?, element)?,
        Type::Map(key, value) => {
            let data = data.map(|datum| datum.map(in_order_of_keys)).collect::<PolarsResult<_>>()?;
            array(name, data, &entry_type(key, value))?
        }
        Type::Row(fields) => row(name, data.collect::<PolarsResult<_>>()?, fields)?,
        _ => match stored {
            DataType::Int8 => integers::<Int8Type>(name, data, data_type)?.into_series(),
            DataType::Int16 => integers::<Int16Type>(name, data, data_type)?.into_series(),
            DataType::Int32 => integers::<Int32Type>(name, data, data_type)?.into_series(),
            DataType::Date => integers::<Int32Type>(name, data, data_type)?.into_series().cast(&stored)?,
            // All other types of time have 64 bits in a unit of their own.
            stored => integers::<Int64Type>(name, data, data_type)?.into_series().cast(&stored)?,
        },
    })
}

const fn real_or_double(datum: &Datum<'_>) -> Option<f64> {
    match datum {
        Datum::Double(value) => Some(*value),
        _ => None,
    }
}

fn numbers<'a, T: PolarsNumericType>(
    name: PlSmallStr,
    data: impl Iterator<Item = PolarsResult<Datum<'a>>>,
    number: impl Fn(Datum<'a>) -> PolarsResult<Option<T::Native>>,
) -> PolarsResult<ChunkedArray<T>> {
    let mut values = PrimitiveChunkedBuilder::<T>::new(name, data.size_hint().0);
    for datum in data {
        values.append_option(number(datum?)?);
    }
    Ok(values.finish())
}

/// Builds integers. A cast in Polars would turn values out of range into NULL.
fn integers<'a, T>(
    name: PlSmallStr,
    data: impl Iterator<Item = PolarsResult<Datum<'a>>>,
    data_type: &Type,
) -> PolarsResult<ChunkedArray<T>>
where
    T: PolarsNumericType,
    T::Native: TryFrom<i64>,
{
    numbers(name, data, |datum| match datum {
        Datum::Integer(value) => narrow::<T::Native>(value, data_type).map(Some),
        _ => Ok(None),
    })
}

/// A map with its entries ordered by key, so that equal maps have equal entries.
pub(crate) fn in_order_of_keys(map: Datum<'_>) -> Datum<'_> {
    let Datum::Array(mut entries) = map else { return map };
    entries.sort_by(|left, right| match (left.elements(), right.elements()) {
        ([left, ..], [right, ..]) => compare(left, right),
        _ => std::cmp::Ordering::Equal,
    });
    Datum::Array(entries)
}

fn narrow<N: TryFrom<i64>>(value: i64, data_type: &Type) -> PolarsResult<N> {
    N::try_from(value).map_err(|_| out_of_range(format!("Out of range for {data_type}: {value}")))
}

fn decimal(value: i128, precision: u8) -> PolarsResult<i128> {
    let fits = value.unsigned_abs() < power_of_ten(precision).unsigned_abs();
    fits.then_some(value).ok_or_else(|| out_of_range(format!("decimal overflow: {value}")))
}

fn array(name: PlSmallStr, data: Vec<Datum<'_>>, element: &Type) -> PolarsResult<Series> {
    let mut offsets: Vec<i64> = Vec::with_capacity(data.len() + 1);
    let mut is_valid: Vec<bool> = Vec::with_capacity(data.len());
    let mut elements = Vec::new();
    offsets.push(0);
    for datum in data {
        is_valid.push(!datum.is_null());
        if let Datum::Array(values) = datum {
            elements.extend(values);
        }
        offsets.push(i64::try_from(elements.len()).unwrap_or(i64::MAX));
    }
    let stored = storage(element);
    let inner = build("item".into(), elements, element)?.cast(&stored)?.rechunk();
    let inner = inner.to_arrow(0, CompatLevel::newest());
    let data_type = ListArray::<i64>::default_datatype(inner.dtype().clone());
    let array = ListArray::<i64>::new(
        data_type,
        OffsetsBuffer::try_from(offsets)?,
        inner,
        Some(Bitmap::from_iter(is_valid)),
    );
    Series::try_from((name, Box::new(array) as Box<dyn polars_arrow::array::Array>))
}

fn row(
    name: PlSmallStr,
    data: Vec<Datum<'_>>,
    fields: &[rowhouse_sql::types::RowField],
) -> PolarsResult<Series> {
    let length = data.len();
    let is_valid: Vec<bool> = data.iter().map(|datum| !datum.is_null()).collect();
    let mut columns: Vec<Vec<Datum<'_>>> = fields.iter().map(|_| Vec::with_capacity(length)).collect();
    for datum in data {
        let mut values = match datum {
            Datum::Row(values) => values.into_iter(),
            _ => Vec::new().into_iter(),
        };
        for column in &mut columns {
            column.push(values.next().unwrap_or(Datum::Null));
        }
    }
    let series = columns
        .into_iter()
        .zip(fields.iter().enumerate())
        .map(|(column, (index, field))| {
            build(field.stored_name(index).into(), column, &field.data_type)?.cast(&storage(&field.data_type))
        })
        .collect::<PolarsResult<Vec<_>>>()?;
    let rows = StructChunked::from_series(name, length, series.iter())?;
    Ok(rows.with_outer_validity(Some(Bitmap::from_iter(is_valid))).into_series())
}
