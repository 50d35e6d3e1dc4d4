//! The sort of rows by partition and order. Keys that fit into 64 bits together are packed into one number per row:
//! comparing numbers costs a fraction of comparing rows. Polars sorts by other keys.

use std::borrow::Cow;
use std::collections::HashMap;

use polars::prelude::{
    ChunkSort as _, Column, DataFrame, DataType, IdxCa, IdxSize, PlSmallStr, PolarsResult, Series,
    SortMultipleOptions, SortOptions, UInt64Chunked,
};
use polars_arrow::array::PrimitiveArray;

use super::MIN_ROWS;
use super::places::longs;
use crate::numeric::single;

/// Maximum number of different texts of a key that is packed.
const MAX_TEXTS: usize = 1 << 16;

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
    if let Some(keys) = Packed::of(frame, sort)? {
        return Ok((!keys.packed.is_sorted()).then(|| keys.order()));
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
struct Packed {
    packed: Vec<u64>,
    bits: u32,
}

impl Packed {
    /// `None` if the columns do not fit, or if there are few rows.
    fn of(frame: &DataFrame, sort: &[(PlSmallStr, bool, bool)]) -> PolarsResult<Option<Self>> {
        let rows = frame.height();
        if rows < MIN_ROWS {
            return Ok(None);
        }
        let mut packed: Vec<u64> = vec![0; rows];
        let mut bits = 0;
        for (name, is_descending, nulls_last) in sort {
            let values = frame.column(name)?.as_materialized_series();
            let Some(codes) = Codes::of(values, *is_descending, *nulls_last)? else { return Ok(None) };
            let own = u64::BITS - codes.greatest.leading_zeros();
            bits += own;
            if bits > u64::BITS {
                return Ok(None);
            }
            let above = |packed: u64| packed.checked_shl(own).unwrap_or(0);
            packed.iter_mut().zip(codes.values).for_each(|(packed, code)| *packed = above(*packed) | code);
        }
        Ok(Some(Self { packed, bits }))
    }

    /// The rows in the order of their keys.
    fn order(self) -> IdxCa {
        let Self { packed: mut keys, bits } = self;
        let row_bits = usize::BITS - keys.len().leading_zeros();
        if bits + row_bits > u64::BITS {
            let options = SortOptions::default().with_maintain_order(true);
            return UInt64Chunked::from_vec(PlSmallStr::EMPTY, keys).arg_sort(options);
        }
        keys.iter_mut().zip(0_u64..).for_each(|(key, row)| *key = (*key << row_bits) | row);
        let sorted = UInt64Chunked::from_vec(PlSmallStr::EMPTY, keys).sort(false);
        let mask = (1_u64 << row_bits) - 1;
        let row = |key: &u64| IdxSize::try_from(key & mask).unwrap_or(IdxSize::MAX);
        let rows: Vec<IdxSize> = single(&sorted).values().iter().map(row).collect();
        IdxCa::from_vec(PlSmallStr::EMPTY, rows)
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
struct Codes {
    values: Vec<u64>,
    greatest: u64,
}

impl Codes {
    /// `None` for values without a short order-preserving number.
    fn of(values: &Series, is_descending: bool, nulls_last: bool) -> PolarsResult<Option<Self>> {
        let values = values.to_physical_repr();
        let found = match values.dtype() {
            DataType::Boolean | DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => {
                distances(&longs(&values)?, is_descending, i128::from)
            }
            DataType::Int128 => distances(&single(values.i128()?), is_descending, std::convert::identity),
            DataType::String => ranks(&values, is_descending)?,
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

/// The rank of each text among the different ones, if those are few.
fn ranks(values: &Series, is_descending: bool) -> PolarsResult<Option<(Vec<Option<u64>>, u64)>> {
    let texts = values.str()?;
    let most = (values.len() / 4).min(MAX_TEXTS);
    let mut places: HashMap<&str, u32> = HashMap::new();
    let mut found: Vec<Option<u32>> = Vec::with_capacity(values.len());
    let mut last: Option<(&str, u32)> = None;
    for text in texts.iter() {
        let Some(text) = text else {
            found.push(None);
            continue;
        };
        let place = match last {
            Some((before, place)) if before == text => place,
            _ => {
                let next = u32::try_from(places.len()).unwrap_or(u32::MAX);
                *places.entry(text).or_insert(next)
            }
        };
        if places.len() > most {
            return Ok(None);
        }
        last = Some((text, place));
        found.push(Some(place));
    }
    let mut order: Vec<(&str, u32)> = places.into_iter().collect();
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
    Ok(Some((ranks.collect(), greatest)))
}

#[cfg(test)]
mod tests {
    use polars::prelude::{Int64Chunked, IntoSeries as _, NamedFrom as _};

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
        let packed: &[&[&str]] =
            &[&["t"], &["b", "t", "n"], &["n", "b"], &["t", "d"], &["nothing", "t"], &["b", "row"], &["row"]];
        let others: &[&[&str]] = &[&["x"], &["f", "t"], &["w", "n"], &["n", "row", "d"]];
        for keys in packed.iter().chain(others) {
            let sort = by(keys);
            let found = Packed::of(&frame, &sort).expect("keys");
            assert_eq!(found.is_some(), packed.contains(keys), "{keys:?}");
            let options = SortMultipleOptions::default()
                .with_order_descending_multi(sort.iter().map(|(_, is_descending, _)| *is_descending))
                .with_nulls_last_multi(sort.iter().map(|(.., nulls_last)| *nulls_last))
                .with_maintain_order(true);
            let expected = frame.sort(sort.iter().map(|(name, ..)| name.clone()), options).expect("sorted");
            assert!(sorted(&frame, &sort).expect("sorted").equals_missing(&expected), "{keys:?}");
        }
    }
}
