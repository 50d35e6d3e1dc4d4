//! A guard of a statement running at a cluster: if it is dropped before the end, the statement is canceled there (D10).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::Uri;
use tokio::sync::watch;

use super::connection::Connection;
use super::journal::{Journal, Note};

/// Cancels in progress; the shutdown waits for them.
#[derive(Clone, Debug)]
pub(super) struct Cancels {
    count: watch::Sender<usize>,
}

impl Cancels {
    pub(super) fn new() -> Self {
        Self { count: watch::channel(0).0 }
    }

    /// Returns when every dropped statement has been canceled, or after `at_most`.
    pub(super) async fn settled(&self, at_most: Duration) {
        let mut count = self.count.subscribe();
        // OK to continue without: an unreachable cluster ends abandoned statements by itself.
        let _ = tokio::time::timeout(at_most, count.wait_for(|count| *count == 0)).await;
    }

    /// Cancels a statement and removes its journal entry.
    pub(super) fn cancel(&self, connection: Arc<Connection>, journal: Journal, id: String, next: Uri) {
        // Without a runtime the server is ending; the next start cancels by the journal.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        self.count.send_modify(|count| *count += 1);
        let counted = Counted(self.count.clone());
        runtime.spawn(async move {
            match connection.cancel(&next).await {
                Ok(()) => {
                    tracing::info!(statement = id, cluster = connection.name, "canceled at Trino");
                    journal.strike(&id).await;
                }
                // The entry stays for the next start.
                Err(error) => {
                    tracing::warn!(error = error.message, statement = id, "not canceled at Trino");
                }
            }
            drop(counted);
        });
    }
}

struct Counted(watch::Sender<usize>);

impl Drop for Counted {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count -= 1);
    }
}

/// A running statement.
pub(super) struct UnderWay {
    connection: Arc<Connection>,
    journal: Journal,
    cancels: Cancels,
    id: String,
    /// Address of the next page; none once Trino has reported the end.
    next: Option<Uri>,
    is_noted_as_executing: bool,
}

impl UnderWay {
    pub(super) fn new(connection: Arc<Connection>, journal: Journal, cancels: Cancels) -> Self {
        Self { connection, journal, cancels, id: String::new(), next: None, is_noted_as_executing: false }
    }

    /// Records the address of the next page.
    pub(super) fn reached(&mut self, next: Uri) {
        self.next = Some(next);
    }

    /// Writes the journal entry: once while it is queued, and once when it executes, because an address in Trino's
    /// queue becomes invalid when it leaves the queue. Any address of its execution cancels it, so later ones need no
    /// entry.
    pub(super) async fn note(&mut self, id: &str) {
        let Some(next) = &self.next else { return };
        let is_executing = next.path().contains("/executing/");
        if !self.id.is_empty() && (self.is_noted_as_executing || !is_executing) {
            return;
        }
        id.clone_into(&mut self.id);
        self.is_noted_as_executing = is_executing;
        let note =
            Note { id: self.id.clone(), cluster: self.connection.name.clone(), next_uri: next.to_string() };
        self.journal.write(&note).await;
    }

    /// Trino has reported the end: there is nothing to cancel.
    pub(super) async fn ended(&mut self) {
        self.next = None;
        self.journal.strike(&self.id).await;
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        if let Some(next) = self.next.take() {
            let (connection, journal) = (Arc::clone(&self.connection), self.journal.clone());
            self.cancels.cancel(connection, journal, std::mem::take(&mut self.id), next);
        }
    }
}

impl fmt::Debug for UnderWay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnderWay").field("id", &self.id).field("next", &self.next).finish_non_exhaustive()
    }
}
