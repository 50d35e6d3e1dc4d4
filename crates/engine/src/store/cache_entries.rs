//! Rows of cache entries: which stored result answers a statement's tokens in a workspace (D19, D20).

use rowhouse_executor::Sources;
use rowhouse_model::{Column, QueryId, Timestamp, WorkspaceId};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use serde::Deserialize;

use super::json::Json;

/// A finished run that may answer later identical statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CacheEntry {
    pub(crate) workspace_id: WorkspaceId,
    /// The statement's tokens (D20).
    pub(crate) fingerprint: String,
    /// The record whose run computed the result.
    pub(crate) query_id: QueryId,
    /// The stored result inside the data directory.
    pub(crate) location: String,
    pub(crate) columns: Vec<Column>,
    pub(crate) row_count: u64,
    /// When the run finished: `cacheTTL` is compared with its age.
    pub(crate) created_at: Timestamp,
    /// The tables that it was computed from; none if unknown, as of a cluster's tables.
    pub(crate) sources: Option<Sources>,
}

/// Sets or replaces the entry of a workspace's statement, and returns the location of the replaced one.
pub(crate) fn set(transaction: &Transaction<'_>, entry: &CacheEntry) -> rusqlite::Result<Option<String>> {
    let CacheEntry { workspace_id, fingerprint, query_id, location, columns, row_count, created_at, sources } =
        entry;
    let replaced: Option<String> = transaction
        .prepare_cached("SELECT location FROM cache_entries WHERE workspace_id = ?1 AND fingerprint = ?2")?
        .query_row([workspace_id.as_str(), fingerprint], |row| row.get(0))
        .optional()?;
    transaction
        .prepare_cached(
            "INSERT INTO cache_entries
                 (workspace_id, fingerprint, query_id, location, columns, row_count, created_at, sources)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
             ON CONFLICT (workspace_id, fingerprint) DO UPDATE SET
                 query_id = ?3, location = ?4, columns = ?5, row_count = ?6, created_at = ?7, sources = ?8",
        )?
        .execute(params![
            workspace_id.as_str(),
            fingerprint,
            query_id.as_str(),
            location,
            Json(columns),
            row_count,
            created_at.as_millis(),
            sources.as_ref().map(Json)
        ])?;
    Ok(replaced)
}

/// Removes every entry older than `created_before` and returns them.
pub(crate) fn delete_older(
    transaction: &Transaction<'_>,
    created_before: Timestamp,
) -> rusqlite::Result<Vec<CacheEntry>> {
    transaction
        .prepare_cached(&format!("DELETE FROM cache_entries WHERE created_at < ?1 RETURNING {COLUMNS}"))?
        .query_map([created_before.as_millis()], read)?
        .collect()
}

/// Removes the entries of a result and returns them.
pub(crate) fn delete_at(transaction: &Transaction<'_>, location: &str) -> rusqlite::Result<Vec<CacheEntry>> {
    transaction
        .prepare_cached(&format!("DELETE FROM cache_entries WHERE location = ?1 RETURNING {COLUMNS}"))?
        .query_map([location], read)?
        .collect()
}

/// Removes the entries of a result that a record's run has computed, and returns them.
pub(crate) fn delete_of_run(
    transaction: &Transaction<'_>,
    location: &str,
    query_id: &QueryId,
) -> rusqlite::Result<Vec<CacheEntry>> {
    transaction
        .prepare_cached(&format!(
            "DELETE FROM cache_entries WHERE location = ?1 AND query_id = ?2 RETURNING {COLUMNS}"
        ))?
        .query_map([location, query_id.as_str()], read)?
        .collect()
}

/// A selection of entries of a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meant {
    /// All entries.
    All,
    /// The entry of a statement.
    Statement(String),
    /// Entries computed from a table or a view, as far as that is known.
    Table(String),
}

impl Meant {
    /// A condition on a row, whose second parameter is the returned text.
    const fn condition(&self) -> (&'static str, Option<&String>) {
        match self {
            Self::All => ("?2 IS NULL", None),
            Self::Statement(fingerprint) => ("fingerprint = ?2", Some(fingerprint)),
            Self::Table(name) => (
                "EXISTS (SELECT 1 FROM json_each(sources, '$.tables') AS source WHERE source.value ->> '$.name' = ?2)",
                Some(name),
            ),
        }
    }
}

/// Removes the selected entries of a workspace, and returns them.
pub(crate) fn delete_meant(
    transaction: &Transaction<'_>,
    workspace_id: &WorkspaceId,
    meant: &Meant,
) -> rusqlite::Result<Vec<CacheEntry>> {
    let (condition, text) = meant.condition();
    transaction
        .prepare_cached(&format!(
            "DELETE FROM cache_entries WHERE workspace_id = ?1 AND {condition} RETURNING {COLUMNS}"
        ))?
        .query_map(params![workspace_id.as_str(), text], read)?
        .collect()
}

/// Number of selected entries.
pub(crate) fn count(
    connection: &Connection,
    workspace_id: &WorkspaceId,
    meant: &Meant,
) -> rusqlite::Result<u64> {
    let (condition, text) = meant.condition();
    connection
        .prepare_cached(&format!(
            "SELECT count(*) FROM cache_entries WHERE workspace_id = ?1 AND {condition}"
        ))?
        .query_row(params![workspace_id.as_str(), text], |row| row.get(0))
}

/// Position of an entry in the list, and its size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EntryPlace {
    pub(crate) created_at: i64,
    pub(crate) fingerprint: String,
    /// Of its record and its sources as JSON, bytes.
    pub(crate) bytes: usize,
}

/// The positions of the selected entries after one of them, newest first. No entry is read.
pub(crate) fn places(
    connection: &Connection,
    workspace_id: &WorkspaceId,
    meant: &Meant,
    after: Option<&EntryPlace>,
    skip: u64,
    limit: u64,
) -> rusqlite::Result<Vec<EntryPlace>> {
    let (condition, text) = meant.condition();
    let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    // Created at the same time: by fingerprint.
    let (created_at, fingerprint) =
        after.map_or((i64::MAX, ""), |place| (place.created_at, place.fingerprint.as_str()));
    connection
        .prepare_cached(&format!(
            "SELECT created_at, fingerprint, coalesce(octet_length(sources), 0)
                    + coalesce((SELECT octet_length(record) FROM query_records
                                WHERE query_records.id = cache_entries.query_id), 0)
             FROM cache_entries
             WHERE workspace_id = ?1 AND {condition}
                   AND (created_at < ?3 OR created_at = ?3 AND fingerprint > ?4)
             ORDER BY created_at DESC, fingerprint LIMIT ?5 OFFSET ?6"
        ))?
        .query_map(
            params![workspace_id.as_str(), text, created_at, fingerprint, number(limit), number(skip)],
            |row| Ok(EntryPlace { created_at: row.get(0)?, fingerprint: row.get(1)?, bytes: row.get(2)? }),
        )?
        .collect()
}

/// An entry as it is listed: without its columns, and with the statement's text if its record still exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListedEntry {
    pub(crate) query_id: QueryId,
    pub(crate) row_count: u64,
    pub(crate) created_at: Timestamp,
    pub(crate) sources: Option<Sources>,
    pub(crate) sql: Option<String>,
}

/// The entry of a workspace's statement, as it is listed.
pub(crate) fn listed(
    connection: &Connection,
    workspace_id: &WorkspaceId,
    fingerprint: &str,
) -> rusqlite::Result<Option<ListedEntry>> {
    #[derive(Deserialize)]
    struct Text {
        sql: Option<String>,
    }
    connection
        .prepare_cached(
            "SELECT query_id, row_count, created_at, sources,
                    (SELECT record FROM query_records WHERE query_records.id = cache_entries.query_id)
             FROM cache_entries WHERE workspace_id = ?1 AND fingerprint = ?2",
        )?
        .query_row([workspace_id.as_str(), fingerprint], |row| {
            Ok(ListedEntry {
                query_id: QueryId::new(row.get::<_, String>(0)?),
                row_count: row.get(1)?,
                created_at: Timestamp::from_millis(row.get(2)?),
                sources: row.get::<_, Option<Json<_>>>(3)?.map(|Json(sources)| sources),
                sql: row.get::<_, Option<Json<Text>>>(4)?.and_then(|Json(Text { sql })| sql),
            })
        })
        .optional()
}

/// The entry of a workspace's statement.
pub(crate) fn get(
    connection: &Connection,
    workspace_id: &WorkspaceId,
    fingerprint: &str,
) -> rusqlite::Result<Option<CacheEntry>> {
    connection
        .prepare_cached(&format!(
            "SELECT {COLUMNS} FROM cache_entries WHERE workspace_id = ?1 AND fingerprint = ?2"
        ))?
        .query_row([workspace_id.as_str(), fingerprint], read)
        .optional()
}

const COLUMNS: &str =
    "workspace_id, fingerprint, query_id, location, columns, row_count, created_at, sources";

fn read(row: &Row<'_>) -> rusqlite::Result<CacheEntry> {
    Ok(CacheEntry {
        workspace_id: WorkspaceId::new(row.get::<_, String>(0)?),
        fingerprint: row.get(1)?,
        query_id: QueryId::new(row.get::<_, String>(2)?),
        location: row.get(3)?,
        columns: row.get::<_, Json<_>>(4)?.0,
        row_count: row.get(5)?,
        created_at: Timestamp::from_millis(row.get(6)?),
        sources: row.get::<_, Option<Json<_>>>(7)?.map(|Json(sources)| sources),
    })
}
