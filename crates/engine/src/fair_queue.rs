//! A fair queue: first in, first out within a workspace, and round robin between workspaces, so that a workspace with a
//! thousand waiting statements delays another's first by one statement, not by a thousand.

use std::collections::{HashMap, VecDeque};

use rowhouse_model::WorkspaceId;

/// Waiting items by workspace.
pub(crate) struct FairQueue<T> {
    waiting: HashMap<WorkspaceId, VecDeque<T>>,
    /// Every workspace with waiting items, once; the next to be served first.
    turns: VecDeque<WorkspaceId>,
    len: usize,
}

impl<T> FairQueue<T> {
    pub(crate) fn new() -> Self {
        Self { waiting: HashMap::new(), turns: VecDeque::new(), len: 0 }
    }

    /// Appends an item to its workspace's queue.
    pub(crate) fn push(&mut self, workspace_id: &WorkspaceId, item: T) {
        let line = self.waiting.entry(workspace_id.clone()).or_default();
        if line.is_empty() {
            self.turns.push_back(workspace_id.clone());
        }
        line.push_back(item);
        self.len += 1;
    }

    /// Takes the next item of a workspace whose next item may run now; that workspace goes to the end of the round.
    pub(crate) fn pop(&mut self, may_run: impl Fn(&T) -> bool) -> Option<T> {
        let has_turn = |workspace_id: &WorkspaceId| {
            self.waiting.get(workspace_id).and_then(VecDeque::front).is_some_and(&may_run)
        };
        let turn = self.turns.iter().position(has_turn)?;
        let workspace_id = self.turns.remove(turn)?;
        let line = self.waiting.get_mut(&workspace_id)?;
        let item = line.pop_front();
        self.len -= usize::from(item.is_some());
        if line.is_empty() {
            self.waiting.remove(&workspace_id);
        } else {
            self.turns.push_back(workspace_id);
        }
        item
    }

    /// Number of waiting items.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    /// Removes the matching item from its workspace's queue.
    pub(crate) fn remove(&mut self, workspace_id: &WorkspaceId, matches: impl Fn(&T) -> bool) -> Option<T> {
        let line = self.waiting.get_mut(workspace_id)?;
        let at = line.iter().position(matches)?;
        let item = line.remove(at);
        self.len -= usize::from(item.is_some());
        if line.is_empty() {
            self.waiting.remove(workspace_id);
            self.turns.retain(|turn| turn != workspace_id);
        }
        item
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_robin_between_workspaces_and_fifo_within_each() {
        let check = |pushed: &[(&str, u32)], removed: Option<(&str, u32)>, expected: &[u32]| {
            let mut queue = FairQueue::new();
            for &(workspace, item) in pushed {
                queue.push(&WorkspaceId::from(workspace), item);
            }
            if let Some((workspace, item)) = removed {
                assert_eq!(
                    queue.remove(&WorkspaceId::from(workspace), |waiting| *waiting == item),
                    Some(item)
                );
            }
            assert_eq!(queue.len(), expected.len());
            assert_eq!(std::iter::from_fn(|| queue.pop(|_| true)).collect::<Vec<_>>(), expected);
            assert_eq!(queue.len(), 0);
        };
        let mut queue = FairQueue::new();
        for (workspace, item) in [("a", 1), ("a", 2), ("b", 3)] {
            queue.push(&WorkspaceId::from(workspace), item);
        }
        assert_eq!(queue.pop(|item| *item == 3), Some(3), "who may not run yet delays nobody");
        assert_eq!(queue.pop(|item| *item > 3), None);
        assert_eq!(queue.pop(|_| true), Some(1));
        check(&[], None, &[]);
        check(&[("a", 1), ("a", 2), ("a", 3)], None, &[1, 2, 3]);
        check(&[("a", 1), ("a", 2), ("a", 3), ("b", 4), ("c", 5), ("c", 6)], None, &[1, 4, 5, 2, 6, 3]);
        check(&[("a", 1), ("a", 2), ("b", 3)], Some(("b", 3)), &[1, 2]);
        check(&[("a", 1), ("a", 2), ("b", 3)], Some(("a", 1)), &[2, 3]);
    }
}
