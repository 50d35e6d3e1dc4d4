//! Rows in the order of a column (D46): read off an index of the column where there is one, else the first ones are
//! found in one pass that keeps no more than are wanted. NULLs come last, NaN counts as the greatest number, and
//! rows of equal values keep the order of the materialization (D25), whichever end comes first.

use std::cmp::Ordering;
use std::sync::Arc;

use rowhouse_filters::Filter;

use super::generation::Generation;
use super::key::{KeyKind, for_each_key, text_key};
use super::predicate::Predicate;
use super::text_kind::TextKind;
use super::walk::Visitor;
use crate::{Error, ErrorKind, Result};
use rowhouse_rows::arrow_file::column::Values;
use rowhouse_rows::arrow_file::{ArrowFile, Batch};
use rowhouse_rows::{ROWS_AT_HAND, RowSelection};

/// Rows that one answer can put in order, the skipped ones among them: what it takes of memory is bounded by it.
pub const MAX_ORDERED_ROWS: usize = 1_000_000;
/// Rows of an index that are tested against other filters before a pass over all rows is the shorter way.
const TESTED_ROWS: usize = 64 << 10;

/// The order that a read asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RowOrder {
    /// The column's place in the view.
    pub column: usize,
    /// Whether the greatest value comes first.
    pub is_descending: bool,
}

/// A row and what places it.
#[derive(Clone, Copy, Debug)]
struct Ranked {
    /// Of a descending order, the complement.
    key: i128,
    row: u32,
    is_null: bool,
}

/// The first rows of an order among those that were shown.
struct FirstRows<'g> {
    generation: &'g Generation,
    order: RowOrder,
    is_text: bool,
    wanted: usize,
    kept: Vec<Ranked>,
    /// What every further row has to go before, once there are as many as wanted.
    last: Option<Ranked>,
    seen: u64,
}

impl Generation {
    /// As [`Generation::select`], in the order of a column.
    ///
    /// # Errors
    /// As [`Generation::select`], and `InvalidArguments`: the column's values have no order, or more than
    /// [`MAX_ORDERED_ROWS`] rows would have to be put in order.
    pub fn select_ordered(
        &self,
        filters: &[Filter],
        order: RowOrder,
        offset: u64,
        limit: u64,
    ) -> Result<RowSelection> {
        self.check_order(order)?;
        let predicates = self.predicates(filters)?;
        let wanted = usize::try_from(offset.saturating_add(limit)).unwrap_or(usize::MAX);
        if limit == 0 || offset >= self.row_count() {
            return Ok(RowSelection::Range { offset, limit: 0 });
        }
        let offset = offset as usize;
        if let Some(rows) = self.read_index(&predicates, order, wanted, TESTED_ROWS)? {
            return page(rows, offset, wanted);
        }
        let is_text = KeyKind::of(self.file().schema().field(order.column).data_type()) == KeyKind::Text;
        let mut first = FirstRows {
            generation: self,
            order,
            is_text,
            wanted: wanted.min(MAX_ORDERED_ROWS),
            kept: Vec::new(),
            last: None,
            seen: 0,
        };
        self.walk(predicates, &mut first)?;
        self.demand().note(order.column, first.seen, wanted as u64);
        if wanted > MAX_ORDERED_ROWS && first.seen > MAX_ORDERED_ROWS as u64 {
            return Err(too_many());
        }
        page(first.into_rows(), offset, wanted)
    }

    /// As [`Generation::select_ordered`], where an index gives a small page and its rows are at hand.
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
        let Some(rows) = self.read_index(&predicates, order, wanted as usize, 0)? else { return Ok(None) };
        let selection = page(rows, offset as usize, wanted as usize)?;
        Ok(Some(selection).filter(|selection| selection.is_at_hand(self.file())))
    }

    fn check_order(&self, order: RowOrder) -> Result<()> {
        let data_type = self.file().schema().field(order.column).data_type();
        let column = &self.columns()[order.column];
        let is_ordered = match KeyKind::of(data_type) {
            KeyKind::Opaque => false,
            // Text that stands for a type which it does not compare like.
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

    /// The first `wanted` rows, and one more where they are too many, as an index of the column has them. None
    /// without an index, and where the filters would have more than `tested` rows looked at.
    fn read_index(
        &self,
        predicates: &[Predicate],
        order: RowOrder,
        wanted: usize,
        tested: usize,
    ) -> Result<Option<Vec<u32>>> {
        let Some(index) = self.index(order.column).filter(|index| index.is_in_order()) else {
            return Ok(None);
        };
        let own = predicates.iter().position(|predicate| predicate.column == order.column);
        let found = own.map(|place| (place, index.candidates(&predicates[place].test)));
        let (met, pieces): (_, Box<dyn Iterator<Item = &[u32]>>) = match found {
            Some((place, Some(candidates))) if candidates.is_exact() => {
                (Some(place), Box::new(candidates.in_order(order.is_descending)))
            }
            _ => (None, Box::new(index.in_order(order.is_descending))),
        };
        let others = predicates.iter().enumerate().filter(|(place, _)| Some(*place) != met);
        let others: Vec<&Predicate> = others.map(|(_, predicate)| predicate).collect();
        let most = wanted.min(MAX_ORDERED_ROWS + 1);
        let mut rows = Vec::new();
        let mut budget = tested;
        for piece in pieces {
            if rows.len() >= most {
                break;
            }
            if others.is_empty() {
                rows.extend_from_slice(&piece[..piece.len().min(most - rows.len())]);
                continue;
            }
            for row in piece {
                if budget == 0 {
                    return Ok(None);
                }
                budget -= 1;
                if self.passes(*row, &others)? {
                    rows.push(*row);
                    if rows.len() >= most {
                        break;
                    }
                }
            }
        }
        Ok(Some(rows))
    }

    fn passes(&self, row: u32, predicates: &[&Predicate]) -> Result<bool> {
        let Some((batch_index, place)) = self.file().locate(u64::from(row)) else { return Ok(false) };
        let batch = self.file().batch(batch_index)?;
        Ok(predicates.iter().all(|predicate| predicate.matches(&batch, place)))
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

impl Visitor for FirstRows<'_> {
    fn needs(&self, batch_index: usize) -> bool {
        let Some(last) = self.last else { return true };
        let keys = self.generation.statistics().keys(batch_index, self.order.column);
        match keys {
            // Only NULLs: they come after all that is kept, unless NULLs are kept.
            None => last.is_null,
            Some((least, greatest)) => {
                last.is_null || (if self.order.is_descending { !greatest } else { least }) <= last.key
            }
        }
    }

    fn visit(&mut self, start: u32, batch: &Batch, places: Option<&[u32]>) {
        let column = batch.column(self.order.column);
        self.seen += places.map_or(batch.num_rows(), <[u32]>::len) as u64;
        let is_descending = self.order.is_descending;
        let rows = || -> Box<dyn Iterator<Item = usize> + '_> {
            match places {
                Some(places) => Box::new(places.iter().map(|place| *place as usize)),
                None => Box::new(0..batch.num_rows()),
            }
        };
        // Ascending, so that of equal values the first row is kept.
        for_each_key(&column.values, rows().filter(|row| !column.is_null(*row)), text_key, |place, key| {
            let key = if is_descending { !key } else { key };
            self.offer(Ranked { key, row: start + place as u32, is_null: false });
        });
        for place in rows().filter(|row| column.is_null(*row)) {
            self.offer(Ranked { key: 0, row: start + place as u32, is_null: true });
        }
    }
}

impl FirstRows<'_> {
    #[inline]
    fn offer(&mut self, row: Ranked) {
        if let Some(last) = &self.last
            && ((row.is_null && !last.is_null)
                || (row.is_null == last.is_null && row.key > last.key)
                || self.compare(&row, last).is_ge())
        {
            return;
        }
        self.kept.push(row);
        // Room for a quarter more, so that what is too much is thrown away seldom.
        if self.kept.len() >= self.wanted + (self.wanted / 4).max(64) {
            self.drop_surplus();
        }
    }

    fn drop_surplus(&mut self) {
        let mut kept = std::mem::take(&mut self.kept);
        kept.select_nth_unstable_by(self.wanted - 1, |left, right| self.compare(left, right));
        kept.truncate(self.wanted);
        self.last = kept.last().copied();
        self.kept = kept;
    }

    /// The order of the answer.
    fn compare(&self, left: &Ranked, right: &Ranked) -> Ordering {
        let by_key = left.is_null.cmp(&right.is_null).then(left.key.cmp(&right.key));
        let by_text = || {
            if !self.is_text || left.is_null {
                return Ordering::Equal;
            }
            let file = self.generation.file();
            let texts = text_of(file, self.order.column, left.row, |left| {
                text_of(file, self.order.column, right.row, |right| left.cmp(right))
            });
            if self.order.is_descending { texts.reverse() } else { texts }
        };
        by_key.then_with(by_text).then(left.row.cmp(&right.row))
    }

    fn into_rows(mut self) -> Vec<u32> {
        let mut kept = std::mem::take(&mut self.kept);
        kept.sort_unstable_by(|left, right| self.compare(left, right));
        kept.truncate(self.wanted);
        kept.into_iter().map(|ranked| ranked.row).collect()
    }
}

/// The text of a row, whose key does not tell it from another.
fn text_of<T>(file: &Arc<ArrowFile>, column: usize, row: u32, read: impl FnOnce(&[u8]) -> T) -> T {
    let batch = file.locate(u64::from(row)).and_then(|(batch, place)| Some((file.batch(batch).ok()?, place)));
    match &batch {
        Some((batch, place)) => match &batch.column(column).values {
            Values::Text(text) => read(text.value(*place)),
            _ => read(b""),
        },
        // OK because the row was read from its batch a moment ago.
        None => read(b""),
    }
}
