//! The end of a refresh: the result's file becomes generation N+1. Its files are complete and synced before its row is
//! written, its row is durable before it is served, and it is served with one pointer switch (D25, D26).

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rowhouse_executor::json_size::json_bytes;
use rowhouse_model::{Column, ErrorCode, QueryError, QueryId, Timestamp, ViewId};

use super::demand::MAX_INDEXES;
use super::generation::Generation;
use super::record::{check_columns, column_names};
use super::served::ServedGeneration;
use super::sizes;
use super::state::{Live, RunningRefresh, View, ViewState};
use crate::error::{Error, ErrorKind, Result};
use crate::store;
use crate::store::generations::StoredGeneration;

/// The rows of a successful refresh.
#[derive(Clone, Debug)]
pub(crate) struct RefreshedRows {
    /// The Arrow IPC file, synced; it is linked, not moved, because the query's result has its own retention.
    pub(crate) file: PathBuf,
    pub(crate) columns: Vec<Column>,
    pub(crate) row_count: u64,
}

impl ViewState {
    /// Makes the result of a refresh the served generation. Must be called before the query's record turns FINISHED, so
    /// that a client that polls for it reads the new rows. No effect if the refresh was superseded, if its view was
    /// dropped, and if it is called again.
    ///
    /// # Errors
    ///
    /// The rows do not match the definition, or an error of the disk; the view keeps its served generation.
    pub(crate) async fn refreshed(
        self: &Arc<Self>,
        view_id: &ViewId,
        query_id: &QueryId,
        rows: RefreshedRows,
    ) -> Result<(), QueryError> {
        let Some(view) = self.get(view_id) else { return Ok(()) };
        let state = Arc::clone(self);
        let query_id = query_id.clone();
        // A separate task: a partial installation must not remain if the caller is aborted.
        let installed = tokio::spawn(async move {
            let installing = view.install.lock().await;
            let Some(refresh) = view.running_refresh(&query_id).await else { return Ok(()) };
            let outcome = state.install(&view, &refresh, rows).await;
            drop(installing);
            let outcome = outcome.map_err(|error| {
                if error.kind() == ErrorKind::Internal {
                    tracing::error!(%error, source = ?std::error::Error::source(&error), "a refresh could not be kept");
                }
                let code = error.kind().code();
                QueryError::new(code, error.to_string())
            });
            state.settle(&view, &query_id, outcome.as_ref().err()).await;
            outcome
        });
        installed.await.unwrap_or_else(|error| {
            Err(QueryError::new(ErrorCode::GenericInternalError, format!("keeping a refresh: {error}")))
        })
    }

    /// Records how a refresh ended and allows the next; no effect if it was recorded already.
    pub(super) async fn settle(&self, view: &Arc<View>, query_id: &QueryId, error: Option<&QueryError>) {
        let Some(RunningRefresh { tick, .. }) = view.running_refresh(query_id).await else { return };
        self.note(view, tick, error.map(|error| error.message.clone())).await;
        let mut running = view.running.lock().await;
        if running.as_ref().is_some_and(|running| running.query_id == *query_id) {
            *running = None;
        }
    }

    /// Stores a served tick of the schedule, and an error.
    pub(super) async fn note(&self, view: &Arc<View>, tick: Option<Timestamp>, error: Option<String>) {
        if tick.is_none() && error.is_none() {
            return;
        }
        let (id, live) = (view.id.clone(), Arc::clone(view));
        let noted = self.store.write_then(
            move |transaction| {
                if let Some(error) = &error {
                    store::views::set_last_error(transaction, &id, Some(error))?;
                }
                if let Some(tick) = tick {
                    store::views::set_scheduled_at(transaction, &id, tick)?;
                }
                Ok(error)
            },
            move |error| {
                live.change(|live| {
                    live.scheduled_at = tick.or(live.scheduled_at);
                    live.last_error = error.or(live.last_error.take());
                });
            },
        );
        if let Err(error) = noted.await {
            tracing::error!(%error, view = view.id.as_str(), "the end of a refresh was not noted");
        }
    }

    async fn install(&self, view: &Arc<View>, refresh: &RunningRefresh, rows: RefreshedRows) -> Result<()> {
        let live = view.live();
        // The columns were unknown if the definition was stored while the engine was disabled (D26).
        check_columns(live.required(), &rows.columns)?;
        let number = live.served.as_ref().or(live.lost.as_ref()).map_or(1, |before| before.number + 1);
        let folder = self.folder_of(&view.id);
        let indexed = indexed_columns(&live, &rows.columns);
        let stored = StoredGeneration {
            view_id: view.id.clone(),
            number,
            revision: refresh.revision,
            columns: live.record.shared(rows.columns.into()),
            row_count: rows.row_count,
            refreshed_at: self.clock.now(),
        };
        let building = {
            let (folder, stored) = (folder.clone(), stored.clone());
            tokio::task::spawn_blocking(move || {
                let built = build(&folder, &stored, &rows.file, &indexed)?;
                Ok(ServedGeneration::new(&folder, stored, Some(Arc::new(built))))
            })
        };
        let built =
            building.await.unwrap_or_else(|error| Err(Error::internal("building a generation", error)));
        let served = Arc::new(built?);
        let (text_bytes, workspace_id) = (live.record.text_bytes(), view.workspace_id.clone());
        let (live, kept) = (Arc::clone(view), Arc::clone(&served));
        let query_id = refresh.query_id.clone();
        let switched = self.store.write_then(
            move |transaction| {
                let bytes = (text_bytes + json_bytes(&*stored.columns)) as u64;
                if let Some(refused) =
                    sizes::refusal_of_growth(transaction, &workspace_id, &stored.view_id, bytes)?
                {
                    return Ok(Err(refused));
                }
                let is_kept = store::generations::replace(transaction, &stored)?;
                if is_kept {
                    store::generation_log::insert(transaction, &stored, &query_id)?;
                }
                Ok(Ok(is_kept))
            },
            move |is_kept| {
                if is_kept.as_ref().is_ok_and(|is_kept| *is_kept) {
                    let mut replaced = [None, None];
                    live.change(|live| {
                        replaced = [live.served.replace(kept), live.lost.take()];
                        live.last_error = None;
                    });
                    for replaced in replaced.into_iter().flatten() {
                        replaced.retire();
                    }
                }
                is_kept
            },
        );
        let switched = switched.await?;
        if !matches!(switched, Ok(true)) {
            served.retire();
        }
        switched.map(drop)
    }
}

impl View {
    /// The refresh in progress, if it is this one.
    async fn running_refresh(&self, query_id: &QueryId) -> Option<RunningRefresh> {
        self.running.lock().await.clone().filter(|running| running.query_id == *query_id)
    }
}

/// Positions of the columns that get an index: the required ones, and those whose index the reads of the previous
/// generation used.
fn indexed_columns(live: &Live, columns: &[Column]) -> Vec<usize> {
    let names = column_names(columns);
    let mut indexed = live.required().column_positions(&names);
    let used = live.served.as_ref().map(|served| served.used_indexes()).unwrap_or_default();
    let earned = (0..columns.len()).filter(|place| used.contains(&columns[*place].name));
    let room = MAX_INDEXES.saturating_sub(indexed.len());
    let earned: Vec<usize> = earned.filter(|place| !indexed.contains(place)).take(room).collect();
    indexed.extend(earned);
    indexed
}

/// Puts a generation's files in place, durably with their folder.
fn build(folder: &Path, stored: &StoredGeneration, file: &Path, indexed: &[usize]) -> Result<Generation> {
    let columns = Arc::clone(&stored.columns);
    let built = Generation::build(folder, stored.number, file, columns, indexed, stored.refreshed_at)?;
    // The folder itself may be new, and so may the folder of all views.
    for parent in folder.ancestors().skip(1).take(2) {
        File::open(parent)
            .and_then(|parent| parent.sync_all())
            .map_err(|error| Error::internal(format!("syncing {}", parent.display()), error))?;
    }
    Ok(built)
}
