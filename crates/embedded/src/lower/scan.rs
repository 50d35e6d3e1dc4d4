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

/// The frame of each table: cached columns if all columns that the statement reads of it are cached. All scans of a
/// table share one frame, so that they see one version of the table and Polars recognizes their common subplans.
pub(super) fn frames(analyzed: &Analyzed, tables: &[TableScan]) -> Vec<LazyFrame> {
    let mut reads: Vec<Reads> = tables.iter().map(|_| Reads::default()).collect();
    for plan in analyzed.shared.iter().chain([&analyzed.plan]) {
        plan.visit(&mut |node| {
            if let Plan::Scan(scan) = node {
                let read = &mut reads[scan.table];
                read.counts_rows |= scan.columns.is_empty();
                read.names.extend(scan.columns.iter().map(|(_, name)| name.clone()));
            }
        });
    }
    let of_table = |(table, mut read): (&TableScan, Reads)| {
        // Rows are counted by the first column, see `scan`.
        if read.counts_rows && !read.names.is_empty() {
            read.names.extend(table.columns.first().map(|(name, _)| name.clone()));
        }
        table.frame_of(&read.names.iter().map(String::as_str).collect::<Vec<_>>())
    };
    tables.iter().zip(reads).map(of_table).collect()
}

/// What a statement reads of a table.
#[derive(Default)]
struct Reads {
    names: BTreeSet<String>,
    /// Whether a scan reads no column, only the number of rows.
    counts_rows: bool,
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
