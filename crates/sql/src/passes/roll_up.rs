//! Before: ROLLUP, CUBE or grouping sets, as a union of aggregations over one shared plan, of which the finest has all
//! grouping keys of the others.
//! After: the finest aggregation is shared instead, with sums and counts for averages, and the others aggregate its
//! groups, or those of a coarser set that has all their keys.
//! Why: the rows are grouped once, not once per set, and need not be materialized for all of them.

use std::collections::HashMap;

use super::cardinality::Estimator;
use super::decomposed::Decomposed;
use super::renumber;
use crate::expr::Expr;
use crate::plan::{Aggregate, AggregateCall, ColumnId, Field, Plan, SetOperationKind, SharedId};
use crate::statement::Analyzed;

/// Minimum number of groups of an intermediate set for which sharing is worthwhile.
const MIN_SHARED_GROUPS: f64 = 10_000.0;

pub(super) fn run(analyzed: &mut Analyzed, next_column: &mut u32) {
    let statistics = std::mem::take(&mut analyzed.statistics);
    let (shared, estimator) = (Vec::with_capacity(analyzed.shared.len()), Estimator::new(&statistics));
    let mut roll_up = RollUp { shared, estimator, next_column };
    // The plans to which a shared plan refers are shared before it.
    let mut numbers: Vec<SharedId> = Vec::with_capacity(analyzed.shared.len());
    for mut plan in std::mem::take(&mut analyzed.shared) {
        renumber(&mut plan, &|id| numbers[id.0]);
        roll_up.walk(&mut plan);
        numbers.push(roll_up.share(plan));
    }
    renumber(&mut analyzed.plan, &|id| numbers[id.0]);
    roll_up.walk(&mut analyzed.plan);
    analyzed.shared = roll_up.shared;
    analyzed.statistics = statistics;
}

struct RollUp<'a> {
    shared: Vec<Plan>,
    estimator: Estimator<'a>,
    next_column: &'a mut u32,
}

impl RollUp<'_> {
    fn share(&mut self, plan: Plan) -> SharedId {
        self.estimator.share(&plan);
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
        // All branches have the same calls, except for their outputs.
        let places: HashMap<ColumnId, usize> =
            aggregates.iter().enumerate().map(|(place, call)| (call.output.id, place)).collect();
        let aggregates = decomposed.partials().to_vec();
        let groups = Plan::Aggregate(Aggregate { input: input.clone(), keys: keys.clone(), aggregates });
        let fields = groups.fields();
        let sets: Vec<Vec<ColumnId>> =
            branches.iter().filter_map(grouping_set).map(|(_, set)| set.keys.clone()).collect();
        let first = SharedSet { keys: keys.clone(), results: decomposed.results(), id: self.share(groups) };
        let mut shared_sets = vec![first];
        // Finer sets first, because coarser ones may be computed from them.
        let mut order: Vec<usize> = (0..branches.len()).collect();
        order.sort_by_key(|place| std::cmp::Reverse(sets[*place].len()));
        for (position, place) in order.iter().enumerate() {
            let Some((_, Aggregate { aggregates: calls, .. })) = grouping_set(&branches[*place]) else {
                continue;
            };
            let outputs: Vec<ColumnId> = calls.iter().map(|call| call.output.id).collect();
            let coarser: Vec<&[ColumnId]> =
                order[position + 1..].iter().map(|place| sets[*place].as_slice()).collect();
            let (input, results) =
                self.groups_of(&sets[*place], &coarser, (&mut shared_sets, &fields), &decomposed);
            let values = decomposed.values(&results, sets[*place].is_empty()).into_iter();
            let values = values.filter_map(|(id, value)| Some((*outputs.get(*places.get(&id)?)?, value)));
            let definitions: HashMap<ColumnId, Expr> = values.collect();
            if let Plan::Project { input: before, columns } = &mut branches[*place] {
                **before = input;
                for (_, expr) in columns {
                    *expr = expr.clone().substituted(&definitions);
                }
            }
        }
    }

    /// The groups of a set, computed from a finer shared set, and the columns of their partial results.
    fn groups_of(
        &mut self,
        keys: &[ColumnId],
        coarser: &[&[ColumnId]],
        (shared_sets, fields): (&mut Vec<SharedSet>, &[Field]),
        decomposed: &Decomposed,
    ) -> (Plan, Vec<Field>) {
        let partials = decomposed.results();
        let has_all = |set: &&SharedSet| keys.iter().all(|key| set.keys.contains(key));
        let source = shared_sets.iter().filter(has_all).min_by_key(|set| set.keys.len());
        let Some(source) = source.filter(|source| source.keys.len() > keys.len()) else {
            // The first shared set has all keys.
            let own = source.unwrap_or(&shared_sets[0]);
            return (own.groups(fields, &partials), partials);
        };
        let aggregates = decomposed.combining(self.next_column);
        let results: Vec<Field> = aggregates.iter().map(|call| call.output.clone()).collect();
        let input = Box::new(source.groups(fields, &partials));
        let groups = Plan::Aggregate(Aggregate { input, keys: keys.to_vec(), aggregates });
        let is_source = coarser.iter().any(|other| other.iter().all(|key| keys.contains(key)));
        if !is_source || keys.is_empty() || self.estimator.rows(&groups) < MIN_SHARED_GROUPS {
            return (groups, results);
        }
        let own = SharedSet { keys: keys.to_vec(), results, id: self.share(groups) };
        let groups = own.groups(fields, &partials);
        shared_sets.push(own);
        (groups, partials)
    }
}

/// A set whose groups are shared.
struct SharedSet {
    keys: Vec<ColumnId>,
    /// Its columns with the partial results.
    results: Vec<Field>,
    id: SharedId,
}

impl SharedSet {
    /// The shared groups, with partial results under the columns `partials`; the key columns are in `fields`.
    fn groups(&self, fields: &[Field], partials: &[Field]) -> Plan {
        let keys = fields.iter().filter(|field| self.keys.contains(&field.id));
        let keys = keys.map(|field| (field.clone(), field.id));
        let results = partials.iter().zip(&self.results).map(|(field, own)| (field.clone(), own.id));
        Plan::Shared { id: self.id, columns: keys.chain(results).collect(), row_estimate: None }
    }
}

/// The index of the set with all keys of the others, if all branches of a union are grouping sets of one input.
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

/// Matches a branch of a union that is an aggregation of a shared plan below a projection.
fn grouping_set(branch: &Plan) -> Option<(SharedId, &Aggregate)> {
    let Plan::Project { input, .. } = branch else { return None };
    let Plan::Aggregate(aggregate) = &**input else { return None };
    let Plan::Shared { id, .. } = &*aggregate.input else { return None };
    Some((*id, aggregate))
}
