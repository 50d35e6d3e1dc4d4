//! Columns built from data.

use polars::prelude::{
    BinaryChunked, BooleanChunked, CompatLevel, DataType, Float64Chunked, Int64Chunked, Int128Chunked,
    IntoSeries, NewChunkedArray, PlSmallStr, PolarsResult, Series, StringChunked, StructChunked,
};
use polars_arrow::array::ListArray;
use polars_arrow::bitmap::Bitmap;
use polars_arrow::offset::OffsetsBuffer;

use super::Datum;
use crate::data_type::{field_name, storage};
use rowhouse_sql::types::Type;

/// A series of the type's storage, or of a physical form that casts to it without loss.
pub(crate) fn build(name: PlSmallStr, data: Vec<Datum<'_>>, data_type: &Type) -> PolarsResult<Series> {
    let stored = storage(data_type);
    Ok(match data_type {
        Type::Unknown => Series::full_null(name, data.len(), &DataType::Null),
        Type::Boolean => {
            let values = data.iter().map(|datum| match datum {
                Datum::Boolean(value) => Some(*value),
                _ => None,
            });
            BooleanChunked::from_iter_options(name, values).into_series()
        }
        Type::Decimal { precision, scale } => {
            let values = data.iter().map(|datum| match datum {
                Datum::Decimal(value) => Some(*value),
                _ => None,
            });
            Int128Chunked::from_iter_options(name, values)
                .into_decimal_unchecked(usize::from(*precision), usize::from(*scale))
                .into_series()
        }
        Type::Real | Type::Double => {
            let values = data.iter().map(|datum| match datum {
                Datum::Double(value) => Some(*value),
                _ => None,
            });
            Float64Chunked::from_iter_options(name, values).into_series().cast(&stored)?
        }
        Type::Varchar { .. } => {
            let values = data.into_iter().map(|datum| match datum {
                Datum::Text(text) => Some(text),
                _ => None,
            });
            StringChunked::from_iter_options(name, values).into_series()
        }
        Type::Varbinary => {
            let values = data.into_iter().map(|datum| match datum {
                Datum::Binary(bytes) => Some(bytes),
                _ => None,
            });
            BinaryChunked::from_iter_options(name, values).into_series()
        }
        Type::Array(element) => array(name, data, element)?,
        Type::Row(fields) => row(name, data, fields)?,
        _ => {
            let values = data.iter().map(|datum| match datum {
                Datum::Integer(value) => Some(*value),
                _ => None,
            });
            let values = Int64Chunked::from_iter_options(name, values).into_series();
            match stored {
                // A date is 32 bits; all else of time is 64 bits of its own unit.
                DataType::Date => values.cast(&DataType::Int32)?.cast(&stored)?,
                stored => values.cast(&stored)?,
            }
        }
    })
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
            build(field_name(index, field).into(), column, &field.data_type)?.cast(&storage(&field.data_type))
        })
        .collect::<PolarsResult<Vec<_>>>()?;
    let rows = StructChunked::from_series(name, length, series.iter())?;
    Ok(rows.with_outer_validity(Some(Bitmap::from_iter(is_valid))).into_series())
}
