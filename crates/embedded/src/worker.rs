//! The main function of `rowhouse worker`: jobs arrive as frames on standard input, replies are sent as frames to
//! standard output, one job at a time. It ends when standard input does, and is killed with its parent. Before its
//! first job it drops all rights that the job does not need.

use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use rowhouse_model::{ErrorCode, QueryError};

use crate::{failure, run, tables};
use rowhouse_executor::protocol::{Job, Reply, put_frame, read_frame, write_frame};
use rowhouse_executor::{ExecutionEvent, SandboxReport, heap};
use rowhouse_sql as sql;

mod process;
mod sandbox;

pub use sandbox::probe as probe_sandbox;

/// Exit status of a Rust program whose main function panics.
const STATUS_OF_PANIC: u8 = 101;

/// Runs a worker until its standard input ends.
///
/// The command line has `--memory-limit-bytes N`, the limit of the process's data and thus of the memory of one
/// statement, and `--sandbox require|best-effort`.
pub fn main() -> ExitCode {
    main_with(|_| None)
}

/// As [`main`], with a handler for jobs, which is tried first: a test runs code of its own confined like statements.
#[doc(hidden)]
pub fn main_with(otherwise: impl FnMut(&Job) -> Option<Reply> + Send) -> ExitCode {
    let run = || {
        let report = begin()?;
        converse(report, otherwise)
    };
    // The text of a panic is on standard error already.
    match catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(error)) => {
            eprintln!("rowhouse worker: {error}");
            if heap::is_used_up(&error) { ExitCode::from(heap::USED_UP_STATUS) } else { ExitCode::FAILURE }
        }
        Err(_) if heap::was_refused() => ExitCode::from(heap::USED_UP_STATUS),
        Err(_) => ExitCode::from(STATUS_OF_PANIC),
    }
}

fn begin() -> io::Result<SandboxReport> {
    let limit = process::memory_limit_argument(std::env::args());
    let mode = process::argument(std::env::args(), "--sandbox");
    let mode = mode.map_or_else(|| Ok(Default::default()), |mode| mode.parse().map_err(io::Error::other))?;
    process::confine(limit)?;
    sandbox::begin(mode).map_err(io::Error::other)
}

type Jobs = BufReader<io::Stdin>;
type Replies = BufWriter<File>;

/// Processes jobs on a thread that is started inside the sandbox, because restrictions of one thread do not apply to
/// existing threads.
fn converse(
    report: SandboxReport,
    mut otherwise: impl FnMut(&Job) -> Option<Reply> + Send,
) -> io::Result<()> {
    // All other output of this process goes to standard error, because it would corrupt the frames.
    let output = process::take_standard_output()?;
    let mut replies = BufWriter::new(output);
    let mut jobs = BufReader::new(io::stdin());
    write_frame(&mut replies, &Reply::ready())?;
    if !enter(report, &mut jobs, &mut replies)? {
        return Ok(());
    }
    sql::on_planning_thread(|| serve(&mut jobs, &mut replies, &mut otherwise))?
}

/// Enters the sandbox of the first job. Returns whether there was a job.
fn enter(report: SandboxReport, jobs: &mut Jobs, replies: &mut Replies) -> io::Result<bool> {
    loop {
        let sandbox = match read_frame::<Job>(jobs)? {
            Some(Job::Enter(sandbox)) => sandbox,
            Some(_) => return Err(io::Error::other("a job came before the sandbox")),
            None => return Ok(false),
        };
        let entered = sandbox::enter(&sandbox, report);
        let is_confined = entered.is_ok();
        write_frame(replies, &Reply::Entered(entered.map(|()| report)))?;
        if is_confined {
            return Ok(true);
        }
    }
}

fn serve(
    jobs: &mut Jobs,
    replies: &mut Replies,
    otherwise: &mut dyn FnMut(&Job) -> Option<Reply>,
) -> io::Result<()> {
    while let Some(job) = read_frame::<Job>(jobs)? {
        write_frame(replies, &Reply::Taken)?;
        let mut reply = match otherwise(&job) {
            Some(reply) => reply,
            None => run(job, &mut |event| report_event(replies, event)),
        };
        let file = match &mut reply {
            Reply::Executed(Ok(execution)) => execution.file.take(),
            _ => None,
        };
        put_frame(replies, &reply, file.as_deref().unwrap_or_default())?;
        write_frame(replies, &Reply::ready())?;
    }
    Ok(())
}

fn report_event(replies: &mut BufWriter<File>, event: ExecutionEvent) {
    // OK to ignore: if the server is gone, it kills this process, and no one receives the event.
    let _ = write_frame(replies, &Reply::Event(event));
}

fn run(job: Job, events: &mut dyn FnMut(ExecutionEvent)) -> Reply {
    match job {
        Job::Enter(_) => Reply::Entered(Err("it has a sandbox already".to_owned())),
        Job::Execute { statement, spill } => {
            let missing = Mutex::default();
            let executed = guarded(|| {
                let executed = run::execute_confined(&statement, spill, &missing, events);
                executed.map_err(|error| failure::in_files(error, &statement))
            });
            let missing = missing.into_inner().unwrap_or_else(PoisonError::into_inner);
            if missing.is_empty() { Reply::Executed(executed) } else { Reply::NeedsSamples(missing) }
        }
        Job::Analyze(statement) => Reply::Analyzed(guarded(|| {
            run::analyze(&statement).map_err(|error| failure::in_files(error, &statement))
        })),
        Job::Describe { location, format } => {
            Reply::Described(guarded(|| tables::describe(&location, format)))
        }
        Job::MakeSamples { folder, tables } => {
            Reply::SamplesMade(guarded(|| tables::make_samples(&folder, &tables)))
        }
    }
}

/// Runs a job. A panic becomes an internal error of the statement; its text is on standard error already. The cause of
/// any other internal error is printed there, too, and not returned.
fn guarded<T>(job: impl FnOnce() -> Result<T, QueryError>) -> Result<T, QueryError> {
    let mut result =
        catch_unwind(AssertUnwindSafe(job)).unwrap_or_else(|panic| Err(failure::of_panic(panic.as_ref())));
    if let Err(error) = &mut result
        && error.code() == Some(ErrorCode::GenericInternalError)
        && let Some(info) = &mut error.failure_info
        && let Some(cause) = info.message.take()
    {
        eprintln!("rowhouse worker: {} failed: {cause}", info.kind);
    }
    result
}
