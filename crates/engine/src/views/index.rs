//! An index of one column of a generation: every key with its row number, ordered by key and then by row, in a mapped
//! file. A look-up reads a few cache lines of fence keys, one block of keys and the matching rows, whatever the number
//! of rows.

use std::ops::Range;
use std::path::Path;

use arrow_buffer::ScalarBuffer;

use super::key::{TEXT_KEY_BYTES, text_key};
use super::predicate::{Test, TextEnd, TextRange, literal_prefix};
use super::sections::Sections;
use super::statistics::prefix_keys;
use crate::Result;
use rowhouse_rows::arrow_file::Loss;

mod build;
mod in_order;
mod sort;

pub(super) use build::build;
pub(super) use in_order::InOrder;

const MAGIC: [u8; 8] = *b"RWHINDX1";

/// Keys per fence: as many as fit in a page.
const BLOCK_KEYS: usize = 256;

/// A mapped index.
#[derive(Debug)]
pub(super) struct Index {
    keys: Keys,
    /// Row numbers in key order.
    rows: ScalarBuffer<u32>,
    /// Row numbers of NULLs, ascending.
    null_rows: ScalarBuffer<u32>,
    text: TextFacts,
}

/// The keys, and the first key of each block.
#[derive(Debug)]
enum Keys {
    Narrow { keys: ScalarBuffer<i64>, fences: ScalarBuffer<i64> },
    Wide { keys: ScalarBuffer<i128>, fences: ScalarBuffer<i128> },
}

/// A key as a number.
trait Key: Copy + Ord {
    /// Approximate distance from a key that is not greater.
    fn distance(self, other: Self) -> f64;
}

impl Key for i64 {
    fn distance(self, other: Self) -> f64 {
        self.wrapping_sub(other) as u64 as f64
    }
}

impl Key for i128 {
    fn distance(self, other: Self) -> f64 {
        self.wrapping_sub(other) as u128 as f64
    }
}

/// Common properties of all texts of a column, which make keys more selective.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct TextFacts {
    is_text: bool,
    /// The common prefix; keys are built from what follows it.
    prefix: Vec<u8>,
    /// Whether any text contains a NUL, which is indistinguishable from the padding of a short key.
    has_nul: bool,
    /// Whether all texts fit in their keys.
    fit_keys: bool,
}

/// Rows that an index returns for a test.
#[derive(Debug)]
pub(super) struct Candidates<'i> {
    index: &'i Index,
    places: Places,
    is_exact: bool,
}

#[derive(Debug)]
enum Places {
    Nulls,
    /// Positions of keys, ascending and disjoint.
    Keys(Vec<Range<usize>>),
}

impl Index {
    /// Maps the index of a generation with this many rows.
    ///
    /// # Errors
    /// As [`Sections::open`]; `Damaged`: it is no index of such a generation.
    pub(super) fn open(path: &Path, num_rows: u64, loss: Loss) -> Result<Self> {
        let sections = Sections::open(path, MAGIC, loss)?;
        let [flags, key_count, null_count, prefix_bytes] = sections.numbers();
        if key_count.checked_add(null_count) != Some(num_rows) {
            return Err(sections.corrupt("it is of another generation"));
        }
        let (key_count, null_count) = (key_count as usize, null_count as usize);
        let fence_count = key_count.div_ceil(BLOCK_KEYS);
        let mut reader = sections.reader();
        let keys = if flags & build::WIDE == 0 {
            Keys::Narrow { keys: reader.take(key_count)?, fences: reader.take(fence_count)? }
        } else {
            Keys::Wide { keys: reader.take(key_count)?, fences: reader.take(fence_count)? }
        };
        let rows = reader.take(key_count)?;
        let null_rows = reader.take(null_count)?;
        let prefix = reader.take::<u8>(usize::try_from(prefix_bytes).unwrap_or(usize::MAX))?.to_vec();
        reader.finish()?;
        let text = TextFacts {
            is_text: flags & build::TEXT != 0,
            prefix,
            has_nul: flags & build::HAS_NUL != 0,
            fit_keys: flags & build::FIT_KEYS != 0,
        };
        Ok(Self { keys, rows, null_rows, text })
    }

    /// The rows that can pass a test, counted but not yet read. None if the index cannot help.
    pub(super) fn candidates(&self, test: &Test) -> Option<Candidates<'_>> {
        let (places, is_exact) = match test {
            Test::IsNull(true) => (Places::Nulls, true),
            Test::IsNull(false) => (Places::keys(std::iter::once(0..self.rows.len())), true),
            Test::IsNotTruth(_) => return None,
            Test::Narrow(ranges) => {
                let ranges = ranges.iter().map(|(low, high)| self.places((*low).into(), (*high).into()));
                (Places::keys(ranges), true)
            }
            Test::Wide(ranges) => {
                let ranges = ranges.iter().map(|(low, high)| self.places(*low, *high));
                (Places::keys(ranges), true)
            }
            Test::Text(ranges) if self.text.is_text => {
                let is_exact = ranges.iter().all(|range| self.text.is_exact(range));
                let places = ranges.iter().map(|range| {
                    let (low, high) = self.text.keys(range);
                    self.places(low, high)
                });
                (Places::keys(places), is_exact)
            }
            Test::Like(pattern) if self.text.is_text => {
                let prefix = literal_prefix(pattern);
                if prefix.is_empty() {
                    return None;
                }
                let (low, high) = self.text.prefix_keys(prefix.as_bytes());
                (Places::keys(std::iter::once(self.places(low, high))), false)
            }
            Test::Text(_) | Test::Like(_) => return None,
        };
        Some(Candidates { index: self, places, is_exact })
    }

    /// Whether the order of the keys is that of the values: two different texts may share a key.
    pub(super) fn is_in_order(&self) -> bool {
        !self.text.is_text || (self.text.fit_keys && !self.text.has_nul)
    }

    /// All rows in the order of their values, NULLs last and rows of equal values in row order.
    pub(super) fn in_order(&self, is_descending: bool) -> InOrder {
        let ranges = std::iter::once(0..self.rows.len()).filter(|range| !range.is_empty()).collect();
        InOrder::new(ranges, true, is_descending)
    }

    /// The first position of the key that precedes `end`, not before `start`.
    fn start_of_key(&self, start: usize, end: usize) -> usize {
        // Most keys of most columns are few: a short walk finds their beginning.
        const WALKED_PLACES: usize = 8;
        let mut place = end - 1;
        while place > start && self.is_one_key(&(place - 1..end)) {
            place -= 1;
            if end - place > WALKED_PLACES {
                let first = match &self.keys {
                    Keys::Narrow { keys, fences } => first_at_least(keys, fences, keys[place]),
                    Keys::Wide { keys, fences } => first_at_least(keys, fences, keys[place]),
                };
                return first.max(start);
            }
        }
        place
    }

    /// Positions of the keys from `low` to `high`, both inclusive.
    fn places(&self, low: i128, high: i128) -> Range<usize> {
        let clamp = |key: i128| key.clamp(i64::MIN.into(), i64::MAX.into()) as i64;
        match &self.keys {
            Keys::Narrow { keys, fences } => places_between(keys, fences, clamp(low), clamp(high)),
            Keys::Wide { keys, fences } => places_between(keys, fences, low, high),
        }
    }

    fn is_one_key(&self, places: &Range<usize>) -> bool {
        match &self.keys {
            Keys::Narrow { keys, .. } => keys[places.start] == keys[places.end - 1],
            Keys::Wide { keys, .. } => keys[places.start] == keys[places.end - 1],
        }
    }
}

impl Places {
    /// Ranges of keys ascend, but those of text may touch: neighbours share a boundary key.
    fn keys(ranges: impl Iterator<Item = Range<usize>>) -> Self {
        let mut merged: Vec<Range<usize>> = Vec::new();
        for range in ranges.filter(|range| !range.is_empty()) {
            match merged.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => merged.push(range),
            }
        }
        Self::Keys(merged)
    }
}

impl Candidates<'_> {
    /// Number of rows.
    pub(super) fn count(&self) -> u64 {
        let count = match &self.places {
            Places::Nulls => self.index.null_rows.len(),
            Places::Keys(ranges) => ranges.iter().map(Range::len).sum(),
        };
        count as u64
    }

    /// Whether every one of them passes.
    pub(super) fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// The rows in the order of their values, rows of equal values in row order.
    pub(super) fn in_order(self, is_descending: bool) -> InOrder {
        let (are_nulls_left, mut ranges) = match self.places {
            Places::Nulls => (true, Vec::new()),
            Places::Keys(ranges) => (false, ranges),
        };
        if !is_descending {
            ranges.reverse();
        }
        InOrder::new(ranges, are_nulls_left, is_descending)
    }

    /// Whether the index has them in ascending row order.
    pub(super) fn are_ascending(&self) -> bool {
        match &self.places {
            Places::Nulls => true,
            Places::Keys(ranges) => match &ranges[..] {
                [] => true,
                // The rows of one key are in row order.
                [range] => self.index.is_one_key(range),
                _ => false,
            },
        }
    }

    /// Row numbers in index order.
    pub(super) fn in_key_order(&self) -> Vec<u32> {
        match &self.places {
            Places::Nulls => self.index.null_rows.to_vec(),
            Places::Keys(ranges) => {
                let mut rows = Vec::with_capacity(self.count() as usize);
                ranges.iter().for_each(|range| rows.extend_from_slice(&self.index.rows[range.clone()]));
                rows
            }
        }
    }

    /// Row numbers in ascending order, skipping `offset` of them, at most `limit`.
    pub(super) fn rows(&self, offset: usize, limit: usize) -> Vec<u32> {
        let ascending = match &self.places {
            Places::Nulls => &self.index.null_rows[..],
            Places::Keys(ranges) => match &ranges[..] {
                [] => &[],
                // The rows of one key are in row order.
                [range] if self.index.is_one_key(range) => &self.index.rows[range.clone()],
                _ => return self.sorted_rows(offset, limit),
            },
        };
        let start = offset.min(ascending.len());
        let end = start.saturating_add(limit).min(ascending.len());
        ascending[start..end].to_vec()
    }

    fn sorted_rows(&self, offset: usize, limit: usize) -> Vec<u32> {
        let mut rows = self.in_key_order();
        let wanted = offset.saturating_add(limit);
        if wanted < rows.len() {
            // Only the wanted ones must be sorted.
            rows.select_nth_unstable(wanted);
            rows.truncate(wanted);
        }
        rows.sort_unstable();
        rows.drain(..offset.min(rows.len()));
        rows
    }
}

impl TextFacts {
    /// The key of a text, which the column need not contain; keys never reverse the order of texts.
    fn key(&self, text: &[u8]) -> i128 {
        match text.strip_prefix(self.prefix.as_slice()) {
            Some(rest) => text_key(rest),
            // It is before or after all texts of the column.
            None if text < self.prefix.as_slice() => i128::MIN,
            None => i128::MAX,
        }
    }

    fn keys(&self, range: &TextRange) -> (i128, i128) {
        let low = match &range.low {
            TextEnd::Open => i128::MIN,
            TextEnd::Included(text) | TextEnd::Excluded(text) => self.key(text),
        };
        let high = match &range.high {
            TextEnd::Open => i128::MAX,
            TextEnd::Included(text) | TextEnd::Excluded(text) => self.key(text),
        };
        (low, high)
    }

    /// The least and greatest key of texts with a prefix.
    fn prefix_keys(&self, prefix: &[u8]) -> (i128, i128) {
        match prefix.strip_prefix(self.prefix.as_slice()) {
            Some(rest) => prefix_keys(rest),
            None if self.prefix.starts_with(prefix) => (i128::MIN, i128::MAX),
            None => (self.key(prefix), self.key(prefix)),
        }
    }

    /// Whether every text whose key lies in the range's keys lies in the range: for "equal", if equal keys are equal
    /// texts.
    fn is_exact(&self, range: &TextRange) -> bool {
        let (TextEnd::Included(low), TextEnd::Included(high)) = (&range.low, &range.high) else {
            return false;
        };
        let Some(rest) = low.strip_prefix(self.prefix.as_slice()) else { return false };
        let is_whole = rest.len() < TEXT_KEY_BYTES || (rest.len() == TEXT_KEY_BYTES && self.fit_keys);
        low == high && is_whole && !self.has_nul && !rest.contains(&0)
    }
}

fn first_at_least<K: Key>(keys: &[K], fences: &[K], key: K) -> usize {
    search(keys, fences, key, |other| *other < key)
}

fn first_above<K: Key>(keys: &[K], fences: &[K], key: K) -> usize {
    search(keys, fences, key, |other| *other <= key)
}

/// Positions of the keys from `low` to `high`, both inclusive.
fn places_between<K: Key>(keys: &[K], fences: &[K], low: K, high: K) -> Range<usize> {
    let start = first_at_least(keys, fences, low);
    let end = match low == high {
        // Usually one key or a few, which are in cache lines already read.
        true => start + partition_point_near(&keys[start..], 0, |other| *other <= high),
        false => first_above(keys, fences, high),
    };
    start..end.max(start)
}

/// The first position whose key is not `before`; `key` is the boundary.
fn search<K: Key>(keys: &[K], fences: &[K], key: K, before: impl Fn(&K) -> bool) -> usize {
    let Some(block) = fences.partition_point(&before).checked_sub(1) else { return 0 };
    let start = block * BLOCK_KEYS;
    let end = keys.len().min(start + BLOCK_KEYS);
    // Each probe of a block is a cache miss if there are many keys; the position of numbers can often be interpolated
    // from their neighbours.
    let guess = match fences.get(block + 1) {
        Some(next) => key.distance(fences[block]) / next.distance(fences[block]) * BLOCK_KEYS as f64,
        None => 0.0,
    };
    // NaN, from a block with a single key, becomes zero.
    start + partition_point_near(&keys[start..end], guess as usize, before)
}

/// As `partition_point`, probing near a guess first: a good guess saves most probes, the worst one doubles them.
fn partition_point_near<K>(keys: &[K], guess: usize, before: impl Fn(&K) -> bool) -> usize {
    let (mut low, mut high) = (0, keys.len());
    let guess = guess.min(high.saturating_sub(1));
    let mut step = 1;
    if keys.get(guess).is_some_and(&before) {
        low = guess + 1;
        while low + step <= high {
            let probe = low + step - 1;
            if !before(&keys[probe]) {
                high = probe;
                break;
            }
            low = probe + 1;
            step *= 2;
        }
    } else {
        high = guess;
        while high > low {
            let probe = high.saturating_sub(step);
            if before(&keys[probe]) {
                low = probe + 1;
                break;
            }
            high = probe;
            step *= 2;
        }
    }
    low + keys[low..high].partition_point(before)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn partition_point_near_ignores_the_quality_of_the_guess(
            mut keys in prop::collection::vec(0_i64..50, 0..80), key in -1_i64..52, guess in 0_usize..100,
        ) {
            keys.sort_unstable();
            let expected = keys.partition_point(|other| *other < key);
            prop_assert_eq!(partition_point_near(&keys, guess, |other| *other < key), expected);
        }

        /// Uniform keys, clustered keys, and the extremes of all numbers.
        #[test]
        fn positions_equal_those_of_a_binary_search(
            spread in prop::sample::select(vec![1_i64, 3, 1000, i64::MAX / 3000]), seed: u64, count in 0_usize..3000,
            ends: bool,
        ) {
            let mut state = seed;
            let mut keys: Vec<i64> = (0..count as i64).map(|place| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                match state >> 61 {
                    0 => spread * 7,
                    1 => spread * place / 50,
                    _ => spread * place,
                }
            }).collect();
            if ends {
                keys.extend([i64::MIN, i64::MIN, i64::MAX, i64::MAX]);
            }
            keys.sort_unstable();
            let wide: Vec<i128> = keys.iter().map(|key| i128::from(*key) << 60).collect();
            let fences: Vec<i64> = keys.iter().step_by(BLOCK_KEYS).copied().collect();
            let wide_fences: Vec<i128> = wide.iter().step_by(BLOCK_KEYS).copied().collect();
            let asked = keys.iter().step_by(37).flat_map(|key| [*key, key.saturating_add(1), key.saturating_sub(1)]);
            for low in asked.chain([0, i64::MIN, i64::MAX]) {
                for high in [low, low.saturating_add(spread * 5), low.saturating_sub(1), i64::MAX] {
                    let start = keys.partition_point(|key| *key < low);
                    let end = keys.partition_point(|key| *key <= high).max(start);
                    prop_assert_eq!(places_between(&keys, &fences, low, high), start..end);
                    let (low, high) = (i128::from(low) << 60, i128::from(high) << 60);
                    prop_assert_eq!(places_between(&wide, &wide_fences, low, high), start..end);
                }
            }
        }
    }
}
