//! Rewriting of plans: what makes a plan cheap without changing what it gives. Each pass is a file that says the
//! shape before and after, and can be switched off by itself, so that a test can tell whether it is still needed.

use super::plan::Plan;
use super::statement::Analyzed;

mod common_conjuncts;
mod fold_constants;
mod inline_shared;
mod join_order;
mod prune_columns;
mod push_predicates;
mod reduce_by_semi_join;
mod semi_joins;

/// A pass, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pass {
    /// Constant folding in filters.
    FoldConstants,
    /// A shared plan (CTE) with one use is inlined.
    InlineShared,
    /// Conjuncts that all branches of an OR have in common stand beside it.
    CommonConjuncts,
    /// Filter pushdown.
    PushPredicates,
    /// Column pruning (projection pushdown).
    PruneColumns,
    /// Mark joins (EXISTS, IN) that only filter become semi joins.
    SemiJoins,
    /// Cross joins get keys, and inner joins the order of the least estimated cost.
    JoinOrder,
    /// Dynamic filtering: a selective build side becomes a semi join on the probe side.
    ReduceBySemiJoin,
}

impl Pass {
    /// Every pass.
    pub const ALL: &[Self] = &[
        Self::FoldConstants,
        Self::InlineShared,
        Self::CommonConjuncts,
        Self::PushPredicates,
        Self::PruneColumns,
        Self::SemiJoins,
        Self::JoinOrder,
        Self::ReduceBySemiJoin,
    ];
}

/// Rows of a table from which on it pays to compute ahead which of them are wanted.
const MIN_ROWS_READ: f64 = 100_000.0;

/// Joins of a statement beyond which none is reduced by another.
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

/// Runs the passes of the set.
pub(super) fn run_passes(analyzed: &mut Analyzed, passes: &PassSet, next_column: &mut u32) {
    if passes.contains(Pass::FoldConstants) {
        for plan in analyzed.shared.iter_mut().chain([&mut analyzed.plan]) {
            fold_constants::run(plan);
        }
    }
    if passes.contains(Pass::InlineShared) {
        inline_shared::run(analyzed, next_column);
    }
    for plan in analyzed.shared.iter_mut().chain([&mut analyzed.plan]) {
        if passes.contains(Pass::CommonConjuncts) {
            common_conjuncts::run(plan);
        }
        if passes.contains(Pass::PushPredicates) {
            push_predicates::run(plan);
        }
    }
    // What was pushed down left columns behind that only it had asked for.
    if passes.contains(Pass::PruneColumns) {
        prune_columns::run(analyzed);
    }
    if passes.contains(Pass::SemiJoins) {
        // A shared plan gives all its columns; what is asked of the statement's plan is its output.
        for plan in &mut analyzed.shared {
            let given = plan.fields();
            semi_joins::run(plan, &given);
        }
        semi_joins::run(&mut analyzed.plan, &analyzed.output);
    }
    if passes.contains(Pass::JoinOrder) {
        let estimator = join_order::Estimator::new(&analyzed.shared);
        for plan in analyzed.shared.iter_mut().chain([&mut analyzed.plan]) {
            join_order::run(plan, &estimator);
        }
    }
    // Each join asks for guesses about all that is below it.
    let is_small = join_count(analyzed) <= MAX_REDUCED_JOINS;
    if passes.contains(Pass::ReduceBySemiJoin) && is_small {
        let mut estimator = join_order::Estimator::new(&analyzed.shared);
        reduce_by_semi_join::run(analyzed, &mut estimator, passes.min_rows_read, next_column);
    }
    if passes.contains(Pass::PruneColumns) {
        prune_columns::run(analyzed);
    }
}

fn join_count(analyzed: &Analyzed) -> usize {
    let mut count = 0;
    for plan in analyzed.shared.iter().chain([&analyzed.plan]) {
        plan.visit(&mut |node| count += usize::from(matches!(node, Plan::Join(_) | Plan::MarkJoin(_))));
    }
    count
}

/// Replaces every node, those below first.
pub(super) fn rewrite(plan: &mut Plan, change: &mut impl FnMut(Plan) -> Plan) {
    for input in plan.inputs_mut() {
        rewrite(input, change);
    }
    let taken = plan.take();
    *plan = change(taken);
}
