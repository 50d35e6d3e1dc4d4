//! Time zones by their names in SQL: of the IANA database, and offsets from UTC.

use jiff::tz::TimeZone;
use rowhouse_sql::date_time_text::fixed_offset_seconds;

/// The farthest from UTC, as in Trino.
const MAX_OFFSET_SECONDS: i64 = 14 * 3600;

/// A zone by its IANA name in the spelling of the list, `UTC` or an offset such as `+01:00`.
pub(crate) fn zone(name: &str) -> Option<TimeZone> {
    if name == "UTC" || name == "Z" {
        return Some(TimeZone::UTC);
    }
    if let Some(seconds) = fixed_offset_seconds(name).filter(|seconds| seconds.abs() <= MAX_OFFSET_SECONDS) {
        return Some(TimeZone::fixed(jiff::tz::Offset::from_seconds(i32::try_from(seconds).ok()?).ok()?));
    }
    TimeZone::get(name).ok().filter(|zone| zone.iana_name() == Some(name))
}
