//! DESCRIBE OUTPUT and DESCRIBE INPUT of a prepared statement: its columns and the types of its parameters, as rows of
//! constants with Trino's column types.

use std::collections::{HashMap, HashSet};

use rowhouse_executor::CatalogSnapshot;
use rowhouse_executor::catalog::TPCH_CATALOG;
use rowhouse_model::ErrorLocation;
use sqlparser::ast::{SelectItem, SetExpr, Statement};

use crate::expr::{Expr, ExprKind, Value};
use crate::parse::Body;
use crate::plan::{ColumnId, Field, Plan};
use crate::statement::{Analyzed, Inputs, TableRef};
use crate::types::Type;

/// The output columns; for each column that is read unchanged from a table, also that table.
pub(super) fn output(analyzed: &Analyzed, aliased: &[bool], catalog: &CatalogSnapshot) -> Analyzed {
    let origins = origins(analyzed, catalog);
    let is_aliased = |index: usize| aliased.len() == analyzed.output.len() && aliased[index];
    let rows = analyzed.output.iter().enumerate().map(|(index, field)| {
        let [catalog, schema, table] = origins.get(&field.id).cloned().unwrap_or_default();
        vec![
            Value::Varchar(field.name.clone()),
            Value::Varchar(catalog),
            Value::Varchar(schema),
            Value::Varchar(table),
            Value::Varchar(field.data_type.to_string()),
            Value::Integer(field.data_type.fixed_bytes().into()),
            Value::Boolean(is_aliased(index)),
        ]
    });
    let rows: Vec<_> = rows.collect();
    let text = |column: usize| longest_text(&rows, column);
    let columns = [
        ("Column Name", text(0)),
        ("Catalog", text(1)),
        ("Schema", text(2)),
        ("Table", text(3)),
        ("Type", text(4)),
        ("Type Size", Type::Integer),
        ("Aliased", Type::Boolean),
    ];
    constants(&columns, rows)
}

/// The type of each parameter; `unknown` if the statement accepts any type.
pub(super) fn input(analyzed: &Analyzed, places: &[ErrorLocation]) -> Analyzed {
    let mut types: HashMap<ErrorLocation, Type> = HashMap::new();
    let known: HashSet<ErrorLocation> = places.iter().copied().collect();
    let mut note = |expr: &Expr| {
        expr.visit(&mut |expr| {
            if let (ExprKind::Literal(Value::Null), Some(place)) = (&expr.kind, expr.location)
                && expr.data_type != Type::Unknown
                && known.contains(&place)
            {
                types.entry(place).or_insert_with(|| expr.data_type.clone());
            }
        });
    };
    for plan in analyzed.shared.iter().chain([&analyzed.plan]) {
        plan.visit(&mut |node| node.expressions().into_iter().for_each(&mut note));
    }
    let rows = places.iter().enumerate().map(|(position, place)| {
        let data_type = types.get(place).map_or_else(|| "unknown".to_owned(), Type::to_string);
        vec![Value::Integer(i64::try_from(position).unwrap_or(i64::MAX)), Value::Varchar(data_type)]
    });
    let rows: Vec<_> = rows.collect();
    let columns = match rows.is_empty() {
        true => [("Position", Type::BigInt), ("Type", Type::VARCHAR)],
        false => [("Position", Type::Integer), ("Type", longest_text(&rows, 1))],
    };
    constants(&columns, rows)
}

/// For each item of a query's select list, whether it has an alias (AS). An item may expand to several columns.
pub(super) fn aliased_columns(body: &Body) -> Vec<bool> {
    let Body::Statement(Statement::Query(query)) = body else { return Vec::new() };
    let SetExpr::Select(select) = query.body.as_ref() else { return Vec::new() };
    select.projection.iter().map(|item| matches!(item, SelectItem::ExprWithAlias { .. })).collect()
}

/// Catalog, schema and table of columns that are read from tables.
fn origins(analyzed: &Analyzed, catalog: &CatalogSnapshot) -> HashMap<ColumnId, [String; 3]> {
    let name_of = |table: &TableRef| match table {
        TableRef::Entry(index) => {
            let entry = &catalog.tables[*index];
            [entry.catalog.clone(), entry.schema.clone(), entry.name.clone()]
        }
        TableRef::Tpch { schema, table } => [TPCH_CATALOG.to_owned(), schema.clone(), table.clone()],
    };
    let mut origins = HashMap::new();
    let mut copies = Vec::new();
    for plan in analyzed.shared.iter().chain([&analyzed.plan]) {
        plan.visit(&mut |node| match node {
            Plan::Scan(scan) => {
                let name = name_of(&analyzed.tables[scan.table]);
                origins.extend(scan.columns.iter().map(|(field, _)| (field.id, name.clone())));
            }
            Plan::Project { columns, .. } => {
                copies.extend(columns.iter().filter_map(|(field, expr)| match expr.kind {
                    ExprKind::Column(source) => Some((field.id, source)),
                    _ => None,
                }));
            }
            _ => {}
        });
    }
    // Outer nodes were visited first, so the copies are resolved in reverse.
    for (copy, source) in copies.into_iter().rev() {
        if let Some(name) = origins.get(&source).cloned() {
            origins.insert(copy, name);
        }
    }
    origins
}

/// The type of a column of constant texts: `varchar` of the greatest length.
fn longest_text(rows: &[Vec<Value>], column: usize) -> Type {
    let length = |row: &Vec<Value>| match row.get(column) {
        Some(Value::Varchar(text)) => u32::try_from(text.chars().count()).unwrap_or(u32::MAX),
        _ => 0,
    };
    Type::Varchar { length: Some(rows.iter().map(length).max().unwrap_or(0)) }
}

fn constants(columns: &[(&str, Type)], rows: Vec<Vec<Value>>) -> Analyzed {
    let fields = columns.iter().enumerate().map(|(index, (name, data_type))| {
        Field::new(ColumnId(u32::try_from(index).unwrap_or(u32::MAX)), *name, data_type.clone())
    });
    let fields: Vec<Field> = fields.collect();
    let row = |row: Vec<Value>| {
        row.into_iter()
            .zip(columns)
            .map(|(value, (_, data_type))| Expr::literal(value, data_type.clone()))
            .collect()
    };
    Analyzed {
        plan: Plan::Values { fields: fields.clone(), rows: rows.into_iter().map(row).collect() },
        output: fields,
        shared: Vec::new(),
        tables: Vec::new(),
        statistics: Vec::new(),
        is_explain_analyze: false,
        inputs: Inputs { volatile: Some("the catalog"), date: false },
    }
}
