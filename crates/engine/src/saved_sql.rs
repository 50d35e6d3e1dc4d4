//! Saved SQL of workspaces and the statistics of its last run (D28). It runs nothing: the query life executes
//! it and reports here.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dashmap::DashMap;
use rowhouse_model::{
    CreateSavedSql, QueryStats, Role, SavedSql, SavedSqlId, SavedSqlStatistics, StatementStats,
    UpdateSavedSql,
};

use crate::error::{Error, ErrorKind, Result};
use crate::id_source::IdSource;
use crate::json_list::JsonList;
use crate::names;
use crate::store::{self, Store};
use crate::workspaces::Access;
use rowhouse_executor::clock::Clock;
use rowhouse_rows::ChunkSource;

mod list;
#[cfg(test)]
mod tests;

/// What is shown of a saved SQL, given as JSON.
pub type Select = Box<dyn Fn(serde_json::Value) -> serde_json::Value + Send>;

/// All saved SQL. The texts stay in the store; memory has only the runs since the start.
pub struct SavedSqls {
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
    max_sql_bytes: AtomicUsize,
    /// At most one entry a saved SQL; newer than what the store has while a run goes on.
    last_runs: Arc<DashMap<SavedSqlId, QueryStats>>,
}

impl SavedSqls {
    /// Reads nothing yet.
    pub(crate) fn new(
        store: Arc<Store>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdSource>,
        max_sql_bytes: usize,
    ) -> Self {
        let max_sql_bytes = AtomicUsize::new(max_sql_bytes);
        Self { store, clock, ids, max_sql_bytes, last_runs: Arc::default() }
    }

    /// Longest text from now on.
    pub(crate) fn set_max_sql_bytes(&self, max_sql_bytes: usize) {
        self.max_sql_bytes.store(max_sql_bytes, Ordering::Relaxed);
    }

    /// The workspace's saved SQL, oldest first, each with its account: an array of them as JSON.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] for a consumer.
    pub fn list(&self, access: &Access) -> Result<Box<dyn ChunkSource>> {
        access.require(Role::Analyst)?;
        let saved_sqls = list::SavedSqlRows::new(Arc::clone(&self.store), access.workspace.id.clone());
        Ok(Box::new(JsonList::new(saved_sqls)))
    }

    /// As [`list`](Self::list), of each what `select` makes of it, between other brackets.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] for a consumer.
    pub fn list_selected(
        &self,
        access: &Access,
        prefix: &str,
        select: Select,
        suffix: &str,
    ) -> Result<Box<dyn ChunkSource>> {
        access.require(Role::Analyst)?;
        let rows = list::SavedSqlRows::new(Arc::clone(&self.store), access.workspace.id.clone());
        Ok(Box::new(JsonList::within(prefix, rows.selected(select), suffix)))
    }

    /// One saved SQL, with its account.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] for a consumer, [`ErrorKind::NotFound`].
    pub async fn get(&self, access: &Access, id: &SavedSqlId) -> Result<SavedSql> {
        access.require(Role::Analyst)?;
        self.load(access, id).await.map(|(saved_sql, _)| saved_sql)
    }

    /// Keeps a statement; it is checked when it runs. The answer has no account, as specified.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] for a consumer, [`ErrorKind::InvalidArguments`].
    pub async fn create(&self, access: &Access, request: CreateSavedSql) -> Result<SavedSql> {
        access.require(Role::Analyst)?;
        let CreateSavedSql { workspace_id: _, sql, description, title } = request;
        let saved_sql = SavedSql {
            id: SavedSqlId::new(self.ids.new_id()),
            title,
            description,
            sql,
            workspace_id: access.workspace.id.clone(),
            account_id: Some(access.account_id().clone()),
        };
        self.check(&saved_sql)?;
        let now = self.clock.now();
        let stored = self.store.write(move |transaction| {
            store::saved_sql::insert(transaction, &saved_sql, now).map(|()| saved_sql)
        });
        stored.await.map(without_account)
    }

    /// Changes what is given. The statistics stay those of the last run, whatever text it ran.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] for a consumer, [`ErrorKind::NotFound`], [`ErrorKind::InvalidArguments`].
    pub async fn update(
        &self,
        access: &Access,
        id: &SavedSqlId,
        request: UpdateSavedSql,
    ) -> Result<SavedSql> {
        access.require(Role::Analyst)?;
        let (mut saved_sql, _) = self.load(access, id).await?;
        let UpdateSavedSql { workspace_id: _, sql, description, title } = request;
        let change = move |saved_sql: &mut SavedSql| {
            if let Some(sql) = sql {
                saved_sql.sql = sql;
            }
            if let Some(title) = title {
                saved_sql.title = title;
            }
            if description.is_some() {
                saved_sql.description = description;
            }
        };
        let mut changed = saved_sql.clone();
        change.clone()(&mut changed);
        self.check(&changed)?;
        let workspace_id = access.workspace.id.clone();
        let id = id.clone();
        // Read again inside the write, so that two changes of different fields at a time both hold.
        let stored = self.store.write(move |transaction| {
            if let Some((current, _)) = store::saved_sql::get(transaction, &workspace_id, &id)? {
                saved_sql = current;
            }
            change(&mut saved_sql);
            store::saved_sql::update(transaction, &saved_sql).map(|()| saved_sql)
        });
        stored.await.map(without_account)
    }

    /// Forgets it; the records of its runs stay.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] for a consumer, [`ErrorKind::NotFound`].
    pub async fn delete(&self, access: &Access, id: &SavedSqlId) -> Result<()> {
        access.require(Role::Analyst)?;
        self.load(access, id).await?;
        let id = id.clone();
        let last_runs = Arc::clone(&self.last_runs);
        let deleted = self.store.write_then(
            move |transaction| store::saved_sql::delete(transaction, &id).map(|()| id),
            move |id| {
                last_runs.remove(&id);
            },
        );
        deleted.await
    }

    /// What the last run cost, or costs so far; state `NONE` and zeros before any (D28).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] for a consumer, [`ErrorKind::NotFound`].
    pub async fn statistics(&self, access: &Access, id: &SavedSqlId) -> Result<SavedSqlStatistics> {
        access.require(Role::Analyst)?;
        let (_, stored) = self.load(access, id).await?;
        let latest = self.last_runs.get(id).map(|entry| entry.value().clone()).or(stored);
        let stats = latest.as_ref().map_or_else(StatementStats::none, StatementStats::from);
        Ok(SavedSqlStatistics { id: id.clone(), stats })
    }

    /// Keeps, in memory, what a run has cost so far. Its end is to be made durable with the run's record, by
    /// [`store::saved_sql::set_last_run`].
    pub(crate) fn set_last_run(&self, id: SavedSqlId, stats: QueryStats) {
        self.last_runs.insert(id, stats);
    }

    async fn load(&self, access: &Access, id: &SavedSqlId) -> Result<(SavedSql, Option<QueryStats>)> {
        let workspace_id = access.workspace.id.clone();
        let wanted = id.clone();
        let found = self
            .store
            .read_async(move |connection| store::saved_sql::get(connection, &workspace_id, &wanted))
            .await?;
        found.ok_or_else(|| {
            let id = rowhouse_model::excerpt(id.as_str());
            Error::new(ErrorKind::NotFound, format!("the workspace has no saved SQL with the id '{id}'"))
        })
    }

    fn check(&self, saved_sql: &SavedSql) -> Result<()> {
        names::check_title("title", &saved_sql.title)?;
        names::check_sql(&saved_sql.sql, self.max_sql_bytes.load(Ordering::Relaxed))?;
        saved_sql.description.as_deref().map_or(Ok(()), names::check_description)
    }
}

fn without_account(saved_sql: SavedSql) -> SavedSql {
    SavedSql { account_id: None, ..saved_sql }
}

impl fmt::Debug for SavedSqls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SavedSqls").field("last_runs", &self.last_runs.len()).finish_non_exhaustive()
    }
}
