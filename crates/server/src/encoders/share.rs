//! Whose work it is that encoders do.

use std::sync::OnceLock;

use rowhouse_model::WorkspaceId;

/// Whose work it is: shares take turns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Share {
    /// Of an account, by its name.
    Account(String),
    /// Of those who have signed links to results of a workspace.
    Links(WorkspaceId),
    /// Of all who have shown no token.
    Nobody,
}

impl Share {
    /// Of the account that a request has shown a token of, if any.
    pub(crate) fn of(account: &OnceLock<String>) -> Self {
        account.get().map_or(Self::Nobody, |name| Self::Account(name.clone()))
    }
}
