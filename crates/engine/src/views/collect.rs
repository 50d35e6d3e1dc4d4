//! The inner loop of a scan: selects the values of a column that lie in ranges of keys.

use std::ops::Range;

use rowhouse_rows::arrow_file::column::ColumnValues;

/// Rows that are tested together: the bits of a word.
const BLOCK_ROWS: usize = u64::BITS as usize;

/// Appends the rows of `looked_at` that are not NULL and whose keys lie in one of the ranges, which are disjoint and
/// ascending. Stops at `most` rows, or a few more.
pub(super) fn collect_where<T: Copy, K: Copy + Ord>(
    values: &[T],
    ranges: &[(K, K)],
    key: impl Fn(&T) -> K,
    column: &ColumnValues,
    looked_at: Range<usize>,
    most: usize,
    rows: &mut Vec<u32>,
) {
    let [(low, high)] = ranges else {
        let is_in = |key: K| {
            let after = ranges.partition_point(|(low, _)| *low <= key);
            after > 0 && key <= ranges[after - 1].1
        };
        let matching = looked_at.filter(|row| is_in(key(&values[*row])) && !column.is_null(*row));
        return rows.extend(matching.map(|row| row as u32));
    };
    let is_in = |value: &T| (*low <= key(value)) & (key(value) <= *high);
    collect_matching(values, is_in, column, looked_at, most, rows);
}

/// The same with one test, which must be cheap: it is evaluated for every value.
fn collect_matching<T: Copy>(
    values: &[T],
    is_in: impl Fn(&T) -> bool,
    column: &ColumnValues,
    looked_at: Range<usize>,
    most: usize,
    rows: &mut Vec<u32>,
) {
    let put = |start: usize, mut matching: u64, rows: &mut Vec<u32>| {
        while matching != 0 {
            let row = start + matching.trailing_zeros() as usize;
            if !column.is_null(row) {
                rows.push(row as u32);
            }
            matching &= matching - 1;
        }
    };
    let most = most.saturating_add(rows.len());
    let first = looked_at.start;
    let (blocks, rest) = values[looked_at].as_chunks::<BLOCK_ROWS>();
    for (block_index, block) in blocks.iter().enumerate() {
        let mut flags = [0; BLOCK_ROWS];
        for (flag, value) in flags.iter_mut().zip(block) {
            *flag = u8::from(is_in(value));
        }
        put(first + block_index * BLOCK_ROWS, bits(&flags), rows);
        if rows.len() >= most {
            return;
        }
    }
    let start = first + blocks.len() * BLOCK_ROWS;
    let rest = rest.iter().enumerate().filter(|(_, value)| is_in(value));
    put(start, rest.fold(0, |matching, (place, _)| matching | 1 << place), rows);
}

/// A bit for each flag that is 1, the first one lowest. Branch-free, because matches cannot be predicted.
fn bits(flags: &[u8; BLOCK_ROWS]) -> u64 {
    // Moves the lowest bit of each byte into the highest byte, in order, without a carry.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let (words, _) = flags.as_chunks::<8>();
    let bytes = words.iter().map(|word| u64::from_le_bytes(*word).wrapping_mul(GATHER) >> 56);
    bytes.enumerate().fold(0, |bits, (place, byte)| bits | byte << (8 * place))
}

/// The same for 32-bit values, four of which fit in a vector register.
pub(super) fn collect_32(
    values: &[i32],
    ranges: &[(i64, i64)],
    column: &ColumnValues,
    looked_at: Range<usize>,
    most: usize,
    rows: &mut Vec<u32>,
) {
    const MIN: i64 = i32::MIN as i64;
    const MAX: i64 = i32::MAX as i64;
    let inside = ranges.iter().filter(|(low, high)| *low <= MAX && *high >= MIN);
    let ranges: Vec<(i32, i32)> =
        inside.map(|(low, high)| ((*low).max(MIN) as i32, (*high).min(MAX) as i32)).collect();
    let [(low, high)] = ranges[..] else {
        return collect_where(values, &ranges, |value| *value, column, looked_at, most, rows);
    };
    // One comparison instead of two: values below the range wrap around to above it.
    let width = high.wrapping_sub(low) as u32;
    let is_in = |value: &i32| value.wrapping_sub(low) as u32 <= width;
    collect_matching(values, is_in, column, looked_at, most, rows);
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Int32Array};
    use arrow_schema::DataType;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn flags_are_packed_into_bits(bits_wanted: u64) {
            let flags = std::array::from_fn(|place| (bits_wanted >> place & 1) as u8);
            assert_eq!(bits(&flags), bits_wanted);
        }

        #[test]
        fn collected_rows_equal_a_row_by_row_test(
            values in proptest::collection::vec(proptest::option::of(-9_i32..9), 0..300),
            low in -12_i64..12,
            width in 0_i64..12,
            most in 0_usize..100,
            cut in 0_usize..300,
        ) {
            let array: ArrayRef = Arc::new(Int32Array::from(values.clone()));
            let column = ColumnValues::new(&array, &DataType::Int32).expect("a column");
            let range = low..=low + width;
            let is_in = |row: &usize| values[*row].is_some_and(|value| range.contains(&i64::from(value)));
            let expected: Vec<u32> = (0..values.len()).filter(is_in).map(|row| row as u32).collect();
            // The value below a NULL may be anything.
            let below: Vec<i32> = values.iter().map(|value| value.unwrap_or(low as i32)).collect();
            let mut rows = Vec::new();
            let cut = cut.min(values.len());
            for part in [0..cut, cut..values.len()] {
                collect_32(&below, &[(low, low + width)], &column, part, usize::MAX, &mut rows);
            }
            assert_eq!(rows, expected);
            rows.clear();
            collect_32(&below, &[(low, low + width)], &column, 0..values.len(), most, &mut rows);
            assert!(rows.len() >= most.min(expected.len()));
            assert_eq!(rows, expected[..rows.len()]);
        }
    }
}
