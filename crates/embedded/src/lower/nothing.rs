//! Plans that give no rows whatever the tables hold, as below WHERE FALSE, and joins that meet none. They are not
//! handed to Polars: its streaming engine fails at a product with a source that has no batches, where nothing is
//! asked of the other side.

use super::relation::known_truth;
use rowhouse_sql::expr::{Expr, Value};
use rowhouse_sql::plan::{Field, Join, JoinKind, Plan, SetOperationKind, SharedId};

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
    } else if let Some(unmatched) = without_matches(plan) {
        *plan = unmatched;
    }
}

/// What a join gives in which no row meets another: the preserved side alone.
fn without_matches(plan: &mut Plan) -> Option<Plan> {
    let fields = plan.fields();
    let (kept, known) = match plan {
        Plan::MarkJoin(join) if is_nothing(&join.right) || never_holds(join.residual.as_ref()) => {
            (&mut join.left, Some((join.mark.id, Value::Boolean(false))))
        }
        Plan::Join(Join { kind, left, right, residual, .. }) => {
            let never_matches = never_holds(residual.as_ref());
            match kind {
                JoinKind::Left | JoinKind::Single | JoinKind::Anti if never_matches || is_nothing(right) => {
                    (left, None)
                }
                JoinKind::Right if never_matches || is_nothing(left) => (right, None),
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

/// Whether a condition of a join is one that no pair fulfils.
fn never_holds(condition: Option<&Expr>) -> bool {
    let parts = condition.cloned().map(Expr::into_conjuncts).unwrap_or_default();
    parts.iter().any(|part| known_truth(part) == Some(false))
}

/// Whether a filter drops all rows of its input, also for what a projection below says of a column.
fn drops_all(predicate: &Expr, input: &Plan) -> bool {
    let says_no = |part: &Expr| {
        let Plan::Project { columns, .. } = input else { return false };
        let id = part.as_column();
        let defined = columns.iter().find(|(field, _)| Some(field.id) == id);
        defined.is_some_and(|(_, expr)| known_truth(expr) == Some(false))
    };
    predicate.clone().into_conjuncts().iter().any(|part| known_truth(part) == Some(false) || says_no(part))
}

/// Whether a node gives no rows, those below it being replaced.
fn gives_nothing(plan: &Plan) -> bool {
    match plan {
        Plan::Scan(_) | Plan::Shared { .. } | Plan::EnforceSingleRow { .. } => false,
        // It is what others are replaced by.
        Plan::Values { .. } => false,
        Plan::Filter { input, predicate } => is_nothing(input) || drops_all(predicate, input),
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
                JoinKind::Inner | JoinKind::Semi => left || right || never_holds(join.residual.as_ref()),
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
