//! Functions defined in the statement. All rows execute the steps together: rows at the same step are computed at once,
//! the earliest step first, so that rows that leave a loop wait for the others after it. An endless loop ends with the
//! statement's time limit.

use std::collections::BTreeMap;

use polars::prelude::{BooleanChunked, DataType, IdxCa, IdxSize, NewChunkedArray, PolarsResult, Series};

use super::body::{Body, Captured};
use crate::data_type::storage;
use crate::failure::raise;
use rowhouse_model::ErrorCode;
use rowhouse_sql::expr::{Expr, ExprKind, Value};
use rowhouse_sql::routine_program::{Program, Step};

/// A program that can be executed.
pub(super) struct Routine {
    steps: Vec<Step>,
    /// The expressions of the steps, each with the variables that are its arguments.
    values: Vec<(Body, Vec<usize>)>,
    variables: Vec<DataType>,
    output: DataType,
}

/// Rows at the same step.
struct Group {
    rows: Vec<IdxSize>,
    variables: Vec<Series>,
}

impl Group {
    fn append(&mut self, other: &Self) -> PolarsResult<()> {
        self.rows.extend(&other.rows);
        for (own, more) in self.variables.iter_mut().zip(&other.variables) {
            own.append(more)?;
        }
        Ok(())
    }

    fn filter(&self, mask: &BooleanChunked) -> PolarsResult<Self> {
        let is_kept = mask.iter().map(|kept| kept == Some(true));
        let rows = self.rows.iter().zip(is_kept).filter(|(_, kept)| *kept).map(|(row, _)| *row).collect();
        let variables = self.variables.iter().map(|variable| variable.filter(mask));
        Ok(Self { rows, variables: variables.collect::<PolarsResult<_>>()? })
    }
}

impl Routine {
    /// Builds a routine from the arguments of its call and the lowered lambda expressions among them; `None` if the
    /// arguments are not those of such a call.
    pub(super) fn of(args: &[Expr], bodies: Vec<Body>, output: DataType) -> Option<Self> {
        let Some(Value::Varchar(program)) = args.get(1)?.as_literal() else { return None };
        let Program(steps) = program.parse().ok()?;
        let lambdas = args.iter().filter_map(|arg| match &arg.kind {
            ExprKind::Lambda { parameters, .. } => Some(parameters),
            _ => None,
        });
        let mut lambdas = lambdas.zip(bodies);
        let (all, _) = lambdas.next()?;
        let mut values = Vec::new();
        for (parameters, body) in lambdas {
            let places = parameters.iter().map(|(id, _)| all.iter().position(|(known, _)| known == id));
            values.push((body, places.collect::<Option<_>>()?));
        }
        let variables = all.iter().map(|(_, data_type)| storage(data_type)).collect();
        Some(Self { steps, values, variables, output })
    }

    /// Computes the values of rows; NULL if the first argument is not TRUE.
    pub(super) fn apply(&self, arguments: &[Series], count: usize) -> PolarsResult<Series> {
        let is_computed = arguments[0].bool()?;
        let rows = is_computed.iter().zip(0..).filter(|(computed, _)| *computed == Some(true));
        let rows: Vec<IdxSize> = rows.map(|(_, row)| row).collect();
        let mut variables = vec![arguments[0].filter(is_computed)?];
        for argument in arguments.iter().skip(2) {
            variables.push(argument.filter(is_computed)?);
        }
        for data_type in self.variables.iter().skip(variables.len()) {
            variables.push(Series::full_null("".into(), rows.len(), data_type));
        }
        let mut done = Vec::new();
        if !rows.is_empty() {
            self.run(Group { rows, variables }, &mut done)?;
        }
        self.collected(&done, count)
    }

    fn run(&self, all: Group, done: &mut Vec<(Vec<IdxSize>, Series)>) -> PolarsResult<()> {
        let mut waiting: BTreeMap<usize, Group> = BTreeMap::from([(0, all)]);
        while let Some((at, mut group)) = waiting.pop_first() {
            match *self.steps.get(at).ok_or_else(no_step)? {
                Step::Set { variable, value } => {
                    let value = self.value(value, &group)?;
                    *group.variables.get_mut(variable).ok_or_else(no_step)? = value;
                    wait(&mut waiting, at + 1, group)?;
                }
                Step::Jump(target) => wait(&mut waiting, target, group)?,
                Step::Return(value) => {
                    let value = self.value(value, &group)?;
                    done.push((group.rows, value));
                }
                Step::Unless { condition, target } => {
                    let holds = self.value(condition, &group)?;
                    let holds: BooleanChunked =
                        holds.bool()?.iter().map(|holds| Some(holds == Some(true))).collect();
                    if holds.all() {
                        wait(&mut waiting, at + 1, group)?;
                    } else if !holds.any() {
                        wait(&mut waiting, target, group)?;
                    } else {
                        wait(&mut waiting, at + 1, group.filter(&holds)?)?;
                        wait(&mut waiting, target, group.filter(&!holds)?)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn value(&self, value: usize, group: &Group) -> PolarsResult<Series> {
        let (body, places) = self.values.get(value).ok_or_else(no_step)?;
        let arguments = places.iter().map(|place| group.variables[*place].clone()).collect();
        body.evaluate(arguments, &Captured::new(Vec::new()), &group.rows)
    }

    /// The values in row order.
    fn collected(&self, done: &[(Vec<IdxSize>, Series)], count: usize) -> PolarsResult<Series> {
        let mut places: Vec<Option<IdxSize>> = vec![None; count];
        let mut all = Series::new_empty("".into(), &self.output);
        let mut next: IdxSize = 0;
        for (rows, values) in done {
            all.append(&values.cast(&self.output)?)?;
            for row in rows {
                places[*row as usize] = Some(next);
                next += 1;
            }
        }
        if next == 0 {
            return Ok(Series::full_null("".into(), count, &self.output));
        }
        all.rechunk().take(&IdxCa::from_slice_options("".into(), &places))
    }
}

fn wait(waiting: &mut BTreeMap<usize, Group>, at: usize, group: Group) -> PolarsResult<()> {
    match waiting.get_mut(&at) {
        Some(others) => others.append(&group),
        None => {
            waiting.insert(at, group);
            Ok(())
        }
    }
}

fn no_step() -> polars::prelude::PolarsError {
    raise(ErrorCode::GenericInternalError, "a function of the statement has no such step")
}
