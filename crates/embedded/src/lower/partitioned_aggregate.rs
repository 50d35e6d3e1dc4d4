//! Aggregation by integers with many groups, which is executed here and not by Polars: see
//! [`partitioned_aggregation`](crate::partitioned_aggregation). Which way is taken does not change the result.

use std::sync::Arc;

use polars::prelude::{Expr, IntoLazy, LazyFrame, PlSmallStr, col};
use rowhouse_model::QueryError;

use super::Lowering;
use super::aggregate_steps::Steps;
use super::ordered_aggregate::collected;
use crate::column::column_name;
use crate::failure;
use crate::numeric::{PackedColumn, PackedNumbers};
use crate::partial_aggregation::Partial;
use crate::partitioned_aggregation::{Interner, Layout, PartitionedAggregation};
use rowhouse_sql::plan::{Aggregate, Plan};
use rowhouse_sql::types::Type;

/// Minimum number of rows of the largest table below. The groups of fewer rows are in the caches anyway.
const MIN_ROWS: u64 = 1 << 17;
/// With fewer rows for each possible word, most places of direct addressing could be without a group.
const MIN_ROWS_PER_WORD: u64 = 2;

/// A key, as a part of the packed word.
struct Part {
    packed: PackedColumn,
    /// The numbers of its texts.
    interner: Option<Arc<Interner>>,
}

impl Part {
    fn of(column: &PackedColumn, rows: u64) -> Self {
        if !column.data_type.is_varchar() {
            return Self { packed: column.clone(), interner: None };
        }
        let range = Some((0, Interner::MAX));
        let packed = PackedColumn { data_type: Type::BigInt, range, ..*column };
        Self { packed, interner: Some(Interner::new(rows / MIN_ROWS_PER_WORD)) }
    }

    /// The number of a key's value.
    fn number(&self, key: Expr) -> Expr {
        match &self.interner {
            Some(interner) => interner.numbers(key),
            None => key,
        }
    }

    /// The value with a number.
    fn value(&self, number: Expr) -> Expr {
        match &self.interner {
            Some(interner) => interner.texts(number),
            None => number,
        }
    }
}

impl Lowering<'_> {
    /// The groups of all rows, if there may be many and their keys are integers.
    pub(super) fn partitioned_groups(
        &mut self,
        frame: &LazyFrame,
        node: &Aggregate,
        steps: &Steps,
    ) -> Result<Option<LazyFrame>, QueryError> {
        if !steps.are_partial() && !node.aggregates.is_empty() {
            return Ok(None);
        }
        let columns = self.packed_columns(node, None).unwrap_or_default();
        let names: Vec<PlSmallStr> = node.keys.iter().map(|key| column_name(*key)).collect();
        let frame = steps.before.iter().cloned().fold(frame.clone(), LazyFrame::with_column);
        let partials = steps.partials.clone();
        let groups = self.partitioned(frame, &node.input, (&columns, &names), partials)?;
        Ok(groups.map(|groups| groups.with_columns(steps.after.clone())))
    }

    /// The groups of a frame by columns of integers or texts with these names, and the results of `partials`; `None` if Polars is
    /// to compute them. `input` is the plan that the frame's rows are computed from.
    pub(super) fn partitioned(
        &mut self,
        frame: LazyFrame,
        input: &Plan,
        (columns, names): (&[PackedColumn], &[PlSmallStr]),
        partials: Vec<Partial>,
    ) -> Result<Option<LazyFrame>, QueryError> {
        if self.spill.is_some() {
            return Ok(None);
        }
        // A shared plan whose rows are not known would be computed a second time.
        let rows = self.largest_input(input).filter(|rows| *rows >= MIN_ROWS);
        let Some(rows) = rows else { return Ok(None) };
        let parts: Vec<Part> = columns.iter().map(|column| Part::of(column, rows)).collect();
        let packed: Vec<PackedColumn> = parts.iter().map(|part| part.packed.clone()).collect();
        let Some(numbers) = PackedNumbers::of_any(&packed) else { return Ok(None) };
        let keys = parts.iter().zip(names).map(|(part, name)| part.number(col(name.clone())));
        let Some(packed) = numbers.pack(&keys.collect::<Vec<Expr>>()) else { return Ok(None) };
        let word = self.temporary();
        let frame = frame.with_column(packed.alias(word.clone()));
        let aggregation = PartitionedAggregation::new(layout(&numbers, rows), numbers.is_wide(), partials);
        if collected(aggregation.adding(frame, word.clone(), self.temporary()))?.is_none() {
            return Ok(None);
        }
        let groups = aggregation.finish(&word).map_err(|error| failure::query_error(&error))?;
        let keys = parts.iter().zip(names).enumerate().map(|(place, (part, name))| {
            part.value(numbers.unpack(col(word.clone()), place)).alias(name.clone())
        });
        Ok(Some(groups.lazy().with_columns(keys.collect::<Vec<_>>())))
    }

    /// The rows of the largest table or shared plan below; `None` if that is not known.
    fn largest_input(&self, plan: &Plan) -> Option<u64> {
        let mut largest = Some(0);
        plan.visit(&mut |node| {
            let rows = match node {
                Plan::Scan(_) | Plan::Shared { .. } => self.most_rows(node),
                _ => return,
            };
            largest = largest.zip(rows).map(|(largest, rows)| largest.max(rows));
        });
        largest
    }
}

fn layout(numbers: &PackedNumbers, rows: u64) -> Layout {
    match numbers.values().filter(|values| values.saturating_mul(MIN_ROWS_PER_WORD) <= rows) {
        Some(values) => Layout::direct(values),
        None => Layout::hashed(rows / MIN_ROWS_PER_WORD),
    }
}
