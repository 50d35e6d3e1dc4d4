//! The main of `rowhouse worker`: jobs come as frames on standard input, replies go as frames to standard
//! output, one job at a time. It ends when standard input does, and dies with its parent.

use std::fs::File;
use std::io::{self, BufReader, BufWriter};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use rowhouse_model::{ErrorCode, FailureInfo, QueryError};

use crate::{run, tables};
use rowhouse_executor::protocol::{Job, Reply, read_frame, write_frame};
use rowhouse_sql as sql;

mod landlock;
mod process;

/// Runs a worker until its standard input ends.
///
/// Takes `--memory-limit-bytes N` from the command line: the limit on the process's data, and with it on what
/// one statement may use.
pub fn main() -> ExitCode {
    let limit = process::memory_limit_argument(std::env::args());
    if let Err(error) = process::confine(limit) {
        eprintln!("rowhouse worker: {error}");
        return ExitCode::FAILURE;
    }
    landlock::confine();
    match sql::on_planning_thread(serve).flatten() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("rowhouse worker: {error}");
            ExitCode::FAILURE
        }
    }
}

fn serve() -> io::Result<()> {
    // Whatever else of this process prints goes to standard error: a frame must never be broken by a word.
    let output = process::take_standard_output()?;
    let mut replies = BufWriter::new(output);
    let mut jobs = BufReader::new(io::stdin());
    write_frame(&mut replies, &Reply::ready())?;
    while let Some(job) = read_frame::<Job>(&mut jobs)? {
        let reply = run(job, &mut replies);
        write_frame(&mut replies, &reply)?;
        write_frame(&mut replies, &Reply::ready())?;
    }
    Ok(())
}

fn run(job: Job, replies: &mut BufWriter<File>) -> Reply {
    match job {
        Job::Execute { statement, spill } => Reply::Executed(guarded(|| {
            run::execute(&statement, spill, &mut |event| {
                // A server that is gone kills this process; there is nobody left to tell.
                let _ = write_frame(replies, &Reply::Event(event));
            })
        })),
        Job::Analyze(statement) => Reply::Analyzed(guarded(|| run::analyze(&statement))),
        Job::Describe { location, format } => {
            Reply::Described(guarded(|| tables::describe(&location, format)))
        }
    }
}

/// A panic is the engine's fault and one statement's misfortune: its text is on standard error already. The
/// cause of any other internal error goes there, too, and no further.
fn guarded<T>(job: impl FnOnce() -> Result<T, QueryError>) -> Result<T, QueryError> {
    let mut result = catch_unwind(AssertUnwindSafe(job)).unwrap_or_else(|_| {
        let mut error =
            QueryError::new(ErrorCode::GenericInternalError, "the engine failed at this statement");
        error.failure_info = Some(FailureInfo { kind: "Panic".to_owned(), message: None });
        Err(error)
    });
    if let Err(error) = &mut result
        && error.code() == Some(ErrorCode::GenericInternalError)
        && let Some(info) = &mut error.failure_info
        && let Some(cause) = info.message.take()
    {
        eprintln!("rowhouse worker: {} failed: {cause}", info.kind);
    }
    result
}
