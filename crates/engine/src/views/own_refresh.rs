//! Refreshes that nobody asked for at their moment: the schedule's, and those that the last stop of the server owed.
//! They are told to whoever follows them, as an audit log does.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rowhouse_model::{AccountId, Query, Source, Timestamp, ViewId, WorkspaceId};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use crate::error::Result;

/// Refreshes that wait to be taken note of. Further ones are lost to whoever follows, which is counted and told; where
/// nobody follows, nothing is.
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
    lost: AtomicU64,
}

impl Default for OwnRefreshes {
    fn default() -> Self {
        let (sender, receiver) = mpsc::channel(MAX_WAITING);
        Self { sender, receiver: Mutex::new(Some(receiver)), lost: AtomicU64::new(0) }
    }
}

impl OwnRefreshes {
    /// Tells of one; nothing waits for whoever follows.
    pub(super) fn tell(&self, refresh: OwnRefresh) {
        let Err(TrySendError::Full(refresh) | TrySendError::Closed(refresh)) = self.sender.try_send(refresh)
        else {
            return;
        };
        // Nobody has ever asked for them.
        if self.receiver.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
            return;
        }
        let lost = self.lost.fetch_add(1, Ordering::Relaxed) + 1;
        tracing::warn!(
            view = refresh.view_id.as_str(),
            lost,
            "whoever follows refreshes, as an audit log does, is not told of one: {MAX_WAITING} others wait"
        );
    }

    /// How many nobody was told of who should have been.
    pub(super) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// All from the start on, for the first who asks.
    pub(super) fn follow(&self) -> Option<mpsc::Receiver<OwnRefresh>> {
        self.receiver.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refresh() -> OwnRefresh {
        OwnRefresh {
            at: Timestamp::from_millis(0),
            view_id: ViewId::new("v"),
            view_sql_name: "v".to_owned(),
            workspace_id: WorkspaceId::new("w"),
            account_id: AccountId::new("a"),
            username: "a".to_owned(),
            source: Source::Schedule,
            outcome: Err(crate::Error::new(crate::ErrorKind::NotFound, "gone")),
        }
    }

    #[test]
    fn what_cannot_be_told_is_counted() {
        let refreshes = OwnRefreshes::default();
        let mut followed = refreshes.follow().expect("the first who asks");
        assert!(refreshes.follow().is_none());
        (0..MAX_WAITING + 3).for_each(|_| refreshes.tell(refresh()));
        assert_eq!(refreshes.lost(), 3);
        followed.try_recv().expect("one that waits");
        refreshes.tell(refresh());
        assert_eq!(refreshes.lost(), 3);
        let waiting = std::iter::from_fn(|| followed.try_recv().ok());
        assert_eq!(waiting.count(), MAX_WAITING);
    }

    #[test]
    fn without_a_follower_nothing_is_lost() {
        let refreshes = OwnRefreshes::default();
        (0..MAX_WAITING + 3).for_each(|_| refreshes.tell(refresh()));
        assert_eq!(refreshes.lost(), 0);
    }
}
