//! Formats dates and times by a pattern, as Joda-Time does, with milliseconds.

use polars::prelude::PolarsResult;
use rowhouse_model::ErrorCode;

use super::names::{DAYS, ERAS, HALFDAYS, MONTHS};
use super::pattern::{Field, Item, ZoneForm};
use crate::conversion::time_text::put_number;
use crate::date_time::calendar::{civil_from_days, days_from_civil};
use crate::failure::raise;

pub(super) const MILLIS_PER_DAY: i64 = 86_400_000;

/// Bytes of most formatted times.
const BYTES: usize = 32;

/// A local time and its zone.
pub(super) struct Shown<'z> {
    /// Milliseconds since the epoch, in local time.
    pub(super) local: i64,
    /// Seconds ahead of UTC and the zone's name; `None` for a time without a zone.
    pub(super) zone: Option<(i64, &'z str)>,
}

pub(super) fn print(pattern: &[Item], shown: &Shown<'_>) -> PolarsResult<String> {
    let mut text = String::with_capacity(BYTES);
    for item in pattern {
        match item {
            Item::Literal(literal) => text.push_str(literal),
            Item::Number { field, least, .. } => {
                let (value, least) = (value(*field, shown.local), *least);
                if value < 0 {
                    text.push('-');
                }
                put_number(&mut text, value.unsigned_abs(), least);
            }
            Item::TwoDigitYear { field, .. } => {
                put_number(&mut text, value(*field, shown.local).unsigned_abs() % 100, 2);
            }
            Item::Name { field, is_short } => {
                let name = name(*field, value(*field, shown.local));
                text += if *is_short { name.get(..3).unwrap_or(name) } else { name };
            }
            Item::Fraction { least, most } => {
                let millis = shown.local.rem_euclid(1000);
                let digits: String =
                    format!("{millis:03}").chars().chain(std::iter::repeat('0')).take(*most).collect();
                let kept = digits.trim_end_matches('0').len().max(*least).min(digits.len());
                text += &digits[..kept];
            }
            Item::Zone(form) => text += &zone(*form, shown)?,
        }
    }
    Ok(text)
}

fn zone(form: ZoneForm, shown: &Shown<'_>) -> PolarsResult<String> {
    let (seconds, name) = shown.zone.unwrap_or((0, "UTC"));
    let is_offset = name.starts_with(['+', '-']);
    let offset = |separator: &str| {
        let sign = if seconds < 0 { '-' } else { '+' };
        let minutes = seconds.abs() / 60;
        format!("{sign}{:02}{separator}{:02}", minutes / 60, minutes % 60)
    };
    Ok(match form {
        ZoneForm::Offset => offset(""),
        ZoneForm::OffsetWithColon => offset(":"),
        ZoneForm::Id => name.to_owned(),
        _ if is_offset => name.to_owned(),
        ZoneForm::ShortName if name == "UTC" => name.to_owned(),
        ZoneForm::LongName if name == "UTC" => "Coordinated Universal Time".to_owned(),
        ZoneForm::ShortName | ZoneForm::LongName => {
            let message = format!("names of the time zone '{name}' are not supported: take 'ZZZ' for its id");
            return Err(raise(ErrorCode::NotSupported, message));
        }
    })
}

/// The year of the ISO week that contains a day, and the week's number.
pub(super) fn week_of(days: i64) -> (i64, i64) {
    // The year of an ISO week is that of its Thursday.
    let thursday = days - (days + 3).rem_euclid(7) + 3;
    let (year, _, _) = civil_from_days(thursday);
    (year, (thursday - days_from_civil(year, 1, 1)) / 7 + 1)
}

/// The value of a field of a local time.
pub(super) fn value(field: Field, local: i64) -> i64 {
    let (days, millis) = (local.div_euclid(MILLIS_PER_DAY), local.rem_euclid(MILLIS_PER_DAY));
    let (year, month, day) = civil_from_days(days);
    let year_of_era = if year > 0 { year } else { 1 - year };
    let hour = millis / 3_600_000;
    let from_one = |hour: i64, hours: i64| if hour == 0 { hours } else { hour };
    match field {
        Field::Era => i64::from(year > 0),
        Field::CenturyOfEra => year_of_era / 100,
        Field::Year => year,
        Field::YearOfEra => year_of_era,
        Field::Weekyear => week_of(days).0,
        Field::MonthOfYear => month,
        Field::WeekOfWeekyear => week_of(days).1,
        Field::DayOfYear => days - days_from_civil(year, 1, 1) + 1,
        Field::DayOfMonth => day,
        Field::DayOfWeek => (days + 3).rem_euclid(7) + 1,
        Field::HalfdayOfDay => hour / 12,
        Field::HourOfDay => hour,
        Field::ClockhourOfDay => from_one(hour, 24),
        Field::HourOfHalfday => hour % 12,
        Field::ClockhourOfHalfday => from_one(hour % 12, 12),
        Field::MinuteOfHour => millis / 60_000 % 60,
        Field::SecondOfMinute => millis / 1000 % 60,
        Field::MillisOfSecond => millis % 1000,
    }
}

/// The names of a field's values, and the value of the first name.
pub(super) const fn names(field: Field) -> (&'static [&'static str], i64) {
    match field {
        Field::Era => (&ERAS, 0),
        Field::HalfdayOfDay => (&HALFDAYS, 0),
        Field::MonthOfYear => (&MONTHS, 1),
        Field::DayOfWeek => (&DAYS, 1),
        _ => (&[], 0),
    }
}

fn name(field: Field, value: i64) -> &'static str {
    let (names, first) = names(field);
    usize::try_from(value - first).ok().and_then(|place| names.get(place)).copied().unwrap_or_default()
}
