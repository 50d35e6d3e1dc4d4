//! The consequences of a predicate for a subset of columns, and the simplification of predicates with constants.

use crate::expr::{ComparisonOperator, Expr, ExprKind, Value};
use crate::types::Type;

/// If each branch of an OR has conjuncts over certain columns, the OR of these conjuncts is implied. `None` if a branch
/// has none.
pub(super) fn implied(predicate: &Expr, is_about: impl Fn(&Expr) -> bool) -> Option<Expr> {
    let ExprKind::Or(branches) = &predicate.kind else { return None };
    let mut implied: Vec<Expr> = Vec::with_capacity(branches.len());
    for branch in branches {
        let parts = branch.clone().into_conjuncts().into_iter().filter(|part| is_about(part));
        let parts = Expr::and(parts);
        if parts == Expr::boolean(true) {
            return None;
        }
        if !implied.contains(&parts) {
            implied.push(parts);
        }
    }
    Some(Expr::or(implied))
}

/// Simplifies a predicate: evaluates comparisons of constants.
pub(super) fn simplified(predicate: Expr) -> Expr {
    let place = predicate.location;
    match predicate.kind {
        ExprKind::And(parts) => {
            let parts: Vec<Expr> = parts.into_iter().map(simplified).collect();
            if parts.contains(&Expr::boolean(false)) {
                Expr::boolean(false)
            } else {
                Expr::and(parts).at(place)
            }
        }
        ExprKind::Or(parts) => {
            let parts: Vec<Expr> =
                parts.into_iter().map(simplified).filter(|part| *part != Expr::boolean(false)).collect();
            if parts.contains(&Expr::boolean(true)) { Expr::boolean(true) } else { Expr::or(parts).at(place) }
        }
        ExprKind::Comparison { operator, left, right } => {
            let holds = constant(&left).zip(constant(&right)).and_then(|(left, right)| match operator {
                ComparisonOperator::Equal => Some(left == right),
                ComparisonOperator::NotEqual => Some(left != right),
                _ => None,
            });
            let kind = ExprKind::Comparison { operator, left, right };
            holds.map_or_else(|| Expr { kind, ..Expr::boolean(true).at(place) }, Expr::boolean)
        }
        kind => Expr { kind, ..predicate },
    }
}

/// The value of a constant whose equality is the equality of its stored value.
fn constant(expr: &Expr) -> Option<&Value> {
    match (&expr.kind, &expr.data_type) {
        (ExprKind::Cast { input, .. }, Type::Varchar { length }) => {
            let value = constant(input).filter(|_| matches!(input.data_type, Type::Varchar { .. }))?;
            let Value::Varchar(text) = value else { return None };
            let fits =
                |length: u32| usize::try_from(length).is_ok_and(|length| text.chars().count() <= length);
            length.is_none_or(fits).then_some(value)
        }
        (
            ExprKind::Literal(value @ (Value::Integer(_) | Value::Varchar(_) | Value::Date(_))),
            Type::TinyInt | Type::SmallInt | Type::Integer | Type::BigInt | Type::Varchar { .. } | Type::Date,
        ) => Some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::ColumnId;

    fn is(column: u32, value: i64) -> Expr {
        let column = Expr::column(ColumnId(column), Type::BigInt);
        Expr::comparison(
            ComparisonOperator::Equal,
            column,
            Expr::literal(Value::Integer(value), Type::BigInt),
        )
    }

    fn texts(left: &str, right: &str) -> Expr {
        let text = |text: &str| {
            let length = u32::try_from(text.len()).ok();
            Expr::literal(Value::Varchar(text.to_owned()), Type::Varchar { length })
                .cast_to(&Type::Varchar { length: None })
        };
        Expr::comparison(ComparisonOperator::Equal, text(left), text(right))
    }

    #[test]
    fn a_condition_is_implied_only_if_each_branch_has_a_conjunct() {
        let either = Expr::or([Expr::and([is(1, 5), is(2, 6)]), Expr::and([is(1, 7), is(3, 8)])]);
        let about = |column: u32| move |part: &Expr| part.columns() == [ColumnId(column)];
        assert_eq!(implied(&either, about(1)), Some(Expr::or([is(1, 5), is(1, 7)])));
        assert_eq!(implied(&either, about(2)), None);
        assert_eq!(implied(&is(1, 5), about(1)), None);
    }

    #[test]
    fn comparisons_of_constants_are_simplified() {
        let first = Expr::and([is(1, 5), texts("s", "s")]);
        let second = Expr::and([is(2, 6), texts("store", "web")]);
        assert_eq!(simplified(Expr::or([first, second.clone()])), is(1, 5));
        assert_eq!(simplified(second), Expr::boolean(false));
        assert_eq!(simplified(Expr::or([is(1, 1), texts("s", "s")])), Expr::boolean(true));
    }
}
