//! CPU time of one thread, for tests of time limits; other load on the machine does not affect it.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Returns the result of `work` and the CPU time that this thread spent on it.
pub(crate) fn of<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let before = now();
    let given = work();
    (given, now().saturating_sub(before))
}

fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or(0);
    Duration::new(seconds, nanoseconds)
}
