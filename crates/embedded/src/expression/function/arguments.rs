//! The arguments of a call: which of them end its evaluation where they are NULL, and their lowered forms.

use polars::prelude::Expr as PolarsExpr;
use rowhouse_model::QueryError;

use super::super::operands::{is_null_literal, lower_operands};
use super::super::{Guard, Staged, guarded};
use super::row_function;
use crate::datum::Nulls;
use rowhouse_sql::expr::{Expr, ExprKind};
use rowhouse_sql::functions::ScalarFunction;

/// The arguments of a call, as [`lower_arguments`].
pub(super) fn call_arguments(
    call: &Expr,
    args: &[Expr],
    guard: &Guard,
    staged: &mut Staged,
) -> Result<Option<Vec<PolarsExpr>>, QueryError> {
    let args: Vec<&Expr> = args.iter().collect();
    lower_arguments(&args, ending_arguments(call), guard, staged)
}

/// Lowers arguments; `None` if the call is NULL in every row because one of the first `ending` is. The guard applies to
/// the first argument: where it is NULL, so is the call.
pub(super) fn lower_arguments(
    args: &[&Expr],
    ending: usize,
    guard: &Guard,
    staged: &mut Staged,
) -> Result<Option<Vec<PolarsExpr>>, QueryError> {
    let mut lowered = lower_operands(args, ending, guard, staged)?;
    if lowered.iter().take(ending).any(is_null_literal) {
        return Ok(None);
    }
    if let (Some(value), Some(arg)) = (lowered.first_mut(), args.first()) {
        *value = guarded(value.clone(), &arg.data_type, guard);
    }
    Ok(Some(lowered))
}

/// How many of the leading arguments of a call end its evaluation where they are NULL.
pub(super) fn ending_arguments(call: &Expr) -> usize {
    use ScalarFunction as F;
    match &call.kind {
        // They are NULL if an argument is, but Trino evaluates all of them.
        ExprKind::Call { function: F::Greatest | F::Least, .. } => 0,
        ExprKind::Call { function: F::ConcatWs, .. } => 1,
        // Functions of columns as a whole, which have no function of rows, are NULL if an argument is.
        ExprKind::Call { args, .. } if !takes_nulls(call).unwrap_or(false) => args.len(),
        _ => 0,
    }
}

/// Whether a function of rows is called with NULL arguments, so that it may have a value for them.
pub(super) fn takes_nulls(call: &Expr) -> Result<bool, QueryError> {
    let ExprKind::Call { function, args } = &call.kind else { return Ok(false) };
    Ok(row_function(*function, args, call)?.0 == Nulls::Seen)
}
