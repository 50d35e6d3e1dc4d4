//! A batch and the rows of it that are wanted together.

use std::ops::Range;
use std::sync::Arc;

use super::budget::Budget;
use crate::Result;
use crate::arrow_file::{ArrowFile, Batch};

/// Bytes of a batch that are decoded in a step: most of it is checking that text is UTF-8.
const DECODED_BYTES_PER_STEP: u64 = 4;

/// A batch and the wanted rows in it.
#[derive(Debug)]
pub(super) struct Run {
    pub(super) batch: Arc<Batch>,
    pub(super) rows: RunRows,
}

/// Places in a batch.
#[derive(Debug)]
pub(super) enum RunRows {
    Range(Range<usize>),
    List(Vec<u32>),
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

/// A batch, whose decoding is counted if nobody has done it before.
pub fn open_batch(file: &ArrowFile, index: usize, budget: &mut Budget) -> Result<Arc<Batch>> {
    if !file.is_decoded(index) {
        budget.spend(file.bytes_of_batch(index) as u64 / DECODED_BYTES_PER_STEP);
    }
    file.batch(index)
}
