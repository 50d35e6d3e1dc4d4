//! How the query cache treated a statement (D19, D108).

use serde::{Deserialize, Serialize};

use crate::{QueryId, Timestamp};

/// How a statement was answered, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CacheVerdict {
    /// How it was answered.
    pub outcome: CacheOutcome,
    /// Age in seconds of the cached result, whether it answered or did not qualify; absent if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub age_seconds: Option<u64>,
    /// Whether the sources of the cached result have changed since; absent if there was no result, or if it cannot be
    /// determined.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sources_changed: Option<bool>,
    /// Why the statement ran although the cache was consulted, or what has changed, in words; absent if there is no
    /// reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// How a statement was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CacheOutcome {
    /// A cached result answered.
    Hit,
    /// A cached result that no longer qualifies answered, while a run renews it.
    Stale,
    /// The cache was consulted and had no result that qualifies; the statement ran.
    Miss,
    /// The run of an identical statement that was in progress answered.
    Joined,
    /// The cache was not consulted; the statement ran.
    Bypassed,
}

/// What qualifies a cached result that is young enough.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CacheCheck {
    /// Its age alone counts (D19).
    #[default]
    Age,
    /// Its sources must be unchanged, too.
    Sources,
}

impl CacheVerdict {
    /// A verdict without further facts.
    pub const fn new(outcome: CacheOutcome) -> Self {
        Self { outcome, age_seconds: None, sources_changed: None, reason: None }
    }
}

/// A result that may answer later statements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CachedResult {
    /// The query that produced it.
    pub query_id: QueryId,
    /// The beginning of its statement; absent if its record was removed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
    /// Creation time.
    pub created_at: Timestamp,
    /// Seconds since then.
    pub age_seconds: u64,
    /// Its row count.
    pub row_count: u64,
    /// Tables and views of the workspace that it was computed from; absent if unknown, as on a cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<Vec<String>>,
    /// A source that may give other rows every time, such as `random`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volatile: Option<String>,
}

/// Response of `GET /cache`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CachedResults {
    /// Number of all results of the workspace, or of the table.
    pub total_count: u64,
    /// The results, newest first.
    pub result: Vec<CachedResult>,
}

/// Response of `DELETE /cache`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PurgedCache {
    /// Number of results that no longer answer.
    pub purged: u64,
}
