//! What the next start owes the statements of a server that was killed: nothing stays unfinished, nothing
//! that was finished is lost, nothing unused stays on the disk.

use std::sync::Arc;

use rowhouse_model::{QueryStats, QueryStatus};

use super::conclude::server_stopped;
use super::result_files::ResultFiles;
use crate::error::Result;
use crate::store::query_records::{self, StoredQuery};
use crate::store::{Store, saved_sql};

/// Every record that is not final becomes FAILED; its duration stays as it was last written, because the moment
/// of the end is not known. Blocking.
pub(super) fn fail_unfinished(store: &Store) -> Result<()> {
    let mut unfinished = store.read(query_records::non_final)?;
    if unfinished.is_empty() {
        return Ok(());
    }
    tracing::warn!(
        statements = unfinished.len(),
        "statements that the last server left unfinished have failed"
    );
    for StoredQuery { query, .. } in &mut unfinished {
        query.status = Some(QueryStatus::Failed);
        query.error = Some(server_stopped());
        let stats = query.query_stats.get_or_insert_with(QueryStats::default);
        QueryStatus::Failed.as_str().clone_into(&mut stats.state);
        stats.queued = false;
    }
    store.write_blocking(move |transaction| {
        for stored in &unfinished {
            query_records::update(transaction, stored)?;
            if let (Some(id), Some(stats)) = (&stored.saved_sql, &stored.query.query_stats) {
                saved_sql::set_last_run(transaction, id, stats)?;
            }
        }
        Ok(())
    })
}

/// Every result file that is there now and that neither a record nor a cache entry names is removed. The list is
/// made before this returns, so that no later statement's file is on it; the rest, which takes its time with many
/// results, goes on by itself.
pub(super) fn remove_orphans(store: &Arc<Store>, result_files: &ResultFiles) -> Result<()> {
    let listed = result_files.list()?;
    let (store, result_files) = (Arc::clone(store), result_files.clone());
    tokio::task::spawn_blocking(move || {
        let removed = store.read(query_records::result_files).and_then(|used| {
            result_files.remove_all(listed.iter().filter(|&location| !used.contains(location)))
        });
        match removed {
            Ok(0) => {}
            Ok(removed) => tracing::info!(removed, "results that no record names were removed"),
            Err(error) => tracing::warn!(%error, "results that no record names stay behind"),
        }
        if let Err(error) = result_files.recount() {
            tracing::warn!(%error, "the results were not counted");
        }
    });
    Ok(())
}
