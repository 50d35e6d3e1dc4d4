//! Runs work that recurses over statements on a stack that is large enough for every statement within the
//! limits of [`tokens`](super::tokens), so that no caller's stack can overflow.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rowhouse_model::{ErrorCode, QueryError};

use super::error::Result;
use rowhouse_executor::heap;

/// Only the part that is used is ever backed by memory.
const STACK_BYTES: usize = 192 << 20;

/// Runs `work` on a thread of its own; a panic there is an error here.
pub(super) fn on_deep_stack<T: Send>(work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .name("sql".to_owned())
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
            .map_err(|failure| no_thread(&failure))?
            .join()
            .unwrap_or_else(|_| {
                Err(QueryError::new(ErrorCode::GenericInternalError, "the statement could not be analyzed"))
            })
    })
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
