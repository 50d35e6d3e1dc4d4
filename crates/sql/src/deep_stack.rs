//! Runs recursive work over statements on a stack that is large enough for every statement within the limits of
//! [`tokens`](super::tokens), so that no caller's stack can overflow.

use std::cell::Cell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use rowhouse_model::{ErrorCode, QueryError};

use super::error::Result;
use rowhouse_executor::heap;

/// Stack size, in bytes, of a thread that parses and plans statements. Memory is only committed for the part that is
/// used.
pub const STACK_BYTES: usize = 192 << 20;

thread_local! {
    static IS_DEEP: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` on a thread with a large stack, and waits for it. Statements that `work` plans are planned on this
/// thread, instead of on one new thread each: for programs that plan many statements in sequence.
///
/// # Errors
/// If the thread cannot be started.
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

/// Runs `work` on a stack that is large enough, on a new thread unless the current one has such a stack; a panic of
/// `work` becomes an error.
pub(super) fn on_deep_stack<T: Send>(work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
    if IS_DEEP.get() {
        // OK to continue after a panic: partial state is dropped with the closure.
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

/// Runs `work` on a detached thread, for which neither the caller nor the end of the process waits; `done` gets the
/// outcome on that thread. With `is_shallow`, for work that uses little of the stack, an idle thread that has done such
/// work before may be reused.
pub fn on_detached_deep_stack<T: 'static>(
    is_shallow: bool,
    work: impl FnOnce() -> Result<T> + Send + 'static,
    done: impl FnOnce(Result<T>) + Send + 'static,
) -> Result<()> {
    let run = move || {
        let outcome = catch_unwind(AssertUnwindSafe(work));
        done(outcome.unwrap_or_else(|_| {
            Err(QueryError::new(ErrorCode::GenericInternalError, "the statement could not be read"))
        }));
    };
    if is_shallow { waiting_threads::run(Box::new(run)) } else { spawn(run) }
}

fn spawn(work: impl FnOnce() + Send + 'static) -> Result<()> {
    let thread = std::thread::Builder::new().name("sql".to_owned()).stack_size(STACK_BYTES);
    thread.spawn(work).map(drop).map_err(|failure| no_thread(&failure))
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

/// Idle threads that wait for more work, because starting a thread costs more than parsing a short text.
mod waiting_threads {
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::sync::{Mutex, MutexGuard, PoisonError};
    use std::time::Duration;

    use super::{Result, spawn};

    /// The time after which an idle thread ends.
    const MAX_IDLE: Duration = Duration::from_secs(10);
    /// Maximum number of idle threads; each retains the stack memory that it has used.
    const MAX_WAITING: usize = 8;

    type Work = Box<dyn FnOnce() + Send>;

    /// The number and the channel of each idle thread.
    static WAITING: Mutex<Vec<(u64, Sender<Work>)>> = Mutex::new(Vec::new());

    fn waiting() -> MutexGuard<'static, Vec<(u64, Sender<Work>)>> {
        WAITING.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends work to an idle thread, or starts a new one.
    pub(super) fn run(work: Work) -> Result<()> {
        let thread = waiting().pop();
        let work = match thread {
            // A thread in the list receives what it is sent, because it leaves the list before it ends.
            Some((_, thread)) => match thread.send(work) {
                Ok(()) => return Ok(()),
                Err(returned) => returned.0,
            },
            None => work,
        };
        spawn(move || {
            work();
            wait();
        })
    }

    fn wait() {
        static STARTED: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);
        let number = STARTED.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let (sender, receiver) = channel();
        while enlist(number, &sender) {
            let Some(work) = next(number, &receiver) else { return };
            work();
        }
    }

    /// Adds the thread to the list of idle threads; returns false if the list is full.
    fn enlist(number: u64, sender: &Sender<Work>) -> bool {
        let mut waiting = waiting();
        if waiting.len() == MAX_WAITING {
            return false;
        }
        waiting.push((number, sender.clone()));
        true
    }

    /// The next work; `None` after the idle timeout, when the thread must end.
    fn next(number: u64, receiver: &Receiver<Work>) -> Option<Work> {
        if let Ok(work) = receiver.recv_timeout(MAX_IDLE) {
            return Some(work);
        }
        let is_enlisted = {
            let mut waiting = waiting();
            let place = waiting.iter().position(|(waits, _)| *waits == number);
            place.map(|place| waiting.swap_remove(place)).is_some()
        };
        // If the thread is not in the list any more, a sender has taken it and is about to send.
        if is_enlisted { None } else { receiver.recv().ok() }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread::{self, ThreadId};

    use super::*;

    fn run(is_shallow: bool, work: impl FnOnce() + Send + 'static) -> (Result<ThreadId>, bool) {
        let (sender, outcome) = mpsc::channel();
        let work = move || {
            work();
            Ok(thread::current().id())
        };
        let done = move |outcome: Result<ThreadId>| sender.send(outcome).expect("somebody waits");
        on_detached_deep_stack(is_shallow, work, done).expect("a thread");
        let outcome = outcome.recv().expect("an outcome");
        let is_ok = outcome.is_ok();
        (outcome, is_ok)
    }

    #[test]
    fn only_shallow_threads_are_reused_even_after_a_panic() {
        let mut shallow = std::collections::HashSet::new();
        for number in 0..200 {
            let panics = number % 10 == 0;
            let (outcome, is_ok) = run(true, move || assert!(!panics, "planned"));
            assert_eq!(is_ok, !panics);
            shallow.extend(outcome);
            // The thread enters the list after its answer.
            thread::yield_now();
        }
        // Other tests run at the same time, and an answer arrives before its thread is in the list.
        assert!(shallow.len() < 100, "{} threads", shallow.len());
        for _ in 0..20 {
            let (outcome, _) = run(false, || ());
            assert!(!shallow.contains(&outcome.expect("no panic")));
        }
    }
}
