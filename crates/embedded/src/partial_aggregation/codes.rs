//! Small integer codes for keys, in order of first occurrence: equal keys have equal codes, or the rows of a run have.

use std::ops::{BitOr, BitXor};
use std::slice;

use polars::prelude::{Column, DataType, IdxCa, IdxSize, PlSmallStr, PolarsResult};
use polars_arrow::array::{Array, BooleanArray, PrimitiveArray, Utf8ViewArray};
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
        let keys = columns.iter().map(|column| Key::of(column)).collect::<PolarsResult<Option<Vec<Key>>>>()?;
        Ok(keys.and_then(|keys| Self::of_keys(&keys)))
    }

    fn of_keys(keys: &[Key]) -> Option<Self> {
        if let Some(places) = Places::of(keys) {
            return Self::of_places(places);
        }
        let mut all: Option<Self> = None;
        for key in keys {
            let codes = match Places::of(slice::from_ref(key)) {
                Some(places) => Self::of_places(places)?,
                None => key.table_codes()?,
            };
            all = Some(match all {
                None => codes,
                Some(all) => all.combined(&codes)?,
            });
        }
        all
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

    /// Assigns codes to words, one for each row, some of which may be NULL.
    fn of_words<W: Word>(words: impl ExactSizeIterator<Item = W>, validity: Option<&Bitmap>) -> Option<Self> {
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

    /// Assigns codes to places, one for each row.
    fn of_places(places: Places) -> Option<Self> {
        let max = max_codes(places.0.len());
        let mut count = 0;
        let mut codes = [NONE; Places::COUNT];
        let mut of_rows = places.0;
        for row in &mut of_rows {
            let code = &mut codes[usize::from(*row) % Places::COUNT];
            if *code == NONE {
                *code = next(&mut count, max)?;
            }
            *row = *code;
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

/// A column as words, and the bits in which they differ: of flags and of small numbers, and of texts of one letter, a
/// few.
struct Key {
    words: Words,
    varying: VaryingBits,
}

enum Words {
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

impl Key {
    /// `None` for a type that has no words.
    fn of(column: &Column) -> PolarsResult<Option<Self>> {
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

    fn of_words(words: Words) -> Self {
        let varying = with_words!(&words, |words| VaryingBits::of(words));
        Self { words, varying }
    }

    fn rows(&self) -> usize {
        with_words!(&self.words, |words| words.len())
    }

    /// The validity, if there are NULLs.
    fn validity(&self) -> Option<&Bitmap> {
        let validity = match &self.words {
            Words::Texts(texts) => texts.validity(),
            Words::Flags(flags) => flags.validity(),
            Words::Numbers(numbers) => numbers.validity(),
            Words::Wide(numbers) => numbers.validity(),
        };
        validity.filter(|validity| validity.unset_bits() > 0)
    }

    fn table_codes(&self) -> Option<Codes> {
        with_words!(&self.words, |words| Codes::of_words(words, self.validity()))
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
struct Places(Vec<u16>);

impl Places {
    /// Possible places. Their codes stay in a first-level cache.
    const COUNT: usize = 1 << 12;

    /// `None` if the keys differ in too many bits.
    fn of(keys: &[Key]) -> Option<Self> {
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
trait Word: Copy + Default + Eq + BitOr<Output = Self> + BitXor<Output = Self> {
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
    use std::collections::HashMap;

    use super::*;

    fn numbers(words: &[u64], is_null: impl Fn(usize) -> bool) -> Key {
        let validity: Bitmap = (0..words.len()).map(|row| !is_null(row)).collect();
        let words = words.iter().map(|word| word.cast_signed()).collect();
        Key::of_words(Words::Numbers(PrimitiveArray::from_vec(words).with_validity(Some(validity))))
    }

    fn wide(words: &[u64], is_null: impl Fn(usize) -> bool) -> Key {
        let validity: Bitmap = (0..words.len()).map(|row| !is_null(row)).collect();
        let words = words.iter().map(|word| (u128::from(*word) << 61 | 77).cast_signed()).collect();
        Key::of_words(Words::Wide(PrimitiveArray::from_vec(words).with_validity(Some(validity))))
    }

    /// Checks that rows have equal codes if they have equal values, in order of first occurrence.
    fn check<V: Eq + std::hash::Hash>(keys: &[Key], values: impl Iterator<Item = V>) {
        let codes = Codes::of_keys(keys).expect("few groups");
        let mut expected = HashMap::new();
        for (row, value) in values.enumerate() {
            let next = u16::try_from(expected.len()).expect("few groups");
            assert_eq!(codes.of_rows[row], *expected.entry(value).or_insert(next), "row {row}");
        }
        assert_eq!(codes.count, expected.len());
    }

    fn check_words(words: &[u64], is_null: impl Fn(usize) -> bool + Copy) {
        let values = || words.iter().enumerate().map(|(row, word)| (!is_null(row)).then_some(*word));
        check(&[numbers(words, is_null)], values());
        check(&[wide(words, is_null)], values());
    }

    #[test]
    fn words_that_differ_in_few_or_many_bits_have_codes() {
        for values in [1, 2, 3, 1000, 1024] {
            for lowest in [0, 1, 17, 51, 52, 53, 63] {
                let words: Vec<u64> =
                    (0..5000_u64).map(|row| (row * 7919 % values) << lowest ^ 0xABCD_EF01).collect();
                check_words(&words, |_| false);
                check_words(&words, |row| row % 3 == 0);
                check_words(&words, |row| row == 0);
            }
            let ends: Vec<u64> = (0..5000_u64).map(|row| (row & 1) << 63 | (row % values) << 3).collect();
            check_words(&ends, |_| false);
        }
        check_words(&[], |_| false);
        check_words(&[5], |_| true);
    }

    #[test]
    fn combinations_of_columns_have_codes() {
        // Together, the bits of the first three are few enough, with NULLs and those of the fourth they are not.
        let flags: Vec<u64> = (0..6000).map(|row| row * 31 % 7 % 2).collect();
        let letters: Vec<u64> = (0..6000).map(|row| 0x4100_0000 + (row * 17 % 11 % 5 << 8)).collect();
        let months: Vec<u64> = (0..6000).map(|row| 1 + row * 7 % 12).collect();
        let far: Vec<u64> = (0..6000).map(|row| row % 5 << 40 | row % 3).collect();
        for is_null in [|_| false, |row| row % 4 == 0] {
            let value = |words: &[u64], row: usize| (!is_null(row)).then_some(words[row]);
            check(
                &[numbers(&flags, is_null), wide(&letters, is_null), numbers(&months, |_| false)],
                (0..6000).map(|row| (value(&flags, row), value(&letters, row), months[row])),
            );
            check(
                &[numbers(&far, is_null), numbers(&flags, |_| false), wide(&letters, is_null)],
                (0..6000).map(|row| (value(&far, row), flags[row], value(&letters, row))),
            );
        }
    }

    #[test]
    fn too_many_words_have_no_codes() {
        let words: Vec<u64> = (0..2000).collect();
        assert!(Codes::of_keys(&[numbers(&words, |_| false)]).is_none());
        let far: Vec<u64> = words.iter().map(|word| word << 20).collect();
        assert!(Codes::of_keys(&[numbers(&far, |_| false)]).is_none());
        assert!(Codes::of_keys(&[numbers(&words, |_| false), numbers(&far, |_| false)]).is_none());
    }
}
