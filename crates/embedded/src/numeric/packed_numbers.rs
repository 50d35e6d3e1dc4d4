//! Packs several integers or dates into one value of 64 or 128 bits: Polars encodes several grouping keys as rows of
//! bytes, and hashes and compares those. A number takes as many bits as the range that its files state needs; one outside
//! of that range, or a NULL where there is none according to them, is an error. Values of 128 bits are for the streaming
//! engine alone: Polars' in-memory engine cannot group by them.

use polars::prelude::{
    Column, DataType, Expr, Int64Chunked, Int128Type, IntoColumn, IntoSeries, PolarsError, PolarsResult,
};
use polars_arrow::array::PrimitiveArray;
use polars_arrow::bitmap::Bitmap;
use rowhouse_model::ErrorCode;

use super::{kernel, long_column, named, single};
use crate::data_type::storage;
use crate::failure::raise;
use rowhouse_sql::types::Type;

/// A column that is packed.
#[derive(Clone, Debug)]
pub(crate) struct PackedColumn {
    pub(crate) data_type: Type,
    pub(crate) may_be_null: bool,
    /// The least and the greatest value, if they are known.
    pub(crate) range: Option<(i64, i64)>,
    /// About the most different texts, if that is known.
    pub(crate) most_texts: Option<u64>,
}

impl PackedColumn {
    /// The least and the greatest number that is packed; `None` if it is no integer or date.
    fn bounds(&self) -> Option<(i64, i64)> {
        let of_type = match self.data_type {
            Type::TinyInt => (i64::from(i8::MIN), i64::from(i8::MAX)),
            Type::SmallInt => (i64::from(i16::MIN), i64::from(i16::MAX)),
            Type::Integer | Type::Date => (i64::from(i32::MIN), i64::from(i32::MAX)),
            Type::BigInt => (i64::MIN, i64::MAX),
            _ => return None,
        };
        Some(self.range.filter(|(least, most)| least <= most).unwrap_or(of_type))
    }
}

/// The position of a number in the packed value. The number is represented by its distance from the least one.
#[derive(Clone, Debug)]
struct Place {
    data_type: Type,
    least: i64,
    /// The greatest distance; the next one represents NULL.
    greatest: u64,
    may_be_null: bool,
    bits: u32,
    /// Bits below it.
    behind: u32,
}

impl Place {
    fn mask(&self) -> u64 {
        u64::MAX.checked_shr(u64::BITS - self.bits).unwrap_or(0)
    }

    /// The numbers with these codes.
    fn unpacked(&self, codes: impl ExactSizeIterator<Item = u64>) -> PrimitiveArray<i64> {
        let codes: Vec<u64> = codes.collect();
        let validity = self
            .may_be_null
            .then(|| Bitmap::from_trusted_len_iter(codes.iter().map(|code| *code <= self.greatest)));
        let numbers = codes.into_iter().map(|code| self.least.wrapping_add(code.cast_signed()));
        PrimitiveArray::from_vec(numbers.collect()).with_validity(validity)
    }
}

/// The layout of packed numbers.
#[derive(Clone, Debug)]
pub(crate) struct PackedNumbers {
    places: Vec<Place>,
    /// Whether the value has 128 bits.
    is_wide: bool,
}

impl PackedNumbers {
    /// The layout of these columns; `None` if there are fewer than two, if one is not an integer or date, or if they are
    /// too long. More than 64 bits are allowed for columns of files, if only the streaming engine groups by them.
    pub(crate) fn of(columns: &[PackedColumn], is_streamed: bool) -> Option<Self> {
        let packed = Self::laid_out(columns)?;
        let is_allowed = is_streamed && columns.iter().any(|column| column.range.is_some());
        let fits = if packed.is_wide { is_allowed } else { columns.len() > 1 };
        fits.then_some(packed)
    }

    /// The layout of these columns, also of a single one; `None` if one is not an integer or date, or if they are too
    /// long.
    pub(crate) fn laid_out(columns: &[PackedColumn]) -> Option<Self> {
        let mut places = Vec::with_capacity(columns.len());
        let mut behind = 0;
        for column in columns.iter().rev() {
            let (least, most) = column.bounds()?;
            let greatest = most.wrapping_sub(least).cast_unsigned();
            let codes = greatest.checked_add(u64::from(column.may_be_null))?;
            let bits = u64::BITS - codes.leading_zeros();
            let (data_type, may_be_null) = (column.data_type.clone(), column.may_be_null);
            places.push(Place { data_type, least, greatest, may_be_null, bits, behind });
            behind += bits;
        }
        places.reverse();
        let is_wide = behind > i64::BITS;
        (behind <= i128::BITS).then_some(Self { places, is_wide })
    }

    /// Whether the value has 128 bits.
    pub(crate) const fn is_wide(&self) -> bool {
        self.is_wide
    }

    /// A number that is greater than each value; `None` if it has more than 64 bits.
    pub(crate) fn bound(&self) -> Option<u64> {
        let first = self.places.first()?;
        let codes = first.greatest.checked_add(1 + u64::from(first.may_be_null))?;
        codes.checked_mul(1_u64.checked_shl(first.behind)?)
    }

    /// How many values the column at a place may have, NULL among them.
    pub(crate) fn values_at(&self, place: usize) -> u64 {
        let place = &self.places[place];
        place.greatest.saturating_add(1 + u64::from(place.may_be_null))
    }

    /// The layout of all columns but the last one, and their packed value, computed from that of all columns; `None` if
    /// there is no other column.
    pub(crate) fn without_last(&self, packed: Expr) -> Option<(Self, Expr)> {
        let (last, others) = self.places.split_last()?;
        let without = |place: &Place| Place { behind: place.behind - last.bits, ..place.clone() };
        let places: Vec<Place> = others.iter().map(without).collect();
        let first = places.first()?;
        let (was_wide, is_wide, bits) = (self.is_wide, first.behind + first.bits > u64::BITS, last.bits);
        let packed_type = if is_wide { DataType::Int128 } else { DataType::Int64 };
        let shifted = kernel(packed, &[], packed_type, move |columns| {
            let values = columns[0].as_materialized_series();
            if !was_wide {
                let words = single(values.i64()?);
                let words =
                    words.values().iter().map(|word| word.cast_unsigned().checked_shr(bits).unwrap_or(0));
                let words = words.map(u64::cast_signed).collect();
                return Ok(long_column(&columns[0], PrimitiveArray::from_vec(words)));
            }
            let words = single(values.i128()?);
            let words = words.values().iter().map(|word| word.cast_unsigned().checked_shr(bits).unwrap_or(0));
            if is_wide {
                let words = PrimitiveArray::from_vec(words.map(u128::cast_signed).collect());
                return Ok(named::<Int128Type>(&columns[0], words).into_series().into_column());
            }
            #[expect(clippy::cast_possible_truncation, reason = "the remaining bits")]
            let words = words.map(|word| word as i64).collect();
            Ok(long_column(&columns[0], PrimitiveArray::from_vec(words)))
        });
        Some((Self { places, is_wide }, shifted))
    }

    /// Packs the columns, in the order of their types.
    pub(crate) fn pack(&self, columns: &[Expr]) -> Option<Expr> {
        let (first, rest) = columns.split_first()?;
        let own = self.clone();
        let packed_type = if self.is_wide { DataType::Int128 } else { DataType::Int64 };
        Some(kernel(first.clone(), rest, packed_type, move |columns| {
            if own.is_wide {
                let numbers = packed::<u128>(&own.places, columns)?.into_iter().map(u128::cast_signed);
                let numbers = PrimitiveArray::from_vec(numbers.collect());
                return Ok(named::<Int128Type>(&columns[0], numbers).into_series().into_column());
            }
            let numbers = packed::<u64>(&own.places, columns)?.into_iter().map(u64::cast_signed);
            Ok(long_column(&columns[0], PrimitiveArray::from_vec(numbers.collect())))
        }))
    }

    /// Extracts the column at an index.
    pub(crate) fn unpack(&self, packed: Expr, place: usize) -> Expr {
        let (place, is_wide) = (self.places[place].clone(), self.is_wide);
        let stored = storage(&place.data_type);
        kernel(packed, &[], stored.clone(), move |columns| {
            let values = columns[0].as_materialized_series();
            let numbers = if is_wide {
                let words = single(values.i128()?);
                place.unpacked(words.values().iter().map(|word| word.cast_unsigned().code(&place)))
            } else {
                let words = single(values.i64()?);
                place.unpacked(words.values().iter().map(|word| word.cast_unsigned().code(&place)))
            };
            let numbers: Int64Chunked = named(&columns[0], numbers);
            let numbers = numbers.into_series();
            // A date is cast from its days, which have 32 bits.
            let numbers = if stored == DataType::Date { numbers.cast(&DataType::Int32)? } else { numbers };
            Ok(numbers.cast(&stored)?.into_column())
        })
    }
}

/// An unsigned number of 64 or 128 bits.
trait Word: Copy + Default {
    /// The number with further bits below it.
    fn followed_by(self, bits: u32, code: u64) -> Self;
    /// The bits at a place.
    fn code(self, place: &Place) -> u64;
}

impl Word for u64 {
    fn followed_by(self, bits: u32, code: u64) -> Self {
        self.checked_shl(bits).unwrap_or(0) | code
    }

    fn code(self, place: &Place) -> u64 {
        self.checked_shr(place.behind).unwrap_or(0) & place.mask()
    }
}

impl Word for u128 {
    fn followed_by(self, bits: u32, code: u64) -> Self {
        (self << bits) | Self::from(code)
    }

    #[expect(clippy::cast_possible_truncation, reason = "the upper bits are those of other columns")]
    fn code(self, place: &Place) -> u64 {
        self.checked_shr(place.behind).unwrap_or(0) as u64 & place.mask()
    }
}

fn packed<W: Word>(places: &[Place], columns: &[Column]) -> PolarsResult<Vec<W>> {
    let height = columns.iter().map(Column::len).max().unwrap_or(0);
    let mut packed: Vec<W> = vec![W::default(); height];
    for (place, column) in places.iter().zip(columns) {
        let numbers = column.to_physical_repr().cast(&DataType::Int64)?;
        let numbers = single(numbers.as_materialized_series().i64()?);
        let distances =
            numbers.values().iter().map(|number| number.wrapping_sub(place.least).cast_unsigned());
        let mut is_beyond = false;
        match numbers.validity().filter(|validity| validity.unset_bits() > 0) {
            Some(_) if !place.may_be_null => {
                return Err(beyond("a NULL, and the footer says that it has none"));
            }
            Some(validity) => {
                let null = place.greatest.wrapping_add(1);
                for ((word, distance), is_valid) in packed.iter_mut().zip(distances).zip(validity) {
                    is_beyond |= is_valid && distance > place.greatest;
                    *word = word.followed_by(place.bits, if is_valid { distance } else { null });
                }
            }
            None => {
                for (word, distance) in packed.iter_mut().zip(distances) {
                    is_beyond |= distance > place.greatest;
                    *word = word.followed_by(place.bits, distance);
                }
            }
        }
        if is_beyond {
            return Err(beyond("a number outside of the range in the footer"));
        }
    }
    Ok(packed)
}

fn beyond(what: &str) -> PolarsError {
    let message = format!("cannot read the table's files: a column has {what}");
    raise(ErrorCode::External, message)
}

#[cfg(test)]
mod tests {
    use polars::prelude::{DataFrame, Int32Chunked, IntoLazy, col};

    use super::*;

    fn column(data_type: Type, may_be_null: bool, range: Option<(i64, i64)>) -> PackedColumn {
        PackedColumn { data_type, may_be_null, range, most_texts: None }
    }

    fn check(first: &[Option<i32>], second: &[Option<i32>], may_be_null: (bool, bool)) {
        let firsts = first.iter().copied().collect::<Int32Chunked>().into_series();
        let firsts = firsts.cast(&storage(&Type::SmallInt)).expect("numbers").with_name("a".into());
        let days = second.iter().copied().collect::<Int32Chunked>().into_series();
        let days = days.cast(&DataType::Date).expect("dates").with_name("b".into());
        let frame =
            DataFrame::new(first.len(), vec![firsts.into_column(), days.into_column()]).expect("a frame");
        let range = |values: &[Option<i32>]| {
            let known = || values.iter().flatten().map(|value| i64::from(*value));
            known().min().zip(known().max())
        };
        for ranges in [(None, None), (range(first), None), (range(first), range(second))] {
            let columns = [
                column(Type::SmallInt, may_be_null.0, ranges.0),
                column(Type::Date, may_be_null.1, ranges.1),
            ];
            let layout = PackedNumbers::of(&columns, false).expect("two numbers");
            let packed = layout.pack(&[col("a"), col("b")]).expect("columns");
            let both = [layout.unpack(packed.clone(), 0).alias("a"), layout.unpack(packed, 1).alias("b")];
            let found = frame.clone().lazy().select(both).collect().expect("numbers");
            assert!(found.equals_missing(&frame), "{found} and {frame}");
        }
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
    fn numbers_of_more_than_64_bits_are_packed_for_the_streaming_engine() {
        let columns = [
            column(Type::Integer, true, Some((-7, 7))),
            column(Type::BigInt, false, None),
            column(Type::SmallInt, true, None),
        ];
        assert!(PackedNumbers::of(&columns, false).is_none());
        let layout = PackedNumbers::of(&columns, true).expect("a layout");
        let frame = polars::prelude::df!(
            "a" => [Some(-7_i32), None, Some(7), Some(0)],
            "b" => [i64::MIN, i64::MAX, 0, -1],
            "c" => [None, Some(-32_768_i32), Some(32_767), Some(0)]
        );
        let frame = frame.expect("a frame").lazy().with_column(col("c").cast(DataType::Int16));
        let frame = frame.collect().expect("a frame");
        let names = ["a", "b", "c"];
        let packed = layout.pack(&names.map(col)).expect("columns");
        let all =
            names.iter().enumerate().map(|(place, name)| layout.unpack(packed.clone(), place).alias(*name));
        let found = frame.clone().lazy().select(all.collect::<Vec<_>>()).collect().expect("numbers");
        assert!(found.equals_missing(&frame), "{found} and {frame}");
        // Rows that are not those of files may be grouped by the other engine.
        let unknown = columns.map(|column| PackedColumn { range: None, ..column });
        assert!(PackedNumbers::of(&unknown, true).is_none());
    }

    #[test]
    fn the_last_number_is_removed_from_the_packed_value() {
        let narrow = column(Type::Integer, true, Some((-7, 7)));
        let (long, flag) = (column(Type::BigInt, false, None), column(Type::Integer, false, Some((5, 5))));
        let frame = polars::prelude::df!(
            "a" => [Some(-7_i64), None, Some(7), Some(0)],
            "b" => [i64::MIN, i64::MAX, 0, -1],
            "c" => [5_i64, 5, 5, 5]
        );
        let frame = frame.expect("a frame").lazy();
        let named = [("a", &narrow), ("b", &long), ("c", &flag)];
        for order in [[0, 1, 2], [1, 0, 2], [2, 1, 0], [0, 2, 1], [2, 0, 1], [1, 2, 0]] {
            let columns = order.map(|at| named[at].1.clone());
            let names = order.map(|at| named[at].0);
            let all = PackedNumbers::laid_out(&columns).expect("a layout");
            let packed = all.pack(&names.map(col)).expect("columns");
            let (two, packed_two) = all.without_last(packed).expect("other columns");
            let (one, packed_one) = two.without_last(packed_two.clone()).expect("another column");
            assert!(one.without_last(packed_one.clone()).is_none());
            let unpacked = [
                two.unpack(packed_two.clone(), 0).cast(DataType::Int64).alias("0"),
                two.unpack(packed_two, 1).cast(DataType::Int64).alias("1"),
                one.unpack(packed_one, 0).cast(DataType::Int64).alias("2"),
            ];
            let found = frame.clone().select(unpacked).collect().expect("numbers");
            let expected = [col(names[0]).alias("0"), col(names[1]).alias("1"), col(names[0]).alias("2")];
            let expected = frame.clone().select(expected).collect().expect("numbers");
            assert!(found.equals_missing(&expected), "{names:?}: {found} and {expected}");
        }
    }

    #[test]
    fn texts_and_numbers_beyond_64_bits_are_not_packed() {
        let of = |columns: &[PackedColumn]| PackedNumbers::of(columns, false).is_some();
        let full = |data_type: Type| column(data_type, false, None);
        assert!(!of(&[full(Type::Integer)]));
        assert!(!of(&[full(Type::Integer), full(Type::VARCHAR)]));
        assert!(!of(&[full(Type::BigInt), full(Type::TinyInt)]));
        assert!(!of(&[column(Type::Integer, true, None), full(Type::Date)]));
        assert!(of(&[full(Type::Integer), full(Type::Date)]));
        // With a range, a number takes as many bits as its distances.
        assert!(of(&[column(Type::Integer, true, Some((1, 1000))), full(Type::Date)]));
        assert!(of(&[
            column(Type::BigInt, true, Some((-5, 1 << 30))),
            column(Type::Date, true, Some((0, 9)))
        ]));
        assert!(!of(&[column(Type::BigInt, false, Some((i64::MIN, i64::MAX))), full(Type::TinyInt)]));
    }

    #[test]
    fn a_number_that_its_file_denies_is_an_error() {
        let columns = [column(Type::BigInt, false, Some((1, 8))), column(Type::BigInt, true, Some((1, 8)))];
        let layout = PackedNumbers::of(&columns, false).expect("two numbers");
        let packs = |first: Option<i64>, second: Option<i64>| {
            let frame = polars::prelude::df!("a" => [first], "b" => [second]).expect("a frame");
            let packed = layout.pack(&[col("a"), col("b")]).expect("columns");
            frame.lazy().select([packed]).collect().is_ok()
        };
        assert!(packs(Some(8), Some(1)) && packs(Some(1), None));
        assert!(!packs(Some(9), Some(1)) && !packs(Some(1), Some(0)) && !packs(None, Some(1)));
        assert!(!packs(Some(i64::MIN), Some(1)) && !packs(Some(1), Some(i64::MAX)));
    }
}
