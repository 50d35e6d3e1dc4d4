//! Sums of 128-bit numbers that cannot overflow.

/// A sum of 128-bit numbers: `low` + `overflows` * 2^128.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct WideSum {
    low: i128,
    overflows: i64,
}

impl From<i128> for WideSum {
    fn from(low: i128) -> Self {
        Self { low, overflows: 0 }
    }
}

impl WideSum {
    /// A sum that wrapped around at 128 bits so many times.
    pub(crate) const fn of_wrapped(low: i128, overflows: i64) -> Self {
        Self { low, overflows }
    }

    pub(crate) const fn add(&mut self, number: i128) {
        let (low, is_over) = self.low.overflowing_add(number);
        self.low = low;
        if is_over {
            self.overflows += if number < 0 { -1 } else { 1 };
        }
    }

    pub(crate) const fn merge(&mut self, other: Self) {
        self.add(other.low);
        self.overflows += other.overflows;
    }

    /// The sum, if it fits 128 bits.
    pub(crate) fn exact(self) -> Option<i128> {
        (self.overflows == 0).then_some(self.low)
    }

    /// The sum divided by the number of summands, rounded half away from zero; `None` for no summands.
    pub(crate) fn average(self, count: i64) -> Option<i128> {
        let divisor = u128::try_from(count).ok().filter(|count| *count > 0)?;
        // The 256 bits of the sum: `low` is the lower half without a sign.
        let high = i128::from(self.overflows) - i128::from(self.low < 0);
        let is_negative = high < 0;
        let (mut high, mut low) = (high.cast_unsigned(), self.low.cast_unsigned());
        if is_negative {
            (low, high) = (low.wrapping_neg(), if low == 0 { high.wrapping_neg() } else { !high });
        }
        let mut quotient = 0_u128;
        let mut remainder = 0_u128;
        for half in [high, low] {
            for digit in [half >> 64, half & u128::from(u64::MAX)] {
                let dividend = (remainder << 64) | digit;
                quotient = (quotient << 64) | (dividend / divisor);
                remainder = dividend % divisor;
            }
        }
        if remainder >= divisor - remainder {
            quotient += 1;
        }
        let magnitude = i128::try_from(quotient).ok()?;
        Some(if is_negative { -magnitude } else { magnitude })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOST: i128 = 10_i128.pow(38) - 1;

    fn sum(numbers: &[i128]) -> WideSum {
        let mut sum = WideSum::default();
        for number in numbers {
            sum.add(*number);
        }
        sum
    }

    #[test]
    fn sums_beyond_128_bits_come_back() {
        assert_eq!(sum(&[MOST, MOST, MOST, -MOST, -MOST]).exact(), Some(MOST));
        assert_eq!(sum(&[-MOST, -MOST, -MOST, MOST, MOST]).exact(), Some(-MOST));
        assert_eq!(sum(&[MOST, MOST]).exact(), None);
        let mut merged = sum(&[MOST, MOST]);
        merged.merge(sum(&[-MOST, -MOST, -7]));
        assert_eq!(merged.exact(), Some(-7));
    }

    #[test]
    fn averages_of_sums_beyond_128_bits() {
        for count in 1..20 {
            let numbers = vec![MOST; count];
            assert_eq!(sum(&numbers).average(i64::try_from(count).expect("small")), Some(MOST));
            let numbers = vec![-MOST; count];
            assert_eq!(sum(&numbers).average(i64::try_from(count).expect("small")), Some(-MOST));
        }
        assert_eq!(sum(&[MOST, MOST, MOST - 1]).average(3), Some(MOST));
        assert_eq!(sum(&[MOST, MOST - 1, MOST - 1]).average(3), Some(MOST - 1));
        assert_eq!(sum(&[MOST, MOST - 1]).average(2), Some(MOST));
        assert_eq!(sum(&[-MOST, 1 - MOST]).average(2), Some(-MOST));
    }

    #[test]
    fn averages_round_halves_away_from_zero() {
        assert_eq!(sum(&[1, 2]).average(2), Some(2));
        assert_eq!(sum(&[-1, -2]).average(2), Some(-2));
        assert_eq!(sum(&[1, 0, 0]).average(3), Some(0));
        assert_eq!(sum(&[-2, 0, 0]).average(3), Some(-1));
        assert_eq!(sum(&[]).average(0), None);
    }
}
