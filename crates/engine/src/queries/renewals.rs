//! Cached results that are being renewed, have been, or could not be (D117): one run at a time per statement, and a
//! pause after a failure.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rowhouse_executor::clock::Clock;
use rowhouse_model::QueryId;

use super::state::FlightKey;

/// Maximum number of statements.
const MAX_REMEMBERED: usize = 1024;
/// Pause after a failed renewal; doubled by each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(10);
/// Maximum pause.
const MAX_PAUSE: Duration = Duration::from_secs(600);

/// Renewals by statement.
#[derive(Debug, Default)]
pub(super) struct Renewals(Arc<Mutex<RecentRenewals>>);

#[derive(Debug, Default)]
struct RecentRenewals {
    by_statement: HashMap<FlightKey, Renewal>,
    /// The least recently renewed first.
    order: VecDeque<FlightKey>,
}

#[derive(Debug)]
struct Renewal {
    /// The record that created the entry being renewed.
    of: QueryId,
    state: RenewalState,
    /// Number of consecutive failures.
    failures: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RenewalState {
    UnderWay,
    Done,
    Failed { again_at: Duration },
}

/// A renewal in progress. Dropping it without success counts as a failure.
pub(super) struct Renewing {
    renewals: Renewals,
    clock: Arc<dyn Clock>,
    key: FlightKey,
}

impl Renewals {
    /// Begins the renewal of the entry that the record `of` created; none if it is in progress or done, if it has just
    /// failed, or if too many are in progress.
    pub(super) fn begin(&self, clock: &Arc<dyn Clock>, key: FlightKey, of: &QueryId) -> Option<Renewing> {
        let mut remembered = self.lock();
        let failures = match remembered.by_statement.get(&key) {
            None => {
                if !remembered.make_room() {
                    return None;
                }
                0
            }
            Some(Renewal { state: RenewalState::UnderWay, .. }) => return None,
            // The caller read the entry before it was replaced.
            Some(Renewal { state: RenewalState::Done, of: renewed, .. }) if renewed == of => return None,
            Some(Renewal { state: RenewalState::Done, .. }) => 0,
            Some(Renewal { state: RenewalState::Failed { again_at }, failures, .. }) => {
                if clock.monotonic() < *again_at {
                    return None;
                }
                *failures
            }
        };
        remembered.order.retain(|other| *other != key);
        remembered.order.push_back(key.clone());
        let renewal = Renewal { of: of.clone(), state: RenewalState::UnderWay, failures };
        remembered.by_statement.insert(key.clone(), renewal);
        Some(Renewing { renewals: Self(Arc::clone(&self.0)), clock: Arc::clone(clock), key })
    }

    fn lock(&self) -> MutexGuard<'_, RecentRenewals> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RecentRenewals {
    /// False if all stored renewals are in progress.
    fn make_room(&mut self) -> bool {
        if self.order.len() < MAX_REMEMBERED {
            return true;
        }
        let is_over = |key: &FlightKey| {
            self.by_statement.get(key).is_none_or(|renewal| renewal.state != RenewalState::UnderWay)
        };
        let Some(place) = self.order.iter().position(is_over) else { return false };
        if let Some(key) = self.order.remove(place) {
            self.by_statement.remove(&key);
        }
        true
    }
}

impl Renewing {
    /// A new entry exists.
    pub(super) fn succeeded(self) {
        if let Some(renewal) = self.renewals.lock().by_statement.get_mut(&self.key) {
            (renewal.state, renewal.failures) = (RenewalState::Done, 0);
        }
    }
}

impl Drop for Renewing {
    fn drop(&mut self) {
        let now = self.clock.monotonic();
        let mut remembered = self.renewals.lock();
        let Some(renewal) = remembered.by_statement.get_mut(&self.key) else { return };
        if renewal.state == RenewalState::UnderWay {
            let pause = FIRST_PAUSE.saturating_mul(1 << renewal.failures.min(10)).min(MAX_PAUSE);
            renewal.state = RenewalState::Failed { again_at: now.saturating_add(pause) };
            renewal.failures = renewal.failures.saturating_add(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use rowhouse_executor::clock::ManualClock;
    use rowhouse_model::{Timestamp, WorkspaceId};

    use super::*;

    fn key(statement: &str) -> FlightKey {
        (WorkspaceId::new("w"), statement.to_owned())
    }

    #[test]
    fn an_entry_is_renewed_once_and_by_one_run_at_a_time() {
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::new(Timestamp::from_millis(0)));
        let renewals = Renewals::default();
        let (first, second) = (QueryId::new("first"), QueryId::new("second"));
        let renewing = renewals.begin(&clock, key("a"), &first).expect("nothing is under way");
        assert!(renewals.begin(&clock, key("a"), &first).is_none());
        let other = renewals.begin(&clock, key("b"), &first);
        assert!(other.is_some());
        renewing.succeeded();
        assert!(renewals.begin(&clock, key("a"), &first).is_none(), "it was replaced");
        assert!(renewals.begin(&clock, key("a"), &second).is_some());
    }

    #[test]
    fn the_pause_after_failures_grows() {
        let manual = Arc::new(ManualClock::new(Timestamp::from_millis(0)));
        let clock: Arc<dyn Clock> = Arc::clone(&manual) as _;
        let renewals = Renewals::default();
        let of = QueryId::new("entry");
        for pause in [10, 20, 40, 80, 160, 320, 600, 600] {
            drop(renewals.begin(&clock, key("a"), &of).expect("the pause is over"));
            manual.advance(Duration::from_millis(pause * 1000 - 1));
            assert!(renewals.begin(&clock, key("a"), &of).is_none(), "{pause} s");
            manual.advance(Duration::from_millis(1));
        }
    }

    #[test]
    fn the_memory_is_bounded_and_renewals_in_progress_stay() {
        let clock: Arc<dyn Clock> = Arc::new(ManualClock::new(Timestamp::from_millis(0)));
        let renewals = Renewals::default();
        let of = QueryId::new("entry");
        let mut under_way = Vec::new();
        for number in 0..MAX_REMEMBERED {
            under_way.extend(renewals.begin(&clock, key(&number.to_string()), &of));
        }
        assert_eq!(under_way.len(), MAX_REMEMBERED);
        assert!(renewals.begin(&clock, key("one more"), &of).is_none());
        under_way.remove(500).succeeded();
        assert!(renewals.begin(&clock, key("one more"), &of).is_some());
        assert!(!renewals.lock().by_statement.contains_key(&key("500")));
    }
}
