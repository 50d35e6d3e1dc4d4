//! Refreshes that nobody asked for at their moment: the schedule's, and those that the last stop of the server owed.
//! They are told to whoever follows them, as an audit log does.

use std::sync::{Mutex, PoisonError};

use rowhouse_model::{AccountId, Query, Source, Timestamp, ViewId, WorkspaceId};
use tokio::sync::mpsc;

use crate::error::Result;

/// Refreshes that wait to be taken note of; where nobody follows, later ones are not kept.
const MAX_WAITING: usize = 1024;

/// One such refresh, as it was begun or refused.
#[derive(Debug)]
pub struct OwnRefresh {
    /// When.
    pub at: Timestamp,
    /// The view.
    pub view_id: ViewId,
    /// Its SQL name at the moment.
    pub view_sql_name: String,
    /// Its workspace.
    pub workspace_id: WorkspaceId,
    /// On whose behalf: the account that defined the view.
    pub account_id: AccountId,
    /// The account's name.
    pub username: String,
    /// `SCHEDULE`, or `MATERIALIZED_VIEW` for one that was owed.
    pub source: Source,
    /// The query that was submitted, or why none was.
    pub outcome: Result<Query>,
}

/// From the views to the one who follows.
#[derive(Debug)]
pub(super) struct OwnRefreshes {
    sender: mpsc::Sender<OwnRefresh>,
    receiver: Mutex<Option<mpsc::Receiver<OwnRefresh>>>,
}

impl Default for OwnRefreshes {
    fn default() -> Self {
        let (sender, receiver) = mpsc::channel(MAX_WAITING);
        Self { sender, receiver: Mutex::new(Some(receiver)) }
    }
}

impl OwnRefreshes {
    /// Tells of one; nothing waits for whoever follows.
    pub(super) fn tell(&self, refresh: OwnRefresh) {
        // OK to drop: nobody follows, or they are a thousand behind.
        let _ = self.sender.try_send(refresh);
    }

    /// All from the start on, for the first who asks.
    pub(super) fn follow(&self) -> Option<mpsc::Receiver<OwnRefresh>> {
        self.receiver.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
