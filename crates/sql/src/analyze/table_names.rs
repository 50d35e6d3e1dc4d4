//! Resolution of table names: common table expressions, the workspace's own tables and views, the sample catalog, and
//! the tables that are generated from the catalog. No other table can be named.

use rowhouse_model::{ErrorCode, ErrorLocation, QueryError};
use sqlparser::ast::{ObjectName, ObjectNamePart};

use super::context::{Analyzer, NamedSource, Relation, user_error};
use super::metadata::table_names;
use super::place::place_of_name;
use crate::error::{Result, not_supported, suggestion};
use crate::plan::{Field, Plan, Scan};
use crate::statement::{TableRef, TableSchema};
use rowhouse_executor::catalog::{
    INFORMATION_SCHEMA, OWN_CATALOG, SYSTEM_CATALOG, SYSTEM_SCHEMAS, TPCH_CATALOG,
};

/// The schemas of the sample catalog.
pub(super) const TPCH_SCHEMAS: [&str; 2] = ["sf1", "tiny"];
/// The tables of each of these schemas.
pub(super) const TPCH_TABLES: [&str; 8] =
    ["customer", "lineitem", "nation", "orders", "part", "partsupp", "region", "supplier"];
/// A table's full name, in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FullName {
    pub(super) catalog: String,
    pub(super) schema: String,
    pub(super) table: String,
}

/// The relation to which a name in FROM resolves.
#[derive(Clone, Debug)]
pub(super) struct NamedTable {
    pub(super) relation: Relation,
    /// The table's name, as the qualifier of its columns.
    pub(super) qualifier: Vec<String>,
    /// Columns of the plan that can be named but are not part of `*`.
    pub(super) hidden: Vec<Field>,
}

impl Analyzer<'_> {
    /// Resolves a table's name.
    pub(super) fn table(&mut self, name: &ObjectName) -> Result<NamedTable> {
        let place = place_of_name(name);
        let parts = name_parts(name)?;
        if let [single] = parts.as_slice()
            && let Some(known) = self.named_queries.iter().rev().find(|known| known.name == *single)
        {
            let known = known.clone();
            self.spend(self.named_queries.len(), place)?;
            let (plan, fields) = match known.source {
                NamedSource::Shared(id) => {
                    let columns: Vec<_> =
                        known.fields.iter().map(|field| (self.renewed(field), field.id)).collect();
                    let fields = columns.iter().map(|(field, _)| field.clone()).collect();
                    (Plan::Shared { id, columns, row_estimate: None }, fields)
                }
                NamedSource::Correlated(plan) => {
                    self.spend_on_copy(&plan, place)?;
                    let (plan, ids) = plan.copied(&mut self.next_column);
                    let renamed = |field: &Field| {
                        let id = ids.get(&field.id).copied().unwrap_or(field.id);
                        Field { id, ..field.clone() }
                    };
                    (plan, known.fields.iter().map(renamed).collect())
                }
            };
            let relation = Relation { plan, fields };
            return Ok(NamedTable { relation, qualifier: vec![known.name], hidden: Vec::new() });
        }
        let full = self.full_name(&parts, place)?;
        if let Some(table) = self.system_table(&full, place)? {
            return Ok(table);
        }
        let qualifier = vec![full.catalog.clone(), full.schema.clone(), full.table.clone()];
        let table = self.table_ref(&full, place)?;
        let schema = self.schema_of(&table)?;
        let index = match self.tables.iter().position(|known| *known == table) {
            Some(index) => index,
            None => {
                self.tables.push(table);
                self.tables.len() - 1
            }
        };
        let columns: Vec<_> = schema
            .columns
            .into_iter()
            .map(|(name, data_type)| (self.new_field(name.clone(), data_type), name))
            .collect();
        let fields = columns.iter().map(|(field, _)| field.clone()).collect();
        let plan = Plan::Scan(Scan { table: index, columns, row_count: schema.row_count });
        Ok(NamedTable { relation: Relation { plan, fields }, qualifier, hidden: Vec::new() })
    }

    /// The schema of a table's files, which is read once per table.
    pub(super) fn schema_of(&mut self, table: &TableRef) -> Result<TableSchema> {
        if let Some(known) = self.table_schemas.get(table) {
            return Ok(known.clone());
        }
        let schema = self.schemas.schema(table)?;
        self.table_schemas.insert(table.clone(), schema.clone());
        Ok(schema)
    }

    /// The name with its catalog and schema.
    pub(super) fn full_name(&self, parts: &[String], place: Option<ErrorLocation>) -> Result<FullName> {
        let (catalog, schema, table) = match parts {
            [table] => (&self.catalog.default_catalog, &self.catalog.default_schema, table),
            [schema, table] => (&self.catalog.default_catalog, schema, table),
            [catalog, schema, table] => (catalog, schema, table),
            _ => {
                let message = format!("Too many parts in the table name '{}'", parts.join("."));
                return Err(user_error(ErrorCode::SyntaxError, place, message));
            }
        };
        Ok(FullName { catalog: catalog.to_lowercase(), schema: schema.to_lowercase(), table: table.clone() })
    }

    /// The catalogs that are visible to this workspace, in order.
    pub(super) fn catalogs(&self) -> Vec<String> {
        let mut catalogs = vec![OWN_CATALOG.to_owned(), SYSTEM_CATALOG.to_owned()];
        catalogs.extend(self.catalog.tables.iter().map(|entry| entry.catalog.to_lowercase()));
        if self.catalog.tpch_dir.is_some() {
            catalogs.push(TPCH_CATALOG.to_owned());
        }
        catalogs.sort_unstable();
        catalogs.dedup();
        catalogs
    }

    /// The schemas of a catalog, in order.
    pub(super) fn schemas_of(&self, catalog: &str) -> Vec<String> {
        let mut schemas = vec![INFORMATION_SCHEMA.to_owned()];
        if catalog == OWN_CATALOG {
            schemas.push(self.catalog.own_schema.to_lowercase());
            schemas.extend(self.catalog.other_schemas.iter().map(|schema| schema.to_lowercase()));
        }
        if catalog == SYSTEM_CATALOG {
            schemas.extend(SYSTEM_SCHEMAS.map(str::to_owned));
        }
        let own = self.catalog.tables.iter().filter(|entry| entry.catalog.to_lowercase() == catalog);
        schemas.extend(own.map(|entry| entry.schema.to_lowercase()));
        if catalog == TPCH_CATALOG && self.catalog.tpch_dir.is_some() {
            schemas.extend(TPCH_SCHEMAS.map(str::to_owned));
        }
        schemas.sort_unstable();
        schemas.dedup();
        schemas
    }

    /// The tables of a schema, in order.
    pub(super) fn tables_of(&self, catalog: &str, schema: &str) -> Vec<String> {
        let mut tables: Vec<String> = self
            .catalog
            .tables
            .iter()
            .filter(|entry| entry.catalog.to_lowercase() == catalog && entry.schema.to_lowercase() == schema)
            .map(|entry| entry.name.to_lowercase())
            .collect();
        if schema == INFORMATION_SCHEMA || catalog == SYSTEM_CATALOG {
            tables.extend(table_names(schema).map(str::to_owned));
        }
        let is_sample = catalog == TPCH_CATALOG && self.catalog.tpch_dir.is_some();
        if is_sample && TPCH_SCHEMAS.contains(&schema) {
            tables.extend(TPCH_TABLES.map(str::to_owned));
        }
        tables.sort_unstable();
        tables.dedup();
        tables
    }

    /// The table with a full name, if the workspace has it.
    pub(super) fn table_ref(&self, name: &FullName, place: Option<ErrorLocation>) -> Result<TableRef> {
        let FullName { catalog, schema, table } = name;
        self.check_schema(catalog, schema, place)?;
        if self.tables_of(catalog, schema).contains(table) {
            let own = self.catalog.tables.iter().position(|entry| {
                entry.catalog.to_lowercase() == *catalog
                    && entry.schema.to_lowercase() == *schema
                    && entry.name.to_lowercase() == *table
            });
            return Ok(match own {
                Some(index) => TableRef::Entry(index),
                None => TableRef::Tpch { schema: schema.clone(), table: table.clone() },
            });
        }
        Err(self.unknown_table(name, place))
    }

    /// The error of a table that does not exist in a schema.
    pub(super) fn unknown_table(&self, name: &FullName, place: Option<ErrorLocation>) -> QueryError {
        let FullName { catalog, schema, table } = name;
        let known = self.tables_of(catalog, schema);
        let near = suggestion(table, known.iter().map(String::as_str));
        let message = format!("Table '{catalog}.{schema}.{table}' does not exist{near}");
        user_error(ErrorCode::TableNotFound, place, message)
    }

    /// Checks that the catalog and the schema exist.
    pub(super) fn check_schema(
        &self,
        catalog: &str,
        schema: &str,
        place: Option<ErrorLocation>,
    ) -> Result<()> {
        let catalogs = self.catalogs();
        if !catalogs.iter().any(|known| known == catalog) {
            let near = suggestion(catalog, catalogs.iter().map(String::as_str));
            let message = format!("Catalog '{catalog}' does not exist{near}");
            return Err(user_error(ErrorCode::CatalogNotFound, place, message));
        }
        let schemas = self.schemas_of(catalog);
        if !schemas.iter().any(|known| known == schema) {
            let near = suggestion(schema, schemas.iter().map(String::as_str));
            let message = format!("Schema '{schema}' does not exist{near}");
            return Err(user_error(ErrorCode::SchemaNotFound, place, message));
        }
        Ok(())
    }
}

/// The parts of a name in lower case: names of tables are case-insensitive.
pub(super) fn name_parts(name: &ObjectName) -> Result<Vec<String>> {
    name.0
        .iter()
        .map(|part| match part {
            ObjectNamePart::Identifier(ident) => Ok(ident.value.to_lowercase()),
            ObjectNamePart::Function(_) => Err(not_supported(place_of_name(name), "a function in a name")),
        })
        .collect()
}
