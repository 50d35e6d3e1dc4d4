//! The optimizer's passes make a plan cheaper without changing its result. The file of each pass states the plan before
//! and after it. Passes can be disabled individually, so that tests can show whether each is still needed.

use super::expr::{Expr, Value};
use super::plan::{Plan, Scan, SharedId};
use super::statement::Analyzed;
use super::statistics::TableStatistics;

mod cardinality;
mod common_conjuncts;
mod common_subexpressions;
mod decomposed;
mod eliminate_group_keys;
mod eliminate_outer_join;
mod evaluate_constants;
mod fold_constants;
mod fuse_subqueries;
mod implied;
mod infallible;
mod infer_predicates;
mod inline_shared;
mod join_order;
mod null_rejection;
mod planned_calls;
mod pre_aggregate_case;
mod prune_columns;
mod push_aggregate;
mod push_distinct;
mod push_into_shared;
mod push_limit_through_project;
mod push_predicates;
mod reduce_by_semi_join;
mod roll_up;
mod rows_without_columns;
mod semi_joins;
mod simplify_sums;
mod single_distinct_to_group_by;
mod unwrap_cast_in_comparison;

use cardinality::Estimator;
pub(crate) use common_conjuncts::with_common_conjuncts;

/// A pass. The variants are in the order of execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pass {
    /// Constants in filters, conditions of joins and conditions of CASE are evaluated.
    EvaluateConstants,
    /// Constant folding.
    FoldConstants,
    /// Comparisons of a monotone function of a column with a constant become comparisons of the column.
    UnwrapCastInComparison,
    /// Grouping sets are computed from the groups of the finest set.
    RollUp,
    /// A shared plan (CTE) with one use is inlined.
    InlineShared,
    /// Aggregations to one row over the same tables are fused.
    FuseSubqueries,
    /// Conjuncts that all branches of an OR have in common are extracted.
    CommonConjuncts,
    /// Outer joins whose NULLs are dropped above become inner joins.
    EliminateOuterJoin,
    /// Filter pushdown.
    PushPredicates,
    /// Columns are computed for the rows that a LIMIT leaves.
    PushLimitThroughProject,
    /// A shared plan gets the disjunction of its uses' filters as a filter.
    PushIntoShared,
    /// Column pruning (projection pushdown).
    PruneColumns,
    /// Grouping keys that are constants or determined by other keys are no keys any more.
    EliminateGroupKeys,
    /// Sums of one value plus several constants become one sum.
    SimplifySums,
    /// DISTINCT aggregates beside other aggregates become groups.
    SingleDistinctToGroupBy,
    /// Mark joins (EXISTS, IN) that only filter become semi joins.
    SemiJoins,
    /// Cross joins get keys, and inner joins the order with the least estimated cost.
    JoinOrder,
    /// Eager aggregation: many rows are aggregated before they are joined.
    PushAggregate,
    /// Values in several CASEs are first aggregated by the columns of the CASEs' conditions.
    PreAggregateCase,
    /// Dynamic filtering: a selective build side becomes a semi join on the probe side.
    ReduceBySemiJoin,
    /// Duplicates of which a DISTINCT above joins keeps one are dropped below the joins, as far as that costs little.
    PushDistinct,
    /// Common subexpressions of a node's expressions are computed once, below the node.
    CommonSubexpressions,
}

impl Pass {
    /// All passes.
    pub const ALL: &[Self] = &[
        Self::EvaluateConstants,
        Self::FoldConstants,
        Self::UnwrapCastInComparison,
        Self::RollUp,
        Self::InlineShared,
        Self::FuseSubqueries,
        Self::CommonConjuncts,
        Self::EliminateOuterJoin,
        Self::PushPredicates,
        Self::PushLimitThroughProject,
        Self::PushIntoShared,
        Self::PruneColumns,
        Self::EliminateGroupKeys,
        Self::SimplifySums,
        Self::SingleDistinctToGroupBy,
        Self::SemiJoins,
        Self::JoinOrder,
        Self::PushAggregate,
        Self::PreAggregateCase,
        Self::ReduceBySemiJoin,
        Self::PushDistinct,
        Self::CommonSubexpressions,
    ];
}

/// Minimum number of rows of a table for which a dynamic filter is worthwhile.
const MIN_ROWS_READ: f64 = 100_000.0;

/// Maximum number of joins and keys in a statement for which passes with a cost per join run.
const MAX_REDUCED_JOINS: usize = 100;

/// A set of enabled passes.
#[derive(Clone, Debug)]
pub struct PassSet {
    enabled: Vec<Pass>,
    min_rows_read: f64,
}

impl Default for PassSet {
    /// All passes.
    fn default() -> Self {
        Self { enabled: Pass::ALL.to_vec(), min_rows_read: MIN_ROWS_READ }
    }
}

impl PassSet {
    /// The empty set.
    pub const fn none() -> Self {
        Self { enabled: Vec::new(), min_rows_read: MIN_ROWS_READ }
    }

    /// The set without a pass.
    #[must_use]
    pub fn without(mut self, pass: Pass) -> Self {
        self.enabled.retain(|enabled| *enabled != pass);
        self
    }

    /// Treats all tables as large.
    #[must_use]
    pub const fn for_large_tables(mut self) -> Self {
        self.min_rows_read = 0.0;
        self
    }

    /// Whether a pass is enabled.
    pub fn contains(&self, pass: Pass) -> bool {
        self.enabled.contains(&pass)
    }
}

/// The estimated rows of each node of the statement's plans: the shared plans in order, then the plan, each in the
/// order of [`Plan::visit`].
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

/// The estimated fraction of a table's rows for which a condition holds, from the statistics of its columns.
pub fn filter_fraction(scan: &Scan, condition: &Expr, statistics: &TableStatistics) -> f64 {
    let scan = Plan::Scan(Scan { table: 0, ..scan.clone() });
    let estimator = Estimator::new(std::slice::from_ref(statistics));
    let rows = estimator.rows(&scan);
    let filter = Plan::Filter { input: Box::new(scan), predicate: condition.clone() };
    if rows > 0.0 { (estimator.rows(&filter) / rows).clamp(0.0, 1.0) } else { 1.0 }
}

/// Runs the enabled passes. `evaluate` returns the value of an expression without columns, or nothing if it fails.
pub(super) fn run_passes(
    analyzed: &mut Analyzed,
    passes: &PassSet,
    evaluate: &mut dyn FnMut(&Expr) -> Option<Value>,
    next_column: &mut u32,
) {
    for plan in analyzed.shared.iter_mut().chain([&mut analyzed.plan]) {
        if passes.contains(Pass::EvaluateConstants) {
            evaluate_constants::run(plan, evaluate);
        }
        if passes.contains(Pass::FoldConstants) {
            fold_constants::run(plan);
        }
        if passes.contains(Pass::UnwrapCastInComparison) {
            unwrap_cast_in_comparison::run(plan);
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
        if passes.contains(Pass::EliminateOuterJoin) {
            eliminate_outer_join::run(plan);
        }
        if passes.contains(Pass::PushPredicates) {
            push_predicates::run(plan);
        }
        if passes.contains(Pass::PushLimitThroughProject) {
            push_limit_through_project::run(plan);
        }
    }
    if passes.contains(Pass::PushIntoShared) {
        push_into_shared::run(analyzed);
    }
    // Predicate pushdown leaves columns behind that only the predicate needed.
    if passes.contains(Pass::PruneColumns) {
        prune_columns::run(analyzed);
    }
    // Unneeded columns are gone, so that they cannot become keys.
    simplify_aggregates(analyzed, passes, next_column);
    if passes.contains(Pass::SemiJoins) {
        // All columns of a shared plan are needed; of the statement's plan only its output columns are.
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
    // The passes below estimate the whole subtree of each join.
    let is_small = join_count(analyzed) <= MAX_REDUCED_JOINS;
    if passes.contains(Pass::PushAggregate) && is_small {
        push_aggregates(analyzed, passes, next_column);
    }
    if passes.contains(Pass::ReduceBySemiJoin) && is_small {
        reduce_by_semi_join::run(analyzed, passes.min_rows_read, next_column);
        // Fewer rows are left for an aggregation below a join.
        if passes.contains(Pass::PushAggregate) {
            push_aggregates(analyzed, passes, next_column);
        }
    }
    // It relies on the pruning of columns below.
    if passes.contains(Pass::PushDistinct) && passes.contains(Pass::PruneColumns) && is_small {
        let min_rows = passes.min_rows_read;
        with_estimates(analyzed, |plan, estimator| push_distinct::run(plan, estimator, min_rows));
    }
    // Unneeded columns must not make an expression count as evaluated for every row.
    if passes.contains(Pass::PruneColumns) {
        prune_columns::run(analyzed);
    }
    if passes.contains(Pass::CommonSubexpressions) {
        let mut sharing = common_subexpressions::Sharing::new(next_column);
        with_estimates(analyzed, |plan, estimator| sharing.run(plan, estimator));
        // The added projections pass all columns on.
        if sharing.is_any && passes.contains(Pass::PruneColumns) {
            prune_columns::run(analyzed);
        }
    }
    for plan in analyzed.shared.iter_mut().chain([&mut analyzed.plan]) {
        rows_without_columns::run(plan, next_column);
    }
}

/// Runs a pass on each shared plan and then on the plan, with estimates of the shared plans before it.
fn with_estimates(analyzed: &mut Analyzed, mut pass: impl FnMut(&mut Plan, &Estimator<'_>)) {
    let mut estimator = Estimator::new(&analyzed.statistics);
    for plan in &mut analyzed.shared {
        pass(plan, &estimator);
        estimator.share(plan);
    }
    pass(&mut analyzed.plan, &estimator);
}

fn simplify_aggregates(analyzed: &mut Analyzed, passes: &PassSet, next_column: &mut u32) {
    if passes.contains(Pass::EliminateGroupKeys) {
        with_estimates(analyzed, |plan, estimator| eliminate_group_keys::run(plan, estimator, next_column));
    }
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

/// The number of joins, where a join with several keys counts once per key.
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

/// Renumbers references to shared plans.
fn renumber(plan: &mut Plan, number: &impl Fn(SharedId) -> SharedId) {
    if let Plan::Shared { id, .. } = plan {
        *id = number(*id);
    }
    for input in plan.inputs_mut() {
        renumber(input, number);
    }
}

/// Replaces every node, bottom-up.
pub(super) fn rewrite(plan: &mut Plan, change: &mut impl FnMut(Plan) -> Plan) {
    for input in plan.inputs_mut() {
        rewrite(input, change);
    }
    let taken = plan.take();
    *plan = change(taken);
}
