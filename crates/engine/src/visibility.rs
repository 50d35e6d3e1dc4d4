//! What a caller sees of its workspace that another one may not: a part of every key under which an answer is kept, a run is
//! joined or a call is known. Members see the same rows, but for `current_user`; whatever else may come to decide what somebody
//! sees, as a policy on rows or columns, has to be said here, and by that reaches all of these keys.

use crate::workspaces::Access;

/// What a caller sees in one statement, as a part of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Visibility<'a>(Option<&'a str>);

impl<'a> Visibility<'a> {
    /// In a statement with this text.
    pub(crate) fn of(access: &'a Access, sql: &str) -> Self {
        // A cluster's user is the same for all.
        Self::of_known(access, !access.workspace.engine.is_trino() && Self::is_own(sql))
    }

    /// In a statement that is known to be [another one for each user](Self::is_own), or not to be.
    pub(crate) fn of_known(access: &'a Access, is_own: bool) -> Self {
        Self(is_own.then_some(access.principal.account.username.as_str()))
    }

    /// Whether a statement may have other rows for each user. A word of the text is looked for, not its meaning.
    pub(crate) fn is_own(sql: &str) -> bool {
        may_say(sql, "CURRENT_USER")
    }

    /// The part of a key; none where it is what every member sees.
    pub(crate) const fn key(self) -> Option<&'a str> {
        self.0
    }
}

/// Whether a statement may contain a word, which is in capitals: as it is, or behind escapes of a text that it executes
/// (`EXECUTE IMMEDIATE U&'…'`).
pub(crate) fn may_say(sql: &str, word: &str) -> bool {
    let sql = sql.to_ascii_uppercase();
    sql.contains(word) || sql.contains("IMMEDIATE") && sql.contains("U&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_that_names_its_user_is_another_one_for_each() {
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
