//! Rows of workspaces.

use rowhouse_model::{Timestamp, WorkspaceId};
use rusqlite::{Connection, Transaction, params};

use super::json::Word;
use crate::workspaces::WorkspaceRecord;

pub(crate) fn insert(
    transaction: &Transaction<'_>,
    workspace: &WorkspaceRecord,
    created_at: Timestamp,
) -> rusqlite::Result<()> {
    let WorkspaceRecord { id, sql_name, title, engine } = workspace;
    transaction.execute(
        "INSERT INTO workspaces (id, sql_name, title, engine, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![id.as_str(), sql_name, title, Word(engine), created_at.as_millis()],
    )?;
    Ok(())
}

/// All, oldest first.
pub(crate) fn load(connection: &Connection) -> rusqlite::Result<Vec<WorkspaceRecord>> {
    connection
        .prepare("SELECT id, sql_name, title, engine FROM workspaces ORDER BY rowid")?
        .query_map([], |row| {
            Ok(WorkspaceRecord {
                id: WorkspaceId::new(row.get::<_, String>(0)?),
                sql_name: row.get(1)?,
                title: row.get(2)?,
                engine: row.get::<_, Word<_>>(3)?.0,
            })
        })?
        .collect()
}
