//! What `/metrics` tells of the HTTP side, in Prometheus' text format.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds of the duration histogram, in seconds.
const BUCKETS: [f64; 11] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0, 5.0, 60.0];

/// Counters since the start of the server.
#[derive(Debug, Default)]
pub(crate) struct Metrics {
    by_route: Mutex<BTreeMap<(&'static str, u16), RouteCounts>>,
    connections: AtomicU64,
    connections_total: AtomicU64,
    broken_answers: AtomicU64,
}

#[derive(Clone, Copy, Debug, Default)]
struct RouteCounts {
    requests: u64,
    sent_bytes: u64,
    seconds: f64,
    buckets: [u64; BUCKETS.len()],
}

impl Metrics {
    /// Counts an answer that has been sent, or has broken off.
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
        let seconds = duration.as_secs_f64();
        let mut by_route = self.by_route.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = by_route.entry((route, status)).or_default();
        counts.requests += 1;
        counts.sent_bytes += sent_bytes;
        counts.seconds += seconds;
        for (count, bound) in counts.buckets.iter_mut().zip(BUCKETS) {
            *count += u64::from(seconds <= bound);
        }
    }

    /// Counts a connection for as long as the guard lives.
    pub(crate) fn connection(self: &std::sync::Arc<Self>) -> ConnectionGuard {
        self.connections.fetch_add(1, Ordering::Relaxed);
        self.connections_total.fetch_add(1, Ordering::Relaxed);
        ConnectionGuard(std::sync::Arc::clone(self))
    }

    /// The text of all counters.
    pub(crate) fn text(&self) -> String {
        let by_route = self.by_route.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut text = String::new();
        family(&mut text, "rowhouse_http_requests_total", "counter", "Answers by route and status.");
        for ((route, status), counts) in &by_route {
            line(&mut text, "rowhouse_http_requests_total", &labels(route, *status), counts.requests);
        }
        family(
            &mut text,
            "rowhouse_http_response_bytes_total",
            "counter",
            "Bytes of bodies by route and status.",
        );
        for ((route, status), counts) in &by_route {
            line(&mut text, "rowhouse_http_response_bytes_total", &labels(route, *status), counts.sent_bytes);
        }
        let durations = "rowhouse_http_request_duration_seconds";
        family(&mut text, durations, "histogram", "Time from a request's head to the end of its answer.");
        for ((route, status), counts) in &by_route {
            let labels = labels(route, *status);
            for (count, bound) in counts.buckets.iter().zip(BUCKETS) {
                line(&mut text, &format!("{durations}_bucket"), &format!("{labels},le=\"{bound}\""), *count);
            }
            line(
                &mut text,
                &format!("{durations}_bucket"),
                &format!("{labels},le=\"+Inf\""),
                counts.requests,
            );
            line(&mut text, &format!("{durations}_sum"), &labels, counts.seconds);
            line(&mut text, &format!("{durations}_count"), &labels, counts.requests);
        }
        for (name, kind, help, value) in [
            ("rowhouse_http_connections", "gauge", "Open connections.", &self.connections),
            ("rowhouse_http_connections_total", "counter", "Connections accepted.", &self.connections_total),
            (
                "rowhouse_http_broken_answers_total",
                "counter",
                "Answers that were not sent to their end.",
                &self.broken_answers,
            ),
        ] {
            single(&mut text, name, kind, help, value.load(Ordering::Relaxed));
        }
        text
    }
}

/// A counter or gauge without labels.
pub(crate) fn single(text: &mut String, name: &str, kind: &str, help: &str, value: u64) {
    family(text, name, kind, help);
    line(text, name, "", value);
}

/// The two lines that introduce a metric.
pub(crate) fn family(text: &mut String, name: &str, kind: &str, help: &str) {
    // OK because writing to a String cannot fail.
    let _ = writeln!(text, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

/// One sample.
pub(crate) fn line(text: &mut String, name: &str, labels: &str, value: impl std::fmt::Display) {
    let _ = if labels.is_empty() {
        writeln!(text, "{name} {value}")
    } else {
        writeln!(text, "{name}{{{labels}}} {value}")
    };
}

fn labels(route: &str, status: u16) -> String {
    format!("route=\"{route}\",status=\"{status}\"")
}

/// An open connection.
#[derive(Debug)]
pub(crate) struct ConnectionGuard(std::sync::Arc<Metrics>);

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
        let text = metrics.text();
        for expected in [
            "rowhouse_http_requests_total{route=\"GET /a\",status=\"200\"} 2\n",
            "rowhouse_http_response_bytes_total{route=\"GET /a\",status=\"200\"} 15\n",
            "rowhouse_http_request_duration_seconds_bucket{route=\"GET /a\",status=\"200\",le=\"0.0025\"} 1\n",
            "rowhouse_http_request_duration_seconds_bucket{route=\"GET /a\",status=\"200\",le=\"1\"} 2\n",
            "rowhouse_http_request_duration_seconds_bucket{route=\"GET /a\",status=\"200\",le=\"+Inf\"} 2\n",
            "rowhouse_http_broken_answers_total 1\n",
        ] {
            assert!(text.contains(expected), "{expected} in {text}");
        }
    }
}
