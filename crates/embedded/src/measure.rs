//! Cost of a run: CPU time, read from the operating system, and peak allocated memory. Both are those of the whole
//! process, which equal those of the statement as long as a worker runs one statement at a time.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

use rowhouse_executor::heap;

/// A measurement that has begun.
#[derive(Debug)]
pub(crate) struct Measurement {
    started: Instant,
    cpu_before: Duration,
}

impl Measurement {
    /// Begins a measurement, and resets the peak of memory.
    pub(crate) fn start() -> Self {
        heap::begin_statement();
        Self { started: Instant::now(), cpu_before: cpu_time() }
    }

    /// CPU time of all threads since the start.
    pub(crate) fn cpu_time(&self) -> Duration {
        cpu_time().saturating_sub(self.cpu_before)
    }

    /// The peak of allocated memory since the start, in bytes.
    pub(crate) fn peak_memory_bytes(&self) -> u64 {
        u64::try_from(heap::peak_bytes()).unwrap_or(u64::MAX)
    }

    /// Time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or(0);
    Duration::new(seconds, nanoseconds)
}

/// A duration in milliseconds, for statistics.
pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
