//! The differences between what two callers of a workspace see, as a part of the keys of cached answers, shared runs
//! and known calls. All members see the same rows, except for `current_user`. Anything else that decides what a caller
//! sees, such as a future policy on rows or columns, must be added here, so that all of these keys include it.

use crate::workspaces::Access;

/// The part of a key that distinguishes callers of one statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Visibility<'a>(Option<&'a str>);

impl<'a> Visibility<'a> {
    /// For a statement with this text.
    pub(crate) fn of(access: &'a Access, sql: &str) -> Self {
        // A cluster's user is the same for all.
        Self::of_known(access, !access.workspace.engine.is_trino() && Self::is_own(sql))
    }

    /// For a statement that is known to [differ by user](Self::is_own), or not to.
    pub(crate) fn of_known(access: &'a Access, is_own: bool) -> Self {
        Self(is_own.then_some(access.principal.account.username.as_str()))
    }

    /// Whether the rows of a statement may differ by user. Searches for a word, whatever it means in the statement.
    pub(crate) fn is_own(sql: &str) -> bool {
        may_say(sql, "CURRENT_USER")
    }

    /// The part of a key; `None` if every member sees the same.
    pub(crate) const fn key(self) -> Option<&'a str> {
        self.0
    }
}

/// Whether a statement may contain a word, given in capitals: literally, or escaped in a text that it executes
/// (`EXECUTE IMMEDIATE U&'…'`).
pub(crate) fn may_say(sql: &str, word: &str) -> bool {
    let sql = sql.to_ascii_uppercase();
    sql.contains(word) || sql.contains("IMMEDIATE") && sql.contains("U&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visibility_differs_by_user_if_the_statement_names_current_user() {
        for (sql, expected) in [
            ("SELECT current_user", true),
            ("SELECT a FROM t WHERE owner = CURRENT_user", true),
            ("SELECT a FROM t", false),
            ("EXECUTE IMMEDIATE 'SELECT 1'", false),
            ("execute immediate u&'SELECT curr\\0065nt_user'", true),
        ] {
            assert_eq!(Visibility::is_own(sql), expected, "{sql}");
        }
    }
}
