//! The answers that a browser asks for before a page of another origin may call, and the headers that let it read
//! what it gets. What is allowed is configured; a page that is not allowed gets the answer of anyone who is no
//! browser, and its browser keeps it from it.

use http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
    ACCESS_CONTROL_REQUEST_METHOD, CONTENT_LENGTH, ORIGIN, VARY,
};
use http::{HeaderMap, HeaderValue, Method, Response};

use crate::config::{Cors, Origins};
use crate::response::{Answer, AnswerBody};

/// What pages may read of an answer beside the headers that the Fetch standard lets them read anyway.
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "cache-status, etag, location, mcp-session-id, retry-after, server-timing, www-authenticate, x-query-id, x-request-id, \
     x-total-count",
);

/// The answer to a preflight from an allowed origin; none for any other request. It needs no token: a browser
/// sends none with it.
pub(crate) fn preflight(cors: &Cors, method: &Method, headers: &HeaderMap) -> Option<Answer> {
    if method != Method::OPTIONS || !headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD) {
        return None;
    }
    allowed_origin(cors, headers)?;
    let mut answer = Response::new(AnswerBody::EMPTY);
    let answered = answer.headers_mut();
    answered.insert(CONTENT_LENGTH, HeaderValue::from_static("0"));
    answered.insert(ACCESS_CONTROL_MAX_AGE, HeaderValue::from(cors.max_age.as_secs()));
    for (name, text) in
        [(ACCESS_CONTROL_ALLOW_METHODS, &cors.methods), (ACCESS_CONTROL_ALLOW_HEADERS, &cors.headers)]
    {
        if let Ok(value) = HeaderValue::from_str(text) {
            answered.insert(name, value);
        }
    }
    Some(answer)
}

/// Adds to any answer what lets the page read it, and says where the answer depends on who asks.
pub(crate) fn add_headers(cors: &Cors, request: &HeaderMap, answer: &mut HeaderMap) {
    if let Origins::Listed(_) = cors.origins {
        // Also for an origin that is not allowed: a cache must not give its answer to one that is.
        answer.append(VARY, HeaderValue::from_name(ORIGIN));
    }
    let Some(origin) = allowed_origin(cors, request) else { return };
    answer.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    answer.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    // Configuration refuses it together with `*`.
    if cors.allow_credentials && matches!(cors.origins, Origins::Listed(_)) {
        answer.insert(ACCESS_CONTROL_ALLOW_CREDENTIALS, HeaderValue::from_static("true"));
    }
}

/// Whether pages of an origin may call.
pub(crate) fn allows(cors: &Cors, origin: &HeaderValue) -> bool {
    match &cors.origins {
        Origins::Any => true,
        Origins::Listed(origins) => origins.iter().any(|listed| listed.as_bytes() == origin.as_bytes()),
    }
}

/// The value of `Access-Control-Allow-Origin`; none where the request names no origin or one that may not call.
fn allowed_origin(cors: &Cors, headers: &HeaderMap) -> Option<HeaderValue> {
    let origin = headers.get(ORIGIN).filter(|origin| allows(cors, origin))?;
    Some(match cors.origins {
        Origins::Any => HeaderValue::from_static("*"),
        Origins::Listed(_) => origin.clone(),
    })
}
