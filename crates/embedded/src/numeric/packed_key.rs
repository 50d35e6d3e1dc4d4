//! Packs two integers into one of 64 or 128 bits. Polars' hash tables use a single number directly; several columns are
//! encoded as bytes first, which are slower to build, to hash and to compare.

use polars::prelude::{Column, DataType, Expr, Int128Chunked, IntoColumn, IntoSeries, PolarsResult};

use super::{Pair, kernel, long_column, named, single};

/// A number for each pair of numbers of at most 64 bits, or 32 bits if `are_short`. Different pairs have different
/// numbers; the number is NULL if one of the pair is NULL.
pub(crate) fn packed_key(first: Expr, second: Expr, are_short: bool) -> Expr {
    let (first, second) = (first.cast(DataType::Int64), second.cast(DataType::Int64));
    if are_short {
        kernel(first, &[second], DataType::Int64, |columns| packed_short(columns))
    } else {
        kernel(first, &[second], DataType::Int128, |columns| packed(columns))
    }
}

fn packed_short(columns: &[Column]) -> PolarsResult<Column> {
    let (first, second) = (columns[0].as_materialized_series(), columns[1].as_materialized_series());
    let values = Pair::new(single(first.i64()?), single(second.i64()?)).map(pack_short);
    Ok(long_column(&columns[0], values))
}

/// The first number in the upper half, the lower bits of the second one in the lower half.
fn pack_short(first: i64, second: i64) -> i64 {
    (first << 32) | (second & i64::from(u32::MAX))
}

fn packed(columns: &[Column]) -> PolarsResult<Column> {
    let (first, second) = (columns[0].as_materialized_series(), columns[1].as_materialized_series());
    let values = Pair::new(single(first.i64()?), single(second.i64()?)).map(pack);
    let values: Int128Chunked = named(&columns[0], values);
    Ok(values.into_series().into_column())
}

/// The first number in the upper half, the bits of the second one in the lower half.
fn pack(first: i64, second: i64) -> i128 {
    (i128::from(first) << 64) | i128::from(second.cast_unsigned())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn pairs_pack_to_distinct_keys() {
        let numbers = [i64::MIN, i64::MIN + 1, -1, 0, 1, 1 << 32, i64::MAX - 1, i64::MAX];
        let pairs = || numbers.iter().flat_map(|first| numbers.iter().map(|second| (*first, *second)));
        assert_eq!(pairs().map(|(first, second)| pack(first, second)).collect::<HashSet<_>>().len(), 64);
        for (first, second) in pairs() {
            let packed = pack(first, second);
            let unpacked = (packed >> 64, packed & i128::from(u64::MAX));
            assert_eq!(unpacked, (i128::from(first), i128::from(second.cast_unsigned())));
        }
    }

    #[test]
    fn pairs_of_32_bit_numbers_pack_to_distinct_keys() {
        let numbers = [i32::MIN, i32::MIN + 1, -1, 0, 1, i32::MAX].map(i64::from);
        let pairs = numbers.iter().flat_map(|first| numbers.iter().map(|second| (*first, *second)));
        assert_eq!(pairs.map(|(first, second)| pack_short(first, second)).collect::<HashSet<_>>().len(), 36);
    }

    #[test]
    fn a_null_in_a_pair_makes_the_packed_key_null() {
        let column = |values: &[Option<i64>]| {
            polars::prelude::Int64Chunked::from_iter(values.iter().copied()).into_series().into_column()
        };
        let all = packed(&[column(&[Some(1), None, Some(1), None]), column(&[Some(2), Some(2), None, None])]);
        let all = all.expect("numbers");
        let found: Vec<Option<i128>> = all.i128().expect("numbers of 128 bits").iter().collect();
        assert_eq!(found, [Some((1 << 64) + 2), None, None, None]);
        let none = packed(&[column(&[]), column(&[])]).expect("no numbers");
        assert_eq!(none.len(), 0);
    }
}
