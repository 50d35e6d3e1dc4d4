//! Sums of numbers for each group of a batch. Rows are processed in blocks that stay in the first-level cache: columns
//! are copied into 64 bits, the summands are computed from them, and summed.

use std::borrow::Cow;
use std::ops::Add;

use polars::prelude::{Column, DataFrame, DataType, PlSmallStr, PolarsResult};
use polars_arrow::array::{Array, PrimitiveArray};
use polars_arrow::bitmap::Bitmap;
use polars_arrow::compute::utils::combine_validities_and;
use polars_arrow::types::NativeType;

use super::codes::Codes;
use crate::failure;
use crate::numeric::{
    Columns, MAX_NARROW_BITS, MAX_SURE_BITS, Number, decimal_values, magnitude_bits, single,
};

/// Rows of a block: some columns of this many numbers fit in the first-level cache.
const BLOCK_ROWS: usize = 1024;

/// Number of partial sums of one group, which are used in turn.
const SUMS_AT_A_TIME: usize = 4;

/// The sums of numbers in each group of a batch.
///
/// # Errors
///
/// A value has more digits than its type, or is too large to be summed without a check of each sum.
pub(super) fn sums(numbers: &[&Number], batch: &DataFrame, groups: &Codes) -> PolarsResult<Vec<Vec<i128>>> {
    let mut block = Block::of(numbers, batch)?;
    let validities: Vec<Option<Bitmap>> = numbers.iter().map(|number| block.validity(number)).collect();
    let mut all: Vec<Sums> = numbers.iter().map(|_| Sums::new(groups.count())).collect();
    let mut values = Vec::with_capacity(BLOCK_ROWS);
    for (block_number, codes) in groups.of_rows().chunks(BLOCK_ROWS).enumerate() {
        let first_row = block_number * BLOCK_ROWS;
        block.move_to(first_row, codes.len());
        for ((number, validity), sums) in numbers.iter().zip(&validities).zip(&mut all) {
            let bits = number.bits(&block);
            if bits > MAX_NARROW_BITS {
                let array = none_large(number.wide(&block)?)?;
                sums.add_wide(&without_nulls(&array), codes);
                continue;
            }
            values.clear();
            number.narrow(&block, &mut values);
            if let Some(validity) = validity {
                for (row, value) in values.iter_mut().enumerate() {
                    *value *= i64::from(validity.get_bit(first_row + row));
                }
            }
            sums.add_narrow(&values, bits, codes);
        }
    }
    Ok(all.into_iter().map(Sums::finish).collect())
}

/// The value of a number for each row.
///
/// # Errors
///
/// As for [`sums`].
pub(super) fn of_each_row(number: &Number, batch: &DataFrame) -> PolarsResult<PrimitiveArray<i128>> {
    let mut block = Block::of(&[number], batch)?;
    block.move_to(0, batch.height());
    none_large(number.wide(&block)?)
}

/// The value of a number for each row of a batch, with 0 for NULLs.
#[derive(Debug)]
pub(crate) enum Summands {
    /// No magnitude exceeds 2 to the power of `bits`.
    Narrow {
        values: Vec<i64>,
        bits: u32,
    },
    Wide(Vec<i128>),
}

impl Summands {
    /// The number of bits such that no magnitude exceeds 2 to that power; `None` if the values have more than 64 bits.
    pub(crate) const fn bits(&self) -> Option<u32> {
        match self {
            Self::Narrow { bits, .. } => Some(*bits),
            Self::Wide(_) => None,
        }
    }
}

/// The value of a number for each row.
///
/// # Errors
///
/// As for [`sums`].
pub(crate) fn summands(number: &Number, batch: &DataFrame) -> PolarsResult<Summands> {
    let mut block = Block::of(&[number], batch)?;
    let mut values = Vec::with_capacity(batch.height());
    let mut most = 0;
    for first_row in (0..batch.height()).step_by(BLOCK_ROWS) {
        block.move_to(first_row, BLOCK_ROWS.min(batch.height() - first_row));
        let bits = number.bits(&block);
        if bits > MAX_NARROW_BITS {
            return Ok(Summands::Wide(without_nulls(&of_each_row(number, batch)?).into_owned()));
        }
        most = most.max(bits);
        number.narrow(&block, &mut values);
    }
    if let Some(validity) = block.validity(number) {
        for (value, is_valid) in values.iter_mut().zip(&validity) {
            *value *= i64::from(is_valid);
        }
    }
    Ok(Summands::Narrow { values, bits: most })
}

/// The values, checked to be small, with 0 as the value of NULLs, which may have been arbitrary.
fn none_large(array: PrimitiveArray<i128>) -> PolarsResult<PrimitiveArray<i128>> {
    let array = match without_nulls(&array) {
        Cow::Borrowed(_) => array,
        Cow::Owned(values) => PrimitiveArray::from_vec(values).with_validity(array.validity().cloned()),
    };
    if magnitude_bits(&array) > MAX_SURE_BITS { Err(failure::decimals_too_large()) } else { Ok(array) }
}

/// The values of an array, with 0 for NULLs.
pub(crate) fn without_nulls<T: NativeType>(array: &PrimitiveArray<T>) -> Cow<'_, [T]> {
    let values = array.values().as_slice();
    match array.validity() {
        Some(validity) if array.null_count() > 0 => {
            let masked = values.iter().zip(validity);
            Cow::Owned(masked.map(|(value, is_valid)| if is_valid { *value } else { T::default() }).collect())
        }
        _ => Cow::Borrowed(values),
    }
}

/// The sums of `number` applied to values, for each group.
pub(super) fn add_up<V: Copy, S: Copy + Default + Add<Output = S>>(
    values: &[V],
    groups: &Codes,
    number: impl Fn(V) -> S,
) -> Vec<S> {
    let mut turns = vec![[S::default(); SUMS_AT_A_TIME]; groups.count()];
    add_in_turn(&mut turns, values, groups.of_rows(), number);
    turns.into_iter().map(total).collect()
}

/// Adds values to the sums of their groups. Each group has several sums, which are used in turn, because a sum cannot
/// be read again right after it was written without a stall.
fn add_in_turn<V: Copy, S: Copy + Add<Output = S>>(
    turns: &mut [[S; SUMS_AT_A_TIME]],
    values: &[V],
    codes: &[u16],
    number: impl Fn(V) -> S,
) {
    let (codes, last_codes) = codes.as_chunks::<SUMS_AT_A_TIME>();
    let (values, last_values) = values.as_chunks::<SUMS_AT_A_TIME>();
    if let [only] = turns {
        for values in values {
            for (sum, value) in only.iter_mut().zip(values) {
                *sum = *sum + number(*value);
            }
        }
        only[0] = last_values.iter().fold(only[0], |sum, value| sum + number(*value));
        return;
    }
    for (codes, values) in codes.iter().zip(values) {
        for turn in 0..SUMS_AT_A_TIME {
            let sum = &mut turns[usize::from(codes[turn])][turn];
            *sum = *sum + number(values[turn]);
        }
    }
    for (code, value) in last_codes.iter().zip(last_values) {
        let sum = &mut turns[usize::from(*code)][0];
        *sum = *sum + number(*value);
    }
}

fn total<S: Copy + Default + Add<Output = S>>(turns: [S; SUMS_AT_A_TIME]) -> S {
    turns.into_iter().fold(S::default(), S::add)
}

/// The sums of one number so far.
struct Sums {
    narrow: Vec<[i64; SUMS_AT_A_TIME]>,
    /// An upper bound of the magnitudes of the narrow sums.
    most: u128,
    wide: Vec<i128>,
}

impl Sums {
    fn new(groups: usize) -> Self {
        Self { narrow: vec![[0; SUMS_AT_A_TIME]; groups], most: 0, wide: vec![0; groups] }
    }

    /// Adds values whose magnitudes are at most 2^`bits`.
    fn add_narrow(&mut self, values: &[i64], bits: u32, codes: &[u16]) {
        let limit = u128::from(i64::MAX.unsigned_abs());
        // OK because there are at most as many values as a block has rows, and the type has 128 bits.
        let added = (values.len() as u128) << bits;
        if added > limit {
            return add_to(&mut self.wide, values, codes);
        }
        if self.most + added > limit {
            self.widen();
        }
        self.most += added;
        add_in_turn(&mut self.narrow, values, codes, |value| value);
    }

    fn add_wide(&mut self, values: &[i128], codes: &[u16]) {
        add_to(&mut self.wide, values, codes);
    }

    fn widen(&mut self) {
        for (wide, narrow) in self.wide.iter_mut().zip(&mut self.narrow) {
            *wide += i128::from(total(std::mem::take(narrow)));
        }
        self.most = 0;
    }

    fn finish(mut self) -> Vec<i128> {
        self.widen();
        self.wide
    }
}

fn add_to<V: Copy + Into<i128>>(sums: &mut [i128], values: &[V], codes: &[u16]) {
    for (code, value) in codes.iter().zip(values) {
        sums[usize::from(*code)] += (*value).into();
    }
}

/// The columns of some rows of a batch.
struct Block {
    columns: Vec<BlockColumn>,
    first_row: usize,
    rows: usize,
}

struct BlockColumn {
    name: PlSmallStr,
    batch: Values,
    narrow: Vec<i64>,
    bits: u32,
}

enum Values {
    Whole(PrimitiveArray<i64>),
    Decimal(PrimitiveArray<i128>),
}

impl Block {
    /// A block without rows, of the columns that numbers name.
    fn of(numbers: &[&Number], batch: &DataFrame) -> PolarsResult<Self> {
        let mut columns: Vec<BlockColumn> = Vec::new();
        for name in numbers.iter().flat_map(|number| number.columns()) {
            if columns.iter().all(|column| column.name != name) {
                let batch = Values::of(batch.column(&name)?)?;
                columns.push(BlockColumn { name, batch, narrow: Vec::new(), bits: 0 });
            }
        }
        Ok(Self { columns, first_row: 0, rows: 0 })
    }

    fn move_to(&mut self, first_row: usize, rows: usize) {
        (self.first_row, self.rows) = (first_row, rows);
        for column in &mut self.columns {
            column.narrow.clear();
            let range = first_row..first_row + rows;
            let signless = match &column.batch {
                Values::Whole(array) => {
                    let values = &array.values()[range];
                    column.narrow.extend_from_slice(values);
                    values.iter().fold(0, |bits, value| bits | (value ^ (value >> 63)).cast_unsigned()).into()
                }
                Values::Decimal(array) => {
                    let values = &array.values()[range];
                    #[expect(clippy::cast_possible_truncation, reason = "used if there are no more bits")]
                    column.narrow.extend(values.iter().map(|value| *value as i64));
                    signless(values)
                }
            };
            column.bits = u128::BITS - signless.leading_zeros();
        }
    }

    /// The validity of a number in the rows of the batch; `None` if it is valid in all rows.
    fn validity(&self, number: &Number) -> Option<Bitmap> {
        let names = number.columns();
        let columns = self.columns.iter().filter(|column| names.contains(&column.name));
        columns.fold(None, |all, column| {
            let own = match &column.batch {
                Values::Whole(array) => array.validity(),
                Values::Decimal(array) => array.validity(),
            };
            combine_validities_and(all.as_ref(), own)
        })
    }

    /// OK because a block has the columns of all numbers that are evaluated over it.
    fn column(&self, name: &PlSmallStr) -> &BlockColumn {
        self.columns.iter().find(|column| column.name == *name).expect("a column of the block")
    }
}

/// A number with at least as many bits as the magnitude of each value, or of the value above a negative one.
fn signless(values: &[i128]) -> u128 {
    // Without negative values, which is the common case, half as many instructions do.
    let all = values.iter().fold(0, |bits, value| bits | value);
    if all >= 0 {
        return all.cast_unsigned();
    }
    values.iter().fold(0, |bits, value| bits | (value ^ (value >> 127)).cast_unsigned())
}

impl Columns for Block {
    fn narrow(&self, name: &PlSmallStr) -> &[i64] {
        &self.column(name).narrow
    }

    fn bits(&self, name: &PlSmallStr) -> u32 {
        self.column(name).bits
    }

    fn wide(&self, name: &PlSmallStr) -> PrimitiveArray<i128> {
        match &self.column(name).batch {
            Values::Whole(array) => {
                let array = array.clone().sliced(self.first_row, self.rows);
                let wide = array.values().iter().map(|value| i128::from(*value)).collect();
                PrimitiveArray::from_vec(wide).with_validity(array.validity().cloned())
            }
            Values::Decimal(array) => array.clone().sliced(self.first_row, self.rows),
        }
    }
}

impl Values {
    fn of(column: &Column) -> PolarsResult<Self> {
        Ok(match column.dtype() {
            DataType::Decimal(..) => Self::Decimal(single(&decimal_values(column)?)),
            _ => Self::Whole(single(column.cast(&DataType::Int64)?.as_materialized_series().i64()?)),
        })
    }
}
