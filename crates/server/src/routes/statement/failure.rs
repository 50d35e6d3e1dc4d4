//! Errors for a client of the protocol: an error of the statement is an ordinary answer, with 200; only an error of the
//! request or of the server has another status.

use std::time::Duration;

use rowhouse_engine::ErrorKind;
use rowhouse_model::{ErrorLocation, QueryError};

use crate::error::Error;

/// Why a request of the protocol fails.
pub(super) enum Failure {
    /// An error of the statement, or a limit: returned as the statement's error.
    Statement(QueryError),
    /// Likewise, after a delay (D160).
    Limited(Box<QueryError>, Duration),
    /// An error of the request or the server.
    Request(Error),
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Self {
        Self::Statement(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Engine(error) => error.into(),
            other => Self::Request(other),
        }
    }
}

impl From<rowhouse_engine::Error> for Failure {
    fn from(error: rowhouse_engine::Error) -> Self {
        match error.kind() {
            ErrorKind::Internal | ErrorKind::Unauthorized => Self::Request(error.into()),
            kind => {
                let failed = QueryError::new(kind.code(), error.to_string());
                match error.delay() {
                    Some(delay) => Self::Limited(Box::new(failed), delay),
                    None => Self::Statement(failed),
                }
            }
        }
    }
}

/// Maps an error of a text that follows `prefix` characters to its location in the client's text.
pub(super) fn known_place(error: QueryError, prefix: u32) -> QueryError {
    if prefix == 0 {
        return error;
    }
    error.moved(|place| ErrorLocation {
        column_number: match place.line_number {
            // The characters before the text are the client's own statement about it.
            1 => place.column_number.saturating_sub(prefix).max(1),
            _ => place.column_number,
        },
        ..place
    })
}
