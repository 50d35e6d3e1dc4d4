//! Sums of decimals. Polars sums them in 128 bits without overflow checks. Values that cannot overflow with any number
//! of rows are summed directly, after one check of each batch; a statement with a larger value is run again with
//! additional floating-point sums of the values' high halves, which bound the exact sums.

use polars::prelude::{DataType, Expr, Float64Chunked, Int128Chunked, IntoColumn, IntoSeries};
use polars_arrow::array::PrimitiveArray;

use super::decimal::{magnitude_bits, within};
use super::{Pair, WideSum, decimal_column, decimal_values, kernel, named, single};
use crate::failure;
use rowhouse_sql::types::MAX_DECIMAL_PRECISION;

/// The method by which a statement sums decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DecimalSums {
    /// The first run: fails with [`failure::decimals_too_large`] for values whose sum could overflow.
    Quick,
    /// The second run: fails if a sum overflows.
    Careful,
}

/// The precision of values of which a trillion sum up to at most 38 digits.
const MAX_SURE_PRECISION: u8 = 26;

/// The bits of values of which ten billion sum up to at most 38 digits.
pub(crate) const MAX_SURE_BITS: u32 = 90;

/// The weight of a high half: 2^64.
const HIGH_UNIT: f64 = 18_446_744_073_709_551_616.0;

/// The maximum difference between a sum and the value of the high halves. It is below half of 2^128, the error of an
/// overflow, and above the error of rounding and of the low halves.
const MAX_DIFFERENCE: f64 = 1e38;

/// Whether the sum of values of this precision may not fit 128 bits.
pub(crate) const fn sum_can_run_over(precision: u8) -> bool {
    precision > MAX_SURE_PRECISION
}

/// The values, after a check that none of them is large.
pub(crate) fn none_large(value: Expr, precision: u8, scale: u8) -> Expr {
    kernel(value, &[], DataType::Decimal(usize::from(precision), usize::from(scale)), |columns| {
        if magnitude_bits(&single(&decimal_values(&columns[0])?)) > MAX_SURE_BITS {
            return Err(failure::decimals_too_large());
        }
        Ok(std::mem::take(&mut columns[0]))
    })
}

/// The high halves of values.
pub(crate) fn high_halves(value: Expr) -> Expr {
    kernel(value, &[], DataType::Float64, |columns| {
        let values = single(&decimal_values(&columns[0])?);
        #[expect(clippy::cast_precision_loss, reason = "says where the sum is, not what it is")]
        let halves = values.values().iter().map(|value| (value >> 64) as f64).collect();
        let halves = PrimitiveArray::from_vec(halves).with_validity(values.validity().cloned());
        Ok(Float64Chunked::with_chunk(columns[0].name().clone(), halves).into_series().into_column())
    })
}

/// How many times a sum of 128 bits has wrapped around, by the sum of the high halves.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "an overflow is larger than the error"
)]
fn overflows(sum: i128, high: f64) -> i64 {
    let difference = high * HIGH_UNIT - sum as f64;
    if difference.abs() > MAX_DIFFERENCE { (difference / HIGH_UNIT / HIGH_UNIT).round() as i64 } else { 0 }
}

/// The sums, checked against those of the high halves. Fails if a sum has overflowed or has more than 38 digits.
pub(crate) fn checked_sum(sum: Expr, high: Expr, scale: u8) -> Expr {
    let stored = DataType::Decimal(usize::from(MAX_DECIMAL_PRECISION), usize::from(scale));
    kernel(sum, &[high], stored, move |columns| {
        let sums = single(&decimal_values(&columns[0])?);
        let halves = single(columns[1].as_materialized_series().f64()?);
        let sums = Pair::new(sums, halves).try_map(|sum: i128, high: f64| {
            within(WideSum::of_wrapped(sum, overflows(sum, high)).exact(), MAX_DECIMAL_PRECISION)
        })?;
        Ok(decimal_column(named(&columns[0], sums), MAX_DECIMAL_PRECISION, scale))
    })
}

/// The averages of values by their sums, which may have overflowed, and those of the high halves.
pub(crate) fn wide_average(sum: Expr, high: Expr, count: Expr, (precision, scale): (u8, u8)) -> Expr {
    let stored = DataType::Decimal(usize::from(precision), usize::from(scale));
    kernel(sum, &[high, count.cast(DataType::Int64)], stored, move |columns| {
        let sums = decimal_values(&columns[0])?;
        let halves = columns[1].as_materialized_series().f64()?;
        let counts = columns[2].as_materialized_series().i64()?;
        let averages: Int128Chunked = sums
            .iter()
            .zip(halves.iter().zip(counts.iter()))
            .map(|(sum, (high, count))| {
                let sum = sum?;
                WideSum::of_wrapped(sum, overflows(sum, high?)).average(count?)
            })
            .collect();
        Ok(decimal_column(averages.with_name(columns[0].name().clone()), precision, scale))
    })
}
