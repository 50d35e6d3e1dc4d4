//! The owner of work on the encoders.

use rowhouse_model::{AccountId, WorkspaceId};

use crate::audit::Note;

/// The owner of work: shares take turns.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Share {
    /// An account.
    Account(AccountId),
    /// The signed links to results of a workspace.
    Links(WorkspaceId),
    /// All requests without a token.
    Nobody,
}

impl Share {
    /// The account of a request's token, if any.
    pub(crate) fn of(note: &Note) -> Self {
        note.noted_account().map_or(Self::Nobody, |account| Self::Account(account.id.clone()))
    }
}
