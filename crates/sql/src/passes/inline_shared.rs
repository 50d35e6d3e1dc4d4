//! Inlines shared plans. Before: `Shared 0 [c5=c1]`, the only use of shared plan 0, or one of a plan that is cheap to
//! repeat. After: `Project [c5=c1]` over that plan (a copy under new ids, if it is used more than once). Why: predicate
//! pushdown and column pruning then reach the plan. Plans that aggregate or join are computed once, and so are plans
//! that are too large to copy: a list of rows that is used a thousand times is not copied a thousand times.

use std::collections::HashMap;

use super::{renumber, rewrite};
use crate::expr::Expr;
use crate::plan::{Plan, SharedId};
use crate::statement::Analyzed;

/// Maximum size of all copies, in nodes, columns and expressions.
const MAX_COPIED: usize = 100_000;

pub(super) fn run(analyzed: &mut Analyzed, next_column: &mut u32) {
    // A shared plan refers only to earlier ones, so it is already decided which of those remain.
    let mut uses: HashMap<SharedId, usize> = HashMap::new();
    for plan in analyzed.shared.iter().chain([&analyzed.plan]) {
        plan.visit(&mut |node| {
            if let Plan::Shared { id, .. } = node {
                *uses.entry(*id).or_default() += 1;
            }
        });
    }
    let mut done: Vec<Plan> = Vec::with_capacity(analyzed.shared.len());
    let mut copied = 0;
    for mut plan in std::mem::take(&mut analyzed.shared) {
        inline(&mut plan, &mut done, &uses, &mut copied, next_column);
        done.push(plan);
    }
    inline(&mut analyzed.plan, &mut done, &uses, &mut copied, next_column);
    retain_used(analyzed, done);
}

fn inline(
    plan: &mut Plan,
    shared: &mut [Plan],
    uses: &HashMap<SharedId, usize>,
    copied: &mut usize,
    next_column: &mut u32,
) {
    rewrite(plan, &mut |node| match node {
        Plan::Shared { id, columns, row_estimate } => {
            let source = &mut shared[id.0];
            let use_count = uses.get(&id).copied().unwrap_or(0);
            let (copy, ids) = if use_count > 1 {
                let size = size_of(source);
                let may_be_copied = is_cheap(source) && *copied + size <= MAX_COPIED;
                if !may_be_copied && source.free_columns().is_empty() {
                    return Plan::Shared { id, columns, row_estimate };
                }
                *copied += size;
                source.copied(next_column)
            } else {
                // The only use takes the plan itself, with its ids.
                (source.take(), HashMap::new())
            };
            let columns = columns
                .into_iter()
                .map(|(field, from)| {
                    let from = ids.get(&from).copied().unwrap_or(from);
                    let expr = Expr::column(from, field.data_type.clone());
                    (field, expr)
                })
                .collect();
            Plan::Project { input: Box::new(copy), columns }
        }
        other => other,
    });
}

/// The size of a plan in nodes, columns and expressions.
fn size_of(plan: &Plan) -> usize {
    let mut size = 0;
    plan.visit(&mut |node| size += 1 + node.new_column_count() + node.expressions().len());
    size
}

/// Whether repeating the plan costs no more than materializing its rows, and returns the same rows.
fn is_cheap(plan: &Plan) -> bool {
    match plan {
        Plan::Scan(_) | Plan::Values { .. } => true,
        Plan::Filter { input, .. } | Plan::Project { input, .. } => {
            !plan.expressions().into_iter().any(Expr::is_random) && is_cheap(input)
        }
        _ => false,
    }
}

/// Removes the shared plans that are no longer used, and renumbers the rest.
fn retain_used(analyzed: &mut Analyzed, shared: Vec<Plan>) {
    let mut used = vec![false; shared.len()];
    let mark = |plan: &Plan, used: &mut Vec<bool>| {
        plan.visit(&mut |node| {
            if let Plan::Shared { id, .. } = node {
                used[id.0] = true;
            }
        });
    };
    mark(&analyzed.plan, &mut used);
    for index in (0..shared.len()).rev() {
        if used[index] {
            mark(&shared[index], &mut used);
        }
    }
    let mut numbers = HashMap::new();
    for (index, plan) in shared.into_iter().enumerate() {
        if used[index] {
            numbers.insert(index, analyzed.shared.len());
            analyzed.shared.push(plan);
        }
    }
    let number = |id: SharedId| SharedId(numbers.get(&id.0).copied().unwrap_or(id.0));
    for plan in analyzed.shared.iter_mut().chain([&mut analyzed.plan]) {
        renumber(plan, &number);
    }
}
