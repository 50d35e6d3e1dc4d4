//! The cache as people see it: which results are kept, and having them answer no more (D119).

use std::sync::Arc;

use rowhouse_model::{CachedResult, CachedResults, QueryId, Role, WorkspaceId};

use super::{Queries, Shared, retention};
use crate::cache;
use crate::error::{Error, Result};
use crate::store::cache_entries::{self, CacheEntry, Meant};
use crate::workspaces::Access;

/// Which kept results of a workspace are meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CacheScope {
    /// All of them.
    Workspace,
    /// That of the statement which this query has run, or was answered from it.
    Statement(QueryId),
    /// Those made from this table or view, as far as that is known.
    Table(String),
}

impl Queries {
    /// The kept results, the newest first, and how many there are.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`](crate::ErrorKind) below ANALYST, [`ErrorKind::NotFound`](crate::ErrorKind) for a query
    /// that is not there.
    pub async fn cached_results(
        &self,
        access: &Access,
        scope: CacheScope,
        limit: u64,
        offset: u64,
    ) -> Result<CachedResults> {
        access.require(Role::Analyst)?;
        let meant = self.meant(access, scope).await?;
        let workspace_id = access.workspace.id.clone();
        let read = move |connection: &rusqlite::Connection| {
            let total_count = cache_entries::count(connection, &workspace_id, &meant)?;
            Ok((total_count, cache_entries::list(connection, &workspace_id, &meant, limit, offset)?))
        };
        let (total_count, entries) = self.shared.store.read_async(read).await?;
        let now = self.shared.clock.now();
        let result = entries.into_iter().map(|(entry, sql)| {
            let age = cache::age(entry.created_at, now).unwrap_or_default();
            let CacheEntry { query_id, row_count, created_at, sources, .. } = entry;
            let volatile = sources.as_ref().and_then(|sources| sources.volatile.clone());
            let tables = sources.map(|sources| sources.tables.into_iter().map(|table| table.name).collect());
            CachedResult {
                query_id,
                sql,
                created_at,
                age_seconds: age.as_secs(),
                row_count,
                tables,
                volatile,
            }
        });
        Ok(CachedResults { total_count, result: result.collect() })
    }

    /// Has kept results answer no more; those of runs that are under way neither. Records keep what they have. Returns how
    /// many there were.
    ///
    /// # Errors
    ///
    /// As for [`cached_results`](Self::cached_results); the whole workspace's are for its owners.
    pub async fn purge_cache(&self, access: &Access, scope: CacheScope) -> Result<u64> {
        access.require(if scope == CacheScope::Workspace { Role::Owner } else { Role::Analyst })?;
        let meant = self.meant(access, scope).await?;
        let (shared, workspace_id) = (Arc::clone(&self.shared), access.workspace.id.clone());
        // A task of its own: files of what is taken out must be removed.
        let purged = tokio::spawn(async move { purge(&shared, workspace_id, meant).await });
        purged.await.unwrap_or_else(|error| Err(Error::internal("purging the cache", error)))
    }

    async fn meant(&self, access: &Access, scope: CacheScope) -> Result<Meant> {
        Ok(match scope {
            CacheScope::Workspace => Meant::All,
            CacheScope::Table(name) => Meant::Table(name),
            CacheScope::Statement(id) => {
                let record = self.shared.stored(access, &id).await?;
                Meant::Statement(record.stored().fingerprint.clone())
            }
        })
    }
}

async fn purge(shared: &Arc<Shared>, workspace_id: WorkspaceId, meant: Meant) -> Result<u64> {
    // First: whose end is written from now on leaves no entry, and what was written before is deleted.
    let is_meant = |fingerprint: &str| match &meant {
        Meant::Statement(meant) => meant == fingerprint,
        // What a run reads is known at its end.
        Meant::All | Meant::Table(_) => true,
    };
    shared.state().leave_no_entry(&workspace_id, is_meant);
    let holder = Arc::clone(shared);
    let purged = shared.store.write_then(
        move |transaction| cache_entries::delete_meant(transaction, &workspace_id, &meant),
        move |purged| {
            holder.cache.forget(&purged);
            purged
        },
    );
    let purged = purged.await?;
    let count = purged.len() as u64;
    retention::remove_unused(shared, purged.into_iter().map(|entry| entry.location).collect()).await?;
    Ok(count)
}
