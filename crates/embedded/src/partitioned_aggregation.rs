//! Aggregation of many groups by integers and texts, in partitions that stay in a processor's cache: the rows of a batch are first
//! put in order of their keys' partitions, then each partition is updated by one thread at a time. One hash table of all
//! groups would miss the cache at nearly every row.
//!
//! Keys are packed into one word. If few words are possible, a word itself says the place of its group (direct
//! addressing, a perfect hash table); else each partition has a hash table.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use polars::lazy::frame::OptFlags;
use polars::prelude::{
    DataFrame, DataType, Expr, Field, LazyFrame, PlSmallStr, PolarsResult, Schema, col, lit,
};

pub(super) use self::interner::Interner;
use self::partition::{Partition, Scattered};
use self::states::{Results, RowValues};
use self::table::Word;
use crate::numeric::single;
use crate::partial_aggregation::Partial;

mod interner;
mod partition;
mod states;
mod table;

/// Maximum number of partitions: a batch should have some hundred rows for each.
const MAX_PARTITION_BITS: u32 = 8;
/// Minimum number of partitions, so that threads seldom wait for each other.
const MIN_PARTITION_BITS: u32 = 4;
/// Wanted number of groups of a partition, which together take some hundred kilobytes.
const GROUPS_PER_PARTITION: u64 = 1 << 14;

/// A partition with at least this many rows of a batch, and more than its fourth, is aggregated before it is locked: with
/// a frequent key, all threads would wait for its partition.
const MIN_HOT_ROWS: usize = 4096;
const MAX_HOT_PARTITIONS: usize = 4;

/// How the words of an aggregation are divided into partitions, and how the group of a word is found there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// Words are less than `words`; the bits from `shift` on are the partition, those below the place in it.
    Direct { words: u64, shift: u32 },
    /// The upper bits of a hash of the word, with a seed of this statement, are the partition.
    Hashed { bits: u32, seed: u64 },
}

impl Layout {
    /// Words less than `words`.
    pub(super) fn direct(words: u64) -> Self {
        let bits = u64::BITS - words.saturating_sub(1).leading_zeros();
        Self::Direct { words, shift: bits.saturating_sub(partition_bits(words)) }
    }

    /// Words of any value, of which about `groups` are expected.
    pub(super) fn hashed(groups: u64) -> Self {
        Self::Hashed { bits: partition_bits(groups), seed: RandomState::new().hash_one(groups) }
    }

    /// A number that no statement before had.
    fn seed(self) -> u64 {
        match self {
            Self::Direct { .. } => 0,
            Self::Hashed { seed, .. } => seed,
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "direct words are as many as places in memory")]
    fn partitions(self) -> usize {
        match self {
            Self::Direct { words, shift } => (words.saturating_sub(1) >> shift) as usize + 1,
            Self::Hashed { bits, .. } => 1 << bits,
        }
    }
}

fn partition_bits(groups: u64) -> u32 {
    (groups / GROUPS_PER_PARTITION).max(1).ilog2().clamp(MIN_PARTITION_BITS, MAX_PARTITION_BITS)
}

/// An aggregation by packed keys.
#[derive(Debug)]
pub(super) struct PartitionedAggregation(Arc<AnyGroups>);

#[derive(Debug)]
enum AnyGroups {
    Narrow(Groups<u64>),
    Wide(Groups<u128>),
}

impl PartitionedAggregation {
    /// An aggregation by words of 64 bits, or of 128 if they are wide.
    pub(super) fn new(layout: Layout, is_wide: bool, partials: Vec<Partial>) -> Self {
        Self(Arc::new(match is_wide {
            false => AnyGroups::Narrow(Groups::new(layout, partials)),
            true => AnyGroups::Wide(Groups::new(layout, partials)),
        }))
    }

    /// A frame without rows. When it is collected, the rows of `frame` are added by the words in a column, which has no
    /// NULLs. Polars merges functions over equal columns, so an additional column has the name `own_name`, which no
    /// other frame of the statement has.
    pub(super) fn adding(&self, frame: LazyFrame, word: PlSmallStr, own_name: PlSmallStr) -> LazyFrame {
        let groups = Arc::clone(&self.0);
        let mut wanted = vec![word.clone()];
        for input in groups.partials().iter().flat_map(|partial| partial.kind.inputs()) {
            if !wanted.contains(&input) {
                wanted.push(input);
            }
        }
        let own = lit(0_i8).alias(own_name.clone());
        let wanted: Vec<Expr> = wanted.into_iter().map(col).chain([own]).collect();
        let schema = Schema::from_iter([Field::new(own_name, DataType::Int8)]);
        let nothing = DataFrame::empty_with_schema(&schema);
        let schema = Arc::new(schema);
        frame.select(wanted).map(
            move |batch| {
                groups.add(&batch, &word)?;
                Ok(nothing.clone())
            },
            OptFlags::STREAMING,
            Some(Arc::new(move |_: &Schema| Ok(Arc::clone(&schema)))),
            Some("partitioned aggregation"),
        )
    }

    /// The words of all groups, in a column with this name, and their results under the names of the partials. No rows
    /// may be added after it.
    pub(super) fn finish(&self, word: &PlSmallStr) -> PolarsResult<DataFrame> {
        match &*self.0 {
            AnyGroups::Narrow(groups) => groups.finish(word),
            AnyGroups::Wide(groups) => groups.finish(word),
        }
    }
}

impl AnyGroups {
    fn partials(&self) -> &[Partial] {
        match self {
            Self::Narrow(groups) => &groups.partials,
            Self::Wide(groups) => &groups.partials,
        }
    }

    fn add(&self, batch: &DataFrame, word: &PlSmallStr) -> PolarsResult<()> {
        let words = batch.column(word)?.as_materialized_series();
        match self {
            Self::Narrow(groups) => {
                let words = single(words.i64()?);
                groups.add(words.values().iter().map(|word| word.cast_unsigned()), batch)
            }
            Self::Wide(groups) => {
                let words = single(words.i128()?);
                groups.add(words.values().iter().map(|word| word.cast_unsigned()), batch)
            }
        }
    }
}

/// The groups of all rows that were added.
#[derive(Debug)]
struct Groups<W> {
    layout: Layout,
    partitions: Vec<Mutex<Partition<W>>>,
    partials: Vec<Partial>,
    /// The partition where the next batch begins: threads that begin at different ones do not meet soon.
    next_start: AtomicUsize,
}

impl<W: Word> Groups<W> {
    fn new(layout: Layout, partials: Vec<Partial>) -> Self {
        let mut groups = Self { layout, partitions: Vec::new(), partials, next_start: AtomicUsize::new(0) };
        let partitions = 0..layout.partitions();
        groups.partitions = partitions.map(|partition| Mutex::new(groups.new_partition(partition))).collect();
        groups
    }

    fn new_partition(&self, partition: usize) -> Partition<W> {
        Partition::new(self.layout, partition, self.partials.iter().map(|partial| &partial.kind))
    }

    /// Adds the rows of a batch, which have these words.
    fn add(&self, words: impl ExactSizeIterator<Item = W> + Clone, batch: &DataFrame) -> PolarsResult<()> {
        let count = self.partitions.len();
        let scattered = Scattered::of(words, self.layout, count);
        let values = self.partials.iter().map(|partial| RowValues::of(&partial.kind, batch));
        let values: Vec<RowValues> = values.collect::<PolarsResult<_>>()?;
        let start = self.next_start.fetch_add(count / 2 + 1, Ordering::Relaxed);
        let mut places = Vec::new();
        for turn in 0..count {
            let partition = start.wrapping_add(turn) % count;
            let (words, rows) = scattered.of_partition(partition);
            if words.is_empty() {
                continue;
            }
            let shared = || self.partitions[partition].lock().unwrap_or_else(PoisonError::into_inner);
            if words.len() >= MIN_HOT_ROWS && words.len() * MAX_HOT_PARTITIONS > batch.height() {
                // Other batches may have as many rows of it.
                let mut own = self.new_partition(partition);
                own.add(words, rows, &values, &mut places);
                shared().merge(own);
            } else {
                shared().add(words, rows, &values, &mut places);
            }
        }
        Ok(())
    }

    fn finish(&self, name: &PlSmallStr) -> PolarsResult<DataFrame> {
        let partitions = self.partitions.iter();
        let mut partitions: Vec<_> =
            partitions.map(|one| one.lock().unwrap_or_else(PoisonError::into_inner)).collect();
        let height = partitions.iter().map(|partition| partition.len()).sum();
        let mut words = Vec::with_capacity(height);
        let results = self.partials.iter().map(|partial| Results::with_capacity(&partial.kind, height));
        let mut results: Vec<Results> = results.collect();
        for partition in &mut partitions {
            partition.drain(&mut words, &mut results);
        }
        let mut columns = vec![W::column(words).with_name(name.clone())];
        for (Partial { output, kind }, results) in self.partials.iter().zip(results) {
            columns.push(results.into_column(kind).with_name(output.clone()));
        }
        DataFrame::new(height, columns)
    }
}

#[cfg(test)]
mod tests;
