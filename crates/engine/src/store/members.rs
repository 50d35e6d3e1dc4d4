//! Rows of memberships: an account's role in a workspace.

use rowhouse_model::{AccountId, Role, WorkspaceId};
use rusqlite::{Connection, Transaction, params};

use super::json::Word;

/// Sets or replaces the role.
pub(crate) fn set(
    transaction: &Transaction<'_>,
    workspace_id: &WorkspaceId,
    account_id: &AccountId,
    role: Role,
) -> rusqlite::Result<()> {
    transaction.execute(
        "INSERT INTO members (workspace_id, account_id, role) VALUES (?1, ?2, ?3)
         ON CONFLICT (workspace_id, account_id) DO UPDATE SET role = ?3",
        params![workspace_id.as_str(), account_id.as_str(), Word(role)],
    )?;
    Ok(())
}

pub(crate) fn delete(
    transaction: &Transaction<'_>,
    workspace_id: &WorkspaceId,
    account_id: &AccountId,
) -> rusqlite::Result<()> {
    transaction.execute(
        "DELETE FROM members WHERE workspace_id = ?1 AND account_id = ?2",
        [workspace_id.as_str(), account_id.as_str()],
    )?;
    Ok(())
}

pub(crate) fn load(connection: &Connection) -> rusqlite::Result<Vec<(WorkspaceId, AccountId, Role)>> {
    connection
        .prepare("SELECT workspace_id, account_id, role FROM members")?
        .query_map([], |row| {
            Ok((
                WorkspaceId::new(row.get::<_, String>(0)?),
                AccountId::new(row.get::<_, String>(1)?),
                row.get::<_, Word<_>>(2)?.0,
            ))
        })?
        .collect()
}
