//! The number of rows of a page with a byte limit.

use super::{Budget, ProjectedColumn, open_batch};
use crate::Result;
use crate::arrow_file::{ArrowFile, Batch};

/// Bytes around a row and between its values, per value.
const PUNCTUATION_BYTES: usize = 1;

/// See [`rows_within`](super::rows_within).
pub(super) fn rows_within(
    file: &ArrowFile,
    columns: &[ProjectedColumn],
    offset: u64,
    bytes: usize,
    budget: &mut Budget,
) -> Result<u64> {
    let mut left = bytes;
    let mut row = offset;
    while let Some((index, start)) = file.locate(row) {
        let batch = open_batch(file, index, budget)?;
        let fitting = fitting(&batch, columns, start, left);
        row += fitting as u64;
        left = left.saturating_sub(weight(&batch, columns, start, start + fitting));
        if start + fitting < batch.num_rows() {
            break;
        }
    }
    let is_any_left = offset < file.num_rows();
    Ok((row - offset.min(row)).max(u64::from(is_any_left)))
}

/// Maximum number of rows of a batch, from one on, that take at most this many bytes.
fn fitting(batch: &Batch, columns: &[ProjectedColumn], start: usize, bytes: usize) -> usize {
    let (mut fits, mut exceeds) = (0, batch.num_rows() - start + 1);
    while fits + 1 < exceeds {
        let middle = fits.midpoint(exceeds);
        // More rows take more bytes.
        if weight(batch, columns, start, start + middle) <= bytes {
            fits = middle;
        } else {
            exceeds = middle;
        }
    }
    fits
}

fn weight(batch: &Batch, columns: &[ProjectedColumn], start: usize, end: usize) -> usize {
    let of = |column: &ProjectedColumn| {
        batch.column(column.index).json_weight(start..end) + PUNCTUATION_BYTES * (end - start)
    };
    columns.iter().map(of).sum()
}
