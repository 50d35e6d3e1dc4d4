//! Descriptions of tables' files by the executor, cached while the files do not change. Each goes on when its requests
//! have ended, so that a table whose files take long to inspect is described once.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use dashmap::DashMap;
use dashmap::mapref::entry::Entry;
use rowhouse_model::{ErrorCode, QueryError, WorkspaceId};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::location::TableRoots;
use crate::planning_queue::PlanningQueue;
use crate::store::tables::StoredTable;
use crate::workspace_files::with_locations;
use rowhouse_executor::catalog::files::list_files;
use rowhouse_executor::json_size::json_bytes;
use rowhouse_executor::{Executor, TableDescription, without_denied_file};

/// Tables of one list that are looked at concurrently, and as many that are inspected: each may occupy a worker process.
const CONCURRENCY: usize = 4;

/// Time within which a list needs one more description, or ends without the others.
const PATIENCE: Duration = Duration::from_secs(5);

/// Maximum bytes of the columns of a workspace's tables as JSON, as of its views: they are in memory, and in each list.
const MAX_COLUMN_BYTES: usize = 16 << 20;

/// At most one description per table.
#[derive(Clone)]
pub(super) struct Descriptions {
    executor: Arc<dyn Executor>,
    roots: TableRoots,
    known: Arc<DashMap<Key, Known>>,
    columns: Arc<DashMap<WorkspaceId, KeptColumns>>,
    planning_queue: Arc<PlanningQueue>,
    patience: Duration,
}

type Key = (WorkspaceId, String);

type Outcome = Result<Arc<TableDescription>, QueryError>;

/// Columns of a workspace's tables that are kept.
#[derive(Default)]
struct KeptColumns {
    /// Their bytes as JSON, by table.
    bytes: HashMap<String, usize>,
    /// Tables whose columns did not fit.
    emptied: HashSet<String>,
}

/// The description of files with this stamp; none while they are inspected. The failure of an inspection is kept too,
/// if it is the files' fault.
struct Known {
    stamp: Stamp,
    outcome: watch::Receiver<Option<Outcome>>,
}

/// Changes with the list of files, a file's length and its time of change.
type Stamp = u64;

impl Descriptions {
    pub(super) fn new(
        executor: Arc<dyn Executor>,
        roots: TableRoots,
        planning_queue: Arc<PlanningQueue>,
    ) -> Self {
        let (known, columns) = (Arc::default(), Arc::default());
        Self { executor, roots, known, columns, planning_queue, patience: PATIENCE }
    }

    /// As [`describe_all`](Self::describe_all) waits.
    #[cfg(test)]
    pub(super) fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
    }

    /// In the order of `tables`. Tables that take long are left to be described in the background.
    pub(super) async fn describe_all(&self, tables: &[Arc<StoredTable>]) -> Vec<Outcome> {
        let mut described: Vec<_> = tables.iter().map(|_| Err(not_yet())).collect();
        let (looks, inspections) =
            (Arc::new(Semaphore::new(CONCURRENCY)), Arc::new(Semaphore::new(CONCURRENCY)));
        let mut under_way = JoinSet::new();
        for (index, table) in tables.iter().cloned().enumerate() {
            let (descriptions, looks, inspections) =
                (self.clone(), Arc::clone(&looks), Arc::clone(&inspections));
            under_way.spawn(async move { (index, descriptions.describe(table, &looks, inspections).await) });
        }
        // Known ones do not wait for others.
        while let Ok(Some(ended)) = timeout(self.patience, under_way.join_next()).await {
            if let Ok((index, outcome)) = ended {
                described[index] = outcome;
            }
        }
        described
    }

    pub(super) fn forget(&self, workspace_id: &WorkspaceId, name: &str) {
        self.known.remove(&(workspace_id.clone(), name.to_owned()));
        let Some(mut kept) = self.columns.get_mut(workspace_id) else { return };
        kept.bytes.remove(name);
        kept.emptied.remove(name);
        // There is room again: they are inspected anew.
        let emptied = std::mem::take(&mut kept.emptied);
        drop(kept);
        for name in emptied {
            self.known.remove(&(workspace_id.clone(), name));
        }
    }

    async fn describe(
        &self,
        table: Arc<StoredTable>,
        looks: &Semaphore,
        inspections: Arc<Semaphore>,
    ) -> Outcome {
        let looking = looks.acquire().await;
        let (location, stamp) = look(self.roots.clone(), Arc::clone(&table)).await?;
        drop(looking);
        let key = (table.workspace_id.clone(), table.name.clone());
        let (sender, outcome) = watch::channel(None);
        let known = match self.known.entry(key.clone()) {
            Entry::Occupied(known) if known.get().stamp == stamp => Some(known.get().outcome.clone()),
            place => {
                place.insert(Known { stamp, outcome: outcome.clone() });
                None
            }
        };
        let mut outcome = known.unwrap_or_else(|| {
            tokio::spawn(self.clone().inspect(table, location, (key, stamp), sender, inspections));
            outcome
        });
        let outcome = outcome.wait_for(Option::is_some).await.map(|outcome| outcome.clone());
        // The sender is dropped without a description if the inspection panicked.
        outcome.ok().flatten().unwrap_or_else(|| Err(not_yet()))
    }

    /// The description as it is kept: without columns if those of the workspace's tables would take too much.
    pub(super) fn within_limit(&self, key: &Key, description: TableDescription) -> TableDescription {
        let bytes = json_bytes(&description.columns);
        let (workspace_id, name) = key;
        let mut kept = self.columns.entry(workspace_id.clone()).or_default();
        kept.bytes.remove(name);
        kept.emptied.remove(name);
        if kept.bytes.values().sum::<usize>() + bytes > MAX_COLUMN_BYTES {
            kept.emptied.insert(name.clone());
            return TableDescription { columns: Vec::new(), ..description };
        }
        kept.bytes.insert(name.clone(), bytes);
        description
    }

    async fn inspect(
        self,
        table: Arc<StoredTable>,
        location: String,
        (key, stamp): (Key, Stamp),
        sender: watch::Sender<Option<Outcome>>,
        inspections: Arc<Semaphore>,
    ) {
        let mut entry = BegunEntry { known: &self.known, key: &key, stamp, is_kept: false };
        let _inspecting = inspections.acquire().await;
        let outcome = match self.planning_queue.turn(&table.workspace_id).await {
            Ok(_turn) => {
                let described = self.executor.describe(location, table.format).await;
                // One that was removed meanwhile is not kept.
                let is_known = self.known.contains_key(&key);
                described.map(|description| {
                    Arc::new(if is_known { self.within_limit(&key, description) } else { description })
                })
            }
            Err(_) => Err(not_yet()),
        };
        entry.is_kept = match &outcome {
            Ok(_) => true,
            Err(error) => matches!(error.code(), Some(ErrorCode::External | ErrorCode::NotSupported)),
        };
        if let Err(error) = &outcome {
            // Here, because lists and catalogs ask again and again.
            tracing::warn!(table = table.name, error = error.message, "a table's files cannot be read");
        }
        sender.send_replace(Some(outcome));
    }
}

/// The entry of an inspection, which is removed on drop unless its outcome is kept: also after a panic.
struct BegunEntry<'a> {
    known: &'a DashMap<Key, Known>,
    key: &'a Key,
    stamp: Stamp,
    is_kept: bool,
}

impl Drop for BegunEntry<'_> {
    fn drop(&mut self) {
        if !self.is_kept {
            self.known.remove_if(self.key, |_, known| known.stamp == self.stamp);
        }
    }
}

fn not_yet() -> QueryError {
    let what =
        "the table's files have not been inspected yet: it takes longer than a list waits for; list again";
    QueryError::new(ErrorCode::GenericInsufficientResources, what)
}

/// An error without the path of the server's own folder.
fn shown(error: QueryError, files_dir: &Path) -> QueryError {
    QueryError { message: with_locations(&error.message, files_dir), ..error }
}

/// The present location of the table's files, and their stamp.
async fn look(roots: TableRoots, table: Arc<StoredTable>) -> Result<(String, Stamp), QueryError> {
    let files_dir = roots.files_dir().to_owned();
    let looked = tokio::task::spawn_blocking(move || {
        let Some(location) = roots.follow(&table.workspace_id, &table.location) else {
            let message = format!("'{}' leads out of the folders that the operator allows", table.location);
            return Err(QueryError::new(ErrorCode::External, message));
        };
        let mut hasher = DefaultHasher::new();
        (&location, table.format).hash(&mut hasher);
        for file in list_files(&location, table.format)? {
            let metadata = file.metadata().map_err(|error| {
                let message = format!("cannot read '{}': {error}", file.display());
                QueryError::new(ErrorCode::External, message)
            })?;
            (file, metadata.len(), metadata.modified().ok()).hash(&mut hasher);
        }
        Ok((location, hasher.finish()))
    });
    let looked = looked.await.unwrap_or_else(|error| {
        let message = format!("looking at a table's files: {error}");
        Err(QueryError::new(ErrorCode::GenericInternalError, message))
    });
    looked.map_err(|error| without_denied_file(shown(error, &files_dir)))
}
