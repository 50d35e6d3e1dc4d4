//! The engine as a whole: opens its parts in order, runs their periodic tasks, and shuts them down.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use rowhouse_model::{Role, SQL_ENGINE, WorkspaceUsage};
use tokio::task::AbortHandle;
use tokio::time::MissedTickBehavior;

use crate::accounts::Accounts;
use crate::config::EngineConfig;
use crate::disk::{self, Disk};
use crate::endpoints::Endpoints;
use crate::engines::Engines;
use crate::error::{Error, ErrorKind, Result};
use crate::id_source::IdSource;
use crate::limits::Limits;
use crate::memberships::Memberships;
use crate::metrics::{EngineMetrics, WorkspaceLoad};
use crate::pool::Pool;
use crate::queries::{self, Queries};
use crate::result_links::ResultLinks;
use crate::saved_sql::SavedSqls;
use crate::service::Service;
use crate::set_aside::take_back;
use crate::store::{DATABASE_FILE, Store};
use crate::tables::Tables;
use crate::views::{self, ViewState, Views};
use crate::workspace_files::WorkspaceFiles;
use crate::workspaces::{Access, WorkspaceParts, Workspaces};
use rowhouse_executor::Executor;
use rowhouse_executor::clock::Clock;
use rowhouse_trino::TrinoExecutor;

mod first_start;
#[cfg(test)]
mod tests;
mod wiring;

pub use first_start::Bootstrap;
use wiring::{Calls, Defined, EngineContext, Refreshes};

/// How often the service checks whether it has been idle for long enough.
const SERVICE_PERIOD: Duration = Duration::from_millis(500);
/// How often expired data is searched for.
const SWEEP_PERIOD: Duration = Duration::from_secs(60);

/// Otherwise a program that is started as its own worker without expecting it would run itself for each statement.
const NO_WORKERS: &str = "the engine's settings do not say how statements run: set `worker_program` to a program that calls \
                          `worker::main` when its first argument is `worker`, or give an executor to `open_with`, such as \
                          `InProcess`";

/// Everything behind the server's interfaces.
pub struct Engine {
    store: Arc<Store>,
    executor: Arc<dyn Executor>,
    accounts: Arc<Accounts>,
    workspaces: Arc<Workspaces>,
    tables: Arc<Tables>,
    files: WorkspaceFiles,
    saved_sql: Arc<SavedSqls>,
    endpoints: Arc<Endpoints>,
    calls: Calls,
    queries: Arc<Queries>,
    views: Arc<Views>,
    service: Arc<Service>,
    result_links: ResultLinks,
    limits: Arc<Limits>,
    disk: Disk,
    slots: usize,
    bootstrap: Option<Bootstrap>,
    /// Background tasks, until the end.
    tasks: Vec<AbortHandle>,
}

impl Engine {
    /// Opens or creates a data directory; statements run in processes of `config.worker_program`. On the first start it
    /// returns when the demo view can be read, or has failed. Must be called inside a runtime.
    ///
    /// # Errors
    ///
    /// `InvalidArguments` without a `worker_program`; another server holds the directory; an error of the disk; a kind
    /// of engine that this build does not contain.
    pub async fn open(
        config: EngineConfig,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdSource>,
    ) -> Result<Arc<Self>> {
        let pool = match &config.worker_program {
            Some(program) => Some(Pool::new(config.pool(program))?),
            None if cfg!(feature = "polars") => {
                return Err(Error::new(ErrorKind::InvalidArguments, NO_WORKERS));
            }
            // A build without the embedded engine has no worker to start.
            None => None,
        };
        let trino = Arc::new(TrinoExecutor::new(&config.trino, &config.data_dir, &clock)?);
        let engines = Arc::new(Engines::new(pool, Arc::clone(&trino)));
        let engine = Self::open_whole(config, clock, ids, engines, Some(&trino)).await?;
        Ok(Arc::new(engine))
    }

    /// As [`open`](Self::open), with another executor.
    ///
    /// # Errors
    ///
    /// As for [`open`](Self::open).
    pub async fn open_with(
        config: EngineConfig,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdSource>,
        executor: Arc<dyn Executor>,
    ) -> Result<Arc<Self>> {
        Ok(Arc::new(Self::open_whole(config, clock, ids, executor, None).await?))
    }

    async fn open_whole(
        config: EngineConfig,
        clock: Arc<dyn Clock>,
        ids: Arc<dyn IdSource>,
        executor: Arc<dyn Executor>,
        trino: Option<&Arc<TrinoExecutor>>,
    ) -> Result<Self> {
        check_kind(&config, executor.as_ref())?;
        create_data_dir(&config.data_dir)?;
        let anew = config.new_database.then(|| clock.now());
        let store = Store::open_or_create(&config.data_dir.join(DATABASE_FILE), anew)?;
        // After the database: its existence shows whether the directory was used before.
        let result_links = ResultLinks::open(&config.data_dir, ids.as_ref())?;
        take_back::run(&store, &config.data_dir)?;
        let disk = Disk::with_reserve(&config.data_dir);
        let (accounts, memberships) = open_accounts(&store, &clock, &ids, disk.clone())?;
        let limits = Arc::new(Limits::new(config.workspace_limits));
        let workspaces = Arc::new(Workspaces::open(WorkspaceParts {
            store: Arc::clone(&store),
            clock: Arc::clone(&clock),
            ids: Arc::clone(&ids),
            accounts: Arc::clone(&accounts),
            memberships: Arc::clone(&memberships),
            executor: Arc::clone(&executor),
            default_engine: config.kind.clone(),
            limits: Arc::clone(&limits),
        })?);
        let view_state = ViewState::open(Arc::clone(&store), Arc::clone(&clock), &config.data_dir)?;
        let files = WorkspaceFiles::open(&config.data_dir, config.files_quota_bytes, Arc::clone(&ids))?;
        let tables = Arc::new(Tables::open(
            Arc::clone(&store),
            Arc::clone(&clock),
            Arc::clone(&executor),
            Arc::clone(&view_state),
            config.tables(),
            Arc::clone(&limits),
        )?);
        let Defined { planner, endpoints, saved_sql } =
            Defined::open(&store, &tables, &executor, &clock, &ids, config.max_sql_bytes)?;
        let service = Arc::new(Service::open(
            Arc::clone(&executor),
            Arc::clone(&store),
            Arc::clone(&clock),
            config.max_idle_time,
            Box::new(move |principal| {
                principal.account.is_admin || memberships.owns_any(&principal.account.id)
            }),
        )?);
        let context = EngineContext {
            tables: Arc::clone(&tables),
            workspaces: Arc::clone(&workspaces),
            saved_sql: Arc::clone(&saved_sql),
            endpoints: Arc::clone(&endpoints),
            views: Arc::clone(&view_state),
        };
        let queries = Arc::new(Queries::open(queries::Parts {
            store: Arc::clone(&store),
            clock: Arc::clone(&clock),
            ids: Arc::clone(&ids),
            executor: Arc::clone(&executor),
            service: Arc::clone(&service),
            context: Box::new(context),
            data_dir: config.data_dir.clone(),
            config: config.queries(),
            limits: Arc::clone(&limits),
        })?);
        let views = Views::new(views::Parts {
            state: view_state,
            planner,
            accounts: Arc::clone(&accounts),
            workspaces: Arc::clone(&workspaces),
            runner: Arc::new(Refreshes { queries: Arc::clone(&queries) }),
            clock: Arc::clone(&clock),
            ids,
            max_sql_bytes: config.max_sql_bytes,
            max_encoded_bytes: config.max_encoded_view_bytes,
        });
        service.start();
        let calls = Calls { endpoints: Arc::clone(&endpoints), store: Arc::clone(&store), clock };
        let mut tasks = vec![tick(&service), sweep(&queries, &accounts, &calls, &disk)];
        tasks.push(views.start());
        // The store is open: the data directory is this server's, and so are its notes.
        tasks.extend(trino.map(|trino| trino.start()));
        let mut engine = Self {
            store,
            executor,
            accounts,
            workspaces,
            tables,
            files,
            saved_sql,
            endpoints,
            calls,
            queries,
            views,
            service,
            result_links,
            limits,
            disk,
            slots: config.concurrency.max(1),
            bootstrap: None,
            tasks,
        };
        engine.bootstrap = first_start::run(&engine).await?;
        Ok(engine)
    }

    /// Accounts and tokens.
    pub fn accounts(&self) -> &Accounts {
        &self.accounts
    }

    /// Workspaces and their members.
    pub fn workspaces(&self) -> &Workspaces {
        &self.workspaces
    }

    /// Tables of workspaces.
    pub fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Uploaded files of workspaces.
    pub fn files(&self) -> &WorkspaceFiles {
        &self.files
    }

    /// Saved SQL.
    pub fn saved_sql(&self) -> &SavedSqls {
        &self.saved_sql
    }

    /// Saved SQL that can be called by name.
    pub fn endpoints(&self) -> &Endpoints {
        &self.endpoints
    }

    /// Statements.
    pub fn queries(&self) -> &Queries {
        &self.queries
    }

    /// Materialized views.
    pub fn views(&self) -> &Arc<Views> {
        &self.views
    }

    /// Signed links to results (D42).
    pub fn result_links(&self) -> &ResultLinks {
        &self.result_links
    }

    /// `SQL_ENGINE`.
    pub fn service(&self) -> &Service {
        &self.service
    }

    /// Applies the settings that can change at run time: time limit of a statement, idle time, length of the queue and
    /// of texts, disk space of encoded rows, limits of workspaces, retention of results and records. The expiry of an existing result does not
    /// change.
    pub fn reconfigure(&self, config: &EngineConfig) {
        self.queries.reconfigure(config.queries());
        self.limits.set_defaults(config.workspace_limits);
        self.saved_sql.set_max_sql_bytes(config.max_sql_bytes);
        self.views.set_max_sql_bytes(config.max_sql_bytes);
        self.views.set_max_encoded_bytes(config.max_encoded_view_bytes);
        self.service.set_max_idle_time(config.max_idle_time);
    }

    /// Checks that there is room for the writes of requests.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::StorageFull`].
    pub async fn has_room(&self) -> Result<()> {
        let disk = self.disk.clone();
        // OK to ignore a check that failed: the write itself will report it.
        match tokio::task::spawn_blocking(move || disk.is_full()).await.unwrap_or(false) {
            true => Err(disk::full()),
            false => Ok(()),
        }
    }

    /// Usage and limits of a workspace.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] below ANALYST.
    pub fn usage(&self, access: &Access) -> Result<WorkspaceUsage> {
        access.require(Role::Analyst)?;
        let workspace_id = access.workspace.id.clone();
        let WorkspaceLoad { running, queued, text_bytes, disk_bytes, memory_bytes } =
            self.queries.load_of(&workspace_id);
        Ok(WorkspaceUsage {
            limits: self.limits.settings(&workspace_id),
            running_statements: running as u64,
            queued_statements: queued as u64,
            text_bytes: text_bytes as u64,
            disk_bytes,
            memory_bytes,
            workspace_id,
        })
    }

    /// Counters and present state. Fast; waits for nothing.
    ///
    /// # Errors
    ///
    /// None today.
    pub fn metrics(&self) -> Result<EngineMetrics> {
        Ok(EngineMetrics {
            state: self.service.status(SQL_ENGINE)?.status,
            load: self.queries.load(),
            slots: self.slots,
            max_queued_statements: self.queries.max_queued_statements(),
            workspaces: self.workspaces.loads(|id| self.queries.load_of(id)),
            refused_requests: self.limits.refused_requests(),
            workers: self.executor.workers(),
            statements: self.queries.counted(),
            results: self.queries.result_usage(),
            store: self.store.metrics(),
            views: self.views.metrics(),
            encoded_row_bytes: self.views.encoded_row_bytes(),
        })
    }

    /// The objects that the first start created; `None` on later starts. The token is available only here: call
    /// [`bootstrap_is_kept`](Self::bootstrap_is_kept) when it has been stored.
    pub fn bootstrap(&self) -> Option<Bootstrap> {
        self.bootstrap.clone()
    }

    /// Records that the first token is stored; later starts create none. Until then each start creates a new one, so
    /// that a crash in between does not leave a server that nobody can enter.
    ///
    /// # Errors
    ///
    /// An error of the disk.
    pub async fn bootstrap_is_kept(&self) -> Result<()> {
        first_start::keep(&self.store).await
    }

    /// Stops accepting statements, gives running ones `at_most` to end, fails the others, and releases the data
    /// directory.
    pub async fn shutdown(&self, at_most: Duration) {
        for task in &self.tasks {
            task.abort();
        }
        self.queries.shutdown(at_most).await;
        self.executor.rest().await;
        if let Err(error) = self.accounts.note_use().await {
            tracing::warn!(%error, "when tokens were last used was not noted");
        }
        if let Err(error) = self.calls.keep().await {
            tracing::warn!(%error, "the last calls of endpoints were not counted");
        }
        let store = Arc::clone(&self.store);
        if let Err(error) = tokio::task::spawn_blocking(move || store.close()).await {
            tracing::error!(%error, "the store did not close");
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

/// Checks that the engine of new workspaces is configured.
fn check_kind(config: &EngineConfig, executor: &dyn Executor) -> Result<()> {
    if config.kind.is_trino() && !executor.has(&config.kind) {
        let message =
            format!("engine.kind is '{}', which no [engine.trino] of the configuration is", config.kind);
        return Err(Error::new(ErrorKind::NotSupported, message));
    }
    Ok(())
}

fn open_accounts(
    store: &Arc<Store>,
    clock: &Arc<dyn Clock>,
    ids: &Arc<dyn IdSource>,
    disk: Disk,
) -> Result<(Arc<Accounts>, Arc<Memberships>)> {
    let memberships = Arc::new(Memberships::open(store)?);
    let (store, clock, ids) = (Arc::clone(store), Arc::clone(clock), Arc::clone(ids));
    let accounts = Accounts::open(store, clock, ids, Arc::clone(&memberships), disk)?;
    Ok((Arc::new(accounts), memberships))
}

/// Only its owner may read it: it contains the data of users.
fn create_data_dir(data_dir: &Path) -> Result<()> {
    use std::os::unix::fs::DirBuilderExt;

    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true).mode(0o700).create(data_dir).map_err(|error| {
        Error::internal(format!("creating the data directory {}: {error}", data_dir.display()), error)
    })
}

fn tick(service: &Arc<Service>) -> AbortHandle {
    let service = Arc::clone(service);
    let task = tokio::spawn(async move {
        let mut period = tokio::time::interval(SERVICE_PERIOD);
        period.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            period.tick().await;
            service.tick();
        }
    });
    task.abort_handle()
}

fn sweep(queries: &Arc<Queries>, accounts: &Arc<Accounts>, calls: &Calls, disk: &Disk) -> AbortHandle {
    let (queries, accounts, disk) = (Arc::clone(queries), Arc::clone(accounts), disk.clone());
    let calls = calls.clone();
    let task = tokio::spawn(async move {
        let mut period = tokio::time::interval(SWEEP_PERIOD);
        period.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            period.tick().await;
            let disk = disk.clone();
            // OK to ignore: the next sweep tries again.
            let _ = tokio::task::spawn_blocking(move || disk.ensure_reserve()).await;
            let swept = async {
                accounts.sweep(queries.deletion_time()).await?;
                queries.sweep().await?;
                calls.keep().await
            };
            if let Err(error) = swept.await {
                tracing::error!(%error, source = ?std::error::Error::source(&error), "a sweep broke off");
            }
        }
    });
    task.abort_handle()
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("store", &self.store)
            .field("service", &self.service)
            .field("queries", &self.queries)
            .finish_non_exhaustive()
    }
}
