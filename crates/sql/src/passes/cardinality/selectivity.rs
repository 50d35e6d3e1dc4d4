//! The selectivity of a predicate, computed from a column's distinct count and range if they are known, otherwise from
//! the constants of System R and its successors.

use rowhouse_model::calendar::MILLIS_PER_DAY;

use super::{ColumnEstimate, Estimate};
use crate::date_time_text::parse_date;
use crate::expr::{ComparisonOperator, Expr, ExprKind, Value};
use crate::plan::ColumnId;
use crate::types::Type;

/// Equality with a column without statistics: one of two hundred values (PostgreSQL's `DEFAULT_NUM_DISTINCT`).
const EQUAL: f64 = 0.005;
/// A comparison by order (System R).
const BEYOND: f64 = 1.0 / 3.0;
/// A range between two values (System R).
const BETWEEN: f64 = 0.25;
/// LIKE.
const LIKE: f64 = 0.1;
/// IS NULL, if the number of NULLs is unknown.
const NULL: f64 = 0.05;
/// Any other predicate.
const OTHER: f64 = 0.5;

/// The fraction of rows for which a predicate is TRUE.
pub(super) fn selectivity(predicate: &Expr, rows: &Estimate) -> f64 {
    let part = match &predicate.kind {
        ExprKind::Literal(value) => f64::from(u8::from(*value == Value::Boolean(true))),
        ExprKind::And(parts) => of_all(parts, rows),
        ExprKind::Or(parts) => 1.0 - parts.iter().map(|part| 1.0 - selectivity(part, rows)).product::<f64>(),
        ExprKind::Not(inner) => match &inner.kind {
            ExprKind::IsNull(value) => 1.0 - nulls(value, rows),
            _ => 1.0 - selectivity(inner, rows),
        },
        ExprKind::Comparison { operator, left, right } => compared(*operator, left, right, rows),
        ExprKind::InList { value, list } => {
            let one = list.first().map_or(0.0, |first| equal(value, first, rows));
            #[expect(clippy::cast_precision_loss, reason = "an estimate")]
            let count = list.len() as f64;
            one * count
        }
        ExprKind::Like { .. } => LIKE,
        ExprKind::IsNull(value) => nulls(value, rows),
        ExprKind::Column(id) if rows.column(*id).is_known => 1.0 / rows.column(*id).domain.max(1.0),
        _ => OTHER,
    };
    part.clamp(0.0, 1.0)
}

/// The selectivity of an AND. Range conditions on one column are combined. The rest is assumed to be independent, but
/// the more conditions there are, the less each counts, because conditions in queries tend to be correlated.
fn of_all(parts: &[Expr], rows: &Estimate) -> f64 {
    let mut bounded: Vec<(ColumnId, usize)> = Vec::new();
    let mut factors: Vec<f64> = Vec::new();
    for part in parts {
        match bound(part) {
            Some(bound) => match bounded.iter_mut().find(|(id, _)| *id == bound.id) {
                Some((_, count)) => *count += 1,
                None => bounded.push((bound.id, 1)),
            },
            None => factors.push(selectivity(part, rows)),
        }
    }
    let known = ranges_of(parts, rows);
    for (id, count) in bounded {
        let found = known.iter().find(|(known, ..)| *known == id);
        let part = found.map_or(if count > 1 { BETWEEN } else { BEYOND }, |(_, part, _)| *part);
        factors.push(part * (1.0 - rows.column(id).null_part));
    }
    factors.sort_by(f64::total_cmp);
    // Exponential backoff, as in SQL Server.
    let mut exponent = 1.0;
    let mut all = 1.0;
    for factor in factors {
        all *= factor.powf(exponent);
        exponent /= 2.0;
    }
    all
}

fn compared(operator: ComparisonOperator, left: &Expr, right: &Expr, rows: &Estimate) -> f64 {
    match operator {
        ComparisonOperator::Equal | ComparisonOperator::IsNotDistinctFrom => equal(left, right, rows),
        ComparisonOperator::NotEqual | ComparisonOperator::IsDistinctFrom => 1.0 - equal(left, right, rows),
        _ => {
            let known = ranges_within(bound_of(operator, left, right), rows);
            known.first().map_or(BEYOND, |(id, part, _)| part * (1.0 - rows.column(*id).null_part))
        }
    }
}

/// The fraction of rows in which two expressions are equal.
fn equal(left: &Expr, right: &Expr, rows: &Estimate) -> f64 {
    let (left, right) = (through_casts(left), through_casts(right));
    let of = |expr: &Expr| -> Option<ColumnEstimate> {
        (!expr.columns().is_empty()).then(|| rows.of_expr(expr)).filter(|estimate| estimate.is_known)
    };
    let is_outside = |column: &Expr, value: &Expr| {
        let range = column.as_column().and_then(|id| rows.column(id).range);
        range.zip(number(value)).is_some_and(|((low, high), value)| value < low || value > high)
    };
    if is_outside(left, right) || is_outside(right, left) {
        return 0.0;
    }
    let values = [of(left), of(right)].into_iter().flatten();
    let one = values.map(|estimate| (1.0 - estimate.null_part) / estimate.domain.max(1.0)).reduce(f64::min);
    one.unwrap_or(EQUAL)
}

fn nulls(value: &Expr, rows: &Estimate) -> f64 {
    value.as_column().map_or(NULL, |id| rows.column(id).null_part)
}

/// The columns with a known range that a predicate restricts: for each the remaining fraction of its range, and the
/// remaining range.
pub(super) fn ranges(predicate: &Expr, rows: &Estimate) -> Vec<(ColumnId, f64, (f64, f64))> {
    match &predicate.kind {
        ExprKind::And(parts) => ranges_of(parts, rows),
        _ => ranges_of(std::slice::from_ref(predicate), rows),
    }
}

fn ranges_of(parts: &[Expr], rows: &Estimate) -> Vec<(ColumnId, f64, (f64, f64))> {
    ranges_within(parts.iter().filter_map(bound), rows)
}

fn ranges_within(
    bounds: impl IntoIterator<Item = Bound>,
    rows: &Estimate,
) -> Vec<(ColumnId, f64, (f64, f64))> {
    let mut found: Vec<(ColumnId, (f64, f64))> = Vec::new();
    for bound in bounds {
        let Some(value) = bound.value else { continue };
        let Some(range) = rows.column(bound.id).range else { continue };
        let place = found.iter().position(|(id, _)| *id == bound.id).unwrap_or_else(|| {
            found.push((bound.id, range));
            found.len() - 1
        });
        let (low, high) = &mut found[place].1;
        if bound.is_upper {
            *high = high.min(value);
        } else {
            *low = low.max(value);
        }
    }
    found
        .into_iter()
        .filter_map(|(id, (low, high))| {
            let column = rows.column(id);
            let (least, greatest) = column.range?;
            // For discrete values, one value remains if both bounds are equal.
            let step = (greatest - least) / column.domain.max(2.0);
            let part = if high < low { 0.0 } else { (high - low + step) / (greatest - least + step) };
            Some((id, if part.is_finite() { part.clamp(0.0, 1.0) } else { 1.0 }, (low, high)))
        })
        .collect()
}

/// A column on one side of a comparison by order.
struct Bound {
    id: ColumnId,
    is_upper: bool,
    /// The other side, if it is known at planning.
    value: Option<f64>,
}

fn bound(predicate: &Expr) -> Option<Bound> {
    match &predicate.kind {
        ExprKind::Comparison { operator, left, right } => bound_of(*operator, left, right),
        _ => None,
    }
}

fn bound_of(operator: ComparisonOperator, left: &Expr, right: &Expr) -> Option<Bound> {
    use ComparisonOperator::{GreaterThan, GreaterThanOrEqual, LessThan, LessThanOrEqual};
    let (left, right) = (through_casts(left), through_casts(right));
    let (id, operator, value) = match (left.as_column(), right.as_column()) {
        (Some(id), None) => (id, operator, right),
        (None, Some(id)) => (id, operator.swapped(), left),
        _ => return None,
    };
    if !value.columns().is_empty() {
        return None;
    }
    match operator {
        LessThan | LessThanOrEqual => Some(Bound { id, is_upper: true, value: number(value) }),
        GreaterThan | GreaterThanOrEqual => Some(Bound { id, is_upper: false, value: number(value) }),
        _ => None,
    }
}

/// Removes casts of columns; a cast preserves the number of values and their order.
fn through_casts(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast { input, .. } if !input.columns().is_empty() => through_casts(input),
        _ => expr,
    }
}

/// A constant, or an expression of constants, as a number in a column's range.
fn number(expr: &Expr) -> Option<f64> {
    use crate::expr::ArithmeticOperator::{Add, Subtract};
    match &expr.kind {
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        ExprKind::Literal(value) => match (value, &expr.data_type) {
            (Value::Integer(value), _) => Some(*value as f64),
            (Value::Decimal(value), Type::Decimal { scale, .. }) => {
                Some(*value as f64 / 10_f64.powi(i32::from(*scale)))
            }
            (Value::Double(value), _) => Some(*value),
            (Value::Date(days), _) => Some(f64::from(*days)),
            _ => None,
        },
        ExprKind::Cast { input, .. } => match input.as_literal() {
            Some(Value::Varchar(text)) if expr.data_type == Type::Date => parse_date(text).map(f64::from),
            _ => number(input),
        },
        ExprKind::Negate(inner) => number(inner).map(|value| -value),
        ExprKind::Arithmetic { operator: operator @ (Add | Subtract), left, right } => {
            let (left, right) = (number(left)?, days(right).or_else(|| number(right))?);
            Some(if *operator == Add { left + right } else { left - right })
        }
        _ => None,
    }
}

/// An interval in days.
fn days(expr: &Expr) -> Option<f64> {
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    match expr.as_literal()? {
        Value::IntervalDayToSecond(millis) => Some(*millis as f64 / MILLIS_PER_DAY as f64),
        Value::IntervalYearToMonth(months) => Some(*months as f64 * 30.4375),
        _ => None,
    }
}

/// The columns that a predicate restricts to listed values, and the number of these values.
pub(super) fn named_values(predicate: &Expr) -> Vec<(ColumnId, f64)> {
    match &predicate.kind {
        ExprKind::And(parts) => parts.iter().flat_map(named_values).collect(),
        ExprKind::Or(parts) => {
            let mut branches = parts.iter().map(named_values);
            let Some(mut all) = branches.next() else { return Vec::new() };
            for branch in branches {
                all.retain_mut(|(id, count)| {
                    let named = branch.iter().find(|(other, _)| other == id);
                    *count += named.map_or(0.0, |(_, more)| *more);
                    named.is_some()
                });
            }
            all
        }
        ExprKind::Comparison { operator: ComparisonOperator::Equal, left, right } => {
            let (left, right) = (through_casts(left), through_casts(right));
            let column = match (left.as_column(), right.as_column()) {
                (Some(id), None) if right.columns().is_empty() => Some(id),
                (None, Some(id)) if left.columns().is_empty() => Some(id),
                _ => None,
            };
            column.map(|id| (id, 1.0)).into_iter().collect()
        }
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        ExprKind::InList { value, list } => {
            through_casts(value).as_column().map(|id| (id, list.len() as f64)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}
