//! Rows of workspaces.

use rowhouse_model::{EngineKind, Timestamp, WorkspaceId, WorkspaceLimits};
use rusqlite::{Connection, Transaction, params};

use super::json::{Json, Word};

/// A stored workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspaceRecord {
    /// Its id.
    pub id: WorkspaceId,
    /// Its name in SQL and in Interface B's path; unique.
    pub sql_name: String,
    /// Displayed title.
    pub title: String,
    /// The engine of its statements.
    pub engine: EngineKind,
}

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

/// Sets the limits of a workspace.
pub(crate) fn set_limits(
    transaction: &Transaction<'_>,
    id: &WorkspaceId,
    limits: WorkspaceLimits,
) -> rusqlite::Result<()> {
    transaction
        .execute("UPDATE workspaces SET limits = ?2 WHERE id = ?1", params![id.as_str(), Json(limits)])?;
    Ok(())
}

/// All workspaces with their own limits, oldest first.
pub(crate) fn load(connection: &Connection) -> rusqlite::Result<Vec<(WorkspaceRecord, WorkspaceLimits)>> {
    connection
        .prepare("SELECT id, sql_name, title, engine, limits FROM workspaces ORDER BY rowid")?
        .query_map([], |row| {
            let workspace = WorkspaceRecord {
                id: WorkspaceId::new(row.get::<_, String>(0)?),
                sql_name: row.get(1)?,
                title: row.get(2)?,
                engine: row.get::<_, Word<_>>(3)?.0,
            };
            let limits = row.get::<_, Option<Json<_>>>(4)?.map(|Json(limits)| limits);
            Ok((workspace, limits.unwrap_or_default()))
        })?
        .collect()
}
