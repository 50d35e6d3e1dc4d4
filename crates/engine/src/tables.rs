//! Tables of a workspace: names of files. The definition is stored here; columns and counts come from the executor,
//! because the files may change at any time.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use dashmap::DashMap;
use rowhouse_model::{CreateTable, Role, Table, WorkspaceId};

use crate::error::{Error, ErrorKind, Result};
use crate::few_at_a_time::{FewAtATime, Held};
use crate::limits::Limits;
use crate::names;
use crate::planning_queue::PlanningQueue;
use crate::store::tables::StoredTable;
use crate::store::{self, Store};
use crate::views::ViewState;
use crate::workspace_files::FILES_SCHEME;
use crate::workspaces::Access;
use rowhouse_executor::clock::Clock;
use rowhouse_executor::{Executor, TableDescription};

mod catalog;
mod description;
mod location;
mod snapshot;
#[cfg(test)]
mod tests;
mod versions;

pub use catalog::TableSummary;
use description::Descriptions;
use location::TableRoots;
pub use snapshot::CatalogLease;

/// Settings of tables.
#[derive(Clone, Debug)]
pub(crate) struct TableConfig {
    /// Folders that may contain tables; empty: anywhere.
    pub(crate) roots: Vec<PathBuf>,
    /// Folder of the uploaded files of workspaces.
    pub(crate) files: PathBuf,
    /// Folder of the sample catalog's files.
    pub(crate) tpch_dir: PathBuf,
}

/// Maximum number of tables of a workspace, as of views: all are in memory.
const MAX_TABLES: usize = 5_000;

/// All tables of all workspaces.
pub struct Tables {
    state: Arc<State>,
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    executor: Arc<dyn Executor>,
    descriptions: Descriptions,
    /// The queue of planning and inspecting.
    pub(crate) planning_queue: Arc<PlanningQueue>,
    roots: TableRoots,
    views: Arc<ViewState>,
    tpch_dir: PathBuf,
    /// Lists with the columns of all tables.
    lists: FewAtATime,
}

/// Changed only after a commit, in the order of the commits.
#[derive(Default)]
struct State {
    by_workspace: DashMap<WorkspaceId, BTreeMap<String, Arc<StoredTable>>>,
}

impl Tables {
    /// Loads the tables from the store; relative roots are resolved against the present working directory. Blocking.
    pub(crate) fn open(
        store: Arc<Store>,
        clock: Arc<dyn Clock>,
        executor: Arc<dyn Executor>,
        views: Arc<ViewState>,
        config: TableConfig,
        limits: Arc<Limits>,
    ) -> Result<Self> {
        let state = State::default();
        for table in store.read(store::tables::load)? {
            state.hold(table);
        }
        let planning_queue = Arc::new(PlanningQueue::new(limits));
        let TableConfig { roots, files, tpch_dir } = config;
        let roots = TableRoots::new(&roots, files)?;
        Ok(Self {
            state: Arc::new(state),
            store,
            clock,
            descriptions: Descriptions::new(
                Arc::clone(&executor),
                roots.clone(),
                Arc::clone(&planning_queue),
            ),
            planning_queue,
            executor,
            roots,
            views,
            tpch_dir,
            lists: FewAtATime::of("lists of tables with their columns"),
        })
    }

    /// The workspace's tables by name, each with the present state of its files. A table whose files cannot be read, or take
    /// long to inspect, is listed without columns, and so are tables beyond 16 MiB of columns as JSON (D188).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] for a consumer.
    pub async fn list(&self, access: &Access) -> Result<Held<Vec<Table>>> {
        access.require(Role::Analyst)?;
        let described = self.described(access).await;
        let permit = self.lists.one(&access.workspace.id).await?;
        let tables = described.iter().map(|(table, description)| shown(table, description));
        Ok(Held::new(tables.collect(), Some(permit)))
    }

    /// The workspace's tables by name, with shared descriptions.
    async fn described(&self, access: &Access) -> Described {
        let tables: Vec<_> = self.of_workspace(&access.workspace.id);
        let descriptions = self.descriptions.describe_all(&tables).await;
        let unknown = Arc::new(TableDescription { columns: Vec::new(), row_count: None });
        let described = tables
            .into_iter()
            .zip(descriptions)
            .map(|(table, description)| (table, description.unwrap_or_else(|_| Arc::clone(&unknown))));
        described.collect()
    }

    /// Creates a table over files.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] unless the caller is an admin, or an owner for uploaded files of the workspace;
    /// [`ErrorKind::InvalidArguments`]: an invalid name, a location that has no files, is outside the table roots or
    /// cannot be read; [`ErrorKind::NotSupported`]: an object store, a workspace on a Trino cluster;
    /// [`ErrorKind::AlreadyExists`]: a table or view of this name.
    pub async fn create(&self, access: &Access, request: CreateTable) -> Result<Table> {
        require_table_right(access, &request.location, "creating a table")?;
        let CreateTable { workspace_id: _, name, location, format } = request;
        names::check_sql_name("name", &name)?;
        if access.workspace.engine.is_trino() {
            let message = format!(
                "workspace '{}' runs on '{}', whose tables are those of the cluster's catalogs; files are tables of \
                 workspaces of the embedded engine",
                access.workspace.sql_name, access.workspace.engine
            );
            return Err(Error::new(ErrorKind::NotSupported, message));
        }
        let workspace_id = &access.workspace.id;
        self.check_count(access)?;
        // Listing the files is work too.
        let turn = self.planning_queue.turn(workspace_id).await?;
        let (location, format) = self.roots.resolve(workspace_id, location, format).await?;
        // It existed a moment ago.
        let followed = self.roots.follow(workspace_id, &location).unwrap_or_else(|| location.clone());
        let description = self.executor.describe(followed, format).await;
        drop(turn);
        let description = description.map_err(location::unreadable)?;
        let table = StoredTable {
            workspace_id: access.workspace.id.clone(),
            name: name.clone(),
            location,
            format,
            created_at: self.clock.now(),
        };
        let state = Arc::clone(&self.state);
        let stored = self.store.write_then(
            move |transaction| match store::tables::find_name(transaction, &table.workspace_id, &table.name)?
            {
                Some(taken) => Ok(Err(taken)),
                None => store::tables::insert(transaction, &table).map(|()| Ok(table)),
            },
            move |stored| stored.map(|table| state.hold(table)),
        );
        match stored.await? {
            Ok(table) => Ok(shown(&table, &description)),
            Err(taken) => Err(names::name_taken(&name, taken)),
        }
    }

    /// Concurrent requests may exceed it slightly.
    fn check_count(&self, access: &Access) -> Result<()> {
        let count = self.state.by_workspace.get(&access.workspace.id).map_or(0, |tables| tables.len());
        if count < MAX_TABLES {
            return Ok(());
        }
        let message = format!(
            "the workspace has {count} tables, and {MAX_TABLES} are the most: remove one, or create this one in another \
             workspace"
        );
        Err(Error::new(ErrorKind::InvalidArguments, message))
    }

    /// Removes a table; the files stay.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] unless the caller is an admin, or an owner for uploaded files of the workspace;
    /// [`ErrorKind::NotFound`].
    pub async fn remove(&self, access: &Access, name: &str) -> Result<()> {
        let workspace_id = access.workspace.id.clone();
        let known = self.state.by_workspace.get(&workspace_id).and_then(|tables| tables.get(name).cloned());
        let location = known.as_ref().map_or("", |table| table.location.as_str());
        require_table_right(access, location, "removing a table")?;
        let exists = |tables: &BTreeMap<String, _>| tables.contains_key(name);
        if !self.state.by_workspace.get(&workspace_id).is_some_and(|tables| exists(&tables)) {
            let name = rowhouse_model::excerpt(name);
            return Err(Error::new(ErrorKind::NotFound, format!("the workspace has no table '{name}'")));
        }
        self.descriptions.forget(&workspace_id, name);
        let name = name.to_owned();
        let state = Arc::clone(&self.state);
        let removed = self.store.write_then(
            move |transaction| {
                store::tables::delete(transaction, &workspace_id, &name).map(|()| (workspace_id, name))
            },
            move |(workspace_id, name)| {
                if let Some(mut tables) = state.by_workspace.get_mut(&workspace_id) {
                    tables.remove(&name);
                }
            },
        );
        removed.await
    }

    fn of_workspace(&self, id: &WorkspaceId) -> Vec<Arc<StoredTable>> {
        let tables = self.state.by_workspace.get(id);
        tables.map(|tables| tables.values().cloned().collect()).unwrap_or_default()
    }
}

impl State {
    fn hold(&self, table: StoredTable) -> Arc<StoredTable> {
        let table = Arc::new(table);
        let mut tables = self.by_workspace.entry(table.workspace_id.clone()).or_default();
        tables.insert(table.name.clone(), Arc::clone(&table));
        table
    }
}

/// Only an admin may name files of the server's machine; an owner may name the uploaded files of the workspace.
fn require_table_right(access: &Access, location: &str, what: &str) -> Result<()> {
    if location.starts_with(FILES_SCHEME) {
        return access.require(Role::Owner);
    }
    access.require_admin(what)
}

/// Tables and what their files are.
type Described = Vec<(Arc<StoredTable>, Arc<TableDescription>)>;

fn shown(table: &StoredTable, description: &TableDescription) -> Table {
    let TableDescription { columns, row_count } = description.clone();
    let StoredTable { workspace_id: _, name, location, format, created_at: _ } = table.clone();
    Table { name, location, format, columns, row_count }
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables").field("roots", &self.roots).finish_non_exhaustive()
    }
}
