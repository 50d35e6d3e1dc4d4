//! `transform`, `filter` and `zip_with`.

use polars::prelude::{IdxSize, PolarsResult, Series};

use super::body::{Body, Captured};
use super::lists::{Lists, build_lists, kept_where};
use crate::column::as_index;

pub(super) fn transform(lists: &Lists, body: &Body, captured: &Captured) -> PolarsResult<Series> {
    let (items, rows) = lists.flat()?;
    let values = body.evaluate(vec![items], captured, &rows)?;
    build_lists(lists.lengths(), &values)
}

pub(super) fn filter(lists: &Lists, body: &Body, captured: &Captured) -> PolarsResult<Series> {
    let (items, rows) = lists.flat()?;
    let is_kept = body.evaluate(vec![items.clone()], captured, &rows)?;
    kept_where(lists, &items, rows, &is_kept)
}

/// NULL if one of the arrays is NULL; the shorter array is padded with NULL.
pub(super) fn zip_with(arrays: [&Lists; 2], body: &Body, captured: &Captured) -> PolarsResult<Series> {
    let [left, right] = arrays;
    let lengths: Vec<Option<usize>> = (0..left.rows())
        .map(|row| {
            let is_null = left.is_null(row) || right.is_null(row);
            (!is_null).then(|| left.length(row).max(right.length(row)))
        })
        .collect();
    let mut rows: Vec<IdxSize> = Vec::new();
    for (row, length) in lengths.iter().enumerate() {
        rows.extend(std::iter::repeat_n(as_index(row), length.unwrap_or(0)));
    }
    let items = |lists: &Lists| {
        let places = lengths.iter().enumerate().flat_map(|(row, length)| {
            (0..length.unwrap_or(0))
                .map(move |position| (position < lists.length(row)).then(|| lists.place(row, position)))
        });
        lists.take_or_null(places)
    };
    let values = body.evaluate(vec![items(left)?, items(right)?], captured, &rows)?;
    build_lists(lengths, &values)
}
