//! `array_sort` with a function that compares: runs of all rows are merged at once, each element finding its place in the
//! other run by halving it. An array of n elements takes about the square of log n evaluations of the function. Where a
//! function is no order, so that two elements find the same place, a short array is sorted as Java sorts it.

use polars::prelude::{IdxSize, PolarsResult, Series};

use super::super::invalid;
use super::body::{Body, Captured};
use super::lists::{Lists, as_index, build_lists};

/// An element on its way into a merged run.
struct Search {
    row: IdxSize,
    /// Among the elements of all rows.
    element: IdxSize,
    is_left: bool,
    /// Where it would stand without the other run.
    base: usize,
    /// Of the other run: how many elements of it stand before this one is between these two.
    other: usize,
    least: usize,
    most: usize,
}

pub(super) fn sort(lists: &Lists, compare: &Body, captured: &Captured) -> PolarsResult<Series> {
    let mut order: Vec<IdxSize> = Vec::new();
    // The first place of each row in `order`, and its length.
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
    for (row, (start, length)) in rows.iter().enumerate().filter(|(row, _)| is_wild[*row]) {
        let elements = (0..*length).map(|position| lists.place(row, position)).collect();
        let compare = |later: IdxSize, earlier: IdxSize| {
            let operands = vec![lists.take(&[later])?, lists.take(&[earlier])?];
            let signs = compare.evaluate(operands, captured, &[as_index(row)])?;
            sign(signs.i32()?.get(0))
        };
        order[*start..start + length].copy_from_slice(&as_java_sorts(elements, compare)?);
    }
    build_lists(lists.lengths(), &lists.take(&order)?)
}

/// Finds how many elements of the other run stand before each element. Of equal ones the left stands first.
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
        // The later element is compared with the earlier one, as Java's sort does.
        let signs = compare.evaluate(vec![lists.take(&right)?, lists.take(&left)?], captured, &rows)?;
        for (search, sign) in open.iter_mut().zip(signs.i32()?.iter()) {
            let is_right_first = self::sign(sign)?;
            let middle = usize::midpoint(search.least, search.most);
            // Elements of the other run up to the middle stand before this one.
            if search.is_left == is_right_first {
                search.least = middle + 1;
            } else {
                search.most = middle;
            }
        }
    }
}

/// Whether the first of two elements is less.
fn sign(sign: Option<i32>) -> PolarsResult<bool> {
    match sign {
        Some(-1) => Ok(true),
        Some(0 | 1) => Ok(false),
        _ => Err(invalid("Lambda comparator must return either -1, 0, or 1")),
    }
}

/// Elements that Java sorts by insertion; of more it may tell that the function is no order, and so does this.
const MOST_INSERTED: usize = 31;

/// The elements as Java's `TimSort` orders so few of them: a first run that goes up or down, then insertion.
fn as_java_sorts(
    mut elements: Vec<IdxSize>,
    is_less: impl Fn(IdxSize, IdxSize) -> PolarsResult<bool>,
) -> PolarsResult<Vec<IdxSize>> {
    if elements.len() > MOST_INSERTED {
        return Err(invalid("Comparison method violates its general contract!"));
    }
    let mut run = elements.len().min(2);
    if run == 2 {
        let is_down = is_less(elements[1], elements[0])?;
        while run < elements.len() && is_less(elements[run], elements[run - 1])? == is_down {
            run += 1;
        }
        if is_down {
            elements[..run].reverse();
        }
    }
    for start in run..elements.len() {
        let pivot = elements[start];
        let (mut left, mut right) = (0, start);
        while left < right {
            let middle = usize::midpoint(left, right);
            if is_less(pivot, elements[middle])? {
                right = middle;
            } else {
                left = middle + 1;
            }
        }
        elements[left..=start].rotate_right(1);
    }
    Ok(elements)
}
