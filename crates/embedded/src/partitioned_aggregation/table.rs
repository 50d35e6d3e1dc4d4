//! The hash table of a partition: the number of the group of each word.

use polars::prelude::{Column, Int64Chunked, Int128Chunked, IntoColumn, IntoSeries, PlSmallStr};

use crate::partial_aggregation::SPREAD;

/// Slots of a new table.
const MIN_SLOTS: usize = 1 << 10;

const NONE: u32 = u32::MAX;

/// The packed keys of a row: as many bits as 64 or 128.
pub(super) trait Word: Copy + Default + Eq + From<u64> + Send + 'static {
    /// A number whose upper bits differ for different words, and for different seeds.
    fn hash(self, seed: u64) -> u64;

    /// The word as a place in memory, if it is small.
    fn place(self) -> usize;

    /// The words as a column.
    fn column(words: Vec<Self>) -> Column;
}

/// Both halves of the product of a number and [`SPREAD`].
#[expect(clippy::cast_possible_truncation, reason = "its two halves")]
pub(super) fn folded(number: u64) -> u64 {
    let product = u128::from(number) * u128::from(SPREAD);
    (product as u64) ^ ((product >> u64::BITS) as u64)
}

impl Word for u64 {
    fn hash(self, seed: u64) -> u64 {
        folded(self ^ seed).wrapping_mul(SPREAD)
    }

    #[expect(clippy::cast_possible_truncation, reason = "small")]
    fn place(self) -> usize {
        self as usize
    }

    fn column(words: Vec<Self>) -> Column {
        let words = words.into_iter().map(Self::cast_signed).collect();
        Int64Chunked::from_vec(PlSmallStr::EMPTY, words).into_series().into_column()
    }
}

impl Word for u128 {
    #[expect(clippy::cast_possible_truncation, reason = "its two halves")]
    fn hash(self, seed: u64) -> u64 {
        ((self as u64) ^ folded((self >> u64::BITS) as u64 ^ seed)).hash(seed)
    }

    fn place(self) -> usize {
        self as usize
    }

    fn column(words: Vec<Self>) -> Column {
        let words = words.into_iter().map(Self::cast_signed).collect();
        Int128Chunked::from_vec(PlSmallStr::EMPTY, words).into_series().into_column()
    }
}

/// The first slot for a hash, of a number of slots that is a power of two.
#[expect(clippy::cast_possible_truncation, reason = "as many bits as say a place")]
pub(super) fn slot_of(hash: u64, slots: usize) -> usize {
    (hash >> (u64::BITS - slots.ilog2())) as usize
}

/// Numbers of words, in the order of their first occurrence. At most half of the slots are taken, so that searches are
/// short.
#[derive(Debug)]
pub(super) struct Table<W> {
    seed: u64,
    /// Bits of the hash that are equal for all words of the table.
    skipped_bits: u32,
    slots: Vec<u32>,
    words: Vec<W>,
}

impl<W: Word> Table<W> {
    pub(super) fn new(seed: u64, skipped_bits: u32) -> Self {
        Self { seed, skipped_bits, slots: vec![NONE; MIN_SLOTS], words: Vec::new() }
    }

    /// The number of words.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// The words, at their numbers.
    pub(super) fn words(&self) -> &[W] {
        &self.words
    }

    /// The words, at their numbers. The table has none after it.
    pub(super) fn take_words(&mut self) -> Vec<W> {
        self.slots = vec![NONE; MIN_SLOTS];
        std::mem::take(&mut self.words)
    }

    /// The number of a word, which is added if it is new.
    ///
    /// # Panics
    ///
    /// If there are 2^32 - 1 words, which take 64 GiB; the statement is then executed in another way.
    pub(super) fn number(&mut self, word: W) -> u32 {
        let slot = self.slot(word);
        if self.slots[slot] != NONE {
            return self.slots[slot];
        }
        let number =
            u32::try_from(self.words.len()).ok().filter(|number| *number != NONE).expect("fewer words");
        self.slots[slot] = number;
        self.words.push(word);
        if 2 * self.words.len() > self.slots.len() {
            self.grow();
        }
        number
    }

    /// The slot of a word, or the free one where it belongs.
    fn slot(&self, word: W) -> usize {
        let mut slot = self.first_slot(word);
        while self.slots[slot] != NONE && self.words[self.slots[slot] as usize] != word {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }

    fn first_slot(&self, word: W) -> usize {
        slot_of(word.hash(self.seed) << self.skipped_bits, self.slots.len())
    }

    fn grow(&mut self) {
        self.slots = vec![NONE; 2 * self.slots.len()];
        for (number, word) in (0..).zip(&self.words) {
            let mut slot = self.first_slot(*word);
            // The words are different.
            while self.slots[slot] != NONE {
                slot = (slot + 1) & (self.slots.len() - 1);
            }
            self.slots[slot] = number;
        }
    }
}
