//! What every request shares.

use std::sync::Arc;

use rowhouse_engine::{Clock, Engine};
use tokio::sync::watch;

use crate::answer_memory::AnswerMemory;
use crate::audit::AuditLog;
use crate::config::LiveConfig;
use crate::encoders::Encoders;
use crate::kept_answers::KeptAnswers;
use crate::metrics::Metrics;
use crate::reload::status::ReloadStatus;
use crate::request_ids::RequestIds;
use crate::tls::Tls;
use crate::waiting_segments::WaitingSegments;

/// One server.
#[derive(Debug)]
pub(crate) struct App {
    /// What it runs with, as it stands at the moment.
    pub(crate) config: LiveConfig,
    /// Who ran, read and changed what.
    pub(crate) audit: AuditLog,
    /// Certificate and key, where it speaks TLS.
    pub(crate) tls: Option<Arc<Tls>>,
    /// How reloads of it went.
    pub(crate) reloads: ReloadStatus,
    /// Everything behind the routes.
    pub(crate) engine: Arc<Engine>,
    /// Time, for logs and durations.
    pub(crate) clock: Arc<dyn Clock>,
    /// Ids of requests.
    pub(crate) request_ids: RequestIds,
    /// What has been answered.
    pub(crate) metrics: Arc<Metrics>,
    /// What answers may hold.
    pub(crate) answer_memory: AnswerMemory,
    /// Answers of endpoints that are asked for again and again.
    pub(crate) kept_answers: KeptAnswers,
    /// Segments of results that wait to be fetched.
    pub(crate) segments: WaitingSegments,
    /// Turns of CPU work.
    pub(crate) encoders: Encoders,
    /// True from the moment the server goes down: long polls end then.
    pub(crate) stopping: watch::Receiver<bool>,
}

impl App {
    /// Whether the server goes down.
    pub(crate) fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Returns when the server begins to go down.
    pub(crate) async fn stopped(&self) {
        let mut stopping = self.stopping.clone();
        // An error means that the sender is gone, and with it the server.
        let _ = stopping.wait_for(|&is_stopping| is_stopping).await;
    }
}
