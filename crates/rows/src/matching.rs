//! Rows that pass a filter, searched batch by batch and, inside a batch, turn by turn.

use std::fmt;
use std::sync::Arc;

use rowhouse_filters::LikePlace;

use super::budget::{Budget, Progress};
use super::run::{Run, RunRows, open_batch};
use crate::Result;
use crate::arrow_file::{ArrowFile, Batch};

/// Maximum number of rows of one batch that are returned at a time.
const RUN_ROWS: usize = 1024;

/// Finds the matching rows of a batch.
pub trait BatchFilter: fmt::Debug + Send + Sync {
    /// Whether a batch can have matching rows; answered without reading it.
    fn may_match(&self, batch_index: usize) -> bool;

    /// Cost of [`BatchFilter::may_match`] in steps.
    fn look_steps(&self) -> u64;

    /// Appends the positions of the matching rows of a batch, ascending, from `place` on, which it advances. Stops at
    /// the end of the batch, where `place.row` is the number of its rows, or when the budget is spent, after at least
    /// one step forward.
    fn matching(&self, batch: &Batch, place: &mut ScanPlace, budget: &mut Budget, rows: &mut Vec<u32>);
}

/// The state of scanning a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ScanPlace {
    /// The next row; all rows before it are done.
    pub row: usize,
    /// The progress of testing this row.
    pub test: TestPlace,
}

/// The state of testing one row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TestPlace {
    /// Number of tests that it has passed.
    pub passed: usize,
    /// The progress of the next one in a long text.
    pub like: LikePlace,
}

/// The walk over matching rows. Its output depends only on the rows, not on the turns in which they were found.
#[derive(Debug)]
pub(super) struct Matching {
    filter: Arc<dyn BatchFilter>,
    /// Remaining number of matching rows to skip.
    skip: u64,
    /// Remaining number of rows to return.
    give: u64,
    batch: usize,
    place: ScanPlace,
    /// Matching rows of the batch that are not returned yet.
    found: Vec<u32>,
}

/// Matching rows of a batch.
pub(super) struct MatchingRun {
    pub(super) run: Run,
    /// The batch, if these are its last rows.
    pub(super) left: Option<usize>,
}

impl Matching {
    pub(super) fn new(filter: Arc<dyn BatchFilter>, offset: u64, limit: u64) -> Self {
        Self { filter, skip: offset, give: limit, batch: 0, place: ScanPlace::default(), found: Vec::new() }
    }

    /// Maximum number of remaining rows.
    pub(super) fn rows_at_most(&self) -> u64 {
        self.give.saturating_add(self.found.len() as u64)
    }

    /// The next matching rows.
    pub(super) fn next_run(
        &mut self,
        file: &ArrowFile,
        is_stream: bool,
        budget: &mut Budget,
    ) -> Result<Progress<Option<MatchingRun>>> {
        while self.batch < file.num_batches() {
            let is_through = self.give == 0
                || self.place.row as u64 >= rows_of(file, self.batch)
                || !self.is_possible(budget);
            if self.found.len() >= RUN_ROWS || (is_through && !self.found.is_empty()) {
                let rows: Vec<u32> = self.found.drain(..RUN_ROWS.min(self.found.len())).collect();
                let run = Run::open(file, self.batch, RunRows::List(rows), budget)?;
                let left = (is_through && self.found.is_empty()).then_some(self.batch);
                if left.is_some() {
                    self.leave_batch();
                }
                return Ok(Progress::Done(Some(MatchingRun { run, left })));
            }
            if self.give == 0 {
                break;
            }
            if is_through {
                if is_stream && self.place.row > 0 {
                    file.forget_batch(self.batch);
                }
                self.leave_batch();
            } else {
                self.look(&*open_batch(file, self.batch, budget)?, budget);
            }
            if budget.is_spent() {
                return Ok(Progress::Paused);
            }
        }
        Ok(Progress::Done(None))
    }

    /// Whether the batch, which has not been begun, can have rows.
    fn is_possible(&self, budget: &mut Budget) -> bool {
        if self.place != ScanPlace::default() {
            return true;
        }
        budget.spend(self.filter.look_steps());
        self.filter.may_match(self.batch)
    }

    fn look(&mut self, batch: &Batch, budget: &mut Budget) {
        let before = self.found.len();
        self.filter.matching(batch, &mut self.place, budget, &mut self.found);
        let met = self.found.len() - before;
        let skipped = met.min(usize::try_from(self.skip).unwrap_or(usize::MAX));
        self.skip -= skipped as u64;
        self.found.drain(before..before + skipped);
        let given = (met - skipped).min(usize::try_from(self.give).unwrap_or(usize::MAX));
        self.give -= given as u64;
        self.found.truncate(before + given);
    }

    fn leave_batch(&mut self) {
        self.batch += 1;
        self.place = ScanPlace::default();
    }
}

fn rows_of(file: &ArrowFile, batch: usize) -> u64 {
    let rows = file.rows_of_batch(batch);
    rows.end - rows.start
}
