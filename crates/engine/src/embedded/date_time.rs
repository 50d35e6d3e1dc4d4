//! Arithmetic of dates, times, timestamps and intervals, and the calendar behind it.

use polars::prelude::{DataType, Expr as PolarsExpr, NonExistent, PolarsResult, lit};
use rowhouse_model::QueryError;

use self::calendar::{NANOS_PER_DAY, add_months, days_to_units, units_per_day, units_per_second};
use super::conversion::time_text::{to_local, to_utc};
use super::data_type::storage;
use super::datum::{Argument, Datum, Nulls, row_by_row};
use super::expression::not_supported;
use super::numeric::out_of_range;
use crate::sql::expr::{ArithmeticOperator, Expr};
use crate::sql::types::{Type, offset_minutes};

pub(super) mod calendar;

const MILLIS_PER_DAY: i64 = 86_400_000;

/// The date and time on the wall clock of a zone, of a timestamp with that zone.
pub(super) fn wall_clock(value: PolarsExpr, precision: u8, zone: &str) -> PolarsExpr {
    let Some(minutes) = offset_minutes(zone) else {
        return value.dt().replace_time_zone(None, lit("raise"), NonExistent::Raise);
    };
    let local = Type::Timestamp { precision };
    let shift = i64::from(minutes) * 60 * units_per_second(&local);
    (value.cast(DataType::Int64) + lit(shift)).cast(storage(&local))
}

/// Arithmetic whose result is a date, time, timestamp or interval.
pub(super) fn arithmetic(
    operator: ArithmeticOperator,
    (left_value, left): (PolarsExpr, &Expr),
    (right_value, right): (PolarsExpr, &Expr),
    output: &Type,
) -> Result<PolarsExpr, QueryError> {
    use ArithmeticOperator as O;
    let function: fn(&Datum<'_>, &Datum<'_>, &Type, i64) -> Option<Datum<'static>> =
        match (&left.data_type, operator, &right.data_type) {
            (value, O::Add | O::Subtract, Type::IntervalDayToSecond) if !value.is_interval() => add_millis,
            (value, O::Add | O::Subtract, Type::IntervalYearToMonth) if !value.is_interval() => {
                add_month_interval
            }
            (Type::IntervalDayToSecond | Type::IntervalYearToMonth, O::Add, value)
                if !value.is_interval() && !value.is_numeric() =>
            {
                // interval + date is date + interval.
                return arithmetic(operator, (right_value, right), (left_value, left), output);
            }
            (a, O::Add | O::Subtract, b) if a.is_interval() && a == b => add_numbers,
            (a, O::Subtract, b) if a == b => difference,
            (a, O::Multiply, b) if a.is_interval() && b.is_numeric() => multiply,
            (a, O::Multiply, b) if a.is_numeric() && b.is_interval() => {
                return arithmetic(operator, (right_value, right), (left_value, left), output);
            }
            (a, O::Divide, b) if a.is_interval() && b.is_numeric() => divide,
            _ => return Err(not_supported("this arithmetic of dates and times", left.location)),
        };
    let sign = if operator == O::Subtract { -1 } else { 1 };
    let value_type = left.data_type.clone();
    let numeric = |value: PolarsExpr, data_type: &Type| {
        if data_type.is_numeric() {
            Argument { value: value.cast(DataType::Float64), data_type: Type::Double }
        } else {
            Argument { value, data_type: data_type.clone() }
        }
    };
    let arguments = vec![numeric(left_value, &left.data_type), numeric(right_value, &right.data_type)];
    Ok(row_by_row(arguments, output.clone(), Nulls::Propagate, move |row| {
        function(&row[0], &row[1], &value_type, sign)
            .ok_or_else(|| out_of_range("date, time or interval out of range"))
    }))
}

/// A date or timestamp and so many times (1 or -1) an interval; none where the sum is out of range.
pub(super) fn shifted(
    value: &Datum<'_>,
    data_type: &Type,
    interval: &Datum<'_>,
    interval_type: &Type,
    sign: i64,
) -> Option<Datum<'static>> {
    match interval_type {
        Type::IntervalYearToMonth => add_month_interval(value, interval, data_type, sign),
        _ => add_millis(value, interval, data_type, sign),
    }
}

fn add_millis(
    value: &Datum<'_>,
    interval: &Datum<'_>,
    data_type: &Type,
    sign: i64,
) -> Option<Datum<'static>> {
    let millis = interval.integer().checked_mul(sign)?;
    let value = value.integer();
    Some(Datum::Integer(match data_type {
        // A date takes whole days only; the analyzer lets nothing else through that would be an error in Trino.
        Type::Date => value.checked_add(millis.div_euclid(MILLIS_PER_DAY))?,
        Type::Time { .. } => (value + (millis % MILLIS_PER_DAY) * 1_000_000).rem_euclid(NANOS_PER_DAY),
        other => value.checked_add(millis.checked_mul(units_per_day(other) / MILLIS_PER_DAY)?)?,
    }))
}

fn add_month_interval(
    value: &Datum<'_>,
    interval: &Datum<'_>,
    data_type: &Type,
    sign: i64,
) -> Option<Datum<'static>> {
    let months = interval.integer().checked_mul(sign)?;
    if *data_type == Type::Date {
        return Some(Datum::Integer(add_months(value.integer(), months)?));
    }
    let per_day = units_per_day(data_type);
    let moved = |local: i64| {
        let day = add_months(local.div_euclid(per_day), months)?;
        days_to_units(day, per_day)?.checked_add(local.rem_euclid(per_day))
    };
    Some(Datum::Integer(match data_type {
        // Months are those of the wall clock.
        Type::TimestampWithTimeZone { zone, .. } => {
            to_utc(moved(to_local(value.integer(), data_type, zone))?, data_type, zone)?
        }
        _ => moved(value.integer())?,
    }))
}

fn add_numbers(left: &Datum<'_>, right: &Datum<'_>, _: &Type, sign: i64) -> Option<Datum<'static>> {
    Some(Datum::Integer(left.integer().checked_add(right.integer().checked_mul(sign)?)?))
}

/// Of two dates, times or timestamps, in milliseconds: rounded half up, with a zone half away from zero, as Trino does.
fn difference(left: &Datum<'_>, right: &Datum<'_>, data_type: &Type, _: i64) -> Option<Datum<'static>> {
    let (left, right, per_day) = match data_type {
        Type::Time { .. } => (left.integer(), right.integer(), NANOS_PER_DAY),
        // Trino looks at whole microseconds only.
        Type::Timestamp { precision: 7.. } => {
            (left.integer().div_euclid(1000), right.integer().div_euclid(1000), NANOS_PER_DAY / 1000)
        }
        _ => (left.integer(), right.integer(), units_per_day(data_type)),
    };
    let difference = left.checked_sub(right)?;
    Some(Datum::Integer(if *data_type == Type::Date {
        difference.checked_mul(MILLIS_PER_DAY)?
    } else {
        let unit = per_day / MILLIS_PER_DAY;
        let is_half_down = difference < 0 && matches!(data_type, Type::TimestampWithTimeZone { .. });
        let half = if is_half_down { (unit - 1) / 2 } else { unit / 2 };
        difference.checked_add(half)?.div_euclid(unit)
    }))
}

fn multiply(interval: &Datum<'_>, factor: &Datum<'_>, _: &Type, _: i64) -> Option<Datum<'static>> {
    scale(interval.integer(), factor.double())
}

fn divide(interval: &Datum<'_>, divisor: &Datum<'_>, _: &Type, _: i64) -> Option<Datum<'static>> {
    scale(interval.integer(), 1.0 / divisor.double())
}

fn scale(interval: i64, factor: f64) -> Option<Datum<'static>> {
    #[expect(clippy::cast_precision_loss, reason = "an interval times a double is a double in Trino, too")]
    let scaled = interval as f64 * factor;
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    let within = (scaled.abs() < 9.2e18).then_some(scaled as i64);
    within.map(Datum::Integer)
}

/// `%` of floating-point numbers: the sign is the dividend's, NaN for a divisor of zero.
pub(super) fn float_remainder(left: PolarsExpr, right: PolarsExpr, data_type: &Type) -> PolarsExpr {
    let argument = |value| Argument { value, data_type: data_type.clone() };
    let remainder = |row: &[Datum<'_>]| -> PolarsResult<Datum<'static>> {
        Ok(Datum::Double(row[0].double() % row[1].double()))
    };
    row_by_row(vec![argument(left), argument(right)], data_type.clone(), Nulls::Propagate, remainder)
        .cast(storage(data_type))
}
