//! Functions of dates and times other than their parts. They process a zoned timestamp as local time in its zone.

use std::cell::RefCell;

use polars::prelude::PolarsResult;
use rowhouse_model::ErrorCode;

use super::{RowFunction, invalid};
use crate::conversion::time_text::{date_to_text, timestamp_to_text, to_local};
use crate::date_time::calendar::{
    civil_from_days, days_from_civil, days_in_month, in_range, units_per_day, units_per_second,
};
use crate::date_time::clock::Clock;
use crate::date_time::unit::Unit;
use crate::date_time::zone::zone;
use crate::datum::{Datum, Nulls};
use crate::failure::raise;
use crate::numeric::{out_of_range, power_of_ten, rounded_division};
use rowhouse_sql::date_time_text::parse_date;
use rowhouse_sql::functions::ScalarFunction;
use rowhouse_sql::types::{Type, UTC};

mod iso8601;
pub(super) mod names;
mod pattern;
mod print;
mod read;
mod row_zone;

use iso8601::{parse_iso_date, parse_iso_nanos, parse_iso_timestamp};
use pattern::Patterns;
use print::{Shown, print};
use read::read;

#[expect(clippy::too_many_lines, reason = "an arm a function")]
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
        F::DateTrunc => {
            let clock = Clock::of(&value_type);
            Box::new(move |row| {
                let unit = unit(&row[0], &value_type)?;
                let start = |local| unit.truncate(local, &value_type);
                on_clock(clock.as_ref(), unit, row[1].integer(), &value_type, start)
            })
        }
        F::DateAdd => {
            let clock = Clock::of(&value_type);
            Box::new(move |row| {
                let unit = unit(&row[0], &value_type)?;
                let amount = amount(&row[1], &value_type)?;
                let sum = |local| unit.add(local, amount, &value_type);
                on_clock(clock.as_ref(), unit, row[2].integer(), &value_type, sum)
            })
        }
        F::DateDiff => {
            let clock = Clock::of(&value_type);
            Box::new(move |row| {
                let unit = unit(&row[0], &value_type)?;
                Ok(Datum::Integer(between(
                    clock.as_ref(),
                    unit,
                    row[1].integer(),
                    row[2].integer(),
                    &value_type,
                )))
            })
        }
        F::DateFormat => printing(pattern::mysql, first),
        F::FormatDatetime => printing(pattern::joda, first),
        F::ToChar => printing(pattern::teradata, first),
        F::DateParse => {
            let by_pattern = reading(pattern::mysql, output.clone());
            Box::new(move |row| match row[1].text() {
                // The only format in which Trino accepts years of more than four digits.
                "%Y-%m-%d" => parse_plain_date(row[0].text(), &output).map(Datum::Integer),
                _ => by_pattern(row),
            })
        }
        F::ParseDatetime => reading(pattern::joda, output),
        F::ToDate | F::ToTimestamp => reading(pattern::teradata, output),
        F::FromUnixtime => Box::new(move |row| {
            match row {
                [_, zone] if checked_zone(zone.text()).is_err() => {
                    let what = format!("Time zone not supported: {}", zone.text());
                    return Err(raise(ErrorCode::NotSupported, what));
                }
                [_, hours, minutes] => checked_offset(hours.integer(), minutes.integer())?,
                _ => {}
            }
            #[expect(clippy::cast_precision_loss, reason = "units of a second")]
            let units = row[0].double() * units_per_second(&output) as f64;
            // NaN becomes 0, as in Java.
            #[expect(clippy::cast_possible_truncation, reason = "what is cut is out of range")]
            let units = (units + 0.5).floor() as i64;
            let shown = row[0].double();
            in_range(units, &output)
                .map(Datum::Integer)
                .ok_or_else(|| invalid(format!("from_unixtime of {shown} is out of range")))
        }),
        F::FromUnixtimeNanos => Box::new(move |row| {
            let nanos = match (&row[0], &first) {
                (Datum::Decimal(nanos), Type::Decimal { scale, .. }) => {
                    rounded_division(*nanos, power_of_ten(*scale)).and_then(|nanos| i64::try_from(nanos).ok())
                }
                (nanos, _) => Some(nanos.integer()),
            };
            nanos.map(Datum::Integer).ok_or_else(|| out_of_range("from_unixtime_nanos is out of range"))
        }),
        F::FromIso8601TimestampNanos => Box::new(move |row| {
            let parsed = parse_iso_nanos(row[0].text(), &output);
            parsed
                .map(Datum::Integer)
                .ok_or_else(|| invalid(format!("Text '{}' could not be parsed", row[0].text())))
        }),
        F::Timezone => Box::new(move |_| {
            Ok(Datum::from_text(match &first {
                Type::TimestampWithTimeZone { zone, .. } => zone.name(),
                _ => "UTC",
            }))
        }),
        F::ToMilliseconds => Box::new(|row| Ok(Datum::Integer(row[0].integer()))),
        F::ToUnixtime => Box::new(move |row| Ok(Datum::Double(to_unixtime(row[0].integer(), &first)))),
        F::FromIso8601Date => Box::new(move |row| {
            let days = parse_iso_date(row[0].text());
            let days = days.and_then(|days| in_range(days, &output));
            days.map(Datum::Integer).ok_or_else(|| invalid_format(row[0].text()))
        }),
        F::FromIso8601Timestamp => Box::new(move |row| {
            let millis = parse_iso_timestamp(row[0].text(), &output);
            let moment = millis.and_then(|millis| in_range(millis, &output));
            moment.map(Datum::Integer).ok_or_else(|| invalid_format(row[0].text()))
        }),
        F::ToIso8601 => Box::new(move |row| to_iso8601(row[0].integer(), &first).map(Datum::from_text)),
        F::LastDayOfMonth => Box::new(move |row| {
            let local = local_of(row[0].integer(), &first);
            let day = if first == Type::Date { local } else { local.div_euclid(units_per_day(&first)) };
            let (year, month, _) = civil_from_days(day);
            Ok(Datum::Integer(days_from_civil(year, month, days_in_month(year, month))))
        }),
        F::TimezoneHour | F::TimezoneMinute => {
            let clock = Clock::of(&first);
            Box::new(move |row| {
                let offset = clock.as_ref().map_or(0, |clock| clock.offset(row[0].integer()));
                let minutes = offset / (60 * units_per_second(&first));
                Ok(Datum::Integer(if function == F::TimezoneHour { minutes / 60 } else { minutes % 60 }))
            })
        }
        F::AtTimezone => Box::new(|row| {
            checked_zone(row[1].text())?;
            Ok(Datum::Integer(row[0].integer()))
        }),
        F::InRowZone => row_zone::function(first, types.len(), output),
        F::WithTimezone => Box::new(move |row| {
            let (local, name) = (row[0].integer(), row[1].text());
            let clock = Clock::new(name, &first).ok_or_else(|| unknown_zone(name))?;
            let moment = clock.moment_of(local, local).and_then(|moment| in_range(moment, &output));
            moment
                .map(Datum::Integer)
                .ok_or_else(|| invalid("the timestamp is out of range for that time zone"))
        }),
        _ => return None,
    };
    Some((Nulls::Propagate, apply))
}

/// Formats times by patterns in a notation.
fn printing(compile: fn(&str) -> PolarsResult<pattern::Pattern>, data_type: Type) -> RowFunction {
    let (patterns, clock) = (Patterns::new(compile), Clock::of(&data_type));
    Box::new(move |row| {
        let pattern = patterns.get(row[1].text())?;
        let per_second = units_per_second(&data_type);
        let out_of_range = || out_of_range("the time is out of range");
        // A moment is rounded before its local time is taken.
        let units =
            in_millis(row[0].integer(), &data_type).and_then(|millis| millis.checked_mul(per_second / 1000));
        let units = units.ok_or_else(out_of_range)?;
        let zone = match (&clock, &data_type) {
            (Some(clock), Type::TimestampWithTimeZone { zone, .. }) => {
                Some((clock.offset(units), zone.name()))
            }
            _ if pattern.iter().any(|item| matches!(item, pattern::Item::Zone(_))) => {
                return Err(invalid(
                    "format_datetime for TIMESTAMP type, cannot use 'Z' nor 'z' in format, as this type does not contain TZ information",
                ));
            }
            _ => None,
        };
        let shown = units.checked_add(zone.map_or(0, |(offset, _)| offset));
        let local = shown.and_then(|shown| in_millis(shown, &data_type));
        let local = local.ok_or_else(out_of_range)?;
        let zone = zone.map(|(offset, name)| (offset / per_second, name));
        print(&pattern, &Shown { local, zone }).map(Datum::from_text)
    })
}

/// Milliseconds, rounded half up.
fn in_millis(units: i64, data_type: &Type) -> Option<i64> {
    let per_milli = units_per_second(data_type) / 1000;
    Some(units.checked_add(per_milli / 2)?.div_euclid(per_milli))
}

/// Parses times by patterns in a notation, as a date or in a timestamp's units.
fn reading(compile: fn(&str) -> PolarsResult<pattern::Pattern>, output: Type) -> RowFunction {
    let patterns = Patterns::new(compile);
    Box::new(move |row| {
        let millis = read(&patterns.get(row[1].text())?, row[0].text(), zone_of(&output))?;
        let value = match output {
            Type::Date => Some(millis.div_euclid(print::MILLIS_PER_DAY)),
            _ => millis.checked_mul(units_per_second(&output) / 1000),
        };
        let value = value.and_then(|value| in_range(value, &output));
        value.map(Datum::Integer).ok_or_else(|| out_of_range("the time is out of range"))
    })
}

/// The zone of a zoned type; UTC for other types.
fn zone_of(data_type: &Type) -> &str {
    match data_type {
        Type::TimestampWithTimeZone { zone, .. } => zone.name(),
        _ => UTC,
    }
}

/// Parses `%Y-%m-%d` of `date_parse`: the midnight of a date without spaces.
fn parse_plain_date(text: &str, output: &Type) -> PolarsResult<i64> {
    let days = parse_date(text).filter(|_| !text.contains(char::is_whitespace));
    let midnight = days.and_then(|days| i64::from(days).checked_mul(units_per_day(output)));
    let midnight = midnight.and_then(|midnight| in_range(midnight, output));
    midnight.ok_or_else(|| invalid_format(text))
}

/// Fails for an offset of more than 14 hours.
fn checked_offset(hours: i64, minutes: i64) -> PolarsResult<()> {
    let offset = hours.checked_mul(60).and_then(|hours| hours.checked_add(minutes));
    match offset {
        Some(-840..=840) => Ok(()),
        _ => Err(invalid(format!(
            "Invalid offset minutes {}",
            hours.saturating_mul(60).saturating_add(minutes)
        ))),
    }
}

fn invalid_format(text: &str) -> polars::prelude::PolarsError {
    invalid(format!("Invalid format: \"{text}\""))
}

fn checked_zone(name: &str) -> PolarsResult<()> {
    thread_local! {
        /// The last name that was found: in most statements all rows have the same.
        static KNOWN: RefCell<Option<String>> = const { RefCell::new(None) };
    }
    KNOWN.with_borrow_mut(|known| {
        if known.as_deref() != Some(name) {
            zone(name).ok_or_else(|| unknown_zone(name))?;
            *known = Some(name.to_owned());
        }
        Ok(())
    })
}

fn unknown_zone(name: &str) -> polars::prelude::PolarsError {
    invalid(format!("'{name}' is not a valid time zone"))
}

fn unit(name: &Datum<'_>, data_type: &Type) -> PolarsResult<Unit> {
    Unit::of(name.text(), data_type).map_err(invalid)
}

/// The amount of `date_add`. Trino's have 32 bits, except for times of day.
fn amount(amount: &Datum<'_>, data_type: &Type) -> PolarsResult<i64> {
    let amount = amount.integer();
    if i32::try_from(amount).is_err() && !matches!(data_type, Type::Time { .. }) {
        return Err(invalid(format!("date_add: {amount} is out of range for integer")));
    }
    Ok(amount)
}

/// The local time.
fn local_of(units: i64, data_type: &Type) -> i64 {
    match data_type {
        Type::TimestampWithTimeZone { zone, .. } => to_local(units, data_type, zone.name()),
        _ => units,
    }
}

/// Applies a function of local times to an instant. For units of a fixed length, local time has the offset at the
/// instant; for days and longer units, the offset at the result.
fn on_clock(
    clock: Option<&Clock>,
    unit: Unit,
    moment: i64,
    data_type: &Type,
    function: impl Fn(i64) -> Option<i64>,
) -> PolarsResult<Datum<'static>> {
    let result = match clock {
        Some(clock) if unit.is_of_a_clock() => {
            let offset = clock.offset(moment);
            moment.checked_add(offset).and_then(function).and_then(|local| local.checked_sub(offset))
        }
        Some(clock) => function(clock.shown_at(moment)).and_then(|shown| clock.moment_of(shown, moment)),
        None => function(moment),
    };
    result
        .and_then(|result| in_range(result, data_type))
        .map(Datum::Integer)
        .ok_or_else(|| invalid(format!("the result is out of range for {data_type}")))
}

/// The whole units between two moments, on a clock. Trino counts days and more of values with more than three digits of a
/// second in UTC.
fn between(clock: Option<&Clock>, unit: Unit, from: i64, to: i64, data_type: &Type) -> i64 {
    let is_long = matches!(data_type, Type::TimestampWithTimeZone { precision: 4.., .. });
    let local = |moment: i64| match clock {
        Some(clock) if !unit.is_of_a_clock() && !is_long => clock.shown_at(moment),
        _ => moment,
    };
    unit.between(local(from), local(to), data_type)
}

/// Seconds since the epoch. Trino adds the seconds of whole milliseconds and the seconds of the rest.
pub(super) fn to_unixtime(units: i64, data_type: &Type) -> f64 {
    let per_second = units_per_second(data_type);
    #[expect(clippy::cast_precision_loss, reason = "seconds as a double, as Trino gives them")]
    let seconds = |units: i64, per_second: i64| units as f64 / per_second as f64;
    match per_second {
        1_000_000 => seconds(units.div_euclid(1000), 1000) + seconds(units.rem_euclid(1000), 1_000_000),
        1_000_000_000 => {
            seconds(units.div_euclid(1_000_000), 1000) + seconds(units.rem_euclid(1_000_000), 1_000_000_000)
        }
        _ => seconds(units, per_second),
    }
}

fn to_iso8601(units: i64, data_type: &Type) -> PolarsResult<String> {
    Ok(match data_type {
        Type::Date => date_to_text(units).trim_start_matches('+').to_owned(),
        Type::Timestamp { precision } => timestamp_to_text(units, data_type, *precision, 'T'),
        Type::TimestampWithTimeZone { precision, zone } => {
            let local = to_local(units, data_type, zone.name());
            let seconds = (local - units) / units_per_second(data_type);
            let text = timestamp_to_text(local, data_type, *precision, 'T');
            if seconds == 0 {
                return Ok(text + "Z");
            }
            let sign = if seconds < 0 { '-' } else { '+' };
            let (hours, minutes, rest) = (seconds.abs() / 3600, seconds.abs() / 60 % 60, seconds.abs() % 60);
            if rest != 0 {
                let offset = format!("{sign}{hours:02}:{minutes:02}:{rest:02}");
                let message = "Timezone with non-zero seconds offset cannot be rendered as ISO8601";
                return Err(raise(ErrorCode::InvalidArguments, format!("{message}: {offset}")));
            }
            format!("{text}{sign}{hours:02}:{minutes:02}")
        }
        _ => units.to_string(),
    })
}
