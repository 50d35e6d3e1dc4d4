//! The engine's one error: a closed kind, a message for the client, a source for the log.

use std::fmt;
use std::num::NonZeroU32;
use std::time::Duration;

use rowhouse_model::{ErrorCode, ErrorType, QueryError};
use serde_json::Value;

/// Shorthand for results of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, without a thought of HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// No such thing where the caller may look.
    NotFound,
    /// The token is unknown, expired or revoked (D6).
    Unauthorized,
    /// The caller's role does not suffice, or the workspace is not theirs (D6).
    PermissionDenied,
    /// A value has a wrong form, range or combination.
    InvalidArguments,
    /// A name is taken.
    AlreadyExists,
    /// A column that does not exist was named.
    ColumnNotFound,
    /// A filter's value cannot be cast to its column's type (D23).
    InvalidCastArgument,
    /// Required filters are unmet (D24).
    GenericUserError,
    /// What was asked for is not something this server does.
    NotSupported,
    /// The SQL of a view is refused; the code is the statement's own.
    Statement(ErrorCode),
    /// A result was asked of a query that has none (D11); the code is the query's own where it failed.
    NoResult(ErrorCode),
    /// The result's retention has passed (D11).
    ResultExpired,
    /// The SQL engine is disabled (D21).
    ServiceDisabled,
    /// The queue of statements is full (D27).
    QueryQueueFull,
    /// A token has made its requests of this second.
    TooManyRequests,
    /// What would answer is busy with others for too long.
    Overloaded,
    /// The disk of the data directory is full.
    StorageFull,
    /// The view has no generation that can be read (D26).
    ViewNotReady,
    /// Stored rows are not what was written; the source tells the log which.
    Damaged,
    /// The server is at fault; the message is for the log only (D3).
    Internal,
}

impl ErrorKind {
    /// The code of an answer with this error.
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
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl Error {
    /// An error with a message that says what was wrong, where, and what to do.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), details: None, retry_after_millis: None, source: None }
    }

    /// The server's own fault: `doing` is what was tried, `source` why it failed.
    pub fn internal(
        doing: impl Into<String>,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        Self::new(ErrorKind::Internal, doing).with_source(source)
    }

    /// Stored rows are not what was written; `source` tells the log which, and what is wrong with them.
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

    /// Adds when it may go well.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Duration) -> Self {
        let millis = u32::try_from(wait.as_millis()).unwrap_or(u32::MAX);
        self.retry_after_millis = NonZeroU32::new(millis.max(1));
        self
    }

    /// What went wrong.
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// For the client, unless the kind is [`ErrorKind::Internal`]: then for the log.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// After which time it may go well, where that is known.
    pub fn retry_after(&self) -> Option<Duration> {
        self.retry_after_millis.map(|millis| Duration::from_millis(millis.get().into()))
    }

    /// Facts for programs, where there are any.
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
    /// A view's SQL that was refused keeps its code, its message with the place, and its location (D3).
    fn from(error: QueryError) -> Self {
        // A cluster has errors that are in no table of ours: their kind is known all the same.
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
