//! Random numbers, one per row, and shuffled arrays. They are generated from a counter and a seed of the operating
//! system with SplitMix64.

use std::sync::atomic::{AtomicU64, Ordering};

use polars::prelude::{
    BinaryChunked, Column, DataType, Expr as PolarsExpr, Field, IntoColumn, IntoSeries, NamedFrom,
    NewChunkedArray, PolarsResult, Schema, Series, when,
};
use rowhouse_model::{ErrorLocation, QueryError};

use super::super::{Staged, null};
use super::invalid;
use crate::data_type::storage;
use crate::datum::{Argument, Datum, Nulls, row_by_row};
use crate::failure::not_supported;
use rowhouse_sql::expr::Expr;
use rowhouse_sql::types::Type;

pub(super) fn random(
    bounds: Vec<PolarsExpr>,
    _: &[Expr],
    output: &Type,
    location: Option<ErrorLocation>,
    staged: &mut Staged,
) -> Result<PolarsExpr, QueryError> {
    let state = seeded(location)?;
    let (low, high) = match bounds.as_slice() {
        [] => (None, None),
        [high] => (Some(polars::prelude::lit(0i64)), Some(high.clone())),
        [low, high, ..] => (Some(low.clone()), Some(high.clone())),
    };
    // Integers are generated as `bigint`.
    let drawn = if bounds.is_empty() { DataType::Float64 } else { DataType::Int64 };
    let mut arguments = Vec::new();
    arguments.extend(low);
    arguments.extend(high);
    let numbers = staged.row_numbers().map_many(
        move |columns: &mut [Column]| fill(columns, &state),
        &arguments,
        move |_: &Schema, fields: &[Field]| Ok(Field::new(fields[0].name().clone(), drawn.clone())),
    );
    Ok(numbers.cast(storage(output)))
}

/// Random UUIDs of version 4, one for every row.
pub(super) fn uuids(location: Option<ErrorLocation>, staged: &mut Staged) -> Result<PolarsExpr, QueryError> {
    let state = seeded(location)?;
    let made = staged.row_numbers().map(
        move |column: Column| {
            let mut numbers = Numbers::taken(&state, 2 * column.len());
            let values = (0..column.len()).map(|_| {
                let mut bytes = [numbers.next().to_be_bytes(), numbers.next().to_be_bytes()].concat();
                bytes[6] = bytes[6] & 0x0f | 0x40;
                bytes[8] = bytes[8] & 0x3f | 0x80;
                Some(bytes)
            });
            let made = BinaryChunked::from_iter_options(column.name().clone(), values);
            Ok(made.into_series().into_column())
        },
        |_: &Schema, field: &Field| Ok(Field::new(field.name().clone(), DataType::Binary)),
    );
    Ok(made)
}

fn fill(columns: &[Column], state: &AtomicU64) -> PolarsResult<Column> {
    let rows = columns[0].len();
    let name = columns[0].name().clone();
    let mut numbers = Numbers::taken(state, rows);
    let [_, low, high] = columns else {
        #[expect(clippy::cast_precision_loss, reason = "53 bits fit a double")]
        let values: Vec<f64> =
            (0..rows).map(|_| (numbers.next() >> 11) as f64 / (1u64 << 53) as f64).collect();
        return Ok(Series::new(name, values).into_column());
    };
    // A constant may have a narrower type than it is declared with.
    let (low, high) = (low.cast(&DataType::Int64)?, high.cast(&DataType::Int64)?);
    let bound = |column: &Column, row: usize| -> PolarsResult<Option<i64>> {
        let values = column.as_materialized_series().i64()?;
        Ok(values.get(if values.len() == 1 { 0 } else { row }))
    };
    let mut values = Vec::with_capacity(rows);
    for row in 0..rows {
        let (Some(low), Some(high)) = (bound(&low, row)?, bound(&high, row)?) else {
            values.push(None);
            continue;
        };
        if low >= high {
            return Err(invalid("bound must be positive, and the lower one below the upper one"));
        }
        let range = high.abs_diff(low);
        values.push(Some(low.wrapping_add_unsigned(numbers.next() % range)));
    }
    Ok(Series::new(name, values).into_column())
}

/// Numbers of a generator that several threads share: each takes those of a batch at once.
struct Numbers(u64);

impl Numbers {
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

    fn taken(state: &AtomicU64, count: usize) -> Self {
        Self(state.fetch_add(Self::STEP.wrapping_mul(count as u64), Ordering::Relaxed))
    }

    fn next(&mut self) -> u64 {
        let mut mixed = self.0;
        self.0 = self.0.wrapping_add(Self::STEP);
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// The elements of each array in random order.
pub(super) fn shuffle(
    mut lowered: Vec<PolarsExpr>,
    args: &[Expr],
    location: Option<ErrorLocation>,
    staged: &mut Staged,
) -> Result<PolarsExpr, QueryError> {
    let state = seeded(location)?;
    let data_type = args[0].data_type.clone();
    let value = in_each_row(lowered.remove(0), &data_type, staged);
    let argument = Argument { value, data_type: data_type.clone() };
    Ok(row_by_row(vec![argument], data_type, Nulls::Propagate, move |row| {
        let mut elements: Vec<Datum<'static>> =
            row[0].elements().iter().map(|element| element.clone().into_owned()).collect();
        let mut numbers = Numbers::taken(&state, elements.len());
        for last in (1..elements.len()).rev() {
            let other = usize::try_from(numbers.next() % (last as u64 + 1)).unwrap_or(last);
            elements.swap(last, other);
        }
        Ok(Datum::Array(elements))
    }))
}

/// TRUE for every row.
pub(super) fn each_row(staged: &mut Staged) -> PolarsExpr {
    staged.row_numbers().is_not_null()
}

/// A value with as many rows as the frame, also if it is a constant: functions of a constant alone are evaluated once.
pub(super) fn in_each_row(value: PolarsExpr, data_type: &Type, staged: &mut Staged) -> PolarsExpr {
    when(each_row(staged)).then(value).otherwise(null(data_type))
}

fn seeded(location: Option<ErrorLocation>) -> Result<AtomicU64, QueryError> {
    let mut seed = [0; 8];
    getrandom::fill(&mut seed).map_err(|_| not_supported("random numbers without a source", location))?;
    Ok(AtomicU64::new(u64::from_le_bytes(seed)))
}
