//! Validation of names and titles that callers choose.

use rowhouse_model::{StatementParameters, excerpt};

use crate::error::{Error, ErrorKind, Result};
use crate::store::tables::NamedRelation;

/// Maximum length of the name of a workspace, table or view, characters.
const MAX_SQL_NAME: usize = 63;
/// Maximum length of a title and of a token's name, characters.
const MAX_TITLE: usize = 1000;
/// Maximum length of a username, characters.
const MAX_USERNAME: usize = 200;
/// Maximum length of a description, characters.
const MAX_DESCRIPTION: usize = 64 << 10;

/// `[a-z_][a-z0-9_]{0,62}`; `field` is its name in the message.
pub(crate) fn check_sql_name(field: &str, name: &str) -> Result<()> {
    let is_good = name.len() <= MAX_SQL_NAME
        && name.starts_with(|c: char| c.is_ascii_lowercase() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if is_good {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::InvalidArguments,
        format!(
            "'{field}' must be a lower-case letter or '_' followed by up to 62 lower-case letters, digits and '_', \
             found '{}'",
            excerpt(name)
        ),
    ))
}

/// Not blank, not too long.
pub(crate) fn check_title(field: &str, title: &str) -> Result<()> {
    let fault = if title.trim().is_empty() {
        "must not be empty".to_owned()
    } else if title.chars().count() > MAX_TITLE {
        format!("must have at most {MAX_TITLE} characters")
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorKind::InvalidArguments, format!("'{field}' {fault}")))
}

/// Any text that is not too long.
pub(crate) fn check_description(description: &str) -> Result<()> {
    if description.chars().count() <= MAX_DESCRIPTION {
        return Ok(());
    }
    let message = format!("'description' must have at most {MAX_DESCRIPTION} characters");
    Err(Error::new(ErrorKind::InvalidArguments, message))
}

/// Text that is not blank and within the limit of D27.
pub(crate) fn check_sql(sql: &str, max_sql_bytes: usize) -> Result<()> {
    let fault = if sql.trim().is_empty() {
        "must not be empty".to_owned()
    } else if sql.len() > max_sql_bytes {
        format!("must have at most {max_sql_bytes} bytes, found {}", sql.len())
    } else {
        return Ok(());
    };
    Err(Error::new(ErrorKind::InvalidArguments, format!("'sql' {fault}")))
}

/// Parameters are stored as long as the statement, and have the same limit.
pub(crate) fn check_parameters(parameters: &StatementParameters, max_sql_bytes: usize) -> Result<()> {
    let size_bytes = parameters.size_bytes();
    if size_bytes <= max_sql_bytes {
        return Ok(());
    }
    let message =
        format!("'parameters' must take at most {max_sql_bytes} bytes in memory, found {size_bytes}");
    Err(Error::new(ErrorKind::InvalidArguments, message))
}

/// Letters, digits and `._@+-`, as in user names and mail addresses.
pub(crate) fn check_username(username: &str) -> Result<()> {
    let is_good = (1..=MAX_USERNAME).contains(&username.len())
        && username.starts_with(|c: char| c.is_ascii_alphanumeric())
        && username.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._@+-".contains(&byte));
    if is_good {
        return Ok(());
    }
    Err(Error::new(
        ErrorKind::InvalidArguments,
        format!(
            "'username' must be a letter or digit followed by up to 199 letters, digits, '.', '_', '@', '+' and '-', \
             found '{}'",
            excerpt(username)
        ),
    ))
}

/// The error for a name that a table or view of the workspace already has.
pub(crate) fn name_taken(name: &str, taken: NamedRelation) -> Error {
    let what = match taken {
        NamedRelation::Table => "table",
        NamedRelation::View => "materialized view",
    };
    Error::new(ErrorKind::AlreadyExists, format!("the workspace has a {what} '{name}' already"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sql_names() {
        let check = |name: &str, is_good: bool| {
            assert_eq!(check_sql_name("sqlName", name).is_ok(), is_good, "{name}");
        };
        check("a", true);
        check("_", true);
        check("orders_2024", true);
        check(&"a".repeat(63), true);
        check(&"a".repeat(64), false);
        check("", false);
        check("9a", false);
        check("Orders", false);
        check("a-b", false);
        check("ä", false);
        check("a\n", false);
    }

    #[test]
    fn usernames() {
        let check = |name: &str, is_good: bool| assert_eq!(check_username(name).is_ok(), is_good, "{name}");
        check("ann", true);
        check("Ann.Lee+x@example.com", true);
        check("", false);
        check("@ann", false);
        check("ann lee", false);
        check("ann\u{0}", false);
        check(&"a".repeat(201), false);
    }

    #[test]
    fn titles_and_texts() {
        assert!(check_title("title", "Umsätze 2024").is_ok());
        assert!(check_title("title", &"ü".repeat(1000)).is_ok());
        for bad in ["", "  ", &"a".repeat(1001)] {
            assert!(check_title("title", bad).is_err(), "{bad}");
        }
        assert!(check_sql("SELECT 1", 8).is_ok());
        assert!(check_sql("SELECT 12", 8).is_err());
        assert!(check_sql(" \n", 8).is_err());
    }
}
