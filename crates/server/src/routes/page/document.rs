//! `GET /web/`, `GET /web/workspaces/:id` and `GET /api/v1/reference`: documents that request their files and the API
//! by addresses relative to their `<base>`, so that they work under any prefix, including one that a proxy removes.

use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, ETAG, HeaderName, REFERRER_POLICY, VARY};
use http::{HeaderValue, Response, StatusCode};

use crate::call::Call;
use crate::compress::Coding;
use crate::entity_tag::EntityTag;
use crate::response::{Answer, AnswerBody, whole};

/// The page.
pub(crate) const PAGE: &str = include_str!("../../../page/dist/index.html");
/// The reference, which the browser renders from the OpenAPI document.
pub(crate) const REFERENCE: &str = include_str!("../../../page/dist/reference.html");
/// The placeholder in a document of the bundle for the relative address of the page's root.
const BASE: &str = "<base href=\"./\">";

/// Scripts, styles and requests to this server only; nothing inline, no eval, no framing.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'self'; \
     form-action 'none'; frame-ancestors 'none'",
);
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// `base` is the relative address of the page's root.
pub(crate) fn answer(call: &Call, document: &str, base: &str) -> Answer {
    let document = document.replace(BASE, &format!("<base href=\"{}\">", escaped(base)));
    let tag = EntityTag::new(0, &document);
    let mut answer = if tag.matched(&call.headers, Coding::Identity).is_some() {
        let mut answer = Response::new(AnswerBody::EMPTY);
        *answer.status_mut() = StatusCode::NOT_MODIFIED;
        answer
    } else {
        whole(HeaderValue::from_static("text/html; charset=utf-8"), document)
    };
    let headers = answer.headers_mut();
    headers.extend(tag.header(Coding::Identity).map(|tag| (ETAG, tag)));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    // Too small to be compressed, so it has one tag.
    headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
    headers.insert(CONTENT_SECURITY_POLICY, POLICY);
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(OPENER_POLICY, HeaderValue::from_static("same-origin"));
    answer
}

/// Escapes a part of the operator's prefix for an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_have_a_base_and_nothing_inline() {
        for document in [PAGE, REFERENCE] {
            assert_eq!(document.matches(BASE).count(), 1);
            for script in document.split("<script").skip(1) {
                let (tag, rest) = script.split_once('>').expect("a whole tag");
                assert!(tag.contains("src=") && rest.starts_with("</script>"), "<script{tag}>");
            }
            assert!(
                !document.contains("<style") && !document.contains("style=") && !document.contains("://")
            );
        }
    }

    #[test]
    fn a_prefix_cannot_leave_its_attribute() {
        assert_eq!(escaped("a\"><script>"), "a&quot;>&lt;script>");
    }
}
