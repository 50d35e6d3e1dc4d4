//! Partitioning of rows to files: by hash, so that rows with equal keys are in the same file, or by range, so that all
//! rows of a file precede those of the next one.

use std::hash::BuildHasher;

use polars::prelude::row_encode::{_get_rows_encoded_ca, encode_rows_unordered};
use polars::prelude::{BinaryOffsetChunked, Column, IdxCa, IdxSize, PlRandomState, PolarsResult};

use crate::column::as_index;

/// One of this many rows is sampled. It is a prime, so that the sample does not coincide with a period of the data.
const ROWS_PER_SAMPLE: usize = 997;

/// The rule by which rows are distributed.
#[derive(Clone, Debug)]
pub(crate) enum Placement {
    /// By hash to this number of files. Values are compared like grouping keys: NULL equals NULL, and -0.0 equals 0.0.
    Hash(PlRandomState, usize),
    /// By range, with these bounds in ascending order: rows not less than the n-th bound are in a later file than the
    /// n-th.
    Order(KeyOrder, Vec<Box<[u8]>>),
}

/// The sort order of rows.
#[derive(Clone, Debug)]
pub(crate) struct KeyOrder {
    /// Whether each key is descending.
    pub(crate) is_descending: Vec<bool>,
    /// Whether each key has NULLs last.
    pub(crate) nulls_last: Vec<bool>,
}

impl Placement {
    /// Distribution by hash to this number of files.
    pub(crate) fn hash(files: usize) -> Self {
        Self::Hash(PlRandomState::default(), files)
    }

    /// The maximum number of files.
    pub(super) fn files(&self) -> usize {
        match self {
            Self::Hash(_, files) => *files,
            Self::Order(_, bounds) => bounds.len() + 1,
        }
    }

    /// For each file, its rows in order.
    pub(super) fn rows_of_files(&self, keys: &[Column]) -> PolarsResult<Vec<Vec<IdxSize>>> {
        let mut rows_of_files = vec![Vec::new(); self.files()];
        let encoded = match self {
            Self::Hash(..) => encode_rows_unordered(keys)?,
            Self::Order(order, _) => order.encode(keys)?,
        };
        for (row, key) in (0..).zip(values(&encoded)) {
            let file = match self {
                Self::Hash(state, files) => {
                    // The hash is a fraction of 2^64; the file is that fraction of the number of files.
                    ((u128::from(state.hash_one(key)) * *files as u128) >> 64) as usize
                }
                Self::Order(_, bounds) => bounds.partition_point(|bound| **bound <= *key),
            };
            rows_of_files[file].push(row);
        }
        Ok(rows_of_files)
    }
}

impl KeyOrder {
    /// Encodes keys as bytes with the order of the rows.
    fn encode(&self, keys: &[Column]) -> PolarsResult<BinaryOffsetChunked> {
        _get_rows_encoded_ca("".into(), keys, &self.is_descending, &self.nulls_last, false)
    }
}

/// A sample of rows, from which the bounds of ranges are computed.
#[derive(Debug)]
pub(crate) struct Samples {
    order: KeyOrder,
    seen: usize,
    keys: Vec<Box<[u8]>>,
}

impl Samples {
    /// An empty sample.
    pub(super) const fn new(order: KeyOrder) -> Self {
        Self { order, seen: 0, keys: Vec::new() }
    }

    /// The number of rows that were sampled from.
    pub(crate) const fn rows(&self) -> usize {
        self.seen
    }

    /// Samples further rows.
    pub(super) fn take(&mut self, keys: &[Column]) -> PolarsResult<()> {
        let height = keys.first().map_or(0, Column::len);
        let first = (ROWS_PER_SAMPLE - self.seen % ROWS_PER_SAMPLE) % ROWS_PER_SAMPLE;
        self.seen += height;
        let rows: Vec<IdxSize> = (first..height).step_by(ROWS_PER_SAMPLE).map(as_index).collect();
        let rows = IdxCa::from_vec("".into(), rows);
        let sampled = keys.iter().map(|key| key.take(&rows)).collect::<PolarsResult<Vec<Column>>>()?;
        let encoded = self.order.encode(&sampled)?;
        self.keys.extend(values(&encoded).map(Box::from));
        Ok(())
    }

    /// Computes bounds of ranges with about equal numbers of rows; there are fewer ranges if many rows are equal.
    pub(crate) fn into_placement(mut self, files: usize) -> Placement {
        self.keys.sort_unstable();
        let mut bounds: Vec<Box<[u8]>> =
            (1..files).filter_map(|bound| self.keys.get(bound * self.keys.len() / files).cloned()).collect();
        bounds.dedup();
        Placement::Order(self.order, bounds)
    }
}

/// The encoded rows; none of them is NULL.
fn values(encoded: &BinaryOffsetChunked) -> impl Iterator<Item = &[u8]> {
    encoded.downcast_iter().flat_map(|array| array.values_iter())
}
