//! Small integer codes for keys, in order of first occurrence: equal keys have equal codes, or the rows of a run have.

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

/// A word that represents a value; different values have different words.
trait Word: Copy + Default + Eq {
    /// A number whose upper bits differ for different words.
    fn spread(self) -> u64;
}

/// Spreads bits upwards: 2^64 divided by the golden ratio.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl Word for u64 {
    fn spread(self) -> u64 {
        self.wrapping_mul(SPREAD)
    }
}

impl Word for u128 {
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
