//! The load of the engine, for monitoring.

use rowhouse_model::WorkspaceId;

use super::Queries;
use super::slots::Taken;
use crate::metrics::{FileUsage, Load, StatementMetrics, WorkspaceLoad};

impl Queries {
    /// Statements in progress.
    pub fn load(&self) -> Load {
        let state = self.shared.state();
        Load {
            statements: state.live.len(),
            queued_runs: state.schedule.len(),
            active_runs: state.slots.total(),
        }
    }

    /// Usage of a workspace's statements: running, waiting, and the bytes of their texts.
    pub(crate) fn load_of(&self, workspace_id: &WorkspaceId) -> WorkspaceLoad {
        let Taken { statements: running, memory_bytes } = self.shared.state().slots.of(workspace_id);
        let (_, places) = self.shared.places.taken(workspace_id);
        let (_, text_bytes) = self.shared.texts.taken(workspace_id);
        // A run that ends returns its place a moment before its slot.
        WorkspaceLoad {
            running,
            queued: places.saturating_sub(running),
            text_bytes,
            disk_bytes: self.result_usage_of(workspace_id).bytes,
            memory_bytes,
        }
    }

    /// Usage of its stored results.
    pub(crate) fn result_usage_of(&self, workspace_id: &WorkspaceId) -> FileUsage {
        self.shared.result_files.usage_of(workspace_id)
    }

    /// Counters of statements since the start.
    pub(crate) fn counted(&self) -> StatementMetrics {
        self.shared.counters.snapshot()
    }

    /// Usage of all stored results.
    pub(crate) fn result_usage(&self) -> FileUsage {
        self.shared.result_files.usage()
    }
}
