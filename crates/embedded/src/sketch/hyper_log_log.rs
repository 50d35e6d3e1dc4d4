//! HyperLogLog in the format of Trino's `approx_set`: few values as the first 26 bits of their hashes, more as 4,096
//! buckets, each with the maximum number of leading zeros of its hashes.

mod bias;

use super::bytes::Bytes;
use super::{Result, fault};

/// Bits of a hash that are the index of its bucket, in sets that are created here: the standard error is 1.6 %.
const INDEX_BITS: u32 = 12;

/// Bits of a hash in an entry of a sparse set; six more bits are the number of zeros that follow.
const ENTRY_BITS: u32 = 26;
const ZEROS_BITS: u32 = 6;

/// Maximum number of entries of a sparse set after values are added, and after sets are merged; with more, it becomes
/// dense.
const MOST_ADDED: usize = 511;
const MOST_MERGED: usize = 516;

/// The largest delta of a bucket, which has four bits; the rest of a larger value is an overflow.
const MAX_DELTA: u8 = 15;

const SPARSE: u8 = 2;
const DENSE: u8 = 3;

/// A set for counting distinct values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HyperLogLog {
    index_bits: u32,
    storage: Storage,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Storage {
    /// Entries in ascending order, at most one for each bucket.
    Sparse(Vec<u32>),
    /// The value of each bucket.
    Dense(Vec<u8>),
}

const fn bucket_of(entry: u32) -> u32 {
    entry >> ZEROS_BITS
}

/// The number of zeros after the first bits of a hash.
const fn zeros_behind(hash: u64, bits: u32) -> u32 {
    (hash << bits | 1 << (bits - 1)).leading_zeros()
}

#[expect(clippy::cast_possible_truncation, reason = "zeros are 63 at most")]
const fn as_byte(zeros: u32) -> u8 {
    zeros as u8
}

impl HyperLogLog {
    /// The empty set.
    pub(crate) const fn new() -> Self {
        Self { index_bits: INDEX_BITS, storage: Storage::Sparse(Vec::new()) }
    }

    /// Adds a value: eight bytes of an integer or a double, or the bytes of a text.
    pub(crate) fn add(&mut self, mut value: &[u8]) {
        let hash = murmur3::murmur3_x64_128(&mut value, 0).unwrap_or_default();
        #[expect(clippy::cast_possible_truncation, reason = "the first half of the hash")]
        self.add_hash(hash as u64);
    }

    fn add_hash(&mut self, hash: u64) {
        match &mut self.storage {
            Storage::Dense(values) => {
                let bucket = usize::try_from(hash >> (u64::BITS - self.index_bits)).unwrap_or(0);
                values[bucket] = values[bucket].max(as_byte(zeros_behind(hash, self.index_bits) + 1));
            }
            Storage::Sparse(entries) => {
                let bucket = (hash >> (u64::BITS - ENTRY_BITS)) as u32;
                let entry = bucket << ZEROS_BITS | zeros_behind(hash, ENTRY_BITS);
                match entries.binary_search_by_key(&bucket, |entry| bucket_of(*entry)) {
                    Ok(place) => entries[place] = entries[place].max(entry),
                    Err(place) => entries.insert(place, entry),
                }
                if entries.len() > MOST_ADDED {
                    self.make_dense();
                }
            }
        }
    }

    fn make_dense(&mut self) {
        let Storage::Sparse(entries) = &self.storage else { return };
        let mut values = vec![0; 1 << self.index_bits];
        let more_bits = ENTRY_BITS - self.index_bits;
        for entry in entries {
            let bucket = (entry >> (u32::BITS - self.index_bits)) as usize;
            let zeros = (entry << self.index_bits).leading_zeros();
            let of_entry = entry & ((1 << ZEROS_BITS) - 1);
            let zeros = if zeros >= more_bits { more_bits + of_entry } else { zeros };
            values[bucket] = values[bucket].max(as_byte(zeros + 1));
        }
        self.storage = Storage::Dense(values);
    }

    /// Adds the values of another set.
    pub(crate) fn merge(&mut self, mut other: Self) -> Result<()> {
        if self.index_bits != other.index_bits {
            return fault(format!(
                "Cannot merge HLLs with different number of buckets: {} vs {}",
                1 << self.index_bits,
                1 << other.index_bits
            ));
        }
        if let (Storage::Sparse(entries), Storage::Sparse(others)) = (&mut self.storage, &other.storage) {
            entries.extend(others);
            // Of each bucket, the entry with the most zeros comes first.
            entries.sort_unstable_by_key(|entry| (bucket_of(*entry), std::cmp::Reverse(*entry)));
            entries.dedup_by_key(|entry| bucket_of(*entry));
            if entries.len() > MOST_MERGED {
                self.make_dense();
            }
            return Ok(());
        }
        self.make_dense();
        other.make_dense();
        if let (Storage::Dense(values), Storage::Dense(others)) = (&mut self.storage, &other.storage) {
            for (value, other) in values.iter_mut().zip(others) {
                *value = (*value).max(*other);
            }
        }
        Ok(())
    }

    /// The approximate number of distinct values.
    pub(crate) fn cardinality(&self) -> Result<i64> {
        let values = match &self.storage {
            Storage::Sparse(entries) => {
                let buckets = f64::from(1_u32 << ENTRY_BITS);
                return Ok(rounded(linear(buckets - as_double(entries.len()), buckets)));
            }
            Storage::Dense(values) => values,
        };
        let buckets = as_double(values.len());
        let empty = as_double(values.iter().filter(|value| **value == 0).count());
        if empty > 0.4 * buckets {
            return Ok(rounded(linear(empty, buckets)));
        }
        if self.index_bits != INDEX_BITS {
            return fault(format!(
                "cardinality of a full HyperLogLog of {} buckets is not known here; approx_set makes them of {}",
                values.len(),
                1 << INDEX_BITS
            ));
        }
        let sum: f64 = values.iter().map(|value| 1.0 / as_double(1_usize << value)).sum();
        let alpha = 0.7213 / (1.0 + 1.079 / buckets);
        let estimate = alpha * buckets * buckets / sum;
        Ok(rounded(estimate - bias::of(estimate)))
    }

    /// The set in Trino's format.
    pub(crate) fn serialized(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let count = |count: usize| u16::try_from(count).unwrap_or(u16::MAX).to_le_bytes();
        match &self.storage {
            Storage::Sparse(entries) => {
                bytes.extend([SPARSE, as_byte(self.index_bits)]);
                bytes.extend(count(entries.len()));
                bytes.extend(entries.iter().flat_map(|entry| entry.to_le_bytes()));
            }
            Storage::Dense(values) => {
                let baseline = values.iter().copied().min().unwrap_or(0);
                bytes.extend([DENSE, as_byte(self.index_bits), baseline]);
                let delta = |value: u8| (value - baseline).min(MAX_DELTA);
                bytes.extend(values.chunks_exact(2).map(|pair| delta(pair[0]) << 4 | delta(pair[1])));
                let overflows: Vec<(usize, u8)> = values
                    .iter()
                    .enumerate()
                    .filter(|(_, value)| **value - baseline > MAX_DELTA)
                    .map(|(bucket, value)| (bucket, value - baseline - MAX_DELTA))
                    .collect();
                bytes.extend(count(overflows.len()));
                bytes.extend(overflows.iter().flat_map(|(bucket, _)| count(*bucket)));
                bytes.extend(overflows.iter().map(|(_, more)| more));
            }
        }
        bytes
    }

    /// Parses a set in Trino's format.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let mut bytes = Bytes::new(bytes, "HyperLogLog");
        let tag = bytes.byte()?;
        let index_bits = u32::from(bytes.byte()?);
        let most = if tag == SPARSE { ENTRY_BITS } else { 16 };
        if !(1..=most).contains(&index_bits) {
            return Err(bytes.fault());
        }
        let storage = match tag {
            SPARSE => {
                let count = usize::from(bytes.u16()?);
                let entries: Vec<u32> = (0..count).map(|_| bytes.u32()).collect::<Result<_>>()?;
                if !entries.windows(2).all(|pair| bucket_of(pair[0]) < bucket_of(pair[1])) {
                    return Err(bytes.fault());
                }
                // Trino does not create dense sets with more buckets.
                if index_bits > 16 {
                    return Err(bytes.fault());
                }
                Storage::Sparse(entries)
            }
            DENSE => Storage::Dense(dense(&mut bytes, 1 << index_bits)?),
            _ => return Err(bytes.fault()),
        };
        bytes.end()?;
        Ok(Self { index_bits, storage })
    }
}

/// Parses the values of the buckets of a dense set.
fn dense(bytes: &mut Bytes<'_>, buckets: usize) -> Result<Vec<u8>> {
    let baseline = bytes.byte()?;
    let deltas = bytes.take(buckets / 2)?;
    let mut values: Vec<u8> = deltas.iter().flat_map(|pair| [pair >> 4, pair & MAX_DELTA]).collect();
    let count = usize::from(bytes.u16()?);
    let overflows: Vec<usize> = (0..count).map(|_| bytes.u16().map(usize::from)).collect::<Result<_>>()?;
    for bucket in overflows {
        let more = bytes.byte()?;
        let Some(value) = values.get_mut(bucket).filter(|value| **value == MAX_DELTA) else {
            return Err(bytes.fault());
        };
        *value = value.saturating_add(more);
    }
    // The number of leading zeros is less than the number of bits of a hash.
    let most = u8::try_from(u64::BITS - 1).unwrap_or(0);
    let values = values.into_iter().map(|value| baseline.checked_add(value).filter(|value| *value <= most));
    values.collect::<Option<Vec<u8>>>().ok_or_else(|| bytes.fault())
}

/// The number of distinct values, estimated from the number of empty buckets.
fn linear(empty: f64, buckets: f64) -> f64 {
    buckets * (buckets / empty).ln()
}

#[expect(clippy::cast_precision_loss, reason = "buckets, and powers of two")]
const fn as_double(count: usize) -> f64 {
    count as f64
}

#[expect(clippy::cast_possible_truncation, reason = "a number of values")]
fn rounded(estimate: f64) -> i64 {
    (estimate + 0.5).floor() as i64
}
