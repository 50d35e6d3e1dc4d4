//! Human-readable amounts: counts, durations and data sizes with their units.

use polars::prelude::PolarsResult;

use super::super::invalid;
use crate::conversion::to_text;
use crate::datum::Datum;
use crate::numeric::out_of_range;
use rowhouse_sql::types::Type;

/// Seconds of each unit, the longest first.
const LENGTHS: [(i64, &str); 5] =
    [(604_800, "week"), (86_400, "day"), (3600, "hour"), (60, "minute"), (1, "second")];

/// Formats seconds, rounded half up, without the sign.
pub(super) fn human_readable_seconds(seconds: f64) -> PolarsResult<String> {
    if !seconds.is_finite() {
        let shown = to_text(&Datum::Double(seconds), &Type::Double);
        return Err(invalid(format!("Invalid argument found: {shown}")));
    }
    #[expect(clippy::cast_possible_truncation, reason = "Trino stays at the limit, too")]
    let mut rest = (seconds.abs() + 0.5).floor() as i64;
    let mut parts = Vec::new();
    for (length, unit) in LENGTHS {
        let count = rest / length;
        rest %= length;
        if count > 0 {
            parts.push(format!("{count} {unit}{}", if count == 1 { "" } else { "s" }));
        }
    }
    Ok(if parts.is_empty() { "0 seconds".to_owned() } else { parts.join(", ") })
}

/// Formats a count with three digits and a unit of thousands, `K` to `Q`.
pub(super) fn format_number(count: i64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
    let mut value = count as f64;
    let mut unit = "";
    for larger in ["K", "M", "B", "T", "Q"] {
        if value.abs() < 1000.0 {
            break;
        }
        value /= 1000.0;
        unit = larger;
    }
    let digits = if value < 10.0 {
        2
    } else if value < 100.0 {
        1
    } else {
        0
    };
    let text = rounded_half_up(value, digits);
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text.as_str() };
    format!("{text}{unit}")
}

/// Formats a number with `digits` fractional digits. The exact value is rounded, not its shortest text.
fn rounded_half_up(value: f64, digits: usize) -> String {
    // A double below 1000 has at most 52 fractional digits.
    let exact = format!("{value:.60}");
    let cut = exact.len() - 60 + digits;
    let (kept, lost) = (exact[..cut].trim_end_matches('.'), &exact[cut..]);
    if lost.trim_start_matches('.') < "5" {
        return kept.to_owned();
    }
    let mut next: Vec<u8> = kept.bytes().collect();
    for at in (0..next.len()).rev() {
        match next[at] {
            b'9' => next[at] = b'0',
            b'0'..=b'8' => {
                next[at] += 1;
                return String::from_utf8(next).unwrap_or_default();
            }
            _ => {}
        }
    }
    let first_digit = usize::from(kept.starts_with('-'));
    next.insert(first_digit, b'1');
    String::from_utf8(next).unwrap_or_default()
}

/// Splits a text into a number and the letters after it; spaces around both are ignored.
fn number_and_unit(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_matches(|character: char| character.is_ascii_whitespace() || character == '\u{b}');
    let end =
        text.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let is_digits = |digits: &str| !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let is_number = match number.split_once('.') {
        Some((whole, fraction)) => is_digits(whole) && is_digits(fraction),
        None => is_digits(number),
    };
    let unit =
        unit.trim_start_matches(|character: char| character.is_ascii_whitespace() || character == '\u{b}');
    let is_unit = !unit.is_empty() && unit.bytes().all(|letter| letter.is_ascii_alphabetic());
    (is_number && is_unit).then_some((number, unit))
}

/// Parses a duration into milliseconds, rounded half up.
pub(super) fn parse_duration(text: &str) -> PolarsResult<i64> {
    if text.is_empty() {
        return Err(invalid("duration is empty"));
    }
    let (number, unit) = number_and_unit(text)
        .ok_or_else(|| invalid(format!("duration is not a valid data duration string: {text}")))?;
    let millis = match unit {
        "ns" => 1.0 / 1_000_000.0,
        "us" => 1.0 / 1000.0,
        "ms" => 1.0,
        "s" => 1000.0,
        "m" => 60_000.0,
        "h" => 3_600_000.0,
        "d" => 86_400_000.0,
        _ => return Err(invalid(format!("Unknown time unit: {unit}"))),
    };
    let value = number.parse::<f64>().unwrap_or(f64::INFINITY);
    let rounded = (value * millis + 0.5).floor();
    if rounded >= 2f64.powi(63) {
        return Err(invalid(format!("the duration {text} is too large")));
    }
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    Ok(rounded as i64)
}

/// Parses a data size into bytes; a fraction of a byte is truncated.
pub(super) fn parse_data_size(text: &str) -> PolarsResult<i128> {
    let fault = || invalid(format!("Invalid data size: '{text}'"));
    let end =
        text.find(|character: char| !character.is_ascii_digit() && character != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let places = ["B", "kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"];
    let place = places.iter().position(|known| *known == unit).ok_or_else(fault)?;
    let factor = 1i128 << (10 * place);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if (whole.is_empty() && fraction.is_empty()) || fraction.contains('.') {
        return Err(fault());
    }
    let too_large = || out_of_range(format!("Value out of range: '{text}'"));
    let whole = if whole.is_empty() { 0 } else { whole.parse::<i128>().map_err(|_| too_large())? };
    let bytes = whole.checked_mul(factor).and_then(|bytes| bytes.checked_add(part_of(fraction, factor)));
    let bytes = bytes.filter(|bytes| *bytes < 10i128.pow(38));
    bytes.ok_or_else(too_large)
}

/// The integer part of `factor` times the fraction with these digits.
fn part_of(fraction: &str, factor: i128) -> i128 {
    // Long division, beginning with the last digit.
    fraction.bytes().rev().fold(0, |carried, digit| (carried + i128::from(digit - b'0') * factor) / 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_sizes_are_truncated_to_whole_bytes() {
        for (text, expected) in
            [("1.5kB", 1536), ("0.9999kB", 1023), ("2.B", 2), (".5MB", 524_288), ("1B", 1)]
        {
            assert_eq!(parse_data_size(text).expect("a size"), expected, "{text}");
        }
        assert!(parse_data_size("1KB").is_err());
        assert!(parse_data_size(".B").is_err());
    }

    #[test]
    fn counts_have_three_digits() {
        for (count, expected) in [
            (0, "0"),
            (999, "999"),
            (1000, "1K"),
            (1_234_567, "1.23M"),
            (12_345, "12.3K"),
            (999_999, "1000K"),
            (-1999, "-2K"),
            (i64::MIN, "-9223.37Q"),
        ] {
            assert_eq!(format_number(count), expected, "{count}");
        }
    }
}
