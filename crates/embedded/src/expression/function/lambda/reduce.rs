//! `reduce`: folds the elements of each row into a state, for one position of all rows after another.

use std::cmp::Reverse;

use polars::prelude::{IdxCa, IdxSize, NewChunkedArray, PolarsResult, Series};

use super::body::{Body, Captured};
use super::lists::Lists;
use crate::column::as_index;

pub(super) fn reduce(
    lists: &Lists,
    initial: &Series,
    step: &Body,
    last: &Body,
    captured: &Captured,
) -> PolarsResult<Series> {
    // The longest rows come first, so that the rows that still have an element are a prefix.
    let mut rows: Vec<usize> = (0..lists.rows()).filter(|row| !lists.is_null(*row)).collect();
    rows.sort_by_key(|row| Reverse(lists.length(*row)));
    let indexes: Vec<IdxSize> = rows.iter().map(|row| as_index(*row)).collect();
    let mut state = initial.take_slice(&indexes)?;
    // The states of rows without further elements, the shortest rows first.
    let mut ended: Vec<Series> = Vec::new();
    for position in 0.. {
        let open = rows.partition_point(|row| lists.length(*row) > position);
        if open < state.len() {
            ended.push(state.slice(i64::from(as_index(open)), state.len() - open));
            state = state.slice(0, open);
        }
        if open == 0 {
            break;
        }
        let places: Vec<IdxSize> = rows[..open].iter().map(|row| lists.place(*row, position)).collect();
        state = step.evaluate(vec![state, lists.take(&places)?], captured, &indexes[..open])?;
    }
    for part in ended.iter().rev() {
        state.append(part)?;
    }
    let values = last.evaluate(vec![state.rechunk()], captured, &indexes)?;
    let mut places = vec![None; lists.rows()];
    for (place, row) in rows.iter().enumerate() {
        places[*row] = Some(as_index(place));
    }
    values.take(&IdxCa::from_iter_options("".into(), places.into_iter()))
}
