//! `GET /web/`: a page that says what this is and how to use it.

use http::HeaderValue;
use http::header::CONTENT_SECURITY_POLICY;

use crate::response::{Answer, whole};

const PAGE: &str = include_str!("page.html");

pub(crate) fn answer() -> Answer {
    let mut answer = whole(HeaderValue::from_static("text/html; charset=utf-8"), PAGE);
    let policy =
        HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'");
    answer.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    answer
}
