//! A record at a point in time, composed of its own fields, those of its run, and the clock (D13, D16).

use std::time::Duration;

use bytes::Bytes;
use rowhouse_model::{
    CacheOutcome, CacheVerdict, Column, DataFormat, QueryError, QueryId, QueryStats, QueryStatus, SavedSqlId,
    StatementId, Timestamp, WorkspaceId,
};

use super::phase::Phase;
use super::record::QueryRecord;
use super::state::{Live, RunProgress, RunState, State};
use super::usage::Reservation;
use crate::store::cache_entries::CacheEntry;
use crate::store::query_records::{LONG_COLUMNS_BYTES, StoredQuery};
use rowhouse_executor::Execution;

/// Maximum bytes of an error's message in a record.
const MAX_MESSAGE_BYTES: usize = 16 << 10;

/// A run that succeeded, with its result in place.
pub(super) struct Finished {
    pub(super) execution: Execution,
    pub(super) location: String,
    /// Size of the result.
    pub(super) bytes: u64,
    /// The complete result, if it has no file.
    pub(super) kept: Option<Bytes>,
    /// The reservation of its bytes, until they are counted; `None` without a limit.
    pub(super) room: Option<Reservation>,
}

impl<R> State<R> {
    /// The present record, if it is in memory.
    pub(super) fn look_up(
        &self,
        workspace_id: &WorkspaceId,
        id: &QueryId,
        monotonic: Duration,
    ) -> Option<QueryRecord> {
        let found = if let Some(live) = self.live.get(id) {
            let run = live.run.as_ref().and_then(|run| Some((run, self.runs.get(run)?)));
            QueryRecord::new(of_live(live, run, monotonic))
        } else {
            self.recent.get(id)?.clone()
        };
        (found.workspace_id == *workspace_id).then_some(found)
    }
}

/// A record that is not final.
pub(super) fn of_live(
    live: &Live,
    run: Option<(&StatementId, &RunState)>,
    monotonic: Duration,
) -> StoredQuery {
    let monotonic = live.ended_at.unwrap_or(monotonic);
    let mut stored = live.stored.clone();
    let query = &mut stored.query;
    let status = run.map_or(QueryStatus::Queued, |(_, run)| status(run));
    query.status = Some(status);
    if live.is_joiner {
        query.cache = Some(CacheVerdict::new(CacheOutcome::Joined));
    }
    query.duration = Some(millis(monotonic.saturating_sub(live.submitted)));
    query.query_stats = Some(stats(live, run.map(|(_, run)| &run.progress), status, monotonic));
    if let Some((id, run)) = run {
        query.statement_id = Some(run.progress.cluster_id.as_ref().unwrap_or(id).clone());
        // Copied for each poll, under the lock of all statements: long ones are shown at the end.
        let columns = run.progress.columns.as_ref();
        query.columns = columns.filter(|columns| !are_long(columns)).cloned();
        query.output_stage.clone_from(&run.progress.output_stage);
    }
    stored
}

fn are_long(columns: &[Column]) -> bool {
    columns.iter().map(Column::size_bytes).sum::<usize>() > LONG_COLUMNS_BYTES
}

/// A record whose run has succeeded.
pub(super) fn finished(
    live: &Live,
    id: &StatementId,
    run: &RunState,
    finished: &Finished,
    expires_at: Timestamp,
    monotonic: Duration,
) -> StoredQuery {
    let Finished { execution, location, bytes, kept: _, room: _ } = finished;
    let Execution { columns, row_count, stats: measured, output_stage, sources: _, file: _ } = execution;
    let progress = RunProgress { measured: measured.clone(), ..run.progress.clone() };
    let mut stored = of_live(live, Some((id, run)), monotonic);
    stored.result_file = Some(location.clone());
    stored.result_expires_at = Some(expires_at);
    let query = &mut stored.query;
    query.status = Some(QueryStatus::Finished);
    query.location = Some(location.clone());
    query.row_count = Some(*row_count);
    query.from_cache = Some(live.is_joiner);
    query.columns = Some(columns.clone());
    query.output_stage = Some(output_stage.clone());
    query.data_format = Some(DataFormat::Arrow);
    query.query_stats = Some(QueryStats {
        output_rows: *row_count,
        output_bytes: *bytes,
        progress_percentage: 100.0,
        ..stats(live, Some(&progress), QueryStatus::Finished, monotonic)
    });
    stored
}

/// A record that ends without a result.
pub(super) fn failed(
    live: &Live,
    run: Option<(&StatementId, &RunState)>,
    error: QueryError,
    monotonic: Duration,
) -> StoredQuery {
    let mut stored = of_live(live, run, monotonic);
    let query = &mut stored.query;
    query.status = Some(QueryStatus::Failed);
    query.error = Some(bounded(error));
    if let Some(output_stage) = &mut query.output_stage {
        "FAILED".clone_into(&mut output_stage.state);
    }
    query.query_stats = Some(stats(live, run.map(|(_, run)| &run.progress), QueryStatus::Failed, monotonic));
    stored
}

/// The final record of a statement of constant rows, which are known as soon as its text is parsed.
pub(super) fn at_once(
    mut stored: StoredQuery,
    id: &StatementId,
    execution: &Execution,
    location: &str,
    bytes: u64,
    expires_at: Timestamp,
    duration: Duration,
) -> StoredQuery {
    let duration = millis(duration);
    let Execution { columns, row_count, stats: measured, output_stage, sources: _, file: _ } = execution;
    stored.result_file = Some(location.to_owned());
    stored.result_expires_at = Some(expires_at);
    let query = &mut stored.query;
    query.statement_id = Some(id.clone());
    query.status = Some(QueryStatus::Finished);
    query.duration = Some(duration);
    query.location = Some(location.to_owned());
    query.row_count = Some(*row_count);
    query.columns = Some(columns.clone());
    query.output_stage = Some(output_stage.clone());
    query.data_format = Some(DataFormat::Arrow);
    query.query_stats = Some(QueryStats {
        state: QueryStatus::Finished.as_str().to_owned(),
        scheduled: true,
        elapsed_time_millis: duration,
        output_rows: *row_count,
        output_bytes: bytes,
        progress_percentage: 100.0,
        ..measured.clone()
    });
    stored
}

/// A record that is answered from the cache: no run, no id of one (D9).
pub(super) fn hit(
    mut stored: StoredQuery,
    entry: &CacheEntry,
    verdict: CacheVerdict,
    expires_at: Timestamp,
    duration: Duration,
) -> StoredQuery {
    let duration = millis(duration);
    let CacheEntry { location, columns, row_count, .. } = entry;
    stored.result_file = Some(location.clone());
    stored.result_expires_at = Some(expires_at);
    let query = &mut stored.query;
    query.statement_id = None;
    query.status = Some(QueryStatus::Finished);
    query.duration = Some(duration);
    query.location = Some(location.clone());
    query.row_count = Some(*row_count);
    query.from_cache = Some(true);
    query.cache = Some(verdict);
    query.columns = Some(columns.clone());
    query.data_format = Some(DataFormat::Arrow);
    query.query_stats = Some(QueryStats {
        state: QueryStatus::Finished.as_str().to_owned(),
        elapsed_time_millis: duration,
        output_rows: *row_count,
        progress_percentage: 100.0,
        ..QueryStats::default()
    });
    stored
}

/// A record that is refused before it has a run (D4).
pub(super) fn born_failed(mut stored: StoredQuery, error: QueryError) -> StoredQuery {
    let query = &mut stored.query;
    query.status = Some(QueryStatus::Failed);
    query.error = Some(bounded(error));
    query.query_stats =
        Some(QueryStats { state: QueryStatus::Failed.as_str().to_owned(), ..QueryStats::default() });
    stored
}

/// An error may quote a token of a megabyte: its beginning is enough.
fn bounded(mut error: QueryError) -> QueryError {
    let messages =
        [Some(&mut error.message), error.failure_info.as_mut().and_then(|info| info.message.as_mut())];
    for message in messages.into_iter().flatten() {
        if message.len() > MAX_MESSAGE_BYTES {
            let end = message.floor_char_boundary(MAX_MESSAGE_BYTES);
            message.truncate(end);
            message.push('…');
        }
    }
    error
}

/// The statistics that the saved SQLs of a run show now.
pub(super) fn saved_sql_stats<R>(
    state: &State<R>,
    id: &StatementId,
    monotonic: Duration,
) -> Vec<(SavedSqlId, QueryStats)> {
    let Some(run) = state.runs.get(id) else { return Vec::new() };
    let lives = run.members.iter().filter_map(|member| state.live.get(member));
    lives
        .filter_map(|live| {
            let saved_sql = live.stored.saved_sql.clone()?;
            Some((saved_sql, stats(live, Some(&run.progress), status(run), monotonic)))
        })
        .collect()
}

/// A time plus a duration.
pub(super) fn later(moment: Timestamp, by: Duration) -> Timestamp {
    let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(moment.as_millis().saturating_add(by))
}

/// The status that a run's record shows; an end is not shown before it is durable.
fn status(run: &RunState) -> QueryStatus {
    match run.phase {
        Phase::Queued => QueryStatus::Queued,
        Phase::Planning => QueryStatus::Planning,
        Phase::Running => QueryStatus::Running,
        Phase::Ending => match run.progress {
            RunProgress { running_since: Some(_), .. } => QueryStatus::Running,
            RunProgress { planning_since: Some(_), .. } => QueryStatus::Planning,
            _ => QueryStatus::Queued,
        },
    }
}

/// The executor's measurements, and the times that only the server knows.
fn stats(
    live: &Live,
    progress: Option<&RunProgress>,
    status: QueryStatus,
    monotonic: Duration,
) -> QueryStats {
    let measured = progress.map(|progress| progress.measured.clone()).unwrap_or_default();
    // A joiner does not count time before its own submission.
    let since = |moment: Duration| moment.max(live.submitted);
    let planning_since = progress.and_then(|progress| progress.planning_since).map(since);
    let running_since = progress.and_then(|progress| progress.running_since).map(since);
    let queued_until = planning_since.unwrap_or(monotonic);
    let or_else = |measured: u64, from: Option<Duration>, to: Duration| {
        if measured > 0 { measured } else { from.map_or(0, |from| millis(to.saturating_sub(from))) }
    };
    QueryStats {
        state: status.as_str().to_owned(),
        queued: status == QueryStatus::Queued,
        scheduled: planning_since.is_some(),
        queued_time_millis: millis(queued_until.saturating_sub(live.submitted)),
        elapsed_time_millis: millis(monotonic.saturating_sub(live.submitted)),
        wall_time_millis: or_else(measured.wall_time_millis, planning_since, monotonic),
        planning_time_millis: or_else(
            measured.planning_time_millis,
            planning_since,
            running_since.unwrap_or(monotonic),
        ),
        execution_time_millis: or_else(measured.execution_time_millis, running_since, monotonic),
        ..measured
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
