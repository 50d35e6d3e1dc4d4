//! What a workspace may see: SHOW, DESCRIBE and the information schema, as rows made from the catalog.

use rowhouse_model::{ErrorCode, ErrorLocation};
use sqlparser::ast::{
    DescribeAlias, ObjectName, ShowStatementFilter, ShowStatementFilterPosition, ShowStatementIn,
    ShowStatementInClause, ShowStatementOptions, Statement,
};

use super::context::{Analyzer, Relation, refuse_if, user_error};
use super::place::place_of_name;
use super::table_names::{FullName, INFORMATION_SCHEMA, name_parts};
use crate::error::{Result, not_supported, suggestion};
use crate::expr::{Expr, ExprKind, Value};
use crate::plan::{Field, Plan};
use crate::statement::TableRef;
use crate::types::Type;
use rowhouse_executor::catalog::TableSource;

impl Analyzer<'_> {
    /// A statement that is no query: what shows the catalog is answered, all else is refused.
    pub(super) fn metadata_statement(&mut self, statement: &Statement) -> Result<Relation> {
        match statement {
            Statement::ShowCatalogs { terse, history, show_options } => {
                refuse_if(*terse || *history, None, "TERSE and HISTORY of SHOW")?;
                let (names, filter) = show_options_of(show_options)?;
                refuse_if(names.is_some(), None, "IN of SHOW CATALOGS")?;
                let catalogs = self.catalogs();
                Ok(self.listed("Catalog", catalogs, filter))
            }
            Statement::ShowSchemas { terse, history, show_options } => {
                refuse_if(*terse || *history, None, "TERSE and HISTORY of SHOW")?;
                let (name, filter) = show_options_of(show_options)?;
                let catalog = match name {
                    None => self.catalog.default_catalog.to_lowercase(),
                    Some(name) => match name_parts(name)?.as_slice() {
                        [catalog] => catalog.clone(),
                        _ => return Err(not_supported(place_of_name(name), "this name of a catalog")),
                    },
                };
                self.check_schema(&catalog, INFORMATION_SCHEMA, name.and_then(place_of_name))?;
                let schemas = self.schemas_of(&catalog);
                Ok(self.listed("Schema", schemas, filter))
            }
            Statement::ShowTables { terse, history, extended, full, external, show_options } => {
                refuse_if(
                    *terse || *history || *extended || *full || *external,
                    None,
                    "an option of SHOW TABLES",
                )?;
                let (name, filter) = show_options_of(show_options)?;
                let (catalog, schema) = match name {
                    None => (
                        self.catalog.default_catalog.to_lowercase(),
                        self.catalog.default_schema.to_lowercase(),
                    ),
                    Some(name) => match name_parts(name)?.as_slice() {
                        [schema] => (self.catalog.default_catalog.to_lowercase(), schema.clone()),
                        [catalog, schema] => (catalog.clone(), schema.clone()),
                        _ => return Err(not_supported(place_of_name(name), "this name of a schema")),
                    },
                };
                self.check_schema(&catalog, &schema, name.and_then(place_of_name))?;
                let tables = self.tables_of(&catalog, &schema);
                Ok(self.listed("Table", tables, filter))
            }
            Statement::ShowColumns { extended, full, show_options } => {
                refuse_if(*extended || *full, None, "an option of SHOW COLUMNS")?;
                let (name, filter) = show_options_of(show_options)?;
                let Some(name) = name else {
                    return Err(not_supported(None, "SHOW COLUMNS without a table"));
                };
                refuse_if(filter.is_some(), place_of_name(name), "LIKE of SHOW COLUMNS")?;
                self.described(name)
            }
            Statement::ExplainTable { describe_alias, hive_format, has_table_keyword, table_name } => {
                refuse_if(*describe_alias == DescribeAlias::Explain, None, "EXPLAIN of a table")?;
                refuse_if(hive_format.is_some() || *has_table_keyword, None, "an option of DESCRIBE")?;
                self.described(table_name)
            }
            other => {
                let text = other.to_string();
                let verb: String = text.split_whitespace().next().unwrap_or("this statement").to_uppercase();
                let start = ErrorLocation { line_number: 1, column_number: 1 };
                let message = format!("{verb} is not supported: statements here only read");
                Err(user_error(ErrorCode::NotSupported, Some(start), message))
            }
        }
    }

    fn listed(&mut self, title: &str, names: Vec<String>, filter: Option<&str>) -> Relation {
        let rows = names.into_iter().map(|name| vec![text(name)]).collect();
        let fields = vec![self.new_field(title, Type::VARCHAR)];
        let plan = Plan::Values { fields: fields.clone(), rows };
        let plan = match filter {
            None => plan,
            Some(pattern) => {
                let value = Box::new(Expr::column(fields[0].id, Type::VARCHAR));
                let pattern = Box::new(text(pattern.to_owned()));
                let kind = ExprKind::Like { value, pattern, escape: None, is_case_insensitive: false };
                Plan::Filter { input: Box::new(plan), predicate: Expr::new(kind, Type::Boolean) }
            }
        };
        Relation { plan, fields }
    }

    /// Columns of a table, as SHOW COLUMNS and DESCRIBE of Trino.
    fn described(&mut self, name: &ObjectName) -> Result<Relation> {
        let (Relation { plan: _, fields }, _) = self.table(name)?;
        let rows = fields
            .iter()
            .map(|field| {
                let cells = [field.name.clone(), field.data_type.to_string(), String::new(), String::new()];
                cells.into_iter().map(text).collect()
            })
            .collect();
        let fields: Vec<Field> =
            ["Column", "Type", "Extra", "Comment"].map(|title| self.new_field(title, Type::VARCHAR)).into();
        Ok(Relation { plan: Plan::Values { fields: fields.clone(), rows }, fields })
    }

    /// A table of the information schema.
    pub(super) fn information_schema(
        &mut self,
        name: &FullName,
        place: Option<ErrorLocation>,
    ) -> Result<Relation> {
        self.check_schema(&name.catalog, INFORMATION_SCHEMA, place)?;
        let catalog = name.catalog.clone();
        let (titles, rows): (&[(&str, Type)], Vec<Vec<Expr>>) = match name.table.as_str() {
            "schemata" => (
                &[("catalog_name", Type::VARCHAR), ("schema_name", Type::VARCHAR)],
                self.schemas_of(&catalog)
                    .into_iter()
                    .map(|schema| vec![text(catalog.clone()), text(schema)])
                    .collect(),
            ),
            "tables" => (
                &[
                    ("table_catalog", Type::VARCHAR),
                    ("table_schema", Type::VARCHAR),
                    ("table_name", Type::VARCHAR),
                    ("table_type", Type::VARCHAR),
                ],
                self.all_tables(&catalog)
                    .into_iter()
                    .map(|(schema, table)| {
                        vec![text(catalog.clone()), text(schema), text(table), text("BASE TABLE".to_owned())]
                    })
                    .collect(),
            ),
            "columns" => (
                &[
                    ("table_catalog", Type::VARCHAR),
                    ("table_schema", Type::VARCHAR),
                    ("table_name", Type::VARCHAR),
                    ("column_name", Type::VARCHAR),
                    ("ordinal_position", Type::BigInt),
                    ("column_default", Type::VARCHAR),
                    ("is_nullable", Type::VARCHAR),
                    ("data_type", Type::VARCHAR),
                ],
                self.all_columns(&catalog, place)?,
            ),
            other => {
                let near = suggestion(other, ["columns", "schemata", "tables"]);
                let message = format!("Table '{catalog}.{INFORMATION_SCHEMA}.{other}' does not exist{near}");
                return Err(user_error(ErrorCode::TableNotFound, place, message));
            }
        };
        let fields: Vec<Field> =
            titles.iter().map(|(title, data_type)| self.new_field(*title, data_type.clone())).collect();
        Ok(Relation { plan: Plan::Values { fields: fields.clone(), rows }, fields })
    }

    fn all_tables(&self, catalog: &str) -> Vec<(String, String)> {
        self.schemas_of(catalog)
            .into_iter()
            .flat_map(|schema| {
                self.tables_of(catalog, &schema).into_iter().map(move |table| (schema.clone(), table))
            })
            .collect()
    }

    /// The columns of every table whose files can be read; one that cannot says so when it is queried.
    fn all_columns(&mut self, catalog: &str, place: Option<ErrorLocation>) -> Result<Vec<Vec<Expr>>> {
        let mut rows = Vec::new();
        for (schema, table) in self.all_tables(catalog) {
            if schema == INFORMATION_SCHEMA {
                continue;
            }
            let full = FullName { catalog: catalog.to_owned(), schema: schema.clone(), table: table.clone() };
            let reference = self.table_ref(&full, place)?;
            let is_empty_view = match &reference {
                TableRef::Entry(index) => {
                    matches!(self.catalog.tables[*index].source, TableSource::View { file: None, .. })
                }
                TableRef::Tpch { .. } => false,
            };
            if is_empty_view {
                continue;
            }
            let Ok(described) = self.schema_of(&reference) else { continue };
            for (index, (column, data_type)) in described.columns.into_iter().enumerate() {
                let position = i64::try_from(index + 1).unwrap_or(i64::MAX);
                rows.push(vec![
                    text(catalog.to_owned()),
                    text(schema.clone()),
                    text(table.clone()),
                    text(column),
                    Expr::literal(Value::Integer(position), Type::BigInt),
                    Expr::literal(Value::Null, Type::VARCHAR),
                    text("YES".to_owned()),
                    text(data_type.to_string()),
                ]);
            }
        }
        Ok(rows)
    }
}

fn text(value: String) -> Expr {
    Expr::literal(Value::Varchar(value), Type::VARCHAR)
}

/// The name after FROM or IN, and the pattern after LIKE.
fn show_options_of(options: &ShowStatementOptions) -> Result<(Option<&ObjectName>, Option<&str>)> {
    let ShowStatementOptions { show_in, starts_with, limit, limit_from, filter_position } = options;
    refuse_if(starts_with.is_some(), None, "STARTS WITH of SHOW")?;
    refuse_if(limit.is_some() || limit_from.is_some(), None, "LIMIT of SHOW")?;
    let name = match show_in {
        None => None,
        Some(ShowStatementIn { clause, parent_type, parent_name }) => {
            match clause {
                ShowStatementInClause::IN | ShowStatementInClause::FROM => {}
            }
            refuse_if(parent_type.is_some(), None, "a kind of thing after IN of SHOW")?;
            parent_name.as_ref()
        }
    };
    let filter = match filter_position {
        None => None,
        Some(
            ShowStatementFilterPosition::Suffix(ShowStatementFilter::Like(pattern))
            | ShowStatementFilterPosition::Infix(ShowStatementFilter::Like(pattern)),
        ) => Some(pattern.as_str()),
        Some(_) => return Err(not_supported(None, "this filter of SHOW")),
    };
    Ok((name, filter))
}
