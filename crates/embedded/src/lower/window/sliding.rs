//! An aggregate over a sliding frame whose ends only move forward. It uses two stacks, so that every row is added and
//! merged a bounded number of times, regardless of the frame's width. No row is ever subtracted, which would be wrong
//! for doubles and NaN.

use polars::prelude::PolarsResult;

use crate::datum::Datum;
use crate::lower::accumulator::AggregateRows;

/// The state over the rows `from..to` of a partition.
pub(super) struct Sliding {
    empty: AggregateRows,
    /// The aggregate of each of the first rows together with the later ones before `back`; that of the first row is the
    /// last element.
    front: Vec<AggregateRows>,
    /// The aggregate of the remaining rows.
    back: AggregateRows,
    from: usize,
    to: usize,
}

impl Sliding {
    /// The state over no rows, before row `at`.
    pub(super) fn new(empty: AggregateRows, at: usize) -> Self {
        Self { back: empty.clone(), empty, front: Vec::new(), from: at, to: at }
    }

    /// The value over the rows `start..end`; `add` adds one row to an accumulator.
    pub(super) fn value(
        &mut self,
        start: usize,
        end: usize,
        add: &impl Fn(&mut AggregateRows, usize) -> PolarsResult<()>,
    ) -> PolarsResult<Datum<'static>> {
        let moves_back = start < self.from || end < self.to;
        let can_slide = !moves_back && start <= self.to && self.empty.is_mergeable();
        if !can_slide && (start, end) != (self.from, self.to) && (start != self.from || end < self.to) {
            *self = Self::new(self.empty.clone(), start);
        }
        for row in self.to..end {
            add(&mut self.back, row)?;
        }
        self.to = end;
        self.drop_before(start, add)?;
        match self.front.last() {
            None => self.back.value(),
            Some(front) => {
                let mut whole = front.clone();
                whole.merge(&self.back)?;
                whole.value()
            }
        }
    }

    fn drop_before(
        &mut self,
        start: usize,
        add: &impl Fn(&mut AggregateRows, usize) -> PolarsResult<()>,
    ) -> PolarsResult<()> {
        if start == self.from {
            return Ok(());
        }
        let dropped = (start - self.from).min(self.front.len());
        self.front.truncate(self.front.len() - dropped);
        self.from += dropped;
        if self.from == start {
            return Ok(());
        }
        // Only the back is left; its rows from `start` on become the front.
        for row in (start..self.to).rev() {
            let mut with_later = self.empty.clone();
            add(&mut with_later, row)?;
            if let Some(later) = self.front.last() {
                with_later.merge(later)?;
            }
            self.front.push(with_later);
        }
        self.back = self.empty.clone();
        self.from = start;
        Ok(())
    }
}
