//! Dates, times, timestamps and intervals as text and back, in Trino's forms.

use jiff::tz::TimeZone;

use crate::date_time::calendar::{
    NANOS_PER_DAY, civil_from_days, days_from_civil, days_in_month, precision, units_per_day,
    units_per_second,
};
use crate::date_time::clock::Clock;
use crate::date_time::zone::zone;
use rowhouse_sql::types::Type;

/// `YYYY-MM-DD`; years beyond 9999 have a `+`.
pub(crate) fn date_to_text(days: i64) -> String {
    let (year, month, day) = civil_from_days(days);
    let sign = match year {
        ..0 => "-",
        0..=9999 => "",
        _ => "+",
    };
    format!("{sign}{:04}-{month:02}-{day:02}", year.abs())
}

/// `HH:MM:SS.ffffff`, of nanoseconds since midnight.
pub(crate) fn time_to_text(nanos: i64, precision: u8) -> String {
    clock(nanos, 1_000_000_000, precision)
}

/// `YYYY-MM-DD HH:MM:SS.fff` with a separator of choice.
pub(crate) fn timestamp_to_text(units: i64, data_type: &Type, precision: u8, separator: char) -> String {
    let per_day = units_per_day(data_type);
    let date = date_to_text(units.div_euclid(per_day));
    format!("{date}{separator}{}", clock(units.rem_euclid(per_day), units_per_second(data_type), precision))
}

fn clock(units: i64, per_second: i64, precision: u8) -> String {
    let (seconds, fraction) = (units / per_second, units % per_second);
    let nanos = fraction * (1_000_000_000 / per_second);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let digits = usize::from(precision);
    let fraction = format!("{nanos:09}");
    if digits == 0 {
        return format!("{hour:02}:{minute:02}:{second:02}");
    }
    format!("{hour:02}:{minute:02}:{second:02}.{}", &fraction[..digits.min(9)])
}

/// `D HH:MM:SS.mmm`.
pub(crate) fn day_interval_to_text(millis: i64) -> String {
    let sign = if millis < 0 { "-" } else { "" };
    let millis = millis.unsigned_abs();
    let (days, rest) = (millis / 86_400_000, millis % 86_400_000);
    let (hours, minutes) = (rest / 3_600_000, rest / 60_000 % 60);
    format!("{sign}{days} {hours:02}:{minutes:02}:{:02}.{:03}", rest / 1000 % 60, rest % 1000)
}

/// Days since the epoch.
pub(crate) fn parse_date(text: &str) -> Option<i64> {
    let (is_negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let mut parts = rest.splitn(3, '-');
    let (year, month, day) = (number(parts.next()?)?, number(parts.next()?)?, number(parts.next()?)?);
    let year = if is_negative { -year } else { year };
    let is_real = (1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day);
    (is_real && year.abs() < 1_000_000).then(|| days_from_civil(year, month, day))
}

/// Nanoseconds since midnight with so many digits of a second, of `H:MM`, `H:MM:SS` or `H:MM:SS.f…`. More digits are
/// rounded half up, the last moment of a day to midnight.
pub(crate) fn parse_time(text: &str, precision: u8) -> Option<i64> {
    Some(parse_clock(text, precision)? % NANOS_PER_DAY)
}

/// As [`parse_time`], the last moment of a day to the next midnight.
fn parse_clock(text: &str, precision: u8) -> Option<i64> {
    let mut parts = text.splitn(3, ':');
    let (hour, minute) = (number(parts.next()?)?, number(parts.next()?)?);
    let (second, fraction) = match parts.next() {
        Some(seconds) => seconds.split_once('.').unwrap_or((seconds, "")),
        None => ("0", ""),
    };
    let second = number(second)?;
    if hour > 23 || minute > 59 || second > 59 || fraction.len() > 12 {
        return None;
    }
    let picos: i64 = match fraction {
        "" => 0,
        digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{digits:0<12}").parse().ok()?
        }
        _ => return None,
    };
    let picos = ((hour * 60 + minute) * 60 + second) * 1_000_000_000_000 + picos;
    let unit = 10_i64.pow(u32::from(12_u8.saturating_sub(precision)));
    Some((picos + unit / 2) / unit * unit / 1000)
}

/// In the type's units, of `YYYY-MM-DD` with a time after a space or `T`.
pub(crate) fn parse_timestamp(text: &str, data_type: &Type) -> Option<i64> {
    let (date, time) = match text.find([' ', 'T']) {
        Some(at) => (&text[..at], text[at + 1..].trim_start()),
        None => (text, "00:00"),
    };
    let precision = precision(data_type)?;
    let (days, nanos) = (parse_date(date)?, parse_clock(time, precision)?);
    let unit = 1_000_000_000 / units_per_second(data_type);
    days.checked_mul(units_per_day(data_type))?.checked_add(nanos / unit)
}

/// In the type's units since the epoch in UTC; a text without a zone is in UTC.
pub(crate) fn parse_zoned_timestamp(text: &str, data_type: &Type) -> Option<i64> {
    let (local, zone) = split_zone(text);
    let local = parse_timestamp(local.trim_end(), data_type)?;
    match zone {
        None => Some(local),
        Some(zone) => to_utc(local, data_type, zone),
    }
}

/// The text before a zone (`Z`, `+01:00`, `Europe/Berlin`), and the zone.
fn split_zone(text: &str) -> (&str, Option<&str>) {
    if let Some(local) = text.strip_suffix('Z') {
        return (local, Some("UTC"));
    }
    // The first ten characters hold a date with its own hyphens.
    let after_date = text.char_indices().nth(10).map_or(text.len(), |(at, _)| at);
    let rest = &text[after_date..];
    let zone_at = rest
        .char_indices()
        .find(|&(at, c)| at > 0 && (c == '+' || c == '-' || c.is_ascii_alphabetic()))
        .map(|(at, _)| after_date + at);
    match zone_at {
        Some(at) => (&text[..at], Some(text[at..].trim())),
        None => (text, None),
    }
}

/// A moment on the wall clock of a zone.
pub(crate) fn to_local(units: i64, data_type: &Type, name: &str) -> i64 {
    Clock::new(name, data_type).map_or(units, |clock| clock.shown_at(units))
}

/// The moment of a time on the wall clock of a zone; the earlier one where the clock shows it twice.
pub(crate) fn to_utc(local: i64, data_type: &Type, name: &str) -> Option<i64> {
    let per_second = units_per_second(data_type);
    let zone = zone(name)?;
    let seconds = local.div_euclid(per_second);
    let as_if_utc = jiff::Timestamp::from_second(seconds).ok()?;
    let civil = TimeZone::UTC.to_datetime(as_if_utc);
    let moment = zone.to_ambiguous_zoned(civil).compatible().ok()?;
    moment.timestamp().as_second().checked_mul(per_second)?.checked_add(local.rem_euclid(per_second))
}

/// Milliseconds, of `D HH:MM:SS.mmm`.
pub(crate) fn parse_day_interval(text: &str) -> Option<i64> {
    let (is_negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (days, time) = rest.split_once(' ').unwrap_or((rest, "0:00"));
    let millis = number(days)?.checked_mul(86_400_000)?.checked_add(parse_clock(time, 9)? / 1_000_000)?;
    Some(if is_negative { -millis } else { millis })
}

/// Months, of `Y-M`.
pub(crate) fn parse_month_interval(text: &str) -> Option<i64> {
    let (is_negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (years, months) = rest.split_once('-')?;
    let months = number(years)?.checked_mul(12)?.checked_add(number(months)?)?;
    Some(if is_negative { -months } else { months })
}

fn number(digits: &str) -> Option<i64> {
    let is_number =
        !digits.is_empty() && digits.len() < 10 && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILLIS: Type = Type::Timestamp { precision: 3 };

    #[test]
    fn timestamps_are_read_and_written() {
        let moment = parse_timestamp("2024-02-29 12:34:56.789", &MILLIS);
        assert_eq!(
            moment.map(|units| timestamp_to_text(units, &MILLIS, 3, 'T')).as_deref(),
            Some("2024-02-29T12:34:56.789")
        );
        assert_eq!(parse_timestamp("2023-02-29 00:00", &MILLIS), None);
        assert_eq!(parse_timestamp("1970-01-02", &MILLIS), Some(86_400_000));
    }

    #[test]
    fn digits_beyond_the_precision_are_rounded_half_up() {
        let seconds = Type::Timestamp { precision: 0 };
        for (text, expected) in [
            ("1970-01-01 00:00:00.499999999999", 0),
            ("1970-01-01 00:00:00.5", 1000),
            ("1969-12-31 23:59:59.5", 0),
            ("1969-12-31 23:59:59.4999", -1000),
        ] {
            assert_eq!(parse_timestamp(text, &seconds), Some(expected), "{text}");
        }
        assert_eq!(parse_time("23:59:59.9995", 3), Some(0));
        assert_eq!(parse_time("23:59:59.9994", 3), Some(86_399_999_000_000));
        assert_eq!(parse_time("00:00:00.1234567895", 9), Some(123_456_790));
    }

    #[test]
    fn zones_are_taken_apart() {
        let zoned = Type::TimestampWithTimeZone { precision: 3, zone: "UTC".to_owned() };
        for text in
            ["1970-01-01 01:00:00 +01:00", "1970-01-01T00:00:00Z", "1970-01-01 01:00:00 Europe/Berlin"]
        {
            assert_eq!(parse_zoned_timestamp(text, &zoned), Some(0), "{text}");
        }
        assert_eq!(to_local(0, &zoned, "Europe/Berlin"), 3_600_000);
    }
}
