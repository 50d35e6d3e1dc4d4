//! The lowered body of a lambda expression, and the frame that it is evaluated over.

use polars::prelude::{
    Column, DataFrame, DataType, Engine, Expr as PolarsExpr, IdxSize, IntoColumn, IntoLazy, PlSmallStr,
    PolarsResult, Series, col,
};
use rowhouse_model::QueryError;

use super::super::super::{Staged, lower_expression};
use crate::column::column_name;
use crate::data_type::storage;
use crate::failure::not_supported;
use rowhouse_sql::expr::{Expr, ExprKind};

/// The name of the value; it differs from the names of the statement's columns.
const VALUE: &str = "#value";

/// A body that can be evaluated.
pub(super) struct Body {
    parameters: Vec<PlSmallStr>,
    captured: Vec<PlSmallStr>,
    /// Columns that are computed before the value.
    steps: Vec<PolarsExpr>,
    value: PolarsExpr,
    stored: DataType,
}

/// The columns that bodies name, for some rows.
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
    /// Lowers a lambda expression. Its constants are folded if those of the expression around it are.
    pub(super) fn lower(lambda: &Expr, around: &Staged) -> Result<Self, QueryError> {
        let ExprKind::Lambda { parameters, body } = &lambda.kind else {
            return Err(not_supported("this in place of a lambda expression", lambda.location));
        };
        let mut staged = Staged::within(around, "#staged".into());
        let value = lower_expression(body, &mut staged)?;
        Ok(Self {
            parameters: parameters.iter().map(|(id, _)| column_name(*id)).collect(),
            captured: lambda.columns().into_iter().map(column_name).collect(),
            steps: staged.into_columns(),
            value,
            stored: storage(&body.data_type),
        })
    }

    /// Evaluates the body for arguments, one series a parameter. `rows` has the row of the captured columns for each
    /// element.
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
        // A parameter of an inner lambda expression may have the name of an outer one only if the body does not name
        // the outer one.
        let frame = DataFrame::new(rows.len(), columns)?.lazy().without_optimizations();
        let frame = self.steps.iter().fold(frame, |frame, step| frame.with_column(step.clone()));
        let frame = frame.with_column(self.value.clone().alias(VALUE)).select([col(VALUE)]);
        let frame = frame.collect_with_engine(Engine::InMemory)?.unwrap_single();
        let value = frame.columns()[0].as_materialized_series().rechunk();
        if *value.dtype() == self.stored { Ok(value) } else { value.cast(&self.stored) }
    }
}
