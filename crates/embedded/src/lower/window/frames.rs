//! Functions over frames whose ends are counted in rows, or are those of the partition or of a row's peers: lag(), lead(),
//! the values at places of a frame, and counts, sums, averages, minima and maxima. Arrays of numbers become arrays: a sum
//! of exact numbers is the difference of two running sums; doubles are added in the order of the rows, as in Trino, for
//! frames of few rows. Other windows are evaluated row by row.

use std::collections::VecDeque;

use polars::prelude::{
    DataFrame, Float64Chunked, IdxCa, IdxSize, Int64Chunked, IntoSeries as _, NewChunkedArray as _,
    PlSmallStr, PolarsResult, Series,
};
use polars_arrow::array::Array as _;
use rowhouse_sql::expr::Expr;
use rowhouse_sql::functions::{AggregateFunction, RankingFunction, WindowFunction};
use rowhouse_sql::plan::{FrameBound, FrameUnit, WindowCall};
use rowhouse_sql::types::Type;

use super::Prepared;
use super::places::Places;
use super::running::{Numbers, Total, plain_arguments};
use crate::data_type::storage;
use crate::expression::constant_integer;
use crate::numeric::single;

/// Maximum number of rows of a frame whose doubles are added for each row anew.
const MAX_ADDED: usize = 64;
/// Maximum precision of decimals of which four billion have a sum of 128 bits.
const MAX_PRECISION: u8 = 28;

/// An end of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Partition,
    Peers,
    /// A number of rows after the current one, or before it.
    Row(i64),
}

/// The ends of a call's frames.
#[derive(Clone, Copy, Debug)]
struct Ends {
    start: End,
    end: End,
}

/// The values of a call, in the order of the sorted rows; `None` if the call is not supported here.
pub(super) fn over_frames(
    frame: &DataFrame,
    prepared: &Prepared,
    places: &Places,
) -> PolarsResult<Option<Series>> {
    let Some(arguments) = plain_arguments(frame, prepared)? else { return Ok(None) };
    let call = &prepared.call;
    match call.function {
        WindowFunction::Ranking(function @ (RankingFunction::Lag | RankingFunction::Lead)) => {
            shifted(function == RankingFunction::Lead, call, &arguments, places)
        }
        WindowFunction::Ranking(function) => match Ends::of(call) {
            Some(ends) => at_place(function, call, &arguments, (places, ends)),
            None => Ok(None),
        },
        WindowFunction::Aggregate(function) => match Ends::of(call) {
            Some(ends) => aggregate(function, &arguments, &call.output.data_type, (places, ends)),
            None => Ok(None),
        },
    }
}

impl Ends {
    fn of(call: &WindowCall) -> Option<Self> {
        let unit = call.frame.unit;
        Some(Self { start: end_of(&call.frame.start, unit)?, end: end_of(&call.frame.end, unit)? })
    }

    /// Calls a function with each row's frame, as the first row and the row after the last one.
    fn visit(
        self,
        places: &Places,
        mut each: impl FnMut(usize, usize, usize) -> PolarsResult<()>,
    ) -> PolarsResult<()> {
        for peers in places.partitions() {
            let (Some(first), Some(last)) = (peers.first().copied(), peers.last().copied()) else { continue };
            for (peers_start, peers_end) in peers.iter().copied().zip(peers.iter().copied().skip(1)) {
                for row in peers_start..peers_end {
                    let start = match self.start {
                        End::Partition => first,
                        End::Peers => peers_start,
                        End::Row(offset) => moved(row, offset).clamp(first, last),
                    };
                    let end = match self.end {
                        End::Partition => last,
                        End::Peers => peers_end,
                        End::Row(offset) => moved(row, offset.saturating_add(1)).clamp(first, last),
                    };
                    each(row, start, end.max(start))?;
                }
            }
        }
        Ok(())
    }

    /// The number of rows of a frame, if it is the same for all rows, but for those at the ends of a partition.
    fn width(self) -> Option<usize> {
        match (self.start, self.end) {
            (End::Row(start), End::Row(end)) => {
                usize::try_from(end.checked_sub(start)?.checked_add(1)?.max(0)).ok()
            }
            _ => None,
        }
    }
}

/// A row that is so many rows after another one; the first or last possible number if it is none.
fn moved(row: usize, offset: i64) -> usize {
    let distance = usize::try_from(offset.unsigned_abs()).unwrap_or(usize::MAX);
    if offset < 0 { row.saturating_sub(distance) } else { row.saturating_add(distance) }
}

/// `None` for offsets that are not constant numbers of rows.
fn end_of(bound: &FrameBound, unit: FrameUnit) -> Option<End> {
    match bound {
        FrameBound::UnboundedPreceding | FrameBound::UnboundedFollowing => Some(End::Partition),
        FrameBound::CurrentRow if unit == FrameUnit::Rows => Some(End::Row(0)),
        FrameBound::CurrentRow => Some(End::Peers),
        FrameBound::Preceding(offset) if unit == FrameUnit::Rows => Some(End::Row(-count(offset)?)),
        FrameBound::Following(offset) if unit == FrameUnit::Rows => Some(End::Row(count(offset)?)),
        FrameBound::Preceding(_) | FrameBound::Following(_) => None,
    }
}

/// A constant that is not negative.
fn count(expr: &Expr) -> Option<i64> {
    constant_integer(expr).filter(|count| *count >= 0)
}

/// The values at places; NULL where there is none.
fn taken(values: &Series, places: Vec<Option<IdxSize>>, output: &Type) -> PolarsResult<(Series, IdxCa)> {
    let places = IdxCa::from_iter_options(PlSmallStr::EMPTY, places.into_iter());
    Ok((values.take(&places)?.cast(&storage(output))?, places))
}

fn place(row: usize) -> Option<IdxSize> {
    IdxSize::try_from(row).ok()
}

/// Computes lag() and lead().
fn shifted(
    is_lead: bool,
    call: &WindowCall,
    arguments: &[(&Series, &Type)],
    places: &Places,
) -> PolarsResult<Option<Series>> {
    let offset = match call.args.get(1).map(count) {
        None => 1,
        Some(None) => return Ok(None),
        Some(Some(offset)) => usize::try_from(offset).unwrap_or(usize::MAX),
    };
    let Some((values, _)) = arguments.first() else { return Ok(None) };
    // Polars does not choose between arrays by a mask.
    if arguments.len() > 2 && values.dtype().is_nested() {
        return Ok(None);
    }
    let mut found = Vec::with_capacity(places.rows());
    for (first, last) in places.ranges() {
        found.extend((first..last).map(|row| {
            let other = if is_lead { row.checked_add(offset) } else { row.checked_sub(offset) };
            other.filter(|other| (first..last).contains(other)).and_then(place)
        }));
    }
    let output = &call.output.data_type;
    let (taken, found) = taken(values, found, output)?;
    match arguments.get(2) {
        None => Ok(Some(taken)),
        Some((default, _)) => {
            let has_row = found.is_not_null();
            Ok(Some(taken.zip_with(&has_row, &default.cast(&storage(output))?)?))
        }
    }
}

/// Computes first_value(), last_value() and nth_value().
fn at_place(
    function: RankingFunction,
    call: &WindowCall,
    arguments: &[(&Series, &Type)],
    (places, ends): (&Places, Ends),
) -> PolarsResult<Option<Series>> {
    let from_start = match (function, call.args.get(1)) {
        (RankingFunction::FirstValue, _) => Some(0),
        (RankingFunction::LastValue, _) => None,
        (RankingFunction::NthValue, Some(nth)) => {
            let Some(nth) = count(nth).filter(|nth| *nth >= 1) else { return Ok(None) };
            Some(usize::try_from(nth - 1).unwrap_or(usize::MAX))
        }
        _ => return Ok(None),
    };
    let Some((values, _)) = arguments.first() else { return Ok(None) };
    let mut found = Vec::with_capacity(places.rows());
    ends.visit(places, |_, start, end| {
        let row = match from_start {
            Some(offset) => start.checked_add(offset),
            None => end.checked_sub(1),
        };
        found.push(row.filter(|row| (start..end).contains(row)).and_then(place));
        Ok(())
    })?;
    Ok(Some(taken(values, found, &call.output.data_type)?.0))
}

fn aggregate(
    function: AggregateFunction,
    arguments: &[(&Series, &Type)],
    output: &Type,
    (places, ends): (&Places, Ends),
) -> PolarsResult<Option<Series>> {
    use AggregateFunction as F;
    Ok(match (function, arguments) {
        (F::Count, []) => Some(counts(None, places, ends)?),
        (F::Count, [(values, _)]) => Some(counts(Some(values), places, ends)?),
        (F::Sum | F::Avg, [(values, Type::Double)]) if *output == Type::Double => {
            match ends.width().filter(|width| *width <= MAX_ADDED) {
                Some(_) => Some(doubles(values, function == F::Avg, places, ends)?),
                None => None,
            }
        }
        (F::Sum | F::Avg, [(values, data_type)]) => {
            if matches!(data_type, Type::Decimal { precision, .. } if *precision > MAX_PRECISION) {
                return Ok(None);
            }
            let Some(total) = Total::of_call(function, data_type, output) else { return Ok(None) };
            match Numbers::of(values, data_type)? {
                Some(numbers) => Some(totals(&numbers, total, output, (places, ends))?),
                None => None,
            }
        }
        (F::Min | F::Max, [(values, data_type)]) if *data_type == output => {
            match Numbers::of(values, data_type)? {
                Some(numbers) => {
                    let found = best(&numbers, function == F::Max, places, ends)?;
                    Some(taken(values, found, output)?.0)
                }
                None => None,
            }
        }
        _ => None,
    })
}

/// The numbers of values in the frames.
fn counts(values: Option<&Series>, places: &Places, ends: Ends) -> PolarsResult<Series> {
    let mut before: Vec<i64> = Vec::new();
    if let Some(values) = values.filter(|values| values.null_count() > 0) {
        let mut count = 0;
        before.push(0);
        before.extend(values.is_not_null().iter().map(|is_value| {
            count += i64::from(is_value == Some(true));
            count
        }));
    }
    let mut found = Vec::with_capacity(places.rows());
    ends.visit(places, |_, start, end| {
        found.push(match (before.get(start), before.get(end)) {
            (Some(at_start), Some(at_end)) => at_end - at_start,
            _ => i64::try_from(end - start).unwrap_or(i64::MAX),
        });
        Ok(())
    })?;
    Ok(Int64Chunked::from_vec(PlSmallStr::EMPTY, found).into_series())
}

/// Sums and averages of exact numbers.
fn totals(
    numbers: &Numbers,
    total: Total,
    output: &Type,
    (places, ends): (&Places, Ends),
) -> PolarsResult<Series> {
    // The sum and the number of the values before each row.
    let mut before: Vec<(i128, i64)> = Vec::with_capacity(places.rows() + 1);
    let (mut sum, mut count) = (0_i128, 0);
    before.push((sum, count));
    for row in 0..places.rows() {
        if let Some(number) = numbers.get(row) {
            // It cannot overflow: a number has at most 28 digits or 64 bits, and there are at most 2^32 rows.
            sum = sum.wrapping_add(number);
            count += 1;
        }
        before.push((sum, count));
    }
    let mut found = Vec::with_capacity(places.rows());
    ends.visit(places, |_, start, end| {
        let ((sum_before, count_before), (sum, count)) = (before[start], before[end]);
        found.push(total.of(sum.wrapping_sub(sum_before).into(), count - count_before)?);
        Ok(())
    })?;
    total.series(found, output)
}

/// Sums and averages of doubles, added in the order of the rows.
fn doubles(values: &Series, is_average: bool, places: &Places, ends: Ends) -> PolarsResult<Series> {
    let values = single(values.f64()?);
    let mut found = Vec::with_capacity(places.rows());
    ends.visit(places, |_, start, end| {
        let (mut sum, mut count) = (0.0, 0.0);
        for row in start..end {
            if values.is_valid(row) {
                sum += values.value(row);
                count += 1.0;
            }
        }
        found.push((count > 0.0).then_some(if is_average { sum / count } else { sum }));
        Ok(())
    })?;
    Ok(Float64Chunked::from_iter_options(PlSmallStr::EMPTY, found.into_iter()).into_series())
}

/// The rows of the least or the greatest numbers.
fn best(
    numbers: &Numbers,
    is_greatest: bool,
    places: &Places,
    ends: Ends,
) -> PolarsResult<Vec<Option<IdxSize>>> {
    // Rows of the frame, each better than those after it; both ends of a frame only move forward in a partition.
    let mut candidates: VecDeque<(usize, i128)> = VecDeque::new();
    let mut taken_to = 0;
    let mut found = Vec::with_capacity(places.rows());
    ends.visit(places, |_, start, end| {
        if start > taken_to || end < taken_to {
            // Rows between frames, or another partition: none of the rows before counts any more.
            taken_to = start;
            candidates.clear();
        }
        for row in taken_to..end {
            let Some(number) = numbers.get(row) else { continue };
            let is_worse = |known: i128| if is_greatest { known < number } else { known > number };
            while candidates.back().is_some_and(|(_, known)| is_worse(*known)) {
                candidates.pop_back();
            }
            candidates.push_back((row, number));
        }
        taken_to = taken_to.max(end);
        while candidates.front().is_some_and(|(row, _)| *row < start) {
            candidates.pop_front();
        }
        found.push(candidates.front().and_then(|(row, _)| place(*row)));
        Ok(())
    })?;
    Ok(found)
}
