//! Rows in the order of a column (D46), in turns: read from an index of the column if there is one, else the first ones
//! are found in one pass (top-k). NULLs come last, NaN counts as the greatest number, and rows of equal values keep the
//! order of the materialization (D25) in both directions.

use rowhouse_filters::Filter;

use super::conjunction::Conjunction;
use super::first_rows::{FirstRows, RowOrder};
use super::generation::Generation;
use super::index::{InOrder, Index};
use super::key::KeyKind;
use super::predicate::Predicate;
use super::text_kind::TextKind;
use super::walk::Walk;
use crate::{Error, ErrorKind, Result};
use rowhouse_rows::{Budget, Progress, ROWS_AT_HAND, RowSelection, TestPlace, open_batch, to_the_end};

/// Maximum number of rows that one answer can sort, including skipped ones; it bounds the memory.
pub const MAX_ORDERED_ROWS: usize = 1_000_000;
/// Rows of an index that are tested against other filters before a pass over all rows is cheaper.
const TESTED_ROWS: usize = 64 << 10;

/// Row numbers copied from an index in one call.
const COPIED_ROWS: usize = 16 << 10;
/// Cost of a random access to a row, in steps.
const ROW_STEPS: u64 = 64;

/// The first rows of an order, searched in turns.
#[derive(Debug)]
pub(super) struct OrderedSearch {
    order: RowOrder,
    offset: usize,
    /// Number of rows up to the last one of the page; more than the maximum if more are requested.
    wanted: usize,
    /// Maximum number of rows of the result.
    most_rows: usize,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Read from an index, with the predicates for a pass if the index does not suffice.
    Index(IndexedOrder, Vec<Predicate>),
    /// Found in a pass over all rows.
    Pass(Walk, FirstRows),
}

/// The first rows of an order from an index of the column, which pass the other filters.
#[derive(Debug)]
struct IndexedOrder {
    column: usize,
    in_order: InOrder,
    others: Conjunction,
    rows: Vec<u32>,
    most: usize,
    /// Remaining number of rows to test.
    tests_left: usize,
    /// The row being tested, and its progress.
    row: Option<u32>,
    place: TestPlace,
}

impl OrderedSearch {
    pub(super) fn new(
        generation: &Generation,
        predicates: Vec<Predicate>,
        order: RowOrder,
        offset: u64,
        limit: u64,
    ) -> Self {
        let wanted = usize::try_from(offset.saturating_add(limit)).unwrap_or(usize::MAX);
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let state = match IndexedOrder::new(generation, &predicates, order, wanted, TESTED_ROWS) {
            Some(indexed) => State::Index(indexed, predicates),
            None => pass(generation, predicates, order, wanted),
        };
        Self { order, offset, wanted, most_rows: most_rows(generation, wanted), state }
    }

    /// Maximum memory, in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        // If the index does not suffice, a pass follows.
        let wanted = self.most_rows;
        let first = FirstRows::memory_bytes(wanted);
        match &self.state {
            State::Index(indexed, _) if indexed.others.is_empty() => 2 * wanted * size_of::<u32>(),
            State::Index(..) => first,
            State::Pass(walk, _) => first + walk.memory_bytes(),
        }
    }

    /// The rows, once they are found.
    ///
    /// # Errors
    /// `InvalidArguments`: too many rows would have to be sorted; `Internal`: the file is corrupt.
    pub(super) fn advance(
        &mut self,
        generation: &Generation,
        budget: &mut Budget,
    ) -> Result<Progress<RowSelection>> {
        loop {
            match &mut self.state {
                State::Index(indexed, predicates) => match indexed.advance(generation, budget)? {
                    Progress::Paused => return Ok(Progress::Paused),
                    Progress::Done(Some(rows)) => {
                        return page(rows, self.offset, self.wanted).map(Progress::Done);
                    }
                    Progress::Done(None) => {
                        let predicates = std::mem::take(predicates);
                        self.state = pass(generation, predicates, self.order, self.wanted);
                    }
                },
                State::Pass(walk, first) => {
                    let is_through = walk.advance(generation, first, budget)? == Progress::Done(());
                    let ordered = first.advance(generation.file(), is_through, budget);
                    if ordered == Progress::Paused || (!is_through && budget.is_spent()) {
                        return Ok(Progress::Paused);
                    }
                    if is_through {
                        return self.found(generation).map(Progress::Done);
                    }
                }
            }
        }
    }

    /// The result of a pass.
    fn found(&mut self, generation: &Generation) -> Result<RowSelection> {
        let State::Pass(_, first) = &mut self.state else {
            return Ok(RowSelection::Range { offset: 0, limit: 0 });
        };
        let seen = first.seen;
        generation.demand().note(self.order.column, seen, self.wanted as u64);
        if self.wanted > MAX_ORDERED_ROWS && seen > MAX_ORDERED_ROWS as u64 {
            return Err(too_many());
        }
        let empty = FirstRows::new(generation, self.order, 0);
        page(std::mem::replace(first, empty).into_rows(), self.offset, self.wanted)
    }
}

fn pass(generation: &Generation, predicates: Vec<Predicate>, order: RowOrder, wanted: usize) -> State {
    let first = FirstRows::new(generation, order, most_rows(generation, wanted));
    State::Pass(Walk::new(generation, predicates), first)
}

fn most_rows(generation: &Generation, wanted: usize) -> usize {
    let row_count = usize::try_from(generation.row_count()).unwrap_or(usize::MAX);
    wanted.min(MAX_ORDERED_ROWS).min(row_count)
}

impl IndexedOrder {
    /// None without an index of the column.
    fn new(
        generation: &Generation,
        predicates: &[Predicate],
        order: RowOrder,
        wanted: usize,
        tests_left: usize,
    ) -> Option<Self> {
        let index = generation.index(order.column).filter(|index| index.is_in_order())?;
        let own = predicates.iter().position(|predicate| predicate.column == order.column);
        let found = own.map(|place| (place, index.candidates(&predicates[place].test)));
        let (met, in_order) = match found {
            Some((place, Some(candidates))) if candidates.is_exact() => {
                (Some(place), candidates.in_order(order.is_descending))
            }
            _ => (None, index.in_order(order.is_descending)),
        };
        let others = predicates.iter().enumerate().filter(|(place, _)| Some(*place) != met);
        Some(Self {
            column: order.column,
            in_order,
            others: Conjunction::new(others.map(|(_, predicate)| predicate.clone()).collect()),
            rows: Vec::new(),
            // One more, to detect that there are too many.
            most: wanted.min(MAX_ORDERED_ROWS + 1),
            tests_left,
            row: None,
            place: TestPlace::default(),
        })
    }

    /// The rows, or nothing if the filters would require testing too many of them.
    fn advance(
        &mut self,
        generation: &Generation,
        budget: &mut Budget,
    ) -> Result<Progress<Option<Vec<u32>>>> {
        let Some(index) = generation.index(self.column) else { return Ok(Progress::Done(None)) };
        while self.rows.len() < self.most {
            if budget.is_spent() {
                return Ok(Progress::Paused);
            }
            let goes_on = if self.others.is_empty() {
                let missing = self.most - self.rows.len();
                let piece = self.in_order.next_piece(index, missing.min(COPIED_ROWS));
                budget.spend(1 + piece.map_or(0, <[u32]>::len) as u64);
                piece.inspect(|piece| self.rows.extend_from_slice(piece)).is_some()
            } else {
                match self.test_next(generation, index, budget)? {
                    Progress::Paused => return Ok(Progress::Paused),
                    Progress::Done(None) => return Ok(Progress::Done(None)),
                    Progress::Done(Some(goes_on)) => goes_on,
                }
            };
            if !goes_on {
                break;
            }
        }
        Ok(Progress::Done(Some(std::mem::take(&mut self.rows))))
    }

    /// Tests the next row: whether there was one, or nothing if it would be one too many.
    fn test_next(
        &mut self,
        generation: &Generation,
        index: &Index,
        budget: &mut Budget,
    ) -> Result<Progress<Option<bool>>> {
        let row = match self.row {
            Some(row) => row,
            None => {
                let piece = self.in_order.next_piece(index, 1);
                let Some(row) = piece.and_then(<[u32]>::first) else {
                    return Ok(Progress::Done(Some(false)));
                };
                if self.tests_left == 0 {
                    return Ok(Progress::Done(None));
                }
                self.tests_left -= 1;
                *self.row.insert(*row)
            }
        };
        budget.spend(ROW_STEPS);
        let file = generation.file();
        if let Some((batch_index, place)) = file.locate(u64::from(row)) {
            let batch = open_batch(file, batch_index, budget)?;
            let Some(passes) = self.others.test(&batch, place, &mut self.place, budget) else {
                return Ok(Progress::Paused);
            };
            if passes {
                self.rows.push(row);
            }
        }
        (self.row, self.place) = (None, TestPlace::default());
        Ok(Progress::Done(Some(true)))
    }
}

impl Generation {
    /// As [`Generation::select_ordered`], if an index returns a small page and its rows are in memory.
    ///
    /// # Errors
    /// As [`Generation::select_ordered`].
    pub fn select_ordered_at_once(
        &self,
        filters: &[Filter],
        order: RowOrder,
        offset: u64,
        limit: u64,
    ) -> Result<Option<RowSelection>> {
        self.check_order(order)?;
        let predicates = self.predicates(filters)?;
        let wanted = offset.saturating_add(limit);
        let is_alone = predicates.iter().all(|predicate| predicate.column == order.column);
        if wanted > ROWS_AT_HAND || !is_alone {
            return Ok(None);
        }
        let found = self.guarded(|| {
            let indexed = IndexedOrder::new(self, &predicates, order, wanted as usize, 0);
            let Some(mut indexed) = indexed else { return Ok(None) };
            to_the_end(|budget| indexed.advance(self, budget))
        })?;
        let Some(rows) = found else { return Ok(None) };
        let selection = page(rows, offset as usize, wanted as usize)?;
        Ok(Some(selection).filter(|selection| selection.is_at_hand(self.file())))
    }

    pub(super) fn check_order(&self, order: RowOrder) -> Result<()> {
        let data_type = self.file().schema().field(order.column).data_type();
        let column = &self.columns()[order.column];
        let is_ordered = match KeyKind::of(data_type) {
            KeyKind::Opaque => false,
            // Text of a type whose order differs from text order.
            KeyKind::Text => TextKind::of(column, data_type) != TextKind::Other,
            KeyKind::Narrow | KeyKind::Wide => true,
        };
        if is_ordered {
            return Ok(());
        }
        let message =
            format!("orderBy: values of column `{}` ({}) have no order", column.name, column.type_name);
        Err(Error::new(ErrorKind::InvalidArguments, message))
    }
}

fn page(mut rows: Vec<u32>, offset: usize, wanted: usize) -> Result<RowSelection> {
    if wanted > MAX_ORDERED_ROWS && rows.len() > MAX_ORDERED_ROWS {
        return Err(too_many());
    }
    rows.drain(..offset.min(rows.len()));
    Ok(RowSelection::Ordered(rows.into()))
}

fn too_many() -> Error {
    let message = format!(
        "orderBy: more than {MAX_ORDERED_ROWS} rows would have to be put in order; give a limit such that offset and \
         limit together are at most {MAX_ORDERED_ROWS}, or filters that leave fewer rows"
    );
    Error::new(ErrorKind::InvalidArguments, message)
}
