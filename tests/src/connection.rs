//! A client for load under faults: a request that the server does not survive is no error.

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{Method, Request};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

/// Kept-alive connections to one server.
#[derive(Debug)]
pub struct Connection {
    client: Client<HttpConnector, Full<Bytes>>,
    url: String,
    headers: Vec<(&'static str, String)>,
}

impl Connection {
    /// Connects to the server at `url`, with a token.
    pub fn new(url: &str, token: &str) -> Self {
        let client = Client::builder(TokioExecutor::new()).build_http();
        Self { client, url: url.to_owned(), headers: vec![("authorization", format!("Token {token}"))] }
    }

    /// Connects to a Trino server.
    pub fn trino(url: &str) -> Self {
        let client = Client::builder(TokioExecutor::new()).build_http();
        Self { client, url: url.to_owned(), headers: vec![("x-trino-user", "test".to_owned())] }
    }

    /// GET; none if the server ended before its answer was complete.
    ///
    /// # Panics
    /// If a complete answer is not 200.
    pub async fn try_get(&self, path: &str) -> Option<Value> {
        self.try_request(Method::GET, path, Bytes::new()).await
    }

    /// POST of a JSON body; none if the server ended before its answer was complete.
    ///
    /// # Panics
    /// If a complete answer is not 200.
    pub async fn try_post(&self, path: &str, body: Value) -> Option<Value> {
        self.try_request(Method::POST, path, body.to_string().into()).await
    }

    async fn try_request(&self, method: Method, path: &str, body: Bytes) -> Option<Value> {
        let (status, answer) = self.try_answer(method, path, body).await?;
        assert_eq!(status, 200, "{path}: {answer}");
        Some(answer)
    }

    /// Any request; status and body of a complete answer, none if the server ended before.
    ///
    /// # Panics
    /// If a complete answer is not JSON.
    pub async fn try_answer(
        &self,
        method: Method,
        path: &str,
        body: impl Into<Bytes>,
    ) -> Option<(u16, Value)> {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.url))
            .header("content-type", "application/json");
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        let request = request.body(Full::new(body.into())).expect("a well-formed request");
        let answer = self.client.request(request).await.ok()?;
        let status = answer.status();
        let body = answer.into_body().collect().await.ok()?.to_bytes();
        Some((status.as_u16(), serde_json::from_slice(&body).expect("a complete answer is JSON")))
    }
}
