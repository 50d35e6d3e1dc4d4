//! Rewriting of plans: what makes a plan cheap without changing what it gives. Each pass is a file that says the
//! shape before and after, and can be switched off by itself, so that a test can tell whether it is still needed.

use super::plan::{ColumnId, Plan};
use super::statement::Analyzed;

mod inline_shared;

/// A pass, in the order in which they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pass {
    /// Common table expressions that are used once stand where they are used.
    InlineShared,
}

impl Pass {
    /// Every pass.
    pub const ALL: &[Self] = &[Self::InlineShared];
}

/// The passes that run.
#[derive(Clone, Debug)]
pub struct PassSet {
    enabled: Vec<Pass>,
}

impl Default for PassSet {
    /// All of them.
    fn default() -> Self {
        Self { enabled: Pass::ALL.to_vec() }
    }
}

impl PassSet {
    /// None of them.
    pub const fn none() -> Self {
        Self { enabled: Vec::new() }
    }

    /// Without one.
    #[must_use]
    pub fn without(mut self, pass: Pass) -> Self {
        self.enabled.retain(|enabled| *enabled != pass);
        self
    }

    /// Whether a pass runs.
    pub fn contains(&self, pass: Pass) -> bool {
        self.enabled.contains(&pass)
    }
}

/// What a pass works on: all plans of a statement, and new column ids.
pub(super) struct Rewriter<'a> {
    pub(super) next_column: &'a mut u32,
}

impl Rewriter<'_> {
    /// A new column.
    #[expect(dead_code, reason = "passes that make columns take it")]
    pub(super) fn new_id(&mut self) -> ColumnId {
        let id = ColumnId(*self.next_column);
        *self.next_column += 1;
        id
    }
}

/// Runs the passes of the set.
pub(super) fn run_passes(analyzed: &mut Analyzed, passes: &PassSet, next_column: &mut u32) {
    let rewriter = Rewriter { next_column };
    if passes.contains(Pass::InlineShared) {
        inline_shared::run(analyzed, rewriter.next_column);
    }
}

/// Replaces every node, those below first.
pub(super) fn rewrite(plan: &mut Plan, change: &mut impl FnMut(Plan) -> Plan) {
    for input in plan.inputs_mut() {
        rewrite(input, change);
    }
    let taken = std::mem::replace(plan, Plan::Values { fields: Vec::new(), rows: Vec::new() });
    *plan = change(taken);
}
