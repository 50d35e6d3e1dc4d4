//! Time, injected wherever logic depends on it, so that tests can control it.

use std::fmt::Debug;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rowhouse_model::Timestamp;

/// A source of the time of day and of elapsed time.
pub trait Clock: Debug + Send + Sync {
    /// The time of day, UTC, to the millisecond.
    fn now(&self) -> Timestamp;

    /// Time since some fixed moment; monotonic.
    fn monotonic(&self) -> Duration;
}

/// The machine's clock.
#[derive(Debug)]
pub struct SystemClock {
    started: Instant,
}

impl SystemClock {
    /// Its monotonic time starts here.
    pub fn new() -> Self {
        Self { started: Instant::now() }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(i64::try_from(since_epoch.as_millis()).unwrap_or(i64::MAX))
    }

    fn monotonic(&self) -> Duration {
        self.started.elapsed()
    }
}

/// A clock that moves only when a test moves it.
#[derive(Debug)]
pub struct ManualClock {
    epoch: Timestamp,
    elapsed: Mutex<Duration>,
    ahead_millis: AtomicI64,
}

impl ManualClock {
    /// Shows `epoch` until advanced.
    pub fn new(epoch: Timestamp) -> Self {
        Self { epoch, elapsed: Mutex::new(Duration::ZERO), ahead_millis: AtomicI64::new(0) }
    }

    /// Moves the time of day forward or back; elapsed time does not change.
    pub fn jump(&self, millis: i64) {
        self.ahead_millis.fetch_add(millis, Ordering::Relaxed);
    }

    /// Moves both times forward.
    pub fn advance(&self, by: Duration) {
        *self.elapsed.lock().unwrap_or_else(std::sync::PoisonError::into_inner) += by;
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        let elapsed = i64::try_from(self.monotonic().as_millis()).unwrap_or(i64::MAX);
        let now = self.epoch.as_millis().saturating_add(elapsed);
        Timestamp::from_millis(now.saturating_add(self.ahead_millis.load(Ordering::Relaxed)))
    }

    fn monotonic(&self) -> Duration {
        *self.elapsed.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// Maximum sleep of [`wait_until`]: how often a manually driven clock is checked.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// Returns once the clock's monotonic time has reached `deadline`.
pub async fn wait_until(clock: &dyn Clock, deadline: Duration) {
    loop {
        let remaining = deadline.saturating_sub(clock.monotonic());
        if remaining.is_zero() {
            return;
        }
        tokio::time::sleep(remaining.min(LOOK_AGAIN)).await;
    }
}
