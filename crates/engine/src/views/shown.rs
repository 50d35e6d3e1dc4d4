//! Views as shown to clients: a list of them, one, and its past generations.

use std::sync::Arc;
use std::time::Duration;

use rowhouse_filters::RequiredFilters;
use rowhouse_model::{Column, MaterializedView, QueryStatus, ViewGeneration, ViewId};
use rowhouse_rows::ChunkSource;

use super::record::{ViewRecord, column_names};
use super::state::{Live, View};
use super::{Views, token_filters};
use crate::error::Result;
use crate::json_list::{InMemory, JsonList, write_json};
use crate::store;
use crate::workspaces::Access;

/// A text of a definition is in memory as it is and, while it is shown, as a copy and as JSON, where it may be longer.
const TEXT_COPIES: usize = 3;
/// Columns take several times the bytes of their JSON while they are shown: a copy in memory, and the JSON.
const COLUMN_COPIES: usize = 5;
/// How long a request for a view waits for a failure that is known but not recorded yet.
const NOTE_PATIENCE: Duration = Duration::from_secs(2);

/// A view that a caller may read.
#[derive(Clone, Debug)]
pub struct ReadableView {
    /// Its definition.
    pub record: Arc<ViewRecord>,
    /// Columns that a read may name.
    pub columns: Arc<[Column]>,
    /// The required filters of a read.
    pub required: Arc<RequiredFilters>,
    /// Number of filters that the caller's token adds to each read.
    pub added_filters: usize,
    /// Bytes of the columns as JSON.
    pub columns_bytes: usize,
}

impl ReadableView {
    fn of(live: Live, added_filters: usize) -> Self {
        Self {
            columns: Arc::clone(live.columns()),
            required: Arc::clone(live.required()),
            columns_bytes: live.columns_bytes(),
            record: live.record,
            added_filters,
        }
    }

    /// Its required filters in the spelling of the definition, a list of alternatives for each.
    pub fn required_filters(&self) -> Vec<String> {
        let columns = if self.record.columns.is_empty() { &self.columns } else { &self.record.columns };
        self.required.entries(&column_names(columns))
    }
}

impl Views {
    /// The workspace's views by name, for every role; definitions are not copied.
    pub fn all(&self, access: &Access) -> Vec<ReadableView> {
        let views = self.state.of_workspace(&access.workspace.id).into_iter();
        views.map(|view| ReadableView::of(view.live(), 0)).collect()
    }

    /// The workspace's views by name that the caller's token may read; definitions are not copied.
    pub fn readable(&self, access: &Access) -> Vec<ReadableView> {
        let views = self.state.of_workspace(&access.workspace.id).into_iter();
        let opened = views.filter_map(|view| {
            let added_filters = token_filters(access, &view)?.len();
            Some(ReadableView::of(view.live(), added_filters))
        });
        opened.collect()
    }

    /// The workspace's views by name, for every role: an array of them as JSON.
    ///
    /// # Errors
    ///
    /// None today.
    pub fn list(&self, access: &Access) -> Result<Box<dyn ChunkSource>> {
        let views = self.state.of_workspace(&access.workspace.id);
        let elements = InMemory::new(
            views,
            |view| {
                let live = view.live();
                TEXT_COPIES * live.record.text_bytes() + COLUMN_COPIES * live.columns_bytes()
            },
            |view, json| write_json(&view.live().shown(), json),
        );
        Ok(Box::new(JsonList::new(elements)))
    }

    /// One view.
    ///
    /// # Errors
    ///
    /// `PermissionDenied` for a consumer, `NotFound`.
    pub async fn get(&self, access: &Access, id: &ViewId) -> Result<MaterializedView> {
        let view = self.find(access, id)?;
        self.wait_for_note(access, &view).await;
        Ok(view.live().shown())
    }

    /// The past generations of a view, newest first, including the served one; old ones are deleted.
    ///
    /// # Errors
    ///
    /// As for [`get`](Self::get).
    pub async fn generations(&self, access: &Access, id: &ViewId) -> Result<Vec<ViewGeneration>> {
        let id = self.find(access, id)?.id.clone();
        self.state.store.read_async(move |connection| store::generation_log::list(connection, &id)).await
    }

    /// A refresh whose record says FAILED is recorded at the view a moment later; a request in between waits.
    pub(super) async fn wait_for_note(&self, access: &Access, view: &Arc<View>) {
        let running = view.running.lock().await.clone();
        let Some(running) = running else { return };
        let is_failed = match self.runner.get(access, &running.query_id).await {
            Ok(query) => query.status == Some(QueryStatus::Failed),
            Err(_) => false,
        };
        if is_failed {
            let noted = async {
                while view.running.lock().await.as_ref().is_some_and(|now| now.query_id == running.query_id) {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
            };
            // OK to continue without: then the failure is shown late.
            let _ = tokio::time::timeout(NOTE_PATIENCE, noted).await;
        }
    }
}
