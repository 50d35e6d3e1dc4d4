//! Rows of materialized views: their definitions and the outcome of the last refresh.

use rowhouse_model::{AccountId, Column, Timestamp, ViewId, WorkspaceId};
use rusqlite::{Connection, Transaction, params};

use super::json::Json;

/// A stored view definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredView {
    pub(crate) id: ViewId,
    pub(crate) workspace_id: WorkspaceId,
    pub(crate) sql_name: String,
    pub(crate) title: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) sql: String,
    pub(crate) schedule: Option<String>,
    /// Its creator; scheduled refreshes run in this name.
    pub(crate) account_id: AccountId,
    pub(crate) created_at: Timestamp,
    /// Counts the changes of `sql`, to distinguish a refresh of an older text from one of this text.
    pub(crate) revision: u64,
    /// Columns of `sql`, as analyzed.
    pub(crate) columns: Vec<Column>,
    /// The last tick of the schedule that was served: missed ones collapse into one, also over a restart.
    pub(crate) scheduled_at: Option<Timestamp>,
    pub(crate) last_error: Option<String>,
}

pub(crate) fn insert(transaction: &Transaction<'_>, view: &StoredView) -> rusqlite::Result<()> {
    transaction.execute(
        "INSERT INTO views (id, workspace_id, sql_name, title, description, sql, schedule, account_id, created_at,
             revision, columns, scheduled_at, last_error)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
        params![
            view.id.as_str(),
            view.workspace_id.as_str(),
            view.sql_name,
            view.title,
            view.description,
            view.sql,
            view.schedule,
            view.account_id.as_str(),
            view.created_at.as_millis(),
            view.revision,
            Json(&view.columns),
            view.scheduled_at.map(Timestamp::as_millis),
            view.last_error
        ],
    )?;
    Ok(())
}

/// Replaces the definition, and clears the last error if the text is new. False if the view is gone.
pub(crate) fn update(transaction: &Transaction<'_>, view: &StoredView) -> rusqlite::Result<bool> {
    let changed = transaction.execute(
        "UPDATE views SET sql_name = ?2, title = ?3, description = ?4, sql = ?5, schedule = ?6, columns = ?8,
             scheduled_at = ?9, last_error = CASE revision WHEN ?7 THEN last_error END, revision = ?7
         WHERE id = ?1",
        params![
            view.id.as_str(),
            view.sql_name,
            view.title,
            view.description,
            view.sql,
            view.schedule,
            view.revision,
            Json(&view.columns),
            view.scheduled_at.map(Timestamp::as_millis)
        ],
    )?;
    Ok(changed > 0)
}

/// Stores the outcome of the last refresh.
pub(crate) fn set_last_error(
    transaction: &Transaction<'_>,
    id: &ViewId,
    last_error: Option<&str>,
) -> rusqlite::Result<()> {
    transaction
        .execute("UPDATE views SET last_error = ?2 WHERE id = ?1", params![id.as_str(), last_error])?;
    Ok(())
}

/// Stores which tick of the schedule was served.
pub(crate) fn set_scheduled_at(
    transaction: &Transaction<'_>,
    id: &ViewId,
    scheduled_at: Timestamp,
) -> rusqlite::Result<()> {
    transaction.execute(
        "UPDATE views SET scheduled_at = ?2 WHERE id = ?1",
        params![id.as_str(), scheduled_at.as_millis()],
    )?;
    Ok(())
}

/// Deletes the definition and, by its foreign key, the generations. False if the view is gone.
pub(crate) fn delete(transaction: &Transaction<'_>, id: &ViewId) -> rusqlite::Result<bool> {
    Ok(transaction.execute("DELETE FROM views WHERE id = ?1", [id.as_str()])? > 0)
}

/// All views, oldest first.
pub(crate) fn load(connection: &Connection) -> rusqlite::Result<Vec<StoredView>> {
    connection
        .prepare(
            "SELECT id, workspace_id, sql_name, title, description, sql, schedule, account_id, created_at, revision,
                 columns, scheduled_at, last_error
             FROM views ORDER BY rowid",
        )?
        .query_map([], |row| {
            Ok(StoredView {
                id: ViewId::new(row.get::<_, String>(0)?),
                workspace_id: WorkspaceId::new(row.get::<_, String>(1)?),
                sql_name: row.get(2)?,
                title: row.get(3)?,
                description: row.get(4)?,
                sql: row.get(5)?,
                schedule: row.get(6)?,
                account_id: AccountId::new(row.get::<_, String>(7)?),
                created_at: Timestamp::from_millis(row.get(8)?),
                revision: row.get(9)?,
                columns: row.get::<_, Json<_>>(10)?.0,
                scheduled_at: row.get::<_, Option<i64>>(11)?.map(Timestamp::from_millis),
                last_error: row.get(12)?,
            })
        })?
        .collect()
}
