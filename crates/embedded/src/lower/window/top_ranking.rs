//! Windows under a filter such as `row_number() <= 3` (Trino's TopNRanking). Of the rows of a partition those are dropped
//! before the sort that come after enough others by the first sort key alone; the filter does the rest.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use polars::lazy::frame::OptFlags;
use polars::prelude::{
    BooleanChunked, DataFrame, LazyFrame, NewChunkedArray as _, PlHashMap, PlSmallStr, PolarsResult,
};
use rowhouse_sql::expr::{ComparisonOperator, Expr, ExprKind};
use rowhouse_sql::functions::{RankingFunction, WindowFunction};
use rowhouse_sql::plan::WindowCall;

use super::sort::{Codes, Packed};
use crate::expression::constant_integer;
use crate::lower::top_rows::no_constants_without_rows;
use rowhouse_sql::expr::fallible::is_fallible;

/// Maximum number of rows of a partition for which others are dropped: each row is compared with as many.
const MAX_RANK: usize = 32;
/// Maximum number of words of 64 bits for each row of a batch in the table of partitions: one for each partition and rank.
const MAX_WORDS_PER_ROW: usize = 4;
/// A batch of which less than this part is dropped saves nothing: to copy the rest costs as much.
const MIN_DROPPED: f64 = 0.25;
/// The number of such batches after which no batch is tried any more.
const MAX_FAILED: usize = 4;

/// The greatest rank of a row that passes all conditions of a filter above these functions; `None` if it is not known, or
/// another function needs all rows.
pub(in crate::lower) fn greatest_rank(conditions: &[Expr], functions: &[WindowCall]) -> Option<usize> {
    let first = functions.first()?;
    let is_rank = |call: &WindowCall| {
        let ranking = WindowFunction::Ranking;
        (call.function == ranking(RankingFunction::RowNumber)
            || call.function == ranking(RankingFunction::Rank))
            && call.partition_by == first.partition_by
            && call.order_by == first.order_by
    };
    // A condition that fails would not do so for a row that is dropped.
    if first.order_by.is_empty() || !functions.iter().all(is_rank) || conditions.iter().any(is_fallible) {
        return None;
    }
    let bounds = conditions.iter().filter_map(|condition| bound(condition, functions));
    bounds.min().filter(|rank| (1..=MAX_RANK).contains(rank))
}

/// The greatest rank for which a comparison of a function with a number is TRUE.
fn bound(condition: &Expr, functions: &[WindowCall]) -> Option<usize> {
    use ComparisonOperator as C;
    let ExprKind::Comparison { operator, left, right } = &condition.kind else { return None };
    let is_rank = |expr: &Expr| {
        expr.as_column().is_some_and(|column| functions.iter().any(|call| call.output.id == column))
    };
    let (operator, number) = if is_rank(left) { (*operator, right) } else { (operator.swapped(), left) };
    if !is_rank(left) && !is_rank(right) {
        return None;
    }
    let number = constant_integer(number)?;
    let greatest = match operator {
        C::Equal | C::LessThanOrEqual => number,
        C::LessThan => number.checked_sub(1)?,
        _ => return None,
    };
    usize::try_from(greatest).ok()
}

/// The columns that order the rows of a window, and the greatest rank that is wanted.
#[derive(Debug)]
pub(super) struct TopRanking {
    /// The sort columns of the partition, each with whether it is descending and whether NULLs are last.
    pub(super) partition: Vec<(PlSmallStr, bool, bool)>,
    /// The first sort column of the order.
    pub(super) order: (PlSmallStr, bool, bool),
    pub(super) rank: usize,
    pub(super) batches: Batches,
}

/// What was dropped so far: with a row or two for each partition, nothing is, and looking for it costs as much as the sort.
#[derive(Debug, Default)]
pub(super) struct Batches {
    failed: AtomicUsize,
    rows: AtomicUsize,
    kept: AtomicUsize,
}

impl Batches {
    fn add(&self, rows: usize, kept: usize) {
        self.rows.fetch_add(rows, Ordering::Relaxed);
        self.kept.fetch_add(kept, Ordering::Relaxed);
        self.failed.fetch_add(usize::from(!are_dropped(rows, kept)), Ordering::Relaxed);
    }
}

/// Whether so many rows are dropped that it is worth it.
#[expect(clippy::cast_precision_loss, reason = "counts of rows in memory")]
fn are_dropped(rows: usize, kept: usize) -> bool {
    kept as f64 <= (1.0 - MIN_DROPPED) * rows as f64
}

/// The rows of a frame that can have a wanted rank, and possibly others. The frame has a column that no other one of the
/// statement has: Polars merges functions over equal columns.
pub(super) fn candidates(frame: LazyFrame, top: &Arc<TopRanking>) -> LazyFrame {
    let top = Arc::clone(top);
    let step = move |batch: DataFrame| {
        let rows = batch.height();
        let is_tried = top.batches.failed.load(Ordering::Relaxed) < MAX_FAILED;
        let kept = if is_tried { top.candidates(batch)? } else { batch };
        top.batches.add(rows, kept.height());
        Ok(kept)
    };
    frame.map(step, OptFlags::STREAMING, None, Some("candidates of a ranking"))
}

impl TopRanking {
    /// The rows that can have a wanted rank among those that are left of all batches; all rows if the batches dropped few.
    pub(super) fn of_all(&self, rows: DataFrame) -> PolarsResult<DataFrame> {
        let count = |of: &AtomicUsize| of.load(Ordering::Relaxed);
        let is_tried = are_dropped(count(&self.batches.rows), count(&self.batches.kept));
        if is_tried { self.candidates(rows) } else { Ok(rows) }
    }

    /// The rows that can have a wanted rank among these rows; all rows if keys are not numbers in effect.
    fn candidates(&self, rows: DataFrame) -> PolarsResult<DataFrame> {
        let (name, is_descending, nulls_last) = &self.order;
        let partitions = if self.partition.is_empty() {
            Vec::new()
        } else {
            match Packed::of(&rows, &self.partition)? {
                Some(packed) => packed.keys(),
                None => return no_constants_without_rows(rows),
            }
        };
        let order = rows.column(name)?.as_materialized_series();
        let Some(order) = Codes::of(order, *is_descending, *nulls_last)? else {
            return no_constants_without_rows(rows);
        };
        let order = order.into_values();
        let slots = if partitions.is_empty() { Slots::one(order.len()) } else { Slots::of(partitions) };
        if slots.count.saturating_mul(self.rank) > MAX_WORDS_PER_ROW * order.len().max(self.rank) {
            return no_constants_without_rows(rows);
        }
        let worst = worst_ranks(&slots, &order, self.rank);
        let kept = slots.of_rows.iter().zip(&order).map(|(slot, place)| *place <= worst[*slot as usize]);
        let kept = BooleanChunked::from_iter_values(PlSmallStr::EMPTY, kept);
        no_constants_without_rows(rows.filter(&kept)?)
    }
}

/// For each slot the `rank`th smallest place of its rows; the greatest number if it has fewer rows.
fn worst_ranks(slots: &Slots, order: &[u64], rank: usize) -> Vec<u64> {
    // The smallest places of each slot, ascending.
    let mut least = vec![u64::MAX; slots.count * rank];
    for (slot, place) in slots.of_rows.iter().zip(order) {
        let from = *slot as usize * rank;
        let own = &mut least[from..from + rank];
        if *place < own[rank - 1] {
            let at = own.partition_point(|known| known <= place);
            own[at..].rotate_right(1);
            own[at] = *place;
        }
    }
    least.into_iter().skip(rank - 1).step_by(rank).collect()
}

/// A small number for the partition of each row.
struct Slots {
    of_rows: Vec<u32>,
    count: usize,
}

impl Slots {
    /// All rows are of one partition.
    fn one(rows: usize) -> Self {
        Self { of_rows: vec![0; rows], count: 1 }
    }

    /// Numbers of packed keys: the keys themselves if they are small.
    fn of(keys: Vec<u64>) -> Self {
        let greatest = keys.iter().copied().max().unwrap_or(0);
        let most = keys.len().saturating_mul(MAX_WORDS_PER_ROW).min(u32::MAX as usize) as u64;
        if greatest < most {
            // OK because `most` fits.
            let of_rows = keys.into_iter().map(|key| u32::try_from(key).unwrap_or(u32::MAX)).collect();
            return Self { of_rows, count: usize::try_from(greatest).unwrap_or(usize::MAX) + 1 };
        }
        let mut slots: PlHashMap<u64, u32> = PlHashMap::default();
        let slot = |key: u64| {
            let next = u32::try_from(slots.len()).unwrap_or(u32::MAX);
            *slots.entry(key).or_insert(next)
        };
        let of_rows = keys.into_iter().map(slot).collect();
        Self { of_rows, count: slots.len() }
    }
}
