//! The proof that a caller may enter a workspace.

use std::sync::Arc;

use rowhouse_model::{AccountId, Role, TokenId};

use crate::accounts::Principal;
use crate::error::{Error, ErrorKind, Result};
use crate::store::workspaces::WorkspaceRecord;

/// A caller inside a workspace; only [`Workspaces`](super::Workspaces) and the server's own work create one.
#[derive(Clone, Debug)]
pub struct Access {
    /// The caller.
    pub principal: Principal,
    /// The workspace.
    pub workspace: Arc<WorkspaceRecord>,
    /// The caller's role; an admin is owner everywhere (D6).
    pub role: Role,
}

impl Access {
    /// Requires this role or a higher one, and a token that is not narrowed.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`], naming both roles.
    pub fn require(&self, role: Role) -> Result<()> {
        self.principal.require_whole()?;
        if self.role >= role {
            return Ok(());
        }
        Err(Error::new(
            ErrorKind::PermissionDenied,
            format!(
                "this needs the role {role} in workspace '{}', the caller's is {}",
                self.workspace.sql_name, self.role
            ),
        ))
    }

    /// Refuses callers that are not admins.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::PermissionDenied`], saying that `what` needs an admin.
    pub fn require_admin(&self, what: &str) -> Result<()> {
        self.principal.require_admin(what)
    }

    /// The caller's account.
    pub fn account_id(&self) -> &AccountId {
        &self.principal.account.id
    }

    /// The server's own work in an account's name, such as a scheduled refresh: it continues when the account has left
    /// the workspace, because the view belongs to the workspace.
    pub(crate) fn for_server(account: Arc<rowhouse_model::Account>, workspace: Arc<WorkspaceRecord>) -> Self {
        let principal = Principal::whole(account, TokenId::new("server"));
        Self { principal, workspace, role: Role::Owner }
    }
}
