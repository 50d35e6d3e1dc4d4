//! Rows of the tables that are generated from the catalog.

use std::collections::BTreeMap;

use rowhouse_model::ErrorLocation;

use super::definitions::{SystemTable, system_table, table_names};
use super::{jdbc, runtime};
use crate::analyze::context::Analyzer;
use crate::analyze::context::Relation;
use crate::analyze::table_names::{FullName, NamedTable, TPCH_SCHEMAS, TPCH_TABLES};
use crate::analyze::work::STEPS_OF_NODE;
use crate::error::Result;
use crate::expr::{Expr, Value};
use crate::omitted::{omitted_definitions, omitted_lists};
use crate::plan::{Field, Plan};
use crate::statement::TableRef;
use crate::types::{Type, parse_type};
use rowhouse_executor::catalog::{
    INFORMATION_SCHEMA, SYSTEM_CATALOG, TPCH_CATALOG, TableSource, ViewDefinition,
};

/// The connector name of the workspace's own tables in `system.metadata.catalogs`.
const OWN_CONNECTOR: &str = "rowhouse";
const NANOS_OF_MILLI: i64 = 1_000_000;

/// The cells of a row.
pub(in crate::analyze) type Row = Vec<Value>;

/// A column of a table, for the tables that list columns.
pub(super) struct ListedColumn {
    pub(super) table: FullName,
    pub(super) name: String,
    pub(super) data_type: Type,
    /// The position in the table, from 1.
    pub(super) position: i64,
}

pub(super) fn text(text: impl Into<String>) -> Value {
    Value::Varchar(text.into())
}

pub(super) fn optional_text(text: Option<&str>) -> Value {
    text.map_or(Value::Null, |text| Value::Varchar(text.to_owned()))
}

/// Trino's name of a type in lists of columns: names of row fields are not delimited.
pub(super) fn type_label(data_type: &Type) -> String {
    match data_type {
        Type::Array(element) => format!("array({})", type_label(element)),
        Type::Map(key, value) => format!("map({}, {})", type_label(key), type_label(value)),
        Type::Row(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|field| match &field.name {
                    Some(name) => format!("{name} {}", type_label(&field.data_type)),
                    None => type_label(&field.data_type),
                })
                .collect();
            format!("row({})", fields.join(", "))
        }
        other => other.to_string(),
    }
}

impl Analyzer<'_> {
    /// The generated table with this name, in an information schema or in the catalog `system`; `None` for other names.
    pub(in crate::analyze) fn system_table(
        &mut self,
        name: &FullName,
        place: Option<ErrorLocation>,
    ) -> Result<Option<NamedTable>> {
        if !is_of_system(name) {
            return Ok(None);
        }
        self.check_schema(&name.catalog, &name.schema, place)?;
        let Some(table) = system_table(&name.schema, &name.table) else {
            return Err(self.unknown_table(name, place));
        };
        let columns = table.columns();
        let hidden = table.hidden();
        let types: Vec<Type> =
            columns.iter().chain(&hidden).map(|(_, data_type)| data_type.clone()).collect();
        let rows = self.system_rows(table, &name.catalog)?;
        self.spend(rows.len().saturating_mul(types.len()).saturating_mul(STEPS_OF_NODE), place)?;
        let mut fields: Vec<Field> = columns
            .into_iter()
            .chain(hidden.iter().cloned())
            .map(|(title, data_type)| self.new_field(title, data_type))
            .collect();
        let plan = Plan::Values { fields: fields.clone(), rows: literals(rows, &types) };
        let hidden = fields.split_off(fields.len() - hidden.len());
        let qualifier = vec![name.catalog.clone(), name.schema.clone(), name.table.clone()];
        Ok(Some(NamedTable { relation: Relation { plan, fields }, qualifier, hidden }))
    }

    fn system_rows(&mut self, table: &SystemTable, catalog: &str) -> Result<Vec<Row>> {
        self.inputs.volatile = Some("the catalog");
        let rows = match (table.schema, table.name) {
            (INFORMATION_SCHEMA, "columns") => self.information_columns(catalog)?,
            (INFORMATION_SCHEMA, "schemata") => {
                let schemas = self.schemas_of(catalog).into_iter();
                schemas.map(|schema| vec![text(catalog), text(schema)]).collect()
            }
            (INFORMATION_SCHEMA, "tables") => {
                let tables = self.all_tables(catalog).into_iter();
                // A materialized view is a BASE TABLE, as in Trino; views that are not materialized do not exist.
                tables
                    .map(|(FullName { catalog, schema, table }, _)| {
                        vec![text(catalog), text(schema), text(table), text("BASE TABLE"), Value::Null]
                    })
                    .collect()
            }
            ("jdbc", "catalogs") => self.catalogs().into_iter().map(|catalog| vec![text(catalog)]).collect(),
            ("jdbc", "columns") => {
                let mut rows = Vec::new();
                for catalog in self.catalogs() {
                    rows.extend(self.all_columns(&catalog)?.into_iter().map(jdbc::column_row));
                }
                rows
            }
            ("jdbc", "schemas") => self.schema_rows(),
            ("jdbc", "table_types") => vec![vec![text("TABLE")], vec![text("VIEW")]],
            ("jdbc", "tables") => {
                let catalogs = self.catalogs();
                let tables = catalogs.iter().flat_map(|catalog| self.all_tables(catalog));
                tables.map(|(name, _)| jdbc::table_row(name)).collect()
            }
            ("jdbc", "types") => jdbc::type_rows(),
            ("metadata", "catalogs") => self.catalog_rows(),
            ("metadata", "materialized_views") => self.materialized_view_rows()?,
            ("metadata", "table_comments") => self.comment_rows()?,
            ("runtime", "nodes") => vec![runtime::node_row()],
            ("runtime", "queries") => self.catalog.queries.iter().map(runtime::query_row).collect(),
            ("runtime", "tasks") => self.catalog.queries.iter().filter_map(runtime::task_row).collect(),
            // Roles and privileges belong to the server, not to SQL. Views that are not materialized, table properties,
            // procedures, transactions and user-defined types do not exist.
            _ => Vec::new(),
        };
        Ok(rows)
    }

    fn schema_rows(&self) -> Vec<Row> {
        let catalogs = self.catalogs();
        let schemas = catalogs.iter().flat_map(|catalog| {
            self.schemas_of(catalog).into_iter().map(move |schema| vec![text(schema), text(catalog)])
        });
        schemas.collect()
    }

    fn catalog_rows(&self) -> Vec<Row> {
        let connector = |catalog: &str| match catalog {
            SYSTEM_CATALOG => SYSTEM_CATALOG,
            TPCH_CATALOG => TPCH_CATALOG,
            _ => OWN_CONNECTOR,
        };
        let catalogs = self.catalogs().into_iter();
        catalogs
            .map(|catalog| {
                let connector = text(connector(&catalog));
                vec![text(catalog.clone()), text(catalog), connector]
            })
            .collect()
    }

    fn materialized_view_rows(&self) -> Result<Vec<Row>> {
        let tables = self.catalog.tables.iter();
        tables
            .filter_map(|entry| {
                let TableSource::View { definition, .. } = &entry.source else { return None };
                let Some(definition) = definition else { return Some(Err(omitted_definitions())) };
                let ViewDefinition { sql, comment, refreshed_at } = definition;
                // Whether its source tables have changed since is unknown.
                let freshness = if refreshed_at.is_some() { "UNKNOWN" } else { "STALE" };
                let refreshed_at = refreshed_at.map_or(Value::Null, |at| {
                    Value::Timestamp(at.as_millis().saturating_mul(NANOS_OF_MILLI))
                });
                Some(Ok(vec![
                    text(entry.catalog.to_lowercase()),
                    text(entry.schema.to_lowercase()),
                    text(entry.name.to_lowercase()),
                    text(""),
                    text(""),
                    text(""),
                    text(freshness),
                    refreshed_at,
                    optional_text(comment.as_deref()),
                    text(sql.clone()),
                ]))
            })
            .collect()
    }

    fn comment_rows(&self) -> Result<Vec<Row>> {
        let catalogs = self.catalogs();
        let tables = catalogs.iter().flat_map(|catalog| self.all_tables(catalog));
        tables
            .map(|(name, reference)| {
                let source = match reference {
                    Some(TableRef::Entry(index)) => Some(&self.catalog.tables[index].source),
                    Some(TableRef::Tpch { .. }) | None => None,
                };
                let comment = match source {
                    Some(TableSource::View { definition, .. }) => {
                        let definition = definition.as_ref().ok_or_else(omitted_definitions)?;
                        definition.comment.as_deref()
                    }
                    _ => None,
                };
                let comment = optional_text(comment);
                Ok(vec![text(name.catalog), text(name.schema), text(name.table), comment])
            })
            .collect()
    }

    fn information_columns(&mut self, catalog: &str) -> Result<Vec<Row>> {
        let columns = self.all_columns(catalog)?.into_iter();
        let rows = columns
            .map(|ListedColumn { table, name, data_type, position }| {
                vec![
                    text(table.catalog),
                    text(table.schema),
                    text(table.table),
                    text(name),
                    Value::Integer(position),
                    Value::Null,
                    text("YES"),
                    text(type_label(&data_type)),
                    Value::Null,
                    Value::Null,
                    Value::Null,
                ]
            })
            .collect();
        Ok(rows)
    }

    /// The tables of a catalog, by schema and name; generated tables have no `TableRef`.
    fn all_tables(&self, catalog: &str) -> Vec<(FullName, Option<TableRef>)> {
        let mut tables: BTreeMap<(String, String), Option<TableRef>> = BTreeMap::new();
        for schema in self.schemas_of(catalog) {
            if schema == INFORMATION_SCHEMA || catalog == SYSTEM_CATALOG {
                tables.extend(table_names(&schema).map(|name| ((schema.clone(), name.to_owned()), None)));
            } else if catalog == TPCH_CATALOG && TPCH_SCHEMAS.contains(&schema.as_str()) {
                tables.extend(TPCH_TABLES.map(|table| {
                    let reference = TableRef::Tpch { schema: schema.clone(), table: table.to_owned() };
                    ((schema.clone(), table.to_owned()), Some(reference))
                }));
            }
        }
        // A workspace's own table takes precedence over another table with its name.
        for (index, entry) in self.catalog.tables.iter().enumerate().rev() {
            if entry.catalog.to_lowercase() == catalog {
                let key = (entry.schema.to_lowercase(), entry.name.to_lowercase());
                tables.insert(key, Some(TableRef::Entry(index)));
            }
        }
        tables
            .into_iter()
            .map(|((schema, table), reference)| {
                (FullName { catalog: catalog.to_owned(), schema, table }, reference)
            })
            .collect()
    }

    /// The columns of all tables whose files are readable. A table that is not reports its error when it is queried.
    ///
    /// # Errors
    ///
    /// Columns of views did not fit into the snapshot.
    fn all_columns(&mut self, catalog: &str) -> Result<Vec<ListedColumn>> {
        let is_omitted = |source: &TableSource| matches!(source, TableSource::View { columns: None, .. });
        if self.catalog.tables.iter().any(|entry| is_omitted(&entry.source)) {
            return Err(omitted_lists());
        }
        let mut listed = Vec::new();
        for (table, reference) in self.all_tables(catalog) {
            let columns = match reference {
                Some(reference) => self.columns_of(&reference),
                None => Ok(system_columns(&table)),
            };
            let Ok(columns) = columns else { continue };
            for (position, (name, data_type)) in (1..).zip(columns) {
                listed.push(ListedColumn { table: table.clone(), name, data_type, position });
            }
        }
        Ok(listed)
    }

    /// The columns of a table that are part of `*`; for a view without rows, the columns that it will have.
    pub(super) fn listed_columns(
        &mut self,
        name: &FullName,
        place: Option<ErrorLocation>,
    ) -> Result<Vec<(String, Type)>> {
        if is_of_system(name) {
            self.check_schema(&name.catalog, &name.schema, place)?;
            let columns = system_columns(name);
            return if columns.is_empty() { Err(self.unknown_table(name, place)) } else { Ok(columns) };
        }
        let reference = self.table_ref(name, place)?;
        self.columns_of(&reference)
    }

    fn columns_of(&mut self, reference: &TableRef) -> Result<Vec<(String, Type)>> {
        if let TableRef::Entry(index) = reference
            && let TableSource::View { file: None, columns: Some(columns), .. } =
                &self.catalog.tables[*index].source
        {
            let typed =
                columns.iter().map(|column| Some((column.name.clone(), parse_type(&column.type_name)?)));
            if let Some(columns) = typed.collect::<Option<Vec<_>>>() {
                return Ok(columns);
            }
        }
        Ok(self.schema_of(reference)?.columns)
    }
}

/// Whether a name is in the namespace of generated tables, whether or not the table exists.
pub(super) fn is_of_system(name: &FullName) -> bool {
    name.schema == INFORMATION_SCHEMA || name.catalog == SYSTEM_CATALOG
}

fn system_columns(name: &FullName) -> Vec<(String, Type)> {
    let columns = system_table(&name.schema, &name.table).map(SystemTable::columns).unwrap_or_default();
    columns.into_iter().map(|(title, data_type)| (title.to_owned(), data_type)).collect()
}

/// The rows as literals of the columns' types.
pub(super) fn literals(rows: Vec<Row>, types: &[Type]) -> Vec<Vec<Expr>> {
    let literal = |(value, data_type): (Value, &Type)| Expr::literal(value, data_type.clone());
    rows.into_iter().map(|row| row.into_iter().zip(types).map(literal).collect()).collect()
}
