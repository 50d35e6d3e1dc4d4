//! Limits of a workspace's views, in number and in bytes. Their definitions and columns are in memory, and statements get
//! the columns of those that they name or list.

use rowhouse_executor::json_size::json_bytes;
use rowhouse_model::{ViewId, WorkspaceId};
use rusqlite::Transaction;

use super::record::ViewRecord;
use crate::error::{Error, ErrorKind};
use crate::store::view_sizes::{self, OtherViews};

/// Maximum number of views of a workspace.
pub(super) const MAX_VIEWS: u64 = 5_000;
/// Maximum bytes of the definitions and columns of a workspace's views.
pub(super) const MAX_VIEW_BYTES: u64 = 16 << 20;

/// Why a workspace cannot have another view. Called inside the write that inserts it.
pub(super) fn refusal_of_new(
    transaction: &Transaction<'_>,
    record: &ViewRecord,
) -> rusqlite::Result<Option<Error>> {
    let others = view_sizes::others(transaction, &record.workspace_id, &record.id)?;
    if others.count >= MAX_VIEWS {
        let message = format!(
            "the workspace has {} materialized views, and {MAX_VIEWS} are the most: drop one, or create this one in \
             another workspace",
            others.count
        );
        return Ok(Some(Error::new(ErrorKind::InvalidArguments, message)));
    }
    Ok(refusal_of_bytes(others, bytes_of(record)))
}

/// Why a view cannot have this definition: a longer one must fit. Called inside the write that replaces it.
pub(super) fn refusal_of_change(
    transaction: &Transaction<'_>,
    record: &ViewRecord,
) -> rusqlite::Result<Option<Error>> {
    refusal_of_growth(transaction, &record.workspace_id, &record.id, bytes_of(record))
}

/// Why a view cannot be this large: a view that does not grow may stay, whatever the others are.
pub(super) fn refusal_of_growth(
    transaction: &Transaction<'_>,
    workspace_id: &WorkspaceId,
    id: &ViewId,
    bytes: u64,
) -> rusqlite::Result<Option<Error>> {
    if bytes <= view_sizes::of_view(transaction, id)? {
        return Ok(None);
    }
    Ok(refusal_of_bytes(view_sizes::others(transaction, workspace_id, id)?, bytes))
}

fn refusal_of_bytes(others: OtherViews, bytes: u64) -> Option<Error> {
    if others.bytes.saturating_add(bytes) <= MAX_VIEW_BYTES {
        return None;
    }
    let message = format!(
        "the definitions and columns of the workspace's {} other materialized views take {} bytes, those of this one \
         {bytes}, and {MAX_VIEW_BYTES} are the most: drop views, or select fewer columns",
        others.count, others.bytes
    );
    Some(Error::new(ErrorKind::InvalidArguments, message))
}

/// Bytes of a definition and its columns, as the store has them.
fn bytes_of(record: &ViewRecord) -> u64 {
    (record.text_bytes() + json_bytes(&*record.columns)) as u64
}
