//! Predicate pushdown. Before: a filter above joins, projections, aggregations, unions. After: each conjunct as far
//! down as its meaning permits: on the side of an inner join or the preserved side of another one, unless it can fail
//! (D162), below a projection in terms of its input, below an aggregation if it only uses keys. A left or right join
//! below a predicate that rejects NULLs of its other side becomes an inner join, one below a predicate that keeps only
//! NULLs of a right key an anti join. Why: fewer rows are joined and grouped, and less is read from files. A comparison
//! of a join's key with constants is pushed to both sides.

use std::collections::{HashMap, HashSet};

use super::implied::{implied, simplified};
use super::infer_predicates::{Equalities, is_over_plain_columns};
use super::null_rejection::rejects_nulls_of;
use crate::expr::fallible::can_fail_by_row;
use crate::expr::{Expr, ExprKind, Value};
use crate::plan::{ColumnId, Field, Join, JoinKey, JoinKind, MarkJoin, Plan, SetOperationKind};

/// Maximum number of nodes of a predicate after substitution through a projection.
const MAX_PUSHED_NODES: usize = 1_000;

pub(super) fn run(plan: &mut Plan) {
    let taken = plan.take();
    *plan = push(taken, Vec::new());
}

/// Pushes predicates into a plan as far as possible. A condition is computed only for rows that satisfy those before it,
/// so conditions of a lower filter, which may exclude values for which the upper ones fail, stay before them.
fn push(plan: Plan, predicates: Vec<Expr>) -> Plan {
    match plan {
        Plan::Filter { input, predicate } => push(*input, [predicate.into_conjuncts(), predicates].concat()),
        Plan::Join(join) => push_join(join, predicates),
        Plan::MarkJoin(MarkJoin { left, right, keys, residual, in_key, mark }) => {
            let (to_left, rest) = over(predicates, &left);
            let (to_right, residual) = match residual {
                Some(residual) => {
                    let (own, rest) = over(residual.into_conjuncts(), &right);
                    (own, (!rest.is_empty()).then(|| Expr::and(rest)))
                }
                None => (Vec::new(), None),
            };
            let left = Box::new(push(*left, to_left));
            let right = Box::new(push(*right, to_right));
            Plan::MarkJoin(MarkJoin { left, right, keys, residual, in_key, mark }).filtered(rest)
        }
        Plan::Project { input, columns } => push_through_projection(*input, columns, predicates),
        Plan::Aggregate(mut aggregate) if !aggregate.keys.is_empty() => {
            let keys: HashSet<ColumnId> = aggregate.keys.iter().copied().collect();
            let (mut to_input, rest) = naming_only(predicates, &keys);
            // Also pushes conditions on the keys that an OR implies.
            to_input.extend(implied_over(&rest, &keys));
            aggregate.input = Box::new(push(*aggregate.input, to_input));
            Plan::Aggregate(aggregate).filtered(rest)
        }
        Plan::Window { input, functions } => {
            // Predicates over partition keys that all calls have in common keep or drop whole partitions.
            let mut common: Option<HashSet<ColumnId>> = None;
            for call in &functions {
                let own: HashSet<ColumnId> = call.partition_by.iter().filter_map(Expr::as_column).collect();
                common = Some(match common {
                    None => own,
                    Some(before) => before.intersection(&own).copied().collect(),
                });
            }
            let common = common.unwrap_or_default();
            let (mut to_input, rest) = naming_only(predicates, &common);
            to_input.extend(implied_over(&rest, &common));
            Plan::Window { input: Box::new(push(*input, to_input)), functions }.filtered(rest)
        }
        Plan::MatchRecognize(mut node) => {
            // As for windows, these predicates keep or drop whole partitions.
            let keys: HashSet<ColumnId> = node.partition_by.iter().filter_map(Expr::as_column).collect();
            let (mut to_input, rest) = naming_only(predicates, &keys);
            to_input.extend(implied_over(&rest, &keys));
            node.input = Box::new(push(*node.input, to_input));
            Plan::MatchRecognize(node).filtered(rest)
        }
        Plan::Sort { input, keys } => Plan::Sort { input: Box::new(push(*input, predicates)), keys },
        Plan::Distinct { input, on: None } => {
            // A random condition is drawn for each distinct row, not for each row of the input.
            let (to_input, rest) = predicates.into_iter().partition(is_repeatable);
            Plan::Distinct { input: Box::new(push(*input, to_input)), on: None }.filtered(rest)
        }
        Plan::SetOperation { kind: SetOperationKind::UnionAll, inputs, fields } => {
            let inputs = inputs
                .into_iter()
                .map(|input| {
                    let definitions: HashMap<ColumnId, Expr> = fields
                        .iter()
                        .zip(input.fields())
                        .map(|(field, own)| (field.id, Expr::column(own.id, own.data_type)))
                        .collect();
                    let own = predicates.iter().map(|predicate| predicate.clone().substituted(&definitions));
                    let own = own.collect();
                    push(input, own)
                })
                .collect();
            Plan::SetOperation { kind: SetOperationKind::UnionAll, inputs, fields }
        }
        Plan::Unnest { input, arrays, ordinality, is_outer } => {
            let (to_input, rest) = over(predicates, &input);
            let input = Box::new(push(*input, to_input));
            Plan::Unnest { input, arrays, ordinality, is_outer }.filtered(rest)
        }
        mut other => {
            for input in other.inputs_mut() {
                let taken = input.take();
                *input = push(taken, Vec::new());
            }
            other.filtered(predicates)
        }
    }
}

fn push_join(join: Join, predicates: Vec<Expr>) -> Plan {
    match join {
        Join { kind: JoinKind::Inner, left, right, keys, residual } => {
            let of_join = residual.map(Expr::into_conjuncts).unwrap_or_default();
            let predicates = [of_join, predicates].concat();
            // Those of the other side of a key exclude what they excluded there.
            let mut inferred = Equalities::of(&keys, &predicates).infer(&predicates);
            inferred.retain(|predicate| {
                is_over_plain_columns(predicate, &left) || is_over_plain_columns(predicate, &right)
            });
            let predicates = [inferred, predicates].concat();
            let (to_left, rest) = over(predicates, &left);
            let (to_right, rest) = over(rest, &right);
            let left = Box::new(push(*left, to_left));
            let right = Box::new(push(*right, to_right));
            Plan::Join(Join { kind: JoinKind::Inner, left, right, keys, residual: None }).filtered(rest)
        }
        Join { kind: JoinKind::Left, left, right, keys, residual } if drops_nulls_of(&predicates, &right) => {
            push(inner(left, right, keys, residual), predicates)
        }
        Join { kind: JoinKind::Right, left, right, keys, residual } if drops_nulls_of(&predicates, &left) => {
            push(inner(left, right, keys, residual), predicates)
        }
        Join { kind: JoinKind::Right, left, right, keys, residual } => {
            let (to_right, rest) = over(predicates, &right);
            let to_left = inferred_over(&left, &to_right, &keys, residual.as_ref());
            let left = Box::new(push(*left, to_left));
            let right = Box::new(push(*right, to_right));
            Plan::Join(Join { kind: JoinKind::Right, left, right, keys, residual }).filtered(rest)
        }
        Join { kind: JoinKind::Full, left, right, keys, residual } => {
            let left = Box::new(push(*left, Vec::new()));
            let right = Box::new(push(*right, Vec::new()));
            Plan::Join(Join { kind: JoinKind::Full, left, right, keys, residual }).filtered(predicates)
        }
        Join { kind, left, right, keys, residual } => {
            let (to_left, rest) = over(predicates, &left);
            let mut to_right = inferred_over(&right, &to_left, &keys, residual.as_ref());
            // Conjuncts of the join condition on the right side alone filter the right rows.
            let residual = residual.and_then(|residual| {
                let (own, rest) = over(residual.into_conjuncts(), &right);
                to_right.extend(own);
                (!rest.is_empty()).then(|| Expr::and(rest))
            });
            let left = Box::new(push(*left, to_left));
            let right = Box::new(push(*right, to_right));
            let join = Join { kind, left, right, keys, residual };
            if kind == JoinKind::Left { unmatched_only(join, rest) } else { Plan::Join(join).filtered(rest) }
        }
    }
}

/// A left join below predicates. If they keep only rows without a match it becomes an anti join, after which the right
/// columns are NULL (as in DuckDB's pushdown of filters).
fn unmatched_only(join: Join, predicates: Vec<Expr>) -> Plan {
    let is_null_key = |predicate: &Expr| match &predicate.kind {
        ExprKind::IsNull(value) if join.residual.is_none() && has_plain_columns(&join.right) => {
            let is_matched = |key: &JoinKey| !key.null_equals_null && key.right == **value;
            value.as_column().is_some() && join.keys.iter().any(is_matched)
        }
        _ => false,
    };
    let (nulls, rest): (Vec<Expr>, Vec<Expr>) = predicates.into_iter().partition(is_null_key);
    if nulls.is_empty() {
        return Plan::Join(join).filtered(rest);
    }
    let mut columns = join.left.passed_on();
    columns.extend(join.right.fields().into_iter().map(|field| {
        let null = Expr::literal(Value::Null, field.data_type.clone());
        (field, null)
    }));
    let unmatched = Plan::Join(Join { kind: JoinKind::Anti, ..join });
    Plan::Project { input: Box::new(unmatched), columns }.filtered(rest)
}

/// Whether no column of a plan is computed, so that no error is lost if one is not needed.
fn has_plain_columns(plan: &Plan) -> bool {
    match plan {
        Plan::Scan(_) | Plan::Shared { .. } => true,
        Plan::Project { input, columns } => {
            columns.iter().all(|(_, expr)| expr.as_column().is_some() || expr.as_literal().is_some())
                && has_plain_columns(input)
        }
        Plan::Filter { input, .. } | Plan::Sort { input, .. } | Plan::Distinct { input, on: None } => {
            has_plain_columns(input)
        }
        Plan::Join(join) => has_plain_columns(&join.left) && has_plain_columns(&join.right),
        _ => false,
    }
}

/// The predicates on one side of a join that hold for each of its rows which matches a row of the other side, where the
/// other side has only rows with these predicates.
fn inferred_over(side: &Plan, other: &[Expr], keys: &[JoinKey], residual: Option<&Expr>) -> Vec<Expr> {
    let residual = residual.cloned().map(Expr::into_conjuncts).unwrap_or_default();
    let mut inferred = Equalities::of(keys, &residual).infer(other);
    inferred.retain(|predicate| is_over_plain_columns(predicate, side));
    inferred
}

/// Rewrites predicates to the expressions of a projection and pushes them below it.
fn push_through_projection(input: Plan, columns: Vec<(Field, Expr)>, predicates: Vec<Expr>) -> Plan {
    let sizes: HashMap<ColumnId, usize> =
        columns.iter().map(|(field, expr)| (field.id, expr.node_count())).collect();
    let definitions: HashMap<ColumnId, Expr> =
        columns.iter().map(|(field, expr)| (field.id, expr.clone())).collect();
    let (movable, rest): (Vec<Expr>, Vec<Expr>) = predicates.into_iter().partition(|predicate| {
        predicate
            .columns()
            .iter()
            .all(|id| definitions.get(id).is_none_or(is_repeatable))
            // Through nested projections that each double their input, the predicate would grow exponentially.
            && predicate.columns().iter().filter_map(|id| sizes.get(id)).sum::<usize>() < MAX_PUSHED_NODES
    });
    let movable = movable.into_iter().map(|predicate| simplified(predicate.substituted(&definitions)));
    let movable = movable.filter(|predicate| *predicate != Expr::boolean(true)).collect();
    Plan::Project { input: Box::new(push(input, movable)), columns }.filtered(rest)
}

/// Partitions predicates into those over columns of the plan only that a join above it may leave to it, and the rest. One
/// that can fail is not among them: it would be computed for rows that have no match.
fn over(predicates: Vec<Expr>, plan: &Plan) -> (Vec<Expr>, Vec<Expr>) {
    let columns: HashSet<ColumnId> = plan.column_ids().into_iter().collect();
    predicates.into_iter().partition(|predicate| is_over(predicate, &columns) && !can_fail_by_row(predicate))
}

fn naming_only(predicates: Vec<Expr>, columns: &HashSet<ColumnId>) -> (Vec<Expr>, Vec<Expr>) {
    predicates.into_iter().partition(|predicate| is_over(predicate, columns))
}

fn is_over(predicate: &Expr, columns: &HashSet<ColumnId>) -> bool {
    let named = predicate.columns();
    !named.is_empty() && is_repeatable(predicate) && named.iter().all(|column| columns.contains(column))
}

/// The conditions on some columns that the predicates imply.
fn implied_over(predicates: &[Expr], columns: &HashSet<ColumnId>) -> Vec<Expr> {
    predicates.iter().filter_map(|predicate| implied(predicate, |part| is_over(part, columns))).collect()
}

fn inner(left: Box<Plan>, right: Box<Plan>, keys: Vec<JoinKey>, residual: Option<Expr>) -> Plan {
    Plan::Join(Join { kind: JoinKind::Inner, left, right, keys, residual })
}

/// Whether a predicate is never TRUE if all columns of the plan are NULL.
fn drops_nulls_of(predicates: &[Expr], plan: &Plan) -> bool {
    let columns: HashSet<ColumnId> = plan.column_ids().into_iter().collect();
    predicates.iter().any(|predicate| rejects_nulls_of(predicate, &columns))
}

/// Whether the expression has the same value at each evaluation.
fn is_repeatable(expr: &Expr) -> bool {
    !expr.is_random()
}
