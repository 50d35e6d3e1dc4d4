//! What runs statements. The engine knows only this trait; worker processes with the embedded engine and Trino
//! clusters implement it, both behind one that knows which workspace has which, and tests implement it with
//! planned faults.

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
    /// What its workspace runs on.
    pub engine: EngineKind,
    /// The text.
    pub sql: String,
    /// Values of the parameters that the text names, each once (D41): they are bound as typed constants and never
    /// become a part of the text.
    pub parameters: StatementParameters,
    /// What it may see.
    pub catalog: CatalogSnapshot,
    /// What its client has set for it.
    pub session: StatementSession,
    /// The user's name, for `current_user`.
    pub user: String,
    /// The moment of submission, for `current_timestamp` and its like.
    pub now: Timestamp,
    /// The Arrow IPC file to write; its folder exists, the file does not.
    pub output: PathBuf,
}

/// What a client's session says of a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatementSession {
    /// Catalog of a name without one; none for the workspace's own.
    pub catalog: Option<String>,
    /// Schema of a name without one; none for the workspace's own, empty where a name has to have one.
    pub schema: Option<String>,
    /// Properties for a cluster, by name.
    pub properties: BTreeMap<String, String>,
    /// The time zone, as Trino spells it: `+05:30` or a name of the IANA database. None for UTC on the embedded engine, and
    /// for a cluster's own.
    #[serde(default)]
    pub time_zone: Option<String>,
    /// Memory that the run may have, bytes, below the server's own limit.
    #[serde(default)]
    pub max_memory_bytes: Option<u64>,
}

/// What a run that does not fit into memory may put on disk, beside its output file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpillLimits {
    /// Memory of the statement, bytes: what is put on disk depends on it.
    pub memory_bytes: u64,
    /// Bytes on disk at a time.
    pub disk_bytes: u64,
}

/// What is told of a statement that met its limit.
pub fn memory_limit_exceeded(memory_bytes: u64) -> String {
    format!("Query exceeded per-statement memory limit of {} MiB", memory_bytes >> 20)
}

/// What a run tells while it goes on.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ExecutionEvent {
    /// It waits in another server's queue, which has given it an id of its own: the record shows that one.
    Accepted {
        /// The other server's id of it.
        id: StatementId,
    },
    /// It has left that queue: names and types are being resolved. An executor without a queue of its own starts
    /// with this and need not say it.
    Planning,
    /// Names and types are resolved; execution starts.
    Planned {
        /// Columns of the result.
        columns: Vec<Column>,
        /// The plan.
        output_stage: OutputStage,
    },
    /// Where it stands; the executor fills what it measures, the query life fills the rest.
    Progress(QueryStats),
}

/// A run that ended well: its rows are in the statement's output file, or here.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Execution {
    /// Columns of the result.
    pub columns: Vec<Column>,
    /// Rows of the result.
    pub row_count: u64,
    /// What it cost; the executor fills what it measures.
    pub stats: QueryStats,
    /// The plan with what was measured.
    pub output_stage: OutputStage,
    /// What it was made from; none where the executor cannot tell.
    pub sources: Option<Box<Sources>>,
    /// All of the output file, where it is small ([`SMALL_RESULT_BYTES`](crate::protocol::SMALL_RESULT_BYTES)) and was not
    /// written.
    #[serde(skip)]
    pub file: Option<Vec<u8>>,
}

/// A statement that is nothing but a few rows of constants, read and answered.
#[derive(Clone, Debug)]
pub struct ConstantRows {
    /// Which statement it is (D20).
    pub fingerprint: String,
    /// Its end, with its file.
    pub execution: Execution,
}

/// A table's files, looked at.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TableDescription {
    /// Columns as SQL sees them.
    pub columns: Vec<Column>,
    /// Where the files tell it without being read.
    pub row_count: Option<u64>,
}

/// Where names are asked for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum CatalogPlace {
    /// Catalogs, and what a name without a catalog or schema may mean.
    Root,
    /// The schemas of a catalog.
    Catalog {
        /// Its name.
        catalog: String,
    },
    /// The tables of a schema.
    Schema {
        /// Its catalog's name; without it the default one.
        catalog: Option<String>,
        /// Its name.
        schema: String,
    },
}

/// Worker processes by what they do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkerCounts {
    /// Warm, waiting for a statement.
    pub idle: usize,
    /// On their way to be warm.
    pub starting: usize,
    /// With a statement.
    pub busy: usize,
    /// Started since the start of the server.
    pub started_total: u64,
    /// What the kernel holds them to; none before the first has said it.
    pub sandbox: Option<SandboxReport>,
}

/// Takes a run's events; called from the executor's task, must not block.
pub type EventSink = Box<dyn FnMut(ExecutionEvent) + Send>;

/// Runs statements, each on its own.
pub trait Executor: Debug + Send + Sync {
    /// Runs a statement to its end. Dropping the future cancels it: its process is killed and its files are removed.
    fn execute(
        &self,
        statement: Statement,
        events: EventSink,
    ) -> BoxFuture<'_, Result<Execution, QueryError>>;

    /// What a text gives that is nothing but a few rows of constants, and so the same for everybody at any time; none of any
    /// other text, which is to be executed. Called where requests are served: it takes some microseconds, whatever the text.
    fn constant_rows(&self, _engine: &EngineKind, _text: &str) -> Option<ConstantRows> {
        None
    }

    /// Plans a statement without running it: the columns that it would give.
    fn analyze(&self, statement: Statement) -> BoxFuture<'_, Result<Vec<Column>, QueryError>>;

    /// Looks at the files of a table; works while the service is disabled.
    fn describe(
        &self,
        location: String,
        format: TableFormat,
    ) -> BoxFuture<'_, Result<TableDescription, QueryError>>;

    /// Makes ready to run (D21); returns when the first statement could start.
    fn wake(&self) -> BoxFuture<'_, Result<(), QueryError>>;

    /// Ends idle processes and gives their memory back; running statements are left alone.
    fn rest(&self) -> BoxFuture<'_, ()>;

    /// The processes that it runs statements in; none where it has none of its own.
    fn workers(&self) -> WorkerCounts {
        WorkerCounts::default()
    }

    /// Whether it can run statements of such a workspace.
    fn has(&self, engine: &EngineKind) -> bool {
        *engine == EngineKind::Polars
    }

    /// Whether statements of such a workspace may only read. Those of the embedded engine can do nothing else.
    fn is_read_only(&self, _: &EngineKind) -> bool {
        true
    }

    /// What a cluster has at a place, without functions; `user` is who asks.
    fn names(
        &self,
        engine: &EngineKind,
        place: CatalogPlace,
        user: &str,
    ) -> BoxFuture<'_, Result<Catalog, QueryError>> {
        let message = format!("'{engine}' has no catalogs of its own to tell {place:?} of to '{user}'");
        Box::pin(async { Err(QueryError::new(ErrorCode::NotSupported, message)) })
    }

    /// Other servers that run statements, as they were last seen.
    fn clusters(&self) -> Vec<ClusterStatus> {
        Vec::new()
    }
}
