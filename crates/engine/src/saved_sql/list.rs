//! A workspace's saved SQL, read from the store one by one while the list is written.

use std::collections::VecDeque;
use std::sync::Arc;

use rowhouse_model::WorkspaceId;

use super::Select;
use crate::error::{Error, Result};
use crate::json_list::{Elements, write_json};
use crate::store::Store;
use crate::store::saved_sql::{self, SavedSqlPlace};

/// Number of saved SQLs whose positions are looked up together.
const PLACES: u64 = 256;
/// A text is in memory as it is and as JSON, where it may be longer, and once more in the store.
const COPIES: usize = 4;

/// Oldest first (D28).
pub(super) struct SavedSqlRows {
    store: Arc<Store>,
    workspace_id: WorkspaceId,
    /// The last position so far.
    after: i64,
    places: VecDeque<SavedSqlPlace>,
    has_ended: bool,
    /// Selects what is shown of each; none shows everything.
    select: Option<Select>,
}

impl SavedSqlRows {
    pub(super) fn new(store: Arc<Store>, workspace_id: WorkspaceId) -> Self {
        let places = VecDeque::new();
        Self { store, workspace_id, after: i64::MIN, places, has_ended: false, select: None }
    }

    pub(super) fn selected(self, select: Select) -> Self {
        Self { select: Some(select), ..self }
    }
}

impl Elements for SavedSqlRows {
    fn next_bytes(&mut self) -> Result<Option<usize>> {
        if self.places.is_empty() && !self.has_ended {
            let Self { store, workspace_id, after, .. } = self;
            let places =
                store.read(|connection| saved_sql::places(connection, workspace_id, *after, PLACES))?;
            self.has_ended = (places.len() as u64) < PLACES;
            self.after = places.last().map_or(self.after, |place| place.seq);
            self.places = places.into();
        }
        Ok(self.places.front().map(|place| COPIES * place.bytes))
    }

    fn write_next(&mut self, json: &mut Vec<u8>) -> Result<bool> {
        let Some(place) = self.places.pop_front() else { return Ok(false) };
        // It may be deleted meanwhile.
        match self.store.read(|connection| saved_sql::at(connection, place.seq))? {
            Some(saved_sql) => {
                match &self.select {
                    None => write_json(&saved_sql, json)?,
                    Some(select) => {
                        let whole = serde_json::to_value(&saved_sql)
                            .map_err(|error| Error::internal("writing saved SQL", error))?;
                        write_json(&select(whole), json)?;
                    }
                }
                Ok(true)
            }
            None => Ok(false),
        }
    }
}
