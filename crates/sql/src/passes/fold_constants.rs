//! Constant folding. Before: a filter `NULL IS NULL OR name = NULL`, the result of `:name IS NULL OR name = :name` with
//! an omitted parameter. After: no filter; and of `'EU' IS NULL OR name = 'EU'` only the comparison. Why: the rest can
//! be pushed down and tested against a file's statistics, as if the text had no parameter. As in Trino, a part that
//! cannot change the outcome is not evaluated, so that it cannot fail either; therefore conditions in projections are
//! folded, too.

use std::cmp::Ordering;

use super::rewrite;
use crate::expr::{ComparisonOperator, Expr, ExprKind, Value};
use crate::functions::ScalarFunction;
use crate::plan::Plan;
use crate::types::Type;

pub(super) fn run(plan: &mut Plan) {
    rewrite(plan, &mut |node| match node {
        Plan::Filter { input, mut predicate } => {
            predicate.transform(&mut fold);
            let place = predicate.location;
            let parts = predicate.into_conjuncts();
            match decided(&parts) {
                Some(true) => *input,
                Some(false) => Plan::Filter { input, predicate: Expr::boolean(false).at(place) },
                None => Plan::Filter { input, predicate: Expr::and(parts).at(place) },
            }
        }
        Plan::Project { input, mut columns } => {
            for (_, value) in &mut columns {
                value.transform(&mut |part| {
                    if part.data_type == Type::Boolean {
                        fold(part);
                    }
                });
            }
            Plan::Project { input, columns }
        }
        other => other,
    });
}

/// The value of a filter, if constants determine it: TRUE if all conjuncts are TRUE, FALSE if one is FALSE or NULL.
fn decided(parts: &[Expr]) -> Option<bool> {
    let is_never = |part: &Expr| matches!(part.as_literal(), Some(Value::Boolean(false) | Value::Null));
    if parts.iter().any(is_never) {
        return Some(false);
    }
    parts.iter().all(|part| *part == Expr::boolean(true)).then_some(true)
}

/// Folds an expression whose children are already folded.
fn fold(expr: &mut Expr) {
    let place = expr.location;
    let folded = match &mut expr.kind {
        ExprKind::IsNull(input) => is_null(input).map(Expr::boolean),
        ExprKind::Not(input) => match input.as_literal() {
            Some(Value::Boolean(value)) => Some(Expr::boolean(!value)),
            Some(Value::Null) => Some(null()),
            _ => None,
        },
        ExprKind::And(parts) => junction(parts, false),
        ExprKind::Or(parts) => junction(parts, true),
        ExprKind::Comparison { operator, left, right } => comparison(*operator, left, right),
        ExprKind::Call { function: ScalarFunction::Coalesce, args } => coalesce(args),
        _ => None,
    };
    if let Some(folded) = folded {
        *expr = folded.at(place);
    }
}

/// Whether a constant is NULL. An array constructor is not.
fn is_null(input: &Expr) -> Option<bool> {
    match &input.kind {
        ExprKind::Literal(value) => Some(*value == Value::Null),
        ExprKind::Call { function: ScalarFunction::ArrayConstructor, args } => {
            args.iter().all(|arg| arg.as_literal().is_some()).then_some(false)
        }
        _ => None,
    }
}

/// Folds AND, whose deciding operand is FALSE, or OR, whose deciding operand is TRUE.
fn junction(parts: &mut Vec<Expr>, deciding: bool) -> Option<Expr> {
    if parts.contains(&Expr::boolean(deciding)) {
        return Some(Expr::boolean(deciding));
    }
    parts.retain(|part| *part != Expr::boolean(!deciding));
    match parts.len() {
        0 => Some(Expr::boolean(!deciding)),
        1 => parts.pop(),
        _ if parts.iter().all(|part| part.as_literal() == Some(&Value::Null)) => Some(null()),
        _ => None,
    }
}

fn comparison(operator: ComparisonOperator, left: &Expr, right: &Expr) -> Option<Expr> {
    use ComparisonOperator::{
        Equal, GreaterThan, GreaterThanOrEqual, IsDistinctFrom, IsNotDistinctFrom, LessThan, LessThanOrEqual,
        NotEqual,
    };
    let is_strict = !matches!(operator, IsDistinctFrom | IsNotDistinctFrom);
    if is_strict && [left, right].iter().any(|side| side.as_literal() == Some(&Value::Null)) {
        return Some(null());
    }
    let order =
        compared(left.as_literal()?, right.as_literal()?).filter(|_| left.data_type == right.data_type)?;
    Some(Expr::boolean(match operator {
        Equal | IsNotDistinctFrom => order == Ordering::Equal,
        NotEqual | IsDistinctFrom => order != Ordering::Equal,
        LessThan => order == Ordering::Less,
        LessThanOrEqual => order != Ordering::Greater,
        GreaterThan => order == Ordering::Greater,
        GreaterThanOrEqual => order != Ordering::Less,
    }))
}

/// The order of two constants, if it depends on their values alone.
fn compared(left: &Value, right: &Value) -> Option<Ordering> {
    Some(match (left, right) {
        (Value::Boolean(left), Value::Boolean(right)) => left.cmp(right),
        (Value::Integer(left), Value::Integer(right)) => left.cmp(right),
        (Value::Decimal(left), Value::Decimal(right)) => left.cmp(right),
        (Value::Varchar(left), Value::Varchar(right)) => left.cmp(right),
        (Value::Date(left), Value::Date(right)) => left.cmp(right),
        (Value::Timestamp(left), Value::Timestamp(right)) => left.cmp(right),
        _ => return None,
    })
}

/// Folds COALESCE: removes leading NULLs. A constant that is then the first argument is the result, and so is a single
/// argument.
fn coalesce(args: &mut Vec<Expr>) -> Option<Expr> {
    let nulls = args.iter().take_while(|arg| arg.as_literal() == Some(&Value::Null)).count();
    // The last argument is the result in any case.
    args.drain(..nulls.min(args.len().saturating_sub(1)));
    let decides = args.first().is_some_and(|first| first.as_literal().is_some()) || args.len() == 1;
    decides.then(|| args.swap_remove(0))
}

fn null() -> Expr {
    Expr::literal(Value::Null, Type::Boolean)
}
