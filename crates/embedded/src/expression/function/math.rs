//! Mathematical functions.

use std::cmp::Ordering;

use polars::prelude::{
    ChunkApply as _, DataType, Expr as PolarsExpr, Float64Chunked, Int64Chunked, IntoColumn, IntoSeries,
    PolarsError, PolarsResult, lit,
};

use super::{RowFunction, invalid};
use crate::datum::{Datum, NanPlace, Nulls, compare_with};
use crate::numeric::{kernel, out_of_range, power_of_ten, rescale, rounded_division};
use rowhouse_sql::expr::{Expr, Value};
use rowhouse_sql::functions::ScalarFunction;
use rowhouse_sql::types::{MAX_DECIMAL_PRECISION, Type};

/// The least precision of a decimal that Trino rounds with 128 bits.
const MIN_WIDE_PRECISION: u8 = 18;

mod columns;
mod digits;
mod statistics;
mod vector;

/// The number of bits of an integer type.
const fn bits_of(integer: &Type) -> u32 {
    match integer {
        Type::TinyInt => 8,
        Type::SmallInt => 16,
        Type::Integer => 32,
        _ => 64,
    }
}

/// Shifts a number of an integer type as Java shifts 64 bits: a negative distance counts down from 64. A shift by at
/// least as many bits as the type has gives 0.
fn shifted(value: i64, distance: i64, integer: &Type, shift: impl Fn(i64, u32) -> i64) -> i64 {
    let bits = bits_of(integer);
    if distance >= i64::from(bits) {
        return 0;
    }
    // OK because the remainder by 64 is less than 64.
    let distance = u32::try_from(distance.rem_euclid(64)).expect("a number of bits");
    let unused = 64 - bits;
    (shift(value, distance) << unused) >> unused
}

/// Functions of whole columns: those that Polars implements with the same meaning, and loops over numbers.
pub(super) fn fast(
    function: ScalarFunction,
    lowered: &[PolarsExpr],
    args: &[Expr],
    output: &Type,
) -> Option<PolarsExpr> {
    use ScalarFunction as F;
    let value = lowered.first()?.clone();
    match function {
        F::Greatest => return columns::extreme(lowered, output, i64::max, i128::max),
        F::Least => return columns::extreme(lowered, output, i64::min, i128::min),
        _ => {}
    }
    if let (Type::Decimal { scale, .. }, Type::Decimal { precision, scale: kept }) =
        (&args.first()?.data_type, output)
    {
        let scale = *scale;
        return match function {
            F::Abs => Some(columns::of_decimals(value, *precision, *kept, i128::abs)),
            F::Ceil => Some(columns::of_decimals(value, *precision, *kept, move |number| {
                whole(number, scale, Rounding::Up)
            })),
            F::Floor => Some(columns::of_decimals(value, *precision, *kept, move |number| {
                whole(number, scale, Rounding::Down)
            })),
            _ => None,
        };
    }
    if *output == Type::BigInt {
        return Some(match (function, lowered) {
            (F::Abs, _) => kernel(value, &[], DataType::Int64, |columns| {
                let number =
                    |number: i64| number.checked_abs().ok_or_else(|| abs_out_of_range(number, &Type::BigInt));
                let numbers =
                    columns[0].as_materialized_series().i64()?.try_apply_nonnull_values_generic(number)?;
                Ok(Int64Chunked::into_series(numbers).into_column())
            }),
            (F::BitwiseAnd, [_, other]) => value.and(other.clone()),
            (F::BitwiseOr, [_, other]) => value.or(other.clone()),
            (F::BitwiseXor, [_, other]) => value.xor(other.clone()),
            _ => return None,
        });
    }
    if !matches!(output, Type::Double | Type::Boolean) {
        return None;
    }
    Some(match function {
        F::Sqrt => value.sqrt(),
        F::Exp => value.exp(),
        F::Abs => value.abs(),
        F::Degrees => value * lit(180.0 / std::f64::consts::PI),
        F::Radians => value * lit(std::f64::consts::PI / 180.0),
        F::IsNan => value.is_nan(),
        F::IsFinite => value.is_finite(),
        F::IsInfinite => value.is_infinite(),
        F::Floor => of_each(value, f64::floor),
        F::Ceil => of_each(value, f64::ceil),
        F::Power => columns::of_two_doubles(value, lowered.get(1)?, power),
        F::Atan2 => columns::of_two_doubles(value, lowered.get(1)?, f64::atan2),
        F::Round => {
            let digits = match args.get(1).map(Expr::as_literal) {
                None => 0,
                Some(Some(Value::Integer(digits))) => *digits,
                Some(_) => return None,
            };
            let factor = power_of_double(digits);
            of_each(value, move |number| round_double(number, factor))
        }
        function => of_each(value, of_double(function)?),
    })
}

/// Applies a function to doubles.
fn of_each(value: PolarsExpr, function: impl Fn(f64) -> f64 + Copy + Send + Sync + 'static) -> PolarsExpr {
    kernel(value, &[], DataType::Float64, move |columns| {
        let numbers: Float64Chunked = columns[0].as_materialized_series().f64()?.apply_values(function);
        Ok(numbers.into_series().into_column())
    })
}

pub(super) fn function(
    function: ScalarFunction,
    types: &[Type],
    output: &Type,
) -> Option<(Nulls, RowFunction)> {
    use ScalarFunction as F;
    if let Some(of_double) = of_double(function) {
        return Some((Nulls::Propagate, Box::new(move |row| Ok(Datum::Double(of_double(row[0].double()))))));
    }
    if let Some(apply) = statistics::function(function).or_else(|| vector::function(function, types)) {
        return Some((Nulls::Propagate, apply));
    }
    let input = types.first().cloned().unwrap_or(Type::Unknown);
    let output = output.clone();
    let apply: RowFunction = match function {
        F::Abs => Box::new(move |row| abs(&row[0], &input)),
        F::Sign => Box::new(|row| {
            Ok(match &row[0] {
                Datum::Integer(value) => Datum::Integer(value.signum()),
                Datum::Decimal(value) => Datum::Decimal(value.signum()),
                other if other.double() == 0.0 || other.double().is_nan() => Datum::Double(other.double()),
                other => Datum::Double(other.double().signum()),
            })
        }),
        F::Ceil => Box::new(move |row| Ok(to_whole(&row[0], &input, f64::ceil, Rounding::Up))),
        F::Floor => Box::new(move |row| Ok(to_whole(&row[0], &input, f64::floor, Rounding::Down))),
        F::Round => Box::new(move |row| round(row, &input, &output)),
        F::Truncate => Box::new(move |row| truncate(row, &input, &output)),
        F::Power => Box::new(|row| Ok(Datum::Double(power(row[0].double(), row[1].double())))),
        F::Log => Box::new(|row| Ok(Datum::Double(row[1].double().ln() / row[0].double().ln()))),
        F::Atan2 => Box::new(|row| Ok(Datum::Double(row[0].double().atan2(row[1].double())))),
        F::Greatest => Box::new(|row| Ok(owned(extreme(row, Ordering::Greater)))),
        F::Least => Box::new(|row| Ok(owned(extreme(row, Ordering::Less)))),
        F::WidthBucket if types.len() == 2 => Box::new(vector::width_bucket),
        F::WidthBucket => Box::new(width_bucket),
        F::BitCount => {
            Box::new(|row| digits::bit_count(row[0].integer(), row[1].integer()).map(Datum::Integer))
        }
        F::ToBase => Box::new(digits::to_base),
        F::FromBase => Box::new(digits::from_base),
        F::BitwiseAnd => Box::new(|row| Ok(Datum::Integer(row[0].integer() & row[1].integer()))),
        F::BitwiseOr => Box::new(|row| Ok(Datum::Integer(row[0].integer() | row[1].integer()))),
        F::BitwiseXor => Box::new(|row| Ok(Datum::Integer(row[0].integer() ^ row[1].integer()))),
        F::BitwiseNot => Box::new(|row| Ok(Datum::Integer(!row[0].integer()))),
        F::BitwiseLeftShift => Box::new(move |row| {
            let value = row[0].integer();
            Ok(Datum::Integer(shifted(value, row[1].integer(), &output, i64::wrapping_shl)))
        }),
        F::BitwiseRightShiftArithmetic => Box::new(move |row| {
            let (value, distance) = (row[0].integer(), row[1].integer());
            // A shift by at least as many bits as the type has leaves the sign.
            let distance = if distance >= i64::from(bits_of(&output)) { 63 } else { distance.rem_euclid(64) };
            Ok(Datum::Integer(value >> distance))
        }),
        F::BitwiseRightShift => Box::new(move |row| {
            // A narrower type is shifted without the sign bits above it.
            let value = row[0].integer().cast_unsigned() & (u64::MAX >> (64 - bits_of(&output)));
            let shift = |value: i64, by| value.cast_unsigned().wrapping_shr(by).cast_signed();
            Ok(Datum::Integer(shifted(value.cast_signed(), row[1].integer(), &output, shift)))
        }),
        _ => return None,
    };
    Some((Nulls::Propagate, apply))
}

/// Java's `Math.pow`: NaN for 1 to the power of NaN, and for 1 or -1 to the power of an infinity.
fn power(base: f64, exponent: f64) -> f64 {
    let is_nan = exponent.is_nan() || exponent.is_infinite() && base.abs() == 1.0;
    if is_nan { f64::NAN } else { base.powf(exponent) }
}

fn of_double(function: ScalarFunction) -> Option<fn(f64) -> f64> {
    use ScalarFunction as F;
    Some(match function {
        F::Cbrt => f64::cbrt,
        F::Ln => f64::ln,
        F::Log2 => |x| x.ln() / std::f64::consts::LN_2,
        F::Log10 => f64::log10,
        F::Sin => f64::sin,
        F::Cos => f64::cos,
        F::Tan => f64::tan,
        F::Asin => f64::asin,
        F::Acos => f64::acos,
        F::Atan => f64::atan,
        F::Sinh => f64::sinh,
        F::Cosh => f64::cosh,
        F::Tanh => f64::tanh,
        _ => return None,
    })
}

fn abs(value: &Datum<'_>, data_type: &Type) -> PolarsResult<Datum<'static>> {
    Ok(match value {
        Datum::Integer(number) => {
            let least = match data_type {
                Type::TinyInt => i64::from(i8::MIN),
                Type::SmallInt => i64::from(i16::MIN),
                Type::Integer => i64::from(i32::MIN),
                _ => i64::MIN,
            };
            if *number == least {
                return Err(abs_out_of_range(*number, data_type));
            }
            Datum::Integer(number.abs())
        }
        Datum::Decimal(number) => Datum::Decimal(number.abs()),
        other => Datum::Double(other.double().abs()),
    })
}

fn abs_out_of_range(number: i64, data_type: &Type) -> PolarsError {
    out_of_range(format!("Value {number} is out of range for abs({data_type})"))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    Up,
    Down,
}

fn to_whole(
    value: &Datum<'_>,
    data_type: &Type,
    of_double: fn(f64) -> f64,
    rounding: Rounding,
) -> Datum<'static> {
    match (value, data_type) {
        (Datum::Decimal(number), Type::Decimal { scale, .. }) => {
            Datum::Decimal(whole(*number, *scale, rounding))
        }
        (Datum::Double(number), _) => Datum::Double(of_double(*number)),
        (value, _) => value.clone().into_owned(),
    }
}

/// The whole number above or below a decimal.
fn whole(number: i128, scale: u8, rounding: Rounding) -> i128 {
    let factor = power_of_ten(scale);
    let floor = number.div_euclid(factor);
    let is_whole = number.rem_euclid(factor) == 0;
    if is_whole || rounding == Rounding::Down { floor } else { floor + 1 }
}

/// Rounds half away from zero, to a number of digits after the point or, if negative, before it.
fn round(row: &[Datum<'_>], input: &Type, output: &Type) -> PolarsResult<Datum<'static>> {
    let digits = row.get(1).map_or(0, Datum::integer);
    Ok(match (&row[0], input, output) {
        (Datum::Decimal(number), Type::Decimal { precision, scale }, Type::Decimal { scale: kept, .. }) => {
            let lost = i64::from(*scale) - digits;
            if lost <= 0 {
                return Ok(Datum::Decimal(*number));
            }
            // Trino's longer decimals do not hold powers above 10^38, so this fails for every number.
            if lost > i64::from(MAX_DECIMAL_PRECISION) && *precision >= MIN_WIDE_PRECISION {
                return Err(decimal_overflow(*number));
            }
            let Some(factor) = u8::try_from(lost).ok().filter(|lost| *lost <= MAX_DECIMAL_PRECISION) else {
                return Ok(Datum::Decimal(0));
            };
            let factor = power_of_ten(factor);
            let rounded = rounded_division(*number, factor).and_then(|number| number.checked_mul(factor));
            let rounded = rounded.and_then(|number| rescale(number, *scale, *kept));
            Datum::Decimal(rounded.ok_or_else(|| decimal_overflow(*number))?)
        }
        (Datum::Integer(number), ..) if digits >= 0 => Datum::Integer(*number),
        (Datum::Integer(number), ..) => {
            let overflow = || out_of_range(format!("numerical overflow: {number}"));
            // 64 bits hold no such power of ten: Trino fails here, even for 0.
            let lost = u8::try_from(digits.unsigned_abs()).ok().filter(|lost| *lost < 19);
            let factor = power_of_ten(lost.ok_or_else(overflow)?);
            let rounded = rounded_division(i128::from(*number), factor).unwrap_or(0) * factor;
            Datum::Integer(i64::try_from(rounded).map_err(|_| overflow())?)
        }
        (other, ..) => Datum::Double(round_double(other.double(), power_of_double(digits))),
    })
}

fn decimal_overflow(number: i128) -> PolarsError {
    out_of_range(format!("decimal overflow: {number}"))
}

/// 10 to the power of a number of digits.
fn power_of_double(digits: i64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "digits are an integer of 32 bits")]
    let digits = digits as f64;
    10f64.powf(digits)
}

/// Rounds as Trino: the magnitude times 10^digits is rounded if it is finite. If the power is 0 or infinite, the result
/// is that of Java's division by it.
fn round_double(number: f64, factor: f64) -> f64 {
    if !number.is_finite() {
        return number;
    }
    let sign = if number < 0.0 { -1.0 } else { 1.0 };
    let scaled = sign * number * factor;
    if scaled.is_infinite() {
        return number;
    }
    // Java's `round` turns NaN into 0, and has no negative zero.
    let rounded = if scaled.is_nan() { 0.0 } else { scaled.round() + 0.0 };
    sign * (rounded / factor)
}

fn truncate(row: &[Datum<'_>], input: &Type, output: &Type) -> PolarsResult<Datum<'static>> {
    let digits = row.get(1).map_or(0, Datum::integer);
    Ok(match (&row[0], input, output) {
        (Datum::Decimal(number), Type::Decimal { scale, .. }, Type::Decimal { scale: kept, .. }) => {
            let lost = i64::from(*scale) - digits.clamp(-38, i64::from(*scale));
            if lost > 38 {
                return Ok(Datum::Decimal(0));
            }
            let factor = power_of_ten(u8::try_from(lost).unwrap_or(38));
            let cut = number / factor * factor;
            Datum::Decimal(rescale(cut, *scale, *kept).ok_or_else(|| decimal_overflow(*number))?)
        }
        (other, ..) => Datum::Double(other.double().trunc()),
    })
}

/// The first of the greatest or least values. NaN is the result only if there is no other value.
pub(super) fn extreme<'a, 'd>(values: &'a [Datum<'d>], wanted: Ordering) -> Option<&'a Datum<'d>> {
    let nan = if wanted == Ordering::Greater { NanPlace::First } else { NanPlace::Last };
    values.iter().reduce(|best, value| if compare_with(value, best, nan) == wanted { value } else { best })
}

/// The value without borrowed parts; NULL for `None`.
pub(super) fn owned(value: Option<&Datum<'_>>) -> Datum<'static> {
    value.map_or(Datum::Null, |value| value.clone().into_owned())
}

fn width_bucket(row: &[Datum<'_>]) -> PolarsResult<Datum<'static>> {
    let (value, low, high, count) = (row[0].double(), row[1].double(), row[2].double(), row[3].integer());
    if count <= 0 {
        return Err(invalid("bucketCount must be greater than 0"));
    }
    let faults = [
        (value.is_nan(), "operand must not be NaN"),
        (!low.is_finite(), "first bound must be finite"),
        (!high.is_finite(), "second bound must be finite"),
        (low == high, "bounds cannot equal each other"),
    ];
    if let Some((_, message)) = faults.into_iter().find(|(is_fault, _)| *is_fault) {
        return Err(invalid(message));
    }
    let (lower, upper) = (low.min(high), low.max(high));
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "as Java computes it: NaN is 0, and what is too large the largest"
    )]
    let bucket = if value < lower {
        0
    } else if value >= upper {
        count.checked_add(1).ok_or_else(|| out_of_range("Bucket is out of range"))?
    } else {
        (count as f64 * (value - lower) / (upper - lower) + 1.0) as i64
    };
    Ok(Datum::Integer(if low > high { count - bucket + 1 } else { bucket }))
}
