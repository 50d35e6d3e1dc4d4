//! The integers or dates of a column as a bitmap: a lookup takes a nanosecond, several times less than in a hash table.

use polars::prelude::{BooleanChunked, Column, DataType, Expr, IntoColumn, IntoSeries, PolarsResult};
use polars_arrow::array::{BooleanArray, PrimitiveArray};
use polars_arrow::bitmap::Bitmap;

use super::{kernel, single};

/// Maximum number of bits of the bitmap: 64 MiB.
const MAX_BITS: u64 = 1 << 29;

/// The numbers of a column.
#[derive(Clone, Debug)]
pub(crate) struct DynamicFilter {
    least: i64,
    bits: Vec<u64>,
}

impl DynamicFilter {
    /// Builds the filter from a column without its NULLs. `None` if it does not have integers or dates, or if their
    /// range is too large.
    pub(crate) fn of(column: &Column) -> PolarsResult<Option<Self>> {
        let Some(array) = whole_numbers(column)? else { return Ok(None) };
        let numbers = || array.non_null_values_iter();
        let (Some(least), Some(most)) = (numbers().min(), numbers().max()) else {
            return Ok(Some(Self { least: 0, bits: Vec::new() }));
        };
        let last = most.abs_diff(least);
        if last >= MAX_BITS {
            return Ok(None);
        }
        let mut bits = vec![0_u64; place(last).0 + 1];
        for number in numbers() {
            let (word, bit) = place(number.abs_diff(least));
            bits[word] |= bit;
        }
        Ok(Some(Self { least, bits }))
    }

    /// Whether each value is in the set; NULL is not.
    pub(crate) fn contains(self, value: Expr) -> Expr {
        kernel(value, &[], DataType::Boolean, move |columns| {
            let array = longs(&columns[0].to_physical_repr())?;
            let is_in = array.values().iter().map(|number| self.has(*number));
            let mut is_in = Bitmap::from_trusted_len_iter(is_in);
            if let Some(validity) = array.validity() {
                is_in = &is_in & validity;
            }
            let is_in = BooleanArray::new(polars_arrow::datatypes::ArrowDataType::Boolean, is_in, None);
            Ok(BooleanChunked::with_chunk(columns[0].name().clone(), is_in).into_series().into_column())
        })
    }

    fn has(&self, number: i64) -> bool {
        // For a number below the least one, this wraps to a large number.
        let (word, bit) = place(number.wrapping_sub(self.least).cast_unsigned());
        self.bits.get(word).is_some_and(|bits| bits & bit != 0)
    }
}

/// The index of the word that contains a number, and its bit in that word.
#[expect(clippy::cast_possible_truncation, reason = "as many words as there are in 64 bits of memory")]
const fn place(number: u64) -> (usize, u64) {
    ((number / u64::BITS as u64) as usize, 1 << (number % u64::BITS as u64))
}

/// Integers, or dates in days; `None` for a column of another type.
pub(super) fn whole_numbers(column: &Column) -> PolarsResult<Option<PrimitiveArray<i64>>> {
    let physical = column.to_physical_repr();
    let is_whole =
        matches!(physical.dtype(), DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64);
    is_whole.then(|| longs(&physical)).transpose()
}

pub(super) fn longs(column: &Column) -> PolarsResult<PrimitiveArray<i64>> {
    Ok(single(column.cast(&DataType::Int64)?.as_materialized_series().i64()?))
}

#[cfg(test)]
mod tests {
    use polars::prelude::{DataFrame, Int32Chunked, Int64Chunked, IntoLazy, col};

    use super::*;

    fn column(numbers: &[Option<i64>]) -> Column {
        numbers.iter().copied().collect::<Int64Chunked>().into_series().into_column()
    }

    #[test]
    fn a_filter_contains_exactly_its_keys() {
        let of = |numbers: &[Option<i64>]| DynamicFilter::of(&column(numbers)).expect("numbers");
        let set = of(&[Some(-5), None, Some(7), Some(64), Some(7)]).expect("near each other");
        let all = [i64::MIN, -69, -6, -5, -4, 0, 6, 7, 58, 59, 64, 65, 128, i64::MAX];
        let found: Vec<i64> = all.into_iter().filter(|number| set.has(*number)).collect();
        assert_eq!(found, [-5, 7, 64]);
        assert!(of(&[Some(i64::MIN), Some(i64::MAX)]).is_none());
        let (least, most) = (of(&[Some(i64::MIN)]), of(&[Some(i64::MAX)]));
        assert!(least.is_some_and(|set| set.has(i64::MIN) && !set.has(i64::MAX) && !set.has(0)));
        assert!(most.is_some_and(|set| set.has(i64::MAX) && !set.has(i64::MIN) && !set.has(0)));
        let nothing = of(&[None]).expect("an empty set");
        assert!(!nothing.has(0) && !nothing.has(i64::MIN));
    }

    #[test]
    fn a_filter_does_not_contain_null() {
        let set = DynamicFilter::of(&column(&[Some(0), Some(2), None])).expect("numbers").expect("a set");
        let numbers: Int32Chunked = [Some(0), None, Some(1), Some(2)].into_iter().collect();
        let frame = DataFrame::new(4, vec![numbers.with_name("x".into()).into_series().into_column()]);
        let found =
            frame.expect("a frame").lazy().select([set.contains(col("x"))]).collect().expect("booleans");
        let found: Vec<Option<bool>> =
            found.column("x").expect("x").bool().expect("booleans").iter().collect();
        assert_eq!(found, [Some(true), Some(false), Some(false), Some(true)]);
    }
}
