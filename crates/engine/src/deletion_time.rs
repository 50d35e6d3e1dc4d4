//! The time for expiry: the wall clock, unless it has just jumped ahead. Data that has expired only because of a jump
//! is deleted when the clock has kept the new time for an hour; if the clock is set back before that, nothing is lost.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rowhouse_executor::clock::Clock;
use rowhouse_model::Timestamp;

use crate::error::Result;
use crate::store::{self, Store};

/// Key of the store's settings: the last time that was seen.
const SEEN_SETTING: &str = "clock.seen";
/// Maximum deviation of a well-kept clock from the expected time.
const TOLERANCE: Duration = Duration::from_secs(5 * 60);
/// How long a jump must persist before it is accepted.
const SETTLING: Duration = Duration::from_secs(60 * 60);
/// How often the time is stored.
const NOTING_PERIOD: Duration = Duration::from_secs(10 * 60);

/// The time for expiry on one server.
#[derive(Debug)]
pub(crate) struct DeletionTime {
    clock: Arc<dyn Clock>,
    store: Arc<Store>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// The time that was returned last; `at` is the monotonic clock at that call.
    last: Timestamp,
    at: Duration,
    /// Since when the wall clock is ahead.
    ahead_since: Option<Duration>,
    noted_at: Option<Duration>,
}

impl DeletionTime {
    /// Continues from the last time that the previous server saw. Blocking.
    pub(crate) fn open(store: Arc<Store>, clock: Arc<dyn Clock>) -> Result<Self> {
        let seen = store.read(|connection| store::settings::get(connection, SEEN_SETTING))?;
        let seen = seen.and_then(|seen| seen.parse().ok()).map(Timestamp::from_millis);
        let last = seen.unwrap_or_else(|| clock.now());
        let state = State { last, at: clock.monotonic(), ahead_since: None, noted_at: None };
        Ok(Self { clock, store, state: Mutex::new(state) })
    }

    /// The time for expiry: never later than the wall clock's.
    pub(crate) fn now(&self) -> Timestamp {
        let (wall, monotonic) = (self.clock.now(), self.clock.monotonic());
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let expected = later(state.last, monotonic.saturating_sub(state.at));
        state.at = monotonic;
        if wall.as_millis() <= later(expected, TOLERANCE).as_millis() {
            state.ahead_since = None;
            state.last = wall;
            return wall;
        }
        let since = *state.ahead_since.get_or_insert_with(|| {
            tracing::warn!(
                %wall, %expected,
                "the clock is ahead of what was expected: what has expired by that is deleted in an hour, if it stays so"
            );
            monotonic
        });
        if monotonic.saturating_sub(since) >= SETTLING {
            state.ahead_since = None;
            state.last = wall;
        } else {
            state.last = expected;
        }
        state.last
    }

    /// Stores the time for the next start, at intervals.
    pub(crate) async fn note(&self) -> Result<()> {
        let (now, monotonic) = (self.now(), self.clock.monotonic());
        {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            if state.noted_at.is_some_and(|noted| monotonic.saturating_sub(noted) < NOTING_PERIOD) {
                return Ok(());
            }
            state.noted_at = Some(monotonic);
        }
        let text = now.as_millis().to_string();
        self.store.write(move |transaction| store::settings::set(transaction, SEEN_SETTING, &text)).await
    }
}

fn later(moment: Timestamp, by: Duration) -> Timestamp {
    let by = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis(moment.as_millis().saturating_add(by))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use rowhouse_executor::clock::ManualClock;

    use super::*;
    use crate::workspaces::fixture::Fixture;

    const HOUR: Duration = Duration::from_secs(60 * 60);
    const DAY_MILLIS: i64 = 24 * 60 * 60 * 1000;

    async fn check(fixture: &Fixture, clock: &ManualClock) {
        let time = DeletionTime::open(Arc::clone(&fixture.store), Arc::clone(&fixture.clock) as _).unwrap();
        let start = clock.now();
        clock.advance(HOUR * 100);
        assert_eq!(time.now(), clock.now(), "time that passes is no jump");
        let before = clock.now();
        clock.jump(8 * DAY_MILLIS);
        assert_eq!(time.now(), before);
        clock.advance(HOUR / 2);
        assert_eq!(time.now(), later(before, HOUR / 2), "it goes on as if nothing had been");
        clock.jump(-8 * DAY_MILLIS);
        assert_eq!(time.now(), clock.now());
        clock.jump(-9 * DAY_MILLIS);
        assert_eq!(time.now(), clock.now(), "a clock that is set back deletes less");
        clock.jump(9 * DAY_MILLIS);
        assert_eq!(time.now(), later(clock.now(), Duration::ZERO).min(time.now()), "and waits again");
        clock.advance(HOUR);
        assert_eq!(time.now(), clock.now(), "a jump that stays is believed");
        assert!(start.as_millis() < time.now().as_millis());
    }

    #[tokio::test]
    async fn a_forward_clock_jump_is_accepted_after_an_hour() {
        let fixture = Fixture::new().await;
        check(&fixture, &fixture.clock).await;
    }

    #[tokio::test]
    async fn a_clock_jump_during_downtime_is_accepted_after_an_hour_too() {
        let fixture = Fixture::new().await;
        let open =
            || DeletionTime::open(Arc::clone(&fixture.store), Arc::clone(&fixture.clock) as _).unwrap();
        let before = open().now();
        open().note().await.unwrap();
        fixture.clock.jump(8 * DAY_MILLIS);
        let time = open();
        assert_eq!(time.now(), before);
        fixture.clock.advance(HOUR);
        assert_eq!(time.now(), fixture.clock.now());
    }
}
