//! What a run costs this process, read from the operating system: processor time and peak memory.
//! Both are the whole process's, which is a statement's own as long as a worker runs one at a time.

use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};

/// A measurement that began at some moment.
#[derive(Debug)]
pub(crate) struct Measurement {
    started: Instant,
    cpu_before: Duration,
}

impl Measurement {
    /// Begins; the process's peak of memory counts from here where the kernel lets it be reset.
    pub(crate) fn start() -> Self {
        reset_peak_memory();
        Self { started: Instant::now(), cpu_before: cpu_time() }
    }

    /// Processor time of all threads since the start.
    pub(crate) fn cpu_time(&self) -> Duration {
        cpu_time().saturating_sub(self.cpu_before)
    }

    /// Time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

/// The largest resident size since the last reset; 0 where the system does not tell.
pub(crate) fn peak_memory_bytes() -> u64 {
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return 0 };
    let kibibytes = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .and_then(|rest| rest.trim().strip_suffix("kB"))
        .and_then(|number| number.trim().parse::<u64>().ok());
    kibibytes.unwrap_or(0) * 1024
}

fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or(0);
    Duration::new(seconds, nanoseconds)
}

/// Writing 5 sets the peak to the current size (proc(5)). Where it fails the peak is the process's own.
fn reset_peak_memory() {
    if let Err(error) = std::fs::write("/proc/self/clear_refs", "5") {
        tracing::debug!(%error, "the peak of memory cannot be reset");
    }
}

/// Milliseconds for the statistics.
pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
