//! A point in time as records store it: ISO-8601 UTC with milliseconds and `Z` (D13).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::calendar::{MILLIS_PER_DAY, civil_from_days, days_from_civil};

/// Milliseconds since 1970-01-01T00:00:00Z; on the wire `2026-01-31T08:15:30.123Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The time at these milliseconds since the epoch.
    pub const fn from_millis(millis: i64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the epoch.
    pub const fn as_millis(self) -> i64 {
        self.0
    }

    /// Year, month, day, hour, minute, second and millisecond.
    const fn fields(self) -> [i64; 7] {
        let (days, millis) = (self.0.div_euclid(MILLIS_PER_DAY), self.0.rem_euclid(MILLIS_PER_DAY));
        let (year, month, day) = civil_from_days(days);
        let seconds = millis / 1000;
        [year, month, day, seconds / 3600, seconds / 60 % 60, seconds % 60, millis % 1000]
    }
}

/// Where the text has the last digit of each field.
const LAST_DIGITS: [usize; 7] = [3, 6, 9, 12, 15, 18, 22];

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = self.fields();
        let [year, month, day, hour, minute, second, millis] = fields;
        if !(0..=9999).contains(&year) {
            return write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z");
        }
        // Every record and every run's id has one: the formatter takes ten times as long.
        let mut text = *b"0000-00-00T00:00:00.000Z";
        for (field, last) in fields.into_iter().zip(LAST_DIGITS) {
            let mut rest = field;
            for digit in text[..=last].iter_mut().rev() {
                if rest == 0 {
                    break;
                }
                *digit += (rest % 10) as u8;
                rest /= 10;
            }
        }
        f.write_str(std::str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

/// The text is not `YYYY-MM-DDTHH:MM:SS.mmmZ`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidTimestamp(String);

impl fmt::Display for InvalidTimestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "'{}' is not a timestamp of the form YYYY-MM-DDTHH:MM:SS.mmmZ", self.0)
    }
}

impl std::error::Error for InvalidTimestamp {}

impl FromStr for Timestamp {
    type Err = InvalidTimestamp;

    fn from_str(text: &str) -> Result<Self, InvalidTimestamp> {
        parse(text).ok_or_else(|| InvalidTimestamp(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Timestamp> {
    let bytes = text.as_bytes();
    let separators = [(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':'), (19, b'.'), (23, b'Z')];
    if bytes.len() != 24 || separators.iter().any(|&(at, separator)| bytes[at] != separator) {
        return None;
    }
    let number = |from: usize, to: usize| -> Option<i64> {
        let digits = text.get(from..to)?;
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
    };
    let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
    let (hour, minute, second, millis) = (number(11, 13)?, number(14, 16)?, number(17, 19)?, number(20, 23)?);
    let days = days_from_civil(year, month, day);
    let is_real = (year, month, day) == civil_from_days(days) && hour < 24 && minute < 60 && second < 60;
    is_real.then_some(Timestamp((((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + millis))
}

impl Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Timestamp;

    fn check(millis: i64, text: &str) {
        let timestamp = Timestamp::from_millis(millis);
        assert_eq!(timestamp.to_string(), text);
        assert_eq!(text.parse(), Ok(timestamp));
        assert_eq!(serde_json::to_string(&timestamp).expect("serialises"), format!("\"{text}\""));
    }

    #[test]
    fn known_moments() {
        check(0, "1970-01-01T00:00:00.000Z");
        check(-1, "1969-12-31T23:59:59.999Z");
        check(951_782_400_000, "2000-02-29T00:00:00.000Z");
        check(1_769_847_330_123, "2026-01-31T08:15:30.123Z");
        check(253_402_300_799_999, "9999-12-31T23:59:59.999Z");
        check(-62_167_219_200_000, "0000-01-01T00:00:00.000Z");
        let other = |millis| Timestamp::from_millis(millis).to_string();
        assert_eq!(other(253_402_300_800_000), "10000-01-01T00:00:00.000Z");
        assert_eq!(other(-62_167_219_200_001), "-001-12-31T23:59:59.999Z");
    }

    #[test]
    fn invalid_timestamps_are_refused() {
        for text in [
            "",
            "2026-01-31",
            "2026-01-31T08:15:30Z",
            "2026-01-31T08:15:30.123",
            "2026-01-31 08:15:30.123Z",
            "2026-02-29T08:15:30.123Z",
            "2026-13-01T08:15:30.123Z",
            "2026-01-00T08:15:30.123Z",
            "2026-01-31T24:00:00.000Z",
            "2026-01-31T08:60:30.123Z",
            "2026-01-31T08:15:60.123Z",
            "2026-01-31T08:15:30.123+",
            "2026-01-31T08:15:+3.123Z",
            "202é-01-31T08:15:30.12Z",
        ] {
            let error = text.parse::<Timestamp>().expect_err(text).to_string();
            assert!(error.contains(&format!("'{text}'")), "{error}");
        }
    }

    proptest! {
        /// Every millisecond of the years with four digits.
        #[test]
        fn text_round_trips_and_sorts_by_time(
            one in -62_167_219_200_000_i64..253_402_300_800_000,
            other in -62_167_219_200_000_i64..253_402_300_800_000,
        ) {
            let (one, other) = (Timestamp::from_millis(one), Timestamp::from_millis(other));
            prop_assert_eq!(one.to_string().parse(), Ok(one));
            prop_assert_eq!(one.cmp(&other), one.to_string().cmp(&other.to_string()));
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,30}") {
            let _ = text.parse::<Timestamp>();
        }
    }
}
