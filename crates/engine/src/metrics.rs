//! What the engine has counted since its start and how it stands now, for those who watch it. Everything here is
//! kept where it happens and only read here: nothing is scanned, and no lock is held for long.

use rowhouse_model::{ServiceState, Source, Timestamp, ViewId, WorkspaceId};

use crate::histogram::HistogramSnapshot;
use rowhouse_executor::WorkerCounts;

/// How the query cache had to do with a statement (D19, D20).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CacheLookup {
    /// Answered by a stored result.
    Hit,
    /// Answered by a stored result that is not fresh any more, while a run renews it.
    Stale,
    /// The mechanism was on and no result was fresh: it ran.
    Miss,
    /// It follows the run of an identical statement.
    Joined,
    /// The mechanism was off, or `cacheTTL` was 0: it ran.
    Bypassed,
    /// `cacheRefresh` had it run and replace the entry.
    Refreshed,
}

impl CacheLookup {
    /// Every outcome.
    pub const ALL: [Self; 6] =
        [Self::Hit, Self::Stale, Self::Miss, Self::Joined, Self::Bypassed, Self::Refreshed];

    /// As metrics name it.
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
    /// FAILED with `USER_ERROR`; a cancel is one.
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

    /// As metrics name it.
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

/// What is under way at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Records that are not final.
    pub statements: usize,
    /// Runs that wait for a slot or for the engine to wake; identical statements share one (D20).
    pub queued_runs: usize,
    /// Runs that have a slot: planned, computed, or ending.
    pub active_runs: usize,
}

/// What a workspace's statements take at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkspaceLoad {
    /// Runs that have a slot.
    pub running: usize,
    /// Statements that wait for one, or for another's run.
    pub queued: usize,
    /// Bytes of the texts of both.
    pub text_bytes: usize,
    /// Bytes of all stored results.
    pub disk_bytes: u64,
    /// Memory that the runs with a slot may have together.
    pub memory_bytes: u64,
}

/// The engine at one moment.
#[derive(Clone, Debug)]
pub struct EngineMetrics {
    /// State of the service `SQL_ENGINE`.
    pub state: ServiceState,
    /// What is under way.
    pub load: Load,
    /// Statements at a time.
    pub slots: usize,
    /// Statements that may wait.
    pub max_queued_statements: usize,
    /// By workspace, those that have any, by SQL name.
    pub workspaces: Vec<(String, WorkspaceLoad)>,
    /// Requests that were refused because their token had made too many.
    pub refused_requests: u64,
    /// Worker processes.
    pub workers: WorkerCounts,
    /// Statements that have ended.
    pub statements: StatementMetrics,
    /// Stored results, as far as they have been counted.
    pub results: FileUsage,
    /// The store.
    pub store: StoreMetrics,
    /// Materialized views, in no order.
    pub views: Vec<ViewMetrics>,
}

/// Statements since the start of the server.
#[derive(Clone, Debug)]
pub struct StatementMetrics {
    /// Accepted ones by what the cache did.
    pub cache: Vec<(CacheLookup, u64)>,
    /// Ended ones by source and outcome; sources of the caller's own making are one.
    pub ended: Vec<(Source, EndOutcome, u64)>,
    /// From submission to end.
    pub elapsed: HistogramSnapshot,
}

/// Files of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileUsage {
    /// How many.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// The store since the start of the server.
#[derive(Clone, Debug)]
pub struct StoreMetrics {
    /// Writes that were asked for.
    pub writes: u64,
    /// Transactions that were committed; each holds one write or several.
    pub commits: u64,
    /// Transactions that failed.
    pub failed_commits: u64,
    /// Time of a transaction, its sync included.
    pub commit_time: HistogramSnapshot,
    /// Bytes of the database and of its log.
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
    /// What it serves; none before the first refresh.
    pub served: Option<ServedMetrics>,
}

/// The generation that a view serves.
#[derive(Clone, Copy, Debug)]
pub struct ServedMetrics {
    /// Its number.
    pub generation: u64,
    /// When its statement finished.
    pub refreshed_at: Timestamp,
    /// Its rows.
    pub rows: u64,
    /// Bytes of its files, indexes included.
    pub bytes: u64,
}
