//! Materialized views: their definitions and served generations (D22–D26).

use serde::{Deserialize, Serialize};

use crate::{Column, QueryId, Timestamp, ViewId, WorkspaceId};

/// A view as the management endpoints show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct MaterializedView {
    /// Its id.
    pub id: ViewId,
    /// Owning workspace.
    pub workspace_id: WorkspaceId,
    /// Its name in SQL and in Interface B's path.
    pub sql_name: String,
    /// Displayed title.
    pub title: Option<String>,
    /// Optional description.
    pub description: Option<String>,
    /// The defining statement with its comments.
    pub sql: String,
    /// Cron of five fields, or `@every 10m`.
    pub schedule: Option<String>,
    /// The required filters as `column:OPERATOR` or `column` (D24).
    pub required_filters: Vec<String>,
    /// Columns of the served generation, or of the definition before the first.
    pub columns: Vec<Column>,
    /// Row count of the served generation; null before the first.
    pub row_count: Option<u64>,
    /// Number of the served generation; null before the first.
    pub generation: Option<u64>,
    /// Creation time of the served generation.
    pub refreshed_at: Option<Timestamp>,
    /// Why the last refresh failed; null after a successful one (D26).
    pub last_error: Option<String>,
}

/// Element of the response of `GET /materializedView/:id/generations`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ViewGeneration {
    /// Its number; the view's `generation` is the number of the served one.
    pub generation: u64,
    /// Creation time.
    pub refreshed_at: Timestamp,
    /// Its row count.
    pub row_count: u64,
    /// The query that computed it; null for a generation of a server version that did not store it yet.
    pub query_id: Option<QueryId>,
}

/// Response of `POST /materializedView` and of a `PUT` that refreshes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreatedMaterializedView {
    /// The view.
    #[serde(flatten)]
    pub view: MaterializedView,
    /// The query that fills it; null if the refresh was refused (D26) or not needed.
    pub refresh_query_id: Option<QueryId>,
}

/// Body of `POST /materializedView`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CreateMaterializedView {
    /// Owning workspace.
    pub workspace_id: WorkspaceId,
    /// Its name in SQL, `[a-z_][a-z0-9_]{0,62}`, unique in the workspace.
    pub sql_name: String,
    /// The defining statement with its comments.
    pub sql: String,
    /// Displayed title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Optional description.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Cron of five fields, or `@every 10m`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<String>,
}

/// Body of `PUT /materializedView/:id`: absent fields are unchanged, null removes a title, description or schedule.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UpdateMaterializedView {
    /// A new name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql_name: Option<String>,
    /// A new statement; the view is refreshed at once (D26).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
    /// A new title.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::nullable")]
    pub title: Option<Option<String>>,
    /// A new description.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::nullable")]
    pub description: Option<Option<String>>,
    /// A new schedule.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::nullable")]
    pub schedule: Option<Option<String>>,
}

/// Body of `POST /materializedView/:id/refresh`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RefreshMaterializedView {
    /// Owning workspace.
    pub workspace_id: WorkspaceId,
}
