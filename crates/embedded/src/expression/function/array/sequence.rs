//! `sequence`: equidistant integers, dates and timestamps.

use polars::prelude::{PolarsError, PolarsResult};

use super::super::invalid;
use super::made;
use crate::date_time::calendar::{add_months, units_per_day};
use crate::date_time::unit::Unit;
use crate::datum::Datum;
use rowhouse_sql::types::Type;

const MILLIS_PER_DAY: i64 = 86_400_000;

/// Both ends are included, the last one if a step reaches it. Months are counted from the first element.
pub(super) fn sequence(
    row: &[Datum<'_>],
    data_type: &Type,
    is_month_step: bool,
) -> PolarsResult<Datum<'static>> {
    let (from, to) = (row[0].integer(), row[1].integer());
    let step = match row.get(2) {
        Some(step) if is_month_step => step.integer(),
        Some(step) => own_units(step.integer(), data_type)?,
        None if from <= to => 1,
        None => -1,
    };
    if step == 0 {
        return Err(invalid("step must not be zero"));
    }
    if (from < to && step < 0) || (from > to && step > 0) {
        return Err(invalid(
            "sequence stop value should be greater than or equal to start value if step is greater than zero otherwise stop should be less than or equal to start",
        ));
    }
    let mut elements = Vec::new();
    // Whole months are counted as by `date_diff`, so the last element may exceed the end.
    let months = if is_month_step { Unit::Month.between(from, to, data_type) / step } else { i64::MAX };
    for index in 0..=months {
        let element = if is_month_step {
            let months = step.checked_mul(index);
            months.and_then(|months| moved_by_months(from, months, data_type))
        } else {
            // The distance may need 65 bits.
            i64::try_from(i128::from(from) + i128::from(step) * i128::from(index)).ok()
        };
        let is_within =
            |element: &i64| is_month_step || if step > 0 { *element <= to } else { *element >= to };
        let Some(element) = element.filter(is_within) else { break };
        made(index + 1)?;
        elements.push(Datum::Integer(element));
    }
    Ok(Datum::Array(elements))
}

/// Adds months and retains the time of day.
fn moved_by_months(from: i64, months: i64, data_type: &Type) -> Option<i64> {
    if *data_type == Type::Date {
        return add_months(from, months);
    }
    let per_day = units_per_day(data_type);
    let day = add_months(from.div_euclid(per_day), months)?;
    day.checked_mul(per_day)?.checked_add(from.rem_euclid(per_day))
}

/// The step in the units of a type. An interval is in milliseconds.
fn own_units(step: i64, data_type: &Type) -> PolarsResult<i64> {
    let too_long = || -> PolarsError { invalid("the step is out of range") };
    match data_type {
        Type::Date if step % MILLIS_PER_DAY != 0 => {
            Err(invalid("sequence step must be a day interval if start and end values are dates"))
        }
        Type::Date => Ok(step / MILLIS_PER_DAY),
        Type::Timestamp { .. } => {
            step.checked_mul(units_per_day(data_type) / MILLIS_PER_DAY).ok_or_else(too_long)
        }
        _ => Ok(step),
    }
}
