//! Limits of results on the disk: of one statement while it is written and at its end, and of a workspace; deletes the
//! oldest ones if the operator allows it.

use std::sync::Arc;
use std::time::Duration;

use rowhouse_model::{ErrorCode, Query, QueryError, QueryId, Role, WorkspaceId};

use super::record::check_finished;
use super::{Queries, Shared, retention};
use crate::error::{Error, Result};
use crate::store::{cache_entries, query_records};
use crate::workspaces::Access;

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

/// Resolves when a run has written more than it may.
pub(super) async fn too_large(shared: &Arc<Shared>, access: &Access, location: &str) -> QueryError {
    loop {
        tokio::time::sleep(PERIOD).await;
        if let Err(error) = check_written(shared, &access.workspace.id, location, None).await {
            return error;
        }
    }
}

/// Whether the bytes that a run has written so far fit beside the workspace's other results, after deleting the oldest
/// of them if allowed; `bytes` is used if there is no file.
pub(super) async fn check_written(
    shared: &Arc<Shared>,
    workspace_id: &WorkspaceId,
    location: &str,
    bytes: Option<u64>,
) -> Result<(), QueryError> {
    let limits = shared.limits.of(workspace_id);
    if limits.result_bytes.is_none() && limits.disk_bytes.is_none() {
        return Ok(());
    }
    if let Some(bytes) = bytes {
        return check(shared, workspace_id, bytes).await;
    }
    let (result_files, written) = (shared.result_files.clone(), location.to_owned());
    let bytes = tokio::task::spawn_blocking(move || result_files.written(&written)).await;
    // OK to take a look that failed for none: there is one more at the end.
    check(shared, workspace_id, bytes.unwrap_or_default()).await
}

async fn check(shared: &Arc<Shared>, workspace_id: &WorkspaceId, bytes: u64) -> Result<(), QueryError> {
    let limits = shared.limits.of(workspace_id);
    if let Some(limit) = limits.result_bytes.filter(|limit| bytes > *limit) {
        let message = format!(
            "the result is larger than the {limit} bytes that one may have (results.max_bytes, or resultBytes of the \
             workspace); ask for fewer rows or columns"
        );
        return Err(QueryError::new(ErrorCode::GenericInsufficientResources, message));
    }
    let Some(limit) = limits.disk_bytes else { return Ok(()) };
    let is_over = || shared.result_files.usage_of(workspace_id).bytes.saturating_add(bytes) > limit;
    if is_over() && bytes <= limit && shared.config().gives_up_oldest {
        while is_over() {
            match give_up_oldest(shared, workspace_id).await {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    tracing::warn!(%error, "the oldest result was not given up");
                    break;
                }
            }
        }
    }
    if !is_over() {
        return Ok(());
    }
    let message = format!(
        "the results of the workspace take more than its {limit} bytes (workspaces.disk_bytes, or diskBytes of the \
         workspace); delete some (DELETE /api/v1/query/:id/result)"
    );
    Err(QueryError::new(ErrorCode::GenericInsufficientResources, message))
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
    let (holder, given_up) = (Arc::clone(shared), location.clone());
    let taken = shared.store.write_then(
        move |transaction| {
            let records = query_records::take_result(transaction, &given_up, now)?;
            Ok((records, cache_entries::delete_at(transaction, &given_up)?))
        },
        move |(records, entries): (Vec<QueryId>, Vec<_>)| {
            holder.cache.forget(&entries);
            let mut state = holder.state();
            // From now on they are read from the store.
            let left: Vec<_> = records.iter().filter_map(|id| state.recent.remove(id)).collect();
            drop(state);
            left
        },
    );
    drop(taken.await?);
    retention::remove_unused(shared, vec![location]).await
}
