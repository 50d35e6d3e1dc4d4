//! What an operator can set of statements.

use std::time::Duration;

/// Settings of statements. A reload may change all but the numbers of places and the memory.
#[derive(Clone, Debug)]
pub(crate) struct QueryConfig {
    /// Statements at a time in worker processes, one at least.
    pub(crate) concurrency: usize,
    /// Statements at a time on clusters; 0 where there is none.
    pub(crate) trino_concurrency: usize,
    /// Memory that one statement in a worker process may have, unless its session asks for less.
    pub(crate) memory_limit_bytes: u64,
    /// Time of one statement's planning and running.
    pub(crate) statement_timeout: Duration,
    /// Statements that may wait (D27).
    pub(crate) max_queued_statements: usize,
    /// Bytes of one statement's text (D27).
    pub(crate) max_sql_bytes: usize,
    /// How long a result can be read (D27).
    pub(crate) result_retention: Duration,
    /// How long a record is kept (D27).
    pub(crate) record_retention: Duration,
    /// Bytes of long texts that are kept of a workspace's ended statements.
    pub(crate) max_record_text_bytes: u64,
    /// Whether a workspace's oldest results go where a new one finds no room; else the new one fails.
    pub(crate) gives_up_oldest: bool,
}
