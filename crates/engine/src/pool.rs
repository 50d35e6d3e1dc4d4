//! Statements in worker processes: the executor of the embedded engine.
//!
//! A statement gets a process of its own while it runs, so that canceling it is a kill, its memory limit is
//! the kernel's, and a crash is one failed statement. A few warm processes wait ahead of the statements. What
//! a process says is `protocol`; what happens inside it is `worker`.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rowhouse_model::{Column, ErrorCode, ErrorType, QueryError, TableFormat};
use tokio::sync::Semaphore;

use crate::error::{Error, Result};
use crate::looks::MAX_LOOKS;
use rowhouse_executor::protocol::{Job, Reply};
use rowhouse_executor::{
    BoxFuture, EventSink, Execution, Executor, SpillLimits, Statement, TableDescription, WorkerCounts,
};

mod exit;
mod keeping;
mod process;
mod spawner;
#[cfg(test)]
mod tests;

pub(crate) use keeping::Keeping;
use keeping::Verdict;
use process::{Conversation, JobOfProcess, Process, StartError, remove_unfinished};
use spawner::{Purpose, Spawner};

/// Time of one plan or look.
const LOOK_TIMEOUT: Duration = Duration::from_secs(60);
/// Processes that may die under a job through no fault of its own, until the job fails.
const MAX_HANDOVERS: u32 = 3;

/// How worker processes are started.
#[derive(Clone, Debug)]
pub(crate) struct PoolConfig {
    /// Started as `PROGRAM worker --memory-limit-bytes N`.
    pub(crate) program: PathBuf,
    /// The kernel's limit on one worker's data.
    pub(crate) memory_limit_bytes: u64,
    /// What a statement that meets that limit may put on disk at a time; 0: nothing.
    pub(crate) spill_limit_bytes: u64,
    /// Warm workers while the engine is awake and idle.
    pub(crate) warm_workers: usize,
    /// Threads of one worker.
    pub(crate) worker_threads: usize,
    /// Time from the start of a process to its greeting.
    pub(crate) start_timeout: Duration,
    /// What becomes of a worker after its job.
    pub(crate) keeping: Keeping,
}

/// The worker processes of one server.
pub(crate) struct Pool {
    shared: Arc<Shared>,
}

struct Shared {
    config: PoolConfig,
    spawner: Spawner,
    looks: Semaphore,
    workers: Mutex<Workers>,
}

/// The processes by what they do.
struct Workers {
    /// The one that is warmest is the last.
    idle: Vec<Process>,
    starting: usize,
    busy: usize,
    started_total: u64,
    /// Asleep: no process waits for work, and one that ends its work ends itself.
    is_resting: bool,
}

impl Pool {
    /// Starts no process yet; that is [`Executor::wake`]. Must be called inside a runtime.
    ///
    /// # Errors
    ///
    /// The thread that starts processes cannot be started.
    pub(crate) fn new(config: PoolConfig) -> Result<Self> {
        let spawner =
            Spawner::start(&config).map_err(|error| Error::internal("starting the spawner thread", error))?;
        let workers = Workers { idle: Vec::new(), starting: 0, busy: 0, started_total: 0, is_resting: true };
        let shared =
            Shared { config, spawner, looks: Semaphore::new(MAX_LOOKS), workers: Mutex::new(workers) };
        Ok(Self { shared: Arc::new(shared) })
    }

    async fn look<T>(
        &self,
        job: Job,
        mut ended: impl FnMut(Reply) -> Option<Result<T, QueryError>> + Send,
    ) -> Result<T, QueryError> {
        // OK because the semaphore is never closed.
        let _permit = self.shared.looks.acquire().await.expect("the semaphore is open");
        let mut ignored = |_| {};
        let answer = self.shared.run(&job, &mut ignored, &mut ended);
        tokio::time::timeout(LOOK_TIMEOUT, answer).await.unwrap_or_else(|_| {
            let message = format!("planning took longer than {} seconds", LOOK_TIMEOUT.as_secs());
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
            let mut run = async |job: &Job| {
                let ended = &mut |reply| match reply {
                    Reply::Executed(outcome) => Some(outcome),
                    _ => None,
                };
                self.shared.run(job, &mut events, ended).await
            };
            let outcome = run(&job).await;
            if !is_over_memory(&outcome) || !self.shared.lets_spill(&mut job) {
                return outcome;
            }
            remove_output(&job).await;
            run(&job).await
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
            if !self.shared.workers().idle.is_empty() {
                return Ok(());
            }
            match self.shared.start(Purpose::Any).await {
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
                std::mem::take(&mut workers.idle)
            };
            for process in idle {
                process.end().await;
            }
        })
    }

    fn workers(&self) -> WorkerCounts {
        let Workers { idle, starting, busy, started_total, is_resting: _ } = &*self.shared.workers();
        WorkerCounts { idle: idle.len(), starting: *starting, busy: *busy, started_total: *started_total }
    }
}

impl Shared {
    /// Lets a statement put on disk what it cannot hold in memory, if there is a place for it.
    fn lets_spill(&self, job: &mut Job) -> bool {
        let (memory_bytes, disk_bytes) = (self.config.memory_limit_bytes, self.config.spill_limit_bytes);
        match job {
            Job::Execute { statement, spill } if disk_bytes > 0 => {
                tracing::info!(statement = %statement.id, "a statement has met its memory limit and is run again on disk");
                *spill = Some(SpillLimits { memory_bytes, disk_bytes });
                true
            }
            _ => false,
        }
    }

    /// Gives a job to a process and follows it to its end. Dropping the future kills the process.
    async fn run<T>(
        self: &Arc<Self>,
        job: &Job,
        events: &mut (dyn FnMut(rowhouse_executor::ExecutionEvent) + Send),
        ended: &mut (dyn FnMut(Reply) -> Option<Result<T, QueryError>> + Send),
    ) -> Result<T, QueryError> {
        let busy = Busy::new(self);
        let purpose = if job.may_spill() { Purpose::Spilling } else { Purpose::Any };
        let mut must_be_light = false;
        for _ in 0..MAX_HANDOVERS {
            let idle = if purpose == Purpose::Any { self.take_idle(must_be_light) } else { None };
            let process = match idle {
                Some(process) => process,
                None => self.start(purpose).await.map_err(|error| did_not_start(&error))?,
            };
            self.start_ahead();
            let mut conversation = Conversation::new(process, job);
            if !conversation.send(job).await {
                // It died while it waited for work: not this statement's fault.
                continue;
            }
            loop {
                match conversation.receive().await {
                    Ok(Reply::Event(event)) => events(event),
                    Ok(reply) => {
                        let Some(outcome) = ended(reply) else {
                            return Err(conversation.give_up("it answered out of turn").await);
                        };
                        if let Err(error) = &outcome
                            && error.error_type == ErrorType::InternalError
                        {
                            conversation.log_last_words(error).await;
                        }
                        let process = conversation.finish();
                        match purpose {
                            Purpose::Any => take_back(busy, process),
                            Purpose::Spilling => drop(tokio::spawn(process.end())),
                        }
                        return outcome;
                    }
                    Err(failure) => {
                        let held_bytes = conversation.held_bytes();
                        let error = conversation.explain(failure).await;
                        must_be_light = held_bytes > self.config.keeping.light_bytes;
                        // What an earlier job left took of this one's limit.
                        if error.code() == Some(ErrorCode::ExceededMemoryLimit) && must_be_light {
                            remove_output(job).await;
                            break;
                        }
                        return Err(error);
                    }
                }
            }
        }
        Err(QueryError::new(
            ErrorCode::GenericInternalError,
            format!("{MAX_HANDOVERS} worker processes in a row ended before they took the statement"),
        ))
    }

    fn workers(&self) -> MutexGuard<'_, Workers> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take_idle(&self, must_be_light: bool) -> Option<Process> {
        loop {
            let mut process = {
                let idle = &mut self.workers().idle;
                let is_wanted = |process: &Process| {
                    !must_be_light || process.held_bytes() <= self.config.keeping.light_bytes
                };
                idle.remove(idle.iter().rposition(is_wanted)?)
            };
            if process.is_alive() {
                return Some(process);
            }
        }
    }

    async fn start(&self, purpose: Purpose) -> Result<Process, StartError> {
        let started = Process::start(&self.spawner, purpose, self.config.start_timeout).await;
        self.workers().started_total += u64::from(started.is_ok());
        started
    }

    /// Starts what is missing of the warm workers: a busy one will be warm again.
    fn start_ahead(self: &Arc<Self>) {
        let mut workers = self.workers();
        if workers.is_resting {
            return;
        }
        let present = workers.idle.len() + workers.starting + workers.busy;
        let missing = self.config.warm_workers.saturating_sub(present);
        workers.starting += missing;
        drop(workers);
        for _ in 0..missing {
            let shared = Arc::clone(self);
            tokio::spawn(async move {
                let started = shared.start(Purpose::Any).await;
                shared.workers().starting -= 1;
                match started {
                    Ok(process) => shared.keep(process),
                    // The next statement starts its own and reports what is wrong.
                    Err(error) => tracing::warn!(%error, "a worker process did not start"),
                }
            });
        }
    }

    fn keep(&self, process: Process) {
        let mut workers = self.workers();
        if workers.is_resting || workers.idle.len() >= self.config.warm_workers {
            drop(workers);
            tokio::spawn(process.end());
        } else {
            workers.idle.push(process);
        }
    }

    /// Ends a process that has waited since this job of it, and lets a fresh one take its place.
    async fn replace(self: &Arc<Self>, job: JobOfProcess) {
        let process = {
            let mut workers = self.workers();
            let place = workers.idle.iter().position(|process| process.latest_job() == job);
            place.map(|place| workers.idle.remove(place))
        };
        if let Some(process) = process {
            process.end().await;
            self.start_ahead();
        }
    }
}

/// Counts a process that has a job; when it has none any more, a missing warm one is started.
struct Busy {
    shared: Arc<Shared>,
}

impl Busy {
    fn new(shared: &Arc<Shared>) -> Self {
        shared.workers().busy += 1;
        Self { shared: Arc::clone(shared) }
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.shared.workers().busy -= 1;
        // Without a runtime the server is ending.
        if tokio::runtime::Handle::try_current().is_ok() {
            self.shared.start_ahead();
        }
    }
}

/// Waits for the greeting after a job and keeps the process for the next, unless it ends itself.
fn take_back(busy: Busy, mut process: Process) {
    tokio::spawn(async move {
        let shared = Arc::clone(&busy.shared);
        let config = &shared.config;
        if process.greeting(config.start_timeout).await.is_err() {
            return process.end().await;
        }
        match config.keeping.judge(process.look_at_memory(), config.memory_limit_bytes) {
            Verdict::End => process.end().await,
            Verdict::Keep => shared.keep(process),
            Verdict::KeepFor(time) => {
                let job = process.latest_job();
                shared.keep(process);
                let pool = Arc::downgrade(&shared);
                drop((shared, busy));
                tokio::time::sleep(time).await;
                if let Some(shared) = pool.upgrade() {
                    shared.replace(job).await;
                }
            }
        }
    });
}

fn is_over_memory(outcome: &Result<Execution, QueryError>) -> bool {
    outcome.as_ref().is_err_and(|error| error.code() == Some(ErrorCode::ExceededMemoryLimit))
}

/// Removes what a process that is gone had written, so that another can write it.
async fn remove_output(job: &Job) {
    if let Some(output) = job.output() {
        remove_unfinished(output).await;
    }
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
        let Workers { idle, starting, busy, started_total: _, is_resting } = &*self.shared.workers();
        f.debug_struct("Pool")
            .field("idle", &idle.len())
            .field("starting", starting)
            .field("busy", busy)
            .field("is_resting", is_resting)
            .finish_non_exhaustive()
    }
}
