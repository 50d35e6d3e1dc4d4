//! Functions of numbers that loop over whole columns instead of rows of values.

use polars::prelude::arity::broadcast_binary_elementwise_values;
use polars::prelude::{
    ChunkApply as _, Column, DataType, Expr, Float64Chunked, Int64Chunked, Int128Chunked, IntoColumn,
    IntoSeries,
};

use crate::data_type::storage;
use crate::numeric::{decimal_column, decimal_values, kernel};
use rowhouse_sql::types::Type;

/// A function that cannot fail of decimals; its result has these digits.
pub(super) fn of_decimals(
    value: Expr,
    precision: u8,
    scale: u8,
    function: impl Fn(i128) -> i128 + Copy + Send + Sync + 'static,
) -> Expr {
    let stored = DataType::Decimal(usize::from(precision), usize::from(scale));
    kernel(value, &[], stored, move |columns| {
        let values: Int128Chunked = decimal_values(&columns[0])?.apply_values(function);
        Ok(decimal_column(values, precision, scale))
    })
}

/// A function of two doubles.
pub(super) fn of_two_doubles(
    value: Expr,
    other: &Expr,
    function: impl Fn(f64, f64) -> f64 + Copy + Send + Sync + 'static,
) -> Expr {
    kernel(value, std::slice::from_ref(other), DataType::Float64, move |columns| {
        let [left, right] = [&columns[0], &columns[1]].map(|column| column.as_materialized_series());
        let numbers: Float64Chunked =
            broadcast_binary_elementwise_values(left.f64()?, right.f64()?, function);
        Ok(numbers.into_series().into_column())
    })
}

/// The greatest or least of exact numbers, dates or timestamps, which are stored in the order of their numbers; NULL if
/// one is. `None` for other types.
pub(super) fn extreme(
    values: &[Expr],
    data_type: &Type,
    of_short: fn(i64, i64) -> i64,
    of_wide: fn(i128, i128) -> i128,
) -> Option<Expr> {
    let is_in_order = data_type.is_integer()
        || matches!(data_type, Type::Decimal { .. } | Type::Date | Type::Timestamp { .. });
    if !is_in_order {
        return None;
    }
    let (first, rest) = values.split_first()?;
    let data_type = data_type.clone();
    let stored = storage(&data_type);
    Some(kernel(first.clone(), rest, stored.clone(), move |columns| {
        if let Type::Decimal { precision, scale } = data_type {
            let mut values = decimal_values(&columns[0])?;
            for other in &columns[1..] {
                values = broadcast_binary_elementwise_values(&values, &decimal_values(other)?, of_wide);
            }
            return Ok(decimal_column(values, precision, scale));
        }
        let numbers = |column: &Column| {
            column.as_materialized_series().to_physical_repr().cast(&DataType::Int64)?.i64().cloned()
        };
        let mut values: Int64Chunked = numbers(&columns[0])?;
        for other in &columns[1..] {
            values = broadcast_binary_elementwise_values(&values, &numbers(other)?, of_short);
        }
        let values = values.into_series();
        // A date is cast from its days, which have 32 bits.
        let values = if stored == DataType::Date { values.cast(&DataType::Int32)? } else { values };
        Ok(values.cast(&stored)?.into_column())
    }))
}
