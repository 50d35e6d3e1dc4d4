//! Calls that are answered from memory: a repeated call is recognized by its key, and the cache entry of its statement
//! is in memory. Neither a worker nor the store is used, and such a call has no record (D120).

use std::sync::Arc;

use rowhouse_model::{CacheOutcome, CacheVerdict, Query, QueryId, QueryStatus, StatementParameters};
use rowhouse_sql::types::UTC;

use super::super::{Queries, QueryRecord, StoredResult};
use super::{call_key, policy};
use crate::endpoints::EndpointAccess;
use crate::error::Result;
use crate::metrics::CacheLookup;
use crate::store::cache_entries::CacheEntry;
use crate::store::query_records::StoredQuery;
use crate::views::RowOrder;

/// A cached result that answers a call.
#[derive(Clone, Debug)]
pub struct CachedCall {
    entry: Arc<CacheEntry>,
    verdict: CacheVerdict,
}

impl CachedCall {
    /// The query that computed it.
    pub fn query_id(&self) -> &QueryId {
        &self.entry.query_id
    }

    /// The cache verdict.
    pub fn verdict(&self) -> &CacheVerdict {
        &self.verdict
    }

    /// Its location in the data directory, which is unique per result.
    pub fn location(&self) -> &str {
        &self.entry.location
    }

    /// Its row count.
    pub fn row_count(&self) -> u64 {
        self.entry.row_count
    }
}

impl Queries {
    /// The cached result that answers a call, if memory holds everything needed to decide. A stale result that a run
    /// would renew is not returned: [`call`](Self::call) handles that.
    pub async fn cached_call(
        &self,
        entered: &EndpointAccess,
        parameters: &StatementParameters,
        order: Option<RowOrder>,
    ) -> Option<CachedCall> {
        let endpoint = entered.endpoint();
        let policy = policy(endpoint).filter(|policy| policy.ttl_seconds > 0)?;
        let key = call_key(entered, parameters, order)?;
        let fingerprint = self.shared.known_calls.get(&key)?;
        let entry = self.shared.cache.held(&endpoint.workspace_id, &fingerprint)?;
        let verdict = self.shared.judge(&entry, policy, UTC).await;
        if verdict.outcome != CacheOutcome::Hit {
            return None;
        }
        self.shared.counters.accepted(CacheLookup::Hit);
        self.shared.service.touch();
        Some(CachedCall { entry, verdict })
    }

    /// The rows of a cached result.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::ResultExpired`](crate::ErrorKind): it was deleted a moment ago.
    pub async fn cached_result(&self, kept: &CachedCall) -> Result<StoredResult> {
        let CacheEntry { workspace_id, fingerprint, query_id, location, columns, row_count, .. } =
            kept.entry.as_ref();
        let query = Query {
            status: Some(QueryStatus::Finished),
            location: Some(location.clone()),
            row_count: Some(*row_count),
            columns: Some(columns.clone()),
            from_cache: Some(true),
            ..Query::bare(query_id.clone(), workspace_id.clone())
        };
        let stored = StoredQuery {
            query,
            saved_sql: None,
            fingerprint: fingerprint.clone(),
            result_file: Some(location.clone()),
            // The entry is younger than the result's retention.
            result_expires_at: None,
        };
        let file = self.shared.open_result(query_id, location).await?;
        Ok(StoredResult { record: QueryRecord::new(stored), file })
    }
}
