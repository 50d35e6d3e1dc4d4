//! Small results whose files were not synced one by one: their bytes are in the store, committed with their records,
//! until one sync of the disk covers all of them.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::result_files::ResultFiles;
use super::{Queries, Shared};
use crate::error::{Error, Result};
use crate::store::{Store, small_results};

/// Time between two syncs. The bytes that are stored twice until then are few.
const SYNC_PERIOD: Duration = Duration::from_secs(5);
/// Files per transaction, so that it does not make statements wait for the writer.
const FILES_AT_ONCE: usize = 1000;

/// The locations of results whose bytes are in the store.
#[derive(Debug, Default)]
pub(super) struct Unsynced {
    locations: Mutex<Vec<String>>,
}

impl Unsynced {
    /// Adds a renamed file; called after the commit of its bytes.
    pub(super) fn add(&self, location: String) {
        self.locations.lock().unwrap_or_else(PoisonError::into_inner).push(location);
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut *self.locations.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Queries {
    /// Syncs small results periodically, until it is aborted. Must be called inside a runtime.
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

/// Syncs the files and deletes their bytes from the store. If that fails, they stay for the next time.
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
        // If it fails, the next start finds bytes of files that exist.
        let locations = locations.to_vec();
        shared.store.write(move |transaction| small_results::delete(transaction, &locations)).await?;
    }
    Ok(())
}

/// Restores files that were lost in a power cut. Blocking.
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
