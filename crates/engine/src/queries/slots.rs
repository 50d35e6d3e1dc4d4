//! Places of running statements: those of the embedded engine cost this machine, those on clusters another one.

use std::collections::HashMap;

use rowhouse_model::{EngineKind, WorkspaceId};

use super::config::QueryConfig;

/// The kind of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlotKind {
    /// A worker process.
    Worker,
    /// A statement on a cluster.
    Cluster,
}

impl SlotKind {
    pub(super) const fn of(engine: &EngineKind) -> Self {
        if engine.is_trino() { Self::Cluster } else { Self::Worker }
    }
}

/// Occupied slots.
#[derive(Debug, Default)]
pub(super) struct Slots {
    workers: usize,
    clusters: usize,
    by_workspace: HashMap<WorkspaceId, usize>,
}

impl Slots {
    pub(super) fn has_free(&self, kind: SlotKind, config: &QueryConfig) -> bool {
        match kind {
            SlotKind::Worker => self.workers < config.concurrency.max(1),
            SlotKind::Cluster => self.clusters < config.trino_concurrency.max(1),
        }
    }

    pub(super) fn take(&mut self, kind: SlotKind, workspace_id: &WorkspaceId) {
        *self.taken(kind) += 1;
        *self.by_workspace.entry(workspace_id.clone()).or_default() += 1;
    }

    pub(super) fn give_back(&mut self, kind: SlotKind, workspace_id: &WorkspaceId) {
        *self.taken(kind) -= 1;
        if let Some(count) = self.by_workspace.get_mut(workspace_id) {
            *count -= 1;
            if *count == 0 {
                self.by_workspace.remove(workspace_id);
            }
        }
    }

    /// Those of one workspace.
    pub(super) fn of(&self, workspace_id: &WorkspaceId) -> usize {
        self.by_workspace.get(workspace_id).copied().unwrap_or_default()
    }

    /// All slots.
    pub(super) const fn total(&self) -> usize {
        self.workers + self.clusters
    }

    fn taken(&mut self, kind: SlotKind) -> &mut usize {
        match kind {
            SlotKind::Worker => &mut self.workers,
            SlotKind::Cluster => &mut self.clusters,
        }
    }
}
