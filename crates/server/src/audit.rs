//! The audit log: who ran, read and changed what, when, from where and with what outcome, one JSON object a line in
//! a file of its own. The wrapper around every request writes it, and so are refreshes that no request asked
//! for; no token and no query string ever reaches it, SQL only where the operator wants it.

mod entry;
mod made;
mod note;
mod refresh;
mod writer;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use rowhouse_engine::OwnRefresh;

pub(crate) use entry::{Entry, action, forwarded_for, outcome, told_path};
pub(crate) use made::Made;
pub(crate) use note::{Note, Wanted};
use writer::Writer;

/// Where the log goes and what it holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AuditConfig {
    /// The file, which is made, or appended to.
    pub(crate) file: PathBuf,
    /// Whether texts of statements and their parameters are part of it.
    pub(crate) with_sql: bool,
}

/// The log, on or off; which of the two can change while the server runs.
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
    /// Opens the file anew, as a rotation wants it, or turns the log off. Blocking.
    ///
    /// # Errors
    /// The file cannot be opened; then all stays as it was.
    pub(crate) fn configure(&self, config: Option<&AuditConfig>) -> anyhow::Result<()> {
        let on = match config {
            Some(AuditConfig { file, with_sql }) => {
                Some(On { writer: Writer::open(file, Arc::clone(&self.lost))?, with_sql: *with_sql })
            }
            None => None,
        };
        let replaced = std::mem::replace(&mut *self.on.write().unwrap_or_else(PoisonError::into_inner), on);
        // What it was told before is written before this returns.
        drop(replaced);
        Ok(())
    }

    /// What is to be noted of a request; none while the log is off.
    pub(crate) fn wanted(&self) -> Option<Wanted> {
        let on = self.on.read().unwrap_or_else(PoisonError::into_inner);
        on.as_ref().map(|on| Wanted { with_sql: on.with_sql })
    }

    /// Hands an entry to the log. It is written soon, by another thread.
    pub(crate) fn write(&self, entry: &Entry<'_>) {
        self.write_line(entry.line());
    }

    /// Hands a refresh that no request asked for to the log.
    pub(crate) fn write_refresh(&self, refresh: &OwnRefresh) {
        self.write_line(refresh::line(refresh));
    }

    /// Hands a whole line to the log.
    fn write_line(&self, line: Vec<u8>) {
        if let Some(on) = &*self.on.read().unwrap_or_else(PoisonError::into_inner) {
            on.writer.write(line);
        }
    }

    /// Entries that were not written: the disk said no, or could not keep up.
    pub(crate) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }
}
