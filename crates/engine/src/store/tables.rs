//! Rows of tables. A table and a view of one workspace do not share a name: the insert of each checks both.

use rowhouse_model::{TableFormat, Timestamp, WorkspaceId};
use rusqlite::{Connection, OptionalExtension, Transaction, params};

use super::json::Word;

/// A stored table; its columns are read from the files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredTable {
    pub(crate) workspace_id: WorkspaceId,
    pub(crate) name: String,
    /// File, glob or folder, absolute.
    pub(crate) location: String,
    pub(crate) format: TableFormat,
    pub(crate) created_at: Timestamp,
}

/// A relation that already has a name in a workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NamedRelation {
    Table,
    View,
}

/// Atomic with the insert that follows in the same write: there is one writer.
pub(crate) fn find_name(
    transaction: &Transaction<'_>,
    workspace_id: &WorkspaceId,
    name: &str,
) -> rusqlite::Result<Option<NamedRelation>> {
    let kind: Option<i64> = transaction
        .query_row(
            "SELECT 0 FROM tables WHERE workspace_id = ?1 AND name = ?2
             UNION ALL SELECT 1 FROM views WHERE workspace_id = ?1 AND sql_name = ?2",
            [workspace_id.as_str(), name],
            |row| row.get(0),
        )
        .optional()?;
    Ok(kind.map(|kind| if kind == 0 { NamedRelation::Table } else { NamedRelation::View }))
}

pub(crate) fn insert(transaction: &Transaction<'_>, table: &StoredTable) -> rusqlite::Result<()> {
    let StoredTable { workspace_id, name, location, format, created_at } = table;
    transaction.execute(
        "INSERT INTO tables (workspace_id, name, location, format, created_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        params![workspace_id.as_str(), name, location, Word(format), created_at.as_millis()],
    )?;
    Ok(())
}

pub(crate) fn delete(
    transaction: &Transaction<'_>,
    workspace_id: &WorkspaceId,
    name: &str,
) -> rusqlite::Result<()> {
    transaction
        .execute("DELETE FROM tables WHERE workspace_id = ?1 AND name = ?2", [workspace_id.as_str(), name])?;
    Ok(())
}

/// All tables, by workspace and name.
pub(crate) fn load(connection: &Connection) -> rusqlite::Result<Vec<StoredTable>> {
    connection
        .prepare(
            "SELECT workspace_id, name, location, format, created_at FROM tables ORDER BY workspace_id, name",
        )?
        .query_map([], |row| {
            Ok(StoredTable {
                workspace_id: WorkspaceId::new(row.get::<_, String>(0)?),
                name: row.get(1)?,
                location: row.get(2)?,
                format: row.get::<_, Word<_>>(3)?.0,
                created_at: Timestamp::from_millis(row.get(4)?),
            })
        })?
        .collect()
}
