//! Rows of saved SQL, each with the statistics of its last run.

use rowhouse_model::{AccountId, QueryStats, SavedSql, SavedSqlId, Timestamp, WorkspaceId};
use rusqlite::{Connection, Row, Transaction, params};

use super::json::Json;

pub(crate) fn insert(
    transaction: &Transaction<'_>,
    saved_sql: &SavedSql,
    created_at: Timestamp,
) -> rusqlite::Result<()> {
    let SavedSql { id, title, description, sql, workspace_id, account_id } = saved_sql;
    transaction.execute(
        "INSERT INTO saved_sql (id, workspace_id, account_id, title, description, sql, created_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![
            id.as_str(),
            workspace_id.as_str(),
            account_id.as_ref().map(AccountId::as_str),
            title,
            description,
            sql,
            created_at.as_millis()
        ],
    )?;
    Ok(())
}

/// Title, description and text; nothing where it is gone.
pub(crate) fn update(transaction: &Transaction<'_>, saved_sql: &SavedSql) -> rusqlite::Result<()> {
    let SavedSql { id, title, description, sql, workspace_id: _, account_id: _ } = saved_sql;
    transaction.execute(
        "UPDATE saved_sql SET title = ?2, description = ?3, sql = ?4 WHERE id = ?1",
        params![id.as_str(), title, description, sql],
    )?;
    Ok(())
}

/// Keeps what the last run cost; nothing where the saved SQL is gone. For the write that ends a run's record.
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

/// All, oldest first.
pub(crate) fn load(connection: &Connection) -> rusqlite::Result<Vec<(SavedSql, Option<QueryStats>)>> {
    connection
        .prepare(
            "SELECT id, workspace_id, account_id, title, description, sql, last_run FROM saved_sql ORDER BY seq",
        )?
        .query_map([], read)?
        .collect()
}

fn read(row: &Row<'_>) -> rusqlite::Result<(SavedSql, Option<QueryStats>)> {
    let saved_sql = SavedSql {
        id: SavedSqlId::new(row.get::<_, String>(0)?),
        workspace_id: WorkspaceId::new(row.get::<_, String>(1)?),
        account_id: row.get::<_, Option<String>>(2)?.map(AccountId::new),
        title: row.get(3)?,
        description: row.get(4)?,
        sql: row.get(5)?,
    };
    Ok((saved_sql, row.get::<_, Option<Json<_>>>(6)?.map(|Json(stats)| stats)))
}
