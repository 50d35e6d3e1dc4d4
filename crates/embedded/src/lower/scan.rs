//! Scan and Values, the sources of rows.

use std::collections::BTreeSet;

use polars::prelude::{Column, DataFrame, Expr, IntoLazy, LazyFrame, col};
use rowhouse_model::QueryError;

use super::Lowering;
use crate::column::column_name;
use crate::data_type::storage;
use crate::datum::{Datum, build};
use crate::expression::{evaluate_constant, literal_datum};
use crate::failure;
use crate::scan::TableScan;
use rowhouse_sql::Analyzed;
use rowhouse_sql::expr::Expr as SqlExpr;
use rowhouse_sql::plan::{Field, Plan, Scan};

/// The column of a relation without columns, which only represents the number of rows.
const ROWS_ONLY: &str = "#rows";

impl Lowering<'_> {
    pub(super) fn scan(&self, node: &Scan) -> Result<LazyFrame, QueryError> {
        let (table, frame) = (&self.tables[node.table], self.frames[node.table].clone());
        let mut selected: Vec<Expr> = node
            .columns
            .iter()
            .map(|(field, name)| col(name.as_str()).alias(column_name(field.id)))
            .collect();
        if selected.is_empty()
            && let Some((name, _)) = table.columns.first()
        {
            // Projection pushdown removes it wherever it is not needed for a count.
            selected.push(col(name.as_str()).alias(ROWS_ONLY));
        }
        Ok(frame.select(selected))
    }
}

/// The frame of each table: cached columns if all columns that the statement reads of it are cached. It is the same for
/// all scans of a table, which so see one version of it, and whose common subplans Polars recognizes.
pub(super) fn frames(analyzed: &Analyzed, tables: &[TableScan]) -> Vec<LazyFrame> {
    let mut names: Vec<BTreeSet<&str>> = vec![BTreeSet::new(); tables.len()];
    for plan in analyzed.shared.iter().chain([&analyzed.plan]) {
        collect_names(plan, &mut names);
    }
    let of_table =
        |(table, names): (&TableScan, BTreeSet<&str>)| table.frame_of(&names.into_iter().collect::<Vec<_>>());
    tables.iter().zip(names).map(of_table).collect()
}

fn collect_names<'p>(plan: &'p Plan, names: &mut [BTreeSet<&'p str>]) {
    if let Plan::Scan(scan) = plan {
        names[scan.table].extend(scan.columns.iter().map(|(_, name)| name.as_str()));
    }
    for input in plan.inputs() {
        collect_names(input, names);
    }
}

/// Lowers literal rows. Constants become a column directly; other expressions are evaluated first, once for each row.
pub(super) fn values(fields: &[Field], rows: &[Vec<SqlExpr>]) -> Result<LazyFrame, QueryError> {
    let mut columns = Vec::with_capacity(fields.len().max(1));
    for (index, field) in fields.iter().enumerate() {
        let values = rows
            .iter()
            .map(|row| match row[index].as_literal() {
                Some(value) => Ok(literal_datum(value)),
                None => evaluate_constant(&row[index]),
            })
            .collect::<Result<Vec<Datum<'static>>, QueryError>>()?;
        let series = build(column_name(field.id), values, &field.data_type)
            .and_then(|series| series.cast(&storage(&field.data_type)))
            .map_err(|error| failure::query_error(&error))?;
        columns.push(Column::from(series));
    }
    if columns.is_empty() {
        columns.push(Column::new(ROWS_ONLY.into(), vec![true; rows.len()]));
    }
    let frame = DataFrame::new(rows.len(), columns).map_err(|error| failure::query_error(&error))?;
    Ok(frame.lazy())
}
