//! Rows of saved SQL, each with the statistics of its last run.

use rowhouse_model::{AccountId, Column, QueryStats, SavedSql, SavedSqlId, Timestamp, WorkspaceId};
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};

use super::json::Json;

/// Inserts a saved SQL; `columns` are those of an endpoint.
pub(crate) fn insert(
    transaction: &Transaction<'_>,
    saved_sql: &SavedSql,
    columns: Option<&[Column]>,
    created_at: Timestamp,
) -> rusqlite::Result<()> {
    let SavedSql { id, title, description, sql, workspace_id, account_id, sql_name } = saved_sql;
    transaction.execute(
        "INSERT INTO saved_sql (id, workspace_id, account_id, title, description, sql, created_at, sql_name, columns)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
        params![
            id.as_str(),
            workspace_id.as_str(),
            account_id.as_ref().map(AccountId::as_str),
            title,
            description,
            sql,
            created_at.as_millis(),
            sql_name,
            columns.map(Json)
        ],
    )?;
    Ok(())
}

/// Replaces title, description, text and name with the columns of an endpoint; no effect if it is gone.
pub(crate) fn update(
    transaction: &Transaction<'_>,
    saved_sql: &SavedSql,
    columns: Option<&[Column]>,
) -> rusqlite::Result<()> {
    let SavedSql { id, title, description, sql, workspace_id: _, account_id: _, sql_name } = saved_sql;
    transaction.execute(
        "UPDATE saved_sql SET title = ?2, description = ?3, sql = ?4, sql_name = ?5, columns = ?6 WHERE id = ?1",
        params![id.as_str(), title, description, sql, sql_name, columns.map(Json)],
    )?;
    Ok(())
}

/// Whether another saved SQL of the workspace has the name. Atomic with the write that follows: there is one writer.
pub(crate) fn is_name_taken(
    transaction: &Transaction<'_>,
    workspace_id: &WorkspaceId,
    sql_name: &str,
    except: &SavedSqlId,
) -> rusqlite::Result<bool> {
    transaction
        .prepare_cached(
            "SELECT EXISTS (SELECT 1 FROM saved_sql WHERE workspace_id = ?1 AND sql_name = ?2 AND id <> ?3)",
        )?
        .query_row([workspace_id.as_str(), sql_name, except.as_str()], |row| row.get(0))
}

/// The saved SQL of a workspace beside one, and the bytes of titles, descriptions and texts of all, with their versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WorkspaceSizes {
    pub(crate) others: u64,
    pub(crate) bytes: u64,
}

/// The sizes of a workspace's saved SQL; `own` need not exist yet.
pub(crate) fn workspace_sizes(
    transaction: &Transaction<'_>,
    workspace_id: &WorkspaceId,
    own: &SavedSqlId,
) -> rusqlite::Result<WorkspaceSizes> {
    transaction
        .prepare_cached(
            "SELECT count(*) FILTER (WHERE id <> ?2), coalesce(sum(
                 version_bytes + octet_length(title) + coalesce(octet_length(description), 0) + octet_length(sql)), 0)
             FROM saved_sql WHERE workspace_id = ?1",
        )?
        .query_row([workspace_id.as_str(), own.as_str()], |row| {
            Ok(WorkspaceSizes { others: row.get(0)?, bytes: row.get(1)? })
        })
}

/// The endpoints of a workspace beside one, and the bytes of texts and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EndpointSizes {
    pub(crate) others: u64,
    pub(crate) other_bytes: u64,
    pub(crate) own_bytes: u64,
}

/// The sizes of a workspace's endpoints; `own` need not be one yet.
pub(crate) fn endpoint_sizes(
    transaction: &Transaction<'_>,
    workspace_id: &WorkspaceId,
    own: &SavedSqlId,
) -> rusqlite::Result<EndpointSizes> {
    transaction
        .prepare_cached(
            "SELECT count(*) FILTER (WHERE id <> ?2), coalesce(sum(bytes) FILTER (WHERE id <> ?2), 0),
                 coalesce(sum(bytes) FILTER (WHERE id = ?2), 0)
             FROM (SELECT id, octet_length(sql) + coalesce(octet_length(columns), 0) AS bytes FROM saved_sql
                   WHERE workspace_id = ?1 AND sql_name IS NOT NULL)",
        )?
        .query_row([workspace_id.as_str(), own.as_str()], |row| {
            Ok(EndpointSizes { others: row.get(0)?, other_bytes: row.get(1)?, own_bytes: row.get(2)? })
        })
}

/// All endpoints with their columns.
pub(crate) fn load_endpoints(connection: &Connection) -> rusqlite::Result<Vec<(SavedSql, Vec<Column>)>> {
    connection
        .prepare(&format!(
            "SELECT {COLUMNS}, columns FROM saved_sql WHERE sql_name IS NOT NULL ORDER BY seq"
        ))?
        .query_map([], |row| {
            let columns = row.get::<_, Option<Json<_>>>(8)?.map(|Json(columns)| columns);
            Ok((read(row)?.0, columns.unwrap_or_default()))
        })?
        .collect()
}

/// Stores the statistics of the last run; no effect if the saved SQL is gone. For the write that ends a run's record.
pub(crate) fn set_last_run(
    transaction: &Transaction<'_>,
    id: &SavedSqlId,
    stats: &QueryStats,
) -> rusqlite::Result<()> {
    transaction
        .prepare_cached("UPDATE saved_sql SET last_run = ?2 WHERE id = ?1")?
        .execute(params![id.as_str(), Json(stats)])?;
    Ok(())
}

pub(crate) fn delete(transaction: &Transaction<'_>, id: &SavedSqlId) -> rusqlite::Result<()> {
    transaction.execute("DELETE FROM saved_sql WHERE id = ?1", [id.as_str()])?;
    Ok(())
}

/// A saved SQL and the statistics of its last finished run.
pub(crate) type SavedSqlRow = (SavedSql, Option<QueryStats>);

pub(crate) fn get(
    connection: &Connection,
    workspace_id: &WorkspaceId,
    id: &SavedSqlId,
) -> rusqlite::Result<Option<SavedSqlRow>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM saved_sql WHERE id = ?1 AND workspace_id = ?2"))?
        .query_row([id.as_str(), workspace_id.as_str()], read)
        .optional()
}

/// Position and text size of a saved SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SavedSqlPlace {
    /// Its position in the order of creation.
    pub(crate) seq: i64,
    pub(crate) bytes: usize,
}

/// The positions of a workspace's saved SQL after a position, oldest first (D28). No text is read.
pub(crate) fn places(
    connection: &Connection,
    workspace_id: &WorkspaceId,
    after: i64,
    limit: u64,
) -> rusqlite::Result<Vec<SavedSqlPlace>> {
    connection
        .prepare_cached(
            "SELECT seq, octet_length(title) + coalesce(octet_length(description), 0) + octet_length(sql)
             FROM saved_sql WHERE workspace_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3",
        )?
        .query_map(params![workspace_id.as_str(), after, i64::try_from(limit).unwrap_or(i64::MAX)], |row| {
            Ok(SavedSqlPlace { seq: row.get(0)?, bytes: row.get(1)? })
        })?
        .collect()
}

/// The saved SQL at a position; none if it is gone.
pub(crate) fn at(connection: &Connection, seq: i64) -> rusqlite::Result<Option<SavedSql>> {
    connection
        .prepare_cached(&format!("SELECT {COLUMNS} FROM saved_sql WHERE seq = ?1"))?
        .query_row([seq], |row| read(row).map(|(saved_sql, _)| saved_sql))
        .optional()
}

const COLUMNS: &str = "id, workspace_id, account_id, title, description, sql, last_run, sql_name";

fn read(row: &Row<'_>) -> rusqlite::Result<SavedSqlRow> {
    let saved_sql = SavedSql {
        id: SavedSqlId::new(row.get::<_, String>(0)?),
        workspace_id: WorkspaceId::new(row.get::<_, String>(1)?),
        account_id: row.get::<_, Option<String>>(2)?.map(AccountId::new),
        title: row.get(3)?,
        description: row.get(4)?,
        sql: row.get(5)?,
        sql_name: row.get(7)?,
    };
    Ok((saved_sql, row.get::<_, Option<Json<_>>>(6)?.map(|Json(stats)| stats)))
}
