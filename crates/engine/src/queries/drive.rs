//! Schedules runs in turn, gives each to the executor in a slot, and follows it to its end or its time limit.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rowhouse_model::{
    Column, ErrorCode, OutputStage, QueryError, QueryStats, StatementId, StatementParameters, WorkspaceId,
};
use tokio::sync::watch;

use super::run::{Planning, QueuedRun, Run, RunInput, Running};
use super::slots::Need;
use super::state::State;
use super::trace::Trace;
use super::{Shared, result_space, runtime_queries};
use crate::client_session::{SESSION_PROPERTIES, TIME_ZONE};
use crate::disk;
use crate::error::{Error, Result};
use crate::store::workspaces::WorkspaceRecord;
use crate::workspaces::Access;
use rowhouse_executor::catalog::{CatalogDetail, CatalogSnapshot, RuntimeQuery, SessionProperty};
use rowhouse_executor::clock;
use rowhouse_executor::columns::check_columns;
use rowhouse_executor::{BoxFuture, EventSink, Execution, ExecutionEvent, Statement, StatementSession};

/// Starts as many waiting runs as there are free slots.
pub(super) fn dispatch(shared: &Arc<Shared>) {
    let config = shared.config();
    loop {
        let (run, need) = {
            let mut state = shared.state();
            if state.is_closing {
                return;
            }
            let State { schedule, slots, .. } = &mut *state;
            let may_run = |run: &QueuedRun| {
                let (need, limits) = (run.need(&config), shared.limits.of(run.workspace_id()));
                need.is_too_large(limits) || slots.have_room(need, run.workspace_id(), limits, &config)
            };
            let Some(run) = schedule.pop(may_run) else { return };
            let need = run.need(&config);
            let limits = shared.limits.of(run.workspace_id());
            if need.is_too_large(limits) {
                drop(state);
                // No place is taken, and none is waited for.
                tokio::spawn(run.fail(need.refused(limits)));
                continue;
            }
            slots.take(need, run.workspace_id());
            (run, need)
        };
        let workspace_id = run.workspace_id().clone();
        let slot = Slot { shared: Arc::clone(shared), need, workspace_id };
        let id = run.id().clone();
        let task = tokio::spawn(drive(run, slot)).abort_handle();
        match shared.state().runs.get_mut(&id) {
            Some(run) => run.task = Some(task),
            // Its last record was canceled after it left the queue.
            None => task.abort(),
        }
    }
}

/// Whether a statement of a workspace would get a slot at once; `wanted_memory` is what its session asks for, bytes.
pub(super) fn has_slot(shared: &Shared, workspace: &WorkspaceRecord, wanted_memory: Option<u64>) -> bool {
    let config = shared.config();
    let state = shared.state();
    let (need, limits) =
        (Need::of(&workspace.engine, wanted_memory, &config), shared.limits.of(&workspace.id));
    state.schedule.len() == 0 && state.slots.have_room(need, &workspace.id, limits, &config)
}

/// A slot of a running statement.
struct Slot {
    shared: Arc<Shared>,
    need: Need,
    workspace_id: WorkspaceId,
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.shared.state().slots.give_back(self.need, &self.workspace_id);
        // Without a runtime the server is ending.
        if tokio::runtime::Handle::try_current().is_ok() {
            dispatch(&self.shared);
        }
    }
}

// The slot is an argument because arguments are dropped after the locals: the run and the executor's future are gone
// before the next statement gets the slot.
async fn drive(run: QueuedRun, slot: Slot) {
    let shared = &slot.shared;
    let RunInput {
        access,
        others,
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
    // Waking starts worker processes, which a cluster's statement does not need.
    if !is_trino && let Err(error) = admission.awake().await {
        return run.fail(error).await;
    }
    let longest = shared.config().statement_timeout;
    let timeout = max_run_time.map_or(longest, |wanted| wanted.min(longest));
    let deadline = shared.clock.monotonic() + timeout;
    // A cluster has a queue of its own: the statement is QUEUED until it leaves that queue.
    let run = if is_trino { Started::Queued(Box::new(run)) } else { Started::Planning(run.start()) };
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
    let detail = CatalogDetail::of(&sql, session.default_names());
    let (mut catalog, hold) = shared.context.catalog(&access, &others, &detail).await;
    if detail.queries && !is_trino {
        match queries_of(shared, &access).await {
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
        output_limit: result_space::output_limit(shared, &access.workspace.id),
    };
    let (sender, updates) = watch::channel(ExecutionUpdate::default());
    let execution = shared.executor.execute(statement, sink(sender));
    let written = updates.clone();
    let too_large =
        result_space::too_large(shared, &access, &location, move || written.borrow().file.clone());
    let stopped = stopped(shared, too_large, deadline, timeout);
    follow(run, execution, updates, stopped, &location, shared, &trace).await;
    drop(hold);
}

/// Resolves when a run has exceeded its time limit, or the limit of its result.
async fn stopped(
    shared: &Arc<Shared>,
    too_large: impl Future<Output = QueryError>,
    deadline: Duration,
    timeout: Duration,
) -> QueryError {
    tokio::select! {
        error = too_large => error,
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

/// Applies a session's defaults and settings to the catalog.
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

/// The workspace's statements, for a statement that reads them.
async fn queries_of(shared: &Arc<Shared>, access: &Access) -> Result<Vec<RuntimeQuery>> {
    // A statement begins while its own record is being written; records that were accepted before are written before
    // this write.
    shared.store.write(|_| Ok(())).await?;
    let (shared, access) = (Arc::clone(shared), access.clone());
    let list = move || runtime_queries::newest(&shared, &access.workspace.id, &access.principal);
    let listed = tokio::task::spawn_blocking(list).await;
    listed.unwrap_or_else(|error| Err(Error::internal("listing statements", error)))
}

/// The events of the executor that the run has not processed yet. Only the latest are stored, so a chatty executor
/// cannot fill the memory.
#[derive(Debug, Default)]
struct ExecutionUpdate {
    id: Option<StatementId>,
    is_planning: bool,
    planned: Option<(Vec<Column>, OutputStage)>,
    progress: Option<QueryStats>,
    /// The file that it writes.
    file: Option<PathBuf>,
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
            ExecutionEvent::Writes(file) => updates.file = Some(file),
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
            // In this order: an event before the end is processed before the end.
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
    // Kills the process of a run that exceeded its time limit; no effect if it has ended.
    drop(execution);
    let outcome = outcome.and_then(|execution| check_columns(&execution.columns).map(|()| execution));
    match (outcome, run) {
        (Ok(execution), run) => {
            // An executor need not report its plan before it is done.
            if !matches!(run, Started::Running(_)) {
                trace.running();
            }
            let run = run.into_running(|| (execution.columns.clone(), execution.output_stage.clone()));
            run.finish(execution, location.to_owned()).await;
        }
        (Err(error), run) => {
            shared.result_files.discard(location).await;
            run.fail(error).await;
        }
    }
}

/// A run that was passed to the executor.
enum Started {
    Queued(Box<QueuedRun>),
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
