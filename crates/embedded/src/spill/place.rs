//! Partitioning of rows to files: by hash, so that rows with equal keys meet, or by range, so that all rows of a file
//! come before those of the next.

use std::hash::BuildHasher;

use polars::prelude::row_encode::{_get_rows_encoded_ca, encode_rows_unordered};
use polars::prelude::{BinaryOffsetChunked, Column, IdxCa, IdxSize, PlRandomState, PolarsResult};

use crate::column::as_index;

/// One row of so many is looked at to find out how rows are spread; a prime, so that it keeps no step with the data.
const ROWS_PER_SAMPLE: usize = 997;

/// A rule by which rows are divided.
#[derive(Clone, Debug)]
pub(crate) enum Placement {
    /// Into so many files. Values are equal as groups are: NULL is NULL, and -0.0 is 0.0.
    Hash(PlRandomState, usize),
    /// At these rows in their order: what is not before the n-th goes to a later file than the n-th.
    Order(KeyOrder, Vec<Box<[u8]>>),
}

/// How rows are compared.
#[derive(Clone, Debug)]
pub(crate) struct KeyOrder {
    /// For each key.
    pub(crate) is_descending: Vec<bool>,
    /// For each key.
    pub(crate) nulls_last: Vec<bool>,
}

impl Placement {
    /// By equal keys, into so many files.
    pub(crate) fn hash(files: usize) -> Self {
        Self::Hash(PlRandomState::default(), files)
    }

    /// How many files there are at most.
    pub(super) fn files(&self) -> usize {
        match self {
            Self::Hash(_, files) => *files,
            Self::Order(_, bounds) => bounds.len() + 1,
        }
    }

    /// For each file the rows that go there, in their order.
    pub(super) fn rows_of_files(&self, keys: &[Column]) -> PolarsResult<Vec<Vec<IdxSize>>> {
        let mut rows_of_files = vec![Vec::new(); self.files()];
        let encoded = match self {
            Self::Hash(..) => encode_rows_unordered(keys)?,
            Self::Order(order, _) => order.encode(keys)?,
        };
        for (row, key) in (0..).zip(values(&encoded)) {
            let file = match self {
                Self::Hash(state, files) => {
                    // A hash is a fraction of 2^64, and so many of the files are below it.
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
    /// Bytes that compare as the rows do.
    fn encode(&self, keys: &[Column]) -> PolarsResult<BinaryOffsetChunked> {
        _get_rows_encoded_ca("".into(), keys, &self.is_descending, &self.nulls_last, false)
    }
}

/// Some rows of many, by which their order is divided.
#[derive(Debug)]
pub(crate) struct Samples {
    order: KeyOrder,
    seen: usize,
    keys: Vec<Box<[u8]>>,
}

impl Samples {
    /// None yet.
    pub(super) const fn new(order: KeyOrder) -> Self {
        Self { order, seen: 0, keys: Vec::new() }
    }

    /// How many rows there are, of which some were taken.
    pub(crate) const fn rows(&self) -> usize {
        self.seen
    }

    /// Looks at further rows.
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

    /// Divides the order into so many parts of about as many rows, or fewer where many rows are equal.
    pub(crate) fn into_placement(mut self, files: usize) -> Placement {
        self.keys.sort_unstable();
        let mut bounds: Vec<Box<[u8]>> =
            (1..files).filter_map(|bound| self.keys.get(bound * self.keys.len() / files).cloned()).collect();
        bounds.dedup();
        Placement::Order(self.order, bounds)
    }
}

/// The encoded rows, none of which is NULL.
fn values(encoded: &BinaryOffsetChunked) -> impl Iterator<Item = &[u8]> {
    encoded.downcast_iter().flat_map(|array| array.values_iter())
}
