//! Reads a request's body within its limits of size, time (D27) and memory, and discards the rest if the answer comes
//! early.

use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::header::{CONTENT_ENCODING, EXPECT};
use http::request::Parts;
use http::{HeaderMap, Method, Version};
use http_body::Body;
use http_body_util::BodyExt as _;
use http_body_util::combinators::BoxBody;

use crate::answer_memory::{Portion, Reserved};
use crate::config::Limits;
use crate::error::{Error, Result};

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Maximum bytes that are discarded so that a client which writes before it reads gets its refusal.
const DRAIN_LIMIT_BYTES: usize = 16 << 20;
/// A body up to this size is read without counting its memory.
const SMALL_BODY_BYTES: usize = 64 << 10;
/// The same of a stream of HTTP/2: a hundred of them are one connection.
const SMALL_STREAM_BODY_BYTES: usize = 4 << 10;
/// Copies of a body in memory: the body, its parsed form, and what is derived from it.
const BODY_COPIES: usize = 3;
/// Maximum time for discarding.
const DRAIN_LIMIT: Duration = Duration::from_secs(5);

/// A body that has not been read, or only in part.
pub(crate) struct RequestBody {
    /// None if the request has no body.
    body: Option<BoxBody<Bytes, BoxError>>,
    limit_bytes: usize,
    /// Up to this size it is read without counting its memory.
    small_bytes: usize,
    limit: Duration,
    waits_for_continue: bool,
    /// It timed out once, and is not awaited again.
    is_abandoned: bool,
    content_encoding: Option<String>,
}

impl RequestBody {
    /// The body of a request. A connection of HTTP/2 has many bodies at a time, and receives them even if nobody reads them.
    pub(crate) fn of<B>(head: &Parts, body: B, limits: &Limits) -> Self
    where
        B: Body<Data = Bytes, Error: Into<BoxError>> + Send + Sync + 'static,
    {
        if head.version != Version::HTTP_2 {
            return Self::new(&head.headers, body, limits);
        }
        if matches!(head.method, Method::GET | Method::HEAD) {
            return Self::none();
        }
        Self { small_bytes: SMALL_STREAM_BODY_BYTES, ..Self::new(&head.headers, body, limits) }
    }

    /// Takes the body of a request with its headers.
    fn new<B>(headers: &HeaderMap, body: B, limits: &Limits) -> Self
    where
        B: Body<Data = Bytes, Error: Into<BoxError>> + Send + Sync + 'static,
    {
        if body.is_end_stream() && !headers.contains_key(CONTENT_ENCODING) {
            return Self { limit_bytes: limits.body_bytes, limit: limits.body_timeout, ..Self::none() };
        }
        let text =
            |name| headers.get(name).map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_owned());
        Self {
            body: (!body.is_end_stream()).then(|| body.map_err(Into::into).boxed()),
            limit_bytes: limits.body_bytes,
            small_bytes: SMALL_BODY_BYTES,
            limit: limits.body_timeout,
            waits_for_continue: headers.contains_key(EXPECT),
            is_abandoned: false,
            content_encoding: text(CONTENT_ENCODING)
                .filter(|coding| !coding.eq_ignore_ascii_case("identity")),
        }
    }

    /// The state of a request without a body, or whose body was read.
    pub(crate) fn none() -> Self {
        Self {
            body: None,
            limit_bytes: 0,
            small_bytes: SMALL_BODY_BYTES,
            limit: Duration::ZERO,
            waits_for_continue: false,
            is_abandoned: false,
            content_encoding: None,
        }
    }

    /// Reserves memory for the body and its parsed form before it is read; `None` if the body is small.
    ///
    /// # Errors
    /// `OutOfAnswerMemory` if there is none within the body's time limit, or too many requests wait.
    pub(crate) async fn reserve(&self, portion: &Portion) -> Result<Option<Reserved>> {
        let Some(body) = &self.body else { return Ok(None) };
        let length = body.size_hint().upper().and_then(|length| usize::try_from(length).ok());
        // A body without a length counts as the maximum.
        let length = length.unwrap_or(self.limit_bytes).min(self.limit_bytes);
        if length <= self.small_bytes {
            return Ok(None);
        }
        portion.reserve_within(length * BODY_COPIES, self.limit).await.map(Some)
    }

    /// The whole body.
    ///
    /// # Errors
    /// `PayloadTooLarge` as soon as that is known, also for a body without a length.
    pub(crate) async fn read(&mut self) -> Result<Bytes> {
        if let Some(coding) = self.content_encoding.take() {
            return Err(Error::UnsupportedContentEncoding(coding));
        }
        if self.body.as_ref().is_some_and(|body| body.size_hint().lower() > self.limit_bytes as u64) {
            return Err(Error::PayloadTooLarge { limit_bytes: self.limit_bytes });
        }
        self.waits_for_continue = false;
        let limit = self.limit;
        let read = tokio::time::timeout(limit, self.read_frames()).await;
        read.unwrap_or_else(|_| {
            self.is_abandoned = true;
            Err(Error::BodyTimeout { limit })
        })
    }

    /// Its minimum number of bytes.
    ///
    /// # Errors
    /// `UnsupportedContentEncoding`.
    pub(crate) fn begin(&mut self) -> Result<u64> {
        if let Some(coding) = self.content_encoding.take() {
            return Err(Error::UnsupportedContentEncoding(coding));
        }
        self.waits_for_continue = false;
        Ok(self.body.as_ref().map_or(0, |body| body.size_hint().lower()))
    }

    /// The next chunk of a streamed body, which has no limit of its own; none after the last.
    ///
    /// # Errors
    /// `BodyTimeout` if nothing arrives for as long as a whole body may take; `ClientGone`.
    pub(crate) async fn next(&mut self) -> Result<Option<Bytes>> {
        let limit = self.limit;
        let Some(body) = &mut self.body else { return Ok(None) };
        loop {
            let Ok(frame) = tokio::time::timeout(limit, body.frame()).await else {
                self.is_abandoned = true;
                return Err(Error::BodyTimeout { limit });
            };
            let Some(frame) = frame else { return Ok(None) };
            if let Ok(data) = frame.map_err(|_| Error::ClientGone)?.into_data() {
                return Ok(Some(data));
            }
        }
    }

    async fn read_frames(&mut self) -> Result<Bytes> {
        let mut whole: Option<Bytes> = None;
        let mut joined = BytesMut::new();
        let Some(body) = &mut self.body else { return Ok(Bytes::new()) };
        while let Some(frame) = body.frame().await {
            let Ok(data) = frame.map_err(|_| Error::ClientGone)?.into_data() else { continue };
            let so_far = whole.as_ref().map_or(joined.len(), Bytes::len);
            if so_far + data.len() > self.limit_bytes {
                return Err(Error::PayloadTooLarge { limit_bytes: self.limit_bytes });
            }
            // A small body is one frame, which is used without a copy.
            if joined.is_empty() && whole.is_none() {
                whole = Some(data);
            } else {
                joined.extend_from_slice(&whole.take().unwrap_or_default());
                joined.extend_from_slice(&data);
            }
        }
        Ok(whole.unwrap_or_else(|| joined.freeze()))
    }

    /// Discards the rest, within limits: closing a connection with unread bytes makes the system reset it, and the
    /// client may then never see the answer. A client that waits for `100 Continue` sends nothing that must be
    /// discarded.
    pub(crate) async fn drain(&mut self) {
        let Some(body) = self.body.as_mut().filter(|body| !body.is_end_stream()) else { return };
        if self.waits_for_continue || self.is_abandoned {
            return;
        }
        let discard = async {
            let mut discarded_bytes = 0;
            while let Some(Ok(frame)) = body.frame().await {
                discarded_bytes += frame.data_ref().map_or(0, Bytes::len);
                if discarded_bytes > DRAIN_LIMIT_BYTES {
                    break;
                }
            }
        };
        // The connection handles whatever has not arrived by then.
        let _ = tokio::time::timeout(DRAIN_LIMIT, discard).await;
    }
}

impl std::fmt::Debug for RequestBody {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RequestBody").field("limit_bytes", &self.limit_bytes).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use http_body_util::{Full, StreamBody};

    use super::*;

    fn read(
        headers: &[(http::HeaderName, &str)],
        chunks: &'static [&'static str],
        limit_bytes: usize,
    ) -> String {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(name, HeaderValue::from_str(value).expect("a header value"));
        }
        let limits = Limits { body_bytes: limit_bytes, ..Limits::default() };
        let frames =
            chunks.iter().map(|chunk| Ok::<_, std::io::Error>(http_body::Frame::data(Bytes::from(*chunk))));
        let mut body = RequestBody::new(&map, StreamBody::new(futures_util::stream::iter(frames)), &limits);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        runtime.block_on(async move {
            let read = body.read().await;
            body.drain().await;
            read.map_or_else(|error| error.to_string(), |bytes| String::from_utf8_lossy(&bytes).into_owned())
        })
    }

    #[test]
    fn bodies_are_read_up_to_the_limit() {
        assert_eq!(read(&[], &[], 4), "");
        assert_eq!(read(&[], &["abcd"], 4), "abcd");
        assert_eq!(read(&[], &["ab", "", "cd"], 4), "abcd");
        assert_eq!(read(&[], &["abcde"], 4), "the body is over the limit of 4 bytes");
        assert_eq!(read(&[], &["ab", "cd", "e"], 4), "the body is over the limit of 4 bytes");
    }

    #[test]
    fn a_content_length_above_the_limit_is_refused_before_reading() {
        let limits = Limits { body_bytes: 4, ..Limits::default() };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
        let mut body = RequestBody::new(&HeaderMap::new(), Full::new(Bytes::from("abcde")), &limits);
        let refused = runtime.block_on(body.read()).expect_err("over the limit");
        assert_eq!(refused.to_string(), "the body is over the limit of 4 bytes");
    }

    #[test]
    fn bodies_with_a_content_coding_are_refused() {
        let refused = read(&[(CONTENT_ENCODING, "gzip")], &["x"], 4);
        assert_eq!(refused, "the body's Content-Encoding \"gzip\" is not read here, send it as it is");
        assert_eq!(read(&[(CONTENT_ENCODING, "identity")], &["x"], 4), "x");
    }
}
