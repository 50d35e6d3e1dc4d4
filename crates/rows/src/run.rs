//! A batch and the wanted rows in it.

use std::ops::Range;
use std::sync::Arc;

use super::budget::Budget;
use crate::Result;
use crate::arrow_file::{ArrowFile, Batch};

/// Bytes of a batch that are decoded per step: mostly UTF-8 validation.
const DECODED_BYTES_PER_STEP: u64 = 4;

/// A batch and the wanted rows in it.
#[derive(Debug)]
pub(super) struct Run {
    /// The batch's number in the file.
    pub(super) index: usize,
    pub(super) batch: Arc<Batch>,
    pub(super) rows: RunRows,
}

/// Positions in a batch.
#[derive(Debug)]
pub(super) enum RunRows {
    Range(Range<usize>),
    List(Vec<u32>),
}

impl Run {
    /// Rows of a batch of the file.
    pub(super) fn open(file: &ArrowFile, index: usize, rows: RunRows, budget: &mut Budget) -> Result<Self> {
        Ok(Self { index, batch: open_batch(file, index, budget)?, rows })
    }
}

impl RunRows {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Range(range) => range.len(),
            Self::List(rows) => rows.len(),
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, position: usize) -> usize {
        match self {
            Self::Range(range) => range.start + position,
            Self::List(rows) => rows[position] as usize,
        }
    }
}

/// A batch; its decoding is counted if it was not decoded before.
pub fn open_batch(file: &ArrowFile, index: usize, budget: &mut Budget) -> Result<Arc<Batch>> {
    if !file.is_decoded(index) {
        budget.spend(file.bytes_of_batch(index) as u64 / DECODED_BYTES_PER_STEP);
    }
    file.batch(index)
}
