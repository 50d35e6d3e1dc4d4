//! Comparisons of a non-decreasing function of a column with a constant become comparisons of the column. Before: a filter
//! `CAST(ts AS date) = DATE '2024-05-01'`. After: `ts >= TIMESTAMP '2024-05-01 00:00' AND ts < TIMESTAMP '2024-05-02 00:00'`.
//! Likewise implicit conversions (`bigint_column > 10.5`), `year` and `date_trunc`. Why: a comparison of a column excludes row
//! groups by their statistics, its selectivity is known, and no value is converted. These are Trino's
//! UnwrapCastInComparison, UnwrapYearInComparison and UnwrapDateTruncInComparison; like them it drops conversions that
//! would fail for some values.

use crate::expr::{ComparisonOperator, Expr, ExprKind, Value};
use crate::plan::{Join, Plan};
use crate::types::Type;

mod thresholds;

use thresholds::{Domain, Thresholds, thresholds};

/// Members of an IN list of which each becomes a range: more ranges would cost more than the function.
const MAX_RANGES: usize = 8;

pub(super) fn run(plan: &mut Plan) {
    super::rewrite(plan, &mut |mut node| {
        match &mut node {
            Plan::Filter { predicate, .. } => unwrap(predicate, Purpose::Truth),
            Plan::Join(Join { residual: Some(residual), .. }) => unwrap(residual, Purpose::Truth),
            other => other.expressions_mut().into_iter().for_each(|expr| unwrap(expr, Purpose::Value)),
        }
        node
    });
}

/// What a condition is needed for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    /// Whether it is TRUE; FALSE and NULL are the same.
    Truth,
    /// Its value.
    Value,
}

fn unwrap(expr: &mut Expr, purpose: Purpose) {
    let of_parts = match &expr.kind {
        ExprKind::And(_) | ExprKind::Or(_) => purpose,
        _ => Purpose::Value,
    };
    for child in expr.children_mut() {
        unwrap(child, of_parts);
    }
    let replaced = match &mut expr.kind {
        ExprKind::And(parts) if purpose == Purpose::Truth && parts.contains(&Expr::boolean(false)) => {
            Some(Expr::boolean(false))
        }
        ExprKind::Or(parts) if purpose == Purpose::Truth && parts.contains(&Expr::boolean(false)) => {
            Some(Expr::or(std::mem::take(parts).into_iter().filter(|part| *part != Expr::boolean(false))))
        }
        ExprKind::Comparison { operator, left, right } => match (left.as_literal(), right.as_literal()) {
            (None, Some(constant)) => comparison(*operator, left, constant, purpose),
            (Some(constant), None) => comparison(operator.swapped(), right, constant, purpose),
            _ => None,
        },
        ExprKind::InList { value, list } => in_list(value, list, purpose),
        _ => None,
    };
    if let Some(replaced) = replaced {
        *expr = replaced.at(expr.location);
    }
}

/// `value operator constant` as comparisons of the column in it.
fn comparison(
    operator: ComparisonOperator,
    value: &Expr,
    constant: &Value,
    purpose: Purpose,
) -> Option<Expr> {
    use ComparisonOperator::{
        Equal, GreaterThan, GreaterThanOrEqual, IsDistinctFrom, IsNotDistinctFrom, LessThan, LessThanOrEqual,
        NotEqual,
    };
    if !is_column_below_functions(value) {
        return None;
    }
    let (column, Thresholds { reached, passed }) = thresholds(value, constant)?;
    let domain = Domain::of(&column.data_type)?;
    let of = Tests { column, domain, purpose };
    let is_one = domain.is_one(reached, passed);
    Some(match operator {
        GreaterThanOrEqual => of.at_least(reached),
        GreaterThan => of.at_least(passed),
        LessThan => of.below(reached),
        LessThanOrEqual => of.below(passed),
        _ if is_one => of.compared(operator, reached),
        IsDistinctFrom | IsNotDistinctFrom if reached >= passed => Expr::boolean(operator == IsDistinctFrom),
        Equal => of.within(reached, passed),
        NotEqual => of.outside(reached, passed),
        IsNotDistinctFrom => Expr::and([of.is_null().negated(), of.within(reached, passed)]),
        IsDistinctFrom => Expr::or([of.is_null(), of.outside(reached, passed)]),
    })
}

fn in_list(value: &Expr, list: &[Expr], purpose: Purpose) -> Option<Expr> {
    if !is_column_below_functions(value) {
        return None;
    }
    let mut tests = Vec::with_capacity(list.len());
    for member in list {
        tests.push(comparison(ComparisonOperator::Equal, value, member.as_literal()?, purpose)?);
    }
    tests.retain(|test| *test != Expr::boolean(false));
    // Single values are a list again.
    let mut members = Vec::with_capacity(tests.len());
    let mut listed = None;
    for test in &tests {
        if let ExprKind::Comparison { operator: ComparisonOperator::Equal, left, right } = &test.kind {
            members.push((**right).clone());
            listed = Some(left.clone());
        }
    }
    match listed {
        Some(value) if members.len() == tests.len() => Some(match members.len() {
            1 => tests.remove(0),
            _ => Expr::new(ExprKind::InList { value, list: members }, Type::Boolean),
        }),
        _ => (tests.len() <= MAX_RANGES).then(|| Expr::or(tests)),
    }
}

/// Whether the value costs nothing but the functions that are dropped: it may be named twice afterwards.
fn is_column_below_functions(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Column(_) => true,
        ExprKind::Cast { input, is_try: false } => is_column_below_functions(input),
        ExprKind::Call { args, .. } => args.last().is_some_and(is_column_below_functions),
        _ => false,
    }
}

/// Comparisons of a column with numbers of its domain.
struct Tests {
    column: Expr,
    domain: Domain,
    purpose: Purpose,
}

impl Tests {
    fn at_least(&self, number: i128) -> Expr {
        if self.domain.is_beyond(number) {
            self.never()
        } else if self.domain.is_least(number) {
            self.always()
        } else {
            self.compared(ComparisonOperator::GreaterThanOrEqual, number)
        }
    }

    fn below(&self, number: i128) -> Expr {
        if self.domain.is_beyond(number) {
            self.always()
        } else if self.domain.is_least(number) {
            self.never()
        } else {
            self.compared(ComparisonOperator::LessThan, number)
        }
    }

    fn within(&self, reached: i128, passed: i128) -> Expr {
        if reached >= passed {
            self.never()
        } else if self.domain.is_least(reached) {
            self.below(passed)
        } else if self.domain.is_beyond(passed) {
            self.at_least(reached)
        } else {
            Expr::and([self.at_least(reached), self.below(passed)])
        }
    }

    fn outside(&self, reached: i128, passed: i128) -> Expr {
        if reached >= passed {
            self.always()
        } else if self.domain.is_least(reached) {
            self.at_least(passed)
        } else if self.domain.is_beyond(passed) {
            self.below(reached)
        } else {
            Expr::or([self.below(reached), self.at_least(passed)])
        }
    }

    /// The comparison, in which a further function of the column may be dropped.
    fn compared(&self, operator: ComparisonOperator, number: i128) -> Expr {
        let value = self.domain.value(number);
        comparison(operator, &self.column, &value, self.purpose).unwrap_or_else(|| {
            let constant = Expr::literal(value, self.column.data_type.clone());
            Expr::comparison(operator, self.column.clone(), constant)
        })
    }

    /// TRUE unless the column is NULL.
    fn always(&self) -> Expr {
        let is_known = self.is_null().negated();
        match self.purpose {
            Purpose::Truth => is_known,
            Purpose::Value => Expr::or([is_known, Expr::literal(Value::Null, Type::Boolean)]),
        }
    }

    /// FALSE unless the column is NULL.
    fn never(&self) -> Expr {
        match self.purpose {
            Purpose::Truth => Expr::boolean(false),
            Purpose::Value => Expr::and([self.is_null(), Expr::literal(Value::Null, Type::Boolean)]),
        }
    }

    fn is_null(&self) -> Expr {
        Expr::new(ExprKind::IsNull(Box::new(self.column.clone())), Type::Boolean)
    }
}
