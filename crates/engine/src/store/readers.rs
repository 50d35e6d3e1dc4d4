//! A few read-only connections. In WAL mode they neither wait for the writer nor block it.

use std::path::Path;
use std::sync::{Condvar, Mutex, PoisonError};

use rusqlite::Connection;

use crate::error::Result;

/// Concurrent reads; further ones wait for a connection.
const READ_CONNECTIONS: usize = 4;

/// Idle connections; none after it was closed.
pub(super) struct Readers {
    idle: Mutex<Option<Vec<Connection>>>,
    returned: Condvar,
}

impl Readers {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let mut idle = Vec::with_capacity(READ_CONNECTIONS);
        for _ in 0..READ_CONNECTIONS {
            let connection = super::connect(path)?;
            connection
                .pragma_update(None, "query_only", true)
                .map_err(|error| super::failed("opening a read connection", error))?;
            idle.push(connection);
        }
        Ok(Self { idle: Mutex::new(Some(idle)), returned: Condvar::new() })
    }

    /// Runs `query` on a connection; `None` after it was closed.
    pub(super) fn with<T>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Option<rusqlite::Result<T>> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let connection = loop {
            match idle.as_mut()?.pop() {
                Some(connection) => break connection,
                None => idle = self.returned.wait(idle).unwrap_or_else(PoisonError::into_inner),
            }
        };
        drop(idle);
        let mut borrowed = Borrowed { readers: self, connection: None };
        Some(query(borrowed.connection.insert(connection)))
    }

    /// Closes idle connections; the others are closed when their reader is done.
    pub(super) fn close(&self) {
        drop(self.idle.lock().unwrap_or_else(PoisonError::into_inner).take());
        self.returned.notify_all();
    }
}

/// Returns the connection on drop, also if the reader panics.
struct Borrowed<'a> {
    readers: &'a Readers,
    connection: Option<Connection>,
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        if let Some(idle) = &mut *self.readers.idle.lock().unwrap_or_else(PoisonError::into_inner) {
            idle.extend(self.connection.take());
        }
        self.readers.returned.notify_one();
    }
}
