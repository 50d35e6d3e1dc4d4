//! One run of a statement, as a handle that each transition consumes, so that an illegal one does not compile.
//!
//! ```text
//!   QUEUED ──start──▶ PLANNING ──planned──▶ RUNNING ──finish──▶ FINISHED
//!     │                  │                     │
//!     └───────fail───────┴────────fail─────────┴──────────────▶ FAILED
//! ```
//! Dropping a handle early (its task panicked or was aborted) fails the records that still wait for it, so that no
//! record stays RUNNING without a run. A canceled record leaves its run; a run without records is removed, and dropping
//! its handle has no effect (D20).

use std::sync::Arc;
use std::time::Duration;

use rowhouse_model::{
    Column, ErrorCode, OutputStage, QueryError, QueryId, QueryStats, StatementId, StatementParameters,
    Timestamp, WorkspaceId,
};

use super::conclude::{self, Outcome};
use super::config::QueryConfig;
use super::phase::Phase;
use super::slots::Need;
use super::trace::Trace;
use super::{Shared, snapshot};
use crate::service::Admission;
use crate::workspaces::Access;
use rowhouse_executor::{Execution, StatementSession};

/// The input of a run.
#[derive(Clone, Debug)]
pub(super) struct RunInput {
    pub(super) access: Access,
    /// Other workspaces that it names (D127).
    pub(super) others: Arc<[WorkspaceId]>,
    /// The record that the result file is named after.
    pub(super) first_query: QueryId,
    pub(super) sql: Arc<str>,
    pub(super) parameters: Arc<StatementParameters>,
    pub(super) session: Arc<StatementSession>,
    pub(super) max_run_time: Option<Duration>,
    pub(super) submitted_at: Timestamp,
    pub(super) admission: Arc<Admission>,
    pub(super) trace: Trace,
}

/// A run of which this is the only handle. `P` is the state of its phase.
pub(super) struct Run<P> {
    core: RunCore,
    phase: P,
}

/// Waits for its turn.
pub(super) struct Queued {
    input: RunInput,
}
/// Was passed to the executor.
pub(super) struct Planning;
/// Computes rows.
pub(super) struct Running;

pub(super) type QueuedRun = Run<Queued>;

struct RunCore {
    shared: Arc<Shared>,
    id: StatementId,
    is_over: bool,
}

impl<P> Run<P> {
    pub(super) const fn id(&self) -> &StatementId {
        &self.core.id
    }

    /// Transition to FAILED; returns when it is visible.
    pub(super) async fn fail(self, error: QueryError) {
        self.core.end(Outcome::Failed(error)).await;
    }

    fn enter<Q>(self, phase: Phase, next: Q) -> Run<Q> {
        let Self { core, phase: _ } = self;
        core.update(|run, monotonic| {
            run.enter(phase);
            match phase {
                Phase::Planning => run.progress.planning_since = Some(monotonic),
                Phase::Running => run.progress.running_since = Some(monotonic),
                Phase::Queued | Phase::Ending => {}
            }
        });
        Run { core, phase: next }
    }
}

impl<P> Run<P> {
    /// A cluster has given it an id of its own.
    pub(super) fn is_known_as(&self, id: StatementId) {
        self.core.update(|run, _| run.progress.cluster_id = Some(id));
    }

    /// The executor's measurements so far.
    pub(super) fn measured(&self, stats: QueryStats) {
        self.core.update(|run, _| run.progress.measured = stats);
    }
}

impl Run<Queued> {
    /// Its resources while it runs.
    pub(super) fn need(&self, config: &QueryConfig) -> Need {
        let RunInput { access, session, .. } = &self.phase.input;
        Need::of(&access.workspace.engine, session.max_memory_bytes, config)
    }

    /// Whose it is.
    pub(super) fn workspace_id(&self) -> &WorkspaceId {
        &self.phase.input.access.workspace.id
    }

    /// The handle of a run that is already in the map of runs.
    pub(super) fn new(shared: &Arc<Shared>, id: StatementId, input: RunInput) -> Self {
        let core = RunCore { shared: Arc::clone(shared), id, is_over: false };
        Self { core, phase: Queued { input } }
    }

    pub(super) const fn input(&self) -> &RunInput {
        &self.phase.input
    }

    /// Transition to PLANNING: it is passed to the executor.
    pub(super) fn start(self) -> Run<Planning> {
        self.enter(Phase::Planning, Planning)
    }
}

impl Run<Planning> {
    /// Transition to RUNNING: names and types are resolved.
    pub(super) fn planned(self, columns: Vec<Column>, output_stage: OutputStage) -> Run<Running> {
        self.core.update(|run, _| {
            run.progress.columns = Some(columns);
            run.progress.output_stage = Some(output_stage);
        });
        self.enter(Phase::Running, Running)
    }
}

impl Run<Running> {
    /// Transition to FINISHED, or to FAILED if the result cannot be stored; returns when it is visible.
    pub(super) async fn finish(self, execution: Execution, location: String) {
        self.core.end(Outcome::Executed { execution: Box::new(execution), location }).await;
    }
}

impl RunCore {
    /// Changes the run, unless its last record has left.
    fn update(&self, change: impl FnOnce(&mut super::state::RunState, std::time::Duration)) {
        let monotonic = self.shared.clock.monotonic();
        let mut state = self.shared.state();
        let Some(run) = state.runs.get_mut(&self.id) else { return };
        change(run, monotonic);
        for (saved_sql, stats) in snapshot::saved_sql_stats(&state, &self.id, monotonic) {
            self.shared.context.saved_sql_ran(&saved_sql, stats);
        }
    }

    async fn end(mut self, outcome: Outcome) {
        self.is_over = true;
        // A separate task: the task that drives the run may be aborted, but the end must be recorded.
        let task = tokio::spawn(conclude::end_run(Arc::clone(&self.shared), self.id.clone(), outcome));
        if let Err(error) = task.await {
            tracing::error!(statement = self.id.as_str(), %error, "the end of a statement was not recorded");
        }
    }
}

impl Drop for RunCore {
    fn drop(&mut self) {
        if self.is_over {
            return;
        }
        let error = QueryError::new(ErrorCode::GenericInternalError, "the run of this statement broke off");
        let end = conclude::end_run(Arc::clone(&self.shared), self.id.clone(), Outcome::Failed(error));
        // Without a runtime the server is ending; the next start fails records that are not final.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(end);
        }
    }
}
