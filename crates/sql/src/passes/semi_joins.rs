//! Semi joins. Before: `Filter (mark AND p)` above `MarkJoin mark`, with no other use of the mark. After: `Filter p`
//! above a semi join; an anti join for `NOT mark` of an EXISTS. `NOT IN` stays a mark join: a NULL on either side makes
//! its mark NULL, which an anti join cannot express. Why: a semi join returns fewer rows and can be moved below other
//! joins.

use std::collections::HashMap;

use crate::expr::{Expr, ExprKind, Value};
use crate::plan::{ColumnId, Field, Join, JoinKind, MarkJoin, Plan};

pub(super) fn run(plan: &mut Plan, output: &[Field]) {
    let mut uses: HashMap<ColumnId, usize> = HashMap::new();
    plan.visit(&mut |node| {
        // Grouping keys also refer to columns: a mark that is a key must stay.
        let named: &[ColumnId] = match node {
            Plan::Aggregate(aggregate) => &aggregate.keys,
            Plan::Distinct { on: Some(on), .. } => on,
            _ => &[],
        };
        for column in named {
            *uses.entry(*column).or_default() += 1;
        }
        for expr in node.expressions() {
            for column in expr.columns() {
                *uses.entry(column).or_default() += 1;
            }
        }
    });
    for field in output {
        *uses.entry(field.id).or_default() += 1;
    }
    walk(plan, &uses);
}

fn walk(plan: &mut Plan, uses: &HashMap<ColumnId, usize>) {
    if let Plan::Filter { input, predicate } = plan {
        let parts = std::mem::replace(predicate, Expr::boolean(true)).into_conjuncts();
        let parts: Vec<Expr> = parts.into_iter().map(only_true).collect();
        let mut remaining = Vec::with_capacity(parts.len());
        for part in parts {
            let wanted = match &part.kind {
                ExprKind::Column(id) => Some((*id, JoinKind::Semi)),
                ExprKind::Not(inner) => inner.as_column().map(|id| (id, JoinKind::Anti)),
                _ => None,
            };
            let is_done = wanted
                .is_some_and(|(mark, kind)| uses.get(&mark) == Some(&1) && replace_mark(input, mark, kind));
            if !is_done {
                remaining.push(part);
            }
        }
        *predicate = Expr::and(remaining);
    }
    if let Plan::Filter { input, predicate } = plan
        && *predicate == Expr::boolean(true)
    {
        let inner = input.take();
        *plan = inner;
        walk(plan, uses);
        return;
    }
    for input in plan.inputs_mut() {
        walk(input, uses);
    }
}

/// Replaces the mark join of `mark` with a join of this kind; only descends through nodes that a filter could be pushed
/// through.
fn replace_mark(plan: &mut Plan, mark: ColumnId, kind: JoinKind) -> bool {
    match plan {
        Plan::MarkJoin(join) if join.mark.id == mark => {
            if kind == JoinKind::Anti && join.in_key.is_some() {
                return false;
            }
            let Plan::MarkJoin(MarkJoin { left, right, mut keys, residual, in_key, mark: _ }) = plan.take()
            else {
                return false;
            };
            keys.extend(in_key);
            *plan = Plan::Join(Join { kind, left, right, keys, residual });
            true
        }
        Plan::MarkJoin(join) => replace_mark(&mut join.left, mark, kind),
        Plan::Filter { input, .. } => replace_mark(input, mark, kind),
        Plan::Join(join) => match join.kind {
            JoinKind::Inner => {
                replace_mark(&mut join.left, mark, kind) || replace_mark(&mut join.right, mark, kind)
            }
            JoinKind::Left | JoinKind::Single | JoinKind::Semi | JoinKind::Anti => {
                replace_mark(&mut join.left, mark, kind)
            }
            JoinKind::Right | JoinKind::Full => false,
        },
        // A projection has exactly one row per input row.
        Plan::Project { input, columns } => {
            let passes_under_its_id =
                columns.iter().any(|(field, expr)| field.id == mark && expr.as_column() == Some(mark));
            if !passes_under_its_id || !replace_mark(input, mark, kind) {
                return false;
            }
            columns.retain(|(field, _)| field.id != mark);
            true
        }
        _ => false,
    }
}

/// A filter tests for TRUE only: a CASE in which only the first branch can be TRUE is replaced by that branch's
/// condition.
fn only_true(part: Expr) -> Expr {
    if let ExprKind::Case { branches, otherwise: Some(otherwise) } = &part.kind
        && let [(condition, first), rest @ ..] = branches.as_slice()
        && *first == Expr::boolean(true)
        && rest.iter().map(|(_, value)| value).chain([&**otherwise]).all(is_never_true)
    {
        return condition.clone();
    }
    part
}

fn is_never_true(value: &Expr) -> bool {
    matches!(value.as_literal(), Some(Value::Null | Value::Boolean(false)))
}
