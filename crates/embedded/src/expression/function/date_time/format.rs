//! `date_format`: a time written by MySQL's format letters.

use polars::prelude::PolarsResult;

use super::invalid;
use crate::date_time::calendar::{civil_from_days, days_from_civil, units_per_day, units_per_second};
use rowhouse_sql::types::Type;

pub(super) const MONTHS: [&str; 12] = [
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

pub(super) const DAYS: [&str; 7] =
    ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

/// The text of a time on the wall clock.
pub(super) fn format_mysql(local: i64, data_type: &Type, format: &str) -> PolarsResult<String> {
    let per_day = units_per_day(data_type);
    let (days, in_day) = (local.div_euclid(per_day), local.rem_euclid(per_day));
    let (year, month, day) = civil_from_days(days);
    let per_second = units_per_second(data_type);
    let (seconds, fraction) = (in_day / per_second, in_day % per_second);
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    // Trino's letters know of milliseconds only.
    let micros = fraction * 1000 / per_second * 1000;
    let hour_of_12 = if hour % 12 == 0 { 12 } else { hour % 12 };
    let half = if hour < 12 { "AM" } else { "PM" };
    let weekday = usize::try_from((days + 3).rem_euclid(7)).unwrap_or(0);
    let month_name = MONTHS[usize::try_from(month - 1).unwrap_or(0)];
    if format.is_empty() || format == "%" {
        return Err(invalid("Both printing and parsing not supported"));
    }
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

#[cfg(test)]
mod tests {
    use super::super::mysql_parse::parse_mysql;
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
