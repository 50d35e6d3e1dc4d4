//! Statistics of an endpoint's calls in the last 24 hours: count, outcomes and durations. They are counted in memory, and
//! changed hours are written once a minute (`store_call_statistics`), so a crash loses at most the last minute (D135).

use std::time::Duration;

use rowhouse_model::{EndpointCalls, SavedSqlId, Timestamp};

use crate::store::endpoint_calls::HourOfCalls;

/// Hours of a day, including the current one.
const HOURS: usize = 24;
const HOUR_MILLIS: i64 = 3_600_000;
/// Durations are counted in buckets, each bound a quarter longer than the one before: 64 of them reach from 50 µs to a
/// minute.
const BUCKETS: usize = 64;
const FIRST_BOUND_MILLIS: f64 = 0.05;
const GROWTH: f64 = 1.25;

/// How a call was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallOutcome {
    /// With the rows of a new run.
    Run,
    /// With the rows of a cached result.
    Cached,
    /// With 202: its query is still running.
    Unfinished,
    /// With an error: it was refused, or its query failed.
    Failed,
}

/// Statistics by hour.
#[derive(Debug, Default)]
pub(super) struct CallStatistics {
    hours: Vec<Hour>,
}

#[derive(Debug)]
struct Hour {
    /// Hours since 1970.
    number: i64,
    run: u64,
    kept: u64,
    unfinished: u64,
    failed: u64,
    /// Durations of the calls that were answered with rows.
    durations: [u32; BUCKETS],
    /// Whether it has changed since it was last stored.
    is_changed: bool,
}

impl CallStatistics {
    /// Adds an hour that was read from the store; hours are added oldest first.
    pub(super) fn push_stored(&mut self, stored: HourOfCalls) {
        let HourOfCalls { saved_sql_id: _, hour, run, kept, unfinished, failed, durations: of_hour } = stored;
        let mut durations = [0; BUCKETS];
        for (count, stored) in durations.iter_mut().zip(of_hour) {
            *count = stored;
        }
        if self.hours.len() == HOURS {
            self.hours.remove(0);
        }
        self.hours.push(Hour { number: hour, run, kept, unfinished, failed, durations, is_changed: false });
    }

    /// Appends the changed hours to `taken`; they count as stored from now on.
    pub(super) fn take_changed(&mut self, id: &SavedSqlId, taken: &mut Vec<HourOfCalls>) {
        for hour in self.hours.iter_mut().filter(|hour| hour.is_changed) {
            hour.is_changed = false;
            let used = hour.durations.iter().rposition(|count| *count > 0).map_or(0, |last| last + 1);
            taken.push(HourOfCalls {
                saved_sql_id: id.clone(),
                hour: hour.number,
                run: hour.run,
                kept: hour.kept,
                unfinished: hour.unfinished,
                failed: hour.failed,
                durations: hour.durations[..used].to_vec(),
            });
        }
    }

    /// Marks an hour as changed again, because it could not be stored.
    pub(super) fn give_back(&mut self, number: i64) {
        if let Some(hour) = self.hours.iter_mut().find(|hour| hour.number == number) {
            hour.is_changed = true;
        }
    }

    pub(super) fn note(&mut self, outcome: CallOutcome, duration: Duration, now: Timestamp) {
        let hour = self.hour(now);
        hour.is_changed = true;
        match outcome {
            CallOutcome::Run => hour.run += 1,
            CallOutcome::Cached => hour.kept += 1,
            CallOutcome::Unfinished => hour.unfinished += 1,
            CallOutcome::Failed => hour.failed += 1,
        }
        if matches!(outcome, CallOutcome::Run | CallOutcome::Cached)
            && let Some(count) = hour.durations.get_mut(bucket(duration))
        {
            *count = count.saturating_add(1);
        }
    }

    pub(super) fn last_day(&self, now: Timestamp) -> EndpointCalls {
        let from = oldest_hour(now);
        let mut durations = [0_u64; BUCKETS];
        let mut calls = EndpointCalls::default();
        for hour in self.hours.iter().filter(|hour| hour.number >= from) {
            let Hour { number: _, run, kept, unfinished, failed, durations: of_hour, is_changed: _ } = hour;
            calls.kept += kept;
            calls.failed += failed;
            calls.unfinished += unfinished;
            calls.calls += run + kept + unfinished + failed;
            for (sum, count) in durations.iter_mut().zip(of_hour) {
                *sum += u64::from(*count);
            }
        }
        calls.p50_millis = quantile(&durations, 0.5);
        calls.p95_millis = quantile(&durations, 0.95);
        calls
    }

    /// The hour of a time; after the clock was set back, counting continues in the newest one.
    fn hour(&mut self, now: Timestamp) -> &mut Hour {
        let number = now.as_millis().div_euclid(HOUR_MILLIS);
        let is_new = self.hours.last().is_none_or(|last| last.number < number);
        if is_new {
            if self.hours.len() == HOURS {
                self.hours.remove(0);
            }
            self.hours.push(Hour {
                number,
                run: 0,
                kept: 0,
                unfinished: 0,
                failed: 0,
                durations: [0; BUCKETS],
                is_changed: false,
            });
        }
        let newest = self.hours.len() - 1;
        &mut self.hours[newest]
    }
}

/// The oldest hour of the last 24 at a time.
pub(super) fn oldest_hour(now: Timestamp) -> i64 {
    now.as_millis().div_euclid(HOUR_MILLIS) - HOURS as i64 + 1
}

/// The first bound that is not exceeded, or the last one.
fn bucket(duration: Duration) -> usize {
    let millis = duration.as_secs_f64() * 1000.0;
    let steps = (millis / FIRST_BOUND_MILLIS).max(1.0).ln() / GROWTH.ln();
    // OK to truncate: the number is not below 0, and the last bucket is far below the largest integer.
    (steps.ceil() as usize).min(BUCKETS - 1)
}

/// The upper bound of this quantile, in milliseconds; none if nothing was counted.
fn quantile(durations: &[u64; BUCKETS], part: f64) -> Option<f64> {
    let count: u64 = durations.iter().sum();
    let wanted = (count as f64 * part).ceil() as u64;
    let mut below = 0;
    let place = durations.iter().position(|count| {
        below += count;
        below >= wanted
    })?;
    let bound = FIRST_BOUND_MILLIS * GROWTH.powi(i32::try_from(place).unwrap_or(0));
    (count > 0).then_some((bound * 1000.0).round() / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hour(number: i64) -> Timestamp {
        Timestamp::from_millis(number * HOUR_MILLIS + 5)
    }

    #[test]
    fn quantiles_are_accurate_to_a_quarter() {
        let mut statistics = CallStatistics::default();
        assert_eq!(statistics.last_day(hour(1)), EndpointCalls::default());
        for millis in 1..=100 {
            statistics.note(CallOutcome::Run, Duration::from_millis(millis), hour(1));
        }
        let calls = statistics.last_day(hour(1));
        for (found, exact) in [(calls.p50_millis, 50.0), (calls.p95_millis, 95.0)] {
            let found = found.expect("a figure");
            assert!((exact..=exact * GROWTH).contains(&found), "{found} for {exact}");
        }
        statistics.note(CallOutcome::Run, Duration::ZERO, hour(1));
        statistics.note(CallOutcome::Run, Duration::from_secs(10_000), hour(1));
        assert_eq!(statistics.last_day(hour(1)).calls, 102);
    }

    #[test]
    fn calls_are_counted_for_a_day() {
        let mut statistics = CallStatistics::default();
        for outcome in [CallOutcome::Run, CallOutcome::Cached, CallOutcome::Failed, CallOutcome::Unfinished] {
            statistics.note(outcome, Duration::from_millis(1), hour(0));
        }
        statistics.note(CallOutcome::Cached, Duration::from_millis(9), hour(20));
        let day = statistics.last_day(hour(23));
        assert_eq!((day.calls, day.kept, day.failed, day.unfinished), (5, 2, 1, 1));
        let day = statistics.last_day(hour(24));
        assert_eq!((day.calls, day.kept, day.failed, day.unfinished), (1, 1, 0, 0));
        for number in 30..100 {
            statistics.note(CallOutcome::Run, Duration::from_millis(1), hour(number));
        }
        assert_eq!((statistics.hours.len(), statistics.last_day(hour(99)).calls), (24, 24));
        // The clock was set back.
        statistics.note(CallOutcome::Run, Duration::from_millis(1), hour(50));
        assert_eq!(statistics.last_day(hour(99)).calls, 25);
    }
    #[test]
    fn stored_statistics_continue_after_a_restart() {
        let id = SavedSqlId::new("s");
        let taken = |statistics: &mut CallStatistics| {
            let mut taken = Vec::new();
            statistics.take_changed(&id, &mut taken);
            taken
        };
        let mut statistics = CallStatistics::default();
        for (outcome, number) in [
            (CallOutcome::Run, 7),
            (CallOutcome::Cached, 7),
            (CallOutcome::Unfinished, 8),
            (CallOutcome::Failed, 8),
        ] {
            statistics.note(outcome, Duration::from_millis(3), hour(number));
        }
        let stored = taken(&mut statistics);
        assert_eq!(stored.len(), 2);
        assert_eq!(taken(&mut statistics), []);
        statistics.give_back(8);
        assert_eq!(taken(&mut statistics), stored[1..]);
        let mut later = CallStatistics::default();
        stored.into_iter().for_each(|hour| later.push_stored(hour));
        assert_eq!(later.last_day(hour(9)), statistics.last_day(hour(9)));
        assert_eq!(taken(&mut later), []);
        later.note(CallOutcome::Run, Duration::from_millis(3), hour(8));
        let changed = taken(&mut later);
        assert_eq!((changed.len(), changed[0].hour, changed[0].run), (1, 8, 1));
        assert_eq!(later.last_day(hour(9)).calls, 5);
    }
}
