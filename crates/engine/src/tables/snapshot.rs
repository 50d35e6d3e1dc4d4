//! The catalog of a statement at the time of its submission.

use std::sync::Arc;

use rowhouse_executor::json_size::json_bytes;
use rowhouse_model::EngineKind;

use super::Tables;
use crate::store::tables::StoredTable;
use crate::store::workspaces::WorkspaceRecord;
use crate::views::{Live, ServedGeneration};
use crate::workspaces::Access;
use rowhouse_executor::catalog::{
    CatalogDetail, CatalogSnapshot, OWN_CATALOG, TableEntry, TableSource, ViewDefinition,
};
use rowhouse_executor::protocol::MAX_FRAME_BYTES;

/// Maximum bytes, as JSON, of columns and definitions: a quarter of a frame remains for everything else.
const MAX_DETAIL_BYTES: usize = MAX_FRAME_BYTES / 4 * 3;

/// A catalog whose view files stay in place until this is dropped, even if the views are refreshed or dropped
/// meanwhile. Hold it until the statement has ended.
#[derive(Clone, Debug)]
pub struct CatalogLease {
    snapshot: CatalogSnapshot,
    _generations: Vec<Arc<ServedGeneration>>,
}

impl CatalogLease {
    /// The catalog, which may be sent to other processes.
    pub fn snapshot(&self) -> &CatalogSnapshot {
        &self.snapshot
    }
}

/// The entries of a snapshot, while it is taken.
#[derive(Default)]
struct Entries {
    tables: Vec<TableEntry>,
    /// The views, with their places in `tables`.
    views: Vec<(usize, Live)>,
}

impl Entries {
    /// The entries with columns and definitions, first of all of the views that the text names; and the generations that
    /// must stay in place.
    fn detailed(self, detail: &CatalogDetail) -> (Vec<TableEntry>, Vec<Arc<ServedGeneration>>) {
        let Self { mut tables, views } = self;
        let is_named = |(_, live): &&(usize, Live)| detail.words.contains(&live.record.sql_name);
        let (named, others): (Vec<_>, Vec<_>) = views.iter().partition(is_named);
        let mut left_bytes = MAX_DETAIL_BYTES;
        let mut take = |bytes: usize| match left_bytes.checked_sub(bytes) {
            Some(left) => {
                left_bytes = left;
                true
            }
            None => false,
        };
        let wanted =
            [(named, true, detail.definitions), (others, detail.all_columns, detail.all_definitions)];
        for (views, wants_columns, wants_definitions) in wanted {
            for (place, live) in views {
                let TableSource::View { columns, definition, .. } = &mut tables[*place].source else {
                    continue;
                };
                if wants_columns && take(live.columns_bytes()) {
                    *columns = Some(Arc::clone(live.columns()));
                }
                if wants_definitions {
                    let written = ViewDefinition {
                        sql: live.record.sql.clone(),
                        comment: live.record.description.clone(),
                        refreshed_at: live.refreshed_at(),
                    };
                    *definition = take(json_bytes(&written)).then_some(written);
                }
            }
        }
        (tables, views.into_iter().filter_map(|(_, live)| live.served).collect())
    }
}

impl Tables {
    /// The workspace's tables and views, those of others that the statement may name, and the sample catalog where its
    /// engine has one. A view stands for its served generation, also in its own statement. A table whose location now
    /// leads outside the table roots is omitted. Columns and definitions are those that the statement may read, as far as
    /// they fit into a job of a worker.
    pub async fn snapshot(&self, access: &Access, others: &[Access], detail: &CatalogDetail) -> CatalogLease {
        let workspace = &access.workspace;
        let mut entries = Entries::default();
        for seen in std::iter::once(access).chain(others) {
            self.add_entries(&seen.workspace, &mut entries).await;
        }
        let (tables, generations) = entries.detailed(detail);
        let snapshot = CatalogSnapshot {
            default_catalog: OWN_CATALOG.to_owned(),
            default_schema: workspace.sql_name.clone(),
            own_schema: workspace.sql_name.clone(),
            other_schemas: others.iter().map(|other| other.workspace.sql_name.clone()).collect(),
            queries: Vec::new(),
            session_properties: Vec::new(),
            tables,
            tpch_dir: (workspace.engine == EngineKind::Polars).then(|| self.tpch_dir.clone()),
        };
        CatalogLease { snapshot, _generations: generations }
    }

    /// Adds a workspace's entries, without columns and definitions.
    async fn add_entries(&self, workspace: &WorkspaceRecord, entries: &mut Entries) {
        let entry = |name: String, source| TableEntry {
            catalog: OWN_CATALOG.to_owned(),
            schema: workspace.sql_name.clone(),
            name,
            source,
        };
        let stored = self.of_workspace(&workspace.id);
        let locations = self.follow_all(&stored).await;
        for (table, location) in stored.iter().zip(locations) {
            if let Some(location) = location {
                let source = TableSource::Files { location, format: table.format };
                entries.tables.push(entry(table.name.clone(), source));
            }
        }
        for view in self.views.of_workspace(&workspace.id) {
            let live = view.live();
            let file = live.served.as_ref().map(|served| served.path().to_owned());
            let source = TableSource::View { file, columns: None, definition: None };
            let name = live.record.sql_name.clone();
            entries.views.push((entries.tables.len(), live));
            entries.tables.push(entry(name, source));
        }
    }

    /// The present targets of the tables' locations.
    async fn follow_all(&self, tables: &[Arc<StoredTable>]) -> Vec<Option<String>> {
        if self.roots.are_anywhere() {
            // Without disk access.
            return tables
                .iter()
                .map(|table| self.roots.follow(&table.workspace_id, &table.location))
                .collect();
        }
        let (roots, tables) = (self.roots.clone(), tables.to_vec());
        let followed = tokio::task::spawn_blocking(move || {
            let follow = |table: &Arc<StoredTable>| {
                let followed = roots.follow(&table.workspace_id, &table.location);
                if followed.is_none() {
                    let StoredTable { name, location, .. } = &**table;
                    tracing::warn!(name, location, "a table has come to lead out of the table roots");
                }
                followed
            };
            tables.iter().map(follow).collect()
        });
        // OK to see no tables if the check was interrupted: an unchecked table must not be read.
        followed.await.unwrap_or_default()
    }
}
