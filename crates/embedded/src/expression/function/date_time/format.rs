//! MySQL's format letters, which `date_format` and `date_parse` use in Trino.

use polars::prelude::PolarsResult;

use super::invalid;
use crate::date_time::calendar::{
    civil_from_days, days_from_civil, days_in_month, units_per_day, units_per_second,
};
use rowhouse_sql::types::Type;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const DAYS: [&str; 7] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// The text of a time on the wall clock.
pub(super) fn format_mysql(local: i64, data_type: &Type, format: &str) -> PolarsResult<String> {
    let per_day = units_per_day(data_type);
    let (days, in_day) = (local.div_euclid(per_day), local.rem_euclid(per_day));
    let (year, month, day) = civil_from_days(days);
    let per_second = units_per_second(data_type);
    let (seconds, fraction) = (in_day / per_second, in_day % per_second);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let micros = fraction * 1_000_000 / per_second;
    let hour_of_12 = if hour % 12 == 0 { 12 } else { hour % 12 };
    let half = if hour < 12 { "AM" } else { "PM" };
    let weekday = usize::try_from((days + 3).rem_euclid(7)).unwrap_or(0);
    let month_name = MONTHS[usize::try_from(month - 1).unwrap_or(0)];
    let mut text = String::new();
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            text.push(letter);
            continue;
        }
        let Some(letter) = letters.next() else { break };
        text += &match letter {
            'a' => DAYS[weekday][..3].to_owned(),
            'b' => month_name[..3].to_owned(),
            'c' => month.to_string(),
            'd' => format!("{day:02}"),
            'e' => day.to_string(),
            'f' => format!("{micros:06}"),
            'H' => format!("{hour:02}"),
            'h' | 'I' => format!("{hour_of_12:02}"),
            'i' => format!("{minute:02}"),
            'j' => format!("{:03}", days - days_from_civil(year, 1, 1) + 1),
            'k' => hour.to_string(),
            'l' => hour_of_12.to_string(),
            'M' => month_name.to_owned(),
            'm' => format!("{month:02}"),
            'p' => half.to_owned(),
            'r' => format!("{hour_of_12:02}:{minute:02}:{second:02} {half}"),
            'S' | 's' => format!("{second:02}"),
            'T' => format!("{hour:02}:{minute:02}:{second:02}"),
            'v' => {
                // The ISO week is that of its Thursday.
                let thursday = days - (days + 3).rem_euclid(7) + 3;
                let (thursdays_year, _, _) = civil_from_days(thursday);
                format!("{:02}", (thursday - days_from_civil(thursdays_year, 1, 1)) / 7 + 1)
            }
            'W' => DAYS[weekday].to_owned(),
            'x' => {
                let (year, _, _) = civil_from_days(days - (days + 3).rem_euclid(7) + 3);
                format!("{year:04}")
            }
            'Y' => format!("{year:04}"),
            'y' => format!("{:02}", year.rem_euclid(100)),
            '%' => "%".to_owned(),
            'D' | 'U' | 'u' | 'V' | 'w' | 'X' => {
                return Err(invalid(format!("%{letter} not supported in date format string")));
            }
            other => other.to_string(),
        };
    }
    Ok(text)
}

/// The time that a text has in a format, in the type's units.
pub(super) fn parse_mysql(text: &str, format: &str, data_type: &Type) -> PolarsResult<i64> {
    let wrong = || invalid(format!("Invalid format: \"{text}\" does not match '{format}'"));
    let mut rest = text;
    let (mut year, mut month, mut day) = (1970, 1, 1);
    let (mut hour, mut minute, mut second, mut micros) = (0, 0, 0, 0);
    let mut is_afternoon = None;
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            rest = rest.strip_prefix(letter).ok_or_else(wrong)?;
            continue;
        }
        let Some(letter) = letters.next() else { break };
        let mut take = |digits: usize| number(&mut rest, digits).ok_or_else(wrong);
        match letter {
            'Y' => year = take(4)?,
            'y' => {
                let short = take(2)?;
                year = if short < 70 { 2000 + short } else { 1900 + short };
            }
            'm' | 'c' => month = take(2)?,
            'd' | 'e' => day = take(2)?,
            'H' | 'k' | 'h' | 'I' | 'l' => hour = take(2)?,
            'i' => minute = take(2)?,
            's' | 'S' => second = take(2)?,
            'f' => {
                let before = rest.len();
                let fraction = number(&mut rest, 9).ok_or_else(wrong)?;
                let digits = u32::try_from(before - rest.len()).unwrap_or(6);
                micros = if digits <= 6 {
                    fraction * 10i64.pow(6 - digits)
                } else {
                    fraction / 10i64.pow(digits - 6)
                };
            }
            'T' => {
                hour = take(2)?;
                rest = rest.strip_prefix(':').ok_or_else(wrong)?;
                minute = number(&mut rest, 2).ok_or_else(wrong)?;
                rest = rest.strip_prefix(':').ok_or_else(wrong)?;
                second = number(&mut rest, 2).ok_or_else(wrong)?;
            }
            'p' => {
                let half = rest.get(..2).ok_or_else(wrong)?;
                is_afternoon = Some(half.eq_ignore_ascii_case("pm"));
                rest = &rest[2..];
            }
            'b' | 'M' => {
                let length = if letter == 'b' { Some(3) } else { None };
                let found = MONTHS.iter().position(|name| {
                    let name = length.map_or(*name, |length| &name[..length]);
                    rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name))
                });
                let found = found.ok_or_else(wrong)?;
                rest = &rest[length.unwrap_or(MONTHS[found].len())..];
                month = i64::try_from(found).unwrap_or(0) + 1;
            }
            '%' => rest = rest.strip_prefix('%').ok_or_else(wrong)?,
            other => return Err(invalid(format!("%{other} not supported in date format string"))),
        }
    }
    if let Some(is_afternoon) = is_afternoon {
        hour = hour % 12 + if is_afternoon { 12 } else { 0 };
    }
    let is_real = (1..=12).contains(&month)
        && (1..=days_in_month(year, month)).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60;
    if !rest.is_empty() || !is_real {
        return Err(wrong());
    }
    let seconds = days_from_civil(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second;
    let per_second = units_per_second(data_type);
    Ok(seconds * per_second + micros * per_second / 1_000_000)
}

fn number(rest: &mut &str, digits: usize) -> Option<i64> {
    let length = rest.bytes().take(digits).take_while(u8::is_ascii_digit).count();
    let number = rest[..length].parse().ok()?;
    *rest = &rest[length..];
    Some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_reads_what_it_writes() {
        let millis = Type::Timestamp { precision: 3 };
        for (text, format) in [
            ("2024-02-29 13:05:09", "%Y-%m-%d %H:%i:%s"),
            ("29/Feb/24 01:05:09 PM", "%d/%b/%y %r"),
            ("2024-02-29T13:05:09.250000", "%Y-%m-%dT%T.%f"),
        ] {
            let format = format.replace("%r", "%h:%i:%s %p");
            let parsed = parse_mysql(text, &format, &millis).expect("a time");
            assert_eq!(format_mysql(parsed, &millis, &format).expect("a format"), text);
        }
        assert!(parse_mysql("2023-02-29", "%Y-%m-%d", &millis).is_err());
    }
}
