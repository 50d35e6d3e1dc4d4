//! Rows that an index returns and the other filters accept, found in turns: the row numbers are sorted, intersected
//! with those of other indexes, and the rest is tested row by row.

use std::sync::Arc;

use super::conjunction::Conjunction;
use super::generation::Generation;
use super::index::Candidates;
use super::merge_sort::MergeSort;
use super::predicate::Predicate;
use crate::Result;
use rowhouse_rows::arrow_file::Batch;
use rowhouse_rows::{Budget, Progress, TestPlace, open_batch};

/// Maximum number of rows from an index: their numbers are held in memory.
pub(super) const MAX_CANDIDATES: u64 = 1 << 20;
/// An index with at most this many times as many candidates as remaining rows is intersected; otherwise the remaining
/// rows are tested instead.
const INTERSECTED_TIMES: u64 = 8;
/// Row numbers sorted in one call, about half a millisecond.
const SORTED_AT_ONCE: u64 = 16 << 10;
/// Cost of a random access to a row, in steps.
const ROW_STEPS: u64 = 64;

/// A look-up in turns.
#[derive(Debug)]
pub(super) struct LookUp {
    /// Filters whose indexes were not considered yet.
    others: Vec<Predicate>,
    /// Filters that are tested by row.
    tested: Vec<Predicate>,
    candidate_count: usize,
    offset: usize,
    wanted: usize,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Not started; the index of the predicate in `others` to use.
    New {
        position: usize,
    },
    /// The candidates are being sorted.
    Sorting(MergeSort<u32>),
    /// Other indexes are being considered.
    Choosing(Vec<u32>),
    /// The candidates of another index are being sorted, for the intersection.
    Intersecting(Vec<u32>, MergeSort<u32>),
    Testing(Testing),
}

/// Rows being tested.
#[derive(Debug)]
struct Testing {
    tests: Conjunction,
    /// Rows before `kept` have passed, rows from `next` on are still to be tested.
    rows: Vec<u32>,
    kept: usize,
    next: usize,
    place: TestPlace,
    open: Option<(usize, Arc<Batch>)>,
}

impl LookUp {
    /// For the candidates that the index of one of the predicates returns. They are fetched in the first turn.
    pub(super) fn new(
        predicates: Vec<Predicate>,
        position: usize,
        candidates: &Candidates<'_>,
        offset: u64,
        limit: u64,
    ) -> Self {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let candidate_count = candidates.count() as usize;
        Self {
            others: predicates,
            tested: Vec::new(),
            candidate_count,
            offset,
            wanted: offset.saturating_add(limit),
            state: State::New { position },
        }
    }

    /// Maximum memory, in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        // Twice the candidates during sorting; or, with them, twice those of another index, which may have more.
        let count = self.candidate_count;
        let others = count.saturating_mul(INTERSECTED_TIMES as usize).min(MAX_CANDIDATES as usize);
        (count + 2 * count.max(others)) * size_of::<u32>()
    }

    /// Fetches the candidates.
    fn fetched(&mut self, generation: &Generation, position: usize, budget: &mut Budget) -> State {
        let predicate = self.others.swap_remove(position);
        let index = generation.index(predicate.column);
        // OK because an index that returned candidates stays, and returns the same ones.
        let candidates = index.and_then(|index| index.candidates(&predicate.test)).expect("an index");
        if !candidates.is_exact() {
            self.others.push(predicate);
        }
        // If nothing is tested, only the wanted rows must be sorted.
        let most = if self.others.is_empty() { self.wanted } else { usize::MAX };
        budget.spend(candidates.count());
        in_order(&candidates, most).map_or_else(State::Sorting, State::Choosing)
    }

    /// The rows, ascending, once they are found.
    ///
    /// # Errors
    /// `Internal`: the file is corrupt.
    pub(super) fn advance(
        &mut self,
        generation: &Generation,
        budget: &mut Budget,
    ) -> Result<Progress<Vec<u32>>> {
        let by_number = |left: &u32, right: &u32, _: &mut Budget| left.cmp(right);
        loop {
            let state = std::mem::replace(&mut self.state, State::Choosing(Vec::new()));
            self.state = match state {
                State::New { position } => self.fetched(generation, position, budget),
                State::Sorting(mut sort) => {
                    if sort.advance(budget, by_number) == Progress::Paused {
                        self.state = State::Sorting(sort);
                        return Ok(Progress::Paused);
                    }
                    State::Choosing(sort.into_values())
                }
                State::Choosing(rows) => match self.others.pop() {
                    Some(predicate) => self.intersected(generation, rows, predicate, budget),
                    None if self.tested.is_empty() => return Ok(Progress::Done(self.page(rows))),
                    None => {
                        let tests = Conjunction::new(std::mem::take(&mut self.tested));
                        let place = TestPlace::default();
                        State::Testing(Testing { tests, rows, kept: 0, next: 0, place, open: None })
                    }
                },
                State::Intersecting(mut rows, mut sort) => {
                    if sort.advance(budget, by_number) == Progress::Paused {
                        self.state = State::Intersecting(rows, sort);
                        return Ok(Progress::Paused);
                    }
                    budget.spend(rows.len() as u64);
                    retain_common(&mut rows, &sort.into_values());
                    State::Choosing(rows)
                }
                State::Testing(mut testing) => {
                    if testing.advance(generation, self.wanted, budget)? == Progress::Paused {
                        self.state = State::Testing(testing);
                        return Ok(Progress::Paused);
                    }
                    testing.rows.truncate(testing.kept);
                    return Ok(Progress::Done(self.page(testing.rows)));
                }
            };
        }
    }

    /// Begins to intersect rows with those of a predicate's index, if it has one with few enough candidates; else the
    /// predicate will be tested.
    fn intersected(
        &mut self,
        generation: &Generation,
        mut rows: Vec<u32>,
        predicate: Predicate,
        budget: &mut Budget,
    ) -> State {
        let most = (rows.len() as u64 * INTERSECTED_TIMES).min(MAX_CANDIDATES);
        let candidates =
            generation.index(predicate.column).and_then(|index| index.candidates(&predicate.test));
        let few = candidates.filter(|candidates| candidates.is_exact() && candidates.count() <= most);
        match few.map(|candidates| in_order(&candidates, usize::MAX)) {
            None => {
                self.tested.push(predicate);
                State::Choosing(rows)
            }
            Some(Ok(other)) => {
                budget.spend((rows.len() + other.len()) as u64);
                retain_common(&mut rows, &other);
                State::Choosing(rows)
            }
            Some(Err(sort)) => State::Intersecting(rows, sort),
        }
    }

    fn page(&self, mut rows: Vec<u32>) -> Vec<u32> {
        rows.truncate(self.wanted);
        rows.drain(..self.offset.min(rows.len()));
        rows
    }
}

/// The first row numbers of candidates in ascending order, or the work of sorting all of them.
fn in_order(candidates: &Candidates<'_>, most: usize) -> Result<Vec<u32>, MergeSort<u32>> {
    if candidates.count() <= SORTED_AT_ONCE || candidates.are_ascending() {
        Ok(candidates.rows(0, most))
    } else {
        Err(MergeSort::new(candidates.in_key_order()))
    }
}

impl Testing {
    fn advance(
        &mut self,
        generation: &Generation,
        wanted: usize,
        budget: &mut Budget,
    ) -> Result<Progress<()>> {
        let file = generation.file();
        while let Some(row) = self.rows.get(self.next).copied().filter(|_| self.kept < wanted) {
            if budget.is_spent() {
                return Ok(Progress::Paused);
            }
            budget.spend(ROW_STEPS);
            let passes = match file.locate(u64::from(row)) {
                None => Some(false),
                Some((batch_index, place)) => {
                    let batch = match &self.open {
                        Some((index, batch)) if *index == batch_index => batch,
                        _ => &self.open.insert((batch_index, open_batch(file, batch_index, budget)?)).1,
                    };
                    self.tests.test(batch, place, &mut self.place, budget)
                }
            };
            let Some(passes) = passes else { return Ok(Progress::Paused) };
            self.rows[self.kept] = row;
            self.kept += usize::from(passes);
            self.next += 1;
            self.place = TestPlace::default();
        }
        Ok(Progress::Done(()))
    }
}

/// Retains the ascending rows that are also among other ascending rows.
fn retain_common(rows: &mut Vec<u32>, other: &[u32]) {
    let mut rest = other;
    rows.retain(|row| {
        rest = &rest[rest.iter().take_while(|other| *other < row).count()..];
        rest.first() == Some(row)
    });
}
