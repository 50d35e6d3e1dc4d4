//! Counters of the writer thread's transactions.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::histogram::{Histogram, HistogramSnapshot};

/// Upper bounds of the time of a transaction, in seconds.
const COMMIT_BOUNDS: [f64; 11] = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0];

/// Counts since the start.
#[derive(Debug)]
pub(super) struct Counters {
    pub(super) writes: AtomicU64,
    pub(super) commits: AtomicU64,
    pub(super) failed_commits: AtomicU64,
    commit_time: Histogram<{ COMMIT_BOUNDS.len() }>,
}

impl Counters {
    pub(super) fn new() -> Self {
        Self {
            writes: AtomicU64::new(0),
            commits: AtomicU64::new(0),
            failed_commits: AtomicU64::new(0),
            commit_time: Histogram::new(&COMMIT_BOUNDS),
        }
    }

    /// Counts a transaction with this many writes.
    pub(super) fn committed(&self, writes: usize, time: Duration, is_good: bool) {
        self.writes.fetch_add(writes as u64, Ordering::Relaxed);
        let commits = if is_good { &self.commits } else { &self.failed_commits };
        commits.fetch_add(1, Ordering::Relaxed);
        self.commit_time.observe(time);
    }

    pub(super) fn commit_time(&self) -> HistogramSnapshot {
        self.commit_time.snapshot()
    }
}
