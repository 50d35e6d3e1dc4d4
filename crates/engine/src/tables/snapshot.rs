//! The catalog of a statement at the time of its submission.

use std::sync::Arc;

use rowhouse_model::EngineKind;

use super::Tables;
use crate::store::tables::StoredTable;
use crate::store::workspaces::WorkspaceRecord;
use crate::views::ServedGeneration;
use crate::workspaces::Access;
use rowhouse_executor::catalog::{
    CatalogDetail, CatalogSnapshot, OWN_CATALOG, TableEntry, TableSource, ViewDefinition,
};

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

impl Tables {
    /// The workspace's tables and views, those of others that the statement may name, and the sample catalog where its
    /// engine has one. A view stands for its served generation, also in its own statement. A table whose location now
    /// leads outside the table roots is omitted.
    pub async fn snapshot(&self, access: &Access, others: &[Access], detail: CatalogDetail) -> CatalogLease {
        let workspace = &access.workspace;
        let (mut tables, mut generations) = (Vec::new(), Vec::new());
        for seen in std::iter::once(access).chain(others) {
            self.add_entries(&seen.workspace, detail, &mut tables, &mut generations).await;
        }
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

    async fn add_entries(
        &self,
        workspace: &WorkspaceRecord,
        detail: CatalogDetail,
        tables: &mut Vec<TableEntry>,
        generations: &mut Vec<Arc<ServedGeneration>>,
    ) {
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
                tables.push(entry(table.name.clone(), TableSource::Files { location, format: table.format }));
            }
        }
        for view in self.views.of_workspace(&workspace.id) {
            let live = view.live();
            let file = live.served.as_ref().map(|served| served.path().to_owned());
            let definition = detail.definitions.then(|| ViewDefinition {
                sql: live.record.sql.clone(),
                comment: live.record.description.clone(),
                refreshed_at: live.shown().refreshed_at,
            });
            let source = TableSource::View { file, columns: live.columns().to_vec(), definition };
            tables.push(entry(live.record.sql_name.clone(), source));
            generations.extend(live.served);
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
