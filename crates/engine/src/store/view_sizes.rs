//! The number of a workspace's views, and the bytes of their definitions and columns, which are in memory and in the
//! catalogs of statements.

use rowhouse_model::{ViewId, WorkspaceId};
use rusqlite::{Transaction, params};

/// Bytes of a view: its texts, and its columns as JSON, those of the definition or of the served generation.
const BYTES: &str = "octet_length(views.sql) + coalesce(octet_length(views.description), 0)
     + max(octet_length(views.columns), coalesce(octet_length(generations.columns), 0))";

/// The views of a workspace beside one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OtherViews {
    pub(crate) count: u64,
    pub(crate) bytes: u64,
}

/// The views of a workspace other than `except`.
pub(crate) fn others(
    transaction: &Transaction<'_>,
    workspace_id: &WorkspaceId,
    except: &ViewId,
) -> rusqlite::Result<OtherViews> {
    transaction
        .prepare_cached(&format!(
            "SELECT count(*), coalesce(sum({BYTES}), 0) FROM views LEFT JOIN generations ON view_id = id
             WHERE workspace_id = ?1 AND id <> ?2"
        ))?
        .query_row(params![workspace_id.as_str(), except.as_str()], |row| {
            Ok(OtherViews { count: row.get(0)?, bytes: row.get(1)? })
        })
}

/// Bytes of one view; 0 if there is none.
pub(crate) fn of_view(transaction: &Transaction<'_>, id: &ViewId) -> rusqlite::Result<u64> {
    transaction
        .prepare_cached(&format!(
            "SELECT coalesce(sum({BYTES}), 0) FROM views LEFT JOIN generations ON view_id = id WHERE id = ?1"
        ))?
        .query_row([id.as_str()], |row| row.get(0))
}
