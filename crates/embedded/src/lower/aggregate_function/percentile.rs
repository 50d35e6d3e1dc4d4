//! Percentiles of the sorted values of groups.

use polars::prelude::{Column, DataType, Expr, IdxCa, IdxSize, IntoColumn, PolarsResult};
use polars_arrow::array::Array;

use crate::lower::accumulator::{not_finite, percentile_place};

/// The value at a fraction of the sorted values of each list; NULL for an empty list.
///
/// # Errors
///
/// A list has a number that is not finite.
pub(super) fn percentile(sorted: Expr, fraction: f64) -> Expr {
    sorted.map(
        move |lists| of_lists(&lists, fraction),
        |_, field| {
            let inner = field.dtype().inner_dtype().cloned().unwrap_or(DataType::Null);
            Ok(polars::prelude::Field::new(field.name().clone(), inner))
        },
    )
}

fn of_lists(lists: &Column, fraction: f64) -> PolarsResult<Column> {
    let lists = lists.as_materialized_series().list()?.rechunk();
    let array = lists.downcast_as_array();
    let values = lists.get_inner();
    let mut places: Vec<Option<IdxSize>> = Vec::with_capacity(array.len());
    for (row, ends) in array.offsets().as_slice().windows(2).enumerate() {
        let [first, end] = [ends[0], ends[1]].map(|offset| usize::try_from(offset).unwrap_or(0));
        if first == end || array.is_null(row) {
            places.push(None);
            continue;
        }
        // Sorted values have NaN at the end.
        for place in [first, end - 1] {
            if values.dtype().is_float()
                && let Some(number) = values.get(place)?.extract::<f64>().filter(|number| !number.is_finite())
            {
                return Err(not_finite(number));
            }
        }
        let place = first + percentile_place(end - first, fraction);
        places.push(IdxSize::try_from(place).ok());
    }
    let places: IdxCa = places.into_iter().collect();
    Ok(values.take(&places)?.with_name(lists.name().clone()).into_column())
}
