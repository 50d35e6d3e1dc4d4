//! Numbers as text and back, as Trino's functions do it.

use crate::numeric::power_of_ten;

/// A decimal with all digits of its scale.
pub(crate) fn decimal_to_text(value: i128, scale: u8) -> String {
    if scale == 0 {
        return value.to_string();
    }
    let factor = power_of_ten(scale).unsigned_abs();
    let (whole, part) = (value.unsigned_abs() / factor, value.unsigned_abs() % factor);
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{whole}.{part:0width$}", width = usize::from(scale))
}

/// The shortest digits that give the number back, in the form of Trino's CAST: `1.0E0`, `1.5E-3`,
/// `Infinity`.
pub(crate) fn double_to_text(value: f64) -> String {
    trino_form(value, &format!("{value:e}"))
}

/// As [`double_to_text`], with the digits of 32 bits.
pub(crate) fn real_to_text(value: f32) -> String {
    trino_form(f64::from(value), &format!("{value:e}"))
}

/// `scientific` is Rust's shortest form with an exponent, `1.25e3`.
fn trino_form(value: f64, scientific: &str) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let (sign, mantissa) = mantissa.strip_prefix('-').map_or(("", mantissa), |rest| ("-", rest));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let (first, rest) = digits.split_at(1);
    let rest = if rest.is_empty() { "0" } else { rest };
    format!("{sign}{first}.{rest}E{exponent}")
}

/// A number as Java's `Double.parseDouble` reads it.
pub(crate) fn parse_double(text: &str) -> Option<f64> {
    let text = text.trim();
    match text {
        "NaN" => return Some(f64::NAN),
        "Infinity" | "+Infinity" => return Some(f64::INFINITY),
        "-Infinity" => return Some(f64::NEG_INFINITY),
        _ => {}
    }
    // Rust would read "inf" and "nan", Java does not.
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    (is_number && !text.is_empty()).then(|| text.parse().ok())?
}

/// A decimal of that scale, further digits rounded half away from zero; also with an exponent.
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
    // The place of the last digit that is kept, counted from the first digit of all.
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
    fn doubles_have_trinos_form() {
        for (value, expected) in [
            (1.0, "1.0E0"),
            (0.1, "1.0E-1"),
            (-0.001, "-1.0E-3"),
            (0.0001, "1.0E-4"),
            (1_234_567.5, "1.2345675E6"),
            (1e7, "1.0E7"),
            (1.5e300, "1.5E300"),
            (0.0, "0.0E0"),
            (f64::NEG_INFINITY, "-Infinity"),
        ] {
            assert_eq!(double_to_text(value), expected);
        }
        assert_eq!(real_to_text(0.1), "1.0E-1");
    }

    #[test]
    fn decimals_are_read_and_rounded() {
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
        assert_eq!(decimal_to_text(-5, 2), "-0.05");
    }
}
