//! Statements and their life (D9–D20): submitted, run in turn, followed, canceled, listed, and their results
//! found. The files below own one step each; what runs a statement is the `executor`'s matter.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use rowhouse_model::{
    AccountId, Column, ErrorCode, Query, QueryError, QueryId, QueryStats, Role, SavedSqlId, StatementId,
    Timestamp, ViewId, WorkspaceId,
};

use crate::cache::Cache;
use crate::deletion_time::DeletionTime;
use crate::endpoints::Endpoint;
use crate::error::{Error, ErrorKind, Result};
use crate::fair_budget::FairBudget;
use crate::id_source::IdSource;
use crate::limits::Limits;
use crate::result_links::ResultGrant;
use crate::service::Service;
use crate::set_aside::SetAside;
use crate::store::Store;
use crate::store::query_records::{self, StoredQuery};
use crate::workspaces::Access;
use rowhouse_executor::catalog::{CatalogDetail, CatalogSnapshot};
use rowhouse_executor::clock::Clock;
use rowhouse_executor::{BoxFuture, Executor, TableVersion};
use rowhouse_rows::ChunkSource;

mod cached_results;
mod call;
mod columns;
mod conclude;
mod config;
mod counters;
mod drive;
mod idempotency;
mod kept_results;
mod kill;
mod known_statements;
mod list;
mod load;
mod open_results;
mod phase;
mod places;
mod reading;
mod record;
mod recover;
mod renewals;
mod result_files;
mod result_space;
mod retention;
mod run;
mod runtime_queries;
mod slots;
mod snapshot;
mod source_checks;
mod state;
mod statement_ids;
mod stored_result;
mod submission;
mod submit;
#[cfg(test)]
mod tests;
mod trace;
mod usage;
mod warm_up;

pub use cached_results::CacheScope;
pub use call::KeptCall;
pub(crate) use columns::check_columns;
pub(crate) use config::QueryConfig;
use counters::Counters;
pub use idempotency::IdempotencyKey;
use idempotency::Turns;
use kept_results::KeptResults;
use known_statements::KnownStatements;
use open_results::OpenResults;
use reading::Readers;
pub use record::QueryRecord;
use renewals::Renewals;
use result_files::ResultFiles;
use run::QueuedRun;
use source_checks::SourceChecks;
use state::State;
use statement_ids::StatementIds;
pub use stored_result::StoredResult;
pub use submission::{CachePolicy, Purpose, Submission};
pub use trace::TRACE_TARGET;
use trace::Trace;

/// How a statement ended.
#[derive(Clone, Debug)]
pub(crate) enum Completion {
    /// Its rows are stored.
    Finished(FinishedRows),
    /// It has no result.
    Failed(QueryError),
}

/// The rows of a statement that ended well.
#[derive(Clone, Debug)]
pub(crate) struct FinishedRows {
    /// The Arrow IPC file, synced; it is removed when the result's retention has passed.
    pub(crate) path: PathBuf,
    /// Its columns.
    pub(crate) columns: Vec<Column>,
    /// How many there are.
    pub(crate) row_count: u64,
}

/// Keeps the files of a catalog in place while a statement reads them.
pub(crate) type CatalogGuard = Box<dyn std::any::Any + Send>;

/// What statements need of the parts beside them.
pub(crate) trait QueryContext: Send + Sync {
    /// What a statement of this caller may see, and what to hold until it has ended.
    fn catalog<'a>(
        &'a self,
        access: &'a Access,
        detail: CatalogDetail,
    ) -> BoxFuture<'a, (CatalogSnapshot, CatalogGuard)>;

    /// The versions that tables and views of a workspace have now, by their names; none of what is not there.
    fn versions<'a>(
        &'a self,
        workspace: &'a WorkspaceId,
        names: &'a [&'a str],
    ) -> BoxFuture<'a, Vec<Option<TableVersion>>>;

    /// A view's statement has ended well; called before its record turns FINISHED, so that a client that polls for it
    /// reads the new rows. An error fails the statement.
    fn refreshed<'a>(
        &'a self,
        view: &'a ViewId,
        query: &'a QueryId,
        rows: FinishedRows,
    ) -> BoxFuture<'a, Result<(), QueryError>>;

    /// The endpoints of a workspace that are to be called after refreshes.
    fn warm_endpoints(&self, workspace: &WorkspaceId) -> Vec<Arc<Endpoint>>;

    /// What the last run of a saved SQL costs, or has cost so far. Called under the lock of all statements, so
    /// that it is told in order; it must be quick.
    fn saved_sql_ran(&self, id: &SavedSqlId, stats: QueryStats);
}

/// All statements of the server.
pub struct Queries {
    shared: Arc<Shared>,
}

/// What every step of a statement's life works with.
struct Shared {
    state: Mutex<State<QueuedRun>>,
    store: Arc<Store>,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn IdSource>,
    executor: Arc<dyn Executor>,
    service: Arc<Service>,
    context: Box<dyn QueryContext>,
    cache: Cache,
    result_files: ResultFiles,
    kept_results: KeptResults,
    counters: Counters,
    sweeps: AtomicU64,
    open_results: OpenResults,
    known_statements: KnownStatements,
    /// Calls of endpoints by what they say.
    known_calls: KnownStatements,
    readers: Readers,
    turns: Turns,
    renewals: Renewals,
    source_checks: SourceChecks,
    statement_ids: StatementIds,
    deletion_time: DeletionTime,
    config: RwLock<Arc<QueryConfig>>,
    limits: Arc<Limits>,
    /// Places of statements that are not final.
    places: FairBudget,
    /// Bytes of their texts.
    texts: FairBudget,
}

/// The parts that [`Queries::open`] is given.
pub(crate) struct Parts {
    pub(crate) store: Arc<Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdSource>,
    pub(crate) executor: Arc<dyn Executor>,
    pub(crate) service: Arc<Service>,
    pub(crate) context: Box<dyn QueryContext>,
    /// Folder of everything that lasts.
    pub(crate) data_dir: PathBuf,
    pub(crate) config: QueryConfig,
    pub(crate) limits: Arc<Limits>,
}

impl Queries {
    /// Fails what a killed server left unfinished and removes the files that nothing refers to. Blocking; must be
    /// called inside a runtime.
    pub(crate) fn open(parts: Parts) -> Result<Self> {
        let Parts { store, clock, ids, executor, service, context, data_dir, config, limits } = parts;
        let result_files = ResultFiles::new(&data_dir);
        recover::fail_unfinished(&store)?;
        recover::remove_orphans(&store, &result_files, SetAside::at(&data_dir, clock.now()))?;
        let deletion_time = DeletionTime::open(Arc::clone(&store), Arc::clone(&clock))?;
        let counts = store.read(query_records::count_by_workspace)?;
        let shared = Shared {
            state: Mutex::new(State::new(counts)),
            cache: Cache::new(Arc::clone(&store), &data_dir),
            statement_ids: StatementIds::new(ids.as_ref()),
            store,
            clock,
            ids,
            executor,
            service,
            context,
            result_files,
            kept_results: KeptResults::default(),
            counters: Counters::new(),
            sweeps: AtomicU64::new(0),
            open_results: OpenResults::default(),
            known_statements: KnownStatements::default(),
            known_calls: KnownStatements::default(),
            readers: Readers::new(Arc::clone(&limits)),
            turns: Turns::default(),
            renewals: Renewals::default(),
            source_checks: SourceChecks::default(),
            deletion_time,
            config: RwLock::new(Arc::new(config)),
            limits,
            places: FairBudget::default(),
            texts: FairBudget::default(),
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Accepts a statement; its record is durable when this returns. Bad SQL is accepted, too: its record is
    /// born FAILED (D4).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] below ANALYST, [`ErrorKind::InvalidArguments`] over the limit of the
    /// text, [`ErrorKind::ServiceDisabled`], [`ErrorKind::QueryQueueFull`]. Dropping the future before the text
    /// is read ends the reading; later it changes nothing.
    pub async fn submit(&self, access: &Access, submission: Submission) -> Result<Query> {
        self.submit_shared(access, submission).await.map(|record| record.to_query())
    }

    /// As [`submit`](Self::submit), for those who only show the record.
    ///
    /// # Errors
    ///
    /// As for [`submit`](Self::submit).
    pub async fn submit_shared(&self, access: &Access, submission: Submission) -> Result<QueryRecord> {
        access.require(Role::Analyst)?;
        self.accept(access, submission, None).await
    }

    /// Checks a text that is to be prepared; one for a cluster is the cluster's to check.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::QueryQueueFull`], [`ErrorKind::InvalidArguments`] over the limit of the text; within, what is wrong
    /// with the statement.
    pub async fn check_prepared(&self, access: &Access, text: &str) -> Result<Result<(), QueryError>> {
        crate::names::check_sql(text, self.shared.config().max_sql_bytes)?;
        let reader = self.shared.readers.reader(&access.workspace.id, text.len()).await?;
        let text = text.to_owned();
        Ok(reader.read(move |abandonment| rowhouse_sql::check_prepared(&text, abandonment)).await)
    }

    /// A record as it stands now.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] below ANALYST, [`ErrorKind::NotFound`].
    pub async fn get(&self, access: &Access, id: &QueryId) -> Result<Query> {
        self.get_shared(access, id).await.map(|record| record.to_query())
    }

    /// As [`get`](Self::get), for those who only show the record.
    ///
    /// # Errors
    ///
    /// As for [`get`](Self::get).
    pub async fn get_shared(&self, access: &Access, id: &QueryId) -> Result<QueryRecord> {
        access.require(Role::Analyst)?;
        self.shared.stored(access, id).await
    }

    /// A record once it is final, or as it stands after `at_most`.
    ///
    /// # Errors
    ///
    /// As for [`get`](Self::get).
    pub async fn wait(&self, access: &Access, id: &QueryId, at_most: Duration) -> Result<Query> {
        access.require(Role::Analyst)?;
        if let Some(ended) = self.shared.ended_in(access, id) {
            // OK to ignore: both the end and the end of the wait are answered with the record.
            let _ = tokio::time::timeout(at_most, ended).await;
        }
        self.shared.stored(access, id).await.map(|record| record.to_query())
    }

    /// A workspace's records, newest first, and how many there are (D12): a QueryList as JSON.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] below ANALYST.
    pub fn list(&self, access: &Access, limit: u64, offset: u64) -> Result<Box<dyn ChunkSource>> {
        access.require(Role::Analyst)?;
        Ok(Box::new(list::list(&self.shared, &access.workspace.id, limit, offset)))
    }

    /// Ends a statement that is not final as USER_CANCELED; one that is final stays as it is (D10).
    ///
    /// # Errors
    ///
    /// As for [`get`](Self::get).
    pub async fn cancel(&self, access: &Access, id: &QueryId) -> Result<Query> {
        access.require(Role::Analyst)?;
        self.end_canceled(access, id).await;
        self.shared.stored(access, id).await.map(|record| record.to_query())
    }

    async fn end_canceled(&self, access: &Access, id: &QueryId) {
        let error = QueryError::new(ErrorCode::UserCanceled, "Query was canceled");
        if let Some(ended) = conclude::fail_one(&self.shared, &access.workspace.id, id, error) {
            ended.await;
        }
    }

    /// An account's queries that wait for the statement which clients know by this id, each with its workspace.
    pub fn of_statement(&self, account: &AccountId, id: &StatementId) -> Vec<(WorkspaceId, QueryId)> {
        self.shared.state().of_statement(account, id)
    }

    /// The result of a finished statement.
    ///
    /// # Errors
    ///
    /// As for [`get`](Self::get); [`ErrorKind::NoResult`] unless it is FINISHED, [`ErrorKind::ResultExpired`].
    pub async fn result(&self, access: &Access, id: &QueryId) -> Result<StoredResult> {
        access.require(Role::Analyst)?;
        let stored = self.shared.stored(access, id).await?;
        self.read_result(id, stored).await
    }

    /// The result that a signed link was checked for (D42).
    ///
    /// # Errors
    ///
    /// As for [`result`](Self::result), but for the role: the link's maker had it.
    pub async fn granted_result(&self, grant: &ResultGrant) -> Result<StoredResult> {
        let ResultGrant { workspace_id, query_id } = grant;
        let stored = self.shared.look_up(workspace_id, query_id).await?;
        let gone = || Error::new(ErrorKind::NotFound, format!("query '{query_id}' is not kept any more"));
        self.read_result(query_id, stored.ok_or_else(gone)?).await
    }

    /// How a statement ends, whenever it does.
    pub(crate) async fn completion(&self, access: &Access, id: &QueryId) -> Completion {
        if let Some(ended) = self.shared.ended_in(access, id) {
            ended.await;
        }
        let internal =
            |message: String| Completion::Failed(QueryError::new(ErrorCode::GenericInternalError, message));
        match self.shared.stored(access, id).await.map(|record| record.stored().clone()) {
            Err(error) => internal(error.to_string()),
            Ok(StoredQuery { query: Query { error: Some(error), .. }, .. }) => Completion::Failed(error),
            Ok(StoredQuery { query, result_file: Some(location), .. }) => {
                Completion::Finished(FinishedRows {
                    path: self.shared.result_files.path(&location),
                    columns: query.columns.unwrap_or_default(),
                    row_count: query.row_count.unwrap_or_default(),
                })
            }
            Ok(_) => internal(format!("query '{id}' has no result")),
        }
    }

    /// Takes over what can change while statements run: it holds for what is submitted or ends from now on.
    pub(crate) fn reconfigure(&self, new: QueryConfig) {
        let mut config = self.shared.config.write().unwrap_or_else(PoisonError::into_inner);
        let (concurrency, trino_concurrency) = (config.concurrency, config.trino_concurrency);
        *config = Arc::new(QueryConfig { concurrency, trino_concurrency, ..new });
    }

    /// Most statements that may wait.
    pub(crate) fn max_queued_statements(&self) -> usize {
        self.shared.config().max_queued_statements
    }

    /// The moment by which things are deleted.
    pub(crate) fn deletion_time(&self) -> Timestamp {
        self.shared.deletion_time.now()
    }

    /// Removes what has passed its retention (D27); called every now and then.
    pub(crate) async fn sweep(&self) -> Result<()> {
        retention::sweep(&self.shared).await
    }

    /// Accepts nothing more, waits for running statements until `at_most` has passed, and fails the others.
    pub(crate) async fn shutdown(&self, at_most: Duration) {
        conclude::shutdown(&self.shared, at_most).await;
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State<QueuedRun>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the operator has set, as it stands at this moment.
    fn config(&self) -> Arc<QueryConfig> {
        Arc::clone(&self.config.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// The record as it stands now, from memory or from the store.
    async fn stored(&self, access: &Access, id: &QueryId) -> Result<QueryRecord> {
        let found = self.look_up(&access.workspace.id, id).await?;
        found.ok_or_else(|| {
            let id: String = id.as_str().chars().take(64).collect();
            Error::new(
                ErrorKind::NotFound,
                format!("no query '{id}' in workspace '{}'", access.workspace.sql_name),
            )
        })
    }

    /// The record of a workspace's query, if there is one.
    async fn look_up(&self, workspace_id: &WorkspaceId, id: &QueryId) -> Result<Option<QueryRecord>> {
        let held = {
            let state = self.state();
            state.look_up(workspace_id, id, self.clock.monotonic())
        };
        if held.is_some() {
            return Ok(held);
        }
        let (workspace_id, key) = (workspace_id.clone(), id.clone());
        let read =
            self.store.read_async(move |connection| query_records::get(connection, &workspace_id, &key));
        Ok(read.await?.map(QueryRecord::new))
    }

    /// Resolves when the record is final; none if it is already, or is not there.
    fn ended_in(&self, access: &Access, id: &QueryId) -> Option<impl Future<Output = ()> + use<>> {
        self.state().ended(&access.workspace.id, id)
    }
}

impl fmt::Debug for Queries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shared.state().fmt(f)
    }
}
