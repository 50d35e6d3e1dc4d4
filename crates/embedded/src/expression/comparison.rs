//! Comparisons and IN lists. Polars orders NaN above all numbers and calls it equal to itself; SQL's NaN is
//! neither equal to nor ordered against anything.

use polars::prelude::{Expr as PolarsExpr, LiteralValue, NULL, Series, lit, when};
use rowhouse_model::QueryError;

use super::super::data_type::storage;
use super::super::datum::build;
use super::super::failure;
use super::{Guard, Staged, literal_datum, lower_guarded, null};
use rowhouse_sql::expr::{ComparisonOperator, Expr, Value};
use rowhouse_sql::types::Type;

pub(super) fn comparison(
    operator: ComparisonOperator,
    left: &Expr,
    right: &Expr,
    guard: &Guard,
    staged: &mut Staged,
) -> Result<PolarsExpr, QueryError> {
    let (l, r) = (lower_guarded(left, guard, staged)?, lower_guarded(right, guard, staged)?);
    Ok(compared(operator, (left, l), (right, r), staged))
}

/// Compares lowered operands. With NULL itself there is nothing to compare: Polars would make a source of as many NULLs
/// as the other operand has rows, and its streaming engine waits for that source forever where the rows are not wanted.
pub(crate) fn compared(
    operator: ComparisonOperator,
    (left, l): (&Expr, PolarsExpr),
    (right, r): (&Expr, PolarsExpr),
    staged: &mut Staged,
) -> PolarsExpr {
    let is_strict =
        !matches!(operator, ComparisonOperator::IsDistinctFrom | ComparisonOperator::IsNotDistinctFrom);
    if is_strict && (is_null_itself(&l) || is_null_itself(&r)) {
        return null(&Type::Boolean);
    }
    let mut looked_at = |operand: &Expr, lowered: PolarsExpr| {
        if can_be_nan(operand) { staged.copyable(lowered) } else { lowered }
    };
    let (l, r) = (looked_at(left, l), looked_at(right, r));
    let compared = match operator {
        ComparisonOperator::Equal => l.clone().eq(r.clone()),
        ComparisonOperator::NotEqual => l.clone().neq(r.clone()),
        ComparisonOperator::LessThan => l.clone().lt(r.clone()),
        ComparisonOperator::LessThanOrEqual => l.clone().lt_eq(r.clone()),
        ComparisonOperator::GreaterThan => l.clone().gt(r.clone()),
        ComparisonOperator::GreaterThanOrEqual => l.clone().gt_eq(r.clone()),
        ComparisonOperator::IsDistinctFrom => return l.neq_missing(r),
        ComparisonOperator::IsNotDistinctFrom => return l.eq_missing(r),
    };
    let mut result = compared;
    for (operand, lowered) in [(left, l), (right, r)] {
        if !can_be_nan(operand) {
            continue;
        }
        result = match operator {
            ComparisonOperator::NotEqual => result.or(lowered.is_nan()),
            _ => result.and(lowered.is_not_nan()),
        };
    }
    result
}

fn is_null_itself(lowered: &PolarsExpr) -> bool {
    matches!(lowered, PolarsExpr::Literal(LiteralValue::Scalar(value)) if value.is_null())
}

fn can_be_nan(operand: &Expr) -> bool {
    matches!(operand.data_type, Type::Real | Type::Double)
        && !matches!(operand.as_literal(), Some(Value::Double(value)) if !value.is_nan())
}

/// IN a list: constants as a set, anything else as comparisons.
pub(super) fn in_list(
    value: &Expr,
    list: &[Expr],
    guard: &Guard,
    staged: &mut Staged,
) -> Result<PolarsExpr, QueryError> {
    let (constants, others): (Vec<&Expr>, Vec<&Expr>) =
        list.iter().partition(|member| member.as_literal().is_some());
    let (nulls, constants): (Vec<&Expr>, Vec<&Expr>) =
        constants.into_iter().partition(|member| matches!(member.as_literal(), Some(Value::Null)));
    let lowered = lower_guarded(value, guard, staged)?;
    let lowered = staged.copyable(lowered);
    let mut result: Option<PolarsExpr> = None;
    let mut add = |part: PolarsExpr| {
        result = Some(match result.take() {
            Some(result) => result.or(part),
            None => part,
        });
    };
    let equal = |member: &Expr, staged: &mut Staged| -> Result<PolarsExpr, QueryError> {
        let operand = lower_guarded(member, guard, staged)?;
        Ok(compared(ComparisonOperator::Equal, (value, lowered.clone()), (member, operand), staged))
    };
    if constants.len() > 3 && !matches!(value.data_type, Type::Real | Type::Double | Type::Row(_)) {
        add(lowered.clone().is_in(lit(set(&constants, &value.data_type)?).implode(true), false));
    } else {
        for member in constants {
            add(equal(member, staged)?);
        }
    }
    for member in others {
        add(equal(member, staged)?);
    }
    let found = result.unwrap_or_else(|| lit(false));
    Ok(if nulls.is_empty() { found } else { when(found).then(lit(true)).otherwise(lit(NULL)) })
}

fn set(members: &[&Expr], data_type: &Type) -> Result<Series, QueryError> {
    let values = members.iter().filter_map(|member| member.as_literal()).map(literal_datum).collect();
    build("".into(), values, data_type)
        .and_then(|series| series.cast(&storage(data_type)))
        .map_err(|error| failure::query_error(&error))
}
