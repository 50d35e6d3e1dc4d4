//! Deduplicates the aggregate calls that a pass adds.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use crate::expr::Expr;
use crate::functions::AggregateFunction;
use crate::plan::{AggregateCall, Field};

/// Calls in the order of their addition.
#[derive(Debug, Default)]
pub(super) struct PlannedCalls {
    calls: Vec<AggregateCall>,
    /// Indexes of plain calls, without DISTINCT and ORDER BY, by hash.
    by_hash: HashMap<u64, Vec<usize>>,
}

impl PlannedCalls {
    /// The index of a plain call, which is added with the output that `output` returns if it is new.
    pub(super) fn place_of(
        &mut self,
        function: AggregateFunction,
        args: Vec<Expr>,
        filter: Option<Expr>,
        output: impl FnOnce() -> Field,
    ) -> usize {
        let hash = hash_of(function, &args, filter.as_ref());
        let same = |place: &&usize| {
            let known = &self.calls[**place];
            known.function == function && known.args == args && known.filter == filter
        };
        if let Some(known) = self.by_hash.get(&hash).and_then(|places| places.iter().find(same)) {
            return *known;
        }
        let (is_distinct, order_by) = (false, Vec::new());
        self.add(AggregateCall { output: output(), function, args, is_distinct, filter, order_by })
    }

    /// Adds a call unconditionally; returns its index.
    pub(super) fn add(&mut self, call: AggregateCall) -> usize {
        let place = self.calls.len();
        if !call.is_distinct && call.order_by.is_empty() {
            let hash = hash_of(call.function, &call.args, call.filter.as_ref());
            self.by_hash.entry(hash).or_default().push(place);
        }
        self.calls.push(call);
        place
    }

    /// All calls, in order.
    pub(super) fn as_slice(&self) -> &[AggregateCall] {
        &self.calls
    }

    /// All calls, in order.
    pub(super) fn into_calls(self) -> Vec<AggregateCall> {
        self.calls
    }
}

fn hash_of(function: AggregateFunction, args: &[Expr], filter: Option<&Expr>) -> u64 {
    let mut hasher = DefaultHasher::new();
    function.hash(&mut hasher);
    args.iter().for_each(|arg| arg.structural_hash().hash(&mut hasher));
    filter.map(Expr::structural_hash).hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::ColumnId;
    use crate::types::Type;

    #[test]
    fn plain_calls_are_deduplicated() {
        let mut calls = PlannedCalls::default();
        let field = |id: u32| Field::new(ColumnId(id), "", Type::BigInt);
        let column = || vec![Expr::column(ColumnId(0), Type::BigInt)];
        let sum = |calls: &mut PlannedCalls, filter: Option<Expr>, id: u32| {
            calls.place_of(AggregateFunction::Sum, column(), filter, || field(id))
        };
        let (args, function) = (column(), AggregateFunction::Sum);
        let (output, filter, order_by) = (field(1), None, Vec::new());
        calls.add(AggregateCall { output, function, args, is_distinct: true, filter, order_by });
        assert_eq!(sum(&mut calls, None, 2), 1);
        assert_eq!(sum(&mut calls, Some(Expr::boolean(false)), 3), 2);
        assert_eq!(sum(&mut calls, None, 4), 1);
        let outputs: Vec<u32> = calls.into_calls().iter().map(|call| call.output.id.0).collect();
        assert_eq!(outputs, [1, 2, 3]);
    }
}
