//! Takes runs in their turn, gives each to the executor in a slot, and follows it to its end or its time limit.

use std::sync::Arc;
use std::time::Duration;

use rowhouse_model::{
    Column, ErrorCode, OutputStage, QueryError, QueryStats, StatementId, StatementParameters, WorkspaceId,
};
use tokio::sync::watch;

use super::columns::check_columns;
use super::result_space::too_large;
use super::run::{Planning, QueuedRun, Run, RunInput, Running};
use super::slots::{SlotKind, Slots};
use super::state::State;
use super::trace::Trace;
use super::{QueryConfig, Shared, runtime_queries};
use crate::client_session::{SESSION_PROPERTIES, TIME_ZONE};
use crate::disk;
use crate::error::{Error, Result};
use crate::store::workspaces::WorkspaceRecord;
use crate::workspaces::Access;
use rowhouse_executor::catalog::{CatalogDetail, CatalogSnapshot, RuntimeQuery, SessionProperty};
use rowhouse_executor::clock;
use rowhouse_executor::{BoxFuture, EventSink, Execution, ExecutionEvent, Statement, StatementSession};

/// Starts as many waiting runs as there are free slots.
pub(super) fn dispatch(shared: &Arc<Shared>) {
    let config = shared.config();
    loop {
        let run = {
            let mut state = shared.state();
            if state.is_closing {
                return;
            }
            let State { schedule, slots, .. } = &mut *state;
            let may_run = |run: &QueuedRun| has_free(shared, slots, run.kind(), run.workspace_id(), &config);
            let Some(run) = schedule.pop(may_run) else { return };
            slots.take(run.kind(), run.workspace_id());
            run
        };
        let workspace_id = run.workspace_id().clone();
        let slot = Slot { shared: Arc::clone(shared), kind: run.kind(), workspace_id };
        let id = run.id().clone();
        let task = tokio::spawn(drive(run, slot)).abort_handle();
        match shared.state().runs.get_mut(&id) {
            Some(run) => run.task = Some(task),
            // Its last record was canceled since it left the line.
            None => task.abort(),
        }
    }
}

/// Whether a statement of a workspace would have a slot at once.
pub(super) fn has_slot(shared: &Shared, workspace: &WorkspaceRecord) -> bool {
    let config = shared.config();
    let state = shared.state();
    let kind = SlotKind::of(&workspace.engine);
    state.schedule.len() == 0 && has_free(shared, &state.slots, kind, &workspace.id, &config)
}

fn has_free(
    shared: &Shared,
    slots: &Slots,
    kind: SlotKind,
    workspace_id: &WorkspaceId,
    config: &QueryConfig,
) -> bool {
    let limit = shared.limits.of(workspace_id).concurrency;
    let is_below = limit.is_none_or(|limit| (slots.of(workspace_id) as u64) < limit);
    is_below && slots.has_free(kind, config)
}

/// One of the places of running statements.
struct Slot {
    shared: Arc<Shared>,
    kind: SlotKind,
    workspace_id: WorkspaceId,
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.shared.state().slots.give_back(self.kind, &self.workspace_id);
        // Without a runtime the server is ending.
        if tokio::runtime::Handle::try_current().is_ok() {
            dispatch(&self.shared);
        }
    }
}

// The slot is an argument because arguments are dropped after the locals: the run and the executor's future
// are gone before the next statement gets the place.
async fn drive(run: QueuedRun, slot: Slot) {
    let shared = &slot.shared;
    let RunInput {
        access,
        first_query,
        sql,
        parameters,
        session,
        max_run_time,
        submitted_at,
        admission,
        trace,
    } = run.input().clone();
    let is_trino = access.workspace.engine.is_trino();
    // What wakes are worker processes, which a cluster's statement has no use for.
    if !is_trino && let Err(error) = admission.awake().await {
        return run.fail(error).await;
    }
    let longest = shared.config().statement_timeout;
    let timeout = max_run_time.map_or(longest, |wanted| wanted.min(longest));
    let deadline = shared.clock.monotonic() + timeout;
    // A cluster has a queue of its own: there the statement is QUEUED until the cluster takes it out.
    let run = if is_trino { Started::Queued(run) } else { Started::Planning(run.start()) };
    if !is_trino {
        trace.planning();
    }
    let location = shared.result_files.location(&access.workspace.id, &first_query);
    let output = match shared.result_files.prepare(&location).await {
        Ok(output) => output,
        Err(error) => {
            let error = no_place(run.id(), &error);
            return run.fail(error).await;
        }
    };
    let detail = CatalogDetail::of(&sql);
    let (mut catalog, hold) = shared.context.catalog(&access, detail).await;
    if detail.queries && !is_trino {
        match queries_of(shared, &access.workspace.id).await {
            Ok(queries) => catalog.queries = queries,
            Err(error) => {
                tracing::error!(statement = run.id().as_str(), %error, "the workspace's statements cannot be listed");
                let message = "the workspace's statements cannot be read; the server's log says why";
                return run.fail(QueryError::new(ErrorCode::GenericInternalError, message)).await;
            }
        }
    }
    if !is_trino {
        catalog_in(&mut catalog, &session);
    }
    let statement = Statement {
        id: run.id().clone(),
        engine: access.workspace.engine.clone(),
        sql: sql.to_string(),
        parameters: StatementParameters::clone(&parameters),
        catalog,
        session: StatementSession::clone(&session),
        user: access.principal.account.username.clone(),
        now: submitted_at,
        output,
    };
    let (sender, updates) = watch::channel(ExecutionUpdate::default());
    let execution = shared.executor.execute(statement, sink(sender));
    let stopped = stopped(shared, &access, &location, deadline, timeout);
    follow(run, execution, updates, stopped, &location, shared, &trace).await;
    drop(hold);
}

/// Resolves when a run has used up its time, or the room for its result.
async fn stopped(
    shared: &Arc<Shared>,
    access: &Access,
    location: &str,
    deadline: Duration,
    timeout: Duration,
) -> QueryError {
    tokio::select! {
        error = too_large(shared, access, location) => error,
        () = clock::wait_until(shared.clock.as_ref(), deadline) => QueryError::new(
            ErrorCode::ExceededTimeLimit,
            format!("Query exceeded the maximum run time of {} s", timeout.as_secs_f64()),
        ),
    }
}

fn no_place(id: &StatementId, error: &std::io::Error) -> QueryError {
    tracing::error!(statement = id.as_str(), %error, "no place for a result");
    if disk::is_full(error) {
        return disk::full_for_statement();
    }
    let message = "the result's file cannot be created; the server's log says why";
    QueryError::new(ErrorCode::GenericInternalError, message)
}

/// What names mean in a session, and what it has set.
fn catalog_in(catalog: &mut CatalogSnapshot, session: &StatementSession) {
    let StatementSession { catalog: default_catalog, schema, properties, time_zone, max_memory_bytes: _ } =
        session;
    if let Some(default_catalog) = default_catalog {
        catalog.default_catalog.clone_from(default_catalog);
    }
    if let Some(schema) = schema {
        catalog.default_schema.clone_from(schema);
    }
    let shown = SESSION_PROPERTIES.iter().map(|property| SessionProperty {
        name: property.name.to_owned(),
        value: match (property.name, time_zone) {
            (TIME_ZONE, Some(zone)) => zone.clone(),
            (name, _) => properties.get(name).map_or(property.default, String::as_str).to_owned(),
        },
        default: property.default.to_owned(),
        type_name: property.type_name.to_owned(),
        description: property.description.to_owned(),
    });
    catalog.session_properties = shown.collect();
}

/// The workspace's statements, for one that asks for them.
async fn queries_of(shared: &Arc<Shared>, workspace_id: &WorkspaceId) -> Result<Vec<RuntimeQuery>> {
    // A statement begins while its own record is written; what was accepted before is written before this.
    shared.store.write(|_| Ok(())).await?;
    let (shared, workspace_id) = (Arc::clone(shared), workspace_id.clone());
    let listed = tokio::task::spawn_blocking(move || runtime_queries::newest(&shared, &workspace_id)).await;
    listed.unwrap_or_else(|error| Err(Error::internal("listing statements", error)))
}

/// Events of the executor that the run has not taken yet. It holds the latest only, so a chatty executor
/// cannot fill the memory.
#[derive(Debug, Default)]
struct ExecutionUpdate {
    id: Option<StatementId>,
    is_planning: bool,
    planned: Option<(Vec<Column>, OutputStage)>,
    progress: Option<QueryStats>,
}

fn sink(sender: watch::Sender<ExecutionUpdate>) -> EventSink {
    Box::new(move |event| {
        sender.send_modify(|updates| match event {
            ExecutionEvent::Accepted { id } => updates.id = Some(id),
            ExecutionEvent::Planning => updates.is_planning = true,
            ExecutionEvent::Planned { columns, output_stage } => {
                updates.planned = Some((columns, output_stage))
            }
            ExecutionEvent::Progress(stats) => updates.progress = Some(stats),
        });
    })
}

async fn follow(
    mut run: Started,
    mut execution: BoxFuture<'_, Result<Execution, QueryError>>,
    mut updates: watch::Receiver<ExecutionUpdate>,
    stopped: impl Future<Output = QueryError>,
    location: &str,
    shared: &Shared,
    trace: &Trace,
) {
    let mut planned = None;
    tokio::pin!(stopped);
    let outcome = loop {
        tokio::select! {
            // In this order: what was reported before the end is taken before the end.
            biased;
            Ok(()) = updates.changed() => {
                let (id, is_planning, progress) = {
                    let updates = updates.borrow_and_update();
                    if !matches!(run, Started::Running(_)) {
                        planned.clone_from(&updates.planned);
                    }
                    (updates.id.clone(), updates.is_planning, updates.progress.clone())
                };
                if let Some(id) = id {
                    run.is_known_as(id);
                }
                if is_planning {
                    run = run.planning();
                    trace.planning();
                }
                if let Some((columns, output_stage)) = planned.take() {
                    if let Err(error) = check_columns(&columns) {
                        break Err(error);
                    }
                    run = run.planned(columns, output_stage);
                    trace.running();
                }
                if let Some(stats) = progress {
                    run.measured(stats);
                }
            }
            outcome = &mut execution => break outcome.map_err(disk::explain),
            error = &mut stopped => break Err(error),
        }
    };
    // Kills the process of a run that is over its time; nothing where it has ended.
    drop(execution);
    let outcome = outcome.and_then(|execution| check_columns(&execution.columns).map(|()| execution));
    match (outcome, run) {
        (Ok(execution), run) => {
            // An executor need not tell what it has planned before it is done.
            let run = run.into_running(|| (execution.columns.clone(), execution.output_stage.clone()));
            run.finish(execution, location.to_owned()).await;
        }
        (Err(error), run) => {
            shared.result_files.discard(location).await;
            run.fail(error).await;
        }
    }
}

/// A run that was given to the executor.
enum Started {
    Queued(QueuedRun),
    Planning(Run<Planning>),
    Running(Run<Running>),
}

impl Started {
    fn id(&self) -> &StatementId {
        match self {
            Self::Queued(run) => run.id(),
            Self::Planning(run) => run.id(),
            Self::Running(run) => run.id(),
        }
    }

    fn is_known_as(&self, id: StatementId) {
        match self {
            Self::Queued(run) => run.is_known_as(id),
            Self::Planning(run) => run.is_known_as(id),
            Self::Running(run) => run.is_known_as(id),
        }
    }

    fn measured(&self, stats: QueryStats) {
        match self {
            Self::Queued(run) => run.measured(stats),
            Self::Planning(run) => run.measured(stats),
            Self::Running(run) => run.measured(stats),
        }
    }

    fn planning(self) -> Self {
        match self {
            Self::Queued(run) => Self::Planning(run.start()),
            further => further,
        }
    }

    fn planned(self, columns: Vec<Column>, output_stage: OutputStage) -> Self {
        Self::Running(self.into_running(|| (columns, output_stage)))
    }

    fn into_running(self, planned: impl FnOnce() -> (Vec<Column>, OutputStage)) -> Run<Running> {
        let run = match self {
            Self::Queued(run) => run.start(),
            Self::Planning(run) => run,
            Self::Running(run) => return run,
        };
        let (columns, output_stage) = planned();
        run.planned(columns, output_stage)
    }

    async fn fail(self, error: QueryError) {
        match self {
            Self::Queued(run) => run.fail(error).await,
            Self::Planning(run) => run.fail(error).await,
            Self::Running(run) => run.fail(error).await,
        }
    }
}
