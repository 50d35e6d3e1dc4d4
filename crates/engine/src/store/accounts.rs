//! Rows of accounts.

use rowhouse_model::{Account, AccountId, Timestamp};
use rusqlite::{Connection, Transaction, params};

pub(crate) fn insert(
    transaction: &Transaction<'_>,
    account: &Account,
    created_at: Timestamp,
) -> rusqlite::Result<()> {
    let Account { id, username, is_admin } = account;
    transaction.execute(
        "INSERT INTO accounts (id, username, is_admin, created_at) VALUES (?1, ?2, ?3, ?4)",
        params![id.as_str(), username, is_admin, created_at.as_millis()],
    )?;
    Ok(())
}

/// All, oldest first.
pub(crate) fn load(connection: &Connection) -> rusqlite::Result<Vec<Account>> {
    connection
        .prepare("SELECT id, username, is_admin FROM accounts ORDER BY rowid")?
        .query_map([], |row| {
            Ok(Account {
                id: AccountId::new(row.get::<_, String>(0)?),
                username: row.get(1)?,
                is_admin: row.get(2)?,
            })
        })?
        .collect()
}
