//! The range of integers that an expression can return, as far as its structure determines it: if it cannot overflow,
//! no check per row is needed.

use super::{ArithmeticOperator, Expr, ExprKind, Value};
use crate::functions::ScalarFunction;
use crate::types::Type;

/// The least and the greatest value.
type Range = (i128, i128);

impl Expr {
    /// Whether an operation on integers stays within `data_type` for all values of the operands, and never divides by
    /// zero.
    pub fn cannot_overflow(
        operator: ArithmeticOperator,
        left: &Self,
        right: &Self,
        data_type: &Type,
    ) -> bool {
        match (left.integer_range(), right.integer_range(), type_range(data_type)) {
            (Some(left), Some(right), Some(limits)) => {
                arithmetic(operator, left, right).is_some_and(|range| is_within(range, limits))
            }
            _ => false,
        }
    }

    /// The range of values; `None` if the type is not an integer type.
    fn integer_range(&self) -> Option<Range> {
        let limits = type_range(&self.data_type)?;
        let range = match &self.kind {
            ExprKind::Literal(Value::Integer(value)) => Some((i128::from(*value), i128::from(*value))),
            ExprKind::Cast { input, is_try: _ } => input.integer_range(),
            ExprKind::Arithmetic { operator, left, right } => {
                arithmetic(*operator, left.integer_range()?, right.integer_range()?)
            }
            ExprKind::Negate(input) => input.integer_range().map(|(least, greatest)| (-greatest, -least)),
            ExprKind::Case { branches, otherwise } => branches
                .iter()
                .map(|(_, value)| value)
                .chain(otherwise.as_deref())
                .map(Self::integer_range)
                .reduce(|a, b| Some(union(a?, b?)))
                .flatten(),
            ExprKind::Call { function: ScalarFunction::Coalesce, args } => {
                args.iter().map(Self::integer_range).reduce(|a, b| Some(union(a?, b?))).flatten()
            }
            ExprKind::Call { function, args } => function_range(*function, args),
            _ => None,
        };
        // If the result could exceed the type, the operation fails at run time, so the type's limits apply.
        Some(range.filter(|range| is_within(*range, limits)).unwrap_or(limits))
    }
}

const fn type_range(data_type: &Type) -> Option<Range> {
    Some(match data_type {
        Type::TinyInt => (i8::MIN as i128, i8::MAX as i128),
        Type::SmallInt => (i16::MIN as i128, i16::MAX as i128),
        Type::Integer => (i32::MIN as i128, i32::MAX as i128),
        Type::BigInt => (i64::MIN as i128, i64::MAX as i128),
        _ => return None,
    })
}

fn function_range(function: ScalarFunction, args: &[Expr]) -> Option<Range> {
    if matches!(function, ScalarFunction::Length | ScalarFunction::Strpos) {
        return Some((0, 1 << 40));
    }
    let is_of_interval = args.first().is_some_and(|argument| argument.data_type.is_interval());
    let range = if is_of_interval { function.range_of_interval_part() } else { function.range_of_part() };
    range.map(|(least, greatest)| (least.into(), greatest.into()))
}

/// `None` for a division by a range that includes zero.
fn arithmetic(operator: ArithmeticOperator, left: Range, right: Range) -> Option<Range> {
    let corners = |operation: fn(i128, i128) -> Option<i128>| {
        let values = [
            operation(left.0, right.0)?,
            operation(left.0, right.1)?,
            operation(left.1, right.0)?,
            operation(left.1, right.1)?,
        ];
        Some((*values.iter().min()?, *values.iter().max()?))
    };
    match operator {
        ArithmeticOperator::Add => corners(i128::checked_add),
        ArithmeticOperator::Subtract => corners(i128::checked_sub),
        ArithmeticOperator::Multiply => corners(i128::checked_mul),
        ArithmeticOperator::Divide | ArithmeticOperator::Modulus if right.0 <= 0 && right.1 >= 0 => None,
        ArithmeticOperator::Divide => corners(i128::checked_div),
        ArithmeticOperator::Modulus => {
            let largest = right.0.abs().max(right.1.abs()) - 1;
            Some((-largest, largest))
        }
    }
}

const fn is_within(range: Range, limits: Range) -> bool {
    range.0 >= limits.0 && range.1 <= limits.1
}

fn union(a: Range, b: Range) -> Range {
    (a.0.min(b.0), a.1.max(b.1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::ColumnId;

    fn check(operator: ArithmeticOperator, left: &Expr, right: &Expr, data_type: &Type, expected: bool) {
        let found = Expr::cannot_overflow(operator, left, right, data_type);
        assert_eq!(found, expected, "{left} {} {right} as {data_type}", operator.symbol());
    }

    #[test]
    fn arithmetic_is_safe_only_if_results_fit_the_type() {
        use ArithmeticOperator::{Add, Divide, Modulus, Multiply};
        let small = Expr::column(ColumnId(0), Type::SmallInt).cast_to(&Type::Integer);
        let integer = Expr::column(ColumnId(1), Type::Integer);
        let one = Expr::literal(Value::Integer(1), Type::Integer);
        let zero = Expr::literal(Value::Integer(0), Type::Integer);
        check(Add, &small, &one, &Type::Integer, true);
        check(Add, &integer, &one, &Type::Integer, false);
        check(
            Add,
            &integer.clone().cast_to(&Type::BigInt),
            &one.clone().cast_to(&Type::BigInt),
            &Type::BigInt,
            true,
        );
        check(Multiply, &small, &small, &Type::Integer, true);
        check(Multiply, &small, &integer, &Type::Integer, false);
        check(Divide, &integer, &one, &Type::Integer, true);
        check(Divide, &integer, &zero, &Type::Integer, false);
        check(Divide, &integer, &small, &Type::Integer, false);
        check(Modulus, &integer, &one, &Type::Integer, true);
    }
}
