//! Saved SQL and the statistics of its last run (D28).

use serde::{Deserialize, Serialize};

use crate::{
    AccountId, QueryStats, RowShape, SavedSqlId, Source, StatementParameters, Timestamp, WorkspaceId,
};

/// A stored statement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedSql {
    /// Its id.
    pub id: SavedSqlId,
    /// Displayed title; need not be unique.
    pub title: String,
    /// Optional description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The SQL code.
    pub sql: String,
    /// Owning workspace.
    pub workspace_id: WorkspaceId,
    /// The account that created it; present in the list response, absent in the create response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<AccountId>,
    /// Its name as an endpoint; absent if it is not one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql_name: Option<String>,
}

/// An earlier version of a saved SQL, and who saved it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedSqlVersion {
    /// Its number; numbers ascend, and the oldest versions are deleted.
    pub version: u64,
    /// The title.
    pub title: String,
    /// The description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The SQL code.
    pub sql: String,
    /// Who saved it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<AccountId>,
    /// The name of this account's user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// When it was saved.
    pub created_at: Timestamp,
}

/// Response of `GET /sql/:id`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedSqlStatistics {
    /// Id of the saved SQL.
    pub id: SavedSqlId,
    /// Statistics of its last run.
    pub stats: StatementStats,
}

/// The sixteen statistics of the specification; names and units as in [`QueryStats`].
#[expect(missing_docs, reason = "each field is documented at the field of the same name of QueryStats")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StatementStats {
    pub state: String,
    pub queued: bool,
    pub scheduled: bool,
    pub nodes: u64,
    pub total_splits: u64,
    pub queued_splits: u64,
    pub running_splits: u64,
    pub completed_splits: u64,
    pub cpu_time_millis: u64,
    pub wall_time_millis: u64,
    pub queued_time_millis: u64,
    pub elapsed_time_millis: u64,
    pub processed_rows: u64,
    pub processed_bytes: u64,
    pub peak_memory_bytes: u64,
    pub spilled_bytes: u64,
}

impl StatementStats {
    /// The statistics of a saved SQL that has never run (D28).
    pub fn none() -> Self {
        Self::from(&QueryStats { state: "NONE".to_owned(), ..QueryStats::default() })
    }
}

impl From<&QueryStats> for StatementStats {
    fn from(stats: &QueryStats) -> Self {
        Self {
            state: stats.state.clone(),
            queued: stats.queued,
            scheduled: stats.scheduled,
            nodes: stats.nodes,
            total_splits: stats.total_splits,
            queued_splits: stats.queued_splits,
            running_splits: stats.running_splits,
            completed_splits: stats.completed_splits,
            cpu_time_millis: stats.cpu_time_millis,
            wall_time_millis: stats.wall_time_millis,
            queued_time_millis: stats.queued_time_millis,
            elapsed_time_millis: stats.elapsed_time_millis,
            processed_rows: stats.processed_rows,
            processed_bytes: stats.processed_bytes,
            peak_memory_bytes: stats.peak_memory_bytes,
            spilled_bytes: stats.spilled_bytes,
        }
    }
}

/// Body of `POST /sql`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateSavedSql {
    /// Owning workspace.
    pub workspace_id: WorkspaceId,
    /// The SQL code.
    pub sql: String,
    /// Optional description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Displayed title.
    pub title: String,
    /// Its name as an endpoint, unique among the workspace's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql_name: Option<String>,
}

/// Body of `PUT /sql/:id`: absent fields are unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UpdateSavedSql {
    /// Owning workspace.
    pub workspace_id: WorkspaceId,
    /// The new SQL code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
    /// The new description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The new title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The new name as an endpoint; null: it is no longer one.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::nullable")]
    pub sql_name: Option<Option<String>>,
    /// Restores title, description and SQL code of this version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
}

/// Body of `POST /sql/:id`, which executes the saved SQL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ExecuteSavedSql {
    /// Owning workspace.
    pub workspace_id: WorkspaceId,
    /// What executes it (D14).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// Values of the parameters that its statement names (D41).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<StatementParameters>,
    /// Seconds to wait for the end before answering.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<u64>,
    /// Number of first rows to include in the answer, if the query is FINISHED by then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
    /// The form of these rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<RowShape>,
    /// The time zone of the session, as in [`SubmitQuery`](crate::SubmitQuery).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
}

/// Response of `GET /sql/:id/calls`: statistics of an endpoint's calls in the last 24 hours, or since the server
/// started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EndpointCalls {
    /// All calls.
    pub calls: u64,
    /// Calls that a cached result answered.
    pub kept: u64,
    /// Calls that were answered with 202.
    pub unfinished: u64,
    /// Calls that were refused, or whose query failed.
    pub failed: u64,
    /// Median time to answer calls with rows, milliseconds, accurate to a quarter; absent if there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p50_millis: Option<f64>,
    /// The same for the 95th percentile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p95_millis: Option<f64>,
}
