//! The client and how it is built. Cloning shares the connections.

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
    /// The personal access token; without one, only what needs none can be asked.
    #[must_use]
    pub fn token(self, token: impl Into<String>) -> Self {
        Self { token: Some(token.into()), ..self }
    }

    /// `User-Agent` of the requests; the default names this crate.
    #[must_use]
    pub fn user_agent(self, user_agent: impl Into<String>) -> Self {
        Self { user_agent: user_agent.into(), ..self }
    }

    /// Until a connection stands; 10 s unless said otherwise.
    #[must_use]
    pub fn connect_timeout(self, connect_timeout: Duration) -> Self {
        Self { connect_timeout, ..self }
    }

    /// From sending a request to the head of its answer; 60 s unless said otherwise. A long poll adds what
    /// the server was asked to wait.
    #[must_use]
    pub fn response_timeout(self, response_timeout: Duration) -> Self {
        Self { response_timeout, ..self }
    }

    /// Between two pieces of an answer; 60 s unless said otherwise.
    #[must_use]
    pub fn read_timeout(self, read_timeout: Duration) -> Self {
        Self { read_timeout, ..self }
    }

    /// The longest answer that is held in memory; 256 MiB unless said otherwise. Streams hold a piece only.
    #[must_use]
    pub fn body_limit_bytes(self, body_limit_bytes: usize) -> Self {
        Self { body_limit_bytes, ..self }
    }

    /// What is tried again, and how.
    #[must_use]
    pub fn retry(self, retry: RetryPolicy) -> Self {
        Self { retry, ..self }
    }

    /// The certificate authorities, in PEM, that may have signed the server's certificate, in place of those that
    /// the machine trusts; a certificate that signed itself is its own.
    #[must_use]
    pub fn certificate_authorities(self, pem: impl Into<Vec<u8>>) -> Self {
        Self { authorities: Authorities::Pem(pem.into()), ..self }
    }

    /// The client. No connection is made yet.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::InvalidInput`](crate::ErrorKind::InvalidInput): the address is no `http` or `https` URL; the token or the user
    /// agent holds characters that no header can carry; the certificate authorities cannot be used.
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
    // The header's parse error would repeat the token, so it is left out.
    let refuse = || Error::invalid_input("the token is empty or holds characters that no header can carry");
    let token = token.trim();
    if token.is_empty() {
        return Err(refuse());
    }
    let mut value = HeaderValue::try_from(format!("Token {token}")).map_err(|_| refuse())?;
    value.set_sensitive(true);
    Ok(value)
}
