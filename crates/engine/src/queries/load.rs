//! How busy the engine is, for those who watch it.

use super::Queries;
use crate::metrics::{FileUsage, StatementMetrics};

/// What is under way at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Records that are not final.
    pub statements: usize,
    /// Runs that wait for a slot or for the engine to wake; identical statements share one (D20).
    pub queued_runs: usize,
    /// Runs that have a slot: planned, computed, or ending.
    pub active_runs: usize,
}

impl Queries {
    /// What is under way now.
    pub fn load(&self) -> Load {
        let state = self.shared.state();
        Load {
            statements: state.live.len(),
            queued_runs: state.schedule.len(),
            active_runs: state.slots.total(),
        }
    }

    /// What has been counted of statements since the start.
    pub(crate) fn counted(&self) -> StatementMetrics {
        self.shared.counters.snapshot()
    }

    /// The stored results.
    pub(crate) fn result_usage(&self) -> FileUsage {
        self.shared.result_files.usage()
    }
}
