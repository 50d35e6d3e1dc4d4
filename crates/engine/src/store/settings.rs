//! Single durable facts, such as whether the SQL engine is disabled (D21). Their owners define the keys.

use rusqlite::{Connection, OptionalExtension, Transaction, params};

/// Sets or replaces a value.
pub(crate) fn set(transaction: &Transaction<'_>, key: &str, value: &str) -> rusqlite::Result<()> {
    transaction
        .prepare_cached(
            "INSERT INTO settings (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2",
        )?
        .execute(params![key, value])?;
    Ok(())
}

/// The value that was set last.
pub(crate) fn get(connection: &Connection, key: &str) -> rusqlite::Result<Option<String>> {
    connection
        .prepare_cached("SELECT value FROM settings WHERE key = ?1")?
        .query_row([key], |row| row.get(0))
        .optional()
}
