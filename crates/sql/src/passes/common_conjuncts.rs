//! Common conjuncts. Before: a filter `(a AND x) OR (a AND y)`. After: `a AND (x OR y)`; if a branch has only common
//! conjuncts, those alone. Why: `a` can be the equality of a join (TPC-H q19 has it in each branch), or be pushed down
//! separately.

use super::rewrite;
use crate::expr::{Expr, ExprKind};
use crate::plan::Plan;

pub(super) fn run(plan: &mut Plan) {
    rewrite(plan, &mut |node| match node {
        Plan::Filter { input, predicate } => {
            Plan::Filter { input, predicate: with_common_conjuncts(predicate) }
        }
        other => other,
    });
}

/// The predicate, with the conjuncts that all branches of an OR have in common extracted to its front.
pub(crate) fn with_common_conjuncts(predicate: Expr) -> Expr {
    let place = predicate.location;
    match predicate.kind {
        ExprKind::And(parts) => Expr::and(parts.into_iter().map(with_common_conjuncts)).at(place),
        ExprKind::Or(branches) => {
            let branches: Vec<Vec<Expr>> =
                branches.into_iter().map(|branch| with_common_conjuncts(branch).into_conjuncts()).collect();
            let Some((first, rest)) = branches.split_first() else {
                return Expr::boolean(false);
            };
            let mut common: Vec<Expr> = Vec::new();
            for part in first {
                // A random condition is another one in each branch.
                if !part.is_random() && !has(&common, part) && rest.iter().all(|branch| has(branch, part)) {
                    common.push(part.clone());
                }
            }
            let remaining: Vec<Expr> = branches
                .into_iter()
                .map(|branch| Expr::and(branch.into_iter().filter(|part| !has(&common, part))))
                .collect();
            if common.is_empty() {
                return Expr::or(remaining).at(place);
            }
            // If a branch has no further conjuncts, the OR of the rest is TRUE.
            let is_implied = remaining.iter().any(|branch| *branch == Expr::boolean(true));
            let rest = (!is_implied).then(|| Expr::or(remaining));
            Expr::and(common.into_iter().chain(rest)).at(place)
        }
        kind => Expr { kind, ..predicate },
    }
}

/// Whether the conjuncts contain an expression, or the same comparison with swapped operands.
fn has(conjuncts: &[Expr], wanted: &Expr) -> bool {
    conjuncts.iter().any(|part| {
        let is_swapped = || match (&part.kind, &wanted.kind) {
            (
                ExprKind::Comparison { operator, left, right },
                ExprKind::Comparison { operator: wanted_operator, left: wanted_left, right: wanted_right },
            ) => operator.swapped() == *wanted_operator && left == wanted_right && right == wanted_left,
            _ => false,
        };
        part == wanted || is_swapped()
    })
}
