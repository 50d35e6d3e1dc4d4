//! What the query cache had to do with a statement (D19, D108).

use serde::{Deserialize, Serialize};

use crate::{QueryId, Timestamp};

/// How a statement was answered, and why so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CacheVerdict {
    /// How it was answered.
    pub outcome: CacheOutcome,
    /// Seconds since the kept result was made, which answers it or would not do; absent where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub age_seconds: Option<u64>,
    /// Whether the kept result's sources have changed since; absent where there was none, or nobody can tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sources_changed: Option<bool>,
    /// Why it ran although the cache was asked, or what has changed, in words; absent where there is nothing to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// How a statement was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CacheOutcome {
    /// By a kept result.
    Hit,
    /// By a kept result that would not do any more, while a run renews it.
    Stale,
    /// The cache was asked and had no result that would do: it ran.
    Miss,
    /// By the run of an identical statement that was under way.
    Joined,
    /// The cache was not asked: it ran.
    Bypassed,
}

/// What makes a kept result that is young enough an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CacheCheck {
    /// Its age alone (D19).
    #[default]
    Age,
    /// Its sources, too, are what they were.
    Sources,
}

impl CacheVerdict {
    /// A verdict with nothing to add.
    pub const fn new(outcome: CacheOutcome) -> Self {
        Self { outcome, age_seconds: None, sources_changed: None, reason: None }
    }
}

/// A result that may answer later statements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CachedResult {
    /// The query that made it.
    pub query_id: QueryId,
    /// The beginning of its statement; absent where its record is not kept any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
    /// When it was made.
    pub created_at: Timestamp,
    /// Seconds since then.
    pub age_seconds: u64,
    /// Its rows.
    pub row_count: u64,
    /// Tables and views of the workspace that it was made from; absent where nobody can tell, as of a cluster's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables: Option<Vec<String>>,
    /// What may give other rows every time, such as `random`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volatile: Option<String>,
}

/// Response of `GET /cache`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CachedResults {
    /// All of the workspace's, or all of a table's.
    pub total_count: u64,
    /// The newest first.
    pub result: Vec<CachedResult>,
}

/// Response of `DELETE /cache`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PurgedCache {
    /// Results that answer no more.
    pub purged: u64,
}
