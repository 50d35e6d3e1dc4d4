//! Which columns filters and orders ask for that no index answers: what scans have cost because of it. Once that is
//! as much as building an index costs, one is built; so at most twice the least possible work is ever done, whatever
//! will be asked next.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Rows that a core scans in the time in which one row is put into an index, by estimate (docs/performance.md): an
/// index pays for itself after as many scans that it would have saved.
pub(super) const SCANS_PER_INDEX: u64 = 256;
/// A generation that has so many indexes gets no further ones, save those of required columns: each takes up to 20
/// bytes a row of the disk.
pub(super) const MAX_INDEXES: usize = 8;
/// A row found by an index costs about as much as so many rows of a scan, because it is read at a place of its own.
pub(super) const SCANNED_ROWS_PER_CANDIDATE: u64 = 16;

/// What scans have cost, by column, in rows.
#[derive(Debug)]
pub(super) struct Demand {
    scanned_rows: Vec<AtomicU64>,
    /// At which cost a column earns its index.
    price_rows: u64,
    indexes: AtomicUsize,
}

impl Demand {
    /// For a generation with so many rows, columns and indexes.
    pub(super) fn new(row_count: u64, column_count: usize, index_count: usize) -> Self {
        Self {
            scanned_rows: (0..column_count).map(|_| AtomicU64::new(0)).collect(),
            price_rows: row_count.saturating_mul(SCANS_PER_INDEX).max(1),
            indexes: AtomicUsize::new(index_count),
        }
    }

    /// Notes a scan of `scanned` rows of which `matching` passed a test of the column.
    pub(super) fn note(&self, column: usize, scanned: u64, matching: u64) {
        let saved = scanned.saturating_sub(matching.saturating_mul(SCANNED_ROWS_PER_CANDIDATE));
        if let Some(rows) = self.scanned_rows.get(column)
            && saved > 0
        {
            rows.fetch_add(saved, Ordering::Relaxed);
        }
    }

    /// A column whose index has been earned, told once; `has_index` tells which ones have one.
    pub(super) fn take(&self, has_index: impl Fn(usize) -> bool) -> Option<usize> {
        let is_due = |rows: &AtomicU64| rows.load(Ordering::Relaxed) >= self.price_rows;
        let column = self
            .scanned_rows
            .iter()
            .enumerate()
            .find(|(column, rows)| is_due(rows) && !has_index(*column))
            .map(|(column, _)| column)?;
        // Far from due again: it is being built, or cannot be.
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
    fn an_index_is_earned_by_scans_that_it_would_have_saved() {
        let demand = Demand::new(100, 12, 1);
        let take = || demand.take(|column| column == 1);
        // Filters that leave most rows would gain nothing.
        for _ in 0..10 * SCANS_PER_INDEX {
            demand.note(0, 100, 50);
        }
        assert_eq!(take(), None);
        for scan in 0..SCANS_PER_INDEX {
            assert_eq!(take(), None, "{scan}");
            demand.note(2, 100, 0);
        }
        assert_eq!(take(), Some(2));
        assert_eq!(take(), None, "told once");
        // One that is there, and more than there may be.
        demand.note(1, 100 * SCANS_PER_INDEX, 0);
        assert_eq!(take(), None);
        for column in 3..12 {
            demand.note(column, 100 * SCANS_PER_INDEX, 0);
            // One was there before, and column 2 has earned its own.
            assert_eq!(take(), (column - 3 + 2 < MAX_INDEXES).then_some(column));
        }
    }
}
