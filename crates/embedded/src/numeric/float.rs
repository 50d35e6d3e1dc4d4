//! Arithmetic of doubles and reals that is IEEE 754's, as Trino's is. Polars' own kernels for a constant operand are not:
//! they compute `x / c` as `x * (1 / c)`, `x + 0` and `x - 0` as `x`, and `0 - x` as `-x`; its `%` takes the sign of the
//! divisor.

use std::ops::{Add, Div, Mul, Rem, Sub};

use polars::prelude::{
    ChunkedArray, Column, DataType, Expr, Float32Type, Float64Type, IntoColumn, IntoSeries,
    PolarsNumericType, PolarsResult,
};

use super::{Pair, kernel, named, single};
use rowhouse_sql::expr::ArithmeticOperator;
use rowhouse_sql::types::Type;

/// Applies an operator to two doubles or two reals.
pub(crate) fn float_kernel(operator: ArithmeticOperator, left: Expr, right: Expr, data_type: &Type) -> Expr {
    match data_type {
        Type::Real => kernel(left, &[right], DataType::Float32, move |columns| {
            calculate::<Float32Type>(operator, columns)
        }),
        _ => kernel(left, &[right], DataType::Float64, move |columns| {
            calculate::<Float64Type>(operator, columns)
        }),
    }
}

fn calculate<T>(operator: ArithmeticOperator, columns: &[Column]) -> PolarsResult<Column>
where
    T: PolarsNumericType,
    T::Native: Add<Output = T::Native>
        + Sub<Output = T::Native>
        + Mul<Output = T::Native>
        + Div<Output = T::Native>
        + Rem<Output = T::Native>,
    ChunkedArray<T>: IntoSeries,
{
    let left: &ChunkedArray<T> = columns[0].as_materialized_series().as_ref().as_ref();
    let right: &ChunkedArray<T> = columns[1].as_materialized_series().as_ref().as_ref();
    let pair = Pair::new(single(left), single(right));
    let values = match operator {
        ArithmeticOperator::Add => pair.map(|left, right| left + right),
        ArithmeticOperator::Subtract => pair.map(|left, right| left - right),
        ArithmeticOperator::Multiply => pair.map(|left, right| left * right),
        ArithmeticOperator::Divide => pair.map(|left, right| left / right),
        ArithmeticOperator::Modulus => pair.map(|left, right| left % right),
    };
    Ok(named::<T>(&columns[0], values).into_series().into_column())
}
