//! `array_sort` with a comparator: sorted runs of all rows are merged at once; each element finds its position in the
//! other run by binary search. An array of n elements takes about log² n evaluations of the function. If the comparator
//! is not an order, so that two elements find the same position, a short array is sorted as Java sorts it.

use polars::prelude::{IdxSize, PolarsResult, Series};

use super::super::invalid;
use super::body::{Body, Captured};
use super::lists::{Lists, build_lists};
use crate::column::as_index;

/// The search for an element's position in a merged run.
struct Search {
    row: IdxSize,
    /// The index among the elements of all rows.
    element: IdxSize,
    is_left: bool,
    /// The position without the elements of the other run.
    base: usize,
    /// The first index of the other run. The number of its elements before this one is between `least` and `most`.
    other: usize,
    least: usize,
    most: usize,
}

pub(super) fn sort(lists: &Lists, compare: &Body, captured: &Captured) -> PolarsResult<Series> {
    let mut order: Vec<IdxSize> = Vec::new();
    // For each row the first index in `order`, and the length.
    let mut rows: Vec<(usize, usize)> = Vec::with_capacity(lists.rows());
    for row in 0..lists.rows() {
        rows.push((order.len(), lists.length(row)));
        order.extend((0..lists.length(row)).map(|position| lists.place(row, position)));
    }
    let mut is_wild = vec![false; rows.len()];
    let longest = rows.iter().map(|(_, length)| *length).max().unwrap_or(0);
    let mut width = 1;
    while width < longest {
        let mut searches = Vec::new();
        for (row, (start, length)) in rows.iter().enumerate().filter(|(row, _)| !is_wild[*row]) {
            for run in (0..*length).step_by(2 * width).filter(|run| run + width < *length) {
                let middle = run + width;
                let end = (middle + width).min(*length);
                for position in run..end {
                    let is_left = position < middle;
                    let base = if is_left { start + position } else { start + position - width };
                    searches.push(Search {
                        row: as_index(row),
                        element: order[start + position],
                        is_left,
                        base,
                        other: start + if is_left { middle } else { run },
                        least: 0,
                        most: if is_left { end - middle } else { width },
                    });
                }
            }
        }
        search(&mut searches, &order, lists, compare, captured)?;
        let mut is_taken = vec![false; order.len()];
        for found in searches {
            let place = found.base + found.least;
            if std::mem::replace(&mut is_taken[place], true) {
                is_wild[found.row as usize] = true;
            }
            order[place] = found.element;
        }
        width *= 2;
    }
    let wild = rows.iter().enumerate().filter(|(row, _)| is_wild[*row]).map(|(row, (_, length))| {
        let elements = (0..*length).map(|position| lists.place(row, position)).collect();
        Insertion::new(as_index(row), elements)
    });
    let mut wild = wild.collect::<PolarsResult<Vec<_>>>()?;
    insert(&mut wild, |rows, later, earlier| {
        let signs = compare.evaluate(vec![lists.take(later)?, lists.take(earlier)?], captured, rows)?;
        signs.i32()?.iter().map(sign).collect()
    })?;
    for Insertion { row, elements, .. } in wild {
        let (start, length) = rows[row as usize];
        order[start..start + length].copy_from_slice(&elements);
    }
    build_lists(lists.lengths(), &lists.take(&order)?)
}

/// Finds the number of elements of the other run before each element. Of equal elements the left one comes first.
fn search(
    searches: &mut [Search],
    order: &[IdxSize],
    lists: &Lists,
    compare: &Body,
    captured: &Captured,
) -> PolarsResult<()> {
    loop {
        let mut open: Vec<&mut Search> =
            searches.iter_mut().filter(|search| search.least < search.most).collect();
        if open.is_empty() {
            return Ok(());
        }
        let rows: Vec<IdxSize> = open.iter().map(|search| search.row).collect();
        let (mut right, mut left) = (Vec::with_capacity(open.len()), Vec::with_capacity(open.len()));
        for search in &open {
            let other = order[search.other + usize::midpoint(search.least, search.most)];
            let (on_left, on_right) =
                if search.is_left { (search.element, other) } else { (other, search.element) };
            left.push(on_left);
            right.push(on_right);
        }
        // The later element is the first argument, as in Java's sort.
        let signs = compare.evaluate(vec![lists.take(&right)?, lists.take(&left)?], captured, &rows)?;
        for (search, sign) in open.iter_mut().zip(signs.i32()?.iter()) {
            let is_right_first = self::sign(sign)?;
            let middle = usize::midpoint(search.least, search.most);
            // Elements of the other run up to the middle come before this one.
            if search.is_left == is_right_first {
                search.least = middle + 1;
            } else {
                search.most = middle;
            }
        }
    }
}

/// Whether the first of two elements is less, by the comparator's result.
fn sign(sign: Option<i32>) -> PolarsResult<bool> {
    match sign {
        Some(-1) => Ok(true),
        Some(0 | 1) => Ok(false),
        _ => Err(invalid("Lambda comparator must return either -1, 0, or 1")),
    }
}

/// Number of elements up to which Java sorts by insertion. For longer arrays Java may report that the function is not
/// an order, and so does this sort.
const MOST_INSERTED: usize = 31;

/// An array that is sorted as Java's `TimSort` sorts so few elements: an ascending or descending initial run, then
/// insertion.
struct Insertion {
    row: IdxSize,
    elements: Vec<IdxSize>,
    /// The number of elements at the beginning that are in order.
    sorted: usize,
    stage: Stage,
}

#[derive(Clone, Copy)]
enum Stage {
    /// Extends the initial run; `is_down` is whether it descends, once that is known.
    Run { is_down: Option<bool> },
    /// Searches the position of the next element between these two.
    Insert { left: usize, right: usize },
}

impl Insertion {
    fn new(row: IdxSize, elements: Vec<IdxSize>) -> PolarsResult<Self> {
        if elements.len() > MOST_INSERTED {
            return Err(invalid("Comparison method violates its general contract!"));
        }
        Ok(Self { row, elements, sorted: 1, stage: Stage::Run { is_down: None } })
    }

    /// The two elements to compare next: is the first one less? `None` once all are in order.
    fn next_pair(&self) -> Option<(IdxSize, IdxSize)> {
        let next = *self.elements.get(self.sorted)?;
        let other = match self.stage {
            Stage::Run { .. } => self.sorted - 1,
            Stage::Insert { left, right } => usize::midpoint(left, right),
        };
        Some((next, self.elements[other]))
    }

    /// Continues with the result of the comparison.
    fn advance(&mut self, is_less: bool) {
        match self.stage {
            Stage::Run { is_down } => {
                let is_down = is_down.unwrap_or(is_less);
                let goes_on = is_down == is_less;
                self.sorted += usize::from(goes_on);
                self.stage = Stage::Run { is_down: Some(is_down) };
                if !goes_on || self.sorted == self.elements.len() {
                    if is_down {
                        self.elements[..self.sorted].reverse();
                    }
                    self.stage = Stage::Insert { left: 0, right: self.sorted };
                }
            }
            Stage::Insert { left, right } => {
                let middle = usize::midpoint(left, right);
                let (left, right) = if is_less { (left, middle) } else { (middle + 1, right) };
                self.stage = Stage::Insert { left, right };
                if left == right {
                    self.elements[left..=self.sorted].rotate_right(1);
                    self.sorted += 1;
                    self.stage = Stage::Insert { left: 0, right: self.sorted };
                }
            }
        }
    }
}

/// Sorts all arrays together. `are_less` compares one pair of each array, by rows, later and earlier elements: is the
/// later one less?
fn insert(
    arrays: &mut [Insertion],
    are_less: impl Fn(&[IdxSize], &[IdxSize], &[IdxSize]) -> PolarsResult<Vec<bool>>,
) -> PolarsResult<()> {
    loop {
        let mut open = Vec::new();
        let (mut rows, mut later, mut earlier) = (Vec::new(), Vec::new(), Vec::new());
        for array in &mut *arrays {
            let Some((next, other)) = array.next_pair() else { continue };
            rows.push(array.row);
            later.push(next);
            earlier.push(other);
            open.push(array);
        }
        if open.is_empty() {
            return Ok(());
        }
        let answers = are_less(&rows, &later, &earlier)?;
        open.into_iter().zip(answers).for_each(|(array, is_less)| array.advance(is_less));
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// Sorts as Java does, with one comparison after another.
    fn one_by_one(mut elements: Vec<IdxSize>, is_less: impl Fn(IdxSize, IdxSize) -> bool) -> Vec<IdxSize> {
        let mut run = elements.len().min(2);
        if run == 2 {
            let is_down = is_less(elements[1], elements[0]);
            while run < elements.len() && is_less(elements[run], elements[run - 1]) == is_down {
                run += 1;
            }
            if is_down {
                elements[..run].reverse();
            }
        }
        for start in run..elements.len() {
            let (mut left, mut right) = (0, start);
            while left < right {
                let middle = usize::midpoint(left, right);
                if is_less(elements[start], elements[middle]) {
                    right = middle;
                } else {
                    left = middle + 1;
                }
            }
            elements[left..=start].rotate_right(1);
        }
        elements
    }

    /// Regression: a thousand arrays took a thousand times as many evaluations as one array.
    #[test]
    fn arrays_without_a_consistent_order_are_sorted_together() {
        // The function is not transitive.
        let is_less =
            |row: IdxSize, later: IdxSize, earlier: IdxSize| (later * 7 + earlier * 3 + row) % 5 < 2;
        let array = |row: IdxSize| (0..row % 32).map(|place| place * 13 % 31).collect::<Vec<_>>();
        let arrays = (0..1000).map(|row| Insertion::new(row, array(row)));
        let mut arrays = arrays.collect::<PolarsResult<Vec<_>>>().expect("short arrays");
        let evaluations = Cell::new(0);
        insert(&mut arrays, |rows, later, earlier| {
            evaluations.set(evaluations.get() + 1);
            let pairs = rows.iter().zip(later.iter().zip(earlier));
            Ok(pairs.map(|(row, (later, earlier))| is_less(*row, *later, *earlier)).collect())
        })
        .expect("no comparison fails");
        assert!(evaluations.get() < 32 * 6, "{} evaluations", evaluations.get());
        for Insertion { row, elements, .. } in arrays {
            let expected = one_by_one(array(row), |later, earlier| is_less(row, later, earlier));
            assert_eq!(elements, expected, "{row}");
        }
    }
}
