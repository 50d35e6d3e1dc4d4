//! Tracing of statements: a span from submission to end, child of the request's span, with a child for each phase of
//! the run. Without a subscriber they do nothing.

use std::sync::{Arc, Mutex, PoisonError};

use rowhouse_model::{Query, QueryId};
use tracing::Span;

/// Target of all trace spans; the log ignores it.
pub const TRACE_TARGET: &str = "rowhouse::trace";

/// One statement's spans.
#[derive(Clone, Debug)]
pub(super) struct Trace {
    statement: Span,
    phase: Arc<Mutex<Span>>,
}

impl Trace {
    /// Begins with the submission, as a child of the current span.
    pub(super) fn begin(workspace: &str) -> Self {
        let statement = tracing::trace_span!(
            target: TRACE_TARGET,
            "statement",
            otel.status_code = tracing::field::Empty,
            "error.type" = tracing::field::Empty,
            rowhouse.workspace = workspace,
            rowhouse.query_id = tracing::field::Empty,
            rowhouse.row_count = tracing::field::Empty,
            rowhouse.from_cache = tracing::field::Empty,
        );
        Self { statement, phase: Arc::new(Mutex::new(Span::none())) }
    }

    /// Its record has an id.
    pub(super) fn is(&self, id: &QueryId) {
        self.statement.record("rowhouse.query_id", id.as_str());
    }

    /// It waits for its turn.
    pub(super) fn queued(&self) {
        self.enter(tracing::trace_span!(target: TRACE_TARGET, parent: &self.statement, "queued"));
    }

    /// Names and types are being resolved.
    pub(super) fn planning(&self) {
        self.enter(tracing::trace_span!(target: TRACE_TARGET, parent: &self.statement, "planning"));
    }

    /// Rows are being computed.
    pub(super) fn running(&self) {
        self.enter(tracing::trace_span!(target: TRACE_TARGET, parent: &self.statement, "running"));
    }

    /// Its end is decided.
    pub(super) fn ended(&self, query: &Query) {
        self.enter(Span::none());
        if let Some(error) = &query.error {
            self.statement.record("otel.status_code", "ERROR");
            self.statement.record("error.type", error.error_name.as_str());
        }
        if let Some(row_count) = query.row_count {
            self.statement.record("rowhouse.row_count", row_count);
        }
        self.statement.record("rowhouse.from_cache", query.from_cache.unwrap_or(false));
    }

    /// Ends the previous phase.
    fn enter(&self, phase: Span) {
        *self.phase.lock().unwrap_or_else(PoisonError::into_inner) = phase;
    }
}
