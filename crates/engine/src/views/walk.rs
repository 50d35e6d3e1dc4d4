//! One pass over all rows that satisfy filters, batch by batch and in turns, for visitors that see each row and keep
//! few, such as a count or the first rows of an order.

use std::ops::Range;

use super::generation::Generation;
use super::look_up::LookUp;
use super::predicate::Predicate;
use super::scan::Scan;
use crate::Result;
use rowhouse_rows::arrow_file::{ArrowFile, Batch};
use rowhouse_rows::{BatchFilter as _, Budget, Progress, ScanPlace, open_batch};

/// A pass over more batches than this releases the memory of each one.
const STREAM_BATCHES: usize = 8;
/// Cost of deciding from statistics whether a batch is needed, in steps.
const LOOK_STEPS: u64 = 16;

/// Visits rows.
pub(super) trait Visitor {
    /// Whether a batch can contain relevant rows; answered without reading it.
    fn needs(&self, generation: &Generation, batch_index: usize) -> bool;

    /// Visits rows of a batch whose first row has the number `start`, and counts the cost.
    fn visit(&mut self, file: &ArrowFile, start: u32, batch: &Batch, places: Places<'_>, budget: &mut Budget);

    /// Whether it must do other work before it can take more rows.
    fn is_full(&self) -> bool {
        false
    }
}

/// Rows of a batch, at most [`Places::MOST`].
#[derive(Clone, Debug)]
pub(super) enum Places<'r> {
    Range(Range<usize>),
    List(&'r [u32]),
}

impl Places<'_> {
    pub(super) const MOST: usize = 4096;

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Range(range) => range.len(),
            Self::List(list) => list.len(),
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        let (range, list) = match self {
            Self::Range(range) => (range.clone(), &[][..]),
            Self::List(list) => (0..0, *list),
        };
        range.chain(list.iter().map(|place| *place as usize))
    }
}

/// The pass.
#[derive(Debug)]
pub(super) struct Walk {
    rows: Rows,
    /// The next batch, and the next row in it.
    batch: usize,
    place: ScanPlace,
    /// Rows that were found and not visited yet.
    found: Vec<u32>,
}

/// The source of rows.
#[derive(Debug)]
enum Rows {
    All,
    LookedUp(Box<LookUp>),
    /// The rows that an index returned, ascending; the number of those visited.
    Listed(Vec<u32>, usize),
    Scanned(Box<Scan>),
}

impl Walk {
    pub(super) fn new(generation: &Generation, predicates: Vec<Predicate>) -> Self {
        let rows = if predicates.is_empty() {
            Rows::All
        } else if let Some((position, candidates)) = generation.cheap_candidates(&predicates, u64::MAX) {
            Rows::LookedUp(Box::new(LookUp::new(predicates, position, &candidates, 0, u64::MAX)))
        } else {
            Rows::Scanned(Box::new(Scan::new(predicates, generation)))
        };
        Self { rows, batch: 0, place: ScanPlace::default(), found: Vec::new() }
    }

    /// Maximum memory of the rows to be visited, in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        match &self.rows {
            Rows::LookedUp(look_up) => look_up.memory_bytes(),
            Rows::Listed(rows, _) => size_of_val(&rows[..]),
            Rows::All | Rows::Scanned(_) => 0,
        }
    }

    /// Passes every matching row to a visitor, ascending, until the budget is spent or the visitor is full.
    ///
    /// # Errors
    /// `Internal`: the file is corrupt.
    pub(super) fn advance(
        &mut self,
        generation: &Generation,
        visitor: &mut impl Visitor,
        budget: &mut Budget,
    ) -> Result<Progress<()>> {
        if let Rows::LookedUp(look_up) = &mut self.rows {
            match look_up.advance(generation, budget)? {
                Progress::Done(rows) => self.rows = Rows::Listed(rows, 0),
                Progress::Paused => return Ok(Progress::Paused),
            }
        }
        let file = generation.file();
        let is_stream = file.num_batches() > STREAM_BATCHES && !matches!(self.rows, Rows::Listed(..));
        loop {
            match self.begin_batch(generation, visitor, budget) {
                Progress::Done(true) => {}
                Progress::Done(false) => return Ok(Progress::Done(())),
                Progress::Paused => return Ok(Progress::Paused),
            }
            if visitor.is_full() {
                return Ok(Progress::Paused);
            }
            let of_batch = file.rows_of_batch(self.batch);
            let row_count = (of_batch.end - of_batch.start) as usize;
            if self.place.row < row_count {
                let batch = open_batch(file, self.batch, budget)?;
                // OK because row numbers have 32 bits wherever single rows are numbered.
                let start = of_batch.start as u32;
                let places = self.next_places(start, &batch, budget);
                visitor.visit(file, start, &batch, places, budget);
            }
            if self.place.row >= row_count {
                if is_stream {
                    file.forget_batch(self.batch);
                }
                self.leave_batch();
            }
            // Not before: each turn makes progress by some rows.
            if budget.is_spent() {
                return Ok(Progress::Paused);
            }
        }
    }

    /// Begins the next needed batch, unless one is in progress; false if there is none.
    fn begin_batch(
        &mut self,
        generation: &Generation,
        visitor: &impl Visitor,
        budget: &mut Budget,
    ) -> Progress<bool> {
        let file = generation.file();
        while self.batch < file.num_batches() {
            if self.place != ScanPlace::default() {
                return Progress::Done(true);
            }
            budget.spend(LOOK_STEPS);
            let is_possible = match &mut self.rows {
                Rows::All | Rows::LookedUp(_) => true,
                Rows::Scanned(scan) => {
                    budget.spend(scan.look_steps());
                    scan.may_match(self.batch)
                }
                Rows::Listed(rows, shown) => {
                    let Some((batch, _)) = rows.get(*shown).and_then(|row| file.locate(u64::from(*row)))
                    else {
                        break;
                    };
                    self.batch = batch;
                    true
                }
            };
            if is_possible && visitor.needs(generation, self.batch) {
                return Progress::Done(true);
            }
            if let Rows::Listed(rows, shown) = &mut self.rows {
                let end = file.rows_of_batch(self.batch).end;
                *shown += rows[*shown..].partition_point(|row| u64::from(*row) < end);
            }
            self.leave_batch();
            if budget.is_spent() {
                return Progress::Paused;
            }
        }
        Progress::Done(false)
    }

    fn leave_batch(&mut self) {
        self.batch += 1;
        self.place = ScanPlace::default();
    }

    /// The next rows of the batch; `place` is after them.
    fn next_places(&mut self, start: u32, batch: &Batch, budget: &mut Budget) -> Places<'_> {
        let Self { rows, place, found, .. } = self;
        let end = batch.num_rows().min(place.row + Places::MOST);
        found.clear();
        match rows {
            Rows::All | Rows::LookedUp(_) => {
                let range = place.row..end;
                place.row = end;
                return Places::Range(range);
            }
            Rows::Listed(rows, shown) => {
                let rest = &rows[*shown..];
                let end_row = start + batch.num_rows() as u32;
                let count = rest.iter().take(Places::MOST).take_while(|row| **row < end_row).count();
                found.extend(rest[..count].iter().map(|row| row - start));
                *shown += count;
                let next = rows.get(*shown).filter(|row| **row < end_row);
                place.row = next.map_or(batch.num_rows(), |row| (row - start) as usize);
            }
            Rows::Scanned(scan) => {
                // Its blocks have at most this many rows, and it stops after each when there are no steps left.
                scan.matching_block(batch, place, budget, found);
            }
        }
        Places::List(found)
    }
}
