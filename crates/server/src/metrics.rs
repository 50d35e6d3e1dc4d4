//! Counters of the HTTP side. A request increments a few numbers without a lock, unless its thread has answered another route
//! before it.

mod exposition;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock, Weak};
use std::time::Duration;

use rowhouse_engine::Histogram;

pub(crate) use exposition::{Exposition, Kind};

/// Upper bounds of the duration histogram, in seconds.
const DURATION_BOUNDS: [f64; 15] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];

thread_local! {
    /// The counters of the last answer on this thread: nearly always those of the next one.
    static LAST: RefCell<Option<Last>> = const { RefCell::new(None) };
}

struct Last {
    /// The metrics, which stay as long as there is a reference.
    metrics: Weak<()>,
    route: &'static str,
    status: u16,
    of_route: Arc<RouteCounts>,
    of_status: Arc<StatusCounts>,
}

impl Last {
    fn count(&self, duration: Duration, sent_bytes: u64) {
        self.of_route.durations.observe(duration);
        self.of_status.requests.fetch_add(1, Ordering::Relaxed);
        self.of_status.sent_bytes.fetch_add(sent_bytes, Ordering::Relaxed);
    }
}

/// Counters since the start of the server.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    /// Distinguishes these from others.
    identity: Arc<()>,
    /// Both parts of a key are the server's own: routes of its table, and statuses of its answers.
    by_route: RwLock<BTreeMap<&'static str, Arc<RouteCounts>>>,
    connections: AtomicU64,
    connections_total: AtomicU64,
    broken_answers: AtomicU64,
}

#[derive(Debug)]
struct RouteCounts {
    by_status: RwLock<BTreeMap<u16, Arc<StatusCounts>>>,
    durations: Histogram<{ DURATION_BOUNDS.len() }>,
}

#[derive(Debug, Default)]
struct StatusCounts {
    requests: AtomicU64,
    sent_bytes: AtomicU64,
}

impl Default for RouteCounts {
    fn default() -> Self {
        Self { by_status: RwLock::default(), durations: Histogram::new(&DURATION_BOUNDS) }
    }
}

impl Metrics {
    /// Counts an answer that was sent, or broke off.
    pub(crate) fn record(
        &self,
        route: &'static str,
        status: u16,
        duration: Duration,
        sent_bytes: u64,
        is_complete: bool,
    ) {
        if !is_complete {
            self.broken_answers.fetch_add(1, Ordering::Relaxed);
        }
        let is_known = |last: &Last| {
            std::ptr::eq(last.metrics.as_ptr(), &*self.identity)
                && std::ptr::eq(last.route, route)
                && last.status == status
        };
        let counted = LAST.try_with(|last| {
            let mut last = last.borrow_mut();
            match &*last {
                Some(known) if is_known(known) => known.count(duration, sent_bytes),
                _ => last.insert(self.find(route, status)).count(duration, sent_bytes),
            }
        });
        if counted.is_err() {
            // The thread is ending.
            self.find(route, status).count(duration, sent_bytes);
        }
    }

    fn find(&self, route: &'static str, status: u16) -> Last {
        let of_route = find_or_insert(&self.by_route, route);
        let of_status = find_or_insert(&of_route.by_status, status);
        Last { metrics: Arc::downgrade(&self.identity), route, status, of_route, of_status }
    }

    /// Counts a connection while the guard lives.
    pub(crate) fn connection(self: &Arc<Self>) -> ConnectionGuard {
        self.connections.fetch_add(1, Ordering::Relaxed);
        self.connections_total.fetch_add(1, Ordering::Relaxed);
        ConnectionGuard(Arc::clone(self))
    }

    /// Writes all counters.
    pub(crate) fn write(&self, exposition: &mut Exposition) {
        let routes: Vec<_> = entries(&self.by_route)
            .into_iter()
            .map(|(route, counts)| {
                let statuses = entries(&counts.by_status).into_iter();
                let statuses: Vec<_> =
                    statuses.map(|(status, counts)| (status.to_string(), counts)).collect();
                (route, counts, statuses)
            })
            .collect();
        exposition.family(
            "rowhouse_http_requests_total",
            Kind::Counter,
            "Answers by route and status; 499 is a client that went away before its answer.",
        );
        for (route, _, statuses) in &routes {
            for (status, counts) in statuses {
                let labels = [("route", *route), ("status", status)];
                exposition.sample(&labels, counts.requests.load(Ordering::Relaxed));
            }
        }
        exposition.family(
            "rowhouse_http_response_bytes_total",
            Kind::Counter,
            "Bytes of the bodies of answers by route and status.",
        );
        for (route, _, statuses) in &routes {
            for (status, counts) in statuses {
                let labels = [("route", *route), ("status", status)];
                exposition.sample(&labels, counts.sent_bytes.load(Ordering::Relaxed));
            }
        }
        exposition.family(
            "rowhouse_http_request_duration_seconds",
            Kind::Histogram,
            "Time from the head of a request to the end of its answer, by route.",
        );
        for (route, counts, _) in &routes {
            exposition.histogram(&[("route", route)], &counts.durations.snapshot());
        }
        for (name, kind, help, value) in [
            ("rowhouse_http_connections", Kind::Gauge, "Open connections.", &self.connections),
            (
                "rowhouse_http_connections_total",
                Kind::Counter,
                "Connections that were accepted.",
                &self.connections_total,
            ),
            (
                "rowhouse_http_broken_answers_total",
                Kind::Counter,
                "Answers that were not sent to their end.",
                &self.broken_answers,
            ),
        ] {
            exposition.single(name, kind, help, value.load(Ordering::Relaxed));
        }
    }
}

/// The counters of a key, created when it is first seen.
fn find_or_insert<K: Copy + Ord, V: Default>(map: &RwLock<BTreeMap<K, Arc<V>>>, key: K) -> Arc<V> {
    if let Some(counts) = map.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return Arc::clone(counts);
    }
    Arc::clone(map.write().unwrap_or_else(PoisonError::into_inner).entry(key).or_default())
}

fn entries<K: Copy, V>(map: &RwLock<BTreeMap<K, Arc<V>>>) -> Vec<(K, Arc<V>)> {
    let map = map.read().unwrap_or_else(PoisonError::into_inner);
    map.iter().map(|(&key, counts)| (key, Arc::clone(counts))).collect()
}

/// An open connection.
#[derive(Debug)]
pub(crate) struct ConnectionGuard(Arc<Metrics>);

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_by_route_and_status() {
        let metrics = Metrics::default();
        metrics.record("GET /a", 200, Duration::from_millis(2), 10, true);
        metrics.record("GET /a", 200, Duration::from_millis(700), 5, true);
        metrics.record("GET /a", 404, Duration::from_millis(2), 1, false);
        let mut exposition = Exposition::default();
        metrics.write(&mut exposition);
        let text = exposition.into_text();
        for expected in [
            "rowhouse_http_requests_total{route=\"GET /a\",status=\"200\"} 2\n",
            "rowhouse_http_requests_total{route=\"GET /a\",status=\"404\"} 1\n",
            "rowhouse_http_response_bytes_total{route=\"GET /a\",status=\"200\"} 15\n",
            "rowhouse_http_request_duration_seconds_bucket{route=\"GET /a\",le=\"0.0025\"} 2\n",
            "rowhouse_http_request_duration_seconds_bucket{route=\"GET /a\",le=\"1\"} 3\n",
            "rowhouse_http_request_duration_seconds_bucket{route=\"GET /a\",le=\"+Inf\"} 3\n",
            "rowhouse_http_request_duration_seconds_count{route=\"GET /a\"} 3\n",
            "rowhouse_http_broken_answers_total 1\n",
        ] {
            assert!(text.contains(expected), "{expected} in {text}");
        }
    }
}
