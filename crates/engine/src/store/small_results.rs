//! Rows of small results, which have no file: each is committed with the record that names it, and deleted with the last
//! one that does.

use std::collections::HashSet;

use rusqlite::{Connection, OptionalExtension, Transaction, params};

/// Stores a result; this may be repeated if the outcome of an earlier commit is unknown.
pub(crate) fn insert(transaction: &Transaction<'_>, location: &str, file: &[u8]) -> rusqlite::Result<()> {
    transaction
        .prepare_cached("INSERT OR REPLACE INTO kept_results (location, bytes, file) VALUES (?1, ?2, ?3)")?
        .execute(params![location, file.len(), file])?;
    Ok(())
}

/// The complete result; `None` if it is not stored here.
pub(crate) fn get(connection: &Connection, location: &str) -> rusqlite::Result<Option<Vec<u8>>> {
    connection
        .prepare_cached("SELECT file FROM kept_results WHERE location = ?1")?
        .query_row([location], |row| row.get(0))
        .optional()
}

/// Whether a result is stored here.
pub(crate) fn is_kept(connection: &Connection, location: &str) -> rusqlite::Result<bool> {
    connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM kept_results WHERE location = ?1)")?
        .query_row([location], |row| row.get(0))
}

/// Deletes a result; returns its number of bytes if it was stored here.
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

/// Results per read of [`for_each`]: some MiB at most.
const READ_AT_ONCE: u32 = 64;

/// Passes location and bytes of each stored result to `take`, except of results that are deleted meanwhile. No snapshot of
/// the database is held while `take` runs, because a snapshot keeps checkpoints from resetting the log.
pub(crate) fn for_each(connection: &Connection, mut take: impl FnMut(String, &[u8])) -> rusqlite::Result<()> {
    // New results have larger numbers: without an end, a server that stores them faster would be read forever.
    let last: Option<i64> =
        connection.query_row("SELECT max(rowid) FROM kept_results", [], |row| row.get(0))?;
    let (mut after, last) = (i64::MIN, last.unwrap_or(i64::MIN));
    while after < last {
        let results: Vec<(i64, String, Vec<u8>)> = connection
            .prepare_cached(
                "SELECT rowid, location, file FROM kept_results WHERE rowid > ?1 AND rowid <= ?2
                 ORDER BY rowid LIMIT ?3",
            )?
            .query_map(params![after, last, READ_AT_ONCE], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
            .collect::<rusqlite::Result<_>>()?;
        let Some(&(number, ..)) = results.last() else { return Ok(()) };
        after = number;
        results.into_iter().for_each(|(_, location, file)| take(location, &file));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::super::{DATABASE_FILE, Store};
    use super::*;

    /// Regression: verification read all results within one snapshot, and the log grew until it had finished.
    #[test]
    fn reading_all_results_does_not_block_checkpoints() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(DATABASE_FILE);
        let store = Store::open(&path).unwrap();
        let count = 2 * READ_AT_ONCE + 3;
        let name = |number: u32| format!("results/w/{number}.arrow");
        let insert = move |number: u32| {
            store
                .write_blocking(move |transaction| {
                    insert(transaction, &name(number), number.to_string().as_bytes())
                })
                .unwrap();
        };
        (0..count).for_each(&insert);
        let (reader, other) = (Connection::open(&path).unwrap(), Connection::open(&path).unwrap());
        let mut read = Vec::new();
        for_each(&reader, |location, file| {
            assert_eq!(location, format!("results/w/{}.arrow", String::from_utf8_lossy(file)));
            read.push(location);
            // A running server stores more results meanwhile; they are not read.
            insert(count + u32::try_from(read.len()).unwrap());
            let is_busy: bool =
                other.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).unwrap();
            assert!(!is_busy, "at the result {}", read.len());
        })
        .unwrap();
        assert_eq!(read, (0..count).map(name).collect::<Vec<_>>());
    }
}
