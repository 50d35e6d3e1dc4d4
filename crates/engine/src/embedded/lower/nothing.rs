//! Plans that give no rows whatever the tables hold, as below WHERE FALSE. They are not handed to Polars: its
//! streaming engine fails at a product with a source that has no batches, where nothing is asked of the other side.

use super::relation::known_truth;
use crate::sql::plan::{JoinKind, Plan, SetOperationKind, SharedId};

/// Puts no rows in the place of every node that can give none, those below first; shared plans tell of themselves.
pub(super) fn replace_nothing(plan: &mut Plan, is_empty: &impl Fn(SharedId) -> bool) {
    for input in plan.inputs_mut() {
        replace_nothing(input, is_empty);
    }
    let is_nothing = match &*plan {
        Plan::Shared { id, .. } => is_empty(*id),
        other => gives_nothing(other),
    };
    if is_nothing {
        *plan = Plan::Values { fields: plan.fields(), rows: Vec::new() };
    }
}

/// Whether a node gives no rows, those below it being replaced.
fn gives_nothing(plan: &Plan) -> bool {
    match plan {
        Plan::Scan(_) | Plan::Shared { .. } | Plan::EnforceSingleRow { .. } => false,
        // It is what others are replaced by.
        Plan::Values { .. } => false,
        Plan::Filter { input, predicate } => {
            let mut parts = predicate.clone().into_conjuncts().into_iter();
            is_nothing(input) || parts.any(|part| known_truth(&part) == Some(false))
        }
        Plan::Limit { input, limit, .. } => *limit == Some(0) || is_nothing(input),
        Plan::Project { input, .. }
        | Plan::Window { input, .. }
        | Plan::Sort { input, .. }
        | Plan::Distinct { input, .. }
        | Plan::Unnest { input, .. } => is_nothing(input),
        Plan::Aggregate(aggregate) => !aggregate.keys.is_empty() && is_nothing(&aggregate.input),
        Plan::MarkJoin(join) => is_nothing(&join.left),
        Plan::Join(join) => {
            let (left, right) = (is_nothing(&join.left), is_nothing(&join.right));
            match join.kind {
                JoinKind::Inner | JoinKind::Semi => left || right,
                JoinKind::Left | JoinKind::Single | JoinKind::Anti => left,
                JoinKind::Right => right,
                JoinKind::Full => left && right,
            }
        }
        Plan::SetOperation { kind, inputs, .. } => match kind {
            SetOperationKind::UnionAll => inputs.iter().all(is_nothing),
            SetOperationKind::Intersect | SetOperationKind::IntersectAll => inputs.iter().any(is_nothing),
            SetOperationKind::Except | SetOperationKind::ExceptAll => inputs.first().is_some_and(is_nothing),
        },
    }
}

pub(super) fn is_nothing(plan: &Plan) -> bool {
    matches!(plan, Plan::Values { rows, .. } if rows.is_empty())
}
