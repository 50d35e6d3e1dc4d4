//! Order-preserving numbers of sort keys: distances from the first value, or ranks of few different values.

use std::hash::Hash;

use polars::prelude::{DataType, PlHashMap, PolarsResult, Series};
use polars_arrow::array::PrimitiveArray;
use polars_arrow::types::NativeType;

use crate::lower::window::longs;
use crate::numeric::single;

/// Maximum number of different values of a key that is packed as their ranks.
const MAX_VALUES: usize = 1 << 16;
/// Numbers that are further apart are packed as ranks if they are few: 32 bits are left for other keys.
const MAX_DISTANCE: u64 = u32::MAX as u64;

/// Numbers from 0 on in the order of a key's values.
pub(in crate::lower::window) struct Codes {
    pub(super) values: Vec<u64>,
    pub(super) greatest: u64,
}

impl Codes {
    /// `None` for values without a short order-preserving number.
    pub(in crate::lower::window) fn of(
        values: &Series,
        is_descending: bool,
        nulls_last: bool,
    ) -> PolarsResult<Option<Self>> {
        let values = values.to_physical_repr();
        let found = match values.dtype() {
            DataType::Boolean | DataType::Int8 | DataType::Int16 | DataType::Int32 | DataType::Int64 => {
                of_numbers(&longs(&values)?, is_descending, i128::from)
            }
            DataType::Int128 => of_numbers(&single(values.i128()?), is_descending, std::convert::identity),
            DataType::Float32 | DataType::Float64 => {
                let doubles = single(values.cast(&DataType::Float64)?.f64()?);
                let numbers: Vec<u64> = doubles.values().iter().map(|number| ordered(*number)).collect();
                let numbers = PrimitiveArray::from_vec(numbers).with_validity(doubles.validity().cloned());
                of_numbers(&numbers, is_descending, i128::from)
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
    pub(in crate::lower::window) fn into_values(self) -> Vec<u64> {
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

/// Distances, or ranks if those are large and the numbers are few; with the greatest.
fn of_numbers<T: NativeType + Eq + Hash + Ord>(
    numbers: &PrimitiveArray<T>,
    is_descending: bool,
    wide: impl Fn(T) -> i128,
) -> Option<(Vec<Option<u64>>, u64)> {
    let near = distances(numbers, is_descending, wide);
    if near.as_ref().is_some_and(|(_, greatest)| *greatest <= MAX_DISTANCE) {
        return near;
    }
    let all = numbers.iter().map(|number| number.copied());
    ranks(numbers.len(), all, is_descending).or(near)
}

/// The distance of each number from the first one in order, and the greatest distance.
fn distances<T: NativeType>(
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
