//! Limits of a workspace's saved SQL, in number and in bytes: nothing else deletes it.

use rowhouse_model::SavedSql;
use rusqlite::Transaction;

use crate::error::{Error, ErrorKind};
use crate::store::saved_sql::{self, WorkspaceSizes};

/// Maximum number of saved SQL of a workspace.
pub(super) const MAX_SAVED_SQLS: u64 = 5_000;
/// Maximum bytes of titles, descriptions and texts of a workspace's saved SQL, with those of their versions.
pub(super) const MAX_SAVED_SQL_BYTES: u64 = 256 << 20;

/// Why a saved SQL cannot be stored like this. Called inside the write that stores it.
pub(super) fn refusal(
    transaction: &Transaction<'_>,
    saved_sql: &SavedSql,
) -> rusqlite::Result<Option<Error>> {
    let SavedSql { id, workspace_id, title, description, sql, .. } = saved_sql;
    let WorkspaceSizes { others, bytes } = saved_sql::workspace_sizes(transaction, workspace_id, id)?;
    let own_bytes = (title.len() + description.as_ref().map_or(0, String::len) + sql.len()) as u64;
    let message = if others >= MAX_SAVED_SQLS {
        format!("the workspace has {others} saved SQL, and {MAX_SAVED_SQLS} are the most: delete some")
    } else if bytes.saturating_add(own_bytes) > MAX_SAVED_SQL_BYTES {
        format!(
            "the workspace's saved SQL and its versions take {bytes} bytes, this text {own_bytes}, and \
             {MAX_SAVED_SQL_BYTES} are the most: delete saved SQL"
        )
    } else {
        return Ok(None);
    };
    Ok(Some(Error::new(ErrorKind::InvalidArguments, message)))
}
