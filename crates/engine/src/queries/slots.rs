//! Slots of running statements, and the memory limits of statements in workers. Statements on clusters have slots of their
//! own and no memory limit here; of these, each cluster has a part that the others cannot take.

use std::collections::HashMap;

use rowhouse_model::{EngineKind, ErrorCode, QueryError, WorkspaceId, WorkspaceLimits};

use super::config::QueryConfig;

/// The kind of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SlotKind {
    /// A worker process.
    Worker,
    /// A statement on a cluster, by its place in [`QueryConfig::clusters`].
    Cluster(usize),
}

/// The resources of a running statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Need {
    pub(super) kind: SlotKind,
    /// Its worker's memory limit, however much of that it uses; 0 on a cluster.
    pub(super) memory_bytes: u64,
}

impl Need {
    /// The resources of a statement on this engine, whose session requests `wanted` bytes of memory.
    pub(super) fn of(engine: &EngineKind, wanted: Option<u64>, config: &QueryConfig) -> Self {
        if engine.is_trino() {
            // A statement on a cluster that is not configured fails at once, in any slot.
            let place = config.clusters.iter().position(|cluster| cluster == engine).unwrap_or(0);
            return Self { kind: SlotKind::Cluster(place), memory_bytes: 0 };
        }
        let limit = config.memory_limit_bytes;
        Self { kind: SlotKind::Worker, memory_bytes: wanted.map_or(limit, |wanted| wanted.min(limit)) }
    }

    /// Whether it exceeds the limits of a workspace even if nothing else runs there.
    pub(super) fn is_too_large(self, limits: WorkspaceLimits) -> bool {
        limits.memory_bytes.is_some_and(|limit| self.memory_bytes > limit)
    }

    /// The error of a statement that would wait forever.
    pub(super) fn refused(self, limits: WorkspaceLimits) -> QueryError {
        let (needed, limit) = (self.memory_bytes, limits.memory_bytes.unwrap_or_default());
        let message = format!(
            "the statement may have {needed} bytes of memory (engine.memory_limit, or max_memory of its session), and the \
             statements of its workspace {limit} bytes together (workspaces.memory_bytes, or memoryBytes of the \
             workspace): ask for less by max_memory, or have the limit raised"
        );
        QueryError::new(ErrorCode::GenericInsufficientResources, message)
    }
}

/// Occupied slots.
#[derive(Debug, Default)]
pub(super) struct Slots {
    workers: usize,
    /// By the place of the cluster.
    clusters: Vec<usize>,
    by_workspace: HashMap<WorkspaceId, Taken>,
}

/// The resources of all running statements of a workspace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Taken {
    pub(super) statements: usize,
    pub(super) memory_bytes: u64,
}

impl Slots {
    /// Whether a slot is free now, and the workspace may take it.
    pub(super) fn have_room(
        &self,
        need: Need,
        workspace_id: &WorkspaceId,
        limits: WorkspaceLimits,
        config: &QueryConfig,
    ) -> bool {
        let taken = self.of(workspace_id);
        let is_below = limits.concurrency.is_none_or(|limit| (taken.statements as u64) < limit);
        let fits = limits
            .memory_bytes
            .is_none_or(|limit| taken.memory_bytes.saturating_add(need.memory_bytes) <= limit);
        is_below && fits && self.has_free(need.kind, config)
    }

    fn has_free(&self, kind: SlotKind, config: &QueryConfig) -> bool {
        match kind {
            SlotKind::Worker => self.workers < config.concurrency.max(1),
            SlotKind::Cluster(place) => {
                let slots = config.trino_concurrency.max(1);
                let clusters = config.clusters.len().max(1);
                // Half of the slots belong to a cluster each, so that one that hangs does not take them all.
                let own_slots = slots / (2 * clusters);
                let others = (0..clusters).filter(|other| *other != place);
                let taken_or_kept = others.map(|other| self.on_cluster(other).max(own_slots)).sum::<usize>();
                self.on_cluster(place) + taken_or_kept < slots
            }
        }
    }

    fn on_cluster(&self, place: usize) -> usize {
        self.clusters.get(place).copied().unwrap_or(0)
    }

    pub(super) fn take(&mut self, need: Need, workspace_id: &WorkspaceId) {
        *self.taken(need.kind) += 1;
        let taken = self.by_workspace.entry(workspace_id.clone()).or_default();
        taken.statements += 1;
        taken.memory_bytes += need.memory_bytes;
    }

    pub(super) fn give_back(&mut self, need: Need, workspace_id: &WorkspaceId) {
        *self.taken(need.kind) -= 1;
        if let Some(taken) = self.by_workspace.get_mut(workspace_id) {
            taken.statements -= 1;
            taken.memory_bytes -= need.memory_bytes;
            if taken.statements == 0 {
                self.by_workspace.remove(workspace_id);
            }
        }
    }

    /// The resources in use by one workspace.
    pub(super) fn of(&self, workspace_id: &WorkspaceId) -> Taken {
        self.by_workspace.get(workspace_id).copied().unwrap_or_default()
    }

    /// All slots.
    pub(super) fn total(&self) -> usize {
        self.workers + self.clusters.iter().sum::<usize>()
    }

    fn taken(&mut self, kind: SlotKind) -> &mut usize {
        match kind {
            SlotKind::Worker => &mut self.workers,
            SlotKind::Cluster(place) => {
                if self.clusters.len() <= place {
                    self.clusters.resize(place + 1, 0);
                }
                &mut self.clusters[place]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::EngineConfig;

    /// Regression: statements on a cluster that did not answer took all slots, and those of other clusters waited for
    /// their time limit.
    #[test]
    fn a_cluster_does_not_take_the_slots_of_others() {
        let cluster = |name: &str| EngineKind::Trino { cluster: Some(name.to_owned()) };
        let mut config = EngineConfig::new("unused").queries();
        config.trino_concurrency = 16;
        config.clusters = [cluster("a"), cluster("b")].into();
        let workspace = WorkspaceId::new("w");
        let take = |slots: &mut Slots, engine: &EngineKind, config: &QueryConfig| {
            let need = Need::of(engine, None, config);
            let mut count = 0;
            while slots.have_room(need, &workspace, WorkspaceLimits::default(), config) {
                slots.take(need, &workspace);
                count += 1;
            }
            count
        };
        let mut slots = Slots::default();
        assert_eq!(take(&mut slots, &cluster("a"), &config), 12);
        assert_eq!(take(&mut slots, &cluster("b"), &config), 4);
        assert_eq!((slots.total(), take(&mut slots, &cluster("a"), &config)), (16, 0));
        slots.give_back(Need::of(&cluster("b"), None, &config), &workspace);
        assert_eq!(take(&mut slots, &cluster("a"), &config), 0, "it is kept for the other one");
        assert_eq!(take(&mut slots, &cluster("b"), &config), 1);
        // A single cluster has all of them, and so has any if there are too few to divide.
        config.clusters = [cluster("a")].into();
        assert_eq!(take(&mut Slots::default(), &cluster("a"), &config), 16);
        config.clusters = [cluster("a"), cluster("b")].into();
        config.trino_concurrency = 1;
        assert_eq!(take(&mut Slots::default(), &cluster("b"), &config), 1);
    }
}
