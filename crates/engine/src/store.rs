//! Durable records in SQLite: one writer thread with group commit, a few read connections, the lock of the data
//! directory. Each file below owns one entity; their callers interpret the rows.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use rowhouse_model::Timestamp;
use rusqlite::{Connection, Transaction};
use tokio::sync::{Semaphore, mpsc, oneshot};

use crate::error::{Error, ErrorKind, Result};
use crate::metrics::StoreMetrics;

mod counters;
mod lock;
pub(crate) mod presence;
mod readers;
mod schema;
mod writer;

pub(crate) mod accounts;
pub(crate) mod cache_entries;
pub(crate) mod endpoint_calls;
pub(crate) mod generation_log;
pub(crate) mod generations;
pub(crate) mod idempotency_keys;
mod json;
pub(crate) mod members;
pub(crate) mod query_records;
pub(crate) mod saved_sql;
pub(crate) mod saved_sql_versions;
pub(crate) mod settings;
pub(crate) mod small_results;
pub(crate) mod tables;
pub(crate) mod tokens;
pub(crate) mod view_sizes;
pub(crate) mod views;
pub(crate) mod workspaces;

#[cfg(test)]
mod tests;

pub(crate) use lock::LOCK_FILE;
pub use presence::DatabaseTraces;

/// Name of the file in the data directory with the first admin's token, which a first start writes.
pub const ADMIN_TOKEN_FILE: &str = "admin-token";

/// Name of the database inside the data directory.
pub(crate) const DATABASE_FILE: &str = "rowhouse.db";
/// How long a write of [`CommitTime::WithNext`] waits at most. Most statements over small tables end sooner.
const MAX_DEFERRAL: Duration = Duration::from_millis(5);
/// A text beyond this is long: as much as the records of a group of statements, so that its turn costs no more than theirs.
const LONG_TEXT_BYTES: usize = 64 << 10;
/// Maximum number of writes in the queue of the writer thread; further callers wait.
const MAX_WAITING_WRITES: usize = 1024;
/// Milliseconds to wait for another process, such as a backup, that locks the database.
const BUSY_TIMEOUT_MILLIS: u64 = 10_000;

/// The open database. It belongs to one server at a time.
pub(crate) struct Store {
    path: PathBuf,
    writes: Mutex<Option<mpsc::Sender<writer::Request>>>,
    /// The ticket of the next deferred write.
    next_ticket: AtomicU64,
    /// The turns of writes with long texts.
    long_texts: Semaphore,
    readers: readers::Readers,
    counters: Arc<counters::Counters>,
    running: Mutex<Option<Running>>,
}

/// When a write is committed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommitTime {
    /// As soon as the writer thread is free.
    Now,
    /// With the next write, or after 5 ms: for a write that another one will soon follow, and that is not acknowledged
    /// before.
    WithNext,
}

/// The extent of the rollback of a write that fails after it has changed something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rollback {
    /// Only the write: it runs in a savepoint.
    Alone,
    /// Its whole commit group, without the cost of a savepoint. For writes of which only the first change can fail, except
    /// by a disk error, which fails the group anyway.
    Group,
}

impl Rollback {
    /// The rollback of a write; `may_fail_half_way` says whether a change after its first one may fail.
    pub(crate) const fn of(may_fail_half_way: bool) -> Self {
        if may_fail_half_way { Self::Alone } else { Self::Group }
    }
}

/// A write that is queued or done; it is executed whether its caller waits for it or not.
#[must_use]
pub(crate) struct BegunWrite<U> {
    answer: oneshot::Receiver<Result<U>>,
}

impl<U> BegunWrite<U> {
    /// Its result after the commit.
    pub(crate) async fn committed(self) -> Result<U> {
        self.answer.await.unwrap_or_else(|_| Err(abandoned()))
    }
}

/// Parts that end with the store, in this order.
struct Running {
    writer: JoinHandle<()>,
    lock: lock::DataDirLock,
}

impl Store {
    /// As [`open_or_create`](Self::open_or_create), of a folder that has its database or never had one.
    #[cfg(test)]
    pub(crate) fn open(path: &Path) -> Result<Arc<Self>> {
        Self::open_or_create(path, None)
    }

    /// Opens or creates the database file at `path`, takes the lock of its folder and migrates the schema to this
    /// version. If a database existed and is missing, a new one is created only if `anew` says so, with the time.
    /// Blocking.
    ///
    /// # Errors
    ///
    /// Another process holds the folder (the message names it); the database is missing, was written by a newer version
    /// or is not Rowhouse's; an error of the disk.
    pub(crate) fn open_or_create(path: &Path, anew: Option<Timestamp>) -> Result<Arc<Self>> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let lock = lock::DataDirLock::acquire(folder)?;
        if presence::is_missing(path) {
            match anew {
                None => presence::check_new(folder, path)?,
                Some(now) => presence::set_aside(folder, now)?,
            }
        }
        create_private(path, folder)?;
        let mut connection = connect(path)?;
        if anew.is_none() && schema::check(&connection, path)? == 0 {
            presence::check_new(folder, path)?;
        }
        schema::migrate(&mut connection, path)?;
        let readers = readers::Readers::open(path)?;
        let (sender, receiver) = mpsc::channel(MAX_WAITING_WRITES);
        let counters = Arc::new(counters::Counters::new());
        let counted = Arc::clone(&counters);
        let writer = std::thread::Builder::new()
            .name("store-writer".to_owned())
            .spawn(move || writer::run(connection, receiver, &counted))
            .map_err(|error| Error::internal("starting the store's writer thread", error))?;
        Ok(Arc::new(Self {
            path: path.to_owned(),
            writes: Mutex::new(Some(sender)),
            next_ticket: AtomicU64::new(0),
            long_texts: Semaphore::new(1),
            readers,
            counters,
            running: Mutex::new(Some(Running { writer, lock })),
        }))
    }

    /// Writes in one transaction with other concurrent writes; returns when it is durable. `change` runs in a savepoint
    /// of its own: if it fails, only it is rolled back.
    ///
    /// # Errors
    ///
    /// A violated uniqueness is [`ErrorKind::AlreadyExists`], everything else internal.
    pub(crate) async fn write<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T> {
        self.write_then(change, |value| value).await
    }

    /// As [`write`](Self::write), and calls `then` after the commit, before this returns, in the order of the commits,
    /// even if the caller no longer waits: this keeps the state in memory consistent with the store. It runs on the
    /// writer thread and must be fast.
    pub(crate) async fn write_then<T: Send + 'static, U: Send + 'static>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
        then: impl FnOnce(T) -> U + Send + 'static,
    ) -> Result<U> {
        self.write_with(Rollback::Alone, change, then).await
    }

    /// As [`write_then`](Self::write_then), for a change that stores a text of this many bytes. Long ones wait for each
    /// other before they are queued: the writes of others are behind one of them at most.
    pub(crate) async fn write_text_then<T: Send + 'static, U: Send + 'static>(
        &self,
        text_bytes: usize,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
        then: impl FnOnce(T) -> U + Send + 'static,
    ) -> Result<U> {
        let is_long = text_bytes > LONG_TEXT_BYTES;
        // OK because it is never closed.
        let _turn = if is_long { Some(self.long_texts.acquire().await.expect("open")) } else { None };
        self.write_then(change, then).await
    }

    /// As [`write_then`](Self::write_then); `rollback` is the extent of the rollback if `change` fails.
    pub(crate) async fn write_with<T: Send + 'static, U: Send + 'static>(
        &self,
        rollback: Rollback,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
        then: impl FnOnce(T) -> U + Send + 'static,
    ) -> Result<U> {
        self.begin_write(CommitTime::Now, rollback, change, then).await?.committed().await
    }

    /// The first half of [`write_with`](Self::write_with): when this returns, the write is ordered before all later
    /// ones.
    pub(crate) async fn begin_write<T: Send + 'static, U: Send + 'static>(
        &self,
        commit: CommitTime,
        rollback: Rollback,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
        then: impl FnOnce(T) -> U + Send + 'static,
    ) -> Result<BegunWrite<U>> {
        let sender = self.writes.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let sender = sender.ok_or_else(closed)?;
        let (reply, answer) = oneshot::channel();
        let write = writer::pending(rollback, change, then, move |outcome| {
            // OK to drop: the caller no longer waits.
            let _ = reply.send(outcome);
        });
        let ticket = self.next_ticket.fetch_add(1, Ordering::Relaxed);
        let request = match commit {
            CommitTime::Now => writer::Request::Write(write),
            CommitTime::WithNext => writer::Request::Defer(write, ticket),
        };
        sender.send(request).await.map_err(|_| closed())?;
        if commit == CommitTime::WithNext {
            // Weak: the store can be closed meanwhile, which commits everything.
            let sender = sender.downgrade();
            tokio::spawn(async move {
                tokio::time::sleep(MAX_DEFERRAL).await;
                if let Some(sender) = sender.upgrade() {
                    // OK to ignore: a closed writer has committed everything.
                    let _ = sender.send(writer::Request::Commit(ticket)).await;
                }
            });
        }
        Ok(BegunWrite { answer })
    }

    /// As [`write`](Self::write), for threads that may block.
    pub(crate) fn write_blocking<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T> {
        let sender = self.writes.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let sender = sender.ok_or_else(closed)?;
        let (reply, answer) = std::sync::mpsc::channel();
        let write = writer::pending(
            Rollback::Alone,
            change,
            |value| value,
            move |outcome| {
                // OK to drop: the receiver waits below until this is sent or dropped.
                let _ = reply.send(outcome);
            },
        );
        let mut request = writer::Request::Write(write);
        // Tokio's own blocking send panics on a runtime's thread, where a start-up may run.
        loop {
            match sender.try_send(request) {
                Ok(()) => break,
                Err(mpsc::error::TrySendError::Closed(_)) => return Err(closed()),
                Err(mpsc::error::TrySendError::Full(same)) => request = same,
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        answer.recv().unwrap_or_else(|_| Err(abandoned()))
    }

    /// Reads committed data. Blocking: for start-up and for threads that may block.
    pub(crate) fn read<T>(&self, query: impl FnOnce(&Connection) -> rusqlite::Result<T>) -> Result<T> {
        let outcome = self.readers.with(query).ok_or_else(closed)?;
        outcome.map_err(|error| failed("reading the store", error))
    }

    /// Reads committed data, on a blocking thread.
    pub(crate) async fn read_async<T: Send + 'static>(
        self: &Arc<Self>,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T> {
        let store = Arc::clone(self);
        match tokio::task::spawn_blocking(move || store.read(query)).await {
            Ok(outcome) => outcome,
            Err(error) => Err(Error::internal("reading the store", error)),
        }
    }

    /// Counters of writes, and the size of the files.
    pub(crate) fn metrics(&self) -> StoreMetrics {
        let counters = &self.counters;
        let log = {
            let mut path = self.path.clone().into_os_string();
            path.push("-wal");
            path
        };
        // Two look-ups of file metadata, which is in memory.
        let bytes = |path: &Path| std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        StoreMetrics {
            writes: counters.writes.load(Ordering::Relaxed),
            commits: counters.commits.load(Ordering::Relaxed),
            failed_commits: counters.failed_commits.load(Ordering::Relaxed),
            commit_time: counters.commit_time(),
            file_bytes: bytes(&self.path) + bytes(Path::new(&log)),
        }
    }

    /// Ends the writer after queued writes, and releases the folder's lock. Blocking; later writes fail.
    pub(crate) fn close(&self) {
        drop(self.writes.lock().unwrap_or_else(PoisonError::into_inner).take());
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Running { writer, lock }) = running {
            if writer.join().is_err() {
                tracing::error!("the store's writer thread panicked");
            }
            self.readers.close();
            drop(lock);
        }
    }
}

/// The schema version of a database that this build can use.
///
/// # Errors
///
/// It was written by a newer version, or is not Rowhouse's.
pub(crate) fn check_version(connection: &Connection, path: &Path) -> Result<usize> {
    schema::check(connection, path)
}

/// The schema version that this build writes.
pub(crate) const SCHEMA_VERSION: usize = schema::MIGRATIONS.len();

impl Drop for Store {
    fn drop(&mut self) {
        self.close();
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("path", &self.path).finish_non_exhaustive()
    }
}

/// Read access to the folder must not imply read access to the file; SQLite gives its log the same mode.
fn create_private(path: &Path, folder: &Path) -> Result<()> {
    use std::os::unix::fs::OpenOptionsExt;

    let mut options = std::fs::OpenOptions::new();
    match options.write(true).create(true).truncate(false).mode(0o600).open(path) {
        // Its name must be durable before those of the files that it will name.
        Ok(_) => std::fs::File::open(folder)
            .and_then(|folder| folder.sync_all())
            .map_err(|error| Error::internal(format!("syncing {}", folder.display()), error)),
        Err(error) => Err(Error::internal(format!("opening the database {}", path.display()), error)),
    }
}

/// Pages of the log before a checkpoint. Statements change the last pages of each index repeatedly: four times SQLite's
/// default halves the writes of these pages, and a start reads back at most 16 MiB.
const CHECKPOINT_PAGES: u32 = 4000;

/// A connection with the settings that durability requires.
fn connect(path: &Path) -> Result<Connection> {
    let open = || -> rusqlite::Result<Connection> {
        let connection = Connection::open(path)?;
        connection.busy_timeout(std::time::Duration::from_millis(BUSY_TIMEOUT_MILLIS))?;
        // In WAL mode FULL syncs the log at each commit; NORMAL would lose the last commits in a power cut.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", true)?;
        connection.pragma_update(None, "journal_size_limit", 64 << 20)?;
        connection.pragma_update(None, "wal_autocheckpoint", CHECKPOINT_PAGES)?;
        connection.set_prepared_statement_cache_capacity(64);
        Ok(connection)
    };
    open().map_err(|error| failed(format!("opening the database {}", path.display()), error))
}

fn closed() -> Error {
    Error::new(ErrorKind::Internal, "the store is closed")
}

/// The writer dropped a write without an answer: it panicked, and the panic is in the log.
fn abandoned() -> Error {
    Error::new(ErrorKind::Internal, "a write to the store was abandoned")
}

/// Distinguishes a taken name from a fault of the server.
fn failed(doing: impl Into<String>, error: rusqlite::Error) -> Error {
    use rusqlite::ffi::{SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE};
    match error.sqlite_error().map(|error| error.extended_code) {
        Some(SQLITE_CONSTRAINT_PRIMARYKEY | SQLITE_CONSTRAINT_UNIQUE) => {
            Error::new(ErrorKind::AlreadyExists, "the name is taken").with_source(error)
        }
        _ if is_full(&error) => crate::disk::full().with_source(error),
        _ => Error::internal(doing, error),
    }
}

/// Whether a write failed because the disk is full; SQLite reports an I/O error for its log's index.
fn is_full(error: &rusqlite::Error) -> bool {
    use rusqlite::ffi::{SQLITE_FULL, SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_WRITE};
    error.sqlite_error().is_some_and(|error| {
        matches!(error.extended_code, SQLITE_FULL | SQLITE_IOERR_SHMSIZE | SQLITE_IOERR_WRITE)
    })
}
