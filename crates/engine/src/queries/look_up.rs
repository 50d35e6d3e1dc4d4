//! A record as it stands now, from memory or from the store.

use rowhouse_model::{QueryId, WorkspaceId};

use super::{QueryRecord, Shared};
use crate::error::{Error, ErrorKind, Result};
use crate::store::query_records;
use crate::workspaces::Access;

/// A record with more bytes of JSON is long.
const LONG_RECORD_BYTES: usize = 128 << 10;

impl Shared {
    /// The record as it stands now, from memory or from the store, as the caller may see it.
    pub(super) async fn stored(&self, access: &Access, id: &QueryId) -> Result<QueryRecord> {
        let found = self.look_up(&access.workspace.id, id).await?;
        let found = found.map(|record| self.shown_to(&access.principal, record));
        found.ok_or_else(|| {
            let id: String = id.as_str().chars().take(64).collect();
            Error::new(
                ErrorKind::NotFound,
                format!("no query '{id}' in workspace '{}'", access.workspace.sql_name),
            )
        })
    }

    /// As [`stored`](Self::stored), for a request that has changed nothing: if the record is long, it waits for its turn,
    /// and no other one may be held meanwhile.
    ///
    /// # Errors
    ///
    /// As for [`stored`](Self::stored), and [`ErrorKind::Overloaded`].
    pub(super) async fn stored_in_turn(&self, access: &Access, id: &QueryId) -> Result<QueryRecord> {
        let workspace_id = &access.workspace.id;
        if let Some(held) = self.held(workspace_id, id) {
            return Ok(self.shown_to(&access.principal, held));
        }
        let (workspace, key) = (workspace_id.clone(), id.clone());
        let read = self.store.read_async(move |connection| {
            let bytes = query_records::bytes(connection, &workspace, &key)?;
            let is_long = bytes.is_some_and(|bytes| bytes > LONG_RECORD_BYTES);
            let record = if is_long { None } else { query_records::get(connection, &workspace, &key)? };
            Ok((is_long, record))
        });
        let (is_long, record) = read.await?;
        let permit = if is_long { Some(self.long_records.one(workspace_id).await?) } else { None };
        match record {
            Some(record) => Ok(self.shown_to(&access.principal, QueryRecord::new(record))),
            None => Ok(self.stored(access, id).await?.with_permit(permit)),
        }
    }

    fn held(&self, workspace_id: &WorkspaceId, id: &QueryId) -> Option<QueryRecord> {
        let state = self.state();
        state.look_up(workspace_id, id, self.clock.monotonic())
    }

    /// The record of a workspace's query, if it exists.
    pub(super) async fn look_up(
        &self,
        workspace_id: &WorkspaceId,
        id: &QueryId,
    ) -> Result<Option<QueryRecord>> {
        if let Some(held) = self.held(workspace_id, id) {
            return Ok(Some(held));
        }
        let (workspace, key) = (workspace_id.clone(), id.clone());
        let read = self.store.read_async(move |connection| query_records::get(connection, &workspace, &key));
        Ok(read.await?.map(QueryRecord::new))
    }

    /// Resolves when the record is final; none if it is already, or does not exist.
    pub(super) fn ended_in(&self, access: &Access, id: &QueryId) -> Option<impl Future<Output = ()> + use<>> {
        self.state().ended(&access.workspace.id, id)
    }
}
