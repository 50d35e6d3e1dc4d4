//! Settings of a cluster (`[engine.trino]`, `[engine.trino.NAME]`).

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// A Trino cluster, or a load balancer in front of several coordinators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrinoCluster {
    /// `http://HOST:PORT` or `https://HOST`, optionally with a path before `/v1`; without a trailing `/`.
    pub url: String,
    /// The user that every statement runs as; the caller is sent as client info.
    pub user: String,
    /// Catalog of an unqualified name.
    pub catalog: Option<String>,
    /// Schema of an unqualified name.
    pub schema: Option<String>,
    /// The source that Trino's resource groups see.
    pub source: String,
    /// The client tags that Trino's resource groups see.
    pub client_tags: Vec<String>,
    /// Session properties, `NAME=VALUE` each.
    pub session: Vec<String>,
    /// The session's time zone: for `current_timestamp` and casts.
    pub time_zone: String,
    /// How the server authenticates.
    pub authentication: TrinoAuthentication,
    /// Certificates to trust instead of the system's, PEM.
    pub ca_file: Option<PathBuf>,
    /// Whether only queries, SHOW, DESCRIBE and EXPLAIN may run.
    pub is_read_only: bool,
    /// How long an unreachable cluster is retried before a statement fails.
    pub retry_timeout: Duration,
}

/// How the server authenticates.
#[derive(Clone, PartialEq, Eq)]
pub enum TrinoAuthentication {
    /// Not at all: the cluster trusts the user name.
    None,
    /// User and password.
    Basic {
        /// The password of `user`.
        password: String,
    },
    /// A bearer token, such as a JWT.
    Bearer {
        /// The token.
        token: String,
    },
}

impl TrinoCluster {
    /// A cluster with the defaults.
    pub fn new(url: impl Into<String>) -> Self {
        let url: String = url.into();
        Self {
            url: url.trim_end_matches('/').to_owned(),
            user: "rowhouse".to_owned(),
            catalog: None,
            schema: None,
            source: "rowhouse".to_owned(),
            client_tags: Vec::new(),
            session: Vec::new(),
            time_zone: "UTC".to_owned(),
            authentication: TrinoAuthentication::None,
            ca_file: None,
            is_read_only: true,
            retry_timeout: Duration::from_secs(30),
        }
    }
}

impl fmt::Debug for TrinoAuthentication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "None",
            Self::Basic { password: _ } => "Basic",
            Self::Bearer { token: _ } => "Bearer",
        })
    }
}
