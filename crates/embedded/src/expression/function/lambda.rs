//! Functions that apply a lambda expression to the elements of arrays and maps, or to the matches in texts. The elements of many rows become a frame, in
//! which the columns that the body uses are repeated; the body is evaluated over the frame like any expression.

use polars::prelude::{Column, DataType, Expr as PolarsExpr, IntoColumn, NamedFrom, PolarsResult, Series};
use rowhouse_model::QueryError;

use super::super::operands::lower_operands;
use super::super::{Guard, Staged, guarded};
use super::random::{each_row, in_each_row};
use super::regexp::Patterns;
use crate::column::{column, column_name};
use crate::data_type::storage;
use crate::failure::{is_caught_by_try, not_supported};
use crate::numeric::kernel;
use body::{Body, Captured};
use lists::Lists;
use matches::Quantifier;
use routine::Routine;
use rowhouse_sql::expr::{ColumnId, Expr, ExprKind};
use rowhouse_sql::functions::ScalarFunction;
use rowhouse_sql::types::Type;

mod body;
mod lists;
mod maps;
mod matches;
mod reduce;
mod replace;
mod routine;
mod sort;
mod transform;

/// Maximum number of elements that are evaluated at once, unless a single row has more.
const MAX_ELEMENTS: usize = 1 << 16;

/// Whether an argument is a lambda expression.
pub(super) fn takes_one(args: &[Expr]) -> bool {
    args.iter().any(|arg| matches!(arg.kind, ExprKind::Lambda { .. }))
}

/// The operation on the elements of rows.
enum Operation {
    Transform(Body),
    Filter(Body),
    ZipWith(Body),
    Match(Quantifier, Body),
    Reduce {
        step: Body,
        last: Box<Body>,
    },
    Sort(Body),
    MapFilter(Body),
    TransformValues(Body),
    /// The type is that of the resulting map.
    TransformKeys(Body, Type),
    /// The type is that of the keys.
    MapZipWith(Body, Type),
    /// The matches of patterns in texts.
    Replace(Body, Patterns),
    Routine(Box<Routine>),
}

impl Operation {
    fn of(function: ScalarFunction, bodies: Vec<Body>, output: &Type) -> Option<Self> {
        use ScalarFunction as F;
        let mut bodies = bodies.into_iter();
        let first = bodies.next()?;
        Some(match function {
            F::Transform => Self::Transform(first),
            F::Filter => Self::Filter(first),
            F::ZipWith => Self::ZipWith(first),
            F::AnyMatch => Self::Match(Quantifier::ANY, first),
            F::AllMatch => Self::Match(Quantifier::ALL, first),
            F::NoneMatch => Self::Match(Quantifier::NONE, first),
            F::Reduce => Self::Reduce { step: first, last: Box::new(bodies.next()?) },
            F::ArraySort => Self::Sort(first),
            F::MapFilter => Self::MapFilter(first),
            F::TransformValues => Self::TransformValues(first),
            F::TransformKeys => Self::TransformKeys(first, output.clone()),
            F::RegexpReplace => Self::Replace(first, Patterns::default()),
            F::MapZipWith => match output {
                Type::Map(key, _) => Self::MapZipWith(first, (**key).clone()),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// The number of elements of each row; of a text its bytes, which are as many as its matches or more, but for an
    /// empty one at the end.
    fn lengths(&self, rows: &Rows) -> PolarsResult<Vec<usize>> {
        let mut lengths = vec![0_usize; rows.count];
        for value in &rows.values {
            match value.dtype() {
                DataType::List(_) => {
                    let lists = Lists::of(value)?;
                    lengths.iter_mut().enumerate().for_each(|(row, length)| *length += lists.length(row));
                }
                DataType::String if matches!(self, Self::Replace(..)) => {
                    let texts = value.str()?.iter();
                    lengths
                        .iter_mut()
                        .zip(texts)
                        .for_each(|(length, text)| *length += text.map_or(0, str::len));
                }
                _ => {}
            }
        }
        Ok(lengths)
    }

    fn apply(&self, rows: &Rows) -> PolarsResult<Series> {
        let lists = |index: usize| Lists::of(&rows.values[index]);
        match self {
            Self::Transform(body) => transform::transform(&lists(0)?, body, &rows.captured),
            Self::Filter(body) => transform::filter(&lists(0)?, body, &rows.captured),
            Self::ZipWith(body) => transform::zip_with([&lists(0)?, &lists(1)?], body, &rows.captured),
            Self::Match(quantifier, body) => quantifier.apply(&lists(0)?, body, &rows.captured),
            Self::Reduce { step, last } => {
                reduce::reduce(&lists(0)?, &rows.values[1], step, last, &rows.captured)
            }
            Self::Sort(body) => sort::sort(&lists(0)?, body, &rows.captured),
            Self::MapFilter(body) => maps::filter(&lists(0)?, body, &rows.captured),
            Self::TransformValues(body) => maps::transform_values(&lists(0)?, body, &rows.captured),
            Self::TransformKeys(body, output) => {
                maps::transform_keys(&lists(0)?, body, &rows.captured, output)
            }
            Self::MapZipWith(body, key) => {
                maps::zip_with([&lists(0)?, &lists(1)?], body, &rows.captured, key)
            }
            Self::Replace(body, patterns) => {
                replace::replace(&rows.values[0], &rows.values[1], patterns, body, &rows.captured)
            }
            Self::Routine(routine) => routine.apply(&rows.values, rows.count),
        }
    }
}

/// Rows of a frame: the arguments other than lambda expressions, and the columns that bodies name.
struct Rows {
    values: Vec<Series>,
    captured: Captured,
    count: usize,
}

impl Rows {
    fn of(columns: &[Column], values: usize, names: &[ColumnId]) -> Self {
        let is_empty = columns.iter().any(Column::is_empty);
        let count = if is_empty { 0 } else { columns.iter().map(Column::len).max().unwrap_or(0) };
        // A column of length one has its value in every row.
        let full = |column: &Column| match column.len() {
            1 if count != 1 => column.new_from_index(0, count),
            _ => column.slice(0, count),
        };
        let (values, captured) = columns.split_at(values);
        let captured =
            captured.iter().zip(names).map(|(column, id)| full(column).with_name(column_name(*id)));
        Self {
            values: values.iter().map(|value| full(value).take_materialized_series().rechunk()).collect(),
            captured: Captured::new(captured.collect()),
            count,
        }
    }

    fn slice(&self, first: usize, count: usize) -> Self {
        let offset = i64::try_from(first).unwrap_or(i64::MAX);
        Self {
            values: self.values.iter().map(|value| value.slice(offset, count)).collect(),
            captured: self.captured.slice(offset, count),
            count,
        }
    }

    /// The number of rows from `first` on whose elements are evaluated at once; at least one.
    fn next_slice(&self, lengths: &[usize], first: usize) -> usize {
        let mut elements = 0;
        let fitting = lengths[first..self.count].iter().take_while(|length| {
            elements += **length;
            elements <= MAX_ELEMENTS
        });
        fitting.count().max(1)
    }
}

/// Lowers a call that applies lambda expressions. With `is_try` it is NULL in the rows where it fails.
pub(super) fn call(
    function: ScalarFunction,
    args: &[Expr],
    whole: &Expr,
    guard: &Guard,
    staged: &mut Staged,
    on_failure: OnFailure,
) -> Result<PolarsExpr, QueryError> {
    let (mut bodies, mut names) = (Vec::new(), Vec::<ColumnId>::new());
    let (lambdas, values): (Vec<&Expr>, Vec<&Expr>) =
        args.iter().partition(|arg| matches!(arg.kind, ExprKind::Lambda { .. }));
    for lambda in lambdas {
        names.extend(lambda.columns());
        bodies.push(Body::lower(lambda, staged)?);
    }
    let mut inputs = lower_operands(&values, ending_arguments(function, &values), guard, staged)?;
    if let (Some(first), Some(arg)) = (inputs.first_mut(), values.first()) {
        // Random functions are evaluated for every row, even without arguments or with constant ones.
        let value = match (whole.is_random(), function) {
            (false, _) => first.clone(),
            (true, ScalarFunction::Routine) => each_row(staged),
            (true, _) => in_each_row(first.clone(), &arg.data_type, staged),
        };
        // If the first array is NULL, there are no elements and nothing is evaluated.
        *first = guarded(value, &arg.data_type, guard);
    }
    names.sort_unstable();
    names.dedup();
    let operation = match function {
        ScalarFunction::Routine => Routine::of(args, bodies, storage(&whole.data_type))
            .map(|routine| Operation::Routine(Box::new(routine))),
        _ => Operation::of(function, bodies, &whole.data_type),
    };
    let operation = operation.ok_or_else(|| {
        not_supported("a lambda expression as an argument of this function", whole.location)
    })?;
    let count = inputs.len();
    inputs.extend(names.iter().map(|id| column(*id)));
    let first = inputs.remove(0);
    let stored = storage(&whole.data_type);
    let result = if on_failure == OnFailure::Mark { DataType::Boolean } else { stored.clone() };
    Ok(kernel(first, &inputs, result, move |columns| {
        let name = columns[0].name().clone();
        let rows = Rows::of(columns, count, &names);
        let applied = apply(&operation, &rows, &stored, on_failure)?;
        Ok(applied.with_name(name).into_column())
    }))
}

/// How many of the leading arguments end the evaluation where they are NULL: arrays, maps and texts do, but not the first
/// state of `reduce` and the arguments of a SQL routine.
pub(super) fn ending_arguments(function: ScalarFunction, values: &[&Expr]) -> usize {
    match function {
        ScalarFunction::Routine => 0,
        ScalarFunction::Reduce => 1,
        _ => values.len(),
    }
}

/// What becomes of a row for which a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OnFailure {
    /// The statement fails.
    Fail,
    /// The value is NULL.
    Null,
    /// The result is whether a row fails, and not the values.
    Mark,
}

impl OnFailure {
    /// The result for rows that have these values.
    fn result(self, values: Series) -> Series {
        match self {
            Self::Fail | Self::Null => values,
            Self::Mark => Series::new("".into(), vec![false; values.len()]),
        }
    }
}

/// Computes the values of all rows, slice by slice.
fn apply(
    operation: &Operation,
    rows: &Rows,
    stored: &DataType,
    on_failure: OnFailure,
) -> PolarsResult<Series> {
    let lengths = operation.lengths(rows)?;
    let mut all: Option<Series> = None;
    let mut first = 0;
    while first < rows.count {
        let count = rows.next_slice(&lengths, first);
        let part = apply_to_slice(operation, &rows.slice(first, count), stored, on_failure)?;
        match &mut all {
            Some(all) => {
                all.append(&part)?;
            }
            None => all = Some(part),
        }
        first += count;
    }
    Ok(all.unwrap_or_else(|| on_failure.result(Series::new_empty("".into(), stored))))
}

fn apply_to_slice(
    operation: &Operation,
    rows: &Rows,
    stored: &DataType,
    on_failure: OnFailure,
) -> PolarsResult<Series> {
    let applied = operation
        .apply(rows)
        .and_then(|series| if series.dtype() == stored { Ok(series) } else { series.cast(stored) });
    match applied {
        Err(error) if rows.count == 1 && is_caught_by_try(&error) => match on_failure {
            OnFailure::Fail => Err(error),
            OnFailure::Null => Ok(Series::full_null("".into(), 1, stored)),
            OnFailure::Mark => Ok(Series::new("".into(), [true])),
        },
        Err(_) if on_failure != OnFailure::Fail && rows.count > 1 => {
            let half = rows.count / 2;
            let mut all = apply_to_slice(operation, &rows.slice(0, half), stored, on_failure)?;
            all.append(&apply_to_slice(
                operation,
                &rows.slice(half, rows.count - half),
                stored,
                on_failure,
            )?)?;
            Ok(all)
        }
        applied => Ok(on_failure.result(applied?)),
    }
}
