//! Limits of a workspace: its own if an admin has set some, else those of the configuration. The rate limit of tokens
//! is enforced here, too.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

use rowhouse_model::{LimitSettings, TokenId, WorkspaceId, WorkspaceLimits};

use crate::error::{Error, ErrorKind, Result};
use crate::fair_budget::Bounds;

/// Number of token buckets above which full ones are dropped.
const MANY_BUCKETS: usize = 5_000;
/// Time between two such searches: a bucket is full after a second without requests.
const PRUNING_INTERVAL: Duration = Duration::from_secs(1);
/// Maximum number of token buckets. Beyond it one is forgotten for each new one, whose token then has a full one.
const MAX_BUCKETS: usize = 10_000;

/// Maximum time for which a refusal is held back (D160): shorter than any client's timeout.
const MAX_REFUSAL_DELAY: Duration = Duration::from_secs(1);
/// Maximum number of refusals of a token in a workspace that are held back at a time: each keeps a connection, or one of the
/// streams that a gateway's users may share.
const MAX_HELD_BACK: usize = 64;

/// The limits of all workspaces.
#[derive(Debug, Default)]
pub(crate) struct Limits {
    settings: RwLock<Settings>,
    buckets: Mutex<Buckets>,
    refused_requests: AtomicU64,
}

#[derive(Debug, Default)]
struct Settings {
    /// The effective limits of a workspace for which nothing is set.
    defaults: WorkspaceLimits,
    workspaces: HashSet<WorkspaceId>,
    /// Only workspaces for which something is set: most servers have none, and every request asks.
    own: HashMap<WorkspaceId, WorkspaceLimits>,
}

/// The buckets of tokens that have made requests lately.
#[derive(Debug, Default)]
struct Buckets {
    by_token: HashMap<(TokenId, WorkspaceId), Bucket>,
    /// When full ones were last dropped.
    pruned_at: Option<Duration>,
}

/// A token bucket: available requests, and the time of the last refill.
#[derive(Debug)]
struct Bucket {
    allowance: f64,
    rate: f64,
    at: Duration,
    /// The time from which a refusal is answered at once.
    next_refusal: Duration,
    /// When the refusals that are held back are answered, the earliest first.
    held_back: VecDeque<Duration>,
}

impl Limits {
    pub(crate) fn new(defaults: WorkspaceLimits) -> Self {
        let limits = Self::default();
        limits.set_defaults(defaults);
        limits
    }

    /// Applies new defaults of the configuration.
    pub(crate) fn set_defaults(&self, defaults: WorkspaceLimits) {
        self.write().defaults = WorkspaceLimits::default().or(defaults);
    }

    /// Adds a workspace or changes its limits.
    pub(crate) fn hold(&self, workspace_id: &WorkspaceId, own: WorkspaceLimits) {
        let mut settings = self.write();
        settings.workspaces.insert(workspace_id.clone());
        if own == WorkspaceLimits::default() {
            settings.own.remove(workspace_id);
        } else {
            settings.own.insert(workspace_id.clone(), own);
        }
    }

    /// The effective limits of a workspace; none means no limit.
    pub(crate) fn of(&self, workspace_id: &WorkspaceId) -> WorkspaceLimits {
        self.read().of(workspace_id)
    }

    /// The limits that are set for a workspace, and the effective ones.
    pub(crate) fn settings(&self, workspace_id: &WorkspaceId) -> LimitSettings {
        let settings = self.read();
        let set = settings.own.get(workspace_id).copied().unwrap_or_default();
        LimitSettings { set, in_force: settings.of(workspace_id) }
    }

    /// Whether there are several workspaces, which must leave something to each other.
    pub(crate) fn is_shared(&self) -> bool {
        self.read().workspaces.len() > 1
    }

    fn read(&self) -> RwLockReadGuard<'_, Settings> {
        self.settings.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Settings> {
        self.settings.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bounds of one workspace within `total`.
    pub(crate) fn bounds(&self, total: usize, own: Option<usize>) -> Bounds {
        Bounds { total, own: own.unwrap_or(usize::MAX), is_shared: self.is_shared() }
    }

    /// The maximum number of permits for one workspace: all but one, if there are other workspaces.
    pub(crate) fn most_of(&self, permits: usize) -> usize {
        if self.is_shared() { permits.saturating_sub(1).max(1) } else { permits }
    }

    /// Whether requests in a workspace are limited, so that they have to be counted.
    pub(crate) fn counts_requests(&self, workspace_id: &WorkspaceId) -> bool {
        self.read().of(workspace_id).requests_per_second.is_some()
    }

    /// Counts a request of a token in a workspace; `now` is monotonic.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::TooManyRequests`], with the time after which the next request is allowed, and the time for which the refusal
    /// is held back (D160).
    pub(crate) fn count_request(
        &self,
        token_id: &TokenId,
        workspace_id: &WorkspaceId,
        now: Duration,
    ) -> Result<()> {
        let limit = self.read().of(workspace_id).requests_per_second;
        let Some(limit) = limit else { return Ok(()) };
        let rate = limit as f64;
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let bucket = buckets.of((token_id.clone(), workspace_id.clone()), rate, now);
        bucket.rate = rate;
        bucket.allowance = bucket.allowance_at(now);
        bucket.at = now;
        if bucket.allowance >= 1.0 {
            bucket.allowance -= 1.0;
            return Ok(());
        }
        let wait = Duration::from_secs_f64((1.0 - bucket.allowance) / rate);
        let delay = bucket.delay_of_refusal(now);
        drop(buckets);
        // As the client counts it, from the answer on.
        let wait = wait.saturating_sub(delay);
        self.refused_requests.fetch_add(1, Ordering::Relaxed);
        let message = format!(
            "this token has made its {limit} requests a second in this workspace (requestsPerSecond); the next may come \
             in {} ms",
            wait.as_millis() + 1
        );
        Err(Error::new(ErrorKind::TooManyRequests, message).with_retry_after(wait).with_delay(delay))
    }

    /// Number of requests refused by the rate limit of their token.
    pub(crate) fn refused_requests(&self) -> u64 {
        self.refused_requests.load(Ordering::Relaxed)
    }
}

impl Settings {
    fn of(&self, workspace_id: &WorkspaceId) -> WorkspaceLimits {
        self.own.get(workspace_id).map_or(self.defaults, |own| own.or(self.defaults))
    }
}

impl Buckets {
    fn of(&mut self, key: (TokenId, WorkspaceId), rate: f64, now: Duration) -> &mut Bucket {
        if self.by_token.len() >= MANY_BUCKETS && !self.by_token.contains_key(&key) {
            self.make_room(now);
        }
        self.by_token.entry(key).or_insert_with(|| Bucket::new(rate, now))
    }

    fn make_room(&mut self, now: Duration) {
        if self.pruned_at.is_none_or(|at| now >= at + PRUNING_INTERVAL) {
            self.by_token.retain(|_, bucket| bucket.allowance_at(now) < bucket.rate);
            self.pruned_at = Some(now);
        }
        if self.by_token.len() >= MAX_BUCKETS
            && let Some(any) = self.by_token.keys().next().cloned()
        {
            self.by_token.remove(&any);
        }
    }
}

impl Bucket {
    fn new(rate: f64, now: Duration) -> Self {
        Self { allowance: rate, rate, at: now, next_refusal: now, held_back: VecDeque::new() }
    }

    fn allowance_at(&self, now: Duration) -> f64 {
        let filled = now.saturating_sub(self.at).as_secs_f64() * self.rate;
        (self.allowance + filled).min(self.rate)
    }

    /// Counts a refusal, and returns the time for which it is held back.
    fn delay_of_refusal(&mut self, now: Duration) -> Duration {
        while self.held_back.front().is_some_and(|end| *end <= now) {
            self.held_back.pop_front();
        }
        if self.held_back.len() >= MAX_HELD_BACK {
            return Duration::ZERO;
        }
        let delay = self.next_refusal.saturating_sub(now).min(MAX_REFUSAL_DELAY);
        let answered_at = now + delay;
        self.next_refusal = answered_at + Duration::from_secs_f64(1.0 / self.rate);
        if !delay.is_zero() {
            self.held_back.push_back(answered_at);
        }
        delay
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_counted_by_token_and_workspace() {
        let limits =
            Limits::new(WorkspaceLimits { requests_per_second: Some(2), ..WorkspaceLimits::default() });
        let (token, other) = (TokenId::new("t"), TokenId::new("u"));
        let (a, b) = (WorkspaceId::from("a"), WorkspaceId::from("b"));
        let at = |millis| Duration::from_millis(millis);
        limits.count_request(&token, &a, at(0)).expect("the first");
        limits.count_request(&token, &a, at(0)).expect("the second");
        let refused = limits.count_request(&token, &a, at(100)).expect_err("the third");
        assert_eq!(refused.kind(), ErrorKind::TooManyRequests);
        assert_eq!(refused.retry_after(), Some(at(400)));
        limits.count_request(&other, &a, at(100)).expect("another token");
        limits.count_request(&token, &b, at(100)).expect("another workspace");
        limits.count_request(&token, &a, at(500)).expect("after the time in the refusal");
        limits.count_request(&token, &a, at(500)).expect_err("and no more");
        // A workspace's own limit overrides the configuration, and 0 means none.
        limits.hold(&a, WorkspaceLimits { requests_per_second: Some(0), ..WorkspaceLimits::default() });
        for _ in 0..100 {
            limits.count_request(&token, &a, at(500)).expect("no limit");
        }
        assert_eq!(limits.refused_requests(), 2);
    }

    /// Regression: from 10,000 buckets on, every request looked at all of them, and there was no end to their number.
    #[test]
    fn buckets_are_bounded_and_looked_through_once_a_second() {
        let limits =
            Limits::new(WorkspaceLimits { requests_per_second: Some(2), ..WorkspaceLimits::default() });
        let workspace = WorkspaceId::from("a");
        let use_by = |tokens: std::ops::Range<usize>, millis| {
            for token in tokens {
                let token = TokenId::new(token.to_string());
                limits.count_request(&token, &workspace, Duration::from_millis(millis)).expect("its first");
            }
            limits.buckets.lock().expect("no panic").by_token.len()
        };
        assert_eq!(use_by(0..MANY_BUCKETS, 0), MANY_BUCKETS);
        // All others have been full since 500 ms.
        assert_eq!(use_by(MANY_BUCKETS..MANY_BUCKETS + 1, 600), 1);
        assert_eq!(use_by(0..MANY_BUCKETS, 700), MANY_BUCKETS + 1);
        assert_eq!(use_by(6_000..6_001, 1500), MANY_BUCKETS + 2, "it is less than a second ago");
        assert_eq!(use_by(6_001..6_002, 1600), 2);
        assert_eq!(use_by(0..MAX_BUCKETS + 100, 1700), MAX_BUCKETS);
    }

    /// D160: the first is answered at once, the others at the rate of the requests, none later than after a second.
    #[test]
    fn refusals_are_held_back_at_the_rate_of_requests() {
        let limits =
            Limits::new(WorkspaceLimits { requests_per_second: Some(4), ..WorkspaceLimits::default() });
        let (token, workspace) = (TokenId::new("t"), WorkspaceId::from("a"));
        let at = |millis| Duration::from_millis(millis);
        let delay = |now| limits.count_request(&token, &workspace, now).expect_err("a refusal").delay();
        for _ in 0..4 {
            limits.count_request(&token, &workspace, at(0)).expect("within its rate");
        }
        assert_eq!(delay(at(0)), None, "whoever exceeds the rate once is told at once");
        let delays: Vec<_> = (0..6).map(|_| delay(at(0))).collect();
        let expected = [250, 500, 750, 1000, 1000, 1000].map(|millis| Some(at(millis)));
        assert_eq!(delays, expected);
        assert_eq!(limits.refused_requests(), 7);
        // Of many at a time the others are answered at once.
        let held_back = (0..2 * MAX_HELD_BACK).filter(|_| delay(at(0)).is_some()).count();
        assert_eq!(held_back, MAX_HELD_BACK - delays.len());
        limits.count_request(&token, &workspace, at(250)).expect("the rate is that of before");
        // The refusals that were held back have been answered.
        for _ in 0..4 {
            limits.count_request(&token, &workspace, at(3000)).expect("within its rate");
        }
        let refused = limits.count_request(&token, &workspace, at(3000)).expect_err("a refusal");
        assert_eq!((refused.delay(), refused.retry_after()), (None, Some(at(250))));
        let refused = limits.count_request(&token, &workspace, at(3100)).expect_err("another one");
        assert_eq!((refused.delay(), refused.retry_after()), (Some(at(150)), Some(at(1))));
    }

    #[test]
    fn full_token_buckets_are_dropped() {
        let limits =
            Limits::new(WorkspaceLimits { requests_per_second: Some(1), ..WorkspaceLimits::default() });
        let workspace = WorkspaceId::from("a");
        for number in 0..3 * MAX_BUCKETS {
            let now = Duration::from_millis(number as u64);
            limits.count_request(&TokenId::new(format!("t{number}")), &workspace, now).expect("its first");
        }
        let buckets = limits.buckets.lock().unwrap_or_else(PoisonError::into_inner).by_token.len();
        assert!(buckets <= MAX_BUCKETS, "{buckets}");
    }
}
