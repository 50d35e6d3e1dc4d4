//! The decimal digits of a number, rounded half up, with or without an exponent.

/// The number `0.d1d2d3… * 10^exponent`; zero has no digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DecimalDigits {
    digits: Vec<u8>,
    exponent: i64,
    /// The exponent that is printed for zero: a decimal retains its scale.
    of_zero: i64,
}

impl DecimalDigits {
    /// The shortest digits that distinguish a double from all others, without the sign.
    pub(super) fn of_double(value: f64) -> Self {
        let value = value.abs();
        Self::of_scientific(&format!("{value:e}"), || format!("{value:.1e}"))
    }

    /// As [`Self::of_double`], for a real.
    pub(super) fn of_real(value: f32) -> Self {
        let value = value.abs();
        Self::of_scientific(&format!("{value:e}"), || format!("{value:.1e}"))
    }

    /// The digits of the shortest text; if that has one digit, Java takes the nearest text of two digits.
    fn of_scientific(shortest: &str, with_two_digits: impl Fn() -> String) -> Self {
        let of = |text: &str| {
            let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
            let digits = mantissa.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
            Self { digits, exponent: exponent.parse::<i64>().unwrap_or(0) + 1, of_zero: 0 }.normal()
        };
        if shortest.find('e') == Some(1) { of(&with_two_digits()) } else { of(shortest) }
    }

    /// The text of Java's `Double.toString`, without the sign.
    pub(super) fn java_text(&self) -> String {
        let exponent = self.first_exponent();
        let digits = i64::try_from(self.digits.len()).unwrap_or(0);
        let fraction = |count: i64| usize::try_from(count.max(1)).unwrap_or(1);
        if self.is_zero() || (-3..7).contains(&exponent) {
            return self.fixed(fraction(digits - self.exponent));
        }
        let (text, exponent) = self.scientific(fraction(digits - 1));
        format!("{text}E{exponent}")
    }

    /// The digits of a decimal, without the sign.
    pub(super) fn of_decimal(unscaled: i128, scale: u8) -> Self {
        let text = unscaled.unsigned_abs().to_string();
        let exponent = i64::try_from(text.len()).unwrap_or(0) - i64::from(scale);
        let digits = text.bytes().map(|digit| digit - b'0').collect();
        Self { digits, exponent, of_zero: -i64::from(scale) }.normal()
    }

    fn normal(mut self) -> Self {
        let zeros = self.digits.iter().take_while(|digit| **digit == 0).count();
        self.digits.drain(..zeros);
        self.exponent -= i64::try_from(zeros).unwrap_or(0);
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        if self.digits.is_empty() {
            self.exponent = 1;
        }
        self
    }

    /// Whether it is a zero with fractional digits, which Java prints with an exponent.
    pub(super) fn is_scaled_zero(&self) -> bool {
        self.is_zero() && self.of_zero != 0
    }

    pub(super) fn is_zero(&self) -> bool {
        self.digits.is_empty()
    }

    /// The exponent of the first digit, as in scientific notation.
    pub(super) const fn first_exponent(&self) -> i64 {
        self.exponent - 1
    }

    /// Rounds to `count` digits from the first one on; without any of them, the result is zero or a one before the
    /// first digit.
    fn rounded(&self, count: i64) -> Self {
        let Ok(count) = usize::try_from(count) else {
            return Self { digits: Vec::new(), exponent: 1, of_zero: self.of_zero };
        };
        if count >= self.digits.len() {
            return self.clone();
        }
        let mut rounded =
            Self { digits: self.digits[..count].to_vec(), exponent: self.exponent, of_zero: self.of_zero };
        if self.digits[count] >= 5 {
            let nines = rounded.digits.iter().rev().take_while(|digit| **digit == 9).count();
            rounded.digits.truncate(count - nines);
            match rounded.digits.last_mut() {
                Some(last) => *last += 1,
                None => {
                    rounded.digits = vec![1];
                    rounded.exponent += 1;
                }
            }
        }
        rounded.normal()
    }

    /// Rounds to at most `count` significant digits.
    pub(super) fn with_significant(&self, count: usize) -> Self {
        self.rounded(i64::try_from(count).unwrap_or(i64::MAX))
    }

    fn digit(&self, place: i64) -> char {
        let digit = usize::try_from(place).ok().and_then(|place| self.digits.get(place)).copied();
        char::from(b'0' + digit.unwrap_or(0))
    }

    /// The number in fixed notation, with `fraction` digits after the point.
    pub(super) fn fixed(&self, fraction: usize) -> String {
        let fraction = i64::try_from(fraction).unwrap_or(0);
        let rounded = self.rounded(self.exponent.saturating_add(fraction));
        let mut text = String::new();
        for place in 0..rounded.exponent.max(1) {
            text.push(if rounded.exponent < 1 { '0' } else { rounded.digit(place) });
        }
        if fraction > 0 {
            text.push('.');
            text.extend((0..fraction).map(|place| rounded.digit(rounded.exponent + place)));
        }
        text
    }

    /// One digit before the point and `fraction` digits after it, and the exponent.
    pub(super) fn scientific(&self, fraction: usize) -> (String, i64) {
        let rounded = self.with_significant(fraction + 1);
        let mut text = String::from(rounded.digit(0));
        if fraction > 0 {
            text.push('.');
            text.extend((1..=fraction).map(|place| rounded.digit(i64::try_from(place).unwrap_or(0))));
        }
        (text, if rounded.is_zero() { rounded.of_zero } else { rounded.first_exponent() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_rounded_half_up() {
        for (value, fraction, expected) in [
            (1.005, 2, "1.01"),
            (0.0, 2, "0.00"),
            (0.04, 1, "0.0"),
            (0.05, 1, "0.1"),
            (0.5, 0, "1"),
            (0.4, 0, "0"),
            (999.96, 1, "1000.0"),
            (1e21, 0, "1000000000000000000000"),
            (1.5e-10, 3, "0.000"),
        ] {
            assert_eq!(DecimalDigits::of_double(value).fixed(fraction), expected, "{value} {fraction}");
        }
        assert_eq!(DecimalDigits::of_double(9.9996).scientific(3), ("1.000".to_owned(), 1));
        assert_eq!(DecimalDigits::of_decimal(-1505, 3).fixed(2), "1.51");
    }
}
