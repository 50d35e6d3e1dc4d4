//! The lowered body of a lambda expression, and the frame that it is evaluated over.

use polars::prelude::{
    Column, DataFrame, DataType, Engine, Expr as PolarsExpr, IdxSize, IntoColumn, IntoLazy, PlSmallStr,
    PolarsResult, Series, col,
};
use rowhouse_model::QueryError;

use super::super::super::{Staged, lower_guarded};
use crate::column::column_name;
use crate::data_type::storage;
use crate::failure::not_supported;
use rowhouse_sql::expr::{Expr, ExprKind};

/// The name of the value; columns of the statement have others.
const VALUE: &str = "#value";

/// A body that can be evaluated.
pub(super) struct Body {
    parameters: Vec<PlSmallStr>,
    captured: Vec<PlSmallStr>,
    /// Columns to be computed before the value.
    steps: Vec<PolarsExpr>,
    value: PolarsExpr,
    stored: DataType,
}

/// The columns of rows that bodies name.
pub(super) struct Captured(Vec<Column>);

impl Captured {
    pub(super) const fn new(columns: Vec<Column>) -> Self {
        Self(columns)
    }

    pub(super) fn slice(&self, offset: i64, count: usize) -> Self {
        Self(self.0.iter().map(|column| column.slice(offset, count)).collect())
    }
}

impl Body {
    /// Of a lambda expression; constants in it are computed ahead where they are around it.
    pub(super) fn lower(lambda: &Expr, around: &Staged) -> Result<Self, QueryError> {
        let ExprKind::Lambda { parameters, body } = &lambda.kind else {
            return Err(not_supported("this in place of a lambda expression", lambda.location));
        };
        let mut staged = Staged::within(around, "#staged".into());
        let value = lower_guarded(body, &None, &mut staged)?;
        Ok(Self {
            parameters: parameters.iter().map(|(id, _)| column_name(*id)).collect(),
            captured: lambda.columns().into_iter().map(column_name).collect(),
            steps: staged.into_columns(),
            value,
            stored: storage(&body.data_type),
        })
    }

    /// The values for these arguments, a series a parameter, each of which stands in a row of the captured columns.
    pub(super) fn evaluate(
        &self,
        arguments: Vec<Series>,
        captured: &Captured,
        rows: &[IdxSize],
    ) -> PolarsResult<Series> {
        if rows.is_empty() {
            return Ok(Series::new_empty("".into(), &self.stored));
        }
        let mut columns: Vec<Column> = Vec::with_capacity(arguments.len() + captured.0.len());
        for (argument, name) in arguments.into_iter().zip(&self.parameters) {
            columns.push(argument.with_name(name.clone()).into_column());
        }
        for column in &captured.0 {
            if self.captured.contains(column.name()) {
                columns.push(column.take_slice(rows)?);
            }
        }
        // A parameter of an inner expression is called as one of an outer one only where the outer is not named.
        let frame = DataFrame::new(rows.len(), columns)?.lazy().without_optimizations();
        let frame = self.steps.iter().fold(frame, |frame, step| frame.with_column(step.clone()));
        let frame = frame.with_column(self.value.clone().alias(VALUE)).select([col(VALUE)]);
        let frame = frame.collect_with_engine(Engine::InMemory)?.unwrap_single();
        let value = frame.columns()[0].as_materialized_series().rechunk();
        if *value.dtype() == self.stored { Ok(value) } else { value.cast(&self.stored) }
    }
}
