//! The first rows of an order among the visited rows (top-k), found in turns: a sorted list of at most the wanted
//! length, and new rows that are sorted and merged into it when there are enough of them.

use std::cmp::Ordering;

use super::generation::Generation;
use super::key::{KeyKind, for_each_key, text_key};
use super::merge_sort::{MergeInto, MergeSort};
use super::walk::{Places, Visitor};
use rowhouse_rows::arrow_file::column::Values;
use rowhouse_rows::arrow_file::{ArrowFile, Batch};
use rowhouse_rows::{Budget, Progress};

/// Minimum number of new rows that are sorted together; at most a quarter of the wanted rows.
const FRESH_ROWS: usize = 1024;
/// Cost of visiting a row, in steps; of a text, whose value needs a random access.
const ROW_STEPS: u64 = 4;
const TEXT_ROW_STEPS: u64 = 16;
/// Bytes of two texts that are compared per step, and the cost of accessing them.
const COMPARED_BYTES_PER_STEP: u64 = 16;
const COMPARED_TEXT_STEPS: u64 = 200;

/// The order of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RowOrder {
    /// The column's position in the view.
    pub column: usize,
    /// Whether the order is descending.
    pub is_descending: bool,
}

/// A row and its sort key.
#[derive(Clone, Copy, Debug)]
struct Ranked {
    /// The upper and the lower half of the key, or of its complement in a descending order. Halves take less memory: a
    /// 128-bit integer is aligned to 16 bytes.
    key: (i64, u64),
    row: u32,
}

/// The first rows of an order among those that were visited.
#[derive(Debug)]
pub(super) struct FirstRows {
    order: RowOrder,
    is_text: bool,
    wanted: usize,
    /// Sorted, at most `wanted`, unless a merge is in progress.
    kept: Vec<Ranked>,
    fresh: Vec<Ranked>,
    /// Rows that are NULL; they come last, in row order.
    null_rows: Vec<u32>,
    work: Work,
    /// Number of visited rows.
    pub(super) seen: u64,
}

#[derive(Debug)]
enum Work {
    /// Rows can be visited.
    None,
    Sorting(MergeSort<Ranked>),
    Merging(MergeInto<Ranked>),
}

impl FirstRows {
    /// Maximum memory for this many wanted rows, in bytes.
    pub(super) fn memory_bytes(wanted: usize) -> usize {
        // The kept rows with room for those merged into them, new rows, twice during sorting; then the row numbers, and
        // again as the answer has them.
        let fresh = fresh_limit(wanted) + Places::MOST;
        (wanted + 4 * fresh) * size_of::<Ranked>() + 2 * wanted * size_of::<u32>()
    }

    pub(super) fn new(generation: &Generation, order: RowOrder, wanted: usize) -> Self {
        let kind = KeyKind::of(generation.file().schema().field(order.column).data_type());
        Self {
            order,
            is_text: kind == KeyKind::Text,
            wanted,
            kept: Vec::new(),
            fresh: Vec::new(),
            null_rows: Vec::new(),
            work: Work::None,
            seen: 0,
        }
    }

    /// Sorts new rows, if there are enough of them or if they are the last.
    pub(super) fn advance(&mut self, file: &ArrowFile, are_last: bool, budget: &mut Budget) -> Progress<()> {
        let (order, is_text) = (self.order, self.is_text);
        let compare = |left: &Ranked, right: &Ranked, budget: &mut Budget| {
            let by_value = match left.key.cmp(&right.key) {
                Ordering::Equal if is_text => compare_texts(file, order, left.row, right.row, budget),
                by_key => by_key,
            };
            by_value.then(left.row.cmp(&right.row))
        };
        loop {
            let is_enough = !self.fresh.is_empty() && (are_last || self.is_full());
            match &mut self.work {
                Work::None if !is_enough => return Progress::Done(()),
                Work::None => {
                    let fresh = std::mem::take(&mut self.fresh);
                    self.work = Work::Sorting(MergeSort::new(fresh));
                }
                Work::Sorting(sort) => {
                    if sort.advance(budget, compare) == Progress::Paused {
                        return Progress::Paused;
                    }
                    let Work::Sorting(sort) = std::mem::replace(&mut self.work, Work::None) else { continue };
                    let mut fresh = sort.into_values();
                    fresh.truncate(self.wanted);
                    self.work = Work::Merging(MergeInto::new(&mut self.kept, fresh));
                }
                Work::Merging(merge) => {
                    if merge.advance(&mut self.kept, budget, compare) == Progress::Paused {
                        return Progress::Paused;
                    }
                    self.kept.truncate(self.wanted);
                    self.work = Work::None;
                }
            }
        }
    }

    /// The wanted rows in order, after the last ones were sorted.
    pub(super) fn into_rows(self) -> Vec<u32> {
        let rows = self.kept.into_iter().map(|ranked| ranked.row);
        rows.chain(self.null_rows).take(self.wanted).collect()
    }

    /// The row that every further row must precede, once there are as many as wanted.
    fn last(&self) -> Option<Ranked> {
        (self.kept.len() >= self.wanted).then(|| self.kept.last().copied()).flatten()
    }

    fn key_in_order(&self, key: i128) -> (i64, u64) {
        let key = if self.order.is_descending { !key } else { key };
        ((key >> 64) as i64, key as u64)
    }
}

impl Visitor for FirstRows {
    fn needs(&self, generation: &Generation, batch_index: usize) -> bool {
        let Some(last) = self.last() else { return true };
        // A batch of only NULLs comes after all kept rows.
        generation.statistics().keys(batch_index, self.order.column).is_some_and(|(least, greatest)| {
            self.key_in_order(if self.order.is_descending { greatest } else { least }) <= last.key
        })
    }

    fn visit(
        &mut self,
        file: &ArrowFile,
        start: u32,
        batch: &Batch,
        places: Places<'_>,
        budget: &mut Budget,
    ) {
        let column = batch.column(self.order.column);
        self.seen += places.len() as u64;
        budget.spend(places.len() as u64 * if self.is_text { TEXT_ROW_STEPS } else { ROW_STEPS });
        let last = self.last();
        let (order, is_text) = (self.order, self.is_text);
        let mut fresh = std::mem::take(&mut self.fresh);
        if fresh.capacity() == 0 {
            fresh.reserve_exact(fresh_limit(self.wanted) + Places::MOST);
        }
        let key_in_order = |key| self.key_in_order(key);
        // Ascending, so that of equal values the first row is kept.
        let mut offer = |place: usize, key: i128| {
            let row = Ranked { key: key_in_order(key), row: start + place as u32 };
            let is_before = last.as_ref().is_none_or(|last| match row.key.cmp(&last.key) {
                Ordering::Less => true,
                Ordering::Equal if is_text => {
                    compare_texts(file, order, row.row, last.row, budget).then(row.row.cmp(&last.row)).is_lt()
                }
                Ordering::Equal => row.row < last.row,
                Ordering::Greater => false,
            });
            if is_before {
                fresh.push(row);
            }
        };
        let is_set = |row: &usize| !column.is_null(*row);
        match &places {
            Places::Range(range) => {
                for_each_key(&column.values, range.clone().filter(is_set), text_key, &mut offer)
            }
            Places::List(list) => {
                let rows = list.iter().map(|place| *place as usize);
                for_each_key(&column.values, rows.filter(is_set), text_key, &mut offer);
            }
        }
        self.fresh = fresh;
        if last.is_none() && (column.nulls().is_some() || matches!(column.values, Values::Null)) {
            let missing = self.wanted.saturating_sub(self.null_rows.len());
            let nulls = places.iter().filter(|row| column.is_null(*row)).take(missing);
            self.null_rows.extend(nulls.map(|row| start + row as u32));
        }
    }

    fn is_full(&self) -> bool {
        self.fresh.len() >= fresh_limit(self.wanted)
    }
}

fn fresh_limit(wanted: usize) -> usize {
    FRESH_ROWS.max(wanted / 4)
}

/// Compares the texts of two rows with equal keys.
fn compare_texts(file: &ArrowFile, order: RowOrder, left: u32, right: u32, budget: &mut Budget) -> Ordering {
    budget.spend(COMPARED_TEXT_STEPS);
    let texts = text_of(file, order.column, left, |left| {
        text_of(file, order.column, right, |right| {
            budget.spend(left.len().min(right.len()) as u64 / COMPARED_BYTES_PER_STEP);
            left.cmp(right)
        })
    });
    if order.is_descending { texts.reverse() } else { texts }
}

/// The text of a row whose key equals another's.
fn text_of<T>(file: &ArrowFile, column: usize, row: u32, read: impl FnOnce(&[u8]) -> T) -> T {
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
