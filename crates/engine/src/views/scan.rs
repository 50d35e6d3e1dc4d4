//! The filters of one read, tested block by block of a batch's rows: a scan can pause after each block, and inside a
//! block if texts are matched.

use std::ops::Range;
use std::sync::Arc;

use super::collect::{collect_32, collect_where};
use super::conjunction::Conjunction;
use super::demand::Demand;
use super::generation::Generation;
use super::key::f64_key;
use super::predicate::{Predicate, Test};
use super::statistics::Statistics;
use rowhouse_rows::arrow_file::Batch;
use rowhouse_rows::arrow_file::column::{ColumnValues, Values};
use rowhouse_rows::{BatchFilter, Budget, ScanPlace, TestPlace};

/// Rows that are tested together.
const BLOCK_ROWS: usize = 4096;
/// The same if texts are matched, too: a turn may end inside a block, and the next one repeats the quick tests of the
/// rest.
const PATTERN_BLOCK_ROWS: usize = 1024;

/// The filters of one read, tested batch by batch.
#[derive(Clone, Debug)]
pub(super) struct Scan {
    tests: Conjunction,
    statistics: Arc<Statistics>,
    demand: Arc<Demand>,
    look_steps: u64,
}

impl Scan {
    pub(super) fn new(predicates: Vec<Predicate>, generation: &Generation) -> Self {
        let (statistics, demand) = (Arc::clone(generation.statistics()), Arc::clone(generation.demand()));
        let look_steps = predicates.iter().map(|predicate| predicate.test.look_steps()).sum();
        Self { tests: Conjunction::new(predicates), statistics, demand, look_steps }
    }

    /// The matching rows of a batch without a pattern; it may stop at `most` rows or more.
    pub(super) fn first_matching(&self, batch: &Batch, most: usize, rows: &mut Vec<u32>) {
        self.test_quick(batch, 0..batch.num_rows(), most, rows, true);
    }

    /// Maximum number of values that the tests of this many rows read.
    pub(super) fn values(&self, rows: u64) -> u64 {
        rows.saturating_mul(self.tests.quick.len() as u64)
    }

    /// As [`BatchFilter::matching`], of one block.
    pub(super) fn matching_block(
        &self,
        batch: &Batch,
        place: &mut ScanPlace,
        budget: &mut Budget,
        rows: &mut Vec<u32>,
    ) {
        let has_patterns = !self.tests.patterns.is_empty();
        let block_rows = if has_patterns { PATTERN_BLOCK_ROWS } else { BLOCK_ROWS };
        let block_start = place.row - place.row % block_rows;
        let end = batch.num_rows().min(block_start + block_rows);
        let is_begun = *place == ScanPlace { row: block_start, test: TestPlace::default() };
        let begun = rows.len();
        budget.spend(self.test_quick(batch, place.row..end, usize::MAX, rows, is_begun));
        if !has_patterns || self.test_patterns(batch, place, budget, rows, begun, end) {
            *place = ScanPlace { row: end, test: TestPlace::default() };
        }
    }

    /// Appends the rows that pass the quick tests, and returns the cost in steps.
    fn test_quick(
        &self,
        batch: &Batch,
        range: Range<usize>,
        most: usize,
        rows: &mut Vec<u32>,
        is_noted: bool,
    ) -> u64 {
        let note = |column, scanned, matching| {
            if is_noted {
                self.demand.note(column, scanned, matching);
            }
        };
        let row_count = range.len() as u64;
        let Some((first, others)) = self.tests.quick.split_first() else {
            rows.extend(range.map(|row| row as u32));
            return 0;
        };
        // All rows that pass one test may fail the others.
        let most = if others.is_empty() { most } else { usize::MAX };
        let (begun, start) = (rows.len(), range.start);
        first.collect(batch.column(first.column), range, most, rows);
        let found = rows.len() - begun;
        let looked_at = match rows.last() {
            Some(last) if found >= most => (*last as usize - start) as u64 + 1,
            _ => row_count,
        };
        note(first.column, looked_at, found as u64);
        let mut steps = looked_at * first.test.steps();
        for predicate in others {
            let column = batch.column(predicate.column);
            let before = (rows.len() - begun) as u64;
            let mut kept = begun;
            for place in begun..rows.len() {
                let row = rows[place];
                rows[kept] = row;
                kept += usize::from(predicate.test.matches(column, row as usize));
            }
            rows.truncate(kept);
            steps += before * predicate.test.steps();
            // Its share of all rows is estimated from the tested ones.
            if let Some(share) = ((kept - begun) as u64 * row_count).checked_div(before) {
                note(predicate.column, row_count, share);
            }
        }
        steps
    }

    /// Retains the rows from `begun` on that pass the patterns. False if the budget is spent before all of them are
    /// tested; `place` then says which is next.
    fn test_patterns(
        &self,
        batch: &Batch,
        place: &mut ScanPlace,
        budget: &mut Budget,
        rows: &mut Vec<u32>,
        begun: usize,
        end: usize,
    ) -> bool {
        // How many rows each pattern tested, and accepted.
        let mut asked = vec![(0_u64, 0_u64); self.tests.patterns.len()];
        let from = place.row;
        let mut kept = begun;
        let mut is_through = true;
        for index in begun..rows.len() {
            let row = rows[index];
            if row as usize != place.row {
                *place = ScanPlace { row: row as usize, test: TestPlace::default() };
            }
            // At least one row, or a piece of it.
            if index > begun && budget.is_spent() {
                is_through = false;
                break;
            }
            let note = |pattern: usize, passes: bool| {
                asked[pattern].0 += 1;
                asked[pattern].1 += u64::from(passes);
            };
            match self.tests.test_patterns(batch, row as usize, &mut place.test, budget, note) {
                Some(passes) => {
                    rows[kept] = row;
                    kept += usize::from(passes);
                }
                None => {
                    is_through = false;
                    break;
                }
            }
        }
        rows.truncate(kept);
        let looked_at = (if is_through { end } else { place.row } - from) as u64;
        for (predicate, (asked, passed)) in self.tests.patterns.iter().zip(asked) {
            if let Some(share) = (passed * looked_at).checked_div(asked) {
                self.demand.note(predicate.column, looked_at, share);
            }
        }
        is_through
    }
}

impl BatchFilter for Scan {
    fn may_match(&self, batch_index: usize) -> bool {
        let mut tests = self.tests.quick.iter().chain(&self.tests.patterns);
        tests.all(|predicate| self.statistics.may_match(batch_index, predicate))
    }

    fn look_steps(&self) -> u64 {
        self.look_steps
    }

    fn matching(&self, batch: &Batch, place: &mut ScanPlace, budget: &mut Budget, rows: &mut Vec<u32>) {
        while place.row < batch.num_rows() {
            self.matching_block(batch, place, budget, rows);
            if budget.is_spent() {
                return;
            }
        }
    }
}

impl Predicate {
    /// Appends the matching rows of a range; tests of numbers stop at `most`.
    fn collect(&self, column: &ColumnValues, range: Range<usize>, most: usize, rows: &mut Vec<u32>) {
        macro_rules! narrow {
            ($values:expr, $ranges:expr, $key:expr) => {
                collect_where($values, $ranges, $key, column, range, most, rows)
            };
        }
        match (&self.test, &column.values) {
            (Test::Narrow(ranges), Values::Int8(values)) => {
                narrow!(values, ranges, |value| i64::from(*value))
            }
            (Test::Narrow(ranges), Values::Int16(values)) => {
                narrow!(values, ranges, |value| i64::from(*value))
            }
            (
                Test::Narrow(ranges),
                Values::Int32(values)
                | Values::Date(values)
                | Values::Months(values)
                | Values::Time32 { values, .. },
            ) => collect_32(values, ranges, column, range, most, rows),
            (
                Test::Narrow(ranges),
                Values::Int64(values)
                | Values::Time64 { values, .. }
                | Values::Timestamp { values, .. }
                | Values::ZonedTimestamp { values, .. }
                | Values::Duration { values, .. },
            ) => narrow!(values, ranges, |value| *value),
            (Test::Narrow(ranges), Values::Float64(values)) => {
                narrow!(values, ranges, |value| f64_key(*value))
            }
            _ => rows.extend(range.filter(|row| self.test.matches(column, *row)).map(|row| row as u32)),
        }
    }
}
