//! Dates and times in `format`: the conversions of `%t`, and Java's text of a whole value.

use super::{Refusal, unfit};
use crate::conversion::time_text::date_to_text;
use crate::date_time::calendar::{civil_from_days, days_from_civil, units_per_second};
use crate::date_time::clock::Clock;
use crate::datum::Datum;
use crate::expression::function::date_time::names::{DAYS, MONTHS};
use rowhouse_sql::types::Type;

const NANOS_PER_SECOND: i64 = 1_000_000_000;

/// The parts of a date or time; a part that its type does not have is `None`.
struct Moment<'t> {
    days: Option<i64>,
    nanos: Option<i64>,
    /// Seconds ahead of UTC, and the zone's name.
    zone: Option<(i64, &'t str)>,
    /// Milliseconds since the epoch.
    millis: Option<i64>,
}

impl<'t> Moment<'t> {
    fn of(units: i64, data_type: &'t Type) -> Option<Self> {
        let empty = Self { days: None, nanos: None, zone: None, millis: None };
        let on_clock = |local: i64, per_second: i64| {
            let per_day = 86_400 * per_second;
            let nanos = local.rem_euclid(per_day) * (NANOS_PER_SECOND / per_second);
            (Some(local.div_euclid(per_day)), Some(nanos))
        };
        let per_second = units_per_second(data_type);
        Some(match data_type {
            Type::Date => Self { days: Some(units), ..empty },
            Type::Time { .. } => Self { nanos: Some(units), ..empty },
            Type::Timestamp { .. } => {
                let (days, nanos) = on_clock(units, per_second);
                Self { days, nanos, ..empty }
            }
            Type::TimestampWithTimeZone { zone, .. } => {
                let offset = Clock::of(data_type)?.offset(units);
                let (days, nanos) = on_clock(units.checked_add(offset)?, per_second);
                let millis = Some(units.div_euclid(per_second / 1000));
                Self { days, nanos, zone: Some((offset / per_second, zone.name())), millis }
            }
            // Milliseconds since the epoch.
            integer if integer.is_integer() => {
                let (days, nanos) = on_clock(units, 1000);
                Self { days, nanos, zone: Some((0, "UTC")), millis: Some(units) }
            }
            _ => return None,
        })
    }
}

/// The text of the part that a letter denotes.
pub(super) fn part(letter: char, value: &Datum<'_>, data_type: &Type) -> Result<String, Refusal> {
    let lacking = || unfit(letter, data_type);
    let Datum::Integer(units) = value else { return Err(lacking()) };
    let moment = Moment::of(*units, data_type).ok_or_else(lacking)?;
    let written = of_day(letter, &moment).or_else(|| of_clock(letter, &moment));
    if let Some(written) = written {
        return Ok(written);
    }
    let several = |letters: &[(char, &str)]| -> Result<String, Refusal> {
        let mut text = String::new();
        for (letter, behind) in letters {
            text += &part(*letter, value, data_type)?;
            text += behind;
        }
        Ok(text)
    };
    match letter {
        'Z' => match moment.zone {
            Some((_, "UTC")) => Ok("UTC".to_owned()),
            Some((_, zone)) if zone.starts_with(['+', '-']) => Ok(zone.to_owned()),
            Some(_) => Err(Refusal::NotSupported("the short name of a time zone is not supported")),
            None => Err(lacking()),
        },
        'z' => moment.zone.map(|(seconds, _)| offset(seconds, "")).ok_or_else(lacking),
        's' => moment.millis.map(|millis| millis.div_euclid(1000).to_string()).ok_or_else(lacking),
        'Q' => moment.millis.map(|millis| millis.to_string()).ok_or_else(lacking),
        'R' => several(&[('H', ":"), ('M', "")]),
        'T' => several(&[('H', ":"), ('M', ":"), ('S', "")]),
        'r' => Ok(several(&[('I', ":"), ('M', ":"), ('S', " "), ('p', "")])?.to_uppercase()),
        'D' => several(&[('m', "/"), ('d', "/"), ('y', "")]),
        'F' => several(&[('Y', "-"), ('m', "-"), ('d', "")]),
        'c' => several(&[('a', " "), ('b', " "), ('d', " "), ('T', " "), ('Z', " "), ('Y', "")]),
        _ if "HIklMSLNpBbhAaCYyjmde".contains(letter) => Err(lacking()),
        _ => Err(Refusal::Invalid(format!("UnknownFormatConversion: Conversion = 't{letter}'"))),
    }
}

fn of_day(letter: char, moment: &Moment<'_>) -> Option<String> {
    let days = moment.days?;
    let (year, month, day) = civil_from_days(days);
    // Years before year 1 are counted from 1 backwards.
    let year_of_era = if year > 0 { year } else { 1 - year };
    let month_name = MONTHS[usize::try_from(month - 1).unwrap_or(0)];
    let day_name = DAYS[usize::try_from((days + 3).rem_euclid(7)).unwrap_or(0)];
    Some(match letter {
        'B' => month_name.to_owned(),
        'b' | 'h' => month_name[..3].to_owned(),
        'A' => day_name.to_owned(),
        'a' => day_name[..3].to_owned(),
        'C' => format!("{:02}", year_of_era / 100),
        'Y' => format!("{year_of_era:04}"),
        'y' => format!("{:02}", year_of_era % 100),
        'j' => format!("{:03}", days - days_from_civil(year, 1, 1) + 1),
        'm' => format!("{month:02}"),
        'd' => format!("{day:02}"),
        'e' => day.to_string(),
        _ => return None,
    })
}

fn of_clock(letter: char, moment: &Moment<'_>) -> Option<String> {
    let nanos = moment.nanos?;
    let seconds = nanos / NANOS_PER_SECOND;
    let fraction = nanos % NANOS_PER_SECOND;
    let hour = seconds / 3600;
    let hour_of_12 = if hour % 12 == 0 { 12 } else { hour % 12 };
    Some(match letter {
        'H' => format!("{hour:02}"),
        'I' => format!("{hour_of_12:02}"),
        'k' => hour.to_string(),
        'l' => hour_of_12.to_string(),
        'M' => format!("{:02}", seconds / 60 % 60),
        'S' => format!("{:02}", seconds % 60),
        'L' => format!("{:03}", fraction / 1_000_000),
        'N' => format!("{fraction:09}"),
        'p' => if hour < 12 { "am" } else { "pm" }.to_owned(),
        _ => return None,
    })
}

/// Formats an offset as `+HH:MM`, with `separator` instead of the colon.
fn offset(seconds: i64, separator: &str) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let minutes = seconds.abs() / 60;
    format!("{sign}{:02}{separator}{:02}", minutes / 60, minutes % 60)
}

/// The text of Java's classes: seconds and fractions only if they are not zero, and the zone after the offset.
pub(super) fn shown(units: i64, data_type: &Type) -> String {
    let Some(moment) = Moment::of(units, data_type) else { return units.to_string() };
    let mut text = String::new();
    if let Some(days) = moment.days {
        text = date_to_text(days);
        text.push('T');
    }
    let nanos = moment.nanos.unwrap_or(0);
    let (seconds, fraction) = (nanos / NANOS_PER_SECOND, nanos % NANOS_PER_SECOND);
    text += &format!("{:02}:{:02}", seconds / 3600, seconds / 60 % 60);
    if seconds % 60 != 0 || fraction != 0 {
        text += &format!(":{:02}", seconds % 60);
    }
    text += &match fraction {
        0 => String::new(),
        fraction if fraction % 1_000_000 == 0 => format!(".{:03}", fraction / 1_000_000),
        fraction if fraction % 1000 == 0 => format!(".{:06}", fraction / 1000),
        fraction => format!(".{fraction:09}"),
    };
    match moment.zone {
        Some((0, zone)) if zone.starts_with(['+', '-']) => text + "Z",
        Some((seconds, zone)) => {
            text += &if seconds == 0 { "Z".to_owned() } else { offset(seconds, ":") };
            if zone.starts_with(['+', '-']) { text } else { format!("{text}[{zone}]") }
        }
        None => text,
    }
}
