//! Integers of 8 to 64 bits: `/` truncates, `%` takes the sign of the dividend, overflow is an error.

use polars::prelude::{
    ChunkedArray, Column, DataType, Expr, Int8Type, Int16Type, Int32Type, Int64Type, IntoColumn, IntoSeries,
    PolarsNumericType, PolarsResult,
};

use super::{Pair, division_by_zero, kernel, long_column, named, of_pair, out_of_range, single};
use rowhouse_sql::expr::ArithmeticOperator;
use rowhouse_sql::types::Type;

/// Applies an operator to two operands of the same integer type. With `is_try` the result is NULL where it fails.
pub(crate) fn integer_kernel(
    operator: ArithmeticOperator,
    left: Expr,
    right: Expr,
    data_type: &Type,
    is_try: bool,
) -> Expr {
    let sql_name = data_type.to_string();
    macro_rules! of {
        ($polars:ty, $stored:expr) => {
            kernel(left, &[right], $stored, move |columns| {
                calculate::<$polars>(operator, columns, &sql_name, is_try)
            })
        };
    }
    match data_type {
        Type::TinyInt => of!(Int8Type, DataType::Int8),
        Type::SmallInt => of!(Int16Type, DataType::Int16),
        Type::Integer => of!(Int32Type, DataType::Int32),
        _ => of!(Int64Type, DataType::Int64),
    }
}

/// Checked operations of the four integer types.
trait Checked: Copy + std::fmt::Display {
    fn calculate(operator: ArithmeticOperator, left: Self, right: Self) -> Option<Self>;
    fn is_zero(self) -> bool;
}

macro_rules! checked {
    ($($native:ty),*) => {$(
        impl Checked for $native {
            #[inline]
            fn calculate(operator: ArithmeticOperator, left: Self, right: Self) -> Option<Self> {
                match operator {
                    ArithmeticOperator::Add => left.checked_add(right),
                    ArithmeticOperator::Subtract => left.checked_sub(right),
                    ArithmeticOperator::Multiply => left.checked_mul(right),
                    ArithmeticOperator::Divide => left.checked_div(right),
                    ArithmeticOperator::Modulus => Some(left.wrapping_rem(right)),
                }
            }

            #[inline]
            fn is_zero(self) -> bool {
                self == 0
            }
        }
    )*};
}
checked!(i8, i16, i32, i64);

fn calculate<T>(
    operator: ArithmeticOperator,
    columns: &[Column],
    sql_name: &str,
    is_try: bool,
) -> PolarsResult<Column>
where
    T: PolarsNumericType,
    T::Native: Checked,
    ChunkedArray<T>: IntoSeries,
{
    let divides = matches!(operator, ArithmeticOperator::Divide | ArithmeticOperator::Modulus);
    let left: &ChunkedArray<T> = columns[0].as_materialized_series().as_ref().as_ref();
    let right: &ChunkedArray<T> = columns[1].as_materialized_series().as_ref().as_ref();
    let values = of_pair(single(left), single(right), is_try, |pair| {
        pair.try_map(|left, right| {
            if divides && right.is_zero() {
                return Err(division_by_zero());
            }
            T::Native::calculate(operator, left, right).ok_or_else(|| {
                let (name, symbol) = match operator {
                    ArithmeticOperator::Add => ("addition", "+"),
                    ArithmeticOperator::Subtract => ("subtraction", "-"),
                    ArithmeticOperator::Multiply => ("multiplication", "*"),
                    ArithmeticOperator::Divide => ("division", "/"),
                    ArithmeticOperator::Modulus => ("modulus", "%"),
                };
                out_of_range(format!("{sql_name} {name} overflow: {left} {symbol} {right}"))
            })
        })
    })?;
    Ok(named::<T>(&columns[0], values).into_series().into_column())
}

/// Negates an integer; fails for the least one.
pub(crate) fn integer_negate(value: Expr, zero: Expr, data_type: &Type) -> Expr {
    integer_kernel(ArithmeticOperator::Subtract, zero, value, data_type, false)
}

/// A sum of 64-bit integers, computed in 128 bits, as a 64-bit integer.
pub(crate) fn long_sum(sum: Expr) -> Expr {
    sum_within(sum, "bigint addition overflow", |sum| i64::try_from(sum).ok())
}

/// A sum of months, computed in 128 bits, as an interval, which has 32 bits.
pub(crate) fn month_sum(sum: Expr) -> Expr {
    let months = |sum| i32::try_from(sum).ok().map(i64::from);
    sum_within(sum, "interval year to month addition overflow", months)
}

fn sum_within(sum: Expr, fault: &'static str, narrow: fn(i128) -> Option<i64>) -> Expr {
    kernel(sum, &[], DataType::Int64, move |columns| {
        let values = single(columns[0].as_materialized_series().i128()?);
        let zero = polars_arrow::array::PrimitiveArray::from_vec(vec![0i8]);
        let values = Pair::new(values, zero).try_map(|sum: i128, _| {
            narrow(sum).ok_or_else(|| out_of_range(format!("{fault}: sum is {sum}")))
        })?;
        Ok(long_column(&columns[0], values))
    })
}
