//! Parses a setting's value: sizes `2MiB`, durations `10m`, counts, switches.

use std::time::Duration;

const SIZE_UNITS: &[(&str, u64)] = &[
    ("TiB", 1 << 40),
    ("GiB", 1 << 30),
    ("MiB", 1 << 20),
    ("KiB", 1 << 10),
    ("TB", 1_000_000_000_000),
    ("GB", 1_000_000_000),
    ("MB", 1_000_000),
    ("kB", 1000),
    ("KB", 1000),
    ("B", 1),
    ("", 1),
];

const DURATION_UNITS: &[(&str, u64)] =
    &[("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000), ("", 1000)];

/// Bytes of `2MiB`, `1.5 GB` or `4096`; none if the text is not a size or exceeds 64 bits.
pub(crate) fn parse_size(text: &str) -> Option<u64> {
    parse_with_unit(text, SIZE_UNITS)
}

/// The time of `10m`, `1.5h`, `250ms` or `90`, which is seconds; none if the text is not a duration.
pub(crate) fn parse_duration(text: &str) -> Option<Duration> {
    parse_with_unit(text, DURATION_UNITS).map(Duration::from_millis)
}

/// A switch: `true` or `false`.
pub(crate) fn parse_switch(text: &str) -> Option<bool> {
    text.parse().ok()
}

/// A count from 0.
pub(crate) fn parse_count(text: &str) -> Option<usize> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// A decimal number with an optional unit, in exact integer arithmetic; a fraction that is not a whole number of the
/// smallest unit is refused, not rounded.
fn parse_with_unit(text: &str, units: &[(&str, u64)]) -> Option<u64> {
    const MAX_FRACTION_DIGITS: usize = 9;
    let end = text.find(|char: char| !char.is_ascii_digit() && char != '.').unwrap_or(text.len());
    let (number, unit) = (&text[..end], text[end..].trim_start_matches(' '));
    let &(_, factor) = units.iter().find(|(name, _)| *name == unit)?;
    let (whole, fraction) = match number.split_once('.') {
        Some((_, "")) => return None,
        Some((whole, fraction)) => (whole, fraction),
        None => (number, ""),
    };
    if whole.is_empty() || fraction.len() > MAX_FRACTION_DIGITS || fraction.contains('.') {
        return None;
    }
    let whole: u128 = whole.parse().ok()?;
    let mut total = whole.checked_mul(u128::from(factor))?;
    if !fraction.is_empty() {
        let denominator = 10u128.pow(u32::try_from(fraction.len()).ok()?);
        let numerator = fraction.parse::<u128>().ok()?.checked_mul(u128::from(factor))?;
        if numerator % denominator != 0 {
            return None;
        }
        total = total.checked_add(numerator / denominator)?;
    }
    u64::try_from(total).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sizes() {
        let check = |text, expected| assert_eq!(parse_size(text), expected, "{text}");
        check("2MiB", Some(2 << 20));
        check("4 GiB", Some(4 << 30));
        check("1.5KiB", Some(1536));
        check("4096", Some(4096));
        check("10MB", Some(10_000_000));
        check("0", Some(0));
        check("0.3B", None);
        check("", None);
        check("MiB", None);
        check("-1MiB", None);
        check("1..5MiB", None);
        check("1.MiB", None);
        check("2 mib", None);
        check("99999999999999999999999", None);
        check("18446744073709551615", Some(u64::MAX));
        check("18446744073709551616", None);
    }

    #[test]
    fn durations() {
        let check = |text, expected: Option<u64>| {
            assert_eq!(parse_duration(text), expected.map(Duration::from_millis), "{text}");
        };
        check("10m", Some(600_000));
        check("7d", Some(7 * 86_400_000));
        check("1.5h", Some(5_400_000));
        check("250ms", Some(250));
        check("900", Some(900_000));
        check("0", Some(0));
        check("1m30s", None);
        check("ten", None);
        check("-5s", None);
        check("1.0001s", None);
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(text in ".*") {
            let _ = (parse_size(&text), parse_duration(&text), parse_count(&text), parse_switch(&text));
        }

        #[test]
        fn a_whole_number_of_units_is_exact(number in 0u64..1_000_000, unit in 0usize..SIZE_UNITS.len()) {
            let (name, factor) = SIZE_UNITS[unit];
            prop_assert_eq!(parse_size(&format!("{number}{name}")), number.checked_mul(factor));
        }
    }
}
