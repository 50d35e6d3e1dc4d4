//! The clock of a time zone: local time at an instant, and the instant of a local time. If a clock is set forward,
//! local times are skipped; if it is set back, they are repeated. Both cases are resolved as by Joda-Time, which
//! Trino's functions use.

use jiff::tz::TimeZone;

use super::calendar::units_per_second;
use super::zone::zone;
use rowhouse_sql::types::{Type, known_second};

const SECONDS_PER_DAY: i64 = 86_400;

/// The clock of one zone, for values of one type.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    zone: TimeZone,
    per_second: i64,
}

impl Clock {
    /// The clock of a zone in the units of a type; `None` for an unknown zone.
    pub(crate) fn new(name: &str, data_type: &Type) -> Option<Self> {
        Some(Self { zone: zone(name)?, per_second: units_per_second(data_type) })
    }

    /// The clock of a zoned timestamp type; `None` for other types.
    pub(crate) fn of(data_type: &Type) -> Option<Self> {
        match data_type {
            Type::TimestampWithTimeZone { zone, .. } => Self::new(zone.name(), data_type),
            _ => None,
        }
    }

    /// The local time at an instant.
    pub(crate) fn shown_at(&self, moment: i64) -> i64 {
        moment.saturating_add(self.offset(moment))
    }

    /// The offset from UTC at an instant, in the type's units; positive if local time is ahead.
    pub(crate) fn offset(&self, moment: i64) -> i64 {
        let second = known_second(moment.div_euclid(self.per_second), jiff::Timestamp::MAX.as_second());
        let known = jiff::Timestamp::from_second(second).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        i64::from(self.zone.to_offset(known).seconds()) * self.per_second
    }

    /// The instant of a local time. If there are two, it is the one with the offset at the instant `nearby`, otherwise
    /// the one that Joda-Time takes. A skipped local time counts from before the change.
    pub(crate) fn moment_of(&self, shown: i64, nearby: i64) -> Option<i64> {
        let own = self.offset(nearby);
        let moment = shown.checked_sub(own)?;
        if self.offset(moment) == own {
            return Some(moment);
        }
        let day = SECONDS_PER_DAY * self.per_second;
        let (before, after) = (self.offset(shown.checked_sub(day)?), self.offset(shown.checked_add(day)?));
        let is_shown_with = |offset: i64| self.offset(shown - offset) == offset;
        let offset = match (is_shown_with(before), is_shown_with(after)) {
            // Joda-Time first takes the local time for UTC.
            (true, true) => self.offset(shown),
            (false, true) => after,
            (_, false) => before,
        };
        shown.checked_sub(offset)
    }

    /// The first instant of a local time. A skipped local time counts from before the change.
    pub(crate) fn first_moment_of(&self, shown: i64) -> Option<i64> {
        let day = SECONDS_PER_DAY * self.per_second;
        let (before, after) = (self.offset(shown.checked_sub(day)?), self.offset(shown.checked_add(day)?));
        let is_shown_with = |offset: i64| self.offset(shown - offset) == offset;
        let offset = if is_shown_with(before) || !is_shown_with(after) { before } else { after };
        shown.checked_sub(offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conversion::time_text::{parse_timestamp, timestamp_to_text};

    const MILLIS: Type = Type::Timestamp { precision: 3 };

    fn units(text: &str) -> i64 {
        parse_timestamp(text, &MILLIS).expect("a timestamp")
    }

    #[track_caller]
    fn check(zone: &str, shown: &str, nearby: &str, expected: &str) {
        let clock = Clock::new(zone, &MILLIS).expect("a zone");
        let moment = clock.moment_of(units(shown), units(nearby)).expect("a moment");
        assert_eq!(timestamp_to_text(moment, &MILLIS, 0, ' '), expected, "{shown} near {nearby}");
    }

    #[test]
    fn a_repeated_local_time_resolves_to_the_nearby_offset() {
        check("Europe/Berlin", "2024-10-27 02:30:00", "2024-10-26 00:00:00", "2024-10-27 00:30:00");
        check("Europe/Berlin", "2024-10-27 02:30:00", "2024-10-28 00:00:00", "2024-10-27 01:30:00");
        check("America/New_York", "2024-11-03 01:30:00", "2024-11-02 00:00:00", "2024-11-03 05:30:00");
        check("America/New_York", "2024-11-03 01:30:00", "2024-11-04 00:00:00", "2024-11-03 06:30:00");
    }

    #[test]
    fn a_skipped_local_time_uses_the_offset_before_the_change() {
        for nearby in ["2024-03-30 00:00:00", "2024-04-01 00:00:00"] {
            check("Europe/Berlin", "2024-03-31 02:30:00", nearby, "2024-03-31 01:30:00");
        }
        check("Pacific/Apia", "2011-12-30 12:00:00", "2012-01-05 00:00:00", "2011-12-30 22:00:00");
    }

    #[test]
    fn the_first_instant_of_a_repeated_local_time_is_taken() {
        let clock = Clock::new("Europe/Berlin", &MILLIS).expect("a zone");
        for (shown, expected) in [
            ("2024-10-27 02:30:00", "2024-10-27 00:30:00"),
            ("2024-03-31 02:30:00", "2024-03-31 01:30:00"),
            ("2024-07-01 00:00:00", "2024-06-30 22:00:00"),
            ("20240-07-01 00:00:00", "+20240-06-30 22:00:00"),
        ] {
            let moment = clock.first_moment_of(units(shown)).expect("a moment");
            assert_eq!(timestamp_to_text(moment, &MILLIS, 0, ' '), expected, "{shown}");
        }
    }

    #[test]
    fn daylight_saving_rules_repeat_beyond_the_database_years() {
        let clock = Clock::new("Europe/Berlin", &MILLIS).expect("a zone");
        let of_year = |year: i64, month: &str| {
            let days = rowhouse_model::calendar::days_from_civil(year, month.parse().expect("a month"), 15);
            clock.offset(days * 86_400_000)
        };
        for year in [2024, 9998, 10_000, 10_399, 10_400, 73_000] {
            assert_eq!((of_year(year, "1"), of_year(year, "7")), (3_600_000, 7_200_000), "{year}");
        }
        assert_eq!(of_year(-20_000, "7"), of_year(1700, "7"));
    }
}
