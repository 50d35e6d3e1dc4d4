//! `+ - * / %` and negation, by the types of the operands.

use polars::prelude::{DataType, Expr as PolarsExpr, lit};
use rowhouse_model::QueryError;

use super::super::date_time;
use super::super::numeric::{decimal_kernel, float_kernel, integer_kernel, integer_negate};
use super::operands::{is_null_literal, lower_pair};
use super::{Guard, Staged, guarded, lower_guarded, null};
use crate::data_type::storage;
use crate::failure::not_supported;
use rowhouse_sql::expr::fallible::is_constant;
use rowhouse_sql::expr::{ArithmeticOperator, Expr};
use rowhouse_sql::types::Type;

/// As [`arithmetic`] on decimals and integers, but NULL where it fails.
pub(super) fn try_arithmetic(
    operator: ArithmeticOperator,
    (left_value, left): (PolarsExpr, &Expr),
    (right_value, right): (PolarsExpr, &Expr),
    data_type: &Type,
) -> Result<PolarsExpr, QueryError> {
    match data_type {
        Type::Decimal { .. } => decimals(operator, (left_value, left), (right_value, right), data_type, true),
        integer => Ok(integer_kernel(operator, left_value, right_value, integer, true)),
    }
}

pub(super) fn arithmetic(
    operator: ArithmeticOperator,
    left: &Expr,
    right: &Expr,
    data_type: &Type,
    guard: &Guard,
    staged: &mut Staged,
) -> Result<PolarsExpr, QueryError> {
    let [l, r] = lower_pair(left, right, guard, staged)?;
    if is_null_literal(&l) || is_null_literal(&r) {
        return Ok(null(data_type));
    }
    let l = guarded(l, &left.data_type, guard);
    let has_constant = || is_constant(left) || is_constant(right);
    Ok(match data_type {
        Type::Real | Type::Double => match operator {
            ArithmeticOperator::Multiply => l * r,
            ArithmeticOperator::Add if !has_constant() => l + r,
            ArithmeticOperator::Subtract if !has_constant() => l - r,
            _ => float_kernel(operator, l, r, data_type),
        },
        Type::Decimal { .. } => return decimals(operator, (l, left), (r, right), data_type, false),
        integer if integer.is_integer() => match operator {
            // Operations that cannot overflow need no check of each row.
            ArithmeticOperator::Add if Expr::cannot_overflow(operator, left, right, integer) => l + r,
            ArithmeticOperator::Subtract if Expr::cannot_overflow(operator, left, right, integer) => l - r,
            ArithmeticOperator::Multiply if Expr::cannot_overflow(operator, left, right, integer) => l * r,
            _ => integer_kernel(operator, l, r, integer, false),
        },
        _ => return date_time::arithmetic(operator, (l, left), (r, right), data_type, false),
    })
}

fn decimals(
    operator: ArithmeticOperator,
    (left_value, left): (PolarsExpr, &Expr),
    (right_value, right): (PolarsExpr, &Expr),
    data_type: &Type,
    is_try: bool,
) -> Result<PolarsExpr, QueryError> {
    let (Some(left_type), Some(right_type), Some(output)) =
        (left.data_type.as_decimal(), right.data_type.as_decimal(), data_type.as_decimal())
    else {
        return Err(not_supported("decimal arithmetic with this type", left.location));
    };
    // The operands may be integers; they become decimals of scale 0.
    let left = as_decimal(left_value, &left.data_type);
    let right = as_decimal(right_value, &right.data_type);
    Ok(decimal_kernel(operator, left, right, (left_type, right_type, output), is_try))
}

pub(super) fn negate(
    input: &Expr,
    data_type: &Type,
    guard: &Guard,
    staged: &mut Staged,
) -> Result<PolarsExpr, QueryError> {
    let value = guarded(lower_guarded(input, guard, staged)?, &input.data_type, guard);
    Ok(match data_type {
        Type::Real | Type::Double => lit(-1.0).cast(storage(data_type)) * value,
        Type::Decimal { precision, scale } => {
            let zero = super::literal::literal(&rowhouse_sql::expr::Value::Decimal(0), data_type);
            let own = (*precision, *scale);
            decimal_kernel(ArithmeticOperator::Subtract, zero, value, (own, own, own), false)
        }
        integer if integer.is_integer() => {
            let zero = lit(0i64).cast(storage(integer));
            integer_negate(value, zero, integer)
        }
        _ => {
            let number = value.cast(DataType::Int64);
            // The type of a literal is not fixed without the cast.
            let zero = lit(0i64).cast(DataType::Int64);
            let negated = integer_negate(number, zero, &Type::BigInt);
            negated.cast(storage(data_type))
        }
    })
}

fn as_decimal(value: PolarsExpr, data_type: &Type) -> PolarsExpr {
    match data_type.as_decimal() {
        Some((precision, scale)) if data_type.is_integer() => {
            value.cast(storage(&Type::decimal(precision, scale)))
        }
        _ => value,
    }
}
