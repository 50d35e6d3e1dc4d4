//! Whether a request's client still waits for its answer: the exchange holds the guard, and work that a client may
//! abandon holds the watch. Each request has one: a `tokio::sync::watch` channel would do the same with nine lists of
//! waiters instead of one.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Dropped when the client has disconnected, or has its answer.
#[derive(Debug)]
pub(crate) struct ClientGuard(Arc<State>);

/// Notices when the guard is dropped.
#[derive(Clone, Debug)]
pub(crate) struct ClientWatch(Option<Arc<State>>);

#[derive(Debug, Default)]
struct State {
    is_gone: AtomicBool,
    left: Notify,
}

/// A guard and its watch.
pub(crate) fn client_watch() -> (ClientGuard, ClientWatch) {
    let state = Arc::new(State::default());
    (ClientGuard(Arc::clone(&state)), ClientWatch(Some(state)))
}

impl ClientWatch {
    /// For work that is dropped together with the request when the client disconnects.
    pub(crate) const NONE: Self = Self(None);

    /// Returns when the guard is dropped, at once if it has been.
    pub(crate) async fn left(&self) {
        let Some(state) = &self.0 else { return std::future::pending().await };
        let mut left = pin!(state.left.notified());
        // Enlisted before the check, so that no drop in between is missed.
        left.as_mut().enable();
        if !state.is_gone.load(Ordering::Acquire) {
            left.await;
        }
    }
}

impl Drop for ClientGuard {
    fn drop(&mut self) {
        self.0.is_gone.store(true, Ordering::Release);
        self.0.left.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn all_watches_notice_a_dropped_guard() {
        let (guard, watch) = client_watch();
        let other = watch.clone();
        let waiting = tokio::spawn(async move { other.left().await });
        tokio::task::yield_now().await;
        assert!(watch.left().now_or_never().is_none());
        drop(guard);
        waiting.await.expect("no panic");
        assert!(watch.left().now_or_never().is_some());
        assert!(watch.clone().left().now_or_never().is_some());
    }
}
