//! A number of slots or bytes that workspaces share. A single workspace may have all of it. Among several, each may
//! have as much as is still free (dynamic thresholds of Choudhury and Hahne): one that takes all that it can leaves
//! half to the others, two leave a third.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rowhouse_model::WorkspaceId;

/// Usage by workspace.
#[derive(Clone, Debug, Default)]
pub(crate) struct FairBudget {
    taken: Arc<Mutex<Taken>>,
}

#[derive(Debug, Default)]
struct Taken {
    total: usize,
    by_workspace: HashMap<WorkspaceId, usize>,
}

/// The size of the budget for one request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The whole budget.
    pub(crate) total: usize,
    /// Maximum of one workspace.
    pub(crate) own: usize,
    /// Whether there are other workspaces, for which something must be left.
    pub(crate) is_shared: bool,
}

/// Why nothing can be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shortage {
    /// The workspace is at its limit, or at its share of what is left.
    Workspace,
    /// All of it is taken.
    Server,
}

/// A part of the budget, returned on drop.
#[derive(Debug)]
pub(crate) struct Portion {
    taken: Arc<Mutex<Taken>>,
    workspace_id: WorkspaceId,
    amount: usize,
}

impl FairBudget {
    /// Takes a part, or says which limit prevents it.
    pub(crate) fn take(
        &self,
        workspace_id: &WorkspaceId,
        amount: usize,
        bounds: Bounds,
    ) -> Result<Portion, Shortage> {
        let Bounds { total, own, is_shared } = bounds;
        let mut taken = self.lock();
        let mine = taken.by_workspace.get(workspace_id).copied().unwrap_or_default().saturating_add(amount);
        let free = total.saturating_sub(taken.total);
        if amount > free {
            return Err(Shortage::Server);
        }
        if mine > own || (is_shared && mine > free) {
            return Err(Shortage::Workspace);
        }
        taken.total += amount;
        taken.by_workspace.insert(workspace_id.clone(), mine);
        drop(taken);
        Ok(Portion { taken: Arc::clone(&self.taken), workspace_id: workspace_id.clone(), amount })
    }

    /// Usage of all workspaces, and of one.
    pub(crate) fn taken(&self, workspace_id: &WorkspaceId) -> (usize, usize) {
        let taken = self.lock();
        (taken.total, taken.by_workspace.get(workspace_id).copied().unwrap_or_default())
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Portion {
    fn drop(&mut self) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        taken.total -= self.amount;
        if let Some(mine) = taken.by_workspace.get_mut(&self.workspace_id) {
            *mine -= self.amount;
            if *mine == 0 {
                taken.by_workspace.remove(&self.workspace_id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: one workspace filled 1,002 slots, and another's first statement was refused.
    #[test]
    fn a_greedy_workspace_leaves_a_share_to_others() {
        let check = |names: &[&str], is_shared: bool, own: usize, expected: &[usize]| {
            let budget = FairBudget::default();
            let bounds = Bounds { total: 1002, own, is_shared };
            let mut portions = Vec::new();
            let mut counts = vec![0; names.len()];
            loop {
                let before = portions.len();
                for (name, count) in names.iter().zip(&mut counts) {
                    if let Ok(portion) = budget.take(&WorkspaceId::from(*name), 1, bounds) {
                        portions.push(portion);
                        *count += 1;
                    }
                }
                if portions.len() == before {
                    break;
                }
            }
            assert_eq!(counts, expected, "{names:?}");
            let late = budget.take(&WorkspaceId::from("late"), 1, bounds).map(drop);
            assert_eq!(late.is_ok(), is_shared, "{names:?}");
            drop(portions);
            assert_eq!(budget.taken(&WorkspaceId::from("a")), (0, 0));
        };
        check(&["a"], false, usize::MAX, &[1002]);
        check(&["a"], true, usize::MAX, &[501]);
        check(&["a", "b"], true, usize::MAX, &[334, 334]);
        check(&["a"], true, 7, &[7]);
    }

    #[test]
    fn a_refusal_distinguishes_workspace_limit_and_total() {
        let budget = FairBudget::default();
        let bounds = Bounds { total: 10, own: 4, is_shared: false };
        let (a, b) = (WorkspaceId::from("a"), WorkspaceId::from("b"));
        let _four = budget.take(&a, 4, bounds).expect("four");
        assert_eq!(budget.take(&a, 1, bounds).err(), Some(Shortage::Workspace));
        assert_eq!(budget.take(&b, 7, bounds).err(), Some(Shortage::Server));
        assert_eq!(budget.take(&b, usize::MAX, bounds).err(), Some(Shortage::Server));
        assert_eq!(budget.taken(&a), (4, 4));
    }
}
