//! Expressions that return a value for every row, and may therefore be evaluated for more rows than a statement needs.

use super::cardinality::Estimate;
use crate::expr::{ArithmeticOperator, Expr, ExprKind, Value};
use crate::functions::ScalarFunction;
use crate::types::{MAX_DECIMAL_PRECISION, Type, cast_never_fails};

/// The largest precision of a decimal of which the sum of 2^63 values has at most 38 digits.
pub(super) const MAX_SUMMED_PRECISION: u8 = 19;

/// Whether the expression never fails, judging by types and by the integer ranges in table statistics.
pub(super) fn cannot_fail(expr: &Expr, rows: &Estimate) -> bool {
    checked(expr, rows).0
}

/// As [`cannot_fail`], with the range of an integer expression; one pass computes both for all nodes.
fn checked(expr: &Expr, rows: &Estimate) -> (bool, Option<Range>) {
    let parts: Vec<(bool, Option<Range>)> =
        expr.children().into_iter().map(|child| checked(child, rows)).collect();
    let ranges: Vec<Option<Range>> = parts.iter().map(|(_, range)| *range).collect();
    let range = range_of_parts(expr, &ranges, rows);
    let is_own = match &expr.kind {
        ExprKind::Column(_)
        | ExprKind::Literal(_)
        | ExprKind::Case { .. }
        | ExprKind::And(_)
        | ExprKind::Or(_)
        | ExprKind::Not(_)
        | ExprKind::Comparison { .. }
        | ExprKind::IsNull(_)
        | ExprKind::InList { .. } => true,
        ExprKind::Call { function, .. } => *function == ScalarFunction::Coalesce,
        ExprKind::Cast { input, is_try } => *is_try || cast_never_fails(&input.data_type, &expr.data_type),
        ExprKind::Negate(_) => !expr.data_type.is_integer(),
        ExprKind::Arithmetic { operator, right, .. } => match &expr.data_type {
            Type::Double => true,
            Type::Decimal { precision, .. } if *precision < MAX_DECIMAL_PRECISION => match operator {
                ArithmeticOperator::Divide | ArithmeticOperator::Modulus => is_not_zero(right),
                _ => true,
            },
            data_type if data_type.is_integer() => limits(data_type)
                .zip(range)
                .is_some_and(|(limits, (low, high))| limits.0 <= low && high <= limits.1),
            _ => false,
        },
        ExprKind::Like { .. } | ExprKind::RowField { .. } | ExprKind::Lambda { .. } => false,
    };
    (is_own && parts.iter().all(|(cannot_fail, _)| *cannot_fail), range)
}

/// Whether partial sums never overflow, judging by types and by the ranges in table statistics: any subset of
/// fewer than 2^31 integers, or of decimals, has a sum within range. Sums of doubles never fail.
pub(super) fn can_be_added_up(value: &Expr, rows: &Estimate) -> bool {
    match &value.data_type {
        Type::Double => true,
        Type::BigInt => is_narrow(value, rows),
        Type::Decimal { .. } => digits(value, rows).is_some_and(|digits| digits <= MAX_SUMMED_PRECISION),
        _ => false,
    }
}

/// Whether the values of an integer expression fit into 32 bits.
fn is_narrow(value: &Expr, rows: &Estimate) -> bool {
    match &value.kind {
        ExprKind::Cast { input, .. } if input.data_type.is_integer() => is_narrow(input, rows),
        _ if matches!(value.data_type, Type::TinyInt | Type::SmallInt | Type::Integer) => true,
        _ => limits(&Type::Integer)
            .zip(range(value, rows))
            .is_some_and(|(limits, (low, high))| limits.0 <= low && high <= limits.1),
    }
}

/// The maximum number of digits of an exact number, at the scale of its type, judging by types, constants and the ranges in
/// table statistics.
fn digits(value: &Expr, rows: &Estimate) -> Option<u8> {
    let (precision, scale) = value.data_type.as_decimal()?;
    // The digits of a part at this scale. A value that is rounded to fewer may have one more digit than before.
    let at_scale = |part: &Expr| {
        let (_, own_scale) = part.data_type.as_decimal()?;
        Some(digits(part, rows)?.saturating_add(scale.saturating_sub(own_scale)))
    };
    let found = match &value.kind {
        ExprKind::Column(id) => rows.range(*id).map(|range| digits_of_range(range, scale)),
        ExprKind::Literal(Value::Decimal(unscaled)) => Some(digits_of(unscaled.unsigned_abs())),
        ExprKind::Literal(Value::Integer(integer)) => Some(digits_of(integer.unsigned_abs().into())),
        ExprKind::Cast { input, .. } => Some(at_scale(input)?),
        ExprKind::Arithmetic { operator, left, right } => match operator {
            ArithmeticOperator::Add | ArithmeticOperator::Subtract => {
                Some(at_scale(left)?.max(at_scale(right)?).saturating_add(1))
            }
            ArithmeticOperator::Multiply => {
                let ((_, left_scale), (_, right_scale)) =
                    (left.data_type.as_decimal()?, right.data_type.as_decimal()?);
                let product = digits(left, rows)?.saturating_add(digits(right, rows)?);
                (left_scale + right_scale == scale).then_some(product)
            }
            _ => None,
        },
        _ => None,
    };
    Some(found.map_or(precision, |found| found.min(precision)))
}

fn digits_of(number: u128) -> u8 {
    // OK because it has at most 39 digits.
    number.checked_ilog10().map_or(0, |log| u8::try_from(log + 1).unwrap_or(u8::MAX))
}

/// The digits of the numbers of a range at a scale, one more if the range, which is of doubles, is within rounding errors of it.
fn digits_of_range((low, high): Range, scale: u8) -> u8 {
    let largest = low.abs().max(high.abs()) * 10_f64.powi(scale.into()) * (1.0 + 1e-9) + 1.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it saturates, and NaN is 0 digits"
    )]
    let digits = if largest.is_finite() { largest.log10().floor() as u8 + 1 } else { u8::MAX };
    digits
}

fn is_not_zero(divisor: &Expr) -> bool {
    match &divisor.kind {
        ExprKind::Cast { input, .. } => is_not_zero(input),
        ExprKind::Literal(Value::Integer(value)) => *value != 0,
        ExprKind::Literal(Value::Decimal(value)) => *value != 0,
        _ => false,
    }
}

/// The range of an integer type, limited to integers that doubles represent exactly.
fn limits(data_type: &Type) -> Option<(f64, f64)> {
    let bits = match data_type {
        Type::TinyInt => 8,
        Type::SmallInt => 16,
        Type::Integer => 32,
        // The range ±2^53 is well within the type's limits.
        Type::BigInt => 54,
        _ => return None,
    };
    let half = 2_f64.powi(bits - 1);
    Some((-half, half - 1.0))
}

/// The least and the greatest value.
type Range = (f64, f64);

/// The range of an integer expression, computed from the ranges of its columns.
fn range(expr: &Expr, rows: &Estimate) -> Option<Range> {
    let parts: Vec<Option<Range>> = match expr.kind {
        ExprKind::Cast { .. } | ExprKind::Arithmetic { .. } => {
            expr.children().into_iter().map(|child| range(child, rows)).collect()
        }
        _ => Vec::new(),
    };
    range_of_parts(expr, &parts, rows)
}

/// As [`range`], computed from the ranges of the children.
fn range_of_parts(expr: &Expr, parts: &[Option<Range>], rows: &Estimate) -> Option<Range> {
    match (&expr.kind, parts) {
        (ExprKind::Column(id), _) => rows.range(*id),
        #[expect(
            clippy::cast_precision_loss,
            reason = "a constant of many digits fails the comparison with the limits"
        )]
        (ExprKind::Literal(Value::Integer(value)), _) => Some((*value as f64, *value as f64)),
        (ExprKind::Cast { input, .. }, [of_input]) if input.data_type.is_integer() => *of_input,
        (ExprKind::Arithmetic { operator, .. }, [Some((a, b)), Some((c, d))]) => match operator {
            ArithmeticOperator::Add => Some((a + c, b + d)),
            ArithmeticOperator::Subtract => Some((a - d, b - c)),
            _ => None,
        },
        _ => None,
    }
}
