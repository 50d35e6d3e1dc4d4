//! Rows by a unique integer or date: an array from each number to its row, where the numbers are close together. A lookup
//! takes a nanosecond, and the probing rows are not copied, as a hash join copies them.

use std::sync::Arc;

use polars::prelude::{ChunkAgg as _, Column, Expr, IdxCa, IdxSize, IntoColumn, PlSmallStr, PolarsResult};
use polars_arrow::array::PrimitiveArray;
use polars_arrow::bitmap::Bitmap;
use polars_arrow::compute::utils::combine_validities_and;

use super::dynamic_filter::{for_each_number, longs, whole_numbers};
use super::kernel;

/// Maximum number of places of the array: 16 MiB.
const MAX_PLACES: usize = 1 << 22;
/// The place of a number without a row.
const NO_ROW: IdxSize = IdxSize::MAX;

/// The row of each key.
#[derive(Clone, Debug)]
pub(crate) struct Lookup {
    least: i64,
    rows: Arc<Vec<IdxSize>>,
}

impl Lookup {
    /// `None` if the keys are not integers or dates, if two are equal, or if their range is too large. NULL keys have no
    /// match.
    pub(crate) fn of(keys: &Column) -> PolarsResult<Option<Self>> {
        let Some(keys) = whole_numbers(keys)? else { return Ok(None) };
        let Some((least, most)) = keys.min_max() else {
            return Ok(Some(Self { least: 0, rows: Arc::default() }));
        };
        let Some(places) = usize::try_from(most.abs_diff(least)).ok().filter(|last| *last < MAX_PLACES)
        else {
            return Ok(None);
        };
        let mut rows = vec![NO_ROW; places + 1];
        let (mut first_row, mut is_unique) = (0, true);
        for array in keys.downcast_iter() {
            for_each_number(array, |row, key| {
                let slot = &mut rows[place(key, least)];
                is_unique &= *slot == NO_ROW;
                *slot = row_number(first_row + row);
            });
            if !is_unique {
                return Ok(None);
            }
            first_row += array.len();
        }
        Ok(Some(Self { least, rows: rows.into() }))
    }

    /// The values of the rows that have the keys; NULL for a key without a row.
    pub(crate) fn values(&self, key: Expr, values: &Column) -> Expr {
        let (lookup, values) = (self.clone(), values.as_materialized_series().rechunk());
        kernel(key, &[], values.dtype().clone(), move |columns| {
            let keys = longs(&columns[0].to_physical_repr())?;
            Ok(values.take(&lookup.rows(&keys))?.with_name(columns[0].name().clone()).into_column())
        })
    }

    /// The row of each key; NULL for a key without a row.
    fn rows(&self, keys: &PrimitiveArray<i64>) -> IdxCa {
        let rows: Vec<IdxSize> = keys.values().iter().map(|key| self.row(*key)).collect();
        let has_row = Bitmap::from_trusted_len_iter(rows.iter().map(|row| *row != NO_ROW));
        let validity = combine_validities_and(Some(&has_row), keys.validity());
        IdxCa::from_vec_validity(PlSmallStr::EMPTY, rows, validity)
    }

    fn row(&self, key: i64) -> IdxSize {
        self.rows.get(place(key, self.least)).copied().unwrap_or(NO_ROW)
    }
}

/// The place of a key; for a key below the least one, this wraps to a place beyond the greatest one's.
#[expect(clippy::cast_possible_truncation, reason = "as many places as there are in 64 bits of memory")]
const fn place(key: i64, least: i64) -> usize {
    key.wrapping_sub(least).cast_unsigned() as usize
}

/// OK because Polars has no frame of more rows.
#[expect(clippy::cast_possible_truncation, reason = "a row of a frame")]
const fn row_number(row: usize) -> IdxSize {
    row as IdxSize
}

#[cfg(test)]
mod tests {
    use polars::prelude::{IntoLazy as _, col, df};

    use super::*;

    fn keys(keys: &[Option<i64>]) -> Column {
        Column::new("k".into(), keys)
    }

    #[test]
    fn values_are_found_by_key_and_absent_keys_have_none() {
        let lookup =
            Lookup::of(&keys(&[Some(7), None, Some(-3), Some(0)])).expect("keys").expect("unique keys");
        let values = Column::new("v".into(), &["seven", "null", "minus three", "zero"]);
        let probe =
            df!("p" => [Some(0_i64), Some(1), None, Some(7), Some(-3), Some(i64::MIN), Some(i64::MAX)]);
        let found = probe.expect("a frame").lazy().select([lookup.values(col("p"), &values)]).collect();
        let found: Vec<Option<String>> = found.expect("values").columns()[0]
            .str()
            .expect("texts")
            .iter()
            .map(|text| text.map(str::to_owned))
            .collect();
        let expected = [Some("zero"), None, None, Some("seven"), Some("minus three"), None, None];
        assert_eq!(found, expected.map(|text| text.map(str::to_owned)));
    }

    #[test]
    fn rows_are_numbered_through_all_chunks() {
        let chunks = |last: i64| {
            let mut column = keys(&[Some(7), None]);
            column.append(&keys(&[Some(-3), Some(last)])).expect("a chunk");
            column
        };
        let lookup = Lookup::of(&chunks(0)).expect("keys").expect("unique keys");
        let rows: Vec<IdxSize> = [7, -3, 0, 1, -4].into_iter().map(|key| lookup.row(key)).collect();
        assert_eq!(rows, [0, 2, 3, NO_ROW, NO_ROW]);
        assert!(Lookup::of(&chunks(7)).expect("keys").is_none());
    }

    #[test]
    fn equal_or_distant_keys_have_no_lookup() {
        assert!(Lookup::of(&keys(&[Some(1), Some(2), Some(1)])).expect("keys").is_none());
        assert!(Lookup::of(&keys(&[Some(i64::MIN), Some(i64::MAX)])).expect("keys").is_none());
        assert!(Lookup::of(&keys(&[None, None])).expect("keys").is_some());
        assert!(Lookup::of(&Column::new("k".into(), &["a"])).expect("keys").is_none());
    }
}
