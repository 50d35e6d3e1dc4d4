//! Answers: JSON bodies, the one error shape (D3), and the body type that hyper sends.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{ALLOW, CONTENT_TYPE, RETRY_AFTER, VARY, WWW_AUTHENTICATE};
use http::{HeaderValue, Response, StatusCode};
use http_body::{Body, Frame, SizeHint};
use rowhouse_model::ErrorBody;
use serde::Serialize;

use crate::error::{Error, Result};
use crate::event_stream::EventStream;
use crate::stream::chunk_stream::ChunkStream;

/// An answer of this server.
pub(crate) type Answer = Response<AnswerBody>;

/// In the extensions of an answer that is sent only after this time (D160).
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeldBack(pub(crate) std::time::Duration);

/// In the extensions of an answer whose request has changed nothing, whatever its method: it is refused like a read if there
/// is no memory for it (D165).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unchanged;

/// `application/json`
pub(crate) const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The client's message for an internal error (D3).
const OPAQUE_MESSAGE: &str =
    "the server failed to answer this request; its log has the reason under the request id";

/// The body of an answer. A stream is boxed, because an answer is moved several times and nearly none has one.
#[derive(Debug)]
pub(crate) enum AnswerBody {
    /// Empty or complete: the length is known before.
    Whole(Bytes),
    /// A stream.
    Stream(Box<ChunkStream>),
    /// Events, of which the last one is the answer.
    Events(Box<EventStream>),
}

impl AnswerBody {
    /// No body.
    pub(crate) const EMPTY: Self = Self::Whole(Bytes::new());
}

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>>>> {
        match self.get_mut() {
            Self::Whole(bytes) if bytes.is_empty() => Poll::Ready(None),
            Self::Whole(bytes) => Poll::Ready(Some(Ok(Frame::data(std::mem::take(bytes))))),
            Self::Stream(stream) => {
                stream.poll_chunk(context).map(|chunk| chunk.map(|chunk| chunk.map(Frame::data)))
            }
            Self::Events(events) => {
                events.poll_event(context).map(|event| event.map(|event| event.map(Frame::data)))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Whole(bytes) => bytes.is_empty(),
            Self::Stream(_) => false,
            Self::Events(events) => events.is_end(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Self::Whole(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Self::Stream(_) | Self::Events(_) => SizeHint::default(),
        }
    }
}

/// 200 with a JSON body.
pub(crate) fn json(value: &impl Serialize) -> Result<Answer> {
    let bytes =
        serde_json::to_vec(value).map_err(|error| Error::Internal(format!("writing an answer: {error}")))?;
    Ok(whole(JSON, bytes))
}

/// 200 for an action without a result.
pub(crate) fn done() -> Answer {
    whole(JSON, Bytes::from_static(b"{}"))
}

/// An answer to a request that has changed nothing.
pub(crate) fn unchanged(mut answer: Answer) -> Answer {
    answer.extensions_mut().insert(Unchanged);
    answer
}

/// 202 for a message that has no answer.
pub(crate) fn accepted() -> Answer {
    let mut answer = Response::new(AnswerBody::EMPTY);
    *answer.status_mut() = StatusCode::ACCEPTED;
    answer
}

/// Adds the request headers that affect an answer of rows to `Vary` (D25).
pub(crate) fn add_vary(answer: &mut Answer) {
    answer.headers_mut().insert(VARY, HeaderValue::from_static("Accept, Accept-Encoding, Authorization"));
}

/// 304: the client has the present version.
pub(crate) fn not_modified() -> Answer {
    let mut answer = Response::new(AnswerBody::EMPTY);
    *answer.status_mut() = StatusCode::NOT_MODIFIED;
    answer
}

/// 200 with a body of another type.
pub(crate) fn whole(content_type: HeaderValue, bytes: impl Into<Bytes>) -> Answer {
    let mut answer = Response::new(AnswerBody::Whole(bytes.into()));
    answer.headers_mut().insert(CONTENT_TYPE, content_type);
    answer
}

/// The answer that refuses a request.
pub(crate) fn refusal(error: &Error, request_id: &str) -> Answer {
    let body = ErrorBody {
        code: error.code().as_str().to_owned(),
        message: if error.is_internal() { OPAQUE_MESSAGE.to_owned() } else { error.to_string() },
        request_id: request_id.to_owned(),
        details: error.details().filter(|_| !error.is_internal()).cloned(),
    };
    // OK because the body is three texts and a JSON value, which always serialize.
    let bytes = serde_json::to_vec(&body).expect("an error body can be written");
    let mut answer = whole(JSON, bytes);
    *answer.status_mut() = error.status();
    let headers = answer.headers_mut();
    if error.status() == StatusCode::UNAUTHORIZED {
        headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Token"));
    }
    if let Some(seconds) = error.retry_after_seconds() {
        headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    if let Error::MethodNotAllowed { allowed, .. } = error
        && let Ok(allowed) = HeaderValue::from_str(allowed)
    {
        headers.insert(ALLOW, allowed);
    }
    answer
}

#[cfg(test)]
mod tests {
    use rowhouse_engine::ErrorKind;

    use super::*;

    fn check(error: &Error, status: u16, header: Option<(&str, &str)>, expected: &str) {
        let answer = refusal(error, "r1");
        assert_eq!(answer.status(), status);
        if let Some((name, value)) = header {
            assert_eq!(answer.headers().get(name).map(HeaderValue::as_bytes), Some(value.as_bytes()));
        }
        let AnswerBody::Whole(bytes) = answer.into_body() else { panic!("a refusal is whole") };
        assert_eq!(String::from_utf8_lossy(&bytes), expected);
    }

    #[test]
    fn every_refusal_has_the_same_shape() {
        check(
            &Error::MethodNotAllowed { method: "PATCH".to_owned(), allowed: "GET, HEAD".to_owned() },
            405,
            Some(("allow", "GET, HEAD")),
            r#"{"code":"METHOD_NOT_ALLOWED","message":"method PATCH is not known here, expected one of GET, HEAD","requestId":"r1"}"#,
        );
        check(
            &Error::Unauthorized("no header".to_owned()),
            401,
            Some(("www-authenticate", "Token")),
            r#"{"code":"UNAUTHORIZED","message":"no header","requestId":"r1"}"#,
        );
        check(
            &Error::OutOfAnswerMemory,
            503,
            Some(("retry-after", "1")),
            r#"{"code":"GENERIC_INSUFFICIENT_RESOURCES","message":"the memory for answers is in use; try again, read answers to their end, and fewer of them at a time","requestId":"r1"}"#,
        );
        check(
            &rowhouse_engine::Error::new(ErrorKind::QueryQueueFull, "full").into(),
            429,
            Some(("retry-after", "1")),
            r#"{"code":"QUERY_QUEUE_FULL","message":"full","requestId":"r1"}"#,
        );
        check(
            &rowhouse_engine::Error::new(ErrorKind::TooManyRequests, "too many")
                .with_retry_after(std::time::Duration::from_millis(1001))
                .into(),
            429,
            Some(("retry-after", "2")),
            r#"{"code":"TOO_MANY_REQUESTS","message":"too many","requestId":"r1"}"#,
        );
        check(
            &rowhouse_engine::Error::new(ErrorKind::Overloaded, "busy").into(),
            503,
            Some(("retry-after", "1")),
            r#"{"code":"GENERIC_INSUFFICIENT_RESOURCES","message":"busy","requestId":"r1"}"#,
        );
    }

    #[test]
    fn an_internal_error_discloses_nothing() {
        let secret = rowhouse_engine::Error::internal("reading /secret", std::io::Error::other("disk"));
        let error = Error::from(secret.with_details(serde_json::json!("secret")));
        let answer = refusal(&error, "r1");
        let AnswerBody::Whole(bytes) = answer.into_body() else { panic!("a refusal is whole") };
        assert!(!String::from_utf8_lossy(&bytes).contains("secret"));
    }
}
