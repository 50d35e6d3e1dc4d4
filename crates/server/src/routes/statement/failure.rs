//! What a client of the protocol is told of a fault: one of the statement is an answer like another, with 200; only one of
//! the request or of the server has a status.

use rowhouse_engine::ErrorKind;
use rowhouse_model::{ErrorLocation, QueryError};

use crate::error::Error;

/// Why a request of the protocol fails.
pub(super) enum Failure {
    /// The statement's fault, or a limit: told as its error.
    Statement(QueryError),
    /// The request's or the server's.
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
            kind => Self::Statement(QueryError::new(kind.code(), error.to_string())),
        }
    }
}

/// An error of a text that was put behind `prefix` characters, at its place in the text that the client knows.
pub(super) fn known_place(error: QueryError, prefix: u32) -> QueryError {
    if prefix == 0 {
        return error;
    }
    error.moved(|place| ErrorLocation {
        column_number: match place.line_number {
            // What is before the text is the client's own statement about it.
            1 => place.column_number.saturating_sub(prefix).max(1),
            _ => place.column_number,
        },
        ..place
    })
}
