//! Functions of dates and times beyond their parts. A zoned timestamp is worked on by its zone's wall clock.

use polars::prelude::PolarsResult;

use super::{RowFunction, invalid};
use crate::conversion::time_text::{
    date_to_text, parse_date, parse_zoned_timestamp, timestamp_to_text, to_local, to_utc, zone,
};
use crate::date_time::calendar::{
    add_months, civil_from_days, days_from_civil, days_in_month, rounded, units_per_day, units_per_second,
};
use crate::datum::{Datum, Nulls};
use crate::numeric::out_of_range;
use rowhouse_sql::functions::ScalarFunction;
use rowhouse_sql::types::Type;

mod format;

use format::{format_mysql, parse_mysql};

pub(super) fn function(
    function: ScalarFunction,
    types: &[Type],
    output: &Type,
) -> Option<(Nulls, RowFunction)> {
    use ScalarFunction as F;
    let first = types.first().cloned().unwrap_or(Type::Unknown);
    let value_type = types.last().cloned().unwrap_or(Type::Unknown);
    let output = output.clone();
    let apply: RowFunction = match function {
        F::DateTrunc => Box::new(move |row| {
            let unit = Unit::parse(row[0].text())?;
            on_wall_clock(row[1].integer(), &value_type, |local| Some(truncate(local, &value_type, unit)))
        }),
        F::DateAdd => Box::new(move |row| {
            let (unit, amount) = (Unit::parse(row[0].text())?, row[1].integer());
            on_wall_clock(row[2].integer(), &value_type, |local| add(local, &value_type, unit, amount))
        }),
        F::DateDiff => Box::new(move |row| {
            let unit = Unit::parse(row[0].text())?;
            let local = |units: i64| match &value_type {
                Type::TimestampWithTimeZone { zone, .. } => to_local(units, &value_type, zone),
                _ => units,
            };
            Ok(Datum::Integer(difference(
                local(row[1].integer()),
                local(row[2].integer()),
                &value_type,
                unit,
            )))
        }),
        F::DateFormat => Box::new(move |row| {
            let local = local_of(row[0].integer(), &first);
            Ok(Datum::from_text(format_mysql(local, &first, row[1].text())?))
        }),
        F::DateParse => {
            Box::new(move |row| Ok(Datum::Integer(parse_mysql(row[0].text(), row[1].text(), &output)?)))
        }
        F::FromUnixtime => Box::new(move |row| {
            #[expect(clippy::cast_precision_loss, reason = "units of a second")]
            let units = row[0].double() * units_per_second(&output) as f64;
            if !units.is_finite() || units.abs() > 9e18 {
                return Err(out_of_range("from_unixtime is out of range"));
            }
            #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
            Ok(Datum::Integer(units.round() as i64))
        }),
        F::ToUnixtime => Box::new(move |row| {
            #[expect(clippy::cast_precision_loss, reason = "seconds as a double, as Trino gives them")]
            Ok(Datum::Double(row[0].integer() as f64 / units_per_second(&first) as f64))
        }),
        F::FromIso8601Date => Box::new(|row| {
            parse_date(row[0].text())
                .map(Datum::Integer)
                .ok_or_else(|| invalid(format!("Invalid format: \"{}\"", row[0].text())))
        }),
        F::FromIso8601Timestamp => Box::new(move |row| {
            parse_zoned_timestamp(row[0].text(), &output)
                .map(Datum::Integer)
                .ok_or_else(|| invalid(format!("Invalid format: \"{}\"", row[0].text())))
        }),
        F::ToIso8601 => Box::new(move |row| Ok(Datum::from_text(to_iso8601(row[0].integer(), &first)))),
        F::LastDayOfMonth => Box::new(move |row| {
            let local = local_of(row[0].integer(), &first);
            let day = if first == Type::Date { local } else { local.div_euclid(units_per_day(&first)) };
            let (year, month, _) = civil_from_days(day);
            Ok(Datum::Integer(days_from_civil(year, month, days_in_month(year, month))))
        }),
        F::AtTimezone => Box::new(|row| {
            checked_zone(row[1].text())?;
            Ok(Datum::Integer(row[0].integer()))
        }),
        F::WithTimezone => Box::new(move |row| {
            checked_zone(row[1].text())?;
            to_utc(row[0].integer(), &first, row[1].text())
                .map(Datum::Integer)
                .ok_or_else(|| out_of_range("the time does not exist in that zone"))
        }),
        _ => return None,
    };
    Some((Nulls::Propagate, apply))
}

fn checked_zone(name: &str) -> PolarsResult<()> {
    zone(name).map(|_| ()).ok_or_else(|| invalid(format!("'{name}' is not a valid time zone")))
}

/// The time on the wall clock.
fn local_of(units: i64, data_type: &Type) -> i64 {
    match data_type {
        Type::TimestampWithTimeZone { zone, .. } => to_local(units, data_type, zone),
        _ => units,
    }
}

fn on_wall_clock(
    units: i64,
    data_type: &Type,
    function: impl Fn(i64) -> Option<i64>,
) -> PolarsResult<Datum<'static>> {
    let result = match data_type {
        Type::TimestampWithTimeZone { zone, .. } => {
            function(to_local(units, data_type, zone)).and_then(|local| to_utc(local, data_type, zone))
        }
        _ => function(units),
    };
    result.map(Datum::Integer).ok_or_else(|| out_of_range("date or time out of range"))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Millisecond,
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

impl Unit {
    fn parse(text: &str) -> PolarsResult<Self> {
        Ok(match text.to_ascii_lowercase().as_str() {
            "millisecond" => Self::Millisecond,
            "second" => Self::Second,
            "minute" => Self::Minute,
            "hour" => Self::Hour,
            "day" => Self::Day,
            "week" => Self::Week,
            "month" => Self::Month,
            "quarter" => Self::Quarter,
            "year" => Self::Year,
            _ => return Err(invalid(format!("'{text}' is not a valid unit of time"))),
        })
    }

    /// Milliseconds of the units of fixed length.
    const fn millis(self) -> Option<i64> {
        Some(match self {
            Self::Millisecond => 1,
            Self::Second => 1000,
            Self::Minute => 60_000,
            Self::Hour => 3_600_000,
            Self::Day => 86_400_000,
            Self::Week => 7 * 86_400_000,
            Self::Month | Self::Quarter | Self::Year => return None,
        })
    }

    const fn months(self) -> i64 {
        match self {
            Self::Quarter => 3,
            Self::Year => 12,
            _ => 1,
        }
    }
}

fn truncate(local: i64, data_type: &Type, unit: Unit) -> i64 {
    let per_day = if *data_type == Type::Date { 1 } else { units_per_day(data_type) };
    let day = local.div_euclid(per_day);
    let (year, month, _) = civil_from_days(day);
    match unit {
        Unit::Day => day * per_day,
        // 1970-01-01 was a Thursday; weeks begin on Monday.
        Unit::Week => (day - (day + 3).rem_euclid(7)) * per_day,
        Unit::Month => days_from_civil(year, month, 1) * per_day,
        Unit::Quarter => days_from_civil(year, (month - 1) / 3 * 3 + 1, 1) * per_day,
        Unit::Year => days_from_civil(year, 1, 1) * per_day,
        shorter => {
            let length = shorter.millis().unwrap_or(1) * per_day / 86_400_000;
            if length == 0 { local } else { local - local.rem_euclid(length) }
        }
    }
}

fn add(local: i64, data_type: &Type, unit: Unit, amount: i64) -> Option<i64> {
    let is_date = *data_type == Type::Date;
    let per_day = if is_date { 1 } else { units_per_day(data_type) };
    let Some(millis) = unit.millis() else {
        let day = add_months(local.div_euclid(per_day), amount.checked_mul(unit.months())?)?;
        return day.checked_mul(per_day)?.checked_add(local.rem_euclid(per_day));
    };
    if is_date {
        return local.checked_add(amount.checked_mul(millis)? / 86_400_000);
    }
    let moved = local.checked_add(amount.checked_mul(millis)?.checked_mul(per_day / 86_400_000)?)?;
    let moved = if matches!(data_type, Type::Time { .. }) { moved.rem_euclid(per_day) } else { moved };
    rounded(moved, data_type)
}

/// Whole units between two values.
fn difference(from: i64, to: i64, data_type: &Type, unit: Unit) -> i64 {
    let per_day = if *data_type == Type::Date { 1 } else { units_per_day(data_type) };
    if let Some(millis) = unit.millis() {
        let distance = to.saturating_sub(from);
        return if *data_type == Type::Date {
            distance.saturating_mul(86_400_000) / millis
        } else {
            distance / (millis.saturating_mul(per_day / 86_400_000))
        };
    }
    let months = |value: i64| {
        let (year, month, day) = civil_from_days(value.div_euclid(per_day));
        (year * 12 + month - 1, day, value.rem_euclid(per_day))
    };
    let ((from_month, from_day, from_rest), (to_month, to_day, to_rest)) = (months(from), months(to));
    let mut whole = to_month - from_month;
    // The last month counts when its day and time are reached.
    let order = (to_day, to_rest).cmp(&(from_day, from_rest));
    if whole > 0 && order.is_lt() {
        whole -= 1;
    } else if whole < 0 && order.is_gt() {
        whole += 1;
    }
    whole / unit.months()
}

fn to_iso8601(units: i64, data_type: &Type) -> String {
    match data_type {
        Type::Date => date_to_text(units),
        Type::Timestamp { precision } => timestamp_to_text(units, data_type, *precision, 'T'),
        Type::TimestampWithTimeZone { precision, zone } => {
            let local = to_local(units, data_type, zone);
            let seconds = (local - units) / units_per_second(data_type);
            let text = timestamp_to_text(local, data_type, *precision, 'T');
            if seconds == 0 {
                return text + "Z";
            }
            let sign = if seconds < 0 { '-' } else { '+' };
            let (hours, minutes) = (seconds.abs() / 3600, seconds.abs() / 60 % 60);
            format!("{text}{sign}{hours:02}:{minutes:02}")
        }
        _ => units.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_difference(unit: Unit, from: &str, to: &str, expected: i64) {
        let day = |text| parse_date(text).expect("a date");
        assert_eq!(difference(day(from), day(to), &Type::Date, unit), expected, "{from} {to}");
    }

    #[test]
    fn a_unit_counts_when_it_is_whole() {
        check_difference(Unit::Month, "2024-01-31", "2024-02-29", 0);
        check_difference(Unit::Month, "2024-01-15", "2024-03-15", 2);
        check_difference(Unit::Month, "2024-03-15", "2024-01-16", -1);
        check_difference(Unit::Year, "2020-02-29", "2024-02-28", 3);
        check_difference(Unit::Day, "2024-02-28", "2024-03-01", 2);
        check_difference(Unit::Week, "2024-01-01", "2024-01-14", 1);
    }

    #[test]
    fn a_week_begins_on_monday() {
        let wednesday = parse_date("2024-02-28").expect("a date");
        assert_eq!(date_to_text(truncate(wednesday, &Type::Date, Unit::Week)), "2024-02-26");
        assert_eq!(date_to_text(truncate(wednesday, &Type::Date, Unit::Quarter)), "2024-01-01");
    }
}
