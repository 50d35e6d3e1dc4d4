//! Statements in worker processes: the executor of the embedded engine.
//!
//! A statement has a process to itself while it runs, so that canceling it is a kill, its memory limit is enforced by
//! the kernel, and a crash fails one statement only. A few fresh processes are started ahead. A process that has run a
//! statement is confined to its workspace and waits for another one of it. `protocol` defines the messages.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use rowhouse_model::{Column, ErrorCode, QueryError, TableFormat};
use tokio::sync::Semaphore;

use crate::error::{Error, Result};
use crate::planning_queue::MAX_CONCURRENT_PLANNING;
use rowhouse_executor::protocol::{Job, Reply};
use rowhouse_executor::{
    BoxFuture, EventSink, Execution, Executor, SandboxMode, SandboxReport, Statement, TableDescription,
    WorkerCounts,
};

mod delivery;
mod exit;
mod file_limit;
mod needs;
mod priority;
mod process;
mod run;
mod spawner;
#[cfg(test)]
mod tests;
mod waiting;
mod work_dir;
mod worker_retention;
mod write_behind;

use process::StartError;
use spawner::Spawner;
use waiting::Workers;
use work_dir::WorkDirs;
pub(crate) use worker_retention::WorkerRetention;

/// Time limit of planning or inspecting.
const PLANNING_TIMEOUT: Duration = Duration::from_secs(60);

/// How worker processes are started.
#[derive(Clone, Debug)]
pub(crate) struct PoolConfig {
    /// Started as `PROGRAM worker --memory-limit-bytes N`.
    pub(crate) program: PathBuf,
    /// The kernel's limit on one worker's data.
    pub(crate) memory_limit_bytes: u64,
    /// Bytes that a statement that reaches that limit may spill at a time; 0: nothing.
    pub(crate) spill_limit_bytes: u64,
    /// Number of warm workers while the engine is awake and idle.
    pub(crate) warm_workers: usize,
    /// Threads per worker.
    pub(crate) worker_threads: usize,
    /// Time limit from the start of a process to its greeting.
    pub(crate) start_timeout: Duration,
    /// Whether a worker is kept after its job.
    pub(crate) worker_retention: WorkerRetention,
    /// Whether a worker may run where the kernel cannot enforce the whole sandbox.
    pub(crate) sandbox: SandboxMode,
    /// Folders that may contain tables, without symbolic links; empty: anywhere outside the data directory.
    pub(crate) table_roots: Vec<PathBuf>,
    /// Folder in which a worker may read only views and samples.
    pub(crate) data_dir: PathBuf,
    /// Folder of the workers' folders; it belongs to this pool alone, and is on the file system of the results.
    pub(crate) work_dir: PathBuf,
}

/// The worker processes of one server.
pub(crate) struct Pool {
    shared: Arc<Shared>,
}

struct Shared {
    config: PoolConfig,
    spawner: Spawner,
    planning: Semaphore,
    workers: Mutex<Workers>,
    work_dirs: WorkDirs,
    /// The sandbox that the kernel enforces on workers, once one has reported it.
    sandbox: OnceLock<SandboxReport>,
}

impl Pool {
    /// Starts no process yet; [`Executor::wake`] does. Must be called inside a runtime.
    ///
    /// # Errors
    ///
    /// The thread that starts processes cannot be started.
    pub(crate) fn new(config: PoolConfig) -> Result<Self> {
        let spawner =
            Spawner::start(&config).map_err(|error| Error::internal("starting the spawner thread", error))?;
        let work_dirs = WorkDirs::new(config.work_dir.clone());
        let shared = Shared {
            config,
            spawner,
            planning: Semaphore::new(MAX_CONCURRENT_PLANNING),
            workers: Mutex::new(Workers::new()),
            work_dirs,
            sandbox: OnceLock::new(),
        };
        Ok(Self { shared: Arc::new(shared) })
    }

    async fn look<T>(
        &self,
        mut job: Job,
        mut ended: impl FnMut(Reply) -> Option<Result<T, QueryError>> + Send,
    ) -> Result<T, QueryError> {
        // OK because the semaphore is never closed.
        let _permit = self.shared.planning.acquire().await.expect("the semaphore is open");
        let mut ignored = |_| {};
        let answer = self.shared.run(&mut job, &mut ignored, &mut ended);
        tokio::time::timeout(PLANNING_TIMEOUT, answer).await.unwrap_or_else(|_| {
            let message = format!("planning took longer than {} seconds", PLANNING_TIMEOUT.as_secs());
            Err(QueryError::new(ErrorCode::ExceededTimeLimit, message))
        })
    }
}

impl Executor for Pool {
    fn execute(
        &self,
        statement: Statement,
        mut events: EventSink,
    ) -> BoxFuture<'_, Result<Execution, QueryError>> {
        Box::pin(async move {
            let mut job = Job::Execute { statement, spill: None };
            let mut run = async |job: &mut Job| {
                let ended = &mut |reply| match reply {
                    Reply::Executed(outcome) => Some(outcome),
                    _ => None,
                };
                self.shared.run(job, &mut events, ended).await
            };
            let outcome = run(&mut job).await;
            if !is_over_memory(&outcome) || !self.shared.lets_spill(&mut job) {
                return outcome;
            }
            run(&mut job).await
        })
    }

    fn analyze(&self, statement: Statement) -> BoxFuture<'_, Result<Vec<Column>, QueryError>> {
        Box::pin(self.look(Job::Analyze(statement), |reply| match reply {
            Reply::Analyzed(outcome) => Some(outcome),
            _ => None,
        }))
    }

    fn describe(
        &self,
        location: String,
        format: TableFormat,
    ) -> BoxFuture<'_, Result<TableDescription, QueryError>> {
        Box::pin(self.look(Job::Describe { location, format }, |reply| match reply {
            Reply::Described(outcome) => Some(outcome),
            _ => None,
        }))
    }

    fn wake(&self) -> BoxFuture<'_, Result<(), QueryError>> {
        Box::pin(async move {
            self.shared.workers().is_resting = false;
            if self.shared.workers().has_fresh() {
                return Ok(());
            }
            match self.shared.start_any().await {
                Ok(process) => self.shared.keep(process),
                Err(error) => {
                    self.shared.workers().is_resting = true;
                    return Err(did_not_start(&error));
                }
            }
            self.shared.start_ahead();
            Ok(())
        })
    }

    fn rest(&self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let idle = {
                let mut workers = self.shared.workers();
                workers.is_resting = true;
                workers.take_all()
            };
            for process in idle {
                process.end().await;
            }
        })
    }

    fn workers(&self) -> WorkerCounts {
        WorkerCounts { sandbox: self.shared.sandbox.get().copied(), ..self.shared.workers().counts() }
    }
}

fn is_over_memory(outcome: &Result<Execution, QueryError>) -> bool {
    outcome.as_ref().is_err_and(|error| error.code() == Some(ErrorCode::ExceededMemoryLimit))
}

fn did_not_start(error: &StartError) -> QueryError {
    tracing::error!(%error, "a worker process did not start");
    QueryError::new(
        ErrorCode::GenericInternalError,
        "the SQL engine could not start a worker process; the server's log says why",
    )
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let workers = self.shared.workers();
        let WorkerCounts { idle, starting, busy, .. } = workers.counts();
        f.debug_struct("Pool")
            .field("idle", &idle)
            .field("starting", &starting)
            .field("busy", &busy)
            .field("is_resting", &workers.is_resting)
            .finish_non_exhaustive()
    }
}
