//! Before: ROLLUP, CUBE or grouping sets, a union of aggregations over one shared plan, of which one groups by all keys that
//! any of the others does.
//! After: that one is shared in its place, with sums and counts for averages, and the others are made of its groups.
//! Why: the rows are grouped once, not once for every set, and need not be kept until the last of them has been.

use std::collections::HashMap;

use super::decomposed::Decomposed;
use super::renumber;
use crate::expr::Expr;
use crate::plan::{Aggregate, AggregateCall, ColumnId, Plan, SetOperationKind, SharedId};
use crate::statement::Analyzed;

pub(super) fn run(analyzed: &mut Analyzed, next_column: &mut u32) {
    let mut roll_up = RollUp { shared: Vec::with_capacity(analyzed.shared.len()), next_column };
    // What a shared plan names is shared before it.
    let mut numbers: Vec<SharedId> = Vec::with_capacity(analyzed.shared.len());
    for mut plan in std::mem::take(&mut analyzed.shared) {
        renumber(&mut plan, &|id| numbers[id.0]);
        roll_up.walk(&mut plan);
        numbers.push(roll_up.share(plan));
    }
    renumber(&mut analyzed.plan, &|id| numbers[id.0]);
    roll_up.walk(&mut analyzed.plan);
    analyzed.shared = roll_up.shared;
}

struct RollUp<'a> {
    shared: Vec<Plan>,
    next_column: &'a mut u32,
}

impl RollUp<'_> {
    fn share(&mut self, plan: Plan) -> SharedId {
        self.shared.push(plan);
        SharedId(self.shared.len() - 1)
    }

    fn walk(&mut self, plan: &mut Plan) {
        for input in plan.inputs_mut() {
            self.walk(input);
        }
        if let Plan::SetOperation { kind: SetOperationKind::UnionAll, inputs, .. } = plan
            && let Some(finest) = finest_set(inputs)
        {
            self.roll_up(inputs, finest);
        }
    }

    fn roll_up(&mut self, branches: &mut [Plan], finest: usize) {
        let Some((_, Aggregate { input, keys, aggregates })) = grouping_set(&branches[finest]) else {
            return;
        };
        let Some(decomposed) = Decomposed::of(aggregates, self.next_column) else { return };
        // The calls of all branches are the same but for their outputs.
        let places: HashMap<ColumnId, usize> =
            aggregates.iter().enumerate().map(|(place, call)| (call.output.id, place)).collect();
        let finest_keys = keys.len();
        let aggregates = decomposed.partials.clone();
        let groups = Plan::Aggregate(Aggregate { input: input.clone(), keys: keys.clone(), aggregates });
        let fields = groups.fields();
        let id = self.share(groups);
        for branch in branches {
            let Some((_, Aggregate { keys, aggregates: calls, .. })) = grouping_set(branch) else { continue };
            let (keys, outputs): (Vec<ColumnId>, Vec<ColumnId>) =
                (keys.clone(), calls.iter().map(|call| call.output.id).collect());
            let is_of_all = keys.is_empty();
            let columns = fields.iter().map(|field| (field.clone(), field.id)).collect();
            let groups = Plan::Shared { id, columns, row_estimate: None };
            let (input, results) = if keys.len() == finest_keys {
                (groups, decomposed.results())
            } else {
                let aggregates = decomposed.combining(self.next_column);
                let results = aggregates.iter().map(|call| call.output.clone()).collect();
                (Plan::Aggregate(Aggregate { input: Box::new(groups), keys, aggregates }), results)
            };
            let values = decomposed.values(&results, is_of_all).into_iter();
            let values = values.filter_map(|(id, value)| Some((*outputs.get(*places.get(&id)?)?, value)));
            let definitions: HashMap<ColumnId, Expr> = values.collect();
            if let Plan::Project { input: before, columns } = branch {
                **before = input;
                for (_, expr) in columns {
                    *expr = expr.clone().substituted(&definitions);
                }
            }
        }
    }
}

/// The set that groups by all keys of the others, where the branches of a union are grouping sets.
fn finest_set(branches: &[Plan]) -> Option<usize> {
    let sets: Vec<(SharedId, &Aggregate)> = branches.iter().map(grouping_set).collect::<Option<_>>()?;
    let (finest, (shared, first)) = sets.iter().enumerate().max_by_key(|(_, (_, set))| set.keys.len())?;
    let are_of_one = sets.iter().all(|(id, set)| {
        id == shared
            && set.input == first.input
            && set.keys.iter().all(|key| first.keys.contains(key))
            && set.aggregates.len() == first.aggregates.len()
            && set.aggregates.iter().zip(&first.aggregates).all(|(one, other)| {
                let same_output = AggregateCall { output: other.output.clone(), ..one.clone() };
                same_output == *other
            })
    });
    (are_of_one && sets.len() > 1).then_some(finest)
}

/// A branch of a union that is an aggregation of a shared plan's rows under a projection.
fn grouping_set(branch: &Plan) -> Option<(SharedId, &Aggregate)> {
    let Plan::Project { input, .. } = branch else { return None };
    let Plan::Aggregate(aggregate) = &**input else { return None };
    let Plan::Shared { id, .. } = &*aggregate.input else { return None };
    Some((*id, aggregate))
}
