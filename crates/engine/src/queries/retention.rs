//! Removes data whose retention has passed (D27): results first, then records. A result's file is deleted when neither
//! a record nor a cache entry names it; readers that have it open continue.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{Shared, idempotency};
use crate::error::{Error, Result};
use crate::store::query_records::{self, RemovedQuery};
use crate::store::{cache_entries, idempotency_keys, kept_results};

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
        move |transaction| cache_entries::delete_older(transaction, results_before),
        move |removed| {
            holder.cache.forget(&removed);
            removed
        },
    );
    let mut files: Vec<String> = entries.await?.into_iter().map(|entry| entry.location).collect();
    loop {
        let take = move |transaction: &rusqlite::Transaction<'_>| {
            query_records::take_expired_results(transaction, now, MAX_AT_ONCE)
        };
        let expired = shared.store.write(take).await?;
        let is_done = expired.is_empty();
        files.extend(expired);
        remove_unused(shared, std::mem::take(&mut files)).await?;
        if is_done {
            break;
        }
    }
    loop {
        let delete = {
            let shared = Arc::clone(shared);
            shared
                .clone()
                .store
                .write_then(
                    move |transaction| {
                        query_records::delete_expired(transaction, records_before, MAX_AT_ONCE)
                    },
                    move |removed| {
                        let mut state = shared.state();
                        for RemovedQuery { id, workspace_id, .. } in &removed {
                            state.forget(workspace_id, id);
                        }
                        removed
                    },
                )
                .await?
        };
        if delete.is_empty() {
            return Ok(());
        }
        remove_unused(shared, delete.into_iter().filter_map(|removed| removed.result_file).collect()).await?;
    }
}

/// Whether a file is used is decided on the writer thread, because a cache hit may be taking it at the same moment.
pub(super) async fn remove_unused(shared: &Arc<Shared>, files: Vec<String>) -> Result<()> {
    if files.is_empty() {
        return Ok(());
    }
    let ask = move |transaction: &rusqlite::Transaction<'_>| {
        let mut unused = Vec::new();
        for file in files {
            if !query_records::is_result_used(transaction, &file)? {
                let kept_bytes = kept_results::delete(transaction, &file)?;
                unused.push((file, kept_bytes));
            }
        }
        Ok(unused)
    };
    for (location, kept_bytes) in shared.store.write(ask).await? {
        shared.kept_results.forget(&location);
        shared.open_results.close(&location);
        match kept_bytes {
            Some(bytes) => shared.result_files.given_up(&location, bytes),
            None => shared.result_files.remove(&location).await,
        }
    }
    Ok(())
}
