//! One worker process: its pipes, its last output, and its end. A process whose statement has not ended is killed on
//! drop, with its whole process group, and its folder is removed.

use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::process::ExitStatus;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rowhouse_model::{ErrorCode, QueryError, StatementId};
use rustix::process::{Pid, Signal};
use tokio::io::{AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

use super::exit::error_of_exit;
use super::file_limit::{self, FileLimit};
use super::needs::Confinement;
use super::priority::Threads;
use super::spawner::{Spawner, Start};
use super::work_dir::WorkDir;
use rowhouse_executor::protocol::{self, FrameTooLong, Job, PROTOCOL_VERSION, Reply};
use rowhouse_executor::{OutputLimit, Sandbox, SandboxReport};

/// Maximum number of bytes that are kept of a worker's standard error.
const MAX_LAST_OUTPUT_BYTES: usize = 8 << 10;
/// Time for a process to end by itself before it is killed.
const END_TIMEOUT: Duration = Duration::from_secs(1);
/// Time to read the last output after the process is gone; a child of its own may hold the pipe open.
const LAST_OUTPUT_TIMEOUT: Duration = Duration::from_millis(200);
/// Time to read the last output of a process that is still alive.
const LAST_OUTPUT_DELAY: Duration = Duration::from_millis(20);
/// Time limit for a process to acknowledge its job: one that hangs gets none. Its sandbox may list many files first.
const TAKE_TIMEOUT: Duration = Duration::from_secs(5);
const ENTER_TIMEOUT: Duration = Duration::from_secs(60);
/// Measurements of a process are reused for this time, because reading the kernel's files about it costs a tenth of a small
/// statement. If it has ended since, another process gets the job.
const SEEN_LATELY: Duration = Duration::from_millis(100);
/// A job that takes no longer than this leaves a process about as large as it was.
const SHORT_JOB: Duration = Duration::from_millis(10);

/// A process that waits for a job.
pub(super) struct Process {
    child: Child,
    pid: Option<Pid>,
    /// A handle (pidfd) of this process only, even if its id is reused.
    handle: Option<OwnedFd>,
    /// Its confinement; none before its first job.
    confinement: Option<Confinement>,
    work_dir: WorkDir,
    memory_limit_bytes: u64,
    /// Memory that it held after its last job, besides its files.
    held_bytes: u64,
    file_limit: FileLimit,
    jobs: u64,
    /// When it was given its last job, reported that it can take one, and had its memory measured.
    begun_at: Instant,
    greeted_at: Option<Instant>,
    looked_at: Option<Instant>,
    stdin: ChildStdin,
    stdout: BufReader<ChildStdout>,
    last_output: Arc<Mutex<Vec<u8>>>,
    stderr_reader: JoinHandle<()>,
}

/// A job of a process: the process's number, and the job's number within the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct JobOfProcess {
    pid: Option<Pid>,
    job: u64,
}

/// Why a process cannot take a job.
#[derive(Debug)]
pub(super) struct StartError {
    what: String,
    last_output: String,
}

impl Process {
    /// Starts a process and waits for its greeting.
    pub(super) async fn start(
        spawner: &Spawner,
        start: Start,
        work_dir: WorkDir,
        within: Duration,
    ) -> Result<Self, StartError> {
        let spawned = spawner.spawn(start).await;
        let child = spawned.map_err(|error| StartError::new(format!("it cannot be started: {error}")))?;
        let mut process = Self::new(child, work_dir, start.memory_limit_bytes)?;
        match process.greeting(within).await {
            Ok(()) => Ok(process),
            Err(what) => {
                process.kill();
                let last_output = process.last_output().await;
                Err(StartError { what, last_output })
            }
        }
    }

    fn new(mut child: Child, work_dir: WorkDir, memory_limit_bytes: u64) -> Result<Self, StartError> {
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(StartError::new("it has no pipes".to_owned()));
        };
        let pid = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        let handle = pid.and_then(handle_of);
        let stdout = BufReader::new(stdout);
        let last_output = Arc::new(Mutex::new(Vec::new()));
        let stderr_reader = tokio::spawn(keep_last_output(stderr, Arc::clone(&last_output)));
        let (held_bytes, jobs) = (0, 0);
        Ok(Self {
            child,
            pid,
            handle,
            confinement: None,
            work_dir,
            memory_limit_bytes,
            held_bytes,
            file_limit: FileLimit::default(),
            jobs,
            begun_at: Instant::now(),
            greeted_at: None,
            looked_at: None,
            stdin,
            stdout,
            last_output,
            stderr_reader,
        })
    }

    /// Waits until the process reports that it can take a job.
    pub(super) async fn greeting(&mut self, within: Duration) -> Result<(), String> {
        let greeted = self.greeted(within).await;
        self.greeted_at = greeted.is_ok().then(Instant::now);
        greeted
    }

    async fn greeted(&mut self, within: Duration) -> Result<(), String> {
        match timeout(within, protocol::receive_frame(&mut self.stdout)).await {
            Err(_) => Err(format!("it said nothing within {} s", within.as_secs_f32())),
            Ok(Err(error)) => Err(format!("its greeting cannot be read: {error}")),
            Ok(Ok(None)) => Err("it ended instead of greeting".to_owned()),
            Ok(Ok(Some((Reply::Ready { protocol_version: PROTOCOL_VERSION }, _)))) => Ok(()),
            Ok(Ok(Some((Reply::Ready { protocol_version }, _)))) => Err(format!(
                "it speaks version {protocol_version} of the protocol, this server {PROTOCOL_VERSION}"
            )),
            Ok(Ok(Some(_))) => Err("it answered before it was asked".to_owned()),
        }
    }

    /// Whether it is running and not stopped.
    pub(super) fn is_alive(&mut self) -> bool {
        self.greeted_at.is_some_and(|greeted_at| greeted_at.elapsed() < SEEN_LATELY) || self.is_running()
    }

    fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None)) && !self.is_stopped()
    }

    /// A process that was sent SIGSTOP, or is traced, does nothing; if the system does not report this, a time-out
    /// catches it.
    fn is_stopped(&self) -> bool {
        let Some(id) = self.child.id() else { return true };
        let stat = read_short(&format!("/proc/{id}/stat")).unwrap_or_default();
        // After the name, which may contain anything.
        stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with(['T', 't']))
    }

    /// Its confinement; none before its first job.
    pub(super) const fn confinement(&self) -> Option<&Confinement> {
        self.confinement.as_ref()
    }

    /// The folder that it may write.
    pub(super) const fn work_dir(&self) -> &WorkDir {
        &self.work_dir
    }

    /// Memory that it held at the last measurement, besides its files; 0 before its first job.
    pub(super) const fn held_bytes(&self) -> u64 {
        self.held_bytes
    }

    /// Measures the memory that it holds besides its files, if the system reports it.
    pub(super) fn look_at_memory(&mut self) -> Option<u64> {
        let is_known = self.looked_at.is_some_and(|looked_at| looked_at.elapsed() < SEEN_LATELY);
        if is_known && self.begun_at.elapsed() < SHORT_JOB {
            return Some(self.held_bytes);
        }
        let status = read_short(&format!("/proc/{}/status", self.child.id()?)).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?;
        let kibibytes: u64 = line.split_ascii_whitespace().next()?.parse().ok()?;
        self.held_bytes = kibibytes * 1024;
        self.looked_at = Some(Instant::now());
        Some(self.held_bytes)
    }

    pub(super) const fn threads(&self) -> Threads {
        Threads(self.pid)
    }

    /// The job that it was given last.
    pub(super) const fn latest_job(&self) -> JobOfProcess {
        JobOfProcess { pid: self.pid, job: self.jobs }
    }

    /// Lets it end by itself, and kills it if it does not.
    pub(super) async fn end(self) {
        let Self { mut child, pid, handle, stdin, work_dir, .. } = self;
        drop(stdin);
        if timeout(END_TIMEOUT, child.wait()).await.is_err() {
            kill(handle.as_ref(), pid);
            // OK to ignore: the process is gone either way.
            let _ = child.wait().await;
        }
        drop(work_dir);
    }

    /// Kills it; returns its folder.
    pub(super) async fn kill_and_wait(mut self) -> WorkDir {
        self.kill();
        // OK to ignore: the process is gone either way.
        let _ = self.child.wait().await;
        self.work_dir
    }

    fn kill(&self) {
        // After the process was waited for, its id may be reused.
        if self.child.id().is_some() {
            kill(self.handle.as_ref(), self.pid);
        }
    }

    fn kept_output(&self) -> MutexGuard<'_, Vec<u8>> {
        self.last_output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the end of a process that was killed or has closed its pipe.
    async fn exit_status(&mut self) -> Option<ExitStatus> {
        if let Ok(status) = timeout(END_TIMEOUT, self.child.wait()).await {
            return status.ok();
        }
        self.kill();
        self.child.wait().await.ok()
    }

    /// The tail of its standard error.
    async fn last_output(&mut self) -> String {
        // OK to ignore: what has been read by then is used.
        let _ = timeout(LAST_OUTPUT_TIMEOUT, &mut self.stderr_reader).await;
        String::from_utf8_lossy(&self.kept_output()).into_owned()
    }
}

/// A process with a job. Dropping it before [`finish`](Self::finish) kills it: this implements cancel and the time
/// limit.
pub(super) struct Conversation {
    process: Option<Process>,
    statement: Option<StatementId>,
    output_limit: Option<OutputLimit>,
}

/// The reaction of a process to a job.
pub(super) enum Answer {
    /// It has taken it, with a report if it has just been confined.
    Taken(Option<SandboxReport>),
    /// It was gone, or hung, before it took the job: not the job's fault.
    Gone,
    /// It cannot be confined.
    Unconfined(String),
    /// No process can take the job.
    TooLong(FrameTooLong),
}

impl Conversation {
    pub(super) fn new(mut process: Process, job: &Job) -> Self {
        let statement = match job {
            Job::Execute { statement, .. } | Job::Analyze(statement) => Some(statement),
            Job::Enter(_) | Job::Describe { .. } | Job::MakeSamples { .. } => None,
        };
        process.jobs += 1;
        let pid = process.pid;
        process.file_limit.set(pid, job.longest_file_bytes());
        process.begun_at = Instant::now();
        // Output of an earlier job does not belong to this one.
        process.kept_output().clear();
        let output_limit = statement.and_then(|statement| statement.output_limit.clone());
        Self {
            process: Some(process),
            statement: statement.map(|statement| statement.id.clone()),
            output_limit,
        }
    }

    /// Sends the job, to a fresh process with its confinement.
    pub(super) async fn begin(&mut self, confinement: Option<(Confinement, Sandbox)>, job: &Job) -> Answer {
        let within = if confinement.is_some() { ENTER_TIMEOUT } else { TAKE_TIMEOUT };
        match timeout(within, self.hand_over(confinement, job)).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => {
                tracing::warn!(%error, "a worker process did not take its job");
                Answer::Gone
            }
            Err(_) => {
                let seconds = within.as_secs();
                tracing::warn!("a worker process hangs: it did not take its job within {seconds} s");
                Answer::Gone
            }
        }
    }

    async fn hand_over(
        &mut self,
        confinement: Option<(Confinement, Sandbox)>,
        job: &Job,
    ) -> io::Result<Answer> {
        let out_of_turn = || io::Error::new(io::ErrorKind::InvalidData, "it answered out of turn");
        let gone = || io::Error::from(io::ErrorKind::UnexpectedEof);
        let mut report = None;
        if let Some((confinement, sandbox)) = confinement {
            let process = self.process.as_mut().ok_or_else(gone)?;
            process.confinement = Some(confinement);
            protocol::send_frame(&mut process.stdin, &Job::Enter(sandbox)).await?;
            match self.receive().await? {
                Reply::Entered(Ok(entered)) => report = Some(entered),
                Reply::Entered(Err(why)) => return Ok(Answer::Unconfined(why)),
                _ => return Err(out_of_turn()),
            }
        }
        let process = self.process.as_mut().ok_or_else(gone)?;
        if let Err(error) = protocol::send_frame(&mut process.stdin, job).await {
            return FrameTooLong::cause_of(&error).map(Answer::TooLong).ok_or(error);
        }
        match self.receive().await? {
            Reply::Taken => Ok(Answer::Taken(report)),
            _ => Err(out_of_turn()),
        }
    }

    /// The next reply of the process; an error if it ends or violates the protocol.
    pub(super) async fn receive(&mut self) -> io::Result<Reply> {
        let gone = || io::Error::from(io::ErrorKind::UnexpectedEof);
        let process = self.process.as_mut().ok_or_else(gone)?;
        let (mut reply, attached) = protocol::receive_frame(&mut process.stdout).await?.ok_or_else(gone)?;
        if let Reply::Executed(Ok(execution)) = &mut reply
            && !attached.is_empty()
        {
            execution.file = Some(attached);
        }
        Ok(reply)
    }

    /// Logs why the engine failed at a job that the process survived: a panic's text is on its standard error.
    pub(super) async fn log_last_output(&self, error: &QueryError) {
        // The reply and the output come through two pipes.
        tokio::time::sleep(LAST_OUTPUT_DELAY).await;
        let Some(process) = &self.process else { return };
        let last_output = String::from_utf8_lossy(&process.kept_output()).into_owned();
        let statement = self.statement.as_ref().map(StatementId::as_str);
        tracing::error!(statement, error = error.message, last_output, "the engine failed at a statement");
    }

    pub(super) fn threads(&self) -> Threads {
        self.process.as_ref().map_or(Threads(None), Process::threads)
    }

    /// The memory that the process held before the job, besides its files.
    pub(super) fn held_bytes(&self) -> u64 {
        self.process.as_ref().map_or(0, Process::held_bytes)
    }

    /// The job has ended; the process is idle again.
    pub(super) fn finish(mut self) -> Process {
        // OK because only this function and `drop` take it, and both end the conversation.
        self.process.take().expect("a conversation has its process")
    }

    /// Why the process stopped replying.
    pub(super) async fn explain(mut self, failure: io::Error) -> QueryError {
        if failure.kind() != io::ErrorKind::UnexpectedEof {
            return self.give_up(&format!("it cannot be understood: {failure}")).await;
        }
        let Some(process) = &mut self.process else {
            return error_of_exit(None, 0);
        };
        let status = process.exit_status().await;
        let last_output = process.last_output().await;
        let statement = self.statement.as_ref().map(StatementId::as_str);
        if let Some(limit) = self.output_limit.as_ref().filter(|_| file_limit::is_reached(status)) {
            tracing::warn!(statement, "a worker process was ended by the kernel's limit on its files");
            return limit.error();
        }
        let error = error_of_exit(status, process.memory_limit_bytes);
        if error.code() == Some(ErrorCode::ExceededMemoryLimit) {
            tracing::info!(statement, last_output, "a statement met its memory limit");
        } else {
            tracing::error!(statement, ?status, last_output, "a worker process ended before its statement");
        }
        error
    }

    /// Ends a process that violates the protocol.
    pub(super) async fn give_up(mut self, why: &str) -> QueryError {
        if let Some(process) = &mut self.process {
            process.kill();
            let last_output = process.last_output().await;
            let statement = self.statement.as_ref().map(StatementId::as_str);
            tracing::error!(statement, why, last_output, "a worker process was given up");
        }
        QueryError::new(
            ErrorCode::GenericInternalError,
            format!("the worker process of this statement was ended: {why}"),
        )
    }
}

impl Drop for Conversation {
    fn drop(&mut self) {
        let Some(mut process) = self.process.take() else { return };
        process.kill();
        let reap = async move {
            // OK to ignore: nothing is known of the process beyond its end.
            let _ = process.child.wait().await;
            // Only now: while it is alive it could still write into its folder.
            drop(process.work_dir);
        };
        // Without a runtime the server is ending; the process is killed, and its files are removed at the next start.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(reap);
        }
    }
}

/// A pidfd, which refers to the process even if its id is reused; none if the system has none.
#[cfg(target_os = "linux")]
fn handle_of(pid: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
const fn handle_of(_: Pid) -> Option<OwnedFd> {
    None
}

/// Kills the process, whatever group it is in, and the group that it was started in.
fn kill(handle: Option<&OwnedFd>, pid: Option<Pid>) {
    // OK to ignore throughout: the process may be gone already.
    #[cfg(target_os = "linux")]
    if let Some(handle) = handle {
        let _ = rustix::process::pidfd_send_signal(handle, Signal::KILL);
    }
    if let Some(pid) = pid {
        if handle.is_none() {
            let _ = rustix::process::kill_process(pid, Signal::KILL);
        }
        let _ = rustix::process::kill_process_group(pid, Signal::KILL);
    }
}

/// A short file of the kernel, in one read.
fn read_short(path: &str) -> io::Result<String> {
    let mut buffer = [0; 4096];
    let length = File::open(path)?.read(&mut buffer)?;
    Ok(String::from_utf8_lossy(&buffer[..length]).into_owned())
}

async fn keep_last_output(mut stderr: ChildStderr, last_output: Arc<Mutex<Vec<u8>>>) {
    let mut buffer = [0; 4096];
    while let Ok(read @ 1..) = stderr.read(&mut buffer).await {
        let mut kept = last_output.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend_from_slice(&buffer[..read]);
        let excess = kept.len().saturating_sub(MAX_LAST_OUTPUT_BYTES);
        kept.drain(..excess);
    }
}

impl StartError {
    pub(super) fn new(what: String) -> Self {
        Self { what, last_output: String::new() }
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, last_output } = self;
        f.write_str(what)?;
        if last_output.is_empty() {
            Ok(())
        } else {
            write!(f, "; its last output: {}", last_output.trim_end())
        }
    }
}

impl std::error::Error for StartError {}
