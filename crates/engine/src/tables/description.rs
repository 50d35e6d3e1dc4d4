//! Descriptions of tables' files by the executor, cached while the files do not change.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;

use dashmap::DashMap;
use rowhouse_model::{ErrorCode, QueryError, WorkspaceId};
use tokio::task::JoinSet;

use super::location::TableRoots;
use crate::planning_queue::PlanningQueue;
use crate::store::tables::StoredTable;
use crate::workspace_files::with_locations;
use rowhouse_executor::catalog::files::list_files;
use rowhouse_executor::{Executor, TableDescription, without_denied_file};

/// Tables inspected concurrently: each may occupy a worker process.
const CONCURRENCY: usize = 4;

/// At most one description per table.
pub(super) struct Descriptions {
    executor: Arc<dyn Executor>,
    roots: TableRoots,
    known: Known,
    planning_queue: Arc<PlanningQueue>,
}

type Known = Arc<DashMap<(WorkspaceId, String), (Stamp, TableDescription)>>;

/// Changes with the list of files, a file's length and its time of change.
type Stamp = u64;

impl Descriptions {
    pub(super) fn new(
        executor: Arc<dyn Executor>,
        roots: TableRoots,
        planning_queue: Arc<PlanningQueue>,
    ) -> Self {
        Self { executor, roots, known: Arc::default(), planning_queue }
    }

    /// In the order of `tables`.
    ///
    /// # Errors
    ///
    /// [`Overloaded`](crate::ErrorKind::Overloaded): an inspection has waited too long for its turn.
    pub(super) async fn describe_all(
        &self,
        tables: &[Arc<StoredTable>],
    ) -> crate::Result<Vec<Result<TableDescription, QueryError>>> {
        let not_reached =
            || Err(QueryError::new(ErrorCode::GenericInternalError, "the look at the files panicked"));
        let mut described: Vec<_> = tables.iter().map(|_| not_reached()).collect();
        let mut waiting = tables.iter().cloned().enumerate();
        let mut under_way = JoinSet::new();
        loop {
            while under_way.len() < CONCURRENCY
                && let Some((index, table)) = waiting.next()
            {
                let (executor, planning_queue) =
                    (Arc::clone(&self.executor), Arc::clone(&self.planning_queue));
                let look =
                    describe(executor, self.roots.clone(), Arc::clone(&self.known), planning_queue, table);
                under_way.spawn(async move { (index, look.await) });
            }
            match under_way.join_next().await {
                Some(Ok((index, description))) => described[index] = description?,
                Some(Err(_)) => {}
                None => return Ok(described),
            }
        }
    }

    pub(super) fn forget(&self, workspace_id: &WorkspaceId, name: &str) {
        self.known.remove(&(workspace_id.clone(), name.to_owned()));
    }
}

async fn describe(
    executor: Arc<dyn Executor>,
    roots: TableRoots,
    known: Known,
    planning_queue: Arc<PlanningQueue>,
    table: Arc<StoredTable>,
) -> crate::Result<Result<TableDescription, QueryError>> {
    let (location, stamp) = match look(roots, Arc::clone(&table)).await {
        Ok(found) => found,
        Err(error) => return Ok(Err(error)),
    };
    let key = (table.workspace_id.clone(), table.name.clone());
    if let Some(entry) = known.get(&key)
        && entry.0 == stamp
    {
        return Ok(Ok(entry.1.clone()));
    }
    let _turn = planning_queue.turn(&table.workspace_id).await?;
    let description = executor.describe(location, table.format).await;
    if let Ok(description) = &description {
        known.insert(key, (stamp, description.clone()));
    }
    Ok(description)
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
