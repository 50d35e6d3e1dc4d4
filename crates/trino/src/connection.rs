//! HTTP to one cluster: its headers, its certificates, and the retries that the protocol requires of a client: 502,
//! 503, 504 and 429, connections that cannot be established, and answers that break off. Time is that of the injected
//! clock, so tests control the back-off.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::header::{LOCATION, RETRY_AFTER};
use http::uri::Scheme;
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, Uri};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use rowhouse_model::QueryError;

use super::cluster::{TrinoAuthentication, TrinoCluster};
use super::failure::{client_failure, external};
use super::page_memory::{LargePages, PageMemory};
use super::request_headers;
use super::transport::{self, HttpClient};
use crate::SettingError;
use rowhouse_executor::clock::{self, Clock};

/// Maximum time without a byte from Trino, which answers a poll within a second even if nothing has changed.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(60);
/// Maximum size of what is no page, such as `GET /v1/info`.
const MAX_INFO_BYTES: usize = 64 << 10;
/// Maximum number of redirects of a segment.
const MAX_REDIRECTS: usize = 5;
/// Pause after the first failed attempt; doubled by each further one. The protocol requires 50 to 100 ms.
const FIRST_BACK_OFF: Duration = Duration::from_millis(50);
/// Maximum pause between two attempts.
const MAX_BACK_OFF: Duration = Duration::from_secs(5);
/// Maximum bytes of an unexpected answer's body that a message repeats.
const QUOTED_BODY_BYTES: usize = 200;

/// A cluster and its HTTP clients.
pub(super) struct Connection {
    /// `trino` or `trino:NAME`, for messages.
    pub(super) name: String,
    pub(super) cluster: TrinoCluster,
    http: HttpClient,
    /// The client for segments that are stored elsewhere: without this cluster's credentials.
    storage: HttpClient,
    base: Uri,
    headers: HeaderMap,
    /// Shared by all clusters.
    pub(super) large_pages: LargePages,
    pub(super) clock: Arc<dyn Clock>,
}

/// The purpose of a request. Credentials are sent to the cluster only.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Submits a statement.
    Submit,
    /// Fetches the next page, or another resource of the cluster that may be requested again.
    Page,
    /// Cancels a statement.
    Cancel,
    /// Fetches spooled rows, or acknowledges them: at any address, with only the headers that the cluster gave for it.
    Segment {
        /// The expected bytes.
        size: usize,
    },
}

impl Purpose {
    fn is_segment(self) -> bool {
        matches!(self, Self::Segment { .. })
    }
}

/// Why an attempt returned no page.
enum Fault {
    /// A redirect.
    Moved(Uri),
    /// A temporary fault. `is_sent`: Trino may have received the request.
    Passing { reason: String, after: Option<Duration>, is_sent: bool },
    /// A permanent fault: another attempt would end the same.
    Lasting(QueryError),
}

impl Connection {
    /// Creates the clients; opens no connection yet.
    ///
    /// # Errors
    /// `InvalidArguments`: a setting is invalid.
    pub(super) fn new(
        name: String,
        cluster: TrinoCluster,
        clock: Arc<dyn Clock>,
        large_pages: LargePages,
    ) -> Result<Self, SettingError> {
        let unusable = |what: &str, why: String| {
            SettingError::new(format!("{what} of the Trino cluster '{name}': {why}"))
        };
        let base: Uri = cluster.url.parse().map_err(|error| unusable("url", format!("{error}")))?;
        if !matches!(base.scheme_str(), Some("http" | "https")) || base.host().is_none() {
            let why = format!("'{}' is not of the form http://HOST:PORT or https://HOST", cluster.url);
            return Err(unusable("url", why));
        }
        let is_secret = cluster.authentication != TrinoAuthentication::None;
        if is_secret && base.scheme_str() == Some("http") && !is_loopback(base.host().unwrap_or_default()) {
            let why =
                format!("a password or token must not travel in the clear to '{}'; use https", cluster.url);
            return Err(unusable("url", why));
        }
        let headers = request_headers::of(&cluster).map_err(|why| unusable("a setting", why))?;
        let ca_file = cluster.ca_file.as_deref();
        let http = transport::for_cluster(ca_file, base.scheme_str() == Some("https"));
        let http = http.map_err(|why| unusable("ca_file", why))?;
        let storage = transport::for_storage(ca_file).map_err(|why| unusable("ca_file", why))?;
        Ok(Self { name, cluster, http, storage, base, headers, large_pages, clock })
    }

    /// Submits a statement; returns the first page. `headers` are those of this statement only.
    pub(super) async fn submit(
        &self,
        sql: &str,
        headers: &HeaderMap,
        memory: &PageMemory,
    ) -> Result<Bytes, QueryError> {
        let uri = self.at("/v1/statement").map_err(external)?;
        let body = Bytes::copy_from_slice(sql.as_bytes());
        self.persist(Purpose::Submit, uri, headers, &body, memory).await
    }

    /// Fetches the page at a `nextUri`. Trino keeps a page until the next one is requested, so it can be requested
    /// again.
    pub(super) async fn page(&self, uri: &Uri, memory: &PageMemory) -> Result<Bytes, QueryError> {
        self.persist(Purpose::Page, uri.clone(), &HeaderMap::new(), &Bytes::new(), memory).await
    }

    /// Cancels the statement with this `nextUri`; one that Trino no longer knows counts as canceled.
    pub(super) async fn cancel(&self, uri: &Uri) -> Result<(), QueryError> {
        let (headers, body, memory) = (HeaderMap::new(), Bytes::new(), PageMemory::up_to(MAX_INFO_BYTES));
        self.persist(Purpose::Cancel, uri.clone(), &headers, &body, &memory).await.map(|_| ())
    }

    /// Fetches a segment of spooled rows of about this many bytes, or acknowledges it.
    pub(super) async fn segment(
        &self,
        uri: &Uri,
        headers: &HeaderMap,
        size: usize,
        memory: &PageMemory,
    ) -> Result<Bytes, QueryError> {
        self.persist(Purpose::Segment { size }, uri.clone(), headers, &Bytes::new(), memory).await
    }

    /// One attempt at a path of the cluster, within a time limit.
    pub(super) async fn look(&self, path: &str, at_most: Duration) -> Result<Bytes, String> {
        let uri = self.at(path)?;
        let (headers, body, memory) = (HeaderMap::new(), Bytes::new(), PageMemory::up_to(MAX_INFO_BYTES));
        let attempt = self.attempt(Purpose::Page, &uri, &headers, &body, &memory);
        match tokio::time::timeout(at_most, attempt).await {
            Ok(Ok(body)) => Ok(body),
            Ok(Err(Fault::Passing { reason, .. })) => Err(reason),
            Ok(Err(Fault::Lasting(error))) => Err(error.message),
            Ok(Err(Fault::Moved(_))) => Err("it leads elsewhere".to_owned()),
            Err(_) => Err(format!("no answer within {} s", at_most.as_secs_f64())),
        }
    }

    /// Parses a `nextUri`, which must be on the same server, because it gets this cluster's credentials.
    pub(super) fn follow(&self, next: &str) -> Result<Uri, QueryError> {
        let uri: Uri = next
            .parse()
            .map_err(|error| external(format!("{}: '{next}' is no nextUri: {error}", self.name)))?;
        if origin(&uri) == origin(&self.base) {
            return Ok(uri);
        }
        Err(external(format!(
            "{}: Trino's nextUri leads to {}://{}, not to {}; if a proxy stands between, set \
             http-server.process-forwarded=true in Trino's configuration",
            self.name,
            uri.scheme_str().unwrap_or_default(),
            uri.authority().map_or("", |authority| authority.as_str()),
            self.cluster.url
        )))
    }

    fn at(&self, path: &str) -> Result<Uri, String> {
        format!("{}{path}", self.cluster.url)
            .parse()
            .map_err(|error| format!("{}{path}: {error}", self.cluster.url))
    }

    /// Retries until there is an answer, or the cluster has been unreachable for its retry time.
    async fn persist(
        &self,
        purpose: Purpose,
        mut uri: Uri,
        headers: &HeaderMap,
        body: &Bytes,
        memory: &PageMemory,
    ) -> Result<Bytes, QueryError> {
        let mut first_fault = None;
        let mut back_off = FIRST_BACK_OFF;
        let mut redirects = 0;
        loop {
            let (reason, after) = match self.attempt(purpose, &uri, headers, body, memory).await {
                Ok(page) => return Ok(page),
                Err(Fault::Lasting(error)) => return Err(error),
                Err(Fault::Moved(place)) if redirects < MAX_REDIRECTS => {
                    redirects += 1;
                    uri = place;
                    continue;
                }
                Err(Fault::Moved(_)) => {
                    return Err(external(format!("{}: a segment leads in circles", self.describe())));
                }
                Err(Fault::Passing { reason, is_sent: true, .. }) if purpose == Purpose::Submit => {
                    // It may be running: a second submit would be another statement.
                    return Err(external(format!(
                        "{} broke off while it took the statement: {reason}; submit it again",
                        self.describe()
                    )));
                }
                Err(Fault::Passing { reason, after, .. }) => (reason, after),
            };
            let now = self.clock.monotonic();
            let since = *first_fault.get_or_insert(now);
            let pause = after.unwrap_or_else(|| jittered(back_off)).min(MAX_BACK_OFF);
            let deadline = since + self.cluster.retry_timeout;
            if now + pause > deadline {
                return Err(external(format!(
                    "{} cannot be reached: {reason}; tried for {} s",
                    self.describe(),
                    (now - since).as_secs_f64().round()
                )));
            }
            tracing::warn!(cluster = self.name, reason, ?pause, "Trino is tried again");
            clock::wait_until(self.clock.as_ref(), now + pause).await;
            back_off = (back_off * 2).min(MAX_BACK_OFF);
        }
    }

    async fn attempt(
        &self,
        purpose: Purpose,
        uri: &Uri,
        headers: &HeaderMap,
        body: &Bytes,
        memory: &PageMemory,
    ) -> Result<Bytes, Fault> {
        let mut request = Request::new(Full::new(body.clone()));
        *request.method_mut() = match purpose {
            Purpose::Submit => Method::POST,
            Purpose::Page | Purpose::Segment { .. } => Method::GET,
            Purpose::Cancel => Method::DELETE,
        };
        *request.uri_mut() = uri.clone();
        if !purpose.is_segment() {
            request.headers_mut().extend(self.headers.clone());
        }
        request.headers_mut().extend(headers.clone());
        let is_elsewhere = purpose.is_segment() && origin(uri) != origin(&self.base);
        let http = if is_elsewhere { &self.storage } else { &self.http };
        let answer = match tokio::time::timeout(SILENCE_TIMEOUT, http.request(request)).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(error)) => {
                let is_sent = !error.is_connect();
                return Err(Fault::Passing { reason: client_failure(&error), after: None, is_sent });
            }
            Err(_) => {
                let reason = format!("no answer within {} s", SILENCE_TIMEOUT.as_secs());
                return Err(Fault::Passing { reason, after: None, is_sent: true });
            }
        };
        let status = answer.status();
        match status {
            // Nothing is read: a body without an end would keep the connection for ever.
            StatusCode::OK if purpose == Purpose::Cancel => Ok(Bytes::new()),
            StatusCode::OK => {
                let expected = if let Purpose::Segment { size } = purpose { size } else { 0 };
                self.read(answer.into_body(), expected, memory).await
            }
            StatusCode::NO_CONTENT => Ok(Bytes::new()),
            StatusCode::NOT_FOUND | StatusCode::GONE if purpose == Purpose::Cancel => Ok(Bytes::new()),
            StatusCode::BAD_GATEWAY
            | StatusCode::SERVICE_UNAVAILABLE
            | StatusCode::GATEWAY_TIMEOUT
            | StatusCode::TOO_MANY_REQUESTS => {
                let after = answer.headers().get(RETRY_AFTER).and_then(seconds);
                Err(Fault::Passing { reason: format!("status {status}"), after, is_sent: false })
            }
            status if purpose.is_segment() && status.is_redirection() => {
                let place = answer.headers().get(LOCATION).and_then(|place| moved(uri, place));
                Err(place.map_or_else(
                    || Fault::Lasting(external(format!("{}: a segment leads nowhere", self.describe()))),
                    Fault::Moved,
                ))
            }
            _ if purpose.is_segment() => Err(Fault::Lasting(external(format!(
                "a segment of spooled rows of {} cannot be had from {}: status {status}; has its time to live \
                 (fs.segment.ttl) ended?",
                self.describe(),
                uri.authority().map_or("", |authority| authority.as_str())
            )))),
            StatusCode::NOT_FOUND | StatusCode::GONE => Err(Fault::Lasting(external(format!(
                "{} does not know the statement any more; it was restarted, or gave the statement up",
                self.describe()
            )))),
            StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => Err(Fault::Lasting(external(format!(
                "{} does not let the user '{}' in (status {status}); check user, password or token",
                self.describe(),
                self.cluster.user
            )))),
            _ => {
                let quoted = quoted(answer.into_body()).await;
                Err(Fault::Lasting(external(format!(
                    "{} answered with status {status}: {quoted}",
                    self.describe()
                ))))
            }
        }
    }

    async fn read(&self, mut body: Incoming, expected: usize, memory: &PageMemory) -> Result<Bytes, Fault> {
        let mut read = BytesMut::new();
        loop {
            let frame = match tokio::time::timeout(SILENCE_TIMEOUT, body.frame()).await {
                Ok(None) => return Ok(read.freeze()),
                Ok(Some(Ok(frame))) => frame,
                Ok(Some(Err(error))) => {
                    let reason = format!("the answer broke off: {error}");
                    return Err(Fault::Passing { reason, after: None, is_sent: true });
                }
                Err(_) => {
                    let reason = format!("the answer stopped for {} s", SILENCE_TIMEOUT.as_secs());
                    return Err(Fault::Passing { reason, after: None, is_sent: true });
                }
            };
            let Ok(data) = frame.into_data() else { continue };
            let announced = if read.is_empty() { body_size(&body) } else { 0 };
            let size = (read.len() + data.len()).saturating_add(announced);
            if !memory.admit(size).await {
                return Err(Fault::Lasting(external(format!(
                    "{} sent a page of more than {} bytes; select fewer bytes in one row",
                    self.describe(),
                    memory.max_bytes()
                ))));
            }
            if read.is_empty() {
                read.reserve(size.max(expected).min(memory.max_bytes()));
            }
            read.extend_from_slice(&data);
        }
    }

    fn describe(&self) -> String {
        format!("the Trino cluster '{}' at {}", self.name, self.cluster.url)
    }
}

/// The remaining bytes, if the answer has a length.
fn body_size(body: &Incoming) -> usize {
    use hyper::body::Body as _;
    let size = body.size_hint().exact().unwrap_or(0);
    usize::try_from(size).unwrap_or(usize::MAX)
}

/// The start of an unexpected answer's body.
async fn quoted(mut body: Incoming) -> String {
    let mut start = Vec::new();
    let read = async {
        while start.len() < QUOTED_BODY_BYTES
            && let Some(Ok(frame)) = body.frame().await
        {
            start.extend(frame.into_data().unwrap_or_default());
        }
    };
    // OK to continue after the time: what has arrived is quoted.
    let _ = tokio::time::timeout(SILENCE_TIMEOUT, read).await;
    String::from_utf8_lossy(&start[..start.len().min(QUOTED_BODY_BYTES)]).into_owned()
}

/// Scheme, host and port.
fn origin(uri: &Uri) -> (Option<Scheme>, Option<String>, u16) {
    (uri.scheme().cloned(), uri.host().map(str::to_ascii_lowercase), port(uri))
}

/// The target of a `Location`, relative to `uri`; none if it is invalid.
fn moved(uri: &Uri, place: &HeaderValue) -> Option<Uri> {
    let place: Uri = place.to_str().ok()?.parse().ok()?;
    let mut parts = place.into_parts();
    if parts.authority.is_none() {
        (parts.scheme, parts.authority) = (uri.scheme().cloned(), uri.authority().cloned());
    }
    Uri::from_parts(parts).ok()
}

fn port(uri: &Uri) -> u16 {
    uri.port_u16().unwrap_or(if uri.scheme_str() == Some("https") { 443 } else { 80 })
}

fn is_loopback(host: &str) -> bool {
    let address = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || address.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn seconds(value: &HeaderValue) -> Option<Duration> {
    value.to_str().ok()?.trim().parse().ok().map(Duration::from_secs)
}

/// A random pause between half of `back_off` and all of it, so that clients that failed together do not retry together.
fn jittered(back_off: Duration) -> Duration {
    let random = RandomState::new().hash_one(0_u8) % 512;
    back_off / 2 + back_off.mul_f64(random as f64 / 1024.0)
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection")
            .field("name", &self.name)
            .field("url", &self.cluster.url)
            .finish_non_exhaustive()
    }
}
