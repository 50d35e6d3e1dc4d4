//! HTTP/2 answers that stall because their clients do not read them (D60). A client may close the window of a stream,
//! answer every PING and so hold stream, rows and connection forever; hyper has no limit for that, and does not poll
//! the body, so a body cannot have one either. But hyper passes each request to an executor: this one drops a request
//! whose answer has waited too long for its client, which resets only its stream.

use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use bytes::Bytes;
use http_body::{Body, Frame};
use hyper::rt::Executor;
use tokio::time::Instant;

use crate::pause_slots::PauseSlot;
use crate::timer::Timer;

/// Minimum bytes that a client must read within the time limit.
const PIECE_BYTES: usize = 32 << 10;
/// hyper accepts the last piece as soon as there is window for one byte of it, and nothing watches it afterwards: so it
/// is small.
const LAST_PIECE_BYTES: usize = 1 << 10;

tokio::task_local! {
    /// The wait of the request that the task answers.
    static WAIT: Arc<ClientWait>;
}

/// Since when an answer has waited for its client: from the time when hyper receives a head or a piece of a body until
/// it polls for the next piece, which it does when the previous one has been sent.
#[derive(Debug, Default)]
pub(crate) struct ClientWait {
    since: Mutex<Option<Instant>>,
    /// Set if the client may pause (D136).
    pause_slot: OnceLock<PauseSlot>,
}

impl ClientWait {
    /// The wait of the current task's request, if it came over HTTP/2.
    pub(crate) fn current() -> Option<Arc<Self>> {
        WAIT.try_with(Arc::clone).ok()
    }

    /// A head or a piece was passed to hyper.
    pub(crate) fn begin(&self) {
        self.set(Some(Instant::now()));
    }

    /// The client has read everything: it waits for the server.
    pub(crate) fn end(&self) {
        self.set(None);
    }

    fn set(&self, since: Option<Instant>) {
        *self.since.lock().unwrap_or_else(PoisonError::into_inner) = since;
    }

    fn since(&self) -> Option<Instant> {
        *self.since.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the answer wait longer, as long as it has its slot.
    pub(crate) fn allow_pause(&self, pause_slot: PauseSlot) {
        // OK to ignore: an answer has one slot.
        let _ = self.pause_slot.set(pause_slot);
    }

    /// When the answer has waited too long, if it waits.
    fn deadline(&self, limit: Duration) -> Option<Instant> {
        let limit = self.pause_slot.get().map_or(limit, |pause_slot| limit.max(pause_slot.pause()));
        self.since().map(|since| since + limit)
    }
}

/// Runs the requests of a connection.
#[derive(Clone, Debug)]
pub(crate) struct RequestExecutor {
    /// Maximum time that an answer may wait for its client.
    pub(crate) limit: Duration,
}

impl<F> Executor<F> for RequestExecutor
where
    F: Future<Output = ()> + Send + 'static,
{
    fn execute(&self, request: F) {
        let limit = self.limit;
        tokio::spawn(async move {
            let wait = Arc::new(ClientWait::default());
            let mut request = pin!(WAIT.scope(Arc::clone(&wait), request));
            let mut timer = Timer::default();
            std::future::poll_fn(|context| {
                if request.as_mut().poll(context).is_ready() {
                    return Poll::Ready(());
                }
                // Whatever changes it polls the request, and therefore this future.
                let Some(deadline) = wait.deadline(limit) else { return Poll::Pending };
                ready!(timer.poll(deadline, context));
                tracing::debug!("a client does not take its answer");
                Poll::Ready(())
            })
            .await;
        });
    }
}

/// A body in pieces, which shows whether the client reads them.
#[derive(Debug)]
pub(crate) struct Pieces {
    wait: Arc<ClientWait>,
    /// The rest of the last chunk.
    rest: Bytes,
}

impl Pieces {
    /// For the body of an answer whose head is sent now; `None` in HTTP/1.1.
    pub(crate) fn begin() -> Option<Self> {
        let wait = ClientWait::current()?;
        wait.begin();
        Some(Self { wait, rest: Bytes::new() })
    }

    /// Whether everything from the body was passed on.
    pub(crate) fn are_sent(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next piece.
    pub(crate) fn poll_frame<B>(
        &mut self,
        body: &mut B,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, B::Error>>>
    where
        B: Body<Data = Bytes> + Unpin,
    {
        if self.rest.is_empty() {
            match Pin::new(body).poll_frame(context) {
                Poll::Ready(Some(Ok(frame))) => match frame.into_data() {
                    Ok(chunk) => self.rest = chunk,
                    Err(other) => return Poll::Ready(Some(Ok(other))),
                },
                Poll::Pending => {
                    self.wait.end();
                    return Poll::Pending;
                }
                ended => return ended,
            }
        }
        self.wait.begin();
        let length = match self.rest.len() {
            length @ ..=LAST_PIECE_BYTES => length,
            length => PIECE_BYTES.min(length - LAST_PIECE_BYTES),
        };
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(length)))))
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::Full;

    use super::*;
    use crate::pause_slots::PauseSlots;

    const LIMIT: Duration = Duration::from_millis(200);

    /// Runs a request; returns the event that it sends, or nothing if it was dropped.
    async fn outcome<F>(request: impl FnOnce() -> F + Send + 'static) -> Option<&'static str>
    where
        F: Future<Output = &'static str> + Send + 'static,
    {
        let (sender, receiver) = tokio::sync::oneshot::channel();
        RequestExecutor { limit: LIMIT }.execute(async move {
            let _ = sender.send(request().await);
        });
        receiver.await.ok()
    }

    fn current() -> Arc<ClientWait> {
        ClientWait::current().expect("a request")
    }

    #[tokio::test]
    async fn an_unread_answer_is_dropped() {
        let never_taken = || async {
            current().begin();
            std::future::pending().await
        };
        assert_eq!(outcome(never_taken).await, None);
    }

    #[tokio::test]
    async fn an_answer_with_a_pause_slot_waits_longer() {
        let clients = PauseSlots::with_pause(Duration::from_secs(3600));
        let taken_late = || async move {
            current().allow_pause(clients.acquire("ann").expect("a place"));
            current().begin();
            tokio::time::sleep(3 * LIMIT).await;
            "an answer"
        };
        assert_eq!(outcome(taken_late).await, Some("an answer"));
    }

    #[tokio::test]
    async fn server_time_does_not_count() {
        let slow = || async {
            tokio::time::sleep(2 * LIMIT).await;
            current().begin();
            current().end();
            tokio::time::sleep(2 * LIMIT).await;
            "an answer"
        };
        assert_eq!(outcome(slow).await, Some("an answer"));
    }

    #[tokio::test]
    async fn each_piece_that_is_read_restarts_the_time_limit() {
        let in_pieces = || async {
            for _ in 0..8 {
                current().begin();
                tokio::time::sleep(LIMIT / 4).await;
            }
            "all of it"
        };
        assert_eq!(outcome(in_pieces).await, Some("all of it"));
    }

    #[tokio::test]
    async fn a_body_is_sent_completely_in_pieces() {
        for length in
            [0, 1, LAST_PIECE_BYTES, LAST_PIECE_BYTES + 1, PIECE_BYTES, 3 * PIECE_BYTES + 5, 300_000]
        {
            let bytes: Bytes = (0..length).map(|place| (place % 251) as u8).collect();
            let mut body = Full::new(bytes.clone());
            let mut pieces = Pieces { wait: Arc::default(), rest: Bytes::new() };
            let mut taken = Vec::new();
            let mut last = 0;
            while let Some(frame) =
                std::future::poll_fn(|context| pieces.poll_frame(&mut body, context)).await
            {
                let piece = frame.expect("a frame").into_data().expect("data");
                assert!((1..=PIECE_BYTES).contains(&piece.len()), "{} of {length}", piece.len());
                assert!(pieces.wait.since().is_some());
                last = piece.len();
                taken.extend_from_slice(&piece);
            }
            assert!(pieces.are_sent() && last <= LAST_PIECE_BYTES, "{last} of {length}");
            assert!(taken == bytes, "{length}");
        }
    }

    #[tokio::test]
    async fn http_1_requests_have_no_client_wait() {
        assert!(ClientWait::current().is_none());
    }
}
