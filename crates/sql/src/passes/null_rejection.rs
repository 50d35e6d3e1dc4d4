//! Which columns a condition rejects the NULLs of: where such a column is NULL, the condition is NULL or FALSE. An outer
//! join whose rows without a match are rejected above it is an inner join.

use std::collections::HashSet;

use crate::expr::{Expr, ExprKind};
use crate::plan::ColumnId;

/// Adds the columns of which a single NULL makes a condition NULL or FALSE.
pub(super) fn add_rejected(condition: &Expr, rejected: &mut HashSet<ColumnId>) {
    match &condition.kind {
        ExprKind::And(parts) => parts.iter().for_each(|part| add_rejected(part, rejected)),
        ExprKind::Comparison { operator, left, right } if !operator.sees_null() => {
            add_null_sources(left, rejected);
            add_null_sources(right, rejected);
        }
        ExprKind::Like { value, .. } | ExprKind::InList { value, .. } => add_null_sources(value, rejected),
        ExprKind::Not(inner) => match &inner.kind {
            ExprKind::IsNull(value) => add_null_sources(value, rejected),
            ExprKind::Comparison { .. } | ExprKind::Like { .. } | ExprKind::InList { .. } => {
                add_rejected(inner, rejected);
            }
            _ => {}
        },
        ExprKind::Column(id) => {
            rejected.insert(*id);
        }
        _ => {}
    }
}

/// Adds the columns of which a single NULL makes an expression NULL.
pub(super) fn add_null_sources(expr: &Expr, columns: &mut HashSet<ColumnId>) {
    match &expr.kind {
        ExprKind::Column(id) => {
            columns.insert(*id);
        }
        ExprKind::Cast { input, .. } | ExprKind::Negate(input) => add_null_sources(input, columns),
        ExprKind::Arithmetic { left, right, .. } => {
            add_null_sources(left, columns);
            add_null_sources(right, columns);
        }
        _ => {}
    }
}

/// Whether a condition is NULL or FALSE if all of `columns` are NULL. The parts of an OR may reject different ones.
pub(super) fn rejects_nulls_of(condition: &Expr, columns: &HashSet<ColumnId>) -> bool {
    match &condition.kind {
        ExprKind::And(parts) => parts.iter().any(|part| rejects_nulls_of(part, columns)),
        ExprKind::Or(parts) => parts.iter().all(|part| rejects_nulls_of(part, columns)),
        _ => {
            let mut rejected = HashSet::new();
            add_rejected(condition, &mut rejected);
            !rejected.is_disjoint(columns)
        }
    }
}

/// Whether an expression is NULL if all of `columns` are NULL.
pub(super) fn is_null_with(expr: &Expr, columns: &HashSet<ColumnId>) -> bool {
    let mut sources = HashSet::new();
    add_null_sources(expr, &mut sources);
    !sources.is_disjoint(columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{ComparisonOperator, Value};
    use crate::types::Type;

    const A: ColumnId = ColumnId(0);
    const B: ColumnId = ColumnId(1);

    fn compared(operator: ComparisonOperator, id: ColumnId) -> Expr {
        let (left, right) = (Expr::column(id, Type::BigInt), Expr::literal(Value::Integer(1), Type::BigInt));
        let kind = ExprKind::Comparison { operator, left: Box::new(left), right: Box::new(right) };
        Expr::new(kind, Type::Boolean)
    }

    #[track_caller]
    fn check(condition: &Expr, columns: &[ColumnId], expected: bool) {
        let columns = columns.iter().copied().collect();
        assert_eq!(rejects_nulls_of(condition, &columns), expected, "{condition} {columns:?}");
    }

    #[test]
    fn a_comparison_rejects_the_nulls_of_its_columns() {
        check(&compared(ComparisonOperator::LessThan, A), &[A], true);
        check(&compared(ComparisonOperator::LessThan, A), &[B], false);
        check(&compared(ComparisonOperator::IsDistinctFrom, A), &[A], false);
        let null = Expr::new(ExprKind::IsNull(Box::new(Expr::column(A, Type::BigInt))), Type::Boolean);
        check(&null, &[A], false);
        check(&Expr::new(ExprKind::Not(Box::new(null)), Type::Boolean), &[A], true);
        check(&Expr::column(A, Type::Boolean), &[A], true);
    }

    #[test]
    fn each_part_of_an_or_must_reject_a_null() {
        let (a, b) = (compared(ComparisonOperator::Equal, A), compared(ComparisonOperator::Equal, B));
        let or = Expr::or(vec![a.clone(), b.clone()]);
        check(&or, &[A], false);
        check(&or, &[A, B], true);
        let mut single = HashSet::new();
        add_rejected(&or, &mut single);
        assert!(single.is_empty());
        check(&Expr::and(vec![or, a]), &[A], true);
    }
}
