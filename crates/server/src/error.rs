//! Every refusal of the server, and the one table of statuses: an error's kind determines its status here and nowhere
//! else (D3). `response` builds the bodies.

use std::fmt;
use std::time::Duration;

use http::StatusCode;
use rowhouse_engine::ErrorKind;
use rowhouse_model::ErrorCode;
use serde_json::Value;

/// Shorthand for results of this crate.
pub(crate) type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a request is refused.
#[derive(Debug)]
pub(crate) enum Error {
    /// An error of the engine.
    Engine(rowhouse_engine::Error),
    /// The path is no route (D3).
    UnknownRoute {
        /// The path as received.
        path: String,
    },
    /// The path is a route, but not with this method (D3).
    MethodNotAllowed {
        /// The method as received.
        method: String,
        /// Value of `Allow`.
        allowed: String,
    },
    /// No header, a malformed one, or an invalid token (D6).
    Unauthorized(String),
    /// A parameter or the body is malformed (D2, D7).
    InvalidArguments(String),
    /// A column that the view does not have (D23).
    ColumnNotFound(String),
    /// Required filters are unmet (D24).
    UnmetRequiredFilters(String),
    /// A page of another origin that is not allowed.
    ForeignOrigin(String),
    /// The body has a content coding that this server does not support.
    UnsupportedContentEncoding(String),
    /// The body has a transfer coding beside `chunked`.
    UnsupportedTransferCoding(String),
    /// The body is over its limit (D27).
    PayloadTooLarge {
        /// The limit.
        limit_bytes: usize,
    },
    /// The body did not arrive in time.
    BodyTimeout {
        /// The limit.
        limit: Duration,
    },
    /// All memory for answers is in use, or this account's part of it.
    OutOfAnswerMemory,
    /// The heads of requests in flight take all their memory.
    OutOfHeadMemory,
    /// An answer, or the part of it that is built at a time, needs more memory than all answers may use.
    AnswerTooLarge {
        /// The memory that it needs.
        bytes: usize,
        /// The limit.
        limit_bytes: usize,
    },
    /// The client disconnected before its body was read, so this answer is not read.
    ClientGone,
    /// The server is shutting down.
    ShuttingDown,
    /// A fault of the server; the text is for the log.
    Internal(String),
}

impl Error {
    /// A parameter or the body is malformed.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Self::InvalidArguments(message.into())
    }

    /// A panic, with its text for the log.
    pub(crate) fn panicked(panic: &(dyn std::any::Any + Send)) -> Self {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        Self::Internal(format!("panic: {}", text.unwrap_or_default()))
    }

    /// The code of the body.
    pub(crate) fn code(&self) -> ErrorCode {
        match self {
            Self::Engine(error) => error.kind().code(),
            Self::UnknownRoute { .. } => ErrorCode::NotFound,
            Self::MethodNotAllowed { .. } => ErrorCode::MethodNotAllowed,
            Self::Unauthorized(_) => ErrorCode::Unauthorized,
            Self::ForeignOrigin(_) => ErrorCode::PermissionDenied,
            Self::InvalidArguments(_) | Self::ClientGone => ErrorCode::InvalidArguments,
            Self::ColumnNotFound(_) => ErrorCode::ColumnNotFound,
            Self::UnmetRequiredFilters(_) => ErrorCode::GenericUserError,
            Self::UnsupportedContentEncoding(_)
            | Self::UnsupportedTransferCoding(_)
            | Self::AnswerTooLarge { .. } => ErrorCode::NotSupported,
            Self::PayloadTooLarge { .. } => ErrorCode::PayloadTooLarge,
            Self::BodyTimeout { .. } => ErrorCode::ExceededTimeLimit,
            Self::OutOfAnswerMemory | Self::OutOfHeadMemory => ErrorCode::GenericInsufficientResources,
            Self::ShuttingDown => ErrorCode::ServerRestarted,
            Self::Internal(_) => ErrorCode::GenericInternalError,
        }
    }

    /// The status of the answer.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::Engine(error) => status_of(error.kind()),
            Self::UnknownRoute { .. } => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed { .. } => StatusCode::METHOD_NOT_ALLOWED,
            Self::Unauthorized(_) => StatusCode::UNAUTHORIZED,
            Self::ForeignOrigin(_) => StatusCode::FORBIDDEN,
            Self::InvalidArguments(_)
            | Self::ColumnNotFound(_)
            | Self::UnmetRequiredFilters(_)
            | Self::AnswerTooLarge { .. }
            | Self::ClientGone => StatusCode::BAD_REQUEST,
            Self::UnsupportedContentEncoding(_) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::UnsupportedTransferCoding(_) => StatusCode::NOT_IMPLEMENTED,
            Self::PayloadTooLarge { .. } => StatusCode::PAYLOAD_TOO_LARGE,
            Self::BodyTimeout { .. } => StatusCode::REQUEST_TIMEOUT,
            Self::OutOfAnswerMemory | Self::OutOfHeadMemory | Self::ShuttingDown => {
                StatusCode::SERVICE_UNAVAILABLE
            }
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Facts for programs, if any.
    pub(crate) fn details(&self) -> Option<&Value> {
        match self {
            Self::Engine(error) => error.details(),
            _ => None,
        }
    }

    /// Whole seconds after which a retry may succeed; none if it cannot.
    pub(crate) fn retry_after_seconds(&self) -> Option<u64> {
        match self {
            Self::Engine(error) => match error.retry_after() {
                Some(wait) => Some(wait.as_millis().div_ceil(1000).try_into().unwrap_or(u64::MAX).max(1)),
                None => matches!(
                    error.kind().code(),
                    ErrorCode::QueryQueueFull
                        | ErrorCode::ViewNotReady
                        | ErrorCode::ServerRestarted
                        | ErrorCode::GenericInsufficientResources
                )
                .then_some(1),
            },
            Self::OutOfAnswerMemory | Self::OutOfHeadMemory | Self::ShuttingDown => Some(1),
            _ => None,
        }
    }

    /// The time for which the answer is held back (D160).
    pub(crate) fn delay(&self) -> Option<Duration> {
        match self {
            Self::Engine(error) => error.delay(),
            _ => None,
        }
    }

    /// Whether the server is at fault, which is logged.
    pub(crate) fn is_fault(&self) -> bool {
        self.is_internal() || matches!(self, Self::Engine(error) if error.kind() == ErrorKind::Damaged)
    }

    /// Whether the message is for the log only (D3).
    pub(crate) fn is_internal(&self) -> bool {
        match self {
            Self::Engine(error) => error.kind() == ErrorKind::Internal,
            Self::Internal(_) => true,
            _ => false,
        }
    }
}

/// The status of a refusal by the engine. 401 for an insufficient role is D6's.
const fn status_of(kind: ErrorKind) -> StatusCode {
    match kind {
        ErrorKind::NotFound | ErrorKind::ResultExpired => StatusCode::NOT_FOUND,
        ErrorKind::Unauthorized | ErrorKind::PermissionDenied => StatusCode::UNAUTHORIZED,
        ErrorKind::InvalidArguments
        | ErrorKind::ColumnNotFound
        | ErrorKind::InvalidCastArgument
        | ErrorKind::GenericUserError
        | ErrorKind::NotSupported
        | ErrorKind::Statement(_)
        | ErrorKind::NoResult(_) => StatusCode::BAD_REQUEST,
        ErrorKind::AlreadyExists => StatusCode::CONFLICT,
        ErrorKind::QueryQueueFull | ErrorKind::TooManyRequests => StatusCode::TOO_MANY_REQUESTS,
        ErrorKind::ServiceDisabled
        | ErrorKind::ViewNotReady
        | ErrorKind::Overloaded
        | ErrorKind::StorageFull => StatusCode::SERVICE_UNAVAILABLE,
        ErrorKind::Damaged | ErrorKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Engine(error) => error.fmt(f),
            Self::UnknownRoute { path } => write!(f, "there is nothing at {path:?}"),
            Self::MethodNotAllowed { method, allowed } => {
                write!(f, "method {method} is not known here, expected one of {allowed}")
            }
            Self::Unauthorized(message)
            | Self::InvalidArguments(message)
            | Self::ColumnNotFound(message)
            | Self::UnmetRequiredFilters(message)
            | Self::Internal(message) => f.write_str(message),
            Self::ForeignOrigin(origin) => {
                write!(f, "pages of {origin:?} may not call here: cors.allowed_origins names those that may")
            }
            Self::UnsupportedContentEncoding(coding) => {
                write!(f, "the body's Content-Encoding {coding:?} is not read here, send it as it is")
            }
            Self::UnsupportedTransferCoding(coding) => {
                write!(f, "the transfer coding {coding:?} is not read here, expected chunked alone")
            }
            Self::PayloadTooLarge { limit_bytes } => {
                write!(f, "the body is over the limit of {limit_bytes} bytes")
            }
            Self::BodyTimeout { limit } => {
                write!(f, "the body did not arrive within {} seconds", limit.as_secs_f64())
            }
            Self::OutOfAnswerMemory => f.write_str(
                "the memory for answers is in use; try again, read answers to their end, and fewer of them at a time",
            ),
            Self::OutOfHeadMemory => f.write_str(
                "the memory for the heads of requests is in use; try again, with fewer or shorter headers and parameters",
            ),
            Self::AnswerTooLarge { bytes, limit_bytes } => write!(
                f,
                "this takes {bytes} bytes of memory at a time, and all answers together may have {limit_bytes} \
                 (limits.answer_memory); JSON, CSV and Arrow take the least"
            ),
            Self::ClientGone => f.write_str("the body ended before it was complete"),
            Self::ShuttingDown => f.write_str("the server is shutting down"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Engine(error) => error.source(),
            _ => None,
        }
    }
}

impl From<rowhouse_engine::Error> for Error {
    fn from(error: rowhouse_engine::Error) -> Self {
        Self::Engine(error)
    }
}

impl From<rowhouse_engine::RowsError> for Error {
    fn from(error: rowhouse_engine::RowsError) -> Self {
        Self::Engine(error.into())
    }
}

impl From<rowhouse_filters::Error> for Error {
    fn from(error: rowhouse_filters::Error) -> Self {
        use rowhouse_filters::ErrorKind;
        match error.kind() {
            ErrorKind::UnknownColumn => Self::ColumnNotFound(error.to_string()),
            _ => Self::InvalidArguments(error.to_string()),
        }
    }
}
