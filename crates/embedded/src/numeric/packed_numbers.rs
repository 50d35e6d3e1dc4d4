//! Packs several integers or dates into one value of 64 bits: Polars encodes several grouping keys as rows of bytes,
//! and hashes and compares those. There is no packing into more than 64 bits, because Polars' in-memory engine cannot
//! group by numbers of 128 bits.

use polars::prelude::{
    Column, DataType, Expr, Int64Chunked, IntoColumn, IntoSeries, PolarsError, PolarsResult,
};
use polars_arrow::array::PrimitiveArray;
use polars_arrow::bitmap::Bitmap;

use super::{kernel, long_column, named, single};
use crate::data_type::storage;
use rowhouse_sql::types::Type;

/// The position of a number in the packed value.
#[derive(Clone, Debug)]
struct Place {
    data_type: Type,
    /// Bits of the number, without the additional bit for NULL.
    bits: u32,
    may_be_null: bool,
    /// Bits below it.
    behind: u32,
}

/// The layout of packed numbers.
#[derive(Clone, Debug)]
pub(crate) struct PackedNumbers {
    places: Vec<Place>,
}

impl PackedNumbers {
    /// The layout of columns of these types, each with whether it may be NULL; `None` if there are fewer than two, if
    /// one is not an integer or date, or if they are too long.
    pub(crate) fn of(columns: &[(Type, bool)]) -> Option<Self> {
        let mut places = Vec::with_capacity(columns.len());
        let mut behind = 0;
        for (data_type, may_be_null) in columns.iter().rev() {
            let bits = match data_type {
                Type::TinyInt => i8::BITS,
                Type::SmallInt => i16::BITS,
                Type::Integer | Type::Date => i32::BITS,
                _ => return None,
            };
            places.push(Place { data_type: data_type.clone(), bits, may_be_null: *may_be_null, behind });
            behind += bits + u32::from(*may_be_null);
        }
        places.reverse();
        let fits = columns.len() > 1 && behind <= i64::BITS;
        fits.then_some(Self { places })
    }

    /// Packs the columns, in the order of their types.
    pub(crate) fn pack(&self, columns: &[Expr]) -> Option<Expr> {
        let (first, rest) = columns.split_first()?;
        let own = self.clone();
        Some(kernel(first.clone(), rest, DataType::Int64, move |columns| {
            let numbers = packed(&own.places, columns)?.into_iter().map(u64::cast_signed);
            Ok(long_column(&columns[0], PrimitiveArray::from_vec(numbers.collect())))
        }))
    }

    /// Extracts the column at an index.
    pub(crate) fn unpack(&self, packed: Expr, place: usize) -> Expr {
        let place = self.places[place].clone();
        let stored = storage(&place.data_type);
        kernel(packed, &[], stored.clone(), move |columns| {
            let numbers = unpacked(&place, &single(columns[0].as_materialized_series().i64()?));
            let numbers: Int64Chunked = named(&columns[0], numbers);
            let numbers = numbers.into_series();
            // A date is cast from its days, which have 32 bits.
            let numbers = if stored == DataType::Date { numbers.cast(&DataType::Int32)? } else { numbers };
            Ok(numbers.cast(&stored)?.into_column())
        })
    }
}

fn packed(places: &[Place], columns: &[Column]) -> PolarsResult<Vec<u64>> {
    let height = columns.iter().map(Column::len).max().unwrap_or(0);
    let mut packed: Vec<u64> = vec![0; height];
    for (place, column) in places.iter().zip(columns) {
        let numbers = column.to_physical_repr().cast(&DataType::Int64)?;
        let numbers = single(numbers.as_materialized_series().i64()?);
        let mask = u64::MAX >> (u64::BITS - place.bits);
        let values = numbers.values().iter().map(|number| number.cast_unsigned() & mask);
        let validity = numbers.validity().filter(|validity| validity.unset_bits() > 0);
        let bits = place.bits + u32::from(place.may_be_null);
        match validity {
            Some(_) if !place.may_be_null => {
                return Err(PolarsError::ComputeError("a NULL where files say that there is none".into()));
            }
            Some(validity) => {
                let null = 1 << place.bits;
                for ((word, value), is_valid) in packed.iter_mut().zip(values).zip(validity) {
                    *word = (*word << bits) | if is_valid { value } else { null };
                }
            }
            None => {
                for (word, value) in packed.iter_mut().zip(values) {
                    *word = (*word << bits) | value;
                }
            }
        }
    }
    Ok(packed)
}

fn unpacked(place: &Place, packed: &PrimitiveArray<i64>) -> PrimitiveArray<i64> {
    let unused = u64::BITS - place.bits;
    let words: Vec<u64> = packed.values().iter().map(|word| word.cast_unsigned() >> place.behind).collect();
    let numbers = words.iter().map(|word| (word << unused).cast_signed() >> unused);
    let numbers: Vec<i64> = numbers.collect();
    let validity = place
        .may_be_null
        .then(|| Bitmap::from_trusted_len_iter(words.iter().map(|word| (word >> place.bits) & 1 == 0)));
    PrimitiveArray::from_vec(numbers).with_validity(validity)
}

#[cfg(test)]
mod tests {
    use polars::prelude::{DataFrame, Int32Chunked, IntoLazy, col};

    use super::*;

    fn check(first: &[Option<i32>], second: &[Option<i32>], may_be_null: (bool, bool)) {
        let firsts = first.iter().copied().collect::<Int32Chunked>().into_series();
        let firsts = firsts.cast(&storage(&Type::SmallInt)).expect("numbers").with_name("a".into());
        let days = second.iter().copied().collect::<Int32Chunked>().into_series();
        let days = days.cast(&DataType::Date).expect("dates").with_name("b".into());
        let frame =
            DataFrame::new(first.len(), vec![firsts.into_column(), days.into_column()]).expect("a frame");
        let types = [(Type::SmallInt, may_be_null.0), (Type::Date, may_be_null.1)];
        let layout = PackedNumbers::of(&types).expect("two numbers");
        let packed = layout.pack(&[col("a"), col("b")]).expect("columns");
        let both = [layout.unpack(packed.clone(), 0).alias("a"), layout.unpack(packed, 1).alias("b")];
        let found = frame.clone().lazy().select(both).collect().expect("numbers");
        assert!(found.equals_missing(&frame), "{found} and {frame}");
    }

    #[test]
    fn packed_numbers_round_trip() {
        let numbers = [Some(-32_768), None, Some(-1), Some(0), Some(32_767)];
        let days = [Some(0), Some(-1), None, Some(i32::MAX), Some(i32::MIN)];
        let full = |values: &[Option<i32>]| values.iter().map(|value| value.or(Some(7))).collect::<Vec<_>>();
        check(&numbers, &days, (true, true));
        check(&full(&numbers), &days, (false, true));
        check(&numbers, &full(&days), (true, false));
        check(&full(&numbers), &full(&days), (false, false));
        check(&[], &[], (true, true));
    }

    #[test]
    fn texts_and_numbers_beyond_64_bits_are_not_packed() {
        let of = |types: &[(Type, bool)]| PackedNumbers::of(types).is_some();
        assert!(!of(&[(Type::Integer, false)]));
        assert!(!of(&[(Type::Integer, false), (Type::VARCHAR, false)]));
        assert!(!of(&[(Type::BigInt, false), (Type::TinyInt, false)]));
        assert!(!of(&[(Type::Integer, true), (Type::Date, false)]));
        assert!(of(&[(Type::Integer, false), (Type::Date, false)]));
    }
}
