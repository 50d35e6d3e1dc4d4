//! Settings of statements.

use std::sync::Arc;
use std::time::Duration;

use rowhouse_model::EngineKind;

/// Settings of statements. A reload may change all but the numbers of slots, the clusters and the memory.
#[derive(Clone, Debug)]
pub(crate) struct QueryConfig {
    /// Concurrent statements in worker processes, at least one.
    pub(crate) concurrency: usize,
    /// Concurrent statements on clusters; 0 if there is none.
    pub(crate) trino_concurrency: usize,
    /// The clusters.
    pub(crate) clusters: Arc<[EngineKind]>,
    /// Memory that one statement in a worker process may have, unless its session asks for less.
    pub(crate) memory_limit_bytes: u64,
    /// Time of one statement's planning and running.
    pub(crate) statement_timeout: Duration,
    /// How long an answer waits for the planning of a statement, so that a statement that names missing objects is
    /// answered as FAILED (D4).
    pub(crate) planning_wait: Duration,
    /// Maximum number of waiting statements (D27).
    pub(crate) max_queued_statements: usize,
    /// Maximum length of one statement's text, bytes (D27).
    pub(crate) max_sql_bytes: usize,
    /// How long a result can be read (D27).
    pub(crate) result_retention: Duration,
    /// How long a record is stored (D27).
    pub(crate) record_retention: Duration,
    /// Bytes of long texts that are stored for a workspace's ended statements.
    pub(crate) max_record_text_bytes: u64,
    /// Maximum number of records of a workspace; 0 is no limit.
    pub(crate) max_records: u64,
    /// Whether a workspace's oldest results are deleted if a new one exceeds its disk space; otherwise the new one
    /// fails.
    pub(crate) gives_up_oldest: bool,
}
