//! Parses ISO 8601 like Joda-Time: a date with optional parts, ordinal and week dates, times with a fraction of the
//! last part, and an offset.

use crate::conversion::time_text::parse_zoned_timestamp;
use crate::date_time::calendar::{civil_from_days, days_from_civil};
use crate::date_time::clock::Clock;
use rowhouse_sql::types::Type;

const MILLIS_PER_DAY: i64 = 86_400_000;

/// A date, and the rest of the text. The days are `None` if there is no such date.
type DateElement<'t> = (Option<i64>, &'t str);

/// Parses a date into days since the epoch.
pub(super) fn parse_iso_date(text: &str) -> Option<i64> {
    let (days, rest) = date_element(text)?;
    days.filter(|_| rest.is_empty())
}

/// Parses a timestamp into milliseconds since the epoch. A text without an offset is local to the zone of the type.
pub(super) fn parse_iso_timestamp(text: &str, data_type: &Type) -> Option<i64> {
    let (days, rest) = if text.starts_with('T') { (Some(0), text) } else { date_element(text)? };
    let days = days?;
    if rest.is_empty() {
        return moment_of(days.checked_mul(MILLIS_PER_DAY)?, data_type);
    }
    let rest = rest.strip_prefix('T')?;
    let (millis, rest) =
        time_element(rest).or_else(|| (!text.starts_with('T')).then_some((Some(0), rest)))?;
    let local = days.checked_mul(MILLIS_PER_DAY)?.checked_add(millis?)?;
    if rest.is_empty() {
        return moment_of(local, data_type);
    }
    let (offset, rest) = offset_millis(rest)?;
    let moment = local.checked_sub(offset)?;
    rest.is_empty().then_some(moment)
}

/// The instant of a local time in the zone of a type; `None` if the local time is skipped.
fn moment_of(local: i64, data_type: &Type) -> Option<i64> {
    let Some(clock) = Clock::of(data_type) else { return Some(local) };
    clock.moment_of(local, local).filter(|moment| clock.shown_at(*moment) == local)
}

/// Parses `YYYY-MM-DDTHH:MM[:SS[.f]]` with up to nine digits, optionally with `Z` or `±HH:MM`, into the type's units
/// since the epoch. A text without an offset is local to the zone of the type.
pub(super) fn parse_iso_nanos(text: &str, data_type: &Type) -> Option<i64> {
    let (date, time) = text.split_once('T')?;
    let (clock, offset) = time.split_at(time.find(['Z', '+', '-']).unwrap_or(time.len()));
    let is_offset = matches!(offset, "" | "Z") || offset.len() == 6 && offset.as_bytes()[3] == b':';
    let digits = clock.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let is_clock = clock.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.'));
    let is_whole =
        date.len() >= 10 && is_clock && clock.split(':').all(|part| part.len() >= 2) && digits <= 9;
    if !is_offset || !is_whole {
        return None;
    }
    parse_zoned_timestamp(&format!("{date} {clock}{offset}"), data_type)
}

/// Parses the form, of three, that consumes most of the text.
fn date_element(text: &str) -> Option<DateElement<'_>> {
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => (-1, unsigned),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (year, rest) = digits(unsigned, 9)?;
    let year = sign * year;
    let forms = [Some(calendar_date(year, rest)), day_of_year(year, rest), day_of_week(year, rest)];
    // If several forms consume equally much, the first one is taken.
    forms.into_iter().flatten().min_by_key(|(_, rest)| rest.len())
}

fn calendar_date(year: i64, text: &str) -> DateElement<'_> {
    let part = |text| behind('-', text).and_then(|text| digits(text, 2));
    let (month, rest) = part(text).unwrap_or((1, text));
    let (day, rest) = if rest.len() < text.len() { part(rest).unwrap_or((1, rest)) } else { (1, rest) };
    let days = days_from_civil(year, month, day);
    let is_real = (1..=12).contains(&month) && civil_from_days(days) == (year, month, day);
    (is_real.then_some(days), rest)
}

fn day_of_year(year: i64, text: &str) -> Option<DateElement<'_>> {
    let (day, rest) = digits(behind('-', text)?, 3)?;
    let days = days_from_civil(year, 1, 1) + day - 1;
    Some((Some(days).filter(|days| day > 0 && civil_from_days(*days).0 == year), rest))
}

fn day_of_week(year: i64, text: &str) -> Option<DateElement<'_>> {
    let (week, rest) = digits(behind('-', text)?.strip_prefix('W')?, 2)?;
    let (day, rest) = behind('-', rest).and_then(|rest| digits(rest, 1)).unwrap_or((1, rest));
    // The first week contains the year's first Thursday, and thus 4 January.
    let first = monday_of(days_from_civil(year, 1, 4));
    let weeks = (monday_of(days_from_civil(year + 1, 1, 4)) - first) / 7;
    let is_real = (1..=weeks).contains(&week) && (1..=7).contains(&day);
    Some((is_real.then_some(first + (week - 1) * 7 + day - 1), rest))
}

/// The Monday of a day's week; 1970-01-01 was a Thursday.
const fn monday_of(days: i64) -> i64 {
    days - (days + 3).rem_euclid(7)
}

/// Parses a time into milliseconds of the day, which are `None` if there is no such time.
fn time_element(text: &str) -> Option<(Option<i64>, &str)> {
    let (mut millis, mut rest) = (Some(0_i64), text);
    for (place, (unit, most)) in [(3_600_000, 23), (60_000, 59), (1000, 59)].into_iter().enumerate() {
        let part =
            if place == 0 { digits(rest, 2) } else { behind(':', rest).and_then(|rest| digits(rest, 2)) };
        let Some((number, after)) = part else { break };
        millis = millis.filter(|_| number <= most).map(|millis| millis + number * unit);
        rest = after;
        if let Some((fraction, after)) = fraction_of(unit, rest) {
            return Some((millis.map(|millis| millis + fraction), after));
        }
    }
    (rest.len() < text.len()).then_some((millis, rest))
}

/// Milliseconds of a fraction of a unit, such as `.5`, with up to nine digits, each of which is truncated.
fn fraction_of(unit: i64, text: &str) -> Option<(i64, &str)> {
    let text = text.strip_prefix(['.', ','])?;
    let (mut millis_by_ten, mut place) = (0, unit * 10);
    let length = text.bytes().take(9).take_while(u8::is_ascii_digit).count();
    for digit in text[..length].bytes() {
        place /= 10;
        millis_by_ten += i64::from(digit - b'0') * place;
    }
    (length > 0).then_some((millis_by_ten / 10, &text[length..]))
}

/// Parses an offset `Z`, `+HH`, `+HH:MM` or `+HHMM` into milliseconds ahead of UTC.
fn offset_millis(text: &str) -> Option<(i64, &str)> {
    if let Some(rest) = text.strip_prefix(['Z', 'z']) {
        return Some((0, rest));
    }
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let (hours, rest) = two_digits(text.strip_prefix(['+', '-'])?)?;
    let (minutes, rest) = behind(':', rest).map_or_else(|| two_digits(rest), two_digits).unwrap_or((0, rest));
    (hours < 24 && minutes < 60).then_some((sign * (hours * 60 + minutes) * 60_000, rest))
}

fn two_digits(text: &str) -> Option<(i64, &str)> {
    digits(text, 2).filter(|(_, rest)| text.len() - rest.len() == 2)
}

fn behind(separator: char, text: &str) -> Option<&str> {
    text.strip_prefix(separator)
}

/// The number at the beginning of a text, with 1 to `most` digits, and the rest of the text.
fn digits(text: &str, most: usize) -> Option<(i64, &str)> {
    let length = text.bytes().take(most).take_while(u8::is_ascii_digit).count();
    Some((text[..length].parse().ok()?, &text[length..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversion::time_text::{date_to_text, timestamp_to_text};

    #[test]
    fn calendar_ordinal_and_week_dates_are_parsed() {
        for (text, expected) in [
            ("2024", Some("2024-01-01")),
            ("2024-2", Some("2024-02-01")),
            ("2024-02-29", Some("2024-02-29")),
            ("2024-060", Some("2024-02-29")),
            ("2024-W09", Some("2024-02-26")),
            ("2020-W53-7", Some("2021-01-03")),
            ("-0001-01-01", Some("-0001-01-01")),
            ("2024-W53", None),
            ("2023-366", None),
            ("2024-02-30", None),
            ("2024-02-29T00", None),
            ("", None),
        ] {
            assert_eq!(parse_iso_date(text).map(date_to_text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_fraction_applies_to_the_last_part_of_a_time() {
        for (text, expected) in [
            ("2024-02-29T12:34:56,7891", Some("2024-02-29 12:34:56.789")),
            ("2024-02-29T12:34.5", Some("2024-02-29 12:34:30.000")),
            ("2024-02-29T12.5+01", Some("2024-02-29 11:30:00.000")),
            ("2024-02-29T", Some("2024-02-29 00:00:00.000")),
            ("2024-02-29T-0100", Some("2024-02-29 01:00:00.000")),
            ("T12:34:56z", Some("1970-01-01 12:34:56.000")),
            ("T", None),
            ("2024-02-29T24:00", None),
            ("2024-02-29 12:34", None),
            ("2024-02-29T12:34:56 UTC", None),
            ("2024-02-29T12:34:56.1234567890", None),
        ] {
            let millis = Type::Timestamp { precision: 3 };
            let found =
                parse_iso_timestamp(text, &millis).map(|units| timestamp_to_text(units, &millis, 3, ' '));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    /// Texts and answers of Trino 476.
    #[test]
    fn nanosecond_timestamps_accept_one_format() {
        for (text, expected) in [
            ("2020-05-11T11:15:05.123456789Z", Some("2020-05-11 11:15:05.123456789")),
            ("2020-05-11T11:15+02:00", Some("2020-05-11 09:15:00.000000000")),
            ("2020-05-11 11:15:05Z", None),
            ("2020-05-11T11:15:05 Europe/Berlin", None),
            ("2020-05-11T11:15:05UTC", None),
            ("2020-05-11T11:15:05+0200", None),
            ("2020-05-11T11:15:05+02", None),
            ("2020-05-11T11:15:05.1234567891Z", None),
        ] {
            let nanos = Type::Timestamp { precision: 9 };
            let found = parse_iso_nanos(text, &nanos).map(|units| timestamp_to_text(units, &nanos, 9, ' '));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}
