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
    /// Present in the list response, absent in the create response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<AccountId>,
    /// Its name as an endpoint; absent where it is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql_name: Option<String>,
}

/// A saved SQL as it was, and who made it so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedSqlVersion {
    /// Its number; they ascend, and the oldest are given up.
    pub version: u64,
    /// The title.
    pub title: String,
    /// The description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The SQL code.
    pub sql: String,
    /// Who made it so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<AccountId>,
    /// The name of this account's user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub username: Option<String>,
    /// When.
    pub created_at: Timestamp,
}

/// Response of `GET /sql/:id`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedSqlStatistics {
    /// Id of the saved SQL.
    pub id: SavedSqlId,
    /// Of its last run.
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
    /// Of a saved SQL that has never run (D28).
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

/// Body of `PUT /sql/:id`: what is absent stays.
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
    /// The new name as an endpoint; null: it is none any more.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::nullable")]
    pub sql_name: Option<Option<String>>,
    /// Back to what title, description and SQL code were in this version.
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
    /// Seconds to wait for the end before the answer is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wait: Option<u64>,
    /// First rows to have in the answer, where the query is FINISHED by then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u64>,
    /// The form of these rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shape: Option<RowShape>,
    /// The time zone of the session, as in [`SubmitQuery`](crate::SubmitQuery).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
}

/// Response of `GET /sql/:id/calls`: what calls of an endpoint were like in the last 24 hours, since the server's start at
/// most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EndpointCalls {
    /// All of them.
    pub calls: u64,
    /// Those that a kept result has answered.
    pub kept: u64,
    /// Those that were answered with 202.
    pub unfinished: u64,
    /// Those that were refused, or whose query failed.
    pub failed: u64,
    /// Milliseconds within which half of those with rows were answered, true to a quarter; absent without any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p50_millis: Option<f64>,
    /// The same for 95 of 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p95_millis: Option<f64>,
}
