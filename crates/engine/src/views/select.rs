//! Which rows of a generation the filters of a read let through (D22, D23): by an index where that reads
//! fewer rows, else batch by batch while encoding, skipping batches by their statistics.

use std::sync::Arc;

use arrow_schema::Field;
use rowhouse_filters::Filter;

use super::collect::{collect_32, collect_where};
use super::demand::{Demand, SCANNED_ROWS_PER_CANDIDATE};
use super::generation::Generation;
use super::index::Candidates;
use super::key::f64_key;
use super::predicate::{Predicate, Test};
use super::statistics::Statistics;
use crate::Result;
use rowhouse_rows::arrow_file::Batch;
use rowhouse_rows::arrow_file::column::{ColumnValues, Values};
use rowhouse_rows::{BatchFilter, ROWS_AT_HAND, RowSelection};

/// Candidates of an index that are always taken: no scan is cheaper.
const FEW_CANDIDATES: u64 = 256;

/// Rows that a reactor may look at for one read, a few microseconds' worth.
const SCANNED_ROWS_AT_ONCE: u64 = 16 << 10;
/// What a look at a batch's statistics costs, in rows of a scan.
const SCANNED_ROWS_PER_LOOK: u64 = 32;
/// An index whose candidates are at most so many times the best one's is intersected; of one with more, the rows
/// that are left are tested instead.
const INTERSECTED_TIMES: u64 = 8;

/// The filters of one read, tested batch by batch.
#[derive(Clone, Debug)]
pub(super) struct Scan {
    predicates: Vec<Predicate>,
    statistics: Arc<Statistics>,
    demand: Arc<Demand>,
}

impl Generation {
    /// The rows that satisfy every filter, in the order of the materialization (D25): `offset` of them skipped,
    /// `limit` of them at most.
    ///
    /// A few row numbers are found here; many are found while encoding, so that memory does not grow with
    /// them. Costs up to some milliseconds where an index has many candidates.
    ///
    /// # Errors
    /// `ColumnNotFound`, `InvalidArguments`, `InvalidCastArgument`; `Internal`: a file is corrupt.
    pub fn select(&self, filters: &[Filter], offset: u64, limit: u64) -> Result<RowSelection> {
        let predicates = self.predicates(filters)?;
        if predicates.is_empty() || limit == 0 {
            return Ok(RowSelection::Range { offset, limit });
        }
        let wanted = offset.saturating_add(limit);
        if let Some((position, candidates)) = self.cheap_candidates(&predicates, wanted) {
            return self.look_up_best(predicates, position, &candidates, offset, limit);
        }
        let filter = Arc::new(Scan::new(predicates, self));
        Ok(RowSelection::Matching { filter, offset, limit })
    }

    /// As [`Generation::select`], but only where that is known to cost microseconds and the rows lie in batches
    /// that are decoded already: fit for a reactor, which saves a small read a hop to another thread. Nothing
    /// where it is not: then [`Generation::select`] is the way, off the reactor.
    ///
    /// # Errors
    /// As [`Generation::select`].
    pub fn select_at_once(
        &self,
        filters: &[Filter],
        offset: u64,
        limit: u64,
    ) -> Result<Option<RowSelection>> {
        let predicates = self.predicates(filters)?;
        let selection = if predicates.is_empty() || limit == 0 {
            RowSelection::Range { offset, limit }
        } else {
            let best = self.best_candidates(&predicates);
            let Some((position, candidates)) =
                best.filter(|(_, candidates)| candidates.count() <= FEW_CANDIDATES)
            else {
                return self.scan_at_once(predicates, offset, limit);
            };
            // Other filters read the candidates' rows.
            if !candidates.is_exact() || predicates.len() > 1 {
                let rows = RowSelection::Rows(candidates.rows(0, usize::MAX).into());
                if !rows.is_at_hand(self.file()) {
                    return Ok(None);
                }
            }
            self.look_up_best(predicates, position, &candidates, offset, limit)?
        };
        Ok(Some(selection).filter(|selection| selection.is_at_hand(self.file())))
    }

    /// The first rows that a short scan of decoded batches finds; nothing where it finds too few, or would have to
    /// compare texts.
    fn scan_at_once(
        &self,
        predicates: Vec<Predicate>,
        offset: u64,
        limit: u64,
    ) -> Result<Option<RowSelection>> {
        let wanted = offset.saturating_add(limit);
        if wanted > ROWS_AT_HAND || predicates.iter().any(|predicate| !predicate.test.is_quick()) {
            return Ok(None);
        }
        let (offset, wanted) = (offset as usize, wanted as usize);
        let scan = Scan::new(predicates, self);
        let mut rows: Vec<u32> = Vec::with_capacity(wanted);
        let mut places = Vec::new();
        let mut budget = SCANNED_ROWS_AT_ONCE;
        for batch_index in 0..self.file().num_batches() {
            if !scan.may_match(batch_index) {
                budget = budget.saturating_sub(SCANNED_ROWS_PER_LOOK);
                continue;
            }
            let rows_of_batch = self.file().rows_of_batch(batch_index);
            if budget == 0 || !self.file().is_decoded(batch_index) {
                return Ok(None);
            }
            budget = budget.saturating_sub(rows_of_batch.end - rows_of_batch.start);
            places.clear();
            let missing = wanted - rows.len();
            scan.first_matching(&*self.file().batch(batch_index)?, missing, &mut places);
            rows.extend(places.iter().take(missing).map(|place| rows_of_batch.start as u32 + place));
            if rows.len() == wanted {
                break;
            }
        }
        rows.drain(..offset.min(rows.len()));
        Ok(Some(RowSelection::Rows(rows.into())))
    }

    /// What an index alone finds, where one applies.
    #[cfg(test)]
    pub(super) fn select_by_index(&self, filters: &[Filter]) -> Result<Option<RowSelection>> {
        let predicates = self.predicates(filters)?;
        let candidates = self.best_candidates(&predicates);
        candidates.map(|(_, candidates)| self.look_up(&candidates, &predicates, 0, u64::MAX)).transpose()
    }

    pub(super) fn predicates(&self, filters: &[Filter]) -> Result<Vec<Predicate>> {
        let fields: Vec<&Field> = self.file().schema().fields().iter().map(AsRef::as_ref).collect();
        let mut predicates: Vec<Predicate> = Vec::with_capacity(filters.len());
        for filter in filters {
            let predicate = Predicate::new(filter, self.columns(), &fields)?;
            // Two ends of a range are one test, which an index or a batch's statistics answer at once.
            let is_met = predicates
                .iter_mut()
                .find(|met| met.column == predicate.column)
                .is_some_and(|met| met.test.intersect(&predicate.test));
            if !is_met {
                predicates.push(predicate);
            }
        }
        Ok(predicates)
    }

    /// The index that leaves the fewest candidates, and for which predicate.
    fn best_candidates(&self, predicates: &[Predicate]) -> Option<(usize, Candidates<'_>)> {
        let candidates = predicates.iter().enumerate().filter_map(|(position, predicate)| {
            let index = self.index(predicate.column)?;
            Some((position, index.candidates(&predicate.test)?))
        });
        candidates.min_by_key(|(_, candidates)| candidates.count())
    }

    /// The same, if that is cheaper than a scan up to the last wanted row.
    fn cheap_candidates(&self, predicates: &[Predicate], wanted: u64) -> Option<(usize, Candidates<'_>)> {
        let (position, candidates) = self.best_candidates(predicates)?;
        let most = FEW_CANDIDATES.max(self.scan_cost(&candidates, wanted));
        (candidates.count() <= most).then_some((position, candidates))
    }

    /// All rows that pass, by an index if that is cheaper than a scan.
    ///
    /// # Errors
    /// `Internal`: a file is corrupt.
    pub(super) fn by_index(&self, predicates: &[Predicate], wanted: u64) -> Result<Option<RowSelection>> {
        let Some((position, candidates)) = self.cheap_candidates(predicates, wanted) else { return Ok(None) };
        self.look_up_best(predicates.to_vec(), position, &candidates, 0, wanted).map(Some)
    }

    /// How many candidates would cost as much as a scan: it ends after as many rows as it takes to meet the
    /// wanted ones, if they lie evenly.
    fn scan_cost(&self, candidates: &Candidates<'_>, wanted: u64) -> u64 {
        let num_rows = self.file().num_rows();
        let per_candidate = num_rows / candidates.count().max(1);
        let scanned = wanted.saturating_mul(per_candidate.max(1)).min(num_rows);
        scanned / SCANNED_ROWS_PER_CANDIDATE
    }

    fn look_up_best(
        &self,
        mut predicates: Vec<Predicate>,
        position: usize,
        candidates: &Candidates<'_>,
        offset: u64,
        limit: u64,
    ) -> Result<RowSelection> {
        if candidates.is_exact() {
            predicates.remove(position);
        }
        self.look_up(candidates, &predicates, offset, limit)
    }

    /// Intersects candidates with those of the other indexes, then tests what is left one by one, in row order, up
    /// to the last wanted one.
    fn look_up(
        &self,
        candidates: &Candidates<'_>,
        predicates: &[Predicate],
        offset: u64,
        limit: u64,
    ) -> Result<RowSelection> {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        if predicates.is_empty() {
            return Ok(RowSelection::Rows(candidates.rows(offset, limit).into()));
        }
        let wanted = offset.saturating_add(limit);
        let mut left = candidates.rows(0, usize::MAX);
        let predicates: Vec<&Predicate> = predicates
            .iter()
            .filter(|predicate| {
                let other = self.index(predicate.column).and_then(|index| index.candidates(&predicate.test));
                let few = left.len() as u64 * INTERSECTED_TIMES;
                let Some(other) = other.filter(|other| other.is_exact() && other.count() <= few) else {
                    return true;
                };
                retain_common(&mut left, &other.rows(0, usize::MAX));
                false
            })
            .collect();
        let mut rows = Vec::new();
        let mut open: Option<(usize, Arc<Batch>)> = None;
        for row in left {
            let Some((batch_index, place)) = self.file().locate(u64::from(row)) else { continue };
            let batch = match &open {
                Some((index, batch)) if *index == batch_index => batch,
                _ => &open.insert((batch_index, self.file().batch(batch_index)?)).1,
            };
            if predicates.iter().all(|predicate| predicate.matches(batch, place)) {
                rows.push(row);
                if rows.len() >= wanted {
                    break;
                }
            }
        }
        rows.drain(..offset.min(rows.len()));
        Ok(RowSelection::Rows(rows.into()))
    }
}

/// Keeps of ascending rows those that are among other ascending rows.
fn retain_common(rows: &mut Vec<u32>, other: &[u32]) {
    let mut rest = other;
    rows.retain(|row| {
        rest = &rest[rest.iter().take_while(|other| *other < row).count()..];
        rest.first() == Some(row)
    });
}

impl Scan {
    pub(super) fn new(mut predicates: Vec<Predicate>, generation: &Generation) -> Self {
        // The cheapest test goes first and leaves the fewest rows to the dear ones.
        predicates.sort_by_key(|predicate| predicate.test.cost());
        let (statistics, demand) = (Arc::clone(generation.statistics()), Arc::clone(generation.demand()));
        Self { predicates, statistics, demand }
    }
}

impl BatchFilter for Scan {
    fn may_match(&self, batch_index: usize) -> bool {
        self.predicates.iter().all(|predicate| self.statistics.may_match(batch_index, predicate))
    }

    fn matching(&self, batch: &Batch, rows: &mut Vec<u32>) {
        self.first_matching(batch, usize::MAX, rows);
    }
}

impl Scan {
    /// As [`BatchFilter::matching`], and may stop where `most` rows or more are found.
    fn first_matching(&self, batch: &Batch, most: usize, rows: &mut Vec<u32>) {
        let Some((first, others)) = self.predicates.split_first() else { return };
        // Of rows that pass one test, others may let none through.
        let most = if others.is_empty() { most } else { usize::MAX };
        first.collect(batch.column(first.column), batch.num_rows(), most, rows);
        let row_count = batch.num_rows() as u64;
        let looked_at = match rows.last() {
            Some(last) if rows.len() >= most => u64::from(*last) + 1,
            _ => row_count,
        };
        self.demand.note(first.column, looked_at, rows.len() as u64);
        for predicate in others {
            let column = batch.column(predicate.column);
            let before = rows.len() as u64;
            rows.retain(|row| predicate.test.matches(column, *row as usize));
            // Of all rows it lets through what it does of those that it was asked about.
            if let Some(share) = (rows.len() as u64 * row_count).checked_div(before) {
                self.demand.note(predicate.column, row_count, share);
            }
        }
    }
}

impl Predicate {
    /// Whether a row of a batch passes.
    pub(super) fn matches(&self, batch: &Batch, row: usize) -> bool {
        self.test.matches(batch.column(self.column), row)
    }

    /// Appends the matching rows of a column; where tests of numbers have found `most`, no more are looked for.
    fn collect(&self, column: &ColumnValues, row_count: usize, most: usize, rows: &mut Vec<u32>) {
        macro_rules! narrow {
            ($values:expr, $ranges:expr, $key:expr) => {
                collect_where($values, $ranges, $key, column, most, rows)
            };
        }
        match (&self.test, &column.values) {
            (Test::Narrow(ranges), Values::Int8(values)) => {
                narrow!(values, ranges, |value| i64::from(*value))
            }
            (Test::Narrow(ranges), Values::Int16(values)) => {
                narrow!(values, ranges, |value| i64::from(*value))
            }
            (
                Test::Narrow(ranges),
                Values::Int32(values)
                | Values::Date(values)
                | Values::Months(values)
                | Values::Time32 { values, .. },
            ) => collect_32(values, ranges, column, most, rows),
            (
                Test::Narrow(ranges),
                Values::Int64(values)
                | Values::Time64 { values, .. }
                | Values::Timestamp { values, .. }
                | Values::ZonedTimestamp { values, .. }
                | Values::Duration { values, .. },
            ) => narrow!(values, ranges, |value| *value),
            (Test::Narrow(ranges), Values::Float64(values)) => {
                narrow!(values, ranges, |value| f64_key(*value))
            }
            _ => rows
                .extend((0..row_count).filter(|row| self.test.matches(column, *row)).map(|row| row as u32)),
        }
    }
}

impl Test {
    /// Whether the value of a row passes.
    pub(super) fn matches(&self, column: &ColumnValues, row: usize) -> bool {
        let is_null = column.is_null(row);
        match self {
            Self::IsNull(wanted) => is_null == *wanted,
            Self::IsNotTruth(truth) => {
                is_null || !matches!(&column.values, Values::Boolean(values) if values.value(row) == *truth)
            }
            _ if is_null => false,
            Self::Narrow(ranges) => {
                narrow_key(&column.values, row).is_some_and(|key| Self::has_narrow(ranges, key))
            }
            Self::Wide(ranges) => match &column.values {
                Values::Decimal { values, .. } => Self::has_wide(ranges, values.get(row)),
                Values::UInt64(values) => Self::has_wide(ranges, values[row].into()),
                _ => false,
            },
            Self::Text(ranges) => match &column.values {
                Values::Text(text) => Self::has_text(ranges, text.value(row)),
                _ => false,
            },
            Self::Like(pattern) => match &column.values {
                // OK because text columns are validated when their batch is decoded.
                Values::Text(text) => {
                    pattern.matches(std::str::from_utf8(text.value(row)).expect("text is UTF-8"))
                }
                _ => false,
            },
        }
    }

    /// Whether a core tests some thousand values in microseconds.
    fn is_quick(&self) -> bool {
        self.cost() <= Self::Wide(Vec::new()).cost()
    }

    /// An order of what a test of one value costs.
    fn cost(&self) -> u8 {
        match self {
            Self::IsNull(_) | Self::IsNotTruth(_) => 0,
            Self::Narrow(_) => 1,
            Self::Wide(_) => 2,
            Self::Text(_) => 3,
            Self::Like(_) => 4,
        }
    }
}

/// The key of a value of a column of `KeyKind::Narrow`.
fn narrow_key(values: &Values, row: usize) -> Option<i64> {
    Some(match values {
        Values::Boolean(values) => values.value(row).into(),
        Values::Int8(values) => values[row].into(),
        Values::Int16(values) => values[row].into(),
        Values::Int32(values)
        | Values::Date(values)
        | Values::Months(values)
        | Values::Time32 { values, .. } => values[row].into(),
        Values::Int64(values)
        | Values::Time64 { values, .. }
        | Values::Timestamp { values, .. }
        | Values::ZonedTimestamp { values, .. }
        | Values::Duration { values, .. } => values[row],
        Values::UInt8(values) => values[row].into(),
        Values::UInt16(values) => values[row].into(),
        Values::UInt32(values) => values[row].into(),
        Values::Float32(values) => f64_key(values[row].into()),
        Values::Float64(values) => f64_key(values[row]),
        _ => return None,
    })
}
