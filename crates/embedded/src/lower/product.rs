//! Products: inner joins without keys. With a side of one row, as of a scalar subquery, its values are those of each row
//! of the other side; with conditions that bound a value from below and above, it is a range join.

use std::collections::HashSet;

use polars::prelude::{
    ChunkApply as _, Column, DataType, Expr, Int64Chunked, IntoColumn, IntoSeries, LazyFrame, PlSmallStr,
    Scalar, col,
};
use rowhouse_model::QueryError;

use super::Lowering;
use crate::attempt::{Attempt, attempt};
use crate::column::{column, column_name};
use crate::data_type::storage;
use crate::date_time::calendar::units_per_day;
use crate::failure;
use crate::numeric::kernel;
use crate::order_key::is_nested;
use rowhouse_sql::Analyzed;
use rowhouse_sql::expr::{ArithmeticOperator, ComparisonOperator, Expr as SqlExpr, ExprKind, Value};
use rowhouse_sql::plan::{ColumnId, Field, Join, JoinKind, Plan};
use rowhouse_sql::types::Type;

/// Values of one side, with their columns.
type Names<'b> = Vec<(&'b Shifted, PlSmallStr)>;

const MILLIS_PER_DAY: i64 = 86_400_000;

/// Conditions that are looked at for a range: each is compared with each.
const MAX_BOUNDS: usize = 64;

/// Pairs of rows up to which a product is filtered.
const MAX_FEW_PAIRS: u64 = 10_000_000;

/// Whether the rows of a plan are one, whatever its tables have.
fn is_one_row(plan: &Plan) -> bool {
    match plan {
        Plan::Values { rows, .. } => rows.len() == 1,
        Plan::Aggregate(node) => node.keys.is_empty(),
        Plan::EnforceSingleRow { .. } => true,
        Plan::Project { input, .. } => is_one_row(input),
        Plan::Join(node) => is_product(node) && is_one_row(&node.left) && is_one_row(&node.right),
        _ => false,
    }
}

fn is_product(node: &Join) -> bool {
    node.kind == JoinKind::Inner && node.keys.is_empty() && node.residual.is_none()
}

/// The side of one row whose values become columns of the other side, and the other side.
fn one_row_of(node: &Join) -> Option<(&Plan, &Plan)> {
    if !is_product(node) {
        return None;
    }
    let (one, other) = match (is_one_row(&node.left), is_one_row(&node.right)) {
        (false, true) => (&node.right, &node.left),
        (true, false) => (&node.left, &node.right),
        _ => return None,
    };
    let is_flat = one.fields().iter().all(|field| !is_nested(&field.data_type));
    (is_flat && !other.fields().is_empty()).then_some((one, other))
}

/// Whether lowering a plan computes single rows.
pub(super) fn has_one_row(analyzed: &Analyzed) -> bool {
    let mut found = false;
    for plan in analyzed.shared.iter().chain([&analyzed.plan]) {
        plan.visit(&mut |node| {
            found |= matches!(node, Plan::Join(join) if one_row_of(join).is_some());
        });
    }
    found
}

impl Lowering<'_> {
    /// A product with a single row, which is computed ahead; `None` if there is no such side.
    pub(super) fn product_with_one_row(&mut self, node: &Join) -> Result<Option<LazyFrame>, QueryError> {
        let is_ahead = |one: &Plan| self.spill.is_none() && self.reads_only_known_rows(one);
        let Some((one, other)) = one_row_of(node).filter(|(one, _)| is_ahead(one)) else { return Ok(None) };
        let frame = self.lower(one)?;
        // A side that fails only does so for a statement whose other side has rows.
        let Ok(row) = attempt(&Attempt::ALL, |attempt| attempt.collect(frame.clone())) else {
            return Ok(None);
        };
        let frame = self.lower(other)?;
        let anchor = column(other.fields()[0].id);
        let value = |field: &Field| {
            let name = column_name(field.id);
            let value = row.column(&name).and_then(|column| Ok(column.get(0)?.into_static()));
            let value = value.map_err(|error| failure::query_error(&error))?;
            let stored = storage(&field.data_type);
            let scalar = Scalar::new(stored.clone(), value);
            // Polars knows no value, so that it moves no condition without columns below an aggregation.
            let spread = move |columns: &mut [Column]| {
                let anchor = &columns[0];
                Ok(Column::new_scalar(anchor.name().clone(), scalar.clone(), anchor.len()))
            };
            Ok(kernel(anchor.clone(), &[], stored, spread).alias(name))
        };
        let values = one.fields().iter().map(value).collect::<Result<Vec<Expr>, QueryError>>()?;
        Ok(Some(frame.with_columns(values)))
    }

    /// Whether all pairs of a product are compared in less time than its sides are sorted.
    fn has_few_pairs(&self, node: &Join) -> bool {
        let pairs = self.most_rows(&node.left).zip(self.most_rows(&node.right));
        pairs.is_some_and(|(left, right)| left.saturating_mul(right) <= MAX_FEW_PAIRS)
    }

    /// The most rows of a plan, if that is known.
    pub(super) fn most_rows(&self, plan: &Plan) -> Option<u64> {
        match plan {
            Plan::Scan(scan) => self.tables[scan.table].row_count,
            Plan::Values { rows, .. } => u64::try_from(rows.len()).ok(),
            Plan::Shared { id, .. } => {
                self.shared[id].rows.as_ref().and_then(|rows| u64::try_from(rows.height()).ok())
            }
            Plan::Filter { input, .. } | Plan::Project { input, .. } => self.most_rows(input),
            _ => None,
        }
    }

    /// Whether no shared plan below, which the statement may read elsewhere, would be computed a second time.
    fn reads_only_known_rows(&self, plan: &Plan) -> bool {
        let mut are_known = true;
        plan.visit(&mut |node| {
            if let Plan::Shared { id, .. } = node {
                are_known &= self.shared[id].rows.is_some();
            }
        });
        are_known
    }

    /// The pairs of a product for which the conditions may hold; `None` if they bound no value from both sides. The
    /// conditions remain to be evaluated.
    pub(super) fn range_join(
        &mut self,
        node: &Join,
        conditions: &[SqlExpr],
    ) -> Result<Option<LazyFrame>, QueryError> {
        if !is_product(node) || self.spill.is_some() || self.has_few_pairs(node) {
            return Ok(None);
        }
        let ids = |plan: &Plan| plan.column_ids().into_iter().collect::<HashSet<ColumnId>>();
        let (left, right) = (ids(&node.left), ids(&node.right));
        let bounds: Vec<Bound> = conditions
            .iter()
            .filter_map(|condition| Bound::of(condition, &left, &right))
            .take(MAX_BOUNDS)
            .collect();
        // Without a value that has both bounds, Polars compares all pairs in memory.
        let is_range = |lower: &Bound, upper: &Bound| lower.left == upper.left || lower.right == upper.right;
        let (lower, upper): (Vec<&Bound>, Vec<&Bound>) = bounds.iter().partition(|bound| bound.is_lower);
        let mut ranges = lower.iter().flat_map(|lower| upper.iter().map(move |upper| (*lower, *upper)));
        let Some((lower, upper)) = ranges.find(|(lower, upper)| is_range(lower, upper)) else {
            return Ok(None);
        };
        let (mut left, mut right) = (self.lower(&node.left)?, self.lower(&node.right)?);
        // The value with both bounds is one column.
        let (mut left_names, mut right_names) = (Names::new(), Names::new());
        for bound in [lower, upper] {
            for (side, value, names) in
                [(&mut left, &bound.left, &mut left_names), (&mut right, &bound.right, &mut right_names)]
            {
                let name = match names.first() {
                    Some((known, name)) if *known == value => name.clone(),
                    _ => {
                        let name = self.temporary();
                        *side = side.clone().with_column(value.lowered().alias(name.clone()));
                        name
                    }
                };
                names.push((value, name));
            }
        }
        let side = |names: &Names<'_>, place: usize| col(names[place].1.clone());
        let pairs = vec![
            side(&left_names, 0).gt_eq(side(&right_names, 0)),
            side(&left_names, 1).lt_eq(side(&right_names, 1)),
        ];
        Ok(Some(left.join_builder().with(right).join_where(pairs)))
    }
}

/// A condition that the left value is at least (`is_lower`) or at most the right one.
#[derive(Debug, PartialEq)]
struct Bound {
    left: Shifted,
    right: Shifted,
    is_lower: bool,
}

impl Bound {
    fn of(condition: &SqlExpr, left: &HashSet<ColumnId>, right: &HashSet<ColumnId>) -> Option<Self> {
        use ComparisonOperator as O;
        let ExprKind::Comparison { operator, left: first, right: second } = &condition.kind else {
            return None;
        };
        let is_greater = match operator {
            O::GreaterThan | O::GreaterThanOrEqual => true,
            O::LessThan | O::LessThanOrEqual => false,
            _ => return None,
        };
        let (one, other) = (Shifted::of(first)?, Shifted::of(second)?);
        if storage(&first.data_type) != storage(&second.data_type) {
            return None;
        }
        if left.contains(&one.column) && right.contains(&other.column) {
            Some(Self { left: one, right: other, is_lower: is_greater })
        } else if left.contains(&other.column) && right.contains(&one.column) {
            Some(Self { left: other, right: one, is_lower: !is_greater })
        } else {
            None
        }
    }
}

/// A column of integers or times plus a constant, in units of its storage.
#[derive(Debug, PartialEq)]
struct Shifted {
    column: ColumnId,
    by: i64,
}

impl Shifted {
    fn of(expr: &SqlExpr) -> Option<Self> {
        if !expr.data_type.is_integer() && !matches!(expr.data_type, Type::Date | Type::Timestamp { .. }) {
            return None;
        }
        if let Some(column) = expr.as_column() {
            return Some(Self { column, by: 0 });
        }
        let ExprKind::Arithmetic { operator, left, right } = &expr.kind else { return None };
        let (column, constant) = match (left.as_column(), right.as_column(), operator) {
            (Some(column), _, ArithmeticOperator::Add | ArithmeticOperator::Subtract) => (column, right),
            (_, Some(column), ArithmeticOperator::Add) => (column, left),
            _ => return None,
        };
        let by = match (constant.as_literal()?, &expr.data_type) {
            (Value::Integer(by), data_type) if data_type.is_integer() => *by,
            (Value::IntervalDayToSecond(millis), Type::Date) if millis % MILLIS_PER_DAY == 0 => {
                millis / MILLIS_PER_DAY
            }
            (Value::IntervalDayToSecond(millis), data_type @ Type::Timestamp { .. }) => {
                millis.checked_mul(units_per_day(data_type) / MILLIS_PER_DAY)?
            }
            _ => return None,
        };
        let by = if *operator == ArithmeticOperator::Subtract { by.checked_neg()? } else { by };
        Some(Self { column, by })
    }

    /// The value in 64 bits. One beyond them is the last one: the condition fails for its pairs, if the other bound, too,
    /// leaves some (D154).
    fn lowered(&self) -> Expr {
        let by = self.by;
        kernel(column(self.column), &[], DataType::Int64, move |columns| {
            let values = columns[0].as_materialized_series().to_physical_repr().cast(&DataType::Int64)?;
            let shifted: Int64Chunked = values.i64()?.apply_values(|value| value.saturating_add(by));
            Ok(shifted.into_series().into_column())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column_of(id: u32, data_type: &Type) -> SqlExpr {
        SqlExpr::column(ColumnId(id), data_type.clone())
    }

    fn shifted(operator: ArithmeticOperator, column: SqlExpr, constant: Value, data_type: &Type) -> SqlExpr {
        let right = Box::new(SqlExpr::literal(constant, data_type.clone()));
        let output = column.data_type.clone();
        SqlExpr::new(ExprKind::Arithmetic { operator, left: Box::new(column), right }, output)
    }

    #[test]
    fn bounds_are_of_a_column_of_each_side_and_constants() {
        use ArithmeticOperator::{Add, Multiply, Subtract};
        use ComparisonOperator as O;
        let (left, right) = (HashSet::from([ColumnId(0)]), HashSet::from([ColumnId(1)]));
        let bound = |operator, one: SqlExpr, other: SqlExpr| {
            Bound::of(&SqlExpr::comparison(operator, one, other), &left, &right)
        };
        let of = |left: i64, right: i64, is_lower| {
            let shifted = |column, by| Shifted { column: ColumnId(column), by };
            Some(Bound { left: shifted(0, left), right: shifted(1, right), is_lower })
        };
        let (big, date, double) = (Type::BigInt, Type::Date, Type::Double);
        let (a, b) = (|data_type| column_of(0, data_type), |data_type| column_of(1, data_type));
        assert_eq!(bound(O::GreaterThan, a(&big), b(&big)), of(0, 0, true));
        assert_eq!(bound(O::GreaterThan, b(&big), a(&big)), of(0, 0, false));
        let two = || Value::Integer(2);
        assert_eq!(bound(O::LessThan, a(&big), shifted(Subtract, b(&big), two(), &big)), of(0, -2, false));
        let days = |days: i64| Value::IntervalDayToSecond(days * MILLIS_PER_DAY);
        let interval = Type::IntervalDayToSecond;
        let later = shifted(Add, b(&date), days(3), &interval);
        assert_eq!(bound(O::LessThanOrEqual, later, a(&date)), of(0, 3, true));
        let hours = shifted(Add, b(&date), Value::IntervalDayToSecond(3_600_000), &interval);
        assert_eq!(bound(O::LessThan, a(&date), hours), None);
        assert_eq!(bound(O::LessThan, a(&big), shifted(Multiply, b(&big), two(), &big)), None);
        assert_eq!(bound(O::LessThan, a(&double), b(&double)), None);
        assert_eq!(bound(O::LessThan, a(&big), a(&big)), None);
        assert_eq!(bound(O::Equal, a(&big), b(&big)), None);
    }
}
