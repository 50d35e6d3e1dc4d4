//! The integers or dates of a column as a bitmap: a lookup takes a nanosecond, several times less than in a hash table.

use polars::prelude::{
    BooleanChunked, ChunkAgg as _, Column, DataType, Expr, Int64Chunked, IntoColumn, IntoSeries, PolarsResult,
};
use polars::series::IsSorted;
use polars_arrow::array::{BooleanArray, PrimitiveArray};
use polars_arrow::bitmap::Bitmap;
use polars_arrow::datatypes::ArrowDataType;

use super::{kernel, single};

/// Maximum number of bits of the bitmap: 64 MiB.
const MAX_BITS: u64 = 1 << 29;

/// The numbers of a column.
#[derive(Clone, Debug)]
pub(crate) struct DynamicFilter {
    least: i64,
    /// A bit for each number from the least one on. The last word is 0.
    bits: Vec<u64>,
}

impl DynamicFilter {
    /// Builds the filter from a column without its NULLs. `None` if it does not have integers or dates, or if their
    /// range is too large.
    pub(crate) fn of(column: &Column) -> PolarsResult<Option<Self>> {
        let Some(numbers) = whole_numbers(column)? else { return Ok(None) };
        let Some((least, most)) = numbers.min_max() else {
            return Ok(Some(Self { least: 0, bits: vec![0] }));
        };
        let last = most.abs_diff(least);
        if last >= MAX_BITS {
            return Ok(None);
        }
        let mut bits = vec![0_u64; place(last).0 + 2];
        for array in numbers.downcast_iter() {
            for_each_number(array, |_, number| {
                let (word, bit) = place(number.abs_diff(least));
                bits[word] |= 1 << bit;
            });
        }
        Ok(Some(Self { least, bits }))
    }

    /// Whether each value is in the set; NULL is not.
    pub(crate) fn contains(self, value: Expr) -> Expr {
        kernel(value, &[], DataType::Boolean, move |columns| {
            let array = longs(&columns[0].to_physical_repr())?;
            let mut is_in = self.have(array.values());
            if let Some(validity) = array.validity() {
                is_in = &is_in & validity;
            }
            let is_in = BooleanArray::new(ArrowDataType::Boolean, is_in, None);
            Ok(BooleanChunked::with_chunk(columns[0].name().clone(), is_in).into_series().into_column())
        })
    }

    /// Whether each number is in the set.
    fn have(&self, numbers: &[i64]) -> Bitmap {
        const BITS: usize = u64::BITS as usize;
        let mut bytes = Vec::with_capacity(numbers.len().div_ceil(BITS) * size_of::<u64>());
        for numbers in numbers.chunks(BITS) {
            let mut word = 0;
            for (bit, number) in numbers.iter().enumerate() {
                word |= self.bit_of(*number) << bit;
            }
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        bytes.truncate(numbers.len().div_ceil(8));
        Bitmap::from_u8_vec(bytes, numbers.len())
    }

    /// 1 if a number is in the set, else 0, without a branch that depends on the number.
    fn bit_of(&self, number: i64) -> u64 {
        // For a number below the least one, this wraps to a place beyond the greatest one's, where no bit is set.
        let (word, bit) = place(number.wrapping_sub(self.least).cast_unsigned());
        let word = word.min(self.bits.len() - 1);
        (self.bits.get(word).copied().unwrap_or_default() >> bit) & 1
    }
}

/// The index of the word that contains a number, and its bit in that word.
#[expect(clippy::cast_possible_truncation, reason = "as many words as there are in 64 bits of memory")]
const fn place(number: u64) -> (usize, u32) {
    ((number / u64::BITS as u64) as usize, (number % u64::BITS as u64) as u32)
}

/// Integers, or dates in days, in an unknown order; `None` for a column of another type.
pub(super) fn whole_numbers(column: &Column) -> PolarsResult<Option<Int64Chunked>> {
    let physical = column.to_physical_repr();
    let (DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64) = physical.dtype() else {
        return Ok(None);
    };
    let mut numbers = physical.cast(&DataType::Int64)?.as_materialized_series().i64()?.clone();
    // The least and the greatest one are places of memory below: no flag may say what they are.
    numbers.set_sorted_flag(IsSorted::Not);
    Ok(Some(numbers))
}

/// Calls a function with each row of an array that is not NULL, and its number.
pub(super) fn for_each_number(array: &PrimitiveArray<i64>, mut function: impl FnMut(usize, i64)) {
    match array.validity().filter(|validity| validity.unset_bits() > 0) {
        None => {
            for (row, number) in array.values().iter().enumerate() {
                function(row, *number);
            }
        }
        Some(validity) => {
            for row in validity.true_idx_iter() {
                function(row, array.value(row));
            }
        }
    }
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
        let found: Vec<i64> = all.into_iter().filter(|number| set.bit_of(*number) == 1).collect();
        assert_eq!(found, [-5, 7, 64]);
        assert!(of(&[Some(i64::MIN), Some(i64::MAX)]).is_none());
        let (least, most) = (of(&[Some(i64::MIN)]), of(&[Some(i64::MAX)]));
        assert!(
            least.is_some_and(|set| set.have(&[i64::MIN, i64::MAX, 0]) == Bitmap::from([true, false, false]))
        );
        assert!(
            most.is_some_and(|set| set.have(&[i64::MAX, i64::MIN, 0]) == Bitmap::from([true, false, false]))
        );
        let nothing = of(&[None]).expect("an empty set");
        assert_eq!(nothing.have(&[0, i64::MIN, i64::MAX]).unset_bits(), 3);
    }

    #[test]
    fn a_filter_has_the_numbers_of_all_chunks() {
        let chunk = |numbers: &[Option<i64>]| numbers.iter().copied().collect::<Int64Chunked>();
        let mut chunks = chunk(&[Some(3), None]);
        chunks.append(&chunk(&[Some(-200), Some(1000)])).expect("a chunk");
        let filter = DynamicFilter::of(&chunks.into_series().into_column()).expect("numbers").expect("a set");
        let asked: Vec<i64> = (-300..1100).collect();
        let found = filter.have(&asked);
        let found: Vec<i64> = asked.iter().zip(&found).filter(|(_, is_in)| *is_in).map(|(n, _)| *n).collect();
        assert_eq!(found, [-200, 3, 1000]);
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
