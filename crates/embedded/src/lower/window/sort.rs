//! The sort of rows by partition and order. The first keys that fit into 64 bits together are packed into one number per
//! row: comparing numbers costs a fraction of comparing rows. Rows whose numbers are equal are sorted by the other keys in
//! the same way. Polars sorts by keys of which not one fits.

use std::borrow::Cow;
use std::hash::Hash;

use polars::prelude::{
    ChunkSort as _, Column, DataFrame, DataType, IdxCa, IdxSize, IntoSeries as _, PlHashMap, PlSmallStr,
    PolarsResult, Series, SortMultipleOptions, UInt64Chunked,
};
use polars_arrow::array::PrimitiveArray;

use super::MIN_ROWS;
use super::places::longs;
use crate::numeric::single;

/// Maximum number of different values of a key that is packed as their ranks.
const MAX_VALUES: usize = 1 << 16;
/// Numbers that are further apart are packed as ranks if they are few: 32 bits are left for other keys.
const MAX_DISTANCE: u64 = u32::MAX as u64;

/// The rows sorted by these columns, each with whether it is descending and whether NULLs are last.
pub(in crate::lower) fn sorted<'f>(
    frame: &'f DataFrame,
    sort: &[(PlSmallStr, bool, bool)],
) -> PolarsResult<Cow<'f, DataFrame>> {
    Ok(match order_by(frame, sort)? {
        None => Cow::Borrowed(frame),
        Some(order) => Cow::Owned(frame.take(&order)?),
    })
}

/// The rows in the order of these columns, rows of equal keys in their own order; `None` if they are in order.
pub(super) fn order_by(frame: &DataFrame, sort: &[(PlSmallStr, bool, bool)]) -> PolarsResult<Option<IdxCa>> {
    if sort.is_empty() {
        return Ok(None);
    }
    if let Some((keys, count)) = Packed::of_first(frame, sort)? {
        let (_, others) = sort.split_at(count);
        if others.is_empty() {
            return Ok((!keys.packed.is_sorted()).then(|| keys.order().into_rows()));
        }
        // Otherwise the rows of a group are those of a group again.
        let is_progress = count > 1 || sort.first().is_some_and(|(name, ..)| *name != GROUP);
        if is_progress {
            let mut order = keys.order();
            order.sort_equal_rows(frame, others)?;
            return Ok(Some(order.into_rows()));
        }
    }
    let options = SortMultipleOptions::default()
        .with_order_descending_multi(sort.iter().map(|(_, is_descending, _)| *is_descending))
        .with_nulls_last_multi(sort.iter().map(|(.., nulls_last)| *nulls_last))
        .with_maintain_order(true);
    let keys: Vec<Column> =
        sort.iter().map(|(name, ..)| frame.column(name).cloned()).collect::<PolarsResult<_>>()?;
    let Some((first, others)) = keys.split_first() else { return Ok(None) };
    first.as_materialized_series().arg_sort_multiple(others, &options).map(Some)
}

/// A key of all sort columns for each row.
pub(super) struct Packed {
    packed: Vec<u64>,
    bits: u32,
}

impl Packed {
    /// `None` if the columns do not fit, or if there are few rows.
    pub(super) fn of(frame: &DataFrame, sort: &[(PlSmallStr, bool, bool)]) -> PolarsResult<Option<Self>> {
        let found = Self::of_first(frame, sort)?;
        Ok(found.filter(|(_, count)| *count == sort.len()).map(|(packed, _)| packed))
    }

    /// The first columns that fit, with their number, which is not zero.
    fn of_first(frame: &DataFrame, sort: &[(PlSmallStr, bool, bool)]) -> PolarsResult<Option<(Self, usize)>> {
        let rows = frame.height();
        if rows < MIN_ROWS {
            return Ok(None);
        }
        let mut packed: Vec<u64> = vec![0; rows];
        let (mut bits, mut count) = (0, 0);
        for (name, is_descending, nulls_last) in sort {
            let values = frame.column(name)?.as_materialized_series();
            let Some(codes) = Codes::of(values, *is_descending, *nulls_last)? else { break };
            let own = u64::BITS - codes.greatest.leading_zeros();
            if bits + own > u64::BITS {
                break;
            }
            bits += own;
            count += 1;
            let above = |packed: u64| packed.checked_shl(own).unwrap_or(0);
            packed.iter_mut().zip(codes.values).for_each(|(packed, code)| *packed = above(*packed) | code);
        }
        Ok((count > 0).then_some((Self { packed, bits }, count)))
    }

    /// The key of each row.
    pub(super) fn keys(self) -> Vec<u64> {
        self.packed
    }

    /// The rows in the order of their keys.
    fn order(self) -> RowOrder {
        let Self { packed: mut keys, bits } = self;
        let row_bits = usize::BITS - keys.len().leading_zeros();
        if bits + row_bits > u64::BITS {
            return RowOrder(by_digits(&keys, bits));
        }
        keys.iter_mut().zip(0_u64..).for_each(|(key, row)| *key = (*key << row_bits) | row);
        let sorted = UInt64Chunked::from_vec(PlSmallStr::EMPTY, keys).sort(false);
        let mask = (1_u64 << row_bits) - 1;
        let row = |key: &u64| (*key >> row_bits, IdxSize::try_from(key & mask).unwrap_or(IdxSize::MAX));
        RowOrder(single(&sorted).values().iter().map(row).collect())
    }
}

/// Keys of 64 bits, each with its row, in the order of the keys, and rows of equal keys in their own order: a radix sort,
/// least significant digits first.
fn by_digits(keys: &[u64], bits: u32) -> Vec<(u64, IdxSize)> {
    const DIGIT_BITS: u32 = 11;
    const DIGITS: usize = 1 << DIGIT_BITS;
    let digit = |key: u64, pass: u32| ((key >> (pass * DIGIT_BITS)) & (DIGITS as u64 - 1)) as usize;
    let mut sorted: Vec<(u64, IdxSize)> = keys.iter().copied().zip(0..).collect();
    let mut other = vec![(0, 0); sorted.len()];
    for pass in 0..bits.div_ceil(DIGIT_BITS) {
        let mut places = [0_usize; DIGITS];
        for (key, _) in &sorted {
            places[digit(*key, pass)] += 1;
        }
        let mut before = 0;
        for place in &mut places {
            before += std::mem::replace(place, before);
        }
        for pair in &sorted {
            let place = &mut places[digit(pair.0, pass)];
            other[*place] = *pair;
            *place += 1;
        }
        std::mem::swap(&mut sorted, &mut other);
    }
    sorted
}

/// The column of the groups of rows whose keys so far are equal; the columns of a window have other names.
const GROUP: PlSmallStr = PlSmallStr::from_static("group");

/// Keys in ascending order, each with its row.
struct RowOrder(Vec<(u64, IdxSize)>);

impl RowOrder {
    /// Sorts the rows of equal keys by other columns.
    fn sort_equal_rows(
        &mut self,
        frame: &DataFrame,
        others: &[(PlSmallStr, bool, bool)],
    ) -> PolarsResult<()> {
        // The places of rows with equal keys, and for each the number of its group.
        let (mut places, mut groups) = (Vec::new(), Vec::<IdxSize>::new());
        let mut from = 0;
        for (equal, group) in self.0.chunk_by(|before, after| before.0 == after.0).zip(0..) {
            if equal.len() > 1 {
                places.extend(from..from + equal.len());
                groups.extend(std::iter::repeat_n(group, equal.len()));
            }
            from += equal.len();
        }
        if places.is_empty() {
            return Ok(());
        }
        let rows: Vec<IdxSize> = places.iter().map(|place| self.0[*place].1).collect();
        let rows = IdxCa::from_vec(PlSmallStr::EMPTY, rows);
        let names = others.iter().map(|(name, ..)| name.clone());
        let mut tied = frame.select(names)?.take(&rows)?;
        tied.with_column(IdxCa::from_vec(GROUP, groups).into_series().into())?;
        let sort: Vec<(PlSmallStr, bool, bool)> =
            std::iter::once((GROUP, false, false)).chain(others.iter().cloned()).collect();
        let Some(order) = order_by(&tied, &sort)? else { return Ok(()) };
        let (rows, order) = (single(&rows), single(&order));
        for (place, row) in places.iter().zip(order.values().iter()) {
            self.0[*place].1 = rows.value(*row as usize);
        }
        Ok(())
    }

    fn into_rows(self) -> IdxCa {
        IdxCa::from_vec(PlSmallStr::EMPTY, self.0.into_iter().map(|(_, row)| row).collect())
    }
}

/// For each row its position in an order of all rows.
pub(super) fn positions(order: &IdxCa) -> IdxCa {
    let order = single(order);
    let mut positions: Vec<IdxSize> = vec![0; order.len()];
    for (row, position) in order.values().iter().zip(0..) {
        if let Some(slot) = positions.get_mut(*row as usize) {
            *slot = position;
        }
    }
    IdxCa::from_vec(PlSmallStr::EMPTY, positions)
}

/// Numbers from 0 on in the order of a key's values.
pub(super) struct Codes {
    values: Vec<u64>,
    greatest: u64,
}

impl Codes {
    /// `None` for values without a short order-preserving number.
    pub(super) fn of(values: &Series, is_descending: bool, nulls_last: bool) -> PolarsResult<Option<Self>> {
        let values = values.to_physical_repr();
        let found = match values.dtype() {
            DataType::Boolean
            | DataType::Int8
            | DataType::Int16
            | DataType::Int32
            | DataType::Int64
            | DataType::UInt32 => {
                let numbers = longs(&values)?;
                let near = distances(&numbers, is_descending, i128::from);
                match near {
                    Some((_, greatest)) if greatest > MAX_DISTANCE => {
                        ranks(numbers.len(), numbers.iter().map(|number| number.copied()), is_descending)
                            .or(near)
                    }
                    near => near,
                }
            }
            DataType::Int128 => distances(&single(values.i128()?), is_descending, std::convert::identity),
            DataType::Float32 | DataType::Float64 => {
                let values = single(values.cast(&DataType::Float64)?.f64()?);
                distances(&values, is_descending, |number| i128::from(ordered(number)))
            }
            DataType::String => ranks(values.len(), values.str()?.iter(), is_descending),
            _ => None,
        };
        let Some((codes, greatest)) = found else { return Ok(None) };
        let Some(greatest) = greatest.checked_add(u64::from(values.null_count() > 0)) else {
            return Ok(None);
        };
        let values = codes.into_iter().map(|code| match code {
            None if nulls_last => greatest,
            None => 0,
            Some(code) if nulls_last || values.null_count() == 0 => code,
            Some(code) => code + 1,
        });
        Ok(Some(Self { values: values.collect(), greatest }))
    }

    /// The number of each row.
    pub(super) fn into_values(self) -> Vec<u64> {
        self.values
    }
}

/// A number with the order of doubles in Polars: both zeros are equal, and NaN is the greatest.
fn ordered(number: f64) -> u64 {
    if number.is_nan() {
        return u64::MAX;
    }
    // Adding zero makes a negative zero positive.
    let bits = (number + 0.0).to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

/// The distance of each number from the first one in order, and the greatest distance.
fn distances<T: polars_arrow::types::NativeType>(
    numbers: &PrimitiveArray<T>,
    is_descending: bool,
    wide: impl Fn(T) -> i128,
) -> Option<(Vec<Option<u64>>, u64)> {
    let all = || numbers.iter().flatten().map(|number| wide(*number));
    let (least, most) =
        all().fold((i128::MAX, i128::MIN), |(least, most), number| (least.min(number), most.max(number)));
    if least > most {
        return Some((vec![None; numbers.len()], 0));
    }
    let greatest = u64::try_from(most.checked_sub(least)?).ok()?;
    let distance = |number: &T| {
        let number = wide(*number);
        let distance = if is_descending { most - number } else { number - least };
        // At most the greatest distance.
        u64::try_from(distance).unwrap_or(greatest)
    };
    Some((numbers.iter().map(|number| number.map(distance)).collect(), greatest))
}

/// The rank of each value among the different ones, if those are few.
fn ranks<T: Copy + Eq + Hash + Ord>(
    rows: usize,
    values: impl Iterator<Item = Option<T>>,
    is_descending: bool,
) -> Option<(Vec<Option<u64>>, u64)> {
    let most = (rows / 4).min(MAX_VALUES);
    let mut places: PlHashMap<T, u32> = PlHashMap::default();
    let mut found: Vec<Option<u32>> = Vec::with_capacity(rows);
    let mut last: Option<(T, u32)> = None;
    for value in values {
        let Some(value) = value else {
            found.push(None);
            continue;
        };
        let place = match last {
            Some((before, place)) if before == value => place,
            _ => {
                let next = u32::try_from(places.len()).unwrap_or(u32::MAX);
                *places.entry(value).or_insert(next)
            }
        };
        if places.len() > most {
            return None;
        }
        last = Some((value, place));
        found.push(Some(place));
    }
    let mut order: Vec<(T, u32)> = places.into_iter().collect();
    order.sort_unstable();
    if is_descending {
        order.reverse();
    }
    let mut rank_of_place: Vec<u64> = vec![0; order.len()];
    for ((_, place), rank) in order.iter().zip(0_u64..) {
        if let Some(slot) = rank_of_place.get_mut(*place as usize) {
            *slot = rank;
        }
    }
    let ranks =
        found.into_iter().map(|place| place.and_then(|place| rank_of_place.get(place as usize).copied()));
    let greatest = (order.len() as u64).saturating_sub(1);
    Some((ranks.collect(), greatest))
}

#[cfg(test)]
mod tests {
    use polars::prelude::{Int64Chunked, NamedFrom as _};

    use super::*;

    const ROWS: usize = 5_000;

    fn drawn<T: Clone>(step: usize, values: &[T]) -> Vec<T> {
        (0..ROWS).map(|row| values[(row * step + row / 7) % values.len()].clone()).collect()
    }

    fn columns() -> Vec<Column> {
        let wide = Series::new("w".into(), drawn(3, &[Some(i64::MIN), Some(-1), Some(i64::MAX), None]));
        let decimal = Series::new("d".into(), drawn(5, &[Some(-7_i64), None, Some(0), Some(1 << 40)]))
            .cast(&DataType::Decimal(20, 2))
            .expect("decimals");
        vec![
            Series::new("t".into(), drawn(1, &[Some("b"), Some(""), None, Some("ab"), Some("ä")])).into(),
            Series::new("n".into(), drawn(2, &[Some(3_i32), Some(i32::MIN), None, Some(i32::MAX)])).into(),
            Series::new("b".into(), drawn(11, &[Some(true), None, Some(false)])).into(),
            Series::new("f".into(), drawn(13, &[0.5, -0.5, 7.0])).into(),
            Series::new("x".into(), (0..ROWS).map(|row| format!("{}", row % 4_000)).collect::<Vec<_>>())
                .into(),
            Series::new("nothing".into(), vec![None::<i64>; ROWS]).into(),
            Int64Chunked::from_vec("row".into(), (0..ROWS as i64).collect()).into_series().into(),
            wide.into(),
            decimal.into(),
        ]
    }

    #[test]
    fn packed_keys_sort_as_their_values() {
        let frame = DataFrame::new(ROWS, columns()).expect("a frame");
        let by = |keys: &[&str]| -> Vec<(PlSmallStr, bool, bool)> {
            let key = |(place, name): (usize, &&str)| ((*name).into(), place % 2 == 1, place % 3 == 0);
            keys.iter().enumerate().map(key).collect()
        };
        // Sort columns, and how many of them are packed at first.
        let cases: &[(&[&str], usize)] = &[
            (&["t"], 1),
            (&["b", "t", "n"], 3),
            (&["n", "b"], 2),
            (&["t", "d"], 2),
            (&["nothing", "t"], 2),
            (&["b", "row"], 2),
            (&["row"], 1),
            (&["w", "n"], 2),
            (&["f", "t"], 1),
            (&["n", "row", "d"], 2),
            (&["n", "d", "row", "t"], 1),
            (&["b", "x", "row"], 1),
            (&["n", "f", "x", "t"], 1),
            (&["x"], 0),
            (&["x", "b"], 0),
        ];
        for (keys, count) in cases {
            let sort = by(keys);
            let found = Packed::of_first(&frame, &sort).expect("keys");
            assert_eq!(found.map_or(0, |(_, count)| count), *count, "{keys:?}");
            let options = SortMultipleOptions::default()
                .with_order_descending_multi(sort.iter().map(|(_, is_descending, _)| *is_descending))
                .with_nulls_last_multi(sort.iter().map(|(.., nulls_last)| *nulls_last))
                .with_maintain_order(true);
            let expected = frame.sort(sort.iter().map(|(name, ..)| name.clone()), options).expect("sorted");
            assert!(sorted(&frame, &sort).expect("sorted").equals_missing(&expected), "{keys:?}");
        }
    }

    #[test]
    fn keys_of_all_bits_are_sorted_by_digits() {
        let keys: Vec<u64> =
            (0..3_000_u64).map(|row| (row % 700).wrapping_mul(0x9E37_79B9_7F4A_7C15)).collect();
        let mut expected: Vec<(u64, IdxSize)> = keys.iter().copied().zip(0..).collect();
        expected.sort();
        assert_eq!(by_digits(&keys, u64::BITS), expected);
        assert_eq!(by_digits(&[3, 1, 1, 0], 2), [(0, 3), (1, 1), (1, 2), (3, 0)]);
        assert_eq!(by_digits(&[0, 0], 0), [(0, 0), (0, 1)]);
    }
}
