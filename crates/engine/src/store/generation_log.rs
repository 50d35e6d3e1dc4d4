//! The history of a view's generations: one row per refresh, the newest of them. The rows of the view itself are those
//! of the served generation only.

use rowhouse_model::{QueryId, Timestamp, ViewGeneration, ViewId};
use rusqlite::{Connection, Transaction, params};

use super::generations::StoredGeneration;

/// Maximum number of listed generations of a view; older ones are deleted.
const MAX_GENERATIONS: u64 = 100;

/// Adds a new generation, and deletes the one that is too old now. Called in the write that makes it the served one.
pub(crate) fn insert(
    transaction: &Transaction<'_>,
    generation: &StoredGeneration,
    query_id: &QueryId,
) -> rusqlite::Result<()> {
    let StoredGeneration { view_id, number, revision: _, columns: _, row_count, refreshed_at } = generation;
    // Numbers restart if the files of a view were lost.
    transaction.execute(
        "INSERT OR REPLACE INTO generation_log (view_id, number, query_id, row_count, refreshed_at)
         VALUES (?1, ?2, ?3, ?4, ?5)",
        params![view_id.as_str(), number, query_id.as_str(), row_count, refreshed_at.as_millis()],
    )?;
    transaction.execute(
        "DELETE FROM generation_log WHERE view_id = ?1 AND number NOT IN
             (SELECT number FROM generation_log WHERE view_id = ?1 ORDER BY refreshed_at DESC, number DESC LIMIT ?2)",
        params![view_id.as_str(), MAX_GENERATIONS],
    )?;
    Ok(())
}

/// The generations of a view, newest first.
pub(crate) fn list(connection: &Connection, view_id: &ViewId) -> rusqlite::Result<Vec<ViewGeneration>> {
    connection
        .prepare_cached(
            "SELECT number, query_id, row_count, refreshed_at FROM generation_log WHERE view_id = ?1
             ORDER BY refreshed_at DESC, number DESC",
        )?
        .query_map([view_id.as_str()], |row| {
            Ok(ViewGeneration {
                generation: row.get(0)?,
                refreshed_at: Timestamp::from_millis(row.get(3)?),
                row_count: row.get(2)?,
                query_id: row.get::<_, Option<String>>(1)?.map(QueryId::new),
            })
        })?
        .collect()
}
