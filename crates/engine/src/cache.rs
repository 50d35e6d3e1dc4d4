//! The query cache (D19, D20): which stored result answers a workspace's statement. Entries last in the store
//! and are written with the record of the run that made them; who waits for a run under way is the matter of
//! `queries`. Those that were asked for lately are held in memory, too.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rowhouse_model::{Timestamp, WorkspaceId};

use crate::error::Result;
use crate::store::Store;
use crate::store::cache_entries::{self, CacheEntry};

mod held;

use held::{Held, HeldEntries};

/// Looks entries up.
#[derive(Debug)]
pub(crate) struct Cache {
    store: Arc<Store>,
    data_dir: PathBuf,
    held: HeldEntries,
}

/// What an entry must be to answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Freshness {
    /// Not older than this.
    pub(crate) ttl_seconds: u64,
    /// Younger than this.
    pub(crate) result_retention: Duration,
}

impl Cache {
    pub(crate) fn new(store: Arc<Store>, data_dir: &Path) -> Self {
        Self { store, data_dir: data_dir.to_owned(), held: HeldEntries::default() }
    }

    /// The entry of a statement. Whether its result is still there is for the one to see who takes it up.
    pub(crate) async fn entry(
        &self,
        workspace_id: &WorkspaceId,
        fingerprint: &str,
    ) -> Result<Option<Arc<CacheEntry>>> {
        let Held { entry, changes } = self.held.get(workspace_id, fingerprint);
        if entry.is_some() {
            return Ok(entry);
        }
        let (workspace, text) = (workspace_id.clone(), fingerprint.to_owned());
        let data_dir = self.data_dir.clone();
        let look_up = move |connection: &rusqlite::Connection| {
            let entry = cache_entries::get(connection, &workspace, &text)?;
            Ok(entry.filter(|entry| data_dir.join(&entry.location).is_file()))
        };
        let Some(entry) = self.store.read_async(look_up).await?.map(Arc::new) else { return Ok(None) };
        self.held.put(&entry, Some(changes));
        Ok(Some(entry))
    }

    /// The entry of a statement where the memory has it.
    pub(crate) fn held(&self, workspace_id: &WorkspaceId, fingerprint: &str) -> Option<Arc<CacheEntry>> {
        self.held.get(workspace_id, fingerprint).entry
    }

    /// An entry was committed.
    pub(crate) fn set(&self, entry: &Arc<CacheEntry>) {
        self.held.put(entry, None);
    }

    /// Entries were removed from the store.
    pub(crate) fn forget(&self, entries: &[CacheEntry]) {
        self.held.forget(entries);
    }
}

/// What a clock is put right by, without having been wrong.
const CORRECTION_MILLIS: i128 = 60_000;

impl Freshness {
    /// Whether an entry of this age is an answer.
    pub(crate) fn allows(&self, age: Duration) -> bool {
        age.as_millis() <= u128::from(self.ttl_seconds) * 1000 && age < self.result_retention
    }
}

/// None for an entry of the future, whose age nobody knows: the clock was set back. Zero where it was only put right.
pub(crate) fn age(created_at: Timestamp, now: Timestamp) -> Option<Duration> {
    let millis = i128::from(now.as_millis()) - i128::from(created_at.as_millis());
    (millis >= -CORRECTION_MILLIS).then(|| Duration::from_millis(u64::try_from(millis).unwrap_or(0)))
}
