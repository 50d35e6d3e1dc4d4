//! The client and its builder. Clones share the connections.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;
use hyper_util::rt::{TokioExecutor, TokioTimer};

use crate::base_url::BaseUrl;
use crate::connector::{Authorities, connector};
use crate::transport::Transport;
use crate::{Error, Result, RetryPolicy};

/// Shorter than a server's 75 s for idle connections (D27), so that the client closes first and a request
/// does not meet a connection that is being closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// A connection pool to one server, with a token.
#[derive(Clone, Debug)]
pub struct Client {
    pub(crate) transport: Arc<Transport>,
}

impl Client {
    /// A client of the server at this address: the address of its page, with or without `/web/…`.
    pub fn builder(base_url: impl Into<String>) -> ClientBuilder {
        ClientBuilder {
            base_url: base_url.into(),
            token: None,
            user_agent: concat!("rowhouse-client/", env!("CARGO_PKG_VERSION")).to_owned(),
            connect_timeout: Duration::from_secs(10),
            response_timeout: Duration::from_secs(60),
            read_timeout: Duration::from_secs(60),
            body_limit_bytes: 256 * 1024 * 1024,
            retry: RetryPolicy::default(),
            authorities: Authorities::default(),
        }
    }

    /// The base address that requests go to.
    pub fn base_url(&self) -> &str {
        self.transport.base_url.as_str()
    }
}

/// Settings of a [`Client`].
#[derive(Clone)]
pub struct ClientBuilder {
    base_url: String,
    token: Option<String>,
    user_agent: String,
    connect_timeout: Duration,
    response_timeout: Duration,
    read_timeout: Duration,
    body_limit_bytes: usize,
    retry: RetryPolicy,
    authorities: Authorities,
}

impl ClientBuilder {
    /// The personal access token; without one, only endpoints that need no token can be called.
    #[must_use]
    pub fn token(self, token: impl Into<String>) -> Self {
        Self { token: Some(token.into()), ..self }
    }

    /// `User-Agent` of the requests; the default names this crate.
    #[must_use]
    pub fn user_agent(self, user_agent: impl Into<String>) -> Self {
        Self { user_agent: user_agent.into(), ..self }
    }

    /// Time to establish a connection; default 10 s.
    #[must_use]
    pub fn connect_timeout(self, connect_timeout: Duration) -> Self {
        Self { connect_timeout, ..self }
    }

    /// Time from sending a request to the head of its response; default 60 s. A long poll adds the time that the server
    /// was asked to wait.
    #[must_use]
    pub fn response_timeout(self, response_timeout: Duration) -> Self {
        Self { response_timeout, ..self }
    }

    /// Time between two chunks of a response; default 60 s.
    #[must_use]
    pub fn read_timeout(self, read_timeout: Duration) -> Self {
        Self { read_timeout, ..self }
    }

    /// Maximum length of a response that is held in memory; default 256 MiB. Streams hold only one chunk.
    #[must_use]
    pub fn body_limit_bytes(self, body_limit_bytes: usize) -> Self {
        Self { body_limit_bytes, ..self }
    }

    /// The retry policy: what is retried, and how.
    #[must_use]
    pub fn retry(self, retry: RetryPolicy) -> Self {
        Self { retry, ..self }
    }

    /// Certificate authorities, in PEM, that the server's certificate may be signed by, instead of those that the
    /// machine trusts. A self-signed certificate is its own authority.
    #[must_use]
    pub fn certificate_authorities(self, pem: impl Into<Vec<u8>>) -> Self {
        Self { authorities: Authorities::Pem(pem.into()), ..self }
    }

    /// Builds the client. No connection is opened yet.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidInput`](crate::ErrorKind::InvalidInput): the address is not an `http` or `https` URL; the
    /// token or the user agent contains characters that are not valid in a header; the certificate authorities cannot
    /// be used.
    pub fn build(self) -> Result<Client> {
        let base_url = BaseUrl::parse(&self.base_url)?;
        let authorization = self.token.as_deref().map(authorization).transpose()?;
        let user_agent = HeaderValue::try_from(self.user_agent)
            .map_err(|error| Error::invalid_input("the user agent is no header value").with_source(error))?;
        let connector = connector(&base_url, self.connect_timeout, &self.authorities)?;
        let http = hyper_util::client::legacy::Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE_TIMEOUT)
            .build(connector);
        let transport = Transport {
            http,
            base_url,
            authorization,
            user_agent,
            response_timeout: self.response_timeout,
            read_timeout: self.read_timeout,
            body_limit_bytes: self.body_limit_bytes,
            retry: self.retry,
        };
        Ok(Client { transport: Arc::new(transport) })
    }
}

impl fmt::Debug for ClientBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientBuilder")
            .field("base_url", &self.base_url)
            .field("has_token", &self.token.is_some())
            .finish_non_exhaustive()
    }
}

fn authorization(token: &str) -> Result<HeaderValue> {
    // The header's parse error would contain the token, so it is omitted.
    let refuse = || Error::invalid_input("the token is empty or holds characters that no header can carry");
    let token = token.trim();
    if token.is_empty() {
        return Err(refuse());
    }
    let mut value = HeaderValue::try_from(format!("Token {token}")).map_err(|_| refuse())?;
    value.set_sensitive(true);
    Ok(value)
}
