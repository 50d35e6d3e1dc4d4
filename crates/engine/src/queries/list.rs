//! A workspace's records as a list, newest first (D12): read from the store one by one while the list is written.

use std::collections::VecDeque;
use std::sync::Arc;

use rowhouse_model::WorkspaceId;

use super::Shared;
use crate::accounts::Principal;
use crate::error::Result;
use crate::json_list::{Elements, JsonList};
use crate::store::query_records::{self, RecordPlace};
use crate::workspaces::Access;
use rowhouse_rows::ChunkSource;

/// Number of records whose positions are looked up together.
const PLACES: u64 = 256;

/// The list of `GET /queries`: `limit` records after `offset`, and the total number. Statements that are submitted
/// while it is written are not in it.
pub(super) fn list(
    shared: &Arc<Shared>,
    access: &Access,
    limit: u64,
    offset: u64,
) -> impl ChunkSource + use<> {
    let workspace_id = &access.workspace.id;
    let total_count = shared.state().count(workspace_id);
    let records = Records {
        shared: Arc::clone(shared),
        principal: access.principal.clone(),
        workspace_id: workspace_id.clone(),
        skip: offset,
        left: limit,
        before: None,
        places: VecDeque::new(),
    };
    JsonList::within(format!("{{\"totalCount\":{total_count},\"result\":["), records, "]}")
}

struct Records {
    shared: Arc<Shared>,
    /// The caller.
    principal: Principal,
    workspace_id: WorkspaceId,
    /// Number of records to skip.
    skip: u64,
    /// Number of records whose positions are not looked up yet.
    left: u64,
    /// The last position so far: later records are older.
    before: Option<i64>,
    places: VecDeque<RecordPlace>,
}

impl Elements for Records {
    fn next_bytes(&mut self) -> Result<Option<usize>> {
        if self.places.is_empty() && self.left > 0 {
            let Self { shared, workspace_id, skip, left, before, .. } = self;
            let wanted = PLACES.min(*left);
            let places = shared.store.read(|connection| {
                query_records::places(connection, workspace_id, *before, std::mem::take(skip), wanted)
            })?;
            *left = if (places.len() as u64) < wanted { 0 } else { *left - wanted };
            *before = places.last().map(|place| place.seq);
            self.places = places.into();
        }
        // The store holds a second copy while it is copied.
        Ok(self.places.front().map(|place| 2 * place.bytes))
    }

    fn write_next(&mut self, json: &mut Vec<u8>) -> Result<bool> {
        let Some(place) = self.places.pop_front() else { return Ok(false) };
        // Memory first, as for a poll: a row is final a moment before its end is visible there.
        let held = {
            let state = self.shared.state();
            state.look_up(&self.workspace_id, &place.id, self.shared.clock.monotonic())
        };
        if let Some(record) = held {
            json.extend_from_slice(&self.shared.shown_to(&self.principal, record).json()?);
            return Ok(true);
        }
        let before = json.len();
        // Its retention may have passed meanwhile.
        let is_there =
            self.shared.store.read(|connection| query_records::append(connection, place.seq, json))?;
        self.shared.show_json_to(&self.principal, json, before)?;
        Ok(is_there)
    }
}
