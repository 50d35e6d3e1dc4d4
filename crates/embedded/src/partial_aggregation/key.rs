//! The keys of a batch as words, and as places where their words differ in few bits.

use std::ops::{BitOr, BitXor};

use polars::prelude::{Column, DataType, PolarsResult};
use polars_arrow::array::{Array as _, BooleanArray, PrimitiveArray, Utf8ViewArray};
use polars_arrow::bitmap::Bitmap;

use crate::numeric::single;

/// A column as words, and the bits in which they differ: of flags and of small numbers, and of texts of one letter, a
/// few.
pub(super) struct Key {
    words: Words,
    varying: VaryingBits,
}

pub(super) enum Words {
    /// Equal short texts have equal views.
    Texts(Utf8ViewArray),
    Flags(BooleanArray),
    Numbers(PrimitiveArray<i64>),
    Wide(PrimitiveArray<i128>),
}

/// Calls a function with the words of each row.
macro_rules! with_words {
    ($words:expr, |$each:ident| $body:expr) => {
        match $words {
            Words::Texts(texts) => {
                let $each = texts.views().iter().map(|view| view.as_u128());
                $body
            }
            Words::Flags(flags) => {
                let $each = flags.values().iter().map(u64::from);
                $body
            }
            Words::Numbers(numbers) => {
                let $each = numbers.values().iter().map(|number| number.cast_unsigned());
                $body
            }
            Words::Wide(numbers) => {
                let $each = numbers.values().iter().map(|number| number.cast_unsigned());
                $body
            }
        }
    };
}

pub(super) use with_words;

impl Key {
    /// `None` for a type that has no words.
    pub(super) fn of(column: &Column) -> PolarsResult<Option<Self>> {
        let values = column.as_materialized_series().to_physical_repr();
        let words = match values.dtype() {
            DataType::String => Words::Texts(values.str()?.rechunk().downcast_as_array().clone()),
            DataType::Boolean => Words::Flags(values.bool()?.rechunk().downcast_as_array().clone()),
            DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => {
                Words::Numbers(single(values.cast(&DataType::Int64)?.i64()?))
            }
            DataType::Int128 => Words::Wide(single(values.i128()?)),
            _ => return Ok(None),
        };
        Ok(Some(Self::of_words(words)))
    }

    pub(super) fn of_words(words: Words) -> Self {
        let varying = with_words!(&words, |words| VaryingBits::of(words));
        Self { words, varying }
    }

    pub(super) fn words(&self) -> &Words {
        &self.words
    }

    fn rows(&self) -> usize {
        with_words!(&self.words, |words| words.len())
    }

    /// The validity, if there are NULLs.
    pub(super) fn validity(&self) -> Option<&Bitmap> {
        let validity = match &self.words {
            Words::Texts(texts) => texts.validity(),
            Words::Flags(flags) => flags.validity(),
            Words::Numbers(numbers) => numbers.validity(),
            Words::Wide(numbers) => numbers.validity(),
        };
        validity.filter(|validity| validity.unset_bits() > 0)
    }

    /// The number of bits of a place: those that vary, and one that says whether the value is NULL.
    fn place_bits(&self) -> u32 {
        self.varying.count + u32::from(self.validity().is_some())
    }

    /// Adds the place of each row, shifted to the left.
    fn add_places(&self, shift: u32, places: &mut [u16]) {
        let (lowest, mask) = (self.varying.lowest, (1 << self.varying.count) - 1);
        match self.validity() {
            None => with_words!(&self.words, |words| {
                for (place, word) in places.iter_mut().zip(words) {
                    *place |= (word.bits_from(lowest) & mask) << shift;
                }
            }),
            Some(validity) => with_words!(&self.words, |words| {
                for ((place, word), is_valid) in places.iter_mut().zip(words).zip(validity) {
                    let of_value = (word.bits_from(lowest) & mask) << 1 | 1;
                    *place |= if is_valid { of_value << shift } else { 0 };
                }
            }),
        }
    }
}

/// A small number for each row: rows with different keys have different ones.
pub(super) struct Places(Vec<u16>);

impl Places {
    /// The place of each row.
    pub(super) fn into_rows(self) -> Vec<u16> {
        self.0
    }

    /// Possible places. Their codes stay in a first-level cache.
    pub(super) const COUNT: usize = 1 << 12;

    /// `None` if the keys differ in too many bits.
    pub(super) fn of(keys: &[Key]) -> Option<Self> {
        let bits = keys.iter().map(Key::place_bits).sum::<u32>();
        if bits > Self::COUNT.ilog2() {
            return None;
        }
        let mut places = vec![0; keys.first().map_or(0, Key::rows)];
        let mut shift = 0;
        for key in keys {
            key.add_places(shift, &mut places);
            shift += key.place_bits();
        }
        Some(Self(places))
    }
}

/// The bits in which the words of a batch differ, from the lowest to the highest one.
#[derive(Clone, Copy, Debug)]
struct VaryingBits {
    lowest: u32,
    count: u32,
}

impl VaryingBits {
    fn of<W: Word>(mut words: impl Iterator<Item = W>) -> Self {
        let Some(first) = words.next() else { return Self { lowest: 0, count: 0 } };
        let (lowest, behind) = words.fold(W::default(), |bits, word| bits | (word ^ first)).range();
        Self { lowest, count: behind.saturating_sub(lowest) }
    }
}

/// A word that represents a value; different values have different words.
pub(super) trait Word: Copy + Default + Eq + BitOr<Output = Self> + BitXor<Output = Self> {
    /// The lowest bit that is set, and the position behind the highest one.
    fn range(self) -> (u32, u32);

    /// The lower ones of the bits from a position on.
    fn bits_from(self, lowest: u32) -> u16;

    /// A number whose upper bits differ for different words.
    fn spread(self) -> u64;
}

/// Spreads bits upwards: 2^64 divided by the golden ratio.
pub(crate) const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl Word for u64 {
    fn range(self) -> (u32, u32) {
        (self.trailing_zeros() % Self::BITS, Self::BITS - self.leading_zeros())
    }

    #[expect(clippy::cast_possible_truncation, reason = "the lower bits")]
    fn bits_from(self, lowest: u32) -> u16 {
        (self >> lowest) as u16
    }

    fn spread(self) -> u64 {
        self.wrapping_mul(SPREAD)
    }
}

impl Word for u128 {
    fn range(self) -> (u32, u32) {
        (self.trailing_zeros() % Self::BITS, Self::BITS - self.leading_zeros())
    }

    #[expect(clippy::cast_possible_truncation, reason = "the lower bits")]
    fn bits_from(self, lowest: u32) -> u16 {
        (self >> lowest) as u16
    }

    #[expect(clippy::cast_possible_truncation, reason = "its two halves")]
    fn spread(self) -> u64 {
        ((self as u64) ^ ((self >> 64) as u64).rotate_left(29)).spread()
    }
}
