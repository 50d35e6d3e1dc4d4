//! Kernels of exact numbers: integers with overflow errors, and decimals in 128 bits. A kernel that can fail evaluates
//! valid pairs only; if the types exclude an overflow, it evaluates all values unchecked.

use polars::prelude::{
    ChunkedArray, Column, DataType, Expr, Field, Int64Chunked, Int128Chunked, IntoColumn, IntoSeries,
    PolarsNumericType, PolarsResult, Schema,
};
use polars_arrow::array::{Array, PrimitiveArray};
use polars_arrow::bitmap::Bitmap;
use polars_arrow::compute::utils::combine_validities_and;
use rowhouse_model::ErrorCode;

use super::failure::raise;

mod decimal;
mod decimal_sum;
mod dynamic_filter;
mod float;
mod integer;
mod lookup;
mod number;
mod packed_key;
mod packed_numbers;
mod wide_sum;

pub(super) use decimal::{
    DecimalTypes, decimal_average, decimal_kernel, decimal_to_real, magnitude_bits, rescale,
    rounded_division, short_decimals_to_reals, widened, within,
};
pub(super) use decimal_sum::{
    DecimalSums, MAX_SURE_BITS, checked_sum, high_halves, none_large, sum_can_run_over, wide_average,
};
pub(super) use dynamic_filter::DynamicFilter;
pub(super) use float::float_kernel;
pub(super) use integer::{integer_kernel, integer_negate, long_sum, month_sum};
pub(super) use lookup::Lookup;
pub(super) use number::{Columns, MAX_NARROW_BITS, Number};
pub(super) use packed_key::packed_key;
pub(super) use packed_numbers::{PackedColumn, PackedNumbers};
pub(super) use wide_sum::WideSum;

/// 10 to the power of `exponent`, which is at most 38.
pub(super) const fn power_of_ten(exponent: u8) -> i128 {
    10i128.pow(exponent as u32)
}

/// Applies a kernel to columns; `output` is the type of its result.
pub(super) fn kernel(
    first: Expr,
    rest: &[Expr],
    output: DataType,
    function: impl Fn(&mut [Column]) -> PolarsResult<Column> + Send + Sync + 'static,
) -> Expr {
    first.map_many(function, rest, move |_: &Schema, fields: &[Field]| {
        Ok(Field::new(fields[0].name().clone(), output.clone()))
    })
}

/// The unscaled values of a decimal column.
pub(super) fn decimal_values(column: &Column) -> PolarsResult<Int128Chunked> {
    Ok(column.as_materialized_series().to_physical_repr().i128()?.clone())
}

/// A decimal column with these unscaled values.
pub(super) fn decimal_column(values: Int128Chunked, precision: u8, scale: u8) -> Column {
    values.into_decimal_unchecked(usize::from(precision), usize::from(scale)).into_series().into_column()
}

/// The values of a column as one array.
pub(super) fn single<T: PolarsNumericType>(values: &ChunkedArray<T>) -> PrimitiveArray<T::Native> {
    let values = values.rechunk();
    values.downcast_as_array().clone()
}

/// The operands of a binary kernel. One of them may have a single value for all rows.
struct Pair<A: polars_arrow::types::NativeType, B: polars_arrow::types::NativeType> {
    left: PrimitiveArray<A>,
    right: PrimitiveArray<B>,
    length: usize,
    validity: Option<Bitmap>,
}

impl<A: polars_arrow::types::NativeType, B: polars_arrow::types::NativeType> Pair<A, B> {
    fn new(left: PrimitiveArray<A>, right: PrimitiveArray<B>) -> Self {
        let (l, r) = (left.len(), right.len());
        let length = if l == 1 { r } else { l };
        let spread = |array: &dyn Array| {
            let is_null = array.len() == 1 && length != 1 && array.null_count() == 1;
            match array.validity() {
                _ if is_null => Some(Bitmap::new_zeroed(length)),
                Some(validity) if validity.len() == length => Some(validity.clone()),
                _ => None,
            }
        };
        let validity = combine_validities_and(spread(&left).as_ref(), spread(&right).as_ref());
        Self { left, right, length, validity }
    }

    /// Applies a function to all rows, including NULL ones: it must not fail for any value.
    fn map<C: polars_arrow::types::NativeType>(self, function: impl Fn(A, B) -> C) -> PrimitiveArray<C> {
        let (left, right) = (self.left.values().as_slice(), self.right.values().as_slice());
        let values: Vec<C> = if left.len() == self.length && right.len() == self.length {
            left.iter().zip(right).map(|(left, right)| function(*left, *right)).collect()
        } else if left.len() == 1 {
            right.iter().map(|right| function(left[0], *right)).collect()
        } else {
            left.iter().map(|left| function(*left, right[0])).collect()
        };
        PrimitiveArray::from_vec(values).with_validity(self.validity)
    }

    /// Applies a function to the valid rows.
    fn try_map<C: polars_arrow::types::NativeType>(
        self,
        function: impl Fn(A, B) -> PolarsResult<C>,
    ) -> PolarsResult<PrimitiveArray<C>> {
        let (left, right) = (self.left.values().as_slice(), self.right.values().as_slice());
        let step = |slice: usize| usize::from(slice == self.length && self.length != 1);
        let (left_step, right_step) = (step(left.len()), step(right.len()));
        let mut values = Vec::with_capacity(self.length);
        for row in 0..self.length {
            let is_valid = self.validity.as_ref().is_none_or(|validity| validity.get_bit(row));
            values.push(if is_valid {
                function(left[row * left_step], right[row * right_step])?
            } else {
                C::default()
            });
        }
        Ok(PrimitiveArray::from_vec(values).with_validity(self.validity))
    }
}

/// Applies a function to two operands; with `is_try` the result is NULL in the rows where it fails.
fn of_pair<A, B, C>(
    left: PrimitiveArray<A>,
    right: PrimitiveArray<B>,
    is_try: bool,
    function: impl Fn(Pair<A, B>) -> PolarsResult<PrimitiveArray<C>>,
) -> PolarsResult<PrimitiveArray<C>>
where
    A: polars_arrow::types::NativeType,
    B: polars_arrow::types::NativeType,
    C: polars_arrow::types::NativeType,
{
    let all = function(Pair::new(left.clone(), right.clone()));
    if !is_try || all.is_ok() {
        return all;
    }
    let length = if left.len() == 1 { right.len() } else { left.len() };
    let rows = (0..length).map(|row| {
        let (left, right) = (value_at(&left, row)?, value_at(&right, row)?);
        let pair = Pair::new(PrimitiveArray::from_slice([left]), PrimitiveArray::from_slice([right]));
        Some(function(pair).ok()?.value(0))
    });
    Ok(rows.collect::<Vec<_>>().into())
}

/// The value of a row; an array of length one has its value in every row.
fn value_at<T: polars_arrow::types::NativeType>(array: &PrimitiveArray<T>, row: usize) -> Option<T> {
    let row = if array.len() == 1 { 0 } else { row };
    array.is_valid(row).then(|| array.value(row))
}

/// The error of a number out of range.
pub(super) fn out_of_range(message: impl AsRef<str>) -> polars::prelude::PolarsError {
    raise(ErrorCode::NumericValueOutOfRange, message)
}

/// Trino's error of `x / 0` and `x % 0`.
pub(super) fn division_by_zero() -> polars::prelude::PolarsError {
    raise(ErrorCode::DivisionByZero, "Division by zero")
}

fn named<T: PolarsNumericType>(column: &Column, array: PrimitiveArray<T::Native>) -> ChunkedArray<T> {
    ChunkedArray::with_chunk(column.name().clone(), array)
}

/// A column of 64-bit integers, named like another column.
pub(super) fn long_column(column: &Column, array: PrimitiveArray<i64>) -> Column {
    let values: Int64Chunked = named(column, array);
    values.into_series().into_column()
}
