//! Small integer codes for keys, in order of first occurrence: equal keys have equal codes, or the rows of a run have.

use std::slice;

use polars::prelude::{Column, DataType, IdxCa, IdxSize, PlSmallStr, PolarsResult};
use polars_arrow::bitmap::Bitmap;

use super::key::{Key, Places, Word, Words, with_words};
use crate::numeric::single;

/// Maximum number of groups of a batch, and of the values of a key in it. A table of as many words has half a megabyte,
/// which a second-level cache holds.
pub(crate) const MAX_CODES: usize = 16_384;

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
        let keys =
            columns.iter().map(|column| Key::of(column)).collect::<PolarsResult<Option<Vec<Key>>>>()?;
        Ok(keys.filter(|keys| !keys.is_empty()).and_then(|keys| Self::of_keys(&keys)))
    }

    /// All rows as one group, which may be empty.
    pub(super) fn of_one_group(rows: usize) -> Self {
        Self { of_rows: vec![0; rows], count: 1 }
    }

    fn of_keys(keys: &[Key]) -> Option<Self> {
        if let Some(places) = Places::of(keys) {
            return Self::of_places(places);
        }
        let mut all: Option<Self> = None;
        for key in keys {
            let codes = match Places::of(slice::from_ref(key)) {
                Some(places) => Self::of_places(places)?,
                None => Self::of_key(key)?,
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

    fn of_key(key: &Key) -> Option<Self> {
        with_words!(key.words(), |words| Self::of_words(words, key.validity()))
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
        let mut of_rows = places.into_rows();
        let max = max_codes(of_rows.len());
        let mut count = 0;
        let mut codes = [NONE; Places::COUNT];
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

    use polars_arrow::array::PrimitiveArray;

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
        // The first three fit into one place, also with NULLs; the fourth does not.
        let flags: Vec<u64> = (0..6000).map(|row| row * 31 % 7 % 2).collect();
        let letters: Vec<u64> = (0..6000).map(|row| 0x4100_0000 + ((row * 17 % 11 % 5) << 8)).collect();
        let months: Vec<u64> = (0..6000).map(|row| 1 + row * 7 % 12).collect();
        let far: Vec<u64> = (0..6000).map(|row| ((row % 5) << 40) | (row % 3)).collect();
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
    fn keys_of_as_many_bits_as_a_place_has_and_of_one_more_have_codes() {
        let pick = |values: [u64; 3]| -> Vec<u64> { (0..99).map(|row| values[row * 5 % 7 % 3]).collect() };
        let (no_null, some_null) = (|_: usize| false, |row: usize| row.is_multiple_of(4));
        for values in [[0, 1, 1 << 11], [0, 1, 1 << 12]] {
            check_words(&pick(values), no_null);
            check_words(&pick(values), some_null);
        }
        let halves =
            [pick([0, 1, 1 << 5]), (0..99).map(|row| [1 << 7, 0, 1 << 2][row * 3 % 5 % 3]).collect()];
        let both = || halves[0].iter().zip(&halves[1]);
        check(&[numbers(&halves[0], no_null), numbers(&halves[1], no_null)], both());
        let twelve = pick([0, 1, 1 << 11]);
        check(&[numbers(&twelve, no_null), numbers(&[5; 99], no_null)], twelve.iter());
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
