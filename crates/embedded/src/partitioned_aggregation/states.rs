//! The states of the aggregates of many groups.

use polars::prelude::{
    Column, DataFrame, Float64Chunked, Int64Chunked, Int128Chunked, IntoColumn, IntoSeries, PlSmallStr,
    PolarsResult,
};
use polars_arrow::array::PrimitiveArray;

use crate::numeric::single;
use crate::partial_aggregation::{PartialKind, Summands, is_value, number_column, summands, without_nulls};

/// The values of a batch's rows that an aggregate adds up.
#[derive(Debug)]
pub(super) enum RowValues {
    /// 1 for each row.
    Ones,
    /// 1 for some rows.
    IsCounted(Vec<bool>),
    Numbers(Summands),
    /// NULLs are 0.
    Doubles(Vec<f64>),
}

impl RowValues {
    /// # Errors
    ///
    /// As for the sums of partial aggregation.
    pub(super) fn of(kind: &PartialKind, batch: &DataFrame) -> PolarsResult<Self> {
        Ok(match kind {
            PartialKind::Rows => Self::Ones,
            PartialKind::Count(columns) => is_value(batch, columns)?.map_or(Self::Ones, Self::IsCounted),
            PartialKind::Sum { number, .. } => Self::Numbers(summands(number, batch)?),
            PartialKind::DoubleSum(input) => {
                let values: PrimitiveArray<f64> =
                    single(batch.column(input)?.as_materialized_series().f64()?);
                Self::Doubles(without_nulls(&values).into_owned())
            }
        })
    }
}

/// The states of one aggregate, at the places of the groups.
#[derive(Debug)]
pub(super) enum State {
    Counts(Vec<i64>),
    Sums {
        narrow: Vec<i64>,
        /// An upper bound of the magnitudes of the sums.
        most: u128,
    },
    WideSums(Vec<i128>),
    Doubles(Vec<f64>),
}

impl State {
    /// The states of no groups.
    pub(super) const fn new(kind: &PartialKind) -> Self {
        match kind {
            PartialKind::Rows | PartialKind::Count(_) => Self::Counts(Vec::new()),
            PartialKind::Sum { .. } => Self::Sums { narrow: Vec::new(), most: 0 },
            PartialKind::DoubleSum(_) => Self::Doubles(Vec::new()),
        }
    }

    /// Adds places, up to this number.
    pub(super) fn grow(&mut self, count: usize) {
        match self {
            Self::Counts(states) | Self::Sums { narrow: states, .. } => states.resize(count, 0),
            Self::WideSums(states) => states.resize(count, 0),
            Self::Doubles(states) => states.resize(count, 0.0),
        }
    }

    /// Adds the values of some rows of a batch to the groups at these places.
    pub(super) fn add(&mut self, values: &RowValues, rows: &[u32], places: &[u32]) {
        if let (Self::Sums { narrow, most }, RowValues::Numbers(values)) = (&mut *self, values) {
            // OK because a batch has fewer rows than 2^32 and the type has 128 bits.
            let added = values.bits().map(|bits| (rows.len() as u128) << bits);
            match added.filter(|added| *most + added <= u128::from(i64::MAX.unsigned_abs())) {
                Some(added) => *most += added,
                None => *self = Self::WideSums(narrow.iter().map(|sum| i128::from(*sum)).collect()),
            }
        }
        let places = places.iter().map(|place| *place as usize);
        let added = places.zip(rows.iter().map(|row| *row as usize));
        match (self, values) {
            (Self::Counts(counts), RowValues::Ones) => added.for_each(|(place, _)| counts[place] += 1),
            (Self::Counts(counts), RowValues::IsCounted(is_counted)) => {
                added.for_each(|(place, row)| counts[place] += i64::from(is_counted[row]));
            }
            (Self::Sums { narrow, .. }, RowValues::Numbers(Summands::Narrow { values, .. })) => {
                added.for_each(|(place, row)| narrow[place] += values[row]);
            }
            (Self::WideSums(sums), RowValues::Numbers(Summands::Narrow { values, .. })) => {
                added.for_each(|(place, row)| sums[place] += i128::from(values[row]));
            }
            (Self::WideSums(sums), RowValues::Numbers(Summands::Wide(values))) => {
                added.for_each(|(place, row)| sums[place] += values[row]);
            }
            (Self::Doubles(sums), RowValues::Doubles(values)) => {
                added.for_each(|(place, row)| sums[place] += values[row]);
            }
            (state, values) => unreachable!("{state:?} and {values:?} are of one aggregate"),
        }
    }

    /// Adds the states of other groups, at the places `from`, to those of the groups at `places`.
    pub(super) fn merge(&mut self, other: Self, from: impl Iterator<Item = usize>, places: &[u32]) {
        if let (Self::Sums { narrow, most }, Self::Sums { .. } | Self::WideSums(_)) = (&mut *self, &other) {
            let sum = match &other {
                Self::Sums { most: added, .. } => *most + added,
                _ => u128::MAX,
            };
            if sum <= u128::from(i64::MAX.unsigned_abs()) {
                *most = sum;
            } else {
                *self = Self::WideSums(narrow.iter().map(|sum| i128::from(*sum)).collect());
            }
        }
        let pairs = from.zip(places.iter().map(|place| *place as usize));
        match (self, other) {
            (Self::Counts(counts), Self::Counts(added))
            | (Self::Sums { narrow: counts, .. }, Self::Sums { narrow: added, .. }) => {
                pairs.for_each(|(from, to)| counts[to] += added[from]);
            }
            (Self::WideSums(sums), Self::Sums { narrow: added, .. }) => {
                pairs.for_each(|(from, to)| sums[to] += i128::from(added[from]));
            }
            (Self::WideSums(sums), Self::WideSums(added)) => {
                pairs.for_each(|(from, to)| sums[to] += added[from]);
            }
            (Self::Doubles(sums), Self::Doubles(added)) => {
                pairs.for_each(|(from, to)| sums[to] += added[from]);
            }
            (state, other) => unreachable!("{state:?} and {other:?} are of one aggregate"),
        }
    }

    /// Appends the results of the groups at these places.
    pub(super) fn finish(self, places: impl Iterator<Item = usize>, results: &mut Results) {
        match (self, results) {
            (Self::Counts(counts), Results::Longs(results)) => {
                results.extend(places.map(|place| counts[place]))
            }
            (Self::Sums { narrow, .. }, Results::Numbers(results)) => {
                results.extend(places.map(|place| i128::from(narrow[place])));
            }
            (Self::WideSums(sums), Results::Numbers(results)) => {
                results.extend(places.map(|place| sums[place]))
            }
            (Self::Doubles(sums), Results::Doubles(results)) => {
                results.extend(places.map(|place| sums[place]))
            }
            (state, results) => unreachable!("{state:?} and {results:?} are of one aggregate"),
        }
    }
}

/// The results of one aggregate.
#[derive(Debug)]
pub(super) enum Results {
    Longs(Vec<i64>),
    Numbers(Vec<i128>),
    Doubles(Vec<f64>),
}

impl Results {
    /// No results, with memory for this number.
    pub(super) fn with_capacity(kind: &PartialKind, count: usize) -> Self {
        match kind {
            PartialKind::Rows | PartialKind::Count(_) => Self::Longs(Vec::with_capacity(count)),
            PartialKind::Sum { .. } => Self::Numbers(Vec::with_capacity(count)),
            PartialKind::DoubleSum(_) => Self::Doubles(Vec::with_capacity(count)),
        }
    }

    pub(super) fn into_column(self, kind: &PartialKind) -> Column {
        match self {
            Self::Longs(values) => {
                Int64Chunked::from_vec(PlSmallStr::EMPTY, values).into_series().into_column()
            }
            Self::Numbers(values) => {
                let scale = match kind {
                    PartialKind::Sum { scale, .. } => *scale,
                    PartialKind::Rows | PartialKind::Count(_) | PartialKind::DoubleSum(_) => None,
                };
                number_column(Int128Chunked::from_vec(PlSmallStr::EMPTY, values), scale)
            }
            Self::Doubles(values) => {
                Float64Chunked::from_vec(PlSmallStr::EMPTY, values).into_series().into_column()
            }
        }
    }
}
