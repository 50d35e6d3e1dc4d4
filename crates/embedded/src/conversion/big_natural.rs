//! Natural numbers of arbitrary size, with the operations that the digits of doubles need.

use std::cmp::Ordering;

/// A natural number as 32-bit words, the least significant first. The last word is not 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BigNatural {
    words: Vec<u32>,
}

impl BigNatural {
    pub(super) fn new(number: u64) -> Self {
        Self::of_words(vec![low(number), low(number >> u32::BITS)])
    }

    fn of_words(mut words: Vec<u32>) -> Self {
        while words.last() == Some(&0) {
            words.pop();
        }
        Self { words }
    }

    pub(super) const fn is_zero(&self) -> bool {
        self.words.is_empty()
    }

    pub(super) fn multiply(&mut self, factor: u32) {
        let mut carried = 0;
        for word in &mut self.words {
            let product = u64::from(*word) * u64::from(factor) + carried;
            *word = low(product);
            carried = product >> u32::BITS;
        }
        if carried > 0 {
            self.words.push(low(carried));
        }
    }

    #[must_use]
    pub(super) fn times_power_of_five(mut self, exponent: u32) -> Self {
        /// The exponent of the largest power of five that fits 32 bits.
        const AT_A_TIME: u32 = 13;
        for _ in 0..exponent / AT_A_TIME {
            self.multiply(5_u32.pow(AT_A_TIME));
        }
        self.multiply(5_u32.pow(exponent % AT_A_TIME));
        self
    }

    #[must_use]
    pub(super) fn shifted_left(mut self, bits: u32) -> Self {
        if !self.words.is_empty() {
            self.multiply(1 << (bits % u32::BITS));
            self.words.splice(0..0, std::iter::repeat_n(0, (bits / u32::BITS) as usize));
        }
        self
    }

    #[must_use]
    pub(super) fn plus(&self, other: &Self) -> Self {
        let length = self.words.len().max(other.words.len());
        let mut words = Vec::with_capacity(length + 1);
        let mut carried = 0;
        for place in 0..length {
            let sum = u64::from(self.word(place)) + u64::from(other.word(place)) + carried;
            words.push(low(sum));
            carried = sum >> u32::BITS;
        }
        words.push(low(carried));
        Self::of_words(words)
    }

    /// Divides in place: leaves the remainder and returns the quotient, which is at most 10.
    pub(super) fn divide_in_place(&mut self, divisor: &Self) -> u8 {
        let mut quotient = 0;
        while *self >= *divisor {
            self.subtract(divisor);
            quotient += 1;
        }
        quotient
    }

    /// Subtracts a number that is not larger.
    fn subtract(&mut self, other: &Self) {
        let mut borrowed = false;
        for place in 0..self.words.len() {
            let (difference, is_first) = self.words[place].overflowing_sub(other.word(place));
            let (difference, is_second) = difference.overflowing_sub(u32::from(borrowed));
            self.words[place] = difference;
            borrowed = is_first || is_second;
        }
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }

    fn word(&self, place: usize) -> u32 {
        self.words.get(place).copied().unwrap_or(0)
    }
}

impl Ord for BigNatural {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_length = self.words.len().cmp(&other.words.len());
        by_length.then_with(|| self.words.iter().rev().cmp(other.words.iter().rev()))
    }
}

impl PartialOrd for BigNatural {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the lower half")]
const fn low(number: u64) -> u32 {
    number as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addition_and_division_are_inverse() {
        let million = BigNatural::new(1_000_000);
        let large = BigNatural::new(u64::MAX).times_power_of_five(40).shifted_left(100);
        let mut rest = large.plus(&large).plus(&large).plus(&million);
        assert_eq!(rest.divide_in_place(&large), 3);
        assert_eq!(rest, million);
        assert!(large > million && large.plus(&million) > large && BigNatural::new(0) < million);
        assert_eq!(BigNatural::new(1).times_power_of_five(20).shifted_left(20), {
            let mut power = BigNatural::new(1);
            (0..20).for_each(|_| power.multiply(10));
            power
        });
        let mut nothing = million.clone();
        assert_eq!((nothing.divide_in_place(&million), nothing), (1, BigNatural::new(0)));
    }
}
