//! Time zones by their names in SQL: of the IANA database, and offsets from UTC.

use jiff::tz::TimeZone;

/// A zone by its IANA name in the spelling of the list, `UTC` or an offset such as `+01:00`.
pub(crate) fn zone(name: &str) -> Option<TimeZone> {
    if name == "UTC" || name == "Z" {
        return Some(TimeZone::UTC);
    }
    if let Some(seconds) = offset_seconds(name) {
        return Some(TimeZone::fixed(jiff::tz::Offset::from_seconds(seconds).ok()?));
    }
    TimeZone::get(name).ok().filter(|zone| zone.iana_name() == Some(name))
}

fn offset_seconds(name: &str) -> Option<i32> {
    let sign = match name.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let (hours, minutes) = match name[1..].split_once(':') {
        Some(parts) => parts,
        None if name.len() == 5 => name[1..].split_at(2),
        None => (&name[1..], "0"),
    };
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours <= 14 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
}
