//! The writer thread: takes the queued writes, runs each in one transaction, most in a savepoint of their own, commits
//! once, and answers only then. One sync of the disk serves all writes that arrived during the previous one.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use rusqlite::{Connection, Transaction, TransactionBehavior};
use tokio::sync::mpsc;

use super::counters::Counters;
use super::{Rollback, abandoned, failed, is_full};
use crate::error::{Error, ErrorKind, Result};

/// Maximum number of writes per transaction.
const MAX_GROUP: usize = 256;

/// A request to the writer thread.
pub(super) enum Request {
    /// Makes a change, and commits it now.
    Write(Box<dyn Write>),
    /// Makes a change, and commits it with the next one, or when [`Commit`](Self::Commit) has the same ticket.
    Defer(Box<dyn Write>, u64),
    /// Commits a change that still waits for another one.
    Commit(u64),
}

/// One queued write.
pub(super) trait Write: Send {
    /// What is rolled back with it.
    fn rollback(&self) -> Rollback;

    /// Makes the change; false requests its rollback.
    fn apply(&mut self, transaction: &Transaction<'_>) -> bool;

    /// Whether the change failed because the disk is full, which fails those of its group with it.
    fn is_disk_full(&self) -> bool;

    /// Answers the caller, after the commit or its failure.
    fn finish(self: Box<Self>, commit: Result<(), &rusqlite::Error>);
}

/// A write that has not run yet.
pub(super) fn pending<T: Send + 'static, U: Send + 'static>(
    rollback: Rollback,
    change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
    then: impl FnOnce(T) -> U + Send + 'static,
    reply: impl FnOnce(Result<U>) + Send + 'static,
) -> Box<dyn Write> {
    Box::new(PendingWrite { rollback, change: Some(change), outcome: None, then, reply })
}

/// Runs until every sender is gone and the queue is empty.
pub(super) fn run(mut connection: Connection, mut requests: mpsc::Receiver<Request>, counters: &Counters) {
    let mut group = VecDeque::with_capacity(MAX_GROUP);
    // The tickets of the group's deferred writes.
    let mut tickets = Vec::new();
    loop {
        let first = requests.blocking_recv();
        let is_closed = first.is_none();
        let mut is_due = is_closed || first.is_some_and(|request| take(request, &mut group, &mut tickets));
        while group.len() < MAX_GROUP
            && let Ok(next) = requests.try_recv()
        {
            is_due |= take(next, &mut group, &mut tickets);
        }
        if is_due || group.len() == MAX_GROUP {
            tickets.clear();
            // There is more than one round only if the database rolled back a whole transaction.
            while !group.is_empty() {
                commit_group(&mut connection, &mut group, counters);
            }
        }
        if is_closed {
            return;
        }
    }
}

/// Queues a write; returns whether the queue must be committed now.
fn take(request: Request, group: &mut VecDeque<Box<dyn Write>>, tickets: &mut Vec<u64>) -> bool {
    match request {
        Request::Write(write) => {
            group.push_back(write);
            true
        }
        Request::Defer(write, ticket) => {
            group.push_back(write);
            tickets.push(ticket);
            false
        }
        Request::Commit(ticket) => tickets.contains(&ticket),
    }
}

fn commit_group(connection: &mut Connection, group: &mut VecDeque<Box<dyn Write>>, counters: &Counters) {
    let mut applied = Vec::with_capacity(group.len());
    let started = Instant::now();
    let outcome = apply_group(connection, group, &mut applied);
    counters.committed(applied.len(), started.elapsed(), outcome.is_ok());
    if let Err(error) = &outcome {
        tracing::error!(%error, writes = applied.len(), "a transaction of the store failed");
    }
    for write in applied {
        write.finish(outcome.as_ref().copied());
    }
}

/// Moves executed writes from `group` to `applied`. After an error everything in `applied` is rolled back.
fn apply_group(
    connection: &mut Connection,
    group: &mut VecDeque<Box<dyn Write>>,
    applied: &mut Vec<Box<dyn Write>>,
) -> rusqlite::Result<()> {
    let transaction = match connection.transaction_with_behavior(TransactionBehavior::Immediate) {
        Ok(transaction) => transaction,
        Err(error) => {
            applied.extend(group.drain(..));
            return Err(error);
        }
    };
    while let Some(mut write) = group.pop_front() {
        if write.rollback() == Rollback::Group {
            let before = transaction.total_changes();
            let is_good = write.apply(&transaction);
            let is_disk_full = write.is_disk_full();
            applied.push(write);
            // A full disk or an I/O error may have made SQLite roll the whole transaction back by itself.
            if !is_good && (transaction.total_changes() != before || transaction.is_autocommit()) {
                return Err(if is_disk_full { disk_full() } else { half_made() });
            }
            continue;
        }
        let savepoint = execute(&transaction, "SAVEPOINT one_write");
        let is_good = savepoint.is_ok() && write.apply(&transaction);
        let is_disk_full = write.is_disk_full();
        applied.push(write);
        savepoint?;
        // On a full disk or an I/O error SQLite rolls the whole transaction back by itself; then the savepoint no
        // longer exists, and this fails.
        if !is_good {
            execute(&transaction, "ROLLBACK TO one_write")
                .map_err(|error| if is_disk_full { disk_full() } else { error })?;
        }
        execute(&transaction, "RELEASE one_write")?;
    }
    transaction.commit()
}

/// Executes a statement that is run for each write, with a cached compilation: compiling it would cost as much as the
/// write.
fn execute(transaction: &Transaction<'_>, sql: &str) -> rusqlite::Result<()> {
    transaction.prepare_cached(sql)?.execute([]).map(drop)
}

/// Changes of a write without a savepoint can only be rolled back with its group.
fn half_made() -> rusqlite::Error {
    let message = "a write that has no savepoint failed half-way".to_owned();
    rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_ABORT), Some(message))
}

/// Why the others of a group fail with a write for which there was no room.
fn disk_full() -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_FULL), None)
}

struct PendingWrite<F, G, R, T> {
    rollback: Rollback,
    change: Option<F>,
    outcome: Option<rusqlite::Result<T>>,
    then: G,
    reply: R,
}

impl<F, G, R, T, U> Write for PendingWrite<F, G, R, T>
where
    F: FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send,
    G: FnOnce(T) -> U + Send,
    R: FnOnce(Result<U>) + Send,
    T: Send,
{
    fn rollback(&self) -> Rollback {
        self.rollback
    }

    fn apply(&mut self, transaction: &Transaction<'_>) -> bool {
        let Some(change) = self.change.take() else { return false };
        // OK to continue after a panic: the change is rolled back, with its savepoint or with its group.
        self.outcome = catch_unwind(AssertUnwindSafe(|| change(transaction))).ok();
        matches!(self.outcome, Some(Ok(_)))
    }

    fn is_disk_full(&self) -> bool {
        matches!(&self.outcome, Some(Err(error)) if is_full(error))
    }

    fn finish(self: Box<Self>, commit: Result<(), &rusqlite::Error>) {
        let Self { rollback: _, change: _, outcome, then, reply } = *self;
        let outcome = match (outcome, commit) {
            (Some(Err(error)), _) => Err(failed("writing to the store", error)),
            (None, Ok(())) => Err(abandoned()),
            (_, Err(error)) if is_full(error) => Err(crate::disk::full()),
            (_, Err(error)) => {
                Err(Error::new(ErrorKind::Internal, format!("committing to the store: {error}")))
            }
            (Some(Ok(value)), Ok(())) => {
                catch_unwind(AssertUnwindSafe(|| then(value))).map_err(|_| abandoned())
            }
        };
        reply(outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deferred_write_is_committed_by_another_or_by_its_own_ticket() {
        let write = || pending(Rollback::Group, |_| Ok(()), |()| (), |_| ());
        let (mut group, mut tickets) = (VecDeque::new(), Vec::new());
        assert!(!take(Request::Defer(write(), 7), &mut group, &mut tickets));
        assert!(!take(Request::Commit(6), &mut group, &mut tickets), "one that was committed before");
        assert!(!take(Request::Defer(write(), 8), &mut group, &mut tickets));
        assert!(take(Request::Commit(7), &mut group, &mut tickets));
        assert!(take(Request::Write(write()), &mut group, &mut tickets));
        assert_eq!(group.len(), 3);
    }
}
