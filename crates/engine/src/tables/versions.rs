//! The present versions of a workspace's tables and views, for comparison with the sources of a cached result.

use std::sync::Arc;

use rowhouse_executor::TableVersion;
use rowhouse_model::WorkspaceId;

use super::Tables;
use super::location::TableRoots;
use crate::store::tables::StoredTable;

/// Where a version is found.
enum VersionSource {
    /// On disk.
    Files(Arc<StoredTable>),
    Known(Option<TableVersion>),
}

impl Tables {
    /// The versions of these tables and views of a workspace, in order; none for one that does not exist. Files are
    /// listed and their metadata is read, but not their content.
    pub async fn versions(&self, workspace: &WorkspaceId, names: &[&str]) -> Vec<Option<TableVersion>> {
        let tables = self.of_workspace(workspace);
        let views = self.views.of_workspace(workspace);
        let sources: Vec<VersionSource> = names
            .iter()
            .map(|name| {
                if let Some(table) = tables.iter().find(|table| table.name == *name) {
                    return VersionSource::Files(Arc::clone(table));
                }
                let view = views.iter().map(|view| view.live()).find(|live| live.record.sql_name == *name);
                let served = view.and_then(|live| live.served);
                VersionSource::Known(served.map(|served| TableVersion::View(served.path().to_owned())))
            })
            .collect();
        let is_on_disk = sources.iter().any(|source| matches!(source, VersionSource::Files(_)));
        let (roots, count) = (self.roots.clone(), sources.len());
        let taken = move || sources.into_iter().map(|source| source.taken(&roots)).collect();
        if !is_on_disk {
            return taken();
        }
        // OK to return none if the check was interrupted: an unknown version counts as changed.
        tokio::task::spawn_blocking(taken).await.unwrap_or_else(|_| vec![None; count])
    }
}

impl VersionSource {
    /// Blocking if there are files. A location outside the table roots is not checked.
    fn taken(self, roots: &TableRoots) -> Option<TableVersion> {
        match self {
            Self::Files(table) => {
                let location = roots.follow(&table.workspace_id, &table.location)?;
                Some(TableVersion::of_location(&location, table.format))
            }
            Self::Known(version) => version,
        }
    }
}
