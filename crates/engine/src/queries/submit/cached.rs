//! A statement that a cache entry answers (D19): looked for before it is recorded and again while it waits for a run.

use std::sync::Arc;

use super::Submitting;
use crate::cache::Freshness;
use crate::error::Result;
use crate::metrics::CacheOutcome;
use crate::queries::{Shared, conclude, snapshot};
use crate::store::cache_entries::CacheEntry;
use crate::store::query_records::{self, StoredQuery};
use crate::store::saved_sql;

impl Submitting {
    pub(super) async fn fresh_entry(&self) -> Result<Option<Arc<CacheEntry>>> {
        let Some(ttl_seconds) = self.fresh_seconds else { return Ok(None) };
        let StoredQuery { query, fingerprint, .. } = &self.stored;
        let freshness = Freshness {
            ttl_seconds,
            result_retention: self.shared.config().result_retention,
            now: self.shared.clock.now(),
        };
        self.shared.cache.fresh(&query.workspace_id, fingerprint, freshness).await
    }

    pub(super) fn hit(&self, entry: &CacheEntry) -> StoredQuery {
        let expires_at = snapshot::later(self.shared.clock.now(), self.shared.config().result_retention);
        let duration = self.shared.clock.monotonic().saturating_sub(self.submitted);
        snapshot::hit(self.stored.clone(), entry, expires_at, duration)
    }

    /// Ends the recorded statement with an entry that came while it was on its way; false if the entry's
    /// result has been removed.
    pub(super) async fn take_entry(&self, entry: &CacheEntry) -> bool {
        {
            let mut state = self.shared.state();
            match state.live.get_mut(&self.stored.query.id) {
                Some(live) if !live.is_ending => live.is_ending = true,
                // Canceled meanwhile.
                _ => return true,
            }
        }
        let (location, end) = (entry.location.clone(), self.hit(entry));
        let (shared, holder) = (Arc::clone(&self.shared), Arc::clone(&self.shared));
        let taken = self.shared.store.write_then(
            move |transaction| {
                if !holder.has_result(transaction, &location)? {
                    return Ok(None);
                }
                query_records::update(transaction, &end)?;
                if let (Some(id), Some(stats)) = (&end.saved_sql, &end.query.query_stats) {
                    saved_sql::set_last_run(transaction, id, stats)?;
                }
                Ok(Some(end))
            },
            move |end| end.map(|end| conclude::show(&shared, None, &[end])),
        );
        if matches!(taken.await, Ok(Some(()))) {
            self.shared.counters.accepted(CacheOutcome::Hit);
            return true;
        }
        if let Some(live) = self.shared.state().live.get_mut(&self.stored.query.id) {
            live.is_ending = false;
        }
        false
    }
}

impl Shared {
    /// Whether the result that an entry names is kept, and has not been lost, as by the restoring of half a backup.
    pub(super) fn has_result(
        &self,
        transaction: &rusqlite::Transaction<'_>,
        location: &str,
    ) -> rusqlite::Result<bool> {
        Ok(query_records::is_result_used(transaction, location)?
            && self.result_files.path(location).is_file())
    }
}
