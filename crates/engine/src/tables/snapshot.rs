//! What a statement of a workspace may see at the moment of its submission.

use std::sync::Arc;

use rowhouse_model::EngineKind;

use super::Tables;
use crate::catalog::{CatalogSnapshot, OWN_CATALOG, TableEntry, TableSource};
use crate::views::ServedGeneration;
use crate::workspaces::Access;

/// A catalog whose view files stay in place until this is dropped, also when the views are refreshed or
/// dropped meanwhile: to be held until the statement has ended.
#[derive(Clone, Debug)]
pub struct CatalogLease {
    snapshot: CatalogSnapshot,
    _generations: Vec<Arc<ServedGeneration>>,
}

impl CatalogLease {
    /// The catalog, which may travel to other processes.
    pub fn snapshot(&self) -> &CatalogSnapshot {
        &self.snapshot
    }
}

impl Tables {
    /// The workspace's tables and views, and the sample catalog where its engine has one. A view stands for
    /// its served generation, also in its own statement.
    pub fn snapshot(&self, access: &Access) -> CatalogLease {
        let workspace = &access.workspace;
        let entry = |name: String, source| TableEntry {
            catalog: OWN_CATALOG.to_owned(),
            schema: workspace.sql_name.clone(),
            name,
            source,
        };
        let mut tables: Vec<_> = self
            .of_workspace(&workspace.id)
            .iter()
            .map(|table| {
                let source = TableSource::Files { location: table.location.clone(), format: table.format };
                entry(table.name.clone(), source)
            })
            .collect();
        let mut generations = Vec::new();
        for view in self.views.of_workspace(&workspace.id) {
            let live = view.live();
            let file = live.served.as_ref().map(|served| served.path().to_owned());
            let source = TableSource::View { file, columns: live.columns().to_vec() };
            tables.push(entry(live.record.sql_name.clone(), source));
            generations.extend(live.served);
        }
        let snapshot = CatalogSnapshot {
            default_catalog: OWN_CATALOG.to_owned(),
            default_schema: workspace.sql_name.clone(),
            tables,
            tpch_dir: (workspace.engine == EngineKind::Polars).then(|| self.tpch_dir.clone()),
        };
        CatalogLease { snapshot, _generations: generations }
    }
}
