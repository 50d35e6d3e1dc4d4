//! Rows of the versions of saved SQL: a limited number of each, always including the newest.

use rowhouse_model::{AccountId, SavedSql, SavedSqlId, SavedSqlVersion, Timestamp};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

/// Maximum number of versions of one saved SQL.
pub(crate) const MAX_VERSIONS: u64 = 50;
/// Maximum bytes of their texts, without the newest one's.
pub(crate) const MAX_BYTES: u64 = 4 << 20;

/// Adds the present state of a saved SQL as a version, unless its newest version is the same, and deletes the oldest
/// beyond the limits.
pub(crate) fn add(
    transaction: &Transaction<'_>,
    saved_sql: &SavedSql,
    account_id: &AccountId,
    created_at: Timestamp,
) -> rusqlite::Result<()> {
    let SavedSql { id, title, description, sql, .. } = saved_sql;
    let newest = transaction
        .prepare_cached(&format!("{SELECT} WHERE saved_sql_id = ?1 ORDER BY number DESC LIMIT 1"))?
        .query_row([id.as_str()], read)
        .optional()?;
    let is_same = newest
        .as_ref()
        .is_some_and(|newest| (&newest.title, &newest.description, &newest.sql) == (title, description, sql));
    if is_same {
        return Ok(());
    }
    let number = newest.map_or(1, |newest| newest.version + 1);
    transaction
        .prepare_cached(
            "INSERT INTO saved_sql_versions (saved_sql_id, number, title, description, sql, account_id, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            id.as_str(),
            number,
            title,
            description,
            sql,
            account_id.as_str(),
            created_at.as_millis()
        ])?;
    transaction
        .prepare_cached(
            "DELETE FROM saved_sql_versions WHERE saved_sql_id = ?1 AND number < ?2 AND (number + ?3 <= ?2 OR number IN (
                 SELECT number FROM (
                     SELECT number, sum(octet_length(sql)) OVER (ORDER BY number DESC) AS bytes
                     FROM saved_sql_versions WHERE saved_sql_id = ?1 AND number < ?2
                 ) WHERE bytes > ?4
             ))",
        )?
        .execute(params![id.as_str(), number, MAX_VERSIONS, MAX_BYTES])?;
    transaction
        .prepare_cached(
            "UPDATE saved_sql SET version_bytes = (
                 SELECT sum(octet_length(title) + coalesce(octet_length(description), 0) + octet_length(sql))
                 FROM saved_sql_versions WHERE saved_sql_id = ?1
             ) WHERE id = ?1",
        )?
        .execute([id.as_str()])?;
    Ok(())
}

/// The stored versions, newest first.
pub(crate) fn list(connection: &Connection, id: &SavedSqlId) -> rusqlite::Result<Vec<SavedSqlVersion>> {
    connection
        .prepare_cached(&format!("{SELECT} WHERE saved_sql_id = ?1 ORDER BY number DESC"))?
        .query_map([id.as_str()], read)?
        .collect()
}

/// One version.
pub(crate) fn get(
    connection: &Connection,
    id: &SavedSqlId,
    number: u64,
) -> rusqlite::Result<Option<SavedSqlVersion>> {
    let number = i64::try_from(number).unwrap_or(i64::MAX);
    connection
        .prepare_cached(&format!("{SELECT} WHERE saved_sql_id = ?1 AND number = ?2"))?
        .query_row(params![id.as_str(), number], read)
        .optional()
}

const SELECT: &str =
    "SELECT number, title, description, sql, account_id, username, saved_sql_versions.created_at
     FROM saved_sql_versions LEFT JOIN accounts ON accounts.id = account_id";

fn read(row: &Row<'_>) -> rusqlite::Result<SavedSqlVersion> {
    Ok(SavedSqlVersion {
        version: row.get(0)?,
        title: row.get(1)?,
        description: row.get(2)?,
        sql: row.get(3)?,
        account_id: row.get::<_, Option<String>>(4)?.map(AccountId::new),
        username: row.get(5)?,
        created_at: Timestamp::from_millis(row.get(6)?),
    })
}
