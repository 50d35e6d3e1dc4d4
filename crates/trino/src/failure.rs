//! Errors of a statement's record if the cluster, not the statement, is at fault.

use std::error::Error as _;

use rowhouse_model::{ErrorCode, QueryError};

/// `GENERIC_EXTERNAL`: a system that this server depends on failed.
pub(super) fn external(message: impl Into<String>) -> QueryError {
    QueryError::new(ErrorCode::External, message)
}

/// The server's own fault; the cause is logged.
pub(super) fn internal(doing: &str, error: &dyn std::fmt::Display) -> QueryError {
    tracing::error!(%error, "{doing}");
    QueryError::new(ErrorCode::GenericInternalError, format!("{doing} failed; the server's log says why"))
}

/// The innermost cause of an error, which is the most informative: "Connection refused".
pub(super) fn innermost(error: &(dyn std::error::Error + 'static)) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// The innermost cause of an error of hyper's client, or the error itself if it has none.
pub(super) fn client_failure(error: &hyper_util::client::legacy::Error) -> String {
    match error.source() {
        Some(source) => innermost(source),
        None => error.to_string(),
    }
}
