//! The state and the served generation of every view, in memory. Requests read it without waiting; it is changed only
//! after a commit, in the order of the commits. It submits nothing: `refresh` does.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use dashmap::DashMap;
use rowhouse_executor::json_size::json_bytes;
use rowhouse_filters::RequiredFilters;
use rowhouse_model::{Column, MaterializedView, QueryId, Timestamp, ViewId, WorkspaceId};

use super::orphans::{self, KnownView};
use super::record::{ViewRecord, column_names};
use super::served::ServedGeneration;
use crate::error::Result;
use crate::set_aside::SetAside;
use crate::store::{self, Store};
use rowhouse_executor::clock::Clock;

/// Folder of all views' folders inside the data directory.
pub(super) const VIEWS_FOLDER: &str = "views";

/// All views of all workspaces.
pub(crate) struct ViewState {
    by_id: DashMap<ViewId, Arc<View>>,
    by_workspace: DashMap<WorkspaceId, BTreeMap<String, Arc<View>>>,
    pub(super) store: Arc<Store>,
    pub(super) clock: Arc<dyn Clock>,
    folder: PathBuf,
}

/// One view.
pub(crate) struct View {
    pub(super) id: ViewId,
    pub(super) workspace_id: WorkspaceId,
    live: RwLock<Live>,
    /// The refresh in progress: at most one per view.
    pub(super) running: tokio::sync::Mutex<Option<RunningRefresh>>,
    /// Held while a generation is built and made the served one.
    pub(super) install: tokio::sync::Mutex<()>,
    /// Held while the definition is changed.
    pub(super) edit: tokio::sync::Mutex<()>,
}

/// A snapshot of a view.
#[derive(Clone)]
pub(crate) struct Live {
    pub(crate) record: Arc<ViewRecord>,
    pub(crate) served: Option<Arc<ServedGeneration>>,
    pub(super) last_error: Option<String>,
    /// The last served tick of the schedule, or the time when the schedule was set.
    pub(super) scheduled_at: Option<Timestamp>,
    /// Why the stored definition cannot be used; then nothing is served.
    pub(super) fault: Option<String>,
    /// Bytes of the columns as JSON.
    columns_bytes: usize,
    /// Whether the served generation has all columns of the required filters; else nothing may be read until the
    /// refresh of the definition has succeeded (D26).
    pub(super) is_readable: bool,
    /// The generation that would be served if its file had not been missing at the start (for example after restoring
    /// half a backup) or been found damaged.
    pub(super) lost: Option<Arc<ServedGeneration>>,
}

/// A refresh that was submitted and has not ended.
#[derive(Clone, Debug)]
pub(super) struct RunningRefresh {
    pub(super) query_id: QueryId,
    /// The revision of the definition whose text it runs.
    pub(super) revision: u64,
    /// The tick of the schedule that it serves.
    pub(super) tick: Option<Timestamp>,
}

impl ViewState {
    /// Loads the views from the store and removes the files of generations that were replaced, dropped or never
    /// completed. Generations are opened when they are first read. Blocking.
    pub(crate) fn open(store: Arc<Store>, clock: Arc<dyn Clock>, data_dir: &Path) -> Result<Arc<Self>> {
        let state = Self {
            by_id: DashMap::new(),
            by_workspace: DashMap::new(),
            folder: data_dir.join(VIEWS_FOLDER),
            store,
            clock,
        };
        for stored in state.store.read(store::views::load)? {
            state.hold(View::from_stored(stored));
        }
        for mut stored in state.store.read(store::generations::load)? {
            if let Some(view) = state.get(&stored.view_id) {
                stored.columns = view.live().record.shared(stored.columns);
                let served = ServedGeneration::new(&state.folder_of(&view.id), stored, None);
                if served.path().is_file() {
                    view.change(|live| live.served = Some(Arc::new(served)));
                } else {
                    let missing = format!("the file of generation {} is missing", served.number);
                    tracing::error!(view = view.id.as_str(), "{missing}");
                    view.change(|live| {
                        live.last_error = Some(missing);
                        live.lost = Some(Arc::new(served));
                    });
                }
            }
        }
        let kept = |id: &ViewId| {
            let served = state.get(id)?.live().served;
            Some(served.map_or(KnownView::WithoutGeneration, |served| KnownView::Generation(served.number)))
        };
        orphans::remove(data_dir, VIEWS_FOLDER, kept, SetAside::at(data_dir, state.clock.now()));
        Ok(Arc::new(state))
    }

    /// A workspace's views by name.
    pub(crate) fn of_workspace(&self, id: &WorkspaceId) -> Vec<Arc<View>> {
        let views = self.by_workspace.get(id);
        views.map(|views| views.values().cloned().collect()).unwrap_or_default()
    }

    pub(super) fn find(&self, workspace_id: &WorkspaceId, sql_name: &str) -> Option<Arc<View>> {
        self.by_workspace.get(workspace_id)?.get(sql_name).cloned()
    }

    pub(super) fn get(&self, id: &ViewId) -> Option<Arc<View>> {
        self.by_id.get(id).map(|entry| Arc::clone(entry.value()))
    }

    pub(super) fn all(&self) -> Vec<Arc<View>> {
        self.by_id.iter().map(|entry| Arc::clone(entry.value())).collect()
    }

    /// Folder of a view's generations.
    pub(super) fn folder_of(&self, id: &ViewId) -> PathBuf {
        self.folder.join(id.as_str())
    }

    pub(super) fn hold(&self, view: View) -> Arc<View> {
        let view = Arc::new(view);
        let name = view.live().record.sql_name.clone();
        self.by_id.insert(view.id.clone(), Arc::clone(&view));
        self.by_workspace.entry(view.workspace_id.clone()).or_default().insert(name, Arc::clone(&view));
        view
    }

    /// Replaces a changed definition, under its new name.
    pub(super) fn redefine(&self, view: &Arc<View>, record: ViewRecord, scheduled_at: Option<Timestamp>) {
        let mut views = self.by_workspace.entry(view.workspace_id.clone()).or_default();
        views.remove(&view.live().record.sql_name);
        views.insert(record.sql_name.clone(), Arc::clone(view));
        view.change(|live| {
            if live.record.revision != record.revision {
                live.last_error = None;
                live.fault = None;
            }
            live.scheduled_at = scheduled_at;
            live.record = Arc::new(record);
        });
    }

    /// Removes a view; its files are removed with their last reader.
    pub(super) fn forget(&self, view: &View) {
        self.by_id.remove(&view.id);
        let live = view.live();
        if let Some(mut views) = self.by_workspace.get_mut(&view.workspace_id) {
            // The name may be another view's by now.
            if views.get(&live.record.sql_name).is_some_and(|named| named.id == view.id) {
                views.remove(&live.record.sql_name);
            }
        }
        view.change(|live| {
            for gone in [live.served.take(), live.lost.take()].into_iter().flatten() {
                gone.retire();
            }
        });
    }
}

impl View {
    pub(super) fn new(record: ViewRecord, scheduled_at: Option<Timestamp>) -> Self {
        Self {
            id: record.id.clone(),
            workspace_id: record.workspace_id.clone(),
            live: RwLock::new(Live {
                columns_bytes: json_bytes(&*record.columns),
                record: Arc::new(record),
                served: None,
                last_error: None,
                scheduled_at,
                fault: None,
                is_readable: false,
                lost: None,
            }),
            running: tokio::sync::Mutex::new(None),
            install: tokio::sync::Mutex::new(()),
            edit: tokio::sync::Mutex::new(()),
        }
    }

    fn from_stored(stored: store::views::StoredView) -> Self {
        let (scheduled_at, last_error) = (stored.scheduled_at, stored.last_error.clone());
        let (record, fault) = ViewRecord::from_stored(stored);
        if let Some(fault) = &fault {
            tracing::error!(view = record.id.as_str(), "a stored definition cannot be followed: {fault}");
        }
        let view = Self::new(record, scheduled_at);
        view.change(|live| {
            live.last_error = last_error;
            live.fault = fault;
        });
        view
    }

    /// A snapshot of the view.
    pub(crate) fn live(&self) -> Live {
        self.live.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Live)) {
        let mut live = self.live.write().unwrap_or_else(PoisonError::into_inner);
        let before = Arc::clone(live.columns());
        change(&mut live);
        if !Arc::ptr_eq(&before, live.columns()) {
            live.columns_bytes = json_bytes(&**live.columns());
        }
        // Computed here once, not at each read.
        live.is_readable = live
            .served
            .as_ref()
            .is_some_and(|served| live.record.required.check_columns(&column_names(&served.columns)).is_ok());
    }
}

impl Live {
    /// Columns of the served generation, or of the definition before the first.
    pub(crate) fn columns(&self) -> &Arc<[Column]> {
        self.served.as_ref().map_or(&self.record.columns, |served| &served.columns)
    }

    /// Bytes of the [`columns`](Self::columns) as JSON.
    pub(crate) const fn columns_bytes(&self) -> usize {
        self.columns_bytes
    }

    /// When the served generation was computed.
    pub(crate) fn refreshed_at(&self) -> Option<Timestamp> {
        self.served.as_ref().map(|served| served.refreshed_at)
    }

    /// The required filters of its reads.
    pub(super) fn required(&self) -> &Arc<RequiredFilters> {
        &self.record.required
    }

    /// As the management endpoints show it.
    pub(crate) fn shown(&self) -> MaterializedView {
        let Self { record, served, last_error, fault, .. } = self;
        let mut shown = record.shown();
        shown.last_error = fault.clone().or_else(|| last_error.clone());
        if let Some(served) = served {
            if record.columns.is_empty() {
                shown.required_filters = record.required.entries(&column_names(&served.columns));
            }
            shown.columns = served.columns.to_vec();
            shown.row_count = Some(served.row_count);
            shown.generation = Some(served.number);
            shown.refreshed_at = Some(served.refreshed_at);
        }
        shown
    }
}

impl fmt::Debug for ViewState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ViewState").field("views", &self.by_id.len()).finish_non_exhaustive()
    }
}

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View").field("id", &self.id).finish_non_exhaustive()
    }
}
