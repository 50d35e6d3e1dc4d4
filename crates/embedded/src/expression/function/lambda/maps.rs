//! `map_filter`, `transform_keys`, `transform_values` and `map_zip_with`, over maps as lists of rows of a key and a
//! value.

use std::cmp::Ordering;

use polars::prelude::{IdxSize, IntoSeries, PolarsResult, Series, StructChunked};

use super::super::map::checked;
use super::body::{Body, Captured};
use super::lists::{Lists, build_lists, kept_where};
use crate::column::as_index;
use crate::data_type::storage;
use crate::datum::{Datum, Reader, build, compare};
use rowhouse_sql::types::Type;

/// The keys and values of entries.
fn parts(entries: &Series) -> PolarsResult<(Series, Series)> {
    let rows = entries.struct_()?;
    Ok((rows.field_by_name("key")?, rows.field_by_name("value")?))
}

fn entries(keys: Series, values: Series) -> PolarsResult<Series> {
    let (keys, values) = (keys.with_name("key".into()), values.with_name("value".into()));
    Ok(StructChunked::from_series("item".into(), keys.len(), [keys, values].iter())?.into_series())
}

pub(super) fn filter(maps: &Lists, body: &Body, captured: &Captured) -> PolarsResult<Series> {
    let (items, rows) = maps.flat()?;
    let (keys, values) = parts(&items)?;
    let is_kept = body.evaluate(vec![keys, values], captured, &rows)?;
    kept_where(maps, &items, rows, &is_kept)
}

pub(super) fn transform_values(maps: &Lists, body: &Body, captured: &Captured) -> PolarsResult<Series> {
    let (items, rows) = maps.flat()?;
    let (keys, values) = parts(&items)?;
    let values = body.evaluate(vec![keys.clone(), values], captured, &rows)?;
    build_lists(maps.lengths(), &entries(keys, values)?)
}

/// Fails if a new key is NULL or duplicate in its map; sorts the entries by the new keys.
pub(super) fn transform_keys(
    maps: &Lists,
    body: &Body,
    captured: &Captured,
    output: &Type,
) -> PolarsResult<Series> {
    let Type::Map(key_type, _) = output else {
        return Ok(Series::full_null("".into(), maps.rows(), &storage(output)));
    };
    let (items, rows) = maps.flat()?;
    let (keys, values) = parts(&items)?;
    let keys = body.evaluate(vec![keys, values.clone()], captured, &rows)?;
    let unordered = build_lists(maps.lengths(), &entries(keys, values)?)?;
    let reader = Reader::new(&unordered, output)?;
    let mut checked_maps = Vec::with_capacity(maps.rows());
    for row in 0..maps.rows() {
        checked_maps.push(match reader.get(row).into_owned() {
            Datum::Array(entries) => checked(entries, key_type)?,
            other => other,
        });
    }
    build("".into(), checked_maps, output)
}

/// NULL if one of the maps is NULL. The value of a key that only one map has is NULL for the other one.
pub(super) fn zip_with(
    maps: [&Lists; 2],
    body: &Body,
    captured: &Captured,
    key_type: &Type,
) -> PolarsResult<Series> {
    let [left, right] = maps;
    let ((left_items, _), (right_items, _)) = (left.flat()?, right.flat()?);
    let ((left_keys, left_values), (right_keys, right_values)) = (parts(&left_items)?, parts(&right_items)?);
    let (left_reader, right_reader) =
        (Reader::new(&left_keys, key_type)?, Reader::new(&right_keys, key_type)?);
    let (mut left_start, mut right_start) = (0, 0);
    let (mut lengths, mut rows, mut keys) = (Vec::new(), Vec::new(), Vec::new());
    let (mut left_places, mut right_places): (Vec<Option<IdxSize>>, Vec<Option<IdxSize>>) =
        (Vec::new(), Vec::new());
    for row in 0..left.rows() {
        let (left_end, right_end) = (left_start + left.length(row), right_start + right.length(row));
        let before = keys.len();
        let is_null = left.is_null(row) || right.is_null(row);
        let (mut of_left, mut of_right) = (left_start, right_start);
        while !is_null && (of_left < left_end || of_right < right_end) {
            let order = if of_left == left_end {
                Ordering::Greater
            } else if of_right == right_end {
                Ordering::Less
            } else {
                compare(&left_reader.get(of_left), &right_reader.get(of_right))
            };
            let key = if order.is_gt() { right_reader.get(of_right) } else { left_reader.get(of_left) };
            keys.push(key.into_owned());
            rows.push(as_index(row));
            left_places.push(order.is_le().then(|| as_index(of_left)));
            right_places.push(order.is_ge().then(|| as_index(of_right)));
            of_left += usize::from(order.is_le());
            of_right += usize::from(order.is_ge());
        }
        lengths.push((!is_null).then(|| keys.len() - before));
        (left_start, right_start) = (left_end, right_end);
    }
    let keys = build("".into(), keys, key_type)?;
    let stored = storage(key_type);
    let keys = if *keys.dtype() == stored { keys } else { keys.cast(&stored)? };
    let taken = |values: &Series, places: Vec<Option<IdxSize>>| {
        values.take(&polars::prelude::NewChunkedArray::from_iter_options("".into(), places.into_iter()))
    };
    let values = vec![keys.clone(), taken(&left_values, left_places)?, taken(&right_values, right_places)?];
    let values = body.evaluate(values, captured, &rows)?;
    build_lists(lengths, &entries(keys, values)?)
}
