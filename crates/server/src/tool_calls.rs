//! Calls of MCP tools in progress, by the names with which their clients may cancel them. Nothing of a call is stored
//! after its end: the server has no sessions, and a client's session id is only a part of the name (D126).

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rowhouse_model::TokenId;
use tokio::sync::Notify;

/// The name of a call: a client's request id is unique within its session.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CallName {
    /// The token of the request: a client can cancel only its own calls.
    pub(crate) token: TokenId,
    /// The session id that the client sends.
    pub(crate) session: String,
    /// The id of the request, as JSON.
    pub(crate) request: String,
}

/// All calls.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolCalls(Arc<Mutex<HashMap<CallName, Arc<Cancellation>>>>);

/// Whether a client has canceled a call.
#[derive(Debug, Default)]
struct Cancellation {
    is_requested: AtomicBool,
    requested: Notify,
}

/// A call in progress, until it is dropped.
#[derive(Debug)]
pub(crate) struct ToolCall {
    calls: ToolCalls,
    name: CallName,
    canceled: Arc<Cancellation>,
}

impl ToolCalls {
    /// Registers a call. If a client uses a name twice, it refers to the last call.
    pub(crate) fn begin(&self, name: CallName) -> ToolCall {
        let canceled = Arc::new(Cancellation::default());
        self.lock().insert(name.clone(), Arc::clone(&canceled));
        ToolCall { calls: self.clone(), name, canceled }
    }

    /// Cancels a call; no effect if there is none of the name.
    pub(crate) fn cancel(&self, name: &CallName) {
        if let Some(canceled) = self.lock().get(name) {
            canceled.is_requested.store(true, Ordering::Relaxed);
            canceled.requested.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<CallName, Arc<Cancellation>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ToolCall {
    /// Returns when it is canceled.
    pub(crate) async fn canceled(&self) {
        self.canceled.requested.notified().await;
    }

    /// Whether its client has canceled it.
    pub(crate) fn is_canceled(&self) -> bool {
        self.canceled.is_requested.load(Ordering::Relaxed)
    }
}

impl Drop for ToolCall {
    fn drop(&mut self) {
        let mut calls = self.calls.lock();
        if calls.get(&self.name).is_some_and(|held| Arc::ptr_eq(held, &self.canceled)) {
            calls.remove(&self.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn name(token: &str, session: &str, request: &str) -> CallName {
        CallName { token: TokenId::new(token), session: session.to_owned(), request: request.to_owned() }
    }

    #[tokio::test]
    async fn a_call_is_canceled_only_by_its_whole_name() {
        let calls = ToolCalls::default();
        let call = calls.begin(name("t", "s", "1"));
        let is_canceled = async |call: &ToolCall| {
            tokio::time::timeout(Duration::from_millis(10), call.canceled()).await.is_ok()
        };
        for other in [name("u", "s", "1"), name("t", "r", "1"), name("t", "s", "\"1\"")] {
            calls.cancel(&other);
            assert!(!is_canceled(&call).await && !call.is_canceled(), "{other:?}");
        }
        calls.cancel(&name("t", "s", "1"));
        assert!(is_canceled(&call).await && call.is_canceled());
        // The last one of a name owns it, and releases it.
        let later = calls.begin(name("t", "s", "1"));
        drop(call);
        calls.cancel(&name("t", "s", "1"));
        assert!(is_canceled(&later).await);
        drop(later);
        assert!(calls.lock().is_empty());
    }
}
