//! Constant folding. Before: a filter `NULL IS NULL OR name = NULL`, the result of `:name IS NULL OR name = :name` with
//! an omitted parameter. After: no filter; and of `'EU' IS NULL OR name = 'EU'` only the comparison. Why: the rest can
//! be pushed down and tested against a file's statistics, as if the text had no parameter. As in Trino, a part that
//! cannot change the outcome is not evaluated, so that it cannot fail either; therefore projections, aggregations and sort
//! keys are folded, too: a subquery in a branch of CASE that is never taken is then pruned.

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
        mut node @ (Plan::Project { .. } | Plan::Aggregate(_) | Plan::Sort { .. }) => {
            for value in node.expressions_mut() {
                value.transform(&mut fold);
            }
            node
        }
        other => other,
    });
}

/// The value of a filter, if constants determine it: TRUE if all conjuncts are TRUE, FALSE if one is FALSE or NULL.
fn decided(parts: &[Expr]) -> Option<bool> {
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
            Some(Value::Null) => Some(null(&Type::Boolean)),
            _ => None,
        },
        ExprKind::Case { branches, otherwise } => case(branches, otherwise, &expr.data_type),
        ExprKind::Arithmetic { left, right, .. } => {
            [left, right].into_iter().any(|side| is_null_literal(side)).then(|| null(&expr.data_type))
        }
        ExprKind::And(parts) => junction(parts, false),
        ExprKind::Or(parts) => junction(parts, true),
        ExprKind::Comparison { operator, left, right } => comparison(*operator, left, right),
        ExprKind::Call { function: ScalarFunction::Coalesce, args } => {
            coalesce(args).map(|value| value.cast_to(&expr.data_type))
        }
        ExprKind::Call { function: ScalarFunction::Nullif, args } => nullif(args, &expr.data_type),
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
        _ if parts.iter().all(is_null_literal) => Some(null(&Type::Boolean)),
        _ => None,
    }
}

fn comparison(operator: ComparisonOperator, left: &Expr, right: &Expr) -> Option<Expr> {
    use ComparisonOperator::{
        Equal, GreaterThan, GreaterThanOrEqual, IsDistinctFrom, IsNotDistinctFrom, LessThan, LessThanOrEqual,
        NotEqual,
    };
    let is_strict = !matches!(operator, IsDistinctFrom | IsNotDistinctFrom);
    if is_strict && [left, right].into_iter().any(is_null_literal) {
        return Some(null(&Type::Boolean));
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
    let nulls = args.iter().take_while(|arg| is_null_literal(arg)).count();
    // The last argument is the result in any case.
    args.drain(..nulls.min(args.len().saturating_sub(1)));
    let decides = args.first().is_some_and(|first| first.as_literal().is_some()) || args.len() == 1;
    decides.then(|| args.swap_remove(0))
}

/// Folds NULLIF of two constants, or with a NULL.
fn nullif(args: &mut Vec<Expr>, data_type: &Type) -> Option<Expr> {
    let [value, other] = args.as_slice() else { return None };
    let is_null = if is_null_literal(value) || is_null_literal(other) {
        is_null_literal(value)
    } else {
        let order = compared(value.as_literal()?, other.as_literal()?);
        order.filter(|_| value.data_type == other.data_type)? == Ordering::Equal
    };
    Some(if is_null { null(data_type) } else { args.swap_remove(0).cast_to(data_type) })
}

/// Folds CASE: removes branches that are never taken, and those after one that always is.
fn case(
    branches: &mut Vec<(Expr, Expr)>,
    otherwise: &mut Option<Box<Expr>>,
    data_type: &Type,
) -> Option<Expr> {
    if let Some(always) = branches.iter().position(|(condition, _)| *condition == Expr::boolean(true)) {
        let (_, value) = branches.swap_remove(always);
        branches.truncate(always);
        *otherwise = Some(Box::new(value));
    }
    branches.retain(|(condition, _)| !is_never(condition));
    let is_decided = branches.is_empty();
    is_decided.then(|| otherwise.take().map_or_else(|| null(data_type), |value| value.cast_to(data_type)))
}

/// Whether a condition is FALSE or NULL for every row.
fn is_never(condition: &Expr) -> bool {
    matches!(condition.as_literal(), Some(Value::Boolean(false) | Value::Null))
}

fn is_null_literal(expr: &Expr) -> bool {
    expr.as_literal() == Some(&Value::Null)
}

fn null(data_type: &Type) -> Expr {
    Expr::literal(Value::Null, data_type.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::ColumnId;

    fn column(id: u32) -> Expr {
        Expr::column(ColumnId(id), Type::BigInt)
    }

    fn case_of(branches: Vec<(Expr, Expr)>, otherwise: Option<Expr>) -> Expr {
        let mut case =
            Expr::new(ExprKind::Case { branches, otherwise: otherwise.map(Box::new) }, Type::BigInt);
        case.transform(&mut fold);
        case
    }

    #[test]
    fn branches_that_are_never_taken_are_removed() {
        let unknown = || Expr::comparison(ComparisonOperator::Equal, column(0), column(1));
        let (always, never) = (Expr::boolean(true), Expr::boolean(false));
        let branches = vec![(never.clone(), column(2)), (unknown(), column(3)), (always.clone(), column(4))];
        let expected = case_of(vec![(unknown(), column(3))], Some(column(4)));
        assert_eq!(case_of([branches, vec![(unknown(), column(5))]].concat(), Some(column(6))), expected);
        assert_eq!(case_of(vec![(always, column(2))], None), column(2));
        assert_eq!(case_of(vec![(null(&Type::Boolean), column(2))], Some(column(3))), column(3));
        assert_eq!(case_of(vec![(never, column(2))], None), null(&Type::BigInt));
    }
}
