//! Limits of results on the disk: of one statement while it is written and at its end, and of a workspace; deletes the
//! oldest ones if the operator allows it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rowhouse_model::{ErrorCode, Query, QueryError, QueryId, Role, WorkspaceId};

use super::record::check_finished;
use super::usage::Reservation;
use super::{Queries, Shared, retention};
use crate::error::{Error, Result};
use crate::store::{cache_entries, query_records};
use crate::workspaces::Access;
use rowhouse_executor::OutputLimit;

/// How often the size of a result in progress is checked.
const PERIOD: Duration = Duration::from_millis(200);

impl Queries {
    /// Deletes the result of a finished statement; its record stays, and other records and cache entries with this
    /// result lose it, too. Deleting it again succeeds.
    ///
    /// # Errors
    ///
    /// As for [`get`](Self::get); [`ErrorKind::NoResult`](crate::ErrorKind::NoResult) unless it is FINISHED.
    pub async fn delete_result(&self, access: &Access, id: &QueryId) -> Result<Query> {
        access.require(Role::Analyst)?;
        let record = self.shared.stored(access, id).await?;
        check_finished(id, record.stored())?;
        if let Some(location) = record.stored().result_file.clone() {
            // A separate task: a file that the records no longer name must be removed.
            let shared = Arc::clone(&self.shared);
            let given_up = tokio::spawn(async move { give_up(&shared, location).await });
            given_up.await.unwrap_or_else(|error| Err(Error::internal("deleting a result", error)))?;
        }
        self.get(access, id).await
    }
}

/// The maximum size of a run's file, computed when the run begins. The executor enforces it while it writes.
pub(super) fn output_limit(shared: &Shared, workspace_id: &WorkspaceId) -> Option<OutputLimit> {
    let limits = shared.limits.of(workspace_id);
    let largest = limits.result_bytes.map(|bytes| OutputLimit { bytes, message: too_large_result(bytes) });
    let room = limits.disk_bytes.map(|limit| {
        let results = &shared.result_files;
        // If the oldest results may be deleted, all of them may be.
        let taken =
            if shared.config().gives_up_oldest { 0 } else { results.bytes_with_reserved(workspace_id) };
        OutputLimit { bytes: limit.saturating_sub(taken), message: no_room(limit) }
    });
    largest.into_iter().chain(room).min_by_key(|limit| limit.bytes)
}

/// Resolves when a run has exceeded its limits, together with the other runs of its workspace that are writing. `file`
/// returns the run's file, once that is known.
pub(super) async fn too_large(
    shared: &Arc<Shared>,
    access: &Access,
    location: &str,
    file: impl Fn() -> Option<PathBuf>,
) -> QueryError {
    let workspace_id = &access.workspace.id;
    let writing = shared.result_files.writing(location);
    loop {
        tokio::time::sleep(PERIOD).await;
        let limits = shared.limits.of(workspace_id);
        if limits.result_bytes.is_none() && limits.disk_bytes.is_none() {
            continue;
        }
        let (result_files, at, file) = (shared.result_files.clone(), location.to_owned(), file());
        let bytes = tokio::task::spawn_blocking(move || result_files.written(&at, file.as_deref())).await;
        // OK to treat a failed check as an empty file: the executor counts, too, and a last check follows at the end.
        let bytes = bytes.unwrap_or_default();
        let others = writing.note(bytes);
        let is_within = || {
            let stored = shared.result_files.bytes_with_reserved(workspace_id);
            limits.disk_bytes.is_none_or(|limit| stored.saturating_add(bytes).saturating_add(others) <= limit)
        };
        if let Err(error) = make_room(shared, workspace_id, bytes, || is_within().then_some(())).await {
            return error;
        }
    }
}

/// Reserves the bytes that a run has written beside the workspace's other results, after deleting the oldest of them if
/// allowed; `bytes` is used if there is no file. Results that end at the same time are counted one after the other, so that
/// together they stay within the limit. The reservation is to be held until the result is counted; none without a limit.
pub(super) async fn check_written(
    shared: &Arc<Shared>,
    workspace_id: &WorkspaceId,
    location: &str,
    bytes: Option<u64>,
) -> Result<Option<Reservation>, QueryError> {
    let limits = shared.limits.of(workspace_id);
    if limits.result_bytes.is_none() && limits.disk_bytes.is_none() {
        return Ok(None);
    }
    let bytes = match bytes {
        Some(bytes) => bytes,
        None => {
            let (result_files, written) = (shared.result_files.clone(), location.to_owned());
            let bytes = tokio::task::spawn_blocking(move || result_files.written(&written, None)).await;
            // OK to treat a failed check as an empty file: the executor counts, too.
            bytes.unwrap_or_default()
        }
    };
    make_room(shared, workspace_id, bytes, || match limits.disk_bytes {
        Some(limit) => shared.result_files.reserve(location, bytes, limit).map(Some),
        None => Some(None),
    })
    .await
}

/// Calls `take` until it returns something, deleting the oldest result before each further call if that is allowed.
/// `bytes` is the size of the new result.
async fn make_room<T>(
    shared: &Arc<Shared>,
    workspace_id: &WorkspaceId,
    bytes: u64,
    take: impl Fn() -> Option<T>,
) -> Result<T, QueryError> {
    let limits = shared.limits.of(workspace_id);
    let error = |message| Err(QueryError::new(ErrorCode::GenericInsufficientResources, message));
    if let Some(limit) = limits.result_bytes.filter(|limit| bytes > *limit) {
        return error(too_large_result(limit));
    }
    loop {
        if let Some(taken) = take() {
            return Ok(taken);
        }
        let limit = limits.disk_bytes.unwrap_or(u64::MAX);
        if bytes > limit || !shared.config().gives_up_oldest {
            return error(no_room(limit));
        }
        match give_up_oldest(shared, workspace_id).await {
            Ok(true) => {}
            Ok(false) => return error(no_room(limit)),
            Err(fault) => {
                tracing::warn!(error = %fault, "the oldest result was not given up");
                return error(no_room(limit));
            }
        }
    }
}

fn too_large_result(limit: u64) -> String {
    format!(
        "the result is larger than the {limit} bytes that one may have (results.max_bytes, or resultBytes of the \
         workspace); ask for fewer rows or columns"
    )
}

fn no_room(limit: u64) -> String {
    format!(
        "the results of the workspace take more than its {limit} bytes (workspaces.disk_bytes, or diskBytes of the \
         workspace); delete some (DELETE /api/v1/query/:id/result)"
    )
}

/// Deletes a workspace's oldest result; false if there is none.
async fn give_up_oldest(shared: &Arc<Shared>, workspace_id: &WorkspaceId) -> Result<bool> {
    let workspace = workspace_id.clone();
    let oldest = shared
        .store
        .read_async(move |connection| query_records::oldest_result(connection, &workspace))
        .await?;
    let Some(location) = oldest else { return Ok(false) };
    tracing::info!(location, "the workspace's oldest result is given up for a new one");
    give_up(shared, location).await?;
    Ok(true)
}

/// Removes a result from all records and cache entries that name it; the records stay.
pub(super) async fn give_up(shared: &Arc<Shared>, location: String) -> Result<()> {
    let now = shared.clock.now();
    let (holder, given_up) = (Arc::clone(shared), location);
    let taken = shared.store.write_then(
        move |transaction| {
            let records = query_records::take_result(transaction, &given_up, now)?;
            let entries = cache_entries::delete_at(transaction, &given_up)?;
            Ok((records, entries, retention::delete_unused(transaction, vec![given_up])?))
        },
        move |(records, entries, unused): (Vec<QueryId>, Vec<_>, _)| {
            holder.cache.forget(&entries);
            let mut state = holder.state();
            // From now on they are read from the store.
            let left: Vec<_> = records.iter().filter_map(|id| state.recent.remove(id)).collect();
            drop(state);
            (left, unused)
        },
    );
    let (_left, unused) = taken.await?;
    retention::remove_files(shared, unused).await;
    Ok(())
}
