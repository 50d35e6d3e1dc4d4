//! The optimizer's passes: they make a plan cheaper without changing its result. Each pass is a file that states the
//! plan before and after, and can be disabled separately, so that a test can show whether it is still needed.

use super::plan::{Plan, SharedId};
use super::statement::Analyzed;

mod cardinality;
mod common_conjuncts;
mod common_subexpressions;
mod decomposed;
mod fold_constants;
mod fuse_subqueries;
mod implied;
mod infallible;
mod inline_shared;
mod join_order;
mod planned_calls;
mod pre_aggregate_case;
mod prune_columns;
mod push_aggregate;
mod push_into_shared;
mod push_predicates;
mod reduce_by_semi_join;
mod roll_up;
mod semi_joins;
mod simplify_sums;
mod single_distinct_to_group_by;

use cardinality::Estimator;
pub(crate) use common_conjuncts::with_common_conjuncts;

/// A pass, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pass {
    /// Constant folding in filters.
    FoldConstants,
    /// Grouping sets are made of the groups of the finest one.
    RollUp,
    /// A shared plan (CTE) with one use is inlined.
    InlineShared,
    /// Aggregations of one row each over the same tables are one.
    FuseSubqueries,
    /// Conjuncts that all branches of an OR have in common stand beside it.
    CommonConjuncts,
    /// Filter pushdown.
    PushPredicates,
    /// A shared plan has a filter for the rows that one of its uses keeps.
    PushIntoShared,
    /// Column pruning (projection pushdown).
    PruneColumns,
    /// Sums of one value and several constants are one sum.
    SimplifySums,
    /// Distinct values beside other aggregates become groups.
    SingleDistinctToGroupBy,
    /// Mark joins (EXISTS, IN) that only filter become semi joins.
    SemiJoins,
    /// Cross joins get keys, and inner joins the order of the least estimated cost.
    JoinOrder,
    /// Eager aggregation: many rows are aggregated before they are joined.
    PushAggregate,
    /// Values under the conditions of several CASEs are aggregated once, by the columns of the conditions.
    PreAggregateCase,
    /// Dynamic filtering: a selective build side becomes a semi join on the probe side.
    ReduceBySemiJoin,
    /// What several expressions of a node compute is computed once below it.
    CommonSubexpressions,
}

impl Pass {
    /// Every pass.
    pub const ALL: &[Self] = &[
        Self::FoldConstants,
        Self::RollUp,
        Self::InlineShared,
        Self::FuseSubqueries,
        Self::CommonConjuncts,
        Self::PushPredicates,
        Self::PushIntoShared,
        Self::PruneColumns,
        Self::SimplifySums,
        Self::SingleDistinctToGroupBy,
        Self::SemiJoins,
        Self::JoinOrder,
        Self::PushAggregate,
        Self::PreAggregateCase,
        Self::ReduceBySemiJoin,
        Self::CommonSubexpressions,
    ];
}

/// Rows of a table from which on it pays to compute ahead which of them are wanted.
const MIN_ROWS_READ: f64 = 100_000.0;

/// Joins of a statement, and keys of them, beyond which none is reduced by another.
const MAX_REDUCED_JOINS: usize = 100;

/// The passes that run.
#[derive(Clone, Debug)]
pub struct PassSet {
    enabled: Vec<Pass>,
    min_rows_read: f64,
}

impl Default for PassSet {
    /// All of them.
    fn default() -> Self {
        Self { enabled: Pass::ALL.to_vec(), min_rows_read: MIN_ROWS_READ }
    }
}

impl PassSet {
    /// None of them.
    pub const fn none() -> Self {
        Self { enabled: Vec::new(), min_rows_read: MIN_ROWS_READ }
    }

    /// Without one.
    #[must_use]
    pub fn without(mut self, pass: Pass) -> Self {
        self.enabled.retain(|enabled| *enabled != pass);
        self
    }

    /// As if all tables were large.
    #[must_use]
    pub const fn for_large_tables(mut self) -> Self {
        self.min_rows_read = 0.0;
        self
    }

    /// Whether a pass runs.
    pub fn contains(&self, pass: Pass) -> bool {
        self.enabled.contains(&pass)
    }
}

/// The rows that each node of the statement's plans is believed to give: those of the shared plans in their order, then those
/// of the plan, each in the order in which [`Plan::visit`] comes to it.
pub fn row_estimates(analyzed: &Analyzed) -> Vec<Vec<f64>> {
    let mut estimator = Estimator::new(&analyzed.statistics);
    let mut estimates = Vec::with_capacity(analyzed.shared.len() + 1);
    for plan in analyzed.shared.iter().chain([&analyzed.plan]) {
        let mut rows = Vec::new();
        plan.visit(&mut |node| rows.push(estimator.rows(node)));
        estimates.push(rows);
        estimator.share(plan);
    }
    estimates
}

/// Runs the passes of the set.
pub(super) fn run_passes(analyzed: &mut Analyzed, passes: &PassSet, next_column: &mut u32) {
    if passes.contains(Pass::FoldConstants) {
        for plan in analyzed.shared.iter_mut().chain([&mut analyzed.plan]) {
            fold_constants::run(plan);
        }
    }
    if passes.contains(Pass::RollUp) {
        roll_up::run(analyzed, next_column);
    }
    if passes.contains(Pass::InlineShared) {
        inline_shared::run(analyzed, next_column);
    }
    if passes.contains(Pass::FuseSubqueries) {
        with_estimates(analyzed, fuse_subqueries::run);
    }
    for plan in analyzed.shared.iter_mut().chain([&mut analyzed.plan]) {
        if passes.contains(Pass::CommonConjuncts) {
            common_conjuncts::run(plan);
        }
        if passes.contains(Pass::PushPredicates) {
            push_predicates::run(plan);
        }
    }
    if passes.contains(Pass::PushIntoShared) {
        push_into_shared::run(analyzed);
    }
    // What was pushed down left columns behind that only it had asked for.
    if passes.contains(Pass::PruneColumns) {
        prune_columns::run(analyzed);
    }
    // What nobody asks for is gone: it must not become a key.
    simplify_aggregates(analyzed, passes, next_column);
    if passes.contains(Pass::SemiJoins) {
        // A shared plan gives all its columns; what is asked of the statement's plan is its output.
        for plan in &mut analyzed.shared {
            let given = plan.fields();
            semi_joins::run(plan, &given);
        }
        semi_joins::run(&mut analyzed.plan, &analyzed.output);
    }
    if passes.contains(Pass::JoinOrder) {
        let estimator = Estimator::with_shared(&analyzed.statistics, &analyzed.shared);
        for plan in analyzed.shared.iter_mut().chain([&mut analyzed.plan]) {
            join_order::run(plan, &estimator);
        }
    }
    // Each join asks for estimates of all that is below it.
    let is_small = join_count(analyzed) <= MAX_REDUCED_JOINS;
    if passes.contains(Pass::PushAggregate) && is_small {
        push_aggregates(analyzed, passes, next_column);
    }
    if passes.contains(Pass::ReduceBySemiJoin) && is_small {
        reduce_by_semi_join::run(analyzed, passes.min_rows_read, next_column);
    }
    // What nobody asks for must not be what makes an expression one of every row.
    if passes.contains(Pass::PruneColumns) {
        prune_columns::run(analyzed);
    }
    if passes.contains(Pass::CommonSubexpressions) {
        let mut sharing = common_subexpressions::Sharing::new(next_column);
        with_estimates(analyzed, |plan, estimator| sharing.run(plan, estimator));
        // The projections that it adds pass all columns on.
        if sharing.is_any && passes.contains(Pass::PruneColumns) {
            prune_columns::run(analyzed);
        }
    }
}

/// Runs a pass on each shared plan and then on the plan, with what is believed of the shared plans before it.
fn with_estimates(analyzed: &mut Analyzed, mut pass: impl FnMut(&mut Plan, &Estimator<'_>)) {
    let mut estimator = Estimator::new(&analyzed.statistics);
    for plan in &mut analyzed.shared {
        pass(plan, &estimator);
        estimator.share(plan);
    }
    pass(&mut analyzed.plan, &estimator);
}

fn simplify_aggregates(analyzed: &mut Analyzed, passes: &PassSet, next_column: &mut u32) {
    if passes.contains(Pass::SimplifySums) {
        for plan in analyzed.shared.iter_mut().chain([&mut analyzed.plan]) {
            simplify_sums::run(plan, next_column);
        }
    }
    if passes.contains(Pass::SingleDistinctToGroupBy) {
        with_estimates(analyzed, |plan, estimator| {
            single_distinct_to_group_by::run(plan, estimator, next_column);
        });
    }
}

fn push_aggregates(analyzed: &mut Analyzed, passes: &PassSet, next_column: &mut u32) {
    let min_rows = (passes.min_rows_read == 0.0).then_some(0.0);
    let splits_cases = passes.contains(Pass::PreAggregateCase);
    let options = push_aggregate::Options { min_rows, splits_cases };
    with_estimates(analyzed, |plan, estimator| {
        push_aggregate::run(plan, estimator, options, next_column);
    });
}

/// Joins, those with several keys as often as they have keys.
fn join_count(analyzed: &Analyzed) -> usize {
    let mut count = 0;
    for plan in analyzed.shared.iter().chain([&analyzed.plan]) {
        plan.visit(&mut |node| {
            count += match node {
                Plan::Join(join) => join.keys.len().max(1),
                Plan::MarkJoin(join) => join.keys.len().max(1),
                _ => 0,
            };
        });
    }
    count
}

/// Shared plans under other numbers.
fn renumber(plan: &mut Plan, number: &impl Fn(SharedId) -> SharedId) {
    if let Plan::Shared { id, .. } = plan {
        *id = number(*id);
    }
    for input in plan.inputs_mut() {
        renumber(input, number);
    }
}

/// Replaces every node, those below first.
pub(super) fn rewrite(plan: &mut Plan, change: &mut impl FnMut(Plan) -> Plan) {
    for input in plan.inputs_mut() {
        rewrite(input, change);
    }
    let taken = plan.take();
    *plan = change(taken);
}
