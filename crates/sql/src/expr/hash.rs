//! Structural hashes of expressions, equal for equal expressions. A hash is computed from those of the children, so
//! that one pass computes the hashes of all subexpressions.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use super::{Expr, ExprKind, Value};

impl Expr {
    /// The expression's hash, equal for equal expressions.
    pub fn structural_hash(&self) -> u64 {
        let parts: Vec<u64> = self.children().into_iter().map(Self::structural_hash).collect();
        self.hash_of_parts(&parts)
    }

    /// The hash, computed from the hashes of the children, in order.
    pub fn hash_of_parts(&self, parts: &[u64]) -> u64 {
        let mut hasher = DefaultHasher::new();
        std::mem::discriminant(&self.kind).hash(&mut hasher);
        match &self.kind {
            ExprKind::Column(id) => id.hash(&mut hasher),
            ExprKind::Literal(value) => hash_value(value, &mut hasher),
            ExprKind::Cast { input: _, is_try } => (is_try, &self.data_type).hash(&mut hasher),
            ExprKind::Call { function, args: _ } => function.hash(&mut hasher),
            ExprKind::Arithmetic { operator, .. } => operator.hash(&mut hasher),
            ExprKind::Comparison { operator, .. } => operator.hash(&mut hasher),
            ExprKind::Like { escape, is_case_insensitive, .. } => {
                (escape, is_case_insensitive).hash(&mut hasher);
            }
            ExprKind::RowField { input: _, index } => index.hash(&mut hasher),
            ExprKind::Lambda { parameters, body: _ } => {
                parameters.iter().for_each(|(id, _)| id.hash(&mut hasher));
            }
            ExprKind::Negate(_)
            | ExprKind::Case { .. }
            | ExprKind::And(_)
            | ExprKind::Or(_)
            | ExprKind::Not(_)
            | ExprKind::IsNull(_)
            | ExprKind::InList { .. } => {}
        }
        parts.hash(&mut hasher);
        hasher.finish()
    }
}

fn hash_value(value: &Value, hasher: &mut DefaultHasher) {
    std::mem::discriminant(value).hash(hasher);
    match value {
        Value::Null => {}
        Value::Boolean(value) => value.hash(hasher),
        Value::Integer(value)
        | Value::Time(value)
        | Value::Timestamp(value)
        | Value::IntervalDayToSecond(value)
        | Value::IntervalYearToMonth(value) => value.hash(hasher),
        Value::Decimal(value) => value.hash(hasher),
        Value::Double(value) => value.to_bits().hash(hasher),
        Value::Varchar(value) => value.hash(hasher),
        Value::Varbinary(value) => value.hash(hasher),
        Value::Date(value) => value.hash(hasher),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{ArithmeticOperator, ColumnId};
    use crate::types::Type;

    #[test]
    fn equal_expressions_have_equal_hashes_and_others_rarely() {
        let sum = |operator: ArithmeticOperator, id: u32, added: i64| {
            let left = Box::new(Expr::column(ColumnId(id), Type::BigInt));
            let right = Box::new(Expr::literal(Value::Integer(added), Type::BigInt));
            Expr::new(ExprKind::Arithmetic { operator, left, right }, Type::BigInt)
        };
        let add = ArithmeticOperator::Add;
        let place = rowhouse_model::ErrorLocation { line_number: 1, column_number: 2 };
        assert_eq!(sum(add, 0, 1).structural_hash(), sum(add, 0, 1).at(Some(place)).structural_hash());
        let others = [sum(add, 0, 2), sum(add, 1, 1), sum(ArithmeticOperator::Subtract, 0, 1)];
        for other in others {
            assert_ne!(sum(add, 0, 1).structural_hash(), other.structural_hash(), "{other}");
        }
    }
}
