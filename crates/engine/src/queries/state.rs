//! The state of statements in memory, behind one lock: records that are not final, their runs, and records that ended a
//! moment ago. Everything else is in the store. Nothing here waits or writes.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use rowhouse_model::{AccountId, Column, OutputStage, QueryId, QueryStats, StatementId, ViewId, WorkspaceId};
use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::phase::Phase;
use super::record::QueryRecord;
use super::slots::Slots;
use super::trace::Trace;
use crate::fair_budget::Portion;
use crate::fair_queue::FairQueue;
use crate::service::Admission;
use crate::store::query_records::{StoredQuery, long_bytes};

/// Maximum number of final records in memory, for clients that were just polling them.
const MAX_RECENT: usize = 512;
/// A record with more columns is only in the store.
const MAX_RECENT_COLUMNS: usize = 256;

/// Identical statements of one workspace share a run (D20).
pub(super) type FlightKey = (WorkspaceId, String);

/// The whole state; `R` is a run that waits for its turn.
pub(super) struct State<R> {
    pub(super) live: HashMap<QueryId, Live>,
    pub(super) runs: HashMap<StatementId, RunState>,
    /// The runs that later statements may join.
    pub(super) flights: HashMap<FlightKey, StatementId>,
    /// Incremented when a run ends that other statements may have looked for in the cache.
    pub(super) flights_ended: u64,
    pub(super) schedule: FairQueue<R>,
    /// Runs that have a slot.
    pub(super) slots: Slots,
    pub(super) is_closing: bool,
    pub(super) recent: HashMap<QueryId, QueryRecord>,
    recent_order: VecDeque<QueryId>,
    counts: HashMap<WorkspaceId, u64>,
}

/// A record that is not final.
pub(super) struct Live {
    /// As it was inserted: QUEUED.
    pub(super) stored: StoredQuery,
    pub(super) submitted: Duration,
    /// Its run; none until it is placed.
    pub(super) run: Option<StatementId>,
    /// The view whose next generation its result becomes.
    pub(super) refresh: Option<ViewId>,
    /// Whether it joined another statement's run.
    pub(super) is_joiner: bool,
    /// Its end is decided and being written.
    pub(super) is_ending: bool,
    pub(super) trace: Trace,
    /// The time of its end, once known: its durations end there, not when the end becomes visible.
    pub(super) ended_at: Option<Duration>,
    /// Its place and the bytes of its text.
    #[expect(dead_code, reason = "held for its drop")]
    pub(super) taken: [Portion; 2],
    /// Dropped when the end is visible, which wakes the waiters.
    pub(super) ended: watch::Sender<()>,
    /// Keeps the service from stopping.
    #[expect(dead_code, reason = "held for its drop")]
    pub(super) admission: Arc<Admission>,
}

/// A run, waiting or in progress.
pub(super) struct RunState {
    pub(super) phase: Phase,
    /// The records that end with it; the first one's statement is what runs.
    pub(super) members: Vec<QueryId>,
    pub(super) flight: Option<FlightKey>,
    /// Its result is not cached: the cache was purged since it began.
    pub(super) leaves_no_entry: bool,
    /// The task that drives it, once it has a slot.
    pub(super) task: Option<AbortHandle>,
    pub(super) progress: RunProgress,
    /// Publishes each phase, and is dropped when the run is over.
    pub(super) phases: watch::Sender<Phase>,
}

/// The reports of a run so far.
#[derive(Clone, Debug, Default)]
pub(super) struct RunProgress {
    /// The id that a cluster gave the run: the record shows it instead of this server's.
    pub(super) cluster_id: Option<StatementId>,
    pub(super) columns: Option<Vec<Column>>,
    pub(super) output_stage: Option<OutputStage>,
    /// The executor's measurements.
    pub(super) measured: QueryStats,
    pub(super) planning_since: Option<Duration>,
    pub(super) running_since: Option<Duration>,
}

impl<R> State<R> {
    pub(super) fn new(counts: HashMap<WorkspaceId, u64>) -> Self {
        Self {
            live: HashMap::new(),
            runs: HashMap::new(),
            flights: HashMap::new(),
            flights_ended: 0,
            schedule: FairQueue::new(),
            slots: Slots::default(),
            is_closing: false,
            recent: HashMap::new(),
            recent_order: VecDeque::new(),
            counts,
        }
    }

    /// Number of records of a workspace, stored or being stored.
    pub(super) fn count(&self, workspace_id: &WorkspaceId) -> u64 {
        self.counts.get(workspace_id).copied().unwrap_or_default()
    }

    /// Counts an inserted record.
    pub(super) fn count_up(&mut self, workspace_id: &WorkspaceId) {
        match self.counts.get_mut(workspace_id) {
            Some(count) => *count += 1,
            None => drop(self.counts.insert(workspace_id.clone(), 1)),
        }
    }

    /// Workspaces with more records than that, and how many more.
    pub(super) fn workspaces_with_more_than(&self, max_records: u64) -> Vec<(WorkspaceId, u64)> {
        let excess = |(id, count): (&WorkspaceId, &u64)| {
            let excess = count.saturating_sub(max_records);
            (excess > 0).then(|| (id.clone(), excess))
        };
        self.counts.iter().filter_map(excess).collect()
    }

    /// Counts a removed record.
    pub(super) fn forget(&mut self, workspace_id: &WorkspaceId, id: &QueryId) {
        if let Some(count) = self.counts.get_mut(workspace_id) {
            *count = count.saturating_sub(1);
        }
        self.recent.remove(id);
    }

    /// Resolves when the record is final; none if it is, or does not exist.
    pub(super) fn ended(
        &self,
        workspace_id: &WorkspaceId,
        id: &QueryId,
    ) -> Option<impl Future<Output = ()> + use<R>> {
        let live = self.live.get(id).filter(|live| live.stored.query.workspace_id == *workspace_id)?;
        Some(gone(live.ended.subscribe()))
    }

    /// The records of an account that end with a run, by its own id or by the one that a cluster gave it.
    pub(super) fn of_statement(&self, account: &AccountId, id: &StatementId) -> Vec<(WorkspaceId, QueryId)> {
        let is_meant = |(own, run): &(&StatementId, &RunState)| {
            *own == id || run.progress.cluster_id.as_ref() == Some(id)
        };
        let members = self.runs.iter().filter(is_meant).flat_map(|(_, run)| &run.members);
        let live = members.filter_map(|member| self.live.get(member));
        let own = live.filter(|live| live.stored.query.account_id.as_ref() == Some(account));
        own.map(|live| (live.stored.query.workspace_id.clone(), live.stored.query.id.clone())).collect()
    }

    /// Replaces a live record by its final one, which is visible from now on. The returned values must be dropped after
    /// the lock.
    pub(super) fn retire(&mut self, record: QueryRecord) -> (Option<Live>, Option<QueryRecord>) {
        let live = self.drop_live(&record.id);
        let columns = record.columns.as_ref().map_or(0, Vec::len);
        // The store may have deleted a long text, or long columns, by the time it is read.
        if long_bytes(&record) > 0 || columns > MAX_RECENT_COLUMNS {
            return (live, None);
        }
        let id = record.id.clone();
        if self.recent.insert(id.clone(), record).is_none() {
            self.recent_order.push_back(id);
        }
        let mut forgotten = None;
        if self.recent_order.len() > MAX_RECENT
            && let Some(oldest) = self.recent_order.pop_front()
        {
            forgotten = self.recent.remove(&oldest);
        }
        (live, forgotten)
    }

    /// Removes a record without a visible end.
    pub(super) fn drop_live(&mut self, id: &QueryId) -> Option<Live> {
        self.live.remove(id)
    }

    /// Results of the runs of these statements are not cached, and later statements do not join them.
    pub(super) fn leave_no_entry(&mut self, workspace_id: &WorkspaceId, is_meant: impl Fn(&str) -> bool) {
        let Self { live, runs, flights, .. } = self;
        let live = &*live;
        for (id, run) in runs {
            let first = run.members.first().and_then(|member| live.get(member));
            let is_meant = first.is_some_and(|live| {
                live.stored.query.workspace_id == *workspace_id && is_meant(&live.stored.fingerprint)
            });
            if is_meant {
                run.leaves_no_entry = true;
                flights.retain(|_, of| of != id);
            }
        }
    }

    pub(super) fn leaves_no_entry_of(&self, id: &StatementId) -> bool {
        self.runs.get(id).is_some_and(|run| run.leaves_no_entry)
    }

    /// Removes a run; later statements can no longer join it.
    pub(super) fn drop_run(&mut self, id: &StatementId) -> Option<RunState> {
        let run = self.runs.remove(id)?;
        if let Some(flight) = &run.flight
            && self.flights.get(flight) == Some(id)
        {
            self.flights.remove(flight);
            self.flights_ended += 1;
        }
        Some(run)
    }
}

impl RunState {
    /// Enters a phase and notifies waiters.
    pub(super) fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.phases.send_replace(phase);
    }
}

/// Resolves when the sender is dropped.
pub(super) async fn gone<T>(mut receiver: watch::Receiver<T>) {
    while receiver.changed().await.is_ok() {}
}

impl<R> fmt::Debug for State<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queries")
            .field("live", &self.live.len())
            .field("runs", &self.runs.len())
            .field("slots_taken", &self.slots.total())
            .field("recent", &self.recent.len())
            .finish_non_exhaustive()
    }
}
