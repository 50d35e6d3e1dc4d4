//! Selects the rows of a generation that pass the filters of a read (D22, D23): by an index if that reads fewer rows,
//! else batch by batch while encoding, skipping batches by their statistics. This file chooses, and answers small reads
//! at once.

use rowhouse_filters::{ColumnNames, Filter};

use super::demand::SCANNED_ROWS_PER_CANDIDATE;
use super::generation::Generation;
use super::index::Candidates;
use super::look_up::{LookUp, MAX_CANDIDATES};
use super::predicate::{Predicate, refused};
use super::scan::Scan;
use crate::Result;
#[cfg(test)]
use rowhouse_rows::to_the_end;
use rowhouse_rows::{BatchFilter as _, Budget, Progress, ROWS_AT_HAND, RowSelection};

/// Candidates of an index that are always used: no scan is cheaper.
const FEW_CANDIDATES: u64 = 256;

/// Values that a reactor may test for one read: a few microseconds.
const SCANNED_AT_ONCE: u64 = 16 << 10;
/// Steps that a reactor may spend on testing the rows of an index, and on statistics: some ten microseconds.
const STEPS_AT_ONCE: u64 = 64 << 10;

impl Generation {
    /// As [`Generation::select`], but only if that is known to cost microseconds and the rows are in batches that are
    /// already decoded: fit for a reactor, which saves a small read the hop to another thread. Otherwise nothing: then
    /// call [`Generation::select`] off the reactor.
    ///
    /// # Errors
    /// As [`Generation::select`].
    pub fn select_at_once(
        &self,
        filters: &[Filter],
        offset: u64,
        limit: u64,
    ) -> Result<Option<RowSelection>> {
        self.guarded(|| self.select_now(filters, offset, limit))
    }

    fn select_now(&self, filters: &[Filter], offset: u64, limit: u64) -> Result<Option<RowSelection>> {
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
            if candidates.is_exact() && predicates.len() == 1 {
                let count = |rows: u64| usize::try_from(rows).unwrap_or(usize::MAX);
                RowSelection::Rows(candidates.rows(count(offset), count(limit)).into())
            } else {
                // Other filters read the candidates' rows.
                let rows = RowSelection::Rows(candidates.rows(0, usize::MAX).into());
                if !rows.is_at_hand(self.file()) {
                    return Ok(None);
                }
                let mut look_up = LookUp::new(predicates, position, &candidates, offset, limit);
                match look_up.advance(self, &mut Budget::new(STEPS_AT_ONCE))? {
                    Progress::Done(rows) => RowSelection::Rows(rows.into()),
                    Progress::Paused => return Ok(None),
                }
            }
        };
        Ok(Some(selection).filter(|selection| selection.is_at_hand(self.file())))
    }

    /// The first rows that a short scan of decoded batches finds; nothing if it finds too few, or would have to compare
    /// texts.
    fn scan_at_once(
        &self,
        predicates: Vec<Predicate>,
        offset: u64,
        limit: u64,
    ) -> Result<Option<RowSelection>> {
        let wanted = offset.saturating_add(limit);
        if wanted > ROWS_AT_HAND || !predicates.iter().all(|predicate| predicate.test.is_quick()) {
            return Ok(None);
        }
        let (offset, wanted) = (offset as usize, wanted as usize);
        let scan = Scan::new(predicates, self);
        let mut rows: Vec<u32> = Vec::with_capacity(wanted);
        let mut places = Vec::new();
        let (mut tests, mut looks) = (Budget::new(SCANNED_AT_ONCE), Budget::new(STEPS_AT_ONCE));
        for batch_index in 0..self.file().num_batches() {
            if looks.is_spent() {
                return Ok(None);
            }
            looks.spend(scan.look_steps());
            if !scan.may_match(batch_index) {
                continue;
            }
            let rows_of_batch = self.file().rows_of_batch(batch_index);
            if tests.is_spent() || !self.file().is_decoded(batch_index) {
                return Ok(None);
            }
            tests.spend(scan.values(rows_of_batch.end - rows_of_batch.start));
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

    /// The result of an index alone, if one applies.
    #[cfg(test)]
    pub(super) fn select_by_index(&self, filters: &[Filter]) -> Result<Option<RowSelection>> {
        let predicates = self.predicates(filters)?;
        let candidates = self.best_candidates(&predicates);
        let Some((position, candidates)) = candidates else { return Ok(None) };
        let mut look_up = LookUp::new(predicates, position, &candidates, 0, u64::MAX);
        let rows = to_the_end(|budget| look_up.advance(self, budget))?;
        Ok(Some(RowSelection::Rows(rows.into())))
    }

    pub(super) fn predicates(&self, filters: &[Filter]) -> Result<Vec<Predicate>> {
        let fields = self.file().schema().fields();
        let names = ColumnNames::new(self.projection().columns());
        let mut predicates: Vec<Predicate> = Vec::with_capacity(filters.len());
        for filter in filters {
            let column = names.resolve(filter.column()).map_err(refused)?;
            let predicate = Predicate::new(filter, column, &self.columns()[column], &fields[column])?;
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

    /// The index with the fewest candidates, and its predicate.
    fn best_candidates(&self, predicates: &[Predicate]) -> Option<(usize, Candidates<'_>)> {
        let candidates = predicates.iter().enumerate().filter_map(|(position, predicate)| {
            let index = self.index(predicate.column)?;
            Some((position, index.candidates(&predicate.test)?))
        });
        candidates.min_by_key(|(_, candidates)| candidates.count())
    }

    /// The same, if that is cheaper than a scan up to the last wanted row.
    pub(super) fn cheap_candidates(
        &self,
        predicates: &[Predicate],
        wanted: u64,
    ) -> Option<(usize, Candidates<'_>)> {
        let (position, candidates) = self.best_candidates(predicates)?;
        let most = FEW_CANDIDATES.max(self.scan_cost(&candidates, wanted)).min(MAX_CANDIDATES);
        (candidates.count() <= most).then_some((position, candidates))
    }

    /// The number of candidates that would cost as much as a scan, which ends when it has found the wanted rows, if
    /// they are evenly distributed.
    fn scan_cost(&self, candidates: &Candidates<'_>, wanted: u64) -> u64 {
        let num_rows = self.file().num_rows();
        let per_candidate = num_rows / candidates.count().max(1);
        let scanned = wanted.saturating_mul(per_candidate.max(1)).min(num_rows);
        scanned / SCANNED_ROWS_PER_CANDIDATE
    }
}
