//! How reloads went.

use std::sync::atomic::{AtomicBool, Ordering};

/// How reloads went, for those who watch the server.
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
    /// How the last one went.
    pub(crate) fn set(&self, is_good: bool) {
        self.is_good.store(is_good, Ordering::Relaxed);
    }

    /// Whether the last one was taken over; true before the first.
    pub(crate) fn is_good(&self) -> bool {
        self.is_good.load(Ordering::Relaxed)
    }
}
