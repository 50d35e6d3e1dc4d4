//! Results that cache hits have found, while nothing but records of hits has been written since: hits of the same entries follow
//! each other, and looking in the database for each costs a sixth of writing its record.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::store::query_records::UsedResult;

/// More are not kept.
const MAX_RESULTS: usize = 64;

/// What hits have found; all of it on the store's thread.
#[derive(Debug, Default)]
pub(super) struct FoundResults(Mutex<Found>);

#[derive(Debug, Default)]
struct Found {
    /// The number of rows that the store's connection had ever changed, which each change increases, also one that is rolled
    /// back.
    changes: u64,
    results: Vec<(String, UsedResult)>,
}

impl FoundResults {
    /// What a hit has found at a location, if that is still known after so many changes.
    pub(super) fn get(&self, location: &str, changes: u64) -> Option<UsedResult> {
        let found = self.found();
        let known = found.results.iter().filter(|_| found.changes == changes);
        known.into_iter().find(|(of, _)| of == location).map(|&(_, result)| result)
    }

    /// What a hit has found after so many changes.
    pub(super) fn add(&self, location: &str, result: UsedResult, changes: u64) {
        let mut found = self.found();
        if found.changes != changes || found.results.len() >= MAX_RESULTS {
            found.results.clear();
        }
        found.changes = changes;
        found.results.push((location.to_owned(), result));
    }

    /// Between these two numbers of changes only the record of a hit was inserted, which removes no result.
    pub(super) fn hit_was_inserted(&self, before: u64, after: u64) {
        let mut found = self.found();
        if found.changes == before {
            found.changes = after;
        }
    }

    fn found(&self) -> MutexGuard<'_, Found> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_found_is_known_until_something_else_is_written() {
        let found = FoundResults::default();
        found.add("a", UsedResult::InDatabase, 10);
        assert_eq!(found.get("a", 10), Some(UsedResult::InDatabase));
        assert_eq!((found.get("a", 11), found.get("b", 10)), (None, None));
        found.hit_was_inserted(10, 11);
        found.add("b", UsedResult::InFile, 11);
        assert_eq!(
            (found.get("a", 11), found.get("b", 11)),
            (Some(UsedResult::InDatabase), Some(UsedResult::InFile))
        );
        // Something else was written, then another hit.
        found.hit_was_inserted(12, 13);
        assert_eq!((found.get("a", 13), found.get("a", 11)), (None, Some(UsedResult::InDatabase)));
        found.add("c", UsedResult::InFile, 13);
        assert_eq!((found.get("a", 13), found.get("c", 13)), (None, Some(UsedResult::InFile)));
    }

    #[test]
    fn few_are_kept() {
        let found = FoundResults::default();
        for number in 0..1000 {
            found.add(&number.to_string(), UsedResult::InFile, 0);
            assert!(found.found().results.len() <= MAX_RESULTS);
            assert_eq!(found.get(&number.to_string(), 0), Some(UsedResult::InFile));
        }
    }
}
