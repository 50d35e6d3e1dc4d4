//! SHOW CREATE: the statement that would create an object, in Trino's format.

use rowhouse_model::ErrorCode;
use sqlparser::ast::ObjectName;

use super::rows::text;
use super::{shown_full, shown_part, widths};
use crate::analyze::context::Relation;
use crate::analyze::context::{Analyzer, user_error};
use crate::analyze::place::place_of_name;
use crate::analyze::table_names::{FullName, name_parts};
use crate::error::Result;
use crate::omitted::omitted_definition;
use crate::show::CreateKind;
use crate::statement::TableRef;
use crate::types::Type;
use rowhouse_executor::catalog::{TableSource, ViewDefinition};

impl Analyzer<'_> {
    pub(super) fn show_create_schema(&mut self, name: &ObjectName) -> Result<Relation> {
        let (catalog, schema) = self.schema_named(Some(name))?;
        self.check_schema(&catalog, &schema, place_of_name(name))?;
        let shown = format!("CREATE SCHEMA {}.{}", shown_part(&catalog), shown_part(&schema));
        self.created("Create Schema", shown)
    }

    pub(super) fn show_create(&mut self, kind: CreateKind, name: &ObjectName) -> Result<Relation> {
        let place = place_of_name(name);
        let full = self.full_name(&name_parts(name)?, place)?;
        let columns = self.listed_columns(&full, place)?;
        let view = self.view_named(&full);
        let wrong_kind = |is: &str, wanted: &str| {
            let FullName { catalog, schema, table } = &full;
            let message = format!("Relation '{catalog}.{schema}.{table}' is a {is}, not a {wanted}");
            Err(user_error(ErrorCode::NotSupported, place, message))
        };
        match (kind, view) {
            (CreateKind::Schema, _) => self.show_create_schema(name),
            (CreateKind::Table, Some(_)) => wrong_kind("materialized view", "table"),
            (CreateKind::View, Some(_)) => wrong_kind("materialized view", "view"),
            (CreateKind::View, None) => wrong_kind("table", "view"),
            (CreateKind::MaterializedView, None) => wrong_kind("table", "materialized view"),
            (CreateKind::Table, None) => {
                let columns: Vec<String> = columns
                    .iter()
                    .map(|(name, data_type)| format!("   {} {}", shown_part(name), declared(data_type)))
                    .collect();
                let shown = format!("CREATE TABLE {} (\n{}\n)", shown_full(&full), columns.join(",\n"));
                self.created("Create Table", shown)
            }
            (CreateKind::MaterializedView, Some(None)) => Err(omitted_definition(&full.table)),
            (CreateKind::MaterializedView, Some(Some(definition))) => {
                let ViewDefinition { sql, comment, refreshed_at: _ } = definition;
                let comment = comment
                    .as_ref()
                    .map(|comment| format!("\nCOMMENT '{}'", comment.replace('\'', "''")))
                    .unwrap_or_default();
                let shown = format!("CREATE MATERIALIZED VIEW {}{comment} AS\n{sql}", shown_full(&full));
                self.created("Create Materialized View", shown)
            }
        }
    }

    fn created(&mut self, title: &str, shown: String) -> Result<Relation> {
        let rows = vec![vec![text(shown)]];
        let columns = widths(&[title], &rows);
        self.shown(columns, rows, None)
    }

    /// The view with this name; the inner `None` if its definition is not in the catalog.
    fn view_named(&self, name: &FullName) -> Option<Option<ViewDefinition>> {
        let Ok(TableRef::Entry(index)) = self.table_ref(name, None) else { return None };
        match &self.catalog.tables[index].source {
            TableSource::View { definition, .. } => Some(definition.clone()),
            TableSource::Files { .. } => None,
        }
    }
}

/// A type in the syntax of CREATE TABLE.
fn declared(data_type: &Type) -> String {
    match data_type {
        Type::Decimal { precision, scale } => format!("decimal({precision}, {scale})"),
        Type::Array(element) => format!("array({})", declared(element)),
        Type::Map(key, value) => format!("map({}, {})", declared(key), declared(value)),
        Type::Row(fields) => {
            let fields: Vec<String> = fields
                .iter()
                .map(|field| match &field.name {
                    Some(name) => format!("{} {}", shown_part(name), declared(&field.data_type)),
                    None => declared(&field.data_type),
                })
                .collect();
            format!("ROW({})", fields.join(", "))
        }
        other => other.to_string(),
    }
}
