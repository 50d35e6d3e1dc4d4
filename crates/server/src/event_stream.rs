//! A response of server-sent events: progress messages until the answer exists, and then the answer. The channel bounds its
//! memory: for a client that does not read, only the oldest message waits, later ones are dropped, and the answer follows it.
//! The sender notices a client that has disconnected.

use std::task::{Context, Poll};

use bytes::Bytes;
use tokio::sync::mpsc;

use crate::answer_memory::Portion;
use crate::client_watch::ClientGuard;
use crate::error::{Error, Result};

/// An event of work in progress.
#[derive(Debug)]
pub(crate) enum Event {
    /// A progress message.
    Message(Bytes),
    /// The answer; the stream ends.
    Answer(Result<Bytes>),
    /// The end without an answer, which the client does not want.
    End,
}

/// The events of one answer.
#[derive(Debug)]
pub(crate) struct EventStream {
    /// The message that was sent before the stream existed.
    first: Option<Bytes>,
    /// `None` after the answer.
    events: Option<mpsc::Receiver<Event>>,
    /// The budget in which the answer is counted.
    portion: Portion,
    /// Its drop tells the work that no client waits any more.
    _client: ClientGuard,
}

impl EventStream {
    pub(crate) fn new(
        first: Bytes,
        events: mpsc::Receiver<Event>,
        portion: Portion,
        client: ClientGuard,
    ) -> Self {
        Self { first: Some(first), events: Some(events), portion, _client: client }
    }

    /// The next event, as it is sent.
    pub(crate) fn poll_event(&mut self, context: &mut Context<'_>) -> Poll<Option<Result<Bytes>>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(event(&first))));
        }
        let Some(events) = &mut self.events else { return Poll::Ready(None) };
        let next = std::task::ready!(events.poll_recv(context));
        let message = match next {
            Some(Event::Message(message)) => return Poll::Ready(Some(Ok(event(&message)))),
            Some(Event::Answer(answer)) => answer.map(|message| {
                let message = event(&message);
                self.portion.reserve_at_any_rate(message.len()).cover(message)
            }),
            Some(Event::End) => {
                self.events = None;
                return Poll::Ready(None);
            }
            None => Err(Error::Internal("the work for an answer of events ended without one".to_owned())),
        };
        self.events = None;
        if let Err(error) = &message {
            tracing::error!(error = error as &dyn std::error::Error, "an answer broke off");
        }
        Poll::Ready(Some(message))
    }

    /// Whether the stream has returned its last event.
    pub(crate) const fn is_end(&self) -> bool {
        self.first.is_none() && self.events.is_none()
    }
}

/// Frames a message as one event. Serialized JSON contains no unescaped line break, so one data line is enough.
fn event(message: &[u8]) -> Bytes {
    let mut event = Vec::with_capacity(message.len() + 32);
    event.extend_from_slice(b"event: message\ndata: ");
    event.extend_from_slice(message);
    event.extend_from_slice(b"\n\n");
    event.into()
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use super::*;
    use crate::answer_memory::AnswerMemory;
    use crate::client_watch::client_watch;
    use crate::encoders::Share;

    #[tokio::test]
    async fn messages_come_before_the_answer_and_nothing_after_it() {
        let (client, _) = client_watch();
        let (sender, receiver) = mpsc::channel(2);
        let portion = AnswerMemory::new(1 << 20).portion(&Share::Nobody);
        let mut stream = EventStream::new(Bytes::from_static(b"1"), receiver, portion, client);
        for event in [Event::Message(Bytes::from_static(b"2")), Event::Answer(Ok(Bytes::from_static(b"3")))] {
            sender.send(event).await.expect("room");
        }
        for expected in ["1", "2", "3"] {
            assert!(!stream.is_end());
            let found =
                poll_fn(|context| stream.poll_event(context)).await.expect("an event").expect("a message");
            assert_eq!(found, format!("event: message\ndata: {expected}\n\n"));
        }
        assert!(stream.is_end());
        assert!(poll_fn(|context| stream.poll_event(context)).await.is_none());
    }

    #[tokio::test]
    async fn an_abandoned_answer_ends_the_stream() {
        let (client, _waits) = client_watch();
        let (sender, receiver) = mpsc::channel(1);
        let portion = AnswerMemory::new(1 << 20).portion(&Share::Nobody);
        let mut stream = EventStream::new(Bytes::from_static(b"1"), receiver, portion, client);
        sender.send(Event::End).await.expect("room");
        assert!(poll_fn(|context| stream.poll_event(context)).await.is_some_and(|event| event.is_ok()));
        assert!(poll_fn(|context| stream.poll_event(context)).await.is_none() && stream.is_end());
    }

    #[tokio::test]
    async fn work_that_ends_without_an_answer_breaks_the_stream() {
        let (client, waits) = client_watch();
        let (sender, receiver) = mpsc::channel::<Event>(1);
        let portion = AnswerMemory::new(1 << 20).portion(&Share::Nobody);
        let mut stream = EventStream::new(Bytes::from_static(b"1"), receiver, portion, client);
        drop(sender);
        assert!(poll_fn(|context| stream.poll_event(context)).await.is_some_and(|event| event.is_ok()));
        assert!(poll_fn(|context| stream.poll_event(context)).await.is_some_and(|event| event.is_err()));
        drop(stream);
        waits.left().await;
    }
}
