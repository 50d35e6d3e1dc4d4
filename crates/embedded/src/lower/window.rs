//! Window functions. The rows are collected and sorted by partition and order once for all calls of a window; then each
//! function processes its partitions. Polars' own windows support neither frames nor peers.

use std::collections::HashSet;
use std::sync::Arc;

use polars::lazy::frame::AllowedOptimizations;
use polars::prelude::{Column, DataFrame, Expr, LazyFrame, PlSmallStr, PolarsResult, Schema, Series, col};
use rowhouse_model::QueryError;

use self::evaluate::{Bound, Call, Order, Window};
use self::frames::over_frames;
pub(super) use self::places::{Places, longs};
use self::running::running;
pub(super) use self::sort::sorted;
pub(super) use self::top_ranking::greatest_rank;
use self::top_ranking::{Batches, TopRanking, candidates};
use super::Lowering;
use super::accumulator::Selection;
use crate::column::column_name;
use crate::data_type::storage;
use crate::datum::{Reader, build};
use crate::expression::{Staged, lower_expression};
use crate::failure::not_supported;
use crate::order_key::{SortColumn, sort_columns};
use rowhouse_sql::expr::{Expr as SqlExpr, SortKey};
use rowhouse_sql::plan::{ColumnId, FrameBound, Plan, WindowCall};
use rowhouse_sql::types::Type;

mod evaluate;
mod frames;
mod places;
mod running;
mod sliding;
mod sort;
mod top_ranking;

/// Minimum number of rows that are not moved.
const MIN_ROWS: usize = 1_024;

/// The columns of a window's keys and the sort order of its rows.
#[derive(Default)]
struct Keys {
    partition: Vec<(PlSmallStr, Type)>,
    order: Vec<(PlSmallStr, Type, bool)>,
    /// The columns by which the rows are sorted: those of the partition, then those of the order.
    sort: Vec<(PlSmallStr, bool, bool)>,
    /// Of the sort columns, the number of those of the partition.
    partition_sorts: usize,
}

impl Keys {
    /// Selects rows of the first ranks.
    fn top(&self, rank: usize) -> Option<TopRanking> {
        let (partition, order) = self.sort.split_at_checked(self.partition_sorts)?;
        let (partition, order) = (partition.to_vec(), order.first()?.clone());
        Some(TopRanking { partition, order, rank, batches: Batches::default() })
    }
}

/// A call with its columns.
struct Prepared {
    call: WindowCall,
    arguments: Vec<(PlSmallStr, Type)>,
    argument_order: Vec<(PlSmallStr, Type)>,
    filter: Option<PlSmallStr>,
    start: Bound,
    end: Bound,
}

/// The rows that a window's functions are computed for.
struct Given<'w> {
    input: &'w Plan,
    /// The functions that have been computed.
    earlier: &'w [&'w WindowCall],
    /// The greatest rank that is wanted, if others are not.
    rank: Option<usize>,
}

/// Expressions that are computed before the rows are sorted.
pub(super) struct Before {
    pub(super) columns: Vec<Expr>,
    pub(super) staged: Staged,
}

impl Lowering<'_> {
    /// Lowers a window. Rows after the `rank`th of a partition may be missing if a rank is given; then all functions are
    /// ranks in one order.
    pub(super) fn window(
        &mut self,
        input: &Plan,
        functions: &[WindowCall],
        rank: Option<usize>,
    ) -> Result<LazyFrame, QueryError> {
        let mut frame = self.lower(input)?;
        let mut left: Vec<&WindowCall> = functions.iter().collect();
        let mut done: Vec<&WindowCall> = Vec::with_capacity(functions.len());
        while let Some(first) = left.first().copied() {
            // A call may name the outputs of calls before it, so the first one names none of those that are left.
            let outputs: HashSet<ColumnId> = left.iter().map(|call| call.output.id).collect();
            let is_ready = |call: &WindowCall| {
                !call.expressions().any(|part| part.columns().iter().any(|id| outputs.contains(id)))
            };
            let mut of_partition =
                left.iter().filter(|call| call.partition_by == first.partition_by && is_ready(call));
            // Rows in any order serve calls without an order, too.
            let lead = of_partition.find(|call| !call.order_by.is_empty()).copied().unwrap_or(first);
            let (own, others): (Vec<&WindowCall>, Vec<&WindowCall>) = left.into_iter().partition(|call| {
                call.partition_by == lead.partition_by
                    && (call.order_by.is_empty() || call.order_by == lead.order_by)
                    && is_ready(call)
            });
            let given = Given { input, earlier: &done, rank };
            frame = self.calls_of_one_order(frame, &given, lead, &own)?;
            done.extend(own);
            left = others;
        }
        Ok(frame)
    }

    fn calls_of_one_order(
        &mut self,
        frame: LazyFrame,
        given: &Given<'_>,
        lead: &WindowCall,
        calls: &[&WindowCall],
    ) -> Result<LazyFrame, QueryError> {
        let mut before = Before { columns: Vec::new(), staged: self.staged() };
        let mut keys = Keys::default();
        for key in &lead.partition_by {
            let key = SortKey { expr: key.clone(), is_descending: false, nulls_first: false };
            let name = self.window_key(&key, &mut keys.sort, &mut before)?;
            keys.partition.push((name, key.expr.data_type));
        }
        keys.partition_sorts = keys.sort.len();
        for key in &lead.order_by {
            let name = self.window_key(key, &mut keys.sort, &mut before)?;
            keys.order.push((name, key.expr.data_type.clone(), key.is_descending));
        }
        let prepared = calls.iter().map(|call| self.prepared(call, &mut before));
        let prepared = prepared.collect::<Result<Vec<Prepared>, QueryError>>()?;
        let mut kept: Vec<PlSmallStr> = Vec::new();
        let mut schema = Schema::default();
        for field in given.input.fields().iter().chain(given.earlier.iter().map(|call| &call.output)) {
            kept.push(column_name(field.id));
            schema.insert(column_name(field.id), storage(&field.data_type));
        }
        for call in calls {
            schema.insert(column_name(call.output.id), storage(&call.output.data_type));
        }
        let mut inputs: Vec<Expr> = kept.iter().cloned().map(col).collect();
        inputs.extend(before.columns);
        let schema = Arc::new(schema);
        let mut frame = before.staged.apply(frame).select(inputs);
        let top = given.rank.and_then(|rank| keys.top(rank)).map(Arc::new);
        if let Some(top) = &top {
            frame = candidates(frame, top);
        }
        Ok(frame.map(
            move |mut frame| {
                if let Some(top) = &top {
                    frame = top.of_all(frame)?;
                }
                apply(frame, &prepared, &keys, &kept)
            },
            AllowedOptimizations::empty(),
            Some(Arc::new(move |_: &Schema| Ok(Arc::clone(&schema)))),
            Some("window"),
        ))
    }

    fn prepared(&mut self, call: &WindowCall, before: &mut Before) -> Result<Prepared, QueryError> {
        let mut prepared = Prepared {
            call: call.clone(),
            arguments: Vec::new(),
            argument_order: Vec::new(),
            filter: None,
            start: Bound::Unbounded,
            end: Bound::Unbounded,
        };
        for argument in &call.args {
            prepared.arguments.push((self.window_value(argument, before)?, argument.data_type.clone()));
        }
        for key in &call.argument_order {
            let name = self.window_value(&key.expr, before)?;
            prepared.argument_order.push((name, key.expr.data_type.clone()));
        }
        if let Some(filter) = &call.filter {
            prepared.filter = Some(self.window_value(filter, before)?);
        }
        for (bound, is_start) in [(&call.frame.start, true), (&call.frame.end, false)] {
            let lowered = match bound {
                FrameBound::UnboundedPreceding | FrameBound::UnboundedFollowing => Bound::Unbounded,
                FrameBound::CurrentRow => Bound::CurrentRow,
                FrameBound::Preceding(offset) => {
                    Bound::Preceding(self.window_value(offset, before)?, offset.data_type.clone())
                }
                FrameBound::Following(offset) => {
                    Bound::Following(self.window_value(offset, before)?, offset.data_type.clone())
                }
            };
            match (bound, is_start) {
                (FrameBound::UnboundedFollowing, true) | (FrameBound::UnboundedPreceding, false) => {
                    return Err(not_supported("a window frame that starts after its end", None));
                }
                (_, true) => prepared.start = lowered,
                (_, false) => prepared.end = lowered,
            }
        }
        Ok(prepared)
    }

    fn window_value(&mut self, value: &SqlExpr, before: &mut Before) -> Result<PlSmallStr, QueryError> {
        let name = self.temporary();
        before.columns.push(lower_expression(value, &mut before.staged)?.alias(name.clone()));
        Ok(name)
    }

    /// The column of a partition or sort key. The columns by which its rows are sorted are added to `sort`.
    pub(super) fn window_key(
        &mut self,
        key: &SortKey,
        sort: &mut Vec<(PlSmallStr, bool, bool)>,
        before: &mut Before,
    ) -> Result<PlSmallStr, QueryError> {
        let value = lower_expression(&key.expr, &mut before.staged)?;
        let name = self.temporary();
        before.columns.push(value.clone().alias(name.clone()));
        for SortColumn { value: sorted_by, is_descending, nulls_last } in sort_columns(value.clone(), key) {
            if sorted_by == value {
                sort.push((name.clone(), is_descending, nulls_last));
                continue;
            }
            let own_name = self.temporary();
            before.columns.push(sorted_by.alias(own_name.clone()));
            sort.push((own_name, is_descending, nulls_last));
        }
        Ok(name)
    }
}

/// Adds the columns of all calls. Few rows are sorted. Of many rows only the columns of keys and arguments are, and the
/// results return to the rows' own order: the other columns, which may be long, are not moved.
fn apply(frame: DataFrame, calls: &[Prepared], keys: &Keys, kept: &[PlSmallStr]) -> PolarsResult<DataFrame> {
    let is_small = frame.height() < MIN_ROWS;
    let frame = if is_small { sorted(&frame, &keys.sort)?.into_owned() } else { frame };
    let row_order = if is_small { None } else { sort::order_by(&frame, &keys.sort)? };
    let mut columns: Vec<Column> =
        kept.iter().map(|name| frame.column(name).cloned()).collect::<PolarsResult<_>>()?;
    let rows = frame.height();
    let frame = match &row_order {
        Some(row_order) => frame.select(named(calls, keys))?.take(row_order)?,
        None => frame,
    };
    let positions = row_order.as_ref().map(sort::positions);
    let order: Vec<(PlSmallStr, Type)> =
        keys.order.iter().map(|(name, data_type, _)| (name.clone(), data_type.clone())).collect();
    let ordered = Places::of(&frame, &keys.partition, &order)?;
    let unordered = ordered.without_order();
    for prepared in calls {
        let places = if prepared.call.order_by.is_empty() { &unordered } else { &ordered };
        let name = column_name(prepared.call.output.id);
        let series = match running(&frame, prepared, places)? {
            Some(series) => Some(series),
            None => over_frames(&frame, prepared, places)?,
        };
        let series = match series {
            Some(series) => series,
            None => row_by_row(&frame, prepared, keys, places)?,
        };
        let series = match &positions {
            Some(positions) => series.take(positions)?,
            None => series,
        };
        columns.push(series.with_name(name).into());
    }
    DataFrame::new(rows, columns)
}

/// The columns of keys and calls.
fn named(calls: &[Prepared], keys: &Keys) -> Vec<PlSmallStr> {
    let mut names: Vec<PlSmallStr> = keys.partition.iter().map(|(name, _)| name.clone()).collect();
    names.extend(keys.order.iter().map(|(name, ..)| name.clone()));
    for call in calls {
        names.extend(call.arguments.iter().chain(&call.argument_order).map(|(name, _)| name.clone()));
        names.extend(call.filter.clone());
        for bound in [&call.start, &call.end] {
            if let Bound::Preceding(name, _) | Bound::Following(name, _) = bound {
                names.push(name.clone());
            }
        }
    }
    names
}

/// The values of a call with any kind of frame.
fn row_by_row(frame: &DataFrame, prepared: &Prepared, keys: &Keys, places: &Places) -> PolarsResult<Series> {
    let call = &prepared.call;
    let reader = |(name, data_type): &(PlSmallStr, Type)| {
        Reader::new(frame.column(name)?.as_materialized_series(), data_type)
    };
    let wanted: &[(PlSmallStr, Type, bool)] = if call.order_by.is_empty() { &[] } else { &keys.order };
    let order = wanted
        .iter()
        .map(|(name, data_type, is_descending)| {
            let values = reader(&(name.clone(), data_type.clone()))?;
            Ok(Order { values, data_type: data_type.clone(), is_descending: *is_descending })
        })
        .collect::<PolarsResult<Vec<_>>>()?;
    let bound = |bound: &Bound| -> PolarsResult<Option<Reader>> {
        match bound {
            Bound::Preceding(name, data_type) | Bound::Following(name, data_type) => {
                Ok(Some(reader(&(name.clone(), data_type.clone()))?))
            }
            _ => Ok(None),
        }
    };
    let is_plain_order = order.len() == 1;
    let window = Window {
        rows: frame.height(),
        places,
        order,
        unit: call.frame.unit,
        start: (prepared.start.clone(), bound(&prepared.start)?),
        end: (prepared.end.clone(), bound(&prepared.end)?),
    };
    let call_values = Call {
        function: call.function,
        output: call.output.data_type.clone(),
        arguments: prepared.arguments.iter().map(reader).collect::<PolarsResult<_>>()?,
        argument_types: prepared.arguments.iter().map(|(_, data_type)| data_type.clone()).collect(),
        selection: Selection::new(call.is_distinct, &call.argument_order),
        argument_order: prepared.argument_order.iter().map(reader).collect::<PolarsResult<_>>()?,
        filter: match &prepared.filter {
            Some(name) => Some(reader(&(name.clone(), Type::Boolean))?),
            None => None,
        },
        ignore_nulls: call.ignore_nulls,
        is_plain_order,
    };
    let values = window.evaluate(&call_values)?;
    let stored = storage(&call.output.data_type);
    build(PlSmallStr::EMPTY, values, &call.output.data_type)?.cast(&stored)
}
