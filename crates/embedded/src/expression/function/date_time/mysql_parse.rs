//! `date_parse`: a time read by MySQL's format letters as Joda-Time reads it. Parts are set one after the other, those of a
//! longer span first, on a clock that stands at the epoch; where the longest is a part of a year, the year is 2000.

use polars::prelude::PolarsResult;

use super::format::{DAYS, MONTHS};
use super::invalid;
use crate::date_time::calendar::{civil_from_days, days_from_civil, days_in_month, units_per_second};
use rowhouse_sql::date_time_text::parse_date;
use rowhouse_sql::types::Type;

const MILLIS_PER_DAY: i64 = 86_400_000;

/// The year of a date that names none.
const DEFAULT_YEAR: i64 = 2000;

/// A part of a time, in the order in which parts are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Year,
    WeekYear,
    Month,
    DayOfYear,
    Week,
    DayOfMonth,
    DayOfWeek,
    HalfOfDay,
    Hour,
    HourOfHalf,
    Minute,
    Second,
    Millisecond,
}

/// The time that a text has in a format, in the type's units.
///
/// # Errors
///
/// INVALID_FUNCTION_ARGUMENT: the text has not that form, there is no such time, or the format is none.
pub(super) fn parse_mysql(text: &str, format: &str, data_type: &Type) -> PolarsResult<i64> {
    let wrong = || invalid(format!("Invalid format: \"{text}\" does not match '{format}'"));
    let per_milli = units_per_second(data_type) / 1000;
    if format == "%Y-%m-%d" {
        // The one format in which Trino takes years of more than four digits.
        let days = parse_date(text).map(i64::from).filter(|_| !text.contains(char::is_whitespace));
        return days.map(|days| days * MILLIS_PER_DAY * per_milli).ok_or_else(wrong);
    }
    if format.is_empty() || format == "%" {
        return Err(invalid("Both printing and parsing not supported"));
    }
    let mut parts = Vec::new();
    let mut rest = text;
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter == '%' {
            let Some(letter) = letters.next() else { break };
            read_letter(letter, &mut rest, &mut parts)?.ok_or_else(wrong)?;
        } else {
            literal(letter, &mut rest).ok_or_else(wrong)?;
        }
    }
    let millis = rest.is_empty().then(|| set_all(parts)).flatten().ok_or_else(wrong)?;
    Ok(millis * per_milli)
}

/// Reads what a letter stands for; none where it does not stand there.
fn read_letter(letter: char, rest: &mut &str, parts: &mut Vec<(Part, i64)>) -> PolarsResult<Option<()>> {
    let mut take = |part: Part, value: Option<i64>| value.map(|value| parts.push((part, value)));
    Ok(match letter {
        'Y' => take(Part::Year, signed(rest)),
        'x' => take(Part::WeekYear, signed(rest)),
        'y' => take(Part::Year, short_year(rest)),
        'm' | 'c' => take(Part::Month, number(rest, 2)),
        'b' | 'M' => take(Part::Month, name(rest, &MONTHS)),
        'd' | 'e' => take(Part::DayOfMonth, number(rest, 2)),
        'j' => take(Part::DayOfYear, number(rest, 3)),
        'v' => take(Part::Week, number(rest, 2)),
        'a' | 'W' => take(Part::DayOfWeek, name(rest, &DAYS)),
        'H' | 'k' => take(Part::Hour, number(rest, 2)),
        'h' | 'I' | 'l' => take(Part::HourOfHalf, number(rest, 2)),
        'i' => take(Part::Minute, number(rest, 2)),
        's' | 'S' => take(Part::Second, number(rest, 2)),
        'f' => take(Part::Millisecond, fraction(rest)),
        'p' => take(Part::HalfOfDay, name(rest, &["AM", "PM"]).map(|half| half - 1)),
        'T' | 'r' => return read_all(if letter == 'T' { "H:i:s" } else { "h:i:s p" }, rest, parts),
        'D' | 'U' | 'u' | 'V' | 'w' | 'X' => {
            return Err(invalid(format!("%{letter} not supported in date format string")));
        }
        other => literal(other, rest),
    })
}

/// Reads several letters and what is between them.
fn read_all(format: &str, rest: &mut &str, parts: &mut Vec<(Part, i64)>) -> PolarsResult<Option<()>> {
    for letter in format.chars() {
        let read =
            if letter.is_alphabetic() { read_letter(letter, rest, parts)? } else { literal(letter, rest) };
        if read.is_none() {
            return Ok(None);
        }
    }
    Ok(Some(()))
}

/// A character of the format, in either letter case.
fn literal(wanted: char, rest: &mut &str) -> Option<()> {
    let found = rest.chars().next().filter(|found| found.to_lowercase().eq(wanted.to_lowercase()))?;
    *rest = &rest[found.len_utf8()..];
    Some(())
}

fn number(rest: &mut &str, most_digits: usize) -> Option<i64> {
    let length = rest.bytes().take(most_digits).take_while(u8::is_ascii_digit).count();
    let number = rest[..length].parse().ok()?;
    *rest = &rest[length..];
    Some(number)
}

/// A year of up to four digits.
fn signed(rest: &mut &str) -> Option<i64> {
    let is_negative = rest.starts_with('-');
    let mut unsigned = rest.strip_prefix(['-', '+']).unwrap_or(rest);
    let year = number(&mut unsigned, 4)?;
    *rest = unsigned;
    Some(if is_negative { -year } else { year })
}

/// A year of two digits, 1970 to 2069.
fn short_year(rest: &mut &str) -> Option<i64> {
    let before = rest.len();
    let year = number(rest, 2).filter(|_| before - rest.len() == 2)?;
    Some(if year < 70 { 2000 + year } else { 1900 + year })
}

/// Milliseconds of up to nine digits behind the point.
fn fraction(rest: &mut &str) -> Option<i64> {
    let before = rest.len();
    let digits = number(rest, 9)?;
    let count = u32::try_from(before - rest.len()).ok()?;
    Some(digits * 1000 / 10_i64.pow(count))
}

/// The place, from 1, of a name or its first three letters, as they are or all in one letter case.
fn name(rest: &mut &str, names: &[&str]) -> Option<i64> {
    for is_whole in [true, false] {
        for (place, name) in names.iter().enumerate() {
            let wanted = if is_whole { name } else { name.get(..3).unwrap_or(name) };
            let found = rest.get(..wanted.len()).unwrap_or("");
            if found == wanted || found == wanted.to_lowercase() || found == wanted.to_uppercase() {
                *rest = &rest[wanted.len()..];
                return i64::try_from(place + 1).ok();
            }
        }
    }
    None
}

/// Milliseconds since the epoch; none where there is no such time.
fn set_all(mut parts: Vec<(Part, i64)>) -> Option<i64> {
    parts.sort_by_key(|(part, _)| *part);
    if parts.first().is_some_and(|(part, _)| (Part::Month..=Part::DayOfWeek).contains(part)) {
        parts.insert(0, (Part::Year, DEFAULT_YEAR));
    }
    let mut millis = 0;
    for (part, value) in &parts {
        millis = start(*part, set(*part, *value, millis)?);
    }
    // A part may have moved what was set before it.
    for (place, (part, value)) in parts.iter().enumerate() {
        millis = set(*part, *value, millis)?;
        if place + 1 == parts.len() {
            millis = start(*part, millis);
        }
    }
    Some(millis)
}

/// A time with one part of it changed.
fn set(part: Part, value: i64, millis: i64) -> Option<i64> {
    let (days, in_day) = (millis.div_euclid(MILLIS_PER_DAY), millis.rem_euclid(MILLIS_PER_DAY));
    let (year, month, day) = civil_from_days(days);
    let of_date = |days: i64| days * MILLIS_PER_DAY + in_day;
    let clipped = |year, month| of_date(days_from_civil(year, month, day.min(days_in_month(year, month))));
    let unit = |length: i64, count: i64| millis + (value - in_day / length % count) * length;
    let within = |least: i64, largest: i64| (least..=largest).contains(&value);
    match part {
        Part::Year => Some(clipped(value, month)),
        Part::WeekYear => {
            let week = (days - first_monday(week_year(days))) / 7;
            let day_of_week = (days + 3).rem_euclid(7);
            Some(of_date(first_monday(value) + week.min(weeks_in(value) - 1) * 7 + day_of_week))
        }
        Part::Month => within(1, 12).then(|| clipped(year, value)),
        Part::DayOfYear => {
            let first = days_from_civil(year, 1, 1);
            within(1, days_from_civil(year + 1, 1, 1) - first).then(|| of_date(first + value - 1))
        }
        Part::Week => {
            let week_year = week_year(days);
            let week = (days - first_monday(week_year)) / 7 + 1;
            within(1, weeks_in(week_year)).then(|| of_date(days + (value - week) * 7))
        }
        Part::DayOfMonth => within(1, days_in_month(year, month)).then(|| of_date(days + value - day)),
        Part::DayOfWeek => Some(of_date(days + value - 1 - (days + 3).rem_euclid(7))),
        Part::HalfOfDay => Some(unit(12 * 3_600_000, 2)),
        Part::Hour => within(0, 23).then(|| unit(3_600_000, 24)),
        Part::HourOfHalf => {
            let hour = in_day / 3_600_000 % 12;
            within(1, 12).then(|| millis + (value % 12 - hour) * 3_600_000)
        }
        Part::Minute => within(0, 59).then(|| unit(60_000, 60)),
        Part::Second => within(0, 59).then(|| unit(1000, 60)),
        Part::Millisecond => Some(unit(1, 1000)),
    }
}

/// The start of the part of a time that a time lies in.
fn start(part: Part, millis: i64) -> i64 {
    let days = millis.div_euclid(MILLIS_PER_DAY);
    let (year, month, _) = civil_from_days(days);
    let length = match part {
        Part::Year => return days_from_civil(year, 1, 1) * MILLIS_PER_DAY,
        Part::Month => return days_from_civil(year, month, 1) * MILLIS_PER_DAY,
        Part::WeekYear => return first_monday(week_year(days)) * MILLIS_PER_DAY,
        Part::Week => return (days - (days + 3).rem_euclid(7)) * MILLIS_PER_DAY,
        Part::DayOfYear | Part::DayOfMonth | Part::DayOfWeek => MILLIS_PER_DAY,
        Part::HalfOfDay => 12 * 3_600_000,
        Part::Hour | Part::HourOfHalf => 3_600_000,
        Part::Minute => 60_000,
        Part::Second => 1000,
        Part::Millisecond => 1,
    };
    millis - millis.rem_euclid(length)
}

/// The year of a day's ISO week: that of its Thursday.
const fn week_year(days: i64) -> i64 {
    civil_from_days(days - (days + 3).rem_euclid(7) + 3).0
}

/// The Monday of a year's first ISO week, which has 4 January.
const fn first_monday(year: i64) -> i64 {
    let fourth = days_from_civil(year, 1, 4);
    fourth - (fourth + 3).rem_euclid(7)
}

const fn weeks_in(year: i64) -> i64 {
    (first_monday(year + 1) - first_monday(year)) / 7
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversion::time_text::timestamp_to_text;

    const MILLIS: Type = Type::Timestamp { precision: 3 };

    /// What Trino 476 gives.
    #[test]
    fn parts_are_set_from_the_longest_to_the_shortest() {
        for (text, format, expected) in [
            ("Mon", "%a", Some("2000-12-25 00:00:00.000")),
            ("12", "%v", Some("2000-03-20 00:00:00.000")),
            ("2024 13", "%Y %v", Some("2024-03-25 00:00:00.000")),
            ("060", "%x", Some("0059-12-29 00:00:00.000")),
            ("2024 1 Sunday", "%x %v %W", Some("2024-01-07 00:00:00.000")),
            ("Friday 2024-02-29", "%W %Y-%m-%d", Some("2024-03-01 00:00:00.000")),
            ("5PM", "%H%p", Some("1970-01-01 05:00:00.000")),
            ("12 AM 13", "%I %p %H", Some("1970-01-01 12:00:00.000")),
            ("29/FEB/24 01:05:09 pm", "%d/%b/%y %r", Some("2024-02-29 13:05:09.000")),
            ("20240229", "%Y%m%d", Some("2024-02-29 00:00:00.000")),
            ("12024-01-01", "%Y-%m-%d", Some("+12024-01-01 00:00:00.000")),
            ("x12.1239", "X%s.%f", Some("1970-01-01 00:00:12.123")),
            ("2024 53", "%x %v", None),
            ("31 02", "%d %m", None),
            ("2023-366", "%Y-%j", None),
            ("maY", "%b", None),
            ("13", "%h", None),
            ("1", "%y", None),
            ("2024", "%", None),
            ("", "", None),
        ] {
            let found = parse_mysql(text, format, &MILLIS).ok();
            let found = found.map(|units| timestamp_to_text(units, &MILLIS, 3, ' '));
            assert_eq!(found.as_deref(), expected, "{text} {format}");
        }
    }
}
