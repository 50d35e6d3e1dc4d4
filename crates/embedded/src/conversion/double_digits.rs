//! The digits of a double as Trino's CAST to varchar prints them, which are those of Java's DecimalFormat. They are the
//! fewest digits that distinguish a double from its neighbours, generated digit by digit (Steele and White, 1990), with
//! exceptions: the distance to a neighbour is half a unit on both sides and exclusive, a large or small number has at
//! least two digits, whole numbers of 63 bits have all significant digits, and numbers that fit 64 bits are computed in
//! them, including an overflow of a sum.

use std::cmp::Ordering;

use super::big_natural::BigNatural;

/// Significant bits of a double, including the implicit first one.
const FRACTION_BITS: i32 = f64::MANTISSA_DIGITS as i32;

/// Bit lengths of the powers of five from 5^0, for which it is 0, to 5^26.
const BITS_OF_FIVES: [i32; 27] =
    [0, 3, 5, 7, 10, 12, 14, 17, 19, 21, 24, 26, 28, 31, 33, 35, 38, 40, 42, 45, 47, 49, 52, 54, 56, 59, 61];

/// The number `0.DDD` times a power of ten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Digits {
    /// Digits from 0 to 9. The first one is not 0, and of several the last one is not 0.
    pub(super) digits: Vec<u8>,
    /// The power of ten.
    pub(super) exponent: i32,
    source: Source,
}

/// How the digits relate to the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Exact,
    RoundedUp,
    /// Truncated, or all digits of an integer, which count as truncated.
    Cut,
}

/// A decomposed number: `fraction` · 2^(`exponent` - 52), with bit 52 of `fraction` set.
#[derive(Clone, Copy)]
struct Parts {
    fraction: u64,
    exponent: i32,
    /// Significant bits of the double: fewer than 53 for a subnormal number.
    precision: i32,
}

impl Digits {
    /// The digits of a positive finite number.
    pub(super) fn of(number: f64) -> Self {
        let parts = Parts::of(number);
        // Bits after the binary point.
        let behind_point = (parts.significant_bits() - parts.exponent - 1).max(0);
        let found = if behind_point == 0 && (0..=62).contains(&parts.exponent) {
            whole(parts)
        } else {
            let scaled = Scaled::of(parts, behind_point);
            match scaled.width() {
                Width::Narrow => scaled.narrow(),
                Width::Wide => scaled.wide(),
            }
        };
        found.trimmed()
    }

    /// Rounds to at most `most` digits. A tie is rounded to the even digit if the digits are exact; if the digits were
    /// rounded themselves, the number is known to lie on one side.
    #[must_use]
    pub(super) fn rounded(mut self, most: usize) -> Self {
        if self.digits.len() > most {
            let rest = self.digits.split_off(most);
            let is_odd = self.digits.last().is_some_and(|digit| digit % 2 == 1);
            let is_up = match (rest[0].cmp(&5), self.source) {
                (Ordering::Equal, Source::Exact) if rest.len() == 1 => is_odd,
                (Ordering::Equal, source) => rest.len() > 1 || source == Source::Cut,
                (order, _) => order.is_gt(),
            };
            if is_up {
                self.round_up();
            }
        }
        self.trimmed()
    }

    fn trimmed(mut self) -> Self {
        let zeros = self.digits.iter().take_while(|digit| **digit == 0).count();
        self.digits.drain(..zeros);
        self.exponent -= i32::try_from(zeros).unwrap_or(0);
        while self.digits.len() > 1 && self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        self
    }

    /// Adds one in the last place.
    fn round_up(&mut self) {
        for digit in self.digits.iter_mut().rev() {
            if *digit < 9 {
                *digit += 1;
                return;
            }
            *digit = 0;
        }
        self.digits.insert(0, 1);
        self.exponent += 1;
    }
}

impl Parts {
    fn of(number: f64) -> Self {
        let bits = number.to_bits();
        let fraction = bits & ((1 << (FRACTION_BITS - 1)) - 1);
        let exponent = i32::try_from(bits >> (FRACTION_BITS - 1)).unwrap_or(0);
        if exponent > 0 {
            let fraction = fraction | 1 << (FRACTION_BITS - 1);
            return Self { fraction, exponent: exponent - 1023, precision: FRACTION_BITS };
        }
        let precision = u64::BITS.cast_signed() - fraction.leading_zeros().cast_signed();
        let shift = FRACTION_BITS - precision;
        Self { fraction: fraction << shift, exponent: -1022 - shift, precision }
    }

    /// The number of bits up to the last one that is set.
    const fn significant_bits(self) -> i32 {
        FRACTION_BITS - self.fraction.trailing_zeros().cast_signed()
    }
}

/// The digits of an integer below 2^63, without the last ones, which a double of its size cannot distinguish.
fn whole(parts: Parts) -> Digits {
    let shift = parts.exponent - (FRACTION_BITS - 1);
    let mut number = if shift >= 0 { parts.fraction << shift } else { parts.fraction >> -shift };
    // The decimal digits that are unknown because the double has fewer bits than the integer.
    let unknown_bits = (parts.exponent - FRACTION_BITS - 1).max(0).cast_unsigned();
    let unknown_digits = (1_u64 << unknown_bits).ilog10();
    if unknown_digits > 0 {
        let factor = 10_u64.pow(unknown_digits);
        number = number / factor + u64::from(number % factor >= factor / 2);
    }
    let digits: Vec<u8> = number.to_string().bytes().map(|digit| digit - b'0').collect();
    let exponent = i32::try_from(digits.len()).unwrap_or(0) + unknown_digits.cast_signed();
    Digits { digits, exponent, source: Source::Cut }
}

/// The number is `fraction` · 5^`number.fives` · 2^`number.twos` over 5^`divisor.fives` · 2^`divisor.twos`, times
/// 10^`exponent`. Half a unit in its last place is 5^`half_unit.fives` · 2^`half_unit.twos` over the same divisor.
struct Scaled {
    fraction: u64,
    number: Powers,
    divisor: Powers,
    half_unit: Powers,
    /// May be one too large.
    exponent: i32,
}

#[derive(Clone, Copy)]
struct Powers {
    fives: i32,
    twos: i32,
}

enum Width {
    /// All values fit 64 bits, except sums.
    Narrow,
    Wide,
}

impl Scaled {
    fn of(parts: Parts, behind_point: i32) -> Self {
        let exponent = estimated_exponent(parts);
        let significant_bits = parts.significant_bits();
        let fives = (-exponent).max(0);
        let mut number = Powers { fives, twos: fives + behind_point + parts.exponent };
        let mut divisor = Powers { fives: exponent.max(0), twos: exponent.max(0) + behind_point };
        let mut half_unit = Powers { fives, twos: number.twos - parts.precision };
        number.twos -= significant_bits - 1;
        let common = number.twos.min(divisor.twos);
        for powers in [&mut number, &mut divisor, &mut half_unit] {
            powers.twos -= common;
        }
        // Below a power of two, the neighbour is at half the distance.
        half_unit.twos -= i32::from(significant_bits == 1);
        let missing = (-half_unit.twos).max(0);
        for powers in [&mut number, &mut divisor, &mut half_unit] {
            powers.twos += missing;
        }
        let fraction = parts.fraction >> parts.fraction.trailing_zeros();
        Self { fraction, number, divisor, half_unit, exponent }
    }

    fn width(&self) -> Width {
        let bits_of_fives = |fives: i32| {
            let known = usize::try_from(fives).ok().and_then(|fives| BITS_OF_FIVES.get(fives));
            known.copied().unwrap_or(fives * 3)
        };
        let fraction_bits = u64::BITS.cast_signed() - self.fraction.leading_zeros().cast_signed();
        let number = fraction_bits + self.number.twos + bits_of_fives(self.number.fives);
        let ten_divisors = self.divisor.twos + 1 + bits_of_fives(self.divisor.fives + 1);
        if number < 64 && ten_divisors < 64 { Width::Narrow } else { Width::Wide }
    }

    fn narrow(&self) -> Digits {
        let power = |powers: Powers| 5_i64.pow(powers.fives.cast_unsigned()) << powers.twos;
        let divisor = power(self.divisor);
        let ten_divisors = divisor.wrapping_mul(10);
        let mut rest = self.fraction.cast_signed().wrapping_mul(power(self.number));
        let mut half_unit = power(self.half_unit);
        self.generate(|| {
            let digit = rest / divisor;
            rest = rest % divisor * 10;
            half_unit = half_unit.wrapping_mul(10);
            let is_over = half_unit <= 0;
            Step {
                digit: u8::try_from(digit).unwrap_or(0),
                is_low: is_over || rest < half_unit,
                is_high: is_over || rest.wrapping_add(half_unit) > ten_divisors,
                to_half: rest.wrapping_mul(2).wrapping_sub(ten_divisors).cmp(&0),
                is_last: rest == 0,
            }
        })
    }

    fn wide(&self) -> Digits {
        let power = |factor: u64, powers: Powers| {
            BigNatural::new(factor)
                .times_power_of_five(powers.fives.cast_unsigned())
                .shifted_left(powers.twos.cast_unsigned())
        };
        let divisor = power(1, self.divisor);
        let ten_divisors = power(10, self.divisor);
        let mut rest = power(self.fraction, self.number);
        let mut half_unit = power(1, self.half_unit);
        self.generate(|| {
            let digit = rest.divide_in_place(&divisor);
            rest.multiply(10);
            half_unit.multiply(10);
            Step {
                digit,
                is_low: rest < half_unit,
                is_high: rest.plus(&half_unit) >= ten_divisors,
                to_half: rest.plus(&rest).cmp(&ten_divisors),
                is_last: rest.is_zero(),
            }
        })
    }

    /// Generates digits until they distinguish the number from its neighbours.
    fn generate(&self, mut next: impl FnMut() -> Step) -> Digits {
        let mut found = Digits { digits: Vec::new(), exponent: self.exponent, source: Source::Cut };
        let mut step = next();
        if step.digit == 0 && !step.is_high {
            found.exponent -= 1;
        } else {
            found.digits.push(step.digit);
        }
        let has_exponent = found.exponent < -3 || found.exponent >= 8;
        let mut is_decided = !has_exponent && (step.is_low || step.is_high);
        while !is_decided {
            step = next();
            found.digits.push(step.digit);
            is_decided = step.is_low || step.is_high;
        }
        found.exponent += 1;
        let is_odd = found.digits.last().is_some_and(|digit| digit % 2 == 1);
        let is_up = match (step.is_low, step.is_high, step.to_half) {
            (_, false, _) => false,
            (false, true, _) => true,
            (true, true, Ordering::Equal) => is_odd,
            (true, true, to_half) => to_half.is_gt(),
        };
        if is_up {
            found.round_up();
            found.source = Source::RoundedUp;
        } else if step.is_last {
            found.source = Source::Exact;
        }
        found
    }
}

/// One digit, and the remainder after it.
struct Step {
    digit: u8,
    /// Whether the digits so far are close enough to the number.
    is_low: bool,
    /// Whether the digits are close enough with one more in the last place.
    is_high: bool,
    /// Comparison of the remainder with half a unit in the last place.
    to_half: Ordering,
    /// Whether the remainder is zero.
    is_last: bool,
}

/// The power of ten of the first digit, or one more, from a linear lower bound of the logarithm.
fn estimated_exponent(parts: Parts) -> i32 {
    #[expect(clippy::cast_precision_loss, reason = "a fraction has as many bits as a double")]
    let fraction = parts.fraction as f64 / (1_u64 << (FRACTION_BITS - 1)) as f64;
    #[expect(clippy::approx_constant, reason = "the digits that Java's estimate has")]
    let logarithm =
        (fraction - 1.5) * 0.289_529_654 + 0.176_091_259 + f64::from(parts.exponent) * 0.301_029_995_663_981;
    #[expect(clippy::cast_possible_truncation, reason = "from -324 to 308")]
    let exponent = logarithm.floor() as i32;
    exponent
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(number: f64) -> String {
        let Digits { digits, exponent, source: _ } = Digits::of(number);
        let digits: String = digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        format!("0.{digits}e{exponent}")
    }

    /// Texts as Trino 476 prints them.
    #[test]
    fn double_digits_match_trino() {
        for (number, expected) in [
            (1.0, "0.1e1"),
            (0.1, "0.1e0"),
            (1e7, "0.1e8"),
            (1.0 / 3.0, "0.3333333333333333e0"),
            (5e-324, "0.49e-323"),
            (1e-323, "0.1e-322"),
            (2e-323, "0.2e-322"),
            (f64::MIN_POSITIVE, "0.22250738585072014e-307"),
            (f64::MAX, "0.17976931348623157e309"),
            (1e22, "0.1e23"),
            // Exactly halfway between two doubles.
            (1e23, "0.9999999999999999e23"),
            (2e23, "0.19999999999999998e24"),
            // Below a power of two, the neighbours are closer.
            (2f64.powi(-44), "0.56843418860808015e-13"),
            // Integers have all significant digits.
            (9_007_199_254_740_993.0, "0.9007199254740992e16"),
            (18_014_398_509_481_988.0, "0.18014398509481988e17"),
            (9_223_372_036_854_775_807.0, "0.9223372036854776e19"),
            // A sum that exceeds 63 bits.
            (3.150_000_000_000_000_3e25, "0.31500000000000002e26"),
        ] {
            assert_eq!(text(number), expected, "{number:e}");
        }
    }

    /// The digits of a double are parsed as the same double.
    #[test]
    fn double_digits_parse_to_the_same_double() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        for round in 0..200_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let bits = match round % 4 {
                0 => state >> 1,
                // Subnormal numbers, powers of two, and numbers around one.
                1 => state >> 12 >> (state % 52),
                2 => (state >> 12) << 52 >> 1,
                _ => (state >> 12) | (1000 + (state & 63)) << 52,
            };
            let number = f64::from_bits(bits);
            if number.is_finite() && number > 0.0 {
                assert_eq!(text(number).parse(), Ok(number), "{number:e}");
            }
        }
    }
}
