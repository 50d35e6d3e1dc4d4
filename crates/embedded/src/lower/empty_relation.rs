//! Empty relations: plans without rows regardless of the tables' content, such as below WHERE FALSE, and joins with
//! such a plan. They are not passed to Polars: its streaming engine fails for a cross join with a source without
//! batches if no column of the other side is used.

use super::relation::constant_boolean;
use rowhouse_sql::expr::{Expr, Value};
use rowhouse_sql::plan::{Field, Join, JoinKind, Plan, SetOperationKind, SharedId};

/// Replaces every node without rows by an empty relation, bottom-up; `is_empty` is whether a shared plan is one.
pub(super) fn propagate_empty_relation(plan: &mut Plan, is_empty: &impl Fn(SharedId) -> bool) {
    for input in plan.inputs_mut() {
        propagate_empty_relation(input, is_empty);
    }
    let is_empty_relation = match &*plan {
        Plan::Shared { id, .. } => is_empty(*id),
        other => gives_no_rows(other),
    };
    if is_empty_relation {
        *plan = Plan::Values { fields: plan.fields(), rows: Vec::new() };
    } else if let Some(unmatched) = without_matches(plan) {
        *plan = unmatched;
    }
}

/// A join without matches: its preserved side, with NULLs for the columns of the other side.
fn without_matches(plan: &mut Plan) -> Option<Plan> {
    let fields = plan.fields();
    let (kept, known) = match plan {
        Plan::MarkJoin(join) if is_empty_relation(&join.right) || never_holds(join.residual.as_ref()) => {
            (&mut join.left, Some((join.mark.id, Value::Boolean(false))))
        }
        Plan::Join(Join { kind, left, right, residual, .. }) => {
            let never_matches = never_holds(residual.as_ref());
            match kind {
                JoinKind::Left | JoinKind::Single | JoinKind::Anti
                    if never_matches || is_empty_relation(right) =>
                {
                    (left, None)
                }
                JoinKind::Right if never_matches || is_empty_relation(left) => (right, None),
                _ => return None,
            }
        }
        _ => return None,
    };
    let own = kept.column_ids();
    let kept = kept.take();
    let columns: Vec<(Field, Expr)> = fields
        .into_iter()
        .map(|field| {
            let value = match &known {
                _ if own.contains(&field.id) => Expr::column(field.id, field.data_type.clone()),
                Some((id, value)) if *id == field.id => Expr::literal(value.clone(), field.data_type.clone()),
                _ => Expr::literal(Value::Null, field.data_type.clone()),
            };
            (field, value)
        })
        .collect();
    Some(Plan::Project { input: Box::new(kept), columns })
}

/// Whether the residual of a join is constantly FALSE.
fn never_holds(condition: Option<&Expr>) -> bool {
    let parts = condition.cloned().map(Expr::into_conjuncts).unwrap_or_default();
    parts.iter().any(|part| constant_boolean(part) == Some(false))
}

/// Whether a filter drops all rows of its input, considering also constant columns of a projection below it.
fn drops_all(predicate: &Expr, input: &Plan) -> bool {
    let is_false = |part: &Expr| {
        let Plan::Project { columns, .. } = input else { return false };
        let id = part.as_column();
        let defined = columns.iter().find(|(field, _)| Some(field.id) == id);
        defined.is_some_and(|(_, expr)| constant_boolean(expr) == Some(false))
    };
    predicate
        .clone()
        .into_conjuncts()
        .iter()
        .any(|part| constant_boolean(part) == Some(false) || is_false(part))
}

/// Whether a node returns no rows, after its inputs were replaced.
fn gives_no_rows(plan: &Plan) -> bool {
    match plan {
        Plan::Scan(_) | Plan::Shared { .. } | Plan::EnforceSingleRow { .. } => false,
        // Empty relations are not replaced again.
        Plan::Values { .. } => false,
        Plan::Filter { input, predicate } => is_empty_relation(input) || drops_all(predicate, input),
        Plan::Limit { input, limit, .. } => *limit == Some(0) || is_empty_relation(input),
        Plan::Project { input, .. }
        | Plan::Window { input, .. }
        | Plan::Sort { input, .. }
        | Plan::Distinct { input, .. }
        | Plan::PartialDistinct { input }
        | Plan::Unnest { input, .. } => is_empty_relation(input),
        Plan::Aggregate(aggregate) => !aggregate.keys.is_empty() && is_empty_relation(&aggregate.input),
        Plan::MarkJoin(join) => is_empty_relation(&join.left),
        Plan::MatchRecognize(node) => is_empty_relation(&node.input),
        Plan::Join(join) => {
            let (left, right) = (is_empty_relation(&join.left), is_empty_relation(&join.right));
            match join.kind {
                JoinKind::Inner | JoinKind::Semi => left || right || never_holds(join.residual.as_ref()),
                JoinKind::Left | JoinKind::Single | JoinKind::Anti => left,
                JoinKind::Right => right,
                JoinKind::Full => left && right,
            }
        }
        Plan::SetOperation { kind, inputs, .. } => match kind {
            SetOperationKind::UnionAll => inputs.iter().all(is_empty_relation),
            SetOperationKind::Intersect | SetOperationKind::IntersectAll => {
                inputs.iter().any(is_empty_relation)
            }
            SetOperationKind::Except | SetOperationKind::ExceptAll => {
                inputs.first().is_some_and(is_empty_relation)
            }
        },
    }
}

pub(super) fn is_empty_relation(plan: &Plan) -> bool {
    matches!(plan, Plan::Values { rows, .. } if rows.is_empty())
}
