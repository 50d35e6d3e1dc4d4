//! The idle processes: fresh ones for any job, and confined ones for another job of their workspace.

use std::collections::HashMap;
use std::sync::{Arc, MutexGuard, PoisonError};
use std::time::Duration;

use rowhouse_executor::{Grant, WorkerCounts};

use super::Shared;
use super::needs::Needs;
use super::process::{JobOfProcess, Process, StartError};
use super::spawner::{Purpose, Start};

/// Maximum number of grants of one worker beyond those that a single statement names.
const MAX_GRANTS: usize = 64;
/// Maximum number of confinements whose grants are remembered: a statement may name any combination of its caller's
/// workspaces.
const MAX_CONFINEMENTS: usize = 1000;

/// Delay between taking a process and starting a fresh one, so that a short statement is over by then.
const START_DELAY: Duration = Duration::from_millis(25);

/// The processes by state.
pub(super) struct Workers {
    /// The most recently used one is the last.
    idle: Vec<Process>,
    starting: usize,
    pub(super) busy: usize,
    started_total: u64,
    /// The engine is asleep: no process waits for work, and one that finishes its work ends.
    pub(super) is_resting: bool,
    /// Grants named by the statements of a workspace, so that its next workers may read all of them.
    grants: HashMap<String, Vec<Grant>>,
}

impl Workers {
    pub(super) fn new() -> Self {
        let (starting, busy, started_total) = (0, 0, 0);
        Self { idle: Vec::new(), starting, busy, started_total, is_resting: true, grants: HashMap::new() }
    }

    pub(super) fn has_fresh(&self) -> bool {
        self.fresh() > 0
    }

    fn fresh(&self) -> usize {
        self.idle.iter().filter(|process| process.confinement().is_none()).count()
    }

    pub(super) fn take_all(&mut self) -> Vec<Process> {
        std::mem::take(&mut self.idle)
    }

    pub(super) fn counts(&self) -> WorkerCounts {
        let Self { idle, starting, busy, started_total, is_resting: _, grants: _ } = self;
        let (idle, starting, busy, started_total) = (idle.len(), *starting, *busy, *started_total);
        WorkerCounts { idle, starting, busy, started_total, sandbox: None }
    }

    /// The grants of a process that is confined for a job: those that the job names, and those that other statements of
    /// its workspace have named, so that it need not be replaced for each of them.
    pub(super) fn grants(&mut self, needs: &Needs) -> Vec<Grant> {
        let Some(workspace) = &needs.workspace else { return needs.named.clone() };
        if self.grants.len() >= MAX_CONFINEMENTS && !self.grants.contains_key(workspace) {
            self.grants.clear();
        }
        let grants = self.grants.entry(workspace.clone()).or_default();
        grants.retain(|grant| needs.known.contains(grant));
        for grant in &needs.named {
            if !grants.contains(grant) {
                grants.push(grant.clone());
            }
        }
        if grants.len() <= MAX_GRANTS {
            return grants.clone();
        }
        grants.clear();
        needs.named.clone()
    }
}

/// Which idle processes are acceptable for a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WorkerChoice {
    Any,
    /// A process that holds little memory.
    Light,
    /// A process that has not been confined yet.
    Fresh,
}

impl Shared {
    pub(super) fn workers(&self) -> MutexGuard<'_, Workers> {
        self.workers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An idle process that is confined to the workspace, or else a fresh one.
    pub(super) fn take_idle(&self, choice: WorkerChoice, needs: &Needs) -> Option<Process> {
        loop {
            let mut process = {
                let idle = &mut self.workers().idle;
                let is_eligible = |process: &Process| match (choice, process.confinement()) {
                    (WorkerChoice::Fresh, Some(_)) | (_, None) => false,
                    (WorkerChoice::Any, Some(confinement)) => needs.fit(confinement),
                    (WorkerChoice::Light, Some(confinement)) => {
                        process.held_bytes() <= self.config.worker_retention.light_bytes
                            && needs.fit(confinement)
                    }
                };
                let confined = idle.iter().rposition(is_eligible);
                let place =
                    confined.or_else(|| idle.iter().position(|process| process.confinement().is_none()))?;
                idle.remove(place)
            };
            if process.is_alive() {
                return Some(process);
            }
            tracing::warn!("a worker process that waited has ended or was stopped");
            tokio::spawn(process.kill_and_wait());
        }
    }

    /// A process for any statement.
    pub(super) async fn start_any(&self) -> Result<Process, StartError> {
        let memory_limit_bytes = self.config.memory_limit_bytes;
        self.start(Start { purpose: Purpose::Any, memory_limit_bytes }).await
    }

    pub(super) async fn start(&self, start: Start) -> Result<Process, StartError> {
        let no_folder = |error| StartError::new(format!("its folder cannot be made: {error}"));
        let work_dir = self.work_dirs.make().map_err(no_folder)?;
        let started = Process::start(&self.spawner, start, work_dir, self.config.start_timeout).await;
        self.workers().started_total += u64::from(started.is_ok());
        started
    }

    /// Starts missing fresh workers.
    pub(super) fn start_ahead(self: &Arc<Self>) {
        let mut workers = self.workers();
        if workers.is_resting {
            return;
        }
        let missing = self.config.warm_workers.saturating_sub(workers.fresh() + workers.starting);
        workers.starting += missing;
        let delay = if workers.busy > 0 { START_DELAY } else { Duration::ZERO };
        drop(workers);
        for _ in 0..missing {
            let shared = Arc::clone(self);
            tokio::spawn(async move {
                tokio::time::sleep(delay).await;
                let started = shared.start_any().await;
                shared.workers().starting -= 1;
                match started {
                    Ok(process) => shared.keep(process),
                    // The next statement starts its own and reports the error.
                    Err(error) => tracing::warn!(%error, "a worker process did not start"),
                }
            });
        }
    }

    /// Keeps an idle process; if there are many, it replaces the one of its kind that has waited longest.
    pub(super) fn keep(&self, process: Process) {
        let mut workers = self.workers();
        let is_fresh = process.confinement().is_none();
        let belongs_nowhere =
            process.confinement().is_some_and(|confinement| confinement.workspace.is_none());
        let is_alike = |other: &Process| other.confinement().is_none() == is_fresh;
        let alike = workers.idle.iter().filter(|other| is_alike(other)).count();
        let surplus = if workers.is_resting || belongs_nowhere {
            Some(process)
        } else {
            let oldest = workers.idle.iter().position(is_alike).filter(|_| alike >= self.config.warm_workers);
            let oldest = oldest.map(|place| workers.idle.remove(place));
            workers.idle.push(process);
            oldest
        };
        drop(workers);
        if let Some(surplus) = surplus {
            tokio::spawn(surplus.end());
        }
    }

    /// Ends a process that has been idle since this job of it.
    pub(super) async fn replace(self: &Arc<Self>, job: JobOfProcess) {
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
