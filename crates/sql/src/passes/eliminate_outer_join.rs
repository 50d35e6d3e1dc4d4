//! Outer joins become inner joins if a node above drops the rows with NULLs. Before: a left or right join, and above it
//! a filter, the keys of an inner or semi join, or an ON condition that cannot be TRUE if a column of the nullable side
//! is NULL. After: an inner join. Why: it may be reordered, and conditions on either side filter both.

use std::collections::HashSet;

use super::null_rejection::{add_null_sources, add_rejected};
use crate::expr::Expr;
use crate::plan::{ColumnId, Join, JoinKey, JoinKind, Plan, SetOperationKind};

pub(super) fn run(plan: &mut Plan) {
    visit(plan, &mut HashSet::new());
}

/// Visits a plan. The nodes above it use only its rows without NULL in the `rejected` columns. Columns that further
/// conditions reject are added; they are not columns of any other part of the statement's plan.
fn visit(plan: &mut Plan, rejected: &mut HashSet<ColumnId>) {
    match plan {
        Plan::Filter { input, predicate } => {
            add_rejected(predicate, rejected);
            visit(input, rejected);
        }
        // Rows with equal values are all used, or none.
        Plan::Sort { input, .. } | Plan::Distinct { input, on: None } | Plan::Unnest { input, .. } => {
            visit(input, rejected);
        }
        Plan::Project { input, columns } => {
            for (field, expr) in columns.iter() {
                if rejected.contains(&field.id) {
                    add_null_sources(expr, rejected);
                }
            }
            visit(input, rejected);
        }
        Plan::Aggregate(aggregate) => {
            // A group is used or dropped as a whole.
            let mut of_keys = aggregate.keys.iter().copied().filter(|key| rejected.contains(key)).collect();
            visit(&mut aggregate.input, &mut of_keys);
        }
        Plan::Join(join) => visit_join(join, rejected),
        Plan::MarkJoin(join) => {
            visit(&mut join.left, rejected);
            // NULLs of the IN key itself decide whether the mark is NULL.
            visit(&mut join.right, &mut rejected_by(&join.keys, join.residual.as_ref()));
        }
        Plan::SetOperation { kind: SetOperationKind::UnionAll, inputs, fields } => {
            for input in inputs {
                let own = fields.iter().zip(input.fields());
                let own = own.filter(|(field, _)| rejected.contains(&field.id)).map(|(_, own)| own.id);
                let mut of_input = own.collect();
                visit(input, &mut of_input);
            }
        }
        other => {
            for input in other.inputs_mut() {
                visit(input, &mut HashSet::new());
            }
        }
    }
}

fn visit_join(join: &mut Join, rejected: &mut HashSet<ColumnId>) {
    let is_rejected = |side: &Plan| side.column_ids().iter().any(|column| rejected.contains(column));
    match join.kind {
        JoinKind::Left if is_rejected(&join.right) => join.kind = JoinKind::Inner,
        JoinKind::Right if is_rejected(&join.left) => join.kind = JoinKind::Inner,
        _ => {}
    }
    let mut unmatched = rejected_by(&join.keys, join.residual.as_ref());
    match join.kind {
        JoinKind::Inner => {
            rejected.extend(unmatched);
            visit(&mut join.left, rejected);
            visit(&mut join.right, rejected);
        }
        JoinKind::Semi => {
            visit(&mut join.right, &mut unmatched);
            rejected.extend(unmatched);
            visit(&mut join.left, rejected);
        }
        JoinKind::Left | JoinKind::Single | JoinKind::Anti => {
            visit(&mut join.left, rejected);
            visit(&mut join.right, &mut unmatched);
        }
        JoinKind::Right => {
            visit(&mut join.left, &mut unmatched);
            visit(&mut join.right, rejected);
        }
        JoinKind::Full => {
            visit(&mut join.left, &mut HashSet::new());
            visit(&mut join.right, &mut HashSet::new());
        }
    }
}

/// The columns of both sides of a join whose NULL has no match.
fn rejected_by(keys: &[JoinKey], residual: Option<&Expr>) -> HashSet<ColumnId> {
    let mut unmatched = HashSet::new();
    for key in keys.iter().filter(|key| !key.null_equals_null) {
        add_null_sources(&key.left, &mut unmatched);
        add_null_sources(&key.right, &mut unmatched);
    }
    if let Some(residual) = residual {
        add_rejected(residual, &mut unmatched);
    }
    unmatched
}
