//! The test bench of this folder: a scripted executor, a manual clock, and the real queries over a real store in a
//! temporary folder.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use arrow_array::{ArrayRef, Int32Array, RecordBatch};
use rowhouse_model::{
    Account, AccountId, CacheCheck, Column, EngineKind, ErrorCode, OutputStage, Query, QueryError, QueryId,
    QueryList, QueryStats, QueryStatus, Role, SavedSqlId, TableFormat, Timestamp, TokenId, ViewId,
    WorkspaceId,
};
use tokio::sync::Notify;

use crate::accounts::Principal;
use crate::config::EngineConfig;
use crate::error::Result;
use crate::json_list::read_whole;
use crate::limits::Limits;
use crate::queries::{
    CachePolicy, CatalogGuard, FinishedRows, Parts, Queries, QueryConfig, QueryContext, Submission,
};
use crate::service::Service;
use crate::store::Store;
use crate::store::workspaces::WorkspaceRecord;
use crate::workspaces::Access;
use rowhouse_executor::catalog::{CatalogDetail, CatalogSnapshot};
use rowhouse_executor::clock::ManualClock;
use rowhouse_executor::{
    BoxFuture, EventSink, Execution, ExecutionEvent, Executor, SourceTable, Sources, Statement,
    TableDescription, TableVersion,
};

/// The executor does what the statement's text says after `SELECT `: `'ok'`, `'error'`, `'panic'`, `'hang'`,
/// `'gate N'`, `'planned hang'`, `'no file'`, `'no plan'`, `'small'` (a row that comes without a file), `'gate small N'`;
/// other texts succeed at once.
#[derive(Debug, Default)]
pub(super) struct PlannedExecutor {
    /// Texts in order of execution start.
    pub(super) began: Mutex<Vec<String>>,
    /// Texts whose future was dropped before its end.
    pub(super) dropped: Arc<Mutex<Vec<String>>>,
    gates: Mutex<HashMap<String, Arc<Notify>>>,
    /// Number of wakes that fail before one succeeds.
    pub(super) failing_wakes: Mutex<u32>,
    pub(super) rests: Mutex<u32>,
    /// The version of the one table that all statements read.
    version: Arc<AtomicU64>,
}

impl PlannedExecutor {
    /// Lets one statement with this gate end.
    pub(super) fn open(&self, text: &str) {
        self.gate(text).notify_one();
    }

    fn gate(&self, text: &str) -> Arc<Notify> {
        Arc::clone(self.gates.lock().unwrap().entry(text.to_owned()).or_default())
    }

    async fn perform(&self, statement: Statement, mut events: EventSink) -> Result<Execution, QueryError> {
        let text = statement.sql.trim_start_matches("SELECT ").trim().to_owned();
        self.began.lock().unwrap().push(text.clone());
        let read = SourceTable { name: "t".to_owned(), version: table(&self.version) };
        let sources = Some(Box::new(Sources { tables: vec![read], ..Sources::default() }));
        let mut watch = DropWatch {
            text: text.clone(),
            output: statement.output.clone(),
            dropped: Arc::clone(&self.dropped),
            has_ended: false,
        };
        let columns = vec![Column::new("x", "varchar")];
        let output_stage = OutputStage {
            stage_id: "0".to_owned(),
            state: "PLANNED".to_owned(),
            operator: "Values".to_owned(),
            output_rows: None,
            output_bytes: None,
            sub_stages: Vec::new(),
        };
        if text == "'no plan'" {
            watch.has_ended = true;
            return Err(QueryError::new(ErrorCode::TableNotFound, "no such table"));
        }
        if text != "'hang'" {
            events(ExecutionEvent::Planned { columns: columns.clone(), output_stage: output_stage.clone() });
            events(ExecutionEvent::Progress(QueryStats { processed_rows: 7, ..QueryStats::default() }));
        }
        let file = text.contains("small").then(small_rows);
        if file.is_none() {
            std::fs::write(&statement.output, b"rows").unwrap();
        }
        match text.trim_matches('\'') {
            "hang" | "planned hang" => std::future::pending().await,
            "panic" => panic!("a planned panic"),
            "error" => {
                watch.has_ended = true;
                std::fs::remove_file(&statement.output).unwrap();
                return Err(QueryError::new(ErrorCode::DivisionByZero, "Division by zero"));
            }
            "no file" => std::fs::remove_file(&statement.output).unwrap(),
            gate if gate.starts_with("gate") => self.gate(gate).notified().await,
            _ => {}
        }
        watch.has_ended = true;
        let stats = QueryStats { processed_rows: 11, cpu_time_millis: 3, ..QueryStats::default() };
        Ok(Execution { columns, row_count: 1, stats, output_stage, sources, file })
    }
}

/// A result of one row, as a worker sends it.
pub(super) fn small_rows() -> Vec<u8> {
    let values: ArrayRef = Arc::new(Int32Array::from(vec![7]));
    let batch = RecordBatch::try_from_iter([("x", values)]).unwrap();
    rowhouse_rows::arrow_file::small_file(&batch).unwrap()
}

struct DropWatch {
    text: String,
    output: std::path::PathBuf,
    dropped: Arc<Mutex<Vec<String>>>,
    has_ended: bool,
}

impl Drop for DropWatch {
    fn drop(&mut self) {
        if !self.has_ended {
            // As the trait requires.
            let _ = std::fs::remove_file(&self.output);
            self.dropped.lock().unwrap().push(self.text.clone());
        }
    }
}

impl Executor for PlannedExecutor {
    fn execute(
        &self,
        statement: Statement,
        events: EventSink,
    ) -> BoxFuture<'_, Result<Execution, QueryError>> {
        Box::pin(self.perform(statement, events))
    }

    fn analyze(&self, _: Statement) -> BoxFuture<'_, Result<Vec<Column>, QueryError>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn describe(&self, _: String, _: TableFormat) -> BoxFuture<'_, Result<TableDescription, QueryError>> {
        Box::pin(async { Ok(TableDescription { columns: Vec::new(), row_count: None }) })
    }

    fn wake(&self) -> BoxFuture<'_, Result<(), QueryError>> {
        Box::pin(async {
            let mut failing = self.failing_wakes.lock().unwrap();
            if *failing == 0 {
                return Ok(());
            }
            *failing -= 1;
            Err(QueryError::new(ErrorCode::GenericInternalError, "a planned failure"))
        })
    }

    fn rest(&self) -> BoxFuture<'_, ()> {
        Box::pin(async { *self.rests.lock().unwrap() += 1 })
    }
}

/// Calls that the queries made to their context.
#[derive(Debug, Default)]
pub(super) struct RecordedCalls {
    pub(super) saved_sql: Mutex<Vec<(SavedSqlId, QueryStats)>>,
    pub(super) refreshed: Mutex<Vec<(ViewId, FinishedRows)>>,
    /// Held by the caller of a refresh, as a view does: rows are installed after it is released.
    pub(super) asking: tokio::sync::Mutex<()>,
    /// The view whose rows are refused.
    pub(super) refused_view: Mutex<Option<ViewId>>,
    /// The version of the one table that all statements read.
    version: Arc<AtomicU64>,
    /// Workspaces that callers may query.
    pub(super) others: Mutex<Vec<String>>,
}

/// The one table in its present version.
fn table(version: &AtomicU64) -> TableVersion {
    TableVersion::View(version.load(Ordering::SeqCst).to_string().into())
}

impl QueryContext for Arc<RecordedCalls> {
    fn catalog<'a>(
        &'a self,
        access: &'a Access,
        others: &'a [WorkspaceId],
        _: &'a CatalogDetail,
    ) -> BoxFuture<'a, (CatalogSnapshot, CatalogGuard)> {
        let catalog = CatalogSnapshot {
            default_catalog: "rowhouse".to_owned(),
            default_schema: access.workspace.sql_name.clone(),
            own_schema: access.workspace.sql_name.clone(),
            other_schemas: others.iter().map(|id| id.as_str().to_owned()).collect(),
            queries: Vec::new(),
            session_properties: Vec::new(),
            tables: Vec::new(),
            tpch_dir: None,
        };
        Box::pin(async { (catalog, Box::new(()) as CatalogGuard) })
    }

    fn others(&self, access: &Access) -> Vec<Access> {
        let others = self.others.lock().unwrap();
        let other =
            |name: &String| Access { principal: access.principal.clone(), ..access_as(name, Role::Analyst) };
        others.iter().filter(|name| access.workspace.sql_name != **name).map(other).collect()
    }

    fn may_query(&self, _: &Principal, workspace: &WorkspaceId) -> bool {
        self.others.lock().unwrap().iter().any(|name| name == workspace.as_str())
    }

    fn versions<'a>(
        &'a self,
        _: &'a WorkspaceId,
        names: &'a [&'a str],
    ) -> BoxFuture<'a, Vec<Option<TableVersion>>> {
        Box::pin(async { names.iter().map(|_| Some(table(&self.version))).collect() })
    }

    fn refreshed<'a>(
        &'a self,
        view: &'a ViewId,
        _: &'a QueryId,
        rows: FinishedRows,
    ) -> BoxFuture<'a, Result<(), QueryError>> {
        Box::pin(async move {
            let _asked = self.asking.lock().await;
            if self.refused_view.lock().unwrap().as_ref() == Some(view) {
                return Err(QueryError::new(ErrorCode::ColumnNotFound, "refused"));
            }
            self.refreshed.lock().unwrap().push((view.clone(), rows));
            Ok(())
        })
    }

    fn warm_endpoints(&self, _: &WorkspaceId) -> Vec<Arc<crate::endpoints::Endpoint>> {
        Vec::new()
    }

    fn saved_sql_ran(&self, id: &SavedSqlId, stats: QueryStats) {
        self.saved_sql.lock().unwrap().push((id.clone(), stats));
    }
}

/// The queries with their environment.
pub(super) struct Bench {
    pub(super) folder: Arc<tempfile::TempDir>,
    pub(super) clock: Arc<ManualClock>,
    pub(super) executor: Arc<PlannedExecutor>,
    pub(super) calls: Arc<RecordedCalls>,
    pub(super) store: Arc<Store>,
    pub(super) service: Arc<Service>,
    pub(super) queries: Arc<Queries>,
    pub(super) limits: Arc<Limits>,
    pub(super) config: EngineConfig,
}

/// The time at which every test begins.
pub(super) const EPOCH: Timestamp = Timestamp::from_millis(1_767_225_600_000);

impl Bench {
    /// With two slots.
    pub(super) fn new() -> Self {
        Self::with(|_| {})
    }

    pub(super) fn with(change: impl FnOnce(&mut EngineConfig)) -> Self {
        let (folder, mut config) = Self::folder();
        change(&mut config);
        let planning_wait = config.queries().planning_wait;
        Self::open(folder, config, Arc::new(ManualClock::new(EPOCH)), planning_wait)
    }

    /// Answers wait for planning however long it takes.
    pub(super) fn waiting_for_planning() -> Self {
        let (folder, config) = Self::folder();
        Self::open(folder, config, Arc::new(ManualClock::new(EPOCH)), Duration::from_secs(3600))
    }

    fn folder() -> (Arc<tempfile::TempDir>, EngineConfig) {
        let folder = Arc::new(tempfile::tempdir().unwrap());
        let mut config = EngineConfig::new(folder.path());
        config.concurrency = 2;
        (folder, config)
    }

    fn open(
        folder: Arc<tempfile::TempDir>,
        config: EngineConfig,
        clock: Arc<ManualClock>,
        planning_wait: Duration,
    ) -> Self {
        let store = Store::open(&folder.path().join("rowhouse.db")).unwrap();
        add_workspaces(&store);
        let executor = Arc::new(PlannedExecutor::default());
        let calls =
            Arc::new(RecordedCalls { version: Arc::clone(&executor.version), ..RecordedCalls::default() });
        let service = Service::open(
            Arc::clone(&executor) as _,
            Arc::clone(&store),
            Arc::clone(&clock) as _,
            config.max_idle_time,
            Box::new(|principal| principal.account.is_admin),
        );
        let service = Arc::new(service.unwrap());
        let limits = Arc::new(Limits::new(config.workspace_limits));
        let parts = Parts {
            store: Arc::clone(&store),
            clock: Arc::clone(&clock) as _,
            ids: Arc::new(crate::id_source::RandomIdSource),
            executor: Arc::clone(&executor) as _,
            service: Arc::clone(&service),
            context: Box::new(Arc::clone(&calls)),
            data_dir: config.data_dir.clone(),
            config: QueryConfig { planning_wait, ..config.queries() },
            limits: Arc::clone(&limits),
        };
        let queries = Arc::new(Queries::open(parts).unwrap());
        Self { folder, clock, executor, calls, store, service, queries, limits, config }
    }

    /// A second server over the same folder, after the first was killed.
    pub(super) fn killed_and_reopened(self) -> Self {
        let Self { folder, clock, store, config, .. } = self;
        store.close();
        let planning_wait = config.queries().planning_wait;
        Self::open(folder, config, clock, planning_wait)
    }

    pub(super) fn path(&self, location: &str) -> std::path::PathBuf {
        self.folder.path().join(location)
    }

    /// Submits in the first workspace, without the cache mechanism.
    pub(super) async fn submit(&self, text: &str) -> Query {
        self.queries.submit(&access("one"), submission(text, None)).await.unwrap()
    }

    /// A page of a workspace's records.
    pub(super) fn listed(&self, access: &Access, limit: u64, offset: u64) -> QueryList {
        read_whole(self.queries.list(access, limit, offset)).unwrap()
    }

    pub(super) async fn submit_cached(&self, text: &str, ttl_seconds: u64, refresh: bool) -> Query {
        self.submit_with(
            text,
            CachePolicy { ttl_seconds, refresh, check: Some(CacheCheck::Age), stale_seconds: 0 },
        )
        .await
    }

    /// Submits in the first workspace, with the cache, whose answers must have been computed from the table's present
    /// version.
    pub(super) async fn submit_checked(&self, text: &str) -> Query {
        let check = Some(CacheCheck::Sources);
        self.submit_with(text, CachePolicy { ttl_seconds: 60, refresh: false, check, stale_seconds: 0 }).await
    }

    /// Replaces the table that all statements read.
    pub(super) fn replace_table(&self) {
        self.executor.version.fetch_add(1, Ordering::SeqCst);
    }

    pub(super) async fn submit_with(&self, text: &str, policy: CachePolicy) -> Query {
        self.queries.submit(&access("one"), submission(text, Some(policy))).await.unwrap()
    }

    /// The record once it is final.
    pub(super) async fn ended(&self, query: &Query) -> Query {
        let ended = self.queries.wait(&access("one"), &query.id, Duration::from_secs(20)).await.unwrap();
        assert!(ended.status.unwrap().is_final(), "{ended:?}");
        ended
    }

    /// The record once it has this status.
    pub(super) async fn reaches(&self, query: &Query, status: QueryStatus) -> Query {
        for _ in 0..4000 {
            let now = self.queries.get(&access("one"), &query.id).await.unwrap();
            if now.status == Some(status) {
                return now;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("{} does not become {status:?}", query.id);
    }

    /// Waits until something holds.
    pub(super) async fn until(&self, what: &str, holds: impl Fn(&Self) -> bool) {
        for _ in 0..4000 {
            if holds(self) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("{what} does not come about");
    }

    /// Every file under the results, without its folders.
    pub(super) fn result_files(&self) -> Vec<String> {
        let mut names = Vec::new();
        collect(&self.folder.path().join("results"), &mut names);
        names.sort();
        names
    }
}

fn collect(folder: &Path, names: &mut Vec<String>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            collect(&entry.path(), names);
        } else {
            names.push(entry.file_name().to_string_lossy().into_owned());
        }
    }
}

/// The workspaces `one` and `two`, which records refer to.
fn add_workspaces(store: &Store) {
    store
        .write_blocking(|transaction| {
            for name in ["one", "two"] {
                transaction.execute(
                    "INSERT OR IGNORE INTO workspaces (id, sql_name, title, engine, created_at)
                     VALUES (?1, ?1, ?1, 'polars', 0)",
                    [name],
                )?;
            }
            Ok(())
        })
        .unwrap();
}

/// An analyst's access to a workspace.
pub(super) fn access(workspace: &str) -> Access {
    access_as(workspace, Role::Analyst)
}

pub(super) fn access_as(workspace: &str, role: Role) -> Access {
    let account = Account {
        id: AccountId::from("account"),
        username: "ann".to_owned(),
        is_admin: role == Role::Owner,
        is_disabled: false,
    };
    let workspace = WorkspaceRecord {
        id: WorkspaceId::from(workspace),
        sql_name: workspace.to_owned(),
        title: workspace.to_owned(),
        engine: EngineKind::Polars,
    };
    Access {
        principal: Principal::whole(Arc::new(account), TokenId::from("token")),
        workspace: Arc::new(workspace),
        role,
    }
}

pub(super) fn submission(text: &str, cache: Option<CachePolicy>) -> Submission {
    Submission { cache, ..Submission::new(format!("SELECT {text}")) }
}

pub(super) fn error_name(query: &Query) -> &str {
    query.error.as_ref().map_or("none", |error| &error.error_name)
}
