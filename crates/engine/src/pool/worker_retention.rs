//! Which workers are kept for another job, and for how long.
//!
//! The kernel clears memory before it hands it out, which for a streaming engine is a fifth of a statement's CPU time.
//! A worker that keeps the memory that its last statement freed saves the next one that cost. Meanwhile nobody else can
//! use that memory, so a worker that holds much of it is replaced by a fresh one if no statement comes.

use std::time::Duration;

/// Memory that a worker may hold without a time limit while the engine is awake; a fresh one holds 8 MiB.
const LIGHT_BYTES: u64 = 128 << 20;
/// Divisor of the memory limit: the maximum that an idle worker may hold.
const MAX_PART_OF_LIMIT: u64 = 4;
/// How long a worker that holds more than [`LIGHT_BYTES`] waits for a statement.
const HEAVY_FOR: Duration = Duration::from_secs(10);

/// The limits of workers that wait for another job. Tests use other values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WorkerRetention {
    /// Bytes up to which it waits without a time limit while the engine is awake.
    pub(super) light_bytes: u64,
    /// How long a worker with more memory waits.
    pub(super) heavy_for: Duration,
}

/// The decision about a worker after its job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It waits like a fresh one.
    Keep,
    /// It waits for a limited time.
    KeepFor(Duration),
    /// It holds too much, or an unknown amount.
    End,
}

impl Default for WorkerRetention {
    fn default() -> Self {
        Self { light_bytes: LIGHT_BYTES, heavy_for: HEAVY_FOR }
    }
}

impl WorkerRetention {
    /// Decides by the memory that a worker holds besides its files, and by its limit.
    pub(super) fn judge(&self, held_bytes: Option<u64>, memory_limit_bytes: u64) -> Verdict {
        match held_bytes {
            Some(held) if held > memory_limit_bytes / MAX_PART_OF_LIMIT => Verdict::End,
            Some(held) if held > self.light_bytes => Verdict::KeepFor(self.heavy_for),
            Some(_) => Verdict::Keep,
            None => Verdict::End,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_that_a_worker_holds_decides_its_retention() {
        let worker_retention = WorkerRetention::default();
        let check = |held_mib: u64, limit_mib: u64, expected| {
            assert_eq!(
                worker_retention.judge(Some(held_mib << 20), limit_mib << 20),
                expected,
                "{held_mib} of {limit_mib}"
            );
        };
        check(20, 4096, Verdict::Keep);
        check(128, 4096, Verdict::Keep);
        check(129, 4096, Verdict::KeepFor(HEAVY_FOR));
        check(1024, 4096, Verdict::KeepFor(HEAVY_FOR));
        check(1025, 4096, Verdict::End);
        check(20, 64, Verdict::End);
        assert_eq!(worker_retention.judge(None, 4096 << 20), Verdict::End);
    }
}
