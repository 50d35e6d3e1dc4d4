//! Rows of served generations: one per view. Inserting a row and deleting the previous one are one write.

use std::sync::Arc;

use rowhouse_model::{Column, Timestamp, ViewId};
use rusqlite::{Connection, Transaction, params};

use super::json::Json;

/// A stored generation; its rows are in the file `<number>.arrow` of the view's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredGeneration {
    pub(crate) view_id: ViewId,
    pub(crate) number: u64,
    /// The revision of the definition that it was computed from.
    pub(crate) revision: u64,
    pub(crate) columns: Arc<[Column]>,
    pub(crate) row_count: u64,
    pub(crate) refreshed_at: Timestamp,
}

/// Makes this the view's only generation and clears the last error. False if the view was dropped meanwhile, or already
/// serves rows of a newer text.
pub(crate) fn replace(
    transaction: &Transaction<'_>,
    generation: &StoredGeneration,
) -> rusqlite::Result<bool> {
    let StoredGeneration { view_id, number, revision, columns, row_count, refreshed_at } = generation;
    let changed =
        transaction.execute("UPDATE views SET last_error = NULL WHERE id = ?1", [view_id.as_str()])?;
    if changed == 0 {
        return Ok(false);
    }
    transaction.execute("DELETE FROM generations WHERE view_id = ?1", [view_id.as_str()])?;
    transaction.execute(
        "INSERT INTO generations (view_id, number, revision, columns, row_count, refreshed_at)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![view_id.as_str(), number, revision, Json(&**columns), row_count, refreshed_at.as_millis()],
    )?;
    Ok(true)
}

/// All generations: at most one per view.
pub(crate) fn load(connection: &Connection) -> rusqlite::Result<Vec<StoredGeneration>> {
    connection
        .prepare("SELECT view_id, number, revision, columns, row_count, refreshed_at FROM generations")?
        .query_map([], |row| {
            Ok(StoredGeneration {
                view_id: ViewId::new(row.get::<_, String>(0)?),
                number: row.get(1)?,
                revision: row.get(2)?,
                columns: row.get::<_, Json<Vec<Column>>>(3)?.0.into(),
                row_count: row.get(4)?,
                refreshed_at: Timestamp::from_millis(row.get(5)?),
            })
        })?
        .collect()
}
