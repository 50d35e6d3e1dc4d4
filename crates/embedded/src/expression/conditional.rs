//! CASE, COALESCE, AND and OR, with guards for parts that can fail.

use polars::prelude::{Expr as PolarsExpr, coalesce as first_value, lit, when};
use rowhouse_model::QueryError;

use super::{Guard, Staged, lower_guarded, null};
use rowhouse_sql::expr::Expr;
use rowhouse_sql::expr::fallible::{always_evaluated, can_fail_beyond, is_fallible};
use rowhouse_sql::types::Type;

/// CASE: a branch is evaluated for the rows where its condition is TRUE and none before it was.
pub(super) fn case(
    branches: &[(Expr, Expr)],
    otherwise: Option<&Expr>,
    data_type: &Type,
    guard: &Guard,
    staged: &mut Staged,
) -> Result<PolarsExpr, QueryError> {
    // Expressions that the first condition evaluates for every row may be evaluated again for every row.
    let known = branches.first().map_or_else(Vec::new, |(condition, _)| always_evaluated(condition));
    let can_fail = |expr: &Expr| can_fail_beyond(expr, &known);
    // The rows that no branch has taken so far.
    let mut open = guard.clone();
    let mut lowered = Vec::with_capacity(branches.len());
    for (place, (condition, value)) in branches.iter().enumerate() {
        let rows = if place > 0 && can_fail(condition) { &open } else { guard };
        let condition = lower_guarded(condition, rows, staged)?;
        let condition = staged.copyable(condition);
        let taken = if can_fail(value) { restrict(&open, condition.clone(), staged) } else { guard.clone() };
        lowered.push((condition.clone(), lower_guarded(value, &taken, staged)?));
        let rest = branches[place + 1..].iter().flat_map(|(condition, value)| [condition, value]);
        if rest.chain(otherwise).any(can_fail) {
            open = restrict(&open, condition.fill_null(lit(false)).not(), staged);
        }
    }
    let mut result = match otherwise {
        Some(value) => lower_guarded(value, if can_fail(value) { &open } else { guard }, staged)?,
        None => null(data_type),
    };
    for (condition, value) in lowered.into_iter().rev() {
        result = when(condition).then(value).otherwise(result);
    }
    Ok(result)
}

/// COALESCE: an argument that can fail is evaluated only where those before it are NULL.
pub(super) fn coalesce(args: &[Expr], guard: &Guard, staged: &mut Staged) -> Result<PolarsExpr, QueryError> {
    let mut open = guard.clone();
    let mut values = Vec::with_capacity(args.len());
    for (place, arg) in args.iter().enumerate() {
        let value = lower_guarded(arg, &open, staged)?;
        let value = if args[place + 1..].iter().any(is_fallible) {
            let value = staged.copyable(value);
            open = restrict(&open, value.clone().is_null(), staged);
            value
        } else {
            value
        };
        values.push(value);
    }
    Ok(first_value(&values))
}

/// AND from left to right: a part that can fail is evaluated where no part before it is FALSE.
pub(super) fn and(parts: &[Expr], guard: &Guard, staged: &mut Staged) -> Result<PolarsExpr, QueryError> {
    chain(parts, guard, staged, |so_far| so_far.fill_null(lit(true)), PolarsExpr::and)
}

/// OR from left to right: a part that can fail is evaluated where no part before it is TRUE.
pub(super) fn or(parts: &[Expr], guard: &Guard, staged: &mut Staged) -> Result<PolarsExpr, QueryError> {
    chain(parts, guard, staged, |so_far| so_far.fill_null(lit(false)).not(), PolarsExpr::or)
}

fn chain(
    parts: &[Expr],
    guard: &Guard,
    staged: &mut Staged,
    goes_on: impl Fn(PolarsExpr) -> PolarsExpr,
    combine: impl Fn(PolarsExpr, PolarsExpr) -> PolarsExpr,
) -> Result<PolarsExpr, QueryError> {
    let known = parts.first().map_or_else(Vec::new, always_evaluated);
    let mut lowered: Vec<PolarsExpr> = Vec::with_capacity(parts.len());
    for part in parts {
        if lowered.is_empty() || !can_fail_beyond(part, &known) {
            lowered.push(lower_guarded(part, guard, staged)?);
            continue;
        }
        if let Some(so_far) = combined(std::mem::take(&mut lowered), &combine) {
            let so_far = staged.copyable(so_far);
            let rows = restrict(guard, goes_on(so_far.clone()), staged);
            lowered.extend([so_far, lower_guarded(part, &rows, staged)?]);
        }
    }
    Ok(combined(lowered, &combine).unwrap_or_else(|| lit(true)))
}

/// Combines parts, in order, to a tree of few levels: Polars' optimizer copies an expression at each of them, so that of a
/// chain of thousands it would take minutes.
pub(super) fn combined(
    mut parts: Vec<PolarsExpr>,
    combine: &impl Fn(PolarsExpr, PolarsExpr) -> PolarsExpr,
) -> Option<PolarsExpr> {
    if parts.len() < 2 {
        return parts.pop();
    }
    let rest = parts.split_off(parts.len().div_ceil(2));
    match (combined(parts, combine), combined(rest, combine)) {
        (Some(first), Some(rest)) => Some(combine(first, rest)),
        (one, other) => one.or(other),
    }
}

pub(super) fn restrict(guard: &Guard, condition: PolarsExpr, staged: &mut Staged) -> Guard {
    let rows = match guard {
        Some(guard) => guard.clone().and(condition),
        None => condition,
    };
    Some(staged.copyable(rows))
}
