//! Lowered expressions over rows of matches, and the frames that they are evaluated over.

use std::collections::BTreeSet;

use polars::prelude::{
    Column, DataFrame, DataType, Engine, Expr as PolarsExpr, IntoColumn, IntoLazy, NamedFrom, PlSmallStr,
    PolarsResult, Series, col,
};
use rowhouse_model::QueryError;

use crate::column::column_name;
use crate::data_type::storage;
use crate::expression::{Staged, lower_expression};
use crate::failure::not_supported;
use rowhouse_sql::expr::{ColumnId, Expr, ExprKind};
use rowhouse_sql::types::Type;

/// The name of the value; it differs from the names of the statement's columns.
const VALUE: &str = "#value";
/// A column that is always present, because a frame without columns has no rows.
const ROW: &str = "#row";

/// Maximum number of failures while a condition is evaluated for many rows.
const MAX_FAILURES: usize = 1_000;

/// The body of a lambda expression over rows.
pub(super) struct Body {
    pub(super) parameters: Vec<(ColumnId, Type)>,
    /// The expression itself.
    pub(super) expression: Expr,
    /// Columns of the rows that it names besides its parameters.
    pub(super) captured: Vec<PlSmallStr>,
    steps: Vec<PolarsExpr>,
    value: PolarsExpr,
    stored: DataType,
}

/// The outcome of a condition in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Holds,
    HoldsNot,
    /// The condition may fail in this row. That is an error of the statement only if the condition is evaluated there.
    Undecided,
}

impl Body {
    pub(super) fn lower(lambda: &Expr) -> Result<Self, QueryError> {
        let ExprKind::Lambda { parameters, body } = &lambda.kind else {
            return Err(not_supported("this in place of a lambda expression", lambda.location));
        };
        let captured: BTreeSet<ColumnId> = lambda.columns().into_iter().collect();
        let mut staged = Staged::new("#staged".into());
        let value = lower_expression(body, &mut staged)?;
        Ok(Self {
            parameters: parameters.clone(),
            expression: (**body).clone(),
            captured: captured.into_iter().map(column_name).collect(),
            steps: staged.into_columns(),
            value,
            stored: storage(&body.data_type),
        })
    }

    /// Computes the values of `count` rows from these columns.
    pub(super) fn evaluate(&self, mut columns: Vec<Column>, count: usize) -> PolarsResult<Series> {
        if count == 0 {
            return Ok(Series::new_empty("".into(), &self.stored));
        }
        if let ExprKind::Column(id) = self.expression.kind {
            let name = column_name(id);
            if let Some(own) = columns.iter().find(|column| *column.name() == name) {
                return own.as_materialized_series().cast(&self.stored);
            }
        }
        columns.push(Series::new(ROW.into(), vec![true; count]).into_column());
        let frame = DataFrame::new(count, columns)?.lazy().without_optimizations();
        let frame = self.steps.iter().fold(frame, |frame, step| frame.with_column(step.clone()));
        let frame = frame.with_column(self.value.clone().alias(VALUE)).select([col(VALUE)]);
        let frame = frame.collect_with_engine(Engine::InMemory)?.unwrap_single();
        let value = frame.columns()[0].as_materialized_series().rechunk();
        if *value.dtype() == self.stored { Ok(value) } else { value.cast(&self.stored) }
    }

    /// The outcome of a condition in each row.
    pub(super) fn outcomes(&self, columns: &[Column], count: usize) -> PolarsResult<Vec<Outcome>> {
        let (mut outcomes, mut failures) = (Vec::with_capacity(count), MAX_FAILURES);
        self.add_outcomes(columns, count, &mut failures, &mut outcomes)?;
        Ok(outcomes)
    }

    /// The rows in which the condition fails are found by bisection, within the limit of failures.
    fn add_outcomes(
        &self,
        columns: &[Column],
        count: usize,
        failures: &mut usize,
        outcomes: &mut Vec<Outcome>,
    ) -> PolarsResult<()> {
        if let Ok(values) = self.evaluate(columns.to_vec(), count) {
            outcomes.extend(values.bool()?.iter().map(Outcome::of));
            return Ok(());
        }
        *failures = failures.saturating_sub(1);
        if count == 1 || *failures == 0 {
            outcomes.resize(outcomes.len() + count, Outcome::Undecided);
            return Ok(());
        }
        let half = count / 2;
        for (from, count) in [(0, half), (half, count - half)] {
            let start = i64::try_from(from).unwrap_or(i64::MAX);
            let part: Vec<Column> = columns.iter().map(|column| column.slice(start, count)).collect();
            self.add_outcomes(&part, count, failures, outcomes)?;
        }
        Ok(())
    }
}

impl Outcome {
    pub(super) const fn of(value: Option<bool>) -> Self {
        match value {
            Some(true) => Self::Holds,
            _ => Self::HoldsNot,
        }
    }
}
