//! A statement that runs at a cluster, as a guard: dropped before its end, it is canceled there (D10).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::Uri;
use tokio::sync::watch;

use super::connection::Connection;
use super::journal::{Journal, Note};

/// Cancels on their way; what ends the server waits for them.
#[derive(Clone, Debug)]
pub(super) struct Cancels {
    count: watch::Sender<usize>,
}

impl Cancels {
    pub(super) fn new() -> Self {
        Self { count: watch::channel(0).0 }
    }

    /// Returns when every statement that was dropped has been canceled, or after `at_most`.
    pub(super) async fn settled(&self, at_most: Duration) {
        let mut count = self.count.subscribe();
        // OK to go on without: a cluster that is out of reach gives its abandoned statements up by itself.
        let _ = tokio::time::timeout(at_most, count.wait_for(|count| *count == 0)).await;
    }

    /// Cancels a statement and strikes its note.
    pub(super) fn cancel(&self, connection: Arc<Connection>, journal: Journal, id: String, next: Uri) {
        // Without a runtime the server is ending; the next start cancels by the note.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        self.count.send_modify(|count| *count += 1);
        let counted = Counted(self.count.clone());
        runtime.spawn(async move {
            match connection.cancel(&next).await {
                Ok(()) => {
                    tracing::info!(statement = id, cluster = connection.name, "canceled at Trino");
                    journal.strike(&id).await;
                }
                // The note stays, for the next start.
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

/// A statement under way.
pub(super) struct UnderWay {
    connection: Arc<Connection>,
    journal: Journal,
    cancels: Cancels,
    id: String,
    /// Where the next page is; none once Trino has said that it is over.
    next: Option<Uri>,
    is_noted_as_executing: bool,
}

impl UnderWay {
    pub(super) fn new(connection: Arc<Connection>, journal: Journal, cancels: Cancels) -> Self {
        Self { connection, journal, cancels, id: String::new(), next: None, is_noted_as_executing: false }
    }

    /// A page has told where the next one is.
    pub(super) fn reached(&mut self, next: Uri) {
        self.next = Some(next);
    }

    /// Writes it down: once while it is queued, and once when it executes, because a place in Trino's queue is
    /// forgotten when it leaves the queue. Any place of its execution cancels it, so later ones need no note.
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

    /// Trino has nothing more to tell: there is nothing to cancel.
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
