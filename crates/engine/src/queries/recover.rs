//! Recovery after a killed server: no statement stays unfinished, no finished one is lost, no unused file stays in its
//! place.

use std::path::Path;
use std::sync::Arc;

use rowhouse_model::{QueryStats, QueryStatus};

use super::conclude::server_stopped;
use super::result_files::ResultFiles;
use crate::error::Result;
use crate::set_aside::SetAside;
use crate::store::query_records::{self, StoredQuery};
use crate::store::{Store, saved_sql, small_results};

/// Results per transaction, so that statements do not wait for the writer.
const KEPT_AT_ONCE: usize = 500;

/// Every record that is not final becomes FAILED; its duration stays as last written, because the time of the end is
/// unknown. Blocking.
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

/// Removes every present result file that neither a record nor a cache entry names: a file of a query that the database
/// knows is deleted, because a kill leaves such files; a complete file that the database does not know is set aside.
/// The list is made before this returns, so that no later statement's file is in it; the rest, which takes a while with
/// many results, runs in the background.
pub(super) fn remove_orphans(
    store: &Arc<Store>,
    result_files: &ResultFiles,
    mut set_aside: SetAside,
) -> Result<()> {
    let listed = result_files.list()?;
    let (store, result_files) = (Arc::clone(store), result_files.clone());
    tokio::task::spawn_blocking(move || {
        match sort_out(&store, &result_files, &listed, &mut set_aside) {
            Ok(0) => {}
            Ok(removed) => tracing::info!(removed, "results that no record names were removed"),
            Err(error) => tracing::warn!(%error, "results that no record names stay behind"),
        }
        set_aside.log_summary("results");
        if let Err(error) = result_files.recount(&store) {
            tracing::warn!(%error, "the results were not counted");
        }
    });
    Ok(())
}

/// Removes results from the database that neither a record nor a cache entry names.
fn remove_kept<'a>(store: &Store, locations: impl Iterator<Item = &'a String>) -> Result<()> {
    let locations: Vec<String> = locations.cloned().collect();
    for some in locations.chunks(KEPT_AT_ONCE) {
        let some = some.to_vec();
        store.write_blocking(move |transaction| {
            for location in &some {
                if !query_records::is_result_used(transaction, location)? {
                    small_results::delete(transaction, location)?;
                }
            }
            Ok(())
        })?;
    }
    Ok(())
}

/// Returns the number of removed files.
fn sort_out(
    store: &Store,
    result_files: &ResultFiles,
    listed: &[String],
    set_aside: &mut SetAside,
) -> Result<usize> {
    // Listed before the used ones, so that results of statements that end meanwhile are among the used ones.
    let kept = store.read(small_results::locations)?;
    let used = store.read(query_records::result_files)?;
    remove_kept(store, kept.iter().filter(|&location| !used.contains(location)))?;
    let mut known = Vec::new();
    for location in listed.iter().filter(|&location| kept.contains(location) || !used.contains(location)) {
        let id = ResultFiles::query_of(location);
        let is_known = match id {
            // It was never completed.
            None => true,
            // An earlier version had files of small results, too.
            Some(_) if kept.contains(location) => true,
            Some(id) => store.read(|connection| query_records::is_known(connection, id))?,
        };
        if is_known {
            known.push(location);
        } else if let Err(error) = set_aside.take(Path::new(location)) {
            tracing::warn!(%error, location, "a result that the database does not know cannot be set aside");
        }
    }
    result_files.remove_all(known.into_iter())
}
