//! Runs work that recurses over statements on a stack that is large enough for every statement within the
//! limits of [`tokens`](super::tokens), so that no caller's stack can overflow.

use std::cell::Cell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rowhouse_model::{ErrorCode, QueryError};

use super::error::Result;
use rowhouse_executor::heap;

/// Stack of a thread that reads and plans statements. Only the part that is used is ever backed by memory.
pub const STACK_BYTES: usize = 192 << 20;

thread_local! {
    static IS_DEEP: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` on a thread on which statements are planned without a thread of their own for each, and waits for it:
/// for a program that plans one after the other.
///
/// # Errors
/// The system has no such thread.
pub fn on_planning_thread<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    std::thread::scope(|scope| {
        let run = || {
            IS_DEEP.set(true);
            work()
        };
        let thread = std::thread::Builder::new().name("sql".to_owned()).stack_size(STACK_BYTES);
        let ended = thread.spawn_scoped(scope, run)?.join();
        Ok(ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

/// Runs `work` on a stack that is deep enough, on a thread of its own where this one's is not; a panic there is an
/// error here.
pub(super) fn on_deep_stack<T: Send>(work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    if IS_DEEP.get() {
        // OK to go on: what the work has half-made goes with its closure.
        return catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| Err(not_analyzed()));
    }
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .name("sql".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
            .map_err(|failure| no_thread(&failure))?
            .join()
            .unwrap_or_else(|_| Err(not_analyzed()))
    })
}

fn not_analyzed() -> QueryError {
    QueryError::new(ErrorCode::GenericInternalError, "the statement could not be analyzed")
}

/// Runs `work` on a thread of its own that nobody waits for, neither the caller nor the end of the process; `done` is
/// given what came of it, there.
pub fn on_detached_deep_stack<T: 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
    done: impl FnOnce(Result<T>) + Send + 'static,
) -> Result<()> {
    let run = move || {
        let outcome = catch_unwind(AssertUnwindSafe(work));
        done(outcome.unwrap_or_else(|_| {
            Err(QueryError::new(ErrorCode::GenericInternalError, "the statement could not be read"))
        }));
    };
    let thread = std::thread::Builder::new().name("sql".to_owned()).stack_size(STACK_BYTES);
    thread.spawn(run).map(drop).map_err(|failure| no_thread(&failure))
}

fn no_thread(failure: &io::Error) -> QueryError {
    if !heap::is_used_up(failure) {
        let what = format!("no thread for the statement: {failure}");
        return QueryError::new(ErrorCode::GenericInternalError, what);
    }
    let what = format!(
        "the memory limit of {} MiB leaves no room for the {} MiB that planning a statement may take",
        heap::limit_bytes().unwrap_or(0) >> 20,
        STACK_BYTES >> 20
    );
    QueryError::new(ErrorCode::ExceededMemoryLimit, what)
}
