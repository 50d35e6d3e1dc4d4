//! Parts of dates and times, often used for grouping: computed by Polars' own kernels.

use polars::prelude::{DataType, Expr as PolarsExpr, lit};

use crate::date_time::calendar::{civil_from_days, days_from_civil, units_per_day};
use crate::date_time::wall_clock;
use rowhouse_sql::expr::Expr;
use rowhouse_sql::functions::ScalarFunction;
use rowhouse_sql::types::Type;

/// The part as a bigint, if the function is one of these.
pub(super) fn date_part(
    function: ScalarFunction,
    lowered: &[PolarsExpr],
    args: &[Expr],
) -> Option<PolarsExpr> {
    use ScalarFunction as F;
    let data_type = &args.first()?.data_type;
    let value = lowered.first()?.clone();
    if data_type.is_interval() {
        return interval_part(function, value.cast(DataType::Int64));
    }
    let local = match data_type {
        Type::TimestampWithTimeZone { precision, zone } => wall_clock(value, *precision, zone),
        _ => value,
    };
    let moment = local.clone();
    let part = match function {
        F::Year => local.dt().year(),
        F::Quarter => local.dt().quarter(),
        F::Month => local.dt().month(),
        F::Week => local.dt().week(),
        F::Day => local.dt().day(),
        F::DayOfWeek => local.dt().weekday(),
        F::DayOfYear => local.dt().ordinal_day(),
        F::YearOfWeek => local.dt().iso_year(),
        F::Hour => local.dt().hour(),
        F::Minute => local.dt().minute(),
        F::Second => local.dt().second(),
        F::Millisecond => local.dt().nanosecond().cast(DataType::Int64).floor_div(lit(1_000_000i64)),
        _ => return None,
    };
    let part = part.cast(DataType::Int64);
    let per_day = match data_type {
        Type::Date => 1,
        // A time of day has no year, and nanoseconds are within the calendar.
        Type::Time { .. } => return Some(part),
        other => units_per_day(other),
    };
    Some(beyond_the_calendar(function, moment, per_day, part))
}

/// Parts of dates in years that the library's calendar does not have (beyond some 262,000); the library makes them
/// NULL.
fn beyond_the_calendar(
    function: ScalarFunction,
    moment: PolarsExpr,
    per_day: i64,
    part: PolarsExpr,
) -> PolarsExpr {
    crate::numeric::kernel(moment, &[part], DataType::Int64, move |columns| {
        if columns[0].null_count() == columns[1].null_count() {
            return Ok(columns[1].clone());
        }
        let moments = columns[0].as_materialized_series().to_physical_repr().cast(&DataType::Int64)?;
        let parts = columns[1].as_materialized_series().i64()?;
        let parts = moments.i64()?.iter().zip(parts.iter());
        let own = |moment: i64| part_of(function, moment, per_day);
        let parts = parts.map(|(moment, part)| part.or_else(|| moment.map(own)));
        let parts: polars::prelude::Int64Chunked = parts.collect();
        let parts = parts.with_name(columns[0].name().clone());
        Ok(polars::prelude::IntoColumn::into_column(polars::prelude::IntoSeries::into_series(parts)))
    })
}

/// A part of an instant since the epoch, in `per_day` units a day; 0 for a part that a date does not have.
fn part_of(function: ScalarFunction, moment: i64, per_day: i64) -> i64 {
    use ScalarFunction as F;
    let (days, in_day) = (moment.div_euclid(per_day), moment.rem_euclid(per_day));
    let (year, month, day) = civil_from_days(days);
    let weekday = (days + 3).rem_euclid(7) + 1;
    // The ISO week is that of its Thursday.
    let thursday = days + 4 - weekday;
    let (year_of_week, ..) = civil_from_days(thursday);
    match function {
        F::Year => year,
        F::Quarter => (month + 2) / 3,
        F::Month => month,
        F::Week => (thursday - days_from_civil(year_of_week, 1, 1)) / 7 + 1,
        F::Day => day,
        F::DayOfWeek => weekday,
        F::DayOfYear => days - days_from_civil(year, 1, 1) + 1,
        F::YearOfWeek => year_of_week,
        F::Hour => in_day / (per_day / 24).max(1),
        F::Minute => in_day / (per_day / 1440).max(1) % 60,
        F::Second => in_day / (per_day / 86_400).max(1) % 60,
        F::Millisecond => in_day / (per_day / 86_400_000).max(1) % 1000,
        _ => 0,
    }
}

/// Parts of an interval have its sign, as in Trino.
fn interval_part(function: ScalarFunction, value: PolarsExpr) -> Option<PolarsExpr> {
    use ScalarFunction as F;
    let (divisor, modulus) = match function {
        F::Year => (12, i64::MAX),
        F::Month => (1, 12),
        F::Day => (86_400_000, i64::MAX),
        F::Hour => (3_600_000, 24),
        F::Minute => (60_000, 60),
        F::Second => (1000, 60),
        F::Millisecond => (1, 1000),
        _ => return None,
    };
    Some(crate::numeric::kernel(value, &[], DataType::Int64, move |columns| {
        let values = columns[0].as_materialized_series().i64()?;
        let parts: polars::prelude::Int64Chunked =
            polars::prelude::ChunkApply::apply_values(values, |value| value / divisor % modulus);
        Ok(polars::prelude::IntoColumn::into_column(polars::prelude::IntoSeries::into_series(parts)))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn date_parts_match_the_iso_calendar() {
        // 2020-12-31, a Thursday, and 2021-01-03, the Sunday after it.
        for (days, expected) in
            [(18_627, [2020, 4, 12, 53, 31, 4, 366, 2020]), (18_630, [2021, 1, 1, 53, 3, 7, 3, 2020])]
        {
            use ScalarFunction as F;
            let functions =
                [F::Year, F::Quarter, F::Month, F::Week, F::Day, F::DayOfWeek, F::DayOfYear, F::YearOfWeek];
            assert_eq!(functions.map(|function| part_of(function, days, 1)), expected);
        }
    }
}
