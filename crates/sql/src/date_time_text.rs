//! Dates, times of day and timestamps as text: in literals, and in casts from varchar. Both accept what Trino accepts.

use rowhouse_model::calendar::{civil_from_days, days_from_civil};

/// A time of day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockText {
    /// Picoseconds since midnight; further digits are truncated.
    pub picos: i64,
    /// The number of digits of the fraction of a second.
    pub digits: usize,
}

/// A date, optionally with a time of day and a zone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DateTimeText<'t> {
    /// Days since the epoch.
    pub days: i64,
    /// The time of day; midnight by default.
    pub clock: ClockText,
    /// The text after the time of day, which is not validated.
    pub zone: Option<&'t str>,
}

/// Parses `[±]Y-M-D`, with a year of up to 9 digits and optional spaces around it, to days since the epoch. `None` if
/// the date does not exist or exceeds 32 bits.
pub fn parse_date(text: &str) -> Option<i32> {
    let (days, rest) = date(text.trim_ascii(), 1..=9)?;
    rest.is_empty().then(|| i32::try_from(days).ok())?
}

/// Parses `[±]YYYY-M-D[ [H:MM[:SS[.f]]][ zone]]`.
pub fn parse_date_time(text: &str) -> Option<DateTimeText<'_>> {
    let (days, rest) = date(text, 4..=9)?;
    if rest.is_empty() {
        return Some(DateTimeText { days, clock: ClockText::default(), zone: None });
    }
    let rest = rest.strip_prefix(' ')?;
    let (clock, rest) = match parse_clock(rest) {
        Some(parsed) => parsed,
        // A zone may directly follow the date; an invalid time of day may not.
        None if rest.starts_with(|first: char| first.is_ascii_digit()) => return None,
        None => (ClockText::default(), rest),
    };
    let zone = Some(rest.trim_ascii()).filter(|zone| !zone.is_empty());
    Some(DateTimeText { days, clock, zone })
}

/// Parses a time of day of the form `H:M[:S[.f]]` at the start of a text; returns it with the rest of the text.
pub fn parse_clock(text: &str) -> Option<(ClockText, &str)> {
    let (hour, rest) = digits(text, 1..=2)?;
    let (minute, mut rest) = digits(rest.strip_prefix(':')?, 1..=2)?;
    let mut second = 0;
    let mut fraction = "";
    if let Some((found, after)) = rest.strip_prefix(':').and_then(|seconds| digits(seconds, 1..=2)) {
        (second, rest) = (found, after);
        if let Some(after) = rest.strip_prefix('.') {
            let length = after.bytes().take_while(u8::is_ascii_digit).count();
            if length > 0 {
                (fraction, rest) = after.split_at(length);
            }
        }
    }
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let picos: i64 = format!("{fraction:0<12.12}").parse().ok()?;
    let seconds = (hour * 60 + minute) * 60 + second;
    Some((ClockText { picos: seconds * 1_000_000_000_000 + picos, digits: fraction.len() }, rest))
}

/// Parses a zone of the form `±H`, `±HH`, `±HH:MM` or `±HHMM`, up to 18 hours, to seconds east of UTC.
pub fn fixed_offset_seconds(zone: &str) -> Option<i64> {
    let (sign, unsigned) = match zone.strip_prefix('-') {
        Some(unsigned) => (-1, unsigned),
        None => (1, zone.strip_prefix('+')?),
    };
    let (hours, minutes) = match unsigned.split_once(':') {
        Some((hours, minutes)) if hours.len() == 2 => (hours, minutes),
        Some(_) => return None,
        None if unsigned.len() == 4 && unsigned.is_ascii() => unsigned.split_at(2),
        None => (unsigned, "00"),
    };
    let ((hours, after_hours), (minutes, after_minutes)) = (digits(hours, 1..=2)?, digits(minutes, 2..=2)?);
    let seconds = (hours * 60 + minutes) * 60;
    let is_offset =
        after_hours.is_empty() && after_minutes.is_empty() && minutes < 60 && seconds <= 18 * 3600;
    is_offset.then_some(sign * seconds)
}

/// Parses the offset after a time of day, `±HH:MM` up to 14 hours with optional spaces before it, to minutes east of
/// UTC.
pub fn clock_offset(text: &str) -> Option<i16> {
    let zone = text.trim_ascii_start();
    let has_form = zone.len() == 6 && zone.as_bytes()[3] == b':';
    let minutes = i16::try_from(fixed_offset_seconds(zone).filter(|_| has_form)? / 60).ok()?;
    (minutes.abs() <= 14 * 60).then_some(minutes)
}

/// Parses a date at the start of a text to days since the epoch; returns them with the rest of the text.
fn date(text: &str, year_digits: std::ops::RangeInclusive<usize>) -> Option<(i64, &str)> {
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => (-1, unsigned),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (year, rest) = digits(unsigned, year_digits)?;
    let (month, rest) = digits(rest.strip_prefix('-')?, 1..=2)?;
    let (day, rest) = digits(rest.strip_prefix('-')?, 1..=2)?;
    let days = days_from_civil(sign * year, month, day);
    ((1..=12).contains(&month) && civil_from_days(days) == (sign * year, month, day)).then_some((days, rest))
}

/// Parses a number at the start of a text, if its count of digits is in `length`; returns it with the rest of the text.
fn digits(text: &str, length: std::ops::RangeInclusive<usize>) -> Option<(i64, &str)> {
    let found = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = text.split_at(found);
    length.contains(&found).then(|| number.parse().ok()).flatten().map(|number| (number, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_have_up_to_nine_digits() {
        for (text, expected) in [
            ("1970-01-02", Some(1)),
            (" 1970-1-2\t", Some(1)),
            ("+1970-01-01", Some(0)),
            ("-0001-01-01", Some(-719_893)),
            ("24-02-29", Some(-710_703)),
            ("5881580-07-11", Some(i32::MAX)),
            ("5881580-07-12", None),
            ("-5877641-06-23", Some(i32::MIN)),
            ("9999999999-01-01", None),
            ("2023-02-29", None),
            ("2024-00-01", None),
            ("2024-01-001", None),
            ("2024-01-01 00:00", None),
            ("2024-01", None),
            ("", None),
        ] {
            assert_eq!(parse_date(text), expected, "{text}");
        }
    }

    #[test]
    fn offsets_have_hours_and_optional_minutes() {
        for (zone, expected) in [
            ("+1", Some(3600)),
            ("-01", Some(-3600)),
            ("+01:30", Some(5400)),
            ("-0130", Some(-5400)),
            ("+18:00", Some(64_800)),
            ("+18:01", None),
            ("+1:30", None),
            ("+01:60", None),
            ("+0100x", None),
            ("+", None),
            ("01:00", None),
        ] {
            assert_eq!(fixed_offset_seconds(zone), expected, "{zone}");
        }
    }

    #[test]
    fn dates_may_be_followed_by_a_time_and_a_zone() {
        let check = |text, expected: Option<(i64, i64, usize, Option<&str>)>| {
            let found = parse_date_time(text)
                .map(|found| (found.days, found.clock.picos / 1_000_000_000, found.clock.digits, found.zone));
            assert_eq!(found, expected, "{text}");
        };
        check("1970-01-02", Some((1, 0, 0, None)));
        check("1970-01-02 ", Some((1, 0, 0, None)));
        check("1970-1-2 1:2:3.5", Some((1, 3_723_500, 1, None)));
        check("1970-01-01 0:0 UTC", Some((0, 0, 0, Some("UTC"))));
        check("1970-01-01 00:00:00.1234567890123+01:00", Some((0, 123, 13, Some("+01:00"))));
        check("1970-01-01 Europe/Berlin", Some((0, 0, 0, Some("Europe/Berlin"))));
        for text in [
            " 1970-01-01",
            "70-01-01",
            "1970-01-01T00:00",
            "1970-01-01 24:00",
            "1970-01-01 0:60",
            "1970-01-01 12",
        ] {
            check(text, None);
        }
    }
}
