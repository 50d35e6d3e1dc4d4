//! Filter, Project, Distinct and EnforceSingleRow.

use polars::prelude::{
    Expr, IntoColumn, LazyFrame, PlSmallStr, Selector, UniqueKeepStrategy, by_name, col, len,
};
use rowhouse_model::{ErrorCode, QueryError};

use super::Lowering;
use super::scan::values;
use super::signed_zero::loses_sign;
use super::window::greatest_rank;
use crate::column::{column, column_name};
use crate::datum::Datum;
use crate::expression::{evaluate_constant, lower_expression};
use crate::failure;
use crate::partial_aggregation::partially_distinct;
use rowhouse_sql::expr::fallible::can_fail_by_row;
use rowhouse_sql::expr::{Expr as SqlExpr, ExprKind, Value};
use rowhouse_sql::plan::{ColumnId, Field, Plan};

impl Lowering<'_> {
    /// Lowers a filter. A condition that holds for no row is not passed to Polars, which would push it below an
    /// aggregation without keys, and the row of that would remain.
    pub(super) fn filter(&mut self, input: &Plan, predicate: &SqlExpr) -> Result<LazyFrame, QueryError> {
        let mut kept = Vec::new();
        for part in predicate.clone().into_conjuncts() {
            match constant_boolean(&part) {
                Some(false) => return values(&input.fields(), &[]),
                Some(true) => {}
                None => kept.push(part),
            }
        }
        let pairs = match input {
            Plan::Join(node) => self.range_join(node, &kept)?,
            _ => None,
        };
        let frame = match pairs {
            Some(pairs) => pairs,
            None => match input {
                Plan::Window { input, functions } => {
                    self.window(input, functions, greatest_rank(&kept, functions))?
                }
                _ => self.lower(input)?,
            },
        };
        if kept.is_empty() {
            return Ok(frame);
        }
        let (of_scan, above) = self.divided_conditions(input, kept);
        let frame = match input {
            Plan::Scan(_)
                if of_scan.iter().filter(|part| can_fail_by_row(part)).count() < 2
                    && !of_scan.iter().any(SqlExpr::is_random) =>
            {
                self.filtered_together(frame, of_scan)?
            }
            _ => self.filtered(frame, of_scan)?,
        };
        if above.is_empty() { Ok(frame) } else { self.filtered_apart(frame, above) }
    }

    /// The rows for which all conditions hold. Conditions that can fail are evaluated last. Polars merges filters, evaluates
    /// all their conditions for all rows, and pushes them below joins; therefore conditions that can fail become a column
    /// of the rows that pass the other conditions. Random conditions do, too, because a filter without columns is
    /// evaluated without the number of rows.
    pub(super) fn filtered(
        &mut self,
        frame: LazyFrame,
        conditions: Vec<SqlExpr>,
    ) -> Result<LazyFrame, QueryError> {
        let (risky, safe): (Vec<SqlExpr>, Vec<SqlExpr>) = conditions.into_iter().partition(is_risky);
        let frame = if safe.is_empty() { frame } else { self.filtered_together(frame, safe)? };
        if risky.is_empty() { Ok(frame) } else { self.filtered_apart(frame, risky) }
    }

    /// The rows for which all conditions hold, of which at most one can fail: it is evaluated last.
    fn filtered_together(
        &mut self,
        frame: LazyFrame,
        conditions: Vec<SqlExpr>,
    ) -> Result<LazyFrame, QueryError> {
        let (risky, safe): (Vec<SqlExpr>, Vec<SqlExpr>) = conditions.into_iter().partition(is_risky);
        let mut staged = self.staged();
        let condition = lower_expression(&SqlExpr::and(safe.into_iter().chain(risky)), &mut staged)?;
        Ok(staged.apply(frame).filter(condition))
    }

    /// The rows for which all conditions hold, evaluated as a column, so that Polars does not merge them with the
    /// filters below.
    fn filtered_apart(
        &mut self,
        frame: LazyFrame,
        conditions: Vec<SqlExpr>,
    ) -> Result<LazyFrame, QueryError> {
        let mut staged = self.staged();
        let condition = lower_expression(&SqlExpr::and(conditions), &mut staged)?;
        let condition = staged.column(condition);
        Ok(staged.apply(frame).filter(condition))
    }

    /// Lowers a projection in two steps, because a projection of only constants would return one row regardless of the
    /// input.
    pub(super) fn project(
        &mut self,
        input: &Plan,
        columns: &[(Field, SqlExpr)],
    ) -> Result<LazyFrame, QueryError> {
        let frame = self.lower(input)?;
        let mut staged = self.staged();
        let mut computed = Vec::new();
        let mut selected = Vec::with_capacity(columns.len());
        for (field, expression) in columns {
            let name = column_name(field.id);
            match expression.as_column() {
                Some(source) if source == field.id => selected.push(column(source)),
                Some(source) => selected.push(column(source).alias(name)),
                None => {
                    computed.push(lower_expression(expression, &mut staged)?.alias(name.clone()));
                    selected.push(col(name));
                }
            }
        }
        let frame = staged.apply(frame);
        let frame = if computed.is_empty() { frame } else { frame.with_columns(computed) };
        // In Polars, a frame without columns has no rows; nodes above an empty projection only count its rows.
        Ok(if selected.is_empty() { frame } else { frame.select(selected) })
    }

    pub(super) fn distinct(
        &mut self,
        input: &Plan,
        on: Option<&[ColumnId]>,
    ) -> Result<LazyFrame, QueryError> {
        let frame = self.lower(input)?;
        Ok(match on {
            Some([]) => frame.limit(1),
            Some(on) => frame.unique_stable(Some(selector(on)), UniqueKeepStrategy::First),
            None => {
                let fields = input.fields();
                let ids: Vec<ColumnId> = fields.iter().map(|field| field.id).collect();
                let names: Vec<PlSmallStr> = ids.iter().map(|id| column_name(*id)).collect();
                let few = self.few_valued_columns(input);
                let is_signed = fields.iter().any(|field| loses_sign(&field.data_type, fields.len()));
                if !ids.is_empty() && !is_signed && ids.iter().all(|id| few.contains(id)) {
                    let frame = partially_distinct(frame, names, self.temporary());
                    return Ok(frame.unique(Some(selector(&ids)), UniqueKeepStrategy::Any));
                }
                let values =
                    input.fields().into_iter().map(|field| SqlExpr::column(field.id, field.data_type));
                let columns = self.packed_values(input, values);
                if let Some(distinct) =
                    self.partitioned(frame.clone(), input, (&columns, &names), Vec::new())?
                {
                    return Ok(distinct.with_keys());
                }
                self.distinct_rows(frame, &fields)
            }
        })
    }

    /// Every column contains the check, because Polars would drop a separate column as unused.
    pub(super) fn enforce_single_row(&mut self, input: &Plan) -> Result<LazyFrame, QueryError> {
        let fields = input.fields();
        let frame = self.lower(input)?.limit(2);
        let count = self.temporary();
        let mut first: Vec<Expr> = fields.iter().map(|field| column(field.id).first()).collect();
        first.push(len().alias(count.clone()));
        let checked: Vec<Expr> =
            fields.iter().map(|field| at_most_one_row(column(field.id), col(count.clone()))).collect();
        Ok(frame.select(first).with_columns(checked))
    }
}

/// Whether an expression has the same result for every row: it names no column and is not random. Unlike a constant, it may
/// be a call of `fail`, whose result is an error.
pub(super) fn is_same_in_all_rows(expression: &SqlExpr) -> bool {
    !expression.is_random() && expression.columns().is_empty()
}

/// Whether a condition must not be evaluated for more rows than it is written for.
fn is_risky(condition: &SqlExpr) -> bool {
    condition.is_random() || can_fail_by_row(condition)
}

/// Whether a condition holds for every row or for no row, regardless of the tables' content.
pub(super) fn constant_boolean(condition: &SqlExpr) -> Option<bool> {
    if never_holds(condition) {
        return Some(false);
    }
    match is_same_in_all_rows(condition).then(|| evaluate_constant(condition).ok()).flatten()? {
        Datum::Boolean(holds) => Some(holds),
        Datum::Null => Some(false),
        _ => None,
    }
}

/// Whether a condition is never TRUE: it is FALSE or NULL, or a comparison with a literal NULL.
fn never_holds(condition: &SqlExpr) -> bool {
    let is_null = |operand: &SqlExpr| match &operand.kind {
        ExprKind::Cast { input, .. } => input.as_literal() == Some(&Value::Null),
        _ => operand.as_literal() == Some(&Value::Null),
    };
    match &condition.kind {
        ExprKind::Literal(value) => matches!(value, Value::Null | Value::Boolean(false)),
        ExprKind::Case { branches, otherwise } => {
            branches.iter().all(|(condition, value)| never_holds(condition) || never_holds(value))
                && otherwise.as_deref().is_none_or(never_holds)
        }
        ExprKind::Comparison { operator, left, right } => {
            !operator.sees_null() && (is_null(left) || is_null(right))
        }
        ExprKind::Not(inner) => matches!(inner.kind, ExprKind::Comparison { .. }) && never_holds(inner),
        ExprKind::And(parts) => parts.iter().any(never_holds),
        ExprKind::Or(parts) => parts.iter().all(never_holds),
        _ => false,
    }
}

/// The value, or the error of a scalar subquery with more than one row if `count` exceeds 1.
pub(super) fn at_most_one_row(value: Expr, count: Expr) -> Expr {
    value.map_many(
        |columns| {
            let count = columns[1].as_materialized_series().max::<u64>()?.unwrap_or(0);
            if count > 1 {
                let what = "Scalar sub-query has returned multiple rows";
                return Err(failure::raise(ErrorCode::SubqueryMultipleRows, what));
            }
            Ok(std::mem::take(&mut columns[0]).into_column())
        },
        &[count],
        |_, fields| Ok(fields[0].clone()),
    )
}

fn selector(ids: &[ColumnId]) -> Selector {
    by_name(ids.iter().map(|id| column_name(*id)), true, false)
}
