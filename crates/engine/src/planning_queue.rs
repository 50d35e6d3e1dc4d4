//! Planning and file inspection that a request waits for, beside the running statements: a few at a time, the
//! workspaces in turn, with a bounded wait. Dropping the future leaves the queue.

use std::sync::Arc;
use std::time::Duration;

use rowhouse_model::WorkspaceId;
use tokio::time::timeout;

use crate::error::{Error, ErrorKind, Result};
use crate::fair_semaphore::{FairPermit, FairSemaphore};
use crate::limits::Limits;

/// Maximum concurrency.
pub(crate) const MAX_CONCURRENT_PLANNING: usize = 2;
/// Maximum wait for a turn.
const WAITING_TIMEOUT: Duration = Duration::from_secs(10);

/// The queue of turns.
#[derive(Debug)]
pub(crate) struct PlanningQueue {
    permits: FairSemaphore,
    limits: Arc<Limits>,
    waiting_timeout: Duration,
}

impl PlanningQueue {
    pub(crate) fn new(limits: Arc<Limits>) -> Self {
        Self {
            permits: FairSemaphore::new(MAX_CONCURRENT_PLANNING),
            limits,
            waiting_timeout: WAITING_TIMEOUT,
        }
    }

    /// Waits for a turn, which ends when the returned permit is dropped.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Overloaded`]: the wait was too long.
    pub(crate) async fn turn(&self, workspace_id: &WorkspaceId) -> Result<FairPermit> {
        let most = self.limits.most_of(MAX_CONCURRENT_PLANNING);
        timeout(self.waiting_timeout, self.permits.acquire(workspace_id, most)).await.map_err(|_| {
            let message = format!(
                "other statements are being planned, and this one has waited {} s for its turn; try again later",
                self.waiting_timeout.as_secs()
            );
            Error::new(ErrorKind::Overloaded, message)
        })
    }
}

#[cfg(test)]
mod tests {
    use rowhouse_model::WorkspaceLimits;

    use super::*;

    /// Regression: four plans of one workspace made another's `POST /materializedView` wait for two minutes.
    #[tokio::test]
    async fn a_workspace_leaves_a_turn_to_others_and_waits_are_bounded() {
        let limits = Arc::new(Limits::default());
        let waiting_timeout = Duration::from_millis(50);
        let planning_queue = PlanningQueue { waiting_timeout, ..PlanningQueue::new(Arc::clone(&limits)) };
        let (a, b) = (WorkspaceId::from("a"), WorkspaceId::from("b"));
        let alone =
            (planning_queue.turn(&a).await.expect("one"), planning_queue.turn(&a).await.expect("both"));
        drop(alone);
        for workspace in [&a, &b] {
            limits.hold(workspace, WorkspaceLimits::default());
        }
        let _slow = planning_queue.turn(&a).await.expect("a turn");
        let refused = planning_queue.turn(&a).await.expect_err("a second one waits too long");
        assert_eq!(refused.kind(), ErrorKind::Overloaded);
        planning_queue.turn(&b).await.expect("another workspace's is free");
    }
}
