//! Counters of statements.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rowhouse_model::{ErrorType, Query, Source};

use crate::histogram::Histogram;
use crate::metrics::{CacheLookup, EndOutcome, StatementMetrics};

/// Upper bounds of the time of a statement, in seconds.
const ELAPSED_BOUNDS: [f64; 13] =
    [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 10.0, 60.0, 300.0, 600.0];
/// Number of sources that are counted separately; all others are counted as the last one.
const SOURCES: usize = 8;
const OTHER_SOURCE: &str = "OTHER";

/// Counts since the start.
#[derive(Debug)]
pub(super) struct Counters {
    cache: [AtomicU64; CacheLookup::ALL.len()],
    ended: [[AtomicU64; EndOutcome::ALL.len()]; SOURCES],
    elapsed: Histogram<{ ELAPSED_BOUNDS.len() }>,
}

impl Counters {
    pub(super) fn new() -> Self {
        Self {
            cache: Default::default(),
            ended: Default::default(),
            elapsed: Histogram::new(&ELAPSED_BOUNDS),
        }
    }

    /// Counts an accepted statement.
    pub(super) fn accepted(&self, outcome: CacheLookup) {
        let place = CacheLookup::ALL.iter().position(|&one| one == outcome);
        if let Some(count) = place.and_then(|place| self.cache.get(place)) {
            count.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Counts a record that has become final.
    pub(super) fn ended(&self, query: &Query) {
        let outcome = match &query.error {
            None => EndOutcome::Finished,
            Some(error) => match error.error_type {
                ErrorType::UserError => EndOutcome::UserError,
                ErrorType::InternalError => EndOutcome::InternalError,
                ErrorType::InsufficientResources => EndOutcome::InsufficientResources,
                ErrorType::External => EndOutcome::External,
            },
        };
        let source = source_place(query.source.as_ref().unwrap_or(&Source::Api));
        let outcome = EndOutcome::ALL.iter().position(|&one| one == outcome);
        if let Some(count) = outcome.and_then(|outcome| self.ended[source].get(outcome)) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.elapsed.observe(Duration::from_millis(query.duration.unwrap_or_default()));
    }

    pub(super) fn snapshot(&self) -> StatementMetrics {
        let cache = CacheLookup::ALL.into_iter().zip(&self.cache);
        let ended = self.ended.iter().enumerate().flat_map(|(place, counts)| {
            let outcomes = EndOutcome::ALL.into_iter().zip(counts);
            outcomes.map(move |(outcome, count)| (source_at(place), outcome, count.load(Ordering::Relaxed)))
        });
        StatementMetrics {
            cache: cache.map(|(outcome, count)| (outcome, count.load(Ordering::Relaxed))).collect(),
            ended: ended.collect(),
            elapsed: self.elapsed.snapshot(),
        }
    }
}

const fn source_place(source: &Source) -> usize {
    match source {
        Source::Api => 0,
        Source::Web => 1,
        Source::Cli => 2,
        Source::Notebook => 3,
        Source::SavedSql => 4,
        Source::Schedule => 5,
        Source::MaterializedView => 6,
        Source::Other(_) => 7,
    }
}

fn source_at(place: usize) -> Source {
    match place {
        0 => Source::Api,
        1 => Source::Web,
        2 => Source::Cli,
        3 => Source::Notebook,
        4 => Source::SavedSql,
        5 => Source::Schedule,
        6 => Source::MaterializedView,
        _ => Source::Other(OTHER_SOURCE.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_is_counted_separately() {
        for place in 0..SOURCES {
            assert_eq!(source_place(&source_at(place)), place);
        }
        assert_eq!(source_place(&Source::Other("\"}\n".to_owned())), SOURCES - 1);
    }
}
