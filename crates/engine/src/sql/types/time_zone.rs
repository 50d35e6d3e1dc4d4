//! Names of time zones as Trino spells them: `UTC`, an offset such as `+05:30`, or a name of the IANA database.

use jiff::tz::TimeZone;

/// Largest offset from UTC, as in Trino.
const MAX_OFFSET_MINUTES: i32 = 14 * 60;

/// The name under which a zone is shown; none where there is no such zone.
pub fn canonical_zone(name: &str) -> Option<String> {
    if matches!(name, "Z" | "z" | "UTC" | "utc" | "GMT" | "UT") {
        return Some("UTC".to_owned());
    }
    if let Some(minutes) = offset_minutes(name) {
        return Some(offset_zone(minutes));
    }
    Some(TimeZone::get(name).ok()?.iana_name()?.to_owned())
}

/// The zone of so many minutes east of UTC.
pub fn offset_zone(minutes: i32) -> String {
    if minutes == 0 {
        return "UTC".to_owned();
    }
    let sign = if minutes < 0 { '-' } else { '+' };
    format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
}

/// Minutes east of UTC, of `+05:30`, `-0800` or `+1`; none of a zone with a name.
pub fn offset_minutes(zone: &str) -> Option<i32> {
    let (sign, digits) = match (zone.strip_prefix('+'), zone.strip_prefix('-')) {
        (Some(digits), _) => (1, digits),
        (_, Some(digits)) => (-1, digits),
        _ => return None,
    };
    let (hours, minutes) = match digits.split_once(':') {
        Some(parts) => parts,
        None if digits.len() == 4 && digits.is_ascii() => digits.split_at(2),
        None => (digits, "00"),
    };
    let number = |text: &str| {
        let is_number = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| text.parse::<i32>().ok())?
    };
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    let total = hours * 60 + minutes;
    (minutes < 60 && total <= MAX_OFFSET_MINUTES).then_some(sign * total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_have_one_name() {
        for (name, expected) in [
            ("UTC", Some("UTC")),
            ("Z", Some("UTC")),
            ("+00:00", Some("UTC")),
            ("+05:30", Some("+05:30")),
            ("-0800", Some("-08:00")),
            ("+1", Some("+01:00")),
            ("+14:00", Some("+14:00")),
            ("+14:01", None),
            ("+01:60", None),
            ("+", None),
            ("+1:é", None),
            ("Europe/Berlin", Some("Europe/Berlin")),
            ("Nowhere/Else", None),
            ("", None),
        ] {
            assert_eq!(canonical_zone(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn an_offset_reads_back() {
        for minutes in -MAX_OFFSET_MINUTES..=MAX_OFFSET_MINUTES {
            let zone = offset_zone(minutes);
            assert_eq!(offset_minutes(&zone).unwrap_or(0), minutes, "{zone}");
        }
    }
}
