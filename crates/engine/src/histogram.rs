//! A histogram of durations that many threads raise without a lock: counts by upper bound, and their sum.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Counts of durations by upper bounds in seconds, which ascend.
#[derive(Debug)]
pub struct Histogram<const N: usize> {
    bounds: &'static [f64; N],
    /// Those up to a bound and over the one before it; what is over the last bound is only in `count`.
    counts: [AtomicU64; N],
    count: AtomicU64,
    sum_micros: AtomicU64,
}

/// A histogram at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct HistogramSnapshot {
    /// Upper bounds in seconds, each with the count of all that are not longer.
    pub buckets: Vec<(f64, u64)>,
    /// Count of all.
    pub count: u64,
    /// Seconds of all together.
    pub sum_seconds: f64,
}

impl<const N: usize> Histogram<N> {
    /// An empty one.
    pub fn new(bounds: &'static [f64; N]) -> Self {
        Self {
            bounds,
            counts: std::array::from_fn(|_| AtomicU64::new(0)),
            count: AtomicU64::new(0),
            sum_micros: AtomicU64::new(0),
        }
    }

    /// Counts one.
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

    /// What has been counted. Its parts agree: no bucket counts more than `count`, whatever is counted meanwhile.
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
    fn buckets_hold_what_is_not_longer_than_their_bound() {
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
