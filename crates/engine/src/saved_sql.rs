//! Saved SQL of workspaces and the statistics of its last run (D28). It runs nothing: `queries` executes it and reports
//! here.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use dashmap::DashMap;
use rowhouse_model::{
    CreateSavedSql, EndpointCalls, QueryStats, Role, SavedSql, SavedSqlId, SavedSqlStatistics,
    SavedSqlVersion, StatementStats, UpdateSavedSql,
};
use rusqlite::Transaction;

use crate::endpoints::Endpoints;
use crate::error::{Error, ErrorKind, Result};
use crate::few_at_a_time::{FewAtATime, Held};
use crate::id_source::IdSource;
use crate::json_list::JsonList;
use crate::names;
use crate::planning::Planner;
use crate::store::{self, Store, saved_sql_versions};
use crate::workspaces::Access;
use rowhouse_executor::clock::Clock;
use rowhouse_rows::ChunkSource;

mod endpoint;
mod list;
mod sizes;
#[cfg(test)]
mod tests;

/// Selects what is shown of a saved SQL, given as JSON.
pub type Select = Box<dyn Fn(serde_json::Value) -> serde_json::Value + Send>;

/// All saved SQL. The texts are in the store only; memory has the runs since the start.
pub struct SavedSqls {
    store: Arc<Store>,
    endpoints: Arc<Endpoints>,
    planner: Arc<dyn Planner>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
    max_sql_bytes: AtomicUsize,
    /// At most one entry per saved SQL; newer than the store while a run is in progress.
    last_runs: Arc<DashMap<SavedSqlId, QueryStats>>,
    /// Lists of versions with their texts.
    version_lists: FewAtATime,
}

impl SavedSqls {
    /// Reads nothing yet.
    pub(crate) fn new(
        store: Arc<Store>,
        endpoints: Arc<Endpoints>,
        planner: Arc<dyn Planner>,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdSource>,
        max_sql_bytes: usize,
    ) -> Self {
        let max_sql_bytes = AtomicUsize::new(max_sql_bytes);
        let version_lists = FewAtATime::of("lists of versions with their texts");
        Self {
            store,
            endpoints,
            planner,
            clock,
            ids,
            max_sql_bytes,
            last_runs: Arc::default(),
            version_lists,
        }
    }

    /// Sets the maximum length of a text.
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

    /// As [`list`](Self::list), with the result of `select` for each, between other brackets.
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

    /// Saves a statement. It is checked when it runs; the statement of an endpoint is checked here. The answer has no
    /// account, as specified.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] for a consumer, [`ErrorKind::InvalidArguments`]; for an endpoint also
    /// [`ErrorKind::AlreadyExists`], [`ErrorKind::Statement`] for its SQL and [`ErrorKind::ServiceDisabled`].
    pub async fn create(&self, access: &Access, request: CreateSavedSql) -> Result<SavedSql> {
        access.require(Role::Analyst)?;
        let CreateSavedSql { workspace_id: _, sql, description, title, sql_name } = request;
        let saved_sql = SavedSql {
            id: SavedSqlId::new(self.ids.new_id()),
            title,
            description,
            sql,
            workspace_id: access.workspace.id.clone(),
            account_id: Some(access.account_id().clone()),
            sql_name,
        };
        self.check(&saved_sql)?;
        let made = self.endpoint_of(access, &saved_sql).await?;
        let (now, maker) = (self.clock.now(), access.account_id().clone());
        let endpoints = Arc::clone(&self.endpoints);
        let stored = self.store.write_text_then(
            saved_sql.sql.len(),
            move |transaction| {
                let refusal = refusal(transaction, &saved_sql, made.as_ref())?;
                if refusal.is_none() {
                    let columns = made.as_ref().map(|made| made.columns.as_slice());
                    store::saved_sql::insert(transaction, &saved_sql, columns, now)?;
                    saved_sql_versions::add(transaction, &saved_sql, &maker, now)?;
                }
                Ok(refusal.map_or(Ok((saved_sql, made)), Err))
            },
            move |stored| stored.map(|(saved_sql, made)| endpoint::hold(&endpoints, saved_sql, made)),
        );
        stored.await?.map(without_account)
    }

    /// Changes the given fields, or restores a version. The statistics stay those of the last run, whatever text it
    /// ran.
    ///
    /// # Errors
    ///
    /// As for [`create`](Self::create), and [`ErrorKind::NotFound`]; [`ErrorKind::Overloaded`]: an endpoint was changed
    /// while its new text was checked.
    pub async fn update(
        &self,
        access: &Access,
        id: &SavedSqlId,
        request: UpdateSavedSql,
    ) -> Result<SavedSql> {
        access.require(Role::Analyst)?;
        let (saved_sql, _) = self.load(access, id).await?;
        let UpdateSavedSql { workspace_id: _, sql, description, title, sql_name, version } = request;
        let (sql, title, description) = match version {
            None => (sql, title, description.map(Some)),
            Some(number) => {
                let earlier = self.version(id, number).await?;
                (Some(earlier.sql), Some(earlier.title), Some(earlier.description))
            }
        };
        let change = move |saved_sql: &mut SavedSql| {
            if let Some(sql) = sql {
                saved_sql.sql = sql;
            }
            if let Some(title) = title {
                saved_sql.title = title;
            }
            if let Some(description) = description {
                saved_sql.description = description;
            }
            if let Some(sql_name) = sql_name {
                saved_sql.sql_name = sql_name;
            }
        };
        let mut changed = saved_sql;
        change.clone()(&mut changed);
        self.check(&changed)?;
        let made = self.endpoint_of(access, &changed).await?;
        let (workspace_id, wanted) = (access.workspace.id.clone(), id.clone());
        let (now, maker) = (self.clock.now(), access.account_id().clone());
        let endpoints = Arc::clone(&self.endpoints);
        // Read again inside the write, so that two concurrent changes of different fields both apply.
        let stored = self.store.write_text_then(
            changed.sql.len(),
            move |transaction| {
                let Some((mut current, _)) = store::saved_sql::get(transaction, &workspace_id, &wanted)?
                else {
                    return Ok(Err(not_found(&wanted)));
                };
                change(&mut current);
                // Only the checked text is stored.
                let is_endpoint = current.sql_name.is_some() || changed.sql_name.is_some();
                if is_endpoint && (&current.sql, &current.sql_name) != (&changed.sql, &changed.sql_name) {
                    return Ok(Err(endpoint::changed_meanwhile()));
                }
                let refusal = refusal(transaction, &current, made.as_ref())?;
                if refusal.is_none() {
                    let columns = made.as_ref().map(|made| made.columns.as_slice());
                    store::saved_sql::update(transaction, &current, columns)?;
                    saved_sql_versions::add(transaction, &current, &maker, now)?;
                }
                Ok(refusal.map_or(Ok((current, made)), Err))
            },
            move |stored| stored.map(|(saved_sql, made)| endpoint::hold(&endpoints, saved_sql, made)),
        );
        stored.await?.map(without_account)
    }

    /// Deletes it; the records of its runs stay.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] for a consumer, [`ErrorKind::NotFound`].
    pub async fn delete(&self, access: &Access, id: &SavedSqlId) -> Result<()> {
        access.require(Role::Analyst)?;
        self.load(access, id).await?;
        let id = id.clone();
        let (last_runs, endpoints) = (Arc::clone(&self.last_runs), Arc::clone(&self.endpoints));
        let deleted = self.store.write_then(
            move |transaction| store::saved_sql::delete(transaction, &id).map(|()| id),
            move |id| {
                last_runs.remove(&id);
                endpoints.remove(&id);
            },
        );
        deleted.await
    }

    /// Statistics of the last run, so far or final; state `NONE` and zeros before any (D28).
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

    /// Statistics of its calls as an endpoint in the last day, or since the server started.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] for a consumer, [`ErrorKind::NotFound`].
    pub async fn calls(&self, access: &Access, id: &SavedSqlId) -> Result<EndpointCalls> {
        access.require(Role::Analyst)?;
        self.load(access, id).await?;
        Ok(self.endpoints.calls(id, self.clock.now()))
    }

    /// Its versions, newest first, each with its author and time; the oldest are deleted (D121).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] for a consumer, [`ErrorKind::NotFound`].
    pub async fn versions(&self, access: &Access, id: &SavedSqlId) -> Result<Held<Vec<SavedSqlVersion>>> {
        access.require(Role::Analyst)?;
        self.load(access, id).await?;
        let id = id.clone();
        let permit = self.version_lists.one(&access.workspace.id).await?;
        let versions =
            self.store.read_async(move |connection| saved_sql_versions::list(connection, &id)).await?;
        Ok(Held::new(versions, Some(permit)))
    }

    async fn version(&self, id: &SavedSqlId, number: u64) -> Result<SavedSqlVersion> {
        let wanted = id.clone();
        let read =
            move |connection: &rusqlite::Connection| saved_sql_versions::get(connection, &wanted, number);
        let found = self.store.read_async(read).await?;
        found.ok_or_else(|| {
            let message = format!("the saved SQL has no version {number}, or does not keep it any more");
            Error::new(ErrorKind::NotFound, message)
        })
    }

    /// Stores the statistics of a run so far, in memory. The final ones must be made durable with the run's record, by
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
        found.ok_or_else(|| not_found(id))
    }

    fn check(&self, saved_sql: &SavedSql) -> Result<()> {
        names::check_title("title", &saved_sql.title)?;
        saved_sql.sql_name.as_deref().map_or(Ok(()), |name| names::check_sql_name("sqlName", name))?;
        names::check_sql(&saved_sql.sql, self.max_sql_bytes.load(Ordering::Relaxed))?;
        saved_sql.description.as_deref().map_or(Ok(()), names::check_description)
    }
}

/// Why a saved SQL cannot be stored like this. Called inside the write that stores it.
fn refusal(
    transaction: &Transaction<'_>,
    saved_sql: &SavedSql,
    made: Option<&endpoint::PlannedEndpoint>,
) -> rusqlite::Result<Option<Error>> {
    match sizes::refusal(transaction, saved_sql)? {
        None => endpoint::refusal(transaction, saved_sql, made),
        refusal => Ok(refusal),
    }
}

fn not_found(id: &SavedSqlId) -> Error {
    let id = rowhouse_model::excerpt(id.as_str());
    Error::new(ErrorKind::NotFound, format!("the workspace has no saved SQL with the id '{id}'"))
}

fn without_account(saved_sql: SavedSql) -> SavedSql {
    SavedSql { account_id: None, ..saved_sql }
}

impl fmt::Debug for SavedSqls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SavedSqls").field("last_runs", &self.last_runs.len()).finish_non_exhaustive()
    }
}
