//! Time zones by their names in SQL: names of the IANA database, and offsets from UTC.

use jiff::tz::TimeZone;
use rowhouse_sql::types::{UTC, canonical_zone, offset_minutes};

/// The zone of an IANA name, in which letter case matters, of `UTC` or of an offset such as `+01:00`.
pub(crate) fn zone(name: &str) -> Option<TimeZone> {
    let name = canonical_zone(name)?;
    if name == UTC {
        return Some(TimeZone::UTC);
    }
    if let Some(minutes) = offset_minutes(&name) {
        return Some(TimeZone::fixed(jiff::tz::Offset::from_seconds(minutes * 60).ok()?));
    }
    TimeZone::get(&name).ok()
}
