//! One value of any SQL type, for the many functions that are evaluated row by row: columns are converted to values, a
//! function is applied, and a column is built from the results. The few functions that dominate the run time of queries
//! have vectorized kernels instead.

use std::borrow::Cow;

use polars::prelude::{Column, DataType, Expr, Field, IntoColumn, PolarsResult, Schema, Series};

use super::data_type::storage;
use rowhouse_sql::types::Type;

mod build;
mod order;
mod read;

use build::build_each;
pub(super) use build::{build, check_range, in_order_of_keys};
pub(super) use order::{NanPlace, compare, compare_with, equal, is_same, partial_compare};
pub(super) use read::{Reader, read_one};

/// A value. Its SQL type, which is passed beside it, determines its meaning.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Datum<'a> {
    /// NULL of any type.
    Null,
    /// `boolean`.
    Boolean(bool),
    /// Integers; days of a date; units of a time, timestamp or interval.
    Integer(i64),
    /// `decimal`, times 10^scale.
    Decimal(i128),
    /// `real` and `double`.
    Double(f64),
    /// `varchar`.
    Text(Cow<'a, str>),
    /// `varbinary`.
    Binary(Cow<'a, [u8]>),
    /// `array`.
    Array(Vec<Datum<'a>>),
    /// `row`.
    Row(Vec<Datum<'a>>),
}

impl Datum<'_> {
    /// Whether it is NULL.
    pub(super) const fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The same value without borrowed parts.
    pub(super) fn into_owned(self) -> Datum<'static> {
        match self {
            Self::Null => Datum::Null,
            Self::Boolean(value) => Datum::Boolean(value),
            Self::Integer(value) => Datum::Integer(value),
            Self::Decimal(value) => Datum::Decimal(value),
            Self::Double(value) => Datum::Double(value),
            Self::Text(text) => Datum::Text(Cow::Owned(text.into_owned())),
            Self::Binary(bytes) => Datum::Binary(Cow::Owned(bytes.into_owned())),
            Self::Array(elements) => Datum::Array(elements.into_iter().map(Datum::into_owned).collect()),
            Self::Row(fields) => Datum::Row(fields.into_iter().map(Datum::into_owned).collect()),
        }
    }

    /// Its text; empty for anything else.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Text(text) => text,
            _ => "",
        }
    }

    /// Its number; 0 for anything else.
    pub(super) const fn integer(&self) -> i64 {
        match self {
            Self::Integer(value) => *value,
            _ => 0,
        }
    }

    /// Its number; NaN for anything else.
    pub(super) const fn double(&self) -> f64 {
        match self {
            Self::Double(value) => *value,
            _ => f64::NAN,
        }
    }

    /// Its bytes; empty for anything else.
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Self::Binary(bytes) => bytes,
            Self::Text(text) => text.as_bytes(),
            _ => &[],
        }
    }

    /// Its elements or fields; empty for anything else.
    pub(super) fn elements(&self) -> &[Self] {
        match self {
            Self::Array(elements) | Self::Row(elements) => elements,
            _ => &[],
        }
    }

    /// A text value.
    pub(super) fn from_text(text: impl Into<String>) -> Datum<'static> {
        Datum::Text(Cow::Owned(text.into()))
    }
}

/// A number whose bits are visible, to `checksum` or `to_ieee754_64`: of NaN, Trino has those of Java's `NaN` alone. Only
/// `to_ieee754_32` shows those that the processor has made.
pub(super) const fn canonical_nan(number: f64) -> f64 {
    if number.is_nan() { f64::NAN } else { number }
}

/// An argument of a function: the column and its SQL type.
#[derive(Clone, Debug)]
pub(super) struct Argument {
    pub(super) value: Expr,
    pub(super) data_type: Type,
}

/// Whether a NULL argument makes the result NULL without a call of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nulls {
    /// The result is NULL.
    Propagate,
    /// The function is called with NULLs.
    Seen,
}

/// Applies a function to every row.
pub(super) fn row_by_row(
    arguments: Vec<Argument>,
    output: Type,
    nulls: Nulls,
    function: impl for<'a> Fn(&[Datum<'a>]) -> PolarsResult<Datum<'static>> + Send + Sync + 'static,
) -> Expr {
    let types: Vec<Type> = arguments.iter().map(|argument| argument.data_type.clone()).collect();
    let stored = storage(&output);
    let mut values = arguments.into_iter().map(|argument| argument.value);
    // OK because a function without arguments gets a constant as its input column.
    let first = values.next().unwrap_or_else(|| polars::prelude::lit(true));
    let rest: Vec<Expr> = values.collect();
    let apply = move |columns: &mut [Column]| apply(columns, &types, &output, nulls, &function);
    first.map_many(apply, &rest, move |_: &Schema, fields: &[Field]| {
        Ok(Field::new(fields[0].name().clone(), stored.clone()))
    })
}

fn apply(
    columns: &[Column],
    types: &[Type],
    output: &Type,
    nulls: Nulls,
    function: &impl for<'a> Fn(&[Datum<'a>]) -> PolarsResult<Datum<'static>>,
) -> PolarsResult<Column> {
    let name = columns[0].name().clone();
    let length = if columns.iter().any(|column| column.is_empty()) {
        0
    } else {
        columns.iter().map(Column::len).max().unwrap_or(0)
    };
    let readers = columns
        .iter()
        .zip(types)
        .map(|(column, data_type)| Reader::new(column.as_materialized_series(), data_type))
        .collect::<PolarsResult<Vec<_>>>()?;
    let mut row: Vec<Datum<'_>> = Vec::with_capacity(readers.len());
    let rows = (0..length).map(|index| {
        row.clear();
        row.extend(readers.iter().map(|reader| reader.get(index)));
        let is_null = nulls == Nulls::Propagate && row.iter().any(Datum::is_null);
        if is_null { Ok(Datum::Null) } else { function(&row) }
    });
    let series: Series = build_each(name, rows, output)?;
    let stored: DataType = storage(output);
    let series = if *series.dtype() == stored { series } else { series.cast(&stored)? };
    Ok(series.into_column())
}
