//! Statements and their records (D9–D17).

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    AccountId, CacheCheck, CacheVerdict, Column, QueryError, QueryId, Role, StatementId, StatementParameters,
    Timestamp, WorkspaceId,
};

/// Status of a statement (D9): it only moves forwards; [`Finished`](Self::Finished) and [`Failed`](Self::Failed) are
/// final.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum QueryStatus {
    /// Accepted and durable, waiting for a slot or for the engine to wake.
    Queued,
    /// Names and types are being resolved.
    Planning,
    /// Rows are being computed.
    Running,
    /// All rows are stored.
    Finished,
    /// Ended without a result; `error` says why.
    Failed,
}

impl QueryStatus {
    /// Whether polling may end.
    pub const fn is_final(self) -> bool {
        matches!(self, Self::Finished | Self::Failed)
    }

    /// Upper case, as on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "QUEUED",
            Self::Planning => "PLANNING",
            Self::Running => "RUNNING",
            Self::Finished => "FINISHED",
            Self::Failed => "FAILED",
        }
    }
}

/// What submitted a statement (D14); text that is not a known name is kept as given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Source {
    /// `API`, the default.
    #[default]
    Api,
    /// `WEB`: the page.
    Web,
    /// `CLI`: the command line.
    Cli,
    /// `NOTEBOOK`.
    Notebook,
    /// `SAVED_SQL`.
    SavedSql,
    /// `SCHEDULE`: a scheduled refresh.
    Schedule,
    /// `MATERIALIZED_VIEW`: a refresh on demand.
    MaterializedView,
    /// Any other text.
    Other(String),
}

impl Source {
    /// The text on the wire.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Api => "API",
            Self::Web => "WEB",
            Self::Cli => "CLI",
            Self::Notebook => "NOTEBOOK",
            Self::SavedSql => "SAVED_SQL",
            Self::Schedule => "SCHEDULE",
            Self::MaterializedView => "MATERIALIZED_VIEW",
            Self::Other(text) => text,
        }
    }
}

impl From<String> for Source {
    fn from(text: String) -> Self {
        match text.as_str() {
            "API" => Self::Api,
            "WEB" => Self::Web,
            "CLI" => Self::Cli,
            "NOTEBOOK" => Self::Notebook,
            "SAVED_SQL" => Self::SavedSql,
            "SCHEDULE" => Self::Schedule,
            "MATERIALIZED_VIEW" => Self::MaterializedView,
            _ => Self::Other(text),
        }
    }
}

impl From<Source> for String {
    fn from(source: Source) -> Self {
        match source {
            Source::Other(text) => text,
            known => known.as_str().to_owned(),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How a result is stored (D14).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum DataFormat {
    /// An Arrow IPC file.
    Arrow,
    /// A Parquet file.
    Parquet,
    /// JSON text.
    Json,
    /// CSV text.
    Csv,
}

/// The record of one submitted statement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Query {
    /// Id of the record.
    pub id: QueryId,
    /// The executor's id of the run; null until there is a run, and for a cache hit (D9).
    pub statement_id: Option<StatementId>,
    /// Who submitted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub account_id: Option<AccountId>,
    /// Its status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<QueryStatus>,
    /// When it was accepted (D13).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started_at: Option<Timestamp>,
    /// The statement's text; absent if it was long and is no longer stored (D65).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sql: Option<String>,
    /// The values of its parameters as given; absent if there were none (D41), or if the text is absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<StatementParameters>,
    /// Milliseconds from `startedAt` to the end, or so far (D13).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<u64>,
    /// The workspace it runs in.
    pub workspace_id: WorkspaceId,
    /// The workspace's SQL name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workspace_sql_name: Option<String>,
    /// Other workspaces that the statement may have read or listed; absent if it has seen only its own. A caller who
    /// may not query all of them sees neither its rows nor its columns nor its errors (D127).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_workspaces: Option<Vec<WorkspaceId>>,
    /// The stored result inside the data directory, never an absolute path (D14).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// Why it failed (D5).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<QueryError>,
    /// The name of the account's user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    /// The submitter's role in the workspace (D14).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_type: Option<Role>,
    /// Rows of the whole result (D13).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row_count: Option<u64>,
    /// Whether the result came from the cache (D19).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_cache: Option<bool>,
    /// How the cache treated it, if the cache was consulted (D108).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache: Option<CacheVerdict>,
    /// What submitted it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// The result's columns, once known (D15).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<Column>>,
    /// Statistics of the run (D16).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query_stats: Option<QueryStats>,
    /// The plan as a tree of stages (D16).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_stage: Option<OutputStage>,
    /// How the result is stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data_format: Option<DataFormat>,
}

impl Query {
    /// A record without any other fields.
    pub const fn bare(id: QueryId, workspace_id: WorkspaceId) -> Self {
        Self {
            id,
            statement_id: None,
            account_id: None,
            status: None,
            started_at: None,
            sql: None,
            parameters: None,
            duration: None,
            workspace_id,
            workspace_sql_name: None,
            other_workspaces: None,
            location: None,
            error: None,
            user_id: None,
            user_type: None,
            row_count: None,
            from_cache: None,
            cache: None,
            source: None,
            columns: None,
            query_stats: None,
            output_stage: None,
            data_format: None,
        }
    }

    /// Bytes of the statement's text and parameters in memory.
    pub fn text_bytes(&self) -> usize {
        let parameters = self.parameters.as_ref().map_or(0, StatementParameters::size_bytes);
        self.sql.as_ref().map_or(0, String::len) + parameters
    }

    /// Approximate bytes of the result's columns as JSON.
    pub fn columns_bytes(&self) -> usize {
        self.columns.iter().flatten().map(Column::size_bytes).sum()
    }
}

/// Trino's statistics with numeric milliseconds and bytes (D16).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QueryStats {
    /// The state's name; `NONE` before any run (D28).
    pub state: String,
    /// Whether it waits for a slot.
    pub queued: bool,
    /// Whether its work was passed to the executor.
    pub scheduled: bool,
    /// Processes or machines that work on it.
    pub nodes: u64,
    /// Units of scan work: files, or the executor's own.
    pub total_splits: u64,
    /// Splits that wait.
    pub queued_splits: u64,
    /// Splits that are being read.
    pub running_splits: u64,
    /// Splits that are complete.
    pub completed_splits: u64,
    /// CPU time of the run.
    pub cpu_time_millis: u64,
    /// Time from the start of execution to its end.
    pub wall_time_millis: u64,
    /// Time spent waiting for a slot.
    pub queued_time_millis: u64,
    /// Time from submission to the end, or so far.
    pub elapsed_time_millis: u64,
    /// Rows of the scanned input.
    pub processed_rows: u64,
    /// Bytes of the scanned input.
    pub processed_bytes: u64,
    /// Peak of the memory that the run had allocated, bytes.
    pub peak_memory_bytes: u64,
    /// Bytes that were spilled to disk.
    pub spilled_bytes: u64,
    /// Time of parsing, resolving and optimizing.
    #[serde(default)]
    pub planning_time_millis: u64,
    /// Time of execution alone.
    #[serde(default)]
    pub execution_time_millis: u64,
    /// Rows of the result.
    #[serde(default)]
    pub output_rows: u64,
    /// Bytes of the stored result.
    #[serde(default)]
    pub output_bytes: u64,
    /// Share of splits completed, 0 to 100.
    #[serde(default)]
    pub progress_percentage: f64,
}

/// A node of the executed plan (D16).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OutputStage {
    /// Number of the stage, the root is 0.
    pub stage_id: String,
    /// `PLANNED`, `RUNNING`, `FINISHED` or `FAILED`.
    pub state: String,
    /// What the stage does: `TableScan[tpch.tiny.orders]`, `Join[INNER]`.
    pub operator: String,
    /// Rows that the stage returned, if measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_rows: Option<u64>,
    /// Bytes that the stage returned, if measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_bytes: Option<u64>,
    /// The stages that it reads from.
    pub sub_stages: Vec<OutputStage>,
}

/// Response of `GET /queries`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QueryList {
    /// Number of all records of the workspace (D12).
    pub total_count: u64,
    /// The records, newest first.
    pub result: Vec<Query>,
}

/// Response of `GET /query/:id/result`, as a client reads it; the server streams it.
///
/// `R` is the type of the rows: a `Vec` of tuples or structs, or [`Value`], which stores non-integer numbers as `f64`;
/// decimals with more digits need another type.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct QueryResult<R = Value> {
    /// An array of rows, each an array of values or an object (D17).
    pub result: R,
    /// The columns (D15).
    pub columns: Vec<Column>,
    /// Rows of the whole result, not of the page (D13).
    pub row_count: u64,
}

/// Response of `GET /query/:id/result/signedUrls` (D42).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignedUrls {
    /// The files, in the order of their rows.
    pub urls: Vec<SignedUrl>,
    /// The same links as absolute addresses, at the host that the request names: the form that Canner's client reads.
    #[serde(default)]
    pub signed_urls: Vec<String>,
    /// Expiry time of the links.
    pub expires_at: Timestamp,
    /// Rows of all files.
    pub row_count: u64,
    /// The columns (D15).
    pub columns: Vec<Column>,
}

/// The form of rows (D17).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RowShape {
    /// `arrays`: in the order of the columns.
    Arrays,
    /// `objects`: a key for each column.
    Objects,
}

/// A link to a Parquet file of some rows of a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignedUrl {
    /// Path and query, to be put after the server's address; no token is needed.
    pub url: String,
    /// Rows before those of this file.
    pub offset: u64,
    /// Rows of this file.
    pub row_count: u64,
}

/// Body of `POST /query`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubmitQuery {
    /// The workspace to run in.
    pub workspace_id: WorkspaceId,
    /// The statement.
    pub sql: String,
    /// Run even if a cached result is fresh, and replace it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_refresh: Option<bool>,
    /// Seconds for which a cached result is fresh.
    #[serde(default, rename = "cacheTTL", skip_serializing_if = "Option::is_none")]
    pub cache_ttl: Option<u64>,
    /// What else qualifies a cached result; default: its age alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_check: Option<CacheCheck>,
    /// Seconds beyond `cache_ttl` in which a cached result answers while a run renews it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cache_stale: Option<u64>,
    /// What submits it (D14).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// Values of the parameters that the statement names (D41).
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
    /// The time zone of the session: a name of the IANA database or an offset such as `+05:30`; UTC without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
}

/// Body of `PUT /query/:id/cancel`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CancelQuery {
    /// The query's workspace.
    pub workspace_id: WorkspaceId,
}
