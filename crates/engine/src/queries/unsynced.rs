//! Small results whose files were not synced one by one: their bytes stand in the store, committed with their records,
//! until one sync of the disk serves all of them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::result_files::ResultFiles;
use super::{Queries, Shared};
use crate::error::{Error, Result};
use crate::store::{Store, small_results};

/// Time from one sync to the next. What is kept twice until then is small.
const SYNC_PERIOD: Duration = Duration::from_secs(5);
/// Files of one transaction, so that it does not keep statements waiting for the writer.
const FILES_AT_ONCE: usize = 1000;

/// The locations of results that the store keeps the bytes of.
#[derive(Debug, Default)]
pub(super) struct Unsynced {
    locations: Mutex<Vec<String>>,
}

impl Unsynced {
    /// Notes down a file that has its name; called after the commit of its bytes.
    pub(super) fn add(&self, location: String) {
        self.locations.lock().unwrap_or_else(PoisonError::into_inner).push(location);
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.locations.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Queries {
    /// Syncs small results now and then, until it is aborted. Must be called inside a runtime.
    pub(crate) fn sync_small_results(self: &Arc<Self>) -> tokio::task::AbortHandle {
        let queries = Arc::downgrade(self);
        let syncing = async move {
            loop {
                tokio::time::sleep(SYNC_PERIOD).await;
                let Some(queries) = queries.upgrade() else { return };
                if let Err(error) = sync(&queries.shared).await {
                    tracing::error!(%error, source = ?std::error::Error::source(&error), "small results were not synced");
                }
            }
        };
        tokio::spawn(syncing).abort_handle()
    }
}

/// Syncs what is there and gives up the bytes in the store. Where that fails they stay for the next time.
pub(super) async fn sync(shared: &Arc<Shared>) -> Result<()> {
    let locations = shared.unsynced.take();
    if locations.is_empty() {
        return Ok(());
    }
    let result_files = shared.result_files.clone();
    let synced = tokio::task::spawn_blocking(move || result_files.sync_all()).await;
    if let Err(error) = synced.unwrap_or_else(|error| Err(std::io::Error::other(error))) {
        locations.into_iter().for_each(|location| shared.unsynced.add(location));
        return Err(Error::internal("syncing small results", error));
    }
    for locations in locations.chunks(FILES_AT_ONCE) {
        // Should it fail, the next start finds bytes of files that are there.
        let locations = locations.to_vec();
        shared.store.write(move |transaction| small_results::delete(transaction, &locations)).await?;
    }
    Ok(())
}

/// Writes the files that a stopped machine has lost. Blocking.
pub(super) fn restore(store: &Store, result_files: &ResultFiles) -> Result<()> {
    let mut kept = Vec::new();
    store.read(|connection| {
        small_results::for_each(connection, |location, bytes| {
            kept.push((location, bytes.to_vec()));
            Ok(())
        })
    })?;
    for kept in kept.chunks(FILES_AT_ONCE) {
        for (location, bytes) in kept {
            result_files
                .restore(location, bytes)
                .map_err(|error| Error::internal(format!("writing {location} again"), error))?;
        }
        let locations: Vec<String> = kept.iter().map(|(location, _)| location.clone()).collect();
        store.write_blocking(move |transaction| small_results::delete(transaction, &locations))?;
    }
    Ok(())
}
