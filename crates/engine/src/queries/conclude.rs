//! The ends of statements: decided under the lock, made durable, and only then visible. After the decision nothing can
//! change an end: a later cancel waits for it and returns it.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use rowhouse_model::{ErrorCode, QueryError, QueryId, StatementId, Timestamp, ViewId, WorkspaceId};

use super::phase::Phase;
use super::record::QueryRecord;
use super::run::QueuedRun;
use super::snapshot::{self, Finished};
use super::state::{FlightKey, RunState, State};
use super::{FinishedRows, Shared, result_space, retention};
use crate::disk;
use crate::store::cache_entries::CacheEntry;
use crate::store::query_records::{self, GivenUp, StoredQuery};
use crate::store::{Rollback, saved_sql, small_results};
use rowhouse_executor::Execution;

/// Pause after a failed write of an end; doubled by each further one. The disk may be full for a while.
const FIRST_RETRY: Duration = Duration::from_millis(500);
/// Maximum pause after a failed write.
const MAX_RETRY: Duration = Duration::from_secs(30);
/// Maximum time that a caller waits for an end that cannot be written.
const MAX_WAIT_FOR_END: Duration = Duration::from_secs(10);

/// The outcome of a run.
pub(super) enum Outcome {
    /// The executor has written the rows of this location's incomplete file.
    Executed { execution: Box<Execution>, location: String },
    /// It has no result.
    Failed(QueryError),
}

/// Ends a run and every record that waits for it.
pub(super) async fn end_run(shared: Arc<Shared>, id: StatementId, outcome: Outcome) {
    let Some(flight_key) = decide(&shared, &id) else {
        // Every record has left it.
        if let Outcome::Executed { location, .. } = outcome {
            shared.result_files.discard(&location).await;
        }
        return;
    };
    let outcome = match outcome {
        Outcome::Failed(error) => Err(error),
        Outcome::Executed { execution, location } => {
            keep(&shared, &id, execution, location, &flight_key.0).await
        }
    };
    let now = shared.clock.now();
    let ends: Vec<StoredQuery> = {
        let mut guard = shared.state();
        let state = &mut *guard;
        let Some(run) = state.runs.get(&id) else { return };
        // Under the lock: no read of the record has a later time than its end, or an earlier end.
        let monotonic = shared.clock.monotonic();
        for member in &run.members {
            if let Some(live) = state.live.get_mut(member) {
                live.ended_at = Some(monotonic);
            }
        }
        let lives = run.members.iter().filter_map(|member| state.live.get(member));
        lives
            .map(|live| match &outcome {
                Ok(finished) => {
                    let expires_at = snapshot::later(now, shared.config().result_retention);
                    snapshot::finished(live, &id, run, finished, expires_at, monotonic)
                }
                Err(error) => snapshot::failed(live, Some((&id, run)), error.clone(), monotonic),
            })
            .collect()
    };
    // The bytes of the result are reserved until it is counted.
    let (entry, kept, _room) = match outcome {
        Ok(Finished { execution, location, bytes: _, kept, room }) => {
            let kept = kept.map(|file| SmallResult { location: location.clone(), file });
            // A result that depends on other workspaces answers no other statement (D127).
            let first = ends.first().map(|end| &end.query).filter(|query| query.other_workspaces.is_none());
            let entry =
                first.map(|query| cache_entry(flight_key, query.id.clone(), execution, location, now));
            (entry, kept, room)
        }
        Err(_) => (None, None, None),
    };
    record(shared, Some(id), ends, entry, kept).await;
}

/// Moves the rows to their final place: to the results and, for a refresh, to the view.
async fn keep(
    shared: &Arc<Shared>,
    id: &StatementId,
    mut execution: Box<Execution>,
    location: String,
    workspace_id: &WorkspaceId,
) -> Result<Finished, QueryError> {
    let attached = execution.file.as_ref().map(|file| file.len() as u64);
    let room = match result_space::check_written(shared, workspace_id, &location, attached).await {
        Ok(room) => room,
        Err(error) => {
            shared.result_files.discard(&location).await;
            return Err(error);
        }
    };
    let refreshes: Vec<(QueryId, ViewId)> = {
        let state = shared.state();
        let members = state.runs.get(id).map(|run| run.members.as_slice()).unwrap_or_default();
        members
            .iter()
            .filter_map(|member| Some((member.clone(), state.live.get(member)?.refresh.clone()?)))
            .collect()
    };
    let file = execution.file.take();
    // A view's file is its own.
    if refreshes.is_empty()
        && let Some(file) = file
    {
        let bytes = file.len() as u64;
        return Ok(Finished { execution: *execution, location, bytes, kept: Some(file.into()), room });
    }
    let published = shared.result_files.publish(&location, file).await;
    let bytes = published.map_err(|error| {
        tracing::error!(statement = id.as_str(), %error, "a result was not stored");
        if disk::is_full(&error) {
            return disk::full_for_statement();
        }
        let message = "the result could not be stored; the server's log says why";
        QueryError::new(ErrorCode::GenericInternalError, message)
    })?;
    for (query, view) in refreshes {
        let rows = FinishedRows {
            path: shared.result_files.path(&location),
            columns: execution.columns.clone(),
            row_count: execution.row_count,
        };
        if let Err(error) = shared.context.refreshed(&view, &query, rows).await {
            shared.result_files.remove(&location).await;
            return Err(error);
        }
    }
    Ok(Finished { execution: *execution, location, bytes, kept: None, room })
}

/// From here on no record joins or leaves the run. None if the run is gone; else the key of its result in the cache.
fn decide(shared: &Shared, id: &StatementId) -> Option<FlightKey> {
    let mut guard = shared.state();
    let state = &mut *guard;
    let run = state.runs.get_mut(id)?;
    run.enter(Phase::Ending);
    for member in &run.members {
        if let Some(live) = state.live.get_mut(member) {
            live.is_ending = true;
        }
    }
    let live = state.live.get(run.members.first()?)?;
    Some((live.stored.query.workspace_id.clone(), live.stored.fingerprint.clone()))
}

/// Decides that one record fails alone; its run continues while other records wait for it (D20). None if the record is
/// already final or does not exist, else a future that resolves when the end is visible.
pub(super) fn fail_one(
    shared: &Arc<Shared>,
    workspace_id: &WorkspaceId,
    id: &QueryId,
    error: QueryError,
) -> Option<impl Future<Output = ()> + use<>> {
    let mut guard = shared.state();
    let monotonic = shared.clock.monotonic();
    let state = &mut *guard;
    let ended = state.ended(workspace_id, id)?;
    let live = state.live.get_mut(id)?;
    if !live.is_ending {
        live.is_ending = true;
        live.ended_at = Some(monotonic);
        let live = &*live;
        let run_id = live.run.clone();
        let run = run_id.as_ref().and_then(|run| state.runs.get(run));
        let end = snapshot::failed(live, run_id.as_ref().zip(run), error, monotonic);
        let left = run_id.and_then(|run_id| leave_run(state, workspace_id, &run_id, id));
        drop(guard);
        end_left(left);
        tokio::spawn(record(Arc::clone(shared), None, vec![end], None, None));
    }
    Some(async {
        // OK to ignore: after that time the record is returned in its present state.
        let _ = tokio::time::timeout(MAX_WAIT_FOR_END, ended).await;
    })
}

/// A small result, which is durable with its record and has no file.
pub(super) struct SmallResult {
    pub(super) location: String,
    pub(super) file: Bytes,
}

/// Removes a record that could not be made durable; a run of its own ends.
pub(super) fn withdraw(shared: &Shared, workspace_id: &WorkspaceId, id: &QueryId) {
    let mut guard = shared.state();
    let state = &mut *guard;
    let run_id = state.live.get(id).and_then(|live| live.run.clone());
    let left = run_id.and_then(|run_id| leave_run(state, workspace_id, &run_id, id));
    let dropped = state.drop_live(id);
    drop(guard);
    end_left(left);
    drop(dropped);
}

/// A run that its last record has left, and its handle if it was waiting.
type LeftRun = (Option<RunState>, Option<QueuedRun>);

fn leave_run(
    state: &mut State<QueuedRun>,
    workspace_id: &WorkspaceId,
    run_id: &StatementId,
    id: &QueryId,
) -> Option<LeftRun> {
    let run = state.runs.get_mut(run_id)?;
    run.members.retain(|member| member != id);
    if !run.members.is_empty() {
        return None;
    }
    let waiting = state.schedule.remove(workspace_id, |waiting| waiting.id() == run_id);
    Some((state.drop_run(run_id), waiting))
}

/// Must be called without the lock: dropping these values takes it.
fn end_left(left: Option<LeftRun>) {
    let Some((run, waiting)) = left else { return };
    // Drops the executor's future, which kills the process.
    if let Some(RunState { task: Some(task), .. }) = run {
        task.abort();
    }
    drop(waiting);
}

/// Makes ends durable, then visible. Retries until the write succeeds.
pub(super) async fn record(
    shared: Arc<Shared>,
    run: Option<StatementId>,
    ends: Vec<StoredQuery>,
    entry: Option<CacheEntry>,
    kept: Option<SmallResult>,
) {
    let mut ends = Arc::new(ends);
    let entry = entry.map(Arc::new);
    let kept = kept.map(Arc::new);
    let mut wait = FIRST_RETRY;
    let has_long_texts = ends.iter().any(|end| query_records::long_bytes(&end.query) > 0);
    loop {
        let (written, seen) = (Arc::clone(&ends), Arc::clone(&ends));
        let entry = entry.clone();
        let (run, writer) = (run.clone(), Arc::clone(&shared));
        let kept = kept.clone();
        let (purging, ending) = (Arc::clone(&shared), run.clone());
        let write = shared.store.write_with(
            Rollback::of(has_long_texts),
            move |transaction| {
                let mut given_up = GivenUp::default();
                for end in written.iter() {
                    query_records::update(transaction, end)?;
                    given_up.extend(retention::give_up_texts(&purging, transaction, &end.query)?);
                    if let (Some(id), Some(stats)) = (&end.saved_sql, &end.query.query_stats) {
                        saved_sql::set_last_run(transaction, id, stats)?;
                    }
                }
                let mut held = None;
                if let Some(kept) = kept
                    && query_records::is_result_used(transaction, &kept.location)?
                {
                    small_results::insert(transaction, &kept.location, &kept.file)?;
                    held = Some(kept);
                }
                // On the thread that purges entries: either sees what the other has done.
                let is_purged = ending.is_some_and(|run| purging.state().leaves_no_entry_of(&run));
                let entry = entry.filter(|entry| !is_purged && !given_up.locations.contains(&entry.location));
                let mut unused = retention::replace_entry(transaction, entry.as_deref())?;
                unused.extend(retention::delete_unused(transaction, given_up.locations)?);
                Ok((entry, held, given_up.entries, unused))
            },
            move |(committed, held, purged, unused): (
                Option<Arc<CacheEntry>>,
                Option<Arc<SmallResult>>,
                Vec<CacheEntry>,
                _,
            )| {
                writer.cache.forget(&purged);
                if let Some(kept) = held.as_deref() {
                    hold(&writer, kept);
                }
                // Before the end is visible: a caller that sees it finds the entry.
                if let Some(entry) = &committed {
                    writer.cache.set(entry);
                }
                show(&writer, run.as_ref(), &seen);
                unused
            },
        );
        let error = match write.await {
            Ok(unused) => return retention::remove_files(&shared, unused).await,
            Err(error) => error,
        };
        tracing::error!(%error, "the end of a statement was not written; it is tried again");
        if shared.state().is_closing {
            // The next start fails records that are not final.
            return;
        }
        tokio::time::sleep(wait).await;
        wait = (wait * 2).min(MAX_RETRY);
        // A record whose row was not written either was withdrawn, and its caller got an error.
        let is_live = |end: &&StoredQuery| shared.state().live.contains_key(&end.query.id);
        let live: Vec<StoredQuery> = ends.iter().filter(is_live).cloned().collect();
        if live.is_empty() {
            return;
        }
        ends = Arc::new(live);
    }
}

/// Fails waiting statements, gives running ones `at_most` to end, and fails the rest.
pub(super) async fn shutdown(shared: &Arc<Shared>, at_most: Duration) {
    let (waiting, running) = {
        let mut guard = shared.state();
        let state = &mut *guard;
        state.is_closing = true;
        let is_running =
            |run: &StatementId| state.runs.get(run).is_some_and(|run| run.phase != Phase::Queued);
        state
            .live
            .values()
            .map(|live| {
                let query = &live.stored.query;
                (query.workspace_id.clone(), query.id.clone(), live.run.as_ref().is_some_and(is_running))
            })
            .partition::<Vec<_>, _>(|&(.., is_running)| !is_running)
    };
    fail_all(shared, waiting).await;
    let ended: Vec<_> =
        running.iter().filter_map(|(workspace_id, id, _)| shared.state().ended(workspace_id, id)).collect();
    let all = async {
        for one in ended {
            one.await;
        }
    };
    // OK to ignore: statements that have not ended by then are failed.
    let _ = tokio::time::timeout(at_most, all).await;
    fail_all(shared, running).await;
}

async fn fail_all(shared: &Arc<Shared>, records: Vec<(WorkspaceId, QueryId, bool)>) {
    let ended: Vec<_> = records
        .iter()
        .filter_map(|(workspace_id, id, _)| fail_one(shared, workspace_id, id, server_stopped()))
        .collect();
    for one in ended {
        one.await;
    }
}

/// The error of a statement that was interrupted by the server's end.
pub(super) fn server_stopped() -> QueryError {
    QueryError::new(
        ErrorCode::ServerRestarted,
        "the server stopped while this statement was waiting or running; submit it again",
    )
}

/// Runs on the store's writer thread, in the order of the commits.
pub(super) fn show(shared: &Shared, run: Option<&StatementId>, ends: &[StoredQuery]) {
    // The waiters' channels and the last admission of the service are dropped after the lock.
    let mut left = Vec::with_capacity(ends.len());
    let over = {
        let mut state = shared.state();
        for end in ends {
            shared.counters.ended(&end.query);
            if let Some(live) = state.live.get(&end.query.id) {
                live.trace.ended(&end.query);
            }
            left.push(state.retire(QueryRecord::new(end.clone())));
            if let (Some(id), Some(stats)) = (&end.saved_sql, &end.query.query_stats) {
                shared.context.saved_sql_ran(id, stats.clone());
            }
        }
        run.and_then(|run| state.drop_run(run))
    };
    drop((left, over));
}

/// As [`show`], for a record that was inserted final. Returns what the caller must drop later, not on the store's
/// writer thread.
pub(super) fn show_born(shared: &Shared, record: &QueryRecord) -> impl Sized + Send + use<> {
    shared.counters.ended(record);
    let mut state = shared.state();
    state.count_up(&record.workspace_id);
    let left = state.retire(record.clone());
    if let (Some(id), Some(stats)) = (&record.stored().saved_sql, &record.query_stats) {
        shared.context.saved_sql_ran(id, stats.clone());
    }
    left
}

/// Called after the commit of its bytes.
pub(super) fn hold(shared: &Shared, SmallResult { location, file }: &SmallResult) {
    shared.recent_results.add(location, file);
    shared.result_files.kept(location, file.len() as u64);
}

/// The cache entry that may answer later identical statements.
pub(super) fn cache_entry(
    (workspace_id, fingerprint): FlightKey,
    query_id: QueryId,
    execution: Execution,
    location: String,
    created_at: Timestamp,
) -> CacheEntry {
    let Execution { columns, row_count, sources, .. } = execution;
    CacheEntry {
        workspace_id,
        fingerprint,
        query_id,
        location,
        columns,
        row_count,
        created_at,
        sources: sources.map(|sources| *sources),
    }
}
