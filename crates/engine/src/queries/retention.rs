//! Removes data whose retention has passed (D27): results first, then records. A result is deleted when neither a record
//! nor a cache entry names it, a small one in the transaction that removes its last name; readers that have it open
//! continue.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use rowhouse_model::Query;
use rusqlite::Transaction;

use super::{Shared, idempotency};
use crate::error::{Error, Result};
use crate::store::cache_entries::{self, CacheEntry};
use crate::store::query_records::{self, GivenUp, RemovedQuery};
use crate::store::{idempotency_keys, small_results};

/// Records per transaction, so that a sweep does not make statements wait for the writer.
const MAX_AT_ONCE: u64 = 500;

/// Number of sweeps between two counts of the results on the disk.
const SWEEPS_PER_COUNT: u64 = 10;

/// One sweep of everything that has expired by now.
pub(super) async fn sweep(shared: &Arc<Shared>) -> Result<()> {
    remove_expired(shared).await?;
    shared.deletion_time.note().await?;
    if shared.sweeps.fetch_add(1, Ordering::Relaxed) % SWEEPS_PER_COUNT != SWEEPS_PER_COUNT - 1 {
        return Ok(());
    }
    let (result_files, store) = (shared.result_files.clone(), Arc::clone(&shared.store));
    let counted = tokio::task::spawn_blocking(move || result_files.recount(&store)).await;
    counted.unwrap_or_else(|error| Err(Error::internal("counting the results", error)))
}

async fn remove_expired(shared: &Arc<Shared>) -> Result<()> {
    shared.open_results.sweep(shared.clock.monotonic());
    let now = shared.deletion_time.now();
    let before = |retention: std::time::Duration| {
        let millis = i64::try_from(retention.as_millis()).unwrap_or(i64::MAX);
        rowhouse_model::Timestamp::from_millis(now.as_millis().saturating_sub(millis))
    };
    let config = shared.config();
    let (results_before, records_before) = (before(config.result_retention), before(config.record_retention));
    let keys_before = before(idempotency::KEPT_FOR);
    shared.store.write(move |transaction| idempotency_keys::delete_older(transaction, keys_before)).await?;
    let holder = Arc::clone(shared);
    let entries = shared.store.write_then(
        move |transaction| {
            let removed = cache_entries::delete_older(transaction, results_before)?;
            let locations = removed.iter().map(|entry| entry.location.clone()).collect();
            Ok((removed, delete_unused(transaction, locations)?))
        },
        move |(removed, unused)| {
            holder.cache.forget(&removed);
            unused
        },
    );
    remove_files(shared, entries.await?).await;
    loop {
        let take = move |transaction: &Transaction<'_>| {
            let expired = query_records::take_expired_results(transaction, now, MAX_AT_ONCE)?;
            Ok((expired.is_empty(), delete_unused(transaction, expired)?))
        };
        let (is_done, unused) = shared.store.write(take).await?;
        remove_files(shared, unused).await;
        if is_done {
            break;
        }
    }
    let expired = move |transaction: &Transaction<'_>| {
        query_records::delete_expired(transaction, records_before, MAX_AT_ONCE)
    };
    while delete_records(shared, expired).await? {}
    remove_excess(shared, config.max_records).await
}

/// Removes the oldest records of workspaces that have too many.
async fn remove_excess(shared: &Arc<Shared>, max_records: u64) -> Result<()> {
    if max_records == 0 {
        return Ok(());
    }
    let crowded = shared.state().workspaces_with_more_than(max_records);
    for (workspace_id, mut excess) in crowded {
        while excess > 0 {
            let (workspace_id, limit) = (workspace_id.clone(), excess.min(MAX_AT_ONCE));
            let oldest = move |transaction: &Transaction<'_>| {
                query_records::delete_oldest(transaction, &workspace_id, limit)
            };
            if !delete_records(shared, oldest).await? {
                break;
            }
            excess -= limit;
        }
    }
    Ok(())
}

/// Deletes records with what only they name; false if there were none.
async fn delete_records(
    shared: &Arc<Shared>,
    delete: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<Vec<RemovedQuery>> + Send + 'static,
) -> Result<bool> {
    let holder = Arc::clone(shared);
    let deleted = shared.store.write_then(
        move |transaction| {
            let removed = delete(transaction)?;
            let locations = removed.iter().filter_map(|removed| removed.result_file.clone());
            let unused = delete_unused(transaction, locations.collect())?;
            Ok((removed, unused))
        },
        move |(removed, unused)| {
            let mut state = holder.state();
            for RemovedQuery { id, workspace_id, .. } in &removed {
                state.forget(workspace_id, id);
            }
            (!removed.is_empty(), unused)
        },
    );
    let (is_any, unused) = deleted.await?;
    remove_files(shared, unused).await;
    Ok(is_any)
}

/// A result that nothing names any more.
pub(super) struct UnusedResult {
    location: String,
    /// Bytes of the row that was deleted; none if the result is a file.
    deleted_bytes: Option<u64>,
}

/// The results that neither a record nor a cache entry names, of which the small ones are deleted. Called in the
/// transaction that removes a name: a kill then leaves no row without a name, and a cache hit, which is written by the same
/// thread, takes a result either before or not at all.
pub(super) fn delete_unused(
    transaction: &Transaction<'_>,
    locations: Vec<String>,
) -> rusqlite::Result<Vec<UnusedResult>> {
    let mut unused = Vec::new();
    for location in locations {
        if !query_records::is_result_used(transaction, &location)? {
            let deleted_bytes = small_results::delete(transaction, &location)?;
            unused.push(UnusedResult { location, deleted_bytes });
        }
    }
    Ok(unused)
}

/// Limits the long texts and columns of a workspace after a statement with such has ended.
pub(super) fn give_up_texts(
    shared: &Shared,
    transaction: &Transaction<'_>,
    ended: &Query,
) -> rusqlite::Result<GivenUp> {
    if query_records::long_bytes(ended) == 0 {
        return Ok(GivenUp::default());
    }
    let max_bytes = shared.config().max_record_text_bytes;
    query_records::give_up_texts(transaction, &ended.workspace_id, max_bytes, shared.deletion_time.now())
}

/// Sets a statement's cache entry, and deletes the result of the one that it replaces as [`delete_unused`] does: that entry may
/// have been the last to name it, as its record has expired.
pub(super) fn replace_entry(
    transaction: &Transaction<'_>,
    entry: Option<&CacheEntry>,
) -> rusqlite::Result<Vec<UnusedResult>> {
    let Some(entry) = entry else { return Ok(Vec::new()) };
    let replaced = cache_entries::set(transaction, entry)?;
    delete_unused(transaction, replaced.into_iter().collect())
}

/// Removes unused results from memory, and their files. A kill before that leaves files, which the next start removes.
pub(super) async fn remove_files(shared: &Shared, unused: Vec<UnusedResult>) {
    for UnusedResult { location, deleted_bytes } in unused {
        shared.recent_results.forget(&location);
        shared.open_results.close(&location);
        match deleted_bytes {
            Some(bytes) => shared.result_files.given_up(&location, bytes),
            None => shared.result_files.remove(&location).await,
        }
    }
}
