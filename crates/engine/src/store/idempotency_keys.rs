//! Rows of idempotent submits, committed with the records that they created.

use rowhouse_model::{AccountId, QueryId, Timestamp, WorkspaceId};
use rusqlite::{Connection, OptionalExtension, Transaction, params};

/// A stored submit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoredSubmit {
    /// Digest of the request.
    pub(crate) digest: Vec<u8>,
    pub(crate) workspace_id: WorkspaceId,
    pub(crate) query_id: QueryId,
}

/// Stores a submit, replacing an old one of the same key.
pub(crate) fn set(
    transaction: &Transaction<'_>,
    account_id: &AccountId,
    key: &str,
    kept: &StoredSubmit,
    created_at: Timestamp,
) -> rusqlite::Result<()> {
    let StoredSubmit { digest, workspace_id, query_id } = kept;
    transaction
        .prepare_cached(
            "INSERT OR REPLACE INTO idempotency_keys (account_id, key, digest, workspace_id, query_id, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            account_id.as_str(),
            key,
            digest,
            workspace_id.as_str(),
            query_id.as_str(),
            created_at.as_millis()
        ])?;
    Ok(())
}

/// The submit of an account with this key since a time.
pub(crate) fn get(
    connection: &Connection,
    account_id: &AccountId,
    key: &str,
    since: Timestamp,
) -> rusqlite::Result<Option<StoredSubmit>> {
    connection
        .prepare_cached(
            "SELECT digest, workspace_id, query_id FROM idempotency_keys
             WHERE account_id = ?1 AND key = ?2 AND created_at >= ?3",
        )?
        .query_row(params![account_id.as_str(), key, since.as_millis()], |row| {
            Ok(StoredSubmit {
                digest: row.get(0)?,
                workspace_id: WorkspaceId::new(row.get::<_, String>(1)?),
                query_id: QueryId::new(row.get::<_, String>(2)?),
            })
        })
        .optional()
}

/// Deletes submits before a time.
pub(crate) fn delete_older(transaction: &Transaction<'_>, created_before: Timestamp) -> rusqlite::Result<()> {
    transaction
        .prepare_cached("DELETE FROM idempotency_keys WHERE created_at < ?1")?
        .execute([created_before.as_millis()])?;
    Ok(())
}
