//! The owner of work on the encoders.

use std::sync::OnceLock;

use rowhouse_model::WorkspaceId;

/// The owner of work: shares take turns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Share {
    /// An account, by its name.
    Account(String),
    /// The signed links to results of a workspace.
    Links(WorkspaceId),
    /// All requests without a token.
    Nobody,
}

impl Share {
    /// The account of a request's token, if any.
    pub(crate) fn of(account: &OnceLock<String>) -> Self {
        account.get().map_or(Self::Nobody, |name| Self::Account(name.clone()))
    }
}
