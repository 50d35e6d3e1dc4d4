//! CORS: the answers to preflight requests, and the headers that let a page of another origin read an answer. The
//! configuration defines what is allowed; a page that is not allowed gets the same answer as a client that is not a
//! browser, and its browser withholds it.

use http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS,
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE,
    ACCESS_CONTROL_REQUEST_METHOD, CONTENT_LENGTH, ORIGIN, VARY,
};
use http::{HeaderMap, HeaderValue, Method, Response};

use crate::config::{Cors, Origins};
use crate::response::{Answer, AnswerBody};

/// Headers of an answer that pages may read in addition to those of the Fetch standard.
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "cache-status, etag, location, mcp-session-id, retry-after, server-timing, www-authenticate, x-query-id, x-request-id, \
     x-total-count",
);

/// The answer to a preflight from an allowed origin; none for any other request. It needs no token, because a browser
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

/// Adds the headers that let the page read an answer, and `Vary` if the answer depends on the origin.
pub(crate) fn add_headers(cors: &Cors, request: &HeaderMap, answer: &mut HeaderMap) {
    if let Origins::Listed(_) = cors.origins {
        // Also for an origin that is not allowed: a cache must not reuse its answer for an allowed one.
        answer.append(VARY, HeaderValue::from_name(ORIGIN));
    }
    let Some(origin) = allowed_origin(cors, request) else { return };
    answer.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    answer.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
    // The configuration refuses it together with `*`.
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

/// The value of `Access-Control-Allow-Origin`; none if the request names no origin, or one that is not allowed.
fn allowed_origin(cors: &Cors, headers: &HeaderMap) -> Option<HeaderValue> {
    let origin = headers.get(ORIGIN).filter(|origin| allows(cors, origin))?;
    Some(match cors.origins {
        Origins::Any => HeaderValue::from_static("*"),
        Origins::Listed(_) => origin.clone(),
    })
}
