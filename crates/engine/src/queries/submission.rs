//! A submission: a text and its options.

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
    /// The cache policy, if the caller gave both fields (D19).
    pub cache: Option<CachePolicy>,
    /// Its source.
    pub source: Source,
    /// The saved SQL that is executed.
    pub saved_sql: Option<SavedSqlId>,
    /// The purpose of its result.
    pub purpose: Purpose,
    /// Session settings of its client.
    pub session: StatementSession,
    /// Whether it lists other workspaces and names them by their schema alone, as clients of Trino's protocol do; else it
    /// names them as `rowhouse.WORKSPACE.TABLE` (D127).
    pub lists_other_workspaces: bool,
    /// Time limit, if the client wants less than the server allows.
    pub max_run_time: Option<Duration>,
    /// Whether the caller will probably answer only when the statement has ended, so that the commit of its row may be
    /// deferred.
    pub awaits_end: bool,
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
            lists_other_workspaces: false,
            max_run_time: None,
            awaits_end: false,
        }
    }
}

/// The cache policy (D19).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CachePolicy {
    /// Seconds for which an entry is fresh; 0 always runs.
    pub ttl_seconds: u64,
    /// Run even if an entry is fresh, and replace it.
    pub refresh: bool,
    /// A further condition for entries; `None`: the workspace's setting, or age alone.
    pub check: Option<CacheCheck>,
    /// Seconds beyond that in which an entry answers while a run renews it (D117); 0 means none.
    pub stale_seconds: u64,
}

/// The purpose of a statement's result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The caller reads it.
    Result,
    /// It becomes the next generation of a view.
    Refresh {
        /// The view.
        view: ViewId,
    },
}
