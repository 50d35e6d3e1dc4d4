//! The groups of one partition, and the rows of a batch in the order of partitions.

use super::Layout;
use super::states::{Results, RowValues, State};
use super::table::{Table, Word};
use crate::partial_aggregation::PartialKind;

/// The groups of one partition.
#[derive(Debug)]
pub(super) struct Partition<W> {
    places: Places<W>,
    states: Vec<State>,
}

/// How the place of a group's states is found.
#[derive(Debug)]
enum Places<W> {
    /// It is the distance from the first word.
    Direct {
        first: usize,
        count: usize,
        /// Empty before the first row.
        is_used: Vec<bool>,
    },
    Hashed(Table<W>),
}

impl<W: Word> Partition<W> {
    /// A partition without groups.
    pub(super) fn new<'k>(
        layout: Layout,
        partition: usize,
        kinds: impl Iterator<Item = &'k PartialKind>,
    ) -> Self {
        let places = match layout {
            Layout::Direct { words, shift } => {
                let first = partition << shift;
                let count = (1_usize << shift).min(u64::place(words) - first);
                Places::Direct { first, count, is_used: Vec::new() }
            }
            Layout::Hashed { bits, seed } => Places::Hashed(Table::new(seed, bits)),
        };
        Self { places, states: kinds.map(State::new).collect() }
    }

    /// Writes the places of the groups of these words, which are added if they are new.
    fn find(&mut self, words: &[W], places: &mut Vec<u32>) {
        places.clear();
        let count = match &mut self.places {
            Places::Direct { first, count, is_used } => {
                is_used.resize(*count, false);
                places.extend(words.iter().map(|word| {
                    let place = word.place() - *first;
                    is_used[place] = true;
                    #[expect(
                        clippy::cast_possible_truncation,
                        reason = "fewer than the words of a partition"
                    )]
                    {
                        place as u32
                    }
                }));
                *count
            }
            Places::Hashed(table) => {
                places.extend(words.iter().map(|word| table.number(*word)));
                table.len()
            }
        };
        self.states.iter_mut().for_each(|state| state.grow(count));
    }

    /// Adds rows with these words and these row numbers; the values are those of the whole batch. `places` is overwritten.
    pub(super) fn add(&mut self, words: &[W], rows: &[u32], values: &[RowValues], places: &mut Vec<u32>) {
        self.find(words, places);
        for (state, values) in self.states.iter_mut().zip(values) {
            state.add(values, rows, places);
        }
    }

    /// Adds the groups of another partition of the same words.
    pub(super) fn merge(&mut self, other: Self) {
        let words = match &other.places {
            Places::Direct { first, is_used, .. } => {
                used(is_used).map(|place| W::from((first + place) as u64)).collect()
            }
            Places::Hashed(table) => table.words().to_vec(),
        };
        let mut places = Vec::new();
        self.find(&words, &mut places);
        for (state, from) in self.states.iter_mut().zip(other.states) {
            match &other.places {
                Places::Direct { is_used, .. } => state.merge(from, used(is_used), &places),
                Places::Hashed(_) => state.merge(from, 0..words.len(), &places),
            }
        }
    }

    /// The number of groups.
    pub(super) fn len(&self) -> usize {
        match &self.places {
            Places::Direct { is_used, .. } => is_used.iter().filter(|is_used| **is_used).count(),
            Places::Hashed(table) => table.len(),
        }
    }

    /// Moves the words and the results of all groups to the ends of lists, and frees their memory.
    pub(super) fn drain(&mut self, words: &mut Vec<W>, results: &mut [Results]) {
        let states = std::mem::take(&mut self.states);
        match &mut self.places {
            Places::Direct { first, is_used, .. } => {
                let is_used = std::mem::take(is_used);
                words.extend(used(&is_used).map(|place| W::from((*first + place) as u64)));
                for (state, results) in states.into_iter().zip(results) {
                    state.finish(used(&is_used), results);
                }
            }
            Places::Hashed(table) => {
                let of_table = table.take_words();
                for (state, results) in states.into_iter().zip(results) {
                    state.finish(0..of_table.len(), results);
                }
                words.extend(of_table);
            }
        }
    }
}

/// The places that are used.
fn used(is_used: &[bool]) -> impl Iterator<Item = usize> {
    (0..is_used.len()).filter(|place| is_used[*place])
}

/// Rows of a batch, in the order of the partitions of their words.
#[derive(Debug)]
pub(super) struct Scattered<W> {
    words: Vec<W>,
    rows: Vec<u32>,
    /// The position behind the rows of each partition.
    ends: Vec<usize>,
}

impl<W: Word> Scattered<W> {
    #[expect(clippy::cast_possible_truncation, reason = "no more than partitions and rows of a batch")]
    pub(super) fn of(
        words: impl ExactSizeIterator<Item = W> + Clone,
        layout: Layout,
        partitions: usize,
    ) -> Self {
        let mut ends = vec![0_usize; partitions];
        let partition_of = |word: W| match layout {
            Layout::Direct { shift, .. } => word.place() >> shift,
            Layout::Hashed { bits, seed } => (word.hash(seed) >> (u64::BITS - bits)) as usize,
        };
        let of_rows: Vec<u16> = words.clone().map(|word| partition_of(word) as u16).collect();
        for partition in &of_rows {
            ends[usize::from(*partition)] += 1;
        }
        let mut first = 0;
        for end in &mut ends {
            first += std::mem::replace(end, first);
        }
        // The position of the next row of each partition, and in the end that behind its last one.
        let (mut by_partition, mut rows) = (vec![W::default(); words.len()], vec![0; words.len()]);
        for ((row, word), partition) in (0..).zip(words).zip(&of_rows) {
            let next = &mut ends[usize::from(*partition)];
            (by_partition[*next], rows[*next]) = (word, row);
            *next += 1;
        }
        Self { words: by_partition, rows, ends }
    }

    /// The words of the rows of a partition, and their row numbers.
    pub(super) fn of_partition(&self, partition: usize) -> (&[W], &[u32]) {
        let first = partition.checked_sub(1).map_or(0, |before| self.ends[before]);
        let range = first..self.ends[partition];
        (&self.words[range.clone()], &self.rows[range])
    }
}
