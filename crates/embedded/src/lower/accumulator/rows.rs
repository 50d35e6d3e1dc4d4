//! The input rows of an aggregate and their order: DISTINCT and ORDER BY inside its parentheses.

use std::collections::HashSet;
use std::sync::Arc;

use polars::prelude::PolarsResult;

use super::Accumulator;
use crate::datum::{Datum, NanPlace, compare_with};
use crate::order_key::key_of;
use rowhouse_sql::expr::SortKey;
use rowhouse_sql::functions::AggregateFunction;
use rowhouse_sql::types::Type;

/// The DISTINCT and ORDER BY clauses of a call.
#[derive(Clone, Debug, Default)]
pub(in crate::lower) struct Selection {
    /// Whether each tuple of arguments counts once.
    is_distinct: bool,
    /// For each key, whether it is descending and whether NULLs come first.
    order: Arc<[(bool, bool)]>,
}

impl Selection {
    /// The clauses of a call.
    pub(in crate::lower) fn new(is_distinct: bool, order_by: &[SortKey]) -> Self {
        let order = order_by.iter().map(|key| (key.is_descending, key.nulls_first)).collect();
        Self { is_distinct, order }
    }
}

/// An aggregate over the rows that are added to it.
#[derive(Clone)]
pub(in crate::lower) struct AggregateRows {
    accumulator: Accumulator,
    selection: Selection,
    /// The keys of the arguments so far, if each tuple counts once.
    seen: HashSet<Vec<u8>>,
    /// The sort keys and the arguments of the rows, if there is an order.
    rows: Vec<(Vec<Datum<'static>>, Vec<Datum<'static>>)>,
}

impl AggregateRows {
    /// The state over no rows.
    pub(in crate::lower) fn new(
        function: AggregateFunction,
        argument_types: &[Type],
        output: &Type,
        selection: Selection,
    ) -> Self {
        let accumulator = Accumulator::new(function, argument_types, output);
        Self { accumulator, selection, seen: HashSet::new(), rows: Vec::new() }
    }

    /// Whether two states can be merged without their rows.
    pub(in crate::lower) fn is_mergeable(&self) -> bool {
        !self.selection.is_distinct && self.selection.order.is_empty() && self.accumulator.is_mergeable()
    }

    /// Adds the rows of another state, which follow the rows of this one.
    pub(in crate::lower) fn merge(&mut self, later: &Self) -> PolarsResult<()> {
        self.accumulator.merge(&later.accumulator)
    }

    /// Adds a row: the arguments, followed by the sort keys.
    pub(in crate::lower) fn add(&mut self, row: &[Datum<'_>]) -> PolarsResult<()> {
        let (arguments, keys) = row.split_at(row.len().saturating_sub(self.selection.order.len()));
        if self.selection.is_distinct && !self.seen.insert(key_of(arguments, NanPlace::Last)) {
            return Ok(());
        }
        if keys.is_empty() {
            return self.accumulator.add(arguments);
        }
        let owned = |values: &[Datum<'_>]| values.iter().map(|value| value.clone().into_owned()).collect();
        self.rows.push((owned(keys), owned(arguments)));
        Ok(())
    }

    /// The value over the rows so far.
    pub(in crate::lower) fn value(&self) -> PolarsResult<Datum<'static>> {
        if self.selection.order.is_empty() {
            return self.accumulator.value();
        }
        let mut rows: Vec<_> = self.rows.iter().collect();
        rows.sort_by(|(left, _), (right, _)| {
            let mut keys = left.iter().zip(right).zip(&*self.selection.order);
            let orders = keys.by_ref().map(|((left, right), (is_descending, nulls_first))| {
                if left.is_null() || right.is_null() {
                    let order = left.is_null().cmp(&right.is_null());
                    return if *nulls_first { order.reverse() } else { order };
                }
                let order = compare_with(left, right, NanPlace::of_order(*nulls_first));
                if *is_descending { order.reverse() } else { order }
            });
            orders.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        });
        let mut accumulator = self.accumulator.clone();
        rows.into_iter().try_for_each(|(_, arguments)| accumulator.add(arguments))?;
        accumulator.value()
    }
}
