//! Aggregates without an equivalent in Polars: their rows are collected in a list, and the aggregate is computed from a
//! group's list at the end.

use polars::prelude::{Expr, as_struct};
use rowhouse_model::QueryError;

use super::super::Lowering;
use super::super::accumulator::{AggregateRows, Selection};
use super::super::aggregate_steps::Steps;
use super::Lowered;
use crate::data_type::storage;
use crate::datum::{Argument, Datum, Nulls, row_by_row};
use crate::order_key::is_nested;
use rowhouse_sql::functions::AggregateFunction;
use rowhouse_sql::plan::AggregateCall;
use rowhouse_sql::types::{RowField, Type};

/// Whether a call is such an aggregate: over distinct pairs, over distinct arrays or rows, or an ordered list with a
/// filter, which Polars sorts only if a row of every group passes the filter.
pub(super) fn needs_rows(call: &AggregateCall) -> bool {
    use AggregateFunction as F;
    let is_of_pairs =
        matches!(call.function, F::Corr | F::CovarSamp | F::CovarPop | F::RegrSlope | F::RegrIntercept);
    let is_of_nested = call.args.first().is_some_and(|first| is_nested(&first.data_type));
    let distinguishes = call.function == F::ApproxDistinct
        || call.is_distinct && matches!(call.function, F::Count | F::ArrayAgg);
    let is_filtered_list = call.function == F::ArrayAgg && call.filter.is_some() && !call.order_by.is_empty();
    is_of_pairs && call.is_distinct || is_of_nested && distinguishes || is_filtered_list
}

impl Lowering<'_> {
    /// The aggregate over a list of a group's rows.
    pub(super) fn over_rows(&mut self, lowered: &Lowered<'_>, steps: &mut Steps) -> Result<Expr, QueryError> {
        let call = lowered.call;
        let mut columns = lowered.arguments.clone();
        for key in &call.order_by {
            columns.push(self.row_value(&key.expr, steps)?);
        }
        let types = call.args.iter().chain(call.order_by.iter().map(|key| &key.expr));
        let fields: Vec<RowField> =
            types.map(|value| RowField { name: None, data_type: value.data_type.clone() }).collect();
        let named = columns.into_iter().zip(fields.iter().enumerate()).map(|(column, (index, field))| {
            column.cast(storage(&field.data_type)).alias(field.stored_name(index))
        });
        let row = self.before(as_struct(named.collect()), steps);
        let rows = match &lowered.filter {
            Some(filter) => row.filter(filter.clone()),
            None => row,
        };
        let listed = self.add(rows.implode(true), steps);
        let argument_types: Vec<Type> = call.args.iter().map(|argument| argument.data_type.clone()).collect();
        let selection = Selection::new(call.is_distinct, &call.order_by);
        let output = call.output.data_type.clone();
        let empty = AggregateRows::new(call.function, &argument_types, &output, selection);
        let argument = Argument { value: listed, data_type: Type::array(Type::Row(fields)) };
        Ok(row_by_row(vec![argument], output, Nulls::Seen, move |row| {
            let mut aggregate = empty.clone();
            for row in row[0].elements() {
                if let Datum::Row(values) = row {
                    aggregate.add(values)?;
                }
            }
            aggregate.value()
        }))
    }
}
