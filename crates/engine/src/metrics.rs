//! Counters and present state of the engine, for monitoring. All values are maintained where they change and only read
//! here: nothing is scanned, and no lock is held for long.

use rowhouse_model::{ServiceState, Source, Timestamp, ViewId, WorkspaceId};

use crate::histogram::HistogramSnapshot;
use rowhouse_executor::WorkerCounts;

/// How the query cache treated a statement (D19, D20).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CacheLookup {
    /// Answered by a cached result.
    Hit,
    /// Answered by a cached result that is no longer fresh, while a run renews it.
    Stale,
    /// The cache was consulted and no result was fresh: the statement ran.
    Miss,
    /// It joined the run of an identical statement.
    Joined,
    /// The cache was not consulted, or `cacheTTL` was 0: the statement ran.
    Bypassed,
    /// `cacheRefresh` made it run and replace the entry.
    Refreshed,
}

impl CacheLookup {
    /// Every outcome.
    pub const ALL: [Self; 6] =
        [Self::Hit, Self::Stale, Self::Miss, Self::Joined, Self::Bypassed, Self::Refreshed];

    /// Its name in metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hit => "hit",
            Self::Stale => "stale",
            Self::Miss => "miss",
            Self::Joined => "joined",
            Self::Bypassed => "bypassed",
            Self::Refreshed => "refreshed",
        }
    }
}

/// How a statement ended, in Trino's error types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndOutcome {
    /// FINISHED.
    Finished,
    /// FAILED with `USER_ERROR`, which includes cancels.
    UserError,
    /// FAILED with `INTERNAL_ERROR`.
    InternalError,
    /// FAILED with `INSUFFICIENT_RESOURCES`.
    InsufficientResources,
    /// FAILED with `EXTERNAL`.
    External,
}

impl EndOutcome {
    /// Every outcome.
    pub const ALL: [Self; 5] =
        [Self::Finished, Self::UserError, Self::InternalError, Self::InsufficientResources, Self::External];

    /// Its name in metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Finished => "FINISHED",
            Self::UserError => "USER_ERROR",
            Self::InternalError => "INTERNAL_ERROR",
            Self::InsufficientResources => "INSUFFICIENT_RESOURCES",
            Self::External => "EXTERNAL",
        }
    }
}

/// Statements in progress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Records that are not final.
    pub statements: usize,
    /// Runs that wait for a slot or for the engine to wake; identical statements share one (D20).
    pub queued_runs: usize,
    /// Runs that have a slot: being planned, executed or ended.
    pub active_runs: usize,
}

/// Usage of a workspace's statements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkspaceLoad {
    /// Runs that have a slot.
    pub running: usize,
    /// Statements that wait for a slot, or for another's run.
    pub queued: usize,
    /// Bytes of the texts of both, running and queued.
    pub text_bytes: usize,
    /// Bytes of all stored results.
    pub disk_bytes: u64,
    /// Memory that the runs with a slot may have together.
    pub memory_bytes: u64,
}

/// A snapshot of the engine's metrics.
#[derive(Clone, Debug)]
pub struct EngineMetrics {
    /// State of the service `SQL_ENGINE`.
    pub state: ServiceState,
    /// Statements in progress.
    pub load: Load,
    /// Number of slots.
    pub slots: usize,
    /// Maximum number of waiting statements.
    pub max_queued_statements: usize,
    /// Usage of workspaces with statements or results, by SQL name.
    pub workspaces: Vec<(String, WorkspaceLoad)>,
    /// Number of requests refused by the rate limit of their token.
    pub refused_requests: u64,
    /// Worker processes.
    pub workers: WorkerCounts,
    /// Statements that have ended.
    pub statements: StatementMetrics,
    /// Stored results, as of the last count and the changes since.
    pub results: FileUsage,
    /// The store.
    pub store: StoreMetrics,
    /// Materialized views, in no order.
    pub views: Vec<ViewMetrics>,
    /// Bytes of views' rows that are encoded before they are read.
    pub encoded_row_bytes: u64,
}

/// Statements since the start of the server.
#[derive(Clone, Debug)]
pub struct StatementMetrics {
    /// Accepted statements by cache outcome.
    pub cache: Vec<(CacheLookup, u64)>,
    /// Ended statements by source and outcome; all unknown sources are counted together.
    pub ended: Vec<(Source, EndOutcome, u64)>,
    /// Time from submission to end.
    pub elapsed: HistogramSnapshot,
}

/// Files of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileUsage {
    /// Their number.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// The store since the start of the server.
#[derive(Clone, Debug)]
pub struct StoreMetrics {
    /// Requested writes.
    pub writes: u64,
    /// Committed transactions; each contains one or more writes.
    pub commits: u64,
    /// Transactions that failed.
    pub failed_commits: u64,
    /// Duration of a transaction, including its sync.
    pub commit_time: HistogramSnapshot,
    /// Bytes of the database and its log.
    pub file_bytes: u64,
}

/// One materialized view.
#[derive(Clone, Debug)]
pub struct ViewMetrics {
    /// Its id.
    pub id: ViewId,
    /// Its workspace.
    pub workspace_id: WorkspaceId,
    /// The workspace's SQL name.
    pub workspace_sql_name: String,
    /// Its SQL name.
    pub sql_name: String,
    /// Whether its last refresh failed.
    pub is_failing: bool,
    /// The served generation; none before the first refresh.
    pub served: Option<ServedMetrics>,
}

/// The generation that a view serves.
#[derive(Clone, Copy, Debug)]
pub struct ServedMetrics {
    /// Its number.
    pub generation: u64,
    /// When its statement finished.
    pub refreshed_at: Timestamp,
    /// Its row count.
    pub rows: u64,
    /// Bytes of its files, including indexes.
    pub bytes: u64,
}
