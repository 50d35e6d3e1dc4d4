//! What is submitted: a text and what its caller wants of it.

use std::time::Duration;

use rowhouse_executor::StatementSession;
use rowhouse_model::{CacheCheck, SavedSqlId, Source, StatementParameters, ViewId};

/// A statement to run.
#[derive(Clone, Debug)]
pub struct Submission {
    /// Its text.
    pub sql: String,
    /// Values of the parameters that it names (D41).
    pub parameters: StatementParameters,
    /// The cache mechanism, where the caller gave both fields (D19).
    pub cache: Option<CachePolicy>,
    /// What submits it.
    pub source: Source,
    /// The saved SQL that it runs.
    pub saved_sql: Option<SavedSqlId>,
    /// What its result is for.
    pub purpose: Purpose,
    /// What its client has set for it.
    pub session: StatementSession,
    /// How long it may run, where the client wants less than the server allows.
    pub max_run_time: Option<Duration>,
}

impl Submission {
    /// A statement by its text, for its rows: without parameters, cache or session.
    pub fn new(sql: impl Into<String>) -> Self {
        Self {
            sql: sql.into(),
            parameters: StatementParameters::default(),
            cache: None,
            source: Source::Api,
            saved_sql: None,
            purpose: Purpose::Result,
            session: StatementSession::default(),
            max_run_time: None,
        }
    }
}

/// How the cache is used (D19).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CachePolicy {
    /// Seconds for which an entry is fresh; 0 always runs.
    pub ttl_seconds: u64,
    /// Run even if an entry is fresh, and replace it.
    pub refresh: bool,
    /// What else an entry must be; none: as the workspace says, or its age alone.
    pub check: Option<CacheCheck>,
    /// Seconds beyond these in which an entry answers that is to be renewed (D117); 0 is none.
    pub stale_seconds: u64,
}

/// What a statement's result is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To be read by the caller.
    Result,
    /// To become the next generation of a view.
    Refresh {
        /// The view.
        view: ViewId,
    },
}
