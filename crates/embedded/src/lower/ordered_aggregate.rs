//! Aggregation of rows that are in the order of the key, as the lines of an order are in its table: each run of equal
//! keys is a group, and no hash table of all groups is needed. Only at the borders of batches a group may have several
//! runs.
//!
//! Statistics say where this is tried; that no key returns after another one is checked with the rows.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use polars::prelude::{
    BooleanChunked, Column, DataFrame, DataType, Expr, IntoLazy, LazyFrame, PlSmallStr, PolarsResult,
    UnionArgs, col, concat,
};
use rowhouse_model::QueryError;

use super::Lowering;
use super::aggregate_steps::Steps;
use crate::attempt::Attempt;
use crate::column::column_name;
use crate::failure;
use crate::numeric::single;
use crate::partial_aggregation::Attempts;
use crate::scan::TableScan;
use rowhouse_executor::heap;
use rowhouse_sql::expr::Expr as SqlExpr;
use rowhouse_sql::filter_fraction;
use rowhouse_sql::plan::{Aggregate, ColumnId, Plan, Scan};
use rowhouse_sql::statistics::RequestedColumn;
use rowhouse_sql::types::Type;

/// Minimum number of rows of a table. The hash table of the groups of fewer rows is in the caches anyway.
const MIN_ROWS: u64 = 1 << 20;
/// Minimum estimated number of rows of a group.
const MIN_ROWS_PER_KEY: f64 = 2.0;

impl Lowering<'_> {
    /// The groups of all rows, if they are in the order of the only key; `None` if they are probably not, or turn out
    /// not to be.
    pub(super) fn ordered_groups(
        &mut self,
        frame: &LazyFrame,
        node: &Aggregate,
        steps: &Steps,
    ) -> Result<Option<LazyFrame>, QueryError> {
        let [key] = node.keys.as_slice() else { return Ok(None) };
        if self.spill.is_some() || !steps.are_partial() || !self.is_in_order(&node.input, *key) {
            return Ok(None);
        }
        let name = column_name(*key);
        let own_name = self.temporary();
        let groups =
            steps.groups_of_batches(frame.clone(), vec![name.clone()], own_name, Attempts::by_runs());
        let Some(groups) = collected(groups)? else { return Ok(None) };
        let merged = merged(groups, &name, steps.sums()).map_err(|error| failure::query_error(&error))?;
        Ok(Some(merged.with_columns(steps.after.clone())))
    }

    /// Whether the rows of a plan are probably in the order of a column, with several rows for each of its values.
    fn is_in_order(&self, plan: &Plan, column: ColumnId) -> bool {
        match plan {
            Plan::Scan(scan) => self.is_scanned_in_order(scan, column, None),
            Plan::Filter { input, predicate } => match &**input {
                Plan::Scan(scan) => self.is_scanned_in_order(scan, column, Some(predicate)),
                _ => false,
            },
            Plan::Project { input, columns } => {
                let source = columns.iter().find(|(field, _)| field.id == column);
                let source = source.and_then(|(_, value)| value.as_column());
                source.is_some_and(|source| self.is_in_order(input, source))
            }
            _ => false,
        }
    }

    fn is_scanned_in_order(&self, scan: &Scan, column: ColumnId, filter: Option<&SqlExpr>) -> bool {
        let table = &self.tables[scan.table];
        let Some((field, name)) = scan.columns.iter().find(|(field, _)| field.id == column) else {
            return false;
        };
        let is_small = matches!(
            field.data_type,
            Type::TinyInt | Type::SmallInt | Type::Integer | Type::BigInt | Type::Date
        );
        is_small
            && table.row_count.is_some_and(|rows| rows >= MIN_ROWS)
            && table.not_null_columns.contains(name)
            && table.has_increasing_row_groups(name)
            && rows_per_key(table, scan, name, filter).is_some_and(|rows| rows >= MIN_ROWS_PER_KEY)
    }
}

/// The rows of a frame; `None` if the runs of its keys are too short, or after an error: the usual way avoids the faults of
/// Polars, and reports an error only if the statement needs the rows.
pub(super) fn collected(groups: LazyFrame) -> Result<Option<DataFrame>, QueryError> {
    match catch_unwind(AssertUnwindSafe(|| Attempt::Streaming.collect(groups))) {
        Ok(Ok(groups)) => Ok(Some(groups)),
        // Without memory the usual way fails, too.
        Err(panic) if heap::was_refused() => resume_unwind(panic),
        Ok(Err(error)) if heap::was_refused() => Err(failure::query_error(&error)),
        Ok(Err(_)) | Err(_) => Ok(None),
    }
}

/// The estimated number of rows with a value of a column, of the values that pass a filter.
fn rows_per_key(table: &TableScan, scan: &Scan, name: &str, filter: Option<&SqlExpr>) -> Option<f64> {
    let filtered = filter.map(SqlExpr::columns).unwrap_or_default();
    let others = scan.columns.iter().filter(|(field, _)| filtered.contains(&field.id));
    let others = others.map(|(_, other)| RequestedColumn { name: other, is_key: false });
    let requested: Vec<RequestedColumn<'_>> =
        others.chain([RequestedColumn { name, is_key: true }]).collect();
    let statistics = table.statistics(&requested);
    let values = statistics.get(name).filter(|known| !known.is_bound)?.distinct_count?;
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    let rows = table.row_count? as f64 / values.max(1) as f64;
    let passing = filter.map_or(1.0, |filter| filter_fraction(scan, filter, &statistics));
    // Of the values of which a row passes.
    let has_row = 1.0 - (1.0 - passing).powf(rows);
    (has_row > 0.0).then(|| rows * passing / has_row)
}

/// The groups of all rows from those of batches: those of one key are next to each other, and rarely several. If a key
/// returns after another one, all are grouped.
fn merged(groups: DataFrame, key: &PlSmallStr, sums: Vec<Expr>) -> PolarsResult<LazyFrame> {
    let by_key = |groups: DataFrame| groups.lazy().group_by([col(key.clone())]).agg(&sums);
    let Some(is_repeated) = repeated(groups.column(key)?)? else { return Ok(by_key(groups)) };
    if !is_repeated.any() {
        return Ok(groups.lazy());
    }
    let names: Vec<Expr> = groups.get_column_names_owned().into_iter().map(col).collect();
    let single = groups.filter(&!&is_repeated)?;
    let several = by_key(groups.filter(&is_repeated)?).select(names);
    concat([single.lazy(), several], UnionArgs::default())
}

/// Whether each value of an integer column without NULLs is the same as the one before or after it; `None` if they are
/// not in ascending order.
fn repeated(column: &Column) -> PolarsResult<Option<BooleanChunked>> {
    if column.null_count() > 0 {
        return Ok(None);
    }
    let values = single(column.to_physical_repr().cast(&DataType::Int64)?.i64()?);
    let values = values.values().as_slice();
    if !values.is_sorted() {
        return Ok(None);
    }
    let is_next =
        |place: usize| values.get(place).zip(values.get(place + 1)).is_some_and(|(one, other)| one == other);
    let is_repeated = (0..values.len()).map(|place| is_next(place) || place > 0 && is_next(place - 1));
    Ok(Some(is_repeated.collect()))
}
