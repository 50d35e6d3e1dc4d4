//! Conversion between numbers and text, as in Trino's functions.

use super::double_digits::Digits;

/// The text of a decimal, with all digits of its scale.
pub(crate) fn decimal_to_text(value: i128, scale: u8) -> String {
    let mut text = String::new();
    put_decimal(&mut text, value, scale);
    text
}

/// Appends the text of a decimal. The point is placed among the digits, because a division of 128 bits takes longer than
/// all the rest.
pub(crate) fn put_decimal(text: &mut String, value: i128, scale: u8) {
    let mut buffer = itoa::Buffer::new();
    let digits = match u64::try_from(value.unsigned_abs()) {
        Ok(short) => buffer.format(short),
        Err(_) => buffer.format(value.unsigned_abs()),
    };
    if value < 0 {
        text.push('-');
    }
    let scale = usize::from(scale);
    let missing = scale.saturating_sub(digits.len());
    let (whole, part) = digits.split_at(digits.len().saturating_sub(scale));
    text.push_str(if whole.is_empty() { "0" } else { whole });
    if scale > 0 {
        text.push('.');
        text.extend(std::iter::repeat_n('0', missing));
        text.push_str(part);
    }
}

/// The text of a decimal as Java's `BigDecimal.toString` returns it: with an exponent if the first digit is the seventh
/// after the point or a later one.
pub(crate) fn java_decimal(value: i128, scale: u8) -> String {
    let digits = value.unsigned_abs().to_string();
    let exponent = i64::try_from(digits.len()).unwrap_or(i64::MAX) - 1 - i64::from(scale);
    if exponent >= -6 {
        return decimal_to_text(value, scale);
    }
    let sign = if value < 0 { "-" } else { "" };
    let (first, rest) = digits.split_at(1);
    let point = if rest.is_empty() { "" } else { "." };
    format!("{sign}{first}{point}{rest}E{exponent}")
}

/// The text of a double as Trino's CAST returns it: `1.0E0`, `1.5E-3`, `0E0`, `Infinity`.
pub(crate) fn double_to_text(value: f64) -> String {
    special_text(value).unwrap_or_else(|| scientific(value < 0.0, &Digits::of(value.abs())))
}

/// As [`double_to_text`], with the seven digits that Trino prints for a real.
pub(crate) fn real_to_text(value: f32) -> String {
    special_text(f64::from(value)).unwrap_or_else(|| {
        // The double with the shortest text of the real, whose digits Trino prints. Java prints at least two digits;
        // among texts of two digits it takes the nearest.
        let two_digits = format!("{:.1e}", value.abs());
        let is_enough = two_digits.parse() == Ok(value.abs());
        let text = if is_enough { two_digits } else { format!("{:e}", value.abs()) };
        let double = text.parse().unwrap_or(f64::NAN);
        let rounded = Digits::of(double).rounded(7);
        scientific(value < 0.0, &rounded)
    })
}

/// The text of a double as Java's `Double.toString` returns it: the fewest digits that distinguish it from its
/// neighbours, at least two, in scientific notation below 0.001 and from 10,000,000 on.
pub(crate) fn java_double(value: f64) -> String {
    let magnitude = value.abs();
    if !value.is_finite() || value == 0.0 {
        return special_text(value).map_or_else(String::new, |text| text.replace("0E0", "0.0"));
    }
    let sign = if value < 0.0 { "-" } else { "" };
    // If two digits are enough, the nearest text of two digits.
    let two_digits = format!("{magnitude:.1e}");
    let is_enough = two_digits.parse() == Ok(magnitude);
    let scientific = if is_enough { two_digits } else { format!("{magnitude:e}") };
    if (1e-3..1e7).contains(&magnitude) {
        let plain: f64 = scientific.parse().unwrap_or(magnitude);
        return format!("{sign}{plain:?}");
    }
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let point = if digits.contains('.') { "" } else { ".0" };
    format!("{sign}{digits}{point}E{exponent}")
}

/// The text of a finite real as Java's `Float.toString` returns it, in the notation of [`java_double`].
pub(crate) fn java_real(value: f32) -> String {
    let two_digits = format!("{:.1e}", value.abs());
    let is_enough = two_digits.parse() == Ok(value.abs());
    let text = if is_enough { two_digits } else { format!("{:e}", value.abs()) };
    // The double with the same digits.
    let double: f64 = text.parse().unwrap_or(f64::NAN);
    java_double(if value.is_sign_negative() { -double } else { double })
}

fn special_text(value: f64) -> Option<String> {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_nan() {
        Some("NaN".to_owned())
    } else if value.is_infinite() {
        Some(format!("{sign}Infinity"))
    } else {
        (value == 0.0).then(|| format!("{sign}0E0"))
    }
}

fn scientific(is_negative: bool, Digits { digits, exponent, .. }: &Digits) -> String {
    let mut text = String::with_capacity(digits.len() + 8);
    text.push_str(if is_negative { "-" } else { "" });
    for (place, digit) in digits.iter().enumerate() {
        if place == 1 {
            text.push('.');
        }
        text.push(char::from(b'0' + digit));
    }
    if digits.len() == 1 {
        text.push_str(".0");
    }
    text.push('E');
    text.push_str(&(exponent - 1).to_string());
    text
}

/// Converts a double to a decimal of `scale`, by its shortest text.
pub(crate) fn double_to_decimal(value: f64, scale: u8) -> Option<i128> {
    value.is_finite().then(|| parse_decimal(&format!("{value:e}"), scale))?
}

/// As [`double_to_decimal`], by the shortest text of the real.
pub(crate) fn real_to_decimal(value: f32, scale: u8) -> Option<i128> {
    value.is_finite().then(|| parse_decimal(&format!("{value:e}"), scale))?
}

/// Parses a decimal of `scale`, also with an exponent. Further digits are rounded half away from zero.
pub(crate) fn parse_decimal(text: &str, scale: u8) -> Option<i128> {
    let (number, exponent) = match text.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (is_negative, number) = match number.as_bytes().first()? {
        b'-' => (true, &number[1..]),
        b'+' => (false, &number[1..]),
        _ => (false, number),
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let mut digits = whole.bytes().chain(part.bytes());
    if (whole.is_empty() && part.is_empty()) || !digits.all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    // The number of digits, from the first one on, that the scale retains.
    let kept = i64::try_from(whole.len()).ok()? + i64::from(exponent) + i64::from(scale);
    let mut value: i128 = 0;
    let mut rounds_up = false;
    for (place, digit) in (0i64..).zip(whole.bytes().chain(part.bytes())) {
        let digit = digit - b'0';
        if place < kept {
            value = value.checked_mul(10)?.checked_add(i128::from(digit))?;
        } else if place == kept {
            rounds_up = digit >= 5;
        }
    }
    let given = i64::try_from(whole.len() + part.len()).ok()?;
    for _ in given..kept {
        if value == 0 {
            break;
        }
        value = value.checked_mul(10)?;
    }
    value = value.checked_add(i128::from(rounds_up))?;
    Some(if is_negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_formatted_like_trino() {
        for (value, expected) in [
            (1.0, "1.0E0"),
            (0.1, "1.0E-1"),
            (-0.001, "-1.0E-3"),
            (0.0001, "1.0E-4"),
            (1_234_567.5, "1.2345675E6"),
            (1e7, "1.0E7"),
            (1.5e300, "1.5E300"),
            (0.0, "0E0"),
            (-0.0, "-0E0"),
            (5e-324, "4.9E-324"),
            (-1e23, "-9.999999999999999E22"),
            (f64::NEG_INFINITY, "-Infinity"),
            (-f64::NAN, "NaN"),
        ] {
            assert_eq!(double_to_text(value), expected);
        }
    }

    #[test]
    fn doubles_in_json_are_formatted_like_java() {
        for (value, expected) in [
            (1.5, "1.5"),
            (1000.0, "1000.0"),
            (9_999_999.0, "9999999.0"),
            (1e7, "1.0E7"),
            (1.234e-3, "0.001234"),
            (1e-4, "1.0E-4"),
            (5e-324, "4.9E-324"),
            (2e23, "2.0E23"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(java_double(value), expected);
        }
    }

    #[test]
    fn reals_have_seven_digits() {
        for (value, expected) in [
            (0.1, "1.0E-1"),
            (16_777_216.0, "1.677722E7"),
            (-123_456.79, "-1.234568E5"),
            (f32::MAX, "3.402823E38"),
            (1.4e-45, "1.4E-45"),
            (1.175_494_4e-38, "1.175494E-38"),
            // Ties, and numbers whose shortest digits look like ties.
            (4_194_304.5, "4.194304E6"),
            (4_194_305.5, "4.194306E6"),
            (3_640.968_5, "3.640968E3"),
            (109_865.05, "1.098651E5"),
            (15_962_505.0, "1.596251E7"),
            (2.535_57e-40, "2.53557E-40"),
            (1e10, "1.0E10"),
            (0.0, "0E0"),
            (-0.0, "-0E0"),
            (f32::INFINITY, "Infinity"),
        ] {
            assert_eq!(real_to_text(value), expected);
        }
    }

    #[test]
    fn doubles_become_decimals_by_their_text() {
        assert_eq!(double_to_decimal(1.005, 2), Some(101));
        assert_eq!(double_to_decimal(-2.675, 2), Some(-268));
        assert_eq!(double_to_decimal(0.1 + 0.2, 17), Some(30_000_000_000_000_004));
        assert_eq!(double_to_decimal(9.9e37, 0), Some(99 * 10_i128.pow(36)));
        assert_eq!(double_to_decimal(1e39, 0), None);
        assert_eq!(double_to_decimal(1e-300, 2), Some(0));
        assert_eq!(double_to_decimal(f64::NAN, 2), None);
        assert_eq!(real_to_decimal(0.1, 9), Some(100_000_000));
        assert_eq!(real_to_decimal(1.15, 1), Some(12));
    }

    #[test]
    fn decimals_are_parsed_and_rounded() {
        for (text, scale, expected) in [
            ("1.25", 2, Some(125)),
            ("1.255", 2, Some(126)),
            ("-1.255", 2, Some(-126)),
            ("0.004", 2, Some(0)),
            (".5", 0, Some(1)),
            ("1e3", 1, Some(10_000)),
            ("125e-2", 1, Some(13)),
            ("", 2, None),
            ("1.2.3", 2, None),
            ("abc", 2, None),
        ] {
            assert_eq!(parse_decimal(text, scale), expected, "{text}");
        }
    }

    #[test]
    fn decimals_have_all_digits_of_their_scale() {
        let most = 10_i128.pow(38) - 1;
        for (value, scale, expected) in [
            (0, 0, "0"),
            (0, 2, "0.00"),
            (-5, 2, "-0.05"),
            (50, 2, "0.50"),
            (-100, 2, "-1.00"),
            (12_345, 3, "12.345"),
            (-7, 0, "-7"),
            (i128::from(u64::MAX) + 1, 5, "184467440737095.51616"),
            (-most, 38, "-0.99999999999999999999999999999999999999"),
            (most, 1, "9999999999999999999999999999999999999.9"),
        ] {
            assert_eq!(decimal_to_text(value, scale), expected);
        }
    }
}
