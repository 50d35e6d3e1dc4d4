//! Names of time zones in Trino's spelling: `UTC`, an offset such as `+05:30`, or a name of the IANA database; and the zone
//! of the values of a type.

use std::fmt;

use jiff::tz::TimeZone;
use rowhouse_model::calendar::MILLIS_PER_DAY;

use super::{RowField, Type};
use crate::date_time_text::fixed_offset_seconds;

/// The default zone.
pub const UTC: &str = "UTC";

/// The largest offset from UTC in minutes, as in Trino.
const MAX_OFFSET_MINUTES: i32 = 14 * 60;

/// Names of UTC, also valid with the prefix `Etc/`.
const NAMES_OF_UTC: [&str; 8] = ["UTC", "GMT", "GMT0", "UT", "UCT", "Z", "Zulu", "Greenwich"];

/// Names of the IANA database that Java does not have.
const NOT_IN_JAVA: [&str; 4] = ["EST", "MST", "HST", "ROC"];

/// The zone of the values of a type (D92). In Trino each value has its own; here a value is a moment, and the type has the
/// zone.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Zone {
    name: String,
    zones: Zones,
}

/// The zones that the values of a type have in Trino (D159): that of the type, except as it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Zones(u8);

impl Zones {
    /// That of the type.
    pub const ONE: Self = Self(0);
    /// Values of texts may have another, which their text names.
    pub const OF_TEXTS: Self = Self(1);
    /// Values without a zone have that of the session.
    pub const OF_SESSION: Self = Self(2);
    /// Values of several zones meet.
    pub const SEVERAL: Self = Self(4);
    /// There are no values: all are NULL.
    pub const OF_NULLS: Self = Self(8);

    /// The zones of values of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Without these exceptions.
    #[must_use]
    pub const fn without(self, these: Self) -> Self {
        Self(self.0 & !these.0)
    }

    /// Whether one of these exceptions holds.
    pub const fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }

    /// In a session with the type's zone, or with another.
    #[must_use]
    pub const fn in_session(self, has_zone_of_type: bool) -> Self {
        let others = self.without(Self::OF_SESSION.and(Self::OF_NULLS));
        if has_zone_of_type || !self.has(Self::OF_SESSION) { others } else { others.and(Self::SEVERAL) }
    }
}

impl Zone {
    /// The zone that all values have.
    ///
    /// `name` is canonical (see [`canonical_zone`]).
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), zones: Zones::ONE }
    }

    /// The default zone.
    pub fn utc() -> Self {
        Self::new(UTC)
    }

    /// `UTC`, `+HH:MM` or an IANA name, in the spelling of [`canonical_zone`].
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The zones that the values have in Trino.
    pub const fn zones(&self) -> Zones {
        self.zones
    }

    /// The same, with values of these zones too.
    #[must_use]
    pub fn and(self, zones: Zones) -> Self {
        Self { zones: self.zones.and(zones), ..self }
    }

    /// The zone of a column with values of both: UTC if they differ.
    #[must_use]
    pub fn with(&self, other: &Self) -> Self {
        if self.zones.has(Zones::OF_NULLS) {
            return other.clone();
        }
        if self.name == other.name || other.zones.has(Zones::OF_NULLS) {
            return self.clone().and(other.zones.without(Zones::OF_NULLS));
        }
        Self::utc().and(Zones::SEVERAL)
    }

    /// Whether a column of this zone may have values of `other`: it says so if theirs may be another.
    pub fn takes(&self, other: &Self) -> bool {
        self.zones.has(Zones::SEVERAL)
            || other.zones.has(Zones::OF_NULLS)
            || self.name == other.name && !self.zones.has(Zones::OF_NULLS)
    }
}

/// The offset from UTC of the values of a type `time with time zone`, like [`Zone`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Offset {
    minutes: i16,
    zones: Zones,
}

impl Offset {
    /// The offset that all values have, -840 to 840 minutes east of UTC.
    pub const fn new(minutes: i16) -> Self {
        Self { minutes, zones: Zones::ONE }
    }

    /// Minutes east of UTC.
    pub const fn minutes(self) -> i16 {
        self.minutes
    }

    /// The offsets that the values have in Trino.
    pub const fn zones(self) -> Zones {
        self.zones
    }

    /// The same, with values of these offsets too.
    #[must_use]
    pub const fn and(self, zones: Zones) -> Self {
        Self { minutes: self.minutes, zones: self.zones.and(zones) }
    }

    /// The offset of a column with values of both: that of UTC if they differ.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        if self.zones.has(Zones::OF_NULLS) {
            return other;
        }
        if self.minutes == other.minutes || other.zones.has(Zones::OF_NULLS) {
            return self.and(other.zones.without(Zones::OF_NULLS));
        }
        Self::new(0).and(Zones::SEVERAL)
    }

    /// Whether a column of this offset may have values of `other`: it says so if theirs may be another.
    pub const fn takes(self, other: Self) -> bool {
        self.zones.has(Zones::SEVERAL)
            || other.zones.has(Zones::OF_NULLS)
            || self.minutes == other.minutes && !self.zones.has(Zones::OF_NULLS)
    }
}

impl Type {
    /// The type with all its zones replaced by UTC: in Trino they are no part of it.
    #[must_use]
    pub fn without_zones(&self) -> Self {
        match self {
            Self::TimestampWithTimeZone { precision, .. } => {
                Self::TimestampWithTimeZone { precision: *precision, zone: Zone::utc() }
            }
            Self::TimeWithTimeZone { precision, .. } => {
                Self::TimeWithTimeZone { precision: *precision, offset: Offset::new(0) }
            }
            Self::Array(element) => Self::array(element.without_zones()),
            Self::Map(key, value) => Self::map(key.without_zones(), value.without_zones()),
            Self::Row(fields) => Self::Row(
                fields
                    .iter()
                    .map(|field| RowField {
                        name: field.name.clone(),
                        data_type: field.data_type.without_zones(),
                    })
                    .collect(),
            ),
            other => other.clone(),
        }
    }
}

impl fmt::Display for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// The canonical name of a zone, as Trino displays it; `None` if Trino does not have the zone. Case-sensitive.
pub fn canonical_zone(name: &str) -> Option<String> {
    let plain = name.strip_prefix("Etc/").unwrap_or(name);
    if NAMES_OF_UTC.contains(&plain) || plain == "Universal" {
        return Some(UTC.to_owned());
    }
    if let Some(minutes) = offset_minutes(name) {
        return Some(offset_zone(minutes));
    }
    for prefix in ["UTC", "GMT", "UT"] {
        // The sign of names in `Etc` is inverted: `Etc/GMT+5` is west of Greenwich, `GMT+5` east of it.
        let sign = if plain.len() < name.len() { -1 } else { 1 };
        if let Some(minutes) = plain.strip_prefix(prefix).and_then(offset_minutes) {
            return Some(offset_zone(minutes * sign));
        }
    }
    if NOT_IN_JAVA.contains(&name) {
        return None;
    }
    let zone = TimeZone::get(name).ok()?;
    zone.iana_name().filter(|known| *known == name).map(str::to_owned)
}

/// The name of the zone with an offset in minutes east of UTC.
pub fn offset_zone(minutes: i32) -> String {
    if minutes == 0 {
        return UTC.to_owned();
    }
    let sign = if minutes < 0 { '-' } else { '+' };
    format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
}

/// Parses `+05:30`, `-0800` or `+1` to minutes east of UTC; `None` for named zones and for more than 14 hours.
pub fn offset_minutes(zone: &str) -> Option<i32> {
    let minutes = i32::try_from(fixed_offset_seconds(zone)? / 60).ok()?;
    (minutes.abs() <= MAX_OFFSET_MINUTES).then_some(minutes)
}

/// The local date of a zone, in days since 1970-01-01, at a time in milliseconds since the epoch.
pub fn local_day(zone: &str, unix_millis: i64) -> i32 {
    let local = unix_millis + offset_at(zone, unix_millis.div_euclid(1000)) * 1000;
    // OK because the range of dates is far smaller.
    i32::try_from(local.div_euclid(MILLIS_PER_DAY)).unwrap_or(i32::MAX)
}

/// The offset of a zone in seconds east of UTC, at a time in seconds since the epoch; 0 for an unknown zone.
pub fn offset_at(zone: &str, unix_seconds: i64) -> i64 {
    if let Some(minutes) = offset_minutes(zone) {
        return i64::from(minutes) * 60;
    }
    match (TimeZone::get(zone), jiff::Timestamp::from_second(unix_seconds)) {
        (Ok(zone), Ok(moment)) => i64::from(zone.to_offset(moment).seconds()),
        _ => 0,
    }
}

/// Period of the Gregorian calendar, and therefore of the rules of zones.
const SECONDS_PER_400_YEARS: i64 = 146_097 * 86_400;

/// A second with the same rules of zones, at most `last_known` and not before the first that the zone database knows. The
/// rules repeat with the calendar, and before the year -9999 they are those of that year.
pub fn known_second(second: i64, last_known: i64) -> i64 {
    let beyond = second.saturating_sub(last_known).max(0);
    let periods = (beyond + SECONDS_PER_400_YEARS - 1) / SECONDS_PER_400_YEARS;
    (second - periods * SECONDS_PER_400_YEARS).max(jiff::Timestamp::MIN.as_second())
}

/// The most similar name of the IANA database for an unknown zone.
pub fn nearest_zone(name: &str) -> Option<String> {
    if name.len() > 64 {
        return None;
    }
    let names: Vec<String> = jiff::tz::db().available().map(|known| known.to_string()).collect();
    let in_other_case = names.iter().find(|known| known.eq_ignore_ascii_case(name));
    in_other_case
        .map(String::as_str)
        .or_else(|| rowhouse_filters::nearest(name, names.iter().map(String::as_str)))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_is_that_of_all_values_only_if_they_have_it() {
        let (utc, tokyo) = (Zone::utc(), Zone::new("Asia/Tokyo"));
        let of_text = Zone::utc().and(Zones::OF_TEXTS);
        let of_session = Zone::utc().and(Zones::OF_SESSION);
        let nulls = Zone::utc().and(Zones::OF_NULLS);
        for (left, right, name, zones) in [
            (&utc, &utc, "UTC", Zones::ONE),
            (&tokyo, &tokyo, "Asia/Tokyo", Zones::ONE),
            (&utc, &tokyo, "UTC", Zones::SEVERAL),
            (&utc, &of_text, "UTC", Zones::OF_TEXTS),
            (&of_text, &of_session, "UTC", Zones::OF_TEXTS.and(Zones::OF_SESSION)),
            (&of_text, &tokyo, "UTC", Zones::SEVERAL),
            (&utc, &utc.with(&tokyo), "UTC", Zones::SEVERAL),
            (&nulls, &tokyo, "Asia/Tokyo", Zones::ONE),
            (&nulls, &of_text, "UTC", Zones::OF_TEXTS),
            (&nulls, &nulls, "UTC", Zones::OF_NULLS),
        ] {
            for met in [left.with(right), right.with(left)] {
                assert_eq!((met.name(), met.zones()), (name, zones), "{left} and {right}");
            }
            let offset =
                |zone: &Zone| Offset::new(if zone.name() == UTC { 0 } else { 540 }).and(zone.zones());
            assert_eq!(offset(left).with(offset(right)).zones(), zones, "{left} and {right}");
        }
        assert!(tokyo.takes(&nulls) && tokyo.takes(&tokyo) && !tokyo.takes(&utc) && !nulls.takes(&utc));
        assert!(utc.with(&tokyo).takes(&tokyo));
        let both = Zones::OF_TEXTS.and(Zones::OF_SESSION);
        assert_eq!(both.in_session(true), Zones::OF_TEXTS);
        assert_eq!(both.in_session(false), Zones::OF_TEXTS.and(Zones::SEVERAL));
        assert_eq!(Zones::ONE.in_session(false), Zones::ONE);
    }

    #[test]
    fn zone_names_match_trino() {
        for (name, expected) in [
            ("UTC", Some("UTC")),
            ("Z", Some("UTC")),
            ("GMT", Some("UTC")),
            ("Etc/UTC", Some("UTC")),
            ("Zulu", Some("UTC")),
            ("+00:00", Some("UTC")),
            ("+2", Some("+02:00")),
            ("-0530", Some("-05:30")),
            ("UTC+2", Some("+02:00")),
            ("GMT+02:00", Some("+02:00")),
            ("Etc/GMT+5", Some("-05:00")),
            ("US/Eastern", Some("US/Eastern")),
            ("America/New_York", Some("America/New_York")),
            ("utc", None),
            ("america/new_york", None),
            ("EST", None),
            ("+15:00", None),
            ("nope", None),
            ("", None),
        ] {
            assert_eq!(canonical_zone(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn the_nearest_zone_is_suggested() {
        assert_eq!(nearest_zone("america/new_york").as_deref(), Some("America/New_York"));
        assert_eq!(nearest_zone("Europe/Berln").as_deref(), Some("Europe/Berlin"));
        assert_eq!(nearest_zone("x").as_deref(), None);
    }
}
