//! Rows of accounts.

use rowhouse_model::{Account, AccountId, Timestamp, UpdateAccount};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

pub(crate) fn insert(
    transaction: &Transaction<'_>,
    account: &Account,
    created_at: Timestamp,
) -> rusqlite::Result<()> {
    let Account { id, username, is_admin, is_disabled } = account;
    transaction.execute(
        "INSERT INTO accounts (id, username, is_admin, created_at, is_disabled) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![id.as_str(), username, is_admin, created_at.as_millis(), is_disabled],
    )?;
    Ok(())
}

/// Outcome of a change of an account.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// The account after the change.
    Changed(Account),
    /// No such account.
    Unknown,
    /// It would have left no enabled admin.
    LastAdmin,
}

/// Changes the given fields; one enabled admin must remain.
pub(crate) fn update(
    transaction: &Transaction<'_>,
    id: &AccountId,
    change: UpdateAccount,
) -> rusqlite::Result<Change> {
    let found = transaction
        .query_row(&format!("SELECT {COLUMNS} FROM accounts WHERE id = ?1"), [id.as_str()], read)
        .optional()?;
    let Some(account) = found else { return Ok(Change::Unknown) };
    let UpdateAccount { is_admin, is_disabled } = change;
    let is_admin = is_admin.unwrap_or(account.is_admin);
    let is_disabled = is_disabled.unwrap_or(account.is_disabled);
    let others: u64 = transaction.query_row(
        "SELECT count(*) FROM accounts WHERE is_admin = 1 AND is_disabled = 0 AND id <> ?1",
        [id.as_str()],
        |row| row.get(0),
    )?;
    if others == 0 && (!is_admin || is_disabled) {
        return Ok(Change::LastAdmin);
    }
    transaction.execute(
        "UPDATE accounts SET is_admin = ?2, is_disabled = ?3 WHERE id = ?1",
        params![id.as_str(), is_admin, is_disabled],
    )?;
    Ok(Change::Changed(Account { is_admin, is_disabled, ..account }))
}

/// All accounts, oldest first.
pub(crate) fn load(connection: &Connection) -> rusqlite::Result<Vec<Account>> {
    connection
        .prepare(&format!("SELECT {COLUMNS} FROM accounts ORDER BY rowid"))?
        .query_map([], read)?
        .collect()
}

const COLUMNS: &str = "id, username, is_admin, is_disabled";

fn read(row: &Row<'_>) -> rusqlite::Result<Account> {
    Ok(Account {
        id: AccountId::new(row.get::<_, String>(0)?),
        username: row.get(1)?,
        is_admin: row.get(2)?,
        is_disabled: row.get(3)?,
    })
}
