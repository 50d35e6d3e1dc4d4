//! A semaphore whose permits go to workspaces in turn: a workspace that requests a thousand delays another's first by
//! one.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rowhouse_model::WorkspaceId;
use tokio::sync::oneshot;

use crate::fair_queue::FairQueue;

/// A number of permits.
#[derive(Debug)]
pub(crate) struct FairSemaphore {
    shared: Arc<Mutex<State>>,
}

struct State {
    free: usize,
    held: HashMap<WorkspaceId, usize>,
    waiting: FairQueue<Waiter>,
    next_number: u64,
}

struct Waiter {
    number: u64,
    workspace_id: WorkspaceId,
    most: usize,
    sender: oneshot::Sender<FairPermit>,
}

/// A permit; on drop it goes to the next waiter.
#[derive(Debug)]
pub(crate) struct FairPermit {
    shared: Arc<Mutex<State>>,
    workspace_id: WorkspaceId,
}

impl FairSemaphore {
    pub(crate) fn new(permits: usize) -> Self {
        let state = State { free: permits, held: HashMap::new(), waiting: FairQueue::new(), next_number: 0 };
        Self { shared: Arc::new(Mutex::new(state)) }
    }

    /// Waits for a permit while the workspace holds `most` of them or none is free. Dropping the future leaves the
    /// queue.
    pub(crate) async fn acquire(&self, workspace_id: &WorkspaceId, most: usize) -> FairPermit {
        let (receiver, number) = {
            let mut state = lock(&self.shared);
            if state.may_take(workspace_id, most) {
                state.take(workspace_id);
                drop(state);
                return FairPermit { shared: Arc::clone(&self.shared), workspace_id: workspace_id.clone() };
            }
            let (sender, receiver) = oneshot::channel();
            let number = state.next_number;
            state.next_number += 1;
            let waiter = Waiter { number, workspace_id: workspace_id.clone(), most, sender };
            state.waiting.push(workspace_id, waiter);
            (receiver, number)
        };
        let _leaves = LeavesOnDrop { shared: &self.shared, workspace_id, number };
        // OK because a waiter is removed from the queue only with a permit, or by the guard above.
        receiver.await.expect("a waiter is given its permit")
    }

    /// Number of free permits.
    #[cfg(test)]
    pub(crate) fn free(&self) -> usize {
        lock(&self.shared).free
    }
}

impl State {
    fn may_take(&self, workspace_id: &WorkspaceId, most: usize) -> bool {
        self.free > 0 && self.held.get(workspace_id).copied().unwrap_or_default() < most.max(1)
    }

    fn take(&mut self, workspace_id: &WorkspaceId) {
        self.free -= 1;
        *self.held.entry(workspace_id.clone()).or_default() += 1;
    }

    fn next(&mut self) -> Option<Waiter> {
        let (free, held) = (self.free, &self.held);
        let may_take = |waiter: &Waiter| {
            free > 0 && held.get(&waiter.workspace_id).copied().unwrap_or_default() < waiter.most.max(1)
        };
        let waiter = self.waiting.pop(may_take)?;
        self.take(&waiter.workspace_id);
        Some(waiter)
    }
}

impl Drop for FairPermit {
    fn drop(&mut self) {
        {
            let mut state = lock(&self.shared);
            state.free += 1;
            if let Some(held) = state.held.get_mut(&self.workspace_id) {
                *held -= 1;
                if *held == 0 {
                    state.held.remove(&self.workspace_id);
                }
            }
        }
        loop {
            let Some(waiter) = lock(&self.shared).next() else { return };
            let Waiter { workspace_id, sender, .. } = waiter;
            // A waiter that has gone meanwhile drops it, which gives it to the next.
            let _ = sender.send(Self { shared: Arc::clone(&self.shared), workspace_id });
        }
    }
}

struct LeavesOnDrop<'a> {
    shared: &'a Arc<Mutex<State>>,
    workspace_id: &'a WorkspaceId,
    number: u64,
}

impl Drop for LeavesOnDrop<'_> {
    fn drop(&mut self) {
        let left = lock(self.shared).waiting.remove(self.workspace_id, |waiter| waiter.number == self.number);
        drop(left);
    }
}

fn lock(shared: &Arc<Mutex<State>>) -> MutexGuard<'_, State> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State")
            .field("free", &self.free)
            .field("waiting", &self.waiting.len())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    fn workspace(name: &str) -> WorkspaceId {
        WorkspaceId::from(name)
    }

    /// Regression: four plans of one workspace, each taking a minute, made another workspace wait two minutes for its
    /// first.
    #[tokio::test]
    async fn permits_go_round_robin_and_one_workspace_cannot_hold_all() {
        let semaphore = Arc::new(FairSemaphore::new(2));
        let (a, b) = (workspace("a"), workspace("b"));
        let first = semaphore.acquire(&a, 1).await;
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut tasks = Vec::new();
        for name in ["a", "a", "a"] {
            let (semaphore, order) = (Arc::clone(&semaphore), Arc::clone(&order));
            tasks.push(tokio::spawn(async move {
                let _permit = semaphore.acquire(&workspace(name), 1).await;
                order.lock().unwrap_or_else(PoisonError::into_inner).push(name);
            }));
        }
        tokio::task::yield_now().await;
        let second = timeout(Duration::from_secs(5), semaphore.acquire(&b, 1)).await.expect("at once");
        let waiting = tokio::spawn({
            let semaphore = Arc::clone(&semaphore);
            async move { drop(semaphore.acquire(&workspace("b"), 1).await) }
        });
        drop((first, second));
        for task in tasks.into_iter().chain([waiting]) {
            task.await.expect("it has had its turn");
        }
        assert_eq!(semaphore.free(), 2);
        assert_eq!(lock(&semaphore.shared).held.len(), 0);
    }

    #[tokio::test]
    async fn a_dropped_waiter_leaves_the_queue() {
        let semaphore = FairSemaphore::new(1);
        let (a, b) = (workspace("a"), workspace("b"));
        let held = semaphore.acquire(&a, 1).await;
        for _ in 0..3 {
            assert!(timeout(Duration::from_millis(5), semaphore.acquire(&a, 1)).await.is_err());
        }
        assert_eq!(lock(&semaphore.shared).waiting.len(), 0);
        // Granted at the moment when the waiter leaves.
        let mut waiting = Box::pin(semaphore.acquire(&b, 1));
        assert!(timeout(Duration::ZERO, &mut waiting).await.is_err());
        drop(held);
        drop(waiting);
        assert_eq!(semaphore.free(), 1);
    }
}
