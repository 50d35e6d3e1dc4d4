//! Statements and their life (D9–D20): submitting, scheduling, following, canceling, listing, and finding their
//! results. Each file below owns one step; an `executor` runs the statements.

use std::fmt;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Duration;

use rowhouse_model::{
    AccountId, Column, ErrorCode, Query, QueryError, QueryId, QueryStats, Role, SavedSqlId, StatementId,
    Timestamp, ViewId, WorkspaceId,
};

use crate::accounts::Principal;
use crate::cache::Cache;
use crate::deletion_time::DeletionTime;
use crate::endpoints::Endpoint;
use crate::error::{Error, ErrorKind, Result};
use crate::fair_budget::FairBudget;
use crate::few_at_a_time::FewAtATime;
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
mod conclude;
mod config;
mod counters;
mod drive;
mod found_results;
mod idempotency;
mod kill;
mod known_statements;
mod known_texts;
mod list;
mod load;
mod look_up;
mod open_results;
mod other_workspaces;
mod phase;
mod places;
mod reading;
mod recent_results;
mod record;
mod record_json;
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
pub use call::CachedCall;
pub(crate) use config::QueryConfig;
use counters::Counters;
use found_results::FoundResults;
pub use idempotency::IdempotencyKey;
use idempotency::Turns;
use known_statements::KnownStatements;
use known_texts::KnownTexts;
use open_results::OpenResults;
use reading::Readers;
use recent_results::RecentResults;
pub use record::QueryRecord;
use renewals::Renewals;
use result_files::ResultFiles;
pub(crate) use rowhouse_executor::columns::check_columns;
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

/// The rows of a statement that succeeded.
#[derive(Clone, Debug)]
pub(crate) struct FinishedRows {
    /// The Arrow IPC file, synced; it is removed when the result's retention has passed.
    pub(crate) path: PathBuf,
    /// Its columns.
    pub(crate) columns: Vec<Column>,
    /// Number of rows.
    pub(crate) row_count: u64,
}

/// Keeps the files of a catalog in place while a statement reads them.
pub(crate) type CatalogGuard = Box<dyn std::any::Any + Send>;

/// The interface to the other parts of the engine that statements use.
pub(crate) trait QueryContext: Send + Sync {
    /// The catalog that a statement of this caller sees, including other workspaces that the caller may still query, and a
    /// guard to hold until the statement has ended.
    fn catalog<'a>(
        &'a self,
        access: &'a Access,
        others: &'a [WorkspaceId],
        detail: &'a CatalogDetail,
    ) -> BoxFuture<'a, (CatalogSnapshot, CatalogGuard)>;

    /// Other workspaces of the embedded engine that the caller may query (D127).
    fn others(&self, access: &Access) -> Vec<Access>;

    /// Whether a caller may query a workspace now.
    fn may_query(&self, principal: &Principal, workspace: &WorkspaceId) -> bool;

    /// The present versions of a workspace's tables and views, by name; none for one that does not exist.
    fn versions<'a>(
        &'a self,
        workspace: &'a WorkspaceId,
        names: &'a [&'a str],
    ) -> BoxFuture<'a, Vec<Option<TableVersion>>>;

    /// Called when a view's statement has succeeded, before its record turns FINISHED, so that a client that polls for
    /// it reads the new rows. An error fails the statement.
    fn refreshed<'a>(
        &'a self,
        view: &'a ViewId,
        query: &'a QueryId,
        rows: FinishedRows,
    ) -> BoxFuture<'a, Result<(), QueryError>>;

    /// The endpoints of a workspace to call after refreshes.
    fn warm_endpoints(&self, workspace: &WorkspaceId) -> Vec<Arc<Endpoint>>;

    /// Statistics of the last run of a saved SQL, so far or final. Called under the lock of all statements, so that
    /// calls are ordered; it must be fast.
    fn saved_sql_ran(&self, id: &SavedSqlId, stats: QueryStats);
}

/// All statements of the server.
pub struct Queries {
    shared: Arc<Shared>,
}

/// The shared state of every step of a statement's life.
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
    recent_results: RecentResults,
    counters: Counters,
    sweeps: AtomicU64,
    open_results: OpenResults,
    /// Long records of the store.
    long_records: FewAtATime,
    known_statements: KnownStatements,
    /// Calls of endpoints by key.
    known_calls: KnownTexts<String>,
    readers: Readers,
    turns: Turns,
    renewals: Renewals,
    source_checks: SourceChecks,
    found_results: FoundResults,
    statement_ids: StatementIds,
    deletion_time: DeletionTime,
    config: RwLock<Arc<QueryConfig>>,
    limits: Arc<Limits>,
    /// Slots for statements that are not final.
    places: FairBudget,
    /// Bytes of their texts.
    texts: FairBudget,
}

/// The parts that [`Queries::open`] needs.
pub(crate) struct Parts {
    pub(crate) store: Arc<Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdSource>,
    pub(crate) executor: Arc<dyn Executor>,
    pub(crate) service: Arc<Service>,
    pub(crate) context: Box<dyn QueryContext>,
    /// Folder of all durable data.
    pub(crate) data_dir: PathBuf,
    pub(crate) config: QueryConfig,
    pub(crate) limits: Arc<Limits>,
}

impl Queries {
    /// Fails the unfinished statements of a killed server and removes files without references. Blocking; must be
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
            recent_results: RecentResults::default(),
            counters: Counters::new(),
            sweeps: AtomicU64::new(0),
            open_results: OpenResults::default(),
            long_records: FewAtATime::of("records with long columns or texts"),
            known_statements: KnownStatements::default(),
            known_calls: KnownTexts::default(),
            readers: Readers::new(Arc::clone(&limits)),
            turns: Turns::default(),
            renewals: Renewals::default(),
            source_checks: SourceChecks::default(),
            found_results: FoundResults::default(),
            deletion_time,
            config: RwLock::new(Arc::new(config)),
            limits,
            places: FairBudget::default(),
            texts: FairBudget::default(),
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    /// Accepts a statement; its record is durable when this returns. Invalid SQL is accepted, too: its record is FAILED
    /// from the start (D4).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] below ANALYST, [`ErrorKind::InvalidArguments`] above the limit of the text,
    /// [`ErrorKind::ServiceDisabled`], [`ErrorKind::QueryQueueFull`]. Dropping the future before the text is parsed
    /// cancels the submit; later it has no effect.
    pub async fn submit(&self, access: &Access, submission: Submission) -> Result<Query> {
        self.submit_shared(access, submission).await.map(|record| record.to_query())
    }

    /// As [`submit`](Self::submit), for callers that only show the record.
    ///
    /// # Errors
    ///
    /// As for [`submit`](Self::submit).
    pub async fn submit_shared(&self, access: &Access, submission: Submission) -> Result<QueryRecord> {
        access.require(Role::Analyst)?;
        self.accept(access, submission, None).await
    }

    /// Checks a text that is to be prepared; on a cluster the cluster checks it.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::QueryQueueFull`], [`ErrorKind::InvalidArguments`] above the limit of the text; the inner error is
    /// the statement's.
    pub async fn check_prepared(&self, access: &Access, text: &str) -> Result<Result<(), QueryError>> {
        crate::names::check_sql(text, self.shared.config().max_sql_bytes)?;
        let reader = self.shared.readers.reader(&access.workspace.id, text.len()).await?;
        let text = text.to_owned();
        Ok(reader.read(move |abandonment| rowhouse_sql::check_prepared(&text, abandonment)).await)
    }

    /// The record in its present state.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] below ANALYST, [`ErrorKind::NotFound`].
    pub async fn get(&self, access: &Access, id: &QueryId) -> Result<Query> {
        access.require(Role::Analyst)?;
        self.shared.stored(access, id).await.map(|record| record.to_query())
    }

    /// As [`get`](Self::get), for requests that only show the record. Of long ones few are held at a time (D188): a caller
    /// must not hold two.
    ///
    /// # Errors
    ///
    /// As for [`get`](Self::get), and [`ErrorKind::Overloaded`].
    pub async fn get_shared(&self, access: &Access, id: &QueryId) -> Result<QueryRecord> {
        access.require(Role::Analyst)?;
        self.shared.stored_in_turn(access, id).await
    }

    /// The record when it is final, or in its state after `at_most`.
    ///
    /// # Errors
    ///
    /// As for [`get`](Self::get).
    pub async fn wait(&self, access: &Access, id: &QueryId, at_most: Duration) -> Result<Query> {
        self.wait_shared(access, id, at_most).await.map(|record| record.to_query())
    }

    /// As [`wait`](Self::wait), for callers that only show the record.
    ///
    /// # Errors
    ///
    /// As for [`get`](Self::get).
    pub async fn wait_shared(&self, access: &Access, id: &QueryId, at_most: Duration) -> Result<QueryRecord> {
        access.require(Role::Analyst)?;
        if let Some(ended) = self.shared.ended_in(access, id) {
            // OK to ignore: after a time-out the record is returned as well.
            let _ = tokio::time::timeout(at_most, ended).await;
        }
        self.shared.stored(access, id).await
    }

    /// A workspace's records, newest first, and their number (D12): a QueryList as JSON.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`] below ANALYST.
    pub fn list(&self, access: &Access, limit: u64, offset: u64) -> Result<Box<dyn ChunkSource>> {
        access.require(Role::Analyst)?;
        Ok(Box::new(list::list(&self.shared, access, limit, offset)))
    }

    /// Ends a statement that is not final with USER_CANCELED; a final one does not change (D10).
    ///
    /// # Errors
    ///
    /// As for [`get`](Self::get).
    pub async fn cancel(&self, access: &Access, id: &QueryId) -> Result<Query> {
        self.cancel_shared(access, id).await.map(|record| record.to_query())
    }

    /// As [`cancel`](Self::cancel), for callers that only show the record.
    ///
    /// # Errors
    ///
    /// As for [`get`](Self::get).
    pub async fn cancel_shared(&self, access: &Access, id: &QueryId) -> Result<QueryRecord> {
        access.require(Role::Analyst)?;
        self.end_canceled(access, id).await;
        self.shared.stored(access, id).await
    }

    async fn end_canceled(&self, access: &Access, id: &QueryId) {
        let error = QueryError::new(ErrorCode::UserCanceled, "Query was canceled");
        if let Some(ended) = conclude::fail_one(&self.shared, &access.workspace.id, id, error) {
            ended.await;
        }
    }

    /// An account's queries of the run that clients know by this id, each with its workspace.
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
        self.result_of(access, self.get_shared(access, id).await?).await
    }

    /// The result of a record that the caller has got.
    ///
    /// # Errors
    ///
    /// As for [`result`](Self::result).
    pub async fn result_of(&self, access: &Access, record: QueryRecord) -> Result<StoredResult> {
        access.require(Role::Analyst)?;
        self.shared.check_open(&access.principal, &record.id, &record)?;
        self.read_result(record).await
    }

    /// The result that a checked signed link refers to (D42).
    ///
    /// # Errors
    ///
    /// As for [`result`](Self::result), except for the role: the link's creator had it.
    pub async fn granted_result(&self, grant: &ResultGrant) -> Result<StoredResult> {
        let ResultGrant { workspace_id, query_id } = grant;
        let stored = self.shared.look_up(workspace_id, query_id).await?;
        let gone = || Error::new(ErrorKind::NotFound, format!("query '{query_id}' is not kept any more"));
        self.read_result(stored.ok_or_else(gone)?).await
    }

    /// Waits for the end of a statement and returns it.
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

    /// Applies settings that can change at run time: they hold for statements that are submitted or end from now on.
    pub(crate) fn reconfigure(&self, new: QueryConfig) {
        let mut config = self.shared.config.write().unwrap_or_else(PoisonError::into_inner);
        let (concurrency, trino_concurrency) = (config.concurrency, config.trino_concurrency);
        let clusters = Arc::clone(&config.clusters);
        *config = Arc::new(QueryConfig { concurrency, trino_concurrency, clusters, ..new });
    }

    /// Maximum number of waiting statements.
    pub(crate) fn max_queued_statements(&self) -> usize {
        self.shared.config().max_queued_statements
    }

    /// The time for expiry.
    pub(crate) fn deletion_time(&self) -> Timestamp {
        self.shared.deletion_time.now()
    }

    /// Removes data whose retention has passed (D27); called periodically.
    pub(crate) async fn sweep(&self) -> Result<()> {
        retention::sweep(&self.shared).await
    }

    /// Stops accepting statements, waits for running ones for `at_most`, and fails the others.
    pub(crate) async fn shutdown(&self, at_most: Duration) {
        conclude::shutdown(&self.shared, at_most).await;
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State<QueuedRun>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The present settings.
    fn config(&self) -> Arc<QueryConfig> {
        Arc::clone(&self.config.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for Queries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shared.state().fmt(f)
    }
}
