//! The origins whose pages may call MCP (D126). A page whose host name was rebound to this server (DNS rebinding) is
//! detected by its origin: it is neither allowed by the operator nor a local origin of this server.

use http::header::{HOST, ORIGIN};
use http::{HeaderMap, HeaderValue};

use crate::call::Call;
use crate::cors;
use crate::error::{Error, Result};

/// Accepts requests that no page sends, and those of allowed pages.
pub(super) fn check(call: &Call) -> Result<()> {
    let config = call.app.config.get();
    let allowed =
        |origin: &HeaderValue| config.cors.as_ref().is_some_and(|rules| cors::allows(rules, origin));
    let Some(found) = foreign(&call.headers, allowed) else { return Ok(()) };
    let found = rowhouse_model::excerpt(found);
    Err(Error::ForeignOrigin(found))
}

/// The origin of a page that is not allowed.
fn foreign(headers: &HeaderMap, is_allowed: impl Fn(&HeaderValue) -> bool) -> Option<&str> {
    let mut origins = headers.get_all(ORIGIN).iter();
    let origin = origins.next()?;
    let text = origin.to_str().unwrap_or("not ASCII");
    if origins.next().is_none() && (is_allowed(origin) || is_own(headers, text)) {
        return None;
    }
    Some(text)
}

/// A page of this server itself, at a name that means this machine and that no name server resolves.
fn is_own(headers: &HeaderMap, origin: &str) -> bool {
    let Some(authority) = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")) else {
        return false;
    };
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let name = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    let is_local = name == "localhost"
        || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback());
    is_local && host.is_some_and(|host| host.eq_ignore_ascii_case(authority))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_other_origins_may_not_call() {
        let check = |host: &'static str, origins: &[&'static str], expected: Option<&str>| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_static(host));
            for origin in origins {
                headers.append(ORIGIN, HeaderValue::from_static(origin));
            }
            let allowed = |origin: &HeaderValue| origin == "https://app.example.com";
            assert_eq!(foreign(&headers, allowed), expected, "{host} {origins:?}");
        };
        check("example.com", &[], None);
        check("example.com", &["https://app.example.com"], None);
        check("localhost:8080", &["http://localhost:8080"], None);
        check("127.0.0.1:8080", &["http://127.0.0.1:8080"], None);
        check("[::1]:8080", &["http://[::1]:8080"], None);
        // A rebound name is both the host and the origin.
        check("evil.example:8080", &["http://evil.example:8080"], Some("http://evil.example:8080"));
        check("localhost:8080", &["http://evil.example:8080"], Some("http://evil.example:8080"));
        check("evil.example:8080", &["http://localhost:8080"], Some("http://localhost:8080"));
        check("localhost:8080", &["http://localhost:9090"], Some("http://localhost:9090"));
        check(
            "localhost.evil.example",
            &["http://localhost.evil.example"],
            Some("http://localhost.evil.example"),
        );
        check("localhost:8080", &["null"], Some("null"));
        let twice = ["https://app.example.com", "https://app.example.com"];
        check("example.com", &twice, Some("https://app.example.com"));
    }
}
