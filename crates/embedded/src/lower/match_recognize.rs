//! MATCH_RECOGNIZE. The rows are collected and sorted by partition and order. In each partition, matches are searched
//! from one row after another.

use std::sync::Arc;

use polars::lazy::frame::AllowedOptimizations;
use polars::prelude::{
    Column, DataFrame, Expr, IntoColumn, LazyFrame, PlSmallStr, PolarsResult, Schema, col,
};
use rowhouse_model::{ErrorCode, QueryError};

use self::aggregate::Source;
use self::condition::{Conditions, Memory};
use self::measures::Output;
use self::prepared::{Preparation, Prepared};
use super::Lowering;
use super::window::{Before, Places, sorted};
use crate::column::column_name;
use crate::data_type::storage;
use crate::datum::Reader;
use crate::failure::raise;
use crate::row_pattern::{Match, Matcher};
use rowhouse_sql::plan::{MatchRecognize, Plan, RowsPerMatch, SkipTo};

mod aggregate;
mod body;
mod condition;
mod input;
mod interpreter;
mod measures;
mod prepared;

impl Lowering<'_> {
    /// Lowers `node`, which is the node of `plan`.
    pub(super) fn match_recognize(
        &mut self,
        plan: &Plan,
        node: &MatchRecognize,
    ) -> Result<LazyFrame, QueryError> {
        let frame = self.lower(&node.input)?;
        let mut preparation = Preparation::new(self);
        let prepared = preparation.prepare(node)?;
        let Before { columns, staged } = preparation.before;
        let mut inputs: Vec<Expr> =
            node.input.fields().iter().map(|field| col(column_name(field.id))).collect();
        inputs.extend(columns);
        let fields = plan.fields();
        let kept: Vec<PlSmallStr> = fields
            .iter()
            .take(fields.len() - node.measures.len())
            .map(|field| column_name(field.id))
            .collect();
        let measures: Vec<PlSmallStr> =
            node.measures.iter().map(|(field, _)| column_name(field.id)).collect();
        let mut schema = Schema::default();
        for field in &fields {
            schema.insert(column_name(field.id), storage(&field.data_type));
        }
        let schema = Arc::new(schema);
        Ok(staged.apply(frame).select(inputs).map(
            move |frame| apply(&frame, &prepared, &kept, &measures),
            AllowedOptimizations::empty(),
            Some(Arc::new(move |_: &Schema| Ok(Arc::clone(&schema)))),
            Some("match_recognize"),
        ))
    }
}

fn apply(
    frame: &DataFrame,
    prepared: &Prepared,
    kept: &[PlSmallStr],
    measures: &[PlSmallStr],
) -> PolarsResult<DataFrame> {
    let sorted = sorted(frame, &prepared.sort)?;
    let frame = &*sorted;
    let partitions = Places::of(frame, &prepared.partition, &[])?.ranges();
    let series = prepared
        .values
        .iter()
        .map(|(name, _)| Ok(frame.column(name)?.as_materialized_series().rechunk()))
        .collect::<PolarsResult<Vec<_>>>()?;
    let readers = series
        .iter()
        .zip(&prepared.values)
        .map(|(series, (_, data_type))| Reader::new(series, data_type))
        .collect::<PolarsResult<Vec<_>>>()?;
    let source = Source { frame, labels: &prepared.labels, readers, series };
    let mut output = Output::new(prepared, &source)?;
    let partition_of = |row: usize| partitions[partitions.partition_point(|(_, end)| *end <= row)];
    let mut conditions = Conditions::new(&source, &prepared.conditions, &prepared.slots, partition_of)?;
    let mut matcher = Matcher::new(&prepared.program, &prepared.slots);
    for partition in &partitions {
        find(prepared, *partition, &mut matcher, &mut conditions, &mut output)?;
    }
    output.flush()?;
    let places = &output.rows;
    let mut columns: Vec<Column> = Vec::with_capacity(kept.len() + measures.len());
    for name in kept {
        columns.push(frame.column(name)?.take_slice(places)?);
    }
    for (values, name) in output.values.into_iter().zip(measures) {
        columns.push(values.with_name(name.clone()).into_column());
    }
    DataFrame::new(places.len(), columns)
}

/// Finds all matches of a partition.
fn find(
    prepared: &Prepared,
    (start, end): (usize, usize),
    matcher: &mut Matcher<'_, Memory>,
    conditions: &mut Conditions<'_>,
    output: &mut Output<'_>,
) -> PolarsResult<()> {
    conditions.partition = (start, end);
    conditions.number = 1;
    let mut row = start;
    // The first row after all matches so far.
    let mut unmatched = start;
    while row < end {
        conditions.start = row;
        let found = matcher.run(end - row, row == start, conditions)?;
        let next = match found {
            None => {
                if prepared.rows_per_match == RowsPerMatch::WithUnmatched && row >= unmatched {
                    output.unmatched(row);
                }
                row + 1
            }
            Some(found) if found.labels.is_empty() => {
                if prepared.rows_per_match != RowsPerMatch::OmitEmpty {
                    output.empty(row, conditions.number);
                }
                conditions.number += 1;
                row + 1
            }
            Some(found) => {
                let next = row + behind(&found, &prepared.skip_to)?;
                unmatched = unmatched.max(row + found.labels.len());
                output.matched(found, row, (start, end), conditions.number)?;
                conditions.number += 1;
                next
            }
        };
        row = next;
    }
    Ok(())
}

/// The row at which the search continues, counted from the first row of a match.
fn behind(found: &Match, skip_to: &SkipTo) -> PolarsResult<usize> {
    let has = |labels: &[usize]| {
        let labels = labels.to_vec();
        move |label: &u32| labels.contains(&(*label as usize))
    };
    let row = match skip_to {
        SkipTo::PastLastRow => return Ok(found.labels.len()),
        SkipTo::NextRow => return Ok(1),
        SkipTo::First(labels) => found.labels.iter().position(has(labels)),
        SkipTo::Last(labels) => found.labels.iter().rposition(has(labels)),
    };
    let failed =
        |message: &str| raise(ErrorCode::GenericUserError, format!("AFTER MATCH SKIP failed: {message}"));
    match row {
        None => Err(failed("pattern variable is not present in match")),
        Some(0) => Err(failed("cannot skip to first row of match")),
        Some(row) => Ok(row),
    }
}
