//! How busy the engine is, for those who watch it.

use super::Queries;
use crate::metrics::{FileUsage, Load, StatementMetrics};

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
