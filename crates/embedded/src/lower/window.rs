//! Window functions. The rows are collected, sorted by partition and order once per distinct window, and each
//! function walks its partitions; Polars' own windows know neither frames nor peers.

use std::sync::Arc;

use polars::lazy::frame::AllowedOptimizations;
use polars::prelude::{
    Column, DataFrame, Expr, LazyFrame, PlSmallStr, PolarsResult, Schema, SortMultipleOptions, col,
};
use rowhouse_model::QueryError;

use self::evaluate::{Bound, Call, Order, Window};
use super::Lowering;
use super::accumulator::Selection;
use crate::column::column_name;
use crate::data_type::storage;
use crate::datum::{Reader, build};
use crate::expression::{Staged, lower_expression};
use crate::failure::not_supported;
use crate::order_key::{SortColumn, sort_columns};
use rowhouse_sql::expr::{Expr as SqlExpr, SortKey};
use rowhouse_sql::plan::{FrameBound, Plan, WindowCall};
use rowhouse_sql::types::Type;

mod evaluate;
mod sliding;

/// A window's columns and how they are sorted.
struct Prepared {
    partition: Vec<(PlSmallStr, Type)>,
    order: Vec<(PlSmallStr, Type, bool)>,
    /// The columns by which the rows are sorted: those of the partition, then those of the order.
    sort: Vec<(PlSmallStr, bool, bool)>,
    arguments: Vec<(PlSmallStr, Type)>,
    argument_order: Vec<(PlSmallStr, Type)>,
    filter: Option<PlSmallStr>,
    start: Bound,
    end: Bound,
}

impl Lowering<'_> {
    pub(super) fn window(&mut self, input: &Plan, functions: &[WindowCall]) -> Result<LazyFrame, QueryError> {
        let mut frame = self.lower(input)?;
        for call in functions {
            frame = self.window_call(frame, input, call, functions)?;
        }
        Ok(frame)
    }

    fn window_call(
        &mut self,
        frame: LazyFrame,
        input: &Plan,
        call: &WindowCall,
        functions: &[WindowCall],
    ) -> Result<LazyFrame, QueryError> {
        let mut staged = self.staged();
        let mut before: Vec<Expr> = Vec::new();
        let mut prepared = Prepared {
            partition: Vec::new(),
            order: Vec::new(),
            sort: Vec::new(),
            arguments: Vec::new(),
            argument_order: Vec::new(),
            filter: None,
            start: Bound::Unbounded,
            end: Bound::Unbounded,
        };
        for key in &call.partition_by {
            let key = SortKey { expr: key.clone(), is_descending: false, nulls_first: false };
            let name = self.window_key(&key, &mut prepared.sort, &mut before, &mut staged)?;
            prepared.partition.push((name, key.expr.data_type));
        }
        for key in &call.order_by {
            let name = self.window_key(key, &mut prepared.sort, &mut before, &mut staged)?;
            prepared.order.push((name, key.expr.data_type.clone(), key.is_descending));
        }
        let mut add = |lowering: &mut Self, value: &SqlExpr| -> Result<PlSmallStr, QueryError> {
            let name = lowering.temporary();
            before.push(lower_expression(value, &mut staged)?.alias(name.clone()));
            Ok(name)
        };
        for argument in &call.args {
            prepared.arguments.push((add(self, argument)?, argument.data_type.clone()));
        }
        for key in &call.argument_order {
            prepared.argument_order.push((add(self, &key.expr)?, key.expr.data_type.clone()));
        }
        if let Some(filter) = &call.filter {
            prepared.filter = Some(add(self, filter)?);
        }
        for (bound, is_start) in [(&call.frame.start, true), (&call.frame.end, false)] {
            let lowered = match bound {
                FrameBound::UnboundedPreceding | FrameBound::UnboundedFollowing => Bound::Unbounded,
                FrameBound::CurrentRow => Bound::CurrentRow,
                FrameBound::Preceding(offset) => {
                    Bound::Preceding(add(self, offset)?, offset.data_type.clone())
                }
                FrameBound::Following(offset) => {
                    Bound::Following(add(self, offset)?, offset.data_type.clone())
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
        let output = column_name(call.output.id);
        let mut kept: Vec<Expr> = input.fields().iter().map(|field| col(column_name(field.id))).collect();
        let mut schema = Schema::default();
        for field in input.fields() {
            schema.insert(column_name(field.id), storage(&field.data_type));
        }
        // The calls before this one have added their columns.
        for earlier in functions.iter().take_while(|earlier| earlier.output.id != call.output.id) {
            kept.push(col(column_name(earlier.output.id)));
            schema.insert(column_name(earlier.output.id), storage(&earlier.output.data_type));
        }
        let mut inputs = kept.clone();
        inputs.extend(before.iter().cloned());
        schema.insert(output.clone(), storage(&call.output.data_type));
        let kept_names: Vec<PlSmallStr> = schema.iter_names().take(kept.len()).cloned().collect();
        let call = call.clone();
        let schema = Arc::new(schema);
        Ok(staged.apply(frame).select(inputs).map(
            move |frame| apply(frame, &call, &prepared, &kept_names, &output),
            AllowedOptimizations::empty(),
            Some(Arc::new(move |_: &Schema| Ok(Arc::clone(&schema)))),
            Some("window"),
        ))
    }

    /// The column of a partition's or an order's key. The columns by which its rows are sorted are added, too.
    pub(super) fn window_key(
        &mut self,
        key: &SortKey,
        sort: &mut Vec<(PlSmallStr, bool, bool)>,
        columns: &mut Vec<Expr>,
        staged: &mut Staged,
    ) -> Result<PlSmallStr, QueryError> {
        let value = lower_expression(&key.expr, staged)?;
        let name = self.temporary();
        columns.push(value.clone().alias(name.clone()));
        for SortColumn { value: sorted_by, is_descending, nulls_last } in sort_columns(value.clone(), key) {
            if sorted_by == value {
                sort.push((name.clone(), is_descending, nulls_last));
                continue;
            }
            let own_name = self.temporary();
            columns.push(sorted_by.alias(own_name.clone()));
            sort.push((own_name, is_descending, nulls_last));
        }
        Ok(name)
    }
}

fn apply(
    frame: DataFrame,
    call: &WindowCall,
    prepared: &Prepared,
    kept: &[PlSmallStr],
    output: &PlSmallStr,
) -> PolarsResult<DataFrame> {
    let frame = if prepared.sort.is_empty() {
        frame
    } else {
        let options = SortMultipleOptions::default()
            .with_order_descending_multi(prepared.sort.iter().map(|(_, is_descending, _)| *is_descending))
            .with_nulls_last_multi(prepared.sort.iter().map(|(.., nulls_last)| *nulls_last))
            .with_maintain_order(true);
        frame.sort(prepared.sort.iter().map(|(name, ..)| name.clone()), options)?
    };
    let reader = |(name, data_type): &(PlSmallStr, Type)| {
        Reader::new(frame.column(name)?.as_materialized_series(), data_type)
    };
    let order = prepared
        .order
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
    let window = Window {
        rows: frame.height(),
        partition: prepared.partition.iter().map(reader).collect::<PolarsResult<_>>()?,
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
        is_plain_order: prepared.order.len() == 1,
    };
    let values = window.evaluate(&call_values)?;
    let stored = storage(&call.output.data_type);
    let series = build(output.clone(), values, &call.output.data_type)?.cast(&stored)?;
    let mut columns: Vec<Column> =
        kept.iter().map(|name| frame.column(name).cloned()).collect::<PolarsResult<_>>()?;
    columns.push(series.into());
    DataFrame::new(frame.height(), columns)
}
