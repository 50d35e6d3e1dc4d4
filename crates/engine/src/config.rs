//! What an operator can set of the engine, with the defaults of D21 and D27. Here the settings of each part are made; a part
//! defines its own and knows no others.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rowhouse_model::{EngineKind, WorkspaceLimits};

use crate::pool::{Keeping, PoolConfig};
use crate::queries::QueryConfig;
use crate::tables::TableConfig;
use crate::workspace_files::FILES_FOLDER;
use rowhouse_executor::SandboxMode;
use rowhouse_trino::TrinoCluster;

/// Folder of the workers' own folders inside the data directory.
const WORK_DIR: &str = "workers";

/// Settings of the engine; the server fills it from flags, environment and file.
#[derive(Clone, Debug)]
pub struct EngineConfig {
    /// Folder of everything that lasts.
    pub data_dir: PathBuf,
    /// Folder of the sample catalog's files; may be shared by several data directories.
    pub sample_dir: PathBuf,
    /// Engine of a workspace that names none.
    pub kind: EngineKind,
    /// Statements at a time, of the embedded engine.
    pub concurrency: usize,
    /// Trino clusters by name; none for the one without a name.
    pub trino: BTreeMap<Option<String>, TrinoCluster>,
    /// Statements at a time on Trino clusters; each costs this server a connection and a page or two.
    pub trino_concurrency: usize,
    /// Memory of one statement's worker, bytes.
    pub memory_limit_bytes: u64,
    /// Bytes that a statement may put on disk when it meets its memory limit; without, as [`Self::spill_limit_bytes`] says.
    pub spill_limit_bytes: Option<u64>,
    /// Time of one statement's planning and running.
    pub statement_timeout: Duration,
    /// Idle time after which the engine stops; zero is never (D21).
    pub max_idle_time: Duration,
    /// Statements that may wait (D27).
    pub max_queued_statements: usize,
    /// Bytes of one statement's text (D27).
    pub max_sql_bytes: usize,
    /// How long a result can be read (D27).
    pub result_retention: Duration,
    /// How long a record is kept (D27).
    pub record_retention: Duration,
    /// Bytes of long texts that are kept of a workspace's ended statements.
    pub max_record_text_bytes: u64,
    /// Whether a workspace's oldest results go where a new one finds no room in its disk space; else the new one fails.
    pub gives_up_oldest_results: bool,
    /// What a workspace may take for which an admin has set nothing else.
    pub workspace_limits: WorkspaceLimits,
    /// Bytes of the files that members put into a workspace, all together.
    pub files_quota_bytes: u64,
    /// Folders that tables may lie in; empty: anywhere.
    pub table_roots: Vec<PathBuf>,
    /// Whether a worker may run where the kernel cannot confine it wholly.
    pub sandbox: SandboxMode,
    /// Whether a new database may be made where another one was and is missing.
    pub new_database: bool,
    /// The program to start as `PROGRAM worker` for each statement: one that calls `rowhouse_engine::worker::main` then, as
    /// [`running_program`](Self::running_program) does if it is yours. Without it [`Engine::open_with`](crate::Engine::open_with) has
    /// to say how statements run.
    pub worker_program: Option<PathBuf>,
}

impl EngineConfig {
    /// The defaults, with everything that lasts in `data_dir`.
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
            gives_up_oldest_results: false,
            workspace_limits: WorkspaceLimits::default(),
            files_quota_bytes: 1 << 30,
            table_roots: Vec::new(),
            sandbox: SandboxMode::default(),
            new_database: false,
            worker_program: None,
        }
    }

    /// The running binary, as a [`worker_program`](Self::worker_program). On Linux the link leads to it even after an upgrade
    /// has replaced its file; elsewhere the path has to do.
    pub fn running_program() -> PathBuf {
        let link = PathBuf::from("/proc/self/exe");
        if link.exists() { link } else { std::env::current_exe().unwrap_or(link) }
    }

    /// Those of statements.
    pub(crate) fn queries(&self) -> QueryConfig {
        QueryConfig {
            concurrency: self.concurrency.max(1),
            trino_concurrency: if self.trino.is_empty() { 0 } else { self.trino_concurrency.max(1) },
            memory_limit_bytes: self.memory_limit_bytes,
            statement_timeout: self.statement_timeout,
            max_queued_statements: self.max_queued_statements,
            max_sql_bytes: self.max_sql_bytes,
            result_retention: self.result_retention,
            record_retention: self.record_retention,
            max_record_text_bytes: self.max_record_text_bytes,
            gives_up_oldest: self.gives_up_oldest_results,
        }
    }

    /// Those of tables.
    pub(crate) fn tables(&self) -> TableConfig {
        TableConfig {
            roots: self.table_roots.clone(),
            files: self.data_dir.join(FILES_FOLDER),
            tpch_dir: self.sample_dir.join("tpch"),
        }
    }

    /// Those of worker processes, which are started from this program.
    pub(crate) fn pool(&self, program: &Path) -> PoolConfig {
        PoolConfig {
            program: program.to_owned(),
            memory_limit_bytes: self.memory_limit_bytes,
            spill_limit_bytes: self.spill_limit_bytes(),
            warm_workers: self.concurrency.max(1),
            worker_threads: std::thread::available_parallelism().map_or(2, std::num::NonZero::get),
            start_timeout: Duration::from_secs(30),
            keeping: Keeping::default(),
            sandbox: self.sandbox,
            // Each root is there: tables are opened with them before the first worker.
            table_roots: self.table_roots.iter().map(|root| absolute(root)).collect(),
            work_dir: absolute(&self.data_dir).join(WORK_DIR),
            data_dir: absolute(&self.data_dir),
        }
    }

    /// Bytes that a statement may put on disk at a time: those of the configuration, or four times its memory.
    pub fn spill_limit_bytes(&self) -> u64 {
        self.spill_limit_bytes.unwrap_or(self.memory_limit_bytes.saturating_mul(4))
    }
}

/// Without links where it is there; workers and the server must mean the same whatever their working directory is.
fn absolute(path: &Path) -> PathBuf {
    let absolute = || std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    path.canonicalize().unwrap_or_else(|_| absolute())
}
