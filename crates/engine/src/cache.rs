//! The query cache (D19, D20): which stored result answers a workspace's statement. Entries last in the store
//! and are written with the record of the run that made them; who waits for a run under way is the matter of
//! `queries`.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rowhouse_model::{Timestamp, WorkspaceId};

use crate::error::Result;
use crate::store::Store;
use crate::store::cache_entries::{self, CacheEntry};

/// Looks entries up.
#[derive(Debug)]
pub(crate) struct Cache {
    store: Arc<Store>,
    data_dir: PathBuf,
}

impl Cache {
    pub(crate) fn new(store: Arc<Store>, data_dir: &Path) -> Self {
        Self { store, data_dir: data_dir.to_owned() }
    }

    /// The entry of a statement, if it is not older than `ttl_seconds` and not past its retention, and its result
    /// is there.
    pub(crate) async fn fresh(
        &self,
        workspace_id: &WorkspaceId,
        fingerprint: &str,
        ttl_seconds: u64,
        result_retention: Duration,
        now: Timestamp,
    ) -> Result<Option<CacheEntry>> {
        let (workspace_id, fingerprint) = (workspace_id.clone(), fingerprint.to_owned());
        let data_dir = self.data_dir.clone();
        let retention_millis = result_retention.as_millis();
        let look_up = move |connection: &rusqlite::Connection| {
            let entry = cache_entries::get(connection, &workspace_id, &fingerprint)?;
            Ok(entry.filter(|entry| {
                let age_millis = age_millis(entry.created_at, now);
                age_millis <= u128::from(ttl_seconds) * 1000
                    && age_millis < retention_millis
                    && data_dir.join(&entry.location).is_file()
            }))
        };
        self.store.read_async(look_up).await
    }
}

/// Zero for an entry of the future: the clock was set back.
fn age_millis(created_at: Timestamp, now: Timestamp) -> u128 {
    u128::try_from(i128::from(now.as_millis()) - i128::from(created_at.as_millis())).unwrap_or(0)
}
