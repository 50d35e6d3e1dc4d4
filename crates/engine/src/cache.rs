//! The query cache (D19, D20): which stored result answers a workspace's statement. Entries are durable in the store
//! and written with the record of the run that computed them. Recently used ones are held in memory, too. `queries`
//! handles statements that join a run in progress.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rowhouse_model::{Timestamp, WorkspaceId};

use crate::error::Result;
use crate::store::cache_entries::{self, CacheEntry};
use crate::store::{Store, small_results};

mod memory;

use memory::{MemoryEntries, MemoryLookup};

/// Looks entries up.
#[derive(Debug)]
pub(crate) struct Cache {
    store: Arc<Store>,
    data_dir: PathBuf,
    memory: MemoryEntries,
}

/// The conditions for an entry to answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Freshness {
    /// Maximum age.
    pub(crate) ttl_seconds: u64,
    /// Younger than this.
    pub(crate) result_retention: Duration,
}

impl Cache {
    pub(crate) fn new(store: Arc<Store>, data_dir: &Path) -> Self {
        Self { store, data_dir: data_dir.to_owned(), memory: MemoryEntries::default() }
    }

    /// The entry of a statement. The caller must check whether its result still exists.
    pub(crate) async fn entry(
        &self,
        workspace_id: &WorkspaceId,
        fingerprint: &str,
    ) -> Result<Option<Arc<CacheEntry>>> {
        let MemoryLookup { entry, changes } = self.memory.get(workspace_id, fingerprint);
        if entry.is_some() {
            return Ok(entry);
        }
        let (workspace, text) = (workspace_id.clone(), fingerprint.to_owned());
        let data_dir = self.data_dir.clone();
        let look_up = move |connection: &rusqlite::Connection| {
            let Some(entry) = cache_entries::get(connection, &workspace, &text)? else { return Ok(None) };
            let has_rows = small_results::is_kept(connection, &entry.location)?
                || data_dir.join(&entry.location).is_file();
            Ok(has_rows.then_some(entry))
        };
        let Some(entry) = self.store.read_async(look_up).await?.map(Arc::new) else { return Ok(None) };
        self.memory.put(&entry, Some(changes));
        Ok(Some(entry))
    }

    /// The entry of a statement, if it is in memory.
    pub(crate) fn held(&self, workspace_id: &WorkspaceId, fingerprint: &str) -> Option<Arc<CacheEntry>> {
        self.memory.get(workspace_id, fingerprint).entry
    }

    /// Records that an entry was committed.
    pub(crate) fn set(&self, entry: &Arc<CacheEntry>) {
        self.memory.put(entry, None);
    }

    /// Records that entries were removed from the store.
    pub(crate) fn forget(&self, entries: &[CacheEntry]) {
        self.memory.forget(entries);
    }
}

/// A backward correction up to this is normal clock adjustment.
const CORRECTION_MILLIS: i128 = 60_000;

impl Freshness {
    /// Whether an entry of this age answers.
    pub(crate) fn allows(&self, age: Duration) -> bool {
        age.as_millis() <= u128::from(self.ttl_seconds) * 1000 && age < self.result_retention
    }
}

/// None for an entry from the future, whose age is unknown: the clock was set back. Zero if the clock was only
/// adjusted.
pub(crate) fn age(created_at: Timestamp, now: Timestamp) -> Option<Duration> {
    let millis = i128::from(now.as_millis()) - i128::from(created_at.as_millis());
    (millis >= -CORRECTION_MILLIS).then(|| Duration::from_millis(u64::try_from(millis).unwrap_or(0)))
}
