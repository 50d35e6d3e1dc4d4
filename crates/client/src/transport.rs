//! Sending a request and reading its answer: headers, deadlines, retries, error bodies.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, IF_NONE_MATCH, RETRY_AFTER, USER_AGENT};
use http::{HeaderValue, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use serde::de::DeserializeOwned;

use crate::base_url::BaseUrl;
use crate::connector::Connector;
use crate::request::Request;
use crate::retry::{Reached, RetryPolicy};
use crate::{Error, ErrorKind, Result};

/// Maximum number of bytes read of an error's body.
const ERROR_BODY_LIMIT_BYTES: usize = 1024 * 1024;

/// The header in which the server repeats the request id of its error bodies.
const REQUEST_ID: &str = "x-request-id";

pub(crate) struct Transport {
    pub(crate) http: hyper_util::client::legacy::Client<Connector, Full<Bytes>>,
    pub(crate) base_url: BaseUrl,
    /// `Token …`, marked sensitive.
    pub(crate) authorization: Option<HeaderValue>,
    pub(crate) user_agent: HeaderValue,
    /// Time from sending to the head of the response.
    pub(crate) response_timeout: Duration,
    /// Time between two chunks of a response's body.
    pub(crate) read_timeout: Duration,
    pub(crate) body_limit_bytes: usize,
    pub(crate) retry: RetryPolicy,
}

impl fmt::Debug for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transport")
            .field("base_url", &self.base_url.as_str())
            .field("has_token", &self.authorization.is_some())
            .field("response_timeout", &self.response_timeout)
            .field("read_timeout", &self.read_timeout)
            .field("body_limit_bytes", &self.body_limit_bytes)
            .field("retry", &self.retry)
            .finish_non_exhaustive()
    }
}

/// A failed attempt, with what decides whether it is retried.
struct Failure {
    error: Error,
    reached: Reached,
}

impl Transport {
    /// The whole response, deserialized into `T`.
    pub(crate) async fn json<T: DeserializeOwned>(&self, request: &Request) -> Result<T> {
        let body = self.whole(request).await?.into_body();
        decode(request, &body)
    }

    /// The whole response, whatever its content.
    pub(crate) async fn whole(&self, request: &Request) -> Result<Response<Bytes>> {
        let mut attempts = 0;
        loop {
            let outcome = match self.attempt(request).await {
                Ok(response) => self.read_whole(request, response).await,
                Err(failure) => Err(failure),
            };
            match outcome {
                Ok(response) => return Ok(response),
                Err(failure) => self.pause(request, &mut attempts, failure).await?,
            }
        }
    }

    /// The response's head; failures of the body afterwards are the reader's to handle.
    pub(crate) async fn open(&self, request: &Request) -> Result<Response<Incoming>> {
        let mut attempts = 0;
        loop {
            match self.attempt(request).await {
                Ok(response) => return Ok(response),
                Err(failure) => self.pause(request, &mut attempts, failure).await?,
            }
        }
    }

    /// The next chunk of a body, or `None` at its end.
    pub(crate) async fn next_chunk(&self, body: &mut Incoming) -> Result<Option<Bytes>> {
        loop {
            let frame = tokio::time::timeout(self.read_timeout, body.frame()).await.map_err(|_| {
                Error::new(
                    ErrorKind::Timeout,
                    format!("the answer stopped for more than {:?}", self.read_timeout),
                )
            })?;
            match frame.transpose() {
                Ok(None) => return Ok(None),
                // Trailers are not data and are ignored.
                Ok(Some(frame)) => {
                    if let Ok(data) = frame.into_data() {
                        return Ok(Some(data));
                    }
                }
                Err(error) => {
                    return Err(Error::new(ErrorKind::Transport, "the answer broke off before its end")
                        .with_source(error));
                }
            }
        }
    }

    /// The whole response of one attempt, whatever its status.
    pub(crate) async fn any_status(&self, request: &Request) -> Result<Response<Bytes>> {
        let response = self.open_any_status(request).await?;
        self.read_any(request, response).await
    }

    /// The head of the answer of one attempt, whatever its status.
    pub(crate) async fn open_any_status(&self, request: &Request) -> Result<Response<Incoming>> {
        self.send(request).await.map_err(|failure| failure.error)
    }

    /// Reads the body of such an answer.
    pub(crate) async fn read_any(
        &self,
        request: &Request,
        response: Response<Incoming>,
    ) -> Result<Response<Bytes>> {
        self.read_whole(request, response).await.map_err(|failure| failure.error)
    }

    async fn attempt(&self, request: &Request) -> Result<Response<Incoming>, Failure> {
        let response = self.send(request).await?;
        match response.status() {
            // 202 Accepted is a call of an endpoint whose query is still running.
            StatusCode::OK | StatusCode::ACCEPTED => Ok(response),
            StatusCode::NOT_MODIFIED if request.if_none_match.is_some() => Ok(response),
            status => Err(self.refusal(status, response).await),
        }
    }

    async fn send(&self, request: &Request) -> Result<Response<Incoming>, Failure> {
        let http_request = self.http_request(request).map_err(Failure::permanent)?;
        let deadline = self.response_timeout + request.long_poll;
        match tokio::time::timeout(deadline, self.http.request(http_request)).await {
            Ok(Ok(response)) => Ok(response),
            Ok(Err(error)) => {
                let (reached, message) = if error.is_connect() {
                    (Reached::Nothing, format!("cannot connect to {}", self.base_url.as_str()))
                } else {
                    (Reached::Unknown, format!("the connection to {} broke", self.base_url.as_str()))
                };
                let message = format!("{message}: {}", innermost(&error));
                let error = Error::new(ErrorKind::Transport, message).with_source(error);
                Err(Failure { error, reached })
            }
            Err(_) => {
                let message = format!("no answer from {} within {deadline:?}", self.base_url.as_str());
                Err(Failure::permanent(Error::new(ErrorKind::Timeout, message)))
            }
        }
    }

    fn http_request(&self, request: &Request) -> Result<http::Request<Full<Bytes>>> {
        let Request { method, target, body, if_none_match, headers, long_poll: _ } = request;
        let mut builder = http::Request::builder()
            .method(method)
            .uri(self.base_url.join(target)?)
            .header(USER_AGENT, &self.user_agent)
            .header(ACCEPT, "*/*");
        if let Some(authorization) = &self.authorization {
            builder = builder.header(AUTHORIZATION, authorization);
        }
        if let Some(tag) = if_none_match {
            builder = builder.header(IF_NONE_MATCH, tag);
        }
        for (name, value) in headers {
            builder = builder.header(name, value);
        }
        if body.is_some() {
            builder = builder.header(CONTENT_TYPE, "application/json");
        }
        builder
            .body(Full::new(body.clone().unwrap_or_default()))
            .map_err(|error| Error::invalid_input("the request is malformed").with_source(error))
    }

    async fn refusal(&self, status: StatusCode, response: Response<Incoming>) -> Failure {
        let text =
            |name: &str| -> Option<String> { response.headers().get(name)?.to_str().ok().map(str::to_owned) };
        let request_id = text(REQUEST_ID);
        // Rowhouse does not use the date form of the header; such a refusal is not retried.
        let retry_after = text(RETRY_AFTER.as_str()).and_then(|text| text.trim().parse().ok());
        // If the body is lost or too long, the status remains.
        let body = self.collect(response.into_body(), ERROR_BODY_LIMIT_BYTES).await.unwrap_or_default();
        let is_overload = matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
        let reached = match retry_after {
            Some(seconds) if is_overload => Reached::Refusal { retry_after: Duration::from_secs(seconds) },
            _ => Reached::Answer,
        };
        Failure { error: Error::api(status.as_u16(), request_id, &body), reached }
    }

    async fn read_whole(
        &self,
        request: &Request,
        response: Response<Incoming>,
    ) -> Result<Response<Bytes>, Failure> {
        let (head, body) = response.into_parts();
        match self.collect(body, self.body_limit_bytes).await {
            Ok(body) => Ok(Response::from_parts(head, body)),
            Err(error) => {
                let is_lost = *error.kind() == ErrorKind::Transport;
                let reached = if is_lost { Reached::Unknown } else { Reached::Answer };
                let message = format!("{} {}: {}", request.method, request.target, error.message());
                Err(Failure { error: Error::new(error.kind().clone(), message).with_source(error), reached })
            }
        }
    }

    async fn collect(&self, mut body: Incoming, limit_bytes: usize) -> Result<Bytes> {
        let mut collected = BytesMut::new();
        while let Some(chunk) = self.next_chunk(&mut body).await? {
            if collected.len() + chunk.len() > limit_bytes {
                let message = format!("the answer is longer than {limit_bytes} bytes");
                return Err(Error::new(ErrorKind::TooLarge { limit_bytes }, message));
            }
            collected.extend_from_slice(&chunk);
        }
        Ok(collected.freeze())
    }

    /// Sleeps before the next attempt, or fails with the last one's error.
    async fn pause(&self, request: &Request, attempts: &mut u32, failure: Failure) -> Result<()> {
        *attempts += 1;
        match self.retry.pause(&request.method, failure.reached, *attempts, jitter()) {
            Some(pause) => {
                tokio::time::sleep(pause).await;
                Ok(())
            }
            None => Err(failure.error),
        }
    }
}

impl Failure {
    fn permanent(error: Error) -> Self {
        Self { error, reached: Reached::Answer }
    }
}

/// Deserializes a response's JSON; the message names the request, the source the location in the text.
pub(crate) fn decode<T: DeserializeOwned>(request: &Request, body: &[u8]) -> Result<T> {
    serde_json::from_slice(body).map_err(|error| {
        let message = format!("{} {}: unexpected answer: {error}", request.method, request.target);
        Error::new(ErrorKind::Decode, message).with_source(error)
    })
}

/// The operating system's message: "Connection refused" is at the end of a chain of wrappers.
fn innermost(error: &(dyn std::error::Error + 'static)) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

/// From 0 to 1, derived from the random keys that the standard library draws for each hash map.
fn jitter() -> f64 {
    let random = RandomState::new().hash_one(0_u8);
    f64::from(u32::try_from(random >> 32).unwrap_or_default()) / f64::from(u32::MAX)
}
