//! The engine's one error type: a closed kind, a message for the client, a source for the log.

use std::fmt;
use std::num::{NonZeroU16, NonZeroU32};
use std::time::Duration;

use rowhouse_model::{ErrorCode, ErrorType, QueryError};
use serde_json::Value;

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The kind of error, independent of HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// It does not exist, or the caller may not see it.
    NotFound,
    /// The token is unknown, expired or revoked (D6).
    Unauthorized,
    /// The caller's role does not permit it, or the caller is not a member of the workspace (D6).
    PermissionDenied,
    /// A value has an invalid form, range or combination.
    InvalidArguments,
    /// A name is taken.
    AlreadyExists,
    /// A column that does not exist.
    ColumnNotFound,
    /// A filter's value cannot be cast to its column's type (D23).
    InvalidCastArgument,
    /// Required filters are unmet (D24).
    GenericUserError,
    /// This server does not support it.
    NotSupported,
    /// The SQL of a view is refused; the code is the statement's error code.
    Statement(ErrorCode),
    /// The query has no result (D11); the code is the query's own if it failed.
    NoResult(ErrorCode),
    /// The result's retention has passed (D11).
    ResultExpired,
    /// The SQL engine is disabled (D21).
    ServiceDisabled,
    /// The queue of statements is full (D27).
    QueryQueueFull,
    /// A token has exceeded its requests per second.
    TooManyRequests,
    /// The resource that would answer has been busy for too long.
    Overloaded,
    /// The disk of the data directory is full.
    StorageFull,
    /// The view has no generation that can be read (D26).
    ViewNotReady,
    /// Stored rows are not as written; the source contains the details for the log.
    Damaged,
    /// The server is at fault; the message is for the log only (D3).
    Internal,
}

impl ErrorKind {
    /// The error code of an answer with this error.
    pub const fn code(self) -> ErrorCode {
        match self {
            Self::NotFound => ErrorCode::NotFound,
            Self::Unauthorized => ErrorCode::Unauthorized,
            Self::PermissionDenied => ErrorCode::PermissionDenied,
            Self::InvalidArguments => ErrorCode::InvalidArguments,
            Self::AlreadyExists => ErrorCode::AlreadyExists,
            Self::ColumnNotFound => ErrorCode::ColumnNotFound,
            Self::InvalidCastArgument => ErrorCode::InvalidCastArgument,
            Self::GenericUserError => ErrorCode::GenericUserError,
            Self::NotSupported => ErrorCode::NotSupported,
            Self::Statement(code) | Self::NoResult(code) => code,
            Self::ResultExpired => ErrorCode::ResultExpired,
            Self::ServiceDisabled => ErrorCode::ServiceDisabled,
            Self::QueryQueueFull => ErrorCode::QueryQueueFull,
            Self::TooManyRequests => ErrorCode::TooManyRequests,
            Self::Overloaded | Self::StorageFull => ErrorCode::GenericInsufficientResources,
            Self::ViewNotReady => ErrorCode::ViewNotReady,
            Self::Damaged => ErrorCode::StoredRowsDamaged,
            Self::Internal => ErrorCode::GenericInternalError,
        }
    }
}

/// An error of this crate.
#[derive(Debug)]
pub struct Error {
    kind: ErrorKind,
    message: String,
    details: Option<Value>,
    retry_after_millis: Option<NonZeroU32>,
    /// 16 bits, because a larger error would be too large for a result.
    delay_millis: Option<NonZeroU16>,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// An error with a message that says what was wrong, where, and how to fix it.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            details: None,
            retry_after_millis: None,
            delay_millis: None,
            source: None,
        }
    }

    /// The server's own fault: `doing` is the attempted action, `source` why it failed.
    pub fn internal(
        doing: impl Into<String>,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self::new(ErrorKind::Internal, doing).with_source(source)
    }

    /// Stored rows differ from what was written; `source` has the details for the log.
    pub(crate) fn damaged(source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        let message = "the stored rows are damaged: run the statement again; a materialized view is refreshed by itself";
        Self::new(ErrorKind::Damaged, message).with_source(source)
    }

    /// Adds the cause.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    /// Adds facts for programs.
    #[must_use]
    pub fn with_details(mut self, details: Value) -> Self {
        self.details = Some(details);
        self
    }

    /// Adds the time after which a retry may succeed.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        let millis = u32::try_from(wait.as_millis()).unwrap_or(u32::MAX);
        self.retry_after_millis = NonZeroU32::new(millis.max(1));
        self
    }

    /// Adds the time for which the answer with this error is held back (D160).
    #[must_use]
    pub(crate) fn with_delay(mut self, delay: Duration) -> Self {
        self.delay_millis = NonZeroU16::new(u16::try_from(delay.as_millis()).unwrap_or(u16::MAX));
        self
    }

    /// The kind of error.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// For the client; for the log if the kind is [`ErrorKind::Internal`].
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The time after which a retry may succeed, if known.
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after_millis.map(|millis| Duration::from_millis(millis.get().into()))
    }

    /// The time for which a server holds the answer with this error back: a client that ignores `retry_after` is slowed
    /// down by it (D160).
    pub fn delay(&self) -> Option<Duration> {
        self.delay_millis.map(|millis| Duration::from_millis(millis.get().into()))
    }

    /// Facts for programs, if any.
    pub const fn details(&self) -> Option<&Value> {
        self.details.as_ref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_deref().map(|source| source as _)
    }
}

impl From<rowhouse_rows::Error> for Error {
    fn from(error: rowhouse_rows::Error) -> Self {
        let kind = match error.kind() {
            rowhouse_rows::ErrorKind::NotSupported => ErrorKind::NotSupported,
            rowhouse_rows::ErrorKind::Damaged => return Self::damaged(error),
            rowhouse_rows::ErrorKind::Internal => ErrorKind::Internal,
        };
        let message = error.message().to_owned();
        Self { source: error.into_source(), ..Self::new(kind, message) }
    }
}

impl From<rowhouse_trino::SettingError> for Error {
    fn from(error: rowhouse_trino::SettingError) -> Self {
        Self::new(ErrorKind::InvalidArguments, error.to_string())
    }
}

impl From<QueryError> for Error {
    /// Keeps the code of refused SQL of a view, its message with the location, and the location itself (D3).
    fn from(error: QueryError) -> Self {
        // A cluster has errors that are not in our table: their error type is still known.
        let code = error.code().unwrap_or(match error.error_type {
            ErrorType::UserError => ErrorCode::GenericUserError,
            ErrorType::InsufficientResources | ErrorType::External => ErrorCode::External,
            ErrorType::InternalError => ErrorCode::GenericInternalError,
        });
        let kind = match code {
            ErrorCode::GenericInternalError => ErrorKind::Internal,
            code => ErrorKind::Statement(code),
        };
        let details = error.error_location.map(|location| serde_json::json!({ "errorLocation": location }));
        Self { details, ..Self::new(kind, error.message) }
    }
}
