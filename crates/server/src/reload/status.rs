//! Outcome of reloads.

use std::sync::atomic::{AtomicBool, Ordering};

/// Outcome of reloads, for monitoring.
#[derive(Debug)]
pub(crate) struct ReloadStatus {
    is_good: AtomicBool,
}

impl Default for ReloadStatus {
    fn default() -> Self {
        Self { is_good: AtomicBool::new(true) }
    }
}

impl ReloadStatus {
    /// Records the outcome of the last one.
    pub(crate) fn set(&self, is_good: bool) {
        self.is_good.store(is_good, Ordering::Relaxed);
    }

    /// Whether the last one was applied; true before the first.
    pub(crate) fn is_good(&self) -> bool {
        self.is_good.load(Ordering::Relaxed)
    }
}
