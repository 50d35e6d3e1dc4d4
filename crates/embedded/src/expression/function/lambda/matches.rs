//! `any_match`, `all_match` and `none_match`. Trino does not evaluate elements after the deciding one, so errors there
//! must not occur: if any element fails, the elements are evaluated again, position by position.

use polars::prelude::{BooleanChunked, IdxSize, IntoSeries, NewChunkedArray, PolarsResult, Series};

use super::body::{Body, Captured};
use super::lists::Lists;
use crate::column::as_index;

/// The function.
#[derive(Clone, Copy)]
pub(super) struct Quantifier {
    /// The value of an element that decides.
    decisive: bool,
    /// The result in that case; otherwise the opposite or, if the value of an element is NULL, NULL.
    answer: bool,
}

/// The state of a row.
#[derive(Clone, Copy, Default)]
struct Found {
    is_decided: bool,
    has_null: bool,
}

impl Found {
    /// Adds the value of an element.
    fn see(&mut self, value: Option<bool>, decisive: bool) {
        match value {
            Some(value) => self.is_decided |= value == decisive,
            None => self.has_null = true,
        }
    }
}

impl Quantifier {
    pub(super) const ANY: Self = Self { decisive: true, answer: true };
    pub(super) const ALL: Self = Self { decisive: false, answer: false };
    pub(super) const NONE: Self = Self { decisive: true, answer: false };

    pub(super) fn apply(self, lists: &Lists, body: &Body, captured: &Captured) -> PolarsResult<Series> {
        let found = match self.at_once(lists, body, captured) {
            Ok(found) => found,
            Err(_) => self.by_position(lists, body, captured)?,
        };
        let answers = found.iter().enumerate().map(|(row, found)| {
            if lists.is_null(row) {
                None
            } else if found.is_decided {
                Some(self.answer)
            } else {
                (!found.has_null).then_some(!self.answer)
            }
        });
        Ok(BooleanChunked::from_iter_options("".into(), answers).into_series())
    }

    fn at_once(self, lists: &Lists, body: &Body, captured: &Captured) -> PolarsResult<Vec<Found>> {
        let (items, rows) = lists.flat()?;
        let values = body.evaluate(vec![items], captured, &rows)?;
        let mut found = vec![Found::default(); lists.rows()];
        for (value, row) in values.bool()?.iter().zip(rows) {
            found[row as usize].see(value, self.decisive);
        }
        Ok(found)
    }

    fn by_position(self, lists: &Lists, body: &Body, captured: &Captured) -> PolarsResult<Vec<Found>> {
        let mut found = vec![Found::default(); lists.rows()];
        let mut open: Vec<usize> = (0..lists.rows()).collect();
        for position in 0.. {
            open.retain(|row| !found[*row].is_decided && position < lists.length(*row));
            if open.is_empty() {
                break;
            }
            let rows: Vec<IdxSize> = open.iter().map(|row| as_index(*row)).collect();
            let places: Vec<IdxSize> = open.iter().map(|row| lists.place(*row, position)).collect();
            let values = body.evaluate(vec![lists.take(&places)?], captured, &rows)?;
            for (value, row) in values.bool()?.iter().zip(&open) {
                found[*row].see(value, self.decisive);
            }
        }
        Ok(found)
    }
}
