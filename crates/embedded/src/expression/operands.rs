//! Operands of operators and functions that are NULL where an operand is NULL. As in Trino, their evaluation ends at the
//! first operand that is NULL: an operand after it that can fail is evaluated for the other rows only (D171).

use polars::prelude::{Expr as PolarsExpr, LiteralValue};
use rowhouse_model::QueryError;

use super::conditional::restrict;
use super::{Guard, Staged, lower_guarded};
use rowhouse_sql::expr::fallible::{always_evaluated, can_be_null, can_fail_beyond, is_fallible};
use rowhouse_sql::expr::{Expr, ExprKind};

/// Lowers the operands of an operator that is NULL where one of them is.
pub(super) fn lower_pair(
    left: &Expr,
    right: &Expr,
    guard: &Guard,
    staged: &mut Staged,
) -> Result<[PolarsExpr; 2], QueryError> {
    let mut evaluation = Evaluation { rows: guard.clone(), known: Vec::new() };
    let value = evaluation.lower(left, &[right], staged)?;
    Ok([value, evaluation.lower(right, &[], staged)?])
}

/// Lowers operands, from left to right. The first `ending` of them end the evaluation where they are NULL.
pub(super) fn lower_operands(
    operands: &[&Expr],
    ending: usize,
    guard: &Guard,
    staged: &mut Staged,
) -> Result<Vec<PolarsExpr>, QueryError> {
    let fallible = operands.iter().skip(1).rposition(|operand| is_fallible(operand));
    // The operands after the last one that can fail restrict nothing.
    let end = fallible.map_or(0, |place| place + 2);
    let mut evaluation = Evaluation { rows: guard.clone(), known: Vec::new() };
    let mut lowered = Vec::with_capacity(operands.len());
    for (place, operand) in operands.iter().enumerate() {
        let later = if place < ending.min(end) { &operands[place + 1..end] } else { &[] };
        lowered.push(evaluation.lower(operand, later, staged)?);
    }
    Ok(lowered)
}

/// The evaluation of operands, one after the other.
struct Evaluation<'e> {
    /// The rows in which it has not ended.
    rows: Guard,
    /// Expressions that have not failed in these rows.
    known: Vec<&'e Expr>,
}

impl<'e> Evaluation<'e> {
    /// Lowers the next operand. Where it is NULL, those of `later` that can fail are not evaluated.
    fn lower(
        &mut self,
        operand: &'e Expr,
        later: &[&Expr],
        staged: &mut Staged,
    ) -> Result<PolarsExpr, QueryError> {
        let value = lower_guarded(operand, &self.rows, staged)?;
        if later.is_empty() || !can_be_null(operand) {
            return Ok(value);
        }
        self.known.extend(always_evaluated(operand));
        if !later.iter().any(|later| can_fail_beyond(later, &self.known)) {
            return Ok(value);
        }
        // A column is evaluated once, and a random value is the same in both places.
        let is_copied = matches!(operand.kind, ExprKind::Column(_)) || is_null_literal(&value);
        let value = if is_copied { value } else { staged.column(value) };
        self.rows = restrict(&self.rows, value.clone().is_not_null(), staged);
        Ok(value)
    }
}

/// Whether a lowered expression is NULL in every row.
pub(super) fn is_null_literal(lowered: &PolarsExpr) -> bool {
    matches!(lowered, PolarsExpr::Literal(LiteralValue::Scalar(value)) if value.is_null())
}
