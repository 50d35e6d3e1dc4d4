//! Filter, Project, Sort, Limit, Distinct and EnforceSingleRow.

use polars::prelude::{
    Expr, IdxSize, IntoColumn, LazyFrame, Selector, SortMultipleOptions, UniqueKeepStrategy, by_name, col,
    len,
};
use rowhouse_model::{ErrorCode, QueryError};

use super::{Lowering, column, column_name};
use crate::embedded::expression::lower_expression;
use crate::embedded::failure;
use crate::sql::expr::{Expr as SqlExpr, ExprKind, SortKey};
use crate::sql::functions::ScalarFunction;
use crate::sql::plan::{ColumnId, Field, Plan};

impl Lowering<'_> {
    pub(super) fn filter(&mut self, input: &Plan, predicate: &SqlExpr) -> Result<LazyFrame, QueryError> {
        Ok(self.lower(input)?.filter(lower_expression(predicate)?))
    }

    /// In two steps, because a select of constants alone would give one row, however many the input has.
    pub(super) fn project(
        &mut self,
        input: &Plan,
        columns: &[(Field, SqlExpr)],
    ) -> Result<LazyFrame, QueryError> {
        let frame = self.lower(input)?;
        let mut computed = Vec::new();
        let mut selected = Vec::with_capacity(columns.len());
        for (field, expression) in columns {
            let name = column_name(field.id);
            match expression.as_column() {
                Some(source) if source == field.id => selected.push(column(source)),
                Some(source) => selected.push(column(source).alias(name)),
                None => {
                    computed.push(lower_expression(expression)?.alias(name.clone()));
                    selected.push(col(name));
                }
            }
        }
        let frame = if computed.is_empty() { frame } else { frame.with_columns(computed) };
        // A frame without columns has no rows for Polars; what is above an empty projection only counts.
        Ok(if selected.is_empty() { frame } else { frame.select(selected) })
    }

    /// Keys that decide nothing are left out, for Polars fails at them: what is the same for every row, and what
    /// an earlier key has decided already.
    pub(super) fn sort(&mut self, input: &Plan, keys: &[SortKey]) -> Result<LazyFrame, QueryError> {
        let frame = self.lower(input)?;
        let is_decided = |place: usize| keys[..place].iter().any(|earlier| earlier.expr == keys[place].expr);
        let decides = |place: &usize| !is_constant(&keys[*place].expr) && !is_decided(*place);
        let keys: Vec<&SortKey> = (0..keys.len()).filter(decides).map(|place| &keys[place]).collect();
        if keys.is_empty() {
            return Ok(frame);
        }
        let by = keys.iter().map(|key| lower_expression(&key.expr)).collect::<Result<Vec<_>, _>>()?;
        let options = SortMultipleOptions::default()
            .with_order_descending_multi(keys.iter().map(|key| key.is_descending))
            .with_nulls_last_multi(keys.iter().map(|key| !key.nulls_first));
        Ok(frame.sort_by_exprs(by, options))
    }

    pub(super) fn limit(
        &mut self,
        input: &Plan,
        offset: u64,
        limit: Option<u64>,
    ) -> Result<LazyFrame, QueryError> {
        let frame = self.lower(input)?;
        let limit = limit.map_or(IdxSize::MAX, |limit| IdxSize::try_from(limit).unwrap_or(IdxSize::MAX));
        let offset = i64::try_from(offset).unwrap_or(i64::MAX);
        Ok(frame.slice(offset, limit))
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
                let ids: Vec<ColumnId> = input.fields().iter().map(|field| field.id).collect();
                frame.unique(Some(selector(&ids)), UniqueKeepStrategy::Any)
            }
        })
    }

    /// The check stands in every column, because Polars would drop one of its own as unused.
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

/// Whether the value is the same for every row: it names no column and draws no number.
fn is_constant(expression: &SqlExpr) -> bool {
    let varies = |part: &SqlExpr| match &part.kind {
        ExprKind::Column(_) => true,
        ExprKind::Call { function, .. } => *function == ScalarFunction::Random,
        _ => false,
    };
    !expression.any(&varies)
}

/// The value, or the error of a scalar subquery with more than one row where `count` is over 1.
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
