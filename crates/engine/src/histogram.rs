//! A lock-free histogram of durations, updated by many threads: counts by upper bound, and their sum.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Counts of durations by upper bounds in seconds, ascending.
#[derive(Debug)]
pub struct Histogram<const N: usize> {
    bounds: &'static [f64; N],
    /// Counts between one bound and the next; values above the last bound are only in `count`.
    counts: [AtomicU64; N],
    count: AtomicU64,
    sum_micros: AtomicU64,
}

/// A histogram at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct HistogramSnapshot {
    /// Upper bounds in seconds, each with its cumulative count.
    pub buckets: Vec<(f64, u64)>,
    /// Count of all.
    pub count: u64,
    /// Sum of all durations, in seconds.
    pub sum_seconds: f64,
}

impl<const N: usize> Histogram<N> {
    /// An empty histogram.
    pub fn new(bounds: &'static [f64; N]) -> Self {
        Self {
            bounds,
            counts: std::array::from_fn(|_| AtomicU64::new(0)),
            count: AtomicU64::new(0),
            sum_micros: AtomicU64::new(0),
        }
    }

    /// Counts one duration.
    pub fn observe(&self, duration: Duration) {
        let seconds = duration.as_secs_f64();
        let at = self.bounds.partition_point(|&bound| bound < seconds);
        if let Some(count) = self.counts.get(at) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.count.fetch_add(1, Ordering::Relaxed);
        let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        self.sum_micros.fetch_add(micros, Ordering::Relaxed);
    }

    /// A consistent snapshot: no bucket counts more than `count`, whatever is counted concurrently.
    pub fn snapshot(&self) -> HistogramSnapshot {
        let mut up_to = 0;
        let buckets: Vec<(f64, u64)> = self
            .bounds
            .iter()
            .zip(&self.counts)
            .map(|(&bound, count)| {
                up_to += count.load(Ordering::Relaxed);
                (bound, up_to)
            })
            .collect();
        let count = self.count.load(Ordering::Relaxed).max(up_to);
        let sum_seconds = Duration::from_micros(self.sum_micros.load(Ordering::Relaxed)).as_secs_f64();
        HistogramSnapshot { buckets, count, sum_seconds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bucket_bounds_are_inclusive() {
        let histogram = Histogram::new(&[0.001, 0.01, 1.0]);
        for millis in [0, 1, 2, 10, 11, 1000, 1001, 60_000] {
            histogram.observe(Duration::from_millis(millis));
        }
        let expected = HistogramSnapshot {
            buckets: vec![(0.001, 2), (0.01, 4), (1.0, 6)],
            count: 8,
            sum_seconds: 62.025,
        };
        assert_eq!(histogram.snapshot(), expected);
    }
}
