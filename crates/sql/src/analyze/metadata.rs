//! Metadata statements: SHOW and DESCRIBE, and the tables that are generated from the catalog. All of them become
//! VALUES, so that WHERE, joins and other clauses apply to them as to any rows.

use jiff::Span;
use jiff::civil::date;
use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::ObjectName;

use super::context::{Analyzer, Relation, user_error};
use super::place::place_of_name;
use super::table_names::{FullName, name_parts};
use crate::error::{Result, syntax_error};
use crate::expr::{Expr, ExprKind, Value};
use crate::plan::{Field, Plan};
use crate::show::{CreateKind, Like, Show};
use crate::statistics::{ColumnStatistics, RequestedColumn, TableStatistics};
use crate::types::Type;
use rowhouse_executor::catalog::{INFORMATION_SCHEMA, SessionProperty};

mod definitions;
mod functions;
mod jdbc;
mod rows;
mod runtime;
mod show_create;

#[cfg(test)]
pub(super) use definitions::TABLES;
pub(super) use definitions::table_names;
#[cfg(test)]
pub(super) use jdbc::column_row_of as jdbc_column_row;
use rows::{Row, literals, text, type_label};

impl Analyzer<'_> {
    /// SHOW and DESCRIBE.
    pub(super) fn show(&mut self, show: &Show) -> Result<Relation> {
        self.inputs.volatile = Some("the catalog");
        match show {
            Show::Catalogs(like) => {
                let rows: Vec<Row> = self.catalogs().into_iter().map(|catalog| vec![text(catalog)]).collect();
                let columns = widths(&["Catalog"], &rows);
                self.shown(columns, rows, like.as_ref())
            }
            Show::Schemas { catalog, like } => {
                let place = catalog.as_ref().and_then(place_of_name);
                let catalog = self.catalog_of(catalog.as_ref())?;
                self.check_schema(&catalog, INFORMATION_SCHEMA, place)?;
                let schemas = self.schemas_of(&catalog).into_iter();
                let rows = schemas.map(|schema| vec![text(schema)]).collect();
                self.shown(vec![("Schema", Type::VARCHAR)], rows, like.as_ref())
            }
            Show::Tables { schema, like } => {
                let place = schema.as_ref().and_then(place_of_name);
                let (catalog, schema) = self.schema_named(schema.as_ref())?;
                self.check_schema(&catalog, &schema, place)?;
                let tables = self.tables_of(&catalog, &schema).into_iter();
                let rows = tables.map(|table| vec![text(table)]).collect();
                self.shown(vec![("Table", Type::VARCHAR)], rows, like.as_ref())
            }
            Show::Columns { table, like } => {
                let name = self.full_name(&name_parts(table)?, place_of_name(table))?;
                let columns = self.listed_columns(&name, place_of_name(table))?.into_iter();
                let rows = columns
                    .map(|(name, data_type)| {
                        vec![text(name), text(type_label(&data_type)), text(""), text("")]
                    })
                    .collect();
                let titles = ["Column", "Type", "Extra", "Comment"];
                self.shown(titles.map(|title| (title, Type::VARCHAR)).into(), rows, like.as_ref())
            }
            Show::Create { kind: CreateKind::Schema, name } => self.show_create_schema(name),
            Show::Create { kind, name } => self.show_create(*kind, name),
            Show::Functions { schema, like } => self.show_functions(schema.as_ref(), like.as_ref()),
            Show::Session(like) => {
                let properties = self.catalog.session_properties.iter();
                let rows: Vec<Row> = properties
                    .map(|SessionProperty { name, value, default, type_name, description }| {
                        [name, value, default, type_name, description].map(|cell| text(cell.as_str())).into()
                    })
                    .collect();
                let columns = widths(&["Name", "Value", "Default", "Type", "Description"], &rows);
                self.shown(columns, rows, like.as_ref())
            }
            Show::TableStats(name) => self.show_table_stats(name),
            Show::QueryStats(query) => {
                let Relation { fields, .. } = self.query(query, None)?;
                self.stats(fields, None, &TableStatistics::new())
            }
            Show::Roles { catalog } => self.no_roles(catalog.as_ref(), "Role"),
            Show::RoleGrants { catalog } => self.no_roles(catalog.as_ref(), "Role Grants"),
            Show::Grants { table } => {
                if let Some(table) = table {
                    let place = place_of_name(table);
                    let name = self.full_name(&name_parts(table)?, place)?;
                    self.listed_columns(&name, place)?;
                }
                let titles = [
                    "Grantor",
                    "Grantor Type",
                    "Grantee",
                    "Grantee Type",
                    "Catalog",
                    "Schema",
                    "Table",
                    "Privilege",
                    "Grantable",
                    "With Hierarchy",
                ];
                self.shown(titles.map(|title| (title, Type::VARCHAR)).into(), Vec::new(), None)
            }
        }
    }

    /// The rows as constants, filtered by the LIKE pattern on the first column.
    fn shown(&mut self, columns: Vec<(&str, Type)>, rows: Vec<Row>, like: Option<&Like>) -> Result<Relation> {
        let types: Vec<Type> = columns.iter().map(|(_, data_type)| data_type.clone()).collect();
        let fields: Vec<Field> =
            columns.into_iter().map(|(title, data_type)| self.new_field(title, data_type)).collect();
        let plan = Plan::Values { fields: fields.clone(), rows: literals(rows, &types) };
        let plan = match like {
            None => plan,
            Some(Like { pattern, escape }) => {
                let escape =
                    escape.as_ref().map(|(escape, place)| one_character(escape, *place)).transpose()?;
                let value = Box::new(Expr::column(fields[0].id, types[0].clone()));
                let pattern = Box::new(Expr::literal(text(pattern.as_str()), Type::VARCHAR));
                let kind = ExprKind::Like { value, pattern, escape, is_case_insensitive: false };
                Plan::Filter { input: Box::new(plan), predicate: Expr::new(kind, Type::Boolean) }
            }
        };
        Ok(Relation { plan, fields })
    }

    /// SHOW STATS: a table's row count, and the column statistics of its files.
    fn show_table_stats(&mut self, name: &ObjectName) -> Result<Relation> {
        let table = self.table(name)?;
        let (row_count, known) = match &table.relation.plan {
            Plan::Scan(scan) => {
                let all = scan.columns.iter().map(|(_, name)| RequestedColumn { name, is_key: true });
                let all: Vec<RequestedColumn<'_>> = all.collect();
                let mut known = self.schemas.statistics(&self.tables[scan.table], &all);
                let of_fields =
                    scan.columns.iter().map(|(field, name)| (field.name.clone(), known.remove(name)));
                (scan.row_count, of_fields.filter_map(|(name, known)| Some((name, known?))).collect())
            }
            Plan::Values { rows, .. } => (Some(rows.len() as u64), TableStatistics::new()),
            _ => (None, TableStatistics::new()),
        };
        self.stats(table.relation.fields, row_count, &known)
    }

    fn stats(
        &mut self,
        fields: Vec<Field>,
        row_count: Option<u64>,
        known: &TableStatistics,
    ) -> Result<Relation> {
        let mut rows: Vec<Row> =
            fields.into_iter().map(|field| stats_of_column(field, row_count, known)).collect();
        #[expect(clippy::cast_precision_loss, reason = "Trino counts rows in doubles, too")]
        let row_count = row_count.map_or(Value::Null, |rows| Value::Double(rows as f64));
        let mut summary = vec![Value::Null; 7];
        summary[4] = row_count;
        rows.push(summary);
        let columns = vec![
            ("column_name", Type::VARCHAR),
            ("data_size", Type::Double),
            ("distinct_values_count", Type::Double),
            ("nulls_fraction", Type::Double),
            ("row_count", Type::Double),
            ("low_value", Type::VARCHAR),
            ("high_value", Type::VARCHAR),
        ];
        self.shown(columns, rows, None)
    }

    /// Roles belong to the server, so SQL shows none, as Trino without a role manager.
    fn no_roles(&mut self, catalog: Option<&ObjectName>, title: &str) -> Result<Relation> {
        if let Some(name) = catalog {
            let catalog = self.catalog_of(catalog)?;
            self.check_schema(&catalog, INFORMATION_SCHEMA, place_of_name(name))?;
            let message = format!("Catalog '{catalog}' does not support role management");
            return Err(user_error(ErrorCode::NotSupported, place_of_name(name), message));
        }
        self.shown(vec![(title, Type::VARCHAR)], Vec::new(), None)
    }

    /// The named catalog, or the default catalog.
    fn catalog_of(&self, name: Option<&ObjectName>) -> Result<String> {
        let Some(name) = name else { return Ok(self.catalog.default_catalog.to_lowercase()) };
        match name_parts(name)?.as_slice() {
            [catalog] => Ok(catalog.clone()),
            parts => {
                let message = format!("Too many parts in catalog name: {}", parts.join("."));
                Err(syntax_error(place_of_name(name), message))
            }
        }
    }

    /// The catalog and the schema of a schema's name; the defaults if there is none.
    fn schema_named(&self, name: Option<&ObjectName>) -> Result<(String, String)> {
        let catalog = || self.catalog.default_catalog.to_lowercase();
        let Some(name) = name else { return Ok((catalog(), self.catalog.default_schema.to_lowercase())) };
        match name_parts(name)?.as_slice() {
            [schema] => Ok((catalog(), schema.clone())),
            [catalog, schema] => Ok((catalog.clone(), schema.clone())),
            parts => {
                let message = format!("Too many parts in schema name: {}", parts.join("."));
                Err(syntax_error(place_of_name(name), message))
            }
        }
    }
}

/// A column's row in the output of SHOW STATS.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "Trino counts in doubles, too"
)]
fn stats_of_column(field: Field, row_count: Option<u64>, known: &TableStatistics) -> Row {
    let ColumnStatistics { null_count, distinct_count, is_bound: _, range } =
        known.get(&field.name).copied().unwrap_or_default();
    let nulls = null_count.zip(row_count).map(|(nulls, rows)| nulls as f64 / rows.max(1) as f64);
    let double = |value: Option<f64>| value.map_or(Value::Null, Value::Double);
    let shown = |value: Option<f64>| match (value, &field.data_type) {
        (None, _) => Value::Null,
        (Some(days), Type::Date) => {
            let date = Span::new().try_days(days as i64).and_then(|days| date(1970, 1, 1).checked_add(days));
            date.map_or(Value::Null, |date| text(date.to_string()))
        }
        (Some(value), _) => text(value.to_string()),
    };
    let (low, high) = (shown(range.map(|(low, _)| low)), shown(range.map(|(_, high)| high)));
    let distinct = double(distinct_count.map(|count| count as f64));
    vec![text(field.name), Value::Null, distinct, double(nulls), Value::Null, low, high]
}

/// Columns of texts, each with the length of its longest text, as in Trino's rows of constants.
fn widths<'t>(titles: &[&'t str], rows: &[Row]) -> Vec<(&'t str, Type)> {
    let length = |index: usize| {
        let lengths = rows.iter().map(|row| match &row[index] {
            Value::Varchar(text) => text.chars().count() as u64,
            _ => 0,
        });
        lengths.max()
    };
    let data_type = |index| length(index).map_or(Type::VARCHAR, Type::varchar);
    titles.iter().enumerate().map(|(index, title)| (*title, data_type(index))).collect()
}

fn one_character(escape: &str, place: Option<ErrorLocation>) -> Result<char> {
    let mut characters = escape.chars();
    match (characters.next(), characters.next()) {
        (Some(escape), None) => Ok(escape),
        _ => {
            let message = "Escape string must be a single character";
            Err(user_error(ErrorCode::InvalidFunctionArgument, place, message))
        }
    }
}

/// A name as SQL shows it: delimited unless it is an unreserved word of a-z, digits and `_`.
fn shown_part(name: &str) -> String {
    let mut bytes = name.bytes();
    let is_plain = bytes.next().is_some_and(|first| first.is_ascii_lowercase() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        && !crate::keywords::is_reserved(&name.to_ascii_uppercase());
    if is_plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

fn shown_full(name: &FullName) -> String {
    [&name.catalog, &name.schema, &name.table].map(|part| shown_part(part)).join(".")
}
