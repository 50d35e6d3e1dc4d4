//! Small integer codes for keys, in order of first occurrence: equal keys have equal codes, or the rows of a run have.

use std::ops::{BitOr, BitXor};

use polars::prelude::{Column, DataType, IdxCa, IdxSize, PlSmallStr, PolarsResult};
use polars_arrow::array::{Array, Utf8ViewArray};
use polars_arrow::bitmap::Bitmap;

use crate::numeric::single;

/// Maximum number of groups of a batch, and of the values of a key in it. A table of as many words has half a megabyte,
/// which a second-level cache holds.
const MAX_CODES: usize = 16_384;

/// A batch with more groups than this is only worth it with [`MIN_ROWS_PER_CODE`] rows for each.
const FEW_CODES: usize = 1024;

/// Fewer rows for each group cost as much to group here as they save further up.
const MIN_ROWS_PER_CODE: usize = 4;

/// Runs of fewer rows save too few groups.
const MIN_ROWS_PER_RUN: usize = 2;

/// Maximum number of possible combinations of two columns, among which the actual ones are counted.
const MAX_COMBINATIONS: usize = 1 << 16;

/// Slots of a new hash table, which stays in a first-level cache as long as it does not grow.
const MIN_SLOTS: usize = 2 * FEW_CODES;

const NONE: u16 = u16::MAX;

/// The code of the keys of each row.
#[derive(Debug)]
pub(crate) struct Codes {
    of_rows: Vec<u16>,
    count: usize,
}

impl Codes {
    /// Assigns codes to rows of columns, which have equal lengths; there is at least one column. `None` if the rows
    /// have too many combinations, or a column has an unsupported type. Equal long texts may have different codes.
    pub(super) fn of_rows_by(columns: &[&Column]) -> PolarsResult<Option<Self>> {
        let mut all: Option<Self> = None;
        for column in columns {
            let codes = Self::of_column(column)?;
            let combined = match (all, codes) {
                (None, codes) => codes,
                (Some(all), Some(codes)) => all.combined(&codes),
                (Some(_), None) => None,
            };
            let Some(combined) = combined else { return Ok(None) };
            all = Some(combined);
        }
        Ok(all)
    }

    /// Numbers the runs of rows with equal integers or dates. `None` if they have fewer than [`MIN_ROWS_PER_RUN`] rows
    /// on average or are not in ascending order, or the column has another type or NULLs.
    pub(super) fn of_runs(column: &Column) -> PolarsResult<Option<Self>> {
        let values = column.as_materialized_series().to_physical_repr();
        let is_small =
            matches!(values.dtype(), DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64);
        if !is_small || values.null_count() > 0 {
            return Ok(None);
        }
        let values = single(values.cast(&DataType::Int64)?.i64()?);
        let values = values.values().as_slice();
        if !values.is_sorted() {
            return Ok(None);
        }
        let changes = values.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let count = changes + usize::from(!values.is_empty());
        if count > (values.len() / MIN_ROWS_PER_RUN).min(usize::from(NONE)) {
            return Ok(None);
        }
        let mut run = 0;
        let first = values.first().map(|_| run);
        let others = values.windows(2).map(|pair| {
            run += u16::from(pair[0] != pair[1]);
            run
        });
        Ok(Some(Self { of_rows: first.into_iter().chain(others).collect(), count }))
    }

    pub(super) fn of_rows(&self) -> &[u16] {
        &self.of_rows
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// The code of each row, as a row number of the first rows.
    pub(crate) fn into_places(self) -> IdxCa {
        IdxCa::from_vec(PlSmallStr::EMPTY, self.of_rows.into_iter().map(IdxSize::from).collect())
    }

    /// The first row with each code.
    pub(crate) fn first_rows(&self) -> IdxCa {
        let mut first = Vec::with_capacity(self.count);
        for (row, code) in (0..).zip(&self.of_rows) {
            if first.len() == self.count {
                break;
            }
            if usize::from(*code) == first.len() {
                first.push(row);
            }
        }
        IdxCa::from_vec(PlSmallStr::EMPTY, first)
    }

    fn of_column(column: &Column) -> PolarsResult<Option<Self>> {
        let values = column.as_materialized_series().to_physical_repr();
        Ok(match values.dtype() {
            DataType::String => {
                let values = values.str()?.rechunk();
                let values: &Utf8ViewArray = values.downcast_as_array();
                Self::of_words(values.views().iter().map(|view| view.as_u128()), values.validity())
            }
            DataType::Boolean => {
                let values = values.bool()?.rechunk();
                let values = values.downcast_as_array();
                Self::of_words(values.values().iter().map(u64::from), values.validity())
            }
            DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => {
                let values = single(values.cast(&DataType::Int64)?.i64()?);
                Self::of_words(values.values().iter().map(|value| value.cast_unsigned()), values.validity())
            }
            DataType::Int128 => {
                let values = single(values.i128()?);
                Self::of_words(values.values().iter().map(|value| value.cast_unsigned()), values.validity())
            }
            _ => None,
        })
    }

    /// Assigns codes to words, one for each row, some of which may be NULL.
    fn of_words<W: Word>(
        words: impl ExactSizeIterator<Item = W> + Clone,
        validity: Option<&Bitmap>,
    ) -> Option<Self> {
        if let Some(varying) = VaryingBits::of(words.clone()) {
            return Self::of_few_bits(words, validity, varying);
        }
        let mut table = Table::new(max_codes(words.len()));
        let mut of_rows = Vec::with_capacity(words.len());
        match validity {
            None => {
                for word in words {
                    of_rows.push(table.code(word)?);
                }
            }
            Some(validity) => {
                for (word, is_valid) in words.zip(validity) {
                    of_rows.push(if is_valid { table.code(word)? } else { table.code_of_null()? });
                }
            }
        }
        Some(Self { of_rows, count: usize::from(table.count) })
    }

    /// As [`of_words`](Self::of_words), if the words differ in few bits: these say the place of the code.
    fn of_few_bits<W: Word>(
        words: impl ExactSizeIterator<Item = W>,
        validity: Option<&Bitmap>,
        varying: VaryingBits,
    ) -> Option<Self> {
        let max = max_codes(words.len());
        let (mut count, mut null) = (0, NONE);
        let mut codes = [NONE; VaryingBits::PLACES];
        let mut of_rows = Vec::with_capacity(words.len());
        let mut known_or_next = |code: &mut u16| {
            if *code == NONE {
                *code = next(&mut count, max)?;
            }
            Some(*code)
        };
        match validity {
            None => {
                for word in words {
                    of_rows.push(known_or_next(&mut codes[varying.place(word)])?);
                }
            }
            Some(validity) => {
                for (word, is_valid) in words.zip(validity) {
                    let code = if is_valid { &mut codes[varying.place(word)] } else { &mut null };
                    of_rows.push(known_or_next(code)?);
                }
            }
        }
        Some(Self { of_rows, count: usize::from(count) })
    }

    /// The codes of the combinations of both.
    fn combined(mut self, other: &Self) -> Option<Self> {
        let combinations = self.count * other.count;
        if combinations > MAX_COMBINATIONS {
            return None;
        }
        let max = max_codes(self.of_rows.len());
        let mut codes = vec![NONE; combinations];
        let mut count = 0;
        for (row, other_code) in self.of_rows.iter_mut().zip(&other.of_rows) {
            let code = &mut codes[usize::from(*row) * other.count + usize::from(*other_code)];
            if *code == NONE {
                *code = next(&mut count, max)?;
            }
            *row = *code;
        }
        Some(Self { of_rows: self.of_rows, count: usize::from(count) })
    }
}

/// The maximum number of groups of a batch of as many rows.
fn max_codes(rows: usize) -> usize {
    (rows / MIN_ROWS_PER_CODE).clamp(FEW_CODES, MAX_CODES)
}

/// The next code, unless there are too many.
fn next(count: &mut u16, max: usize) -> Option<u16> {
    let code = *count;
    (usize::from(code) < max).then(|| {
        *count += 1;
        code
    })
}

/// The bits in which the words of a batch differ: of flags and of small numbers, and of texts of one letter, a few.
#[derive(Clone, Copy, Debug)]
struct VaryingBits {
    lowest: u32,
}

impl VaryingBits {
    /// Possible combinations of the bits. Their codes stay in a first-level cache.
    const PLACES: usize = 1 << 12;

    /// `None` if the lowest and the highest of the bits are too far apart.
    fn of<W: Word>(mut words: impl Iterator<Item = W>) -> Option<Self> {
        let Some(first) = words.next() else { return Some(Self { lowest: 0 }) };
        let (lowest, behind) = words.fold(W::default(), |bits, word| bits | (word ^ first)).range();
        (behind.saturating_sub(lowest) <= Self::PLACES.ilog2()).then_some(Self { lowest })
    }

    /// The place of a word's code: different words have different places.
    fn place<W: Word>(self, word: W) -> usize {
        word.bits_from(self.lowest) & (Self::PLACES - 1)
    }
}

/// A word that represents a value; different values have different words.
trait Word: Copy + Default + Eq + BitOr<Output = Self> + BitXor<Output = Self> {
    /// The lowest bit that is set, and the position behind the highest one.
    fn range(self) -> (u32, u32);

    /// The bits from a position on, of which the upper ones may be lost.
    fn bits_from(self, lowest: u32) -> usize;

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
    fn bits_from(self, lowest: u32) -> usize {
        (self >> lowest) as usize
    }

    fn spread(self) -> u64 {
        self.wrapping_mul(SPREAD)
    }
}

impl Word for u128 {
    fn range(self) -> (u32, u32) {
        (self.trailing_zeros() % Self::BITS, Self::BITS - self.leading_zeros())
    }

    fn bits_from(self, lowest: u32) -> usize {
        (self >> lowest) as usize
    }

    #[expect(clippy::cast_possible_truncation, reason = "its two halves")]
    fn spread(self) -> u64 {
        ((self as u64) ^ ((self >> 64) as u64).rotate_left(29)).spread()
    }
}

/// The hash table of a column's values and their codes. At most half of the slots are taken, so that searches are
/// short.
struct Table<W> {
    words: Vec<W>,
    codes: Vec<u16>,
    null: Option<u16>,
    count: u16,
    max: usize,
}

impl<W: Word> Table<W> {
    fn new(max: usize) -> Self {
        Self { words: vec![W::default(); MIN_SLOTS], codes: vec![NONE; MIN_SLOTS], null: None, count: 0, max }
    }

    fn code(&mut self, word: W) -> Option<u16> {
        let slot = self.slot(word);
        if self.codes[slot] != NONE {
            return Some(self.codes[slot]);
        }
        let code = next(&mut self.count, self.max)?;
        (self.words[slot], self.codes[slot]) = (word, code);
        if 2 * usize::from(self.count) > self.codes.len() {
            self.grow();
        }
        Some(code)
    }

    /// The slot of a word, or the free one where it belongs.
    #[expect(clippy::cast_possible_truncation, reason = "as many bits as say a place")]
    fn slot(&self, word: W) -> usize {
        let slots = self.codes.len();
        let mut slot = (word.spread() >> (u64::BITS - slots.ilog2())) as usize;
        while self.codes[slot] != NONE && self.words[slot] != word {
            slot = (slot + 1) & (slots - 1);
        }
        slot
    }

    fn grow(&mut self) {
        let slots = 2 * self.codes.len();
        let words = std::mem::replace(&mut self.words, vec![W::default(); slots]);
        let codes = std::mem::replace(&mut self.codes, vec![NONE; slots]);
        for (word, code) in words.into_iter().zip(codes).filter(|(_, code)| *code != NONE) {
            let slot = self.slot(word);
            (self.words[slot], self.codes[slot]) = (word, code);
        }
    }

    fn code_of_null(&mut self) -> Option<u16> {
        if self.null.is_none() {
            self.null = Some(next(&mut self.count, self.max)?);
        }
        self.null
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that rows have equal codes if they have equal words, or are NULL.
    fn check<W: Word + std::hash::Hash>(words: &[W], is_null: impl Fn(usize) -> bool) {
        let validity: Bitmap = (0..words.len()).map(|row| !is_null(row)).collect();
        let codes = Codes::of_words(words.iter().copied(), Some(&validity)).expect("few words");
        let mut expected = std::collections::HashMap::new();
        for (row, word) in words.iter().enumerate() {
            let next = u16::try_from(expected.len()).expect("few words");
            let code = *expected.entry((!is_null(row)).then_some(*word)).or_insert(next);
            assert_eq!(codes.of_rows[row], code, "row {row}");
        }
        assert_eq!(codes.count, expected.len());
        if !(0..words.len()).any(is_null) {
            let without = Codes::of_words(words.iter().copied(), None).expect("few words");
            assert_eq!((without.of_rows, without.count), (codes.of_rows, codes.count));
        }
    }

    #[test]
    fn words_that_differ_in_few_or_many_bits_have_codes() {
        let rows = || 0..5000_u64;
        for values in [1, 2, 3, 1000, 1024] {
            for lowest in [0, 1, 17, 51, 52, 53, 63] {
                let words: Vec<u64> =
                    rows().map(|row| (row * 7919 % values) << lowest ^ 0xABCD_EF01).collect();
                check(&words, |_| false);
                check(&words, |row| row % 3 == 0);
                let wide: Vec<u128> = words.iter().map(|word| u128::from(*word) << 64 | 77).collect();
                check(&wide, |_| false);
                check(&wide, |row| row == 0);
            }
            let ends: Vec<u64> = rows().map(|row| (row & 1) << 63 | (row % values) << 3).collect();
            check(&ends, |_| false);
        }
        check::<u64>(&[], |_| false);
        check(&[5_u64], |_| true);
    }

    #[test]
    fn too_many_words_have_no_codes() {
        let words: Vec<u64> = (0..2000).collect();
        assert!(Codes::of_words(words.iter().copied(), None).is_none());
        assert!(Codes::of_words(words.iter().map(|word| word << 20), None).is_none());
    }
}
