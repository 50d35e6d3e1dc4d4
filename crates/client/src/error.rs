//! The client's one error type. It keeps the server's code, message and request id.

use std::fmt;

use rowhouse_model::{ErrorBody, ErrorCode, Query, QueryError};
use serde_json::Value;

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The kind of error.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The server refused the request.
    Api {
        /// The HTTP status.
        status: u16,
        /// The code of the error body (D3); `None` if the answer is not from a Rowhouse server, for example a proxy's
        /// page.
        code: Option<String>,
    },
    /// The statement ended as FAILED; see [`Error::query_error`].
    QueryFailed {
        /// Trino's name of the error, such as `SYNTAX_ERROR`.
        code: String,
    },
    /// No connection, or a broken one.
    Transport,
    /// The server did not answer in time, or the wait ended before the query.
    Timeout,
    /// The answer does not match the interface or the caller's type.
    Decode,
    /// The answer is longer than the client's limit.
    TooLarge {
        /// The limit that was exceeded.
        limit_bytes: usize,
    },
    /// The request is invalid as the caller gave it; nothing was sent.
    InvalidInput,
}

/// An error of this crate; the size of one pointer.
pub struct Error(Box<Parts>);

struct Parts {
    kind: ErrorKind,
    message: String,
    request_id: Option<String>,
    details: Option<Value>,
    query_error: Option<Box<QueryError>>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// The kind of error.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The server's message, or the client's own if the server gave none.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// The code as the server spelled it: of the answer, or of the failed query.
    pub fn code(&self) -> Option<&str> {
        match &self.0.kind {
            ErrorKind::Api { code, .. } => code.as_deref(),
            ErrorKind::QueryFailed { code } => Some(code),
            _ => None,
        }
    }

    /// The code, if this version knows it.
    pub fn error_code(&self) -> Option<ErrorCode> {
        self.code()?.parse().ok()
    }

    /// The HTTP status, if there was an answer other than 200.
    pub fn status(&self) -> Option<u16> {
        match self.0.kind {
            ErrorKind::Api { status, .. } => Some(status),
            _ => None,
        }
    }

    /// The id under which the server logged the request.
    pub fn request_id(&self) -> Option<&str> {
        self.0.request_id.as_deref()
    }

    /// Facts for programs, if the server gave any (D3).
    pub fn details(&self) -> Option<&Value> {
        self.0.details.as_ref()
    }

    /// The maximum number of rows per answer, if the request exceeded what the operator allows (D8).
    pub fn max_page_rows(&self) -> Option<u64> {
        self.details()?.get("maxPageRows")?.as_u64().filter(|&rows| rows > 0)
    }

    /// The error of a failed query, with its location in the statement.
    pub fn query_error(&self) -> Option<&QueryError> {
        self.0.query_error.as_deref()
    }

    pub(crate) fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Parts {
            kind,
            message: message.into(),
            request_id: None,
            details: None,
            query_error: None,
            source: None,
        }))
    }

    pub(crate) fn invalid_input(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidInput, message)
    }

    pub(crate) fn with_source(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Parses an answer's body, which may come from another server.
    pub(crate) fn api(status: u16, header_request_id: Option<String>, body: &[u8]) -> Self {
        let Ok(ErrorBody { code, message, request_id, details }) = serde_json::from_slice(body) else {
            let message =
                format!("the server answered with status {status} and no error that this client can read");
            let mut error = Self::new(ErrorKind::Api { status, code: None }, message);
            error.0.request_id = header_request_id;
            return error;
        };
        let mut error = Self::new(ErrorKind::Api { status, code: Some(code) }, message);
        error.0.request_id = Some(request_id);
        error.0.details = details;
        error
    }

    pub(crate) fn query_failed(query: &Query) -> Self {
        let Some(query_error) = &query.error else {
            let code = ErrorCode::GenericInternalError.to_string();
            let message = format!("query {} failed, and the server gave no reason", query.id);
            return Self::new(ErrorKind::QueryFailed { code }, message);
        };
        let code = query_error.error_name.clone();
        let mut error = Self::new(ErrorKind::QueryFailed { code }, query_error.message.clone());
        error.0.query_error = Some(Box::new(query_error.clone()));
        error
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(parts) = self;
        let Parts { kind, message, request_id, details, query_error, source } = &**parts;
        f.debug_struct("Error")
            .field("kind", kind)
            .field("message", message)
            .field("request_id", request_id)
            .field("details", details)
            .field("query_error", query_error)
            .field("source", source)
            .finish()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_deref().map(|source| source as _)
    }
}
