//! Refresh schedules: cron of five fields or `@every 10m`, in UTC. It computes times; `refresh` acts on them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use croner::Cron;
use croner::parser::{CronParser, Seconds, Year};
use rowhouse_model::Timestamp;

use crate::error::{Error, ErrorKind};

/// Minimum period of `@every`.
const MIN_PERIOD: Duration = Duration::from_secs(1);
/// Maximum period of `@every`.
const MAX_PERIOD: Duration = Duration::from_secs(366 * 24 * 60 * 60);
/// The year 4900: searches end with the year 5000.
const LAST_CENTURY_MILLIS: i64 = 92_461_910_400_000;
/// Maximum length of a schedule, characters.
const MAX_SCHEDULE: usize = 200;

/// A schedule with its text.
#[derive(Clone, Debug)]
pub struct Schedule {
    text: String,
    rule: Rule,
}

#[derive(Clone, Debug)]
enum Rule {
    Cron(Box<Cron>),
    Every(Duration),
}

impl Schedule {
    /// The first tick after `base`, which is the last served tick or the time when the schedule was set. `None`: there
    /// are no further ticks.
    pub fn next_after(&self, base: Timestamp) -> Option<Timestamp> {
        match &self.rule {
            Rule::Every(period) => {
                let period = i64::try_from(period.as_millis()).ok()?;
                base.as_millis().checked_add(period).map(Timestamp::from_millis)
            }
            Rule::Cron(cron) => {
                let base = jiff::Timestamp::from_millisecond(base.as_millis()).ok()?;
                let base = base.to_zoned(jiff::tz::TimeZone::UTC).datetime();
                let next = cron.find_next_occurrence(&base, false).ok()?;
                let next = next.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
                Some(Timestamp::from_millis(next.timestamp().as_millisecond()))
            }
        }
    }

    /// As given.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FromStr for Schedule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let refuse = |why: String| {
            let text = rowhouse_model::excerpt(text);
            Error::new(ErrorKind::InvalidArguments, format!("'schedule' is '{text}': {why}"))
        };
        if text.len() > MAX_SCHEDULE {
            return Err(refuse(format!("it must have at most {MAX_SCHEDULE} characters")));
        }
        let trimmed = text.trim();
        let rule = match trimmed.strip_prefix("@every") {
            Some(period) => Rule::Every(parse_period(period).map_err(refuse)?),
            None => Rule::Cron(Box::new(parse_cron(trimmed).map_err(refuse)?)),
        };
        let schedule = Self { text: text.to_owned(), rule };
        // The 30th of February never comes; such a schedule is a mistake. What comes at all comes in a century, with each
        // weekday; without end a search takes a fifth of a second.
        match schedule.next_after(Timestamp::from_millis(LAST_CENTURY_MILLIS)) {
            Some(_) => Ok(schedule),
            None => Err(refuse("no such moment ever comes".to_owned())),
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

fn parse_cron(text: &str) -> Result<Cron, String> {
    const EXPECTED: &str = "expected '@every' with a time, as '@every 10m', or the five fields of cron \
                            (minute hour day month weekday), as '*/15 * * * *'";
    let fields = text.split_ascii_whitespace().count();
    if text.starts_with('@') || !text.is_ascii() {
        return Err(EXPECTED.to_owned());
    }
    if fields != 5 {
        return Err(format!("{EXPECTED}; found {fields} fields"));
    }
    CronParser::builder()
        .seconds(Seconds::Disallowed)
        .year(Year::Disallowed)
        .build()
        .parse(text)
        .map_err(|error| error.to_string())
}

/// `10m`, `1h30m`, `90s`, `2d`: whole numbers, each with its unit.
fn parse_period(text: &str) -> Result<Duration, String> {
    const EXPECTED: &str = "after '@every' stand whole numbers with units s, m, h or d, as '10m' or '1h30m'";
    let expected = || EXPECTED.to_owned();
    if !text.starts_with(' ') {
        return Err(expected());
    }
    let mut rest = text.trim();
    let mut period = Duration::ZERO;
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let number: u32 = rest[..digits].parse().map_err(|_| expected())?;
        let mut after = rest[digits..].chars();
        let unit_seconds = match after.next() {
            Some('s') => 1,
            Some('m') => 60,
            Some('h') => 60 * 60,
            Some('d') => 24 * 60 * 60,
            _ => return Err(expected()),
        };
        let part = Duration::from_secs(u64::from(number) * unit_seconds);
        period = period.checked_add(part).ok_or_else(expected)?;
        rest = after.as_str();
    }
    match period {
        Duration::ZERO => Err(expected()),
        period if period < MIN_PERIOD || period > MAX_PERIOD => {
            Err("the time must be 1 second to 366 days".to_owned())
        }
        period => Ok(period),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(schedule: &str, base: &str, expected: &str) {
        let schedule: Schedule = schedule.parse().expect(schedule);
        let base = base.parse().expect(base);
        let next = schedule.next_after(base).map(|next| next.to_string());
        assert_eq!(next.as_deref(), Some(expected), "{schedule}");
    }

    #[test]
    fn ticks_of_cron() {
        check("*/15 * * * *", "2026-01-31T08:15:30.123Z", "2026-01-31T08:30:00.000Z");
        check("0 0 * * *", "2026-01-31T08:15:30.123Z", "2026-02-01T00:00:00.000Z");
        check("0 0 1 * *", "2026-02-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z");
        check("30 6 * * MON-FRI", "2026-01-30T06:30:00.000Z", "2026-02-02T06:30:00.000Z");
        check("0 12 29 2 *", "2026-01-01T00:00:00.000Z", "2028-02-29T12:00:00.000Z");
    }

    #[test]
    fn ticks_of_every() {
        check("@every 10m", "2026-01-31T08:15:30.123Z", "2026-01-31T08:25:30.123Z");
        check("@every 1h30m", "2026-01-31T08:15:30.123Z", "2026-01-31T09:45:30.123Z");
        check("@every 2d", "2026-01-31T08:15:30.123Z", "2026-02-02T08:15:30.123Z");
    }

    #[test]
    fn invalid_schedules_are_refused_with_a_reason() {
        let check = |schedule: &str, expected: &str| {
            let error = schedule.parse::<Schedule>().expect_err(schedule);
            assert_eq!(error.kind(), ErrorKind::InvalidArguments);
            let message = error.message();
            assert!(message.contains(expected), "{message}");
        };
        check("", "found 0 fields");
        check("hourly", "found 1 fields");
        check("0 0 * * * *", "found 6 fields");
        check("@daily", "expected '@every'");
        check("61 * * * *", "'schedule' is '61 * * * *'");
        check("0 0 30 2 *", "no such moment ever comes");
        check("@every", "whole numbers with units");
        check("@every10m", "whole numbers with units");
        check("@every 10", "whole numbers with units");
        check("@every -5m", "whole numbers with units");
        check("@every 0s", "whole numbers with units");
        check("@every 99999999999m", "whole numbers with units");
        check("@every 4000000000d", "1 second to 366 days");
        check("* * * * ä", "expected '@every'");
    }
}
