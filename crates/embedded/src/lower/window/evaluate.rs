//! One window function over sorted rows: partitions, peers, frames, and the ranking and value functions.

use polars::prelude::{PlSmallStr, PolarsResult};
use rowhouse_model::ErrorCode;

use super::places::Places;
use super::sliding::Sliding;
use crate::date_time::shifted;
use crate::datum::{Datum, Reader, check_range, compare};
use crate::failure::raise;
use crate::lower::accumulator::{AggregateRows, Selection};
use crate::numeric::{decimal_to_real, out_of_range};
use rowhouse_sql::functions::{RankingFunction, WindowFunction};
use rowhouse_sql::plan::FrameUnit;
use rowhouse_sql::types::Type;

/// A bound of a frame; its offset is a column.
#[derive(Clone, Debug)]
pub(super) enum Bound {
    Unbounded,
    CurrentRow,
    Preceding(PlSmallStr, Type),
    Following(PlSmallStr, Type),
}

/// A sort key.
pub(super) struct Order {
    pub(super) values: Reader,
    pub(super) data_type: Type,
    pub(super) is_descending: bool,
}

/// The rows, sorted by partition and order.
pub(super) struct Window<'p> {
    pub(super) rows: usize,
    pub(super) places: &'p Places,
    pub(super) order: Vec<Order>,
    pub(super) unit: FrameUnit,
    pub(super) start: (Bound, Option<Reader>),
    pub(super) end: (Bound, Option<Reader>),
}

/// A function with its arguments.
pub(super) struct Call {
    pub(super) function: WindowFunction,
    pub(super) output: Type,
    pub(super) arguments: Vec<Reader>,
    pub(super) argument_types: Vec<Type>,
    /// The clauses of an aggregate.
    pub(super) selection: Selection,
    /// The sort keys of the arguments.
    pub(super) argument_order: Vec<Reader>,
    pub(super) filter: Option<Reader>,
    pub(super) ignore_nulls: bool,
    /// Whether there is exactly one sort key, as RANGE with offsets requires.
    pub(super) is_plain_order: bool,
}

impl Window<'_> {
    /// The values of the function, one for each row.
    pub(super) fn evaluate(&self, call: &Call) -> PolarsResult<Vec<Datum<'static>>> {
        for (_, offsets) in [&self.start, &self.end] {
            let Some(offsets) = offsets else { continue };
            if (0..self.rows).any(|row| !is_offset(&offsets.get(row))) {
                let message = "Window frame offset value must not be negative or null";
                return Err(raise(ErrorCode::InvalidWindowFrame, message));
            }
        }
        let mut results = Vec::with_capacity(self.rows);
        for peers in self.places.partitions() {
            let partition = Partition::of(self, peers);
            match call.function {
                WindowFunction::Ranking(function) => partition.rank(function, call, &mut results)?,
                WindowFunction::Aggregate(_) => partition.aggregate(call, &mut results)?,
            }
        }
        Ok(results)
    }
}

/// The rows `first..last`, and the groups of peers among them.
struct Partition<'a> {
    window: &'a Window<'a>,
    first: usize,
    last: usize,
    /// The first row of each group, and the row after its last one.
    groups: Vec<(usize, usize)>,
    /// The group of each row, counted from `first`.
    group_of: Vec<usize>,
    /// The rows whose first sort key is neither NULL nor NaN, so that offsets apply to it.
    known: (usize, usize),
}

impl<'a> Partition<'a> {
    /// Builds a partition from the rows at which its groups of peers begin, and its end.
    fn of(window: &'a Window<'a>, peers: &[usize]) -> Self {
        let (first, last) =
            (peers.first().copied().unwrap_or_default(), peers.last().copied().unwrap_or_default());
        let mut groups = Vec::with_capacity(peers.len());
        let mut group_of = Vec::with_capacity(last - first);
        for (start, end) in peers.iter().copied().zip(peers.iter().copied().skip(1)) {
            group_of.extend(std::iter::repeat_n(groups.len(), end - start));
            groups.push((start, end));
        }
        let mut known = (first, last);
        if let Some(key) = window.order.first() {
            while known.0 < known.1 && has_no_neighbours(&key.values.get(known.0)) {
                known.0 += 1;
            }
            while known.0 < known.1 && has_no_neighbours(&key.values.get(known.1 - 1)) {
                known.1 -= 1;
            }
        }
        Self { window, first, last, groups, group_of, known }
    }

    fn peers(&self, row: usize) -> (usize, usize) {
        self.groups[self.group_of[row - self.first]]
    }

    fn rank(
        &self,
        function: RankingFunction,
        call: &Call,
        results: &mut Vec<Datum<'static>>,
    ) -> PolarsResult<()> {
        use RankingFunction as R;
        let size = self.last - self.first;
        let mut dense = 0;
        for row in self.first..self.last {
            let (peers_start, peers_end) = self.peers(row);
            if peers_start == row {
                dense += 1;
            }
            let place = row - self.first;
            #[expect(clippy::cast_precision_loss, reason = "counts of rows in memory")]
            let value = match function {
                R::RowNumber => integer(place + 1),
                R::Rank => integer(peers_start - self.first + 1),
                R::DenseRank => integer(dense),
                R::PercentRank if size == 1 => Datum::Double(0.0),
                R::PercentRank => Datum::Double((peers_start - self.first) as f64 / (size - 1) as f64),
                R::CumeDist => Datum::Double((peers_end - self.first) as f64 / size as f64),
                R::Ntile => ntile(place, size, &call.arguments[0].get(row))?,
                R::Lag => self.shifted(row, call, true)?,
                R::Lead => self.shifted(row, call, false)?,
                R::FirstValue | R::LastValue | R::NthValue => self.of_frame(function, row, call)?,
            };
            results.push(value);
        }
        Ok(())
    }

    fn shifted(&self, row: usize, call: &Call, is_lag: bool) -> PolarsResult<Datum<'static>> {
        let offset = match call.arguments.get(1).map(|offset| offset.get(row)) {
            None => 1,
            Some(Datum::Null) => {
                return Err(raise(ErrorCode::InvalidFunctionArgument, "Offset must not be null"));
            }
            Some(offset) => offset.integer(),
        };
        if offset < 0 {
            return Err(raise(ErrorCode::InvalidFunctionArgument, "Offset must be at least 0"));
        }
        let mut left = usize::try_from(offset).unwrap_or(usize::MAX);
        let values = &call.arguments[0];
        let found = if call.ignore_nulls && left > 0 {
            let mut candidates: Box<dyn Iterator<Item = usize>> =
                if is_lag { Box::new((self.first..row).rev()) } else { Box::new(row + 1..self.last) };
            candidates.find(|&candidate| {
                left -= usize::from(!values.get(candidate).is_null());
                left == 0
            })
        } else if is_lag {
            row.checked_sub(left).filter(|found| *found >= self.first)
        } else {
            row.checked_add(left).filter(|found| *found < self.last)
        };
        Ok(match found {
            Some(found) => values.get(found).into_owned(),
            None => call.arguments.get(2).map_or(Datum::Null, |default| default.get(row).into_owned()),
        })
    }

    fn of_frame(&self, function: RankingFunction, row: usize, call: &Call) -> PolarsResult<Datum<'static>> {
        let (start, end) = self.frame(row, call)?;
        let values = &call.arguments[0];
        let counts = |row: &usize| !call.ignore_nulls || !values.get(*row).is_null();
        let found = match function {
            RankingFunction::FirstValue => (start..end).find(counts),
            RankingFunction::LastValue => (start..end).rev().find(counts),
            _ => {
                let nth = call.arguments[1].get(row);
                if nth.is_null() {
                    return Ok(Datum::Null);
                }
                if nth.integer() < 1 {
                    return Err(raise(ErrorCode::InvalidFunctionArgument, "Offset must be at least 1"));
                }
                (start..end).filter(counts).nth(usize::try_from(nth.integer() - 1).unwrap_or(usize::MAX))
            }
        };
        Ok(found.map_or(Datum::Null, |found| values.get(found).into_owned()))
    }

    fn aggregate(&self, call: &Call, results: &mut Vec<Datum<'static>>) -> PolarsResult<()> {
        let WindowFunction::Aggregate(function) = call.function else { return Ok(()) };
        let empty = AggregateRows::new(function, &call.argument_types, &call.output, call.selection.clone());
        let mut sliding = Sliding::new(empty, self.first);
        let add = |aggregate: &mut AggregateRows, row: usize| {
            if call.filter.as_ref().is_some_and(|filter| filter.get(row) != Datum::Boolean(true)) {
                return Ok(());
            }
            let columns = call.arguments.iter().chain(&call.argument_order);
            let values: Vec<Datum<'_>> = columns.map(|column| column.get(row)).collect();
            aggregate.add(&values)
        };
        let mut last: Option<((usize, usize), Datum<'static>)> = None;
        for row in self.first..self.last {
            let frame = self.frame(row, call)?;
            let value = match &last {
                Some((known, value)) if *known == frame => value.clone(),
                _ => sliding.value(frame.0, frame.1, &add)?,
            };
            last = Some((frame, value.clone()));
            results.push(value);
        }
        Ok(())
    }

    /// The rows of the frame of a row.
    fn frame(&self, row: usize, call: &Call) -> PolarsResult<(usize, usize)> {
        let start = self.bound(row, &self.window.start, true, call)?;
        let end = self.bound(row, &self.window.end, false, call)?;
        Ok((start, end.max(start)))
    }

    fn bound(
        &self,
        row: usize,
        (bound, offsets): &(Bound, Option<Reader>),
        is_start: bool,
        call: &Call,
    ) -> PolarsResult<usize> {
        let is_preceding = match bound {
            Bound::Unbounded => return Ok(if is_start { self.first } else { self.last }),
            Bound::CurrentRow => {
                let (peers_start, peers_end) = self.peers(row);
                return Ok(match (self.window.unit, is_start) {
                    (FrameUnit::Rows, true) => row,
                    (FrameUnit::Rows, false) => row + 1,
                    (_, true) => peers_start,
                    (_, false) => peers_end,
                });
            }
            Bound::Preceding(..) => true,
            Bound::Following(..) => false,
        };
        let offset = offsets.as_ref().map_or(Datum::Null, |offsets| offsets.get(row));
        match self.window.unit {
            FrameUnit::Range => {
                let offset_type = match bound {
                    Bound::Preceding(_, data_type) | Bound::Following(_, data_type) => data_type,
                    Bound::Unbounded | Bound::CurrentRow => &Type::Unknown,
                };
                self.range_bound(row, (&offset, offset_type), is_preceding, is_start, call)
            }
            unit => {
                let offset = usize::try_from(offset.integer()).unwrap_or(usize::MAX);
                Ok(match unit {
                    FrameUnit::Rows => self.rows_bound(row, offset, is_preceding, is_start),
                    _ => self.groups_bound(row, offset, is_preceding, is_start),
                })
            }
        }
    }

    fn rows_bound(&self, row: usize, offset: usize, is_preceding: bool, is_start: bool) -> usize {
        let at = if is_preceding { row.checked_sub(offset) } else { row.checked_add(offset) };
        let past = usize::from(!is_start);
        match at {
            Some(at) => at.saturating_add(past).clamp(self.first, self.last),
            None => self.first,
        }
        .max(self.first)
    }

    fn groups_bound(&self, row: usize, offset: usize, is_preceding: bool, is_start: bool) -> usize {
        let group = self.group_of[row - self.first];
        let found = if is_preceding { group.checked_sub(offset) } else { group.checked_add(offset) };
        match found.map(|found| self.groups.get(found)) {
            None => self.first,
            Some(None) => self.last,
            Some(Some((start, end))) => {
                if is_start {
                    *start
                } else {
                    *end
                }
            }
        }
    }

    /// The first row whose key is within the offset, or the row after the last such row.
    fn range_bound(
        &self,
        row: usize,
        (offset, offset_type): (&Datum<'_>, &Type),
        is_preceding: bool,
        is_start: bool,
        call: &Call,
    ) -> PolarsResult<usize> {
        let Some(key) = self.window.order.first().filter(|_| call.is_plain_order) else {
            return Err(raise(ErrorCode::NotSupported, "RANGE with an offset needs one sort key"));
        };
        let current = key.values.get(row);
        if has_no_neighbours(&current) {
            let (start, end) = self.peers(row);
            return Ok(if is_start { start } else { end });
        }
        let is_less = is_preceding != key.is_descending;
        let in_sum = |key_value: Datum<'static>| in_type_of_sum(key_value, &key.data_type, offset_type);
        let current = in_sum(current.into_owned());
        let limit = if offset_type.is_interval() && !key.data_type.is_interval() {
            // A time of day is shifted around midnight, as in Trino: the limit may lie beyond the row itself.
            shifted(&current, &key.data_type, offset, offset_type, if is_less { -1 } else { 1 })?
        } else {
            Some(shifted_key(&current, offset, is_less, &key.data_type)?)
        };
        // The keys are sorted, with NULLs and NaN at the ends.
        let (known_first, known_last) = self.known;
        let Some(limit) = limit else {
            // Trino has more room for these than 64 bits: here no key is beyond the limit.
            return match key.data_type {
                Type::Timestamp { precision: 7.. } | Type::TimestampWithTimeZone { precision: 7.., .. } => {
                    Ok(if is_less == key.is_descending { known_last } else { known_first })
                }
                _ => Err(out_of_range(format!("a bound of RANGE is out of range for {}", key.data_type))),
            };
        };
        let is_before = |candidate: usize| {
            let order = compare(&in_sum(key.values.get(candidate).into_owned()), &limit);
            let order = if key.is_descending { order.reverse() } else { order };
            if is_start { order.is_lt() } else { order.is_le() }
        };
        let (mut low, mut high) = (known_first, known_last);
        while low < high {
            let middle = low + (high - low) / 2;
            if is_before(middle) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }
}

/// A key of exact type as a floating-point number, if the offset is one.
#[expect(clippy::cast_precision_loss, reason = "that is the conversion")]
fn in_type_of_sum(key: Datum<'static>, key_type: &Type, offset_type: &Type) -> Datum<'static> {
    match (&key, key_type, offset_type) {
        (Datum::Integer(number), _, Type::Real) => Datum::Double(f64::from(*number as f32)),
        (Datum::Integer(number), _, Type::Double) => Datum::Double(*number as f64),
        (Datum::Decimal(number), Type::Decimal { precision, scale }, Type::Real) => {
            Datum::Double(f64::from(decimal_to_real(*number, *precision, *scale)))
        }
        (Datum::Decimal(number), Type::Decimal { scale, .. }, Type::Double) => {
            // OK because every number of this form is a float's text.
            Datum::Double(format!("{number}e-{scale}").parse().unwrap_or(f64::NAN))
        }
        _ => key,
    }
}

/// The key minus or plus an offset, in the type of the key.
fn shifted_key(
    key: &Datum<'_>,
    offset: &Datum<'_>,
    is_less: bool,
    data_type: &Type,
) -> PolarsResult<Datum<'static>> {
    let sign = if is_less { -1 } else { 1 };
    Ok(match (key, offset) {
        (Datum::Integer(key), Datum::Integer(offset)) => {
            let sum = if is_less { key.checked_sub(*offset) } else { key.checked_add(*offset) };
            let Some(sum) = sum.map(Datum::Integer).filter(|sum| check_range(sum, data_type).is_ok()) else {
                let (name, operator) = if is_less { ("subtraction", '-') } else { ("addition", '+') };
                let message = format!("{data_type} {name} overflow: {key} {operator} {offset}");
                return Err(raise(ErrorCode::NumericValueOutOfRange, message));
            };
            sum
        }
        (Datum::Decimal(key), Datum::Decimal(offset)) => {
            Datum::Decimal(key.saturating_add(offset.saturating_mul(sign)))
        }
        (Datum::Double(key), Datum::Double(offset)) => {
            Datum::Double(if is_less { key - offset } else { key + offset })
        }
        _ => return Err(raise(ErrorCode::NotSupported, "RANGE with an offset over a key of this type")),
    })
}

/// Whether a value is a valid offset of a frame: neither NULL nor NaN nor negative (D124).
fn is_offset(offset: &Datum<'_>) -> bool {
    match offset {
        Datum::Integer(offset) => *offset >= 0,
        Datum::Decimal(offset) => *offset >= 0,
        Datum::Double(offset) => *offset >= 0.0,
        _ => false,
    }
}

/// Whether the distance to every other key is undefined.
fn has_no_neighbours(key: &Datum<'_>) -> bool {
    matches!(key, Datum::Null) || matches!(key, Datum::Double(number) if number.is_nan())
}

fn integer(value: usize) -> Datum<'static> {
    Datum::Integer(i64::try_from(value).unwrap_or(i64::MAX))
}

/// Computes `ntile`; the larger buckets come first.
fn ntile(place: usize, size: usize, buckets: &Datum<'_>) -> PolarsResult<Datum<'static>> {
    if buckets.is_null() {
        return Ok(Datum::Null);
    }
    let buckets = usize::try_from(buckets.integer()).ok().filter(|buckets| *buckets > 0);
    let Some(buckets) = buckets else {
        return Err(raise(ErrorCode::InvalidFunctionArgument, "Buckets must be greater than 0"));
    };
    let (small, larger) = (size / buckets, size % buckets);
    let in_larger = larger * (small + 1);
    Ok(integer(if place < in_larger {
        place / (small + 1) + 1
    } else {
        larger + (place - in_larger) / small.max(1) + 1
    }))
}
