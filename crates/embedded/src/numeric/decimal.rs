//! Decimals of up to 38 digits, with Trino's result types: the caller passes the type, and these kernels compute the
//! value, rounded half away from zero if digits are lost.

use polars::prelude::arity::unary_elementwise_values;
use polars::prelude::{ChunkApply, DataType, Expr, Float32Chunked, IntoColumn, IntoSeries, PolarsResult};

use super::{
    Pair, decimal_column, decimal_values, division_by_zero, kernel, named, of_pair, out_of_range,
    power_of_ten, single,
};
use rowhouse_sql::expr::ArithmeticOperator;
use rowhouse_sql::types::MAX_DECIMAL_PRECISION;

/// Digits of a decimal that Trino keeps in 64 bits.
const SHORT_PRECISION: u8 = 18;

/// The precision and scale of both operands and of the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DecimalTypes {
    pub(crate) left: (u8, u8),
    pub(crate) right: (u8, u8),
    pub(crate) output: (u8, u8),
}

impl DecimalTypes {
    /// The factors that convert the operands of a sum to the result's scale.
    pub(super) const fn factors(self) -> (i128, i128) {
        let scale = self.output.1;
        (power_of_ten(scale - self.left.1), power_of_ten(scale - self.right.1))
    }
}

/// Applies an operator to two decimals. With `is_try` the result is NULL where it fails.
pub(crate) fn decimal_kernel(
    operator: ArithmeticOperator,
    left: Expr,
    right: Expr,
    (left_type, right_type, (precision, scale)): ((u8, u8), (u8, u8), (u8, u8)),
    is_try: bool,
) -> Expr {
    let stored = DataType::Decimal(usize::from(precision), usize::from(scale));
    let types = DecimalTypes { left: left_type, right: right_type, output: (precision, scale) };
    kernel(left, &[right], stored, move |columns| {
        let (left, right) = (single(&decimal_values(&columns[0])?), single(&decimal_values(&columns[1])?));
        let values = of_pair(left, right, is_try, |pair| match operator {
            ArithmeticOperator::Add => add(pair, types, 1),
            ArithmeticOperator::Subtract => add(pair, types, -1),
            ArithmeticOperator::Multiply => multiply(pair, types),
            ArithmeticOperator::Divide => divide(pair, types),
            ArithmeticOperator::Modulus => modulus(pair, types),
        })?;
        Ok(decimal_column(named(&columns[0], values), precision, scale))
    })
}

type Array = polars_arrow::array::PrimitiveArray<i128>;

/// A sum, or a difference if the sign is -1.
pub(super) fn add(pair: Pair<i128, i128>, types: DecimalTypes, sign: i128) -> PolarsResult<Array> {
    let (precision, scale) = types.output;
    let (left_factor, right_factor) = types.factors();
    let right_factor = right_factor * sign;
    let whole = (types.left.0 - types.left.1).max(types.right.0 - types.right.1);
    if whole + scale < MAX_DECIMAL_PRECISION {
        // The sum has at most one digit more than the larger operand, which the result's type holds. Values of NULLs
        // are arbitrary, hence the wrapping operations.
        return Ok(pair.map(|left, right| {
            left.wrapping_mul(left_factor).wrapping_add(right.wrapping_mul(right_factor))
        }));
    }
    let scaled = |array: &Array, factor: i128| magnitude_bits(array) + bits_of(factor.unsigned_abs());
    let bits = scaled(&pair.left, left_factor).max(scaled(&pair.right, right_factor)) + 1;
    if bits <= bits_within(precision) {
        return Ok(pair.map(|left, right| left * left_factor + right * right_factor));
    }
    pair.try_map(|left, right| {
        let sum = left
            .checked_mul(left_factor)
            .zip(right.checked_mul(right_factor))
            .and_then(|(left, right)| left.checked_add(right));
        within(sum, precision)
    })
}

pub(super) fn multiply(pair: Pair<i128, i128>, types: DecimalTypes) -> PolarsResult<Array> {
    let (precision, scale) = types.output;
    let lost = types.left.1 + types.right.1 - scale;
    if lost == 0 && types.left.0 <= 18 && types.right.0 <= 18 {
        // Both operands fit 64 bits, so a single multiplication suffices.
        #[expect(
            clippy::cast_possible_truncation,
            reason = "18 digits fit in 64 bits; NULLs may hold anything"
        )]
        return Ok(pair.map(|left, right| i128::from(left as i64) * i128::from(right as i64)));
    }
    if lost == 0 && types.left.0 + types.right.0 <= MAX_DECIMAL_PRECISION {
        return Ok(pair.map(i128::wrapping_mul));
    }
    // The types allow more digits than most columns have: one pass over the values saves a check of each product.
    let (left_bits, right_bits) = (magnitude_bits(&pair.left), magnitude_bits(&pair.right));
    if lost == 0 && left_bits + right_bits <= bits_within(precision) {
        #[expect(clippy::cast_possible_truncation, reason = "63 bits and a sign fit in 64 bits")]
        return Ok(if left_bits <= 63 && right_bits <= 63 {
            pair.map(|left, right| i128::from(left as i64) * i128::from(right as i64))
        } else {
            pair.map(|left, right| left * right)
        });
    }
    pair.try_map(|left, right| {
        let product = match (left.checked_mul(right), lost) {
            (product, 0) => product,
            (Some(product), lost) => rounded_division(product, power_of_ten(lost)),
            (None, _) => None,
        };
        within(product, precision)
    })
}

fn divide(pair: Pair<i128, i128>, types: DecimalTypes) -> PolarsResult<Array> {
    let (precision, scale) = types.output;
    let digits = i32::from(scale) + i32::from(types.right.1) - i32::from(types.left.1);
    // Trino shifts a decimal by at most 37 digits.
    let digits = u8::try_from(digits.max(0)).ok().filter(|digits| *digits < MAX_DECIMAL_PRECISION);
    let factor = digits.map(power_of_ten);
    pair.try_map(|left, right| {
        if right == 0 {
            return Err(division_by_zero());
        }
        let quotient = factor.and_then(|factor| match left.checked_mul(factor) {
            Some(left) => rounded_division(left, right),
            None => wide_division(left, factor, right),
        });
        within(quotient, precision)
    })
}

/// The remainder of a product of 256 bits, with its sign; `None` if the quotient does not fit 128 bits, as in Trino.
fn wide_remainder(left: i128, factor: i128, divisor: i128) -> Option<i128> {
    let (high, low) = wide_product(left.unsigned_abs(), factor.unsigned_abs());
    let divisor = divisor.unsigned_abs();
    if high >= divisor {
        return None;
    }
    let (_, rest) = long_division(high, low, divisor);
    let rest = i128::try_from(rest).ok()?;
    Some(if left < 0 { -rest } else { rest })
}

/// The quotient and the remainder of a number of 256 bits. Its upper half is less than the divisor, which has at most
/// 127 bits.
fn long_division(high: u128, low: u128, divisor: u128) -> (u128, u128) {
    let (mut rest, mut quotient) = (high, 0_u128);
    for place in (0..128).rev() {
        rest = (rest << 1) | ((low >> place) & 1);
        quotient <<= 1;
        if rest >= divisor {
            rest -= divisor;
            quotient |= 1;
        }
    }
    (quotient, rest)
}

/// A product of 256 bits divided by a divisor, rounded half away from zero; `None` if the result does not fit 128 bits.
fn wide_division(left: i128, factor: i128, divisor: i128) -> Option<i128> {
    let (high, low) = wide_product(left.unsigned_abs(), factor.unsigned_abs());
    let divisor_magnitude = divisor.unsigned_abs();
    if high >= divisor_magnitude {
        return None;
    }
    let (quotient, rest) = long_division(high, low, divisor_magnitude);
    let magnitude =
        i128::try_from(quotient).ok()?.checked_add(i128::from(rest >= divisor_magnitude - rest))?;
    Some(if (left < 0) == (divisor < 0) { magnitude } else { -magnitude })
}

/// The upper and the lower 128 bits of a product.
const fn wide_product(left: u128, right: u128) -> (u128, u128) {
    const HALF: u128 = u64::MAX as u128;
    let (left_high, left_low) = (left >> 64, left & HALF);
    let (right_high, right_low) = (right >> 64, right & HALF);
    let low = left_low * right_low;
    let middle = left_high * right_low + (low >> 64);
    let other_middle = left_low * right_high + (middle & HALF);
    (left_high * right_high + (middle >> 64) + (other_middle >> 64), (other_middle << 64) | (low & HALF))
}

fn modulus(pair: Pair<i128, i128>, types: DecimalTypes) -> PolarsResult<Array> {
    let precision = types.output.0;
    let (left_factor, right_factor) = types.factors();
    pair.try_map(|left, right| {
        if right == 0 {
            return Err(division_by_zero());
        }
        // At least one of the factors is 1.
        let remainder = match (left.checked_mul(left_factor), right.checked_mul(right_factor)) {
            (Some(left), Some(right)) => left.checked_rem(right),
            // A divisor of more than 128 bits exceeds every dividend.
            (Some(left), None) => Some(left),
            (None, _) => wide_remainder(left, left_factor, right),
        };
        within(remainder, precision)
    })
}

/// A number of bits such that no magnitude in an array exceeds 2 to that power, including the values of NULLs. Only a
/// negative magnitude can equal that power.
pub(crate) fn magnitude_bits(array: &Array) -> u32 {
    // For a negative value, the magnitude of the next greater one: this takes two instructions, the exact magnitude
    // more.
    bits_of(array.values().iter().fold(0, |bits, value| bits | (value ^ (value >> 127)).cast_unsigned()))
}

/// The number of bits of a magnitude, which is less than 2 to that power.
pub(super) const fn bits_of(magnitude: u128) -> u32 {
    u128::BITS - magnitude.leading_zeros()
}

/// The number of bits of magnitudes that surely have at most `precision` digits.
const fn bits_within(precision: u8) -> u32 {
    power_of_ten(precision).unsigned_abs().ilog2()
}

/// Casts a decimal to one with at least as many digits on both sides of the point, which fails for no value.
pub(crate) fn widened(value: Expr, from_scale: u8, (precision, scale): (u8, u8)) -> Expr {
    let stored = DataType::Decimal(usize::from(precision), usize::from(scale));
    let factor = power_of_ten(scale - from_scale);
    kernel(value, &[], stored, move |columns| {
        let values = decimal_values(&columns[0])?;
        // Values of NULLs are arbitrary.
        let values =
            if factor == 1 { values } else { values.apply_values(|value| value.wrapping_mul(factor)) };
        Ok(decimal_column(values, precision, scale))
    })
}

/// A cast to REAL as Trino computes it: of up to 18 digits the quotient of two reals, of more the nearest real.
pub(crate) fn decimal_to_real(value: i128, precision: u8, scale: u8) -> f32 {
    #[expect(clippy::cast_precision_loss, reason = "a real has 24 bits; that is the conversion")]
    if precision <= SHORT_PRECISION {
        value as f32 / power_of_ten(scale) as f32
    } else {
        // OK because every number of this form is a float's text.
        format!("{value}e-{scale}").parse().unwrap_or(f32::NAN)
    }
}

/// The same of a column with at most 18 digits.
pub(crate) fn short_decimals_to_reals(value: Expr, precision: u8, scale: u8) -> Expr {
    kernel(value, &[], DataType::Float32, move |columns| {
        // Values of NULLs are arbitrary.
        let values = decimal_values(&columns[0])?;
        let reals: Float32Chunked =
            unary_elementwise_values(&values, |value| decimal_to_real(value, precision, scale));
        Ok(reals.into_series().into_column())
    })
}

/// The value, if it has at most `precision` digits.
pub(crate) fn within(value: Option<i128>, precision: u8) -> PolarsResult<i128> {
    value
        .filter(|value| value.unsigned_abs() < power_of_ten(precision).unsigned_abs())
        .ok_or_else(|| out_of_range("Decimal overflow"))
}

/// A quotient rounded half away from zero; `None` for a division by zero.
pub(crate) fn rounded_division(dividend: i128, divisor: i128) -> Option<i128> {
    let quotient = dividend.checked_div(divisor)?;
    let remainder = dividend.checked_rem(divisor)?.unsigned_abs();
    // Doubling the remainder could overflow; the difference cannot.
    let is_half = remainder >= divisor.unsigned_abs() - remainder;
    if !is_half || remainder == 0 {
        return Some(quotient);
    }
    let sign = if (dividend < 0) == (divisor < 0) { 1 } else { -1 };
    quotient.checked_add(sign)
}

/// Converts a value from one scale to another, rounded half away from zero; `None` if it overflows 128 bits.
pub(crate) fn rescale(value: i128, from: u8, to: u8) -> Option<i128> {
    if to >= from {
        value.checked_mul(power_of_ten(to - from))
    } else {
        rounded_division(value, power_of_ten(from - to))
    }
}

/// A sum divided by a count, in the type of the values; NULL for a count of 0.
pub(crate) fn decimal_average(sum: Expr, count: Expr, precision: u8, scale: u8) -> Expr {
    let stored = DataType::Decimal(usize::from(precision), usize::from(scale));
    kernel(sum, &[count.cast(DataType::Int64)], stored, move |columns| {
        let sums = decimal_values(&columns[0])?;
        let counts = columns[1].as_materialized_series().i64()?;
        let values: polars::prelude::Int128Chunked = sums
            .iter()
            .zip(counts.iter())
            .map(|(sum, count)| rounded_division(sum?, i128::from(count?)))
            .collect();
        Ok(decimal_column(values.with_name(columns[0].name().clone()), precision, scale))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values are those of `DecimalCasts` in Trino 476.
    #[test]
    fn decimals_become_reals_as_in_trino() {
        for (value, precision, scale, bits) in [
            (-854_485_568_428_262_459, 18, 8, 0xcffe_a814),
            (754_659_928_281_503_100, 18, 8, 0x4fe0_e7fb),
            (88_923_384_270_674_084, 18, 8, 0x4e54_0286),
            (11, 2, 1, 0x3f8c_cccd),
            (0, 18, 18, 0),
            (999_999_999_999_999_999, 18, 18, 0x3f80_0000),
            (1_152_921_573_326_323_713, 19, 0, 0x5d80_0001),
            (-1_152_921_573_326_323_713, 38, 3, 0xd883_126f),
            (12_345_678_901_234_567_890, 20, 1, 0x5d89_1088),
            (99_999_999_999_999_999_999_999_999_999_999_999_999, 38, 0, 0x7e96_7699),
            (1, 38, 38, 0x006c_e3ee),
            (0, 38, 10, 0),
            (16_777_217, 38, 0, 0x4b80_0000),
        ] {
            let real = decimal_to_real(value, precision, scale);
            assert_eq!(real.to_bits(), bits, "{value} of decimal({precision},{scale}) is {real}");
        }
    }

    #[test]
    fn halves_are_rounded_away_from_zero() {
        for (dividend, divisor, expected) in
            [(5, 2, 3), (-5, 2, -3), (5, -2, -3), (4, 3, 1), (-4, 3, -1), (0, 7, 0), (6, 3, 2)]
        {
            assert_eq!(rounded_division(dividend, divisor), Some(expected), "{dividend} / {divisor}");
        }
        assert_eq!(rounded_division(1, 0), None);
        assert_eq!(rounded_division(i128::MAX, 2), Some(i128::MAX / 2 + 1));
    }

    #[test]
    fn quotients_are_exact_where_the_dividend_has_256_bits() {
        let nines = power_of_ten(38) - 1;
        assert_eq!(wide_division(nines, power_of_ten(10), power_of_ten(10)), Some(nines));
        assert_eq!(wide_division(-nines, power_of_ten(37), nines), Some(-power_of_ten(37)));
        assert_eq!(wide_division(nines, 5, -(nines - 1)), Some(-5));
        assert_eq!(wide_division(7, power_of_ten(38), -8 * power_of_ten(37)), Some(-9));
        assert_eq!(wide_division(nines, power_of_ten(37), 1), None);
        assert_eq!(wide_remainder(-nines, power_of_ten(37), nines - 1), Some(-power_of_ten(37)));
        assert_eq!(wide_remainder(7, power_of_ten(38), 30), Some(10));
        assert_eq!(wide_remainder(7, power_of_ten(38), 2), None);
        assert_eq!(wide_product(u128::MAX, u128::MAX), (u128::MAX - 1, 1));
    }

    fn array(values: &[i128]) -> Array {
        Array::from_slice(values)
    }

    /// The unchecked path is for values whose products surely have few enough digits; other products are checked one by
    /// one.
    #[test]
    fn products_are_exact_up_to_the_last_digit_and_fail_beyond() {
        let types = DecimalTypes { left: (20, 0), right: (20, 0), output: (38, 0) };
        let product = |left: i128, right: i128| {
            let pair = Pair::new(array(&[left, 1]), array(&[right, 1]));
            multiply(pair, types).ok().map(|product| product.value(0))
        };
        let largest = power_of_ten(19);
        assert_eq!(product(largest - 1, largest - 1), Some((largest - 1) * (largest - 1)));
        assert_eq!(product(-largest, largest - 1), Some(-largest * (largest - 1)));
        assert_eq!(product(largest, largest), None, "39 digits");
        assert_eq!(product(i128::from(i64::MIN), 1), Some(i128::from(i64::MIN)));
        assert_eq!(product(i128::from(i64::MIN), -3), Some(i128::from(i64::MIN) * -3));
    }

    #[test]
    fn sums_are_exact_up_to_the_last_digit_and_fail_beyond() {
        let types = DecimalTypes { left: (38, 0), right: (38, 1), output: (38, 1) };
        let sum = |left: i128, right: i128, sign| {
            let pair = Pair::new(array(&[left, 1]), array(&[right, 1]));
            add(pair, types, sign).ok().map(|sum| sum.value(0))
        };
        assert_eq!(sum(5, 7, 1), Some(57));
        assert_eq!(sum(5, 7, -1), Some(43));
        let largest = power_of_ten(37);
        assert_eq!(sum(largest - 1, 9, 1), Some(power_of_ten(38) - 1));
        assert_eq!(sum(largest - 1, 10, 1), None);
        assert_eq!(sum(i128::MAX, 0, 1), None);
    }

    #[test]
    fn scales_are_changed_exactly_or_rounded() {
        assert_eq!(rescale(125, 2, 4), Some(12_500));
        assert_eq!(rescale(125, 2, 1), Some(13));
        assert_eq!(rescale(-125, 2, 1), Some(-13));
        assert_eq!(rescale(i128::MAX, 0, 1), None);
    }
}
