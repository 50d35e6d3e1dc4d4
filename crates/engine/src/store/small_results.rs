//! Rows of small results whose files may not be synced yet. Each is committed with the record that names it, and
//! deleted once its file is synced.

use rusqlite::{Connection, Transaction, params};

/// Stores the bytes of a result's file.
pub(crate) fn insert(transaction: &Transaction<'_>, location: &str, file: &[u8]) -> rusqlite::Result<()> {
    transaction
        .prepare_cached("INSERT OR REPLACE INTO small_results (location, file) VALUES (?1, ?2)")?
        .execute(params![location, file])?;
    Ok(())
}

/// Deletes the bytes of files that are synced, or gone.
pub(crate) fn delete(transaction: &Transaction<'_>, locations: &[String]) -> rusqlite::Result<()> {
    let mut delete = transaction.prepare_cached("DELETE FROM small_results WHERE location = ?1")?;
    for location in locations {
        delete.execute([location])?;
    }
    Ok(())
}

/// The location and the bytes of each file.
pub(crate) fn for_each(
    connection: &Connection,
    mut take: impl FnMut(String, &[u8]) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare("SELECT location, file FROM small_results")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        take(row.get(0)?, row.get_ref(1)?.as_blob()?)?;
    }
    Ok(())
}
