//! Ids of runs in Trino's format, `YYYYMMDD_HHMMSS_NNNNN_xxxxx` (D14): the time of submission in UTC, a number that
//! counts runs, and five characters drawn once per start of the server.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};

use rowhouse_model::{StatementId, Timestamp};

use crate::id_source::IdSource;

/// The number has five digits and wraps around; by then the second is another.
const NUMBERS: u64 = 100_000;
/// Bytes of an id.
const LENGTH: usize = 27;

/// Generates the id of each run.
#[derive(Debug)]
pub(super) struct StatementIds {
    start: String,
    next: AtomicU64,
}

impl StatementIds {
    pub(super) fn new(ids: &dyn IdSource) -> Self {
        let id = ids.new_id();
        // The end, because a test's ids count upwards.
        let start = id.get(id.len().saturating_sub(5)..).unwrap_or_default().to_owned();
        Self { start, next: AtomicU64::new(0) }
    }

    pub(super) fn next(&self, now: Timestamp) -> StatementId {
        let number = self.next.fetch_add(1, Ordering::Relaxed) % NUMBERS;
        let mut id = String::with_capacity(LENGTH);
        for (place, digit) in now.to_string().chars().filter(char::is_ascii_digit).take(14).enumerate() {
            if place == 8 {
                id.push('_');
            }
            id.push(digit);
        }
        // OK to ignore: a String accepts everything.
        let _ = write!(id, "_{number:05}_{}", self.start);
        StatementId::new(id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id_source::SequentialIdSource;

    #[test]
    fn ids_have_trinos_form() {
        let statement_ids = StatementIds::new(&SequentialIdSource::default());
        let now = Timestamp::from_millis(1_767_225_845_678);
        let id = statement_ids.next(now);
        assert_eq!((id.as_str(), id.as_str().len()), ("20260101_000405_00000_00000", LENGTH));
        assert_eq!(statement_ids.next(now).as_str(), "20260101_000405_00001_00000");
    }
}
