//! Calls whose clients want to know how they go on: one that takes longer than a moment is answered with server-sent events,
//! a notification each second and the answer at last. All others have one JSON body, as everything else.

use std::time::Duration;

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Response};
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rowhouse_engine::Access;
use serde::Serialize;
use tokio::sync::{Mutex, mpsc, watch};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};
use tracing::Instrument as _;

use super::handler::answered;
use super::message::{Message, Request};
use super::negotiation::Lifecycle;
use super::scope::Scope;
use crate::accept::qualities;
use crate::call::Call;
use crate::encoders::Share;
use crate::error::{Error, Result};
use crate::event_stream::{Event, EventStream};
use crate::response::{Answer, AnswerBody};
use crate::tool_calls::CallName;

/// How long a call may take before its client hears of it, and how long between what it hears.
const PERIOD: Duration = Duration::from_secs(1);
/// Longest name of a call, as JSON; with a longer one it is answered as if it had none.
const MAX_TOKEN_BYTES: usize = 256;
/// Events that wait for the client.
const WAITING: usize = 2;
const EVENTS: HeaderValue = HeaderValue::from_static("text/event-stream");
/// Proxies are not to wait until there is more.
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// To whom and under which name it is told how a call goes on.
#[derive(Debug)]
pub(super) struct Progress {
    token: ProgressToken,
    events: mpsc::Sender<Event>,
    begun: Instant,
    period: Mutex<Interval>,
}

impl Progress {
    fn new(token: ProgressToken, events: mpsc::Sender<Event>) -> Self {
        let begun = Instant::now();
        let mut period = interval_at(begun + PERIOD, PERIOD);
        period.set_missed_tick_behavior(MissedTickBehavior::Delay);
        Self { token, events, begun, period: Mutex::new(period) }
    }

    /// Returns when something is to be told.
    pub(super) async fn due(&self) {
        self.period.lock().await.tick().await;
    }

    /// Tells it, unless the client has not read what it was told before. What is counted are seconds: nobody knows how many it
    /// will be.
    pub(super) fn tell(&self, what: &str) {
        let seconds = self.begun.elapsed().as_secs_f64();
        let told = ProgressNotificationParam::new(self.token.clone(), (seconds * 1000.0).round() / 1000.0)
            .with_message(what.to_owned());
        // The last place is the answer's.
        if self.events.capacity() > 1
            && let Ok(message) = notification(&told)
        {
            // OK to ignore: nobody listens any more, which the call sees by itself.
            let _ = self.events.try_send(Event::Message(message));
        }
    }
}

#[derive(Serialize)]
struct Notification<'a> {
    jsonrpc: &'a str,
    method: &'a str,
    params: &'a ProgressNotificationParam,
}

fn notification(params: &ProgressNotificationParam) -> serde_json::Result<Bytes> {
    let notification = Notification { jsonrpc: "2.0", method: "notifications/progress", params };
    serde_json::to_vec(&notification).map(Bytes::from)
}

/// The name under which the client wants to be told how a call goes on, where it reads events.
pub(super) fn wanted(headers: &HeaderMap, request: &Request<'_>) -> Option<ProgressToken> {
    // `*/*` is what clients say that have never heard of events.
    let reads_events =
        qualities(headers, &ACCEPT).iter().any(|(name, quality)| name == "text/event-stream" && *quality > 0);
    if request.method != "tools/call" || !reads_events {
        return None;
    }
    let token = request.params.meta().ok()?.get_progress_token()?;
    // It is said again each second.
    let is_short = serde_json::to_vec(&token).is_ok_and(|json| json.len() <= MAX_TOKEN_BYTES);
    is_short.then_some(token)
}

/// Answers a call, with events if it takes longer than a moment.
pub(super) async fn answer(
    call: &mut Call,
    access: Access,
    lifecycle: Lifecycle,
    name: CallName,
    body: Bytes,
    token: ProgressToken,
) -> Result<Answer> {
    let (client, waits) = watch::channel(());
    let mut waiting = call.client.clone();
    let (sender, mut events) = mpsc::channel(WAITING);
    let progress = Progress::new(token, sender.clone());
    let config = call.app.config.get().mcp;
    let portion = call.app.answer_memory.portion(&Share::of(&call.account));
    let call = call.for_task(waits);
    let work = async move {
        let scope = Scope { call: &call, access, config, lifecycle, progress: Some(progress) };
        let answer = match Message::read(&body) {
            Ok(Message::Request(request)) => answered(&scope, &request, name).await,
            _ => Err(Error::Internal("a request was read twice and is none any more".to_owned())),
        };
        // OK to ignore: the client has gone.
        let _ = sender.send(Event::Answer(answer)).await;
    };
    tokio::spawn(work.in_current_span());
    let first = tokio::select! {
        first = events.recv() => first,
        // With this future ends `client`, and by that the call.
        _ = waiting.changed() => return Err(Error::invalid("the client has gone")),
    };
    match first {
        Some(Event::Answer(answer)) => answer,
        Some(Event::Message(first)) => {
            let events = EventStream::new(first, events, portion, client);
            let mut answer = Response::new(AnswerBody::Events(events));
            answer.headers_mut().insert(CONTENT_TYPE, EVENTS);
            answer.headers_mut().insert(X_ACCEL_BUFFERING, HeaderValue::from_static("no"));
            Ok(answer)
        }
        None => Err(Error::Internal("the task of a call ended without an answer".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_wants_to_be_told() {
        let check = |accept: &str, method: &str, meta: &str, expected: bool| {
            let body = format!(
                r#"{{"jsonrpc":"2.0","id":1,"method":"{method}","params":{{"name":"a","_meta":{meta}}}}}"#
            );
            let Ok(Message::Request(request)) = Message::read(body.as_bytes()) else { panic!("{body}") };
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT, HeaderValue::from_str(accept).expect("a header"));
            assert_eq!(wanted(&headers, &request).is_some(), expected, "{accept} {body}");
        };
        let both = "application/json, text/event-stream";
        check(both, "tools/call", r#"{"progressToken":1}"#, true);
        check(both, "tools/call", r#"{"progressToken":"a"}"#, true);
        check(both, "tools/call", "{}", false);
        check(both, "tools/list", r#"{"progressToken":1}"#, false);
        check("*/*", "tools/call", r#"{"progressToken":1}"#, false);
        check("application/json, text/event-stream;q=0", "tools/call", r#"{"progressToken":1}"#, false);
        check(both, "tools/call", &format!(r#"{{"progressToken":"{}"}}"#, "a".repeat(300)), false);
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_keeps_a_place_for_the_answer() {
        let (sender, mut events) = mpsc::channel(WAITING);
        let token = serde_json::from_str("7").expect("a token");
        let progress = Progress::new(token, sender.clone());
        for _ in 0..5 {
            progress.tell("RUNNING");
        }
        assert!(sender.try_send(Event::Answer(Err(Error::ShuttingDown))).is_ok());
        let Some(Event::Message(message)) = events.recv().await else { panic!("no message") };
        let message: serde_json::Value = serde_json::from_slice(&message).expect("JSON");
        let params = &message["params"];
        assert_eq!(
            (&message["method"], &params["progressToken"], &params["message"]),
            (&"notifications/progress".into(), &7.into(), &"RUNNING".into())
        );
        assert!(matches!(events.recv().await, Some(Event::Answer(_))));
    }
}
