//! The role of each account in each workspace, in memory.

use std::collections::HashMap;

use dashmap::DashMap;
use rowhouse_model::{AccountId, Member, Role, WorkspaceId};

use crate::error::Result;
use crate::store::{self, Store};

/// All memberships; changed only after a commit, in the order of the commits.
#[derive(Debug, Default)]
pub(crate) struct Memberships {
    by_account: DashMap<AccountId, HashMap<WorkspaceId, Role>>,
}

impl Memberships {
    /// Loads the memberships from the store. Blocking.
    pub(crate) fn open(store: &Store) -> Result<Self> {
        let memberships = Self::default();
        for (workspace_id, account_id, role) in store.read(store::members::load)? {
            memberships.set(&Member { account_id, workspace_id, role: Some(role) });
        }
        Ok(memberships)
    }

    pub(crate) fn role(&self, account_id: &AccountId, workspace_id: &WorkspaceId) -> Option<Role> {
        self.by_account.get(account_id)?.get(workspace_id).copied()
    }

    /// Whether the account is owner of any workspace.
    pub(crate) fn owns_any(&self, account_id: &AccountId) -> bool {
        self.by_account.get(account_id).is_some_and(|roles| roles.values().any(|&role| role == Role::Owner))
    }

    /// The accounts with a role in the workspace, in no order.
    pub(crate) fn of_workspace(&self, workspace_id: &WorkspaceId) -> Vec<(AccountId, Role)> {
        let role = |roles: &HashMap<WorkspaceId, Role>| roles.get(workspace_id).copied();
        let members = self.by_account.iter();
        members.filter_map(|entry| Some((entry.key().clone(), role(entry.value())?))).collect()
    }

    pub(crate) fn set(&self, member: &Member) {
        let Member { account_id, workspace_id, role } = member;
        let mut roles = self.by_account.entry(account_id.clone()).or_default();
        match *role {
            Some(role) => roles.insert(workspace_id.clone(), role),
            None => roles.remove(workspace_id),
        };
    }
}
