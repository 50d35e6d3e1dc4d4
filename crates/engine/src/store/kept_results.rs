//! Rows of small results, which have no file: each is committed with the record that names it, and deleted with the last
//! one that does.

use std::collections::HashSet;

use rusqlite::{Connection, OptionalExtension, Transaction, params};

/// Stores a result; again, if the outcome of an earlier commit is unknown.
pub(crate) fn insert(transaction: &Transaction<'_>, location: &str, file: &[u8]) -> rusqlite::Result<()> {
    transaction
        .prepare_cached("INSERT OR REPLACE INTO kept_results (location, bytes, file) VALUES (?1, ?2, ?3)")?
        .execute(params![location, file.len(), file])?;
    Ok(())
}

/// All of a result; none where it is not kept here.
pub(crate) fn get(connection: &Connection, location: &str) -> rusqlite::Result<Option<Vec<u8>>> {
    connection
        .prepare_cached("SELECT file FROM kept_results WHERE location = ?1")?
        .query_row([location], |row| row.get(0))
        .optional()
}

/// Whether a result is kept here.
pub(crate) fn is_kept(connection: &Connection, location: &str) -> rusqlite::Result<bool> {
    connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM kept_results WHERE location = ?1)")?
        .query_row([location], |row| row.get(0))
}

/// Deletes a result; its bytes if it was stored here.
pub(crate) fn delete(transaction: &Transaction<'_>, location: &str) -> rusqlite::Result<Option<u64>> {
    transaction
        .prepare_cached("DELETE FROM kept_results WHERE location = ?1 RETURNING bytes")?
        .query_row([location], |row| row.get(0))
        .optional()
}

/// The locations of all; none in a database of an earlier version.
pub(crate) fn locations(connection: &Connection) -> rusqlite::Result<HashSet<String>> {
    let is_there =
        "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'kept_results')";
    if !connection.query_row(is_there, [], |row| row.get(0))? {
        return Ok(HashSet::new());
    }
    Ok(sizes(connection)?.into_iter().map(|(location, _)| location).collect())
}

/// The location and the number of bytes of each.
pub(crate) fn sizes(connection: &Connection) -> rusqlite::Result<Vec<(String, u64)>> {
    connection
        .prepare("SELECT location, bytes FROM kept_results")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

/// The location and all of each.
pub(crate) fn for_each(
    connection: &Connection,
    mut take: impl FnMut(String, &[u8]) -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare("SELECT location, file FROM kept_results")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        take(row.get(0)?, row.get_ref(1)?.as_blob()?)?;
    }
    Ok(())
}
