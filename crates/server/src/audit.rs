//! The audit log: who ran, read and changed what, when, from where and with what outcome, one JSON object per line in a
//! separate file. The wrapper around every request writes it, and so do refreshes without a request. Tokens and query
//! strings never reach it, SQL only if the operator enables it.

mod entry;
mod note;
mod refresh;
mod subject;
mod writer;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use rowhouse_engine::OwnRefresh;

pub(crate) use entry::{Entry, action, forwarded_for, logged_path, outcome};
pub(crate) use note::{Note, NoteOptions};
pub(crate) use subject::AuditSubject;
use writer::Writer;

/// File and contents of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AuditConfig {
    /// The file, which is created or appended to.
    pub(crate) file: PathBuf,
    /// Whether it contains texts of statements and their parameters.
    pub(crate) with_sql: bool,
}

/// The log, enabled or disabled; this can change at run time.
#[derive(Debug, Default)]
pub(crate) struct AuditLog {
    on: RwLock<Option<On>>,
    lost: Arc<AtomicU64>,
}

#[derive(Debug)]
struct On {
    writer: Writer,
    with_sql: bool,
}

impl AuditLog {
    /// Reopens the file, as a rotation requires, or disables the log. Blocking.
    ///
    /// # Errors
    /// The file cannot be opened; then nothing changes.
    pub(crate) fn configure(&self, config: Option<&AuditConfig>) -> anyhow::Result<()> {
        let on = match config {
            Some(AuditConfig { file, with_sql }) => {
                Some(On { writer: Writer::open(file, Arc::clone(&self.lost))?, with_sql: *with_sql })
            }
            None => None,
        };
        let replaced = std::mem::replace(&mut *self.on.write().unwrap_or_else(PoisonError::into_inner), on);
        // Earlier entries are written before this returns.
        drop(replaced);
        Ok(())
    }

    /// What to record of a request; none while the log is disabled.
    pub(crate) fn wanted(&self) -> Option<NoteOptions> {
        let on = self.on.read().unwrap_or_else(PoisonError::into_inner);
        on.as_ref().map(|on| NoteOptions { with_sql: on.with_sql })
    }

    /// Passes an entry to the log. Another thread writes it soon.
    pub(crate) fn write(&self, entry: &Entry<'_>) {
        self.write_line(entry.line());
    }

    /// Passes a refresh without a request to the log.
    pub(crate) fn write_refresh(&self, refresh: &OwnRefresh) {
        self.write_line(refresh::line(refresh));
    }

    /// Passes a complete line to the log.
    fn write_line(&self, line: Vec<u8>) {
        if let Some(on) = &*self.on.read().unwrap_or_else(PoisonError::into_inner) {
            on.writer.write(line);
        }
    }

    /// Number of entries that were not written: the disk failed, or was too slow.
    pub(crate) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}
