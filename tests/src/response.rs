//! Requests over real HTTP, and responses that are checked against the rules for every response.

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{HeaderMap, Method, Request};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

use crate::Server;

/// One complete response.
#[derive(Debug)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body's bytes.
    pub body: Bytes,
}

impl Server {
    /// GET with the admin's token.
    pub async fn get(&self, path: &str) -> Response {
        self.request(Method::GET, path, Some(self.admin_token()), None).await
    }

    /// POST of a JSON body with the admin's token.
    pub async fn post(&self, path: &str, body: Value) -> Response {
        self.request(Method::POST, path, Some(self.admin_token()), Some(body.to_string())).await
    }

    /// PUT of a JSON body with the admin's token.
    pub async fn put(&self, path: &str, body: Value) -> Response {
        self.request(Method::PUT, path, Some(self.admin_token()), Some(body.to_string())).await
    }

    /// DELETE with the admin's token.
    pub async fn delete(&self, path: &str) -> Response {
        self.request(Method::DELETE, path, Some(self.admin_token()), None).await
    }

    /// GET with another token.
    pub async fn get_as(&self, token: &str, path: &str) -> Response {
        self.request(Method::GET, path, Some(token), None).await
    }

    /// Any request with a token; the response is checked by [`Response::check`].
    pub async fn request(
        &self,
        method: Method,
        path: &str,
        token: Option<&str>,
        body: Option<String>,
    ) -> Response {
        let authorization = token.map(|token| ("authorization", format!("Token {token}")));
        self.request_with(
            method,
            path,
            authorization.as_ref().map(|(name, value)| (*name, value.as_str())),
            body,
        )
        .await
    }

    /// Any request with these headers; the response is checked by [`Response::check`].
    pub async fn request_with<'a>(
        &self,
        method: Method,
        path: &str,
        headers: impl IntoIterator<Item = (&'a str, &'a str)>,
        body: Option<String>,
    ) -> Response {
        let mut request = Request::builder().method(method.clone()).uri(format!("{}{path}", self.url()));
        for (name, value) in headers {
            request = request.header(name, value);
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let request =
            request.body(Full::new(Bytes::from(body.unwrap_or_default()))).expect("a well-formed request");
        // A new client for each request: a test must not depend on another's connection.
        let client = Client::builder(TokioExecutor::new()).build_http();
        let answer =
            client.request(request).await.unwrap_or_else(|error| panic!("{method} {path}: {error:?}"));
        let (parts, body) = answer.into_parts();
        let body =
            body.collect().await.unwrap_or_else(|error| panic!("{method} {path}: {error:?}")).to_bytes();
        let response = Response { status: parts.status.as_u16(), headers: parts.headers, body };
        response.check(&method, path);
        response
    }
}

impl Response {
    /// The rules for every response: a request id, and the one error shape unless it is 200, 202, 204, 304, the answer
    /// to HEAD (D3), or a message of MCP (D126).
    fn check(&self, method: &Method, path: &str) {
        let request_id = self.header("x-request-id");
        assert!(request_id.is_some(), "{method} {path}: no x-request-id in {:?}", self.headers);
        if matches!(self.status, 200 | 202 | 204 | 304) || method == Method::HEAD {
            return;
        }
        let body = self.json();
        let object = body.as_object().unwrap_or_else(|| panic!("{method} {path}: {body} is not an object"));
        if path.contains("/mcp") && object.contains_key("jsonrpc") {
            return;
        }
        for field in ["code", "message", "requestId"] {
            let text = object.get(field).and_then(Value::as_str);
            assert!(text.is_some_and(|text| !text.is_empty()), "{method} {path}: {field} in {body}");
        }
        let unknown =
            object.keys().find(|key| !["code", "message", "requestId", "details"].contains(&key.as_str()));
        assert_eq!(unknown, None, "{method} {path}: {body}");
        assert_eq!(object["requestId"].as_str(), request_id, "{method} {path}");
        assert_eq!(self.header("content-type"), Some("application/json"), "{method} {path}");
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| {
            panic!("{error}: {} {}", self.status, String::from_utf8_lossy(&self.body))
        })
    }

    /// The body of a 200 as JSON.
    #[track_caller]
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{}", String::from_utf8_lossy(&self.body));
        self.json()
    }

    /// Asserts an error with this status and code, whose message contains each of the texts.
    #[track_caller]
    pub fn error<const N: usize>(&self, status: u16, code: &str, texts: [&str; N]) {
        let body = self.json();
        assert_eq!((self.status, body["code"].as_str()), (status, Some(code)), "{body}");
        let message = body["message"].as_str().unwrap_or_default();
        for text in texts {
            assert!(message.contains(text), "'{text}' is not in '{message}'");
        }
    }

    /// A header's text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }
}
