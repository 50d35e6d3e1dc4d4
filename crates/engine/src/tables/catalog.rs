//! Names for completion in editors. In a workspace of the embedded engine no statement is needed; one on Trino asks its
//! cluster.

use rowhouse_model::{
    Catalog, CatalogFunction, CatalogSchema, CatalogTable, CatalogTableKind, Column, FunctionKind, Role,
};

use super::{Described, Tables};
use crate::error::Result;
use crate::few_at_a_time::Held;
use crate::workspaces::Access;
use rowhouse_executor::catalog::{OWN_CATALOG, TPCH_CATALOG, tpch};
use rowhouse_executor::{CatalogPlace, TableDescription};
use rowhouse_sql::functions::{AggregateFunction, ArrayAggregate, RankingFunction, ScalarFunction};

/// A table without its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSummary {
    /// Its catalog.
    pub catalog: String,
    /// Its schema.
    pub schema: String,
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: CatalogTableKind,
    /// Number of columns.
    pub columns: usize,
    /// Number of rows, if known.
    pub row_count: Option<u64>,
}

impl TableSummary {
    fn of(table: &CatalogTable) -> Self {
        let CatalogTable { catalog, schema, name, kind, columns, row_count } = table;
        Self {
            catalog: catalog.clone(),
            schema: schema.clone(),
            name: name.clone(),
            kind: *kind,
            columns: columns.len(),
            row_count: *row_count,
        }
    }
}

impl Tables {
    /// Names at a place, and the functions: the workspace's tables and views and the sample catalog, or the names that
    /// its Trino cluster returns.
    ///
    /// # Errors
    ///
    /// [`PermissionDenied`](crate::ErrorKind::PermissionDenied) for a consumer; an error of the cluster, or that it
    /// cannot be reached.
    pub async fn catalog(&self, access: &Access, place: CatalogPlace) -> Result<Held<Catalog>> {
        access.require(Role::Analyst)?;
        let workspace = &access.workspace;
        if workspace.engine.is_trino() {
            let user = &access.principal.account.username;
            let found = self.executor.names(&workspace.engine, place, user).await?;
            return Ok(Held::new(Catalog { functions: functions(), ..found }, None));
        }
        let described = self.described(access).await;
        let permit = self.lists.one(&workspace.id).await?;
        let mut found = self.own_catalog(access, described);
        let (catalog, schema) = match place {
            CatalogPlace::Root => (None, None),
            CatalogPlace::Catalog { catalog } => (Some(catalog), None),
            CatalogPlace::Schema { catalog, schema } => {
                (catalog.or_else(|| Some(OWN_CATALOG.to_owned())), Some(schema))
            }
        };
        let is_wanted =
            |wanted: &Option<String>, name: &str| wanted.as_ref().is_none_or(|wanted| wanted == name);
        found.tables.retain(|table| is_wanted(&catalog, &table.catalog) && is_wanted(&schema, &table.schema));
        found.schemas.retain(|found| is_wanted(&catalog, &found.catalog) && is_wanted(&schema, &found.name));
        Ok(Held::new(found, Some(permit)))
    }

    /// The schemas of a catalog; none if there is no such catalog.
    ///
    /// # Errors
    ///
    /// As for [`catalog`](Self::catalog).
    pub async fn schemas(&self, access: &Access, catalog: &str) -> Result<Option<Vec<String>>> {
        access.require(Role::Analyst)?;
        let (catalogs, schemas) = if access.workspace.engine.is_trino() {
            let root = self.catalog(access, CatalogPlace::Root).await?.catalogs.clone();
            if !root.iter().any(|known| known == catalog) {
                return Ok(None);
            }
            let place = CatalogPlace::Catalog { catalog: catalog.to_owned() };
            (root, self.catalog(access, place).await?.schemas.clone())
        } else {
            (own_catalogs(), schemas(&access.workspace.sql_name))
        };
        let of_catalog = schemas.into_iter().filter(|schema| schema.catalog == catalog);
        let is_known = catalogs.iter().any(|known| known == catalog);
        Ok(is_known.then(|| of_catalog.map(|schema| schema.name).collect()))
    }

    /// The tables at the root, without their columns.
    ///
    /// # Errors
    ///
    /// As for [`catalog`](Self::catalog).
    pub async fn summaries(&self, access: &Access) -> Result<Vec<TableSummary>> {
        if access.workspace.engine.is_trino() {
            let found = self.catalog(access, CatalogPlace::Root).await?;
            return Ok(found.tables.iter().map(TableSummary::of).collect());
        }
        access.require(Role::Analyst)?;
        let tables = self.described(access).await;
        let mut summaries: Vec<_> = tables
            .iter()
            .map(|(table, description)| TableSummary {
                catalog: OWN_CATALOG.to_owned(),
                schema: access.workspace.sql_name.clone(),
                name: table.name.clone(),
                kind: CatalogTableKind::Table,
                columns: description.columns.len(),
                row_count: description.row_count,
            })
            .collect();
        summaries.extend(self.views.of_workspace(&access.workspace.id).into_iter().map(|view| {
            let live = view.live();
            TableSummary {
                catalog: OWN_CATALOG.to_owned(),
                schema: access.workspace.sql_name.clone(),
                name: live.record.sql_name.clone(),
                kind: CatalogTableKind::MaterializedView,
                columns: live.columns().len(),
                row_count: live.shown().row_count,
            }
        }));
        Ok(summaries)
    }

    /// One table with its columns.
    ///
    /// # Errors
    ///
    /// As for [`catalog`](Self::catalog).
    pub async fn catalog_table(
        &self,
        access: &Access,
        catalog: &str,
        schema: &str,
        name: &str,
    ) -> Result<Option<CatalogTable>> {
        access.require(Role::Analyst)?;
        let is_own = !access.workspace.engine.is_trino()
            && (catalog, schema) == (OWN_CATALOG, access.workspace.sql_name.as_str());
        if is_own {
            let views = self.views.of_workspace(&access.workspace.id);
            if let Some(live) = views.iter().map(|view| view.live()).find(|live| live.record.sql_name == name)
            {
                return Ok(Some(CatalogTable {
                    catalog: catalog.to_owned(),
                    schema: schema.to_owned(),
                    name: name.to_owned(),
                    kind: CatalogTableKind::MaterializedView,
                    columns: live.columns().to_vec(),
                    row_count: live.shown().row_count,
                }));
            }
        }
        let place = CatalogPlace::Schema { catalog: Some(catalog.to_owned()), schema: schema.to_owned() };
        let found = self.catalog(access, place).await?;
        Ok(found.tables.iter().find(|table| table.name == name).cloned())
    }

    fn own_catalog(&self, access: &Access, described: Described) -> Catalog {
        let workspace = &access.workspace;
        let own = |name: String, kind, columns, row_count| CatalogTable {
            catalog: OWN_CATALOG.to_owned(),
            schema: workspace.sql_name.clone(),
            name,
            kind,
            columns,
            row_count,
        };
        let mut tables: Vec<_> = described
            .into_iter()
            .map(|(table, description)| {
                let TableDescription { columns, row_count } = (*description).clone();
                own(table.name.clone(), CatalogTableKind::Table, columns, row_count)
            })
            .collect();
        for view in self.views.of_workspace(&workspace.id) {
            let live = view.live();
            let row_count = live.shown().row_count;
            let columns = live.columns().to_vec();
            let name = live.record.sql_name.clone();
            tables.push(own(name, CatalogTableKind::MaterializedView, columns, row_count));
        }
        tables.sort_by(|left, right| left.name.cmp(&right.name));
        tables.extend(sample_tables());
        Catalog {
            default_catalog: Some(OWN_CATALOG.to_owned()),
            default_schema: Some(workspace.sql_name.clone()),
            catalogs: own_catalogs(),
            schemas: schemas(&workspace.sql_name),
            tables,
            truncated: false,
            functions: functions(),
        }
    }
}

fn own_catalogs() -> Vec<String> {
    vec![OWN_CATALOG.to_owned(), TPCH_CATALOG.to_owned()]
}

fn schemas(own: &str) -> Vec<CatalogSchema> {
    let schema =
        |catalog: &str, name: &str| CatalogSchema { catalog: catalog.to_owned(), name: name.to_owned() };
    let samples = tpch::SCHEMAS.iter().map(|sample| schema(TPCH_CATALOG, sample.name));
    std::iter::once(schema(OWN_CATALOG, own)).chain(samples).collect()
}

fn sample_tables() -> impl Iterator<Item = CatalogTable> {
    tpch::SCHEMAS.iter().flat_map(|schema| {
        tpch::TABLES.iter().map(|table| CatalogTable {
            catalog: TPCH_CATALOG.to_owned(),
            schema: schema.name.to_owned(),
            name: table.name.to_owned(),
            kind: CatalogTableKind::Sample,
            columns: table.columns.iter().map(|&(name, kind)| Column::new(name, kind.name())).collect(),
            row_count: Some(table.row_count(schema.scale_factor)),
        })
    })
}

/// Every function under each of its names; internal functions of the analyzer are omitted.
fn functions() -> Vec<CatalogFunction> {
    let listed = |kind, names: &'static [&'static str], signatures: &[&str], description: &str| {
        let signatures: Vec<_> = signatures.iter().map(|&text| text.to_owned()).collect();
        let description = description.trim().to_owned();
        names.iter().filter(|name| is_word(name)).map(move |&name| CatalogFunction {
            name: name.to_owned(),
            kind,
            signatures: signatures.clone(),
            description: description.clone(),
        })
    };
    let scalar = ScalarFunction::ALL.iter();
    let aggregate = AggregateFunction::ALL.iter();
    let of_arrays = ArrayAggregate::ALL.iter();
    let window = RankingFunction::ALL.iter();
    let mut functions: Vec<_> = scalar
        .flat_map(|f| listed(FunctionKind::Scalar, f.names(), f.signatures(), f.description()))
        .chain(
            aggregate
                .flat_map(|f| listed(FunctionKind::Aggregate, f.names(), f.signatures(), f.description())),
        )
        .chain(
            of_arrays
                .flat_map(|f| listed(FunctionKind::Aggregate, f.names(), f.signatures(), f.description())),
        )
        .chain(window.flat_map(|f| listed(FunctionKind::Window, f.names(), f.signatures(), f.description())))
        .collect();
    functions.sort_by(|left, right| (&left.name, left.kind).cmp(&(&right.name, right.kind)));
    functions
}

fn is_word(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
