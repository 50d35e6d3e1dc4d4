//! A request before it is sent: method, path, query string, body. `transport` sends it.

use std::fmt::Display;
use std::time::Duration;

use bytes::Bytes;
use http::{HeaderName, HeaderValue, Method};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Serialize;

use crate::{Error, Result};

/// Everything but RFC 3986's unreserved characters.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: Method,
    /// Path and query string.
    pub(crate) target: String,
    pub(crate) body: Option<Bytes>,
    pub(crate) if_none_match: Option<String>,
    /// Further headers, as names and values.
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    /// How long the server was asked to wait before it answers.
    pub(crate) long_poll: Duration,
}

impl Request {
    pub(crate) fn get(path: impl Into<String>) -> Self {
        Self::new(Method::GET, path)
    }

    pub(crate) fn delete(path: impl Into<String>) -> Self {
        Self::new(Method::DELETE, path)
    }

    pub(crate) fn post(path: impl Into<String>, body: &impl Serialize) -> Result<Self> {
        Self::new(Method::POST, path).json(body)
    }

    /// A POST with a body that is already JSON.
    pub(crate) fn post_json(path: impl Into<String>, body: Bytes) -> Self {
        Self { body: Some(body), ..Self::new(Method::POST, path) }
    }

    pub(crate) fn put(path: impl Into<String>, body: &impl Serialize) -> Result<Self> {
        Self::new(Method::PUT, path).json(body)
    }

    pub(crate) fn query(mut self, name: &str, value: impl Display) -> Self {
        self.target.push(if self.target.contains('?') { '&' } else { '?' });
        let value = value.to_string();
        self.target.extend(form_urlencoded::byte_serialize(name.as_bytes()));
        self.target.push('=');
        self.target.extend(form_urlencoded::byte_serialize(value.as_bytes()));
        self
    }

    pub(crate) fn optional_query(self, name: &str, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.query(name, value),
            None => self,
        }
    }

    fn new(method: Method, path: impl Into<String>) -> Self {
        Self {
            method,
            target: path.into(),
            body: None,
            if_none_match: None,
            headers: Vec::new(),
            long_poll: Duration::ZERO,
        }
    }

    fn json(mut self, body: &impl Serialize) -> Result<Self> {
        let body = serde_json::to_vec(body).map_err(|error| {
            Error::invalid_input("the request cannot be written as JSON").with_source(error)
        })?;
        self.body = Some(Bytes::from(body));
        Ok(self)
    }
}

/// An id or a name as one path segment. An empty one would address another endpoint.
pub(crate) fn segment(what: &str, text: &str) -> Result<String> {
    if text.is_empty() {
        return Err(Error::invalid_input(format!("{what} is empty")));
    }
    Ok(utf8_percent_encode(text, RESERVED).to_string())
}

#[cfg(test)]
mod tests {
    use super::{Request, segment};

    #[test]
    fn names_and_values_are_encoded() {
        let request = Request::get("/x").query("filters", "a b:EQ:ü&1").optional_query("limit", Some(3));
        assert_eq!(request.target, "/x?filters=a+b%3AEQ%3A%C3%BC%261&limit=3");
        assert_eq!(Request::get("/x").optional_query("limit", None::<u64>).target, "/x");
    }

    #[test]
    fn a_segment_stays_one_segment() {
        assert_eq!(segment("id", "a/b?c d%é").expect("a segment"), "a%2Fb%3Fc%20d%25%C3%A9");
        assert_eq!(segment("id", "8f2c-x_y.z~").expect("a segment"), "8f2c-x_y.z~");
        assert_eq!(segment("the query's id", "").expect_err("empty").to_string(), "the query's id is empty");
    }
}
