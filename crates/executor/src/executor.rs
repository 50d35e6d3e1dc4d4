//! The executor trait: what runs statements. The engine knows only this trait. Worker processes with the embedded
//! engine and Trino clusters implement it, both behind an executor that selects one by workspace; tests implement it
//! with injected faults.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;

use rowhouse_model::{
    Catalog, ClusterStatus, Column, EngineKind, ErrorCode, OutputStage, QueryError, QueryStats, StatementId,
    StatementParameters, TableFormat, Timestamp,
};
use serde::{Deserialize, Serialize};

use crate::catalog::CatalogSnapshot;
use crate::sandbox::SandboxReport;
use crate::sources::Sources;

/// A boxed future, as the trait's methods return.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// One statement to run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Statement {
    /// The run's id.
    pub id: StatementId,
    /// The engine of its workspace.
    pub engine: EngineKind,
    /// Text of the statement.
    pub sql: String,
    /// Values of the parameters that the text names, each once (D41). They are bound as typed constants and are never
    /// inserted into the text.
    pub parameters: StatementParameters,
    /// The tables that it may read.
    pub catalog: CatalogSnapshot,
    /// Session settings of its client.
    pub session: StatementSession,
    /// The user's name, for `current_user`.
    pub user: String,
    /// The time of submission, for `current_timestamp` and similar functions.
    pub now: Timestamp,
    /// The Arrow IPC file to write; its folder exists, the file does not.
    pub output: PathBuf,
    /// Maximum length of that file; none means no limit.
    #[serde(default)]
    pub output_limit: Option<OutputLimit>,
}

/// The maximum length of an output file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutputLimit {
    /// Maximum bytes of the file.
    pub bytes: u64,
    /// Message for a statement whose file would be longer; it names the setting.
    pub message: String,
}

impl OutputLimit {
    /// The error of a statement whose file would be longer.
    pub fn error(&self) -> QueryError {
        QueryError::new(ErrorCode::GenericInsufficientResources, self.message.clone())
    }
}

/// The settings of a client's session that concern a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementSession {
    /// Session catalog, for unqualified names; none means the workspace's own.
    pub catalog: Option<String>,
    /// Session schema, for unqualified names; none means the workspace's own, an empty text means that names must be
    /// qualified.
    pub schema: Option<String>,
    /// Properties for a Trino cluster, by name.
    pub properties: BTreeMap<String, String>,
    /// The time zone in Trino's spelling: `+05:30` or a name of the IANA database. None means UTC on the embedded
    /// engine, and the cluster's own on a cluster.
    #[serde(default)]
    pub time_zone: Option<String>,
    /// Memory limit of the run, bytes, if below the server's own limit.
    #[serde(default)]
    pub max_memory_bytes: Option<u64>,
}

impl StatementSession {
    /// Its defaults for names without a catalog and a schema.
    pub fn default_names(&self) -> impl Iterator<Item = &str> {
        self.catalog.iter().chain(&self.schema).map(String::as_str)
    }
}

/// Limits of a run that spills, beside its output file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpillLimits {
    /// Memory limit of the statement, bytes; it decides what is spilled.
    pub memory_bytes: u64,
    /// Maximum bytes on disk at a time.
    pub disk_bytes: u64,
}

/// The message for a statement that reached its memory limit.
pub fn memory_limit_exceeded(memory_bytes: u64) -> String {
    format!("Query exceeded per-statement memory limit of {} MiB", memory_bytes >> 20)
}

/// An event of a run in progress.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ExecutionEvent {
    /// Another server has queued the statement under its own id, which the record then shows.
    Accepted {
        /// The id on the other server.
        id: StatementId,
    },
    /// The statement has left that queue: names and types are being resolved. An executor without a queue starts in
    /// this state and need not send the event.
    Planning,
    /// Names and types are resolved; execution starts.
    Planned {
        /// Columns of the result.
        columns: Vec<Column>,
        /// The plan.
        output_stage: OutputStage,
    },
    /// Progress so far. The executor fills the statistics that it measures, the life of the query fills the rest.
    Progress(QueryStats),
    /// The file that is being written and becomes the output file at the end. Workers do not send this event.
    #[serde(skip)]
    Writes(PathBuf),
}

/// A run that succeeded: its rows are in the statement's output file, or in [`file`](Self::file).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Execution {
    /// Columns of the result.
    pub columns: Vec<Column>,
    /// Rows of the result.
    pub row_count: u64,
    /// Its statistics; the executor fills those that it measures.
    pub stats: QueryStats,
    /// The plan with measurements.
    pub output_stage: OutputStage,
    /// The tables that it was computed from; none if the executor cannot tell.
    pub sources: Option<Box<Sources>>,
    /// The whole output file if it is small ([`SMALL_RESULT_BYTES`](crate::protocol::SMALL_RESULT_BYTES)) and was not
    /// written.
    #[serde(skip)]
    pub file: Option<Vec<u8>>,
}

/// A statement that only lists rows of constants (D138), with its result.
#[derive(Clone, Debug)]
pub struct ConstantRows {
    /// Fingerprint of the statement, its cache key (D20).
    pub fingerprint: String,
    /// Its execution, with the bytes of the output file.
    pub execution: Execution,
}

/// Description of a table's files.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TableDescription {
    /// Columns as SQL sees them.
    pub columns: Vec<Column>,
    /// Row count, if the files' metadata has it.
    pub row_count: Option<u64>,
}

/// The level of the catalog tree whose names are listed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CatalogPlace {
    /// Catalogs, and the candidates for a name without a catalog or schema.
    Root,
    /// The schemas of a catalog.
    Catalog {
        /// Its name.
        catalog: String,
    },
    /// The tables of a schema.
    Schema {
        /// Its catalog's name; none means the default catalog.
        catalog: Option<String>,
        /// Its name.
        schema: String,
    },
}

/// Worker processes by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkerCounts {
    /// Warm, waiting for a statement.
    pub idle: usize,
    /// Starting.
    pub starting: usize,
    /// Running a statement.
    pub busy: usize,
    /// Started since the server started.
    pub started_total: u64,
    /// The sandbox that the kernel enforces on them; none before the first worker has reported it.
    pub sandbox: Option<SandboxReport>,
}

/// Receives a run's events; called from the executor's task, must not block.
pub type EventSink = Box<dyn FnMut(ExecutionEvent) + Send>;

/// Runs statements, each independently.
pub trait Executor: Debug + Send + Sync {
    /// Runs a statement to its end. Dropping the future cancels it: its process is killed and its files are removed.
    fn execute(
        &self,
        statement: Statement,
        events: EventSink,
    ) -> BoxFuture<'_, Result<Execution, QueryError>>;

    /// The rows of a statement that only lists constants (D138), which are the same for every caller; none for any
    /// other text, which must be executed. It is called while a request is served and takes some microseconds, whatever
    /// the text.
    fn constant_rows(&self, _engine: &EngineKind, _text: &str) -> Option<ConstantRows> {
        None
    }

    /// Plans a statement without running it; returns the columns that it would have.
    fn analyze(&self, statement: Statement) -> BoxFuture<'_, Result<Vec<Column>, QueryError>>;

    /// Inspects the files of a table; works while the service is disabled.
    fn describe(
        &self,
        location: String,
        format: TableFormat,
    ) -> BoxFuture<'_, Result<TableDescription, QueryError>>;

    /// Prepares to run statements (D21); returns when the first statement could start.
    fn wake(&self) -> BoxFuture<'_, Result<(), QueryError>>;

    /// Ends idle processes and frees their memory; running statements are not affected.
    fn rest(&self) -> BoxFuture<'_, ()>;

    /// Its worker processes; all zero if it has none.
    fn workers(&self) -> WorkerCounts {
        WorkerCounts::default()
    }

    /// Whether it can run statements of a workspace on this engine.
    fn has(&self, engine: &EngineKind) -> bool {
        *engine == EngineKind::Polars
    }

    /// Whether statements of a workspace on this engine are read-only. Those of the embedded engine always are.
    fn is_read_only(&self, _: &EngineKind) -> bool {
        true
    }

    /// Names at a place of a cluster's catalog tree, without functions; `user` is the caller.
    fn names(
        &self,
        engine: &EngineKind,
        place: CatalogPlace,
        user: &str,
    ) -> BoxFuture<'_, Result<Catalog, QueryError>> {
        let message = format!("'{engine}' has no catalogs of its own to tell {place:?} of to '{user}'");
        Box::pin(async { Err(QueryError::new(ErrorCode::NotSupported, message)) })
    }

    /// The other servers that run statements, as last seen.
    fn clusters(&self) -> Vec<ClusterStatus> {
        Vec::new()
    }
}
