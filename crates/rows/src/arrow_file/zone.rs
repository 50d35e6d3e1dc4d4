//! The time zone of a column of timestamps.

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::{Error, Result};

/// Period of the calendar, and therefore of the rules of all zones.
const SECONDS_PER_400_YEARS: i64 = 146_097 * 86_400;

/// A column's time zone.
#[derive(Clone, Debug)]
pub enum Zone {
    /// UTC, printed as `Z`.
    Utc,
    /// A fixed offset, seconds east of UTC.
    Fixed(i32),
    /// A zone with daylight saving and history.
    Named(TimeZone),
}

impl Zone {
    /// The zone of a name in Arrow's spelling: `UTC`, `+05:30` or `Europe/Berlin`.
    ///
    /// # Errors
    /// `Internal`: the time zone database does not contain the name.
    pub fn named(name: &str) -> Result<Self> {
        if matches!(name, "UTC" | "Z" | "+00:00" | "-00:00" | "+0000" | "Etc/UTC" | "GMT") {
            return Ok(Self::Utc);
        }
        if let Some(seconds) = parse_offset(name) {
            return Ok(Self::Fixed(seconds));
        }
        TimeZone::get(name).map(Self::Named).map_err(|error| {
            Error::internal(format!("cannot read timestamps of the time zone '{name}'"), error)
        })
    }

    /// Its name, unless it is only an offset.
    pub fn name(&self) -> Option<&str> {
        match self {
            Self::Utc => Some("UTC"),
            Self::Fixed(_) => None,
            Self::Named(zone) => zone.iana_name(),
        }
    }

    /// Seconds east of UTC at an instant.
    pub fn offset_seconds(&self, unix_seconds: i64) -> i32 {
        match self {
            Self::Utc => 0,
            Self::Fixed(seconds) => *seconds,
            Self::Named(zone) => {
                let (least, largest) = (Timestamp::MIN.as_second(), Timestamp::MAX.as_second());
                // Beyond the years that the database covers, the calendar and therefore the rules repeat.
                let beyond = unix_seconds.saturating_sub(largest).max(0);
                let cycles = (beyond + SECONDS_PER_400_YEARS - 1) / SECONDS_PER_400_YEARS;
                let seconds = (unix_seconds - cycles * SECONDS_PER_400_YEARS).max(least);
                let moment = Timestamp::from_second(seconds).unwrap_or(Timestamp::UNIX_EPOCH);
                zone.to_offset(moment).seconds()
            }
        }
    }
}

/// Parses `+HH:MM`, `-HHMM` or `+HH` into seconds east of UTC, up to 18 hours as in ISO-8601 libraries.
pub fn parse_offset(text: &str) -> Option<i32> {
    let (sign, digits) = match text.as_bytes().split_first()? {
        (b'+', digits) => (1, digits),
        (b'-', digits) => (-1, digits),
        _ => return None,
    };
    let pair = |tens: u8, ones: u8| {
        (tens.is_ascii_digit() && ones.is_ascii_digit())
            .then(|| i32::from(tens - b'0') * 10 + i32::from(ones - b'0'))
    };
    let (hours, minutes) = match *digits {
        [a, b] => (pair(a, b)?, 0),
        [a, b, c, d] | [a, b, b':', c, d] => (pair(a, b)?, pair(c, d)?),
        _ => return None,
    };
    (hours <= 18 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}
