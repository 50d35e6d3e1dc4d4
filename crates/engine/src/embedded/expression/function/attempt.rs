//! TRY(x): NULL in the rows where x fails. Casts in it become TRY_CASTs; arithmetic is tried row by row.

use polars::prelude::Expr as PolarsExpr;
use rowhouse_model::QueryError;

use super::super::{Guard, Staged, lower_guarded, not_supported};
use super::is_fallible;
use crate::sql::expr::{ArithmeticOperator, ComparisonOperator, Expr, ExprKind, Value};
use crate::sql::functions::ScalarFunction;
use crate::sql::types::Type;

pub(super) fn attempt(expr: &Expr, guard: &Guard, staged: &mut Staged) -> Result<PolarsExpr, QueryError> {
    let softened = soften(expr)?;
    lower_guarded(&softened, guard, staged)
}

/// The expression with every part that can fail made one that gives NULL instead.
fn soften(expr: &Expr) -> Result<Expr, QueryError> {
    if !is_fallible(expr) {
        return Ok(expr.clone());
    }
    let kind = match &expr.kind {
        ExprKind::Cast { input, .. } => ExprKind::Cast { input: Box::new(soften(input)?), is_try: true },
        ExprKind::Arithmetic { operator, left, right } => {
            let (left, right) = (soften(left)?, soften(right)?);
            return arithmetic(*operator, left, right, expr);
        }
        ExprKind::Comparison { operator, left, right } => ExprKind::Comparison {
            operator: *operator,
            left: Box::new(soften(left)?),
            right: Box::new(soften(right)?),
        },
        ExprKind::Case { branches, otherwise } => ExprKind::Case {
            branches: branches
                .iter()
                .map(|(condition, value)| Ok((soften(condition)?, soften(value)?)))
                .collect::<Result<_, QueryError>>()?,
            otherwise: otherwise.as_deref().map(soften).transpose()?.map(Box::new),
        },
        ExprKind::Call { function, args } if !itself_fails(*function) => {
            ExprKind::Call { function: *function, args: args.iter().map(soften).collect::<Result<_, _>>()? }
        }
        _ => return Err(not_supported("TRY of this expression", expr.location)),
    };
    Ok(Expr { kind, data_type: expr.data_type.clone(), location: expr.location })
}

/// Integers are computed as decimals of 38 digits, which hold every result, and cast back with TRY_CAST; a
/// divisor of zero is made NULL.
fn arithmetic(
    operator: ArithmeticOperator,
    left: Expr,
    right: Expr,
    whole: &Expr,
) -> Result<Expr, QueryError> {
    let divides = matches!(operator, ArithmeticOperator::Divide | ArithmeticOperator::Modulus);
    let right = if divides { null_if_zero(right) } else { right };
    let Some(_) = whole.data_type.is_integer().then_some(()) else {
        let kind = ExprKind::Arithmetic { operator, left: Box::new(left), right: Box::new(right) };
        return Ok(Expr { kind, data_type: whole.data_type.clone(), location: whole.location });
    };
    if divides {
        let kind = ExprKind::Arithmetic { operator, left: Box::new(left), right: Box::new(right) };
        return Ok(Expr { kind, data_type: whole.data_type.clone(), location: whole.location });
    }
    let wide = Type::decimal(19, 0);
    let kind = ExprKind::Arithmetic {
        operator,
        left: Box::new(left.cast_to(&wide)),
        right: Box::new(right.cast_to(&wide)),
    };
    let product = Expr { kind, data_type: Type::decimal(38, 0), location: whole.location };
    let kind = ExprKind::Cast { input: Box::new(product), is_try: true };
    Ok(Expr { kind, data_type: whole.data_type.clone(), location: whole.location })
}

fn null_if_zero(expr: Expr) -> Expr {
    let data_type = expr.data_type.clone();
    let zero = match data_type {
        Type::Decimal { .. } => Value::Decimal(0),
        Type::Real | Type::Double => return expr,
        _ => Value::Integer(0),
    };
    let is_zero =
        Expr::comparison(ComparisonOperator::Equal, expr.clone(), Expr::literal(zero, data_type.clone()));
    let null = Expr::literal(Value::Null, data_type.clone());
    let kind = ExprKind::Case { branches: vec![(is_zero, null)], otherwise: Some(Box::new(expr)) };
    Expr::new(kind, data_type)
}

/// Whether the function fails by itself, not only by its arguments.
const fn itself_fails(function: ScalarFunction) -> bool {
    use ScalarFunction as F;
    !matches!(
        function,
        F::Coalesce
            | F::Nullif
            | F::Length
            | F::Lower
            | F::Upper
            | F::Concat
            | F::Substring
            | F::Year
            | F::Month
            | F::Day
            | F::Greatest
            | F::Least
            | F::ElementAt
            | F::Cardinality
    )
}
