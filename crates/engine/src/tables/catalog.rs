//! Names for completion in editors. In a workspace of the embedded engine no statement is needed; one on Trino asks its
//! cluster.

use rowhouse_model::{
    Catalog, CatalogFunction, CatalogSchema, CatalogTable, CatalogTableKind, Column, FunctionKind, Role,
};

use super::Tables;
use crate::error::Result;
use crate::workspaces::Access;
use rowhouse_executor::CatalogPlace;
use rowhouse_executor::catalog::{OWN_CATALOG, TPCH_CATALOG, tpch};
use rowhouse_sql::functions::{AggregateFunction, ArrayAggregate, RankingFunction, ScalarFunction};

impl Tables {
    /// Names at a place, and the functions: the workspace's tables and views and the sample catalog, or the names that
    /// its Trino cluster returns.
    ///
    /// # Errors
    ///
    /// [`PermissionDenied`](crate::ErrorKind::PermissionDenied) for a consumer; an error of the cluster, or that it
    /// cannot be reached.
    pub async fn catalog(&self, access: &Access, place: CatalogPlace) -> Result<Catalog> {
        access.require(Role::Analyst)?;
        let workspace = &access.workspace;
        if workspace.engine.is_trino() {
            let user = &access.principal.account.username;
            let found = self.executor.names(&workspace.engine, place, user).await?;
            return Ok(Catalog { functions: functions(), ..found });
        }
        let mut found = self.own_catalog(access).await?;
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
        Ok(found)
    }

    async fn own_catalog(&self, access: &Access) -> Result<Catalog> {
        let workspace = &access.workspace;
        let own = |name: String, kind, columns, row_count| CatalogTable {
            catalog: OWN_CATALOG.to_owned(),
            schema: workspace.sql_name.clone(),
            name,
            kind,
            columns,
            row_count,
        };
        let listed = self.list(access).await?.into_iter();
        let mut tables: Vec<_> = listed
            .map(|table| own(table.name, CatalogTableKind::Table, table.columns, table.row_count))
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
        Ok(Catalog {
            default_catalog: Some(OWN_CATALOG.to_owned()),
            default_schema: Some(workspace.sql_name.clone()),
            catalogs: vec![OWN_CATALOG.to_owned(), TPCH_CATALOG.to_owned()],
            schemas: schemas(&workspace.sql_name),
            tables,
            truncated: false,
            functions: functions(),
        })
    }
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
