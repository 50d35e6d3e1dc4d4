//! Numbers as text, parsed like Java's classes: in literals, and in casts from varchar.

use std::borrow::Cow;
use std::ops::Neg;
use std::str::FromStr;

/// The zero digits of scripts other than ASCII, in Unicode 16; the other digits follow each.
#[rustfmt::skip]
const ZEROS: [u32; 65] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
    0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50,
    0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10, 0x104a0, 0x10d30, 0x11066, 0x110f0,
    0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0, 0x11730, 0x118e0, 0x11950, 0x11c50,
    0x11d50, 0x11da0, 0x16a60, 0x16ac0, 0x16b50, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140,
    0x1e2f0, 0x1e950, 0x1fbf0,
];

/// Replaces digits of other scripts with ASCII digits; integers and decimals may contain them.
pub fn plain_digits(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return text.into();
    }
    let digit = |character: char| {
        let code = u32::from(character);
        let zero = ZEROS[..ZEROS.partition_point(|zero| *zero <= code)].last()?;
        char::from_digit(code - zero, 10)
    };
    text.chars().map(|character| digit(character).unwrap_or(character)).collect::<String>().into()
}

/// Parses a 64-bit integer with optional spaces and control characters around it, as Trino does.
pub fn parse_integer(text: &str) -> Option<i64> {
    plain_digits(trimmed(text)).parse().ok()
}

/// Parses a number as Java's `Double.parseDouble`.
pub fn parse_double(text: &str) -> Option<f64> {
    hexadecimal(trimmed(text)).or_else(|| parse_number(text, [f64::NAN, f64::INFINITY]))
}

/// Parses a number as Java's `Float.parseFloat`, with a single rounding.
pub fn parse_real(text: &str) -> Option<f32> {
    #[expect(clippy::cast_possible_truncation, reason = "a double that is exact is rounded to a real")]
    let hexadecimal = hexadecimal(trimmed(text)).map(|number| number as f32);
    hexadecimal.or_else(|| parse_number(text, [f32::NAN, f32::INFINITY]))
}

/// Parses `0x1.8p3`, with at most as many digits as a double holds exactly.
fn hexadecimal(text: &str) -> Option<f64> {
    let (sign, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => (-1.0, unsigned),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = unsigned.strip_prefix("0x").or_else(|| unsigned.strip_prefix("0X"))?;
    let (digits, exponent) = digits.split_once(['p', 'P'])?;
    let exponent: i32 = exponent.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(exponent).parse().ok()?;
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit() || digit == b'.') {
        return None;
    }
    let mantissa =
        u64::from_str_radix(&format!("{whole}{fraction}"), 16).ok().filter(|mantissa| *mantissa < 1 << 53)?;
    let behind_point = i32::try_from(fraction.len()).ok()?.checked_mul(4)?;
    #[expect(clippy::cast_precision_loss, reason = "it has 53 bits")]
    let mantissa = mantissa as f64;
    let exponent = exponent.checked_sub(behind_point)?;
    // The result must be a normal number: smaller ones would have to be rounded.
    (-1022..=970).contains(&exponent).then(|| sign * mantissa * 2f64.powi(exponent))
}

fn parse_number<N: FromStr + Neg<Output = N> + Copy>(text: &str, [nan, infinity]: [N; 2]) -> Option<N> {
    let text = trimmed(text);
    let (is_negative, unsigned) = match text.strip_prefix('-') {
        Some(unsigned) => (true, unsigned),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    match unsigned {
        "NaN" => return Some(nan),
        "Infinity" => return Some(if is_negative { -infinity } else { infinity }),
        _ => {}
    }
    // A type suffix is allowed.
    let digits = text.strip_suffix(['d', 'D', 'f', 'F']).unwrap_or(text);
    // Unlike Rust, Java does not accept "inf" and "nan".
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    (is_number && !digits.is_empty()).then(|| digits.parse().ok())?
}

fn trimmed(text: &str) -> &str {
    text.trim_matches(|character| character <= ' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_parsed_like_java() {
        for (text, expected) in [
            ("1e400", Some(f64::INFINITY)),
            (" \t1\n", Some(1.0)),
            ("1d", Some(1.0)),
            ("-.5F", Some(-0.5)),
            ("5.", Some(5.0)),
            ("-Infinity", Some(f64::NEG_INFINITY)),
            ("1e-400", Some(0.0)),
            ("inf", None),
            ("nan", None),
            ("", None),
            ("d", None),
            ("1e", None),
            ("1dd", None),
            ("--1", None),
            ("\u{a0}1", None),
            ("-0x1.8p3", Some(-12.0)),
            ("0X10P-1f", Some(8.0)),
            ("0x10", None),
            ("0x+1p1", None),
        ] {
            assert_eq!(parse_double(text), expected, "{text}");
        }
        assert!(parse_double("-NaN").is_some_and(f64::is_nan));
        // If it were first rounded to a double, the result would be 1.0000002.
        let text = "1.00000017881393421514957253748434595763683319091796875001";
        assert_eq!(parse_real(text), Some(1.000_000_1));
        assert_eq!(parse_real("1e40"), Some(f32::INFINITY));
    }

    #[test]
    fn integers_may_have_surrounding_spaces_only() {
        for (text, expected) in [
            (" +1\t", Some(1)),
            ("-١٢", Some(-12)),
            ("\u{1d7da}", Some(2)),
            ("-9223372036854775808", Some(i64::MIN)),
            ("1.0", None),
            ("", None),
            ("1 2", None),
        ] {
            assert_eq!(parse_integer(text), expected, "{text}");
        }
    }
}
