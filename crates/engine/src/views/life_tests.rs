//! The life of views from definition to drop, with an engine of scripted outcomes.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod crash;
mod definitions;
mod fakes;
mod life_cycle;
mod restarts;
mod schedules;
mod sizes;

use std::path::PathBuf;
use std::time::Duration;

use rowhouse_model::{MaterializedView, QueryId, WorkspaceId};

use self::fakes::{FakeExecutor, FakeRunner};
use super::*;
use crate::config::EngineConfig;
use crate::json_list::read_whole;
use crate::planning::Planning;
use crate::tables::Tables;
use crate::workspaces::fixture::Fixture;

pub(super) const SQL: &str = "-- Service API: required(\"region:eq\")\nSELECT region, amount FROM orders";

/// The views of one workspace, with an engine of scripted outcomes.
struct Bench {
    base: Fixture,
    executor: Arc<FakeExecutor>,
    runner: Arc<FakeRunner>,
    state: Arc<ViewState>,
    tables: Arc<Tables>,
    views: Arc<Views>,
    access: Access,
}

impl Bench {
    async fn new() -> Self {
        let base = Fixture::new().await;
        let access = base.workspace("sales").await;
        Self::open(base, access)
    }

    /// As after a restart of the server; what ran is lost.
    async fn reopen(self) -> Self {
        let Self { base, executor, runner, state, tables, views, access } = self;
        drop((views, tables, state, runner, executor));
        let base = base.reopen().await;
        let access = base.workspaces.access(&base.admin, &access.workspace.id).unwrap();
        Self::open(base, access)
    }

    fn open(base: Fixture, access: Access) -> Self {
        let config = EngineConfig::new(base.folder.path());
        let executor = Arc::new(FakeExecutor::default());
        let runner = Arc::new(FakeRunner::default());
        let state =
            ViewState::open(Arc::clone(&base.store), Arc::clone(&base.clock) as _, &config.data_dir).unwrap();
        let tables = Tables::open(
            Arc::clone(&base.store),
            Arc::clone(&base.clock) as _,
            Arc::clone(&executor) as _,
            Arc::clone(&state),
            config.tables(),
            Arc::default(),
        );
        let tables = Arc::new(tables.unwrap());
        let planner = Planning {
            tables: Arc::clone(&tables),
            executor: Arc::clone(&executor) as _,
            clock: Arc::clone(&base.clock) as _,
            ids: Arc::clone(&base.ids) as _,
        };
        let views = Views::new(Parts {
            state: Arc::clone(&state),
            planner: Arc::new(planner),
            accounts: Arc::clone(&base.accounts),
            workspaces: Arc::clone(&base.workspaces),
            runner: Arc::clone(&runner) as _,
            clock: Arc::clone(&base.clock) as _,
            ids: Arc::clone(&base.ids) as _,
            max_sql_bytes: 1 << 20,
            max_encoded_bytes: 1 << 20,
        });
        Self { base, executor, runner, state, tables, views, access }
    }

    fn listed(&self, access: &Access) -> Vec<MaterializedView> {
        read_whole(self.views.list(access)).unwrap()
    }

    async fn create(&self, sql_name: &str) -> CreatedMaterializedView {
        self.views.create(&self.access, request(sql_name)).await.unwrap()
    }

    /// A view with a first generation of this many rows.
    async fn filled(&self, sql_name: &str, row_count: usize) -> MaterializedView {
        let created = self.create(sql_name).await;
        self.finish(&created.refresh_query_id.unwrap(), row_count).await.unwrap();
        self.get(&created.view.id).await
    }

    async fn get(&self, id: &ViewId) -> MaterializedView {
        self.views.get(&self.access, id).await.unwrap()
    }

    async fn read(&self, sql_name: &str) -> ViewSnapshot {
        self.views.read(&self.access, sql_name).await.unwrap()
    }

    /// Number and row count of the served generation.
    async fn served(&self, sql_name: &str) -> Option<(u64, u64)> {
        let generation = self.read(sql_name).await.generation?;
        Some((generation.number(), generation.row_count()))
    }

    async fn change(&self, id: &ViewId, change: UpdateMaterializedView) -> Result<CreatedMaterializedView> {
        self.views.update(&self.access, id, change).await
    }

    /// Ends a refresh successfully, with columns `region` and `amount`.
    async fn finish(&self, id: &QueryId, row_count: usize) -> Result<(), rowhouse_model::QueryError> {
        let file = self.base.folder.path().join(format!("{id}.arrow"));
        let rows = fakes::write_rows(file, row_count);
        self.runner.finish(&self.state, id, rows).await
    }

    /// Names of the files of a view's folder.
    fn files(&self, id: &ViewId) -> Vec<String> {
        let folder = self.folder().join(id.as_str());
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    fn folder(&self) -> PathBuf {
        self.base.folder.path().join("views")
    }
}

fn request(sql_name: &str) -> CreateMaterializedView {
    CreateMaterializedView {
        workspace_id: WorkspaceId::new("ignored: the access says where"),
        sql_name: sql_name.to_owned(),
        sql: SQL.to_owned(),
        title: None,
        description: None,
        schedule: None,
    }
}

/// Background work is done within this time, on any machine.
async fn eventually(what: &str, is_true: impl Fn() -> bool) {
    for _ in 0..2000 {
        if is_true() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("never came true: {what}");
}
