//! Window functions whose frame begins with the partition and ends with the row, its peers or the partition: one pass
//! over the rows computes all values, from arrays of numbers into arrays. Other windows are evaluated row by row.

use polars::prelude::{
    DataFrame, DataType, Float64Chunked, IdxCa, IdxSize, Int64Chunked, Int128Chunked, IntoSeries,
    NewChunkedArray, PlSmallStr, PolarsResult, Series,
};
use polars_arrow::array::{Array as _, PrimitiveArray};
use polars_arrow::bitmap::Bitmap;

use super::Prepared;
use super::evaluate::Bound;
use super::places::{Places, longs};
use crate::data_type::storage;
use crate::numeric::{WideSum, out_of_range, single, within};
use rowhouse_sql::functions::{AggregateFunction, RankingFunction, WindowFunction};
use rowhouse_sql::plan::FrameUnit;
use rowhouse_sql::types::Type;

/// The end of a row's frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Row,
    Peers,
    Partition,
}

/// The state while a partition is processed.
trait Fold {
    /// Resets the state before the first row of a partition.
    fn begin(&mut self);
    /// Adds a row.
    fn take(&mut self, row: usize) -> PolarsResult<()>;
    /// Stores the current value as the result of the next `rows` rows.
    fn give(&mut self, rows: usize) -> PolarsResult<()>;
}

/// The values of a call, in the order of the sorted rows; `None` if the call is not supported here.
pub(super) fn running(
    frame: &DataFrame,
    prepared: &Prepared,
    places: &Places,
) -> PolarsResult<Option<Series>> {
    let call = &prepared.call;
    let Some(arguments) = plain_arguments(frame, prepared)? else { return Ok(None) };
    match call.function {
        WindowFunction::Ranking(function) => Ok(place_of_row(function, arguments.is_empty(), places)),
        WindowFunction::Aggregate(function) => match end_of(prepared) {
            Some(end) => aggregate(function, &arguments, &call.output.data_type, (places, end)),
            None => Ok(None),
        },
    }
}

/// The arguments of a call that uses each row of its frame; `None` for other calls.
pub(super) fn plain_arguments<'f>(
    frame: &'f DataFrame,
    prepared: &'f Prepared,
) -> PolarsResult<Option<Vec<(&'f Series, &'f Type)>>> {
    let call = &prepared.call;
    let uses_all = call.filter.is_none() && !call.is_distinct && call.argument_order.is_empty();
    let arguments: Vec<(&Series, &Type)> = prepared
        .arguments
        .iter()
        .map(|(name, data_type)| Ok((frame.column(name)?.as_materialized_series(), data_type)))
        .collect::<PolarsResult<_>>()?;
    let is_plain = uses_all && !call.ignore_nulls;
    Ok(Some(arguments)
        .filter(|all| is_plain && all.iter().all(|(values, _)| *values.dtype() != DataType::Null)))
}

/// The end of frames that begin with the partition; `None` for other frames.
fn end_of(prepared: &Prepared) -> Option<End> {
    match (&prepared.start, &prepared.end) {
        (Bound::Unbounded, Bound::Unbounded) => Some(End::Partition),
        (Bound::Unbounded, Bound::CurrentRow) => {
            Some(if prepared.call.frame.unit == FrameUnit::Rows { End::Row } else { End::Peers })
        }
        _ => None,
    }
}

/// Computes row_number(), rank() and dense_rank().
fn place_of_row(function: RankingFunction, has_no_argument: bool, places: &Places) -> Option<Series> {
    use RankingFunction as R;
    if !has_no_argument || !matches!(function, R::RowNumber | R::Rank | R::DenseRank) {
        return None;
    }
    let mut found: Vec<i64> = Vec::with_capacity(places.rows());
    for peers in places.partitions() {
        let first = peers.first().copied().unwrap_or_default();
        for (dense, (start, end)) in peers.iter().zip(peers.iter().skip(1)).enumerate() {
            let place = |row: usize| i64::try_from(row).unwrap_or(i64::MAX);
            match function {
                R::RowNumber => found.extend((*start..*end).map(|row| place(row - first + 1))),
                R::Rank => found.extend(std::iter::repeat_n(place(start - first + 1), end - start)),
                _ => found.extend(std::iter::repeat_n(place(dense + 1), end - start)),
            }
        }
    }
    Some(Int64Chunked::from_vec(PlSmallStr::EMPTY, found).into_series())
}

fn aggregate(
    function: AggregateFunction,
    arguments: &[(&Series, &Type)],
    output: &Type,
    over: (&Places, End),
) -> PolarsResult<Option<Series>> {
    use AggregateFunction as F;
    let rows = over.0.rows();
    let is_nested = arguments.iter().any(|(values, _)| values.dtype().is_nested());
    let made = match (function, arguments) {
        (F::Count, []) | (F::Count, [_]) if !is_nested => {
            let validity = arguments.first().and_then(|(values, _)| validity_of(values));
            let mut fold = Counted { validity, count: 0, given: Vec::with_capacity(rows) };
            walk(over, &mut fold)?;
            Int64Chunked::from_vec(PlSmallStr::EMPTY, fold.given).into_series()
        }
        (F::Sum | F::Avg, [(values, Type::Double)]) if *output == Type::Double => {
            let values = single(values.f64()?);
            let is_average = function == F::Avg;
            let mut fold =
                Doubles { values, is_average, sum: 0.0, count: 0.0, given: Vec::with_capacity(rows) };
            walk(over, &mut fold)?;
            Float64Chunked::from_iter_options(PlSmallStr::EMPTY, fold.given.into_iter()).into_series()
        }
        (F::Sum | F::Avg, [(values, data_type)]) => {
            let Some(total) = Total::of_call(function, data_type, output) else { return Ok(None) };
            let Some(values) = Numbers::of(values, data_type)? else { return Ok(None) };
            let mut fold =
                Exact { values, total, sum: WideSum::default(), count: 0, given: Vec::with_capacity(rows) };
            walk(over, &mut fold)?;
            total.series(fold.given, output)?
        }
        (F::Min | F::Max, [(values, data_type)]) if *data_type == output => {
            let Some(numbers) = Numbers::of(values, data_type)? else { return Ok(None) };
            let given = Vec::with_capacity(rows);
            let mut fold = Best { values: numbers, is_greatest: function == F::Max, best: None, given };
            walk(over, &mut fold)?;
            let places = IdxCa::from_iter_options(PlSmallStr::EMPTY, fold.given.into_iter());
            values.take(&places)?.cast(&storage(output))?
        }
        _ => return Ok(None),
    };
    Ok(Some(made))
}

/// Processes all partitions.
fn walk((places, end): (&Places, End), fold: &mut impl Fold) -> PolarsResult<()> {
    for peers in places.partitions() {
        fold.begin();
        for (start, last) in peers.iter().copied().zip(peers.iter().copied().skip(1)) {
            for row in start..last {
                fold.take(row)?;
                if end == End::Row {
                    fold.give(1)?;
                }
            }
            if end == End::Peers {
                fold.give(last - start)?;
            }
        }
        if end == End::Partition
            && let (Some(first), Some(last)) = (peers.first(), peers.last())
        {
            fold.give(last - first)?;
        }
    }
    Ok(())
}

fn validity_of(values: &Series) -> Option<Bitmap> {
    let values = values.rechunk();
    values.chunks().first().and_then(|chunk| chunk.validity().cloned())
}

/// Integers, decimals and dates.
pub(super) enum Numbers {
    Long(PrimitiveArray<i64>),
    Wide(PrimitiveArray<i128>),
}

impl Numbers {
    pub(super) fn of(values: &Series, data_type: &Type) -> PolarsResult<Option<Self>> {
        Ok(match data_type {
            Type::TinyInt | Type::SmallInt | Type::Integer | Type::BigInt | Type::Date => {
                Some(Self::Long(longs(values)?))
            }
            Type::Decimal { .. } => Some(Self::Wide(single(values.to_physical_repr().i128()?))),
            _ => None,
        })
    }

    pub(super) fn get(&self, row: usize) -> Option<i128> {
        match self {
            Self::Long(values) => values.is_valid(row).then(|| i128::from(values.value(row))),
            Self::Wide(values) => values.is_valid(row).then(|| values.value(row)),
        }
    }
}

struct Counted {
    validity: Option<Bitmap>,
    count: i64,
    given: Vec<i64>,
}

impl Fold for Counted {
    fn begin(&mut self) {
        self.count = 0;
    }

    fn take(&mut self, row: usize) -> PolarsResult<()> {
        self.count += i64::from(self.validity.as_ref().is_none_or(|validity| validity.get_bit(row)));
        Ok(())
    }

    fn give(&mut self, rows: usize) -> PolarsResult<()> {
        self.given.extend(std::iter::repeat_n(self.count, rows));
        Ok(())
    }
}

/// What a sum or an average of integers and decimals is.
#[derive(Clone, Copy)]
pub(super) struct Total {
    is_average: bool,
    /// The precision of a decimal result; `None` for a bigint.
    most: Option<u8>,
}

impl Total {
    /// `None` for other types.
    pub(super) fn of_call(function: AggregateFunction, values: &Type, output: &Type) -> Option<Self> {
        let is_average = function == AggregateFunction::Avg;
        match (is_average, output, values) {
            (false, Type::BigInt, _) => Some(Self { is_average, most: None }),
            // A sum and an average have the scale of the values.
            (_, Type::Decimal { precision, scale }, Type::Decimal { scale: own, .. }) if own == scale => {
                Some(Self { is_average, most: Some(*precision) })
            }
            _ => None,
        }
    }

    /// The value over as many numbers with this sum.
    pub(super) fn of(self, sum: WideSum, count: i64) -> PolarsResult<Option<i128>> {
        Ok(match (count, self.most) {
            (0, _) => None,
            _ if self.is_average => sum.average(count),
            (_, Some(most)) => Some(within(sum.exact(), most)?),
            (_, None) => {
                let sum = sum.exact().filter(|sum| i64::try_from(*sum).is_ok());
                Some(sum.ok_or_else(|| out_of_range("bigint addition overflow"))?)
            }
        })
    }

    /// A column of such values.
    pub(super) fn series(self, values: Vec<Option<i128>>, output: &Type) -> PolarsResult<Series> {
        let numbers = Int128Chunked::from_iter_options(PlSmallStr::EMPTY, values.into_iter());
        Ok(match output {
            Type::Decimal { precision, scale } => {
                numbers.into_decimal_unchecked(usize::from(*precision), usize::from(*scale)).into_series()
            }
            _ => numbers.into_series().cast(&storage(output))?,
        })
    }
}

/// Sums and averages of integers and decimals.
struct Exact {
    values: Numbers,
    total: Total,
    sum: WideSum,
    count: i64,
    given: Vec<Option<i128>>,
}

impl Fold for Exact {
    fn begin(&mut self) {
        (self.sum, self.count) = (WideSum::default(), 0);
    }

    fn take(&mut self, row: usize) -> PolarsResult<()> {
        if let Some(value) = self.values.get(row) {
            self.count += 1;
            self.sum.add(value);
        }
        Ok(())
    }

    fn give(&mut self, rows: usize) -> PolarsResult<()> {
        let value = self.total.of(self.sum, self.count)?;
        self.given.extend(std::iter::repeat_n(value, rows));
        Ok(())
    }
}

/// Sums and averages of doubles, added in row order.
struct Doubles {
    values: PrimitiveArray<f64>,
    is_average: bool,
    sum: f64,
    count: f64,
    given: Vec<Option<f64>>,
}

impl Fold for Doubles {
    fn begin(&mut self) {
        (self.sum, self.count) = (0.0, 0.0);
    }

    fn take(&mut self, row: usize) -> PolarsResult<()> {
        if self.values.is_valid(row) {
            self.count += 1.0;
            self.sum += self.values.value(row);
        }
        Ok(())
    }

    fn give(&mut self, rows: usize) -> PolarsResult<()> {
        let value = if self.is_average { self.sum / self.count } else { self.sum };
        self.given.extend(std::iter::repeat_n((self.count > 0.0).then_some(value), rows));
        Ok(())
    }
}

/// The row of the least or the greatest value, the first of equal ones.
struct Best {
    values: Numbers,
    is_greatest: bool,
    best: Option<(i128, IdxSize)>,
    given: Vec<Option<IdxSize>>,
}

impl Fold for Best {
    fn begin(&mut self) {
        self.best = None;
    }

    fn take(&mut self, row: usize) -> PolarsResult<()> {
        let Some(value) = self.values.get(row) else { return Ok(()) };
        let is_better = match self.best {
            None => true,
            Some((best, _)) if self.is_greatest => value > best,
            Some((best, _)) => value < best,
        };
        if is_better {
            let row = IdxSize::try_from(row).map_err(|_| out_of_range("too many rows of a window"))?;
            self.best = Some((value, row));
        }
        Ok(())
    }

    fn give(&mut self, rows: usize) -> PolarsResult<()> {
        self.given.extend(std::iter::repeat_n(self.best.map(|(_, row)| row), rows));
        Ok(())
    }
}
