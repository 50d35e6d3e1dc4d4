//! A change runs to its end even if its client disconnects in the middle. Only then does it need a task of its own: one for
//! each change would cost two switches between tasks, and wake another thread.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::runtime::Handle;

/// A change. If it is dropped before its end, a task of the current runtime completes it.
pub struct RunToEnd<F: Future<Output: Send> + Send + 'static> {
    /// None after the end or a panic.
    change: Option<Pin<Box<F>>>,
}

impl<F: Future<Output: Send> + Send + 'static> RunToEnd<F> {
    /// A change that has not begun.
    pub fn new(change: Pin<Box<F>>) -> Self {
        Self { change: Some(change) }
    }
}

impl<F: Future<Output: Send> + Send + 'static> Future for RunToEnd<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        // Taken out, so that one that panics is not polled again by a task.
        let Some(mut change) = self.change.take() else { return Poll::Pending };
        let polled = change.as_mut().poll(context);
        if polled.is_pending() {
            self.change = Some(change);
        }
        polled
    }
}

impl<F: Future<Output: Send> + Send + 'static> Drop for RunToEnd<F> {
    fn drop(&mut self) {
        // Without a runtime, the server has ended.
        if let (Some(change), Ok(runtime)) = (self.change.take(), Handle::try_current()) {
            runtime.spawn(change);
        }
    }
}

impl<F: Future<Output: Send> + Send + 'static> fmt::Debug for RunToEnd<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RunToEnd").field("has_ended", &self.change.is_none()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use tokio::sync::oneshot;

    use super::*;

    fn poll<F: Future<Output: Send> + Send>(change: &mut RunToEnd<F>) -> Poll<F::Output> {
        Pin::new(change).poll(&mut Context::from_waker(Waker::noop()))
    }

    #[tokio::test]
    async fn a_dropped_change_is_completed() {
        let ((first, begun), (second, going), (done, is_done)) =
            (oneshot::channel(), oneshot::channel(), oneshot::channel());
        let change = async move {
            let two: (u8, u8) = (begun.await.expect("sent"), going.await.expect("sent"));
            done.send(two).expect("received");
        };
        let mut change = RunToEnd::new(Box::pin(change));
        assert!(poll(&mut change).is_pending());
        first.send(1).expect("received");
        assert!(poll(&mut change).is_pending());
        drop(change);
        second.send(2).expect("received");
        assert_eq!(is_done.await, Ok((1, 2)));
    }

    #[tokio::test]
    async fn a_change_that_panics_is_not_run_again() {
        let mut change = RunToEnd::new(Box::pin(async { panic!("as planned") }));
        let polled = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _: Poll<()> = poll(&mut change);
        }));
        assert!(polled.is_err() && change.change.is_none());
    }

    #[tokio::test]
    async fn a_completed_change_is_not_run_again() {
        let mut count = 0;
        assert_eq!(RunToEnd::new(Box::pin(async { 7 })).await, 7);
        let change = async move {
            count += 1;
            count
        };
        let mut change = RunToEnd::new(Box::pin(change));
        assert_eq!((&mut change).await, 1);
        drop(change);
    }
}
