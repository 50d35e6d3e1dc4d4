//! Expressions over a single column, evaluated once for each distinct value of a batch, as Trino's
//! `DictionaryAwarePageProjection` does. The texts of a Parquet file's dictionary have equal views where they are equal,
//! so that to find them takes a fraction of what a function of texts takes. Batches with many values are evaluated row
//! by row.

use polars::prelude::{
    BooleanChunked, Column, DataFrame, DataType, Engine, Expr as PolarsExpr, IdxCa, IdxSize, IntoColumn,
    IntoLazy, PlSmallStr, PolarsResult, col,
};
use rowhouse_model::QueryError;

use super::{Guard, Staged, lower_unfolded};
use crate::column::{column, column_name};
use crate::data_type::storage;
use crate::numeric::kernel;
use crate::partial_aggregation::Attempts;
use rowhouse_sql::expr::{ColumnId, Expr, ExprKind};
use rowhouse_sql::functions::ScalarFunction;
use rowhouse_sql::types::Type;

/// Maximum number of nodes of such an expression; of a larger one its parts are evaluated so. A bound keeps the search
/// linear in the size of an expression.
const MAX_NODES: usize = 64;

/// Batches of fewer rows are evaluated row by row.
const MIN_ROWS: usize = 1024;

const VALUE: &str = "#value";

/// Lowers an expression that is worth it; `None` for others.
pub(super) fn lower(
    expr: &Expr,
    guard: &Guard,
    staged: &mut Staged,
) -> Result<Option<PolarsExpr>, QueryError> {
    let Some(id) = only_column(expr).filter(|_| staged.is_dictionary_aware) else { return Ok(None) };
    let mut inner = Staged::within(staged, format!("{VALUE}s").into());
    let value = lower_unfolded(expr, &None, &mut inner)?;
    let stored = storage(&expr.data_type);
    let projection = Projection {
        input: column_name(id),
        steps: inner.into_columns(),
        value,
        stored: stored.clone(),
        attempts: Attempts::default(),
    };
    let guard: Vec<PolarsExpr> = guard.iter().cloned().collect();
    Ok(Some(kernel(column(id), &guard, stored, move |columns| match columns {
        [values] => projection.values(values),
        [values, guard] => projection.guarded_values(values, guard),
        _ => unreachable!("a column and at most one guard"),
    })))
}

/// The column of an expression that names no other one, has the same value wherever the column has, and is worth it.
fn only_column(expr: &Expr) -> Option<ColumnId> {
    let mut search = Search { column: None, nodes: 0, is_worth_it: false };
    search.visit(expr)?;
    search.column.filter(|_| search.is_worth_it)
}

struct Search {
    column: Option<ColumnId>,
    nodes: usize,
    is_worth_it: bool,
}

impl Search {
    /// `None` if the expression cannot be evaluated by distinct value.
    fn visit(&mut self, expr: &Expr) -> Option<()> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return None;
        }
        match &expr.kind {
            ExprKind::Column(id) => {
                let is_other = self.column.is_some_and(|column| column != *id);
                self.column = Some(*id);
                return (!is_other && has_codes(&expr.data_type)).then_some(());
            }
            ExprKind::Lambda { .. } | ExprKind::RowField { .. } => return None,
            ExprKind::Call { function, args } => {
                if function.is_random() || *function == ScalarFunction::Fail {
                    return None;
                }
                self.is_worth_it |=
                    args.iter().any(|arg| is_long(&arg.data_type)) || is_of_a_calendar(*function);
            }
            ExprKind::Cast { input, .. } => {
                self.is_worth_it |= is_long(&input.data_type) != is_long(&expr.data_type);
            }
            ExprKind::Like { .. } => self.is_worth_it = true,
            _ => {}
        }
        expr.children().into_iter().try_for_each(|child| self.visit(child))
    }
}

/// Whether the values of a batch are distinguished by numbers of fixed size.
const fn has_codes(data_type: &Type) -> bool {
    matches!(
        data_type,
        Type::TinyInt
            | Type::SmallInt
            | Type::Integer
            | Type::BigInt
            | Type::Date
            | Type::Timestamp { .. }
            | Type::Varchar { .. }
            | Type::Char { .. }
            | Type::Json
    )
}

/// Whether functions of a value's type read or write bytes.
const fn is_long(data_type: &Type) -> bool {
    matches!(data_type, Type::Varchar { .. } | Type::Char { .. } | Type::Json | Type::Varbinary)
}

/// Whether a function converts to days and months and back.
const fn is_of_a_calendar(function: ScalarFunction) -> bool {
    matches!(function, ScalarFunction::DateAdd | ScalarFunction::DateDiff)
}

/// An expression over a frame of one column.
struct Projection {
    input: PlSmallStr,
    /// Columns that are computed before the value.
    steps: Vec<PolarsExpr>,
    value: PolarsExpr,
    stored: DataType,
    attempts: Attempts,
}

impl Projection {
    /// The expression's values in the rows of a guard, and NULL in others.
    fn guarded_values(&self, values: &Column, guard: &Column) -> PolarsResult<Column> {
        let rows = values.len().max(guard.len());
        let spread = |column: &Column| {
            if column.len() == rows { column.clone() } else { column.new_from_index(0, rows) }
        };
        let (values, guard) = (spread(values), spread(guard));
        let guard: &BooleanChunked = guard.bool()?;
        let mut kept: IdxSize = 0;
        let place = |is_kept: Option<bool>| {
            is_kept.unwrap_or(false).then(|| {
                kept += 1;
                kept - 1
            })
        };
        let places: IdxCa = guard.iter().map(place).collect();
        if places.null_count() == 0 {
            return self.values(&values);
        }
        if kept == 0 {
            // Without rows the constant parts would still be computed, and may fail.
            return Ok(Column::full_null(values.name().clone(), rows, &self.stored));
        }
        let found = self.values(&values.filter(guard)?)?;
        Ok(found.take(&places)?.with_name(values.name().clone()))
    }

    fn values(&self, values: &Column) -> PolarsResult<Column> {
        if values.as_scalar_column().is_some() && values.len() > 1 {
            return Ok(self.each(&values.slice(0, 1))?.new_from_index(0, values.len()));
        }
        if values.len() < MIN_ROWS {
            return self.each(values);
        }
        let Some(codes) = self.attempts.codes(&[values])? else { return self.each(values) };
        let found = self.each(&values.take(&codes.first_rows())?)?;
        found.take(&codes.into_places())
    }

    /// Evaluates the expression for each row.
    fn each(&self, values: &Column) -> PolarsResult<Column> {
        let input = values.clone().with_name(self.input.clone());
        let frame = DataFrame::new(values.len(), vec![input])?.lazy().without_optimizations();
        let frame = self.steps.iter().fold(frame, |frame, step| frame.with_column(step.clone()));
        let frame = frame.with_column(self.value.clone().alias(VALUE)).select([col(VALUE)]);
        let frame = frame.collect_with_engine(Engine::InMemory)?.unwrap_single();
        let found = frame.columns()[0].as_materialized_series();
        let found = if *found.dtype() == self.stored { found.clone() } else { found.cast(&self.stored)? };
        Ok(found.into_column().with_name(values.name().clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rowhouse_sql::expr::Value;

    fn column(id: u32, data_type: Type) -> Expr {
        Expr::column(ColumnId(id), data_type)
    }

    fn call(function: ScalarFunction, args: Vec<Expr>) -> Expr {
        Expr::new(ExprKind::Call { function, args }, Type::VARCHAR)
    }

    #[test]
    fn functions_of_texts_of_one_column_are_worth_it() {
        use ScalarFunction as F;
        let text = || column(1, Type::VARCHAR);
        let lower = |arg| call(F::Lower, vec![arg]);
        assert_eq!(only_column(&lower(text())), Some(ColumnId(1)));
        let constant = Expr::literal(Value::Varchar("x".to_owned()), Type::VARCHAR);
        assert_eq!(
            only_column(&call(F::Concat, vec![lower(text()), text(), constant.clone()])),
            Some(ColumnId(1))
        );
        assert_eq!(only_column(&call(F::Concat, vec![text(), column(2, Type::VARCHAR)])), None);
        assert_eq!(only_column(&lower(constant)), None);
        assert_eq!(only_column(&text()), None);
        assert_eq!(only_column(&column(1, Type::BigInt).cast_to(&Type::Double)), None);
        assert_eq!(only_column(&column(1, Type::BigInt).cast_to(&Type::VARCHAR)), Some(ColumnId(1)));
        assert_eq!(only_column(&column(1, Type::Double).cast_to(&Type::VARCHAR)), None);
        assert_eq!(only_column(&call(F::Concat, vec![text(), call(F::Uuid, Vec::new())])), None);
    }

    #[test]
    fn large_expressions_are_left_to_their_parts() {
        let mut expr = column(1, Type::VARCHAR);
        for depth in 1..=MAX_NODES {
            expr = call(ScalarFunction::Lower, vec![expr]);
            assert_eq!(only_column(&expr).is_some(), depth < MAX_NODES, "{depth}");
        }
    }
}
