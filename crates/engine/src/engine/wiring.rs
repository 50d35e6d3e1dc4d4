//! Connects the parts: the interfaces of tables, views and saved SQL for statements, and of statements for views.

use std::sync::Arc;

use rowhouse_model::{Query, QueryError, QueryId, QueryStats, SavedSqlId, Source, ViewId, WorkspaceId};

use crate::accounts::Principal;
use crate::endpoints::{Endpoint, Endpoints};
use crate::error::Result;
use crate::id_source::IdSource;
use crate::planning::Planning;
use crate::queries::{CatalogGuard, Completion, FinishedRows, Purpose, Queries, QueryContext, Submission};
use crate::saved_sql::SavedSqls;
use crate::store::Store;
use crate::tables::Tables;
use crate::views::{RefreshRunner, RefreshedRows, ViewState};
use crate::workspaces::{Access, Workspaces};
use rowhouse_executor::catalog::{CatalogDetail, CatalogSnapshot};
use rowhouse_executor::clock::Clock;
use rowhouse_executor::{BoxFuture, Executor, TableVersion};

/// Stored SQL definitions, and their planner.
pub(super) struct Defined {
    pub(super) planner: Arc<Planning>,
    pub(super) endpoints: Arc<Endpoints>,
    pub(super) saved_sql: Arc<SavedSqls>,
}

impl Defined {
    /// Loads the definitions from the store. Blocking.
    pub(super) fn open(
        store: &Arc<Store>,
        tables: &Arc<Tables>,
        executor: &Arc<dyn Executor>,
        clock: &Arc<dyn Clock>,
        ids: &Arc<dyn IdSource>,
        max_sql_bytes: usize,
    ) -> Result<Self> {
        let planner = Arc::new(Planning {
            tables: Arc::clone(tables),
            executor: Arc::clone(executor),
            clock: Arc::clone(clock),
            ids: Arc::clone(ids),
        });
        let endpoints = Arc::new(Endpoints::open(store)?);
        let saved_sql = SavedSqls::new(
            Arc::clone(store),
            Arc::clone(&endpoints),
            Arc::clone(&planner) as _,
            Arc::clone(clock),
            Arc::clone(ids),
            max_sql_bytes,
        );
        Ok(Self { planner, endpoints, saved_sql: Arc::new(saved_sql) })
    }
}

/// The statistics of endpoints' calls, which are written from time to time.
#[derive(Clone)]
pub(super) struct Calls {
    pub(super) endpoints: Arc<Endpoints>,
    pub(super) store: Arc<Store>,
    pub(super) clock: Arc<dyn Clock>,
}

impl Calls {
    /// Writes the statistics that have changed.
    pub(super) async fn keep(&self) -> Result<()> {
        self.endpoints.store_call_statistics(&self.store, self.clock.now()).await
    }
}

/// The parts beside the queries.
pub(super) struct EngineContext {
    pub(super) tables: Arc<Tables>,
    pub(super) workspaces: Arc<Workspaces>,
    pub(super) saved_sql: Arc<SavedSqls>,
    pub(super) endpoints: Arc<Endpoints>,
    pub(super) views: Arc<ViewState>,
}

impl QueryContext for EngineContext {
    fn catalog<'a>(
        &'a self,
        access: &'a Access,
        others: &'a [WorkspaceId],
        detail: &'a CatalogDetail,
    ) -> BoxFuture<'a, (CatalogSnapshot, CatalogGuard)> {
        Box::pin(async move {
            let mut seen = Vec::new();
            if !others.is_empty() {
                seen = self.workspaces.others(access);
                seen.retain(|other| others.contains(&other.workspace.id));
            }
            let lease = self.tables.snapshot(access, &seen, detail).await;
            (lease.snapshot().clone(), Box::new(lease) as CatalogGuard)
        })
    }

    fn others(&self, access: &Access) -> Vec<Access> {
        self.workspaces.others(access)
    }

    fn may_query(&self, principal: &Principal, workspace: &WorkspaceId) -> bool {
        self.workspaces.may_query(principal, workspace)
    }

    fn versions<'a>(
        &'a self,
        workspace: &'a WorkspaceId,
        names: &'a [&'a str],
    ) -> BoxFuture<'a, Vec<Option<TableVersion>>> {
        Box::pin(self.tables.versions(workspace, names))
    }

    fn refreshed<'a>(
        &'a self,
        view: &'a ViewId,
        query: &'a QueryId,
        rows: FinishedRows,
    ) -> BoxFuture<'a, Result<(), QueryError>> {
        Box::pin(self.views.refreshed(view, query, refreshed_rows(rows)))
    }

    fn warm_endpoints(&self, workspace: &WorkspaceId) -> Vec<Arc<Endpoint>> {
        self.endpoints.warm(workspace)
    }

    fn saved_sql_ran(&self, id: &SavedSqlId, stats: QueryStats) {
        self.saved_sql.set_last_run(id.clone(), stats);
    }
}

/// Runs the statements of views.
#[derive(Debug)]
pub(super) struct Refreshes {
    pub(super) queries: Arc<Queries>,
}

impl RefreshRunner for Refreshes {
    fn submit<'a>(
        &'a self,
        access: &'a Access,
        view: &'a ViewId,
        sql: String,
        source: Source,
    ) -> BoxFuture<'a, Result<Query>> {
        let purpose = Purpose::Refresh { view: view.clone() };
        let submission = Submission { source, purpose, ..Submission::new(sql) };
        Box::pin(self.queries.submit(access, submission))
    }

    fn completion<'a>(
        &'a self,
        access: &'a Access,
        id: &'a QueryId,
    ) -> BoxFuture<'a, Result<RefreshedRows, QueryError>> {
        Box::pin(async move {
            match self.queries.completion(access, id).await {
                Completion::Finished(rows) => Ok(refreshed_rows(rows)),
                Completion::Failed(error) => Err(error),
            }
        })
    }

    fn get<'a>(&'a self, access: &'a Access, id: &'a QueryId) -> BoxFuture<'a, Result<Query>> {
        Box::pin(self.queries.get(access, id))
    }

    fn cancel<'a>(&'a self, access: &'a Access, id: &'a QueryId) -> BoxFuture<'a, Result<Query>> {
        Box::pin(self.queries.cancel(access, id))
    }
}

fn refreshed_rows(rows: FinishedRows) -> RefreshedRows {
    let FinishedRows { path, columns, row_count } = rows;
    RefreshedRows { file: path, columns, row_count }
}
