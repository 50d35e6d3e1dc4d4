//! Evaluation of constants in filters, conditions of joins and conditions of CASE. Before: `o_orderdate >= date_add('day', -30, DATE
//! '2024-05-31')`. After: `o_orderdate >= DATE '2024-05-01'`. Why: how many rows pass is estimated from the value, and other
//! passes compare columns with literals only. A constant that fails stays as it is: perhaps no row needs it.

use super::rewrite;
use crate::expr::{Expr, ExprKind, Value};
use crate::functions::ScalarFunction;
use crate::plan::{Join, MarkJoin, Plan};
use crate::types::Type;

/// Longer texts stay expressions.
const MAX_TEXT_BYTES: usize = 4096;

/// `evaluate` returns the value of an expression without columns, or nothing if it fails.
pub(super) fn run(plan: &mut Plan, evaluate: &mut dyn FnMut(&Expr) -> Option<Value>) {
    rewrite(plan, &mut |mut node| {
        match &mut node {
            Plan::Filter { predicate, .. } => replace(predicate, evaluate),
            Plan::Join(Join { residual: Some(residual), .. })
            | Plan::MarkJoin(MarkJoin { residual: Some(residual), .. }) => replace(residual, evaluate),
            Plan::Project { .. } | Plan::Aggregate(_) | Plan::Sort { .. } => {
                node.expressions_mut().into_iter().for_each(|expr| replace_conditions(expr, evaluate));
            }
            _ => {}
        }
        node
    });
}

/// Replaces the constants in conditions of CASE and in COALESCE, which decide what is evaluated at all.
fn replace_conditions(expr: &mut Expr, evaluate: &mut dyn FnMut(&Expr) -> Option<Value>) {
    if let ExprKind::Case { branches, otherwise } = &mut expr.kind {
        for (condition, value) in branches {
            replace(condition, evaluate);
            replace_conditions(value, evaluate);
        }
        if let Some(otherwise) = otherwise {
            replace_conditions(otherwise, evaluate);
        }
        return;
    }
    if let ExprKind::Call { function: ScalarFunction::Coalesce, args } = &mut expr.kind {
        args.iter_mut().for_each(|arg| replace(arg, evaluate));
        return;
    }
    expr.children_mut().into_iter().for_each(|part| replace_conditions(part, evaluate));
}

fn replace(expr: &mut Expr, evaluate: &mut dyn FnMut(&Expr) -> Option<Value>) {
    if replace_parts(expr, evaluate) {
        replace_constant(expr, evaluate);
    }
}

/// Replaces the largest constants in an expression that is none; returns whether it is one.
fn replace_parts(expr: &mut Expr, evaluate: &mut dyn FnMut(&Expr) -> Option<Value>) -> bool {
    let mut is_constant = match &expr.kind {
        ExprKind::Column(_) | ExprKind::Lambda { .. } => false,
        ExprKind::Call { function, .. } => !function.is_random() && *function != ScalarFunction::Fail,
        _ => true,
    };
    let parts: Vec<(&mut Expr, bool)> = expr
        .children_mut()
        .into_iter()
        .map(|part| {
            let is_constant = replace_parts(part, evaluate);
            (part, is_constant)
        })
        .collect();
    is_constant &= parts.iter().all(|(_, is_constant)| *is_constant);
    if !is_constant {
        for (part, is_constant) in parts {
            if is_constant {
                replace_constant(part, evaluate);
            }
        }
    }
    is_constant
}

fn replace_constant(expr: &mut Expr, evaluate: &mut dyn FnMut(&Expr) -> Option<Value>) {
    if expr.as_literal().is_some() || !has_literals(&expr.data_type) {
        return;
    }
    match evaluate(expr) {
        Some(Value::Varchar(text)) if text.len() > MAX_TEXT_BYTES => {}
        Some(value) => *expr = Expr::literal(value, expr.data_type.clone()).at(expr.location),
        None => {}
    }
}

/// Whether a literal of the type is its value, whatever the session.
const fn has_literals(data_type: &Type) -> bool {
    matches!(
        data_type,
        Type::Boolean
            | Type::TinyInt
            | Type::SmallInt
            | Type::Integer
            | Type::BigInt
            | Type::Real
            | Type::Double
            | Type::Decimal { .. }
            | Type::Varchar { .. }
            | Type::Date
            | Type::Timestamp { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::{ArithmeticOperator, ComparisonOperator};
    use crate::plan::ColumnId;

    fn sum(left: Expr, right: Expr) -> Expr {
        let kind = ExprKind::Arithmetic {
            operator: ArithmeticOperator::Add,
            left: Box::new(left),
            right: Box::new(right),
        };
        Expr::new(kind, Type::BigInt)
    }

    fn number(value: i64) -> Expr {
        Expr::literal(Value::Integer(value), Type::BigInt)
    }

    #[test]
    fn the_largest_constants_are_evaluated_once() {
        let column = Expr::column(ColumnId(0), Type::BigInt);
        let random =
            Expr::new(ExprKind::Call { function: ScalarFunction::Random, args: Vec::new() }, Type::BigInt);
        let constant = sum(number(1), sum(number(2), number(3)));
        let of = |right: Expr| Expr::comparison(ComparisonOperator::Equal, column.clone(), right);
        let mut asked = Vec::new();
        let mut evaluate = |expr: &Expr| {
            asked.push(expr.to_string());
            Some(Value::Integer(6))
        };
        let mut predicate = of(constant.clone());
        replace(&mut predicate, &mut evaluate);
        assert_eq!(predicate, of(number(6)));
        let mut predicate = of(sum(random.clone(), constant.clone()));
        replace(&mut predicate, &mut evaluate);
        assert_eq!(predicate, of(sum(random, number(6))));
        assert_eq!(asked, [constant.to_string(), constant.to_string()]);

        let mut predicate = of(constant.clone());
        replace(&mut predicate, &mut |_| None);
        assert_eq!(predicate, of(constant), "one that fails stays");
    }
}
