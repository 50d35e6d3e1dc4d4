//! Comparisons of a number with a constant that has more decimal places. Both are cast to `decimal(38, s)`, in which large
//! values have no room; as in Trino, such a comparison is one of the value itself, which cannot fail.

use crate::expr::{ComparisonOperator, Expr, ExprKind, Value};
use crate::types::{MAX_DECIMAL_PRECISION, Type, cast_never_fails};

/// `CAST(value AS decimal(38, s)) < constant` as a comparison of the value, if the cast can fail; other expressions as they
/// are.
pub(super) fn without_cast(expr: Expr) -> Expr {
    let ExprKind::Comparison { operator, left, right } = &expr.kind else { return expr };
    let found = of_value(*operator, left, right).or_else(|| of_value(operator.swapped(), right, left));
    match found {
        Some(found) => found.at(expr.location),
        None => expr,
    }
}

fn of_value(operator: ComparisonOperator, cast: &Expr, constant: &Expr) -> Option<Expr> {
    use ComparisonOperator as C;
    let ExprKind::Cast { input, is_try: false } = &cast.kind else { return None };
    let Type::Decimal { precision: MAX_DECIMAL_PRECISION, scale } = cast.data_type else { return None };
    let (digits, own_scale) = input.data_type.as_decimal()?;
    let Some(Value::Decimal(number)) = constant.as_literal() else { return None };
    if own_scale > scale || cast_never_fails(&input.data_type, &cast.data_type) {
        return None;
    }
    let unit = 10_i128.pow(u32::from(scale - own_scale));
    let (floor, is_exact) = (number.div_euclid(unit), number.rem_euclid(unit) == 0);
    if floor.unsigned_abs() >= 10_u128.pow(u32::from(digits)) {
        return None;
    }
    let bound = match &input.data_type {
        Type::Decimal { .. } => Value::Decimal(floor),
        _ => Value::Integer(i64::try_from(floor).ok()?),
    };
    let bound = Expr::literal(bound, input.data_type.clone()).at(constant.location);
    let value = (**input).clone();
    let of_null = |value: Expr| {
        Expr::and([
            Expr::new(ExprKind::IsNull(Box::new(value)), Type::Boolean),
            Expr::literal(Value::Null, Type::Boolean),
        ])
    };
    Some(match operator {
        _ if is_exact => Expr::comparison(operator, value, bound),
        C::LessThan | C::LessThanOrEqual => Expr::comparison(C::LessThanOrEqual, value, bound),
        C::GreaterThan | C::GreaterThanOrEqual => Expr::comparison(C::GreaterThan, value, bound),
        // The value has fewer decimal places than the constant.
        C::Equal => of_null(value),
        C::NotEqual => of_null(value).negated(),
        C::IsDistinctFrom => Expr::boolean(true),
        C::IsNotDistinctFrom => Expr::boolean(false),
    })
}
