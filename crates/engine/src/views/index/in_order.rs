//! An iterator over an index in the order of its values: NULLs last, rows of equal values in row order.

use std::ops::Range;

use super::Index;

/// An iterator over an index in the order of its values, which can stop at any row.
#[derive(Debug)]
pub(in crate::views) struct InOrder {
    /// Remaining positions of keys, the next ones last.
    ranges: Vec<Range<usize>>,
    are_nulls_left: bool,
    /// The positions being returned: of rows, or of NULLs.
    piece: Range<usize>,
    are_nulls: bool,
    is_descending: bool,
}

impl InOrder {
    /// Iterates over these positions of keys, the next ones last, and over NULLs if requested.
    pub(super) fn new(ranges: Vec<Range<usize>>, are_nulls_left: bool, is_descending: bool) -> Self {
        Self { ranges, are_nulls_left, piece: 0..0, are_nulls: false, is_descending }
    }

    /// The next rows, at most `most`; none at the end.
    pub(in crate::views) fn next_piece<'i>(&mut self, index: &'i Index, most: usize) -> Option<&'i [u32]> {
        if self.piece.is_empty() && !self.begin_piece(index) {
            return None;
        }
        let end = self.piece.end.min(self.piece.start.saturating_add(most));
        let part = self.piece.start..end;
        self.piece.start = end;
        Some(if self.are_nulls { &index.null_rows[part] } else { &index.rows[part] })
    }

    fn begin_piece(&mut self, index: &Index) -> bool {
        while let Some(range) = self.ranges.last_mut() {
            if range.start == range.end {
                self.ranges.pop();
                continue;
            }
            // The rows of a key are in row order in both directions.
            let start =
                if self.is_descending { index.start_of_key(range.start, range.end) } else { range.start };
            self.piece = start..range.end;
            range.end = start;
            return true;
        }
        if !std::mem::take(&mut self.are_nulls_left) {
            return false;
        }
        self.are_nulls = true;
        self.piece = 0..index.null_rows.len();
        !self.piece.is_empty()
    }
}
