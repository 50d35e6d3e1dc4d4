//! Filters of scans. Polars evaluates the conditions over one column of a Parquet file while it decodes the column, and
//! in a dictionary once for each value instead of each row, but only if the filter consists of nothing else. Otherwise
//! it decodes the columns of all conditions as a whole, and evaluates every condition for every row. Therefore other
//! conditions are evaluated above the scan, for the rows that pass the first ones, where that is estimated to cost less.

use std::collections::HashSet;

use super::Lowering;
use crate::scan::TableScan;
use rowhouse_sql::expr::fallible::is_fallible;
use rowhouse_sql::expr::{Expr, ExprKind};
use rowhouse_sql::filter_fraction;
use rowhouse_sql::plan::{ColumnId, Plan, Scan};
use rowhouse_sql::statistics::RequestedColumn;
use rowhouse_sql::types::Type;

/// The cost of decoding a value, and of evaluating a comparison for it: both are some two nanoseconds.
const DECODED: f64 = 1.0;
const COMPARED: f64 = 1.0;
/// The cost of a value of a row that the filter of the scan drops.
const DROPPED: f64 = 0.5;
/// The cost of copying a value when a later filter drops other rows.
const COPIED: f64 = 0.25;

impl Lowering<'_> {
    /// Divides the conditions of a filter into those of the scan and those that are evaluated above it; without a
    /// division, all are in the first part.
    pub(super) fn divided_conditions(&self, input: &Plan, conditions: Vec<Expr>) -> (Vec<Expr>, Vec<Expr>) {
        let Plan::Scan(scan) = input else { return (conditions, Vec::new()) };
        let table = &self.tables[scan.table];
        // Conditions that can fail are evaluated last.
        let is_order_free = |condition: &Expr| !is_fallible(condition) && !condition.is_random();
        if !table.is_decoded_by_column() || !conditions.iter().all(is_order_free) {
            return (conditions, Vec::new());
        }
        let (first, later): (Vec<Expr>, Vec<Expr>) =
            conditions.iter().cloned().partition(is_evaluated_in_decoder);
        if first.is_empty() || later.is_empty() || !is_worth_it(scan, table, &first, &later) {
            return (conditions, Vec::new());
        }
        (first, later)
    }
}

/// Whether Polars evaluates a condition while it decodes its only column, which it does not for every type.
fn is_evaluated_in_decoder(condition: &Expr) -> bool {
    let is_supported = |data_type: &Type| {
        matches!(
            data_type,
            Type::Boolean
                | Type::TinyInt
                | Type::SmallInt
                | Type::Integer
                | Type::BigInt
                | Type::Varchar { .. }
                | Type::Varbinary
                | Type::Date
                | Type::Time { .. }
                | Type::Timestamp { .. }
        )
    };
    match condition.typed_columns().as_slice() {
        [(id, data_type), rest @ ..] => is_supported(data_type) && rest.iter().all(|(other, _)| other == id),
        [] => false,
    }
}

/// Compares the estimated costs per row of the table. The row groups that a condition excludes are skipped only if it
/// is in the scan.
fn is_worth_it(scan: &Scan, table: &TableScan, first: &[Expr], later: &[Expr]) -> bool {
    let ids =
        |conditions: &[Expr]| -> HashSet<ColumnId> { conditions.iter().flat_map(Expr::columns).collect() };
    let (of_first, of_later) = (ids(first), ids(later));
    let name_of =
        |id: &ColumnId| scan.columns.iter().find(|(field, _)| field.id == *id).map(|(_, name)| name.as_str());
    if of_later.iter().filter_map(name_of).any(|name| table.has_ordered_row_groups(name)) {
        return false;
    }
    let requested: Vec<RequestedColumn<'_>> = of_first
        .union(&of_later)
        .filter_map(name_of)
        .map(|name| RequestedColumn { name, is_key: false })
        .collect();
    let statistics = table.statistics(&requested);
    let passes_first = filter_fraction(scan, &Expr::and(first.to_vec()), &statistics);
    let passes_all = filter_fraction(scan, &Expr::and([first, later].concat()), &statistics);
    let count = |number: usize| f64::from(u32::try_from(number).unwrap_or(u32::MAX));
    let read = |columns: f64, part: f64| columns * (DROPPED + (DECODED - DROPPED) * part);
    let (columns_first, columns_later) =
        (count(of_first.len()), count(of_later.difference(&of_first).count()));
    let others = count(scan.columns.len()) - columns_first - columns_later;
    let in_scan = (columns_first + columns_later) * DECODED
        + count(comparisons(first) + comparisons(later)) * COMPARED
        + read(others, passes_all);
    let apart = columns_first * DECODED
        + read(columns_later + others, passes_first)
        + passes_first * (count(comparisons(later)) * COMPARED + count(scan.columns.len()) * COPIED);
    apart < in_scan
}

/// The number of comparisons and other tests in conditions.
fn comparisons(conditions: &[Expr]) -> usize {
    let mut count = 0;
    for condition in conditions {
        condition.visit(&mut |node| {
            let is_connective = matches!(node.kind, ExprKind::And(_) | ExprKind::Or(_) | ExprKind::Not(_));
            count += usize::from(node.data_type == Type::Boolean && !is_connective);
        });
    }
    count
}
