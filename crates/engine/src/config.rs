//! Settings of the engine, with the defaults of D21 and D27. The settings of each part are derived here; a part defines
//! its own settings and does not know the others.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rowhouse_model::{EngineKind, WorkspaceLimits};

use crate::pool::{PoolConfig, WorkerRetention};
use crate::queries::QueryConfig;
use crate::tables::TableConfig;
use crate::workspace_files::FILES_FOLDER;
use rowhouse_executor::SandboxMode;
use rowhouse_trino::TrinoCluster;

/// Name of the folder with the workers' folders inside the data directory.
const WORK_DIR: &str = "workers";
/// How long an answer waits for the planning of a statement (D4).
const PLANNING_WAIT: Duration = Duration::from_secs(1);

/// Settings of the engine; the server fills it from flags, environment and file.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    /// Folder of all durable data.
    pub data_dir: PathBuf,
    /// Folder of the sample catalog's files; may be shared by several data directories.
    pub sample_dir: PathBuf,
    /// Engine of a workspace that does not specify one.
    pub kind: EngineKind,
    /// Concurrent statements of the embedded engine.
    pub concurrency: usize,
    /// Trino clusters by name; the unnamed cluster has none.
    pub trino: BTreeMap<Option<String>, TrinoCluster>,
    /// Concurrent statements on Trino clusters; each costs this server a connection and one or two pages.
    pub trino_concurrency: usize,
    /// Memory limit of one statement's worker, bytes.
    pub memory_limit_bytes: u64,
    /// Bytes that a statement may spill when it reaches its memory limit; none: see [`Self::spill_limit_bytes`].
    pub spill_limit_bytes: Option<u64>,
    /// Time limit of planning and running one statement.
    pub statement_timeout: Duration,
    /// Idle time after which the engine stops; zero means never (D21).
    pub max_idle_time: Duration,
    /// Maximum number of waiting statements (D27).
    pub max_queued_statements: usize,
    /// Maximum length of a statement's text, bytes (D27).
    pub max_sql_bytes: usize,
    /// How long a result can be read (D27).
    pub result_retention: Duration,
    /// How long a record is stored (D27).
    pub record_retention: Duration,
    /// Bytes of long texts that are stored for a workspace's ended statements.
    pub max_record_text_bytes: u64,
    /// Maximum number of records of a workspace, of which the oldest are deleted; 0 is no limit.
    pub max_records: u64,
    /// Disk space for rows of views that are encoded before they are read, bytes; 0: none are (D186).
    pub max_encoded_view_bytes: u64,
    /// Whether a workspace's oldest results are deleted if a new one exceeds its disk space; otherwise the new one
    /// fails.
    pub gives_up_oldest_results: bool,
    /// Limits of workspaces for which an admin has set none.
    pub workspace_limits: WorkspaceLimits,
    /// Quota of a workspace's uploaded files, bytes.
    pub files_quota_bytes: u64,
    /// Folders that may contain tables; empty: anywhere.
    pub table_roots: Vec<PathBuf>,
    /// Whether a worker may run where the kernel cannot enforce the whole sandbox.
    pub sandbox: SandboxMode,
    /// Whether a new database may be created where another one existed and is missing.
    pub new_database: bool,
    /// The program that is started as `PROGRAM worker` for each statement; it must then call
    /// `rowhouse_engine::worker::main`. [`running_program`](Self::running_program) is right if that is your own
    /// program. Without it, pass an executor to [`Engine::open_with`](crate::Engine::open_with).
    pub worker_program: Option<PathBuf>,
}

impl EngineConfig {
    /// The defaults, with all durable data in `data_dir`.
    pub fn new(data_dir: impl Into<PathBuf>) -> Self {
        const DAY: Duration = Duration::from_secs(24 * 60 * 60);
        let data_dir = data_dir.into();
        Self {
            sample_dir: data_dir.join("samples"),
            data_dir,
            kind: EngineKind::Polars,
            concurrency: std::thread::available_parallelism().map_or(2, std::num::NonZero::get),
            trino: BTreeMap::new(),
            trino_concurrency: 16,
            memory_limit_bytes: 4 << 30,
            spill_limit_bytes: None,
            statement_timeout: Duration::from_secs(600),
            max_idle_time: Duration::from_secs(900),
            max_queued_statements: 1000,
            max_sql_bytes: 1 << 20,
            result_retention: 7 * DAY,
            record_retention: 30 * DAY,
            max_record_text_bytes: 256 << 20,
            max_records: 10_000_000,
            max_encoded_view_bytes: 1 << 30,
            gives_up_oldest_results: false,
            workspace_limits: WorkspaceLimits::default(),
            files_quota_bytes: 1 << 30,
            table_roots: Vec::new(),
            sandbox: SandboxMode::default(),
            new_database: false,
            worker_program: None,
        }
    }

    /// The running binary, as a [`worker_program`](Self::worker_program). On Linux the link resolves to it even after
    /// an upgrade has replaced its file; elsewhere the path is used.
    pub fn running_program() -> PathBuf {
        let link = PathBuf::from("/proc/self/exe");
        if link.exists() { link } else { std::env::current_exe().unwrap_or(link) }
    }

    /// Settings of statements.
    pub(crate) fn queries(&self) -> QueryConfig {
        QueryConfig {
            concurrency: self.concurrency.max(1),
            trino_concurrency: if self.trino.is_empty() { 0 } else { self.trino_concurrency.max(1) },
            clusters: self
                .trino
                .keys()
                .map(|cluster| EngineKind::Trino { cluster: cluster.clone() })
                .collect(),
            memory_limit_bytes: self.memory_limit_bytes,
            statement_timeout: self.statement_timeout,
            planning_wait: PLANNING_WAIT,
            max_queued_statements: self.max_queued_statements,
            max_sql_bytes: self.max_sql_bytes,
            result_retention: self.result_retention,
            record_retention: self.record_retention,
            max_record_text_bytes: self.max_record_text_bytes,
            max_records: self.max_records,
            gives_up_oldest: self.gives_up_oldest_results,
        }
    }

    /// Settings of tables.
    pub(crate) fn tables(&self) -> TableConfig {
        TableConfig {
            roots: self.table_roots.clone(),
            files: self.data_dir.join(FILES_FOLDER),
            tpch_dir: self.sample_dir.join("tpch"),
        }
    }

    /// Settings of worker processes, which are started from this program.
    pub(crate) fn pool(&self, program: &Path) -> PoolConfig {
        PoolConfig {
            program: program.to_owned(),
            memory_limit_bytes: self.memory_limit_bytes,
            spill_limit_bytes: self.spill_limit_bytes(),
            warm_workers: self.concurrency.max(1),
            worker_threads: std::thread::available_parallelism().map_or(2, std::num::NonZero::get),
            start_timeout: Duration::from_secs(30),
            worker_retention: WorkerRetention::default(),
            sandbox: self.sandbox,
            // Each root exists: tables are opened with them before the first worker.
            table_roots: self.table_roots.iter().map(|root| absolute(root)).collect(),
            work_dir: absolute(&self.data_dir).join(WORK_DIR),
            data_dir: absolute(&self.data_dir),
        }
    }

    /// Bytes that a statement may spill at a time: the configured value, or four times its memory.
    pub fn spill_limit_bytes(&self) -> u64 {
        self.spill_limit_bytes.unwrap_or(self.memory_limit_bytes.saturating_mul(4))
    }
}

/// The canonical path if the file exists; workers and the server must resolve paths alike, whatever their working
/// directory is.
fn absolute(path: &Path) -> PathBuf {
    let absolute = || std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.canonicalize().unwrap_or_else(|_| absolute())
}
