//! Parts of dates and times, and units that contain them, often used for grouping: kernels over whole columns.

use polars::prelude::arity::{broadcast_binary_elementwise_values, unary_elementwise_values};
use polars::prelude::{
    ChunkApply as _, Column, DataType, Expr as PolarsExpr, Float64Chunked, Int64Chunked, IntoColumn,
    IntoSeries, PolarsResult, Series,
};

use super::date_time::to_unixtime;
use super::invalid;
use crate::data_type::storage;
use crate::date_time::calendar::{
    MILLIS_PER_DAY, NANOS_PER_DAY, civil_from_days, days_from_civil, in_range, units_per_day,
};
use crate::date_time::unit::Unit;
use crate::date_time::wall_clock;
use crate::expression::constant_text;
use crate::numeric::kernel;
use rowhouse_sql::expr::Expr;
use rowhouse_sql::functions::ScalarFunction;
use rowhouse_sql::types::Type;

/// The part as a bigint, if the function is one of these.
pub(super) fn date_part(
    function: ScalarFunction,
    lowered: &[PolarsExpr],
    args: &[Expr],
) -> Option<PolarsExpr> {
    let data_type = &args.first()?.data_type;
    let value = lowered.first()?.clone();
    if data_type.is_interval() {
        return interval_part(function, value.cast(DataType::Int64));
    }
    let local = match data_type {
        Type::TimestampWithTimeZone { precision, zone } => wall_clock(value, *precision, zone.name()),
        _ => value,
    };
    // The unit is known when this is compiled, so that nothing is divided.
    let parts = match data_type {
        Type::Date => parts_of::<1>(function),
        Type::Time { .. } => parts_of::<NANOS_PER_DAY>(function),
        other => match units_per_day(other) {
            86_400_000 => parts_of::<86_400_000>(function),
            86_400_000_000 => parts_of::<86_400_000_000>(function),
            _ => parts_of::<NANOS_PER_DAY>(function),
        },
    }?;
    Some(kernel(local, &[], DataType::Int64, move |columns| with_parts(parts, &columns[0])))
}

/// The parts of dates or times, in the units of their storage.
type Parts = fn(&Int64Chunked) -> Int64Chunked;

fn with_parts(parts: Parts, column: &Column) -> PolarsResult<Column> {
    Ok(parts(moments(column)?.i64()?).into_series().into_column())
}

/// The loop for a function, without what the others need; `None` if it is no part.
fn parts_of<const PER_DAY: i64>(function: ScalarFunction) -> Option<Parts> {
    use ScalarFunction as F;
    macro_rules! each {
        ($($part:ident),*) => {
            match function {
                $(F::$part => |moments| moments.apply_values(|moment| part_of(F::$part, moment, PER_DAY)),)*
                _ => return None,
            }
        };
    }
    Some(each!(
        Year,
        Quarter,
        Month,
        Week,
        Day,
        DayOfWeek,
        DayOfYear,
        YearOfWeek,
        Hour,
        Minute,
        Second,
        Millisecond
    ))
}

/// A part of an instant since the epoch, in `per_day` units a day; 0 for a part that a date does not have.
#[inline(always)]
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

/// The start of a constant unit of a date or a timestamp without a zone.
pub(super) fn date_trunc(
    function: ScalarFunction,
    lowered: &[PolarsExpr],
    args: &[Expr],
) -> Option<PolarsExpr> {
    let (ScalarFunction::DateTrunc, [unit, value], [_, moment]) = (function, args, lowered) else {
        return None;
    };
    if !matches!(value.data_type, Type::Date | Type::Timestamp { .. }) {
        return None;
    }
    let unit = Unit::of(&constant_text(unit).ok()?, &value.data_type).ok()?;
    let data_type = value.data_type.clone();
    let stored = storage(&data_type);
    Some(kernel(moment.clone(), &[], stored.clone(), move |columns| {
        let moments = moments(&columns[0])?;
        let start = |moment: i64| {
            let start = unit.truncate(moment, &data_type).and_then(|start| in_range(start, &data_type));
            start.ok_or_else(|| invalid(format!("the result is out of range for {data_type}")))
        };
        let starts: Int64Chunked = moments.i64()?.try_apply_nonnull_values_generic(start)?;
        let starts = starts.into_series();
        // A date is cast from its days, which have 32 bits.
        let starts = if stored == DataType::Date { starts.cast(&DataType::Int32)? } else { starts };
        Ok(starts.cast(&stored)?.into_column())
    }))
}

/// The whole constant units between two dates or two timestamps without a zone.
pub(super) fn date_diff(
    function: ScalarFunction,
    lowered: &[PolarsExpr],
    args: &[Expr],
) -> Option<PolarsExpr> {
    let (ScalarFunction::DateDiff, [unit, from, to], [_, start, end]) = (function, args, lowered) else {
        return None;
    };
    if !matches!(from.data_type, Type::Date | Type::Timestamp { .. }) || from.data_type != to.data_type {
        return None;
    }
    let unit = Unit::of(&constant_text(unit).ok()?, &from.data_type).ok()?;
    let data_type = from.data_type.clone();
    Some(kernel(start.clone(), std::slice::from_ref(end), DataType::Int64, move |columns| {
        let [start, end] = [moments(&columns[0])?, moments(&columns[1])?];
        let units: Int64Chunked =
            broadcast_binary_elementwise_values(start.i64()?, end.i64()?, |from, to| {
                unit.between(from, to, &data_type)
            });
        Ok(units.into_series().into_column())
    }))
}

/// The seconds since the epoch.
pub(super) fn unixtime(
    function: ScalarFunction,
    lowered: &[PolarsExpr],
    args: &[Expr],
) -> Option<PolarsExpr> {
    let (ScalarFunction::ToUnixtime, [value], [moment]) = (function, args, lowered) else { return None };
    let data_type = value.data_type.clone();
    Some(kernel(moment.clone(), &[], DataType::Float64, move |columns| {
        let units = moments(&columns[0])?;
        let seconds: Float64Chunked =
            unary_elementwise_values(units.i64()?, |units| to_unixtime(units, &data_type));
        Ok(seconds.into_series().into_column())
    }))
}

/// Dates or times as numbers of their units.
fn moments(column: &Column) -> PolarsResult<Series> {
    column.as_materialized_series().to_physical_repr().cast(&DataType::Int64)
}

/// Parts of an interval have its sign, as in Trino.
fn interval_part(function: ScalarFunction, value: PolarsExpr) -> Option<PolarsExpr> {
    use ScalarFunction as F;
    let (divisor, modulus) = match function {
        F::Year => (12, i64::MAX),
        F::Month => (1, 12),
        F::Day => (MILLIS_PER_DAY, i64::MAX),
        F::Hour => (3_600_000, 24),
        F::Minute => (60_000, 60),
        F::Second => (1000, 60),
        F::Millisecond => (1, 1000),
        _ => return None,
    };
    Some(kernel(value, &[], DataType::Int64, move |columns| {
        let values = columns[0].as_materialized_series().i64()?;
        let parts: Int64Chunked = values.apply_values(|value| value / divisor % modulus);
        Ok(parts.into_series().into_column())
    }))
}

#[cfg(test)]
mod tests {
    use polars::prelude::{ChunkAgg as _, DataFrame, Int32Chunked, IntoLazy, TimeUnit, col, lit};

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

    /// Polars' own kernels convert each value to a date of the library's calendar.
    #[test]
    fn parts_equal_those_of_another_calendar() {
        use ScalarFunction as F;
        let days: Int32Chunked =
            (0..40_000).map(|row| (row % 97 != 3).then_some(row * 211 - 3_000_000)).collect();
        let days = days.into_series().cast(&DataType::Date).expect("dates");
        let units = |unit| days.cast(&DataType::Datetime(unit, None)).expect("timestamps");
        let moments = |unit, step: i64| {
            let moments: Int64Chunked =
                (0..40_000).map(|row| (row % 89 != 3).then_some((row - 20_000) * step)).collect();
            moments.into_series().cast(&DataType::Datetime(unit, None)).expect("timestamps")
        };
        let all = [
            (1, days.clone()),
            (86_400_000, units(TimeUnit::Milliseconds)),
            (86_400_000, moments(TimeUnit::Milliseconds, 12_345_678)),
            (86_400_000_000, units(TimeUnit::Microseconds)),
            (86_400_000_000, moments(TimeUnit::Microseconds, 7_123_456_789)),
            (NANOS_PER_DAY, moments(TimeUnit::Nanoseconds, 398_765_432_101)),
        ];
        for (per_day, values) in all {
            let value = || col("x").dt();
            let mut parts = vec![
                (F::Year, value().year()),
                (F::Quarter, value().quarter()),
                (F::Month, value().month()),
                (F::Week, value().week()),
                (F::Day, value().day()),
                (F::DayOfWeek, value().weekday()),
                (F::DayOfYear, value().ordinal_day()),
                (F::YearOfWeek, value().iso_year()),
            ];
            if per_day > 1 {
                let millis = value().nanosecond().cast(DataType::Int64).floor_div(lit(1_000_000_i64));
                parts.extend([
                    (F::Hour, value().hour()),
                    (F::Minute, value().minute()),
                    (F::Second, value().second()),
                    (F::Millisecond, millis),
                ]);
            }
            let column = values.into_column().with_name("x".into());
            let frame = DataFrame::new(column.len(), vec![column.clone()]).expect("a frame");
            for (function, part) in parts {
                let expected =
                    frame.clone().lazy().select([part.cast(DataType::Int64)]).collect().expect("parts");
                let parts = match per_day {
                    1 => parts_of::<1>(function),
                    86_400_000 => parts_of::<86_400_000>(function),
                    86_400_000_000 => parts_of::<86_400_000_000>(function),
                    _ => parts_of::<NANOS_PER_DAY>(function),
                };
                let found = with_parts(parts.expect("a part"), &column).expect("parts");
                assert!(found.equals_missing(&expected.columns()[0]), "{function:?} by {per_day}");
                let limits = found.i64().expect("integers");
                let limits = limits.min().zip(limits.max());
                if let (Some(range), Some(limits)) = (function.range_of_part(), limits) {
                    assert!(range.0 <= limits.0 && limits.1 <= range.1, "{function:?}: {limits:?}");
                }
            }
        }
    }

    #[test]
    fn parts_of_intervals_are_in_their_ranges() {
        use ScalarFunction as F;
        let values: Int64Chunked = (-20_000..20_000).map(|row: i64| Some(row * 12_347)).collect();
        let frame = DataFrame::new(values.len(), vec![values.with_name("x".into()).into_column()]);
        let frame = frame.expect("a frame").lazy();
        for function in [F::Year, F::Month, F::Day, F::Hour, F::Minute, F::Second, F::Millisecond] {
            let part = interval_part(function, col("x")).expect("a part");
            let found = frame.clone().select([part]).collect().expect("parts");
            let found = found.columns()[0].i64().expect("integers");
            if let Some(range) = function.range_of_interval_part() {
                assert_eq!(found.min().zip(found.max()), Some(range), "{function:?}");
            }
        }
    }
}
