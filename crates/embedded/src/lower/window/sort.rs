//! The sort of rows by partition and order. The first keys that fit into 64 bits together are packed into one number per
//! row: comparing numbers costs a fraction of comparing rows. Rows whose numbers are equal are sorted by the other keys in
//! the same way. Polars sorts by keys of which not one fits.

use std::borrow::Cow;

use polars::prelude::{
    ChunkSort as _, Column, DataFrame, IdxCa, IdxSize, IntoSeries as _, PlSmallStr, PolarsResult,
    SortMultipleOptions, UInt64Chunked,
};
use polars_arrow::array::PrimitiveArray;

pub(super) use self::codes::Codes;
use super::MIN_ROWS;
use crate::numeric::single;

mod codes;

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
    let column = |name: &str| Ok(frame.column(name)?.clone());
    let all_by_polars = || {
        let keys = sort.iter().map(|(name, ..)| column(name)).collect::<PolarsResult<Vec<Column>>>()?;
        by_polars(&keys, sort).map(Some)
    };
    if frame.height() < MIN_ROWS {
        return all_by_polars();
    }
    let (keys, count) = Packed::of_first(vec![0; frame.height()], sort, column)?;
    match sort.split_at_checked(count) {
        Some((_, [])) => Ok((!keys.packed.is_sorted()).then(|| keys.rows())),
        Some((_, others)) if count > 0 => keys.in_order().resolved(frame, others).map(Some),
        _ => all_by_polars(),
    }
}

fn by_polars(keys: &[Column], sort: &[(PlSmallStr, bool, bool)]) -> PolarsResult<IdxCa> {
    let options = SortMultipleOptions::default()
        .with_order_descending_multi(sort.iter().map(|(_, is_descending, _)| *is_descending))
        .with_nulls_last_multi(sort.iter().map(|(.., nulls_last)| *nulls_last))
        .with_maintain_order(true);
    match keys.split_first() {
        Some((first, others)) => first.as_materialized_series().arg_sort_multiple(others, &options),
        None => Ok(IdxCa::from_vec(PlSmallStr::EMPTY, Vec::new())),
    }
}

/// A key of all sort columns for each row.
pub(super) struct Packed {
    packed: Vec<u64>,
    bits: u32,
}

impl Packed {
    /// `None` if the columns do not fit, or if there are few rows.
    pub(super) fn of(frame: &DataFrame, sort: &[(PlSmallStr, bool, bool)]) -> PolarsResult<Option<Self>> {
        if frame.height() < MIN_ROWS {
            return Ok(None);
        }
        let of_column = |name: &str| Ok(frame.column(name)?.clone());
        let (packed, count) = Self::of_first(vec![0; frame.height()], sort, of_column)?;
        Ok((count == sort.len()).then_some(packed))
    }

    /// The numbers of groups, followed by as many columns as fit, and how many those are. The groups have numbers of at most
    /// 32 bits.
    fn of_first(
        groups: Vec<u64>,
        sort: &[(PlSmallStr, bool, bool)],
        column: impl Fn(&str) -> PolarsResult<Column>,
    ) -> PolarsResult<(Self, usize)> {
        let greatest = groups.iter().copied().max().unwrap_or(0);
        let (mut packed, mut bits, mut count) = (groups, u64::BITS - greatest.leading_zeros(), 0);
        for (name, is_descending, nulls_last) in sort {
            let column = column(name)?;
            let codes = Codes::of(column.as_materialized_series(), *is_descending, *nulls_last)?;
            let Some(codes) = codes else { break };
            let own = u64::BITS - codes.greatest.leading_zeros();
            if bits + own > u64::BITS {
                break;
            }
            bits += own;
            count += 1;
            let above = |packed: u64| packed.checked_shl(own).unwrap_or(0);
            packed.iter_mut().zip(codes.values).for_each(|(packed, code)| *packed = above(*packed) | code);
        }
        Ok((Self { packed, bits }, count))
    }

    /// The key of each row.
    pub(super) fn keys(self) -> Vec<u64> {
        self.packed
    }

    /// The rows in the order of their keys.
    fn rows(self) -> IdxCa {
        let rows: Vec<IdxSize> = match self.row_bits() {
            Some(row_bits) => {
                let row = |word: &u64| row_of(*word, row_bits);
                self.sorted_words(row_bits).values().iter().map(row).collect()
            }
            None => by_digits(self.packed, self.bits).into_iter().map(|(_, row)| row).collect(),
        };
        IdxCa::from_vec(PlSmallStr::EMPTY, rows)
    }

    /// The same, each with its key.
    fn in_order(self) -> InOrder {
        InOrder(match self.row_bits() {
            Some(row_bits) => {
                let pair = |word: &u64| (word >> row_bits, row_of(*word, row_bits));
                self.sorted_words(row_bits).values().iter().map(pair).collect()
            }
            None => by_digits(self.packed, self.bits),
        })
    }

    /// The bits of the greatest row number, if there is room for them below a key.
    fn row_bits(&self) -> Option<u32> {
        let row_bits = usize::BITS - self.packed.len().leading_zeros();
        (self.bits + row_bits <= u64::BITS).then_some(row_bits)
    }

    /// Keys with their row numbers below them, in order.
    fn sorted_words(self, row_bits: u32) -> PrimitiveArray<u64> {
        let mut words = self.packed;
        words.iter_mut().zip(0_u64..).for_each(|(word, row)| *word = (*word << row_bits) | row);
        single(&UInt64Chunked::from_vec(PlSmallStr::EMPTY, words).sort(false))
    }
}

fn row_of(word: u64, row_bits: u32) -> IdxSize {
    IdxSize::try_from(word & ((1 << row_bits) - 1)).unwrap_or(IdxSize::MAX)
}

/// Keys of 64 bits, each with its row, in the order of the keys, and rows of equal keys in their own order: a radix sort,
/// least significant digits first.
fn by_digits(keys: Vec<u64>, bits: u32) -> Vec<(u64, IdxSize)> {
    const DIGIT_BITS: u32 = 11;
    const DIGITS: usize = 1 << DIGIT_BITS;
    let digit = |key: u64, pass: u32| ((key >> (pass * DIGIT_BITS)) & (DIGITS as u64 - 1)) as usize;
    let mut sorted: Vec<(u64, IdxSize)> = keys.into_iter().zip(0..).collect();
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

/// Keys in ascending order, each with its row.
struct InOrder(Vec<(u64, IdxSize)>);

impl InOrder {
    /// The rows, those of equal keys sorted by other columns. Each step packs at least one column, of the rows that are still
    /// equal; of a column that cannot be packed Polars sorts the rest.
    fn resolved(self, frame: &DataFrame, others: &[(PlSmallStr, bool, bool)]) -> PolarsResult<IdxCa> {
        let mut rows: Vec<IdxSize> = self.0.iter().map(|(_, row)| *row).collect();
        let (mut tied, mut others) = (self.ties(|place| place), others);
        while !others.is_empty() && !tied.places.is_empty() {
            let of_rows: Vec<IdxSize> = tied.places.iter().map(|place| rows[*place]).collect();
            let of_rows = IdxCa::from_vec(PlSmallStr::EMPTY, of_rows);
            let column = |name: &str| frame.column(name)?.take(&of_rows);
            let Ties { places, groups } = tied;
            let (keys, count) = Packed::of_first(groups, others, column)?;
            let in_order =
                if count == 0 { by_polars_in_groups(keys.packed, others, column)? } else { keys.in_order() };
            let of_rows = single(&of_rows);
            for (place, (_, row)) in places.iter().zip(&in_order.0) {
                rows[*place] = of_rows.value(*row as usize);
            }
            others = if count == 0 { &[] } else { &others[count..] };
            tied = in_order.ties(|place| places[place]);
        }
        Ok(IdxCa::from_vec(PlSmallStr::EMPTY, rows))
    }

    /// The places of rows with equal keys.
    fn ties(&self, place_of: impl Fn(usize) -> usize) -> Ties {
        let mut ties = Ties { places: Vec::new(), groups: Vec::new() };
        let mut from = 0;
        for (equal, group) in self.0.chunk_by(|before, after| before.0 == after.0).zip(0..) {
            if equal.len() > 1 {
                ties.places.extend((from..from + equal.len()).map(&place_of));
                ties.groups.extend(std::iter::repeat_n(group, equal.len()));
            }
            from += equal.len();
        }
        ties
    }
}

/// Rows whose keys so far are equal to those of others.
struct Ties {
    /// Their places in the order, ascending.
    places: Vec<usize>,
    /// For each the number of its group; rows of a group follow each other.
    groups: Vec<u64>,
}

/// Rows in the order of their groups' numbers and then of these columns.
fn by_polars_in_groups(
    groups: Vec<u64>,
    sort: &[(PlSmallStr, bool, bool)],
    column: impl Fn(&str) -> PolarsResult<Column>,
) -> PolarsResult<InOrder> {
    let group = UInt64Chunked::from_vec(PlSmallStr::EMPTY, groups).into_series().into();
    let others = sort.iter().map(|(name, ..)| column(name));
    let keys = std::iter::once(Ok(group)).chain(others).collect::<PolarsResult<Vec<Column>>>()?;
    let ascending = (PlSmallStr::EMPTY, false, false);
    let sort: Vec<(PlSmallStr, bool, bool)> =
        std::iter::once(ascending).chain(sort.iter().cloned()).collect();
    let order = single(&by_polars(&keys, &sort)?);
    Ok(InOrder(order.values().iter().map(|row| (0, *row)).collect()))
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

#[cfg(test)]
mod tests {
    use polars::prelude::{DataType, Int64Chunked, NamedFrom as _, Series};

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
            Series::new(
                "u".into(),
                (0..ROWS as i64).map(|row| (row % 7 > 0).then_some((row / 2) << 41)).collect::<Vec<_>>(),
            )
            .into(),
            Series::new(
                "g".into(),
                (0..ROWS)
                    .map(|row| (row / 3) as f64 * if row % 2 == 0 { 1.0 } else { -1.0 })
                    .collect::<Vec<_>>(),
            )
            .into(),
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
            (&["f", "t"], 2),
            (&["n", "row", "d"], 3),
            (&["n", "d", "row", "t"], 4),
            (&["b", "x", "row"], 1),
            (&["n", "f", "x", "t"], 2),
            (&["u", "row"], 1),
            (&["u", "x", "t"], 1),
            (&["g", "u", "row"], 1),
            (&["g", "u", "b", "x"], 1),
            (&["b", "g", "u", "n", "row"], 1),
            (&["x"], 0),
            (&["x", "b"], 0),
        ];
        for (keys, count) in cases {
            let sort = by(keys);
            let column = |name: &str| Ok(frame.column(name)?.clone());
            let (_, found) = Packed::of_first(vec![0; ROWS], &sort, column).expect("keys");
            assert_eq!(found, *count, "{keys:?}");
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
        assert_eq!(by_digits(keys, u64::BITS), expected);
        assert_eq!(by_digits(vec![3, 1, 1, 0], 2), [(0, 3), (1, 1), (1, 2), (3, 0)]);
        assert_eq!(by_digits(vec![0, 0], 0), [(0, 0), (0, 1)]);
    }
}
