//! Conditions that are keys of a join.

use std::collections::HashSet;

use super::{ColumnId, JoinKey};
use crate::expr::{ComparisonOperator, Expr, ExprKind};
use crate::types::Type;

impl JoinKey {
    /// Whether the key compares integers or dates and NULL matches nothing, so that a bitmap can hold the keys.
    pub fn is_by_number(&self) -> bool {
        let is_number = |data_type: &Type| data_type.is_integer() || *data_type == Type::Date;
        !self.null_equals_null && is_number(&self.left.data_type) && is_number(&self.right.data_type)
    }

    /// A key from an equality with one side over the columns of each input; swaps the sides if necessary.
    pub fn from_condition(
        condition: &Expr,
        left_ids: &HashSet<ColumnId>,
        right_ids: &HashSet<ColumnId>,
    ) -> Option<Self> {
        let ExprKind::Comparison { operator, left, right } = &condition.kind else { return None };
        let null_equals_null = match operator {
            ComparisonOperator::Equal => false,
            ComparisonOperator::IsNotDistinctFrom => true,
            _ => return None,
        };
        let is_over = |expr: &Expr, ids: &HashSet<ColumnId>| {
            let columns = expr.columns();
            !columns.is_empty() && columns.iter().all(|column| ids.contains(column))
        };
        if is_over(left, left_ids) && is_over(right, right_ids) {
            return Some(Self { left: (**left).clone(), right: (**right).clone(), null_equals_null });
        }
        if is_over(left, right_ids) && is_over(right, left_ids) {
            return Some(Self { left: (**right).clone(), right: (**left).clone(), null_equals_null });
        }
        None
    }
}
