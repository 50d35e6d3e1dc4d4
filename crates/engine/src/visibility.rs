//! The differences between what two callers of a workspace see, as a part of the keys of cached answers, shared runs
//! and known calls. All members see the same rows, except for `current_user`. Results of statements that read other workspaces
//! (D127) are not shared at all, so they need no key. Anything else that decides what a caller sees, such as a policy on rows
//! or columns, must be added here, so that all of these keys include it.

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
    // One copy of the text, because several words are looked for: a megabyte of one word's beginnings takes no longer.
    let sql = sql.to_ascii_uppercase();
    sql.contains(word) || sql.contains("IMMEDIATE") && sql.contains("U&")
}

/// Whether a text contains a word of ASCII letters in any case.
pub(crate) fn contains_ignoring_case(text: &str, word: &str) -> bool {
    let (text, word) = (text.as_bytes(), word.as_bytes());
    let Some(first) = word.first() else { return true };
    memchr::memchr2_iter(first.to_ascii_lowercase(), first.to_ascii_uppercase(), text)
        .filter_map(|at| text.get(at..at + word.len()))
        .any(|found| found.eq_ignore_ascii_case(word))
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

    #[test]
    fn words_are_found_in_any_case() {
        for (text, word, expected) in [
            ("", "A", false),
            ("", "", true),
            ("sessioN", "SESSION", true),
            ("sessessions", "SESSION", true),
            ("ssessio", "SESSION", false),
            ("größe Ünd u&", "U&", true),
            ("u &", "U&", false),
        ] {
            assert_eq!(contains_ignoring_case(text, word), expected, "{text} {word}");
        }
    }
}
