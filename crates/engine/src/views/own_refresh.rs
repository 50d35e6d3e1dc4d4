//! Refreshes without a request: those of schedules, and those that were interrupted by the last stop of the server.
//! They are reported to a subscriber, such as the audit log.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use rowhouse_model::{AccountId, Query, Source, Timestamp, ViewId, WorkspaceId};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use crate::error::Result;

/// Maximum number of undelivered refreshes. Further ones are lost for the subscriber, counted and logged; without a
/// subscriber they are not.
const MAX_WAITING: usize = 1024;

/// One such refresh, started or refused.
#[derive(Debug)]
pub struct OwnRefresh {
    /// Its time.
    pub at: Timestamp,
    /// The view.
    pub view_id: ViewId,
    /// The view's SQL name at that time.
    pub view_sql_name: String,
    /// Its workspace.
    pub workspace_id: WorkspaceId,
    /// The account on whose behalf it runs: the one that defined the view.
    pub account_id: AccountId,
    /// The account's name.
    pub username: String,
    /// `SCHEDULE`, or `MATERIALIZED_VIEW` for an interrupted one.
    pub source: Source,
    /// The submitted query, or why none was submitted.
    pub outcome: Result<Query>,
}

/// The channel from the views to the subscriber.
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
    /// Reports one; never waits for the subscriber.
    pub(super) fn report(&self, refresh: OwnRefresh) {
        let Err(TrySendError::Full(refresh) | TrySendError::Closed(refresh)) = self.sender.try_send(refresh)
        else {
            return;
        };
        // There has never been a subscriber.
        if self.receiver.lock().unwrap_or_else(PoisonError::into_inner).is_some() {
            return;
        }
        let lost = self.lost.fetch_add(1, Ordering::Relaxed) + 1;
        tracing::warn!(
            view = refresh.view_id.as_str(),
            lost,
            "a refresh was not delivered to the subscriber (an audit log, for example): {MAX_WAITING} others wait"
        );
    }

    /// Number of refreshes that were not delivered.
    pub(super) fn lost(&self) -> u64 {
        self.lost.load(Ordering::Relaxed)
    }

    /// All refreshes since the start, for the first caller.
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
    fn undelivered_refreshes_are_counted() {
        let refreshes = OwnRefreshes::default();
        let mut followed = refreshes.follow().expect("the first who asks");
        assert!(refreshes.follow().is_none());
        (0..MAX_WAITING + 3).for_each(|_| refreshes.report(refresh()));
        assert_eq!(refreshes.lost(), 3);
        followed.try_recv().expect("one that waits");
        refreshes.report(refresh());
        assert_eq!(refreshes.lost(), 3);
        let waiting = std::iter::from_fn(|| followed.try_recv().ok());
        assert_eq!(waiting.count(), MAX_WAITING);
    }

    #[test]
    fn without_a_subscriber_no_refresh_counts_as_lost() {
        let refreshes = OwnRefreshes::default();
        (0..MAX_WAITING + 3).for_each(|_| refreshes.report(refresh()));
        assert_eq!(refreshes.lost(), 0);
    }
}
