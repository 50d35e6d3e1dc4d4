//! Which expressions are constants, and which can fail at some value.

use crate::sql::expr::{ArithmeticOperator, Expr, ExprKind};
use crate::sql::functions::ScalarFunction;
use crate::sql::types::{Type, can_coerce};

/// Whether it names no column and gives the same value for every row.
pub(super) fn is_constant(expr: &Expr) -> bool {
    let is_fixed = match &expr.kind {
        ExprKind::Column(_) => false,
        ExprKind::Call { function, args: _ } => {
            !matches!(function, ScalarFunction::Random | ScalarFunction::Fail)
        }
        _ => true,
    };
    is_fixed && children(expr).into_iter().all(is_constant)
}

/// Whether some value makes it fail, so that it must not be evaluated where SQL would not.
pub(super) fn is_fallible(expr: &Expr) -> bool {
    let itself = match &expr.kind {
        ExprKind::Arithmetic { operator, left, right } => {
            let can_divide = matches!(operator, ArithmeticOperator::Divide | ArithmeticOperator::Modulus);
            match expr.data_type {
                Type::Real | Type::Double => false,
                Type::Decimal { precision, .. } => can_divide || precision == 38,
                _ => !Expr::cannot_overflow(*operator, left, right, &expr.data_type),
            }
        }
        ExprKind::Negate(_) => expr.data_type.is_integer(),
        ExprKind::Cast { input, is_try } => !is_try && !can_coerce(&input.data_type, &expr.data_type),
        ExprKind::Call { function, .. } => !matches!(
            function,
            ScalarFunction::Coalesce
                | ScalarFunction::Nullif
                | ScalarFunction::Try
                | ScalarFunction::Length
                | ScalarFunction::Lower
                | ScalarFunction::Upper
                | ScalarFunction::Substring
                | ScalarFunction::Concat
                | ScalarFunction::Year
                | ScalarFunction::Month
                | ScalarFunction::Day
        ),
        _ => false,
    };
    itself || children(expr).into_iter().any(is_fallible)
}

/// The operands.
pub(super) fn children(expr: &Expr) -> Vec<&Expr> {
    match &expr.kind {
        ExprKind::Column(_) | ExprKind::Literal(_) => Vec::new(),
        ExprKind::Cast { input, .. }
        | ExprKind::Negate(input)
        | ExprKind::Not(input)
        | ExprKind::IsNull(input)
        | ExprKind::RowField { input, .. } => vec![input],
        ExprKind::Call { args, .. } => args.iter().collect(),
        ExprKind::Arithmetic { left, right, .. } | ExprKind::Comparison { left, right, .. } => {
            vec![left, right]
        }
        ExprKind::Case { branches, otherwise } => branches
            .iter()
            .flat_map(|(condition, value)| [condition, value])
            .chain(otherwise.as_deref())
            .collect(),
        ExprKind::And(parts) | ExprKind::Or(parts) => parts.iter().collect(),
        ExprKind::InList { value, list } => std::iter::once(value.as_ref()).chain(list).collect(),
        ExprKind::Like { value, pattern, .. } => vec![value, pattern],
    }
}
