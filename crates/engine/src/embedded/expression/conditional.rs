//! CASE, AND and OR, with guards where a part can fail.

use polars::prelude::{Expr as PolarsExpr, lit, when};
use rowhouse_model::QueryError;

use super::fallible::is_fallible;
use super::{Guard, lower_guarded, null};
use crate::sql::expr::Expr;
use crate::sql::types::Type;

/// CASE: a branch is evaluated where its condition is TRUE and none before it was.
pub(super) fn case(
    branches: &[(Expr, Expr)],
    otherwise: Option<&Expr>,
    data_type: &Type,
    guard: &Guard,
) -> Result<PolarsExpr, QueryError> {
    // The rows that no branch so far has taken.
    let mut open = guard.clone();
    let mut lowered = Vec::with_capacity(branches.len());
    for (condition, value) in branches {
        let condition = lower_guarded(condition, &open)?;
        let taken = if is_fallible(value) { restrict(&open, condition.clone()) } else { None };
        lowered.push((condition.clone(), lower_guarded(value, &taken)?));
        open = restrict(&open, condition.fill_null(lit(false)).not());
    }
    let mut result = match otherwise {
        Some(value) => lower_guarded(value, &if is_fallible(value) { open } else { None })?,
        None => null(data_type),
    };
    for (condition, value) in lowered.into_iter().rev() {
        result = when(condition).then(value).otherwise(result);
    }
    Ok(result)
}

/// AND from left to right: a part that can fail is evaluated where no part before it is FALSE.
pub(super) fn and(parts: &[Expr], guard: &Guard) -> Result<PolarsExpr, QueryError> {
    chain(parts, guard, |so_far| so_far.fill_null(lit(true)), PolarsExpr::and)
}

/// OR from left to right: a part that can fail is evaluated where no part before it is TRUE.
pub(super) fn or(parts: &[Expr], guard: &Guard) -> Result<PolarsExpr, QueryError> {
    chain(parts, guard, |so_far| so_far.fill_null(lit(false)).not(), PolarsExpr::or)
}

fn chain(
    parts: &[Expr],
    guard: &Guard,
    goes_on: impl Fn(PolarsExpr) -> PolarsExpr,
    combine: impl Fn(PolarsExpr, PolarsExpr) -> PolarsExpr,
) -> Result<PolarsExpr, QueryError> {
    let mut so_far: Option<PolarsExpr> = None;
    for part in parts {
        let rows = match &so_far {
            Some(so_far) if is_fallible(part) => restrict(guard, goes_on(so_far.clone())),
            _ => guard.clone(),
        };
        let lowered = lower_guarded(part, &rows)?;
        so_far = Some(match so_far {
            Some(so_far) => combine(so_far, lowered),
            None => lowered,
        });
    }
    Ok(so_far.unwrap_or_else(|| lit(true)))
}

fn restrict(guard: &Guard, condition: PolarsExpr) -> Guard {
    Some(match guard {
        Some(guard) => guard.clone().and(condition),
        None => condition,
    })
}
