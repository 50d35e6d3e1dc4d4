//! Rows of query records. The record itself is JSON as on the wire; its look-up keys are columns. Lists are ordered by
//! `seq`, the order of insertion, which is the order of submission (D12).

use std::collections::HashMap;

use rowhouse_model::{Query, QueryId, QueryStatus, SavedSqlId, Timestamp, WorkspaceId};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, OptionalExtension, Row, ToSql, Transaction, params};

use super::cache_entries::{self, CacheEntry};
use super::json::Json;

/// A record with the fields that only the server sees.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StoredQuery {
    /// As clients see it.
    pub(crate) query: Query,
    /// The saved SQL that it executes.
    pub(crate) saved_sql: Option<SavedSqlId>,
    /// The statement's tokens (D20).
    pub(crate) fingerprint: String,
    /// The stored result inside the data directory; several records may share one. None before the end, after a
    /// failure, and when the result has expired and its file was released.
    pub(crate) result_file: Option<String>,
    /// When the result expires (D11).
    pub(crate) result_expires_at: Option<Timestamp>,
}

/// Only longer texts of records are counted and deleted.
const LONG_TEXT_BYTES: usize = 16 << 10;
/// Likewise only longer columns.
pub(crate) const LONG_COLUMNS_BYTES: usize = 64 << 10;
/// Copies of a record's columns: its own, and that of the cache entry.
const COLUMN_COPIES: usize = 2;
/// Number of records whose texts are deleted per new record: more than one, so that the process converges after the
/// limit was lowered, and few, so that the writer is not delayed.
const TEXTS_GIVEN_UP_AT_ONCE: u32 = 4;

const COLUMNS: &str = "record, saved_sql_id, fingerprint, result_file, result_expires_at";

pub(crate) fn insert(transaction: &Transaction<'_>, stored: &StoredQuery) -> rusqlite::Result<()> {
    insert_row(transaction, stored, &Json(&stored.query))
}

/// As [`insert`], of a record that is already serialized.
pub(crate) fn insert_written(
    transaction: &Transaction<'_>,
    stored: &StoredQuery,
    json: &[u8],
) -> rusqlite::Result<()> {
    insert_row(transaction, stored, &ToSqlOutput::Borrowed(ValueRef::Text(json)))
}

fn insert_row(
    transaction: &Transaction<'_>,
    stored: &StoredQuery,
    record: &dyn ToSql,
) -> rusqlite::Result<()> {
    let StoredQuery { query, saved_sql, fingerprint, result_file, result_expires_at } = stored;
    transaction
        .prepare_cached(
            "INSERT INTO query_records (id, workspace_id, is_final, started_at, saved_sql_id, fingerprint,
                 result_file, result_expires_at, record, text_bytes)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
        )?
        .execute(params![
            query.id.as_str(),
            query.workspace_id.as_str(),
            query.status.is_some_and(QueryStatus::is_final),
            query.started_at.map_or(0, Timestamp::as_millis),
            saved_sql.as_ref().map(SavedSqlId::as_str),
            fingerprint,
            result_file,
            result_expires_at.map(Timestamp::as_millis),
            record,
            counted_bytes(query)
        ])?;
    Ok(())
}

/// Replaces everything but the position in the list; no effect if the record is gone.
pub(crate) fn update(transaction: &Transaction<'_>, stored: &StoredQuery) -> rusqlite::Result<()> {
    let StoredQuery { query, saved_sql, fingerprint, result_file, result_expires_at } = stored;
    transaction
        .prepare_cached(
            "UPDATE query_records SET is_final = ?2, saved_sql_id = ?3, fingerprint = ?4, result_file = ?5,
                 result_expires_at = ?6, record = ?7, text_bytes = ?8
             WHERE id = ?1",
        )?
        .execute(params![
            query.id.as_str(),
            query.status.is_some_and(QueryStatus::is_final),
            saved_sql.as_ref().map(SavedSqlId::as_str),
            fingerprint,
            result_file,
            result_expires_at.map(Timestamp::as_millis),
            Json(query),
            counted_bytes(query)
        ])?;
    Ok(())
}

/// Bytes of a record's text, parameters and columns, as far as they are long; 0 if none is.
pub(crate) fn long_bytes(query: &Query) -> usize {
    let over = |bytes: usize, limit: usize| if bytes > limit { bytes } else { 0 };
    over(query.text_bytes(), LONG_TEXT_BYTES)
        + COLUMN_COPIES * over(query.columns_bytes(), LONG_COLUMNS_BYTES)
}

/// The bytes of a final record that count.
fn counted_bytes(query: &Query) -> Option<u64> {
    let is_final = query.status.is_some_and(QueryStatus::is_final);
    let bytes = if is_final { long_bytes(query) } else { 0 };
    (bytes > 0).then_some(bytes as u64)
}

/// What records have lost with their columns.
#[derive(Debug, Default)]
pub(crate) struct GivenUp {
    /// The results that they no longer name.
    pub(crate) locations: Vec<String>,
    /// The deleted cache entries.
    pub(crate) entries: Vec<CacheEntry>,
}

impl GivenUp {
    pub(crate) fn extend(&mut self, other: Self) {
        self.locations.extend(other.locations);
        self.entries.extend(other.entries);
    }
}

/// Limits the bytes of long texts and columns of a workspace's ended statements: the oldest records lose text, parameters
/// and long columns, a few at a time, and are unchanged otherwise. Without its columns a result cannot be read: it expires
/// at `now`.
pub(crate) fn give_up_texts(
    transaction: &Transaction<'_>,
    workspace_id: &WorkspaceId,
    max_bytes: u64,
    now: Timestamp,
) -> rusqlite::Result<GivenUp> {
    let mut given_up = GivenUp::default();
    let kept_bytes: u64 = transaction
        .prepare_cached(
            "SELECT coalesce(sum(text_bytes), 0) FROM query_records
             WHERE workspace_id = ?1 AND text_bytes IS NOT NULL",
        )?
        .query_row([workspace_id.as_str()], |row| row.get(0))?;
    let mut excess_bytes = kept_bytes.saturating_sub(max_bytes);
    if excess_bytes == 0 {
        return Ok(given_up);
    }
    let oldest: Vec<(i64, u64, Option<String>, Query)> = transaction
        .prepare_cached(
            "SELECT seq, text_bytes, result_file, record FROM query_records
             WHERE workspace_id = ?1 AND text_bytes IS NOT NULL ORDER BY seq LIMIT ?2",
        )?
        .query_map(params![workspace_id.as_str(), TEXTS_GIVEN_UP_AT_ONCE], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get::<_, Json<_>>(3)?.0))
        })?
        .collect::<rusqlite::Result<_>>()?;
    let mut give_up = transaction
        .prepare_cached("UPDATE query_records SET record = ?2, text_bytes = NULL WHERE seq = ?1")?;
    for (seq, text_bytes, location, mut query) in oldest {
        if excess_bytes == 0 {
            break;
        }
        if query.columns_bytes() > LONG_COLUMNS_BYTES {
            query.columns = None;
            if let Some(location) = location {
                take_result_of(transaction, seq, now)?;
                given_up.entries.extend(cache_entries::delete_of_run(transaction, &location, &query.id)?);
                given_up.locations.push(location);
            }
        }
        give_up.execute(params![seq, Json(Query { sql: None, parameters: None, ..query })])?;
        excess_bytes = excess_bytes.saturating_sub(text_bytes);
    }
    Ok(given_up)
}

/// Removes the result of one record, which expires at `now`.
fn take_result_of(transaction: &Transaction<'_>, seq: i64, now: Timestamp) -> rusqlite::Result<()> {
    transaction
        .prepare_cached(
            "UPDATE query_records SET result_file = NULL, result_expires_at = min(result_expires_at, ?2)
             WHERE seq = ?1",
        )?
        .execute(params![seq, now.as_millis()])?;
    Ok(())
}

/// Bytes of a record as JSON.
pub(crate) fn bytes(
    connection: &Connection,
    workspace_id: &WorkspaceId,
    id: &QueryId,
) -> rusqlite::Result<Option<usize>> {
    connection
        .prepare_cached("SELECT octet_length(record) FROM query_records WHERE id = ?1 AND workspace_id = ?2")?
        .query_row([id.as_str(), workspace_id.as_str()], |row| row.get(0))
        .optional()
}

pub(crate) fn get(
    connection: &Connection,
    workspace_id: &WorkspaceId,
    id: &QueryId,
) -> rusqlite::Result<Option<StoredQuery>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM query_records WHERE id = ?1 AND workspace_id = ?2"))?
        .query_row([id.as_str(), workspace_id.as_str()], read)
        .optional()
}

/// Position and size of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RecordPlace {
    /// Its position in the order of insertion.
    pub(crate) seq: i64,
    pub(crate) id: QueryId,
    /// Its size as JSON, bytes.
    pub(crate) bytes: usize,
}

/// The positions of a workspace's records before a position, newest first. No record is read.
pub(crate) fn places(
    connection: &Connection,
    workspace_id: &WorkspaceId,
    before: Option<i64>,
    skip: u64,
    limit: u64,
) -> rusqlite::Result<Vec<RecordPlace>> {
    // The inner query reads only the index, so skipped records are not touched.
    connection
        .prepare_cached(
            "SELECT seq, id, octet_length(record) FROM query_records WHERE seq IN
                 (SELECT seq FROM query_records WHERE workspace_id = ?1 AND seq < ?2
                  ORDER BY seq DESC LIMIT ?3 OFFSET ?4)
             ORDER BY seq DESC",
        )?
        .query_map(
            params![workspace_id.as_str(), before.unwrap_or(i64::MAX), clamp(limit), clamp(skip)],
            |row| {
                Ok(RecordPlace {
                    seq: row.get(0)?,
                    id: QueryId::new(row.get::<_, String>(1)?),
                    bytes: row.get(2)?,
                })
            },
        )?
        .collect()
}

/// Appends a record as clients see it, and returns whether it exists. A record that is not final is out of date here.
pub(crate) fn append(connection: &Connection, seq: i64, json: &mut Vec<u8>) -> rusqlite::Result<bool> {
    let appended = connection
        .prepare_cached("SELECT record FROM query_records WHERE seq = ?1")?
        .query_row([seq], |row| {
            let record = row.get_ref(0)?.as_bytes()?;
            json.reserve_exact(record.len() + 1);
            json.extend_from_slice(record);
            Ok(())
        })
        .optional()?;
    Ok(appended.is_some())
}

/// Number of records by workspace; one without records is absent.
pub(crate) fn count_by_workspace(connection: &Connection) -> rusqlite::Result<HashMap<WorkspaceId, u64>> {
    connection
        .prepare("SELECT workspace_id, count(*) FROM query_records GROUP BY workspace_id")?
        .query_map([], |row| Ok((WorkspaceId::new(row.get::<_, String>(0)?), row.get(1)?)))?
        .collect()
}

/// The records that a killed server left unfinished, oldest first.
pub(crate) fn non_final(connection: &Connection) -> rusqlite::Result<Vec<StoredQuery>> {
    connection
        .prepare(&format!("SELECT {COLUMNS} FROM query_records WHERE is_final = 0 ORDER BY seq"))?
        .query_map([], read)?
        .collect()
}

/// A final record that was removed, and the result file that it named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct RemovedQuery {
    pub(crate) id: QueryId,
    pub(crate) workspace_id: WorkspaceId,
    pub(crate) result_file: Option<String>,
}

/// Removes up to `limit` final records that started before `started_before`, oldest first (D27).
pub(crate) fn delete_expired(
    transaction: &Transaction<'_>,
    started_before: Timestamp,
    limit: u64,
) -> rusqlite::Result<Vec<RemovedQuery>> {
    transaction
        .prepare_cached(
            "DELETE FROM query_records WHERE seq IN
                 (SELECT seq FROM query_records WHERE started_at < ?1 AND is_final = 1 ORDER BY started_at LIMIT ?2)
             RETURNING id, workspace_id, result_file",
        )?
        .query_map(params![started_before.as_millis(), clamp(limit)], removed)?
        .collect()
}

/// Removes the oldest `limit` final records of a workspace.
pub(crate) fn delete_oldest(
    transaction: &Transaction<'_>,
    workspace_id: &WorkspaceId,
    limit: u64,
) -> rusqlite::Result<Vec<RemovedQuery>> {
    transaction
        .prepare_cached(
            "DELETE FROM query_records WHERE seq IN
                 (SELECT seq FROM query_records WHERE workspace_id = ?1 AND is_final = 1 ORDER BY seq LIMIT ?2)
             RETURNING id, workspace_id, result_file",
        )?
        .query_map(params![workspace_id.as_str(), clamp(limit)], removed)?
        .collect()
}

fn removed(row: &Row<'_>) -> rusqlite::Result<RemovedQuery> {
    Ok(RemovedQuery {
        id: QueryId::new(row.get::<_, String>(0)?),
        workspace_id: WorkspaceId::new(row.get::<_, String>(1)?),
        result_file: row.get(2)?,
    })
}

/// Removes the result files of up to `limit` records whose result has expired at `now` from the records, and returns
/// the files. `result_expires_at` stays, so that an expired result differs from none.
pub(crate) fn take_expired_results(
    transaction: &Transaction<'_>,
    now: Timestamp,
    limit: u64,
) -> rusqlite::Result<Vec<String>> {
    let mut expired: Vec<(i64, String)> = transaction
        .prepare_cached(
            "SELECT seq, result_file FROM query_records
             WHERE result_expires_at <= ?1 AND result_file IS NOT NULL ORDER BY result_expires_at LIMIT ?2",
        )?
        .query_map(params![now.as_millis(), clamp(limit)], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let mut clear =
        transaction.prepare_cached("UPDATE query_records SET result_file = NULL WHERE seq = ?1")?;
    for (seq, _) in &expired {
        clear.execute([seq])?;
    }
    expired.sort_by(|left, right| left.1.cmp(&right.1));
    expired.dedup_by(|left, right| left.1 == right.1);
    Ok(expired.into_iter().map(|(_, file)| file).collect())
}

/// Removes a result from all records that name it; returns their ids.
pub(crate) fn take_result(
    transaction: &Transaction<'_>,
    file: &str,
    now: Timestamp,
) -> rusqlite::Result<Vec<QueryId>> {
    transaction
        .prepare_cached(
            "UPDATE query_records SET result_file = NULL, result_expires_at = min(result_expires_at, ?2)
             WHERE result_file = ?1 RETURNING id",
        )?
        .query_map(params![file, now.as_millis()], |row| Ok(QueryId::new(row.get::<_, String>(0)?)))?
        .collect()
}

/// A workspace's oldest result.
pub(crate) fn oldest_result(
    connection: &Connection,
    workspace_id: &WorkspaceId,
) -> rusqlite::Result<Option<String>> {
    connection
        .prepare_cached(
            "SELECT result_file FROM query_records WHERE workspace_id = ?1 AND result_file IS NOT NULL
             ORDER BY seq LIMIT 1",
        )?
        .query_row([workspace_id.as_str()], |row| row.get(0))
        .optional()
}

/// Whether there is a record of this query, in any state.
pub(crate) fn is_known(connection: &Connection, id: &str) -> rusqlite::Result<bool> {
    connection
        .prepare_cached("SELECT EXISTS (SELECT 1 FROM query_records WHERE id = ?1)")?
        .query_row([id], |row| row.get(0))
}

/// Whether a record or a cache entry still names the file.
pub(crate) fn is_result_used(connection: &Connection, file: &str) -> rusqlite::Result<bool> {
    connection
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM query_records WHERE result_file = ?1)
                 OR EXISTS (SELECT 1 FROM cache_entries WHERE location = ?1)",
        )?
        .query_row([file], |row| row.get(0))
}

/// Where a result is that a record or a cache entry still names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UsedResult {
    /// Its rows are in the database.
    InDatabase,
    /// They are in a file, if it is not lost.
    InFile,
}

/// Where the result at a location is; `None` if nothing names it.
pub(crate) fn used_result(connection: &Connection, location: &str) -> rusqlite::Result<Option<UsedResult>> {
    // As `is_result_used` and `small_results::is_kept`, in one statement, because every cache hit asks. There are fewer
    // entries than records, and a hit has one.
    let (is_used, is_in_database) = connection
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM cache_entries WHERE location = ?1)
                 OR EXISTS (SELECT 1 FROM query_records WHERE result_file = ?1),
                 EXISTS (SELECT 1 FROM kept_results WHERE location = ?1)",
        )?
        .query_row([location], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(match (is_used, is_in_database) {
        (false, _) => None,
        (true, true) => Some(UsedResult::InDatabase),
        (true, false) => Some(UsedResult::InFile),
    })
}

/// Every result file that a record or a cache entry names, for the removal of orphans at start.
pub(crate) fn result_files(connection: &Connection) -> rusqlite::Result<std::collections::HashSet<String>> {
    connection
        .prepare(
            "SELECT result_file FROM query_records WHERE result_file IS NOT NULL
             UNION ALL SELECT location FROM cache_entries",
        )?
        .query_map([], |row| row.get(0))?
        .collect()
}

fn read(row: &Row<'_>) -> rusqlite::Result<StoredQuery> {
    Ok(StoredQuery {
        query: row.get::<_, Json<_>>(0)?.0,
        saved_sql: row.get::<_, Option<String>>(1)?.map(SavedSqlId::new),
        fingerprint: row.get(2)?,
        result_file: row.get(3)?,
        result_expires_at: row.get::<_, Option<i64>>(4)?.map(Timestamp::from_millis),
    })
}

/// SQLite counts in 63 bits; there are never more rows.
fn clamp(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
