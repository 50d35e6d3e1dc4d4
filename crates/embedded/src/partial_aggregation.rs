//! Partial aggregation: a batch of rows becomes a batch of its groups before Polars groups the output of all batches.
//! With few groups that is nearly all the work of a GROUP BY. A group of a batch is found by the bits of its keys in
//! tables that stay in a processor's caches, and sums of decimals are computed in 64 bits as far as a batch's values
//! permit. Texts from a dictionary have equal views where they are equal, so that they are grouped without being read.
//!
//! After some batches with many groups, rows are passed on as groups; where groups are runs, the attempt ends instead.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use polars::lazy::frame::OptFlags;
use polars::prelude::{
    Column, DataFrame, DataType, Expr, Float64Chunked, Int64Chunked, Int128Chunked, IntoColumn, IntoSeries,
    LazyFrame, PlSmallStr, PolarsResult, Schema, SchemaRef, col, lit,
};

use self::codes::Codes;
pub(super) use self::codes::MAX_CODES;
pub(super) use self::key::SPREAD;
pub(super) use self::sums::{Summands, summands, without_nulls};
use self::sums::{add_up, of_each_row, sums};
use super::failure;
use super::numeric::{Number, decimal_column, single};
use rowhouse_sql::types::MAX_DECIMAL_PRECISION;

mod codes;
mod key;
mod sums;

/// The number of batches with many groups after which no batch is tried any more.
const MAX_FAILED: usize = 4;

/// An aggregate of the groups of a batch. Its sum over all batches is the aggregate of the groups of all rows.
#[derive(Clone, Debug)]
pub(super) struct Partial {
    /// The column of its result.
    pub(super) output: PlSmallStr,
    pub(super) kind: PartialKind,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum PartialKind {
    /// The number of rows.
    Rows,
    /// The number of rows in which none of these columns is NULL.
    Count(Vec<PlSmallStr>),
    /// The sum of numbers that are not large: a decimal of this scale, or an integer of 128 bits. NULL or 0 without
    /// values.
    Sum { number: Number, scale: Option<u8> },
    /// The sum of a column of doubles. NULL or 0 without values.
    DoubleSum(PlSmallStr),
}

impl PartialKind {
    pub(super) fn inputs(&self) -> Vec<PlSmallStr> {
        match self {
            Self::Rows => Vec::new(),
            Self::Count(columns) => columns.clone(),
            Self::Sum { number, .. } => number.columns(),
            Self::DoubleSum(column) => vec![column.clone()],
        }
    }

    /// The type of its result.
    fn data_type(&self) -> DataType {
        match self {
            Self::Rows | Self::Count(_) => DataType::Int64,
            Self::Sum { scale: Some(scale), .. } => {
                DataType::Decimal(usize::from(MAX_DECIMAL_PRECISION), usize::from(*scale))
            }
            Self::Sum { scale: None, .. } => DataType::Int128,
            Self::DoubleSum(_) => DataType::Float64,
        }
    }
}

/// The groups of a frame's batches: the keys under their names, and the aggregates. Without keys, each batch is one
/// group. Polars merges functions over equal
/// columns, so an additional column has the name `own_name`, which no other frame of the statement has.
pub(super) fn partially_aggregated(
    frame: LazyFrame,
    keys: Vec<PlSmallStr>,
    partials: Vec<Partial>,
    own_name: PlSmallStr,
    attempts: Attempts,
) -> LazyFrame {
    let mut wanted = keys.clone();
    for input in partials.iter().flat_map(|partial| partial.kind.inputs()) {
        if !wanted.contains(&input) {
            wanted.push(input);
        }
    }
    let own = lit(0_i8).alias(own_name);
    let wanted: Vec<Expr> = wanted.into_iter().map(col).chain([own]).collect();
    let frame = frame.select(wanted);
    let (schema_keys, schema_partials) = (keys.clone(), partials.clone());
    let schema = move |input: &Schema| output_schema(input, &schema_keys, &schema_partials);
    frame.map(
        move |batch| aggregate(&batch, &keys, &partials, &attempts),
        OptFlags::STREAMING,
        Some(Arc::new(schema)),
        Some("partial aggregation"),
    )
}

fn output_schema(input: &Schema, keys: &[PlSmallStr], partials: &[Partial]) -> PolarsResult<SchemaRef> {
    let mut schema = Schema::with_capacity(keys.len() + partials.len());
    for key in keys {
        schema.insert(key.clone(), input.try_get(key)?.clone());
    }
    for partial in partials {
        schema.insert(partial.output.clone(), partial.kind.data_type());
    }
    Ok(Arc::new(schema))
}

/// Columns of a frame without rows of a batch that have the values of an earlier row of the batch; some may remain. No
/// column may be nested. Of `own_name` as above.
pub(super) fn partially_distinct(
    frame: LazyFrame,
    columns: Vec<PlSmallStr>,
    own_name: PlSmallStr,
) -> LazyFrame {
    let own = lit(0_i8).alias(own_name);
    let wanted: Vec<Expr> = columns.iter().cloned().map(col).chain([own]).collect();
    let schema_keys = columns.clone();
    let schema = move |input: &Schema| output_schema(input, &schema_keys, &[]);
    let attempts = Attempts::default();
    let step = move |batch: DataFrame| {
        let keys = columns.iter().map(|key| batch.column(key)).collect::<PolarsResult<Vec<_>>>()?;
        let first_rows = attempts.codes(&keys)?.map(|codes| codes.first_rows());
        let kept = keys.into_iter().map(|key| match &first_rows {
            Some(rows) => key.take(rows),
            None => Ok(key.clone()),
        });
        let kept = kept.collect::<PolarsResult<Vec<Column>>>()?;
        DataFrame::new(first_rows.map_or(batch.height(), |rows| rows.len()), kept)
    };
    frame.select(wanted).map(step, OptFlags::STREAMING, Some(Arc::new(schema)), Some("partial aggregation"))
}

/// How the groups of batches are found; counts the batches that had too many groups.
#[derive(Debug, Default)]
pub(super) struct Attempts {
    failed: AtomicUsize,
    by_runs: bool,
}

impl Attempts {
    /// Groups are runs of rows with equal keys; there is one key. When no batch is tried any more, each is an error.
    pub(super) fn by_runs() -> Self {
        Self { by_runs: true, ..Self::default() }
    }

    /// Whether no batch is tried any more.
    fn are_given_up(&self) -> bool {
        self.failed.load(Ordering::Relaxed) >= MAX_FAILED
    }

    /// The codes of a batch's rows, if it has few groups, or runs, and not many batches before had none.
    pub(super) fn codes(&self, keys: &[&Column]) -> PolarsResult<Option<Codes>> {
        if self.are_given_up() {
            return Ok(None);
        }
        let codes = match keys {
            [key] if self.by_runs => Codes::of_runs(key)?,
            _ => Codes::of_rows_by(keys)?,
        };
        if codes.is_none() {
            self.failed.fetch_add(1, Ordering::Relaxed);
        }
        Ok(codes)
    }
}

fn aggregate(
    batch: &DataFrame,
    keys: &[PlSmallStr],
    partials: &[Partial],
    attempts: &Attempts,
) -> PolarsResult<DataFrame> {
    let keys = keys.iter().map(|key| batch.column(key)).collect::<PolarsResult<Vec<_>>>()?;
    let codes = match keys.as_slice() {
        [] => Some(Codes::of_one_group(batch.height())),
        keys => attempts.codes(keys)?,
    };
    match codes {
        Some(codes) => Groups::of(codes).aggregate(batch, &keys, partials),
        None if attempts.by_runs && attempts.are_given_up() => Err(failure::no_runs()),
        None => each_row(batch, &keys, partials),
    }
}

/// The groups of a batch.
struct Groups {
    codes: Codes,
    /// The number of rows of each group.
    rows: Vec<i64>,
}

impl Groups {
    fn of(codes: Codes) -> Self {
        let rows = add_up(codes.of_rows(), &codes, |_| 1);
        Self { codes, rows }
    }

    fn aggregate(
        &self,
        batch: &DataFrame,
        keys: &[&Column],
        partials: &[Partial],
    ) -> PolarsResult<DataFrame> {
        let first_rows = self.codes.first_rows();
        let mut columns = keys.iter().map(|key| key.take(&first_rows)).collect::<PolarsResult<Vec<_>>>()?;
        let numbers = partials.iter().filter_map(|partial| match &partial.kind {
            PartialKind::Sum { number, .. } => Some(number),
            _ => None,
        });
        let mut sums = sums(&numbers.collect::<Vec<_>>(), batch, &self.codes)?.into_iter();
        for Partial { output, kind } in partials {
            let column = match kind {
                PartialKind::Rows => long_column(self.rows.clone()),
                PartialKind::Count(columns) => match is_value(batch, columns)? {
                    Some(is_value) => long_column(add_up(&is_value, &self.codes, i64::from)),
                    None => long_column(self.rows.clone()),
                },
                PartialKind::Sum { scale, .. } => {
                    let sums = sums.next().unwrap_or_default();
                    number_column(Int128Chunked::from_vec(PlSmallStr::EMPTY, sums), *scale)
                }
                PartialKind::DoubleSum(input) => {
                    let values = single(batch.column(input)?.as_materialized_series().f64()?);
                    let sums = add_up(&without_nulls(&values), &self.codes, |value: f64| value);
                    Float64Chunked::from_vec(PlSmallStr::EMPTY, sums).into_series().into_column()
                }
            };
            columns.push(column.with_name(output.clone()));
        }
        DataFrame::new(self.rows.len(), columns)
    }
}

/// Passes each row on as a group.
fn each_row(batch: &DataFrame, keys: &[&Column], partials: &[Partial]) -> PolarsResult<DataFrame> {
    let mut columns: Vec<Column> = keys.iter().map(|key| (*key).clone()).collect();
    for Partial { output, kind } in partials {
        let column = match kind {
            PartialKind::Rows => long_column(vec![1; batch.height()]),
            PartialKind::Count(columns) => match is_value(batch, columns)? {
                Some(is_value) => long_column(is_value.into_iter().map(i64::from).collect()),
                None => long_column(vec![1; batch.height()]),
            },
            PartialKind::Sum { number, scale } => {
                let values = of_each_row(number, batch)?;
                number_column(Int128Chunked::with_chunk(PlSmallStr::EMPTY, values), *scale)
            }
            PartialKind::DoubleSum(input) => batch.column(input)?.clone(),
        };
        columns.push(column.with_name(output.clone()));
    }
    DataFrame::new(batch.height(), columns)
}

/// Whether each row has a value in all of the columns; `None` if all rows have.
pub(super) fn is_value(batch: &DataFrame, columns: &[PlSmallStr]) -> PolarsResult<Option<Vec<bool>>> {
    let mut all: Option<Vec<bool>> = None;
    for name in columns {
        let column = batch.column(name)?;
        if column.null_count() == 0 {
            continue;
        }
        let is_value = column.is_not_null();
        let own = is_value.iter().map(|is_value| is_value == Some(true));
        all = Some(match all {
            None => own.collect(),
            Some(all) => all.into_iter().zip(own).map(|(all, own)| all && own).collect(),
        });
    }
    Ok(all)
}

pub(super) fn number_column(values: Int128Chunked, scale: Option<u8>) -> Column {
    match scale {
        Some(scale) => decimal_column(values, MAX_DECIMAL_PRECISION, scale),
        None => values.into_series().into_column(),
    }
}

fn long_column(values: Vec<i64>) -> Column {
    Int64Chunked::from_vec(PlSmallStr::EMPTY, values).into_series().into_column()
}

#[cfg(test)]
mod tests;
