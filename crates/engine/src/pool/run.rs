//! Runs a job: selects a process, follows the job to its end, and moves it to another process if the first failed
//! through no fault of the job.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rowhouse_executor::catalog::files::list_files;
use rowhouse_executor::protocol::{FrameTooLong, Job, MAX_FRAME_BYTES, Reply, SampleTable};
use rowhouse_executor::{
    ExecutionEvent, Grant, Sandbox, SandboxReport, SpillLimits, is_denied_file, without_denied_file,
};
use rowhouse_model::{ErrorCode, ErrorType, QueryError};

use super::delivery::{MAX_COPIED_BYTES, deliver};
use super::needs::{Confinement, Needs};
use super::priority::InitialPriority;
use super::process::{Answer, Conversation, Process};
use super::spawner::{Purpose, Start};
use super::waiting::WorkerChoice;
use super::worker_retention::Verdict;
use super::write_behind::WriteBehind;
use super::{Shared, did_not_start};
use crate::workspace_files::{FILES_FOLDER, with_locations};

/// Maximum number of processes that may fail a job through no fault of its own.
const MAX_HANDOVERS: u32 = 3;
/// Maximum number of fresh processes that find a file replaced between their confinement and its reading.
const MAX_REPLACEMENTS: u32 = 20;

/// The outcome of a job at one process.
enum Ended<T> {
    /// An outcome, and the process if it can take another job.
    With(Result<T, QueryError>, Option<Process>),
    /// None: another process must run it.
    Again(WorkerChoice),
    /// This error, because a table's file was replaced after the process was confined to the existing ones.
    Replaced(QueryError),
    /// It needs files of the sample catalog.
    NeedsSamples(Vec<SampleTable>, Process),
}

/// Converts a reply into a job's outcome; none for a reply that does not end such a job.
type Outcome<'a, T> = dyn FnMut(Reply) -> Option<Result<T, QueryError>> + Send + 'a;
type Events<'a> = dyn FnMut(ExecutionEvent) + Send + 'a;

impl Shared {
    /// Allows a statement to spill, if there is a folder for it.
    pub(super) fn lets_spill(&self, job: &mut Job) -> bool {
        let (memory_bytes, disk_bytes) = (self.memory_limit_bytes(job), self.config.spill_limit_bytes);
        match job {
            Job::Execute { statement, spill } if disk_bytes > 0 => {
                tracing::info!(statement = %statement.id, "a statement has met its memory limit and is run again on disk");
                *spill = Some(SpillLimits { memory_bytes, disk_bytes });
                true
            }
            _ => false,
        }
    }

    /// The memory limit of a job: the server's, or less if its session says so.
    fn memory_limit_bytes(&self, job: &Job) -> u64 {
        let limit = self.config.memory_limit_bytes;
        match job {
            Job::Execute { statement, .. } | Job::Analyze(statement) => {
                statement.session.max_memory_bytes.map_or(limit, |requested| requested.min(limit))
            }
            _ => limit,
        }
    }

    /// Runs a job on a process and follows it to its end. Dropping the future kills the process.
    pub(super) async fn run<T>(
        self: &Arc<Self>,
        job: &mut Job,
        events: &mut Events<'_>,
        ended: &mut Outcome<'_, T>,
    ) -> Result<T, QueryError> {
        let needs = Needs::of(job);
        if let Some(folder) = needs.samples.as_ref().filter(|folder| !folder.is_dir()) {
            // OK to ignore: the folder may exist and not be writable here; otherwise reading reports it.
            let _ = tokio::fs::create_dir_all(folder).await;
        }
        let output = job.output().map(Path::to_owned);
        let ran = self.run_for(job, &needs, output.as_deref(), events, ended).await;
        if let Some(output) = output {
            job.set_output(output);
        }
        ran.map_err(|error| {
            let message = with_locations(&error.message, &self.config.data_dir.join(FILES_FOLDER));
            without_denied_file(QueryError { message, ..error })
        })
    }

    async fn run_for<T>(
        self: &Arc<Self>,
        job: &mut Job,
        needs: &Needs,
        output: Option<&Path>,
        events: &mut Events<'_>,
        ended: &mut Outcome<'_, T>,
    ) -> Result<T, QueryError> {
        let busy = Busy::new(self);
        let start = Start {
            purpose: if job.may_spill() { Purpose::Spilling } else { Purpose::Any },
            memory_limit_bytes: self.memory_limit_bytes(job),
        };
        // A limit belongs to a process: a process with another limit runs no other job.
        let is_usual =
            start.purpose == Purpose::Any && start.memory_limit_bytes == self.config.memory_limit_bytes;
        let mut choice = WorkerChoice::Any;
        let mut has_samples = false;
        let (mut handovers, mut replacements) = (0, 0);
        while handovers < MAX_HANDOVERS {
            let idle = if is_usual { self.take_idle(choice, needs) } else { None };
            let process = match idle {
                Some(process) => process,
                None => self.start(start).await.map_err(|error| did_not_start(&error))?,
            };
            self.start_ahead();
            if let Some(output) = output {
                let written = process.work_dir().file(output);
                events(ExecutionEvent::Writes(written.clone()));
                job.set_output(written);
            }
            match self.run_in(process, job, needs, output, events, ended).await? {
                Ended::With(outcome, process) => {
                    match process {
                        Some(process) if is_usual => take_back(busy, process),
                        Some(process) => drop(tokio::spawn(process.end())),
                        None => {}
                    }
                    return outcome;
                }
                Ended::Again(next) => {
                    choice = next;
                    handovers += 1;
                }
                Ended::Replaced(error) => {
                    choice = WorkerChoice::Fresh;
                    replacements += 1;
                    if replacements > MAX_REPLACEMENTS {
                        return Err(error);
                    }
                }
                Ended::NeedsSamples(tables, process) => {
                    take_back(Busy::new(self), process);
                    if std::mem::replace(&mut has_samples, true) {
                        let what = "files of the sample catalog were made and are missing";
                        return Err(QueryError::new(ErrorCode::GenericInternalError, what));
                    }
                    self.make_samples(needs.samples.clone().unwrap_or_default(), tables).await?;
                }
            }
        }
        Err(QueryError::new(
            ErrorCode::GenericInternalError,
            format!("{MAX_HANDOVERS} worker processes in a row ended before they took the statement"),
        ))
    }

    /// Runs the job on one process. An error ends the job.
    async fn run_in<T>(
        &self,
        process: Process,
        job: &Job,
        needs: &Needs,
        output: Option<&Path>,
        events: &mut Events<'_>,
        ended: &mut Outcome<'_, T>,
    ) -> Result<Ended<T>, QueryError> {
        let confinement = process.confinement().is_none().then(|| self.confinement(needs, &process));
        let is_fresh = confinement.is_some();
        let mut conversation = Conversation::new(process, job);
        match conversation.begin(confinement, job).await {
            Answer::Taken(report) => {
                if let Some(report) = report {
                    self.note(report);
                }
            }
            Answer::Gone => return Ok(Ended::Again(WorkerChoice::Any)),
            Answer::Unconfined(why) => return Err(conversation.give_up(&why).await),
            Answer::TooLong(FrameTooLong { bytes, .. }) => return Err(too_long(bytes)),
        }
        let mut initial_priority = InitialPriority::new();
        let mut write_behind = WriteBehind::of_more_than(MAX_COPIED_BYTES);
        loop {
            let threads = conversation.threads();
            let received = initial_priority.wait(conversation.receive(), || threads.lower_priority()).await;
            match received {
                Ok(Reply::Event(event)) => {
                    events(event);
                    if let Some(written) = job.output() {
                        write_behind.advance(written).await;
                    }
                }
                Ok(Reply::NeedsSamples(tables)) => {
                    return Ok(Ended::NeedsSamples(tables, conversation.finish()));
                }
                Ok(reply) => {
                    let is_attached = matches!(&reply, Reply::Executed(Ok(run)) if run.file.is_some());
                    let Some(outcome) = ended(reply) else {
                        return Err(conversation.give_up("it answered out of turn").await);
                    };
                    match &outcome {
                        Err(error) if is_denied_file(error) && (!is_fresh || can_be_read(needs).await) => {
                            return Ok(Ended::Replaced(error.clone()));
                        }
                        Err(error) if error.error_type == ErrorType::InternalError => {
                            conversation.log_last_output(error).await;
                        }
                        _ => {}
                    }
                    let process = conversation.finish();
                    let (Some(written), Some(output), false) = (job.output(), output, is_attached) else {
                        return Ok(Ended::With(outcome, Some(process)));
                    };
                    if outcome.is_err() {
                        // OK to ignore: usually there is no file, and it is removed with the worker at the latest.
                        let _ = std::fs::remove_file(written);
                        return Ok(Ended::With(outcome, Some(process)));
                    }
                    let process = deliver(process, written, output, write_behind)
                        .await
                        .map_err(|error| undelivered(&error))?;
                    return Ok(Ended::With(outcome, process));
                }
                Err(failure) => {
                    let held_bytes = conversation.held_bytes();
                    let error = conversation.explain(failure).await;
                    // Memory left by an earlier job counted towards this one's limit.
                    if error.code() == Some(ErrorCode::ExceededMemoryLimit)
                        && held_bytes > self.config.worker_retention.light_bytes
                    {
                        return Ok(Ended::Again(WorkerChoice::Light));
                    }
                    return Err(error);
                }
            }
        }
    }

    /// The confinement of a fresh process for a job.
    fn confinement(&self, needs: &Needs, process: &Process) -> (Confinement, Sandbox) {
        let mut grants = self.workers().grants(needs);
        let confinement = Confinement { workspace: needs.workspace.clone(), grants: grants.clone() };
        let samples = needs.samples.clone().map(Grant::Folder);
        grants.extend(samples.filter(|samples| !confinement.grants.contains(samples)));
        let sandbox = Sandbox {
            grants,
            work_dir: needs.work_dir.clone().unwrap_or_else(|| process.work_dir().path().to_owned()),
            table_roots: self.config.table_roots.clone(),
            data_dir: self.config.data_dir.clone(),
            files_dir: self.config.data_dir.join(FILES_FOLDER),
        };
        (confinement, sandbox)
    }

    /// Logs once which sandbox confines workers.
    fn note(&self, report: SandboxReport) {
        if self.sandbox.set(report).is_err() {
            return;
        }
        if report.is_whole() {
            tracing::info!(%report, "workers are confined");
        } else {
            let missing = report.missing().join("; ");
            tracing::warn!(%report, missing, "workers are not wholly confined");
        }
    }

    /// Starts a process to generate files of the sample catalog: a worker that reads other files must not write them.
    async fn make_samples(
        self: &Arc<Self>,
        folder: PathBuf,
        tables: Vec<SampleTable>,
    ) -> Result<(), QueryError> {
        let job = Job::MakeSamples { folder, tables };
        let needs = Needs::of(&job);
        let process = self.start_any().await.map_err(|error| did_not_start(&error))?;
        let made = &mut |reply| match reply {
            Reply::SamplesMade(made) => Some(made),
            _ => None,
        };
        match self.run_in(process, &job, &needs, None, &mut |_| {}, made).await? {
            Ended::With(made, process) => {
                if let Some(process) = process {
                    tokio::spawn(process.end());
                }
                made
            }
            Ended::Again(_) | Ended::Replaced(_) | Ended::NeedsSamples(..) => {
                let what = "the worker process that makes the sample catalog ended";
                Err(QueryError::new(ErrorCode::GenericInternalError, what))
            }
        }
    }
}

/// Whether the server itself can read the tables that a job names: if so, the worker was denied a file that did not
/// exist when it was confined.
async fn can_be_read(needs: &Needs) -> bool {
    let tables: Vec<Grant> = needs.named.clone();
    let look = tokio::task::spawn_blocking(move || {
        tables.iter().all(|grant| match grant {
            Grant::Table { location, format } => list_files(location, *format)
                .is_ok_and(|files| files.iter().all(|file| std::fs::File::open(file).is_ok())),
            Grant::Folder(_) => true,
        })
    });
    look.await.unwrap_or(false)
}

/// The error of a job that no process can take.
fn too_long(bytes: usize) -> QueryError {
    let message = format!(
        "the statement takes {bytes} bytes with its parameters and the tables and views that it may read, and \
         {MAX_FRAME_BYTES} are the most: shorten it, or drop tables and views of the workspace"
    );
    QueryError::new(ErrorCode::NotSupported, message)
}

fn undelivered(error: &std::io::Error) -> QueryError {
    if error.kind() == std::io::ErrorKind::StorageFull {
        let what = "the result cannot be stored: the server's disk is full";
        return QueryError::new(ErrorCode::GenericInsufficientResources, what);
    }
    tracing::error!(%error, "a result was not stored");
    let what = "the result cannot be stored; the server's log says why";
    QueryError::new(ErrorCode::GenericInternalError, what)
}

/// Counts a busy process; on drop, a missing warm one is started.
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
        if process.greeting(config.start_timeout).await.is_err() || !process.threads().restore_priority() {
            return process.end().await;
        }
        match config.worker_retention.judge(process.look_at_memory(), config.memory_limit_bytes) {
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
