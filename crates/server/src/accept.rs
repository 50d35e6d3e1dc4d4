//! Preference lists of `Accept` and `Accept-Encoding`: names with their q-values, and the preference for a media type
//! (RFC 9110, section 12.5.1).

use http::HeaderMap;
use http::header::HeaderName;

/// Later entries of a list are not read: over HTTP/2 some bytes stand for tens of thousands, and need no token.
pub(crate) const MAX_ENTRIES: usize = 100;

/// The names of a preference header, each with its quality in thousandths; default 1000. A malformed quality counts as
/// 0: the name is not acceptable.
pub(crate) fn qualities(headers: &HeaderMap, header: &HeaderName) -> Vec<(String, u32)> {
    let values = headers.get_all(header).iter().filter_map(|value| value.to_str().ok());
    let entries = values.flat_map(|value| value.split(',')).take(MAX_ENTRIES);
    let entries = entries.map(str::trim).filter(|entry| !entry.is_empty());
    entries
        .map(|entry| {
            let mut parts = entry.split(';').map(str::trim);
            let name = parts.next().unwrap_or_default().to_ascii_lowercase();
            let quality = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
            (name, quality.map_or(1000, thousandths))
        })
        .collect()
}

/// The preference for a media type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Preference {
    /// In thousandths; 0 means not acceptable.
    pub(crate) quality: u32,
    /// Index of the list entry that says so.
    pub(crate) place: usize,
}

/// The preference of the most specific range that covers a media type: the type itself precedes `type/*`, which
/// precedes `*/*`. `names` are the spellings of the one type. None if no range covers it.
pub(crate) fn preference(accepted: &[(String, u32)], names: &[&str]) -> Option<Preference> {
    let specificity = |range: &str| {
        if names.contains(&range) {
            return Some(2);
        }
        let covers = |kind: &str| {
            names.iter().any(|name| name.split_once('/').is_some_and(|(of_name, _)| of_name == kind))
        };
        match range.strip_suffix("/*") {
            Some("*") => Some(0),
            Some(kind) if covers(kind) => Some(1),
            _ => None,
        }
    };
    let covering = accepted.iter().enumerate().filter_map(|(place, (range, quality))| {
        Some((specificity(range)?, Preference { quality: *quality, place }))
    });
    // The first of equally specific ranges counts.
    covering.rev().max_by_key(|(specificity, _)| *specificity).map(|(_, preference)| preference)
}

/// `0.5` is 500: a digit 0 or 1, and up to three digits after a point.
fn thousandths(text: &str) -> u32 {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let is_sound = matches!(whole, "0" | "1")
        && fraction.len() <= 3
        && fraction.bytes().all(|byte| byte.is_ascii_digit());
    if !is_sound {
        return 0;
    }
    format!("{whole}{fraction:0<3}").parse().unwrap_or(0).min(1000)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use http::header::ACCEPT;

    use super::*;

    #[test]
    fn names_and_qualities() {
        let mut headers = HeaderMap::new();
        headers.append(ACCEPT, HeaderValue::from_static("Text/CSV;q=0.25, */*;q=0.1,,"));
        headers.append(ACCEPT, HeaderValue::from_static("a/b ; x=1 ; q=1.000, c/d;q=2, e/f;q=0"));
        let expected = [("text/csv", 250), ("*/*", 100), ("a/b", 1000), ("c/d", 0), ("e/f", 0)];
        let expected: Vec<(String, u32)> = expected.map(|(name, quality)| (name.to_owned(), quality)).into();
        assert_eq!(qualities(&headers, &ACCEPT), expected);
    }

    #[test]
    fn the_first_entries_are_read() {
        let mut headers = HeaderMap::new();
        headers.append(ACCEPT, HeaderValue::from_str(&"a,".repeat(MAX_ENTRIES - 2)).expect("a header value"));
        headers.append(ACCEPT, HeaderValue::from_static("b,c,d"));
        let names: Vec<_> = qualities(&headers, &ACCEPT).into_iter().map(|(name, _)| name).collect();
        assert_eq!((names.len(), names.last().map(String::as_str)), (MAX_ENTRIES - 1, Some("b")));
    }

    #[test]
    fn the_most_specific_range_decides() {
        let check = |accept: &'static str, expected: Option<(u32, usize)>| {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, HeaderValue::from_static(accept));
            let found = preference(&qualities(&headers, &ACCEPT), &["text/csv", "text/comma-separated"]);
            assert_eq!(found.map(|found| (found.quality, found.place)), expected, "{accept}");
        };
        check("text/csv", Some((1000, 0)));
        check("*/*, text/*;q=0.4, text/csv;q=0.2", Some((200, 2)));
        check("text/csv;q=0, */*", Some((0, 0)));
        check("a/b, */*;q=0.1, text/*;q=0.3", Some((300, 2)));
        check("text/csv;q=0.1, text/comma-separated", Some((100, 0)));
        check("texts/*, csv, text, */csv, application/*", None);
        check("*/*;q=0.001", Some((1, 0)));
    }
}
