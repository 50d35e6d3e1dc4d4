//! Management of the cache: listing cached results, and purging them (D119).

use std::collections::VecDeque;
use std::sync::Arc;

use rowhouse_model::{CachedResult, QueryId, Role, Timestamp, WorkspaceId};
use rowhouse_rows::ChunkSource;

use super::{Queries, Shared, retention};
use crate::cache;
use crate::error::{Error, Result};
use crate::json_list::{Elements, JsonList, write_json};
use crate::store::cache_entries::{self, EntryPlace, ListedEntry, Meant};
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
    /// The cached results, newest first, and their number: a CachedResults as JSON.
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
    ) -> Result<Box<dyn ChunkSource>> {
        access.require(Role::Analyst)?;
        let meant = self.meant(access, scope).await?;
        let (workspace_id, counted) = (access.workspace.id.clone(), meant.clone());
        let read = move |connection: &rusqlite::Connection| {
            cache_entries::count(connection, &workspace_id, &counted)
        };
        let total_count = self.shared.store.read_async(read).await?;
        let entries = Entries {
            shared: Arc::clone(&self.shared),
            workspace_id: access.workspace.id.clone(),
            meant,
            now: self.shared.clock.now(),
            skip: offset,
            left: limit,
            after: None,
            places: VecDeque::new(),
        };
        Ok(Box::new(JsonList::within(format!("{{\"totalCount\":{total_count},\"result\":["), entries, "]}")))
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

/// Number of entries whose positions are looked up together.
const PLACES: u64 = 256;
/// Maximum number of characters of a statement in a list.
const LISTED_SQL_CHARACTERS: usize = 1000;

/// The entries of a list, read one by one while it is written.
struct Entries {
    shared: Arc<Shared>,
    workspace_id: WorkspaceId,
    meant: Meant,
    now: Timestamp,
    /// Number of entries to skip.
    skip: u64,
    /// Number of entries whose positions are not looked up yet.
    left: u64,
    /// The last position so far.
    after: Option<EntryPlace>,
    places: VecDeque<EntryPlace>,
}

impl Elements for Entries {
    fn next_bytes(&mut self) -> Result<Option<usize>> {
        if self.places.is_empty() && self.left > 0 {
            let wanted = PLACES.min(self.left);
            let Self { shared, workspace_id, meant, after, skip, .. } = self;
            let places = shared.store.read(|connection| {
                let skip = std::mem::take(skip);
                cache_entries::places(connection, workspace_id, meant, after.as_ref(), skip, wanted)
            })?;
            self.left = if (places.len() as u64) < wanted { 0 } else { self.left - wanted };
            self.after = places.last().cloned();
            self.places = places.into();
        }
        // The store holds a second copy while it is read.
        Ok(self.places.front().map(|place| 2 * place.bytes))
    }

    fn write_next(&mut self, json: &mut Vec<u8>) -> Result<bool> {
        let Some(place) = self.places.pop_front() else { return Ok(false) };
        let listed = self
            .shared
            .store
            .read(|connection| cache_entries::listed(connection, &self.workspace_id, &place.fingerprint))?;
        // It may have been purged meanwhile.
        let Some(ListedEntry { query_id, row_count, created_at, sources, sql }) = listed else {
            return Ok(false);
        };
        let volatile = sources.as_ref().and_then(|sources| sources.volatile.clone());
        let tables = sources.map(|sources| sources.tables.into_iter().map(|table| table.name).collect());
        let result = CachedResult {
            query_id,
            sql: sql.map(|sql| sql.chars().take(LISTED_SQL_CHARACTERS).collect()),
            created_at,
            age_seconds: cache::age(created_at, self.now).unwrap_or_default().as_secs(),
            row_count,
            tables,
            volatile,
        };
        write_json(&result, json)?;
        Ok(true)
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
