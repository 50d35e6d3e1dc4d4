//! The future of a connection.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use hyper_util::server::graceful::GracefulConnection;
use tokio::sync::watch;

use super::Activity;
use super::polled::Polling;

/// The future of a connection. Its requests notice that they end within its polls, and once the server stops it ends after the
/// present one.
pub(crate) struct Served<C> {
    connection: Pin<Box<C>>,
    activity: Arc<Activity>,
    stopping: watch::Receiver<bool>,
    /// Ready when the server stops; none after that.
    stop: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    is_stop_awaited: bool,
}

impl<C: GracefulConnection> Served<C> {
    /// The future of the connection of this activity.
    pub(crate) fn new(activity: Arc<Activity>, connection: C, stopping: watch::Receiver<bool>) -> Self {
        let mut stop = stopping.clone();
        let stop = Box::pin(async move {
            // An error means that the sender is gone, and with it the server.
            let _ = stop.wait_for(|&is_stopping| is_stopping).await;
        });
        Self {
            connection: Box::pin(connection),
            activity,
            stopping,
            stop: Some(stop),
            is_stop_awaited: false,
        }
    }

    fn poll_stop(&mut self, context: &mut Context<'_>) {
        // Once it has been polled, it wakes this task; until then it is not worth another poll.
        let is_due = !self.is_stop_awaited || self.stopping.has_changed().unwrap_or(true);
        if let Some(stop) = self.stop.as_mut().filter(|_| is_due) {
            self.is_stop_awaited = true;
            if stop.as_mut().poll(context).is_ready() {
                self.stop = None;
                self.connection.as_mut().graceful_shutdown();
            }
        }
    }
}

impl<C: GracefulConnection> Future for Served<C> {
    type Output = C::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<C::Output> {
        self.poll_stop(context);
        let _polling = Polling::begin(&*self.activity);
        self.connection.as_mut().poll(context)
    }
}

impl<C> std::fmt::Debug for Served<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Served").field("activity", &self.activity).finish_non_exhaustive()
    }
}
