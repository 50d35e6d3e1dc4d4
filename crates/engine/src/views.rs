//! Materialized views: definition, refresh, reads, drop (D22–D26). A view is served from files; reading one needs
//! neither the SQL engine nor the store.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use rowhouse_filters::RequiredFilters;
use rowhouse_model::{
    Column, CreateMaterializedView, CreatedMaterializedView, Query, Role, Source, Timestamp,
    UpdateMaterializedView, ViewId, WorkspaceId,
};
use rusqlite::Transaction;
use tokio::sync::mpsc;

use crate::accounts::Accounts;
use crate::error::{Error, ErrorKind, Result};
use crate::id_source::IdSource;
use crate::metrics::{ServedMetrics, ViewMetrics};
use crate::names;
use crate::planning::Planner;
use crate::store;
use crate::store::tokens::{GrantTarget, StoredGrant};
use crate::workspaces::{Access, Workspaces};
use rowhouse_executor::clock::Clock;
use rowhouse_rows::EncodedRowsBudget;

mod cast;
mod collect;
mod conjunction;
mod count;
mod definition;
mod demand;
mod earned;
mod first_rows;
mod generation;
mod index;
mod install;
mod intersect;
mod key;
#[cfg(test)]
mod life_tests;
mod look_up;
mod merge_sort;
mod order;
mod orphans;
mod own_refresh;
mod predicate;
mod record;
mod refresh;
mod scan;
mod schedule;
mod search;
mod sections;
mod select;
mod served;
mod shown;
mod sizes;
mod state;
mod statistics;
#[cfg(test)]
mod tests;
mod text_kind;
mod walk;

pub use count::RowCount;
pub use first_rows::RowOrder;
pub use generation::Generation;
pub(crate) use install::RefreshedRows;
pub use order::MAX_ORDERED_ROWS;
pub use own_refresh::OwnRefresh;
use own_refresh::OwnRefreshes;
pub use record::ViewRecord;
pub(crate) use refresh::RefreshRunner;
pub use schedule::Schedule;
pub use search::RowSearch;
pub use served::ServedGeneration;
pub use shown::ReadableView;
pub(crate) use state::Live;
use state::View;
pub(crate) use state::ViewState;

/// All materialized views.
pub struct Views {
    state: Arc<ViewState>,
    planner: Arc<dyn Planner>,
    accounts: Arc<Accounts>,
    workspaces: Arc<Workspaces>,
    runner: Arc<dyn RefreshRunner>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
    max_sql_bytes: AtomicUsize,
    encoded_rows: Arc<EncodedRowsBudget>,
    own_refreshes: OwnRefreshes,
}

/// The parts that [`Views::new`] needs.
pub(crate) struct Parts {
    pub(crate) state: Arc<ViewState>,
    pub(crate) planner: Arc<dyn Planner>,
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) workspaces: Arc<Workspaces>,
    pub(crate) runner: Arc<dyn RefreshRunner>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdSource>,
    pub(crate) max_sql_bytes: usize,
    pub(crate) max_encoded_bytes: u64,
}

/// An immutable snapshot of a view for one request.
#[derive(Clone, Debug)]
pub struct ViewSnapshot {
    /// The definition.
    pub record: Arc<ViewRecord>,
    /// The columns that the request's parameters are checked against.
    pub columns: Arc<[Column]>,
    /// The required filters.
    pub required: Arc<RequiredFilters>,
    /// The rows; none if `not_ready_reason` is set.
    pub generation: Option<Arc<Generation>>,
    /// Why there are no rows to read; the last of a request's checks (D24).
    pub not_ready_reason: Option<String>,
    /// Filters that the caller's token adds to every request.
    pub token_filters: Vec<String>,
    /// Keeps the generation's files in place.
    _served: Option<Arc<ServedGeneration>>,
}

impl Views {
    /// Reads nothing yet; see [`start`](Self::start).
    pub(crate) fn new(parts: Parts) -> Arc<Self> {
        let Parts {
            state,
            planner,
            accounts,
            workspaces,
            runner,
            clock,
            ids,
            max_sql_bytes,
            max_encoded_bytes,
        } = parts;
        let max_sql_bytes = AtomicUsize::new(max_sql_bytes);
        let own_refreshes = OwnRefreshes::default();
        Arc::new(Self {
            state,
            planner,
            accounts,
            workspaces,
            runner,
            clock,
            ids,
            max_sql_bytes,
            encoded_rows: EncodedRowsBudget::new(max_encoded_bytes),
            own_refreshes,
        })
    }

    /// Refreshes without a request, since the start of the engine; none for a second subscriber.
    pub fn follow_own_refreshes(&self) -> Option<mpsc::Receiver<OwnRefresh>> {
        self.own_refreshes.follow()
    }

    /// Number of those that could not be delivered, because the channel was full.
    pub fn lost_own_refreshes(&self) -> u64 {
        self.own_refreshes.lost()
    }

    /// Stores a definition and starts its first refresh. If the refresh is refused, `lastError` says why (D26).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] for a consumer, [`ErrorKind::InvalidArguments`], [`ErrorKind::ColumnNotFound`]
    /// for a required filter, [`ErrorKind::Statement`] for the SQL, [`ErrorKind::AlreadyExists`]: a table or view of
    /// this name. [`ErrorKind::InvalidArguments`] also if the workspace has too many views, or too large ones.
    pub async fn create(
        self: &Arc<Self>,
        access: &Access,
        request: CreateMaterializedView,
    ) -> Result<CreatedMaterializedView> {
        access.require(Role::Analyst)?;
        let CreateMaterializedView { workspace_id: _, sql_name, sql, title, description, schedule } = request;
        let schedule: Option<Schedule> = schedule.as_deref().map(str::parse).transpose()?;
        self.check_texts(Some(&sql_name), Some(&sql), title.as_deref(), description.as_deref())?;
        let (columns, required) = self.analyze(access, &sql).await?;
        let now = self.clock.now();
        let scheduled_at = schedule.as_ref().map(|_| now);
        let record = ViewRecord {
            id: ViewId::new(self.ids.new_id()),
            workspace_id: access.workspace.id.clone(),
            sql_name,
            title,
            description,
            sql,
            schedule,
            account_id: access.account_id().clone(),
            created_at: now,
            revision: 1,
            columns: columns.into(),
            required: Arc::new(required),
        };
        // A separate task: before this, a caller that disconnects leaves the queue; after this, the view is created
        // completely.
        let (views, access) = (Arc::clone(self), access.clone());
        let kept = tokio::spawn(async move { views.keep(&access, record, scheduled_at).await });
        kept.await.unwrap_or_else(|error| Err(Error::internal("keeping a view", error)))
    }

    async fn keep(
        self: &Arc<Self>,
        access: &Access,
        record: ViewRecord,
        scheduled_at: Option<Timestamp>,
    ) -> Result<CreatedMaterializedView> {
        let state = Arc::clone(&self.state);
        let stored = self.state.store.write_text_then(
            record.sql.len(),
            move |transaction| {
                if let Some(refused) = name_refusal(transaction, &record.workspace_id, &record.sql_name)? {
                    return Ok(Err(refused));
                }
                if let Some(refused) = sizes::refusal_of_new(transaction, &record)? {
                    return Ok(Err(refused));
                }
                store::views::insert(transaction, &record.to_stored(scheduled_at, None))?;
                Ok(Ok(record))
            },
            move |stored| stored.map(|record| state.hold(View::new(record, scheduled_at))),
        );
        let view = stored.await??;
        Ok(self.refresh_at_once(access, &view).await)
    }

    /// Changes the given fields. A new text is refreshed at once; its requirements hold from now on (D26).
    ///
    /// # Errors
    ///
    /// As for [`create`](Self::create), and [`ErrorKind::NotFound`].
    pub async fn update(
        self: &Arc<Self>,
        access: &Access,
        id: &ViewId,
        request: UpdateMaterializedView,
    ) -> Result<CreatedMaterializedView> {
        let view = self.find(access, id)?;
        let UpdateMaterializedView { sql_name, sql, title, description, schedule } = request;
        let schedule: Option<Option<Schedule>> = match schedule {
            Some(text) => Some(text.as_deref().map(str::parse).transpose()?),
            None => None,
        };
        self.check_texts(
            sql_name.as_deref(),
            sql.as_deref(),
            title.as_ref().and_then(Option::as_deref),
            description.as_ref().and_then(Option::as_deref),
        )?;

        // One change at a time, from here to the memory: each starts from the result of the previous one.
        let editing = view.edit.lock().await;
        let live = view.live();
        let mut record = ViewRecord::clone(&live.record);
        let is_new_text = sql.as_ref().is_some_and(|sql| *sql != record.sql);
        if let Some(sql) = sql.filter(|_| is_new_text) {
            let (columns, required) = self.analyze(access, &sql).await?;
            record.sql = sql;
            record.revision += 1;
            record.columns = columns.into();
            record.required = Arc::new(required);
        }
        let mut scheduled_at = live.scheduled_at;
        if let Some(schedule) = schedule {
            // A new schedule counts from now, not from the old schedule's last tick.
            scheduled_at = schedule.as_ref().map(|_| self.clock.now());
            record.schedule = schedule;
        }
        record.title = title.unwrap_or(record.title);
        record.description = description.unwrap_or(record.description);
        let new_name = sql_name.filter(|name| *name != record.sql_name);
        if let Some(name) = &new_name {
            record.sql_name.clone_from(name);
        }
        let (state, changed) = (Arc::clone(&self.state), Arc::clone(&view));
        let stored = self.state.store.write_text_then(
            record.sql.len(),
            move |transaction| {
                if let Some(name) = &new_name
                    && let Some(refused) = name_refusal(transaction, &record.workspace_id, name)?
                {
                    return Ok(Err(refused));
                }
                if let Some(refused) = sizes::refusal_of_change(transaction, &record)? {
                    return Ok(Err(refused));
                }
                let is_there = store::views::update(transaction, &record.to_stored(scheduled_at, None))?;
                Ok(Ok(is_there.then_some(record)))
            },
            move |stored| {
                stored.map(|record| record.map(|record| state.redefine(&changed, record, scheduled_at)))
            },
        );
        let is_there = stored.await??.is_some();
        drop(editing);
        if !is_there {
            return Err(not_found(id.as_str()));
        }
        if is_new_text {
            return Ok(self.refresh_at_once(access, &view).await);
        }
        Ok(CreatedMaterializedView { view: view.live().shown(), refresh_query_id: None })
    }

    /// Drops a view with its files; a refresh in progress is canceled.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] for a consumer, [`ErrorKind::NotFound`].
    pub async fn drop(self: &Arc<Self>, access: &Access, id: &ViewId) -> Result<()> {
        let view = self.find(access, id)?;
        let (state, dropped, wanted) = (Arc::clone(&self.state), Arc::clone(&view), id.clone());
        let removed = self.state.store.write_then(
            move |transaction| store::views::delete(transaction, &wanted),
            move |is_there| {
                if is_there {
                    state.forget(&dropped);
                }
                is_there
            },
        );
        if !removed.await? {
            return Err(not_found(id.as_str()));
        }
        let running = view.running.lock().await.take();
        if let Some(running) = running {
            self.cancel_in_background(access, &view, running.query_id);
        }
        Ok(())
    }

    /// Starts a refresh, or joins the one in progress, and returns its query.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] for a consumer, [`ErrorKind::NotFound`], and errors of submitting statements.
    pub async fn refresh(self: &Arc<Self>, access: &Access, id: &ViewId) -> Result<Query> {
        let view = self.find(access, id)?;
        self.begin_refresh(access, &view, Source::MaterializedView, None).await
    }

    /// The snapshot that a request reads, for every role. The caller checks its parameters against it in the order of
    /// D24.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NotFound`]; internal if the generation's files are damaged.
    pub async fn read(&self, access: &Access, sql_name: &str) -> Result<ViewSnapshot> {
        let found = self.state.find(&access.workspace.id, sql_name);
        // A token that is narrowed to other targets does not see it.
        let found = found.and_then(|view| Some((token_filters(access, &view)?, view)));
        let (token_filters, view) = found.ok_or_else(|| {
            let name = rowhouse_model::excerpt(sql_name);
            Error::new(ErrorKind::NotFound, format!("the workspace has no materialized view '{name}'"))
        })?;
        let live = view.live();
        let (record, required) = (Arc::clone(&live.record), Arc::clone(live.required()));
        let not_ready = |reason: String, columns: &Arc<[Column]>| ViewSnapshot {
            record: Arc::clone(&record),
            columns: Arc::clone(columns),
            required: Arc::clone(&required),
            generation: None,
            not_ready_reason: Some(format!("materialized view '{}' {reason}", record.sql_name)),
            token_filters: token_filters.clone(),
            _served: None,
        };
        if let Some(fault) = &live.fault {
            return Ok(not_ready(
                format!("cannot be read until its definition is changed: {fault}"),
                live.columns(),
            ));
        }
        let Some(served) = live.served.clone() else {
            let reason = match &live.last_error {
                Some(error) => format!("has no rows yet, its last refresh failed: {error}"),
                None => "has no rows yet, its first refresh is under way".to_owned(),
            };
            return Ok(not_ready(reason, &record.columns));
        };
        if !live.is_readable {
            // Requirements of a new text on columns that only its refresh will add (D26).
            let columns = if record.columns.is_empty() { &served.columns } else { &record.columns };
            let reason = "requires filters on columns that come with its next refresh".to_owned();
            return Ok(not_ready(reason, columns));
        }
        let generation = served.open().await?;
        self.begin_earned_work(&generation, &served);
        Ok(ViewSnapshot {
            columns: Arc::clone(&served.columns),
            record,
            required,
            generation: Some(generation),
            not_ready_reason: None,
            token_filters: token_filters.clone(),
            _served: Some(served),
        })
    }

    /// Sets the maximum length of a definition's text.
    pub(crate) fn set_max_sql_bytes(&self, max_sql_bytes: usize) {
        self.max_sql_bytes.store(max_sql_bytes, Ordering::Relaxed);
    }

    /// Metrics of every view.
    pub(crate) fn metrics(&self) -> Vec<ViewMetrics> {
        let shown = |view: Arc<View>| {
            let live = view.live();
            ViewMetrics {
                id: view.id.clone(),
                workspace_id: view.workspace_id.clone(),
                workspace_sql_name: self
                    .workspaces
                    .get(&view.workspace_id)
                    .map(|workspace| workspace.sql_name.clone())
                    .unwrap_or_default(),
                sql_name: live.record.sql_name.clone(),
                is_failing: live.fault.is_some() || live.last_error.is_some(),
                served: live.served.map(|served| ServedMetrics {
                    generation: served.number,
                    refreshed_at: served.refreshed_at,
                    rows: served.row_count,
                    bytes: served.bytes,
                }),
            }
        };
        self.state.all().into_iter().map(shown).collect()
    }

    async fn refresh_at_once(self: &Arc<Self>, access: &Access, view: &Arc<View>) -> CreatedMaterializedView {
        let begun = self.begin_refresh(access, view, Source::MaterializedView, None).await;
        CreatedMaterializedView {
            view: view.live().shown(),
            refresh_query_id: begun.ok().map(|query| query.id),
        }
    }

    /// The role is checked before the id is looked up (D6).
    fn find(&self, access: &Access, id: &ViewId) -> Result<Arc<View>> {
        access.require(Role::Analyst)?;
        let view = self.state.get(id).filter(|view| view.workspace_id == access.workspace.id);
        view.ok_or_else(|| not_found(id.as_str()))
    }

    fn check_texts(
        &self,
        sql_name: Option<&str>,
        sql: Option<&str>,
        title: Option<&str>,
        description: Option<&str>,
    ) -> Result<()> {
        sql_name.map_or(Ok(()), |name| names::check_sql_name("sqlName", name))?;
        sql.map_or(Ok(()), |sql| names::check_sql(sql, self.max_sql_bytes.load(Ordering::Relaxed)))?;
        title.map_or(Ok(()), |title| names::check_title("title", title))?;
        description.map_or(Ok(()), names::check_description)
    }
}

/// The filters that a caller's token adds; none if it is narrowed to other targets.
fn token_filters(access: &Access, view: &View) -> Option<Vec<String>> {
    let Some(grants) = &access.principal.grants else { return Some(Vec::new()) };
    let is_meant = |stored: &&StoredGrant| {
        stored.grant.workspace_id == view.workspace_id && stored.target == GrantTarget::View(view.id.clone())
    };
    grants.iter().find(is_meant).map(|stored| stored.grant.filters.clone())
}

/// Why a view cannot have a name. Called inside the write that takes it.
fn name_refusal(
    transaction: &Transaction<'_>,
    workspace_id: &WorkspaceId,
    name: &str,
) -> rusqlite::Result<Option<Error>> {
    let taken = store::tables::find_name(transaction, workspace_id, name)?;
    Ok(taken.map(|taken| names::name_taken(name, taken)))
}

fn not_found(id: &str) -> Error {
    let id = rowhouse_model::excerpt(id);
    Error::new(ErrorKind::NotFound, format!("the workspace has no materialized view with the id '{id}'"))
}

impl fmt::Debug for Views {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Views").field("state", &self.state).finish_non_exhaustive()
    }
}
