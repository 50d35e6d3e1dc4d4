//! Lists of preferences in `Accept` and `Accept-Encoding`: names with their q-values.

use http::HeaderMap;
use http::header::HeaderName;

/// The names of a preference header, each with its quality in thousandths; 1000 where none is given. A
/// malformed quality counts as 0: the name is then not wanted.
pub(crate) fn qualities(headers: &HeaderMap, header: &HeaderName) -> Vec<(String, u32)> {
    let values = headers.get_all(header).iter().filter_map(|value| value.to_str().ok());
    let entries = values.flat_map(|value| value.split(',')).map(str::trim).filter(|entry| !entry.is_empty());
    entries
        .map(|entry| {
            let mut parts = entry.split(';').map(str::trim);
            let name = parts.next().unwrap_or_default().to_ascii_lowercase();
            let quality = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
            (name, quality.map_or(1000, thousandths))
        })
        .collect()
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
}
