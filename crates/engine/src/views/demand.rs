//! Demand for indexes: the cost of scans by the columns that filters and orders use without an index. When it reaches
//! the cost of building an index, one is built; so at most twice the minimum work is done, whatever reads follow.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Number of rows that a core scans in the time of adding one row to an index, by estimate (docs/performance.md): an
/// index pays for itself after that many scans that it would have saved.
pub(super) const SCANS_PER_INDEX: u64 = 256;
/// A generation with this many indexes gets no further ones, except those of required columns: each takes up to 20
/// bytes of disk per row.
pub(super) const MAX_INDEXES: usize = 8;
/// A row found by an index costs about as much as this many rows of a scan, because it is read by random access.
pub(super) const SCANNED_ROWS_PER_CANDIDATE: u64 = 16;

/// The cost of scans by column, in rows.
#[derive(Debug)]
pub(super) struct Demand {
    scanned_rows: Vec<AtomicU64>,
    /// The cost at which a column gets an index.
    price_rows: u64,
    indexes: AtomicUsize,
}

impl Demand {
    /// For a generation of this many rows, columns and indexes.
    pub(super) fn new(row_count: u64, column_count: usize, index_count: usize) -> Self {
        Self {
            scanned_rows: (0..column_count).map(|_| AtomicU64::new(0)).collect(),
            price_rows: row_count.saturating_mul(SCANS_PER_INDEX).max(1),
            indexes: AtomicUsize::new(index_count),
        }
    }

    /// Records a scan of `scanned` rows of which `matching` passed a test of the column.
    pub(super) fn note(&self, column: usize, scanned: u64, matching: u64) {
        let saved = scanned.saturating_sub(matching.saturating_mul(SCANNED_ROWS_PER_CANDIDATE));
        if let Some(rows) = self.scanned_rows.get(column)
            && saved > 0
        {
            rows.fetch_add(saved, Ordering::Relaxed);
        }
    }

    /// A column whose cost has reached the price, returned once; `has_index` says which ones have an index.
    pub(super) fn take(&self, has_index: impl Fn(usize) -> bool) -> Option<usize> {
        let is_due = |rows: &AtomicU64| rows.load(Ordering::Relaxed) >= self.price_rows;
        let column = self
            .scanned_rows
            .iter()
            .enumerate()
            .find(|(column, rows)| is_due(rows) && !has_index(*column))
            .map(|(column, _)| column)?;
        // Far from due again: it is being built, or cannot be built.
        let taken = self.scanned_rows[column].swap(0, Ordering::Relaxed);
        if taken < self.price_rows {
            return None;
        }
        let is_room = |indexes: usize| (indexes < MAX_INDEXES).then_some(indexes + 1);
        self.indexes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, is_room).is_ok().then_some(column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_is_due_once_scans_have_cost_as_much() {
        let demand = Demand::new(100, 12, 1);
        let take = || demand.take(|column| column == 1);
        // Filters that select most rows would gain nothing.
        for _ in 0..10 * SCANS_PER_INDEX {
            demand.note(0, 100, 50);
        }
        assert_eq!(take(), None);
        for scan in 0..SCANS_PER_INDEX {
            assert_eq!(take(), None, "{scan}");
            demand.note(2, 100, 0);
        }
        assert_eq!(take(), Some(2));
        assert_eq!(take(), None, "reported once");
        // One that exists, and more than the maximum.
        demand.note(1, 100 * SCANS_PER_INDEX, 0);
        assert_eq!(take(), None);
        for column in 3..12 {
            demand.note(column, 100 * SCANS_PER_INDEX, 0);
            // One existed before, and column 2 has got its own.
            assert_eq!(take(), (column - 3 + 2 < MAX_INDEXES).then_some(column));
        }
    }
}
