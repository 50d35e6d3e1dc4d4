//! Splits a column of lists: the range of each row's elements, and all elements.

use polars::prelude::{
    CompatLevel, DataType, IdxCa, IdxSize, NewChunkedArray, PlSmallStr, PolarsResult, Series,
};
use polars_arrow::array::{Array, ListArray};
use polars_arrow::bitmap::Bitmap;
use polars_arrow::offset::OffsetsBuffer;

use crate::column::as_index;

/// The lists of some rows.
pub(super) struct Lists {
    /// For each row the index of its first element and their number; `None` for NULL.
    ranges: Vec<Option<(usize, usize)>>,
    items: Series,
}

impl Lists {
    /// Reads a column, which becomes one chunk.
    pub(super) fn of(series: &Series) -> PolarsResult<Self> {
        if *series.dtype() == DataType::Null {
            return Ok(Self { ranges: vec![None; series.len()], items: series.slice(0, 0) });
        }
        let series = series.rechunk();
        let lists = series.list()?;
        let array = lists.downcast_as_array();
        let index = |offset: i64| usize::try_from(offset).unwrap_or(0);
        let offsets = array.offsets().as_slice();
        let ranges = offsets.windows(2).enumerate().map(|(row, ends)| {
            (!array.is_null(row)).then(|| (index(ends[0]), index(ends[1]) - index(ends[0])))
        });
        Ok(Self { ranges: ranges.collect(), items: lists.get_inner() })
    }

    pub(super) fn rows(&self) -> usize {
        self.ranges.len()
    }

    pub(super) fn is_null(&self, row: usize) -> bool {
        self.ranges[row].is_none()
    }

    /// The number of elements of a row; 0 for NULL.
    pub(super) fn length(&self, row: usize) -> usize {
        self.ranges[row].map_or(0, |(_, length)| length)
    }

    /// The number of elements of each row; `None` for NULL.
    pub(super) fn lengths(&self) -> Vec<Option<usize>> {
        self.ranges.iter().map(|range| range.map(|(_, length)| length)).collect()
    }

    /// The index of an element among the elements of all rows.
    pub(super) fn place(&self, row: usize, position: usize) -> IdxSize {
        as_index(self.ranges[row].map_or(0, |(start, _)| start) + position)
    }

    /// The elements at these indexes.
    pub(super) fn take(&self, places: &[IdxSize]) -> PolarsResult<Series> {
        self.items.take_slice(places)
    }

    /// The elements at these indexes; NULL for `None`.
    pub(super) fn take_or_null(&self, places: impl Iterator<Item = Option<IdxSize>>) -> PolarsResult<Series> {
        self.items.take(&IdxCa::from_iter_options("".into(), places))
    }

    /// The elements of all rows, and the row of each.
    pub(super) fn flat(&self) -> PolarsResult<(Series, Vec<IdxSize>)> {
        let (mut rows, mut places) = (Vec::new(), Vec::new());
        for (row, range) in self.ranges.iter().enumerate() {
            let (start, length) = range.unwrap_or((0, 0));
            rows.extend(std::iter::repeat_n(as_index(row), length));
            places.extend((start..start + length).map(as_index));
        }
        let is_gapless = places.windows(2).all(|pair| pair[1] == pair[0] + 1);
        let items = match places.first() {
            Some(first) if is_gapless => self.items.slice(i64::from(*first), places.len()),
            _ => self.items.take_slice(&places)?,
        };
        Ok((items, rows))
    }
}

/// Lists of the elements for which a condition is TRUE. `items` and `rows` are results of `flat`.
pub(super) fn kept_where(
    lists: &Lists,
    items: &Series,
    rows: Vec<IdxSize>,
    is_kept: &Series,
) -> PolarsResult<Series> {
    let mut lengths: Vec<Option<usize>> = lists.lengths().iter().map(|length| length.map(|_| 0)).collect();
    let mut kept: Vec<IdxSize> = Vec::new();
    for (place, (is_kept, row)) in is_kept.bool()?.iter().zip(rows).enumerate() {
        if is_kept == Some(true) {
            kept.push(as_index(place));
            if let Some(length) = &mut lengths[row as usize] {
                *length += 1;
            }
        }
    }
    build_lists(lengths, &items.take_slice(&kept)?)
}

/// Builds lists of these lengths (`None` for NULL) from consecutive elements.
pub(super) fn build_lists(
    lengths: impl IntoIterator<Item = Option<usize>>,
    items: &Series,
) -> PolarsResult<Series> {
    let (mut offsets, mut is_valid) = (vec![0_i64], Vec::new());
    let mut end = 0_usize;
    for length in lengths {
        is_valid.push(length.is_some());
        end += length.unwrap_or(0);
        offsets.push(i64::try_from(end).unwrap_or(i64::MAX));
    }
    let items = items.rechunk().to_arrow(0, CompatLevel::newest());
    let data_type = ListArray::<i64>::default_datatype(items.dtype().clone());
    let validity = Some(Bitmap::from_iter(is_valid));
    let lists = ListArray::<i64>::new(data_type, OffsetsBuffer::try_from(offsets)?, items, validity);
    Series::try_from((PlSmallStr::EMPTY, Box::new(lists) as Box<dyn Array>))
}
