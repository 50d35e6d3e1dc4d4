//! The scope of one message: caller, workspace, and version of the protocol.

use rowhouse_engine::Access;

use super::negotiation::Lifecycle;
use super::progress::Progress;
use crate::call::Call;
use crate::config::McpConfig;

/// The scope that the methods of one message share.
#[derive(Debug)]
pub(super) struct Scope<'c> {
    pub(super) call: &'c Call,
    pub(super) access: Access,
    pub(super) config: McpConfig,
    pub(super) lifecycle: Lifecycle,
    /// The receiver of progress notifications.
    pub(super) progress: Option<Progress>,
}

impl Scope<'_> {
    /// Returns when the next progress notification is due.
    pub(super) async fn due(&self) -> &Progress {
        match &self.progress {
            Some(progress) => {
                progress.due().await;
                progress
            }
            None => std::future::pending().await,
        }
    }

    /// Whether answers have what 2026-07-28 has added.
    pub(super) fn is_per_request(&self) -> bool {
        self.lifecycle == Lifecycle::PerRequest
    }
}
