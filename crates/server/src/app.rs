//! The state that all requests share.

use std::sync::Arc;

use rowhouse_engine::{Clock, Engine};
use tokio::sync::watch;

use crate::answer_cache::AnswerCache;
use crate::answer_memory::AnswerMemory;
use crate::audit::AuditLog;
use crate::config::LiveConfig;
use crate::encoders::Encoders;
use crate::head_memory::HeadMemory;
use crate::metrics::Metrics;
use crate::pause_slots::PauseSlots;
use crate::reload::status::ReloadStatus;
use crate::request_ids::RequestIds;
use crate::tls::Tls;
use crate::tool_calls::ToolCalls;
use crate::waiting_segments::WaitingSegments;

/// One server.
#[derive(Debug)]
pub(crate) struct App {
    /// The present configuration.
    pub(crate) config: LiveConfig,
    /// The audit log.
    pub(crate) audit: AuditLog,
    /// Certificate and key, if it speaks TLS.
    pub(crate) tls: Option<Arc<Tls>>,
    /// Outcome of reloads.
    pub(crate) reloads: ReloadStatus,
    /// Everything behind the routes.
    pub(crate) engine: Arc<Engine>,
    /// The clock, for logs and durations.
    pub(crate) clock: Arc<dyn Clock>,
    /// Ids of requests.
    pub(crate) request_ids: RequestIds,
    /// Counters of answers.
    pub(crate) metrics: Arc<Metrics>,
    /// The memory of answers.
    pub(crate) answer_memory: AnswerMemory,
    /// The memory of heads that have not arrived completely, and of those in flight over HTTP/2.
    pub(crate) head_memory: HeadMemory,
    /// Cached answers of endpoints.
    pub(crate) answer_cache: AnswerCache,
    /// Segments of results that wait to be fetched.
    pub(crate) segments: WaitingSegments,
    /// Answers whose clients may pause.
    pub(crate) pause_slots: PauseSlots,
    /// Calls of MCP tools in progress.
    pub(crate) tool_calls: ToolCalls,
    /// Threads for CPU work.
    pub(crate) encoders: Encoders,
    /// True from the beginning of the shutdown: long polls end then.
    pub(crate) stopping: watch::Receiver<bool>,
}

impl App {
    /// Whether the server is shutting down.
    pub(crate) fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Returns when the shutdown begins.
    pub(crate) async fn stopped(&self) {
        let mut stopping = self.stopping.clone();
        // An error means that the sender is gone, and with it the server.
        let _ = stopping.wait_for(|&is_stopping| is_stopping).await;
    }
}
