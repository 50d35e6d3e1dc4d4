//! Management of the cache: listing cached results, and purging them (D119).

use std::sync::Arc;

use rowhouse_model::{CachedResult, CachedResults, QueryId, Role, WorkspaceId};

use super::{Queries, Shared, retention};
use crate::cache;
use crate::error::{Error, Result};
use crate::store::cache_entries::{self, CacheEntry, Meant};
use crate::workspaces::Access;

/// A selection of a workspace's cached results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CacheScope {
    /// All results.
    Workspace,
    /// The result of the statement that this query ran or was answered for.
    Statement(QueryId),
    /// Results computed from this table or view, as far as that is known.
    Table(String),
}

impl Queries {
    /// The cached results, newest first, and their number.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`](crate::ErrorKind) below ANALYST, [`ErrorKind::NotFound`](crate::ErrorKind) for a
    /// query that does not exist.
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

    /// Purges cached results, so that they no longer answer, and those of runs in progress. Records keep their results.
    /// Returns the number of purged results.
    ///
    /// # Errors
    ///
    /// As for [`cached_results`](Self::cached_results); only owners may purge the whole workspace.
    pub async fn purge_cache(&self, access: &Access, scope: CacheScope) -> Result<u64> {
        access.require(if scope == CacheScope::Workspace { Role::Owner } else { Role::Analyst })?;
        let meant = self.meant(access, scope).await?;
        let (shared, workspace_id) = (Arc::clone(&self.shared), access.workspace.id.clone());
        // A separate task: files of removed entries must be deleted.
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
    // First: an end that is written from now on adds no entry, and entries that were written before are deleted.
    let is_meant = |fingerprint: &str| match &meant {
        Meant::Statement(meant) => meant == fingerprint,
        // The tables that a run reads are known at its end.
        Meant::All | Meant::Table(_) => true,
    };
    shared.state().leave_no_entry(&workspace_id, is_meant);
    let holder = Arc::clone(shared);
    let purged = shared.store.write_then(
        move |transaction| {
            let purged = cache_entries::delete_meant(transaction, &workspace_id, &meant)?;
            let locations = purged.iter().map(|entry| entry.location.clone()).collect();
            Ok((purged, retention::delete_unused(transaction, locations)?))
        },
        move |(purged, unused)| {
            holder.cache.forget(&purged);
            (purged.len() as u64, unused)
        },
    );
    let (count, unused) = purged.await?;
    retention::remove_files(shared, unused).await;
    Ok(count)
}
