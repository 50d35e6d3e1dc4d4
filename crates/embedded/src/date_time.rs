//! Arithmetic of dates, times, timestamps and intervals, and the underlying calendar.

use polars::prelude::{
    ChunkApply, DataType, Expr as PolarsExpr, IntoColumn, IntoSeries, NonExistent, PolarsError, PolarsResult,
    lit,
};
use rowhouse_model::{ErrorCode, QueryError};

use self::calendar::{NANOS_PER_DAY, in_range, units_per_day, units_per_second};
use self::clock::Clock;
use self::unit::Unit;
use super::data_type::{storage, time_unit};
use super::datum::{Argument, Datum, Nulls, row_by_row};
use super::failure::{not_supported, raise};
use super::numeric::{kernel, out_of_range};
use rowhouse_sql::expr::{ArithmeticOperator, Expr};
use rowhouse_sql::types::{Type, UTC, offset_minutes};

pub(super) mod calendar;
pub(super) mod clock;
pub(super) mod unit;
pub(super) mod zone;

const MILLIS_PER_DAY: i64 = 86_400_000;

/// An operation on two values. The other arguments are the type of the first value, and 1 for a sum or -1 for a
/// difference.
type Operation = fn(&Datum<'_>, &Datum<'_>, &Type, i64) -> PolarsResult<i64>;

/// The local date and time of a timestamp with this zone. Polars' own conversion knows no summer time after 2099.
pub(super) fn wall_clock(value: PolarsExpr, precision: u8, zone: &str) -> PolarsExpr {
    let local = Type::Timestamp { precision };
    let minutes = if zone == UTC { Some(0) } else { offset_minutes(zone) };
    if let Some(minutes) = minutes {
        let shift = i64::from(minutes) * 60 * units_per_second(&local);
        return (value.cast(DataType::Int64) + lit(shift)).cast(storage(&local));
    }
    let Some(clock) = Clock::new(zone, &local) else {
        return value.dt().replace_time_zone(None, lit("raise"), NonExistent::Raise);
    };
    kernel(value, &[], storage(&local), move |columns| {
        let moments = columns[0].as_materialized_series().to_physical_repr().into_owned();
        let shown = moments.i64()?.apply_values(|moment| clock.shown_at(moment));
        Ok(shown.into_datetime(time_unit(precision), None).into_series().into_column())
    })
}

/// Lowers arithmetic whose result is a date, time, timestamp or interval. With `is_try` the result is NULL where it
/// fails.
pub(super) fn arithmetic(
    operator: ArithmeticOperator,
    (left_value, left): (PolarsExpr, &Expr),
    (right_value, right): (PolarsExpr, &Expr),
    output: &Type,
    is_try: bool,
) -> Result<PolarsExpr, QueryError> {
    use ArithmeticOperator as O;
    let operation: Operation = match (&left.data_type, operator, &right.data_type) {
        (value, O::Add | O::Subtract, Type::IntervalDayToSecond) if !value.is_interval() => add_millis,
        (value, O::Add | O::Subtract, Type::IntervalYearToMonth) if !value.is_interval() => {
            add_month_interval
        }
        (Type::IntervalDayToSecond | Type::IntervalYearToMonth, O::Add, value)
            if !value.is_interval() && !value.is_numeric() =>
        {
            // interval + date is date + interval.
            return arithmetic(operator, (right_value, right), (left_value, left), output, is_try);
        }
        (a, O::Add | O::Subtract, b) if a.is_interval() && a == b => add_numbers,
        (a, O::Subtract, b) if a == b => difference,
        (a, O::Multiply, b) if a.is_interval() && b.is_numeric() => multiply,
        (a, O::Multiply, b) if a.is_numeric() && b.is_interval() => {
            return arithmetic(operator, (right_value, right), (left_value, left), output, is_try);
        }
        (a, O::Divide, b) if a.is_interval() && b.is_numeric() => divide,
        _ => return Err(not_supported("this arithmetic of dates and times", left.location)),
    };
    let sign = if operator == O::Subtract { -1 } else { 1 };
    let (value_type, result_type) = (left.data_type.clone(), output.clone());
    let argument = |value: PolarsExpr, data_type: &Type| match data_type {
        Type::BigInt => Argument { value, data_type: Type::BigInt },
        number if number.is_numeric() => {
            Argument { value: value.cast(DataType::Float64), data_type: Type::Double }
        }
        other => Argument { value, data_type: other.clone() },
    };
    let arguments = vec![argument(left_value, &left.data_type), argument(right_value, &right.data_type)];
    Ok(row_by_row(arguments, output.clone(), Nulls::Propagate, move |row| {
        let result = operation(&row[0], &row[1], &value_type, sign)
            .and_then(|result| in_range(result, &result_type).ok_or_else(|| out_of(&result_type)));
        match result {
            Ok(result) => Ok(Datum::Integer(result)),
            Err(_) if is_try => Ok(Datum::Null),
            Err(error) => Err(error),
        }
    }))
}

fn out_of(data_type: &Type) -> PolarsError {
    out_of_range(format!("the result is out of range for {data_type}"))
}

/// A date or timestamp plus (`sign` 1) or minus (-1) an interval; `None` if the result is out of range. Fails for a date
/// and an interval that is not of days.
pub(super) fn shifted(
    value: &Datum<'_>,
    data_type: &Type,
    interval: &Datum<'_>,
    interval_type: &Type,
    sign: i64,
) -> PolarsResult<Option<Datum<'static>>> {
    let sum = match interval_type {
        Type::IntervalYearToMonth => add_month_interval(value, interval, data_type, sign),
        _ => {
            check_days(interval.integer(), data_type, sign)?;
            add_millis(value, interval, data_type, sign)
        }
    };
    Ok(sum.ok().and_then(|sum| in_range(sum, data_type)).map(Datum::Integer))
}

fn check_days(millis: i64, data_type: &Type, sign: i64) -> PolarsResult<()> {
    if *data_type == Type::Date && millis % MILLIS_PER_DAY != 0 {
        let verb = if sign > 0 {
            "add hours, minutes or seconds to"
        } else {
            "subtract hours, minutes or seconds from"
        };
        return Err(raise(ErrorCode::InvalidFunctionArgument, format!("Cannot {verb} a date")));
    }
    Ok(())
}

fn add_millis(value: &Datum<'_>, interval: &Datum<'_>, data_type: &Type, sign: i64) -> PolarsResult<i64> {
    let (value, millis) = (value.integer(), interval.integer());
    check_days(millis, data_type, sign)?;
    let sum = match data_type {
        Type::Date => value.checked_add(sign * (millis / MILLIS_PER_DAY)),
        Type::Time { .. } | Type::TimeWithTimeZone { .. } => {
            Some((value + sign * (millis % MILLIS_PER_DAY) * 1_000_000).rem_euclid(NANOS_PER_DAY))
        }
        other => millis
            .checked_mul(sign * (units_per_day(other) / MILLIS_PER_DAY))
            .and_then(|units| value.checked_add(units)),
    };
    sum.ok_or_else(|| out_of(data_type))
}

/// Adds months to the local time in the zone of a zoned timestamp.
fn add_month_interval(
    value: &Datum<'_>,
    interval: &Datum<'_>,
    data_type: &Type,
    sign: i64,
) -> PolarsResult<i64> {
    let (value, months) = (value.integer(), interval.integer() * sign);
    let sum = match Clock::of(data_type) {
        Some(clock) => Unit::Month
            .add(clock.shown_at(value), months, data_type)
            .and_then(|shown| clock.moment_of(shown, value)),
        None => Unit::Month.add(value, months, data_type),
    };
    sum.ok_or_else(|| out_of(data_type))
}

fn add_numbers(left: &Datum<'_>, right: &Datum<'_>, data_type: &Type, sign: i64) -> PolarsResult<i64> {
    let sum = right.integer().checked_mul(sign).and_then(|right| left.integer().checked_add(right));
    sum.ok_or_else(|| out_of(data_type))
}

/// The difference of two dates, times or timestamps in milliseconds: rounded half up, with a zone half away from zero,
/// as in Trino.
fn difference(left: &Datum<'_>, right: &Datum<'_>, data_type: &Type, _: i64) -> PolarsResult<i64> {
    let (left, right, per_day) = match data_type {
        Type::Time { .. } | Type::TimeWithTimeZone { .. } => (left.integer(), right.integer(), NANOS_PER_DAY),
        // Trino subtracts whole microseconds.
        Type::Timestamp { precision: 7.. } => {
            (left.integer().div_euclid(1000), right.integer().div_euclid(1000), NANOS_PER_DAY / 1000)
        }
        _ => (left.integer(), right.integer(), units_per_day(data_type)),
    };
    let difference = left.checked_sub(right);
    let millis = if *data_type == Type::Date {
        difference.and_then(|days| days.checked_mul(MILLIS_PER_DAY))
    } else {
        let unit = per_day / MILLIS_PER_DAY;
        let is_half_down = difference < Some(0) && matches!(data_type, Type::TimestampWithTimeZone { .. });
        let half = if is_half_down { (unit - 1) / 2 } else { unit / 2 };
        difference.and_then(|units| Some(units.checked_add(half)?.div_euclid(unit)))
    };
    millis.ok_or_else(|| out_of(&Type::IntervalDayToSecond))
}

fn multiply(interval: &Datum<'_>, factor: &Datum<'_>, data_type: &Type, _: i64) -> PolarsResult<i64> {
    if let Datum::Integer(factor) = factor {
        return interval.integer().checked_mul(*factor).ok_or_else(|| out_of(data_type));
    }
    if factor.double().is_nan() {
        return Err(raise(ErrorCode::InvalidFunctionArgument, "Cannot multiply by double NaN"));
    }
    whole(as_double(interval) * factor.double(), data_type)
}

fn divide(interval: &Datum<'_>, divisor: &Datum<'_>, data_type: &Type, _: i64) -> PolarsResult<i64> {
    let divisor = as_double(divisor);
    if divisor.is_nan() || divisor == 0.0 {
        let message = format!("Cannot divide by double {divisor:?}");
        return Err(raise(ErrorCode::InvalidFunctionArgument, message));
    }
    whole(as_double(interval) / divisor, data_type)
}

fn as_double(number: &Datum<'_>) -> f64 {
    match number {
        #[expect(
            clippy::cast_precision_loss,
            reason = "an interval times a double is a double in Trino, too"
        )]
        Datum::Integer(number) => *number as f64,
        other => other.double(),
    }
}

fn whole(scaled: f64, data_type: &Type) -> PolarsResult<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    let within = (scaled.abs() < 9.2e18).then_some(scaled as i64);
    within.ok_or_else(|| out_of(data_type))
}
