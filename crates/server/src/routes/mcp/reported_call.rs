//! Calls whose clients request progress (D133): a call that takes longer than a second is answered with server-sent events,
//! one notification per second and then the answer. All other calls are answered with one JSON body.

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Response};
use rmcp::model::ProgressToken;
use rowhouse_engine::Access;
use tokio::sync::mpsc;
use tracing::Instrument as _;

use super::message::{self, Message, Request};
use super::negotiation::Lifecycle;
use super::progress::Progress;
use super::scope::Scope;
use super::tools;
use crate::accept::qualities;
use crate::call::Call;
use crate::client_watch::client_watch;
use crate::encoders::Share;
use crate::error::{Error, Result};
use crate::event_stream::{Event, EventStream};
use crate::response::{Answer, AnswerBody, JSON, accepted, whole};
use crate::tool_calls::CallName;

/// Maximum length of a progress token, as JSON; a call with a longer one is answered as if it had none.
const MAX_TOKEN_BYTES: usize = 256;
/// Maximum number of queued events.
const WAITING: usize = 2;
const EVENTS: HeaderValue = HeaderValue::from_static("text/event-stream");
/// Tells proxies not to buffer the response.
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");

/// The client's progress token, if it accepts events.
pub(super) fn wanted(headers: &HeaderMap, request: &Request<'_>) -> Option<ProgressToken> {
    // Clients that do not know events send `*/*`.
    let reads_events =
        qualities(headers, &ACCEPT).iter().any(|(name, quality)| name == "text/event-stream" && *quality > 0);
    if request.method != "tools/call" || !reads_events {
        return None;
    }
    let token = request.params.meta().ok()?.get_progress_token()?;
    // Each notification repeats it.
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
    let (client, waits) = client_watch();
    let waiting = call.client.clone();
    let (sender, mut events) = mpsc::channel(WAITING);
    let progress = Progress::new(token, sender.clone());
    let config = call.app.config.get().mcp;
    let portion = call.app.answer_memory.portion(&Share::of(&call.note));
    let call = call.for_task(waits);
    let work = async move {
        let scope = Scope { call: &call, access, config, lifecycle, progress: Some(progress) };
        let event = match called(&scope, &body, name).await {
            Ok(None) => Event::End,
            Ok(Some(answer)) => Event::Answer(Ok(answer)),
            Err(error) => Event::Answer(Err(error)),
        };
        // OK to ignore: the client has gone.
        let _ = sender.send(event).await;
    };
    tokio::spawn(work.in_current_span());
    let first = tokio::select! {
        first = events.recv() => first,
        // `client` is dropped with this future, which ends the call.
        () = waiting.left() => return Err(Error::invalid("the client has gone")),
    };
    match first {
        Some(Event::Answer(answer)) => Ok(whole(JSON, answer?)),
        Some(Event::End) => Ok(accepted()),
        Some(Event::Message(first)) => {
            let events = EventStream::new(first, events, portion, client);
            let mut answer = Response::new(AnswerBody::Events(Box::new(events)));
            answer.headers_mut().insert(CONTENT_TYPE, EVENTS);
            answer.headers_mut().insert(X_ACCEL_BUFFERING, HeaderValue::from_static("no"));
            Ok(answer)
        }
        None => Err(Error::Internal("the task of a call ended without an answer".to_owned())),
    }
}

/// The message that answers a call; none if its client has canceled it.
async fn called(scope: &Scope<'_>, body: &[u8], name: CallName) -> Result<Option<Bytes>> {
    let Ok(Message::Request(request)) = Message::read(body) else {
        return Err(Error::Internal("a request was read twice and is none any more".to_owned()));
    };
    let answer = match tools::call(scope, &request, name).await? {
        Ok(answer) => answer,
        Err(error) => Some(
            message::error_bytes(Some(&request.id), &error)
                .map_err(|error| Error::Internal(format!("writing an answer: {error}")))?,
        ),
    };
    Ok(answer.map(Bytes::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_calls_with_a_progress_token_and_events_report_progress() {
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
}
